"""Options of object stores: the same for files and tables, as arguments and on the command line."""

from __future__ import annotations

import inspect
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from s3fs import S3FileSystem
from typer.main import get_command

from lakecodec import mosaic, parquet, workbench
from lakecodec.cli.app import app
from lakecodec.cli.app import run as lakecodec
from lakecodec.runtime.urls import StoreUrl, below, filesystem_of, is_directory, located
from tests.lake.s3 import BUCKET, Server, server

_TABLE = pa.table({"id": list(range(100)), "name": [f"n{number}" for number in range(100)]})


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server(named=False) as found:
        yield found


@pytest.fixture
def folder(s3: Server) -> str:
    """A URL below which there are two Parquet files, a hidden one and a Mosaic file without its ending."""
    url = f"s3://{BUCKET}/{uuid4().hex}"
    data = io.BytesIO()
    pq.write_table(_TABLE, data, row_group_size=50, write_page_index=True)
    client = S3FileSystem(**s3.options)
    for name in ("files/a.parquet", "files/part=1/b.parquet", "files/_hidden.parquet"):
        client.pipe_file(f"{url}/{name}", data.getvalue())
    stored = io.BytesIO()
    mosaic.write_table(_TABLE, stored)
    client.pipe_file(f"{url}/rows", stored.getvalue())
    return url


def _options(s3: Server) -> list[str]:
    texts = [f"{name}={json.dumps(value) if isinstance(value, dict) else value}" for name, value in s3.options.items()]
    return [part for text in texts for part in ("--storage-option", text)]


@pytest.mark.parametrize("module", [parquet, mosaic, workbench])
def test_each_function_that_opens_files_takes_them(module: ModuleType) -> None:
    opened = {"source", "sources", "source_or_metadata", "path", "where", "target", "old"}
    # A cache is a local file; of the others that are classes only Mosaic's open files.
    classes = {"MosaicFile", "MosaicWriter"}
    functions = {name for name in module.__all__ if name.islower()}
    for name in functions | (classes & set(module.__all__)):
        arguments = set(inspect.signature(getattr(module, name)).parameters)
        assert "storage_options" in arguments or not opened & arguments, name


def test_parquet_files(s3: Server, folder: str) -> None:
    assert "FSSPEC_S3_ENDPOINT_URL" not in os.environ
    given: dict[str, Any] = {"storage_options": s3.options}
    files, first, made = f"{folder}/files", f"{folder}/files/a.parquet", f"{folder}/made.parquet"
    assert [each.num_rows for each in parquet.read_metadatas(files, **given)] == [100, 100]
    assert parquet.read_metadatas(iter([first, io.BytesIO(_bytes(s3, first))]), **given)[0].num_rows == 100
    assert parquet.column_chunks(files, **given).num_rows == 8
    assert parquet.row_groups_with([files], "id", 70, **given).num_rows == 2
    assert parquet.statistics(first, **given).num_rows == 4
    assert parquet.page_index(first, 0, "id", **given)[1] is not None
    assert len(list(parquet.page_headers(first, 0, "id", **given))) > 0
    assert parquet.bloom_filter(first, 0, "id", **given) is None
    parquet.concat([files, first], made, **given)
    parquet.update_metadata(made, {"key": "value"}, **given)
    metadata = parquet.read_metadata(made, **given)
    assert (metadata.num_rows, metadata.key_value_metadata[-1].value) == (300, "value")
    local = io.BytesIO()
    parquet.select_columns(made, local, ["id"], **given)
    assert pq.read_table(local).column_names == ["id"]
    assert parquet.verify(made, deep=True, **given) == []
    assert parquet.merge_metadata(files, **given).row_groups[2].columns[0].file_path == "part=1/b.parquet"
    with S3FileSystem(**s3.options).open(made) as file:
        assert pq.read_table(file).num_rows == 300


def _bytes(s3: Server, url: str) -> bytes:
    found: bytes = S3FileSystem(**s3.options).cat_file(url)
    return found


def test_other_files(s3: Server, folder: str) -> None:
    given: dict[str, Any] = {"storage_options": s3.options}
    made = f"{folder}/made.mosaic"
    mosaic.write_table(_TABLE, made, **given)
    assert mosaic.read_table(made, **given).equals(_TABLE)
    assert mosaic.read_schema(made, **given).names == ["id", "name"]
    assert mosaic.read_metadata(made, **given).num_rows == 100
    assert workbench.verify(made, deep=True, **given) == []
    assert workbench.diff(made, f"{folder}/rows", **given) == []
    assert workbench.load(json.loads(workbench.dumps(made, **given))) == _bytes(s3, made)
    assert workbench.explore(made, **given).root.size == len(_bytes(s3, made))


def test_every_command_has_the_option() -> None:
    groups = [get_command(app)]
    for group in groups:
        for name, command in group.commands.items():  # type: ignore[attr-defined]
            if hasattr(command, "commands"):
                groups.append(command)
            else:
                assert any("--storage-option" in each.opts for each in command.params), name


