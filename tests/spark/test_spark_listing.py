"""Paths, directories, patterns and URLs as lists of files, without Spark."""

from __future__ import annotations

import os
import re
from pathlib import Path

import fsspec
import pytest
from pyarrow import fs

from lakecodec.lake.listing import FileEntry, is_hidden, list_files, list_filesystem


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("b.parquet", "a/c.parquet", "a/_key=1/d.parquet", "_SUCCESS", ".b.crc", "_tmp/e.parquet", "a/.x/f"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"1234")
    return tmp_path


def names(entries: list[FileEntry], below: Path) -> list[str]:
    return [str(Path(entry.path).relative_to(below)) for entry in entries]


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("part.parquet", False), ("_SUCCESS", True), (".crc", True), ("_key=1", False), ("key=1", False), (".a=1", True)],
)
def test_hidden_names(name: str, hidden: bool) -> None:
    assert is_hidden(name) is hidden


def test_directory_is_listed_to_any_depth_without_hidden_names(tree: Path) -> None:
    entries = list_files([str(tree)])
    assert names(entries, tree) == ["a/_key=1/d.parquet", "a/c.parquet", "b.parquet"]
    assert {entry.size for entry in entries} == {4}


def test_named_file_is_taken_even_if_hidden(tree: Path) -> None:
    assert names(list_files([str(tree / "_SUCCESS")]), tree) == ["_SUCCESS"]


def test_relative_paths_become_absolute(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert list_files(["b.parquet"]) == [FileEntry(str(tree / "b.parquet"), 4)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.parquet", ["b.parquet"]),
        ("*/*.parquet", ["a/c.parquet"]),
        ("**/*.parquet", ["a/_key=1/d.parquet", "a/c.parquet", "b.parquet"]),
        ("_tmp/*", ["_tmp/e.parquet"]),
        ("[ab]*", ["a/_key=1/d.parquet", "a/c.parquet", "b.parquet"]),
    ],
)
def test_patterns(tree: Path, pattern: str, expected: list[str]) -> None:
    assert names(list_files([str(tree / pattern)]), tree) == expected


def test_existing_path_with_pattern_characters_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "a[1].parquet").write_bytes(b"1")
    (tmp_path / "a1.parquet").write_bytes(b"1")
    assert names(list_files([str(tmp_path / "a[1].parquet")]), tmp_path) == ["a[1].parquet"]


def test_order_of_paths_is_kept_and_repetitions_are_dropped(tree: Path) -> None:
    paths = [str(tree / "b.parquet"), str(tree / "a"), str(tree)]
    assert names(list_files(paths), tree) == ["b.parquet", "a/_key=1/d.parquet", "a/c.parquet"]


def test_file_url(tmp_path: Path) -> None:
    (tmp_path / "a b.parquet").write_bytes(b"1")
    assert names(list_files([(tmp_path / "a b.parquet").as_uri()]), tmp_path) == ["a b.parquet"]
    with pytest.raises(ValueError, match="must not name a host"):
        list_files(["file://elsewhere/a.parquet"])


@pytest.mark.parametrize("missing", ["nothing", "nothing*.parquet"])
def test_missing_path(tmp_path: Path, missing: str) -> None:
    with pytest.raises(FileNotFoundError, match=rf"path: '.*{re.escape(missing)}' does not exist"):
        list_files([str(tmp_path), str(tmp_path / missing)])


def test_empty_path_and_empty_directory(tmp_path: Path) -> None:
    assert list_files([str(tmp_path)]) == []
    with pytest.raises(ValueError, match="path: empty"):
        list_files([""])


def test_links_are_followed_once(tree: Path) -> None:
    os.symlink(tree, tree / "a" / "loop")
    os.symlink(tree / "gone", tree / "z.parquet")
    assert names(list_files([str(tree)]), tree) == ["a/_key=1/d.parquet", "a/c.parquet", "b.parquet", "z.parquet"]


def test_file_systems_of_pyarrow(tree: Path) -> None:
    remote = fs.SubTreeFileSystem(str(tree), fs.LocalFileSystem())
    assert list(list_filesystem(remote, "a", "s3://bucket/a?region=x")) == [
        FileEntry("s3://bucket/a/_key=1/d.parquet?region=x", 4),
        FileEntry("s3://bucket/a/c.parquet?region=x", 4),
    ]
    assert list(list_filesystem(remote, "a/c.parquet", "s3://bucket/a/c.parquet")) == [
        FileEntry("s3://bucket/a/c.parquet", 4)
    ]
    with pytest.raises(FileNotFoundError, match="s3://bucket/none"):
        list(list_filesystem(remote, "none", "s3://bucket/none"))
    with pytest.raises(ValueError, match="local paths only"):
        list_files(["s3://bucket/*.parquet"])


def test_file_systems_of_fsspec() -> None:
    memory = fsspec.filesystem("memory")
    for name in ("a=1/b.parquet", "c.parquet", "_SUCCESS"):
        memory.pipe(f"/listing/{name}", b"123")
    assert list_files(["memory://listing"]) == [
        FileEntry("memory://listing/a=1/b.parquet", 3),
        FileEntry("memory://listing/c.parquet", 3),
    ]
    with pytest.raises(FileNotFoundError, match="memory://listing/none"):
        list_files(["memory://listing/none"])
