"""Writer of deletion vectors: small ones inline in the log, several others per file."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from ...generated.deletion_vector import (
    FEWEST_PLACES,
    MOST_IN_ARRAY,
    PLAIN_COOKIE,
    RUN_COOKIE,
    Bitmap,
    Bucket,
    Container,
    DeletionVector,
    Key,
    Run,
    StoredVector,
    VectorFile,
)
from .deletion_vectors import _B85, _Z85, Positions, vector_file_name
from .storage import Storage

#: The largest size in bytes of a vector that is stored inline in the log.
_MOST_INLINE = 256
#: Shapes of containers by kind, with the numbers of the IDL.
_SHAPES = {alternative.kind: shape for shape, alternative in Container._alternatives.items()}
_TO_Z85 = str.maketrans(_B85, _Z85)


def inline_descriptor(positions: Positions) -> dict[str, Any]:
    """Returns the descriptor of a vector inside of the log.

    Args:
        positions: the numbers of the deleted rows, ascending, each once.
    """
    return _inline(encode(positions), len(positions))


def write_vectors(storage: Storage, vectors: Sequence[Positions], write_id: str) -> list[dict[str, Any]]:
    """Returns descriptors of vectors; those that are not small are written to one new file.

    Args:
        storage: the table's.
        vectors: per vector the numbers of the deleted rows, ascending, each once.
        write_id: 32 hexadecimal digits, from which the file's name is made.

    Raises:
        OSError: the file cannot be written.
    """
    encoded = [encode(positions) for positions in vectors]
    large = [data for data in encoded if len(data) > _MOST_INLINE]
    offset = len(VectorFile(vectors=[]).to_bytes())
    found = []
    for data, positions in zip(encoded, vectors, strict=True):
        if len(data) <= _MOST_INLINE:
            found.append(_inline(data, len(positions)))
            continue
        place = {"storageType": "u", "pathOrInlineDv": z85(bytes.fromhex(write_id)), "offset": offset}
        found.append(place | {"sizeInBytes": len(data), "cardinality": len(positions)})
        offset += len(_stored(data).to_bytes())
    if large:
        path = storage.path(vector_file_name(write_id))
        content = VectorFile(vectors=[_stored(data) for data in large]).to_bytes()
        with storage.filesystem.open_output_stream(path) as sink:
            sink.write(content)
        if storage.local is not None:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    return found


def encode(positions: Positions) -> bytes:
    """Returns a vector of ascending row numbers in the portable form."""
    upper = positions >> 32
    parts = np.split(positions, np.flatnonzero(np.diff(upper)) + 1) if len(positions) else []
    buckets = [Bucket(upper=int(part[0] >> 32), lower=_bitmap(part & 0xFFFFFFFF)) for part in parts]
    return bytes(DeletionVector(buckets=buckets).to_bytes())


def _bitmap(numbers: Positions) -> Bitmap:
    starts = np.flatnonzero(np.diff(numbers >> 16, prepend=-1))
    parts = np.split(numbers, starts[1:])
    keys = [Key(upper=int(part[0] >> 16), others=len(part) - 1) for part in parts]
    found = [_container(part & 0xFFFF) for part in parts]
    runs = [container.kind == Container.RUNS.kind for container in found]
    count = len(keys)
    with_runs: list[int] | None = None
    stated: int | None = count
    cookie = PLAIN_COOKIE
    if any(runs):
        with_runs = np.packbits(runs, bitorder="little").tolist()
        stated, cookie = None, RUN_COOKIE | (count - 1) << 16
    places = [0] * count if not any(runs) or count >= FEWEST_PLACES else None
    bitmap = Bitmap(cookie=cookie, stated=stated, with_runs=with_runs, keys=keys, places=places, containers=found)
    if places is not None:
        sizes = [
            len(container.to_bytes(_SHAPES[container.kind], key.others + 1))
            for container, key in zip(found, keys, strict=True)
        ]
        start = len(bitmap.to_bytes()) - sum(sizes)
        bitmap.places = [start + before for before in accumulate(sizes[:-1], initial=0)]
    return bitmap


def _container(numbers: Positions) -> Any:
    """Returns the smallest container of numbers of 16 bits."""
    edges = np.flatnonzero(np.diff(numbers) != 1) + 1
    firsts = numbers[np.concatenate([[0], edges])]
    lasts = numbers[np.concatenate([edges - 1, [len(numbers) - 1]])]
    if 4 * len(firsts) + 2 < min(2 * len(numbers), 8192):
        pairs = zip(firsts.tolist(), (lasts - firsts).tolist(), strict=True)
        return Container.RUNS(runs=[Run(first=first, others=others) for first, others in pairs])
    if len(numbers) <= MOST_IN_ARRAY:
        return Container.ARRAY(values=numbers.tolist())
    bits = np.zeros(1 << 16, np.uint8)
    bits[numbers] = 1
    return Container.BITMAP(bits=np.packbits(bits, bitorder="little").tobytes())


def _stored(data: bytes) -> StoredVector:
    return StoredVector(vector=DeletionVector.from_bytes(data))


def _inline(data: bytes, cardinality: int) -> dict[str, Any]:
    text = z85(data + bytes(-len(data) % 4))
    return {"storageType": "i", "pathOrInlineDv": text, "sizeInBytes": len(data), "cardinality": cardinality}


def z85(data: bytes) -> str:
    return base64.b85encode(data).decode().translate(_TO_Z85)
