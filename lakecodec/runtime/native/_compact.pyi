from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, final

@final
class Buffer:
    """Read-only memory of a column or a file; give it to memoryview, numpy.frombuffer or pyarrow.py_buffer."""

    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Codec:
    """The lowered description of one generated class. Made by define; immutable."""

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, early: bool = ..., /
    ) -> tuple[Any, int]: ...
    def decode_kept(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, /
    ) -> tuple[Any, int]: ...
    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] = ..., /) -> bytes: ...
    def decode_parts(
        self, data: Any, pos: int, state: Any, max_depth: int, max_elements: int, /
    ) -> tuple[list[Any], int, int, Any]: ...
    def project(self, tree: Any, /) -> Codec: ...

@final
class Places:
    """Values in bytes, found by name; see compact/places.py."""

    def __new__(
        cls,
        codec: Codec,
        data: bytes,
        names: tuple[str, ...],
        places: array[int],
        max_depth: int,
        max_elements: int,
        /,
    ) -> Places: ...
    def named(self, names: Iterable[str], /) -> list[Any] | None: ...
    def numbered(self, numbers: Iterable[int], /) -> list[Any]: ...

def define(rows: list[tuple[Any, ...]], /) -> list[Codec]: ...
def skip(data: Any, pos: int, wire_type: int, max_depth: int, /) -> int: ...
def columns(
    codec: Codec,
    program: tuple[tuple[tuple[str, ...], ...], tuple[tuple[int, tuple[str, ...], str, bytes], ...]],
    buffers: Sequence[Any],
    max_depth: int,
    max_elements: int,
    keep: tuple[int, Any] | None,
    on_error: str,
    /,
) -> tuple[
    list[tuple[int, Buffer, Buffer]],
    list[tuple[bytes | None, Buffer | bytes, Buffer | bytes | None, int, bool]],
    list[tuple[int, Exception]],
]: ...
def names(numbers: Any, width: int, texts: dict[int, str], /) -> tuple[bytes, Buffer]: ...
def list_length(value: Any, name: str, /) -> int | None: ...
def read(fd: int, offset: int, length: int, /) -> Buffer: ...
def touched() -> tuple[int, int]: ...
