from ..order.cells import Bytes, Cell, Column, Empty, Offsets

def read(
    cells: list[Cell],
    data: Bytes,
    starts: Offsets,
    ends: Offsets,
    exact: bool,
    after: Offsets | None = None,
    empty: Empty | None = None,
) -> list[Column]: ...
