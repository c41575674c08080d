"""Choice of the records with places that native writers lay out; generated code lays out the rest."""

from __future__ import annotations

from . import nodes
from . import write_steps as steps
from .field_layout import FieldLayout, is_absent_or, verified
from .native_tables import is_expressible
from .nodes import Node
from .record_layout import RecordLayout
from .write_steps import WriteStep

#: Steps that only tell what is encoded, which the row says.
_ENCODING = (steps.Encode, steps.TakeElement, steps.Element)
#: What depends on how the record was read, or on bytes of other fields.
_UNKNOWN = (nodes.Padding, nodes.Encoded, nodes.Peek)


def is_laid_out(layout: RecordLayout) -> bool:
    """Returns whether native writers can lay out a record: tables can express all fields that are placed with `at`."""
    if layout.is_origin or any(map(_guesses, layout.fields)):
        return False
    return all(_is_writable(each, layout) for each in layout.fields if each.place is not None)


def _guesses(field: FieldLayout) -> bool:
    """Returns whether a value that is computed of places is asked for by its own condition: the first one may be a guess."""
    for each in field.settings:
        names_own = each.when is not None and any(
            isinstance(part, nodes.FieldValue) and part.field == field.name for part in nodes.walk(each.when)
        )
        guessed = nodes.AllBut if each.path else (nodes.AllBut, nodes.PlacedMeasure)
        if names_own and any(isinstance(part, guessed) for part in nodes.walk(each.value)):
            return True
    return False


def _is_writable(each: FieldLayout, layout: RecordLayout) -> bool:
    if each.by_element and (each.settings or (each.dimension is not None and each.dimension.grows)):
        return False
    if each.origin or each.shares_states or each.kind in ("bits", "values", "part", "column"):
        return False
    if any(codec.slot is not None for codec in each.codecs):
        return False
    said = [
        *each.clauses(),
        *(codec.call for codec in each.codecs),
        *(condition for _, condition in rules_of_whole(each, layout)),
    ]
    return all(_is_known(node, layout) for node in said) and all(
        _is_step(step, layout) for step in layout.writing[each.name]
    )


def uses_set(layout: RecordLayout) -> bool:
    """Returns whether a field is written with values that the record sets inside of its other fields with places."""
    for each in layout.fields:
        inside = [node for node in each.clauses() if node not in (each.place, each.size, each.alignment)]
        derived = (found.field for node in inside for found in layout.derived_in(node))
        if any(found.place is not None and found is not each for found in derived):
            return True
    return False


def _is_known(node: Node, layout: RecordLayout) -> bool:
    if any(isinstance(part, _UNKNOWN) for part in nodes.walk(node)) or nodes.span_words(node) - {"end"}:
        return False
    if any(each.fixed is None for each in nodes.measures(node)):
        return False
    return is_expressible(node, layout.module, laid_out=True)


def _is_step(step: WriteStep, layout: RecordLayout) -> bool:
    match step:
        case steps.Derive(derived=derived):
            setting = derived.setting
            return (
                setting is not None
                and setting.path.count(None) < len(setting.path)
                and _is_known(setting.value, layout)
            )
        case steps.Check(field=None):
            return False
        case steps.Check(field=FieldLayout() as field, rule=rule):
            return _is_known(is_absent_or(field, rule), layout)
    return isinstance(step, _ENCODING)


def rules_of_whole(each: FieldLayout, layout: RecordLayout) -> list[tuple[FieldLayout, Node]]:
    """Returns the rules that are checked once all is laid out: of lists whose elements have places, and about the `end`."""
    return [
        (other, verified(other, rule) if is_derived else is_absent_or(other, rule))
        for other, rule, is_derived in layout.placing[each.name].rules
        # What writers set inside of a field with a place is right.
        if (
            each.by_element
            and not (other is each and rule.of_element)
            and (rule.setting is None or other.place is None)
        )
        or (rule.setting is None and not is_derived and nodes.span_words(rule.condition) == {"end"})
    ]
