"""The rows of a native writer: the order that tables say, and nothing that is decided later."""

from __future__ import annotations

from typing import Any

from lakecodec import compile_idl
from lakecodec.runtime.records.nodes import lower_body
from lakecodec.runtime.records.table import FieldTable, RecordTable
from lakecodec.runtime.records.write_rows import is_of_span, writer_rows

STEPS = ("derive", "raw", "aside", "put", "check")

w: Any = compile_idl(
    """
    record Body { u8 v[..]; }
    record Plain { u8 n = count(v); u8 v[n] where count(v) < 9; }
    record Sized { u8 stored = size(body); u8 double = stored * 2; Body body size stored; u8 left = rest; u8 mark; }
    record Open { u8 n; Body a size n > 1 ? n : rest; }
    record Waiting { u8 n = size(body); Body body size n if n > 0; }
    """,
    name="write_rows",
)


def steps(table: RecordTable) -> list[str]:
    variables = lower_body(table).variables
    found = writer_rows(table, variables)[1]
    names = [each.name for each in table.steps] + ["all"]
    return [f"{STEPS[kind]} {names[field]}" for kind, field, _ in found]


def test_fields_in_their_order() -> None:
    assert steps(w.Plain._table()) == ["derive n", "put n", "put v", "check v"]


def test_what_is_measured_is_encoded_first() -> None:
    expected = (
        "aside body, derive stored, put stored, derive double, put double, put body, derive left, put left, put mark"
    )
    assert steps(w.Sized._table()) == expected.split(", ")
    stored, _, body, left, _ = w.Sized._table().steps
    assert (stored.before, body.open, left.derived) == ([("aside", "body")], ["size"], 1)


def test_what_is_checked_late() -> None:
    """A size that one branch leaves open, and a condition that depends on the field's own bytes."""
    assert steps(w.Open._table()) == ["put n", "put a", "check all"]
    assert steps(w.Waiting._table()) == ["aside body", "derive n", "put n", "put body", "check all"]


def test_tables_alone_tell_the_order() -> None:
    fields = [FieldTable("a", "u8", before=[("aside", "b"), ("derive", "b")]), FieldTable("b", "u8", derived=3)]
    assert steps(RecordTable(fields)) == ["aside b", "derive b", "put a", "put b"]


def test_words_about_the_span() -> None:
    assert is_of_span(("if", "n", 1, ("-", ("end",), ("pos",))))
    assert not is_of_span(("let", (("end", "n"),), ("+", "end", ("pos",))))
    assert not is_of_span(("text", "end"))
