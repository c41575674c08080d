from collections.abc import Sequence
from typing import Any, final

@final
class Codec:
    """The lowered description of one generated class. Made by define; immutable."""

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, /
    ) -> tuple[Any, int]: ...
    def encode(self, value: Any, text: str, /) -> bytes: ...
    def project(self, tree: Any, /) -> Codec: ...

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
    list[tuple[int, bytes, bytes]],
    list[tuple[bytes | None, bytes, bytes | None, int]],
    list[tuple[int, Exception]],
]: ...
