"""File formats, determined by the extension of the name."""

from __future__ import annotations

import enum
import os


class FileKind(enum.Enum):
    """A file format that tables can be converted from and to."""

    MOSAIC = "mosaic"
    PARQUET = "parquet"
    CSV = "csv"
    JSON_LINES = "jsonl"


#: File formats by file name extension.
ENDINGS = {
    ".csv": FileKind.CSV,
    ".jsonl": FileKind.JSON_LINES,
    ".ndjson": FileKind.JSON_LINES,
    ".parquet": FileKind.PARQUET,
    ".mosaic": FileKind.MOSAIC,
}


def kind_of(path: str) -> FileKind:
    """Returns the file format for the extension of a path, in any case: .mosaic, .parquet, .csv, .jsonl or .ndjson.

    Raises:
        ValueError: the path has none of these extensions.
    """
    kind = ENDINGS.get(os.path.splitext(path)[1].lower())
    if kind is None:
        raise ValueError(f"{path!r}: the name must end with one of {', '.join(ENDINGS)}")
    return kind
