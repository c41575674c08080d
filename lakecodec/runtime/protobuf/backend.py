"""The codecs of generated messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..compact.encode import explained
from ..compact.pure import as_buffer, collector_paused
from ..compact.text_policy import TEXT_POLICIES
from ..errors import DecodeError
from ..spec import Spec
from .read import MessageReading, decode
from .rules import RULES
from .write import write_message

native: Any = None


def register(module: str, specs: Mapping[str, Spec]) -> None:
    """Gives the messages of a generated module their codecs; ``module`` is its ``__name__``."""
    format = module.rpartition(".")[2]
    for spec in specs.values():
        cls: Any = spec.cls
        if spec.kind == "message":
            cls.__codec__ = PureCodec(cls, f"{format}.{spec.name}")
        elif spec.kind == "oneof":
            cls.__singletons__ = {}


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
                return decode(self._cls, as_buffer(data), pos, reading)
            except RecursionError:
                raise DecodeError(RULES["depth"], format=self._format) from None

    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] | None = None) -> bytes:
        if text not in TEXT_POLICIES:
            raise ValueError(f"text: one of {', '.join(TEXT_POLICIES)}, not {text!r}")
        return explained(lambda: write_message(self._cls, value, text, 1), self._format)

    def project(self, tree: dict[str, Any]) -> PureCodec:
        raise NotImplementedError
