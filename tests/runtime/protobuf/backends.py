"""Messages on each backend, in one process: the classes stay the same, their codecs are exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lakecodec import compile_idl
from lakecodec.runtime.protobuf import backend

from ..compact.backends import BACKENDS

__all__ = ["BACKENDS", "kinds", "running"]

kinds: Any = compile_idl(Path(__file__).with_name("kinds.idl"))


@contextmanager
def running(name: str, module: Any = kinds) -> Iterator[None]:
    """Runs the messages of a module on one backend."""
    kept = backend.native
    try:
        if name == "pure":
            backend.native = None
            backend.register(module.__name__, module.__spec__)
        yield
    finally:
        backend.native = kept
        backend.register(module.__name__, module.__spec__)
