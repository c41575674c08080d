"""Damaged tables: what is wrong is told, what can be mended is, and what can be read is saved."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, QueryBuilder

from lakecodec import lake
from lakecodec.cli.app import run as lakecodec
from lakecodec.convert import convert
from lakecodec.lake.log import Log
from lakecodec.mosaic import read_table
from lakecodec.runtime.errors import DecodeError

QUIET: Any = {"progress": False}
ROWS = pa.table({"id": pa.array(range(900), pa.int64()), "p": [["a", "b"][i % 2] for i in range(900)]})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    lake.write(ROWS, tmp_path / "t", max_rows_per_file=300, **QUIET)
    return tmp_path / "t"


def changed(path: Path, version: int, change: Any) -> None:
    """Changes the add actions of a commit."""
    file = path / "_delta_log" / f"{version:020}.json"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        if "add" in line:
            change(line["add"])
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))


def kinds(problems: list[lake.Problem], *, fixed: bool | None = None) -> list[str]:
    return sorted(problem.kind for problem in problems if fixed is None or problem.fixed == fixed)


def test_a_sound_table(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lake.doctor(path) == []
    assert lakecodec(["doctor", str(path)]) == 0
    assert capsys.readouterr().out == "table checked, no problems\n"


def test_statistics_that_lie_or_are_missing_and_sizes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adds = iter(range(3))

    def lie(add: dict[str, Any]) -> None:
        number = next(adds)
        if number == 0:
            add["stats"] = add["stats"].replace('"id":299', '"id":7')
        elif number == 1:
            del add["stats"]
        else:
            add["size"] += 5

    changed(path, 0, lie)
    assert lake.scan(path, where="id = 250").read_all().num_rows == 0, "it is hidden by the statistics"
    assert kinds(lake.doctor(path)) == ["size", "statistics", "statistics"]
    assert Log(path).latest() == 0, "nothing is mended unless asked for"
    assert lakecodec(["doctor", str(path), "--json"]) == 1
    assert not json.loads(capsys.readouterr().out)["sound"]
    assert lakecodec(["doctor", str(path), "--fix"]) == 0
    assert capsys.readouterr().out.count("(fixed)") == 3
    assert lake.doctor(path) == []
    assert lake.scan(path, where="id = 250").read_all().num_rows == 1
    assert all(not add.data_change for add in Log(path).commit(1).adds)
    assert pa.table(DeltaTable(path).to_pyarrow_table()).num_rows == 900


def test_statistics_with_deletion_vectors(path: Path) -> None:
    lake.delete(path, "id < 10", deletion_vectors=True, **QUIET)
    changed(path, 1, lambda add: add.update(stats='{"numRecords":300,"maxValues":{"id":3}}'))
    assert kinds(lake.doctor(path, fix=True), fixed=True) == ["statistics"]
    assert lake.doctor(path) == []
    assert sorted(lake.scan(path, where="id > 5").read_all()["id"].to_pylist()) == list(range(10, 900))


def test_statistics_are_not_mended_of_a_file_that_others_move(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows would be there twice."""
    from lakecodec.lake.log import Transaction

    changed(path, 0, lambda add: add.pop("stats"))
    commit, others = Transaction.commit, [lake.optimize]

    def after_another(self: Transaction) -> Any:
        if others:
            others.pop()(path, **QUIET)
        return commit(self)

    monkeypatch.setattr(Transaction, "commit", after_another)
    with pytest.raises(lake.ConflictError):
        lake.doctor(path, fix=True)
    assert lake.count(path) == 900


def test_orphans_go_when_the_retention_has_passed(path: Path) -> None:
    for name, age in (("old", 30), ("new", 0)):
        pq.write_table(ROWS, path / f"{name}.parquet")
        moment = time.time() - age * 86400
        os.utime(path / f"{name}.parquet", (moment, moment))
    problems = lake.doctor(path, fix=True)
    assert {problem.path: problem.fixed for problem in problems} == {"old.parquet": True, "new.parquet": False}
    assert [file.name for file in path.glob("???.parquet")] == ["new.parquet"]


def test_checkpoints(path: Path) -> None:
    lake.set_properties(path, {"delta.checkpointInterval": 2})
    for _ in range(4):
        lake.write(ROWS.slice(0, 1), path, **QUIET)
    for file in (path / "_delta_log").glob("*.checkpoint.parquet"):
        file.unlink()
    assert kinds(lake.doctor(path)) == ["checkpoint"]
    assert kinds(lake.doctor(path, fix=True), fixed=True) == ["checkpoint"]
    assert lake.doctor(path) == []
    (file,) = (path / "_delta_log").glob("*.checkpoint.parquet")
    file.write_bytes(file.read_bytes()[:100])
    assert kinds(lake.doctor(path)) == ["checkpoint"]
    assert kinds(lake.doctor(path, fix=True), fixed=True) == ["checkpoint"]
    assert lake.doctor(path) == []


