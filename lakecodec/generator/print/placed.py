"""The classes of records, and what is printed of fields that are placed with `at`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..lower import nodes
from ..lower.field_layout import FieldLayout
from ..lower.nodes import Node
from ..lower.record_layout import RecordLayout
from ..names import quoted
from .expressions import Atom
from .hints import field_hint
from .reader import Reader
from .records import RecordText, RowText, enums_of, indented, lists, print_body, starting, starting_to_write, tried
from .spelling import ReadingPrinter
from .text import call, docstring, statement, tupled
from .writer import Writer


def print_record(layout: RecordLayout, imports: set[str]) -> RecordText:
    """Returns the class of a record; raises UnsupportedExpression with the place of what cannot be written."""
    constants = [f"_{name} = True" for name, holds in (("gaps", layout.gaps), ("overlaps", layout.overlaps)) if holds]
    if not layout.located:
        return print_body(layout, imports, base="_rec.Record", constants=constants)
    imports.add("_lazy")
    body, placed = layout.body, [each for each in layout.fields if each.place is not None]
    text = print_body(body, imports, base="_lazy.LazyRecord", constants=constants)
    places = _place_others(placed)
    return replace(
        text,
        rows=text.rows + [_row(each, each.name in places, layout, imports) for each in placed],
        read=text.read if body.fields else [],
        write=text.write if body.fields else [],
        methods=[method for each in placed for method in _methods(each, layout, imports)],
        enums=enums_of(layout),
    )


def _place_others(placed: list[FieldLayout]) -> set[str]:
    """Returns the fields from which places of others are computed."""
    clauses = [clause for each in placed for clause in (each.place, each.size) if clause is not None]
    return {name for clause in clauses for name in nodes.field_names(clause)}


def _row(each: FieldLayout, places: bool, layout: RecordLayout, imports: set[str]) -> RowText:
    arguments = [quoted(each.text)]
    path, _ = _pointer(each, layout)
    if path:
        texts = ["None" if part is None else quoted(part) for part in path]
        arguments.append(tupled(texts))
    flags = {
        "each": each.by_element,
        "optional": each.presence is not None,
        "from_source": each.from_source,
        "places": places,
        "end": any(isinstance(part, nodes.SpanWord) for node in _inside(each) for part in nodes.walk(node)),
    }
    arguments += [f"{name}=True" for name, holds in flags.items() if holds]
    if (flags["places"] or flags["end"]) and (size := _known_size(each)) is not None:
        arguments.append(f"takes={ReadingPrinter(layout.module, imports, set(), located=True).text(size)}")
    if each.attribute != each.name:
        arguments.append(f"name={quoted(each.name)}")
    hint = field_hint(each, layout.module, imports)
    return RowText(
        statement(f"{each.attribute}: {hint} = {call('_rec.placed', *arguments)}", 4),
        docstring(each.doc) if each.doc else [],
    )


def _known_size(each: FieldLayout) -> Node | None:
    """Returns a size that does not hang on other fields."""
    if each.size is None or each.by_element:
        return None if each.fixed is None or each.by_element else nodes.Constant(each.fixed)
    varies = any(
        isinstance(part, nodes.FieldValue | nodes.Parameter | nodes.SpanWord) for part in nodes.walk(each.size)
    )
    return None if varies else each.size


def _inside(each: FieldLayout) -> Iterator[Node]:
    """Yields what a field is read with, once it is found."""
    yield from (node for node in each.nodes() if node not in (each.place, each.size))


def _methods(each: FieldLayout, layout: RecordLayout, imports: set[str]) -> Iterator[list[str]]:
    assert each.place is not None
    name, printer = each.attribute, ReadingPrinter(layout.module, imports, set(), located=True)
    index = ", index: int" if each.by_element else ""
    size = each.size if each.size is not None else nodes.Constant(None if each.by_element else each.fixed)
    where = f"return {printer.text(each.place)}, {printer.text(size)}"
    yield _method(f"_span_{name}(self{index}) -> tuple[int, int | None]", [where])
    if each.by_element:
        assert each.dimension is not None
        yield _method(f"_count_{name}(self) -> int", [f"return {printer.text(each.dimension.count)}"])
    if each.presence is not None:
        yield _method(f"_given_{name}(self{index}) -> bool", [f"return bool({printer.text(each.presence)})"])
    path, value = _pointer(each, layout)
    if path and value != PLACE:
        yield _method(f"_pointer_{name}(self, place: int{index}) -> int", [f"return {printer.text(value)}"])
    if checks := Reader(layout, imports, each).whole_checks():
        yield _method(f"_check_{name}(self: _Any) -> None", checks)
    read = placed_reading(each, Reader(layout, imports, each))
    yield _method(f"_read_{name}(self: _Any, span: _rec.Span{index}) -> tuple[_Any, int]", read)
    writer = Writer(layout, imports, each)
    write = writer.lines()
    first = "index" if each.by_element else "None"
    yield _method(
        f"_write_{name}(self: _Any, out: _rec.Writer{index}) -> None",
        [
            starting_to_write(writer.out, quoted(each.name), first),
            *tried(write, "_out.UNWRITABLE", "_out.unwritten(error, field, index)"),
        ],
    )


def placed_reading(
    each: FieldLayout, reader: Reader, raised: str = "_in.unread(error, span, field, index, start)"
) -> list[str]:
    """Returns the body of the method that reads a field, or an element, at its own place."""
    read = reader.lines()
    return [
        *lists(reader.out),
        starting(reader.out, quoted(each.name), "0", "pos", index="index" if each.by_element else "None"),
        *tried(read, "_in.UNREADABLE", raised),
        "return value, pos",
    ]


def _method(head: str, lines: list[str]) -> list[str]:
    return [*statement(f"def {head}:", 4), *indented([part for line in lines for part in statement(line, 8)])]


# ---- offsets that other fields hold ----

PLACE = Atom("place")


def _pointer(each: FieldLayout, layout: RecordLayout) -> tuple[tuple[str | None, ...], Node]:
    """Returns the path of the value that holds a field's offset, and what it must be for a ``place``; no path where none does.

    The offset is that value itself, or a sum or a difference with others.
    """
    assert each.place is not None
    path, value = _solved(each.place, PLACE)
    is_derived = bool(path) and any(layout.derived_in(each.place))
    return ((), PLACE) if is_derived else (path, value)


def _solved(node: Node, wanted: Node) -> tuple[tuple[str | None, ...], Node]:
    if (path := nodes.path_of(node)) and not any(
        isinstance(part, nodes.Item) and not isinstance(part.index, nodes.ElementIndex) for part in nodes.walk(node)
    ):
        return path, wanted
    if isinstance(node, nodes.Arithmetic) and not nodes.span_words(node):
        left, right = node.left, node.right
        match node.operator:
            case "+":
                solved = _solved(left, nodes.Arithmetic("-", wanted, right))
                return solved if solved[0] else _solved(right, nodes.Arithmetic("-", wanted, left))
            case "-":
                solved = _solved(left, nodes.Arithmetic("+", wanted, right))
                return solved if solved[0] else _solved(right, nodes.Arithmetic("-", left, wanted))
    return (), wanted
