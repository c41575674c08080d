"""The files of apache/parquet-testing, where the environment variable PARQUET_TEST_DATA points at a checkout of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import PageType
from lakecodec.parquet.inspect import describe
from lakecodec.runtime.errors import DecodeError
from tests.parquet.files import footer_of

ROOT = os.environ.get("PARQUET_TEST_DATA")
pytestmark = pytest.mark.skipif(
    ROOT is None, reason="PARQUET_TEST_DATA does not point at a checkout of parquet-testing"
)

#: Footers that cannot come back unchanged: a list<i16> where list<i32> is declared, and a field of another type than
#: the IDL gives its id.
REWRITTEN = {"bad_data/ARROW-GH-41317.parquet", "data/dict-page-offset-zero.parquet"}
#: Plaintext footers with a signature of 28 bytes behind them.
SIGNED = {f"data/{folder}encrypt_columns_plaintext_footer.parquet.encrypted" for folder in ("", "aes256/")}
#: Files whose pages cannot be walked, and what is wrong with them.
BAD_PAGES = {
    "bad_data/ARROW-GH-41321.parquet": {"the data ends inside a value", "num_values is negative"},
    "bad_data/ARROW-RS-GH-6229-DICTHEADER.parquet": {"a required field is missing", "outside the file's data"},
}
#: Its data pages hold another number of values than its column chunk says.
OTHER_NUMBER_OF_VALUES = {"bad_data/ARROW-RS-GH-6229-LEVELS.parquet"}


def corpus() -> list[str]:
    root = Path(ROOT or ".")
    if ROOT is None:
        return []
    names = (path for pattern in ("*.parquet", "*.parquet.encrypted") for path in root.rglob(pattern))
    return sorted(str(path.relative_to(root)) for path in names if path.read_bytes()[-4:] in (b"PAR1", b"PARE"))


def content(name: str) -> bytes:
    return Path(ROOT or ".", name).read_bytes()


def test_corpus_is_there() -> None:
    assert len(corpus()) >= 233


@pytest.mark.parametrize("name", corpus())
def test_footer(name: str) -> None:
    data = content(name)
    if data[-4:] == b"PARE":
        with pytest.raises(DecodeError, match="footer is encrypted"):
            parquet.read_metadata(data)
        return
    meta = parquet.read_metadata(data)
    written, original = parquet.write_metadata(meta)[:-8], footer_of(data)
    if name in REWRITTEN:
        assert written != original
        assert type(meta).from_bytes(written) == meta
    elif name in SIGNED:
        assert written == original[:-28]
    else:
        assert written == original
    json.dumps(describe(data), allow_nan=False)


@pytest.mark.parametrize("name", corpus())
def test_pages(name: str) -> None:
    data = content(name)
    if data[-4:] == b"PARE":
        return
    rules: set[str] = set()
    for group_number, group in enumerate(parquet.read_metadata(data).row_groups):
        for number, chunk in enumerate(group.columns):
            if chunk.crypto_metadata is not None:
                with pytest.raises(DecodeError, match="column is encrypted"):
                    parquet.page_headers(data, group_number, number)
                continue
            try:
                headers: list[Any] = list(parquet.page_headers(data, group_number, number))
            except DecodeError as error:
                rules.add(error.rule)
                continue
            pages = [h.data_page_header or h.data_page_header_v2 for h in headers if h.type != PageType.DICTIONARY_PAGE]
            assert chunk.meta_data is not None
            same = sum(page.num_values for page in pages if page) == chunk.meta_data.num_values
            assert same == (name not in OTHER_NUMBER_OF_VALUES)
            column_index, offset_index = parquet.page_index(data, group_number, number)
            assert (column_index is None) == (chunk.column_index_offset is None)
            assert (offset_index is None) == (chunk.offset_index_offset is None)
            if offset_index is not None:
                assert len(offset_index.page_locations) == sum(page is not None for page in pages)
    expected = BAD_PAGES.get(name, set())
    assert len(rules) >= len(expected)
    assert all(any(rule.endswith(end) for end in expected) for rule in rules)


def test_unknown_logical_type() -> None:
    """A union member that the IDL does not know keeps its id and bytes."""
    (element,) = [
        element
        for element in parquet.read_metadata(content("data/unknown-logical-type.parquet")).schema
        if element.logicalType is not None and element.logicalType.kind is None
    ]
    assert element.logicalType is not None
    assert element.logicalType.raw is not None


def test_unknown_enum_number() -> None:
    schema = parquet.read_metadata(content("bad_data/PARQUET-1481.parquet")).schema
    assert any(element.type is not None and type(element.type) is int for element in schema)


def test_all_at_once() -> None:
    paths = [str(Path(ROOT or ".", name)) for name in corpus()]
    table = parquet.column_chunks(paths, errors="column")
    failed = [row["file"] for row in table.select(["file", "error"]).to_pylist() if row["error"] is not None]
    assert failed == [path for path in paths if Path(path).read_bytes()[-4:] == b"PARE"]
    whole = sum(
        len(group.columns) for path in paths if path not in failed for group in parquet.read_metadata(path).row_groups
    )
    assert table.num_rows == whole + len(failed)


#: Where statistics are other than pyarrow's, and why: decimals whose legacy bounds were compared byte by byte as signed
#: numbers (the smallest value is 1, not 2), NaN as a bound, and an order that pyarrow does not know.
OTHER_STATISTICS = {
    "data/fixed_length_decimal.parquet",
    "data/fixed_length_decimal_legacy.parquet",
    "data/nan_in_stats.parquet",
    "data/floating_orders_nan_count.parquet",
}


# Statistics of bad files and of encrypted columns make pyarrow abort the process.
@pytest.mark.parametrize("name", [name for name in corpus() if name.startswith("data/") and name.endswith(".parquet")])
def test_statistics(name: str) -> None:
    """Typed statistics are pyarrow's wherever it gives any."""
    if content(name)[-4:] == b"PARE":
        return
    try:
        metadata = pq.ParquetFile(Path(ROOT or ".", name)).metadata
    except (OSError, pa.ArrowException):
        return
    rows = parquet.statistics(Path(ROOT or ".", name), union=True).to_pylist()
    found = [(row["min"], row["max"]) for row in rows]
    expected: list[Any] = []
    for row in rows:
        known = metadata.row_group(row["row_group"]).column(row["column"]).statistics
        bounds = (known.min, known.max) if known is not None and known.has_min_max else (None, None)
        if bounds != (None, None) and row["type"] == "halffloat":
            bounds = tuple(np.frombuffer(bound, np.float16)[0] for bound in bounds)
        elif bounds != (None, None) and "uuid" in row["type"]:
            bounds = tuple(UUID(bytes=bound) for bound in bounds)
        expected.append(bounds)
    assert (found == expected) == (name not in OTHER_STATISTICS)


