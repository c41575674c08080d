from collections.abc import Sequence
from typing import Any

from ...columns.layout import ValueLayout

Arrays = tuple[int, int, int, int]

class Layouts:
    def __init__(self, layouts: Sequence[ValueLayout]) -> None: ...

class ColumnParts:
    def __init__(self, values: Sequence[Arrays], constant: int, nulls: Arrays, codes: Arrays) -> None: ...

def texts(data: Any, starts: Any, sizes: Any) -> tuple[bytes, bytes]: ...

class Machine:
    def __init__(
        self,
        steps: Sequence[tuple[int, int, int, int]],
        scalars: Sequence[int],
        lists: Sequence[Sequence[int]],
        end: int,
        given: Sequence[int],
    ) -> None: ...
    def numbers(
        self, arrays: Sequence[int], buffer: Any, layouts: Layouts, parameters: Sequence[int]
    ) -> list[Any] | None: ...
    def each(
        self, scalars: Sequence[int], data: Any, starts: Any, sizes: Any, parameters: Sequence[Any]
    ) -> tuple[bytes, list[bytes]]: ...
