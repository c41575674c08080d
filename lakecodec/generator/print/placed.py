"""The classes of records, and their methods for fields that are placed with `at`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..lower import nodes
from ..lower.field_layout import FieldLayout
from ..lower.native_places import uses_set
from ..lower.placed import PLACE
from ..lower.record_layout import RecordLayout
from ..names import quoted
from .hints import field_hint
from .placed_tables import placed_arguments
from .reader import Reader
from .records import RecordText, RowText, enums_of, indented, print_body
from .spelling import ReadingPrinter
from .text import call, docstring, statement, tupled
from .writer import Writer


def print_record(layout: RecordLayout, imports: set[str]) -> RecordText:
    """Returns the class of a record."""
    checks_end = layout.reads_back and layout.is_checked_by_writers and layout.native_places
    flags = (
        ("gaps", layout.gaps),
        ("overlaps", layout.overlaps),
        ("reads_back", layout.reads_back),
        ("checks_end", checks_end),
        ("uses_set", layout.located and layout.native_places and uses_set(layout)),
    )
    constants = [f"_{name} = True" for name, holds in flags if holds]
    if layout.located and not layout.native_places:
        constants.append("_is_laid_out = False")
    if layout.is_origin:
        constants.append(f"_origin = {quoted(layout.spec_name)}")
    if not layout.located:
        return print_body(layout, imports, base="_rec.Record", constants=constants)
    imports.add("_lazy")
    body, placed = layout.body, [each for each in layout.fields if each.place is not None]
    native = placed_arguments(layout, imports)
    text = print_body(body, imports, base="_lazy.LazyRecord", constants=constants)
    return replace(
        text,
        rows=text.rows + [_row(each, layout, imports, native[each.name]) for each in placed],
        read=text.read if body.fields else [],
        write=text.write if body.fields else [],
        methods=[method for each in placed for method in _methods(each, layout, imports)],
        enums=enums_of(layout),
    )


def _row(each: FieldLayout, layout: RecordLayout, imports: set[str], native: list[str]) -> RowText:
    arguments, placing = [quoted(each.text)], layout.placing[each.name]
    if placing.pointer:
        texts = [quoted(part) if isinstance(part, str) else str(part) for part in placing.pointer]
        arguments.append(tupled(texts))
    flags = {
        "each": each.by_element,
        "grows": each.dimension is not None and each.dimension.grows,
        "optional": each.presence is not None,
        "from_source": each.from_source,
        "places": placing.places,
        "end": placing.to_end,
    }
    arguments += [f"{name}=True" for name, holds in flags.items() if holds]
    if (placing.places or placing.to_end) and placing.takes is not None:
        arguments.append(f"takes={ReadingPrinter(layout.module, imports, located=True).text(placing.takes)}")
    if _is_row_sufficient(each, layout) and layout.big and "big=True" not in native:
        arguments.append("big=True")
    if each.default is not None:
        arguments.append(f"default={ReadingPrinter(layout.module, imports).text(each.default)}")
    if each.origin:
        arguments.append(f"origin={quoted(each.origin)}")
    arguments += native
    if each.attribute != each.name:
        arguments.append(f"name={quoted(each.name)}")
    hint = field_hint(each, layout.module, imports)
    return RowText(
        statement(f"{each.attribute}: {hint} = {call('_rec.placed', *arguments)}", 4),
        docstring(each.doc) if each.doc else [],
    )


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
