from collections.abc import Sequence
from typing import Any

from ...columns.decode import ColumnDecode
from ...columns.layout import ValueLayout

def decode(requests: Sequence[ColumnDecode], limit: int) -> list[Any]: ...
def decode_places(
    wanted: Sequence[tuple[ValueLayout, Any]], buffers: Sequence[Any], rows: Sequence[int], places: bytes, limit: int
) -> list[list[Any]] | None: ...
def end_of(layout: ValueLayout, data: Any, start: int, end: int, count: int) -> int: ...
