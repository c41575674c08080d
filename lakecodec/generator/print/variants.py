"""Variants: a class, and one more for each alternative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..lower.layouts import AlternativeLayout, VariantLayout
from ..lower.nodes import Node
from ..plan.text import docstring
from ..plan.types import quoted
from .arrow_maps import print_arrow
from .records import ParameterText, RecordText, parameters, print_body, tag_printer
from .tables import variant_table
from .wrap import wrap


@dataclass(frozen=True, slots=True)
class VariantText:
    """What the template places of a variant.

    Attributes:
        cases: the alternatives; ``names`` are theirs in the IDL.
        tag: the expression over the parameters.
        table: (tag, class) where all tags are constants; else ``chain`` has (condition, class).
        otherwise: the class of `else`.
        layout: the statement that returns the variant as data.
    """

    name: str
    spec_name: str
    docstring: list[str]
    doc: str
    params: list[ParameterText]
    cases: list[RecordText]
    names: list[str]
    tag: str
    table: list[tuple[str, str]]
    chain: list[tuple[str, str]]
    otherwise: str
    source_line: int
    layout: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[RecordText]:
        """The classes that have fields."""
        return self.cases

    @property
    def read_head(self) -> list[str]:
        params = "".join(f", {param.text}" for param in self.params)
        return wrap(f"def _read(cls, at: _rec.Span, pos: int{params}) -> tuple[{self.name}, int]:", 4)

    @property
    def arguments(self) -> str:
        return "".join(f", {param.argument}" for param in self.params)

    @property
    def slots(self) -> str:
        names = [f'"{param.attr}"' for param in self.params]
        return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def print_variant(layout: VariantLayout, imports: set[str]) -> VariantText:
    """The classes of a variant; raises UnsupportedExpression with the place of what cannot be written."""
    first = layout.alternatives[0].record
    printer = tag_printer(first, imports, on_object=False)
    pairs = [(printer.text(tag), each.record.name) for each in layout.alternatives for tag in each.tags]
    cases = [_alternative(each, _others(each, layout), layout, imports) for each in layout.alternatives]
    # Alternatives inherit the table of the whole, which must not be taken for theirs where they have none.
    has_table = all(case.layout for case in cases)
    return VariantText(
        name=layout.name,
        spec_name=layout.spec_name,
        docstring=docstring(layout.doc or f"{layout.spec_name}."),
        doc=layout.doc,
        params=parameters(layout.parameters, first, imports),
        cases=cases,
        names=[each.name for each in layout.alternatives],
        tag=printer.text(layout.tag),
        table=pairs if layout.constant else [],
        chain=[] if layout.constant else pairs,
        otherwise=layout.otherwise,
        source_line=layout.location.line,
        layout=variant_table(layout, imports) if has_table else [],
    )


def _others(alternative: AlternativeLayout, layout: VariantLayout) -> list[Node]:
    """The tags of the other alternatives, where all are constants."""
    if not layout.constant:
        return []
    return [tag for each in layout.alternatives if each is not alternative for tag in each.tags]


def _alternative(
    alternative: AlternativeLayout, others: Sequence[Node], variant: VariantLayout, imports: set[str]
) -> RecordText:
    record = alternative.record
    constants = [("kind", quoted(alternative.name))]
    if alternative.fixed:
        constants.append(("tag", tag_printer(record, imports).text(alternative.tags[0])))
    if alternative.arrow:
        constants.append(("_arrow", print_arrow(alternative, imports)))
    return print_body(
        record,
        imports,
        doc=record.doc or f"{record.spec_name}.",
        slots=[],
        base=variant.name,
        alternative=alternative,
        refused_tags=() if alternative.fixed else others,
        constants=constants,
    )
