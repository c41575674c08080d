"""Search by the path of a part of a variant: shredded columns decide where they hold all, and nothing else is left out."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet, variant
from lakecodec.cli import run
from lakecodec.parquet import search

KINDS = pa.struct(
    {
        "a": pa.struct({"b": pa.int64(), "t": pa.string()}),
        "list": pa.list_(pa.int64()),
        "x y": pa.float64(),
    }
)
ROWS = 100
#: One row group each: numbers, numbers, numbers and other values, objects without the field, no objects, nulls.
GROUPS: list[list[Any]] = [
    [{"a": {"b": n, "t": f"t{n:03}"}, "list": [n], "x y": n / 8} for n in range(ROWS)],
    [{"a": {"b": n, "t": f"t{n:03}"}, "list": [n], "x y": n / 8} for n in range(ROWS, 2 * ROWS)],
    [{"a": {"b": n if n % 7 else f"{n}"}, "rest": n} for n in range(2 * ROWS, 3 * ROWS)],
    [{"a": {"t": "t"}, "rest": n} for n in range(ROWS)],
    [{"a": n} for n in range(ROWS)],
    [None] * ROWS,
]


@pytest.fixture(scope="module", params=["marked", "a struct", "without statistics", "with indexes"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("variants") / "v.parquet")
    column = variant.shred(variant.array([row for group in GROUPS for row in group]), KINDS)
    inner = pa.StructArray.from_arrays([pa.array(range(len(column))), column], names=["n", "v"])
    table = pa.table({"v": column, "s": inner})
    options: Any = {"row_group_size": ROWS, "write_statistics": request.param != "without statistics"}
    if request.param == "a struct":
        pq.write_table(table, path, **options)
    else:
        variant.write_table(table, path, columns=["v", "s.v"], **options)
    if request.param == "with indexes":
        bloom = ["v.typed_value.a.typed_value.b.typed_value", "v.typed_value.a.typed_value.t.typed_value"]
        parquet.add_indexes(path, path, bloom=bloom)
    return path


def found(file: str, column: str, value: Any) -> dict[int, str | None]:
    table = parquet.row_groups_with(file, column, value)
    return dict(zip(table["row_group"].to_pylist(), table["decided_by"].to_pylist(), strict=True))


PARTS: dict[str, tuple[str, pa.DataType]] = {
    "v.a.b": ("$.a.b", pa.int64()), "v.a.t": ("$.a.t", pa.string()), "s.v.a.b": ("$.a.b", pa.int64()),
    'v["x y"]': ('$["x y"]', pa.float64()), "v.list[0]": ("$.list[0]", pa.int64()), "v.rest": ("$.rest", pa.int64()),
    "v.a": ("$.a", pa.int64()), "v": ("$", pa.int64()), "v.a.none": ("$.a.none", pa.int64()),
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_never_a_false_negative(file: str, part: str) -> None:
    path, kind = PARTS[part]
    for group in range(len(GROUPS)):
        column = pq.ParquetFile(file).read_row_group(group, [part.split(".")[0].split("[")[0]]).column(0)
        array = pa.concat_arrays(column.chunks)
        values = variant.to_columns(array.field("v") if part[0] == "s" else array, {path: kind})[path].to_pylist()
        for value in {*values[:3], values[-1]}:
            assert group in found(file, part, value), value


def test_what_is_ruled_out(file: str) -> None:
    if pq.ParquetFile(file).metadata.row_group(0).column(0).statistics is None:
        assert len(found(file, "v.a.b", 150)) == len(GROUPS)
        return
    index, _ = parquet.page_index(file, 0, "v.typed_value.a.typed_value.b.typed_value")
    asked = ("statistics", "statistics") if index is None else ("page index", "bloom filter")
    assert found(file, "s.v.a.b", 20) == {0: asked[0], 2: "statistics"}
    assert found(file, "v.a.b", 120) == {1: asked[1], 2: "statistics"}
    assert list(found(file, "v.a.b", 150)) == [1, 2], "2 holds texts, 4 numbers in place of the object around"
    assert list(found(file, "v.a.b", "150")) == [2]
    assert list(found(file, "v.a.b", [150, 7])) == [0, 1, 2]
    assert list(found(file, "v.a.b", None)) == [2, 3, 4, 5]
    assert list(found(file, "v.a", 5)) == [4], "objects are no numbers"
    assert list(found(file, "v.rest", 5)) == [2, 3], "what is left of objects is asked in place of the field"
    assert list(found(file, 'v["x y"]', 12.5)) == [1]
    assert list(found(file, "v.list[0]", 5)) == [0, 1, 2, 3, 4], "elements of lists have no column of their own"
    assert list(found(file, "v.a.t", "t150")) == [1]


def test_no_variants_and_no_paths(file: str) -> None:
    with pytest.raises(KeyError, match=r"'w\.a'"):
        parquet.row_groups_with(file, "w.a", 1)
    with pytest.raises(ValueError, match=r"^column: what follows the variant in 'v.a b' is not a path"):
        parquet.row_groups_with(file, "v.a b", 1)
    with pytest.raises(KeyError, match=r"'s\.n\.a'"):
        parquet.row_groups_with(file, "s.n.a", 1)
    assert list(found(file, "v.typed_value.a.typed_value.b.typed_value", 20))[:1] == [0], (
        "leaf columns keep their names"
    )


def test_a_variant_that_is_not_shredded(tmp_path: Path) -> None:
    table = pa.table({"v": variant.array([{"a": 1}, None]), "w": variant.array([None, None])})
    data = io.BytesIO()
    pq.write_table(table, data)
    assert parquet.row_groups_with(data.getvalue(), "v.a", 7).num_rows == 1
    assert parquet.row_groups_with(data.getvalue(), "w.a", 7).num_rows == 0
    assert parquet.row_groups_with(data.getvalue(), "w.a", None).num_rows == 1


def test_from_the_command_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["parquet", "grep", "v.a.b=150", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    known = pq.ParquetFile(file).metadata.row_group(0).column(0).statistics is not None
    assert [line.split("row group ")[1][0] for line in lines] == list("12" if known else "012345")
    assert run(["parquet", "grep", "v.a b=150", file]) == 2


def test_files_that_statistics_rule_out_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, rows in enumerate(GROUPS):
        column = variant.shred(variant.array(rows), KINDS)
        variant.write_table(pa.table({"v": column}), tmp_path / f"{number}.parquet", columns=["v"], row_group_size=40)
    paths = [str(tmp_path / f"{number}.parquet") for number in range(len(GROUPS))]
    looked: list[str] = []
    look = search._search_file
    monkeypatch.setattr(search, "_search_file", lambda file, *rest: (looked.append(file.name), look(file, *rest))[1])

    def names(part: str, value: Any) -> list[int]:
        looked.clear()
        found = parquet.row_groups_with(paths, part, value)["file"].to_pylist()
        assert set(found) <= set(looked)
        with monkeypatch.context() as patch:
            patch.setattr(search, "_ruled_out", lambda columns: [])
            assert parquet.row_groups_with(paths, part, value)["file"].to_pylist() == found
        return sorted({int(Path(name).stem) for name in found})

    assert names("v.a.b", 150) == [1, 2]
    assert names("v.a.b", None) == [2, 3, 4, 5]
    assert names("v.a.t", "t150") == [1]
    looked.clear()
    parquet.row_groups_with(paths, "v.a.b", 150)
    assert [Path(name).stem for name in looked] == ["1", "2"]