def test_partition_values_that_are_not_the_directories(tmp_path: Path) -> None:
    path = tmp_path / "t"
    lake.write(ROWS, path, partition_by="p", **QUIET)
    changed(path, 0, lambda add: add["partitionValues"].update(p="b"))
    (problem,) = lake.doctor(path)
    assert problem.kind == "partition"
    assert "'p' is 'b' in the log, 'a' in the path" in problem.message


def test_rows_of_a_damaged_table_are_saved(path: Path, tmp_path: Path) -> None:
    files = sorted(path.glob("*.parquet"))
    files[0].unlink()
    data = bytearray(files[1].read_bytes())
    data[4:60] = bytes(56)  # the first page
    files[1].write_bytes(bytes(data))
    target = tmp_path / "saved"
    problems = lake.doctor(path, salvage=target)
    assert {"missing", "unreadable", "lost", "saved"} <= set(kinds(problems))
    assert lake.count(target) == 300
    assert lake.doctor(target) == []
    with pytest.raises(FileExistsError, match="salvage"):
        lake.doctor(path, salvage=target)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A table of a file with three row groups; one bit of a value in the second is wrong."""
    rows = ROWS.append_column("x", pa.array([1.5 * i for i in range(900)]))
    lake.write(rows, tmp_path / "damaged", **QUIET)
    (file,) = (tmp_path / "damaged").glob("*.parquet")
    pq.write_table(rows, file, row_group_size=300, write_page_checksum=True, compression="none", use_dictionary=False)
    chunk = pq.read_metadata(file).row_group(1).column(2)
    data = bytearray(file.read_bytes())
    data[chunk.data_page_offset + chunk.total_compressed_size - 9] ^= 1
    file.write_bytes(data)
    changed(tmp_path / "damaged", 0, lambda add: add.update(size=len(data)))
    return tmp_path / "damaged"


def test_a_wrong_value_is_not_saved(damaged: Path, tmp_path: Path) -> None:
    problems = lake.doctor(damaged, salvage=tmp_path / "saved")
    assert kinds(problems) == ["lost", "saved", "unreadable"]
    (lost,) = [problem.message for problem in problems if problem.kind == "lost"]
    assert lost.startswith("row group 1, 300 rows, 300 to 599 of the file: ")
    assert "CRC" in lost
    found = lake.scan(tmp_path / "saved").read_all().sort_by("id")
    assert found["id"].to_pylist() == [*range(300), *range(600, 900)]
    assert found["x"].to_pylist() == [1.5 * id for id in found["id"].to_pylist()]


def test_a_wrong_value_is_not_saved_without_a_log(damaged: Path, tmp_path: Path) -> None:
    lake.write(ROWS.slice(0, 1), damaged, **QUIET)
    for file in (damaged / "_delta_log").glob("*.json"):
        file.write_text("{")
    problems = lake.doctor(damaged, salvage=tmp_path / "saved")
    (lost,) = [problem for problem in problems if problem.kind == "lost" and "CRC" in problem.message]
    assert lost.message.startswith("row group 1, 300 rows, 300 to 599 of the file: ")
    assert lost.path.endswith(".parquet")
    found = lake.scan(tmp_path / "saved", where="x IS NOT NULL").read_all().sort_by("id")
    assert found["id"].to_pylist() == [*range(300), *range(600, 900)]
    assert found["x"].to_pylist() == [1.5 * id for id in found["id"].to_pylist()]
    assert lake.count(tmp_path / "saved") == 601


@pytest.mark.parametrize("name", ["delete", "update", "merge", "optimize", "zorder", "write", "write files", "convert"])
def test_a_wrong_value_gets_no_right_checksum(damaged: Path, tmp_path: Path, name: str) -> None:
    """Whatever writes rows of a damaged file again refuses to."""
    (file,) = map(str, damaged.glob("*.parquet"))
    no_vectors: Any = {"deletion_vectors": False, **QUIET}
    key = pa.table({"id": [3], "x": [9.0]})
    actions: dict[str, Any] = {
        "delete": lambda: lake.delete(damaged, "id = 3", **no_vectors),
        "update": lambda: lake.update(damaged, {"x": "x"}, "id = 3", **no_vectors),
        "merge": lambda: lake.merge(damaged, key, "id", when_matched_update=True, **no_vectors),
        "optimize": lambda: lake.optimize(damaged, **QUIET),
        "zorder": lambda: lake.optimize(damaged, zorder_by=["x"], **QUIET),
        "write": lambda: lake.write(damaged, tmp_path / "copy", **QUIET),
        "write files": lambda: lake.write([file], tmp_path / "copy", **QUIET),
        "convert": lambda: convert(file, tmp_path / "copy.mosaic"),
    }
    if name == "optimize":
        lake.write(pa.table({"id": [900], "p": ["a"], "x": [0.0]}), damaged, **QUIET)
    with pytest.raises(DecodeError, match="CRC") as raised:
        actions[name]()
    assert str(raised.value.path).endswith(os.path.basename(file))
    assert "unreadable" in kinds(lake.check(damaged, deep=True))


def test_a_gap_in_the_log(path: Path, tmp_path: Path) -> None:
    for _ in range(3):
        lake.write(ROWS.slice(0, 1), path, **QUIET)
    (path / "_delta_log" / f"{2:020}.json").unlink()
    (problem,) = [each for each in lake.doctor(path) if each.kind == "log"][:1]
    assert "no version 2" in problem.message
    problems = lake.doctor(path, fix=True, salvage=tmp_path / "saved")
    assert "saved" in kinds(problems)
    assert lake.count(tmp_path / "saved") == 901


def test_a_checkpoint_whose_files_are_missing(tmp_path: Path) -> None:
    """It is passed over where commits or an older one say the same, and written anew."""
    path = tmp_path / "t"
    properties: dict[str, str | int] = {"delta.checkpointInterval": 2, "delta.checkpointPolicy": "v2"}
    lake.write(ROWS, path, properties=properties, **QUIET)
    for _ in range(3):
        lake.write(ROWS.slice(0, 1), path, **QUIET)
    for file in (path / "_delta_log" / "_sidecars").iterdir():
        file.unlink()
    assert lake.count(path) == 903
    assert kinds(lake.doctor(path)) == ["checkpoint"]
    assert kinds(lake.doctor(path, fix=True), fixed=True) == ["checkpoint"]
    assert lake.doctor(path) == []
    engine = QueryBuilder().register("t", DeltaTable(path))
    theirs = pa.table(engine.execute("select count(*) as n from t").read_all())
    assert (lake.count(path), theirs["n"].to_pylist()) == (903, [903])


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_nothing_is_left_of_the_log(tmp_path: Path, format: Any) -> None:
    """The only checkpoint is damaged, older commits are gone: what is left is the files."""
    path = tmp_path / "t"
    lake.write(ROWS, path, partition_by="p", format=format, properties={"delta.checkpointInterval": 2}, **QUIET)
    lake.delete(path, "p = 'b' AND id < 4", **QUIET)
    lake.write(ROWS.slice(0, 2), path, **QUIET)
    lake.delete(path, "p = 'b' AND id < 6", **QUIET)
    for version in range(3):
        (path / "_delta_log" / f"{version:020}.json").unlink()
    (file,) = (path / "_delta_log").glob("*.checkpoint.parquet")
    file.write_bytes(file.read_bytes()[:60])
    problems = lake.doctor(path, fix=True)
    assert kinds(problems) == ["checkpoint", "log"]
    assert not any(problem.remedy or problem.fixed for problem in problems), "nothing can write it anew"
    problems = lake.doctor(path, salvage=tmp_path / "saved")
    (saved,) = [problem for problem in problems if problem.kind == "saved"]
    assert "no version of the log can be read: deleted rows may be among them" in saved.message
    found = lake.scan(tmp_path / "saved").read_all()
    # The file that version 1 replaced is there again: its remove is lost. That of version 3 is not.
    assert sorted(found["id"].to_pylist()) == sorted(expected(path))
    assert set(found["p"].to_pylist()) == {"a", "b"}
    assert lake.doctor(tmp_path / "saved") == []


def expected(path: Path) -> list[int]:
    """Returns the ids of all data files but those that the last commit removed."""
    lines = (path / "_delta_log" / f"{3:020}.json").read_text().splitlines()
    removed = {action["remove"]["path"] for action in map(json.loads, lines) if "remove" in action}
    files = [file for file in path.rglob("part-*") if str(file.relative_to(path)) not in removed]
    assert removed
    return [id for file in files for id in table_of(file)["id"].to_pylist()]


def table_of(file: Path) -> pa.Table:
    return pq.read_table(file, partitioning=None) if file.suffix == ".parquet" else read_table(str(file))


def test_deletion_vectors_that_are_damaged(path: Path, tmp_path: Path) -> None:
    """Rows of such a file are told of, and not saved: nobody knows which of them are deleted."""
    lake.delete(path, [("id", "in", [*random.Random(1).sample(range(300), 150), 301])], deletion_vectors=True, **QUIET)
    (vectors,) = path.glob("deletion_vector*.bin")
    data = bytearray(vectors.read_bytes())
    data[20] ^= 255
    vectors.write_bytes(bytes(data))
    problems = lake.doctor(path, fix=True, salvage=tmp_path / "saved")
    assert kinds(problems, fixed=True) == []
    assert {"unreadable", "lost", "saved"} == set(kinds(problems))
    assert "deletion vector" in next(problem.message for problem in problems if problem.kind == "unreadable")
    assert sorted(lake.scan(tmp_path / "saved").read_all()["id"].to_pylist()) == [300, *range(302, 900)]


def test_a_commit_that_is_cut_off(path: Path, tmp_path: Path) -> None:
    lake.write(ROWS.slice(0, 1), path, **QUIET)
    commit = path / "_delta_log" / f"{1:020}.json"
    commit.write_text(commit.read_text()[:100])
    problems = lake.doctor(path, fix=True)
    assert kinds(problems) == ["log"]
    assert "line 1 is not JSON, the file is cut off" in problems[0].message
    assert "saved" in kinds(lake.doctor(path, salvage=tmp_path / "saved"))
    assert lake.count(tmp_path / "saved") == 900


def test_counts_that_lie(path: Path) -> None:
    def lie(add: dict[str, Any]) -> None:
        add["stats"] = add["stats"].replace('"numRecords":300', '"numRecords":7').replace('"id":0,', '"id":300,')

    changed(path, 0, lie)
    assert lake.count(path) == 21
    assert set(kinds(lake.doctor(path))) == {"statistics"}
    assert set(kinds(lake.doctor(path, fix=True), fixed=True)) == {"statistics"}
    assert lake.doctor(path) == []
    assert (lake.count(path), lake.count(path, where="id IS NULL")) == (900, 0)
    assert all(not add["dataChange"] for add in adds(path, 1))


def test_tables_of_mosaic_files(tmp_path: Path) -> None:
    path = tmp_path / "t"
    lake.write(ROWS, path, format="mosaic", max_rows_per_file=300, **QUIET)
    changed(path, 0, lambda add: add.update(stats=add["stats"].replace('"id":299', '"id":7')))
    assert kinds(lake.doctor(path, fix=True), fixed=True) == ["statistics"]
    assert lake.doctor(path) == []
    file = next(path.glob("*.mosaic"))
    file.write_bytes(file.read_bytes()[:-30])
    problems = lake.doctor(path, salvage=tmp_path / "saved")
    assert {"size", "unreadable", "lost", "saved"} == set(kinds(problems))
    assert lake.count(tmp_path / "saved") == 600
    assert lake.properties(tmp_path / "saved") == lake.properties(path)


def test_wrong_arguments(tmp_path: Path, path: Path) -> None:
    with pytest.raises(lake.VersionNotFoundError):
        lake.doctor(tmp_path / "none")
    with pytest.raises(TypeError, match="fix"):
        lake.doctor(path, fix="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["none", "id"])
def test_small_files_are_joined_and_get_indexes(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "t"
    rows = ROWS.append_column("f", pa.array([float(i) for i in range(900)]))
    lake.write(rows[:300], path, partition_by="p", properties={"delta.columnMapping.mode": mode}, **QUIET)
    lake.write(rows[300:600], path, **QUIET)
    lake.write(rows[600:], path, **QUIET)
    assert lake.doctor(path) == []
    assert kinds(lake.doctor(path, join=True, indexes=True)) == ["small", "small"]
    assert kinds(lake.doctor(path, indexes=True)) == ["index"] * 6
    groups = [pq.read_metadata(path / add.file).row_group(0) for add in Log(path).snapshot().files]
    assert lakecodec(["doctor", str(path), "--join", "--fix"]) == 0
    files = Log(path).snapshot().files
    assert len(files) == 2
    joined = [pq.read_metadata(path / add.file) for add in files]
    sizes = [meta.row_group(i).column(0).total_compressed_size for meta in joined for i in range(meta.num_row_groups)]
    assert sorted(sizes) == sorted(group.column(0).total_compressed_size for group in groups), "pages are copied"
    assert all(add.stats and json.loads(add.stats)["numRecords"] == 450 for add in files)
    lake.delete(path, "id = 5", deletion_vectors=True, **QUIET)
    assert kinds(lake.doctor(path, indexes=True, fix=True), fixed=True) == ["index", "index"]
    assert lake.doctor(path, indexes=True, join=True) == []
    assert all(
        pq.read_metadata(path / add.file).row_group(0).column(0).has_offset_index for add in Log(path).snapshot().files
    )
    found = lake.scan(path, where="f < 100").read_all().sort_by("id")
    assert found["id"].to_pylist() == [i for i in range(100) if i != 5]
    assert lake.check(path, deep=True) == []
    assert all(not add["dataChange"] for version in (3, 5) for add in adds(path, version))


def adds(path: Path, version: int) -> list[dict[str, Any]]:
    lines = (path / "_delta_log" / f"{version:020}.json").read_text().splitlines()
    return [action["add"] for action in map(json.loads, lines) if "add" in action]
