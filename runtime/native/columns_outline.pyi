from collections.abc import Sequence
from typing import Any

from ..columns.layout import ValueLayout

class Layouts:
    def __init__(self, layouts: Sequence[ValueLayout]) -> None: ...

class Machine:
    def __init__(
        self,
        steps: Sequence[tuple[int, int, int, int]],
        scalars: Sequence[int],
        arrays: int,
        end: int,
        parameters: Sequence[int],
        values: Sequence[tuple[int, int, int, int]],
        constant: int,
        nulls: tuple[int, int, int, int],
        codes: tuple[int, int, int, int],
    ) -> None: ...
    def places(
        self, buffers: Sequence[Any], layouts: Layouts, numbers: Sequence[int], parameters: Sequence[tuple[int, ...]]
    ) -> bytes | None: ...
