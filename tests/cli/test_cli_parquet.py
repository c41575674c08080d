"""`lakecodec parquet`: files changed, joined and checked from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.cli import run

TABLE = pa.table({"id": range(100), "a=b": ["x", "y"] * 50, "at": [{"x": n, "y": -n} for n in range(100)]})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pq.write_table(TABLE, "a.parquet", row_group_size=40)
    return tmp_path


def test_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["parquet", "set", "a.parquet", "owner=me", "note=a=b"]) == 0
    assert capsys.readouterr().out.startswith("a.parquet: 100 rows in 3 row groups, ")
    found = pq.read_metadata("a.parquet").metadata
    assert (found[b"owner"], found[b"note"]) == (b"me", b"a=b")
    assert run(["parquet", "set", "a.parquet", "--remove", "note", "--remove", "owner"]) == 0
    assert pq.read_table("a.parquet") == TABLE
    assert b"owner" not in (pq.read_metadata("a.parquet").metadata or {})
    capsys.readouterr()
    assert run(["parquet", "set", "a.parquet", "--remove", "onwer"]) == 2
    assert capsys.readouterr().err.startswith("lakecodec: --remove: there is no key 'onwer'")
    assert run(["parquet", "set", "a.parquet"]) == 2


def test_rename_and_select(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["parquet", "rename", "a.parquet", "id=key", "at.x=z", "-o", "b.parquet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "target": "b.parquet",
        "rows": 100,
        "row_groups": 3,
        "target_bytes": Path("b.parquet").stat().st_size,
    }
    assert pq.read_schema("b.parquet").names == ["key", "a=b", "at"]
    assert run(["parquet", "select", "b.parquet", "at.z", "key", "-o", "b.parquet"]) == 0
    assert pq.read_table("b.parquet")["at"].to_pylist() == [{"z": n} for n in range(100)]
    capsys.readouterr()
    assert run(["parquet", "select", "a.parquet", "idd", "-o", "c.parquet"]) == 2
    assert "there is no column 'idd'; did you mean 'id'" in capsys.readouterr().err
    assert not Path("c.parquet").exists()


def test_to_standard_output() -> None:
    command = [sys.executable, "-m", "lakecodec", "parquet", "select", "a.parquet", "id", "-o", "-"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert pq.read_table(BytesIO(done.stdout)) == TABLE.select(["id"])
    assert run(["parquet", "select", "a.parquet", "id", "-o", "-", "--json"]) == 2


def test_concat(capsys: pytest.CaptureFixture[str]) -> None:
    Path("many").mkdir()
    for name in ("1", "2"):
        Path("many", f"{name}.parquet").write_bytes(Path("a.parquet").read_bytes())
    assert run(["parquet", "concat", "many", "a.parquet", "-o", "all.parquet"]) == 0
    assert pq.read_table("all.parquet") == pa.concat_tables([TABLE] * 3)
    pq.write_table(TABLE.rename_columns(["id", "b", "at"]), "b.parquet")
    capsys.readouterr()
    assert run(["parquet", "concat", "a.parquet", "b.parquet", "-o", "all.parquet"]) == 2
    assert "sources[1]: name of 'b' is 'b', in the first file 'a=b'" in capsys.readouterr().err
    assert run(["parquet", "concat", "a.parquet", "b.parquet", "-o", "all.parquet", "--any-names"]) == 0
    assert pq.read_table("all.parquet") == pa.concat_tables([TABLE] * 2)


def test_merge() -> None:
    Path("lake/x=1").mkdir(parents=True)
    Path("a.parquet").rename("lake/x=1/a.parquet")
    assert run(["parquet", "merge", "lake"]) == 0
    assert ds.parquet_dataset("lake/_metadata").to_table() == TABLE
    assert run(["parquet", "merge", "lake/x=1/a.parquet", "--base", ".", "-o", "all"]) == 0
    assert parquet.read_metadata("all").row_groups[0].columns[0].file_path == "lake/x=1/a.parquet"
    assert run(["parquet", "merge", "lake/x=1/a.parquet"]) == 2


def test_verify(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["parquet", "verify", ".", "--deep"]) == 0
    assert capsys.readouterr().out == "1 file checked, no errors\n"
    Path("bad.parquet").write_bytes(Path("a.parquet").read_bytes()[:-30])
    assert run(["parquet", "verify", ".", "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["file"].endswith("bad.parquet")
    Path("bad.parquet").write_text("no Parquet at all")
    assert run(["parquet", "verify", "bad.parquet"]) == 1
    assert run(["parquet", "verify", "absent.parquet"]) == 2


def test_grep_with_a_cache(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lakecodec.parquet.footer_cache._is_time_unique", lambda changed, now: True)
    pq.write_table(TABLE, "b.parquet")
    assert run(["parquet", "grep", "id=45", "a.parquet", "b.parquet"]) == 0
    expected = capsys.readouterr().out
    for _ in range(2):
        assert run(["parquet", "grep", "id=45", "a.parquet", "b.parquet", "--cache", "footers.arrow"]) == 0
        assert capsys.readouterr().out == expected
    assert pa.ipc.open_file("footers.arrow").read_all().num_rows == 2


def test_inspect_cuts_nothing_that_is_piped(capsys: pytest.CaptureFixture[str]) -> None:
    text = "é" * 70
    table = pa.table({"t": [f"{text}a", f"{text}b"]}).replace_schema_metadata({"note": text})
    pq.write_table(table, "long.parquet", write_page_index=True)
    assert run(["inspect", "long.parquet", "--indexes"]) == 0
    out = capsys.readouterr().out
    assert f"note: {text}\n" in out
    assert out.count(f"{text}a") == out.count(f"{text}b") == 2


def test_grep(capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(TABLE, "b.parquet", row_group_size=40, write_page_index=True, max_rows_per_page=10)
    assert run(["parquet", "grep", "id=45", "a.parquet", "b.parquet"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "a.parquet: row group 1, rows 0 to 39 (statistics)",
        "b.parquet: row group 1, pages 0, rows 0 to 9 (page index)",
    ]
    assert run(["parquet", "grep", "at.x", ".", "--value", "5", "--value", "99", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows == parquet.row_groups_with(".", "at.x", [5, 99]).to_pylist()
    assert run(["parquet", "grep", "id=45", ".", "-l"]) == 0
    assert capsys.readouterr().out == "./a.parquet\n./b.parquet\n"
    assert run(["parquet", "grep", "id=500", "."]) == run(["parquet", "grep", "id", ".", "--null"]) == 1
    assert capsys.readouterr() == ("", "")
    Path("c.parquet").write_bytes(b"no Parquet")
    assert run(["parquet", "grep", "id=45", "."]) == 2
    shown = capsys.readouterr()
    assert shown.out.count("\n") == 2
    assert "c.parquet" in shown.err
    Path("c.parquet").unlink()
    assert run(["parquet", "grep", "id=x", "."]) == 2
    assert "'x' is not a valid int64" in capsys.readouterr().err
    assert run(["parquet", "grep", "idd=1", "."]) == 2
    assert "no file has a column 'idd'" in capsys.readouterr().err
    assert run(["parquet", "grep", "id", "."]) == 2


@pytest.mark.parametrize(
    ("options", "left"), [([], (None, None)), (["--page-indexes"], (None, True)), (["--bloom-filters"], (True, None))]
)
def test_drop(options: list[str], left: tuple[bool | None, bool | None]) -> None:
    pq.write_table(TABLE, "a.parquet", write_page_index=True, bloom_filter_options={"id": True})
    assert run(["parquet", "drop", "a.parquet", "-o", "b.parquet", *options]) == 0
    chunk = parquet.read_metadata("b.parquet").row_groups[0].columns[0]
    assert chunk.meta_data is not None
    found = chunk.offset_index_offset and True, chunk.meta_data.bloom_filter_offset and True
    assert found == left
    assert pq.read_table("b.parquet") == TABLE


def inspected(capsys: pytest.CaptureFixture[str], *options: str) -> Any:
    capsys.readouterr()
    assert run(["inspect", *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_inspect_parts(capsys: pytest.CaptureFixture[str]) -> None:
    options = {"write_page_index": True, "max_rows_per_page": 10, "bloom_filter_options": {"id": True}}
    pq.write_table(TABLE, "a.parquet", row_group_size=40, **options)
    found = inspected(capsys, "a.parquet", "--columns", "id,at.x", "--pages", "--indexes", "--bloom")
    assert [(each["path"], each["min"], each["max"], each["null_count"]) for each in found["columns"]] == [
        ("id", 0, 99, 0),
        ("at.x", 0, 99, 0),
    ]
    assert [element["name"] for element in found["schema"]] == ["id", "at", "x"]
    assert [[column["path"] for column in group["columns"]] for group in found["row_groups"]] == [["id", "at.x"]] * 3
    column = found["row_groups"][1]["columns"][0]
    headers = list(parquet.page_headers("a.parquet", 1, "id"))
    assert [page["compressed_size"] for page in column["pages"]] == [each.compressed_page_size for each in headers]
    assert [page["type"] for page in column["pages"]] == ["DICTIONARY_PAGE"] + ["DATA_PAGE"] * 4
    assert column["page_index"]["boundary_order"] == "ASCENDING"
    pages = column["page_index"]["pages"]
    assert [(page["first_row"], page["min"], page["max"]) for page in pages] == [
        (0, 40, 49),
        (10, 50, 59),
        (20, 60, 69),
        (30, 70, 79),
    ]
    # Offset indexes and page headers are two sources.
    assert [page["offset"] for page in pages] == [page["offset"] for page in column["pages"][1:]]
    bloom = column["bloom_filter"]
    assert 0 < bloom["bits_set"] < 0.6
    assert bloom["false_positives"] == pytest.approx(bloom["bits_set"] ** 8, abs=1e-3)
    assert found["row_groups"][1]["columns"][1]["bloom_filter"] is None


def test_inspect_tables_are_whole_when_piped(capsys: pytest.CaptureFixture[str]) -> None:
    wide = pa.table({f"column_{n}_with_a_long_name": [n] for n in range(80)})
    pq.write_table(wide, "wide.parquet")
    assert run(["inspect", "wide.parquet"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in wide.column_names)
    assert "…" not in out.replace("ARROW:schema", "").split("Schema")[-1]
    assert run(["inspect", "wide.parquet", "--limit", "3"]) == 0
    out = capsys.readouterr().out
    assert "column_2_" in out
    assert "column_3_" not in out
    assert "and 77 more (--limit)" in out
    assert run(["inspect", "a.parquet", "--pages", "--indexes", "--limit", "2"]) == 0
    out = capsys.readouterr().out
    assert "Columns in 3 row groups" in out
    assert "Row group 1, a=b: pages" in out
    assert "Row group 2" not in out
    assert "and 1 more of the row groups (--limit)" in out


def test_inspect_many_files(capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(TABLE.slice(0, 7), "b.parquet")
    assert [each["num_rows"] for each in inspected(capsys, "a.parquet", "b.parquet")] == [100, 7]
    assert [each["num_rows"] for each in inspected(capsys, ".")] == [100, 7]
    assert run(["inspect", "a.parquet", "b.parquet"]) == 0
    assert run(["inspect", "a.parquet", "--columns", "idd"]) == 2
    assert "did you mean 'id'" in capsys.readouterr().err


def test_summary_leaves_out_what_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    nan = float("nan")
    table = pa.table({"nulls": [None, None, 3, 4], "x": [1.0, nan, 2.0, 0.5], "s": ["b", "a", None, None]})
    pq.write_table(table, "a.parquet", row_group_size=2)
    found = {
        each["path"]: (each["min"], each["max"], each["null_count"])
        for each in inspected(capsys, "a.parquet")["columns"]
    }
    assert found["nulls"] == (3, 4, 2)
    assert found["s"] == ("a", "b", 2)
    pq.write_table(table, "a.parquet", row_group_size=2, write_statistics=["x"])
    found = {each["path"]: (each["min"], each["null_count"]) for each in inspected(capsys, "a.parquet")["columns"]}
    assert found["s"] == found["nulls"] == (None, None)


def test_index(capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(TABLE, "plain.parquet", row_group_size=40, write_statistics=False)
    options = ["--columns", "id,at", "--bloom", "id", "--checksums", "--no-size-statistics"]
    assert run(["parquet", "index", "plain.parquet", "made.parquet", *options, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["target_bytes"] == Path("made.parquet").stat().st_size
    assert said["row_groups"] == 3
    assert said["skipped"] == []
    found = {(each["column"], each["part"]) for each in said["added"] if each["row_group"] == 2}
    parts = ("statistics", "column_index", "offset_index", "checksums")
    assert found == {(column, part) for column in ("id", "at.x", "at.y") for part in parts} | {("id", "bloom_filter")}
    chunk = parquet.read_metadata("made.parquet").row_groups[0].columns[0]
    assert chunk.meta_data.statistics is not None
    # DuckDB writes statistics and neither page indexes nor size statistics.
    duckdb.sql("copy (from 'a.parquet') to 'duck.parquet'")
    no_others = ["--columns", "a=b", "--no-statistics", "--no-page-index"]
    for options, expected in (
        ([*no_others, "--no-size-statistics"], "nothing"),
        (no_others, "1 size statistics"),
        (["--columns", "a=b", "--no-size-statistics"], "1 offset index, 1 column index"),
    ):
        assert run(["parquet", "index", "duck.parquet", "duck.parquet", *options]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == [f"added per column chunk: {expected}"]
    assert run(["parquet", "index", "plain.parquet", "-", "--json"]) == 2
    assert pq.read_table("made.parquet") == TABLE
    assert pq.read_table("duck.parquet").to_pylist() == TABLE.to_pylist()


def test_merge_row_groups(capsys: pytest.CaptureFixture[str]) -> None:
    table = pa.table({"a": ["x", "x", "y", "y"], "n": [1, 2, 3, 4]})
    pq.write_table(table, "small.parquet", row_group_size=1, use_dictionary=["a"])
    assert run(["parquet", "merge-row-groups", "small.parquet", "merged.parquet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("merged.parquet: 4 rows in 2 row groups, ")
    assert lines[1:] == ["row group 2, a: its dictionaries differ"]
    assert run(["parquet", "merge-row-groups", "small.parquet", "merged.parquet", "--max-rows", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["row_groups"] == 4
    assert pq.read_table("merged.parquet") == table
