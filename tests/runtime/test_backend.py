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
from lakecodec.runtime.compact.pure import PureCodec

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


@pytest.mark.parametrize(
    "name",
    [
        "runtime.native._compact",
        "runtime.native._record",
        "mosaic.native.bpe",
        "runtime.native.columns.bits",
        "runtime.native.columns.outline",
        "runtime.native.columns.read",
        "runtime.native.columns.write",
        "runtime.native.compress_frames",
        "runtime.native.file_reads",
        "row.native.decode",
        "row.native.encode",
        "row.native.sort",
    ],
)
def test_everything_native_was_built(name: str) -> None:
    if not BUILT and os.environ.get("LAKECODEC_REQUIRE_NATIVE") != "1":
        pytest.skip("there was no compiler")
    importlib.import_module(f"lakecodec.{name}")


@pytest.mark.parametrize("setting", ["1", "yes", "0", ""])
def test_the_environment_forces_the_pure_backend(setting: str) -> None:
    program = (
        "import lakecodec, sys; from lakecodec.generated.parquet import KeyValue; "
        "print(lakecodec.backend(), KeyValue.from_bytes(bytes.fromhex('1803666f6f00')), "
        "'lakecodec.runtime.native._compact' in sys.modules)"
    )
    environment = os.environ | {"LAKECODEC_PURE": setting}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    native = BUILT and setting in ("", "0")
    assert done.stdout.split() == ["native" if native else "pure", "KeyValue(key='foo')", str(native)]


def test_tests_can_run_on_either() -> None:
    for name in BACKENDS:
        with running(name):
            assert lakecodec.backend() == name
            assert isinstance(codec(parquet.FileMetaData), PureCodec) == (name == "pure")
            made = lakecodec.compile_idl("struct Made { 1: i32 x; }")
            assert isinstance(codec(made.Made), PureCodec) == (name == "pure")
