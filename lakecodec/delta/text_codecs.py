"""Text codecs built from the declarations of delta_partition.idl: texts of types, escapes of names and paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..generated import delta_partition as declared
from ..generated.delta_partition import Writer
from ..runtime.declaration import Encoding, Field, Reference, Use
from ..runtime.exact import exact_text
from . import text as runtime_text
from .text import Percent, TextCodec
from .types import PartitionType

PROFILES = {"kernel": Writer.KERNEL, "spark": Writer.SPARK}


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a table's writer; ``zone`` is the zone of wall times without one."""

    writer: Writer = Writer.KERNEL
    extended: bool = False
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class ValueText:
    """Text codecs of one type, for the log and for directories; an empty text means absent."""

    log: TextCodec
    directory: TextCodec

    def encode(self, value: Any) -> str | None:
        return self.log.encode(value) or None

    def encode_directory(self, value: Any) -> str | None:
        return self.directory.encode(value) or None


@dataclass(frozen=True, slots=True)
class SegmentForm:
    """Form of one column's directory name: ``prefix`` and the escaped text, or ``null`` for a value without a text."""

    prefix: str
    escape: Percent
    null: str


#: The implementation whose form is written where delta-kernel and Spark differ.
Profile: TypeAlias = Literal["kernel", "spark"]


def writer_of(profile: str) -> Writer:
    if not isinstance(profile, str) or profile not in PROFILES:
        raise ValueError(f"profile: {profile!r} is neither 'kernel' nor 'spark'")
    return PROFILES[profile]


def check_timezone(timezone: str) -> None:
    exact_text("timezone", timezone)
    try:
        ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        raise ValueError(f"timezone: {timezone!r} is not a known time zone") from None


def check_refused(text: str, writer: Writer) -> None:
    """Raises EncodeError for characters that ``writer`` cannot put in a path."""
    runtime_text.Utf8(refused=declared.refused(writer)).encode(text)


@lru_cache(maxsize=1024)
def value_text(kind: PartitionType, options: Options) -> ValueText:
    """Returns the text codecs of the values of ``kind``."""
    choices = (options.writer, options.extended, options.zone)
    return ValueText(
        _text_codec(declared.PartitionValue(*choices), kind), _text_codec(declared.DirectoryText(*choices), kind)
    )


@lru_cache(maxsize=4)
def path_codec(writer: Writer) -> Percent:
    """Returns the codec from a path on disk to the log's `add.path`."""
    return _percent(declared.add_path(writer))


@lru_cache(maxsize=2)
def hive_codec(windows: bool) -> Percent:
    """Returns the codec from a column name or text to its part of a directory name."""
    return _percent(declared.hive(windows))


def segment_form(column: str, windows: bool) -> SegmentForm:
    """Returns the form of the directory names of ``column``."""
    level = declared.Segment(windows).case("level")
    assert level is not None
    assert level.null is not None
    *before, value = level.fields()
    prefix = _constant(before, column)
    return SegmentForm(prefix, _percent(value.via[0]), _constant(level.null(), column))


def _constant(fields: Sequence[Field], column: str) -> str:
    return "".join(field.derived if field.is_derived else _percent(field.via[0]).encode(column) for field in fields)


def _text_codec(encoding: Encoding, kind: PartitionType) -> TextCodec:
    case = encoding.case(kind.pattern, *kind.arguments)
    if case is None:
        raise ValueError(f"type: {kind.name} has no text form")
    bound = next(count for name, count in case.patterns if name in (kind.pattern, "any"))
    (field,) = case.fields(*kind.arguments[:bound])
    if isinstance(field.type, Reference):
        return _text_codec(field.type.resolve(), kind)
    if field.rules:
        raise ValueError(f"{encoding.name}.{field.name} has a rule, which a text cannot hold: {field.rules[0]}")
    (use,) = field.via
    return _build(use)


def _build(use: Use) -> TextCodec:
    codec = use.make()
    if not isinstance(codec, TextCodec) or use.codec.result != "text":
        raise ValueError(f"{use.name} is not a codec of texts")
    return codec


def _percent(use: Use) -> Percent:
    codec = _build(use)
    assert isinstance(codec, Percent)
    return codec
