"""Rows changed without Spark, by deletion vectors and by rewriting files: what other readers then see, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import deltalake
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.generated.deletion_vector import DeletionVector, VectorFile
from lakecodec.lake.log import Log, Transaction
from lakecodec.lake.log.deletion_vectors import deleted_positions
from lakecodec.lake.log.vector_write import encode, inline_descriptor
from lakecodec.runtime.errors import DecodeError, EncodeError

QUIET: Any = {"progress": False}
VECTORS = {"delta.enableDeletionVectors": True}
ROWS = pa.table(
    {
        "id": pa.array(range(3000), pa.int64()),
        "p": pa.array([["a", "b", None][i % 3] for i in range(3000)]),
        "v": pa.array([i / 2 for i in range(3000)]),
    }
)


def made(path: Path, **options: Any) -> None:
    lake.write(ROWS, path, max_rows_per_file=1000, **options, **QUIET)


def ids(path: Path, where: Any = None) -> list[int]:
    """The ids as we, polars and deltalake's engine read them."""
    found = sorted(lake.scan(path, where=where).read_all()["id"].to_pylist())
    if where is None:
        assert sorted(pl.scan_delta(str(path)).collect()["id"].to_list()) == found
        query = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(path)).execute("SELECT id FROM t")
        assert sorted(pa.table(query.read_all())["id"].to_pylist()) == found
        assert lake.count(path) == len(found)
        assert {problem.kind for problem in lake.check(path, deep=True)} <= {"orphaned"}
    return found


def descriptors(path: Path) -> list[Any]:
    return [add.deletion_vector for add in Log(path).snapshot().files if add.deletion_vector is not None]


@pytest.mark.parametrize("count", [1, 10, 3000, 4096, 4097, 60000, 65536])
@pytest.mark.parametrize("spread", [1, 2, 40, 1 << 20])
def test_vectors_are_read_back(count: int, spread: int) -> None:
    """In every form of container and in several buckets; cut and changed ones are no other vectors."""
    random = np.random.default_rng(count)
    positions = np.unique(random.integers(0, count * spread + 1, count)).astype(np.int64)
    data = encode(positions)
    assert DeletionVector.from_bytes(data).to_bytes() == data
    descriptor = inline_descriptor(positions)
    assert (deleted_positions(None, json.dumps(descriptor)) == positions).all()  # type: ignore[arg-type]
    with pytest.raises(DecodeError):
        deleted_positions(None, json.dumps(descriptor | {"cardinality": len(positions) + 1}))  # type: ignore[arg-type]


def test_rows_that_follow_each_other_take_little() -> None:
    assert len(encode(np.arange(2_000_000, dtype=np.int64))) < 1000


def test_vectors_of_a_version_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t"
    made(path, properties=VECTORS)
    rest = [number for number in range(3000) if number % 7 != 0]
    lake.delete(path, [("id", "in", list(range(0, 3000, 7)))], **QUIET)
    assert ids(path) == rest
    found = descriptors(path)
    assert [each["storageType"] for each in found] == ["u"] * 3
    (file,) = path.glob("deletion_vector_*.bin")
    assert len(VectorFile.from_bytes(file.read_bytes()).vectors) == 3
    assert [each["offset"] for each in found] == sorted({each["offset"] for each in found})
    lake.delete(path, "id = 1", **QUIET)
    assert ids(path) == rest[1:]
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1  # of the last checksum
    file.write_bytes(bytes(damaged))
    with pytest.raises(DecodeError, match="checksum"):
        lake.scan(path).read_all()
    assert {problem.kind for problem in lake.check(path)} == {"unreadable"}


def test_few_rows_of_a_large_file_write_little(tmp_path: Path) -> None:
    path = tmp_path / "t"
    random = np.random.default_rng(1)
    rows = pa.table(
        {"id": pa.array(range(400_000), pa.int64()), "v": random.random(400_000), "w": random.random(400_000)}
    )
    lake.write(rows, path, properties=VECTORS, **QUIET)
    before = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    chosen = random.integers(0, 400_000, 10).tolist()
    lake.delete(path, [("id", "in", chosen)], **QUIET)
    assert sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) - before < 10_000
    assert lake.count(path) == 400_000 - len(set(chosen))


