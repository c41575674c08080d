"""Conversion of single values, without a table."""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa

from ..runtime.errors import CodecError, DecodeError, EncodeError
from ..runtime.exact import check_type, exact, exact_text
from .text_codecs import Options, Profile, ValueText, check_timezone, value_text, writer_of
from .types import PartitionType, from_arrow, is_nested
from .values import is_null_like, located, plain_value, python_value


def serialize_value(
    value: object, type: pa.DataType, *, profile: Profile = "kernel", extended_years: bool = False
) -> str | None:
    """Returns the log's text of one value; None for a null, an empty text or empty bytes.

    Delta protocol, section "Partition Value Serialization".

    Args:
        value: a Python, NumPy or Arrow scalar, exactly of ``type``.
        type: an Arrow type that Delta has.
        profile: "kernel" or "spark", whose form is written.
        extended_years: allows years outside 0001-9999.

    Raises:
        EncodeError: the value is not exactly of ``type`` or cannot be written.
        ValueError: Delta has no such type.
    """
    value = exact(value)
    kind, text = _resolved(type, exact_text("profile", profile), extended_years)
    if is_null_like(value):
        return None
    if kind is None or text is None:
        raise located(EncodeError(f"a value of the type {type} cannot partition a table"), "", value)
    try:
        return text.encode(plain_value(value, kind))
    except EncodeError as error:
        raise located(error, "", value) from None


def parse_value(text: str | None, type: pa.DataType, *, timezone: str = "UTC", extended_years: bool = False) -> object:
    """Returns the Python value of one of the log's texts, in either profile's form; None and the empty text give None.

    Args:
        text: of `add.partitionValues`.
        type: an Arrow type that Delta has.
        timezone: IANA name of the zone of texts without one. Timestamps are returned as aware datetimes in UTC.
        extended_years: allows years outside 0001-9999.

    Raises:
        DecodeError: the text is no value of ``type``.
        ValueError: Delta has no such type, or it cannot partition a table.
    """
    text = exact(text)
    kind, codecs = _resolved(type, "kernel", extended_years, exact_text("timezone", timezone))
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


def _resolved(
    type: pa.DataType, profile: str, extended_years: bool, timezone: str = "UTC"
) -> tuple[PartitionType | None, ValueText | None]:
    if not isinstance(type, pa.DataType):
        raise TypeError(f"type: a pyarrow.DataType is needed, not {type!r}")
    check_type("extended_years", extended_years, bool)
    return _known(type, profile, extended_years, timezone)


@lru_cache(maxsize=1024)
def _known(
    type: pa.DataType, profile: str, extended_years: bool, timezone: str
) -> tuple[PartitionType | None, ValueText | None]:
    """Returns a type and its codecs; (None, None) for a nested type, of which only null can be written."""
    writer = writer_of(profile)
    check_timezone(timezone)
    kind = from_arrow(type)
    if kind is not None:
        return kind, value_text(kind, Options(writer, extended_years, timezone))
    if not is_nested(type):
        raise ValueError(f"type: Delta has no type for {type}")
    return None, None
