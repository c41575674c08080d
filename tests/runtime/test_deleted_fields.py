"""Fields that were deleted: as in other Python classes with slots, what needs them is an error that names the field."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from .compact import backends as compact
from .protobuf import backends as protobuf

MODULE: Any = compile_idl("""
    struct Item { 1: required i64 number; 2: optional string name; }
    exception Fault { 1: required i32 number; }
    message Note { 1: int32 number; 2: string name; }
    record Rec { u8 number; u8 other = 2; }
    record Placed { u8 number; u8 other at 4; }
""")
VALUES: dict[str, Callable[[], Any]] = {
    "struct": lambda: MODULE.Item(number=1, name="x"),
    "exception": lambda: MODULE.Fault(number=1),
    "message": lambda: MODULE.Note(number=1, name="x"),
    "record": lambda: MODULE.Rec(number=1),
    "placed record": lambda: MODULE.Placed(number=1, other=2),
    "struct that was read": lambda: MODULE.Item.from_bytes(MODULE.Item(number=1, name="x").to_bytes()),
    "record that was read": lambda: MODULE.Rec.from_bytes(MODULE.Rec(number=1).to_bytes()),
    "message that was read": lambda: MODULE.Note.from_bytes(MODULE.Note(number=1, name="x").to_bytes()),
}
NEEDS: dict[str, Callable[[Any], object]] = {
    "asking": lambda value: value.number,
    "repr": repr,
    "==": lambda value: value == type(value)(*[getattr(value, name) for name in type(value).__match_args__]),
    "to_dict": lambda value: value.to_dict(),
    "to_json": lambda value: value.to_json(),
    "to_bytes": lambda value: value.to_bytes(),
}


@pytest.mark.parametrize("backend", compact.BACKENDS)
@pytest.mark.parametrize("kind", VALUES)
def test_what_needs_a_deleted_field_names_it(backend: str, kind: str) -> None:
    with compact.running(backend), protobuf.running(backend):
        value = VALUES[kind]()
        assert value.number == 1
        del value.number
        for need in NEEDS.values():
            with pytest.raises((AttributeError, EncodeError), match=r"has no (attribute )?'number'"):
                need(value)
        with pytest.raises(AttributeError, match="number"):
            del value.number
        # Pickles and copies keep what is there.
        made = [value, pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)]
        for each in made:
            with pytest.raises(AttributeError, match=r"has no attribute 'number'"):
                repr(each)
        for each in made:
            each.number = 1
            assert each == VALUES[kind]()
            assert repr(each) == repr(VALUES[kind]())
