"""Damaged data files: what `check(deep=True)` finds and verified scans refuse."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError
from lakecodec.lake.files import WriterOptions, file_format
from lakecodec.lake.log import Add, Log, Transaction
from lakecodec.parquet import read_metadata
from lakecodec.pipeline import check, scan

ROWS = pa.table(
    {
        "id": range(3000),
        "city": [f"city {i * 7919 % 400}" for i in range(3000)],
        "value": [None if i % 11 == 0 else i / 7 for i in range(3000)],
        "small": pa.array([i % 5 for i in range(3000)], pa.int16()),
    }
)


def one_file(root: Path, format: str) -> Path:
    """A table of one data file, made by the pipeline's own writer."""
    log = Log(root)
    writer = file_format(format)
    path = root / f"data{writer.suffix}"
    root.mkdir(parents=True)
    opened = writer.open_writer(pa.fs.LocalFileSystem(), str(path), ROWS.schema, WriterOptions(1 << 14))
    opened.write(ROWS)
    stats = opened.close()
    transaction = Transaction(log, None, "WRITE")
    transaction.set_schema(ROWS.schema, format=format)
    transaction.add(Add(path.name, {}, path.stat().st_size, 0, stats=stats))
    transaction.commit()
    return path


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_flipped_bits(tmp_path: Path, format: str) -> None:
    """No flip in a page gives other rows in silence, neither to who verifies nor to the check."""
    path = one_file(tmp_path / "t", format)
    assert check(tmp_path / "t", deep=True) == []
    assert scan(tmp_path / "t", verify=True).read_all().sort_by("id").equals(ROWS)
    whole = path.read_bytes()
    end = len(whole) - int.from_bytes(whole[-8:-4], "little") - 8 if format == "parquet" else len(whole) * 9 // 10
    chance = random.Random(5)
    found: Counter[str] = Counter()
    for _ in range(80):
        position = chance.randrange(4, end)
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1 << chance.randrange(8)]) + whole[position + 1 :])
        reported = bool(check(tmp_path / "t", deep=True))
        try:
            same = scan(tmp_path / "t", verify=True).read_all().sort_by("id").equals(ROWS)
        except DecodeError:
            found["refused", reported] += 1
        else:
            found["same" if same else "wrong", reported] += 1
    assert not {outcome for outcome in found if outcome[0] == "wrong"}, found
    assert not found["refused", False], found
    assert found["refused", True] > 40, found


def test_statistics_of_row_groups(tmp_path: Path) -> None:
    """A footer that says too little of a row group hides its rows from filters."""
    path = one_file(tmp_path / "t", "parquet")
    meta = read_metadata(path)
    chunk: Any = meta.row_groups[1].columns[0].meta_data
    assert chunk.statistics.max_value is not None
    whole = path.read_bytes()
    at = whole.rindex(bytes(chunk.statistics.max_value), 0, len(whole))
    path.write_bytes(whole[:at] + bytes(8) + whole[at + 8 :])
    messages = [problem.message for problem in check(tmp_path / "t", deep=True)]
    assert any("row group" in message and "maximum" in message for message in messages), messages


def test_files_of_writers_without_checksums(tmp_path: Path) -> None:
    path = one_file(tmp_path / "t", "parquet")
    pq.write_table(ROWS, path, compression="none", use_dictionary=False)
    assert [problem.kind for problem in check(tmp_path / "t", deep=True)] == ["size"]
    whole = bytearray(path.read_bytes())
    whole[whole.index((1500).to_bytes(8, "little")) + 4] ^= 1
    path.write_bytes(whole)
    kinds = {problem.kind for problem in check(tmp_path / "t", deep=True)}
    assert kinds == {"size", "statistics"}
