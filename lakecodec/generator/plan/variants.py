"""Plans of variants: a class, and one more for each alternative."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import Extension
from ..syntax import Binary, Expr, Literal_, Member, Name, VariantCase, VariantDef
from . import types
from .arrow_maps import plan_arrow
from .layouts import choice_table
from .names import type_name
from .record_elements import reading_scope, tag_scope
from .record_plan import ParamPlan, RecordPlan
from .records import params_of, plan_unit
from .text import docstring
from .units import Unit, unit_of_case
from .wrap import wrap


@dataclass(frozen=True, slots=True)
class VariantPlan:
    """Attributes:
    cases: the alternatives; ``names`` are theirs in the IDL.
    tag: the expression over the parameters.
    table: (tag, class) where all tags are constants; else ``chain`` has (condition, class).
    otherwise: the class of `else`.
    several: whether an alternative has more than one tag, so that values remember theirs.
    """

    name: str
    spec_name: str
    docstring: list[str]
    doc: str
    params: list[ParamPlan]
    cases: list[RecordPlan]
    names: list[str]
    tag: str
    table: list[tuple[str, str]]
    chain: list[tuple[str, str]]
    otherwise: str
    several: bool
    source_line: int
    #: The statement that returns it as data.
    layout: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[RecordPlan]:
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


def plan_variant(extension: Extension, nests: bool) -> VariantPlan:
    syntax: VariantDef = extension.syntax
    units = [unit_of_case(extension, case, nests) for case in syntax.cases]
    scope = tag_scope(units[0], made=False)
    wanted = scope.kind(syntax.tag)
    tags = [[scope.render(tag, wanted) for tag in case.tags] for case in syntax.cases]
    constant = all(_is_constant(tag) for case in syntax.cases for tag in case.tags)
    name = type_name(extension.name)
    every = [text for texts in tags for text in texts] if constant else []
    cases = [
        _case(extension, case, unit, texts, [text for text in every if text not in texts])
        for case, unit, texts in zip(syntax.cases, units, tags, strict=True)
    ]
    pairs = [(text, unit.name) for unit, texts in zip(units, tags, strict=True) for text in texts]
    others = [unit.name for unit, case in zip(units, syntax.cases, strict=True) if not case.tags]
    # Alternatives inherit the table of the whole, which must not be taken for theirs where they have none.
    has_table = all(case.layout for case in cases)
    layout = choice_table(
        units[0],
        scope.render(syntax.tag),
        f"_{name}_alternatives" if constant else "",
        [] if constant else pairs,
        others[0] if others else "",
    )
    return VariantPlan(
        name=name,
        spec_name=extension.name,
        docstring=docstring(extension.doc or f"{extension.name}."),
        doc=extension.doc,
        params=params_of(units[0]),
        cases=cases,
        names=[case.name for case in syntax.cases],
        tag=scope.render(syntax.tag),
        table=pairs if constant else [],
        chain=[] if constant else pairs,
        otherwise=others[0] if others else "",
        several=any(len(texts) != 1 for texts in tags) or not constant,
        source_line=extension.location.line,
        layout=layout if has_table else [],
    )


def _case(extension: Extension, case: VariantCase, unit: Unit, tags: list[str], others: list[str]) -> RecordPlan:
    fixed = len(tags) == 1 and all(_is_constant(tag) for tag in case.tags)
    constants = [("kind", types.quoted(case.name))]
    if fixed:
        constants.append(("tag", tags[0]))
    if case.arrow:
        constants.append(("_arrow", plan_arrow(unit, case.arrow, reading_scope(unit))))
    return plan_unit(
        unit,
        spec_name=f"{extension.name}.{case.name}",
        doc=case.doc or f"{extension.name}.{case.name}.",
        source_line=case.location.line,
        slots=[],
        base=type_name(extension.name),
        constants=constants,
        refused_tags=[] if fixed else others,
        takes_tag="" if fixed else (tags[0] if tags and all(_is_constant(tag) for tag in case.tags) else "None"),
        qualname=f"{type_name(extension.name)}.{case.name}",
        kind="variant",
    )


def _is_constant(expr: Expr) -> bool:
    match expr:
        case Literal_() | Name():
            return True
        case Member():
            return _is_constant(expr.base)
        case Binary():
            return _is_constant(expr.left) and _is_constant(expr.right)
    return False
