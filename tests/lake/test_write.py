"""Writes without Spark: what goes in comes out, for us and for other readers; what is refused changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable
from pyarrow import orc

from lakecodec import lake
from lakecodec.cli.app import run as lakecodec
from lakecodec.lake.read.parts import Counts, FilePart
from lakecodec.lake.read.prefetch import read_ahead
from lakecodec.mosaic import write_table
from lakecodec.runtime.errors import EncodeError
from tests.lake.life.columns import KINDS, array
from tests.lake.life.model import bag, rows_of

from ..paths import ROOT

QUIET: Any = {"progress": False}
ROWS = pa.table(
    {
        "id": pa.array(range(1000), pa.int64()),
        "p": pa.array([["a", "b", None, "x/y=%"][i % 4] for i in range(1000)]),
        "v": pa.array(np.random.default_rng(1).random(1000)),
    }
)


def same(path: Path, expected: pa.Table) -> None:
    """We, deltalake and polars read these rows, and the check finds nothing."""
    wanted = bag(rows_of(expected), expected.schema.names)
    assert bag(rows_of(lake.scan(path).read_all()), expected.schema.names) == wanted
    assert lake.check(path, deep=True) == []
    if lake.open_scan(path).plan.format == "parquet":
        found = pa.table(DeltaTable(path).to_pyarrow_table())
        assert bag(rows_of(found), expected.schema.names) == wanted


@pytest.mark.parametrize(
    "form",
    [
        lambda rows: rows,
        lambda rows: rows.to_reader(64),
        lambda rows: iter(rows.to_batches(100)),
        lambda rows: {name: rows[name] for name in rows.schema.names},
        lambda rows: rows.to_pandas(),
        pl.from_arrow,
        lambda rows: (pl.from_arrow(batch) for batch in rows.to_batches(300)),
        lambda rows: duckdb.sql("FROM rows"),
        lambda rows: duckdb.sql("FROM rows").to_arrow_reader(100),
    ],
    ids=["table", "reader", "batches", "dict", "pandas", "polars", "frames", "relation", "duckdb-reader"],
)
@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_arrow_data_of_any_library(tmp_path: Path, form: Callable[[pa.Table], Any], format: Any) -> None:
    info = lake.write(form(ROWS), tmp_path / "t", format=format, **QUIET)
    assert (info.version, info.num_rows) == (0, 1000)
    same(tmp_path / "t", ROWS)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet", "orc", "mosaic"])
def test_files(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"rows.{suffix}"
    writers: dict[str, Callable[[], Any]] = {
        "csv": lambda: pa.csv.write_csv(ROWS, source),
        "jsonl": lambda: source.write_text("".join(json.dumps(row) + "\n" for row in ROWS.to_pylist())),
        "json": lambda: source.write_text("".join(json.dumps(row) + "\n" for row in ROWS.to_pylist())),
        "parquet": lambda: pq.write_table(ROWS, source),
        "orc": lambda: orc.write_table(ROWS, str(source)),
        "mosaic": lambda: write_table(ROWS, str(source)),
    }
    writers[suffix]()
    lake.write(source, tmp_path / "t", **QUIET)
    same(tmp_path / "t", ROWS)


def test_files_of_a_folder_have_one_schema(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    pq.write_table(pa.table({"a": pa.array([1], pa.int32())}), folder / "1.parquet")
    pq.write_table(pa.table({"a": pa.array([2], pa.int64()), "b": ["x"]}), folder / "2.parquet")
    lake.write(folder, tmp_path / "t", **QUIET)
    assert lake.scan(tmp_path / "t").read_all().sort_by("a").to_pydict() == {"a": [1, 2], "b": [None, "x"]}
    lake.write(tmp_path / "t", tmp_path / "copy", **QUIET)
    assert lake.count(tmp_path / "copy") == 2


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
@pytest.mark.parametrize("order", [{}, {"sort_by": ["-v"]}, {"zorder_by": ["id", "v"]}, {"hilbert_by": ["id", "v"]}])
def test_layouts_in_little_memory(tmp_path: Path, format: Any, order: dict[str, Any]) -> None:
    """Also where rows are sorted in files."""
    many = pa.concat_tables([ROWS] * 60)
    options = {"partition_by": ["p"], "format": format, "max_rows_per_file": 4000, "memory_limit": 1 << 20}
    lake.write(many, tmp_path / "t", **options, **order, **QUIET)
    assert bag(rows_of(lake.scan(tmp_path / "t").read_all()), ["id", "p", "v"]) == bag(rows_of(many), ["id", "p", "v"])
    assert lake.check(tmp_path / "t", deep=True) == []
    files = lake.open_scan(tmp_path / "t").plan.files
    assert len(files) == 4 * -(-15000 // 4000)
    if "sort_by" in order:
        values = lake.scan(tmp_path / "t", where="p = 'a'").read_all()["v"].to_pylist()
        assert values == sorted(values, reverse=True)


def test_values_of_every_type(tmp_path: Path) -> None:
    names = [name for name in sorted(KINDS) if name not in ("mp", "far")]
    length = max(len(KINDS[name].values) for name in names)
    columns = {
        name: array([KINDS[name].values[i % len(KINDS[name].values)] for i in range(length)], KINDS[name].type)
        for name in names
    }
    rows = pa.table(columns)
    for partition_by in ([], ["f"], ["d", "b"], ["ts", "ntz"], ["dec", "day"]):
        path = tmp_path / "-".join(["t", *partition_by])
        lake.write(rows, path, partition_by=partition_by, **QUIET)
        assert bag(rows_of(lake.scan(path).read_all()), names) == bag(rows_of(rows), names)
        assert lake.check(path, deep=True) == []


def test_the_lowest_number_in_sql(tmp_path: Path) -> None:
    lake.write({"id": [1, 2]}, tmp_path, **QUIET)
    lake.update(tmp_path, {"id": "-9223372036854775808"}, "id = 2", **QUIET)
    lake.update(tmp_path, {"id": "9223372036854775808 - 1"}, "id = 1", **QUIET)
    assert lake.scan(tmp_path).read_all()["id"].to_pylist() == [(1 << 63) - 1, -(1 << 63)]


def test_rows_as_dicts(tmp_path: Path) -> None:
    """All keys of all rows are columns, also of a merge; values without a common type are refused."""
    rows: list[dict[str, Any]] = [{"id": np.int64(1), "tags": ["a"]}, {"id": 2, "name": "b", "part": {"x": 1}}, {}]
    lake.write(rows, tmp_path, **QUIET)
    found = lake.scan(tmp_path).read_all().to_pylist()
    assert found == [
        {"id": 1, "tags": ["a"], "name": None, "part": None},
        {"id": 2, "tags": None, "name": "b", "part": {"x": 1}},
        dict.fromkeys(("id", "tags", "name", "part")),
    ]
    lake.merge(tmp_path, [{"id": 2, "name": "c"}], "id", when_matched_update={"name": "source.name"}, **QUIET)
    assert lake.scan(tmp_path, where="id = 2").read_all()["name"].to_pylist() == ["c"]
    with pytest.raises(ValueError, match="data: the values of 'id' have no common type"):
        lake.write([{"id": 1}, {"id": "x"}], tmp_path, **QUIET)
    with pytest.raises(ValueError, match="data: the values of 'id' have no common type"):
        lake.write([{"id": 1 << 70}], tmp_path, **QUIET)
    with pytest.raises(TypeError, match="data: names of columns are needed as the keys of rows, not 3"):
        lake.write([{3: 1}], tmp_path, **QUIET)


def test_encodings(tmp_path: Path) -> None:
    """Values that repeat get a dictionary, integers and times near each other are differences, others are as they are."""
    chance, count = np.random.default_rng(0), 200_000
    rows = pa.table(
        {
            "near": np.arange(count) - (1 << 62),
            "far": chance.integers(-(1 << 63), (1 << 63) - 1, count),
            "few": np.arange(count) % 100,
            "time": pa.array(np.arange(count) * 1_000_003, pa.timestamp("us", "UTC")),
            "day": pa.array(chance.permutation(count).astype(np.int32), pa.date32()),
            "small": pa.array(np.where(np.arange(count) % 7, np.arange(count) * 3, None), pa.int32()),
            "float": chance.random(count),
            "text": pa.array(np.arange(count)).cast(pa.string()),
        }
    )
    lake.write(rows, tmp_path, progress=False)
    (file,) = tmp_path.glob("*.parquet")
    group = pq.ParquetFile(file).metadata.row_group(0)
    encodings = {name: group.column(number).encodings for number, name in enumerate(rows.column_names)}
    kinds = {name: {"DELTA_BINARY_PACKED", "RLE_DICTIONARY"}.intersection(found) for name, found in encodings.items()}
    differences, dictionary = {"DELTA_BINARY_PACKED"}, {"RLE_DICTIONARY"}
    assert kinds == {
        "near": differences, "far": set(), "few": dictionary, "time": differences, "day": dictionary,
        "small": dictionary, "float": set(), "text": set(),
    }  # fmt: skip
    expected = lake.scan(tmp_path).read_all()
    assert expected.equals(rows.cast(expected.schema))
    assert pa.table(DeltaTable(tmp_path).to_pyarrow_table()).cast(expected.schema).equals(expected)
    assert pl.scan_delta(str(tmp_path)).collect().to_arrow().cast(expected.schema).equals(expected)
    found = duckdb.sql(f"FROM read_parquet('{file}')").to_arrow_table()
    assert found.cast(expected.schema).equals(expected)


def test_modes(tmp_path: Path) -> None:
    path = tmp_path / "t"
    part = ROWS.filter(pc.equal(ROWS["p"], "a"))
    lake.write(ROWS, path, partition_by="p", txn_id="first", **QUIET)
    assert lake.write(ROWS, path, txn_id="first", **QUIET).version == 0
    assert lake.write(ROWS, path, mode="ignore", **QUIET).version == 0
    with pytest.raises(FileExistsError, match="path: there is a table"):
        lake.write(ROWS, path, mode="error", **QUIET)
    lake.write(part.slice(0, 10), path, mode="overwrite_partitions", **QUIET)
    assert lake.count(path) == 760
    lake.write(part, path, mode="overwrite", replace_where=[("p", "=", "a")], **QUIET)
    same(path, ROWS)
    with pytest.raises(EncodeError, match="replace_where"):
        lake.write(ROWS, path, mode="overwrite", replace_where="p = 'a'", **QUIET)
    wider = part.append_column("new", part["id"])
    lake.write(wider, path, schema_mode="merge", **QUIET)
    assert lake.scan(path, where="new IS NOT NULL").read_all().num_rows == 250
    lake.write(part.select(["id"]), path, mode="overwrite", partition_by=(), **QUIET)
    same(path, part.select(["id"]))


def test_refused_data_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t"
    strict = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("s", pa.struct([("x", pa.int64())]))])
    lake.write(pa.table({"id": [1], "s": [{"x": 1}]}, schema=strict), path, **QUIET)
    before = sorted(str(file) for file in path.rglob("*"))
    bad: list[tuple[Any, type[Exception], str]] = [
        (pa.table({"id": pa.array([None], pa.int64())}), EncodeError, "id: .*not nullable"),
        (pa.table({"id": ["x"]}), lake.SchemaMismatchError, "'id': it is string"),
        (pa.table({"id": [1], "z": [1]}), lake.SchemaMismatchError, "'z'"),
        (pa.table({"id": pa.array([2**63 + 1], pa.uint64())}), lake.SchemaMismatchError, "uint64"),
        (7, TypeError, "data: Arrow data or paths are needed, not int"),
        (iter(()), ValueError, "data: at least one batch"),
        (iter([pa.table({"id": [1]}), pa.table({"id": ["x"]})]), ValueError, "data: all batches need one schema"),
        (tmp_path / "none.csv", FileNotFoundError, "data: there is nothing"),
        (pl.LazyFrame({"id": [1]}), TypeError, "call collect"),
    ]
    for data, error, message in bad:
        with pytest.raises(error, match=message):
            lake.write(data, path, **QUIET)
    with pytest.raises(ValueError, match="memory_limit"):
        lake.write(ROWS, path, memory_limit=5, **QUIET)
    assert sorted(str(file) for file in path.rglob("*")) == before


def test_nested_nulls_and_nanoseconds(tmp_path: Path) -> None:
    inner = pa.struct([pa.field("x", pa.int64(), nullable=False)])
    schema = pa.schema([pa.field("s", inner), pa.field("l", pa.list_(pa.field("element", pa.int64(), nullable=False)))])
    good = pa.table({"s": [{"x": 1}, None], "l": [[1], None]}, schema=schema)
    lake.write(good, tmp_path / "t", **QUIET)
    loose = pa.schema([("s", pa.struct([("x", pa.int64())])), ("l", pa.list_(pa.int64()))])
    for values, place in (({"s": [{"x": None}], "l": [[1]]}, "s.x"), ({"s": [None], "l": [[1, None]]}, "l.element")):
        with pytest.raises(EncodeError, match=place):
            lake.write(pa.table(values, schema=loose), tmp_path / "t", **QUIET)
    assert lake.count(tmp_path / "t") == 2
    with pytest.raises(EncodeError, match="t: a value does not fit"):
        lake.write(pa.table({"t": pa.array([1], pa.timestamp("ns"))}), tmp_path / "ns", **QUIET)


def test_a_failing_source_leaves_no_files(tmp_path: Path) -> None:
    def batches() -> Any:
        yield from ROWS.to_batches(100)
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        lake.write(batches(), tmp_path / "t", **QUIET)
    assert not [file for file in (tmp_path / "t").rglob("*") if file.is_file()]


def test_a_full_disk_is_an_error_and_leaves_the_table(tmp_path: Path) -> None:
    """Files may not grow beyond 64 kB in a process of its own: what a full disk says to a writer."""
    lake.write(ROWS, tmp_path / "t", **QUIET)
    code = (
        "import resource, signal, numpy, pyarrow as pa\nfrom lakecodec import lake\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\n"
        "rows = pa.table({'id': range(200000), 'p': ['x'] * 200000, 'v': numpy.random.rand(200000)})\n"
        f"try:\n    lake.write(rows, {str(tmp_path / 't')!r}, progress=False)\n"
        "except OSError as error:\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stdout == "refused\n", done.stderr
    same(tmp_path / "t", ROWS)


def test_racing_writers_all_commit(tmp_path: Path) -> None:
    lake.write(ROWS.slice(0, 0), tmp_path / "t", **QUIET)
    threads = [
        threading.Thread(target=lambda n=n: lake.write(ROWS.slice(n * 10, 10), tmp_path / "t", **QUIET))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(tmp_path / "t", ROWS.slice(0, 80))


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_writer_leaves_a_table_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t"
    lake.write(ROWS, path, **QUIET)
    code = (
        "import numpy, os, pyarrow as pa, sys\nfrom lakecodec import lake\n"
        "def batches():\n"
        "    for _ in range(20):\n"
        "        yield pa.record_batch({'id': range(1000), 'p': ['x'] * 1000, 'v': numpy.random.rand(1000)})\n"
        "    sys.stdout.write('!'); sys.stdout.flush()\n"
        "    sys.stdin.read()\n"
        f"lake.write(batches(), {str(path)!r}, max_rows_per_file=2000, progress=False)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"!"
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert lake.count(path) == 1000
    assert {problem.kind for problem in lake.check(path)} <= {"orphaned"}
    lake.write(ROWS, path, **QUIET)
    assert lake.count(path) == 2000


def test_the_command_takes_the_local_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(ROWS, tmp_path / "rows.parquet")
    source, target = str(tmp_path / "rows.parquet"), tmp_path / "t"
    assert lakecodec(["ingest", source, str(target), "--engine", "local", "--partition-by", "p", "--quiet"]) == 0
    assert capsys.readouterr().out == "version 0\n"
    same(target, ROWS)
    # Other tests may have imported the module anew: the command takes the one that is known now.
    monkeypatch.setattr(import_module("lakecodec.spark.local"), "missing_java", lambda: "Java is missing")
    assert lakecodec(["ingest", source, str(target), "--mode", "append"]) == 0
    assert "engine: local" in capsys.readouterr().err
    assert lakecodec(["ingest", source, str(target), "--mode", "append", "--local-limit", "1B"]) == 2
    assert "Java is missing" in capsys.readouterr().err
    assert lakecodec(["ingest", source, str(target), "--engine", "zz"]) == 2
    assert lakecodec(["ingest", source, str(target), "--engine", "local", "--source-option", "a=b"]) == 2


def test_files_are_read_ahead_in_order(tmp_path: Path) -> None:
    """All rows in the order of the files, counts as without threads, errors of a file when its rows are asked for."""
    lake.write(ROWS, tmp_path / "t", max_rows_per_file=50, **QUIET)
    scan = lake.open_scan(tmp_path / "t")
    expected = [batch for file in scan.plan.files for batch in scan.plan.reader().read([FilePart(file)])]
    for remote in (False, True):
        counts = Counts()
        found = list(read_ahead(scan.plan.reader(counts), scan.plan.files, remote=remote))
        assert pa.Table.from_batches(found) == pa.Table.from_batches(expected)
        assert (counts.rows, counts.row_groups, counts.row_groups_read) == (1000, 20, 20)
    assert scan.reader(60).read_all().num_rows == 60
    (tmp_path / "t" / scan.plan.files[7].path).unlink()
    batches = scan.batches()
    assert sum(next(batches).num_rows for _ in range(7)) == 350
    with pytest.raises(FileNotFoundError):
        next(batches)
    before = threading.active_count()
    batches = scan.batches()
    next(batches)
    batches.close()
    assert threading.active_count() <= before


@pytest.mark.parametrize("order", [{}, {"sort_by": ["c0"]}, {"zorder_by": ["c0", "c1"]}, {"partition_by": ["p"]}])
def test_memory_does_not_grow_with_the_rows(tmp_path: Path, order: dict[str, Any]) -> None:
    """A process that has written a few rows takes little more for 270 MB."""
    code = (
        "import resource, numpy, pyarrow as pa\nfrom lakecodec import lake\n"
        "def write(parts):\n"
        "    chance = numpy.random.default_rng(0)\n"
        "    columns = {f'c{k}': (0, 1 << 60) for k in range(5)} | {'p': (0, 5)}\n"
        "    rows = ({name: chance.integers(*bounds, 1 << 16) for name, bounds in columns.items()} for _ in range(parts))\n"
        "    batches = (pa.record_batch(columns) for columns in rows)\n"
        f"    lake.write(batches, {str(tmp_path / 't')!r}, memory_limit=16 << 20, progress=False, **{order!r})\n"
        "    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "few = write(4)\n"
        "print(write(90) - few)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert int(done.stdout) < 180_000, done.stdout + done.stderr
