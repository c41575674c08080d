"""Files made of others: what is kept, what is refused, and what is left when something fails."""

from __future__ import annotations

import base64
import datetime
import decimal
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import DecodeError, EncodeError, mosaic
from lakecodec.cli import run
from lakecodec.convert import Conversion, convert
from lakecodec.convert.json_source import depth_of
from tests.mosaic.tables import random_table, same

N = 3000
#: Columns whose types the spelling of their values tells.
SPELLED = pa.table(
    {
        "whole": [None if k % 7 == 0 else k - 5 for k in range(N)],
        "number": [k / 4 + 0.1 for k in range(N)],
        "text": [None if k % 5 == 0 else "" if k % 5 == 1 else f'é"\n,{k}' for k in range(N)],
        "code": ["0123"] * N,
        "long": [str(10**20 + k) for k in range(N)],
        "flag": [k % 2 == 0 for k in range(N)],
        "day": [datetime.date(1999, 1, 1) + datetime.timedelta(k) for k in range(N)],
        "micros": pa.array(range(N), pa.timestamp("us")),
        "nanos": pa.array(range(N), pa.timestamp("ns")),
        "instant": pa.array(range(N), pa.timestamp("us", "UTC")),
        "none": pa.nulls(N, pa.string()),
    }
)
#: Types that CSV does not have, too.
TYPED = SPELLED.append_column("list", pa.array([[k, None] if k % 3 else None for k in range(N)]))
TYPED = TYPED.append_column("map", pa.array([[("k", k)] for k in range(N)], pa.map_(pa.string(), pa.int64())))
TYPED = TYPED.append_column("money", pa.array([decimal.Decimal(k) / 100 for k in range(N)], pa.decimal128(20, 2)))
TYPED = TYPED.append_column("bytes", pa.array([b"\xff" * (k % 5) for k in range(N)]))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    path = tmp_path / "typed.mosaic"
    mosaic.write_table(TYPED, path)
    return path


@pytest.fixture
def spelled(tmp_path: Path) -> Path:
    path = tmp_path / "spelled.mosaic"
    mosaic.write_table(SPELLED, path)
    return path


def test_mosaic_and_parquet_keep_everything(typed: Path, tmp_path: Path) -> None:
    assert convert(typed, tmp_path / "a.parquet") == N
    assert pq.read_table(tmp_path / "a.parquet").equals(TYPED)
    assert convert(str(tmp_path / "a.parquet"), str(tmp_path / "b.mosaic")) == N
    assert mosaic.read_table(tmp_path / "b.mosaic").equals(TYPED)


@pytest.mark.parametrize("seed", range(15))
def test_random_tables_through_parquet(seed: int, tmp_path: Path) -> None:
    table = random_table(random.Random(seed), columns=12, rows=60)
    # Parquet has no decimals of a negative scale.
    table = table.select([field.name for field in table.schema if "-3" not in str(field.type)])
    mosaic.write_table(table, tmp_path / "a.mosaic", row_group_max_bytes=1)
    convert(tmp_path / "a.mosaic", tmp_path / "b.parquet")
    convert(tmp_path / "b.parquet", tmp_path / "c.mosaic")
    assert same(mosaic.read_table(tmp_path / "c.mosaic"), table)


def test_csv_keeps_what_is_spelled(spelled: Path, tmp_path: Path) -> None:
    assert convert(spelled, tmp_path / "a.csv") == N
    assert convert(tmp_path / "a.csv", tmp_path / "b.mosaic") == N
    assert mosaic.read_table(tmp_path / "b.mosaic").equals(SPELLED)


def test_json_lines_keep_numbers_and_text(spelled: Path, tmp_path: Path) -> None:
    names = ["whole", "number", "text", "code", "long", "flag", "none"]
    assert convert(spelled, tmp_path / "a.ndjson") == N
    assert convert(tmp_path / "a.ndjson", tmp_path / "b.mosaic", columns=names) == N
    assert mosaic.read_table(tmp_path / "b.mosaic").equals(SPELLED.select(names))


