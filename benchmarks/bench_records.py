"""Records of a user's IDL: fields a second as objects and as columns, CPU time of all threads, results dropped."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lakecodec import compile_idl

from .harness import Result, interleave

#: Seconds a field: 5 million a second as objects, 50 million as columns.
_OBJECTS, _COLUMNS = 1 / 5e6, 1 / 50e6


def run(quick: bool) -> list[Result]:
    """Lists of 1 million records; ``quick`` takes a tenth."""
    idl = compile_idl(Path(__file__).with_name("records.idl"))
    count, repeat = (100_000, 3) if quick else (1_000_000, 5)
    results = []
    for name, fields, data in samples(idl, count):
        holder, table = getattr(idl, name.capitalize()), getattr(idl, name)
        assert table.decode([data])[0].num_rows == count
        functions: dict[str, Callable[[], Any]] = {
            "objects": lambda holder=holder, data=data: holder.from_bytes(data),
            "columns": lambda table=table, data=data: table.decode([data]),
        }
        found = interleave(functions, repeat=repeat, clock=time.process_time)
        for what, limit in (("objects", _OBJECTS), ("columns", _COLUMNS)):
            seconds = found[what] / (count * fields)
            results.append(Result(f"a field of {name} as {what}", seconds, limit, "limit", bar=1.0))
    return results


def samples(idl: Any, count: int) -> list[tuple[str, int, bytes]]:
    """Name, fields of an element, and bytes of each list: ten numbers, two, and two with a text."""
    numbers = range(count)
    tens = (
        idl.Ten(
            a=n & 255, b=n % 999 - 500, c=n, d=-n, e=n * 0.5, f=n * 0.25, g=n & 65535, h=-n, i=n * 7, j=not n & 1
        )
        for n in numbers
    )  # fmt: skip
    return [
        ("tens", 10, idl.Tens(items=list(tens)).to_bytes()),
        ("points", 2, idl.Points(items=[idl.Point(x=-n, y=n) for n in numbers]).to_bytes()),
        ("names", 4, idl.Names(items=[idl.Named(id=n, name=f"name {n}", value=n * 0.5) for n in numbers]).to_bytes()),
    ]
