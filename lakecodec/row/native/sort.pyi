import numpy as np
from numpy.typing import NDArray

from ..order.cells import Bytes, Offsets

def argsort(data: Bytes, offsets: Offsets) -> NDArray[np.uint64]: ...
