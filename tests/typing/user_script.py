"""A user's script: type checkers accept it, but for the marked lines, each of which they must refuse."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pyarrow as pa

import lakecodec
from lakecodec import delta, mosaic, parquet, row
from lakecodec.generated.parquet import FileMetaData


def metadata(path: Path) -> int:
    meta: FileMetaData = parquet.read_metadata(path, columns=["a"])
    chunks: pa.Table = parquet.column_chunks([path, str(path)], errors="column")
    parquet.column_chunks([path], errors="ignore")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    parquet.read_metadata(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    parquet.write_metadata(path)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return int(chunks.num_rows) + len(meta.to_bytes())


def wide(table: pa.Table, path: Path) -> pa.Table:
    mosaic.write_table(table, path, compression="zstd", stats_columns=["day"])
    mosaic.write_table({"a": [1]}, str(path))
    mosaic.write_table(table, path, compression="gzip")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    mosaic.write_table(table, path, compresion="zstd")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    mosaic.write_table(1, path)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with mosaic.MosaicFile(path) as file:
        if file.closed:
            return table
        bounds = file.statistics(0)["day"]
        print(bounds.null_count, bounds.max)
    return mosaic.read_table(path, ["day"], filters=[("day", ">=", date(2024, 1, 1))])


def keys(table: pa.Table) -> pa.LargeBinaryArray:
    converter = row.RowConverter(table.schema, variant="sql", sort_keys=["a", "-b", ("c", "descending")])
    names: list[str] | None = converter.names
    print(names, converter.convert_rows(converter.convert_columns({"a": [1]})))
    row.sort_table(table, [("a", row.SortOptions(descending=True)), ("b", "ascending", "at_start")])
    row.sort_indices(table, "-a", null_placement="at_end")
    row.sort_indices(table, [("a", "down")])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    row.sort_indices(table, "a", null_placement="last")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    row.RowConverter(table.schema, variant="rust")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    row.sort_table(1, "a")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return converter.prefix(1).convert_columns(table)


def partitions(schema: pa.Schema) -> str:
    codec = delta.PartitionCodec(schema, ["day"], profile="spark")
    delta.PartitionCodec(schema, ["day"], profile="hive")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return codec.directory({"day": date(2024, 1, 1)})


def own_format(path: Path) -> bytes:
    module = lakecodec.compile_idl(path)
    print(module.__spec__["Point"].fields[0].name, lakecodec.backend() == "partial")
    try:
        point = module.Point.from_bytes(b"")
    except lakecodec.DecodeError as error:
        print(error.path, error.offset, error.rule, error.format)
        return b""
    data: bytes = point.to_bytes()
    return data
