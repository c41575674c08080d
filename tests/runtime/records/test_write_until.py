"""Lists `[until e]` by the native writer: written where a reader ends them, left to the generated writer where not."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.runtime.records import backend

pytestmark = pytest.mark.skipif(backend.native is None, reason="the native backend is not built")

IDL = """
record Numbers { u8 x[until last(x) == 0]; u8 behind; }
record Items { Item items[until last(items).kind >= 9]; }
record Item { u8 kind; u8 size = count(data); bytes data[size]; }
record Sums { u8 x[until sum(x) > 10]; }
"""


@pytest.mark.parametrize(
    ("name", "fields", "data"),
    [
        ("Numbers", {"x": [3, 2, 0], "behind": 5}, b"\3\2\0\5"),
        ("Items", {"items": [(1, b"ab"), (9, b"")]}, b"\1\2ab\x09\0"),
        ("Sums", {"x": [5, 5, 1]}, b"\5\5\1"),
    ],
)
def test_lists_that_end_where_they_are_read_to_end(name: str, fields: dict[str, Any], data: bytes) -> None:
    value, native = _made(name, fields), _native()
    assert native.write(value, {}, 0, 64, ()) == data == value.to_bytes()
    assert type(value).from_bytes(data) == value


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("Numbers", {"x": [0, 1, 0], "behind": 5}),
        ("Numbers", {"x": [1, 2], "behind": 5}),
        ("Numbers", {"x": [], "behind": 5}),
        ("Items", {"items": [(9, b""), (9, b"")]}),
        ("Sums", {"x": [11, 1]}),
    ],
)
def test_others_are_refused(name: str, fields: dict[str, Any]) -> None:
    value = _made(name, fields)
    assert _native().write(value, {}, 0, 64, ()) is None
    with pytest.raises(EncodeError):
        value.to_bytes()


def _native() -> Any:
    return backend.native


def _made(name: str, fields: dict[str, Any]) -> Any:
    module = compile_idl(IDL)
    items = [module.Item(kind=kind, data=data) for kind, data in fields.get("items", ())]
    return getattr(module, name)(**{**fields, **({"items": items} if items else {})})
