"""Errors of values that a declaration cannot take say what is needed, in the declaration's words."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

pytestmark = pytest.mark.usefixtures("each_backend")

IDL = """
record Named { u8 n = count(name); utf8 name[n]; }
record Held { u8 kind = tag(body); Body(kind) body; }
variant Body(u8 kind) on kind { 1: ONE { u8 v; }; else: OTHER { u8 v; }; }
record Firsts { u8 first = first(items).v; u8 n = count(items); Item items[n]; }
record Item { u8 v; }
record Given { u8 kind; Body(kind) body; }
record Box { Item item; Item items[1]; }
"""
m: Any = compile_idl(IDL)
n: Any = compile_idl(IDL + "record More { u8 x; }")


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (lambda: m.Held(body=5), "must be an alternative of a variant, which int is not"),
        (
            lambda: m.Given(kind=5, body=m.Body.OTHER(v=1)),
            "the alternative OTHER stands for several tags: set its tag, 5 here",
        ),
        (lambda: m.Firsts(items=[]), "index 0 is of an element that an empty list does not have"),
        (lambda: m.Firsts(items=[5]), "must be a record with 'v', which int is not"),
        (lambda: m.Box(item=n.Item(v=1), items=[m.Item(v=1)]), "^idl.Box: item: .* Item of the module .* one module"),
        (lambda: m.Box(item=m.Item(v=1), items=[n.Item(v=1)]), r"items\[0\]: .* Item of the module .* one module"),
        (lambda: m.Box(item=m.Held(), items=[m.Item(v=1)]), "Item is needed, not Held"),
    ],
)
def test_what_is_needed(value: Any, rule: str) -> None:
    with pytest.raises(EncodeError, match=rule) as caught:
        value().to_bytes()
    assert "has no '" not in caught.value.rule
