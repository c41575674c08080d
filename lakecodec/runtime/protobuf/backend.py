"""The codecs of generated messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from ..compact.encode import explained
from ..compact.pure import buffer_at, collector_paused
from ..compact.rules import TEXT_POLICIES
from ..errors import DecodeError
from ..native import load
from ..spec import Spec
from .read import MessageReading, decode
from .rules import RULES
from .write import write_message

native: ModuleType | None = None
if load("runtime.native._compact") is not None:
    from . import native


def register(module: str, specs: Mapping[str, Spec]) -> None:
    """Gives the messages of a generated module their codecs; ``module`` is its ``__name__``."""
    format = module.rpartition(".")[2]
    wired = [spec for spec in specs.values() if spec.kind in ("message", "oneof")]
    codecs = {} if native is None else native.define(wired, format)
    for spec in wired:
        cls: Any = spec.cls
        cls.__codec__ = codecs.get(cls) or PureCodec(cls, f"{format}.{spec.name}")


class PureCodec:
    """The codec of one generated message."""

    def __init__(self, cls: Any, format: str) -> None:
        self._cls = cls
        self._format = format

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, early: bool = False
    ) -> tuple[Any, int]:
        reading = MessageReading(self._format, max_depth, max_elements, views, text)
        with collector_paused():
            try:
                return decode(self._cls, *buffer_at(data, pos), reading)
            except RecursionError:
                raise DecodeError(RULES["depth"], format=self._format) from None

    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] | None = None) -> bytes:
        if text not in TEXT_POLICIES:
            raise ValueError(f"text: one of {', '.join(TEXT_POLICIES)}, not {text!r}")
        return explained(lambda: write_message(self._cls, value, text, 1), self._format)

    def project(self, tree: dict[str, Any]) -> PureCodec:
        raise NotImplementedError
