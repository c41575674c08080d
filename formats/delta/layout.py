"""What the specification of Delta partition values declares, as tables: character sets, and the text codec of each type.

Everything that depends on the writer is decided; what depends on the column or on the codec's options is a Parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Writer(IntEnum):
    """Whose form is written."""

    KERNEL = 0
    SPARK = 1


class Fraction(IntEnum):
    """How microseconds are written."""

    SIX = 0
    NONE_WHEN_ZERO = 1
    SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument that is known with the column's type or the codec's options."""

    name: str


@dataclass(frozen=True, slots=True)
class CodecUse:
    """A text codec of the runtime by name, with its arguments in order."""

    name: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """The text of the Arrow types named ``pattern``.

    Attributes:
        zoned: for a timestamp, whether the shape is that of types with or without a zone; None where it makes no difference.
        present: texts that are absent instead, and characters that the text must not hold.
    """

    pattern: str
    codec: CodecUse
    zoned: bool | None = None
    absent: str | None = None
    refused: frozenset[int] = frozenset()


def _ascii(*parts: range | str) -> frozenset[int]:
    return frozenset(code for part in parts for code in (part if isinstance(part, range) else map(ord, part)))


HIVE_ESCAPED = _ascii(range(0x20), "\x7f", "\"#%'*/:=?[\\]^{")
HIVE_ESCAPED_WINDOWS = _ascii(" <>|")
URI_ESCAPED = _ascii(range(0x20), "\x7f", ' "#%<>?[\\]^`{|}')
URI_ESCAPED_JAVA = _ascii(range(0x80, 0xA1), "\u1680", range(0x2000, 0x200B), "\u2028\u2029\u202f\u205f\u3000")
NULL_DIRECTORY = "__HIVE_DEFAULT_PARTITION__"
MAX_SEGMENT_BYTES = 255
UTC_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"
LOCAL_TIME = "%Y-%m-%d %H:%M:%S.%f"

_EXTENDED, _ZONE = Parameter("extended"), Parameter("zone")


def _partition_value(writer: Writer) -> tuple[Shape, ...]:
    spark = writer is Writer.SPARK
    local_fraction = Fraction.NONE_WHEN_ZERO if spark else Fraction.SIX
    refused = _ascii("\0") if spark else frozenset()
    return (
        Shape("bool", CodecUse("Words", ("true", "false"))),
        *(Shape(f"int{bits}", CodecUse("Integer", (bits,))) for bits in (8, 16, 32, 64)),
        *(Shape(f"float{bits}", CodecUse("JavaFloat", (bits, spark))) for bits in (32, 64)),
        Shape("decimal128", CodecUse("Decimal", (Parameter("precision"), Parameter("scale")))),
        Shape("date32", CodecUse("Date", (_EXTENDED,))),
        Shape("timestamp", CodecUse("Time", (UTC_TIME, Fraction.SIX, _EXTENDED, _ZONE)), zoned=True),
        Shape("timestamp", CodecUse("Time", (LOCAL_TIME, local_fraction, _EXTENDED, "")), zoned=False),
        Shape("duration", CodecUse("DayTime")),
        Shape("interval", CodecUse("YearMonth")),
        Shape("utf8", CodecUse("Utf8", (False,)), absent="", refused=refused),
        Shape("binary", CodecUse("Utf8", (True,)), absent="", refused=refused),
    )


#: The text in the log, by writer.
PARTITION_VALUE: Mapping[Writer, tuple[Shape, ...]] = {writer: _partition_value(writer) for writer in Writer}

#: The text in a directory name where it is not that of the log, by writer.
DIRECTORY_TEXT: Mapping[Writer, tuple[Shape, ...]] = {
    Writer.KERNEL: (),
    Writer.SPARK: (
        Shape("timestamp", CodecUse("Time", (LOCAL_TIME, Fraction.SHORTEST, _EXTENDED, _ZONE)), zoned=True),
        Shape("timestamp", CodecUse("Time", (LOCAL_TIME, Fraction.SHORTEST, _EXTENDED, "")), zoned=False),
    ),
}

#: From a path on disk to the path in the log, by writer.
ADD_PATH: Mapping[Writer, CodecUse] = {
    Writer.KERNEL: CodecUse("PercentUtf8", (URI_ESCAPED,)),
    Writer.SPARK: CodecUse("Percent", (URI_ESCAPED | URI_ESCAPED_JAVA,)),
}

#: From a column name or a text to its part of a directory name; True is Windows.
HIVE_ESCAPE: Mapping[bool, CodecUse] = {
    False: CodecUse("Percent", (HIVE_ESCAPED,)),
    True: CodecUse("Percent", (HIVE_ESCAPED | HIVE_ESCAPED_WINDOWS,)),
}
