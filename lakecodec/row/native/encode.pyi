from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ..arrow_nodes import NodeSpec
from ..order.cells import Bytes, Cell, Offsets, Source

def measure(cells: list[tuple[Cell, Source]], n: int) -> Offsets: ...
def write(cells: list[tuple[Cell, Source]], n: int, out: Bytes, offsets: Offsets) -> None: ...

class ArrowEncoder:
    def __init__(self, specs: Sequence[NodeSpec], stride: int, in_place: bool) -> None: ...
    def encode(self, stream: Any, out: Bytes | None) -> pa.LargeBinaryArray: ...
