"""The classes of records, and what is printed of fields that are placed with `at`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..lower import nodes
from ..lower.field_layout import FieldLayout
from ..lower.placed import PLACE
from ..lower.record_layout import RecordLayout
from ..names import quoted
from .hints import field_hint
from .reader import Reader
from .records import RecordText, RowText, enums_of, indented, lists, print_body, starting, starting_to_write, tried
from .spelling import ReadingPrinter
from .text import call, docstring, statement, tupled
from .writer import Writer


def print_record(layout: RecordLayout, imports: set[str]) -> RecordText:
    """Returns the class of a record."""
    flags = (("gaps", layout.gaps), ("overlaps", layout.overlaps), ("reads_back", layout.reads_back))
    constants = [f"_{name} = True" for name, holds in flags if holds]
    if not layout.located:
        return print_body(layout, imports, base="_rec.Record", constants=constants)
    imports.add("_lazy")
    body, placed = layout.body, [each for each in layout.fields if each.place is not None]
    text = print_body(body, imports, base="_lazy.LazyRecord", constants=constants)
    return replace(
        text,
        rows=text.rows + [_row(each, layout, imports) for each in placed],
        read=text.read if body.fields else [],
        write=text.write if body.fields else [],
        methods=[method for each in placed for method in _methods(each, layout, imports)],
        enums=enums_of(layout),
    )


def _row(each: FieldLayout, layout: RecordLayout, imports: set[str]) -> RowText:
    arguments, placing = [quoted(each.text)], layout.placing[each.name]
    if placing.pointer:
        texts = ["None" if part is None else quoted(part) for part in placing.pointer]
        arguments.append(tupled(texts))
    flags = {
        "each": each.by_element,
        "optional": each.presence is not None,
        "from_source": each.from_source,
        "places": placing.places,
        "end": placing.to_end,
    }
    arguments += [f"{name}=True" for name, holds in flags.items() if holds]
    if (placing.places or placing.to_end) and placing.takes is not None:
        arguments.append(f"takes={ReadingPrinter(layout.module, imports, set(), located=True).text(placing.takes)}")
    if each.attribute != each.name:
        arguments.append(f"name={quoted(each.name)}")
    hint = field_hint(each, layout.module, imports)
    return RowText(
        statement(f"{each.attribute}: {hint} = {call('_rec.placed', *arguments)}", 4),
        docstring(each.doc) if each.doc else [],
    )


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
    placing = layout.placing[each.name]
    if placing.pointer and placing.pointed != PLACE:
        yield _method(f"_pointer_{name}(self, place: int{index}) -> int", [f"return {printer.text(placing.pointed)}"])
    if checks := Reader(layout, imports, each).whole_checks():
        yield _method(f"_check_{name}(self: _Any) -> None", checks)
    read = placed_reading(each, Reader(layout, imports, each))
    yield _method(f"_read_{name}(self: _Any, span: _rec.Span{index}) -> tuple[_Any, int]", read)
    writer = Writer(layout, imports, each)
    writer.out.start_with(each.name)
    write = writer.lines()
    first = "index" if each.by_element else "None"
    yield _method(
        f"_write_{name}(self: _Any, out: _rec.Writer{index}) -> None",
        [
            starting_to_write(writer.out, first),
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
