# Generated from delta_partition.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:140886cfead00a73bf9fee14a22d3a6cf4668fa6f68c2dae7aa89ebdefe49b25
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Partition values of Delta tables: typed value -> text in the log -> directory name -> path in the log.

A null, an empty text and empty bytes have no text at all: JSON null in the log. Two writers are described;
where they differ, KERNEL is the delta-kernel library and SPARK is Delta on Spark.
"""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from ..runtime import declaration as _decl
from ..runtime import fields as _fields

# Characters of a column name or text that become `%XX` in a directory name; `}` and the space stay.
HIVE_ESCAPED: frozenset[int] = frozenset({
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    30, 31, 127, 34, 35, 37, 39, 42, 47, 58, 61, 63, 91, 92, 93, 94, 123
})  # fmt: skip
# What is escaped besides on Windows.
HIVE_ESCAPED_WINDOWS: frozenset[int] = frozenset({32, 60, 62, 124})
# Characters of a directory name that become `%XX` in the log's path, `%` among them: escapes are escaped again.
URI_ESCAPED: frozenset[int] = frozenset({
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    30, 31, 127, 32, 34, 35, 37, 60, 62, 63, 91, 92, 93, 94, 96, 123, 124, 125
})  # fmt: skip
# Beyond ASCII, the control characters and spaces that Java's URI class escapes as well.
URI_ESCAPED_JAVA: frozenset[int] = frozenset({
    128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149,
    150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
    8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288
})  # fmt: skip
# The directory text of a value that has no text.
NULL_DIRECTORY: str = "__HIVE_DEFAULT_PARTITION__"
# The longest directory name, in bytes, that common file systems take.
MAX_SEGMENT_BYTES: int = 255
# Characters that Spark, which does not escape them, cannot put in a directory name.
REFUSED_SPARK: frozenset[int] = frozenset({0})
# The kernel escapes them all.
REFUSED_KERNEL: frozenset[int] = frozenset()
# The layout of instants, in strftime's terms.
UTC_TIME: str = "%Y-%m-%dT%H:%M:%S.%fZ"
# The layout of local times.
LOCAL_TIME: str = "%Y-%m-%d %H:%M:%S.%f"


class Writer(_enum.IntEnum):
    """Whose form is written."""

    KERNEL = 0
    """The delta-kernel library: shortest digits, UTC everywhere, ASCII-only paths."""
    SPARK = 1
    """Delta on Spark: Java's digits, directories in the session's wall time, paths with raw letters of all scripts."""


class Fraction(_enum.IntEnum):
    """How microseconds are written."""

    SIX = 0
    """Always 6 digits."""
    NONE_WHEN_ZERO = 1
    """6 digits, or neither point nor digits when all are zero."""
    SHORTEST = 2
    """Without trailing zeros, and without the point when nothing is left."""


# Declarations are tables: one row a field, whatever its width.
# fmt: off

def refused(w: _Any) -> _Any:
    """Characters that a text must not have."""
    return REFUSED_SPARK if w == Writer.SPARK else REFUSED_KERNEL

# Each character of the set as `%XX` for every byte of its UTF-8 form, upper-case hex.
percent = _decl.Codec("percent", ("escaped",), "text", "delta.text:Percent")
# The same, and every byte of every character beyond ASCII.
percent_utf8 = _decl.Codec("percent_utf8", ("escaped",), "text", "delta.text:PercentUtf8")
# Decimal digits, `-` when negative.
integer = _decl.Codec("integer", ("bits",), "text", "delta.text:Integer")
# An unscaled integer with exactly `scale` digits after the point.
decimal = _decl.Codec("decimal", ("precision", "scale"), "text", "delta.text:Decimal")
# The shortest digits in Java's layout; with `two_digits` never fewer than two digits, as Java wants for
# subnormals.
java_float = _decl.Codec("java_float", ("bits", "two_digits"), "text", "delta.text:JavaFloat")
# One of two words.
words = _decl.Codec("words", ("yes", "no"), "text", "delta.text:Words")
# Days since 1970-01-01 as YYYY-MM-DD; years outside 0001 to 9999 only when `extended`.
date = _decl.Codec("date", ("extended",), "text", "delta.text:Date")
# Microseconds since 1970-01-01; `zone` is empty for local times, else the zone of texts that name none.
time = _decl.Codec("time", ("pattern", "fraction", "extended", "zone"), "text", "delta.text:Time")
# Months as an SQL literal.
year_month = _decl.Codec("year_month", (), "text", "delta.text:YearMonth")
# Microseconds as an SQL literal.
day_time = _decl.Codec("day_time", (), "text", "delta.text:DayTime")
# A text as it is, or bytes that must be UTF-8 text; characters of `refused` are an error.
utf8 = _decl.Codec("utf8", ("binary", "refused"), "text", "delta.text:Utf8")

def PartitionValue(w: _Any, extended: _Any, zone: _Any) -> _decl.Encoding:
    """The text in the log's `partitionValues`."""
    return _decl.Encoding(
        "PartitionValue", "arrow", ("text", "empty_is_absent"),
        [
            _decl.Case((("bool", 0),), lambda: [_decl.Field("v", "text", via=[words("true", "false")])]),
            _decl.Case((("int8", 0),), lambda: [_decl.Field("v", "text", via=[integer(8)])]),
            _decl.Case((("int16", 0),), lambda: [_decl.Field("v", "text", via=[integer(16)])]),
            _decl.Case((("int32", 0),), lambda: [_decl.Field("v", "text", via=[integer(32)])]),
            _decl.Case((("int64", 0),), lambda: [_decl.Field("v", "text", via=[integer(64)])]),
            _decl.Case((("float32", 0),), lambda: [_decl.Field("v", "text", via=[java_float(32, w == Writer.SPARK)])]),
            _decl.Case((("float64", 0),), lambda: [_decl.Field("v", "text", via=[java_float(64, w == Writer.SPARK)])]),
            _decl.Case(
                (("decimal128", 2),),
                lambda precision, scale: [_decl.Field("v", "text", via=[decimal(precision, scale)])],
            ),
            _decl.Case((("date32", 0),), lambda: [_decl.Field("v", "text", via=[date(extended)])]),
            _decl.Case(
                (("timestamp", 2),),
                lambda unit, tz: [_decl.Field("v", "text", via=[time(UTC_TIME, Fraction.SIX, extended, zone)])],
                condition=lambda unit, tz: tz != "",
            ),
            _decl.Case(
                (("timestamp", 2),),
                lambda unit, tz: [
                    _decl.Field(
                        "v", "text",
                        via=[
                            time(
                                LOCAL_TIME, Fraction.NONE_WHEN_ZERO if w == Writer.SPARK else Fraction.SIX, extended, ""
                            )
                        ],
                    )
                ],
            ),
            _decl.Case((("duration", 0),), lambda: [_decl.Field("v", "text", via=[day_time()])]),
            _decl.Case((("interval", 0),), lambda: [_decl.Field("v", "text", via=[year_month()])]),
            _decl.Case((("utf8", 0),), lambda: [_decl.Field("v", "text", via=[utf8(False, refused(w))])]),
            _decl.Case((("binary", 0),), lambda: [_decl.Field("v", "text", via=[utf8(True, refused(w))])]),
        ],
    )

