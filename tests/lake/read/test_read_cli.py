"""`lakecodec scan`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv, feather

from lakecodec import mosaic
from lakecodec.cli import run
from lakecodec.pipeline import scan
from tests.spark.lakes import write_lake
from tests.spark.tables import by_id, every_type


@pytest.fixture
def lake(tmp_path: Path) -> str:
    path = tmp_path / "t"
    write_lake(path, every_type(), partition_by=("day",))
    return str(path)


def test_terminal(lake: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scan", lake, "--columns", "id,name,small", "--where", "id >= 598", "--verbose"]) == 0
    output = capsys.readouterr()
    assert "name 48" in output.out
    assert "name 49" in output.out
    assert "version 0: 2 rows from 2 of 6 files" in output.err


def test_terminal_is_limited(lake: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lakecodec.cli.row_files.is_terminal", lambda: True)
    assert run(["scan", lake, "--columns", "id"]) == 0
    said = capsys.readouterr()
    assert sum(line.strip("│| ").isdecimal() for line in said.out.splitlines()) == 20
    assert "the first 20 rows" in said.err


@pytest.mark.parametrize(
    ("arguments", "read"),
    [
        ([], lambda data: csv.read_csv(pa.BufferReader(data))["id"].to_pylist()),
        (["-o", "-"], lambda data: csv.read_csv(pa.BufferReader(data))["id"].to_pylist()),
        (["--json"], lambda data: [row["id"] for row in json.loads(data)]),
        (["--format", "jsonl"], lambda data: [json.loads(line)["id"] for line in data.splitlines()]),
        (["--format", "arrow"], lambda data: pa.ipc.open_stream(data).read_all()["id"].to_pylist()),
        (["-o", "-", "--format", "parquet"], lambda data: pq.read_table(pa.BufferReader(data))["id"].to_pylist()),
        (["--format", "mosaic"], lambda data: mosaic.read_table(data)["id"].to_pylist()),
    ],
)
def test_a_pipe_gets_all_rows(
    lake: str, capsysbinary: pytest.CaptureFixture[bytes], arguments: list[str], read: Callable[[bytes], list[int]]
) -> None:
    assert run(["scan", lake, "--columns", "id,name,data,tags", *arguments]) == 0
    assert sorted(read(capsysbinary.readouterr().out)) == sorted(
        scan(lake, columns=["id"]).read_all()["id"].to_pylist()
    )


@pytest.mark.parametrize("name", ["x.parquet", "x.mosaic", "x.jsonl", "x.json", "x.feather", "x.csv", "x.ndjson"])
def test_formats_by_suffix(lake: str, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    assert run(["scan", lake, "--columns", "id,tags,data", "--where", "id < 3", "-o", str(file)]) == 0
    if name.endswith(".json"):
        found = [row["id"] for row in json.loads(file.read_text())]
    elif "json" in name:
        found = [json.loads(line)["id"] for line in file.read_text().splitlines()]
    else:
        readers: dict[str, Callable[[Path], pa.Table]] = {
            "parquet": pq.read_table,
            "mosaic": mosaic.read_table,
            "feather": feather.read_table,
            "csv": csv.read_csv,
        }
        found = readers[name[2:]](file)["id"].to_pylist()
    assert sorted(found) == [0, 1, 2]


def test_arrow(lake: str, tmp_path: Path) -> None:
    file = tmp_path / "out.arrow"
    assert run(["scan", lake, "--where", "id < 50", "--output", str(file)]) == 0
    with pa.ipc.open_file(file) as reader:
        found = reader.read_all()
    assert found.schema == scan(lake).schema
    assert by_id(found) == by_id(scan(lake, where="id < 50").read_all())


def test_csv(lake: str, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    assert run(["scan", lake, "--columns", "id,tags,place,data", "--limit", "7", "-o", str(file)]) == 0
    rows = csv.read_csv(file).to_pylist()
    expected = scan(lake, columns=["id", "tags", "place", "data"]).read_all().slice(0, 7).to_pylist()
    assert [row["id"] for row in rows] == [row["id"] for row in expected]
    assert [json.loads(row["place"]) for row in rows] == [row["place"] for row in expected]
    assert [json.loads(row["tags"]) for row in rows] == [row["tags"] for row in expected]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--where", "upper(name) = 'X'"], 2, "only Spark can decide"),
        (["--where", "id = = 1"], 2, "'id = = 1' is not understood from column 6 on: '= 1'; write it as in docs"),
        (["--where", "id ="], 2, "'id =' is incomplete; write it as in docs/read.md"),
        (["--where", "idd = 1"], 2, "'idd' is not a column of the table; did you mean 'id'?"),
        (["--columns", "nope"], 2, "'nope' is not a column"),
        (["--version", "7"], 2, "7"),
        (["--output", "x.txt"], 2, "a name that ends with one of .csv, .arrow"),
    ],
)
def test_errors(lake: str, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str) -> None:
    assert run(["scan", lake, *arguments]) == code
    assert message in capsys.readouterr().err
