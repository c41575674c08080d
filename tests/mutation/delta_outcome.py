"""What a module compiled from delta_partition.idl does: texts and directory names of values, and values of texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from lakecodec.delta import text_codecs, types
from lakecodec.delta.text_codecs import Options

from .outcomes import attempt

_VALUES: dict[str, list[Any]] = {
    "bool": [True, False],
    "float32": [0.1, 1e30, 1.4e-45, float("nan")],
    "float64": [0.1, 1e300, 4.9e-324, -0.0, float("inf")],
    "decimal128": [Decimal("1.25"), Decimal("-7.00"), Decimal("99999.99"), Decimal("123456.78")],
    "date32": [0, -1, 18262, 2932896, 2932897, -719163],
    "timestamp": [
        0,
        1,
        1_500_000,
        1_600_000_000_000_000,
        1_600_000_000_123_400,
        253402300800000000,
        -62135596800000001,
    ],
    "duration": [0, 1_000_001, -5],
    "interval": [0, 13, -5],
    "utf8": ["", "a", "ä b", "\0", "}{"],
    "binary": [b"", b"a", b"\xff", b"\0"],
}
_VALUES |= {f"int{bits}": [0, -1, 127, 2 ** (bits - 1) - 1, 2 ** (bits - 1)] for bits in (8, 16, 32, 64)}
_TEXTS = ["true", "1", "-1.25", "1.5", "2020-01-01", "2020-01-01 00:00:00", "1970-01-01T00:00:01.5Z", "99999999999"]
_KINDS = [
    types.BOOLEAN, types.BYTE, types.SHORT, types.INTEGER, types.LONG, types.FLOAT, types.DOUBLE, types.STRING,
    types.BINARY, types.DATE, types.TIMESTAMP, types.TIMESTAMP_NTZ, types.YEAR_MONTH, types.DAY_TIME,
    types.PartitionType("decimal(7,2)", "decimal128", (7, 2)),
]  # fmt: skip
_CHARACTERS = [*map(chr, range(0x102)), "\u1680", "\u2000", "\u200a", "\u200b", "\u2028", "\u2029", "\u202f", "\u3000"]
_CHARACTERS += [chr(each + 1) for each in (0x1680, 0x2029, 0x202F, 0x205F, 0x3000)] + ["\u205f", "\u1fff"]


@contextmanager
def _declared(module: Any) -> Iterator[None]:
    chosen = text_codecs.declared
    text_codecs.declared = module
    try:
        yield
    finally:
        text_codecs.declared = chosen


def outcome(module: Any) -> list[str]:
    """Texts of values, values of texts, escapes and directory names."""
    with _declared(module):
        lines = [f"{[int(each) for each in enum]}" for enum in (module.Writer, module.Fraction)]
        lines += [repr(module.MAX_SEGMENT_BYTES)]
        for writer in module.Writer:
            for extended in (False, True):
                for zone in ("UTC", "Europe/Berlin"):
                    for kind in _KINDS:
                        lines.append(attempt(_texts, kind, Options(writer, extended, zone)))
            path = attempt(text_codecs.path_codec.__wrapped__, writer)
            lines += [path.rpartition(" at ")[0], *_escapes(text_codecs.path_codec.__wrapped__, writer)]
            lines.append(attempt(module.refused, writer))
        for windows in (False, True):
            lines += _escapes(text_codecs.hive_codec.__wrapped__, windows)
            lines.append(attempt(_segment, windows))
        return lines


def _texts(kind: types.PartitionType, options: Options) -> str:
    text = text_codecs.value_text.__wrapped__(kind, options)
    lines = []
    for value in _VALUES[kind.pattern]:
        lines += [attempt(text.encode, value), attempt(text.encode_directory, value)]
    lines += [attempt(codec.decode, each) for codec in (text.log, text.directory) for each in _TEXTS]
    return "; ".join(lines)


def _escapes(codec: Any, argument: Any) -> list[str]:
    try:
        made = codec(argument)
    except Exception as error:
        return [type(error).__name__]
    return [attempt(made.encode, each) for each in _CHARACTERS]


def _segment(windows: bool) -> str:
    form = text_codecs.segment_form("a b=%", windows)
    return f"{form.prefix} {form.null} {form.escape.encode('x/y <')}"
