"""Every cell of a Mosaic file, as the oracle reads it, and of an Arrow table, in the same plain form.

Numbers, dates, times, timestamps and decimals are integers of their unit, floats their text (zeros have signs, NaN is
NaN), lists lists and maps lists of pairs; None is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..paths import SPECS
from .mosaic_codecs import EXTERNS
from .nodes import Node, Refused
from .reader import Oracle

MOSAIC = Oracle(SPECS / "mosaic.idl", EXTERNS)

_CHILDREN = {"ARRAY": ("element",), "MAP": ("key", "item")}


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket where a reference says, with what is needed to read it."""

    reference: Node
    arguments: tuple[Any, ...]
    positions: list[int]

    def read(self, data: bytes) -> Node:
        return MOSAIC.read("StoredBucket", data, self.reference, *self.arguments)


def buckets(file: Node) -> list[Bucket]:
    """The buckets that a file stores."""
    return [bucket for group in file.walk("index.row_groups") for bucket in _buckets_of_group(file, group)]


def _buckets_of_group(file: Node, group: Node) -> Iterator[Bucket]:
    columns, count = file.walk("schema.body.columns"), file.walk("footer.num_buckets")
    for reference in group["buckets"]:
        positions = [p for p in range(len(columns)) if p * count // len(columns) == reference["bucket_id"]]
        own = [columns[position].walk("type.params") for position in positions]
        types = [*own, *(child for type_ in own for child in _descendants(type_))]
        arguments = (file.walk("footer.compression"), types, len(own), group["num_rows"])
        yield Bucket(reference, arguments, positions)


def _descendants(type_: Node) -> list[Node]:
    """The types of a nested column's stored children, depth first."""
    found = []
    for name in _CHILDREN.get(type_.case or "", ()):
        child = type_[name].walk("type.params")
        found += [child, *_descendants(child)]
    return found


def cells_of_file(data: bytes) -> dict[str, list[Any]]:
    """The cells of each column by its name, in the order in which the writer was given the columns."""
    file = MOSAIC.read("File", data)
    columns = file.walk("schema.body.columns")
    cells: dict[int, list[Any]] = {position: [] for position in range(len(columns))}
    for group in file.walk("index.row_groups"):
        done = set()
        for bucket in _buckets_of_group(file, group):
            content = _columns(bucket.read(data)["data"])
            _, types, primaries, _ = bucket.arguments
            children = iter(zip(types[primaries:], content[primaries:], strict=True))
            for position, type_, values in zip(bucket.positions, types[:primaries], content, strict=False):
                cells[position] += _assembled(type_, values, children, group["num_rows"])
                done.add(position)
        for position in cells.keys() - done:
            cells[position] += [None] * group["num_rows"]
    order = file.walk("schema.body.order")
    return {columns[p]["name"]: cells[p] for p in (range(len(columns)) if order is None else order)}


# ---- stored columns ----


def _columns(bucket: Node) -> list[tuple[list[int] | None, list[Any] | None]]:
    """(null flags, values that are not null; None where all rows are null) of each stored column."""
    body = bucket["body"]
    if bucket.case == "MONOLITHIC":
        parts = zip(*(body[name] for name in ("nulls", "cells", "consts", "dicts")), strict=True)
        return [_live(*each) for each in parts]
    return [
        (None, None) if slot is None else _live(*(slot["page"][n] for n in ("nulls", "cells", "constant", "dict")))
        for slot in body["slots"]
    ]


def _live(nulls: Any, cells: Node, constant: Any, dictionary: Any) -> tuple[list[int] | None, list[Any] | None]:
    flags = None if nulls is None else nulls["null_at"]
    match cells.case:
        case "PLAIN":
            return flags, list(cells["values"])
        case "CONST":
            return flags, [constant[0]] * cells.params["rows"]
        case "DICT":
            return flags, [dictionary["entries"][code] for code in cells["codes"]]
    return None, None


def _assembled(type_: Node, column: tuple[Any, Any], children: Iterator[Any], rows: int) -> list[Any]:
    """The cells of a column; the columns inside a nested one follow among ``children``."""
    flags, live = column
    lengths = sum(live or ()) if type_.case in _CHILDREN else 0
    if type_.case in _CHILDREN and min(live or (0,)) < 0:
        raise Refused("a list of negative length")
    inside = []
    for name in _CHILDREN.get(type_.case or "", ()):
        child, content = next(children)
        assert child is type_[name].walk("type.params")
        inside.append(_assembled(child, content, children, lengths))
    if live is None:
        return [None] * rows
    nulls = [0] * rows if flags is None else flags
    if len(nulls) != rows or len(live) != nulls.count(0):
        raise Refused(f"{len(live)} values of {len(nulls)} rows, where there are {rows}")
    values = iter(live)
    found = [None if null else next(values) for null in nulls]
    if not inside:
        return [_plain(type_, value) for value in found]
    elements = iter(inside[0] if type_.case == "ARRAY" else list(zip(*inside, strict=True)))
    return [None if n is None else [next(elements) for _ in range(n)] for n in found]


def _plain(type_: Node, value: Any) -> Any:
    if value is None:
        return None
    if type_.case in ("FLOAT", "DOUBLE"):
        return repr(value)
    if type_.case == "DECIMAL" and isinstance(value, bytes):
        return int.from_bytes(value, signed=True)
    return value


# ---- Arrow ----


def cells_of_table(table: pa.Table) -> dict[str, list[Any]]:
    """The cells of each column of a table by its name."""
    return {name: [cell for chunk in table[name].chunks for cell in _cells(chunk)] for name in table.column_names}


def _cells(array: Any) -> list[Any]:
    kind = array.type
    if pa.types.is_list(kind) or pa.types.is_map(kind):
        elements = _cells(array.values) if pa.types.is_list(kind) else _pairs(array)
        bounds = array.offsets.to_pylist()
        spans = zip(bounds, bounds[1:], array.is_valid().to_pylist(), strict=False)
        return [elements[start:end] if valid else None for start, end, valid in spans]
    if pa.types.is_temporal(kind):
        return array.cast(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()  # type: ignore[no-any-return]
    values = array.to_pylist()
    if pa.types.is_decimal(kind):
        return [None if value is None else _unscaled(value) for value in values]
    if pa.types.is_floating(kind):
        return [None if value is None else repr(value) for value in values]
    return values  # type: ignore[no-any-return]


def _pairs(array: Any) -> list[Any]:
    return list(zip(_cells(array.keys), _cells(array.items), strict=True))


def _unscaled(value: Any) -> int:
    sign, digits, _ = value.as_tuple()
    return (-1 if sign else 1) * int("".join(map(str, digits)))