def test_on_the_command_line(s3: Server, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str, code: int = 0) -> str:
        assert lakecodec(list(words)) == code, capsys.readouterr().err
        return capsys.readouterr().out

    options, files, first = _options(s3), f"{folder}/files", f"{folder}/files/a.parquet"
    assert len(json.loads(said(*options, "inspect", files, "--json"))) == 2
    assert json.loads(said("inspect", *options, first, "--json"))["num_rows"] == 100
    assert "buckets" in said("inspect", f"{folder}/rows", "--json", *options)
    assert said("parquet", "grep", "id=70", files, "-l", *options).split() == [first, f"{files}/part=1/b.parquet"]
    assert "no errors" in said(*options, "verify", first)
    assert said("diff", first, f"{files}/part=1/b.parquet", *options) == ""
    said("parquet", "concat", files, "-o", f"{folder}/joined.parquet", *options)
    said("parquet", "merge", files, *options)
    assert parquet.read_metadata(f"{files}/_metadata", storage_options=s3.options).num_rows == 200
    assert "PAR1" in said("explore", f"{folder}/joined.parquet", *options)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["inspect", "a.parquet", "--storage-option", "key=x"], "none among the arguments"),
        (["--storage-option", "key=x", "generate"], "none among the arguments"),
        (["convert", "s3://b/a.parquet", "a.csv", "--storage-option", "key=x"], "convert a local copy"),
        (["inspect", "s3://b/a", "--storage-option", "key"], "KEY=VALUE is needed"),
        (["inspect", "s3://b/a", "--storage-option", "config_kwargs={"], "is not a JSON object"),
    ],
)
def test_refused_on_the_command_line(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lakecodec(words) == 2
    assert text in capsys.readouterr().err.replace("\n", " ")


def test_refused() -> None:
    with pytest.raises(ValueError, match=r"storage_options: 'a.parquet' is a local path"):
        parquet.read_metadata("a.parquet", storage_options={"key": "x"})
    with pytest.raises(ValueError, match=r"storage_options: 'file:///a' is a local path"):
        located({"key": "x"}, ["file:///a"])
    with pytest.raises(ValueError, match="storage_options: there is no URL"):
        parquet.read_metadata(b"", storage_options={"key": "x"})
    with pytest.raises(ValueError, match="storage_options: not with filesystem"):
        parquet.read_metadata("b/a", filesystem=object(), storage_options={"key": "x"})
    with pytest.raises(ValueError, match="storage_options: the URL has options of its own"):
        filesystem_of(StoreUrl("s3://b/a?endpoint_override=localhost", key="x"))


def test_a_file_that_is_not_there(s3: Server, folder: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(FileNotFoundError, match=f"there is no file '{folder}/none'"):
        parquet.read_metadata(f"{folder}/none", storage_options=s3.options)
    with pytest.raises(IsADirectoryError, match="is a directory"):
        parquet.read_metadata(f"{folder}/files", storage_options=s3.options)
    assert lakecodec(["inspect", f"{folder}/none", *_options(s3)]) == 2
    assert f"there is no file '{folder}/none'" in capsys.readouterr().err


def test_files_of_a_directory_keep_them(s3: Server, folder: str) -> None:
    url = StoreUrl(folder, **s3.options)
    assert below(url, "rows").options == url.options  # type: ignore[attr-defined]
    assert is_directory(url)
    assert not is_directory(below(url, "rows"))


def test_files_take_the_environment_as_tables_do(s3: Server, folder: str) -> None:
    code = f"from lakecodec import parquet; print(parquet.read_metadata({folder + '/files/a.parquet'!r}).num_rows)"
    settings = {"FSSPEC_S3_ENDPOINT_URL": s3.url, "FSSPEC_S3_KEY": "test", "FSSPEC_S3_SECRET": "test"}
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("100\n", 0), done.stderr


def test_urls_with_pyarrows_options_go_to_pyarrow() -> None:
    filesystem, path = filesystem_of("s3://b/a?region=us-east-1&endpoint_override=localhost:1")
    assert (filesystem.type_name, path) == ("s3", "b/a")
    assert filesystem_of("s3://key:secret@b/a?region=us-east-1")[0].type_name == "s3"


def test_without_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    monkeypatch.setattr("lakecodec.runtime.urls.find_spec", lambda name: None)
    with pytest.raises(ValueError, match="storage_options: they are those of s3fs, which is not installed"):
        filesystem_of(StoreUrl("s3://b/a", anon=True))
    with pytest.raises(ValueError, match="'s3a' URLs need the package s3fs, which is not installed"):
        filesystem_of("s3a://b/a")
    monkeypatch.setenv("FSSPEC_S3_ANON", "true")
    with pytest.raises(ValueError, match="they are those of s3fs"):
        filesystem_of("s3://b/a")
