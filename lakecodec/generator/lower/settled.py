"""The fields of records that a record around them computes, by `with`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..graph import computed_once
from ..model import Extension, Module, Record
from ..paths import field_lists
from ..syntax import RecordField


@computed_once
def _settled(module: Module) -> frozenset[tuple[str, str]]:
    bodies = (each for each in module.definitions if isinstance(each, Record | Extension))
    return frozenset(pair for body in bodies for fields in field_lists(body) for pair in _targets(fields))


def settled_fields(record: Record) -> frozenset[str]:
    """Returns the names of the fields that records of the same module compute."""
    return frozenset(field for name, field in _settled(record.module) if name == record.name)


def _targets(fields: Sequence[RecordField]) -> Iterator[tuple[str, str]]:
    for field in fields:
        for where in field.invariants:
            if where.setting is None or not any(where.setting.path):
                continue
            *path, last = [each for each in where.setting.path if each is not None]
            holder = field.kind.holder
            for name in path:
                inside = {each.name: each for each in holder.fields} if isinstance(holder, Record) else {}
                holder = inside[name].kind.holder if name in inside else None
            if isinstance(holder, Record):
                yield holder.name, last
