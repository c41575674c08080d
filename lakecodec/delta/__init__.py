"""Delta partition values: typed values to the log's texts, directory names and `add.path`, and back."""

from __future__ import annotations

from .codec import PartitionCodec
from .paths import (
    decode_uri,
    encode_uri,
    escape_path_name,
    resolve_path,
    split_directory,
    unescape_path_name,
)
from .single import parse_value, serialize_value

__all__ = [
    "PartitionCodec",
    "decode_uri",
    "encode_uri",
    "escape_path_name",
    "parse_value",
    "resolve_path",
    "serialize_value",
    "split_directory",
    "unescape_path_name",
]


def __dir__() -> list[str]:
    return sorted(__all__)
