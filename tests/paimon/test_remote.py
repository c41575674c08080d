"""Tables on an object store: how often a reader waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pytest

from lakecodec import paimon
from lakecodec.paimon.scanning import open_scan
from tests.lake.s3 import BUCKET, Server, server

from .peer import rows

#: Of a file that the first request of its end does not hold.
ROWS, COLUMNS = 30_000, 24


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server() as found:
        yield found


def wide(seed: int) -> pa.Table:
    chance = np.random.default_rng(seed)
    return pa.table(
        {"id": range(seed * ROWS, (seed + 1) * ROWS)} | {f"c{n}": chance.random(ROWS) for n in range(COLUMNS)}
    )


@pytest.mark.parametrize("format", ["mosaic", "parquet", "orc"])
def test_rounds_of_requests(s3: Server, format: str) -> None:
    """At most three per file that depend on each other, and no more for eight files than for one."""
    url = f"s3://{BUCKET}/{uuid4().hex}"
    rounds = []
    for number in range(4):
        paimon.write(wide(number), url, file_format=format)
        if number not in (0, 3):
            continue
        with s3.rounds() as planning:
            scan = open_scan(url, columns=["c3", "c17"], where=f"id >= {number * ROWS}")
        assert (
            planning.number <= 5
        )  # lists of snapshots and schemas, snapshot and schema, lists of manifests, manifests
        with s3.rounds() as reading:
            found = scan.reader().read_all()
        assert found.num_rows == ROWS
        with s3.rounds() as every:
            assert paimon.scan(url, columns=["c1"]).read_all().num_rows == (number + 1) * ROWS
        rounds.append((reading.number, every.number - planning.number))
        assert max(rounds[-1]) <= 3
    assert rounds[0] == rounds[1]


def test_rounds_of_a_wide_file(s3: Server) -> None:
    """Ten of some thousand columns: the end of the file, then their buckets, all at once, then pages in these."""
    url = f"s3://{BUCKET}/{uuid4().hex}"
    chance = np.random.default_rng(9)
    paimon.write(pa.table({f"column {n}": chance.random(2000) for n in range(3000)}), url)
    scan = open_scan(url, columns=[f"column {n}" for n in range(5, 3000, 300)])
    with s3.rounds() as reading, s3.count() as requests:
        assert scan.reader().read_all().num_rows == 2000
    assert reading.number <= 3
    assert requests["GET"] <= 1 + 2 * 10


def test_requests(s3: Server) -> None:
    """Sizes are in manifests, and so nothing asks for them."""
    url = f"s3://{BUCKET}/{uuid4().hex}"
    table = pa.table({"id": range(1000), "name": [f"name {n}" for n in range(1000)]})
    for start in range(0, 1000, 250):
        paimon.write(table.slice(start, 250), url, partition_by=[])
    with s3.count() as requests:
        assert rows(paimon.scan(url)) == rows(table)
    assert requests["HEAD"] == 0
    assert requests["LIST"] == 2
    assert requests["GET"] == 1 + 1 + 2 + 4 + 4  # snapshot, schema, lists, manifests, files
    with s3.count() as requests:
        assert paimon.count(url, where="id >= 900") == 100
    assert requests["GET"] == 1 + 1 + 2 + 4 + 1
