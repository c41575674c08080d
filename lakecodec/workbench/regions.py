"""Parts of files that their records do not place themselves: what the metadata points to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..runtime.errors import CodecError
from ..runtime.records.lazy import LazyRecord
from .sources import format_of

if TYPE_CHECKING:
    from ..generated import mosaic


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


def regions_of(record: Any) -> list[Region]:
    """Returns the parts of a file that its metadata points to, by their offsets; none for formats that know of none.

    Raises:
        DecodeError: the metadata cannot be read.
    """
    found: list[Region] = []
    format = format_of(type(record))
    if format == "Parquet":
        from .parquet_regions import parquet_regions

        found = list(parquet_regions(record))
    elif format == "Mosaic":
        found = list(_of_mosaic(record))
    return sorted(found, key=lambda each: (each.offset, each.size))


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


def _of_mosaic(file: mosaic.File) -> Iterator[Region]:
    from ..generated.mosaic import StoredBucket
    from ..mosaic.layout import plan_buckets
    from ..mosaic.physical import nodes_of

    columns = file.schema.body.columns
    nodes = nodes_of([each.type.params for each in columns])
    plans = {plan.bucket_id: plan for plan in plan_buckets(nodes, file.footer.num_buckets)}
    for group, rows in enumerate(file.index.row_groups):
        for ref in rows.buckets:
            plan = plans.get(ref.bucket_id)
            if plan is not None and ref.stored:
                arguments = (ref, file.footer.compression, plan.types, plan.primaries, rows.num_rows)
                place = ref.start, ref.stored
                yield Region(f"buckets[{group}]", f"[{ref.bucket_id}]", *place, StoredBucket, arguments)
