"""The resolved model compared with what thriftpy2 makes of the same files."""

from __future__ import annotations

import importlib.resources
import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.generator.model import (
    Const,
    Enum,
    EnumMember,
    ListOf,
    MapOf,
    Module,
    Scalar,
    SetOf,
    Struct,
    Type,
)

from .resolved import loaded

thriftpy2 = pytest.importorskip("thriftpy2")

IDL = Path(__file__).parent / "idl"
PARQUET_THRIFT = Path(str(importlib.resources.files("fastparquet") / "parquet.thrift"))


#: Thrift's type numbers, as thriftpy2 has them.
_TYPE_NUMBERS = {
    "bool": 2, "i8": 3, "double": 4, "i16": 6, "i32": 8, "i64": 10, "string": 11, "binary": 18,
}  # fmt: skip


def _thriftpy2_type(type_: Type) -> Any:
    """The type as thriftpy2's `thrift_spec` shows it; its structs and enums by name."""
    match type_:
        case Scalar():
            return _TYPE_NUMBERS[type_.kind]
        case Enum():
            return (8, type_.name)
        case Struct():
            return (12, type_.name)
        case ListOf():
            return (15, _thriftpy2_type(type_.value))
        case SetOf():
            return (14, _thriftpy2_type(type_.value))
        case MapOf():
            return (13, (_thriftpy2_type(type_.key), _thriftpy2_type(type_.value)))


def _their_type(spec: Any) -> Any:
    if isinstance(spec, int):
        return spec
    number, inside = spec
    if number == 13:
        return (13, tuple(map(_their_type, inside)))
    return (number, inside.__name__ if isinstance(inside, type) else _their_type(inside))


def _their_spec(spec: tuple[Any, ...]) -> tuple[Any, str, bool]:
    number, name, *inside, required = spec
    return _their_type((number, inside[0]) if inside else number), name, required


def _their_value(value: Any) -> Any:
    """A default of thriftpy2: sets as lists, structs as dicts of their fields."""
    if hasattr(value, "thrift_spec"):
        return {name: _their_value(getattr(value, name)) for _, name, *_ in value.thrift_spec.values()}
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, dict):
        return {_their_value(key): _their_value(item) for key, item in value.items()}
    return [_their_value(item) for item in value] if isinstance(value, list) else value


def _our_value(value: Any) -> Any:
    if isinstance(value, EnumMember):
        return value.number
    if isinstance(value, dict):
        return {_our_value(key): _our_value(item) for key, item in value.items()}
    return [_our_value(item) for item in value] if isinstance(value, list) else value


def _compare(ours: Module, theirs: Any) -> Iterator[str]:
    """Names of what was compared."""
    for item in ours.definitions:
        other = getattr(theirs, item.name)
        if isinstance(item, Enum):
            assert {member.number: member.name for member in item.members} == other._VALUES_TO_NAMES
        elif isinstance(item, Struct):
            wanted = {number: _their_spec(spec) for number, spec in other.thrift_spec.items()}
            found = {
                field.id: (_thriftpy2_type(field.type), field.name, field.requiredness == "required")
                for field in item.fields
            }
            assert found == wanted
            defaults = {field.name: _our_value(field.default) for field in item.fields}
            assert defaults == {name: _their_value(value) for name, value in other.default_spec}
        elif isinstance(item, Const):
            assert _our_value(item.value) == _their_value(other)
            assert type(_our_value(item.value)) is type(_their_value(other))
        else:
            continue
        yield item.name


def _their_module(path: Path, name: str) -> Any:
    return thriftpy2.load(str(path), module_name=name, include_dirs=[str(path.parent)])


def test_common_constructs_agree_with_thriftpy2() -> None:
    ours = loaded(IDL / "common.thrift")
    compared = list(_compare(ours, _their_module(IDL / "common.thrift", "common_thrift")))
    assert len(compared) == sum(isinstance(item, Enum | Struct | Const) for item in ours.definitions) > 20


def test_official_parquet_thrift_agrees_with_thriftpy2() -> None:
    ours = loaded(PARQUET_THRIFT)
    compared = list(_compare(ours, _their_module(PARQUET_THRIFT, "parquet_of_fastparquet_thrift")))
    assert len(compared) == len(ours.definitions)
    assert "FileMetaData" in compared


_COUNTER = itertools.count()
_NAMES = st.from_regex(r"[a-z]{2}_[a-z]{1,5}", fullmatch=True)
_SCALARS = st.sampled_from(["bool", "byte", "i8", "i16", "i32", "i64", "double", "string", "binary"])
_TYPES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        inner.map("list<{}>".format),
        inner.map("set<{}>".format),
        st.tuples(_SCALARS, inner).map(lambda pair: f"map<{pair[0]}, {pair[1]}>"),
    ),
    max_leaves=4,
)
_FIELDS = st.lists(
    st.tuples(st.integers(1, 32767), st.sampled_from(["", "required ", "optional "]), _TYPES, _NAMES),
    unique_by=(lambda field: field[0], lambda field: field[3]),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(_FIELDS, st.sampled_from(["", ",", ";"]))
def test_random_structs_agree_with_thriftpy2(fields: list[tuple[int, str, str, str]], separator: str) -> None:
    lines = [f"  {number}: {need}{type_} {name}{separator}" for number, need, type_, name in fields]
    text = "\n".join(["struct Random {", *lines, "}\n"])
    theirs = thriftpy2.load_fp(io.StringIO(text), f"random{next(_COUNTER)}_thrift")
    assert list(_compare(loaded(text), theirs)) == ["Random"]
