"""The classes of bodies of fields: records, alternatives of variants, codecs with fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..lower import nodes
from ..lower.field_layout import FieldLayout
from ..lower.record_layout import AlternativeLayout, ComputedLayout, ParameterLayout, RecordLayout
from ..names import attribute_name, free_name, quoted
from .hints import field_hint, kind_hint, kind_text, type_hint
from .reader import Reader
from .spelling import ReadingPrinter
from .tables import RecordTable
from .text import call, docstring, listed, statement, tupled
from .types import class_expression
from .writer import Writer


@dataclass(frozen=True, slots=True)
class RowText:
    """The row of a field, a parameter or a tag, and the lines of its docstring."""

    lines: list[str]
    docstring: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RecordText:
    """The printed parts of a record's class, for the template."""

    name: str
    source_line: int
    head: list[str]
    docstring: list[str]
    rows: list[RowText]
    constants: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    state: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    write: list[str] = field(default_factory=list)
    #: Further methods: those of fields that are placed with `at`.
    methods: list[list[str]] = field(default_factory=list)
    enums: list[str] = field(default_factory=list)
    #: A codec's private class, which `__spec__` does not describe.
    private: bool = False

    @property
    def records(self) -> list[RecordText]:
        """The classes that have fields: itself."""
        return [self]


def print_codec(layout: RecordLayout, imports: set[str]) -> RecordText:
    """Returns the private class of a codec with fields."""
    hint = type_hint(layout.value_type, layout.module)
    return print_body(layout, imports, base="_rec.FieldCodec", constants=[f"value: {hint}"], private=True)


def print_body(
    layout: RecordLayout,
    imports: set[str],
    *,
    base: str,
    alternative: AlternativeLayout | None = None,
    options: Sequence[str] = (),
    constants: Sequence[str] = (),
    private: bool = False,
) -> RecordText:
    """Returns the class of a body whose fields follow each other.

    Args:
        base: the class that it derives from; ``options`` are further arguments of the class statement.
        alternative: what the body belongs to.
        constants: lines of class attributes.
        private: whether the class is not a type of the IDL.
    """
    imports.add("_rec")
    table = RecordTable(layout, imports)
    rows = [] if alternative is not None else parameter_rows(layout.parameters, layout, imports)
    rows += [_row(each, table, layout, imports) for each in layout.fields]
    rows += [_computed_row(each, layout, imports) for each in layout.computed]
    tag = None if alternative is None or alternative.fixed else _new_tag(alternative, layout, imports)
    if tag is not None:
        rows.append(RowText([f"tag: _Any = _rec.tag(default={tag})"]))
    # Alternatives are written as part of their variant.
    flags = (("nests", layout.nests), ("normalizes", layout.normalizes and alternative is None))
    options = [*options, *(f"{name}=True" for name, holds in flags if holds)]
    has_methods = not (_are_rows_sufficient(layout) and (alternative is None or alternative.fixed))
    by_backend = table.whole is None
    reader = Reader(layout, imports, by_backend=by_backend)
    head = statement(f"class {call(layout.name, base, *options)}:")
    unsettled = tupled([quoted(each) for each in layout.unsettled])
    constants = [
        *constants,
        *([f"_unsettled = {unsettled}"] if layout.unsettled else []),
        *(["_uses_arguments = True"] if layout.uses_arguments else []),
        *idl_name(layout, alternative),
        *_body(table),
    ]
    if not (has_methods or layout.doc or constants or rows):
        head[-1] += " ..."
    return RecordText(
        name=layout.name,
        source_line=layout.location.line,
        head=head,
        docstring=docstring(layout.doc) if layout.doc else [],
        rows=rows,
        constants=constants,
        state=_states(layout, imports),
        read=_reading(layout, reader, imports, takes_tag=tag is not None) if has_methods else [],
        write=_writing(Writer(layout, imports, by_backend=by_backend), alternative) if has_methods else [],
        runs=[line for run in reader.runs for line in _run(*run)],
        enums=enums_of(layout),
        private=private,
    )


def _are_rows_sufficient(layout: RecordLayout) -> bool:
    """Returns whether the methods can be made from the rows (`runtime/records/methods.py`)."""
    whole = (layout.states, layout.order, layout.checks, layout.value, layout.located, layout.reads_back)
    has_tag = layout.tag is not None and is_of_parameters(layout.tag)
    is_body = has_tag if layout.tag is not None else bool(layout.fields)
    return (
        layout.native_readable and is_body and not any(whole) and all(each.is_row_expressible for each in layout.fields)
    )


def idl_name(layout: RecordLayout, alternative: AlternativeLayout | None = None) -> list[str]:
    """Returns the name in the IDL, where Python reserves it."""
    same = alternative is not None or layout.value is not None or layout.name == layout.spec_name
    return [] if same else [f"__idl_name__ = {quoted(layout.spec_name)}"]


def _body(table: RecordTable) -> list[str]:
    """Returns the lines of ``_body``, the class attribute about the record as a whole."""
    if table.whole is None:
        return ["_body = None"]
    parts = [f"{name}={text}" for name, text in table.whole]
    return statement(call("_body = _rec.body", *parts), 4) if parts else []


# ---- rows ----


def _row(each: FieldLayout, table: RecordTable, layout: RecordLayout, imports: set[str]) -> RowText:
    function, arguments = table.row(each)
    hint = field_hint(each, layout.module, imports)
    lines = statement(f"{each.attribute}: {hint} = {call(function, *arguments)}", 4)
    return RowText(lines, docstring(each.doc) if each.doc else [])


