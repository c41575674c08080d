"""Hypothesis strategies for messages, made from their specs."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from lakecodec.runtime.spec import FieldSpec, TypeSpec

_RANGES = {
    "i32": (-(2**31), 2**31), "sint32": (-(2**31), 2**31), "sfixed32": (-(2**31), 2**31), "i64": (-(2**63), 2**63),
    "sint64": (-(2**63), 2**63), "sfixed64": (-(2**63), 2**63), "uint32": (0, 2**32), "fixed32": (0, 2**32),
    "uint64": (0, 2**64), "fixed64": (0, 2**64),
}  # fmt: skip


def _ints(low: int, high: int) -> st.SearchStrategy[int]:
    edges = [n for e in (0, 6, 7, 14, 31, 32, 56, 63) for n in (2**e, 2**e - 1, -(2**e)) if low <= n < high]
    return st.integers(low, high - 1) | st.sampled_from([low, high - 1, *edges])


_SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "float": st.floats(width=32, allow_nan=False) | st.sampled_from([0.0, -0.0]),
    "double": st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0]),
    "string": st.text(max_size=6) | st.just("é" * 100),
    "binary": st.binary(max_size=6) | st.just(bytes(200)),
    **{kind: _ints(low, high) for kind, (low, high) in _RANGES.items()},
}


@cache
def messages(cls: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """Messages of a generated class, nested up to ``depth`` levels below what is required."""
    fields = {field.attr: _field(field, depth) for field in cls.__spec__.fields}
    return st.fixed_dictionaries(fields).map(lambda given: cls(**given))


def _field(field: FieldSpec, depth: int) -> st.SearchStrategy[Any]:
    if field.requiredness == "required":
        return values(field.type, depth - 1)
    nested = field.type.kind in ("struct", "list", "map")
    if depth <= 0 and nested:
        return st.none()
    if field.requiredness == "default":
        return values(field.type, depth - 1) | st.just(field.default)
    return st.none() | values(field.type, depth - 1)


@cache
def values(type_: TypeSpec, depth: int) -> st.SearchStrategy[Any]:
    cls: Any = type_.cls
    if type_.kind == "enum":
        return st.sampled_from([*cls, 5, -(2**31)])
    if type_.kind == "struct" and cls.__spec__.kind == "oneof":
        return st.sampled_from(cls.__spec__.fields).flatmap(
            lambda member: values(member.type, depth).map(lambda value: cls._make(member.name, value, member.id))
        )
    if type_.kind == "struct":
        return messages(cls, depth)
    if type_.kind == "list":
        assert type_.value is not None
        return st.lists(values(type_.value, depth), max_size=3)
    if type_.kind == "map":
        assert type_.key is not None
        assert type_.value is not None
        return st.dictionaries(values(type_.key, depth), values(type_.value, depth), max_size=2)
    return _SCALARS[type_.kind]
