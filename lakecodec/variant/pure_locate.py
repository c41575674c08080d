"""Places of parts of variants, row by row; twin of ``native/locate.pyx``."""

from __future__ import annotations

from typing import Any

from .reading import names_of
from .value import find


def locate(
    steps: list[str | int], metadata_offsets: Any, metadata: Any, value_offsets: Any, value: Any, places: Any
) -> int:
    """Replaces the places of rows by those of a part, -1 where there is none; a place is -1 or the start of the row's value.

    Returns:
        The number of the row whose bytes are not a variant, -1 if there is none.
    """
    for row in range(len(places)):
        if places[row] >= 0:
            (m0, m1), (v0, v1) = metadata_offsets[row : row + 2], value_offsets[row : row + 2]
            try:
                at = find(names_of(metadata[m0:m1].tobytes()), value[v0:v1].tobytes(), steps)
            except ValueError:
                return row
            places[row] = -1 if at is None else v0 + at
    return -1
