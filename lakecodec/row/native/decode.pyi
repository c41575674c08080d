from collections.abc import Sequence

import pyarrow as pa

from ..arrow_nodes import NodeSpec
from ..order.cells import Bytes, Cell, Column, Offsets

def read(
    cells: list[Cell],
    data: Bytes,
    starts: Offsets,
    ends: Offsets,
    exact: bool,
    after: Offsets | None = None,
) -> list[Column]: ...

class ArrowDecoder:
    def __init__(self, specs: Sequence[NodeSpec], types: list[pa.DataType]) -> None: ...
    def decode(self, rows: pa.Array, wide: bool) -> list[pa.Array] | None: ...