def _computed_row(each: ComputedLayout, layout: RecordLayout, imports: set[str]) -> RowText:
    printer = ReadingPrinter(layout.module, imports, located=layout.located)
    arguments = [quoted(kind_text(each.value.kind)), f"lambda self: {printer.text(each.value)}", quoted(each.text)]
    arguments += [f"name={quoted(each.name)}"] if each.attribute != each.name else []
    hint = kind_hint(each.value.kind, layout.module)
    lines = statement(f"{each.attribute}: {hint} = {call('_rec.computed', *arguments)}", 4)
    return RowText(lines, docstring(each.doc) if each.doc else [])


def parameter_rows(found: tuple[ParameterLayout, ...], layout: RecordLayout, imports: set[str]) -> list[RowText]:
    """Returns a row per parameter."""
    rows = []
    for each in found:
        default = _default(each, layout, imports)
        rows.append(RowText([f"{each.attribute}: {type_hint(each.type, layout.module)} = _rec.parameter({default})"]))
    return rows


def _default(each: ParameterLayout, layout: RecordLayout, imports: set[str]) -> str:
    printer = ReadingPrinter(layout.module, imports, located=layout.located)
    return "" if each.default is None else printer.text(each.default)


def arguments_of(
    found: tuple[ParameterLayout, ...], layout: RecordLayout, imports: set[str], *, typed: bool = False
) -> list[str]:
    """Returns the parameters as arguments of a function; ``typed`` those of a method, which have types."""
    defaults = (_default(each, layout, imports) for each in found)
    arguments = [free_name(layout.module, each.argument) for each in found]
    names = [f"{each}: _Any" if typed else each for each in arguments]
    assigned = " = " if typed else "="
    return [f"{name}{assigned}{default}" if default else name for name, default in zip(names, defaults, strict=True)]


# ---- methods ----


def _reading(layout: RecordLayout, reader: Reader, imports: set[str], *, takes_tag: bool) -> list[str]:
    """Returns the method that reads a body."""
    lines = ["if state is None:", "    state = self._state()"] if layout.states else []
    if takes_tag:
        assert layout.tag is not None
        lines.append(f"self.tag = {tag_printer(layout, imports).text(layout.tag)}")
    lines += reader.lines()
    return [
        f"def _read(self: _Any, r: _rec.Reader{_STATE * bool(layout.states)}) -> None:",
        *indented(lines or ["pass"]),
    ]


def _writing(writer: Writer, alternative: AlternativeLayout | None) -> list[str]:
    """Returns the method that writes a body."""
    layout, imports = writer.layout, writer.imports
    lines = ["if state is None:", "    state = self._state(w)"] if layout.states else []
    if alternative is not None:
        lines += _tag_written(layout, imports, is_open=not alternative.fixed)
    lines += writer.lines()
    return [
        f"def _write(self: _Any, w: _rec.Writer{_STATE * bool(layout.states)}) -> None:",
        *indented(lines or ["pass"]),
    ]


_STATE = ", state: _Any = None"


def indented(lines: Sequence[str]) -> list[str]:
    return ["    " + line for line in lines]


# ---- tags ----


def tag_printer(layout: RecordLayout, imports: set[str], *, on_object: bool = True) -> ReadingPrinter:
    """Returns the printer of what selects an alternative, before anything is read."""
    return ReadingPrinter(layout.module, imports, on_object=on_object)


def is_of_parameters(tag: nodes.Node | None) -> bool:
    """Returns whether only parameters select the alternative."""
    return tag is not None and not nodes.span_words(tag)


def _new_tag(alternative: AlternativeLayout, layout: RecordLayout, imports: set[str]) -> str:
    """Returns the tag of a new value."""
    constant = alternative.tags and alternative.constant
    return tag_printer(layout, imports).text(alternative.tags[0]) if constant else "None"


def _tag_written(layout: RecordLayout, imports: set[str], is_open: bool) -> list[str]:
    """Returns the lines that check the tag of an alternative before it is written."""
    assert layout.tag is not None
    if is_of_parameters(layout.tag):
        tag = ReadingPrinter(layout.module, imports, located=True).text(layout.tag)
        return statement(call("w.tag", "self", tag), 8)
    return [] if not is_open else ["w.tag(self, self.tag)"]


# ---- parts ----


def enums_of(layout: RecordLayout) -> list[str]:
    return [class_expression(each.enum, layout.module) for each in layout.fields if each.enum is not None]


def _run(name: str, order: str, codes: list[tuple[str, str]]) -> list[str]:
    """Returns a run of fixed width as a constant."""
    arguments = [quoted(order), *(f"{attribute_name(each)}={quoted(code)}" for each, code in codes)]
    return statement(call(f"{name} = _rec.Layout", *arguments))


def _states(layout: RecordLayout, imports: set[str]) -> list[str]:
    """Returns the method that returns the state shared by siblings, for reading and, with a writer, for writing."""
    if not layout.states:
        return []
    printer = ReadingPrinter(layout.module, imports)
    found = []
    for state in layout.states:
        if state.initial is not None:
            found.append(printer.text(state.initial))
        else:
            assert state.codec is not None
            found.append(f"_rec.CodecCache({printer.extension(state.codec)}, w)")
    return [
        "@classmethod",
        "def _state(cls, w: _rec.Writer | None = None) -> list[_Any]:",
        *indented(statement(f"return {listed(found)}", 8)),
    ]
