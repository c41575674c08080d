"""Arrow functions that the text codecs share."""

from __future__ import annotations

from typing import Any, TypeAlias

import pyarrow.compute

Array: TypeAlias = Any
Texts: TypeAlias = Any
Mask: TypeAlias = Any

pc: Any = pyarrow.compute
