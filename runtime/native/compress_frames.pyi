from collections.abc import Sequence
from typing import Any

def are_whole(frames: Sequence[Any], contents: Sequence[int], window: int) -> bool: ...
