"""From the declared tables to the runtime's codecs: the text codec of a type for a writer and the options of a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ..runtime import text as runtime_text
from ..runtime.errors import EncodeError
from ..runtime.text import Percent, TextCodec
from . import layout
from .layout import CodecUse, Parameter, Shape, Writer
from .types import PartitionType

PROFILES = {"kernel": Writer.KERNEL, "spark": Writer.SPARK}


@dataclass(frozen=True, slots=True)
class Options:
    """What a table's writer decides; ``zone`` is the one of wall times without a zone."""

    writer: Writer = Writer.KERNEL
    extended: bool = False
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class ValueText:
    """Log text and directory text of one type. ``refused`` characters make ``encode`` raise EncodeError."""

    log: TextCodec
    directory: TextCodec
    refused: frozenset[int]

    def encode(self, value: object) -> str | None:
        return self._checked(self.log.encode(value))

    def encode_directory(self, value: object) -> str | None:
        return self._checked(self.directory.encode(value))

    def _checked(self, text: str) -> str | None:
        if self.refused:
            check_refused(text, self.refused)
        return text or None


def writer_of(profile: str) -> Writer:
    if profile not in PROFILES:
        raise ValueError(f"profile: {profile!r} is neither 'kernel' nor 'spark'")
    return PROFILES[profile]


def check_refused(text: str, refused: frozenset[int]) -> None:
    for code in refused:
        if chr(code) in text:
            raise EncodeError(f"U+{code:04X} cannot stand in a directory name")


@lru_cache(maxsize=1024)
def value_text(kind: PartitionType, options: Options) -> ValueText:
    """The texts of the values of ``kind``."""
    shape = _find(layout.PARTITION_VALUE[options.writer], kind)
    if shape is None:
        raise ValueError(f"type: {kind.name} has no text form")
    other = _find(layout.DIRECTORY_TEXT[options.writer], kind) or shape
    return ValueText(_build(shape.codec, kind, options), _build(other.codec, kind, options), shape.refused)


def path_codec(writer: Writer) -> Percent:
    """From a path on disk to the one in the log."""
    return _percent(layout.ADD_PATH[writer])


def hive_codec(windows: bool) -> Percent:
    """From a column name or a text to its part of a directory name."""
    return _percent(layout.HIVE_ESCAPE[windows])


def _find(shapes: tuple[Shape, ...], kind: PartitionType) -> Shape | None:
    for shape in shapes:
        if shape.pattern == kind.pattern and shape.zoned in (None, kind.zoned):
            return shape
    return None


def _build(use: CodecUse, kind: PartitionType, options: Options) -> TextCodec:
    known = {"precision": kind.precision, "scale": kind.scale, "extended": options.extended, "zone": options.zone}
    arguments = [known[item.name] if isinstance(item, Parameter) else item for item in use.arguments]
    codec: TextCodec = getattr(runtime_text, use.name)(*arguments)
    return codec


@lru_cache(maxsize=16)
def _percent(use: CodecUse) -> Percent:
    codec: Percent = getattr(runtime_text, use.name)(*use.arguments)
    return codec
