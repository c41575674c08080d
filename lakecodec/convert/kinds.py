"""File formats by the endings of names."""

from __future__ import annotations

import enum
import os


class FileKind(enum.Enum):
    """A file format that tables are converted from and to."""

    MOSAIC = "mosaic"
    PARQUET = "parquet"
    CSV = "csv"
    JSON_LINES = "jsonl"


_ENDINGS = {
    ".mosaic": FileKind.MOSAIC,
    ".parquet": FileKind.PARQUET,
    ".csv": FileKind.CSV,
    ".jsonl": FileKind.JSON_LINES,
    ".ndjson": FileKind.JSON_LINES,
}


def kind_of(path: str) -> FileKind:
    """The format that a file's name tells.

    Raises:
        ValueError: the name has no ending of a known format.
    """
    kind = _ENDINGS.get(os.path.splitext(path)[1].lower())
    if kind is None:
        raise ValueError(f"{path!r}: the name must end with one of {', '.join(_ENDINGS)}")
    return kind
