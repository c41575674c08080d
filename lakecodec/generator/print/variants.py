"""Variants: a class, and one more for each alternative."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..lower import nodes
from ..lower.record_layout import AlternativeLayout, VariantLayout
from ..names import quoted
from .arrow_maps import print_arrow
from .records import RecordText, RowText, parameter_rows, print_body, signature, tag_printer
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
    runs: list[list[str]] = field(default_factory=list)

    @property
    def records(self) -> list[RecordText]:
        """The classes that have fields."""
        return self.cases


def print_variant(layout: VariantLayout, imports: set[str]) -> VariantText:
    """Returns the classes of a variant."""
    options = variant_options(layout, imports)
    first = layout.alternatives[0].record
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
        read=_reading(layout, imports),
        cases=[_alternative(each, layout, imports) for each in layout.alternatives],
    )


def _reading(layout: VariantLayout, imports: set[str]) -> list[str]:
    """Returns the method that finds the class of the alternative."""
    body = layout.alternatives[0].record
    printer = tag_printer(body, imports, on_object=False)
    parameters = signature(layout.parameters, replace(body, states=()), imports)
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
    head = statement(f"def {call('_pick', 'cls', 'r: _rec.Reader', *parameters)} -> _Any:", 4)
    return ["@classmethod", *head, *("    " + part for line in lines for part in statement(line, 8))]


def _alternative(alternative: AlternativeLayout, variant: VariantLayout, imports: set[str]) -> RecordText:
    options = [f"kind={quoted(alternative.name)}"]
    if alternative.tags:
        options.append(f"tags={alternative_tags(variant, alternative, imports)}")
    arrow = statement(f"_arrow = {print_arrow(alternative, imports)}", 4) if alternative.arrow else []
    return print_body(
        alternative.record,
        imports,
        base=variant.name,
        options=options,
        alternative=alternative,
        constants=arrow,
    )
