"""What others wrote is kept: fields of actions in checkpoints, files under other names, files of commits not yet known."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from lakecodec.lake.log import Log, Transaction, UnknownOutcomeError
from lakecodec.lake.log.file_actions import Add, Remove
from lakecodec.lake.writing.orphans import delete_orphans
from lakecodec.pipeline import check, vacuum
from tests.lake.log.tables import append, rows

ADD: dict[str, Any] = {
    "path": "a.parquet", "partitionValues": {}, "size": 1, "modificationTime": 2, "dataChange": False, "stats": "{}",
    "tags": {"a": "b"}, "baseRowId": 7, "defaultRowCommitVersion": 3, "clusteringProvider": "liquid",
}  # fmt: skip
REMOVE: dict[str, Any] = {
    "path": "b.parquet", "deletionTimestamp": 2**42, "dataChange": True, "extendedFileMetadata": True, "partitionValues": {},
    "size": 1, "tags": {"a": "b"}, "stats": "{}", "baseRowId": 7, "defaultRowCommitVersion": 3,
}  # fmt: skip


def test_every_field_of_the_protocol_survives_a_checkpoint(tmp_path: Path) -> None:
    assert Add.from_json(ADD).to_json() == ADD
    assert Remove.from_json(REMOVE).to_json() == REMOVE
    append(tmp_path, rows(0))
    lines = [json.dumps({"add": ADD}), json.dumps({"remove": REMOVE})]
    (tmp_path / "_delta_log" / f"{1:020}.json").write_text("\n".join(lines) + "\n")
    Log(tmp_path).checkpoint()
    for version in (0, 1):
        (tmp_path / "_delta_log" / f"{version:020}.json").unlink()
    snapshot = Log(tmp_path).snapshot()
    (add,) = [add for add in snapshot.files if add.path == "a.parquet"]
    assert {**add.to_json(), "dataChange": False} == ADD
    (remove,) = snapshot.tombstones
    assert remove.to_json() == REMOVE


@pytest.mark.parametrize(
    "form", ["./{name}", "x/../{name}", ".//{name}", "file:{root}/./{name}", "file://{real}/{name}"]
)
def test_files_under_other_names_are_no_garbage(tmp_path: Path, form: str) -> None:
    """Also where the table is opened through a link that the log does not know."""
    real, link = tmp_path / "real", tmp_path / "link"
    append(real, rows(0))
    link.symlink_to(real)
    log = real / "_delta_log" / f"{0:020}.json"
    (add,) = Log(real).snapshot().files
    other = form.format(name=add.path, root=real, real=real)
    log.write_text(log.read_text().replace(f'"path":"{add.path}"', f'"path":"{other}"'))
    for root in (real, link):
        assert vacuum(root, retention=timedelta(0)) == []
        assert check(root) == []
    (real / "stray.parquet").write_bytes(b"")
    assert vacuum(link, retention=timedelta(0), dry_run=False) == ["stray.parquet"]
    assert (real / add.path).exists()


def test_a_remove_finds_its_file_under_another_name(tmp_path: Path) -> None:
    append(tmp_path, rows(0))
    (add,) = Log(tmp_path).snapshot().files
    Log(tmp_path).checkpoint()
    remove = {"remove": {"path": f"./{add.path}", "deletionTimestamp": 1, "dataChange": True}}
    (tmp_path / "_delta_log" / f"{1:020}.json").write_text(json.dumps(remove) + "\n")
    assert Log(tmp_path).snapshot().files == []


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("lost")])
def test_files_stay_while_a_commit_may_land(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """A store takes the request, and answers too late."""
    import fsspec

    memory = fsspec.filesystem("memory")
    root = f"/{tmp_path.name}"
    log = Log(root, memory)
    transaction = Transaction(log, None, "WRITE")
    transaction.set_schema(rows(0).schema)
    name = "part-00000-abc-0123456789ab.c000.parquet"
    memory.pipe_file(f"{root}/{name}", b"x")
    transaction.add(Add(name, {}, 1, 0))
    late: list[Any] = []

    def put(*given: Any) -> None:
        late.append(given)
        raise error

    put_if_absent = log.storage.put_if_absent
    monkeypatch.setattr(log.storage, "put_if_absent", put)
    with pytest.raises(UnknownOutcomeError if isinstance(error, OSError) else KeyboardInterrupt):
        transaction.commit()
    delete_orphans(log, "abc", 0)
    put_if_absent(*late[0])
    assert [add.path for add in Log(root, memory).snapshot().files] == [name]
    assert memory.exists(f"{root}/{name}")
    memory.rm(root, recursive=True)
