"""Arrow as the text codecs use it.

The published type stubs describe arrays by their element and only part of the compute kernels. Functions that work on
arrays of any type name theirs ``Array`` and call kernels through ``pc``, both without static types.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import pyarrow.compute

Array: TypeAlias = Any
Texts: TypeAlias = Any
Mask: TypeAlias = Any

pc: Any = pyarrow.compute
