"""Deletion vectors: the positions of deleted rows in a data file."""

from __future__ import annotations

import numpy as np

from ..generated.deletion_vector import StoredVector
from ..generated.paimon import MAGIC_32, StoredBitmap
from ..lake.log.deletion_vectors import Positions, positions_in, positions_of
from ..runtime.errors import DecodeError
from .manifests import Vector
from .table import PaimonTable

#: Bytes around a vector: its length before it, its checksum after it.
_ENVELOPE = 8
_MAGIC = slice(4, 8)


def deleted_rows(table: PaimonTable, vector: Vector) -> Positions:
    """Returns the positions of the deleted rows of a file, ascending.

    Raises:
        DecodeError: the vector is broken.
        OSError: its file cannot be read.
    """
    if vector.offset < 0 or vector.length < 0:
        raise DecodeError("a negative offset or length", format="paimon", path=vector.path)
    try:
        data = table.storage.read_range(vector.path, vector.offset, vector.length + _ENVELOPE)
    except FileNotFoundError:
        raise DecodeError("the file of vectors does not exist", format="paimon", path=vector.path) from None
    found = _positions(data, vector)
    if (np.diff(found) <= 0).any() or vector.cardinality not in (None, len(found)):
        rule = f"the vector has {len(found)} rows, the manifest says {vector.cardinality}"
        raise DecodeError(rule, format="paimon", path=vector.path, offset=vector.offset)
    return found


def _positions(data: bytes, vector: Vector) -> Positions:
    """Returns the positions of a vector of 32-bit numbers, or of one of 64-bit numbers, which is that of Delta.

    Manifests of Java state the length of the latter with the envelope.
    """
    if int.from_bytes(data[_MAGIC], "big") == MAGIC_32:
        return positions_of(StoredBitmap.from_bytes(data).vector.rows)
    size = int.from_bytes(data[: _MAGIC.start], "big")
    if vector.length not in (size, size + _ENVELOPE):
        rule = f"the vector has {size} bytes, the manifest says {vector.length}"
        raise DecodeError(rule, format="paimon", path=vector.path, offset=vector.offset)
    return positions_in(StoredVector.from_bytes(data[: size + _ENVELOPE]).vector)
