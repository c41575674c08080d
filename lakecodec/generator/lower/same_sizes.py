"""Fields that take as many bytes whatever the record around them sets inside of them, as directories with offsets do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..builtin_names import FIXED_WIDTHS
from ..model import Record
from ..paths import Target, clauses_of, enum_of
from ..syntax import Expr
from ..syntax.walk import names
from . import nodes
from .expressions import attribute_of
from .field_layout import own_value
from .record_layout import Derived


def has_same_size(derived: Derived) -> bool:
    """Returns whether a number of fixed width is set in a record, and nothing in that record asks for it."""
    assert derived.setting is not None
    record, path = derived.field.target, [each for each in derived.setting.path if each is not None]
    if not isinstance(record, Record) or len(path) != 1 or derived.setting.when is not None or derived.field.codecs:
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


def guessed(derived: Derived) -> Derived:
    """Returns the same with the value that is there, or 0 where there is none."""
    setting = derived.setting
    assert setting is not None
    element = own_value(derived.field, element=setting.path[0] is None)
    own = nodes.Attribute(element, next(each for each in setting.path if each is not None))
    value = nodes.Conditional(nodes.is_given(own), own, nodes.Constant(0))
    return Derived(derived.field, value, replace(setting, value=value))
