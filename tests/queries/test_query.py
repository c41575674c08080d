"""Queries beside the declared tables, beside hand-written loops, and their errors."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lakecodec
from lakecodec import cli

IDL = """
enum Kind { SMALL = 1, LARGE = 2 }

record File : little {
  bytes magic[4] where magic == b"ITEM";
  u16   n = count(items);
  Head  head;
  Item  items[n];
}

record Head : little { u32 version; bytes note[2]; }

record Item : little {
  u8    kind via enum(Kind);
  u64   id;
  u8    flag;
  u32   extra if flag == 1;
  Body(kind) body;
  u8    m = count(parts);
  u16   parts[m];
}

variant Body(Kind kind) on kind {
  1: Small { u8 amount; };
  2: Large { u32 total; u8 level; };
}
"""


@pytest.fixture
def items(tmp_path: Path) -> tuple[str, Path]:
    """Two files of items, and their IDL."""
    module = lakecodec.compile_idl(IDL)
    (tmp_path / "items.idl").write_text(IDL)
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(2):
        rows = []
        for i in range(3):
            large = i == 1
            body = module.Body_Large(total=1000 + i, level=7) if large else module.Body_Small(amount=i)
            rows.append(
                module.Item(
                    kind=2 if large else 1,
                    id=2**64 - 1 - i,
                    flag=i % 2,
                    extra=i * 10 if i % 2 else None,
                    body=body,
                    parts=list(range(i)),
                )
            )
        head = module.Head(version=number, note=b"ab")
        (folder / f"{number}.items").write_bytes(module.File(magic=b"ITEM", head=head, items=rows).to_bytes())
    return str(tmp_path / "items.idl"), folder


@pytest.fixture
def parquet_files(tmp_path: Path) -> Path:
    folder = tmp_path / "parquet"
    folder.mkdir()
    for number in range(3):
        table = pa.table({"a": list(range(100 * number, 100 * number + 100)), "é.b": ["x"] * 100})
        codec = ["snappy", "zstd", "none"][number]
        pq.write_table(table, folder / f"{number}.parquet", compression=codec, row_group_size=40)
    return folder


def test_footers_as_the_declared_table(parquet_files: Path) -> None:
    found = lakecodec.query(
        parquet_files,
        over="rg, i in row_groups, cc, j in rg.columns",
        select="file = source(), row_group = i, column = j, path = join(cc.meta_data.path_in_schema, '.'), "
        "codec = name_of(cc.meta_data.codec), num_values = cc.meta_data.num_values, num_rows = rg.num_rows",
    )
    declared = lakecodec.parquet.column_chunks(parquet_files, fields=found.column_names)
    assert found.to_pylist() == declared.to_pylist()
    assert found.num_rows == 18


def test_conditions_groups_and_order(parquet_files: Path) -> None:
    zstd = lakecodec.query(
        str(parquet_files / "*.parquet"),
        over="rg in row_groups, cc in rg.columns",
        where="cc.meta_data.codec == ZSTD and rg.num_rows > 20",
        select="file = source(), path = join(cc.meta_data.path_in_schema, '.'), rows = rg.num_rows",
    )
    assert set(zstd["file"].to_pylist()) == {str(parquet_files / "1.parquet")}
    assert zstd["rows"].to_pylist() == [40] * 4
    grouped = lakecodec.query(
        parquet_files,
        over="rg in row_groups, cc in rg.columns",
        select="codec = name_of(cc.meta_data.codec), n = count(), most = max(rg.num_rows), values = sum(cc.meta_data.num_values)",
        group_by="codec",
        order_by="-codec",
        limit=2,
    )
    assert grouped.to_pylist() == [
        {"codec": "ZSTD", "n": 6, "most": 40, "values": 200},
        {"codec": "UNCOMPRESSED", "n": 6, "most": 40, "values": 200},
    ]
    named = lakecodec.query(
        parquet_files, over="s in schema", where="s.name == 'é.b'", select="s.name, type = name_of(s.type)"
    )
    assert named.to_pylist() == [{"name": "é.b", "type": "BYTE_ARRAY"}] * 3


def test_records(items: tuple[str, Path]) -> None:
    idl, folder = items
    found = lakecodec.query(
        folder,
        idl=idl,
        over="it, i in items",
        select="i = i, it.kind, name = name_of(it.kind), it.id, it.extra, level = it.body.level, version, it.parts, "
        "twice = it.body.amount * 2, early = i < 1",
    )
    assert found.schema.field("id").type == pa.uint64()
    assert found["id"].to_pylist() == [2**64 - 1 - i for i in range(3)] * 2
    assert found["extra"].to_pylist() == [None, 10, None] * 2
    assert found["level"].to_pylist() == [None, 7, None] * 2
    assert found["name"].to_pylist() == ["SMALL", "LARGE", "SMALL"] * 2
    assert found["version"].to_pylist() == [0] * 3 + [1] * 3
    assert found["parts"].to_pylist() == [[], [0], [0, 1]] * 2
    assert found["twice"].to_pylist() == [0, None, 4] * 2
    assert found["early"].to_pylist() == [True, False, False] * 2
    large = lakecodec.query(folder, idl=idl, over="it in items", where="it.kind == LARGE", select="it.id")
    assert large.num_rows == 2
    parts = lakecodec.query(folder, idl=idl, over="it in items, p in it.parts", select="p = p")
    assert parts["p"].to_pylist() == [0, 0, 1] * 2
    one = lakecodec.query(folder, idl=idl, select="file = source(), n = count(items), head.note")
    assert one["n"].to_pylist() == [3, 3]
    assert one["note"].to_pylist() == [b"ab"] * 2
    batches = list(lakecodec.query_batches(folder, idl=idl, over="it in items", select="it.id", limit=4))
    assert [batch.num_rows for batch in batches] == [3, 1]


def test_unsigned_numbers_of_the_file_itself() -> None:
    idl = "message M { 1: uint64 id; 2: int64 n; }"
    found = lakecodec.query(b"\x08" + b"\xff" * 9 + b"\x01", idl=idl, type="M", select="id, n, twice = n * 2")
    assert found.to_pylist() == [{"id": 2**64 - 1, "n": 0, "twice": 0}]


def test_placed_fields_that_are_not_asked_for_are_not_read(parquet_files: Path) -> None:
    path = parquet_files / "0.parquet"
    data = bytearray(path.read_bytes())
    data[4:60] = b"\xff" * 56  # Pages.
    assert lakecodec.query(bytes(data), over="rg in row_groups", select="rg.num_rows")["num_rows"].to_pylist() == [
        40,
        40,
        20,
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"select": "rg.num_row"}, "select:1:1: 'RowGroup' has no field 'num_row'; did you mean 'num_rows'?\n    rg.num_row"),
        ({"select": "rg.num_rows, a ="}, "select:1:17: found the end of the file, expected an expression"),
        ({"select": "rg.num_rows + 1"}, "a column that is computed needs a name: name = expression"),
        ({"select": "c = rg"}, "a text, bytes or a list of them, not 'RowGroup': select its fields"),
        ({"select": "rg.num_rows", "where": "rg.num_rows = 3"}, "where:1:13: found '='"),
        ({"select": "rg.num_rows", "where": "cc.x == ZST"}, "where:1:1: unknown name 'cc'"),
        ({"select": "rg.num_rows", "over": "rg in row_groop"}, "for:1:7: unknown name 'row_groop'"),
        ({"select": "rg.num_rows, rg.columns", "group_by": "num_rows"}, "'columns' is not in group_by, so it has to be"),
        ({"select": "n = count()"}, "'count' of rows needs group_by (--group-by): columns whose equal values make"),
        ({"select": "n = sum(rg.num_rows)"}, "'sum' of rows needs group_by"),
        ({"select": "n = max(rg.num_rows)"}, "'max' of rows needs group_by"),
        ({"select": "n = mean(rg.num_rows)"}, "'mean' of rows needs group_by"),
        ({"select": "n = 1 + max(rg.num_rows)"}, "'max' takes a list, not an integer"),
    ],
)  # fmt: skip
def test_errors_have_a_caret(parquet_files: Path, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(lakecodec.IdlError) as caught:
        lakecodec.query(parquet_files, **{"over": "rg in row_groups", **arguments})
    assert message in str(caught.value)
    assert "^" in str(caught.value)


def test_wrong_arguments(parquet_files: Path, items: tuple[str, Path]) -> None:
    with pytest.raises(KeyError, match="order_by: select has no column 'row'"):
        lakecodec.query(parquet_files, over="rg in row_groups", select="rg.num_rows", order_by="row")
    ordered = lakecodec.query(parquet_files, over="rg in row_groups", select="rg.num_rows", order_by=["num_rows desc"])
    assert ordered["num_rows"].to_pylist() == [40] * 6 + [20] * 3
    with pytest.raises(KeyError, match="group_by"):
        lakecodec.query(parquet_files, over="rg in row_groups", select="rg.num_rows", group_by="row")
    with pytest.raises(ValueError, match="limit"):
        lakecodec.query(parquet_files, select="num_rows", limit=-1)
    with pytest.raises(FileNotFoundError, match="no file matches"):
        lakecodec.query(str(parquet_files / "*.none"), select="num_rows")
    mixed = [str(parquet_files / "0.parquet"), str(Path(items[0]).parent / "png.png")]
    Path(mixed[1]).write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 30)
    with pytest.raises(ValueError, match="ask one format at a time"):
        lakecodec.query(mixed, select="num_rows")
    (parquet_files / "1.parquet").write_bytes(b"PAR1" + b"\xff" * 8 + b"\x08\0\0\0PAR1")
    with pytest.raises(lakecodec.DecodeError, match=r"1\.parquet"):
        lakecodec.query(parquet_files, over="rg in row_groups", select="rg.num_rows")


def test_command(parquet_files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["query", str(parquet_files), "--for", "rg in row_groups", "--select", "rg.num_rows, file = source()"]
    assert cli.run([*asked, "--order-by", "num_rows", "--limit", "2", "--json"]) == 0
    assert [row["num_rows"] for row in json.loads(capsys.readouterr().out)] == [20, 20]
    for suffix in ("csv", "jsonl", "arrow", "parquet", "mosaic"):
        assert cli.run([*asked, "-o", str(tmp_path / f"out.{suffix}")]) == 0
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 9
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 10
    capsys.readouterr()
    assert cli.run([*asked, "--where", "rg.nun_rows > 1"]) == 1
    assert "did you mean 'num_rows'?" in capsys.readouterr().err
    for order in ("-num_rows", "num_rows desc", "num_rows DESC, file asc"):
        assert cli.run([*asked, "--order-by", order, "--limit", "7", "--json"]) == 0
        assert [row["num_rows"] for row in json.loads(capsys.readouterr().out)] == [40] * 6 + [20]
    assert cli.run([*asked, "--order-by", "num_rows down"]) == 2
    assert "--order-by: asc or desc is needed after a column, not 'down'" in capsys.readouterr().err
    assert cli.run([*asked, "--order-by", "none"]) == 2
    assert "lakecodec: --order-by: select has no column" in capsys.readouterr().err


def test_many_files_are_in_order_and_name_a_broken_one(tmp_path: Path) -> None:
    """Files in several batches, which threads decode."""
    for number in range(1100):
        pq.write_table(pa.table({"a": pa.array([number], pa.int32())}), tmp_path / f"{number:04}.parquet")
    found = lakecodec.query(tmp_path, over="rg in row_groups", select="file = source(), n = rg.num_rows")
    assert [Path(name).stem for name in found["file"].to_pylist()] == [f"{number:04}" for number in range(1100)]
    broken = tmp_path / "0700.parquet"
    data = bytearray(broken.read_bytes())
    data[-12] ^= 0xFF
    broken.write_bytes(data[:-30] + b"\xff" * 18 + data[-12:])
    with pytest.raises(lakecodec.DecodeError, match="0700"):
        lakecodec.query(tmp_path, over="rg in row_groups", select="n = rg.num_rows")


@pytest.mark.parametrize("argument", ["group_by", "order_by"])
def test_lists_are_not_grouped_or_sorted(parquet_files: Path, argument: str) -> None:
    select = "path = cc.meta_data.path_in_schema" + (", n = count()" if argument == "group_by" else "")
    with pytest.raises(ValueError, match=rf"{argument}: 'path' is a list<.*>, which .*: join\(path, '\.'\)"):
        lakecodec.query(parquet_files, over="rg in row_groups, cc in rg.columns", select=select, **{argument: "path"})


def test_lists_are_refused_before_files_are_read(parquet_files: Path) -> None:
    (parquet_files / "1.parquet").write_bytes(b"broken")
    with pytest.raises(ValueError, match=r"order_by: 'encodings' is a list<.*>, which .*: join\(encodings, '\.'\)"):
        lakecodec.query(
            parquet_files,
            over="rg in row_groups, cc in rg.columns",
            select="cc.meta_data.encodings, cc.meta_data.num_values",
            order_by="num_values, encodings",
        )


def test_one_row_of_all(parquet_files: Path) -> None:
    found = lakecodec.query(
        parquet_files, over="rg in row_groups", select="n = count(), total = sum(rg.num_rows)", group_by=""
    )
    assert found.to_pylist() == [{"n": 9, "total": 300}]
