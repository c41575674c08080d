"""Descriptions of Mosaic files, and `lakecodec inspect` of them."""

from __future__ import annotations

import datetime
import io
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from lakecodec import DecodeError, mosaic
from lakecodec.cli import run
from lakecodec.mosaic.inspect import describe, describe_dictionary, render, render_dictionary
from tests.mosaic.tables import random_options, random_table

DAYS = [datetime.date(2024, 1, day) for day in range(1, 10)]
TABLE = pa.table(
    {
        "n": pa.array([1, 2, None, 2, 1, 1, 1, 1, 1]),
        "same": ["x"] * 9,
        "tags": pa.array([["a", "b"], None, ["a"]] * 3),
        "map": pa.array([[("k", 1)]] * 9, pa.map_(pa.string(), pa.int32())),
        "nothing": pa.nulls(9, pa.string()),
        "word": ["long enough to be worth a dictionary", "and another one"] * 4 + [None],
        "day": DAYS,
    }
)


def written(table: pa.Table = TABLE, **options: Any) -> bytes:
    stream = io.BytesIO()
    mosaic.write_table(table, stream, **options)
    return stream.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "t.mosaic"
    path.write_bytes(
        written(pa.concat_tables([TABLE, TABLE]), row_group_max_bytes=1, num_buckets=2, stats_columns=["n", "day"])
    )
    return str(path)


def shown(description: dict[str, Any], width: int = 120) -> str:
    console = Console(file=io.StringIO(), width=width)
    render(description, console)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


