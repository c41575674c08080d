"""Variants: a class, and one more for each alternative."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..lower import nodes
from ..lower.record_layout import AlternativeLayout, VariantLayout
from ..names import quoted
from .arrow_maps import plain_arrow, print_arrow
from .records import RecordText, RowText, arguments_of, is_of_parameters, parameter_rows, print_body, tag_printer
from .tables import alternative_tags, variant_options
from .text import call, docstring, statement


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
    """Returns the option that computes the tag of a variant's arguments, where it is more than one of them."""
    if not is_of_parameters(layout.tag) or (layout.tabled and isinstance(layout.tag, nodes.Parameter)):
        return []
    body = layout.alternatives[0].record
    arguments = ", ".join(arguments_of(layout.parameters, body, imports))
    return [f"tag=lambda {arguments}: {tag_printer(body, imports, on_object=False).text(layout.tag)}"]


def _reading(layout: VariantLayout, imports: set[str]) -> list[str]:
    """Returns the method that finds the class of the alternative, where that asks for more than a tag of parameters."""
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
    arguments = arguments_of(layout.parameters, body, imports)
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
