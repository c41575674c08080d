"""A process that is killed while it changes a file leaves the old file or the new one, at whatever moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")

#: Changes the file in forked processes; the n-th one kills itself at its n-th call of anything written in C: reads,
#: writes, copies, syncs, renames. Prints how many ended in a kill, and how many with the new file.
PROGRAM = """
import os, signal, sys
from pathlib import Path
from lakecodec import parquet

path = Path(sys.argv[1])
old = path.read_bytes()
parquet.update_metadata(path, {"owner": "new"})
new = path.read_bytes()
assert old != new
killed = changed = 0
for moment in range(1, 10**6):
    path.write_bytes(old)
    child = os.fork()
    if not child:
        left = moment
        def count(frame, event, argument):
            global left
            if event in ("c_call", "c_return"):
                left -= 1
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(count)
        parquet.update_metadata(path, {"owner": "new"})
        sys.setprofile(None)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    found = path.read_bytes()
    assert found in (old, new), moment
    changed += found == new
    for left_over in path.parent.glob(".*.tmp"):
        left_over.unlink()
    if status == 0:
        break
    assert os.WTERMSIG(status) == signal.SIGKILL, status
    killed += 1
print(killed, changed)
"""

#: Writes a file anew in forked processes that kill themselves at some of the calls of anything written in C, to a file of
#: another name and to the source itself. pyarrow starts threads where it is used first, which forks do not have, so only
#: children use it.
WRITING = """
import os, signal, sys
from pathlib import Path
import pyarrow.parquet
from lakecodec import parquet

path, counts, parts = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[4])
old = path.read_bytes()
parquet.read_metadata(path), parquet.add_indexes, parquet.bloom_filter, parquet.merge_row_groups

def child(target, last):
    process = os.fork()
    if process:
        return os.waitpid(process, 0)[1]
    calls = 0
    def count(frame, event, argument):
        nonlocal calls
        if event in ("c_call", "c_return"):
            calls += 1
            if calls == last:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.setprofile(count)
    exec(sys.argv[3])
    sys.setprofile(None)
    counts.write_text(str(calls))
    os._exit(0)

for target in (path.with_name("new.parquet"), path):
    before = old if target == path else None
    assert child(target, 0) == 0
    new, calls = target.read_bytes(), int(counts.read_text())
    assert new != old
    killed = changed = 0
    moments = [*range(1, calls, max(1, calls // parts)), *range(calls - 20, calls + 1, 4)]
    for moment in moments:
        path.write_bytes(old)
        if target != path:
            target.unlink(missing_ok=True)
        status = child(target, moment)
        found = target.read_bytes() if target.exists() else None
        assert found in (before, new), moment
        assert path.read_bytes() == (found if target == path else old), moment
        changed += found == new
        killed += status != 0
        left_over = set(path.parent.iterdir()) - {path, target}
        assert all(each.name.startswith(".") and each.suffix == ".tmp" for each in left_over), left_over
        for each in left_over:
            each.unlink()
    target.unlink()
    print(killed, changed)
"""


@pytest.mark.parametrize(
    ("call", "parts", "options"),
    [
        ('parquet.add_indexes(path, target, bloom=["a"], checksums=True)', 6, {"write_statistics": False}),
        ("assert parquet.merge_row_groups(path, target).after == 1", 24, {"use_dictionary": False}),
    ],
)
def test_killed_while_a_file_is_written(tmp_path: Path, call: str, parts: int, options: Any) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "t.parquet"
    pq.write_table(pa.table({"a": range(5000)}), path, row_group_size=2500, **options)
    command = [sys.executable, "-c", WRITING, path, tmp_path / "counts", call, str(parts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        killed, changed = map(int, line.split())
        assert killed > parts
        assert 0 < changed < killed


def test_killed_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": range(5000)}), path, row_group_size=1000)
    done = subprocess.run([sys.executable, "-c", PROGRAM, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    killed, changed = map(int, done.stdout.split())
    assert killed > 100
    # Kills after the rename find the new file.
    assert 1 < changed < killed


def test_the_file_is_on_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    done: list[tuple[str, Any]] = []
    names = ("fsync", "replace")
    originals = {name: getattr(os, name) for name in names}

    def fsync(descriptor: int) -> None:
        done.append(("fsync", os.readlink(f"/proc/self/fd/{descriptor}")))
        originals["fsync"](descriptor)

    def replace(old: str, new: str) -> None:
        done.append(("replace", new))
        originals["replace"](old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    parquet.update_metadata(path, {"owner": "me"})
    assert [name for name, _ in done] == ["fsync", "replace", "fsync"]
    assert done[0][1].endswith(".tmp")
    assert done[1][1] == str(path)
    assert done[2][1] == str(tmp_path)
    done.clear()
    parquet.select_columns(path, tmp_path / "new.parquet", ["a"])
    # Nothing can be lost where no file is replaced.
    assert [name for name, _ in done] == ["replace"]


def test_links_stay_links(tmp_path: Path) -> None:
    path, link = tmp_path / "t.parquet", tmp_path / "link"
    pq.write_table(pa.table({"a": [1]}), path)
    link.symlink_to(path)
    parquet.update_metadata(link, {"owner": "me"})
    parquet.rename_columns(link, link, {"a": "b"})
    assert link.is_symlink()
    assert pq.read_metadata(path).metadata[b"owner"] == b"me"
    assert pq.read_schema(path).names == ["b"]
