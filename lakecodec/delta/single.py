"""One value without a table: its text in the log, and back."""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa

from ..runtime.errors import CodecError, DecodeError, EncodeError
from .text_codecs import Options, ValueText, check_timezone, value_text, writer_of
from .types import PartitionType, from_arrow, is_nested
from .values import is_null_like, located, plain_value, python_value


def serialize_value(
    value: object, type: pa.DataType, *, profile: str = "kernel", extended_years: bool = False
) -> str | None:
    """The log's text of one value, None for a null, an empty text or empty bytes.

    EncodeError when the value is not exactly of ``type`` or cannot be written; ValueError when ``type`` is not Delta's.
    """
    kind, text = _resolved(type, profile, extended_years)
    if is_null_like(value):
        return None
    if kind is None or text is None:
        raise located(EncodeError(f"a value of the type {type} cannot partition a table"), "", value)
    try:
        return text.encode(plain_value(value, kind))
    except EncodeError as error:
        raise located(error, "", value) from None


def parse_value(text: str | None, type: pa.DataType, *, timezone: str = "UTC", extended_years: bool = False) -> object:
    """The value of one of the log's texts, whichever profile wrote it; None and the empty text are None.

    Timestamps are aware datetimes in UTC; a text without a zone counts in ``timezone``. DecodeError for a text that is no
    value of ``type``; ValueError when ``type`` is not Delta's.
    """
    kind, codecs = _resolved(type, "kernel", extended_years, timezone)
    if text is None or text == "":
        return None
    if kind is None or codecs is None:
        raise ValueError(f"type: {type} cannot partition a table")
    if not isinstance(text, str):
        raise located(DecodeError("a partition value is a string or null"), "", text)
    try:
        return python_value(codecs.log.decode(text), kind)
    except CodecError as error:
        raise located(DecodeError(f"{error.rule} (type {kind.name})"), "", text) from None


@lru_cache(maxsize=1024)
def _resolved(
    type: pa.DataType, profile: str, extended_years: bool, timezone: str = "UTC"
) -> tuple[PartitionType | None, ValueText | None]:
    """The type's codecs; (None, None) for a nested type, which has a null but no other value here."""
    if not isinstance(type, pa.DataType):
        raise TypeError(f"type: a pyarrow.DataType is needed, not {type!r}")
    writer = writer_of(profile)
    check_timezone(timezone)
    kind = from_arrow(type)
    if kind is not None:
        return kind, value_text(kind, Options(writer, extended_years, timezone))
    if not is_nested(type):
        raise ValueError(f"type: Delta has no type for {type}")
    return None, None
