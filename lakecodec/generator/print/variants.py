"""Variants: a class, and one more for each alternative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..lower.nodes import Node
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
    return VariantText(
        name=layout.name,
        source_line=layout.location.line,
        head=statement(f"class {call(layout.name, '_rec.Variant', *options)}:"),
        docstring=docstring(layout.doc) if layout.doc else [],
        rows=parameter_rows(layout.parameters, first, imports),
        constants=[*name, *classes],
        read=_reading(layout, imports),
        cases=[_alternative(each, _others(each, layout), layout, imports) for each in layout.alternatives],
    )


def _reading(layout: VariantLayout, imports: set[str]) -> list[str]:
    """Returns the method that finds the alternative and has it read."""
    body = layout.alternatives[0].record
    printer = tag_printer(body, imports, on_object=False)
    parameters = signature(layout.parameters, replace(body, states=()), imports)
    arguments = [each.argument for each in layout.parameters]
    tag = printer.text(layout.tag)
    if layout.constant:
        lines = [f"return {call('r.alternative', 'cls', tag, *arguments)}"]
    else:
        lines = [f"tag: _Any = {tag}", "found: _Any = cls._otherwise"]
        pairs = [(tag, each.record.name) for each in layout.alternatives for tag in each.tags]
        for number, (each, name) in enumerate(pairs):
            lines += [f"{'elif' if number else 'if'} tag == {printer.text(each)}:", f"    found = {name}"]
        lines.append(f"return {call('r.body', 'r.chosen(cls, found, tag)', *arguments)}")
    head = statement(f"def {call('_read', 'cls', 'r: _rec.Reader', *parameters)} -> _Any:", 4)
    return ["@classmethod", *head, *("    " + part for line in lines for part in statement(line, 8))]


def _others(alternative: AlternativeLayout, layout: VariantLayout) -> list[Node]:
    """Returns the tags of the other alternatives, where all are constants."""
    if not layout.constant:
        return []
    return [tag for each in layout.alternatives if each is not alternative for tag in each.tags]


def _alternative(
    alternative: AlternativeLayout, others: Sequence[Node], variant: VariantLayout, imports: set[str]
) -> RecordText:
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
        refused_tags=() if alternative.fixed else others,
        constants=arrow,
    )