def test_a_table_gets_the_feature_when_a_call_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "t"
    made(path)
    lake.delete(path, "id < 5", **QUIET)
    assert not descriptors(path)
    lake.delete(path, "id < 10", deletion_vectors=True, **QUIET)
    protocol = Log(path).snapshot().protocol
    assert "deletionVectors" in (protocol.reader_features or ())
    assert "deletionVectors" in (protocol.writer_features or ())
    assert len(descriptors(path)) == 1
    lake.delete(path, "id < 20", **QUIET)  # the property is not set: files are written again
    assert not descriptors(path)
    assert ids(path) == list(range(20, 3000))


def test_all_rows_of_a_file_remove_it(tmp_path: Path) -> None:
    path = tmp_path / "t"
    made(path, properties=VECTORS)
    lake.delete(path, "id < 999", **QUIET)
    lake.delete(path, "id < 1000 AND v > 1", **QUIET)
    assert len(Log(path).snapshot().files) == 2
    assert ids(path) == list(range(1000, 3000))


@pytest.mark.parametrize("vectors", [True, False])
def test_feeds_tell_of_changes(tmp_path: Path, vectors: bool) -> None:
    path = tmp_path / "t"
    made(path, partition_by="p", properties={"delta.enableChangeDataFeed": True})
    lake.delete(path, "id < 6", deletion_vectors=vectors, **QUIET)
    lake.update(path, {"v": "-1", "p": "coalesce(p, 'none')"}, "id < 9", deletion_vectors=vectors, **QUIET)
    source = pa.table({"id": [6, 7, 9000], "v": [1.0, 2.0, 3.0]})
    lake.merge(
        path, source, "id", when_matched_update={"v": "source.v + target.v"}, when_matched_delete="source.v = 2",
        when_not_matched_insert=True, deletion_vectors=vectors, **QUIET,
    )  # fmt: skip
    found = lake.scan_changes(path, 1, columns=["_commit_version", "_change_type", "id", "p", "v"]).read_all()
    shown = sorted(tuple(row.values()) for row in found.to_pylist() if row["_commit_version"] > 1)
    assert shown == [
        (2, "update_postimage", 6, "a", -1.0),
        (2, "update_postimage", 7, "b", -1.0),
        (2, "update_postimage", 8, "none", -1.0),
        (2, "update_preimage", 6, "a", 3.0),
        (2, "update_preimage", 7, "b", 3.5),
        (2, "update_preimage", 8, None, 4.0),
        (3, "delete", 7, "b", -1.0),
        (3, "insert", 9000, None, 3.0),
        (3, "update_postimage", 6, "a", 0.0),
        (3, "update_preimage", 6, "a", -1.0),
    ]
    assert ids(path) == [6, *range(8, 3000), 9000]


def test_checkpoints_restore_and_vacuum_keep_vectors(tmp_path: Path) -> None:
    path = tmp_path / "t"
    made(path, properties=VECTORS | {"delta.checkpointInterval": 2})
    everything = list(range(3000))
    for number in range(5):
        lake.delete(path, [("id", "in", everything[number::4])], **QUIET)
        everything = [each for each in everything if each not in set(everything[number::4])]
        assert ids(path) == everything
    assert len(list(path.glob("deletion_vector_*.bin"))) == 5
    before = [sorted(lake.scan(path, version=version).read_all()["id"].to_pylist()) for version in range(6)]
    assert lake.vacuum(path) == []
    lake.restore(path, 2)
    assert ids(path) == before[2]
    gone = lake.vacuum(path, retention=timedelta(0), dry_run=False)
    assert len(gone) == 4
    assert all(name.startswith("deletion_vector_") for name in gone)
    assert ids(path) == before[2]
    lake.purge(path, **QUIET)
    assert not descriptors(path)
    assert ids(path) == before[2]
    assert lake.purge(path, **QUIET).version == 7


