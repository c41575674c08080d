"""FileMetaData in FlatBuffers: every table is read where it is, by slots that say where its fields are.

Assumed where the text is open: the file ends as BinaryProtocolExtensions.md has it after the migration. A bound of up to eight
bytes stands in ``lo8``, a longer one begins in ``hi8``; zeros stand for bytes that are missing. Where a bound that is not exact
would have no bytes behind the prefix, the prefix is one byte shorter, since -0 is 0.
"""

from __future__ import annotations

from .find import find
from .read import decode
from .write import encode

__all__ = ["LOST", "decode", "encode", "find"]

#: Fields of today's footer that tables do not have. Bounds of booleans are dropped, and long bounds are shortened.
#: A bound is either exact or not exact; tables cannot say that this is unknown.
LOST = frozenset(
    [
        *(f"schema.{name}" for name in ("converted_type", "scale", "precision")),
        *(f"row_groups.columns.{name}" for name in (
            "file_path", "file_offset", "offset_index_offset", "offset_index_length", "column_index_offset",
            "column_index_length", "crypto_metadata", "encrypted_column_metadata",
        )),
        *(f"row_groups.columns.meta_data.{name}" for name in ("encodings", "encoding_stats", "size_statistics")),
        *(f"row_groups.columns.meta_data.statistics.{name}" for name in (
            "max", "min", "is_max_value_exact", "is_min_value_exact", "nan_count"
        )),
        "encryption_algorithm",
        "footer_signing_key_metadata",
    ]
)  # fmt: skip
