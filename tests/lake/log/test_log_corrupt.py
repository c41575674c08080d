"""Broken logs: clear errors that name the file and the line, never a wrong table."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec import DecodeError
from lakecodec.lake.log import CorruptLogError, Log, UnsupportedTableError, check
from lakecodec.lake.log.commit import decode_commit
from lakecodec.parquet import read_metadata, write_metadata
from tests.lake.log.tables import append, rows


@pytest.fixture
def table(tmp_path: Path) -> Path:
    for number in range(3):
        append(tmp_path, rows(number))
    return tmp_path


def commit_file(root: Path, version: int) -> Path:
    return root / "_delta_log" / f"{version:020d}.json"


def test_torn_and_empty_files(table: Path) -> None:
    path = commit_file(table, 2)
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, 5):
        path.write_bytes(whole[:length])
        if whole[:length].endswith((b"}\n", b"}}")):
            continue  # complete lines
        with pytest.raises(CorruptLogError) as caught:
            Log(table).snapshot()
        assert caught.value.path == f"_delta_log/{path.name}"
        assert caught.value.offset == (whole[:length].rfind(b"\n") + 1 if length else 0)
        assert ("the file is empty" if not length else "cut off") in caught.value.rule
    assert Log(table).snapshot(1).version == 1, "older versions are still there"
    assert [problem.kind for problem in check(table)] == ["log"]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b"nonsense", "line 3 is not JSON"),
        (b"[1]", "line 3: it is not an object"),
        (b'{"add":7}', "line 3: 'add' is not an object"),
        (
            b'{"add":{"path":"x","partitionValues":{},"size":-1,"modificationTime":0,"dataChange":true}}',
            "'size' is negative",
        ),
        (b'{"add":{"partitionValues":{},"size":1,"modificationTime":0,"dataChange":true}}', "add: 'path' is missing"),
        (b'{"add":{"path":"x","size":true,"modificationTime":0,"dataChange":true}}', "'size' is not an integer"),
        (b'{"remove":{"path":3,"dataChange":true}}', "remove: 'path' is not a string"),
        (b'{"add":{"path":"x","partitionValues":{"a":1},"size":1,"modificationTime":0}}', "partitionValues['a']"),
        (
            b'{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[1]}}',
            "'readerFeatures' has an item",
        ),
        (b'{"metaData":{"id":"x","schemaString":"","format":"parquet"}}', "'format' is not an object"),
        (b'{"metaData":{"id":"x","schemaString":1,"format":{"provider":"parquet"}}}', "'schemaString' is not a string"),
        (b"[" * 100_000, "line 3 is nested too deeply"),
        (b'{"add": "\xff"}', "line 3 is not JSON"),
        (b'{"txn":{"appId":"a","version":"1"}}', "txn: 'version' is not an integer"),
    ],
)
def test_broken_lines(table: Path, line: bytes, rule: str) -> None:
    path = commit_file(table, 1)
    path.write_bytes(b"\n".join([*path.read_bytes().splitlines()[:2], line, b'{"later":{}}']))
    with pytest.raises(CorruptLogError) as caught:
        _ = Log(table).snapshot().files
    assert rule in str(caught.value)
    assert caught.value.format == "delta"
    assert isinstance(caught.value, DecodeError)


def test_unknown_actions_and_fields_are_ignored(table: Path) -> None:
    path = commit_file(table, 1)
    text = path.read_text().replace('"size"', '"baseRowId":7,"size"')
    path.write_text(text + '\n{"future":{"a":[1]},"later":["a"],"last":1}\n\n{"cdc":null}\n')
    assert len(Log(table).snapshot().files) == 3


def test_a_version_is_missing(table: Path) -> None:
    commit_file(table, 1).unlink()
    with pytest.raises(CorruptLogError, match="no version 1") as caught:
        Log(table).snapshot()
    assert caught.value.path == f"_delta_log/{1:020d}.json"
    with pytest.raises(CorruptLogError):
        append(table, rows(9))
    commit_file(table, 0).unlink()
    with pytest.raises(CorruptLogError, match="no version 1"):
        Log(table).snapshot()


@pytest.mark.parametrize("key", ["protocol", "metaData"])
def test_a_first_version_without_its_parts(table: Path, key: str) -> None:
    path = commit_file(table, 0)
    path.write_text("".join(line + "\n" for line in path.read_text().splitlines() if key not in line))
    with pytest.raises(CorruptLogError, match=f"no {key}"):
        Log(table).snapshot()


@pytest.mark.parametrize(
    ("protocol", "feature"),
    [
        ({"minReaderVersion": 4, "minWriterVersion": 7}, "version 4"),
        (
            {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["timeTravelToTheFuture"]},
            "timeTravelToTheFuture",
        ),
        ({"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["catalogManaged"]}, "catalogManaged"),
    ],
)
def test_unknown_reader_features(table: Path, protocol: dict[str, Any], feature: str) -> None:
    with commit_file(table, 2).open("a") as file:
        file.write(json.dumps({"protocol": protocol}) + "\n")
    with pytest.raises(UnsupportedTableError, match=feature):
        Log(table).snapshot()


@pytest.mark.parametrize(
    ("version", "features", "configuration", "feature"),
    [
        (8, None, {}, "version 8"),
        (7, ["rowTracking", "domainMetadata"], {}, None),
        (7, ["somethingNew"], {}, "somethingNew"),
        (3, None, {"delta.constraints.positive": "id > 0"}, None),
        (7, ["icebergCompatV2"], {}, "icebergCompatV2"),
        (7, ["appendOnly", "invariants", "checkConstraints", "domainMetadata"], {}, None),
        (6, None, {}, None),
    ],
)
def test_writer_features(
    table: Path, version: int, features: list[str] | None, configuration: dict[str, str], feature: str | None
) -> None:
    metadata = {**Log(table).snapshot().metadata.to_json(), "configuration": configuration}
    protocol = {"minReaderVersion": 1, "minWriterVersion": version}
    protocol |= {"writerFeatures": features} if features else {}
    with commit_file(table, 2).open("a") as file:
        file.write(json.dumps({"protocol": protocol}) + "\n" + json.dumps({"metaData": metadata}) + "\n")
    assert Log(table).snapshot().version == 2
    if feature is None:
        assert append(table, rows(3)).version == 3
    else:
        with pytest.raises(UnsupportedTableError, match=feature):
            append(table, rows(3))


@pytest.mark.parametrize("schema", ["", "[]", "{}", '{"type":"struct","fields":[{}]}', '{"type":"array"}', "null"])
def test_broken_schema(table: Path, schema: str) -> None:
    metadata = {**Log(table).snapshot().metadata.to_json(), "schemaString": schema}
    with commit_file(table, 2).open("a") as file:
        file.write(json.dumps({"metaData": metadata}) + "\n")
    with pytest.raises(CorruptLogError, match="schemaString"):
        _ = Log(table).snapshot().schema


def test_broken_checkpoints(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(21):
        append(tmp_path, rows(10 * number))
    newest, older = ((tmp_path / "_delta_log" / f"{version:020d}.checkpoint.parquet") for version in (20, 10))
    whole = newest.read_bytes()
    for broken in (b"", b"PAR1", whole[:100], whole[: len(whole) // 2], whole[:-1], whole[:-200] + bytes(200)):
        newest.write_bytes(broken)
        caplog.clear()
        assert len(Log(tmp_path).snapshot().files) == 21, "the older one stands in"
        assert "skipping a checkpoint" in caplog.text
    older.write_bytes(b"")
    assert len(Log(tmp_path).snapshot().files) == 21, "all commits stand in"
    commit_file(tmp_path, 0).unlink()
    with pytest.raises(CorruptLogError, match="checkpoint cannot be read"):
        Log(tmp_path).snapshot()
    (tmp_path / "_delta_log" / "_last_checkpoint").write_text("{")
    newest.write_bytes(whole)
    assert len(Log(tmp_path).snapshot().files) == 21, "the pointer is not needed"


@pytest.fixture
def only_checkpoint(tmp_path: Path) -> Path:
    """The checkpoint of a table whose commits of before are gone."""
    for number in range(11):
        append(tmp_path, rows(10 * number))
    for version in range(10):
        commit_file(tmp_path, version).unlink()
    return tmp_path / "_delta_log" / f"{10:020d}.checkpoint.parquet"


def what_stands_in_for(checkpoint: Path, damaged: bytes) -> pa.Table | None:
    """The files that a checkpoint shows, without what is optional of them; None for an error."""
    checkpoint.write_bytes(damaged)
    try:
        return Log(checkpoint.parent.parent).snapshot().live_files.drop_columns(["stats", "tags"])
    except CorruptLogError:
        return None


def flipped(data: bytes, position: int, mask: int) -> bytes:
    return data[:position] + bytes([data[position] ^ mask]) + data[position + 1 :]


def test_broken_checkpoints_of_any_kind(only_checkpoint: Path) -> None:
    """Whatever byte is hit, it is the right table or a clear error."""
    whole = only_checkpoint.read_bytes()
    expected = what_stands_in_for(only_checkpoint, whole)
    assert expected is not None
    for position in range(0, len(whole), max(1, len(whole) // 300)):
        found = what_stands_in_for(only_checkpoint, flipped(whole, position, 0x55))
        assert found is None or found.equals(expected), position


@pytest.mark.parametrize("name", ["add", *(f"add.{name}" for name in ("path", "partitionValues", "size"))])
def test_a_checkpoint_whose_columns_have_other_names(only_checkpoint: Path, name: str) -> None:
    last = name.rpartition(".")[2].encode()
    whole = only_checkpoint.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    schema = [element.name for element in read_metadata(only_checkpoint).schema]
    before = schema.index("add") if name == "add" else schema.index("add") + 1
    position = footer
    for element in schema[:before]:
        position = whole.index(element.encode(), position) + len(element)
    position = whole.index(last, position)
    only_checkpoint.write_bytes(flipped(whole, position, 0x01))
    with pytest.raises(CorruptLogError, match=f"no column {name}" if name != "add" else "no column add.path"):
        _ = Log(only_checkpoint.parent.parent).snapshot().files


@pytest.mark.parametrize("name", ["add", "remove", "protocol", "txn"])
def test_a_checkpoint_whose_actions_have_no_fields(only_checkpoint: Path, name: str) -> None:
    table = pq.read_table(only_checkpoint)
    texts = pa.array(["x"] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index(name), name, texts), only_checkpoint)
    with pytest.raises(CorruptLogError, match="no column add.path" if name == "add" else f"{name} is not a struct"):
        _ = [
            Log(only_checkpoint.parent.parent).snapshot().files,
            Log(only_checkpoint.parent.parent).snapshot().tombstones,
        ]


def test_a_checkpoint_whose_row_group_has_fewer_rows(only_checkpoint: Path) -> None:
    metadata = read_metadata(only_checkpoint)
    whole = only_checkpoint.read_bytes()
    body = whole[: len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")]
    assert what_stands_in_for(only_checkpoint, body + write_metadata(metadata)) is not None
    metadata.row_groups[0].num_rows -= 1
    only_checkpoint.write_bytes(body + write_metadata(metadata))
    with pytest.raises(CorruptLogError, match=r"12 rows, but its footer counts 13"):
        Log(only_checkpoint.parent.parent).snapshot()


def test_checkpoints_of_writers_without_checksums(only_checkpoint: Path) -> None:
    """A level that is hit makes a path null, and all of the file with it."""
    expected = what_stands_in_for(only_checkpoint, only_checkpoint.read_bytes())
    pq.write_table(pq.read_table(only_checkpoint), only_checkpoint, compression="none", use_dictionary=False)
    whole = only_checkpoint.read_bytes()
    metadata = read_metadata(only_checkpoint)
    (chunk,) = (
        chunk.meta_data for chunk in metadata.row_groups[0].columns if chunk.meta_data.path_in_schema == ["add", "path"]
    )
    assert what_stands_in_for(only_checkpoint, whole).equals(expected)
    lost = 0
    for position in range(chunk.data_page_offset, chunk.data_page_offset + 60):
        found = what_stands_in_for(only_checkpoint, flipped(whole, position, 0x02))
        assert found is None or found.num_rows == 11, position
        lost += found is None
    assert lost > 10


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_bytes(data: st.DataObject) -> None:
    line = b'{"add":{"path":"x","partitionValues":{"a":null},"size":1,"modificationTime":0,"dataChange":true}}'
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    broken = line[:start] + data.draw(st.binary(max_size=8)) + line[end:]
    for lines in (broken, broken + b"\n"):
        with suppress(CorruptLogError):
            assert len(decode_commit(lines, 0, "x").adds) <= 1


def test_paths_in_any_encoding_are_one_file(tmp_path: Path) -> None:
    """Writers differ in what they encode, so a remove may spell the path of an add in another way."""
    append(tmp_path, rows(0, city="ü"), ("city",))
    append(tmp_path, rows(10, city="ü"), ("city",))
    first = Log(tmp_path).snapshot(0).files[0]
    assert "%C3%BC" in first.path
    remove = {"path": first.path.replace("%C3%BC", "ü"), "dataChange": True, "deletionTimestamp": 0}
    info = {"commitInfo": {"operation": "DELETE"}}
    commit_file(tmp_path, 2).write_text(json.dumps(info) + "\n" + json.dumps({"remove": remove}) + "\n")
    (left,) = Log(tmp_path).snapshot().files
    assert left.path != first.path
    for number in range(3, 11):
        append(tmp_path, rows(10 * number, city="ü"), ("city",))
    checkpoint = Log(tmp_path).snapshot(10)
    assert checkpoint.checkpoint is not None
    remove["path"] = left.path.replace("%C3%BC", "ü")
    commit_file(tmp_path, 11).write_text(json.dumps({"remove": remove}) + "\n")
    assert len(Log(tmp_path).snapshot().files) == len(checkpoint.files) - 1 == 8
