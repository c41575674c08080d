from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..order.cells import Bytes, Offsets

def argsort(data: Bytes, offsets: Offsets) -> NDArray[np.uint64]: ...
def argsort_few(numbers: NDArray[Any], low: Any, high: Any, descending: bool) -> NDArray[np.uint64]: ...