def test_json_values(tmp_path: Path) -> None:
    nested = pa.struct([("at", pa.timestamp("ms", "UTC")), ("f", pa.list_(pa.float32()))])
    table = pa.table(
        {
            "s": pa.array([{"at": 0, "f": [1.5, float("nan")]}, None, {"at": None, "f": None}], nested),
            "m": pa.array([[("k", b"\xff\x00")], [], None], pa.map_(pa.string(), pa.binary())),
            "d": pa.array([decimal.Decimal("1.20"), None, decimal.Decimal(-3)], pa.decimal128(5, 2)),
            "t": pa.array([1, 2, None], pa.time64("ns")),
            "w": pa.array(["é", None, "é"]).dictionary_encode(),
            "u": pa.array([2**64 - 1, 0, None], pa.uint64()),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    convert(tmp_path / "a.parquet", tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text("utf-8").splitlines()
    encoded = base64.b64encode(b"\xff\x00").decode()
    assert [json.loads(line) for line in lines] == [
        {
            "s": {"at": "1970-01-01 00:00:00.000Z", "f": [1.5, None]},
            "m": [{"key": "k", "value": encoded}],
            "d": "1.20",
            "t": "00:00:00.000000001",
            "w": "é",
            "u": 2**64 - 1,
        },
        {"s": None, "m": [], "d": None, "t": "00:00:00.000000002", "w": None, "u": 0},
        {"s": {"at": None, "f": None}, "m": None, "d": "-3.00", "t": None, "w": "é", "u": None},
    ]


@pytest.mark.parametrize(
    ("text", "type", "values"),
    [
        ("1\n2\n", pa.int64(), [1, 2]),
        ("1\n\n2\n", pa.int64(), [1, None, 2]),
        ("1\n2.5\n", pa.float64(), [1.0, 2.5]),
        ("007\n1\n", pa.string(), ["007", "1"]),
        ("9223372036854775808\n1\n", pa.string(), ["9223372036854775808", "1"]),
        ("true\nfalse\n", pa.bool_(), [True, False]),
        ("True\n", pa.string(), ["True"]),
        ("NA\n1\n", pa.string(), ["NA", "1"]),
        ("2024-02-29\n", pa.date32(), [datetime.date(2024, 2, 29)]),
        ("2023-02-29\n", pa.string(), ["2023-02-29"]),
        ("2024-01-01 00:00:00+02:00\n", pa.timestamp("us", "UTC"), None),
        ("2024-01-01T00:00:00.123456789\n", pa.timestamp("ns"), None),
        ("2024-01-01 00:00:00\n2024-01-01\n", pa.string(), None),
        ("\n\n", pa.string(), [None, None]),
        ('""\n', pa.string(), [""]),
        ("", pa.string(), []),
    ],
)
def test_types_of_csv_columns(text: str, type: pa.DataType, values: list[Any] | None, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"x\n{text}")
    convert(tmp_path / "a.csv", tmp_path / "a.mosaic")
    table = mosaic.read_table(tmp_path / "a.mosaic")
    assert table.schema == pa.schema([("x", type)])
    if values is None:
        assert table["x"].cast(pa.string()).null_count == 0
    else:
        assert table["x"].to_pylist() == values


def test_types_hold_for_all_rows(tmp_path: Path) -> None:
    filler = "x" * 100
    rows = 2 * 16 * 2**20 // 103
    (tmp_path / "a.csv").write_text("a,b\n" + f"1,{filler}\n" * rows + "1.5,\n")
    assert convert(tmp_path / "a.csv", tmp_path / "a.mosaic") == rows + 1
    assert mosaic.read_schema(tmp_path / "a.mosaic").field("a").type == pa.float64()
    line = json.dumps({"a": 1, "b": filler})
    (tmp_path / "a.jsonl").write_text(f"{line}\n" * rows + '{"a": 1.5, "c": [null]}\n{"c": ["x"]}')
    assert convert(tmp_path / "a.jsonl", tmp_path / "b.mosaic") == rows + 2
    table = mosaic.read_table(tmp_path / "b.mosaic")
    assert table.schema.field("a").type == pa.float64()
    assert table["c"].to_pylist()[-2:] == [[None], ["x"]]


def test_text_of_json_stays_text(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"d": "2024-01-01", "n": null}\n\n{"d": "2024-01-02", "n": null}\n')
    convert(tmp_path / "a.jsonl", tmp_path / "a.mosaic")
    assert mosaic.read_table(tmp_path / "a.mosaic").to_pydict() == {"d": ["2024-01-01", "2024-01-02"], "n": [None] * 2}


def test_columns_and_options(typed: Path, tmp_path: Path) -> None:
    convert(typed, tmp_path / "a.parquet", columns=["day", "whole"], compression="gzip", compression_level=3)
    meta = pq.read_metadata(tmp_path / "a.parquet").row_group(0)
    assert [(meta.column(i).path_in_schema, meta.column(i).compression) for i in range(2)] == [
        ("day", "GZIP"),
        ("whole", "GZIP"),
    ]
    options: dict[str, Any] = {"compression": "none", "num_buckets": 3, "row_group_bytes": 50_000}
    convert(tmp_path / "a.parquet", tmp_path / "b.mosaic", **(options | {"num_buckets": 1, "row_group_bytes": 9_000}))
    found = mosaic.read_metadata(tmp_path / "b.mosaic")
    assert (found.compression, found.num_buckets, found.num_row_groups) == ("none", 1, 4)
    convert(tmp_path / "a.parquet", tmp_path / "c.parquet", row_group_bytes=9_000)
    sizes = pq.read_metadata(tmp_path / "c.parquet")
    assert sizes.num_row_groups == 4
    assert pq.read_table(tmp_path / "c.parquet").equals(TYPED.select(["day", "whole"]))


def test_names_with_dots(tmp_path: Path) -> None:
    table = pa.table({"a.b": [1], "a": pa.array([{"b": 2}]), "c": [3]})
    pq.write_table(table, tmp_path / "a.parquet")
    for names in (["a.b"], ["c", "a.b"]):
        convert(tmp_path / "a.parquet", tmp_path / "a.mosaic", columns=names)
        assert mosaic.read_table(tmp_path / "a.mosaic").equals(table.select(names))


@pytest.mark.parametrize(
    ("target", "column", "named"),
    [
        ("a.mosaic", pa.array([1], pa.uint8()), "Mosaic has no type for uint8"),
        ("a.mosaic", pa.array([{"x": 1}]), "Mosaic has no type for struct"),
        ("a.csv", pa.array([[1]]), "CSV has no type for list"),
        ("a.csv", pa.array([{"x": 1}]), "CSV has no type for struct"),
    ],
)
def test_refused_columns_are_named_before_writing(target: str, column: pa.Array, named: str, tmp_path: Path) -> None:
    pq.write_table(pa.table({"bad": column, "good": [1], "worse": column}), tmp_path / "s.parquet")
    with pytest.raises(ValueError, match=named) as caught:
        convert(tmp_path / "s.parquet", tmp_path / target)
    assert "column 'bad': " in str(caught.value)
    assert "column 'worse': " in str(caught.value)
    assert "good" not in str(caught.value)
    assert files(tmp_path) == ["s.parquet"]
    assert convert(tmp_path / "s.parquet", tmp_path / target, columns=["good"]) == 1


def test_many_refused_columns_are_counted(tmp_path: Path) -> None:
    pq.write_table(pa.table({f"c{i}": pa.array([1], pa.uint8()) for i in range(30)}), tmp_path / "s.parquet")
    with pytest.raises(ValueError, match="and 10 more"):
        convert(tmp_path / "s.parquet", tmp_path / "a.mosaic")


BROKEN = {
    "text.csv": b"a\n\xff\n",
    "short.csv": b"a,b\n1\n",
    "empty.csv": b"",
    "twice.csv": b"a,a\n1,2\n",
    "long.csv": b'a\n"' + b"x" * (9 << 20) + b'"\n',
    "text.jsonl": b'{"a": "\xff"}\n',
    "mixed.jsonl": b'{"a": 1}\n{"a": "x"}\n',
    "cut.jsonl": b'{"a": 1}\n{"a": ',
    "array.jsonl": b"[1]\n",
    "deep.jsonl": b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "not.mosaic": b"MOSA" * 20,
    "cut.parquet": b"PAR1" + b"\0" * 40,
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_sources(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(BROKEN[name])
    target = tmp_path / "t.parquet"
    target.write_bytes(b"old")
    assert run(["convert", str(tmp_path / name), str(target)]) == (2 if name == "twice.csv" else 1)
    error = capsys.readouterr().err
    assert error.startswith("lakecodec: ")
    assert len(error.strip().splitlines()) == 1
    assert target.read_bytes() == b"old"
    assert files(tmp_path) == sorted([name, "t.parquet"])


def test_errors_name_format_and_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(BROKEN["mixed.jsonl"])
    with pytest.raises(DecodeError, match="changed from number to string") as caught:
        convert(path, tmp_path / "a.mosaic")
    assert (caught.value.format, caught.value.path) == ("jsonl", str(path))


def test_a_source_that_breaks_late_leaves_the_old_target(tmp_path: Path) -> None:
    source, target = tmp_path / "s.mosaic", tmp_path / "t.parquet"
    # Larger than what is decoded at once.
    table = pa.table({"x": ["a" * 300_000, "b" * 300_000]})
    with mosaic.MosaicWriter(source, table.schema, compression="none", row_group_max_bytes=1) as writer:
        writer.write(table)
        writer.write(pa.table({"x": ["some more", "other row"]}))
    source.write_bytes(source.read_bytes().replace(b"other row", b"\xffther row"))
    target.write_bytes(b"old")
    seen: list[int] = []
    with pytest.raises(DecodeError, match=r'row_groups\[1\].*columns\["x"\]'):
        convert(source, target, progress=lambda stage, done, total: seen.append(done))
    assert seen == [2]
    assert target.read_bytes() == b"old"
    assert files(tmp_path) == ["s.mosaic", "t.parquet"]


@pytest.mark.parametrize("ending", ["mosaic", "parquet", "csv", "jsonl"])
def test_interrupts_leave_nothing(ending: str, spelled: Path, tmp_path: Path) -> None:
    def interrupt(stage: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert(spelled, tmp_path / f"t.{ending}", progress=interrupt)
    assert files(tmp_path) == ["spelled.mosaic"]


def test_values_that_do_not_fit(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": pa.array([decimal.Decimal(10) ** 60], pa.decimal256(61, 0))}), tmp_path / "s.parquet")
    with pytest.raises(ValueError, match="column 'x'"):
        convert(tmp_path / "s.parquet", tmp_path / "t.mosaic")
    pq.write_table(pa.table({"x": pa.array([2**62], pa.timestamp("us", "No/Where"))}), tmp_path / "z.parquet")
    with pytest.raises(EncodeError) as caught:
        convert(tmp_path / "z.parquet", tmp_path / "t.jsonl")
    assert caught.value.format == "jsonl"
    assert files(tmp_path) == ["s.parquet", "z.parquet"]


def test_links_keep_leading_to_the_file(spelled: Path, tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    convert(spelled, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith('"whole"')


def test_a_file_can_replace_itself(spelled: Path) -> None:
    assert convert(spelled, spelled, columns=["day"]) == N
    assert mosaic.read_table(spelled).equals(SPELLED.select(["day"]))


def test_progress(spelled: Path, tmp_path: Path) -> None:
    steps: list[tuple[str, int, int | None]] = []
    convert(spelled, tmp_path / "a.csv", progress=lambda *step: steps.append(step))
    assert steps == [("Converting", N, N)]
    steps.clear()
    convert(tmp_path / "a.csv", tmp_path / "b.mosaic", progress=lambda *step: steps.append(step))
    assert steps == [("Reading types", N, None), ("Converting", N, N)]


def test_arguments(tmp_path: Path) -> None:
    for source, target, options, named in [
        ("a.xls", "a.csv", {}, "a.xls"),
        ("a.csv", "a", {}, "must end with"),
        ("a.csv", "b.parquet", {"num_buckets": 3}, "num_buckets"),
        ("a.mosaic", "b.csv", {"compression": "zstd"}, "compression"),
        ("a.csv", "b.mosaic", {"compression": "snappy"}, "compression"),
        ("a.csv", "b.mosaic", {"num_buckets": 0}, "num_buckets"),
        ("a.csv", "b.parquet", {"compression": "snappy", "compression_level": 1}, "compression_level"),
        ("a.csv", "b.parquet", {"compression_level": 99}, "compression_level: zstd has -131072 to 22, not 99"),
        ("a.csv", "b.parquet", {"compression": "gzip", "compression_level": 0}, "gzip has 1 to 9"),
        ("a.csv", "b.parquet", {"compression": "brotli", "compression_level": 12}, "brotli has 0 to 11"),
        ("a.csv", "b.parquet", {"compression": "lz4", "compression_level": 13}, "lz4 has 1 to 12"),
        ("a.csv", "b.parquet", {"compression": "none", "compression_level": 1}, "none has no levels"),
        ("a.csv", "b.mosaic", {"compression_level": 23}, "compression_level: zstd has -131072 to 22, not 23"),
        ("a.csv", "b.mosaic", {"compression_level": -131073}, "compression_level: zstd has -131072 to 22"),
        ("a.csv", "b.mosaic", {"compression": "none", "compression_level": 1}, "none has no levels"),
        ("a.csv", "b.parquet", {"compression": "lzo"}, "compression"),
        ("a.csv", "b.parquet", {"row_group_bytes": -1}, "row_group_bytes"),
    ]:
        with pytest.raises(ValueError, match=named):
            Conversion(source, target, **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="columns"):
        Conversion("a.csv", "b.csv", columns="a")


def test_command(typed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = str(typed), str(tmp_path / "t.mosaic")
    options = ["--columns", "day, whole", "--level", "3", "--num-buckets", "2", "--row-group-bytes", "10KB"]
    assert run(["convert", source, target, *options, "--compression", "zstd"]) == 0
    captured = capsys.readouterr()
    assert f"{target}: 3,000 rows" in captured.out
    assert captured.err == ""
    assert mosaic.read_table(target).equals(TYPED.select(["day", "whole"]))
    assert mosaic.read_metadata(target).num_row_groups > 1
    assert run(["convert", source, target, "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_exit_codes(typed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(typed)
    for code, arguments in [
        (2, [source, str(tmp_path / "t.xls")]),
        (2, [source]),
        (2, [source, str(tmp_path / "t.csv"), "--num-buckets", "3"]),
        (2, [source, str(tmp_path / "t.parquet"), "--row-group-bytes", "many"]),
        (2, [source, str(tmp_path / "t.csv")]),
        (2, [source, str(tmp_path / "t.parquet"), "--columns", "q"]),
        (2, [str(tmp_path / "nothing.csv"), str(tmp_path / "t.parquet")]),
        (2, [source, str(tmp_path / "no folder" / "t.parquet")]),
    ]:
        assert run(["convert", *arguments]) == code, arguments
        assert capsys.readouterr().err
    assert files(tmp_path) == ["typed.mosaic"]


def test_depth_of_json() -> None:
    assert depth_of(b'{"a":[[1],"]]]["]}') == 3
    assert depth_of(b'{"a\\"[[[[":"\\\\","b":[]}') == 2
    assert depth_of(b'{"a":"]"}\n' * 3) == 1
    assert depth_of(b'["]",["]",["]"]]]') == 3
    assert depth_of(b"1") == 0
