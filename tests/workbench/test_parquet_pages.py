"""Pages of Parquet files, taken apart by the IDL: their values are those that pyarrow reads; no false alarm on good files."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.workbench import Node, explore, verify

from ..parquet.files import arrow_file
from ..parquet.test_parquet_corpus import ROOT, corpus
from .trees import check_coverage

ROWS = 700
TABLE = pa.table(
    {
        "plain": pa.array([None if n % 5 == 0 else n * 7 for n in range(ROWS)], pa.int64()),
        "real": pa.array([n / 3 for n in range(ROWS)], pa.float32()),
        "text": [f"n{n % 9}" for n in range(ROWS)],
        "word": [f"abc{n}" for n in range(ROWS)],
        "flag": [n % 3 == 0 for n in range(ROWS)],
        "fixed": pa.array([n.to_bytes(4, "big") for n in range(ROWS)], pa.binary(4)),
        "steps": pa.array([n * n - 90 * n for n in range(ROWS)], pa.int32()),
        "wide": pa.array([n * (1 << 40) * (-1) ** n for n in range(ROWS)], pa.int64()),
        "lengths": [f"{n * n}" for n in range(ROWS)],
        "prefixes": [f"shared {n}" for n in range(ROWS)],
        "split": pa.array([n / 7 for n in range(ROWS)], pa.float64()),
        "lists": pa.array([None if n % 11 == 0 else [n] * (n % 4) for n in range(ROWS)], pa.list_(pa.int32())),
        "nothing": pa.array([None] * ROWS, pa.int32()),
    }
)
ENCODINGS = {
    "steps": "DELTA_BINARY_PACKED", "wide": "DELTA_BINARY_PACKED", "lengths": "DELTA_LENGTH_BYTE_ARRAY",
    "prefixes": "DELTA_BYTE_ARRAY", "split": "BYTE_STREAM_SPLIT",
}  # fmt: skip


def written(version: str, compression: str) -> bytes:
    return arrow_file(
        TABLE, data_page_version=version, compression=compression, use_dictionary=["text"], column_encoding=ENCODINGS
    )


def body(tree: Any, column: int, page: int) -> Node:
    found: Node = tree.find(f"chunks[0][{column}].pages[{page}].body")
    return found


def one(node: Node, name: str) -> Any:
    """The value of the only node of a name below another."""
    (found,) = [each for each in node.walk() if each.name == name and each.value is not None]
    return found.value


def unpacked(runs: list[Any]) -> list[int]:
    found: list[int] = []
    for run in runs:
        if run.header & 1:
            found += [int(run.packed[n]) for n in range(run.packed.count)]
        else:
            found += [int.from_bytes(run.repeated, "little")] * (run.header >> 1)
    return found


def summed(deltas: Any) -> list[int]:
    found = [deltas.first]
    for block in deltas.blocks:
        for mini in block.over:
            for n in range(0 if mini is None or mini.values is None else mini.values.count):
                found.append(found[-1] + block.least + int(mini.values[n]))
    return found[: deltas.total]


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_values_are_those_of_the_file(version: str, compression: str) -> None:
    tree = explore(written(version, compression))
    check_coverage(tree)
    assert tree.errors() == []
    values = {name: TABLE[name].to_pylist() for name in TABLE.column_names}
    columns = {name: n for n, name in enumerate(TABLE.column_names)}

    def content(name: str, page: int = 0) -> Any:
        top = body(tree, columns[name], page).value
        return (top if version == "2.0" else top.content).values

    assert content("plain").values.values == [each for each in values["plain"] if each is not None]
    assert content("real").values.values == [pytest.approx(each) for each in values["real"]]
    assert [each.value.decode() for each in content("word").values.values] == values["word"]
    assert [each.value for each in content("fixed").values.values] == values["fixed"]
    flags = content("flag").values
    numbers = unpacked(flags.runs) if version == "2.0" else [int(flags.values[n]) for n in range(flags.values.count)]
    assert [bool(each) for each in numbers[:ROWS]] == values["flag"]
    entries = [each.value.decode() for each in body(tree, columns["text"], 0).value.values.values]
    indexes = unpacked(content("text", 1).runs)[:ROWS]
    assert [entries[each] for each in indexes] == values["text"]
    assert summed(content("steps").values) == values["steps"]
    assert content("wide").values.blocks[0].over[0].wide is not None
    lengths = content("lengths")
    assert summed(lengths.lengths) == [len(each) for each in values["lengths"]]
    assert bytes(lengths.values) == "".join(values["lengths"]).encode()
    prefixes = content("prefixes")
    shared = zip([0, *map(len, map(common, itertools.pairwise(values["prefixes"])))], values["prefixes"], strict=True)
    assert summed(prefixes.prefixes) == [n for n, _ in shared]
    assert len(content("split").values) == 8 * ROWS
    levels = body(tree, columns["lists"], 0).value
    levels = levels if version == "2.0" else levels.content
    definition = levels.definition.runs if version == "2.0" else levels.definition.levels.runs
    said = [3 if each else 0 if each is None else 1 for each in values["lists"] for _ in range(max(1, len(each or ())))]
    assert unpacked(definition)[: len(said)] == said


def common(pair: tuple[str, str]) -> str:
    length = next((n for n, (a, b) in enumerate(zip(*pair, strict=False)) if a != b), min(map(len, pair)))
    return pair[0][:length]


def test_decompressed_sections_are_views() -> None:
    tree = explore(written("2.0", "zstd"))
    values = tree.find("chunks[0][0].pages[0].body.values")
    assert values.view is not None
    assert values.view.data.size == 8 * TABLE["plain"].drop_null().length()
    assert tree.find("chunks[0][0].pages[0].body.values.values.values[3]").value == 28
    assert tree.find("chunks[0][0].pages[0].body.definition.runs[0].header").offset > 0
    tree = explore(written("1.0", "zstd"))
    assert tree.find("chunks[0][0].pages[0].body.content.definition.stored").size == 4


def test_a_block_that_is_none_is_marked() -> None:
    data = bytearray(written("1.0", "zstd"))
    place = explore(bytes(data)).find("chunks[0][3].pages[0].body")
    data[place.offset : place.offset + 4] = b"none"
    broken = explore(bytes(data))
    (error,) = broken.errors()
    assert "not a zstd block of" in error.rule
    assert error.path.startswith("chunks[0][3].pages[0].body")
    check_coverage(broken)


def test_codecs_that_are_not_known_stay_as_they_are() -> None:
    stream = io.BytesIO()
    pq.write_table(TABLE.select(["plain"]), stream, compression="none")
    tree = explore(stream.getvalue())
    column = tree.find("meta.row_groups[0].columns[0].meta_data.codec")
    data = bytearray(stream.getvalue())
    data[column.end - 1] = 6  # LZO, a zigzag varint
    tree = explore(bytes(data))
    assert tree.find("chunks[0][0].pages[0].body").type.startswith("bytes")
    assert tree.errors() == []


#: Files of the corpus that are damaged by intent.
DAMAGED = {
    "data/nation.dict-malformed.parquet", "data/datapage_v1-corrupt-checksum.parquet",
    "data/rle-dict-uncompressed-corrupt-checksum.parquet",
}  # fmt: skip


@pytest.mark.skipif(ROOT is None, reason="PARQUET_TEST_DATA does not point at a checkout of parquet-testing")
@pytest.mark.parametrize(
    "name",
    [each for each in corpus() if each.startswith("data/") and each.endswith(".parquet") and each not in DAMAGED],
)
def test_no_false_alarm(name: str) -> None:
    file = Path(ROOT or "", name)
    assert [str(each) for each in verify(file) if each.is_error] == []
    nodes = itertools.islice(explore(file).walk(), 50_000)
    assert [(each.path, str(each.error)) for each in nodes if each.error is not None] == []


@pytest.mark.skipif(ROOT is None, reason="PARQUET_TEST_DATA does not point at a checkout of parquet-testing")
@pytest.mark.parametrize("name", sorted(DAMAGED))
def test_damaged_files_of_the_corpus(name: str) -> None:
    found = [each for each in verify(Path(ROOT or "", name)) if each.is_error]
    assert found
    assert all(each.offset is not None for each in found)
