"""Footers of the four workloads that dev@parquet agreed to compare new ones by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lakecodec.generated.parquet import (
    ColumnChunk,
    ColumnMetaData,
    CompressionCodec,
    Encoding,
    FieldRepetitionType,
    FileMetaData,
    LogicalType,
    PageEncodingStats,
    PageType,
    RowGroup,
    SchemaElement,
    Statistics,
    StringType,
    Type,
)

#: Rows of a row group, and bytes of a chunk.
_ROWS, _SIZE = 10_000, 40_000


class Workload(NamedTuple):
    """A footer, the columns whose chunks are looked for in it, and whether their statistics are."""

    name: str
    metadata: FileMetaData
    columns: list[tuple[str, ...]]
    statistics: bool = True


def workloads(quick: bool) -> list[Workload]:
    """Returns the four; ``quick`` asks for smaller ones."""
    part = 10 if quick else 1
    wide = [(f"column_{number}",) for number in range(10_000 // part)]
    few = [(f"column_{number}",) for number in range(20)]
    texts = [(f"text_{number}",) for number in range(200 // part)]
    deep = [
        (*(f"level_{number // 10}_{level}" for level in range(20)), f"leaf_{number}") for number in range(1000 // part)
    ]
    return [
        Workload("ultra-wide, 5 columns", _footer(wide, 5, 4), [wide[at * len(wide) // 5] for at in range(5)]),
        Workload("many row groups, 1 column", _footer(few, 2000 // part, 8), few[7:8]),
        Workload("large statistics that are not asked for", _footer(texts, 20, 1000), texts[-1:], statistics=False),
        Workload("deep nesting, 3 columns", _footer(deep, 10, 8), [deep[0], deep[len(deep) // 2], deep[-1]]),
    ]


def _footer(paths: Sequence[tuple[str, ...]], groups: int, size: int) -> FileMetaData:
    """Returns a footer of columns of long, or with bounds of more than 8 bytes of text."""
    kind = Type.INT64 if size == 8 else Type.FLOAT if size == 4 else Type.BYTE_ARRAY
    return FileMetaData(
        version=2,
        schema=_schema(paths, kind),
        num_rows=groups * _ROWS,
        row_groups=[_group(paths, group, kind, size) for group in range(groups)],
        created_by="lakecodec",
    )


def _schema(paths: Sequence[tuple[str, ...]], kind: Type) -> list[SchemaElement]:
    """Returns the elements of a tree whose leaves have paths, depth first."""

    def below(depth: int, paths: Sequence[tuple[str, ...]]) -> tuple[int, list[SchemaElement]]:
        found: list[SchemaElement] = []
        names = list(dict.fromkeys(path[depth] for path in paths))
        by_name: dict[str, list[tuple[str, ...]]] = {name: [] for name in names}
        for path in paths:
            by_name[path[depth]].append(path)
        for name, inner in by_name.items():
            if len(inner[0]) == depth + 1:
                text = LogicalType.STRING(StringType()) if kind == Type.BYTE_ARRAY else None
                found.append(SchemaElement(name=name, type=kind, repetition_type=_OPTIONAL, logicalType=text))
            else:
                count, elements = below(depth + 1, inner)
                found += [SchemaElement(name=name, num_children=count, repetition_type=_OPTIONAL), *elements]
        return len(names), found

    count, elements = below(0, paths)
    return [SchemaElement(name="schema", num_children=count), *elements]


_OPTIONAL = FieldRepetitionType.OPTIONAL


def _group(paths: Sequence[tuple[str, ...]], group: int, kind: Type, size: int) -> RowGroup:
    start = 4 + group * len(paths) * _SIZE
    chunks = [_chunk(path, start + number * _SIZE, kind, size, number + group) for number, path in enumerate(paths)]
    return RowGroup(columns=chunks, total_byte_size=len(paths) * 2 * _SIZE, num_rows=_ROWS, ordinal=group)


def _chunk(path: tuple[str, ...], start: int, kind: Type, size: int, seed: int) -> ColumnChunk:
    if size > 8:
        low = (f"{seed:08} {seed * 7919 % 9973} " + "lorem ipsum " * size).encode()[:size]
    else:
        low = (seed * 7919 % 100_003).to_bytes(size, "little")
    high = low[: size // 2] + bytes(min(255, byte + 1) for byte in low[size // 2 :])
    return ColumnChunk(
        file_offset=0,
        meta_data=ColumnMetaData(
            type=kind,
            encodings=[Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY],
            path_in_schema=list(path),
            codec=CompressionCodec.SNAPPY,
            num_values=_ROWS,
            total_uncompressed_size=2 * _SIZE,
            total_compressed_size=_SIZE,
            data_page_offset=start + 1000,
            dictionary_page_offset=start,
            statistics=Statistics(
                null_count=seed % 3, min_value=low, max_value=high, is_min_value_exact=True, is_max_value_exact=True
            ),
            encoding_stats=[
                PageEncodingStats(page_type=PageType.DICTIONARY_PAGE, encoding=Encoding.PLAIN, count=1),
                PageEncodingStats(page_type=PageType.DATA_PAGE, encoding=Encoding.RLE_DICTIONARY, count=4),
            ],
        ),
    )
