"""Values beside those of Kaitai's Python runtime: a file read by an imported .ksy, and by what Kaitai's compiler made of it."""

from __future__ import annotations

import enum
import math
from typing import Any

from .kaitai_specs import plain

#: Objects that are compared of one file at most.
MOST_OBJECTS = 20_000


class Comparison:
    """The walk through two objects; ``wrong`` lists paths whose values differ, ``missing`` those that are not there."""

    def __init__(self) -> None:
        self.same = 0
        self.wrong: list[str] = []
        self.missing: list[str] = []
        self._left = MOST_OBJECTS

    def compare(self, ours: Any, theirs: Any, path: str = "") -> None:
        ours = plain(ours)
        if isinstance(theirs, list):
            if ours is None or len(ours) != len(theirs):
                self.wrong.append(f"{path}: {None if ours is None else len(ours)} elements, not {len(theirs)}")
                return
            for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
                self.compare(one, other, f"{path}[{number}]")
        elif hasattr(theirs, "_io"):
            self._objects(ours, theirs, path)
        elif self._is_same(ours, theirs):
            self.same += 1
        else:
            self.wrong.append(f"{path}: {ours!r:.60}, not {theirs!r:.60}")

    def _is_same(self, ours: Any, theirs: Any) -> bool:
        if isinstance(theirs, float):
            return isinstance(ours, float | int) and (ours == theirs or (math.isnan(ours) and math.isnan(theirs)))
        if isinstance(theirs, enum.Enum):
            return int(ours) == theirs.value and (
                not isinstance(ours, enum.Enum) or ours.name.rstrip("_") == theirs.name.rstrip("_")
            )
        if isinstance(theirs, bytes | bytearray):
            return bytes(ours) == bytes(theirs)
        return bool(ours == theirs)

    def _objects(self, ours: Any, theirs: Any, path: str) -> None:
        self._left -= 1
        if self._left < 0:
            return
        names = [name for name in vars(theirs) if not name.startswith("_")]
        names += [name for name, each in vars(type(theirs)).items() if isinstance(each, property)]
        for name in dict.fromkeys(names):
            try:
                wanted = getattr(theirs, name)
            except Exception:  # what Kaitai cannot read is no value
                continue
            found = [each for each in (f"{name}_", name) if hasattr(ours, each) and not callable(getattr(ours, each))]
            if found:
                self.compare(getattr(ours, found[0]), wanted, f"{path}.{name}")
            elif wanted is not None:
                self.missing.append(f"{path}.{name}")
