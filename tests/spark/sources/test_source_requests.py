"""How often the source ``lake`` asks the storage, as in Spark's processes, which hand the pickled source on."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pyarrow as pa
import pytest

from lakecodec.lake.log import Log, Transaction
from tests.lake.log import tables
from tests.lake.log.test_log_s3 import append
from tests.lake.s3 import BUCKET, Server, server

pyspark = pytest.importorskip("pyspark")

if TYPE_CHECKING:
    from lakecodec.spark.sources.lake import LakeSource


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server() as found:
        yield found


def source(path: str, **options: str) -> LakeSource:
    from lakecodec.spark.sources.lake import LakeSource

    return LakeSource({"path": path, **options})


def handed_on(value: Any) -> Any:
    """What the next process of Spark gets."""
    return pickle.loads(pickle.dumps(value))


def read(of: LakeSource, schema: Any) -> list[Any]:
    reader = handed_on(handed_on(of).reader(schema))
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    return sorted(pa.Table.from_batches(batches)["id"].to_pylist())


def test_the_log_is_read_once(s3: Server) -> None:
    url = f"s3://{BUCKET}/{uuid4().hex}"
    for number in range(3):
        append(url, number)
    lake = source(url)
    with s3.count() as requests:
        schema = lake.schema()
    assert (requests["LIST"], requests["GET"], requests["HEAD"]) == (1, 3, 0)  # a commit each
    with s3.count() as requests:
        assert read(lake, schema) == [0, 1, 2]
    assert (requests["LIST"], requests["GET"]) == (
        1,
        3,
    )  # is there a newer version?, and the files, which fit one request
    append(url, 3)
    with s3.count() as requests:
        assert read(lake, schema) == [0, 1, 2, 3]
    assert (requests["LIST"], requests["GET"]) == (1, 1 + 4)  # the new commit alone
    old = source(url, version="1")
    schema = old.schema()
    with s3.count() as requests:
        assert read(old, schema) == [0, 1]
    assert (requests["LIST"], requests["GET"]) == (0, 2)


def test_columns_that_change_between(tmp_path: Path) -> None:
    """The columns of one version are not read from the files of another that has others."""
    path = tmp_path / "t"
    tables.append(path, tables.rows(0))
    lake, part = source(str(path)), source(str(path), columns="id,city")
    schema, without = lake.schema(), part.schema()
    log = Log(path)
    transaction = Transaction(log, log.snapshot(), "WRITE", parameters={"mode": "Overwrite"})
    for add in log.snapshot().files:
        transaction.remove(add)
    rows = pa.table({"id": [7], "city": ["Bern"], "day": ["Monday"]})
    transaction.set_schema(rows.schema, ())
    transaction.add(tables.write_file(path, rows))
    transaction.commit()
    with pytest.raises(
        ValueError, match=r"the columns day were changed between version 0, .* version 1: load the table"
    ):
        read(lake, schema)
    assert read(part, without) == [7]
    assert read(source(str(path)), source(str(path)).schema()) == [7]
