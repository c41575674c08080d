"""Assembly of bytes from pieces at offsets, on top of the earlier bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import EncodeError, cut_path

#: Offset, bytes (or the number of bytes to keep), and path of a piece.
Piece = tuple[int, "bytes | int", str]

#: The largest number of zeros between pieces: more than alignment needs, less than a wrong offset would ask for.
MOST_ZEROS = 1 << 26


def assembled(original: bytes, pieces: Sequence[Piece], *, gaps: bool = True, overlaps: bool = False) -> bytes:
    """Returns ``original`` overwritten with the pieces; gaps behind its end are zeros.

    Raises:
        EncodeError: pieces share bytes where they must not or with different content, or leave bytes out;
            or there would be more than `MOST_ZEROS` zeros.
    """
    if overlaps:
        # What is kept must stay as it is, too.
        pieces = [(at, original[at : at + data] if isinstance(data, int) else data, path) for at, data, path in pieces]
    image = bytearray(original)
    behind, before, zeros = 0, "", 0
    for offset, data, path in sorted(pieces, key=lambda piece: piece[0]):
        size = length_of(data)
        what = f"'{cut_path(before)}'" if before else "the fields that follow each other"
        if offset < 0:
            raise beside(EncodeError(f"its offset {offset} is negative", path=path), "")
        if size and offset < behind and not overlaps:
            rule = f"its {size} bytes at {offset} begin before the end of {what} at {behind}, and no `: overlaps` allows it"
            raise beside(EncodeError(rule, path=path), before)
        if offset > behind and not gaps:
            rule = f"{offset - behind} bytes before it, at {behind}, belong to no field, but follow {what}"
            raise beside(EncodeError(rule, path=path), before)
        if offset + size > behind:
            behind, before = offset + size, path
        if isinstance(data, int):
            continue
        zeros += max(0, offset - len(image))
        if zeros > MOST_ZEROS:
            raise beside(
                EncodeError(f"its offset {offset} leaves more than {MOST_ZEROS} bytes empty", path=path), before
            )
        if offset + size > len(image):
            image += bytes(offset + size - len(image))
        image[offset : offset + size] = data
    if overlaps:
        _check_shared(image, pieces)
    return bytes(image)


def _check_shared(image: bytearray, pieces: Sequence[Piece]) -> None:
    """Raises EncodeError for pieces that overlap with different bytes; the error names both."""
    for offset, data, path in pieces:
        if isinstance(data, int) or image[offset : offset + len(data)] == data:
            continue
        at = next(at for at, byte in enumerate(data, offset) if image[at] != byte)
        other = next(
            name
            for start, part, name in pieces
            if not isinstance(part, int) and start <= at < start + len(part) and part[at - start] == image[at]
        )
        path, other = (path, other) if path else (other, path)
        what = f"'{cut_path(other)}'" if other else "the fields that follow each other"
        rule = f"its bytes at {at} are shared with another field, which has other bytes there: {what}"
        raise beside(EncodeError(rule, path=path), other)


def beside(error: Any, path: str) -> Any:
    """Returns an error that is about another field, too, so that both are named by their whole paths."""
    error.other = path
    return error


def without(data: bytes, ranges: Sequence[tuple[int, int]]) -> bytes:
    """Returns bytes without some ranges (offset, size); an offset below 0 counts from the end."""
    found, behind = bytearray(), 0
    for start, size in sorted((max(0, start + len(data)) if start < 0 else start, size) for start, size in ranges):
        found += data[behind:start]
        behind = max(behind, start + size)
    return bytes(found + data[behind:])


def length_of(data: bytes | int) -> int:
    return data if isinstance(data, int) else len(data)
