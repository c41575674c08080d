from ..order.cells import Bytes, Cell, Column, Offsets

def read(
    cells: list[Cell], data: Bytes, starts: Offsets, ends: Offsets, exact: bool, after: Offsets | None = None
) -> list[Column]: ...
