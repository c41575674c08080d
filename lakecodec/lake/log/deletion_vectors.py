"""Deletion vectors, stored in files or inline in the log (PROTOCOL.md, Deletion Vectors)."""

from __future__ import annotations

import base64
import binascii
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...generated.deletion_vector import Bitmap, Container, DeletionVector, StoredVector
from ...runtime.errors import DecodeError
from .storage import Storage

Positions = NDArray[np.int64]

_Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_B85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
Z85_TO_B85 = str.maketrans(_Z85, _B85)
_FILLING = "#"
#: Characters of an encoded UUID.
_UUID = 20
#: Bytes around each vector in a file of vectors: its length before it, its checksum after it.
_ENVELOPE = 8


def deleted_positions(storage: Storage, text: str) -> Positions:
    """Returns the positions of the deleted rows of a file, int64, from 0 on and ascending.

    Args:
        storage: storage of the table.
        text: the ``deletionVector`` of the file's action, as JSON.

    Raises:
        DecodeError: the descriptor or the vector is broken.
        OSError: the file of vectors cannot be read.
    """
    fields = json.loads(text)
    try:
        kind, where = str(fields["storageType"]), str(fields["pathOrInlineDv"])
        size, cardinality = int(fields["sizeInBytes"]), int(fields["cardinality"])
        if kind == "i":
            vector = DeletionVector.from_bytes(_decode(where)[:size])
        else:
            vector = _stored(storage, _path(storage, kind, where), int(fields.get("offset") or 0), size)
    except (KeyError, TypeError, ValueError, OverflowError, binascii.Error) as error:
        if isinstance(error, DecodeError):
            raise
        raise DecodeError(f"the descriptor is broken: {error!r}", format="delta", path="deletionVector") from None
    found = positions_in(vector)
    if len(found) != cardinality or (np.diff(found) <= 0).any():
        rule = f"the vector has {len(found)} rows, the log says {cardinality}"
        raise DecodeError(rule, format="delta", path="deletionVector")
    return found


def cardinality(fields: Mapping[str, Any] | None) -> int:
    """Returns the number of rows that a vector deletes, from its descriptor; 0 without one."""
    found = None if fields is None else fields.get("cardinality")
    return found if isinstance(found, int) else 0


def vector_file(storage: Storage, fields: Mapping[str, Any] | None) -> str | None:
    """Returns the path in the file system of a vector's file; None for an inline vector or no vector."""
    if fields is None or fields.get("storageType") == "i":
        return None
    return _path(storage, str(fields.get("storageType")), str(fields.get("pathOrInlineDv")))


def vector_file_name(write_id: str) -> str:
    """Returns the name of the file of vectors of a write, from the write id of 32 hexadecimal digits."""
    return f"deletion_vector_{uuid.UUID(write_id)}.bin"


def unique_id(fields: Mapping[str, Any] | None) -> str | None:
    """Returns the unique id of a file's vector; None without one (PROTOCOL.md, Deletion Vector Descriptor Schema)."""
    if fields is None:
        return None
    found = f"{fields.get('storageType')}{fields.get('pathOrInlineDv')}"
    return found if fields.get("offset") is None else f"{found}@{fields['offset']}"


def _path(storage: Storage, kind: str, where: str) -> str:
    """Returns the path of a file of vectors in the file system."""
    if kind == "p":
        return storage.locate(where)
    if kind != "u" or len(where) < _UUID:
        raise ValueError(f"storageType {kind!r}")
    prefix, name = where[:-_UUID], vector_file_name(_decode(where[-_UUID:]).hex())
    return storage.path(f"{prefix}/{name}" if prefix else name)


def _stored(storage: Storage, path: str, offset: int, size: int) -> DeletionVector:
    found = StoredVector.from_bytes(storage.read_at(path, offset, size + _ENVELOPE))
    if found.length != size:
        rule = f"the vector has {found.length} bytes, the log says {size}"
        raise DecodeError(rule, format="delta", path=path, offset=offset)
    vector: DeletionVector = found.vector
    return vector


def _decode(text: str) -> bytes:
    """Returns the bytes of a text in Z85. A last group with leading padding means fewer than four bytes.

    Rust's writers encode sizes that are not multiples of four in this way; no other group can begin with the padding.
    """
    body, last = text[:-5], text[-5:]
    if not last.startswith(_FILLING):
        return base64.b85decode(text.translate(Z85_TO_B85))
    digits = last.lstrip(_FILLING)
    number: int = sum(_Z85.index(digit) * 85**place for place, digit in enumerate(reversed(digits)))
    return base64.b85decode(body.translate(Z85_TO_B85)) + number.to_bytes(len(digits) - 1, "big")


def positions_in(vector: DeletionVector) -> Positions:
    """Returns the positions of a stored vector."""
    return _joined(part for bucket in vector.buckets for part in _parts(bucket.lower, bucket.upper << 32))


def positions_of(bitmap: Bitmap) -> Positions:
    """Returns the numbers of a stored bitmap of 32-bit numbers."""
    return _joined(_parts(bitmap, 0))


def _joined(parts: Iterable[Positions]) -> Positions:
    found = [*parts]
    return np.concatenate(found) if found else np.empty(0, np.int64)


def _parts(bitmap: Bitmap, base: int) -> Iterator[Positions]:
    """Yields the positions of each container of a bitmap."""
    for key, container in zip(bitmap.keys, bitmap.containers, strict=True):
        yield _numbers(container) + (base | (key.upper << 16))


def _numbers(container: Any) -> Positions:
    if container.kind == Container.ARRAY.kind:
        return np.asarray(container.values, np.int64)
    if container.kind == Container.BITMAP.kind:
        return np.flatnonzero(np.unpackbits(np.frombuffer(container.bits, np.uint8), bitorder="little")).astype(
            np.int64
        )
    runs = [np.arange(run.first, run.first + run.others + 1, dtype=np.int64) for run in container.runs]
    return np.concatenate(runs) if runs else np.empty(0, np.int64)
