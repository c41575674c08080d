"""Column chunks of wide files at random access: the same as in the whole footer, in time that does not grow with the width."""

from __future__ import annotations

import contextlib
import os
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.fs import LocalFileSystem

from lakecodec import DecodeError, parquet
from lakecodec.parquet import footer_cache
from lakecodec.parquet.chunk_places import ChunkPlaces
from lakecodec.parquet.footer import Footer
from lakecodec.runtime.tail_cache import TAIL_SIZE
from tests.bounds import cpu_seconds

from .files import FILES


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footer_cache, "_is_time_unique", lambda changed, now: True)


def written(path: Path, columns: int, groups: int = 1) -> str:
    table = pa.table({f"c{number}": pa.array([number] * groups, pa.int32()) for number in range(columns)})
    pq.write_table(table, path, row_group_size=1)
    return str(path)


@pytest.mark.parametrize("name", sorted(FILES))
def test_chunks_are_those_of_the_footer(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(FILES[name]())
    whole = parquet.read_metadata(path)
    names = (
        [".".join(chunk.meta_data.path_in_schema) for chunk in whole.row_groups[0].columns] if whole.row_groups else []
    )
    cache = parquet.FooterCache(tmp_path / "cache")
    for _ in range(2):
        found = cache.chunks(str(path), columns=names[::-1])
        assert found == [chunk for group in whole.row_groups for chunk in group.columns[::-1]]
    assert parquet.FooterCache(tmp_path / "cache").chunks(path, names) == found[::-1] or len(whole.row_groups) != 1
    assert cache.metadata(path) == whole


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    cache = parquet.FooterCache(tmp_path / "cache")
    path = written(tmp_path / "a.parquet", 3)
    cache.chunks(path, ["c2"])
    written(tmp_path / "b.parquet", 4, 2)
    os.replace(tmp_path / "b.parquet", path)
    assert len(cache.chunks(path, ["c3", "c0"])) == 4
    with pytest.raises(KeyError, match="c9"):
        cache.chunks(path, ["c9"])
    with pytest.raises(TypeError, match="columns"):
        cache.chunks(path, "c0")
    os.remove(path)
    with pytest.raises(FileNotFoundError):
        cache.chunks(path, ["c0"])


def test_groups_and_nothing(tmp_path: Path) -> None:
    table = pa.table({"a": [{"x": 1, "y": [2]}], "b": [1]})
    pq.write_table(table, tmp_path / "n.parquet")
    cache = parquet.FooterCache(tmp_path / "cache")
    paths = [chunk.meta_data.path_in_schema for chunk in cache.chunks(tmp_path / "n.parquet", ["b", "a"])]
    assert paths == [["b"], ["a", "x"], ["a", "y", "list", "element"]]
    assert cache.chunks(tmp_path / "n.parquet", []) == []


def test_the_time_does_not_grow_with_the_width(tmp_path: Path) -> None:
    cache = parquet.FooterCache(tmp_path / "cache")
    times = []
    for columns in (50, 5000):
        path = written(tmp_path / f"{columns}.parquet", columns)
        names = [f"c{number * columns // 5}" for number in range(5)]
        cache.chunks(path, names)
        times.append(min(cpu_seconds(partial(cache.chunks, path, names)) for _ in range(50)))
    assert times[1] < 10 * times[0]


@pytest.mark.parametrize("cut", range(1, 400, 7))
def test_damaged_footers(cut: int, tmp_path: Path) -> None:
    path = written(tmp_path / "a.parquet", 2, 2)
    footer = parquet.write_metadata(parquet.read_metadata(path))[:-8]
    for data in (footer[:-cut], footer[:cut] + b"\xff" + footer[cut + 1 :]):
        with contextlib.suppress(DecodeError, KeyError):
            ChunkPlaces(Footer(memoryview(data), 4, SimpleNamespace(name=""))).chunks(["c1"])  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["str", "path", "url", "fsspec", "arrow"])
def test_places_are_found_once(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, found, made = {}, [], []
    for columns in (3000, 3100):
        path = files[columns] = written(tmp_path / f"{columns}.parquet", columns)
        assert os.path.getsize(path) > 4 * TAIL_SIZE
    filesystem = {"fsspec": fsspec.filesystem("file"), "arrow": LocalFileSystem()}.get(kind)
    cache = parquet.FooterCache(tmp_path / "cache")

    def places(footer: Footer) -> ChunkPlaces:
        made.append(footer.tail.reads)
        return ChunkPlaces(footer)

    monkeypatch.setattr(footer_cache, "ChunkPlaces", places)
    for columns, path in files.items():
        file = {"path": Path(path), "url": Path(path).as_uri()}.get(kind, path)
        found += [cache.chunks(file, ["c7", f"c{columns - 1}"], filesystem=filesystem) for _ in range(3)]
    assert [[chunk.meta_data.path_in_schema for chunk in each] for each in found] == [
        [["c7"], [f"c{columns - 1}"]] for columns in files for _ in range(3)
    ]
    # One read each, however long the footer is.
    assert made == [1, 1]
    os.utime(path, ns=(1, 1))
    cache.chunks(file, ["c7"], filesystem=filesystem)
    assert made == [1, 1, 1]
