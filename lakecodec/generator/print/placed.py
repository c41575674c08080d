"""The classes of records, and their methods for fields that are placed with `at`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..lower import nodes
from ..lower.field_layout import FieldLayout
from ..lower.native_tables import is_expressible
from ..lower.placed import PLACE
from ..lower.record_layout import RecordLayout
from ..names import quoted
from .data import DataPrinter
from .hints import class_of, field_hint
from .reader import Reader
from .records import RecordText, RowText, enums_of, indented, print_body
from .spelling import ReadingPrinter
from .text import call, docstring, statement, tupled
from .writer import Writer


def print_record(layout: RecordLayout, imports: set[str]) -> RecordText:
    """Returns the class of a record."""
    flags = (("gaps", layout.gaps), ("overlaps", layout.overlaps), ("reads_back", layout.reads_back))
    constants = [f"_{name} = True" for name, holds in flags if holds]
    if layout.is_origin:
        constants.append(f"_origin = {quoted(layout.spec_name)}")
    if not layout.located:
        return print_body(layout, imports, base="_rec.Record", constants=constants)
    imports.add("_lazy")
    body, placed = layout.body, [each for each in layout.fields if each.place is not None]
    text = print_body(body, imports, base="_lazy.LazyRecord", constants=constants, whole=layout)
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
        texts = [quoted(part) if isinstance(part, str) else str(part) for part in placing.pointer]
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
        arguments.append(f"takes={ReadingPrinter(layout.module, imports, located=True).text(placing.takes)}")
    if _is_row_sufficient(each, layout) and layout.big:
        arguments.append("big=True")
    if each.default is not None:
        arguments.append(f"default={ReadingPrinter(layout.module, imports).text(each.default)}")
    if each.origin:
        arguments.append(f"origin={quoted(each.origin)}")
    arguments += _native_arguments(each, layout, imports)
    if each.attribute != each.name:
        arguments.append(f"name={quoted(each.name)}")
    hint = field_hint(each, layout.module, imports)
    return RowText(
        statement(f"{each.attribute}: {hint} = {call('_rec.placed', *arguments)}", 4),
        docstring(each.doc) if each.doc else [],
    )


def _native_arguments(each: FieldLayout, layout: RecordLayout, imports: set[str]) -> list[str]:
    """Returns the arguments of a row for native writers that place a record in the source; none if they cannot."""
    is_record = (
        each.kind == "record" and each.dimension is None and each.size is None and not (each.codecs or each.coder)
    )
    placing, found = layout.placing[each.name], (each.place, each.presence, *each.arguments)
    parts = [part for part in found if part is not None]
    others = {other.name for other in layout.fields if other.place is not None}
    if (
        not (each.from_source and is_record)
        or each.origin
        or each.rules
        or placing.rules
        or placing.to_end
        or not layout.body.native_readable
    ):
        return []
    if any(
        nodes.span_words(part) or others & set(nodes.field_names(part)) or not is_expressible(part, layout.module)
        for part in parts
    ):
        return []
    used, captured = set[str](), set[tuple[str, str]]()
    printer = DataPrinter(layout.module, used, captured)
    assert each.place is not None
    assert each.target is not None
    cls = class_of(each.target, layout.module)
    made = [
        f"record={quoted(cls) if each.target.module is layout.module else cls}",
        f"at={printer.data(each.place)}",
    ]
    if each.presence is not None:
        made.append(f"present={printer.data(each.presence)}")
    if each.arguments:
        made.append(f"arguments={printer.sequence(each.arguments)}")
    if captured:
        return []
    imports |= used
    return made


def _methods(each: FieldLayout, layout: RecordLayout, imports: set[str]) -> Iterator[list[str]]:
    assert each.place is not None
    name, printer = each.attribute, ReadingPrinter(layout.module, imports, located=True, index="index")
    index, at = (", index: int", ", at: _rec.Place") if each.by_element else ("", "")
    size = each.size if each.size is not None else nodes.Constant(None if each.by_element else each.fixed)
    where = f"return {printer.text(each.place)}, {printer.text(size)}"
    yield _method(f"_span_{name}(self: _Any{index}) -> tuple[int, int | None]", statement(where, 8))
    if each.alignment is not None:
        multiple = statement(f"return {printer.text(each.alignment)}", 8)
        yield _method(f"_align_{name}(self: _Any{index}) -> int", multiple)
    if each.by_element:
        assert each.dimension is not None
        count = statement(f"return {printer.text(each.dimension.count)}", 8)
        yield _method(f"_count_{name}(self: _Any) -> int", count)
    if each.presence is not None:
        given = statement(f"return bool({printer.text(each.presence)})", 8)
        yield _method(f"_given_{name}(self: _Any{index}) -> bool", given)
    placing = layout.placing[each.name]
    if placing.pointer and placing.pointed != PLACE:
        pointer = statement(f"return {printer.text(placing.pointed)}", 8)
        yield _method(f"_pointer_{name}(self: _Any, place: int{index}) -> _Any", pointer)
    if checks := Reader(layout, imports, each).whole_checks():
        yield _method(f"_check_{name}(self: _Any, r: _rec.Reader) -> None", checks)
    if _is_row_sufficient(each, layout):
        return
    yield _method(f"_read_{name}(self: _Any, r: _rec.Reader{at}) -> _Any", Reader(layout, imports, each).lines())
    yield _method(f"_write_{name}(self: _Any, w: _rec.Writer{at}) -> None", Writer(layout, imports, each).lines())


def _is_row_sufficient(each: FieldLayout, layout: RecordLayout) -> bool:
    """Returns whether the row of a number replaces its reader and writer (`runtime/records/placed_numbers.py`)."""
    if each.kind not in ("number", "bool8") or layout.order is not None or layout.placing[each.name].rules:
        return False
    if each.presence is not None and (nodes.span_words(each.presence) or any(nodes.measures(each.presence))):
        return False
    return replace(each, place=None, presence=None).is_row_expressible


def _method(head: str, lines: list[str]) -> list[str]:
    return [*statement(f"def {head}:", 4), *indented(lines)]
