"""Options of an object store as arguments, in an environment that knows nothing of it."""

from __future__ import annotations

import inspect
import json
import os
import pickle
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from lakecodec import pipeline
from lakecodec.cli.app import run as lakecodec
from lakecodec.lake.log import Log
from lakecodec.lake.log.storage import Storage
from lakecodec.pipeline import (
    StoreUrl,
    check,
    count,
    explain,
    history,
    properties,
    restore,
    scan,
    scan_changes,
    set_properties,
    unset_properties,
    vacuum,
)
from lakecodec.workbench import verify
from tests.lake.log.test_log_s3 import append, ids
from tests.lake.s3 import BUCKET, Server, server
from tests.spark.scripts import run_script


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server(named=False) as found:
        yield found


@pytest.fixture
def url(s3: Server) -> StoreUrl:
    return StoreUrl(f"s3://{BUCKET}/{uuid4().hex}", **s3.options)


def test_they_go_where_the_url_goes(s3: Server, url: StoreUrl) -> None:
    assert "FSSPEC_S3_ENDPOINT_URL" not in os.environ
    append(url, 1, 2, 3)
    append(pickle.loads(pickle.dumps(url)), 4)
    assert ids(url, where="id > 1") == [2, 3, 4]
    assert scan(str(url), columns=["id"], storage_options=s3.options).read_all().num_rows == 4
    assert (count(url), len(history(url)), explain(url, where="id = 4").files, check(url, deep=True)) == (4, 2, 1, [])
    assert "secret" not in repr(url) + repr(Log(url))


def test_each_function_that_takes_a_path_takes_them(s3: Server, url: StoreUrl) -> None:
    for name in filter(str.islower, pipeline.__all__):
        arguments = inspect.signature(getattr(pipeline, name)).parameters
        assert "storage_options" in arguments or not {"path", "target", "parquet_directory"} & set(arguments), name
    path, given = str(url), {"storage_options": s3.options}
    append(url, 1, 2, 3)
    assert set_properties(path, {"delta.enableChangeDataFeed": True}, **given).version == 1
    append(url, 4)
    assert properties(path, **given)["delta.enableChangeDataFeed"] == "true"
    assert scan_changes(path, 1, **given).read_all()["id"].to_pylist() == [4]
    assert unset_properties(path, "delta.enableChangeDataFeed", **given).version == 3
    assert restore(None, path, 0, **given).version == 4
    assert (count(path, **given), explain(path, **given).files_total, len(history(path, **given))) == (3, 1, 5)
    assert vacuum(path, retention=timedelta(0), **given) != [] == check(path, **given)


def test_on_the_command_line(s3: Server, url: StoreUrl, capsys: pytest.CaptureFixture[str]) -> None:
    append(url, 1, 2)
    given = [f"{name}={json.dumps(value) if isinstance(value, dict) else value}" for name, value in s3.options.items()]
    options = [part for text in given for part in ("--storage-option", text)]
    assert lakecodec([*options, "count", str(url)]) == 0
    assert capsys.readouterr().out == "2\n"
    assert lakecodec(["scan", str(url), "-o", f"{url}/rows.csv", *options]) == 0
    assert lakecodec(["verify", str(url), *options]) == 0
    assert verify(str(url), storage_options=s3.options)[0].path == "rows.csv"
    assert verify(f"{url}/rows.csv", "parquet_file.File", storage_options=s3.options)[0].is_error
    capsys.readouterr()
    assert lakecodec([*options, "count", "somewhere"]) == 2
    assert "there is none among the arguments" in capsys.readouterr().err
    assert lakecodec(["--storage-option", "key", "count", str(url)]) == 2


def test_urls_that_have_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"storage_options: .* is a local path, which has none"):
        scan(tmp_path, storage_options={"key": "x"})
    with pytest.raises(ValueError, match=r"storage_options: .*adlfs, which is not installed"):
        Storage(StoreUrl("abfs://a@b.dfs.core.windows.net/t", account_key="x"))
    assert Storage(StoreUrl("memory://t", skip_instance_cache=True)).root == "/t"


@pytest.mark.spark
def test_driver_and_workers(s3: Server, url: StoreUrl, tmp_path: Path) -> None:
    (tmp_path / "options.json").write_text(json.dumps({"url": str(url), "options": s3.options}))
    assert run_script("s3_options.py", tmp_path) == {"rows": 1000, "part": 333, "source": 666, "stream": 1333}
    assert check(url) == []
