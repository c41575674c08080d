"""Hypothesis strategies for the values of generated classes, made from their specs."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from lakecodec.runtime.compact.values import hashable
from lakecodec.runtime.spec import FieldSpec, Spec, TypeSpec

_BITS = {"i8": 7, "i16": 15, "i32": 31, "i64": 63}
_NESTED = ("struct", "list", "set", "map")


def _ints(bits: int) -> st.SearchStrategy[int]:
    low, high = -(2**bits), 2**bits - 1
    edges = [n for e in (0, 6, 7, 13, 14, 31, 63) for n in (2**e, -(2**e), 2**e - 1, -(2**e) - 1) if low <= n <= high]
    return st.integers(low, high) | st.sampled_from([*edges, low, high])


_SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "double": st.floats() | st.sampled_from([0.0, -0.0, float("nan"), float("inf"), float("-inf"), 5e-324]),
    "binary": st.binary(max_size=20) | st.integers(127, 400).map(bytes),
    "string": st.text(max_size=12) | st.integers(120, 300).map(lambda n: "é" * n),
    "uuid": st.uuids(),
    **{kind: _ints(bits) for kind, bits in _BITS.items()},
}


@cache
def instances(cls: Any, depth: int = 5) -> st.SearchStrategy[Any]:
    """Instances of a generated struct or union, nested up to ``depth`` levels below what is required."""
    spec: Spec = cls.__spec__
    return _union(spec, depth) if spec.kind == "union" else _struct(spec, depth)


def _struct(spec: Spec, depth: int) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries({field.attr: _field(field, depth) for field in spec.fields}).map(
        lambda fields: spec.cls(**fields)
    )


def _field(field: FieldSpec, depth: int) -> st.SearchStrategy[Any]:
    if field.requiredness == "required":
        return values(field.type, depth - 1)
    if depth <= 0 and field.type.kind in _NESTED:
        return st.none()
    return st.none() | values(field.type, depth - 1)


def _union(spec: Spec, depth: int) -> st.SearchStrategy[Any]:
    cls: Any = spec.cls
    flat = [field for field in spec.fields if field.type.kind not in _NESTED or field.id in cls.__singletons__]
    members = list(spec.fields) if depth > 0 else flat
    return st.one_of(
        values(field.type, depth - 1).map(lambda value, field=field: cls._make(field.name, value, field.id))
        if field.id not in cls.__singletons__
        else st.just(cls.__singletons__[field.id])
        for field in members
    )


@cache
def values(type_: TypeSpec, depth: int) -> st.SearchStrategy[Any]:
    """Values of any type."""
    if type_.kind in _SCALARS:
        return _SCALARS[type_.kind]
    if type_.kind == "enum":
        cls: Any = type_.cls
        return st.sampled_from(cls) | _ints(31).map(lambda number: cls._value2member_map_.get(number, number))
    if type_.kind == "struct":
        return instances(type_.cls, depth)
    assert type_.value is not None
    items = values(type_.value, depth - 1)
    if type_.kind == "list":
        repeated = st.tuples(items, st.integers(14, 18)).map(lambda pair: [pair[0]] * pair[1])
        return st.lists(items, max_size=3) | repeated
    if type_.kind == "set":
        unique = st.lists(items, max_size=4)
        return unique.map(set) if hashable(type_.value) else unique.map(_distinct)
    assert type_.key is not None
    pairs = st.lists(st.tuples(values(type_.key, depth - 1), items), max_size=3)
    return pairs.map(dict) if hashable(type_.key) else pairs.map(_distinct_keys)


def _distinct(items: list[Any]) -> list[Any]:
    return [item for number, item in enumerate(items) if repr(item) not in map(repr, items[:number])]


def _distinct_keys(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    return list({repr(key): (key, item) for key, item in pairs}.values())
