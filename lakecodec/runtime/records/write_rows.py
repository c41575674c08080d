"""The native writer's program of a record: its table as rows for the extension."""

from __future__ import annotations

from typing import Any

from .nodes import Variables
from .table import Expr, FieldTable, RecordTable, operations

Row = tuple[Any, ...]

#: Steps of the native writer, by number.
_STEPS = {name: number for number, name in enumerate(("derive", "raw", "aside", "put", "check"))}
#: Measures in the order in which rows have them.
_MEASURES = ("size", "raw_size", "sizes", "start")


def writer_rows(table: RecordTable, variables: Variables) -> tuple[Row, Row, bool]:
    """Returns the arguments of ``Program.fill_writer``: fields, steps, and whether these need the places of fields.

    Args:
        variables: the body's variables, to which the measures for writing are added.
    """
    numbers = {field.name: number for number, field in enumerate(table.steps)}
    steps: list[tuple[str, int, Any]] = []
    computed: set[str] = set()
    for number, field in enumerate(table.steps):
        for word, name in field.before:
            steps.append((word, numbers[name], None))
            computed.update([name] if word == "derive" else [])
        if field.derived is not None and field.name not in computed:
            steps.append(("derive", number, None))
        steps.append(("put", number, None))
    checks = [(number, check) for number, field in enumerate(table.steps) for check in field.checks]
    checks += [(len(numbers), check) for check in (*table.checks, *table.write_checks)]
    steps += [("check", number, variables.node(check)) for number, check in checks]
    derivations = [None if field.derived is None else variables.node(field.derived) for field in table.steps]
    fields = tuple(_field(*each, variables) for each in zip(table.steps, derivations, strict=True))
    needs_places = any(is_of_span(check) for _, check in checks)
    needs_places |= any(part[0] == "encoded" for field in table.steps for part in operations(field.derived))
    return fields, tuple((_STEPS[word], number, node) for word, number, node in steps), needs_places


def placed_row(field: FieldTable) -> Row:
    """Returns the row of a field with a place, for writing: its presence and its size are checked at its place."""
    is_counted = field.dimension == "count" or (
        field.dimension == "until" and not (_is_of_bytes(field.count) or is_of_span(field.count))
    )
    is_sized = field.length is not None
    return None, False, True, is_counted, is_sized, False, False, (-1,) * len(_MEASURES), False


def _field(field: FieldTable, derivation: Any, variables: Variables) -> Row:
    is_listed = field.type == "bits" and ("index",) in operations(field.derived)
    is_counted = field.dimension in ("count", "index") or (field.dimension == "until" and not _is_of_bytes(field.count))
    by_value = field.present is not None and not _is_checked(field, "present")
    return (
        derivation,
        field.derived is not None and (field.dimension == "index" or is_listed),
        by_value,
        is_counted and _is_checked(field, "count"),
        _is_checked(field, "length"),
        _is_checked(field, "size"),
        any(map(is_of_span, field.arguments)),
        tuple(variables.known_measure(each, field.name) for each in _MEASURES),
        field.derived is not None and not field.given,
    )


def _is_checked(field: FieldTable, clause: str) -> bool:
    """Returns whether a field has a check that a writer can evaluate, without the span around the record."""
    expr = getattr(field, clause)
    return expr is not None and clause not in field.open and not is_of_span(expr)


def _is_of_bytes(expr: Expr) -> bool:
    """Returns whether an expression uses bytes, not only values."""
    words = {each[0] for each in operations(expr)}
    return not words.isdisjoint(("begin", "base", "captured", "encoded", "end", "pos"))


def is_of_span(expr: Expr) -> bool:
    """Returns whether an expression uses the end of the span around a record, which writers do not know."""
    return ("end",) in operations(expr)
