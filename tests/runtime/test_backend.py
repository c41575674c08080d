"""Which backend runs: asserted, so that no other test passes on the wrong one unnoticed."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from typing import Any

import pytest

import lakecodec
from lakecodec.generated import parquet
from lakecodec.runtime import native
from lakecodec.runtime.compact.pure import PureCodec

from ..paths import ROOT
from .compact.backends import BACKENDS, running

BUILT = importlib.util.find_spec("lakecodec.runtime.native._compact") is not None


def codec(cls: Any) -> Any:
    return cls.__codec__


def test_the_backend_that_is_expected_runs() -> None:
    if os.environ.get("LAKECODEC_PURE") == "1":
        assert lakecodec.backend() == "pure"
    elif BUILT or os.environ.get("LAKECODEC_REQUIRE_NATIVE") == "1":
        assert lakecodec.backend() == "native"
    else:
        assert lakecodec.backend() == "pure"
    assert isinstance(codec(parquet.FileMetaData), PureCodec) == (lakecodec.backend() == "pure")


def test_every_native_module_is_listed() -> None:
    sources = [path for path in (ROOT / "lakecodec").rglob("*.pyx") if path.is_file()]
    if not sources:
        pytest.skip("the package is installed, its sources are elsewhere")
    found = {".".join(path.relative_to(ROOT / "lakecodec").with_suffix("").parts) for path in sources}
    assert {*found, "runtime.native._compact", "runtime.native._record"} == set(native.MODULES)


@pytest.mark.parametrize("name", native.MODULES)
def test_everything_native_was_built(name: str) -> None:
    if not BUILT and os.environ.get("LAKECODEC_REQUIRE_NATIVE") != "1":
        pytest.skip("there was no compiler")
    importlib.import_module(f"lakecodec.{name}")


def test_a_module_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "REQUIRED", False)
    monkeypatch.setattr(native, "ENABLED", True)
    monkeypatch.setattr(native, "MODULES", (*native.MODULES, "runtime.native.absent"))
    native.failures.cache_clear()
    try:
        assert "runtime.native.absent" in native.failures()
        assert lakecodec.backend() == ("partial" if BUILT else "pure")
        assert "runtime.native.absent" in native.not_built()
        assert "compiler" in native.slow_notice(["runtime.native.absent"])
        assert native.load("runtime.native.absent", "twin") == "twin"
        monkeypatch.setattr(native, "REQUIRED", True)
        with pytest.raises(
            ImportError, match=r"LAKECODEC_REQUIRE_NATIVE is set, but lakecodec\.runtime\.native\.absent"
        ):
            native.load("runtime.native.absent", "twin")
    finally:
        native.failures.cache_clear()


@pytest.mark.parametrize("setting", ["1", "yes", "0", ""])
def test_the_environment_forces_the_pure_backend(setting: str) -> None:
    program = (
        "import lakecodec, sys; from lakecodec.generated.parquet import KeyValue; "
        "print(lakecodec.backend(), KeyValue.from_bytes(bytes.fromhex('1803666f6f00')), "
        "'lakecodec.runtime.native._compact' in sys.modules)"
    )
    environment = os.environ | {"LAKECODEC_PURE": setting}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    wanted = BUILT and setting in ("", "0")
    assert done.stdout.split() == ["native" if wanted else "pure", "KeyValue(key='foo')", str(wanted)]


def test_tests_can_run_on_either() -> None:
    for name in BACKENDS:
        with running(name):
            assert isinstance(codec(parquet.FileMetaData), PureCodec) == (name == "pure")
            made = lakecodec.compile_idl("struct Made { 1: i32 x; }")
            assert isinstance(codec(made.Made), PureCodec) == (name == "pure")