#: Files that break a rule, or that pyarrow refuses or cannot decode though they are sound (the last three).
BROKEN = {
    *(f"bad_data/{name}.parquet" for name in (
        "ARROW-GH-41317", "ARROW-GH-41321", "ARROW-GH-45185", "ARROW-GH-47662", "ARROW-RS-GH-6229-DICTHEADER",
        "ARROW-RS-GH-6229-LEVELS", "PARQUET-1481",
    )),
    "data/datapage_v1-corrupt-checksum.parquet",
    "data/nation.dict-malformed.parquet",
    "data/rle-dict-uncompressed-corrupt-checksum.parquet",
    # Column indexes that call pages null whose values are not.
    "data/datapage_v1-snappy-compressed-checksum.parquet",
    "data/datapage_v1-uncompressed-checksum.parquet",
    "data/incorrect_map_schema.parquet",
    "data/encrypt_columns_plaintext_footer.parquet.encrypted",
    "data/aes256/encrypt_columns_plaintext_footer.parquet.encrypted",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in corpus() if "large_string_map" not in name])
def test_verify(name: str) -> None:
    """What pyarrow cannot read has findings, and sound files have none."""
    path = Path(ROOT or ".", name)
    found = [each for each in parquet.verify(path, deep=True) if each.is_error]
    assert bool(found) == (name in BROKEN or content(name)[-4:] == b"PARE"), [str(each) for each in found]
    try:
        pq.read_table(path, page_checksum_verification=True)
    except (OSError, pa.ArrowException):
        assert found
