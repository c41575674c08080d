"""Commands on Paimon tables."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake, paimon
from lakecodec.cli import run

DATA = pa.table({"id": range(6), "part": ["x", "y"] * 3})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    pq.write_table(DATA, tmp_path / "source.parquet")
    return tmp_path / "source.parquet"


def ingest(source: Path, table: Path, *options: str) -> int:
    return run(["ingest", "--table-format", "paimon", str(source), str(table), *options])


def test_ingest_and_read(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t"
    assert ingest(source, table, "--partition-by", "part", "--format", "parquet") == 0
    assert capsys.readouterr().out == "snapshot 1\n"
    assert paimon.scan(table).read_all().sort_by("id") == DATA
    assert set(paimon.files(table)["format"].to_pylist()) == {"parquet"}
    assert ingest(source, table) == 2  # the table exists
    assert "there is a table" in capsys.readouterr().err
    assert ingest(source, table, "--mode", "append", "--json") == 0
    assert json.loads(capsys.readouterr().out)["id"] == 2
    assert paimon.count(table) == 12
    assert run(["count", str(table), "--where", "part = 'x'"]) == 0
    assert run(["count", str(table), "--version", "1", "--json"]) == 0
    assert capsys.readouterr().out.split() == ["6", "{", '"rows":', "6", "}"]

    assert run(["scan", str(table), "--where", "part = 'x' and id > 2", "--columns", "id", "--version", "1", "-v"]) == 0
    shown = capsys.readouterr()
    assert shown.out.replace(chr(34), "").split() == ["id", "4"]
    assert shown.err.startswith("snapshot 1: 1 files, 1 of their 1 row groups")
    assert run(["scan", str(table), "--limit", "7", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 7
    assert run(["history", str(table), "--json"]) == 0
    assert [(each["id"], each["num_rows"]) for each in json.loads(capsys.readouterr().out)] == [(2, 12), (1, 6)]
    assert run(["history", str(table)]) == 0
    assert "append" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        ["--sort-by", "id"],
        ["--zorder-by", "id"],
        ["--hilbert-by", "id"],
        ["--replace-where", "part = 'x'", "--mode", "overwrite"],
        ["--target-file-size", "1MiB"],
        ["--max-rows-per-file", "5"],
        ["--stats-columns", "id"],
        ["--schema-mode", "merge"],
        ["--txn-id", "one"],
        ["--mode", "ignore"],
        ["--mode", "overwrite-partitions"],
    ],
    ids=lambda options: " ".join(options[-2:]),
)
def test_options_of_delta_tables_are_refused(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    assert ingest(source, tmp_path / "t", *options) == 2
    error = capsys.readouterr().err
    assert options[0] in error or options[-2] in error
    assert "Delta" in error or "for Paimon tables" in error
    assert not (tmp_path / "t").exists()


def test_what_only_delta_tables_can_be_asked(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ingest(source, tmp_path / "t")
    for option in (["--verify"], ["--changes", "1"]):
        assert run(["scan", str(tmp_path / "t"), *option]) == 2
        assert option[0] in capsys.readouterr().err
    for option in ("--source-format=csv", "--source-option=a=b"):
        assert run(["ingest", "--table-format=paimon", "--engine=local", option, str(source), str(tmp_path / "u")]) == 2
        assert "are Spark's" in capsys.readouterr().err
    assert run(["ingest", "--table-format", "zz", str(source), str(tmp_path / "u")]) == 2
    assert "delta, paimon" in capsys.readouterr().err


def test_a_delta_table_with_a_folder_of_that_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lake.write(DATA, tmp_path / "t")
    (tmp_path / "t" / "schema").mkdir()
    (tmp_path / "t" / "schema" / "schema-0").touch()
    assert run(["history", str(tmp_path / "t"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["version"] == 0
