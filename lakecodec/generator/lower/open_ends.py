"""Records whose parts ask for the end of a span that other bytes share, or that is not known while they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..graph import Body, always
from ..model import Extension, Record
from ..paths import field_lists, parameter_names
from ..syntax import Call, Expr, RecordField, VariantDef
from ..syntax.walk import called_name, span_words, walk
from .end_clauses import asks_for_end, is_unsettled
from .rounded import names_rounded

#: Functions of the bytes of fields.
_OF_BYTES = frozenset(("encoded", "offset", "padding", "raw_size", "size"))


@always
def needs_reading_back(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether clauses of a record, or of one that it holds, ask for the end of a span which what is written does not
    settle: bytes may follow, or another value takes as many. Rules about the end, lists that end by their bytes or by those
    behind them, and bytes that are kept where fields could have them are such clauses, too.

    A record that is written does not know what follows it. So whether a reader finds the same fields shows only once the
    whole is encoded.
    """
    return _peeks_for_tag(body) or bool(_words_of_rules(body)) or _is_open(body) or _holds_open(body, holds)


def is_checked_by_writers(body: Body) -> bool:
    """Returns whether writers that lay out all of a record know what reading it back would show: its own rules name its `end`
    alone, and where bytes decide, they are the first ones of a variant.
    """
    return _words_of_rules(body) <= {"end"} and not (_is_open(body) or _holds_open(body, _needs_more_than_tags))


@always
def _needs_more_than_tags(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns the same as `needs_reading_back`, except for variants that their own first bytes decide."""
    return bool(_words_of_rules(body)) or _is_open(body) or _holds_open(body, holds)


def _is_open(body: Body) -> bool:
    return (
        _peeks(body) or _ends_by_bytes(body) or _keeps_more(body) or _has_unsettled(body) or names_rounded(body)
        or (_counts_rest(body) and _places_far(body))
    )  # fmt: skip


def _peeks_for_tag(body: Body) -> bool:
    """Returns whether unread bytes decide which alternative a variant is."""
    return not isinstance(body, Record) and body.syntax.tag is not None and "peek" in span_words(body.syntax.tag, ())


def _has_unsettled(body: Body) -> bool:
    """Returns whether a clause of a body asks for the end of the span, and values may be written that contradict it."""
    parameters = parameter_names(body)
    if not isinstance(body, Record) and span_words(body.syntax.tag, parameters) - {"peek"}:
        return True
    normalizes = isinstance(body, Record) and "normalizes" in body.attributes
    for fields in field_lists(body):
        own = {*parameters, *(field.name for field in fields)}
        for place, field in enumerate(fields):
            if is_unsettled(field, _behind(fields, place), own, body.module, normalizes=normalizes):
                return True
    return False


def _behind(fields: Sequence[RecordField], place: int) -> list[RecordField]:
    """Returns the fields that follow one in a body."""
    return [each for each in fields[place + 1 :] if each.at is None and each.bits is None]


def _keeps_more(body: Body) -> bool:
    """Returns whether bytes that a record keeps where its fields had more of them may be read as these fields."""
    return isinstance(body, Record) and not {"gaps", "overlaps"}.isdisjoint(body.attributes) and _asks_for_end(body)


@always
def _asks_for_end(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether what the fields of a body are depends on the end of the span around it; places are checked in any case."""
    for fields in field_lists(body):
        own = {*parameter_names(body), *(field.name for field in fields)}
        for field in fields:
            held = _body_of(field) if field.size is None else None
            if asks_for_end(field, own) or (held is not None and holds(held)):
                return True
    return False


def _holds_open(body: Body, holds: Callable[[Body], bool]) -> bool:
    for fields in field_lists(body):
        for place, field in enumerate(fields):
            held = _body_of(field)
            # Of a place, what follows in the record does not say what follows there.
            is_last = field.at is None and not _behind(fields, place) and not field.dimensions
            if held is not None and field.via and _places_in_source(held):
                return True
            if held is not None and (holds(held) or (not (is_last or _has_span(field)) and _depends_on_end(held))):
                return True
    return False


@always
def _places_in_source(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether fields in a body have places in the source: behind codecs these are bytes that nothing else takes."""
    fields = [field for each in field_lists(body) for field in each]
    if any(field.from_source and not field.origin for field in fields):
        return True
    held = [_body_of(field) for field in fields if not field.via]
    return any(holds(each) for each in held if each is not None)


@always
def _depends_on_end(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether a clause of a body, or of its last field, depends on the end of the span around it."""
    for fields in field_lists(body):
        own = {*parameter_names(body), *(field.name for field in fields)}
        if any(asks_for_end(field, own) for field in fields):
            return True
        last = next((each for each in reversed(fields) if each.at is None and each.bits is None), None)
        held = None if last is None or _has_span(last) else _body_of(last)
        if held is not None and holds(held):
            return True
    return False


def _peeks(body: Body) -> bool:
    """Returns whether unread bytes decide how the fields of a body are read."""
    found = list[Expr | None]()
    for fields in field_lists(body):
        for field in fields:
            found += [field.present, field.size, *(each.expression for each in field.dimensions)]
    return any("peek" in span_words(each, ()) for each in found if each is not None)


def _ends_by_bytes(body: Body) -> bool:
    """Returns whether the bytes of a list, or those behind it, decide where it ends."""
    for fields in field_lists(body):
        own = {*parameter_names(body), *(field.name for field in fields)}
        for each in (each for field in fields for each in field.dimensions if each.kind == "until"):
            assert each.expression is not None
            calls = {called_name(part) for part in walk(each.expression) if isinstance(part, Call)}
            if not calls.isdisjoint(_OF_BYTES) or span_words(each.expression, own):
                return True
    return False


def _counts_rest(body: Body) -> bool:
    """Returns whether a field is derived from the bytes behind it, or has rules about them."""
    for fields in field_lists(body):
        own = {*parameter_names(body), *(field.name for field in fields)}
        for field in fields:
            found = [field.derived, *(rule.condition for rule in field.invariants)]
            if any("rest" in span_words(each, own) for each in found if each is not None):
                return True
    return False


@always
def _places_far(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether fields in a body have places in the source or in a record around it: they may stand behind it."""
    fields = [field for each in field_lists(body) for field in each]
    held = map(_body_of, fields)
    return any(field.from_source for field in fields) or any(holds(each) for each in held if each is not None)


def _words_of_rules(body: Body) -> set[str]:
    """Returns the words by which rules ask for a part of the span around a body that is not known where they are written."""
    found: set[str] = set()
    for fields in field_lists(body):
        own = {*parameter_names(body), *(field.name for field in fields)}
        for field in fields:
            unknown = {"end", "at_end"} if field.at is None else {"end", "at_end", "rest"}
            for rule in field.invariants:
                found |= unknown & span_words(rule.condition, own) if rule.setting is None else set()
    # `where at_end` of a record says that nothing follows it. This is true if the record is written last.
    for whole in body.checks if isinstance(body, Record) else ():
        found |= {"end", "rest"} & span_words(whole.condition, {*parameter_names(body)})
    return found


def _body_of(field: RecordField) -> Body | None:
    """Returns the record or variant that a field holds."""
    found = field.target
    if isinstance(found, Extension):
        return found if isinstance(found.syntax, VariantDef) else None
    return found if isinstance(found, Record) else None


def _has_span(field: RecordField) -> bool:
    """Returns whether each element of a field has its own span."""
    return field.size is not None and (not field.dimensions or field.dimensions[0].kind == "index")
