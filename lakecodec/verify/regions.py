"""Parts of files that their records do not place themselves: what the metadata points to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..runtime.errors import CodecError
from ..runtime.records.lazy import LazyRecord


@dataclass(frozen=True, slots=True)
class Region:
    """A range of a file, and the class and arguments that it is read with.

    Attributes:
        group: what it is one of, with the row group: ``chunks[0]``.
        step: its place in the group: ``[3]``.
        offset, size: its bytes in the file.
        key: what it is about, where its place in the group may change: a column's path.
    """

    group: str
    step: str
    offset: int
    size: int
    cls: Any
    arguments: tuple[Any, ...] = ()
    key: str = ""

    @property
    def path(self) -> str:
        return f"{self.group}{self.step}"


def region_value(record: LazyRecord, region: Region) -> Any:
    """Returns the decoded value of a region.

    Raises:
        DecodeError: its bytes break a rule; path and offset are those of the file.
    """
    cls, source = region.cls, record._source
    assert source is not None
    try:
        if issubclass(cls, LazyRecord):
            part = cls.open(source, **dict(zip(cls._parameters, region.arguments, strict=True)))
            for name in cls._given:
                getattr(part, name)
            return part
        return cls.from_bytes(source.read(region.offset, region.size), *region.arguments)
    except CodecError as error:
        if not issubclass(cls, LazyRecord) and error.offset is not None:
            error.offset += region.offset
        error.path = f"{region.path}.{error.path}" if error.path else region.path
        raise
