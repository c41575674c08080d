"""Differences of files by field."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import parquet
from lakecodec.cli.app import run
from lakecodec.generated import deletion_vector, mosaic
from lakecodec.generated.parquet import KeyValue, SchemaElement
from lakecodec.workbench import Difference, diff
from lakecodec.workbench.diffs import differences

from ..mosaic import examples
from ..mosaic.sources import written
from ..parquet.files import arrow_file

TABLE = pa.table({"a": [1, 2, 3], "b": ["x", "y", "z"]})


def changes(found: list[Difference]) -> list[tuple[str, str]]:
    return [(each.kind, each.path) for each in found]


def test_equal_files_do_not_differ() -> None:
    data = arrow_file(TABLE)
    assert diff(data, bytes(data)) == []
    plain = bytes.fromhex(examples.PLAIN[2])
    assert diff(plain, plain) == []


def test_one_field() -> None:
    meta = parquet.read_metadata(arrow_file(TABLE))
    other = meta.from_bytes(meta.to_bytes())
    other.num_rows = 4
    other.row_groups[0].columns[1].meta_data.num_values = 9
    assert list(differences(meta, other)) == [
        Difference("changed", "num_rows", 3, 4),
        Difference("changed", "row_groups[0].columns[1].meta_data.num_values", 3, 9),
    ]


def test_columns_are_aligned_by_name() -> None:
    old, new = arrow_file(TABLE), arrow_file(pa.table({"new": [1.5] * 3, **dict(zip("ab", TABLE, strict=True))}))
    found = changes(diff(old, new))
    assert ("added", "meta.schema[1]") in found
    assert ("added", "meta.row_groups[0].columns[0]") in found
    assert ("added", "chunks[0][0]") in found
    assert not [path for kind, path in found if kind == "removed"]
    assert not [path for _, path in found if path.startswith("meta.schema[2]") or path.endswith(".path_in_schema")]


def test_lists_without_names() -> None:
    old = mosaic.Index(row_groups=[mosaic.RowGroup(num_rows=n, buckets=[], stats=[]) for n in (1, 2, 3)])
    new = mosaic.Index(row_groups=[mosaic.RowGroup(num_rows=n, buckets=[], stats=[]) for n in (1, 3)])
    assert changes(list(differences(old, new))) == [("removed", "row_groups[1]")]
    same_length = mosaic.Index(row_groups=[mosaic.RowGroup(num_rows=n, buckets=[], stats=[]) for n in (1, 5, 3)])
    assert changes(list(differences(old, same_length))) == [("changed", "row_groups[1].num_rows")]


def test_alternatives_and_absent_fields() -> None:
    assert changes(list(differences(mosaic.TypeParams.CHAR(length=1), mosaic.TypeParams.CHAR(length=2)))) == [
        ("changed", "length")
    ]
    a, b = mosaic.TypeParams.CHAR(length=1), mosaic.TypeParams.DATE()
    assert list(differences(a, b, "type")) == [Difference("changed", "type", a, b)]
    assert list(differences(KeyValue(key="k"), KeyValue(key="k", value="v"))) == [
        Difference("added", "value", None, "v")
    ]
    assert list(differences(SchemaElement(name="a", num_children=1), SchemaElement(name="a"))) == [
        Difference("removed", "num_children", 1, None)
    ]


def test_data_that_metadata_points_to() -> None:
    old, new = (arrow_file(pa.table({"a": [n]}), compression="none", write_statistics=False) for n in (1, 2))
    found = diff(old, new)
    assert {each.path for each in found} == {"chunks[0][0].pages[0].body"}
    old, new = (written(pa.table({"a": [n, 5]})) for n in (1, 2))
    assert [(each.path, each.old, each.new) for each in diff(old, new)] == [
        ("buckets[0][0].data.body.cells[0].values[0]", 1, 2)
    ]


def test_bytes_that_nothing_explains() -> None:
    data = arrow_file(TABLE)
    meta = parquet.read_metadata(data)
    meta.row_groups = []
    footer = parquet.write_metadata(meta)
    start = len(data) - len(footer) - 500
    old, new = (data[:start] + filler * 8 + footer for filler in (b"a", b"b"))
    (found,) = diff(old, new)
    assert (found.kind, found.path) == ("changed", "(gap at 4)")


def test_values_of_other_types() -> None:
    a = deletion_vector.Run(first=1, others=2)
    assert changes(diff(a.to_bytes(), a.replace(others=3).to_bytes(), deletion_vector.Run)) == [("changed", "others")]
    with pytest.raises(ValueError, match="not the format of the other"):
        diff(arrow_file(TABLE), bytes.fromhex(examples.PLAIN[2]))


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    a.write_bytes(arrow_file(TABLE))
    b.write_bytes(arrow_file(TABLE.append_column("c", pa.array([None, None, 1]))))
    assert run(["diff", str(a), str(a)]) == 0
    assert capsys.readouterr().out == ""
    assert run(["diff", str(a), str(b)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "~ meta.schema[0].num_children: 2 -> 3" in lines
    assert run(["diff", str(a), str(b), "--json"]) == 1
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert {"kind": "changed", "path": "meta.schema[0].num_children", "old": 2, "new": 3} in found
    assert run(["diff", str(a), str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


NAMED = 'record File { E es[..]; } record E { utf8 name until "\\0"; u8 v; }'


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ("ab", "ba", [(0, 1)]),
        ("abcd", "dabc", [(3, 0)]),
        ("abcd", "bcda", [(0, 3)]),
        ("abc", "cba", [(0, 2), (1, 1)]),
        ("abc", "xabc", []),
        ("abcd", "adxb", [(1, 3)]),
    ],
)
def test_elements_that_changed_places(old: str, new: str, moved: list[tuple[int, int]]) -> None:
    first, second = (b"".join(each.encode() + b"\0" + each.encode() for each in names) for names in (old, new))
    found = [each for each in diff(first, second, "File", idl=NAMED) if each.kind == "moved"]
    assert [(each.path, each.old, each.new) for each in found] == [(f"es[{a}]", a, b) for a, b in moved]


def test_moved_and_changed_elements() -> None:
    found = diff(b"a\0\1b\0\2", b"b\0\2a\0\7", "File", idl=NAMED)
    assert list(map(str, found)) == ["> es[0]: 0 -> 1", "~ es[0].v: 1 -> 7"]


@pytest.mark.parametrize(
    ("idl", "old", "new", "said"),
    [
        ("record File { u8 a; f32 b; }", b"\1\0\0\0\0", b"\1\0\0\0\x80", "~ b.(bytes at 4): b'\\x00' -> b'\\x80'"),
        (
            "record File { f64 b; }", b"\1" + bytes(5) + b"\xf8\x7f", b"\2" + bytes(5) + b"\xf8\x7f",
            "~ b.(bytes at 0): b'\\x01\\x00\\x00\\x00\\x00\\x00\\xf8\\x7f' -> b'\\x02\\x00\\x00\\x00\\x00\\x00\\xf8\\x7f'",
        ),
        (
            "record File : normalizes { uvarint32 a; u8 b; }", b"\1\2", b"\x81\0\2",
            "~ a.(bytes at 0): b'\\x01\\x02' -> b'\\x81\\x00\\x02'",
        ),
        ("record File { f32 xs[2]; }", bytes(8), bytes(7) + b"\x80", "~ xs[1].(bytes at 7): b'\\x00' -> b'\\x80'"),
        ("record File { u8 a; f32 b at 8; }", bytes(12), bytes(11) + b"\x80", "~ b.(bytes at 11): b'\\x00' -> b'\\x80'"),
    ],
)  # fmt: skip
def test_other_bytes_of_equal_values_differ(idl: str, old: bytes, new: bytes, said: str) -> None:
    assert list(map(str, diff(old, new, "File", idl=idl))) == [said]
    assert diff(old, old, "File", idl=idl) == []


def test_other_compression_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    idl = tmp_path / "z.idl"
    idl.write_text(
        """codec deflate(i64 inflated) -> bytes = extern "runtime.compress:Deflate";
        record File { u32 inflated = count(text); bytes text[..] via deflate(inflated); }"""
    )
    for level in (0, 9):
        coder = zlib.compressobj(level, wbits=-15)
        (tmp_path / str(level)).write_bytes(b"\x14\0\0\0" + coder.compress(b"ab" * 10) + coder.flush())
    assert run(["diff", str(tmp_path / "0"), str(tmp_path / "9"), "--idl", str(idl)]) == 1
    assert "~ text.(bytes at" in capsys.readouterr().out
