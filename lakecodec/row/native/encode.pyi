import numpy as np
from numpy.typing import NDArray

from ..order.cells import Bytes, Cell, Offsets, Source

def measure(cells: list[tuple[Cell, Source]], n: int, offsets: Offsets | None = None) -> tuple[int, Offsets]: ...
def write(cells: list[tuple[Cell, Source]], n: int, out: Bytes, offsets: NDArray[np.int64], stride: int) -> None: ...
