"""Contents of a format's page: its types with fields, rules and diagrams, as data for the template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup, escape

from ...generator.lower.bodies import lower_record, lower_variant
from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.idl_text import text_of
from ...generator.lower.nesting import self_containing
from ...generator.lower.nodes import Constant
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import (
    Const,
    Definition,
    Enum,
    Extension,
    ListOf,
    MapOf,
    Module,
    Param,
    Record,
    Scalar,
    Service,
    SetOf,
    Struct,
    Table,
    Type,
)
from ...generator.paths import fields_of
from ...generator.print.hints import kind_text
from ...generator.print.types import literal
from ...generator.syntax import FnDef, RecordField, Ternary, VariantDef, type_text
from .diagrams import record_diagram, variant_diagram


@dataclass(frozen=True, slots=True)
class Row:
    """A field, member or column: its number or offset, size, type, name, rules and documentation."""

    number: str
    size: str
    type: Markup
    name: str
    notes: list[str]
    doc: str


@dataclass(slots=True)
class Part:
    """A declaration.

    Attributes:
        kind: in the IDL's word.
        source: its text, for declarations without fields.
        cases: (condition, value) of a function that is a choice among several.
        users: the declarations of the page that name it.
        groups: (heading, rows): one group, or one per alternative.
    """

    kind: str
    name: str
    doc: str
    signature: str = ""
    diagram: Markup = field(default_factory=lambda: Markup(""))
    notes: list[str] = field(default_factory=list)
    groups: list[tuple[str, str, list[Row]]] = field(default_factory=list)
    columns: tuple[str, str] = ("Offset", "Size")
    source: str = ""
    cases: list[tuple[str, str]] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return self.name


_SET = {"union": "Exactly one member is set.", "oneof": "At most one member is set."}
_ENCODED = {
    "struct": "In Thrift's compact protocol: each field has a header with its id and type; unknown fields are skipped.",
    "message": "In protobuf's wire format: each field has a tag with its number and kind; unknown fields are skipped.",
}
_SECTIONS = (
    ("Layouts", ("record", "variant")),
    ("Structs", ("struct", "union", "exception")),
    ("Messages", ("message", "oneof")),
    ("Enums", ("enum",)),
    ("Codecs and encodings", ("codec", "encoding")),
    ("Functions", ("fn",)),
    ("Constants", ("const",)),
    ("Tables", ("table",)),
)


def sections_of(module: Module) -> list[tuple[str, list[Part]]]:
    """Returns the parts of a file by section, each in the order of the file."""
    pages = _Pages(module)
    parts = [part for item in module.definitions if (part := pages.part(item)) is not None]
    for part in parts:
        part.users = [each.name for each in parts if each.name in pages.users(part.name)]
    found = [(title, [each for each in parts if each.kind in kinds]) for title, kinds in _SECTIONS]
    return [(title, several) for title, several in found if several]


def refusals_of(module: Module) -> list[tuple[str, str, str]]:
    """Returns (message, declaration, field) of each rule with a message: what a reader refuses, in the order of the file."""
    found = []
    for item in module.definitions:
        if not isinstance(item, Record) and not (isinstance(item, Extension) and item.kind == "variant"):
            continue
        for each in fields_of(item):
            messages = [each.derived_message, *(rule.message for rule in each.invariants)]
            found += [(message, item.name, each.name) for message in messages if message]
        found += [(rule.message, item.name, "") for rule in getattr(item, "checks", ()) if rule.message]
    return found


class _Pages:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._nested = self_containing(module)
        self._lines = module.text.splitlines()
        self._starts = sorted(item.location.line for item in module.definitions)
        self._words = {item.name: _words(self._source(item)) for item in module.definitions}

    def users(self, name: str) -> list[str]:
        """Returns the declarations whose text names another one."""
        return [other for other, words in self._words.items() if name in words and other != name]

    def part(self, item: Definition) -> Part | None:
        match item:
            case Record():
                return self._record(item)
            case Extension() if isinstance(item.syntax, VariantDef):
                return self._variant(item)
            case Extension():
                cases = _cases(item.syntax.value) if isinstance(item.syntax, FnDef) else []
                return Part(item.kind, item.name, item.doc, source=self._source(item), cases=cases)
            case Struct():
                return self._struct(item)
            case Enum():
                rows = [Row(str(each.number), "", Markup(""), each.name, [], each.doc) for each in item.members]
                return Part("enum", item.name, item.doc, groups=[("", "", rows)], columns=("Number", ""))
            case Const():
                return Part("const", item.name, item.doc, source=literal(item.value, item.type, self._module))
            case Table():
                return Part("table", item.name, item.doc, source=self._source(item))
            case Service():
                return None

    # ---- records and variants ----

    def _record(self, record: Record) -> Part:
        layout = lower_record(record, nested=self._nested)
        notes = (
            ["Numbers are big-endian." if layout.big else "Numbers are little-endian."] if _has_numbers(layout) else []
        )
        notes += _forms(layout)
        notes += [f"Must hold of the whole: {_rule(each)}" for each in record.checks]
        rows = [*self._rows(record.fields, layout), *_computed(layout)]
        return Part(
            "record", record.name, record.doc, _signature(record.params), Markup(record_diagram(layout)), notes,
            [("", "", rows)],
        )  # fmt: skip

    def _variant(self, extension: Extension) -> Part:
        layout, syntax = lower_variant(extension, nested=self._nested), extension.syntax
        tags = [", ".join(map(text_of, case.tags)) or "else" for case in syntax.cases]
        groups = []
        for case, tag, alternative in zip(syntax.cases, tags, layout.alternatives, strict=True):
            doc = "; ".join([case.doc] * bool(case.doc) + [f"Arrow: {text_of(each.type)}" for each in case.arrow])
            rows = [*self._rows(case.fields or (), alternative.record), *_computed(alternative.record)]
            groups.append((f"{tag}: {case.name}", doc, rows))
        notes = [f"The alternative is selected by {text_of(syntax.tag)}."]
        if layout_big(layout):
            notes.append("Numbers are big-endian.")
        notes += _forms(layout.alternatives[0].record) if layout.alternatives else []
        diagram = Markup(variant_diagram(layout, tags))
        return Part("variant", extension.name, extension.doc, _signature(syntax.params), diagram, notes, groups)

    def _rows(self, fields: Iterable[RecordField], layout: RecordLayout) -> Iterator[Row]:
        offset: int | None = None if layout.located else 0
        for each, lowered in zip(fields, layout.fields, strict=True):
            at = lowered.place.value if isinstance(lowered.place, Constant) else offset
            place = "" if at is None else str(at)
            yield Row(place, _size(lowered), self._linked(lowered.text), each.name, list(_notes(each)), each.doc)
            fixed = lowered.fixed if lowered.presence is None else None
            offset = None if offset is None or fixed is None else offset + fixed

    # ---- structs ----

    def _struct(self, struct: Struct) -> Part:
        rows = []
        for each in struct.fields:
            notes: list[str] = [] if struct.kind == "union" or each.requiredness == "default" else [each.requiredness]
            if each.has_default:
                notes.append(f"default {literal(each.default, each.type, struct.module)}")
            rows.append(Row(str(each.id), "", self._linked(_type_text(each.type)), each.name, notes, each.doc))
        about = [_ENCODED["message" if struct.is_protobuf else "struct"]]
        if struct.kind in _SET:
            about.insert(0, _SET[struct.kind])
        return Part(struct.kind, struct.name, struct.doc, notes=about, groups=[("", "", rows)], columns=("Id", ""))

    def _linked(self, text: str) -> Markup:
        """Returns a type with links to what the page declares."""
        parts = re.split(r"([A-Za-z_][\w.]*)", text)
        found = Markup("")
        for part in parts:
            item = self._module.find(part) if part and (part[0].isalpha() or part[0] == "_") else None
            if item is None or isinstance(item, Const | Service):
                found += escape(part)
            elif item.module is self._module:
                found += Markup('<a href="#{0}">{0}</a>').format(part)
            else:
                found += Markup('<a href="{}.html#{}">{}</a>').format(item.module.name, item.name, part)
        return found

    def _source(self, item: Definition) -> str:
        """Returns the text of a declaration: from its first line to where its brackets close."""
        start = item.location.line - 1
        end = next((line - 1 for line in self._starts if line > item.location.line), len(self._lines))
        found: list[str] = []
        depth = 0
        for line in self._lines[start:end]:
            found.append(line)
            depth += line.count("{") - line.count("}")
            if depth <= 0 and (line.rstrip().endswith((";", "}"))):
                break
        return "\n".join(found)


def _computed(layout: RecordLayout) -> Iterator[Row]:
    """Yields the rows of attributes without bytes."""
    for each in layout.computed:
        yield Row("", "computed", Markup(escape(kind_text(each.value.kind))), each.name, [f"= {each.text}"], each.doc)


def _words(source: str) -> set[str]:
    """Returns the names in a declaration, without those in comments and texts."""
    return set(
        re.findall(r"[A-Za-z_]\w*", re.sub(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\]|\\.)*"', " ", source, flags=re.DOTALL))
    )


def _cases(value: Any) -> list[tuple[str, str]]:
    """Returns the conditions and values of a choice among three or more; nothing for other expressions."""
    found = []
    while isinstance(value, Ternary):
        found.append((text_of(value.condition), text_of(value.then)))
        value = value.otherwise
    return [*found, ("else", text_of(value))] if len(found) > 1 else []


def _forms(layout: RecordLayout) -> list[str]:
    """Returns the note of a body that is read in other forms than it is written in."""
    return [
        "Other forms are read, such as numbers with more bytes than they need; the usual one is written."
    ] * layout.normalizes


def layout_big(layout: VariantLayout) -> bool:
    """Returns whether any alternative has big-endian numbers."""
    return any(each.record.big and _has_numbers(each.record) for each in layout.alternatives)


def _has_numbers(layout: RecordLayout) -> bool:
    return any(each.kind == "number" and not each.type.endswith("8") for each in layout.fields)


def _size(field: FieldLayout) -> str:
    if field.bits is not None:
        return f"{field.bits[2]} bits"
    if field.fixed is not None:
        return str(field.fixed) if field.presence is None else f"0 or {field.fixed}"
    return "varies"


def _notes(field: RecordField) -> Iterator[str]:
    if field.present is not None:
        yield f"if {text_of(field.present)}"
    if field.derived is not None:
        yield f"= {text_of(field.derived)}" + (f' (else "{field.derived_message}")' if field.derived_message else "")
    for each in field.invariants:
        yield f"{'where' if each.setting is None else 'with'} {_rule(each)}"
    if field.at is not None:
        yield f"at {text_of(field.at)}"
    if field.align is not None:
        yield f"align {text_of(field.align)}"
    if field.size is not None:
        yield f"size {text_of(field.size)}"
    if field.until is not None:
        yield f"until {text_of(field.until)}"
    if field.default is not None:
        yield f"default {text_of(field.default)}"
    if field.via:
        yield f"via {', then '.join(map(text_of, field.via))}"


def _rule(where: Any) -> str:
    return text_of(where.condition) + (f' (else "{where.message}")' if where.message else "")


def _signature(params: Any) -> str:
    texts = [f"{each.type_name if isinstance(each, Param) else type_text(each.type)} {each.name}" for each in params]
    return f"({', '.join(texts)})" if texts else ""


def _type_text(type_: Type) -> str:
    match type_:
        case Scalar():
            return type_.kind
        case ListOf():
            return f"list<{_type_text(type_.value)}>"
        case SetOf():
            return f"set<{_type_text(type_.value)}>"
        case MapOf():
            return f"map<{_type_text(type_.key)}, {_type_text(type_.value)}>"
    return type_.name
