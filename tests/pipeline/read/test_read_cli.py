"""`lakecodec scan`."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import csv

from lakecodec.cli import run
from lakecodec.pipeline import scan

from ..spark.lakes import write_lake
from ..spark.tables import by_id, every_type


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


def test_terminal_is_limited(lake: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scan", lake, "--columns", "id"]) == 0
    assert sum(line.strip("│ ").isdecimal() for line in capsys.readouterr().out.splitlines()) == 20


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
        (["--where", "upper(name) = 'X'"], 1, "only Spark can decide"),
        (["--columns", "nope"], 1, "'nope' is not a column"),
        (["--version", "7"], 1, "7"),
        (["--output", "x.txt"], 2, "a name that ends with .csv or .arrow"),
    ],
)
def test_errors(lake: str, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str) -> None:
    assert run(["scan", lake, *arguments]) == code
    assert message in capsys.readouterr().err
