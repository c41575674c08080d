"""Indexes that git writes, and those that it reads after a change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from .gallery import Gallery

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is needed")

GIT = Gallery("git_index")


def git(folder: Path, *arguments: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "index.version=2")
    command = ["git", "-C", str(folder), *settings, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for number, name in enumerate(("a", "bb/ccc", "bb/d" * 20, "ü.txt", "run.sh")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("x" * number)
    (tmp_path / "run.sh").chmod(0o755)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    git(tmp_path, "status")
    return tmp_path


def index(repository: Path) -> bytes:
    return (repository / ".git" / "index").read_bytes()


def test_entries(repository: Path) -> None:
    found = GIT.round_trip(index(repository))
    listed = git(repository, "ls-files", "-z", "--stage").split("\0")[:-1]
    assert [f"{each.mode:o} {each.hash.hex()} 0\t{each.path}" for each in found.entries] == listed
    assert [each.file_size for each in found.entries] == [(repository / e.path).stat().st_size for e in found.entries]
    assert b"TREE" in [each.name for each in found.extensions]


def test_flags_of_version_3(repository: Path) -> None:
    (repository / "later").write_text("x")
    git(repository, "add", "--intent-to-add", "later")
    found = GIT.round_trip(index(repository))
    assert found.version == 3
    assert {each.path: each.more_flags for each in found.entries}["later"] == 0x2000


def test_changed_index(repository: Path) -> None:
    found = GIT.round_trip(index(repository))
    (entry,) = (each for each in found.entries if each.path == "a")
    entry.path, entry.flags, entry.mode = "aa", entry.flags + 1, 0o100755
    found.extensions = []
    data = GIT.write(found)
    found.checksum = hashlib.sha1(data[:-20]).digest()
    (repository / ".git" / "index").write_bytes(found.to_bytes())
    assert git(repository, "ls-files", "--stage").splitlines()[0].endswith("\taa")
    git(repository, "fsck", "--strict")


def test_damage(repository: Path) -> None:
    assert GIT.damage(index(repository)) > 50