def test_optimize_applies_vectors(tmp_path: Path) -> None:
    path = tmp_path / "t"
    made(path, properties=VECTORS)
    lake.optimize(path, zorder_by=["id", "v"], **QUIET)
    lake.delete(path, [("id", "in", list(range(0, 3000, 2)))], **QUIET)
    info = lake.optimize(path, zorder_by=["id", "v"], **QUIET)
    assert not descriptors(path)
    assert ids(path) == list(range(1, 3000, 2))
    assert all(not add.data_change for add in Log(path).commit(info.version).adds)


def test_two_that_mark_rows_of_one_file_conflict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is refused, as the protocol asks, and its vectors are gone."""
    path = tmp_path / "t"
    made(path, properties=VECTORS)
    commit, others = Transaction.commit, ["id < 50"]

    def after_another(self: Transaction) -> Any:
        if others:
            lake.delete(path, others.pop(), **QUIET)
        return commit(self)

    monkeypatch.setattr(Transaction, "commit", after_another)
    with pytest.raises(lake.ConflictError):
        lake.delete(path, [("id", "in", list(range(0, 1000, 9)))], **QUIET)
    assert ids(path) == list(range(50, 3000))
    assert not list(path.glob("deletion_vector_*.bin"))


@pytest.mark.parametrize("vectors", [True, False])
def test_a_commit_that_fails_leaves_no_files(tmp_path: Path, vectors: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t"
    made(path)
    before = sorted(path.rglob("*"))

    def full(self: Any, version: int, actions: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Log, "put", full)
    with pytest.raises(OSError, match="No space left"):
        lake.update(path, {"v": "v + 1"}, [("id", "in", list(range(0, 3000, 3)))], deletion_vectors=vectors, **QUIET)
    assert sorted(path.rglob("*")) == before


SOURCE = pa.table({"id": [5, 6], "v": [1.0, 2.0]})
TWICE = pa.table({"id": [5, 5], "v": [1.0, 2.0]})
NAN = pa.table({"v": [float("nan")]})
BAD: list[tuple[Callable[[Path], Any], type[Exception], str]] = [
    (lambda path: lake.delete(path, "rand() < 0.5", **QUIET), ValueError, "only Spark can decide"),
    (lambda path: lake.delete(path, "x = 1", **QUIET), KeyError, "where: 'x' is not a column"),
    (lambda path: lake.delete(path, "id = 1", deletion_vectors="yes", **QUIET), TypeError, "deletion_vectors"),  # type: ignore[arg-type]
    (lambda path: lake.update(path, {}, **QUIET), TypeError, "set: a dict"),
    (lambda path: lake.update(path, {"x": "1"}, **QUIET), KeyError, "set: 'x' is not a column"),
    (lambda path: lake.update(path, {"v": 1}, **QUIET), TypeError, "set: SQL text is needed for 'v'"),  # type: ignore[dict-item]
    (lambda path: lake.update(path, {"v": "v +"}, **QUIET), ValueError, "set: 'v \\+' is not a supported expression"),
    (lambda path: lake.update(path, {"v": "sin(v)"}, **QUIET), ValueError, "set: 'sin\\(v\\)' is not computed here"),
    (lambda path: lake.update(path, {"v": "p + 1"}, **QUIET), ValueError, "of string"),
    (lambda path: lake.update(path, {"v": "v / (id - id)"}, **QUIET), EncodeError, "division by zero"),
    (lambda path: lake.update(path, {"id": "id * 9223372036854775807"}, **QUIET), EncodeError, "overflow"),
    (lambda path: lake.update(path, {"id": "p"}, **QUIET), EncodeError, "id: a value does not fit"),
    (lambda path: lake.merge(path, TWICE, "id", when_matched_update=True, **QUIET), ValueError, "multiple source rows"),
    (lambda path: lake.merge(path, NAN, "v", when_matched_delete=True, **QUIET), ValueError, "NaN"),
    (lambda path: lake.merge(path, SOURCE, "id", **QUIET), ValueError, "at least one"),
    (lambda path: lake.merge(path, SOURCE, "x", when_matched_delete=True, **QUIET), KeyError, "on: 'x'"),
    (
        lambda path: lake.merge(path, SOURCE, "target.id < source.id", when_matched_delete=True, **QUIET),
        ValueError,
        "on: ",
    ),
    (
        lambda path: lake.merge(path, SOURCE, "id", when_matched_update={"v": "v"}, **QUIET),
        KeyError,
        "target.name or source",
    ),
    (lambda path: lake.merge(path, 5, "id", when_matched_delete=True, **QUIET), TypeError, "source: Arrow data"),
    (lambda path: lake.merge(path, SOURCE, "id", when_matched_delete=3, **QUIET), TypeError, "when_matched_delete"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "error", "message"), BAD)
def test_refused_changes_leave_the_table(
    tmp_path: Path, call: Callable[[Path], Any], error: type[Exception], message: str
) -> None:
    path = tmp_path / "t"
    lake.write(ROWS.slice(0, 100), path, **QUIET)
    before = sorted(path.rglob("*"))
    with pytest.raises(error, match=message):
        call(path)
    assert sorted(path.rglob("*")) == before


def test_values_are_those_of_spark(tmp_path: Path) -> None:
    path = tmp_path / "t"
    rows = pa.table(
        {
            "i": pa.array([1, -2, None], pa.int32()),
            "d": [1.5, float("nan"), None],
            "s": ["a", "Bc ", None],
            "b": [True, False, None],
            "x": pa.array([None] * 3, pa.string()),
        }
    )
    lake.write(rows, path, **QUIET)
    cases = {
        "concat(s, '!')": ["a!", "Bc !", None],
        "coalesce(upper(s), 'none')": ["A", "BC ", "none"],
        "if(d > 1, 'more', 'less')": ["more", "more", "less"],
        "if(i IN (1, 2) AND NOT b <=> false, 'y', 'n')": ["y", "n", "n"],
        "if(i BETWEEN -5 AND 0 OR s IS NULL, trim(s), lower(s))": ["a", "Bc", None],
        "nullif(s, 'a')": [None, "Bc ", None],
    }
    for text, expected in cases.items():
        lake.update(path, {"x": text}, **QUIET)
        assert lake.scan(path).read_all()["x"].to_pylist() == expected, text
    lake.update(path, {"d": "i / 2 + 1.5", "i": "-i * 3 - 1"}, **QUIET)
    found = lake.scan(path).read_all()
    assert found["d"].to_pylist() == [2.0, 0.5, None]
    assert found["i"].to_pylist() == [-4, 5, None]


def test_keys_of_merges(tmp_path: Path) -> None:
    """Several columns, zeros of both signs, nulls, decimals, and files that their statistics exclude."""
    path = tmp_path / "t"
    rows = pa.table({"a": [0.0, None, 2.0], "b": ["x", "x", None], "n": [1, 2, 3]})
    lake.write(rows, path, **QUIET)
    source = pa.table({"a": [-0.0, None, 2.0], "B": ["x", "x", None], "n": [10, 20, 30]})
    lake.merge(path, source, ["a", "b"], when_matched_update={"n": "source.n"}, when_not_matched_insert=True, **QUIET)
    assert sorted(lake.scan(path).read_all()["n"].to_pylist()) == [2, 3, 10, 20, 30]


def test_a_merge_that_sets_all_columns_reads_keys_alone(tmp_path: Path) -> None:
    """By deletion vectors: the values of rows that are replaced are not looked at."""
    lake.write(pa.table({"id": range(1000), "text": [f"text {n}" for n in range(1000)]}), tmp_path, progress=False)
    (path,) = tmp_path.glob("*.parquet")
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    data = bytearray(path.read_bytes())
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start : start + 40] = b"\xff" * 40
    path.write_bytes(data)
    source = pa.table({"id": [5, 2000], "text": ["new", "more"]})

    def merge(update: Any) -> None:
        lake.merge(
            tmp_path, source, "id", when_matched_update=update, when_not_matched_insert=True, deletion_vectors=True,
            progress=False,
        )  # fmt: skip

    with pytest.raises(DecodeError):
        merge({"text": "source.text"})
    merge(True)
    (new,) = set(tmp_path.glob("*.parquet")) - {path}
    assert sorted(pq.read_table(new).to_pylist(), key=lambda row: row["id"]) == source.to_pylist()
    assert lake.count(tmp_path) == 1001
