"""Large files of records: their elements are read in parts, with the rows and errors that the whole file gives."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec import DecodeError
from lakecodec.runtime import object_table

from ..memory import traced

run = importlib.import_module("lakecodec.queries.run")

IDL = """
record Counted : little {
  bytes magic[4] where magic == b"ITEM";
  u16   n = count(items);
  Head  head;
  Item(head.width) items[n];
  u8    after;
}
record Head { u8 width; u8 items; }
record Item(u8 width) : little {
  u8    kind;
  u32   extra if kind == 1;
  u8    m = count(parts);
  u16   parts[m];
  bytes name[width];
}
record Rest : little { u8 n = count(heads); Head heads[n]; Line lines[..]; }
record Line { uvarint32 size = count(text); utf8 text[size]; }
record Numbers : little { u32 n = count(values); u16 values[n]; }
record Until { Line lines[until last(lines).size == 0]; u8 after; }
record Earlier { u8 n = count(steps); Step(n) steps[n]; Total(count(steps)) total; }
record Step(u8 n) { u8 a; }
record Total(u8 n) { u8 b; }
record Checked { u8 n = count(lines); Line lines[n] where count(lines) < 3; u8 after; }
"""
module = lakecodec.compile_idl(IDL)


def counted() -> Any:
    head = module.Head(width=2, items=9)
    items = [
        module.Item(kind=i % 2, extra=i if i % 2 else None, parts=list(range(i % 4)), name=b"%02d" % i)
        for i in range(20)
    ]
    return module.Counted(magic=b"ITEM", head=head, items=items, after=1)


SAMPLES = {
    "Counted": counted(),
    "Rest": module.Rest(
        heads=[module.Head(width=1, items=2)], lines=[module.Line(text="x" * (i % 5)) for i in range(17)]
    ),
    "Numbers": module.Numbers(values=list(range(50))),
    "Until": module.Until(lines=[module.Line(text=each) for each in ("a", "b", "")], after=3),
    "Earlier": module.Earlier(steps=[module.Step(a=i) for i in range(5)], total=module.Total(b=1)),
}
QUERIES = [
    ("Counted", {"over": "it, i in items", "where": "it.kind == 1", "select": "i = i, it.extra, it.name, head.width"}, True),
    ("Counted", {"over": "it in items, p, k in it.parts", "select": "p = p * 2, k = k, it.name"}, True),
    ("Counted", {"over": "it in items", "where": "it.kind == 1", "select": "it.extra, after = after"}, False),
    ("Counted", {"over": "it, i in items", "where": "it.kind == 7", "select": "i = i"}, True),
    ("Counted", {"over": "it in items", "select": "kind = it.kind + 0", "group_by": "kind"}, True),
    ("Rest", {"over": "line, i in lines", "where": "line.size > 2", "select": "i = i, line.text, heads[0].items"}, True),
    ("Rest", {"over": "h in heads, line in lines", "select": "a = h.width + line.size"}, False),
    ("Rest", {"over": "line in lines", "select": "n = count(lines)"}, False),
    ("Numbers", {"over": "v, i in values", "where": "v > 40", "select": "i = i, v = v"}, True),
    ("Until", {"over": "line, i in lines", "where": "i < 2", "select": "line.text"}, False),
    ("Earlier", {"over": "s in steps", "where": "s.a > 1", "select": "s.a"}, True),
]  # fmt: skip


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lets all files be large, and parts small; the sizes of the parts that were read."""
    sizes: list[int] = []
    table = object_table.ObjectTable._table

    def noted(self: Any, source: Any, chosen: Any, part: Any = None) -> Any:
        if part is not None:
            sizes.append(len(part[1]))
        return table(self, source, chosen, part)

    monkeypatch.setattr(run, "_LARGE", 0)
    monkeypatch.setattr(object_table, "_PART", 3)
    monkeypatch.setattr(object_table.ObjectTable, "_table", noted)
    return sizes


@pytest.mark.parametrize(("name", "asked", "in_parts"), QUERIES, ids=lambda each: each if isinstance(each, str) else "")
def test_rows_are_those_of_the_whole_file(
    name: str, asked: dict[str, str], in_parts: bool, request: pytest.FixtureRequest
) -> None:
    data = SAMPLES[name].to_bytes()
    if name == "Rest" and "n = count(lines)" in asked["select"]:
        asked = {**asked, "limit": 2}  # type: ignore[dict-item]
    whole = lakecodec.query(data, idl=IDL, type=name, **asked)
    sizes = request.getfixturevalue("parts")
    found = lakecodec.query(data, idl=IDL, type=name, **asked)
    assert found.to_pylist() == whole.to_pylist()
    assert found.schema == whole.schema
    assert bool(sizes) == in_parts
    assert max(sizes, default=0) <= 3


def test_errors_are_those_of_the_whole_file(request: pytest.FixtureRequest) -> None:
    data = bytearray(SAMPLES["Rest"].to_bytes())
    data[-3] = 0xFF  # Of a text.
    cut = SAMPLES["Counted"].to_bytes()[:60]
    asked = [
        (bytes(data), "Rest", {"over": "line in lines", "select": "n = line.size + 1"}),
        (cut, "Counted", {"over": "it in items", "select": "n = it.kind + 1"}),
        (b"ITEN" + cut[4:], "Counted", {"over": "it in items", "select": "n = it.kind + 1"}),
        (b"ITEM\xff\xff\2\0", "Counted", {"over": "it in items", "select": "n = it.kind + 1"}),
        (b"\xff\xff\xff\xff\0", "Numbers", {"over": "v in values", "select": "v = v + 1"}),
    ]

    def said(data: bytes, name: str, query: dict[str, str]) -> tuple[Any, ...]:
        with pytest.raises(DecodeError) as caught:
            lakecodec.query(data, idl=IDL, type=name, **query)
        return caught.value.format, caught.value.path, caught.value.offset, caught.value.rule

    whole = [said(*each) for each in asked]  # type: ignore[arg-type]
    request.getfixturevalue("parts")
    assert [said(*each) for each in asked] == whole  # type: ignore[arg-type]


def test_a_rule_about_the_list_is_kept(parts: list[int]) -> None:
    data = bytes([4, *[1, 97] * 4, 0])
    with pytest.raises(DecodeError, match="count"):
        lakecodec.query(data, idl=IDL, type="Checked", over="line in lines", select="n = line.size + 1")
    assert not parts


def test_a_limit_ends_the_reading(parts: list[int]) -> None:
    data = SAMPLES["Rest"].to_bytes() + b"\x7f"
    asked: dict[str, Any] = {"idl": IDL, "type": "Rest", "over": "line in lines", "select": "n = line.size + 1"}
    assert lakecodec.query(data, limit=5, **asked).num_rows == 5
    assert parts == [3, 3]
    with pytest.raises(DecodeError):
        lakecodec.query(data, **asked)


def test_memory_is_that_of_the_answer(tmp_path: Path) -> None:
    """A file of 8 MB of which a few rows are wanted: objects of all its lines would take three times as much."""
    line = module.Line(text="line " * 20).to_bytes()
    wanted = module.Line(text="here").to_bytes()
    path = tmp_path / "lines"
    with path.open("wb") as file:
        file.write(b"\0")
        for _ in range(8):
            file.write(line * 10_000 + wanted)

    def ask() -> pa.Table:
        return lakecodec.query(
            path, idl=IDL, type="Rest", over="l, i in lines", where="l.size == 4", select="i = i, l.text"
        )

    assert ask()["i"].to_pylist() == [10_000 + 10_001 * n for n in range(8)]
    assert traced(ask).peak < 6 * 2**20
