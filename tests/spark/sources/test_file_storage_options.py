"""Options ``storage.<name>`` of the data sources that read files without a log."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from s3fs import S3FileSystem

from lakecodec import mosaic
from lakecodec.spark.sources.mosaic import MosaicSource
from lakecodec.spark.sources.parquet_metadata import ParquetMetadataSource
from tests.lake.s3 import BUCKET, Server, server

_TABLE = pa.table({"id": [1, 2, 3]})


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server(named=False) as found:
        yield found


def _options(s3: Server, folder: str) -> dict[str, Any]:
    given = {"storage.endpoint_url": s3.url, "storage.key": "test", "storage.secret": "test"}
    return {"path": f"s3://{BUCKET}/{folder}", **given}


def _num_rows(source: Any) -> int:
    reader = source.reader(source.schema())
    found = pickle.loads(pickle.dumps(reader.partitions()))
    return sum(batch.num_rows for partition in found for batch in reader.read(partition))


def test_mosaic(s3: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lakecodec.spark.sources.mosaic_write.task_number", lambda: 0)
    for name in ("a", "b"):
        mosaic.write_table(_TABLE, f"s3://{BUCKET}/rows/{name}.mosaic", storage_options=s3.options)
    source = MosaicSource(_options(s3, "rows"))
    assert _num_rows(source) == 6
    writer = MosaicSource(_options(s3, "copy-of-rows")).writer(source.schema(), False)
    writer = pickle.loads(pickle.dumps(writer))
    writer.commit([writer.write(iter(_TABLE.to_batches()))])
    assert _num_rows(MosaicSource(_options(s3, "copy-of-rows"))) == 3


def test_parquet_metadata(s3: Server) -> None:
    data = io.BytesIO()
    pq.write_table(_TABLE, data)
    S3FileSystem(**s3.options).pipe_file(f"{BUCKET}/footers/a.parquet", data.getvalue())
    assert _num_rows(ParquetMetadataSource(_options(s3, "footers"))) == 1


def test_a_local_path_has_none(s3: Server) -> None:
    with pytest.raises(ValueError, match=r"storage_options: '/rows' is a local path, which has none"):
        MosaicSource({**_options(s3, "rows"), "path": "/rows"}).schema()
