"""Order-preserving dictionary keys of the legacy variant (arrow-rs up to 46.0).

The keys belong to one converter and depend on the order in which values were added: a value gets a key that sorts
between the keys of its neighbours, and keeps it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from .nodes import InternedNode

#: Slots of one bucket: key bytes 02 to FF, where FF leads to the next bucket once all others are taken.
SLOTS = 254
_NEXT = b"\xff"


@dataclass(slots=True)
class Bucket:
    """Node of the key tree: values in ascending order, one slot each.

    Attributes:
        values: the values, at most `SLOTS`.
        inner: per slot, the bucket of values added later that sort directly before ``values[i]``.
        next: the bucket of greater values once all slots are taken.
    """

    values: list[bytes] = field(default_factory=list)
    inner: list[Bucket | None] = field(default_factory=list)
    next: Bucket | None = None

    def insert(self, value: bytes) -> bytes:
        """Adds a value that is not in the tree and returns its key, without the end byte."""
        key = bytearray()
        bucket = self
        while True:
            values = bucket.values
            if not values or values[-1] < value:
                if len(values) == SLOTS:
                    bucket.next = bucket.next or Bucket()
                    bucket, key = bucket.next, key + _NEXT
                    continue
                values.append(value)
                bucket.inner.append(None)
                key.append(len(values) + 1)
                return bytes(key)
            slot = bisect_left(values, value)
            child = bucket.inner[slot] = bucket.inner[slot] or Bucket()
            key.append(slot + 1)
            bucket = child


@dataclass(slots=True)
class Interner:
    """Keys of one dictionary column by value bytes, and values by key; for one thread at a time."""

    root: Bucket = field(default_factory=Bucket)
    keys: dict[bytes, bytes] = field(default_factory=dict)
    values: dict[bytes, bytes] = field(default_factory=dict)

    def intern(self, values: Sequence[bytes | None]) -> list[bytes | None]:
        """Returns the keys of values, None for None; new values are added in sorted order."""
        for value in sorted({value for value in values if value is not None and value not in self.keys}):
            key = self.root.insert(value)
            self.keys[value] = key
            self.values[key] = value
        return [None if value is None else self.keys[value] for value in values]

    @staticmethod
    def cell(node: InternedNode, key: bytes, mask: int) -> bytes:
        """Returns the cell of a key: present byte, key, end byte, each XORed with ``mask``."""
        plain = bytes([node.present]) + key + bytes([node.cell.end])
        return bytes(byte ^ mask for byte in plain) if mask else plain
