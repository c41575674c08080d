"""Deep check of a data file: verifies page checksums, and compares statistics of log and row groups with the values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from ...parquet import read_metadata
from ...parquet.legacy_calendar import LegacyCalendar
from ...runtime.errors import DecodeError
from .contents import contents, differences, in_calendar
from .footer_statistics import footer_bounds, of_row_group
from .protocol import MOSAIC
from .statistics import Statistics
from .statistics_read import FileStatistics
from .storage import Storage

#: What a row group says of its columns, and its rows.
_RowGroup = tuple[FileStatistics, Iterable[pa.RecordBatch]]


def row_group_lies(said: FileStatistics, storage: Storage, where: str, format: str, schema: pa.Schema) -> Iterator[str]:
    """Yields messages for statistics of the log or of a row group that the values contradict.

    Raises:
        DecodeError, OSError or pa.ArrowException: a page is broken, or its checksum is another.
    """
    with storage.filesystem.open_input_file(where) as source:
        whole = Statistics(schema, schema.names)
        groups = _mosaic_groups(source) if format == MOSAIC else _parquet_groups(storage, where, source, schema)
        for number, (stated, batches) in enumerate(groups):
            group = Statistics(schema, schema.names)
            for batch in batches:
                group.update(batch)
                whole.update(batch)
            actual = contents(group.num_records, group.columns)
            for _, message in differences(stated, actual, f"row group {number}"):
                yield message
        actual = contents(whole.num_records, whole.columns, with_nan=True)
        yield from (message for _, message in differences(said, actual))


def _parquet_groups(storage: Storage, where: str, source: pa.NativeFile, schema: pa.Schema) -> Iterator[_RowGroup]:
    footer = read_metadata(where, filesystem=storage.filesystem)
    known = [field for field in schema if field.name in {element.name for element in footer.schema}]
    part = pa.schema(known)
    with pq.ParquetFile(source, page_checksum_verification=True, coerce_int96_timestamp_unit="us") as file:
        if file.num_row_groups != len(footer.row_groups):
            raise DecodeError("the footer is read in two ways", format="parquet", path=where)
        legacy = LegacyCalendar.of_footer(footer, where)
        names = [name for name in part.names if name in file.schema_arrow.names]
        for number, group in enumerate(footer.row_groups):
            one = of_row_group(footer, group)
            floats = [".".join(path) for path in Statistics(part, part.names).columns]
            stated = contents(group.num_rows, footer_bounds(one, part, part.names, without_nan=floats))
            read = file.iter_batches(row_groups=[number], columns=names, use_threads=False)
            yield stated, in_calendar(legacy, read, part)


def _mosaic_groups(source: pa.NativeFile) -> Iterator[_RowGroup]:
    from ...mosaic import MosaicFile

    file = MosaicFile(source)
    for number, group in enumerate(file.metadata.row_groups):
        stated = FileStatistics(group.num_rows, {}, {}, {})
        for name, found in file.statistics(number).items():
            stated.null_count[(name,)] = found.null_count
            if found.has_min_max and found.min == found.min:  # NaN says nothing
                stated.min[(name,)], stated.max[(name,)] = found.min, found.max
        yield stated, file.iter_batches(row_groups=[number])
