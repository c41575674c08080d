"""Fields that take as many bytes whatever the record around them sets inside of them, as directories with offsets do."""

from __future__ import annotations

from collections.abc import Iterator

from ..builtin_names import FIXED_WIDTHS
from ..model import Record
from ..paths import Target, clauses_of, enum_of
from ..syntax import Expr
from ..syntax.walk import names
from . import nodes
from .expressions import attribute_of
from .field_layout import FieldLayout, Setting, own_value
from .nodes import Node


def has_same_size(field: FieldLayout, setting: Setting) -> bool:
    """Returns whether a setting puts a number of fixed width into a record that nothing in that record asks for."""
    record, path = field.target, [each for each in setting.path if each is not None]
    if not isinstance(record, Record) or len(path) != 1 or setting.when is not None or field.codecs:
        return False
    own = next((each for each in record.fields if attribute_of(each.name, Target("object", record)) == path[0]), None)
    if own is None or own.type.name not in FIXED_WIDTHS or own.dimensions or own.bits or own.present or enum_of(own):
        return False
    return all(named.name != own.name for clause in _clauses(record) for named in names(clause))


def _clauses(record: Record) -> Iterator[Expr]:
    for each in record.fields:
        yield from clauses_of(each)
        yield from each.type.arguments or ()
        yield from each.type.type_arguments or ()
        yield from (clause for clause in (each.align, each.until) if clause is not None)
        yield from (where.condition if where.setting is None else where.setting.value for where in each.invariants)
    yield from (each.condition for each in record.checks)
    yield from (each.value for each in record.computed)


def guess(field: FieldLayout, setting: Setting) -> Node:
    """Returns the value at the place of a setting, or 0 where there is none."""
    element = own_value(field, element=setting.path[0] is None)
    own = nodes.Attribute(element, next(each for each in setting.path if each is not None))
    return nodes.Conditional(nodes.is_given(own), own, nodes.Constant(0))
