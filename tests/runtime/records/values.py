"""Hypothesis strategies for values of generated classes of all kinds, made from the annotations of records and variants."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from lakecodec.runtime.columns import Bits, Kind, ValueLayout, Values
from lakecodec.runtime.records.record import Variant
from lakecodec.runtime.spec import TypeSpec

from ..compact import values as structs
from ..protobuf import values as messages

_NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.sampled_from([0, 127, 128, 2**31, 2**53 + 1])
_PACKED = st.integers(0, 32).flatmap(
    lambda width: st.lists(st.integers(0, 2**width - 1), max_size=9).map(lambda numbers: Bits.pack(numbers, width))
)
_ENCODED = st.builds(
    lambda big, data: Values(ValueLayout(Kind.NUMBER, 2, big), data * 2, 0, 2 * len(data), len(data)),
    st.booleans(),
    st.binary(max_size=4),
)
_VALUES: dict[Any, st.SearchStrategy[Any]] = {
    NoneType: st.none(),
    int: _NUMBERS,
    bool: st.booleans(),
    float: st.floats(),
    str: st.text(max_size=8),
    bytes: st.binary(max_size=8),
    Bits: _PACKED,
    Values: _ENCODED,
    # A field whose type depends on other fields.
    Any: st.recursive(
        st.none() | _NUMBERS | st.floats() | st.text(max_size=4) | st.binary(max_size=4),
        lambda items: st.lists(items, max_size=2),
        max_leaves=4,
    ),
}


@cache
def instances(cls: Any, depth: int = 3) -> st.SearchStrategy[Any]:
    """Values whose fields have the types that their class declares, nested up to ``depth``; few of them can be written."""
    if cls.__spec__.kind in ("struct", "union"):
        return structs.instances(cls, depth)
    if cls.__spec__.kind in ("message", "oneof"):
        return messages.values(TypeSpec("struct", cls), min(depth, 2))
    if Variant in cls.__bases__:
        cases = [case for case in cls.__subclasses__() if depth > 0 or not _nested(case)]
        return st.one_of([instances(case, depth) for case in cases])
    hints = get_type_hints(cls)
    names = cls._given + (("tag",) if "tag" in vars(cls).get("__slots__", ()) else ())
    return st.fixed_dictionaries({name: _values(hints[name], depth - 1) for name in names}).map(
        lambda fields: cls(**fields)
    )


def _nested(cls: Any) -> bool:
    hints = get_type_hints(cls)
    return any(hints[name] not in _VALUES for name in cls._given)


def _values(hint: Any, depth: int) -> st.SearchStrategy[Any]:
    if hint in _VALUES:
        return _VALUES[hint]
    if get_origin(hint) is list:
        return st.lists(_values(*get_args(hint), depth), max_size=2) if depth > 0 else st.builds(list)
    if isinstance(hint, UnionType):
        parts = get_args(hint)
        if int in parts[1:]:
            # An enum: what it does not know stays a number.
            return (_NUMBERS | st.sampled_from(parts[0])).map(lambda n: parts[0]._value2member_map_.get(n, n))
        return st.none() if NoneType in parts and depth <= 0 else st.one_of([_values(part, depth) for part in parts])
    if hasattr(hint, "__custom__"):
        # A struct with a codec of its own is a value of that.
        return instances(hint, depth).map(lambda value: hint.__custom__._of_plain(value.to_dict(), False))
    return st.sampled_from(hint) if hint.__spec__.kind == "enum" else instances(hint, depth)
