"""Both backends in one process: the classes stay the same, their codecs are exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from lakecodec import compile_idl
from lakecodec.generated import parquet
from lakecodec.runtime import compiled
from lakecodec.runtime.compact import pure
from lakecodec.runtime.compact.backend import backend
from lakecodec.runtime.errors import CodecError
from lakecodec.runtime.spec import Spec

#: The backends that this process can run; the pure one alone where nothing was built or LAKECODEC_PURE=1 is set.
BACKENDS = ("native", "pure") if backend() == "native" else ("pure",)

# By its name: the package has a function of the same name.
switch: Any = import_module("lakecodec.runtime.compact.backend")
_native = switch.native
_codecs: dict[str, dict[type, Any]] = {name: {} for name in BACKENDS}


def add(module: ModuleType) -> ModuleType:
    """Makes the codecs of a generated module's classes for both backends; returns the module."""
    specs = _wired(module)
    format = module.__name__.rpartition(".")[2]
    chosen = {spec.cls: _codec(spec.cls) for spec in specs}
    _codecs[BACKENDS[0]].update(chosen)
    if len(BACKENDS) > 1:
        pure.define(specs, format)
        _codecs["pure"].update({spec.cls: _codec(spec.cls) for spec in specs})
        _install(chosen)
    return module


def load(source: str | Path, **options: Any) -> ModuleType:
    """As ``compile_idl``, with codecs for both backends. To be called outside of `running`, at import."""
    return add(compile_idl(source, **options))


@cache
def kitchen() -> ModuleType:
    """The module of kitchen.idl."""
    return load(Path(__file__).with_name("kitchen.idl"))


@contextmanager
def running(name: str) -> Iterator[str]:
    """Runs everything on one backend: all modules added, and those compiled meanwhile."""
    kept = switch.native
    # Modules of the same text are the same as long as they live; here each backend has its own.
    compiled._by_bundle.clear()
    switch.native = _native if name == "native" else None
    _install(_codecs[name])
    try:
        yield name
    finally:
        compiled._by_bundle.clear()
        switch.native = kept
        _install(_codecs[BACKENDS[0]])


def outcome(call: Any, *arguments: Any, **options: Any) -> tuple[Any, ...]:
    """What a call gives, or all that its data error says; other errors pass."""
    try:
        return "value", call(*arguments, **options)
    except CodecError as error:
        return type(error).__name__, error.rule, error.path, error.offset, error.format


def outcomes(call: Any, *arguments: Any, **options: Any) -> list[tuple[Any, ...]]:
    """The outcomes of a call on all backends."""
    found = []
    for name in BACKENDS:
        with running(name):
            found.append(outcome(call, *arguments, **options))
    return found


def _wired(module: ModuleType) -> Sequence[Spec]:
    specs: Any = module.__spec__
    return [spec for spec in specs.values() if spec.kind in ("struct", "union")]


def _codec(cls: Any) -> Any:
    return cls.__codec__


def _install(codecs: dict[type, Any]) -> None:
    for cls, codec in codecs.items():
        vars(cls).get("__projections__", {}).clear()
        cls.__codec__ = codec  # type: ignore[attr-defined]


add(parquet)
