"""Variants: a class, and one more for each alternative."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..lower import nodes
from ..lower.nodes import Node
from ..lower.record_layout import AlternativeLayout, ArrowHole, ArrowLayout, ArrowShape, Construction, VariantLayout
from ..names import import_alias, quoted, type_name
from .records import RecordText, RowText, arguments_of, is_of_parameters, parameter_rows, print_body, tag_printer
from .spelling import ReadingPrinter
from .tables import alternative_tags, variant_options
from .text import call, docstring, statement, tupled


@dataclass(frozen=True, slots=True)
class VariantText:
    """The printed parts of a variant's classes, for the template."""

    name: str
    source_line: int
    head: list[str]
    docstring: list[str]
    rows: list[RowText]
    constants: list[str]
    read: list[str]
    cases: list[RecordText] = field(default_factory=list)

    @property
    def records(self) -> list[RecordText]:
        """The classes that have fields."""
        return self.cases


def print_variant(layout: VariantLayout, imports: set[str]) -> VariantText:
    """Returns the classes of a variant."""
    first = layout.alternatives[0].record
    options = [*variant_options(layout, imports), *_tag(layout, imports)]
    options += ["normalizes=True"] if first.normalizes else []
    classes = [f"{each.name}: _ClassVar[_rec.Class[{each.record.name}]]" for each in layout.alternatives]
    name = [] if layout.name == layout.spec_name else [f"__idl_name__ = {quoted(layout.spec_name)}"]
    tags = [layout.tag, *(tag for each in layout.alternatives for tag in each.tags)]
    asks = ["_asks_span = True"] if any(nodes.span_words(tag) for tag in tags) else []
    return VariantText(
        name=layout.name,
        source_line=layout.location.line,
        head=statement(f"class {call(layout.name, '_rec.Variant', *options)}:"),
        docstring=docstring(layout.doc) if layout.doc else [],
        rows=parameter_rows(layout.parameters, first, imports),
        constants=[*name, *asks, *classes],
        read=[] if layout.constant and is_of_parameters(layout.tag) else _reading(layout, imports),
        cases=[_alternative(each, layout, imports) for each in layout.alternatives],
    )


def _tag(layout: VariantLayout, imports: set[str]) -> list[str]:
    """Returns the option that computes the tag from a variant's arguments, unless the tag is one of them."""
    if not is_of_parameters(layout.tag) or (layout.native_readable and isinstance(layout.tag, nodes.Parameter)):
        return []
    body = layout.alternatives[0].record
    arguments = ", ".join(arguments_of(layout.parameters, body, imports))
    return [f"tag=lambda {arguments}: {tag_printer(body, imports, on_object=False).text(layout.tag)}"]


def _reading(layout: VariantLayout, imports: set[str]) -> list[str]:
    """Returns the method that finds the class of the alternative, unless a tag of parameters suffices."""
    body = layout.alternatives[0].record
    printer = tag_printer(body, imports, on_object=False)
    tag = printer.text(layout.tag)
    if layout.constant:
        lines = [f"found = cls._alternatives.get({tag}, cls._otherwise)"]
    else:
        lines = [f"tag: _Any = {tag}", "found: _Any = cls._otherwise"]
        pairs = [(tag, each.record.name) for each in layout.alternatives for tag in each.tags]
        for number, (each, name) in enumerate(pairs):
            lines += [f"{'elif' if number else 'if'} tag == {printer.text(each)}:", f"    found = {name}"]
    if all(each.tags for each in layout.alternatives):
        lines += ["if found is None:", f"    raise r.no_alternative(cls, {tag if layout.constant else 'tag'})"]
    lines.append("return found")
    arguments = arguments_of(layout.parameters, body, imports, typed=True)
    head = statement(f"def {call('_pick', 'cls: _Any', 'r: _rec.Reader', *arguments)} -> _Any:", 4)
    return ["@classmethod", *head, *("    " + part for line in lines for part in statement(line, 8))]


def _alternative(alternative: AlternativeLayout, variant: VariantLayout, imports: set[str]) -> RecordText:
    options = [f"kind={quoted(alternative.name)}"]
    if alternative.tags:
        options.append(f"tags={alternative_tags(variant, alternative, imports)}")
    plain = plain_arrow(alternative)
    options += [f"arrow={quoted(plain)}"] if plain else []
    clauses = [] if plain or not alternative.arrow else statement(f"_arrow = {print_arrow(alternative, imports)}", 4)
    return print_body(
        alternative.record,
        imports,
        base=variant.name,
        options=options,
        alternative=alternative,
        constants=clauses,
    )


def plain_arrow(alternative: AlternativeLayout) -> str:
    """Returns the Arrow type that maps to and from an alternative without fields; empty if there is none."""
    match alternative.arrow:
        case (ArrowLayout(ArrowShape(name, ()), (), Construction(_, cls, ()), None),):
            return name if cls == alternative.record.name and not alternative.record.fields else ""
    return ""


def print_arrow(alternative: AlternativeLayout, imports: set[str]) -> str:
    """Returns the text of the tuple of an alternative's clauses."""
    imports.add("_arrows")
    printer = ReadingPrinter(alternative.record.module, imports)
    if len(alternative.arrow) == 1:
        return _clause(alternative.arrow[0], printer, "only")
    return tupled(_clause(each, printer, "ArrowMap") for each in alternative.arrow)


def _clause(clause: ArrowLayout, printer: ReadingPrinter, function: str) -> str:
    arguments = [_shape(clause.shape, printer)]
    if clause.values:
        arguments.append(f"lambda self: {tupled(printer.texts(clause.values))}")
    if clause.made is not None:
        arguments.append(f"made=lambda bound: {_construction(clause.made, printer)}")
    if clause.condition is not None:
        arguments.append(f"condition=lambda self: {printer.text(clause.condition)}")
    return call(f"_arrows.{function}", *arguments)


def _shape(shape: ArrowShape, printer: ReadingPrinter) -> str:
    return call("_arrows.Shape", quoted(shape.name), *(_argument(each, printer) for each in shape.arguments))


def _argument(argument: ArrowShape | ArrowHole | Node, printer: ReadingPrinter) -> str:
    match argument:
        case ArrowShape():
            return _shape(argument, printer)
        case ArrowHole(number=number, variant=variant):
            inside = "" if variant is None else f", lambda: {type_name(variant.name)}"
            return f"_arrows.Hole({number}{inside})"
    return printer.text(argument)


def _construction(made: Construction, printer: ReadingPrinter) -> str:
    prefix = "" if made.module is printer.module else f"{import_alias(made.module)}."
    arguments = (
        f"{name}={_construction(value, printer) if isinstance(value, Construction) else printer.text(value)}"
        for name, value in made.arguments
    )
    return call(f"{prefix}{made.cls}", *arguments)
