"""Apache Thrift as the oracle: the same bytes for the same values of every type, and each reads what the other wrote."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec.generated import parquet
from lakecodec.runtime.compact.encode import encode

from ...parquet.files import ARROW_FILES, FASTPARQUET_FILES, footer_of
from .apache import Oracle
from .backends import BACKENDS, kitchen, outcomes, running
from .plain import plain
from .readings import agreed
from .values import instances

KITCHEN = kitchen()
ORACLES = {
    "pure": Oracle(KITCHEN.__spec__, accelerated=False),
    "accelerated": Oracle(KITCHEN.__spec__, accelerated=True),
}
PARQUET = Oracle(parquet.__spec__, accelerated=True)
#: The types with a test of their own, so that a failure is small.
NAMES = ("Scalars", "Lists", "Sets", "Maps", "Spread", "Defaults", "Tree", "Strict", "Failure", "Choice")
FOOTERS = {name: ARROW_FILES[name] for name in ("defaults", "nested page index", "no rows", "sorting columns")}

quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def assert_agree(value: Any, oracle: Oracle) -> None:
    """Both backends and the interpreter write what Apache writes, and read it as Apache does."""
    theirs = oracle.encode(value)
    assert encode(type(value).__spec__, value, "strict", "") == theirs
    assert outcomes(value.to_bytes) == [("value", theirs)] * len(BACKENDS)
    assert agreed(type(value), theirs) == ("value", plain(oracle.decode(type(value), theirs)), len(theirs))


@pytest.mark.parametrize("oracle", ORACLES)
@pytest.mark.parametrize("name", NAMES)
@quick
@given(data=st.data())
def test_random_values(name: str, oracle: str, data: st.DataObject) -> None:
    assert_agree(data.draw(instances(getattr(KITCHEN, name))), ORACLES[oracle])


@pytest.mark.fuzz
@settings(max_examples=3000, deadline=None, suppress_health_check=list(HealthCheck))
@given(value=instances(KITCHEN.Everything))
def test_many_random_values(value: Any) -> None:
    assert_agree(value, ORACLES["accelerated"])


@pytest.mark.parametrize("name", ["FileMetaData", "PageHeader", "ColumnIndex", "OffsetIndex", "BloomFilterHeader"])
@quick
@given(data=st.data())
def test_random_parquet_metadata(name: str, data: st.DataObject) -> None:
    assert_agree(data.draw(instances(getattr(parquet, name), depth=6)), PARQUET)


@pytest.mark.parametrize("name", FOOTERS)
def test_footers_of_real_files(name: str) -> None:
    footer = footer_of(FOOTERS[name]())
    theirs = PARQUET.decode(parquet.FileMetaData, footer)
    assert PARQUET.encode(theirs) == footer
    assert_agree(theirs, PARQUET)


def test_fastparquet_footer() -> None:
    footer = footer_of(FASTPARQUET_FILES["fastparquet"]())
    theirs = plain(PARQUET.decode(parquet.FileMetaData, footer))
    for backend in BACKENDS:
        with running(backend):
            assert plain(parquet.FileMetaData.from_bytes(footer)) == theirs
