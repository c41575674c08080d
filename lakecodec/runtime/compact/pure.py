"""The pure Python backend: a reader and a writer made per struct, with the interpreter as their fallback.

Such a reader knows the common layouts and only notices *that* something is wrong. The interpreter then reads the same
bytes again and says what, where and why.
"""

from __future__ import annotations

import gc
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import DecodeError, EncodeError
from ..exact import exact_int
from ..limits import Limits
from ..spec import Spec
from . import encode as encoding
from . import interpret
from .interpret import Reading
from .rules import RULES, TEXT_POLICIES
from .wire import Malformed, scan, skip_value

if TYPE_CHECKING:
    from .methods import Methods

#: Exceptions of generated readers for invalid bytes, and of generated writers for invalid values.
_UNREADABLE = (AttributeError, IndexError, Malformed, DecodeError, UnicodeDecodeError, struct.error, RecursionError)
_UNWRITABLE = (
    encoding.Unfit,
    TypeError,
    AttributeError,
    ValueError,
    OverflowError,
    Malformed,
    struct.error,
    RecursionError,
)


class PureCodec:
    """The codec of one generated class."""

    def __init__(self, spec: Spec, format: str) -> None:
        self._spec = spec
        self._format = format
        self._made: Methods | None = None

    @property
    def _methods(self) -> Methods:
        if self._made is None:
            # Imported on first use, since it builds tables.
            from .methods import methods_of

            self._made = methods_of(self._spec.cls)
        return self._made

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, early: bool = False
    ) -> tuple[Any, int]:
        buf, pos = buffer_at(data, pos)
        with collector_paused():
            return self._decoded(buf, pos, Reading(self._format, max_depth, max_elements, views, text))

    def decode_kept(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str
    ) -> tuple[Any, int]:
        """Returns the same, with structs that keep the fields that their classes do not know.

        Such fields are rare: values that have any are read again.
        """
        buf, pos = buffer_at(data, pos)
        reading = Reading(self._format, max_depth, max_elements, views, text)
        with collector_paused():
            found = self._decoded(buf, pos, reading)
            if not reading.has_passed:
                return found
            reading = Reading(self._format, max_depth, max_elements, views, text, keeps=True)
            return interpreted(self._spec, buf, pos, reading)

    def _decoded(self, buf: Any, pos: int, reading: Reading) -> tuple[Any, int]:
        # Generated readers serve the common case. The interpreter reads other buffers without copying them.
        if type(buf) is bytes and not reading.views and reading.text == "strict":
            reader, left = self._methods.read, reading.elements
            try:
                return reader(buf, pos, reading, reading.max_depth - 1)
            except _UNREADABLE:
                reading.elements = left
        return interpreted(self._spec, buf, pos, reading)

    def decode_parts(
        self, data: Any, pos: int, state: Any, max_depth: int, max_elements: int
    ) -> tuple[list[Any], int, int, Any]:
        """Passes the bytes of each value until they are all there, and reads it then."""
        found: list[Any] = []
        at, opened = state or (pos, None)
        while (told := scan(data, at, opened, max_depth)) is not None:
            at, opened, lacking = told
            if opened:
                return found, pos, lacking, (at - pos, opened)
            whole = data if isinstance(data, bytes) else bytes(data[:at])
            try:
                value, pos = self.decode(whole, pos, max_depth, max_elements, views=False, text="strict")
            except DecodeError:
                break
            found.append(value)
            if state is not None or pos == len(data):
                break
        return found, pos, 0, None

    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] | None = None) -> bytes:
        encoded = self._encoded(value, text)
        return encoded if ending is None else encoded + ending(len(encoded))

    def _encoded(self, value: Any, text: str) -> bytes:
        if text == "strict":
            out = bytearray()
            try:
                self._methods.write(out, value)
            except _UNWRITABLE:
                pass
            else:
                return bytes(out)
        elif text not in TEXT_POLICIES:
            raise ValueError(f"text: one of {', '.join(TEXT_POLICIES)}, not {text!r}")
        return encoding.encode(self._spec, value, text, self._format)

    def project(self, tree: dict[str, Any]) -> ProjectedCodec:
        return ProjectedCodec(self._spec, self._format, tree)


class ProjectedCodec:
    """The codec of one generated class that reads a choice of its fields."""

    def __init__(self, spec: Spec, format: str, tree: dict[str, Any]) -> None:
        self._spec = spec
        self._format = format
        self._tree = tree

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, early: bool = False
    ) -> tuple[Any, int]:
        reading = Reading(self._format, max_depth, max_elements, views, text, early)
        with collector_paused():
            return interpreted(self._spec, *buffer_at(data, pos), reading, self._tree)

    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] | None = None) -> bytes:
        raise EncodeError("a choice of fields is for reading only", format=self._format)

    def project(self, tree: dict[str, Any]) -> ProjectedCodec:
        return ProjectedCodec(self._spec, self._format, tree)


def interpreted(spec: Spec, buf: Any, pos: int, reading: Reading, tree: Any = True) -> tuple[Any, int]:
    try:
        return interpret.decode(spec, buf, pos, reading, tree)
    except RecursionError:
        raise DecodeError(RULES["depth"], format=reading.format) from None


def define(specs: Sequence[Spec], format: str) -> None:
    """Gives each struct and union its codec."""
    for spec in specs:
        if spec.kind in ("struct", "union"):
            spec.cls.__codec__ = PureCodec(spec, f"{format}.{spec.name}")  # type: ignore[attr-defined]


def skip(data: Any, pos: int, wire: int, limits: Limits, format: str) -> int:
    """Returns the position after the value of wire type ``wire`` at ``pos``."""
    buf, pos = buffer_at(data, pos)
    try:
        return skip_value(buf, pos, wire, limits.max_depth)
    except Malformed as malformed:
        raise DecodeError(RULES[malformed.key], format=format, offset=malformed.offset) from None
    except IndexError:
        raise DecodeError(RULES["truncated"], format=format, offset=len(buf)) from None
    except RecursionError:
        raise DecodeError(RULES["depth"], format=format) from None


def buffer_at(data: Any, pos: Any) -> tuple[Any, int]:
    """Returns ``data`` as bytes or a flat memoryview of bytes, without a copy, and ``pos``; ValueError if that is outside."""
    buf, pos = data if type(data) is bytes else _view(data), exact_int("pos", pos)
    if pos < 0 or pos > len(buf):
        raise ValueError(f"pos: {pos} is outside the data")
    return buf, pos


def _view(data: Any) -> memoryview:
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(f"data: a bytes-like object is needed, not {type(data).__name__}") from None
    if not view.c_contiguous:
        raise TypeError("data: a C-contiguous buffer is needed")
    return view if view.format == "B" and view.ndim == 1 else view.cast("B")


_pauses = 0
_resume = False
_lock = threading.Lock()


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses the cyclic garbage collector while a tree only grows; counts its users, since threads can overlap."""
    global _pauses, _resume
    with _lock:
        if _pauses == 0:
            _resume = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _resume:
                gc.enable()