def DirectoryText(w: _Any, extended: _Any, zone: _Any) -> _decl.Encoding:
    """The text that goes into a directory name, before it is escaped."""
    return _decl.Encoding(
        "DirectoryText", "arrow", ("text", "empty_is_absent"),
        [
            _decl.Case(
                (("timestamp", 2),),
                lambda unit, tz: [_decl.Field("v", "text", via=[time(LOCAL_TIME, Fraction.SHORTEST, extended, zone)])],
                condition=lambda unit, tz: w == Writer.SPARK and tz != "",
            ),
            _decl.Case(
                (("timestamp", 2),),
                lambda unit, tz: [_decl.Field("v", "text", via=[time(LOCAL_TIME, Fraction.SHORTEST, extended, "")])],
                condition=lambda unit, tz: w == Writer.SPARK,
            ),
            _decl.Case(
                (("any", 0),),
                lambda: [
                    _decl.Field("v", _decl.Reference("PartitionValue", lambda: PartitionValue(w, extended, zone)))
                ],
            ),
        ],
    )

def hive(windows: _Any) -> _decl.Use:
    """Escapes of a column name or a text in a directory name."""
    return percent(HIVE_ESCAPED | HIVE_ESCAPED_WINDOWS if windows else HIVE_ESCAPED)

def Segment(windows: _Any) -> _decl.Encoding:
    """One level of a Hive directory, at most MAX_SEGMENT_BYTES long; the null shape is that of values without a
    text.
    """
    return _decl.Encoding(
        "Segment", "level", ("text",),
        [
            _decl.Case(
                (("level", 0),),
                lambda: [
                    _decl.Field("column", "text", via=[hive(windows)]), _decl.Field("equals", "text", derived="="),
                    _decl.Field("value", "text", via=[hive(windows)]),
                ],
                null=lambda: [
                    _decl.Field("column", "text", via=[hive(windows)]), _decl.Field("equals", "text", derived="="),
                    _decl.Field("value", "text", derived=NULL_DIRECTORY),
                ],
            )
        ],
    )

def add_path(w: _Any) -> _decl.Use:
    """The log's path of a file: its path on disk with this applied once."""
    return percent_utf8(URI_ESCAPED) if w == Writer.KERNEL else percent(URI_ESCAPED | URI_ESCAPED_JAVA)
# fmt: on


__spec__ = _fields.describe(globals(), "delta_partition.idl", {
    "Writer": 10, "Fraction": 18,
})  # fmt: skip
