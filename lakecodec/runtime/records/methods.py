"""Readers and writers of simple records, made from their rows on first use.

The fields are numbers and records that are always present and have no rules, so that each takes one call.
"""

from __future__ import annotations

import sys
from itertools import groupby
from typing import Any

from .fits import NOT_PACKED
from .fixed_runs import Layout
from .placed_numbers import CODES, number_method
from .read_numbers import NumberReader
from .row_tables import look_up
from .rows import RecordRow, slot_of


def first_read(self: Any, cursor: Any) -> None:
    """Makes the methods of a record's class, then reads the record."""
    with_methods(type(self))._read(self, cursor)


def first_write(self: Any, cursor: Any) -> None:
    """Makes the methods of a record's class, then writes the record."""
    with_methods(type(self))._write(self, cursor)


def with_methods(cls: Any) -> Any:
    """Returns a class after adding methods made from its rows if it has none.

    Raises:
        TypeError: the rows do not suffice for reading and writing.
    """
    if cls._read is not first_read:
        return cls
    rows = {attr: row for attr, row in cls.__rows__.items() if type(row) is RecordRow}
    is_alternative = cls.__kind__ == "variant" and cls._pick is None
    if not (rows or is_alternative):
        raise TypeError(f"{cls.__name__} has no methods that read and write it")
    names = vars(sys.modules[cls.__module__])
    made: dict[str, Any] = {"NOT_PACKED": NOT_PACKED}
    reading, writing = ["pass"], []
    if is_alternative:
        tag = f"_tag_of({', '.join(f'self.{each}' for each in cls._parameters)})"
        writing.append(f"w.tag(self, self.{cls._on if isinstance(cls._on, str) else tag})")
    for order, group in groupby(rows.items(), key=lambda item: _order(item[1])):
        run = dict(group)
        attributes = [f"self.{slot_of(attr, row)}" for attr, row in run.items()]
        if order:
            name = f"_{len(made)}"
            layout = Layout(order, **{row.name or attr: CODES[row.step["type"]] for attr, row in run.items()})
            made |= {name: layout, f"{name}_whole": layout.whole}
            writing += _run(name, layout, attributes)
            if len(run) > 1:
                reading.append(f"{', '.join(attributes)} = r.run({name})")
            else:
                ((attr, row),) = run.items()
                method = number_method(row.step["type"], "big" in row.step)
                reading.append(f"{attributes[0]} = r.{method}({row.name or attr!r})")
            continue
        for target, (attr, row) in zip(attributes, run.items(), strict=True):
            field, name, type_ = repr(row.name or attr), f"_{len(made)}", row.step["type"]
            if type_ == "record":
                made[name] = look_up(row.step["target"], names)
                reading.append(f"{target} = r.record({field}, {name})")
                writing.append(f"w.record({field}, {name}, {target})")
            elif type_ not in CODES and hasattr(NumberReader, kind := type_.rstrip("0123456789")):
                bits = type_[len(kind) :]
                loose = ", loose=True" if row.step.get("loose") else ""
                reading.append(f"{target} = r.{kind}({field}, {bits}{loose})")
                write = f"w.{kind}({field}, {target}, {bits})"
                is_short = kind == "uvarint" and f"type(_ := {target}) is int and 0 <= _ < 128"
                writing += [f"if {is_short}: w.data.append(_)", f"else: {write}"] if is_short else [write]
            else:
                reading.append(f"{target} = r.{type_}({field})")
                writing += [
                    f"if (_ := {target}) is True or _ is False: w.data.append(_)",
                    f"else: w.{type_}({field}, {target})",
                ]
    for head, lines in (("_read(self, r)", reading), ("_write(self, w)", writing or ["pass"])):
        exec(f"def {head}:\n    " + "\n    ".join(lines), made)
    cls._read, cls._write = made["_read"], made["_write"]
    return cls


def _run(name: str, layout: Layout, attributes: list[str]) -> list[str]:
    """Returns the lines that write a run of numbers: without a call of the cursor where they are of the usual types."""
    values = [f"v{number}" for number in range(len(attributes))]
    return [
        *(f"{value} = {attribute}" for value, attribute in zip(values, attributes, strict=True)),
        f"if {layout.likely(values)}:",
        f"    try: w.data += {name}_whole({', '.join(values)})",
        f"    except NOT_PACKED: w.run({name}, {', '.join(values)})",
        f"else: w.run({name}, {', '.join(values)})",
    ]


def _order(row: RecordRow) -> str:
    """Returns the byte order of a number of fixed width; empty for other fields."""
    return "" if row.step["type"] not in CODES else ">" if row.step.get("big") else "<"