def by_path(description: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {column["path"]: column for column in description["columns"]}


def test_description() -> None:
    data = written(num_buckets=2, stats_columns=["n", "day", "same"])
    description = describe(data)
    assert json.loads(json.dumps(description, allow_nan=False)) == description
    facts = {
        "format": "mosaic",
        "file_size": len(data),
        "version": 1,
        "compression": "zstd",
        "num_rows": 9,
        "num_row_groups": 1,
        "num_columns": 7,
        "num_buckets": 2,
        "name_encoding": "FRONT",
    }
    assert {name: description[name] for name in facts} == facts
    assert description["schema_size"] == description["index_offset"] - description["schema_offset"]
    assert [column["name"] for column in description["schema"]] == TABLE.column_names
    assert [column["type"] for column in description["schema"]] == [str(type) for type in TABLE.schema.types]
    columns = by_path(description)
    assert {path: column["encoding"] for path, column in columns.items()} == {
        "n": "DICT",
        "same": "CONST",
        "tags": "DICT",
        "tags.item": "DICT",
        "map": "CONST",
        "map.key": "CONST",
        "map.value": "CONST",
        "nothing": "ALL_NULL",
        "word": "DICT",
        "day": "PLAIN",
    }
    assert (columns["n"]["min"], columns["n"]["max"], columns["n"]["null_count"]) == (1, 2, 1)
    assert (columns["day"]["min"], columns["day"]["max"]) == ("2024-01-01", "2024-01-09")
    assert (columns["word"]["has_statistics"], columns["word"]["min"]) == (False, None)
    assert columns["day"]["encoded_size"] == 9 * 4
    assert columns["same"]["encoded_size"] == len(b"\x01x")
    assert columns["n"]["encoded_size"] == 1 + 2 * 8 + 2 + 1  # count, entries, null bitmap, codes of a bit
    assert (columns["tags.item"]["num_rows"], columns["tags"]["null_count"]) == (9, 3)


@pytest.mark.parametrize("seed", range(40))
def test_sizes_add_up(seed: int) -> None:
    rng = random.Random(seed)
    table = random_table(rng, columns=12, rows=100)
    table = table.select([name for name in table.column_names if not pa.types.is_nested(table.schema.field(name).type)])
    description = describe(written(table, **random_options(rng, table)))
    assert sum(bucket["stored_size"] for bucket in description["buckets"]) == description["schema_offset"]
    for bucket in description["buckets"]:
        place = (bucket["row_group"], bucket["bucket"])
        columns = [column for column in description["columns"] if (column["row_group"], column["bucket"]) == place]
        count, encoded = len(columns), sum(column["encoded_size"] for column in columns)
        assert count == bucket["num_columns"]
        if bucket["layout"] == "monolithic":
            flags = (2 * count + 7) // 8 + (count + 7) // 8
            assert bucket["inflated_size"] == encoded + flags
        else:
            pages = [column for column in columns if column["encoding"] != "ALL_NULL"]
            assert bucket["inflated_size"] == encoded + 2 * len(pages)
            assert bucket["stored_size"] == 4 * count + sum(column["stored_size"] for column in columns)
    groups = mosaic.MosaicFile(written(table, **random_options(random.Random(seed), table)))
    assert description["num_rows"] == groups.num_rows == table.num_rows
    for name in table.column_names:
        nulls = sum(column["null_count"] for column in description["columns"] if column["path"] == name)
        assert nulls == table[name].null_count


def test_chosen_columns_and_limits(file: str) -> None:
    whole = describe(file)
    assert whole["num_row_groups"] == 2
    assert set(whole["left_out"].values()) == {0}
    chosen = describe(file, columns=["tags", "n", "n"])
    assert [column["name"] for column in chosen["schema"]] == ["tags", "n"]
    assert {column["column"] for column in chosen["columns"]} == {"tags", "n"}
    assert chosen["columns"] == [column for column in whole["columns"] if column["column"] in ("tags", "n")]
    limited = describe(file, limit=1)
    for name, left_out in limited["left_out"].items():
        assert len(limited[name]) == 1
        assert limited[name] == whole[name][:1]
        assert left_out == len(whole[name]) - 1
    with pytest.raises(KeyError, match="no column 'q'"):
        describe(file, columns=["q"])


def test_limits_bound_what_is_read() -> None:
    table = pa.table({f"c{i:03}": [i] for i in range(300)})
    data = bytearray(written(table, compression="none"))
    last = describe(bytes(data))["buckets"][-1]
    # The flags of the last bucket claim encodings that its bytes do not have.
    data[last["offset"] : last["offset"] + last["stored_size"]] = b"\xaa" * last["stored_size"]
    assert len(describe(bytes(data), limit=5)["buckets"]) == 5
    with pytest.raises(DecodeError, match=r"row_groups\[0\]\.buckets\[99\]"):
        describe(bytes(data))


@pytest.mark.parametrize("threshold", [0, 32768])
def test_dictionaries(threshold: int) -> None:
    data = written(num_buckets=2, page_size_threshold=threshold)
    (word,) = describe_dictionary(data, "word")["dictionaries"]
    assert word["entries"] == [{"value": text, "count": 4} for text in TABLE["word"].to_pylist()[:2]]
    assert (word["encoding"], word["null_count"], word["num_rows"]) == ("DICT", 1, 9)
    lengths, items = describe_dictionary(data, "tags")["dictionaries"]
    assert lengths["entries"] == [{"value": 2, "count": 3}, {"value": 1, "count": 3}]
    assert (items["path"], items["entries"]) == ("tags.item", [{"value": "a", "count": 6}, {"value": "b", "count": 3}])
    (same,) = describe_dictionary(data, "same")["dictionaries"]
    assert same["entries"] == [{"value": "x", "count": 9}]
    for name in ("day", "nothing"):
        assert describe_dictionary(data, name)["dictionaries"][0]["entries"] == []
    with pytest.raises(KeyError, match="no column 'q'"):
        describe_dictionary(data, "q")


def test_a_broken_dictionary() -> None:
    data = written(pa.table({"w": ["first value", "other value"] * 50}), compression="none")
    broken = data.replace(b"other value", b"\xffther value")
    with pytest.raises(DecodeError, match=r'row_groups\[0\]\.buckets\[0\]\.columns\["w"\]') as caught:
        describe_dictionary(broken, "w")
    assert caught.value.offset == 0


def test_damaged_files() -> None:
    rng = random.Random(3)
    files = [written(compression=how, num_buckets=2, stats_columns=["n", "day"]) for how in ("none", "zstd")]
    outcomes = set()
    for _ in range(600):
        data = bytearray(rng.choice(files))
        data[rng.randrange(len(data))] = rng.choice([0, 1, 128, 255])
        try:
            json.dumps(describe(bytes(data)), allow_nan=False)
            outcomes.add("described")
        except DecodeError:
            outcomes.add("refused")
    assert outcomes == {"described", "refused"}


def test_name_encodings_of_no_meaning_are_front_coding() -> None:
    data = bytearray(written(pa.table({"a": [1]}), compression="none"))
    at = describe(bytes(data))["schema_offset"] + 4 + 2  # after the size, the columns and the buckets
    assert data[at] == 0
    data[at] = 7
    assert describe(bytes(data))["name_encoding"] == "FRONT"


def test_tables(file: str) -> None:
    text = shown(describe(file))
    for expected in ("monolithic", "ALL_NULL", "2024-01-09", "tags.item", "list<item: string>", "Row groups"):
        assert expected in text
    assert "more (--limit)" not in text
    assert "and 8 more (--limit)" in shown(describe(file, columns=["n", "day", "tags", "same"], limit=2))


def test_terminals_get_no_control_characters() -> None:
    text = shown(describe(written(pa.table({"a\x1b[31m\nb": ["\x1b]0;x\x07"]}), stats_columns=["a\x1b[31m\nb"])))
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "a\\x1b[31m b" in text


def test_wide_files_stay_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wide"
    path.write_bytes(written(pa.table({f"column_{i:05}": [i] for i in range(10_000)})))
    assert run(["inspect", str(path)]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) < 250
    assert "and 9,950 more (--limit)" in out
    assert run(["inspect", str(path), "--limit", "0", "--columns", "column_00007, column_09999"]) == 0
    out = capsys.readouterr().out
    assert "column_09999" in out
    assert "column_00008" not in out


def test_command(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == describe(file)
    assert run(["inspect", file, "--json", "--limit", "1", "--column", "n"]) == 0
    assert json.loads(capsys.readouterr().out) == describe(file, columns=["n"], limit=1)
    assert run(["inspect", file, "--column", "word", "--dictionary"]) == 0
    out = capsys.readouterr().out
    assert out.count("long enough to be worth a dict") == 2
    assert "(null)" in out
    assert run(["inspect", file, "--column", "word", "--dictionary", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == describe_dictionary(file, "word")
    assert run(["inspect", file, "--column", "word", "--dictionary", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "and another one" not in out
    assert "and 1 more dictionaries" in out


def test_dictionary_tables_count_what_is_left_out() -> None:
    console = Console(file=io.StringIO(), width=80)
    render_dictionary(describe_dictionary(written(), "word"), console, 1)
    assert "and 1 more (--limit)" in console.file.getvalue()  # type: ignore[attr-defined]


def test_usage(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = str(tmp_path / "t.parquet")
    pq.write_table(TABLE, parquet)
    for arguments in (
        [file, "--dictionary"],
        [file, "--dictionary", "--columns", "n,day"],
        [file, "--limit", "-1"],
        [file, "--pages"],
        [parquet, "--dictionary", "--column", "n"],
    ):
        assert run(["inspect", *arguments]) == 2, arguments
        assert capsys.readouterr().err


def test_bad_files(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.mosaic"
    cut.write_bytes(Path(file).read_bytes()[:-7])
    calls: list[tuple[list[str], int]] = [
        ([str(cut)], 1), ([file, "--columns", "q"], 2), ([str(tmp_path / "nothing.mosaic")], 2),
    ]  # fmt: skip
    for arguments, code in calls:
        assert run(["inspect", *arguments]) == code
        error = capsys.readouterr().err
        assert error.startswith("lakecodec: ")
        assert len(error.splitlines()) == 1
