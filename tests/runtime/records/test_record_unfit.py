"""Values that do not fit the type of their field are told of in plain words, by both backends alike."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

m: Any = compile_idl(
    """
    record Numbers {
      u8 a; i16 b; f32 c; u24 d; uvarint32 e; svarint32 f; vlq32 g; ivlq9 h; bytes i[2]; utf8 j[2]; u16 k[2]; bytes l until "\\0";
    }
    """,
    name="unfit",
)
GOOD = {"a": 1, "b": 1, "c": 1.0, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "i": b"ab", "j": "ab", "k": [1, 2], "l": b"x"}


@pytest.mark.parametrize("name", GOOD)
def test_none_is_told_of_by_the_type_that_is_needed(name: str) -> None:
    with pytest.raises(EncodeError, match=rf"^unfit.Numbers: {name}: .*needed, not NoneType$"):
        m.Numbers(**{**GOOD, name: None}).to_bytes()


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"a": 300}, "a", "the value does not fit its type: 300 is not from 0 to 255"),
        ({"b": -40000}, "b", "the value does not fit its type: -40000 is not from -32768 to 32767"),
        ({"b": "1"}, "b", "the value does not fit its type: an int is needed, not str"),
        ({"c": 1e300}, "c", "the value does not fit its type: 1e+300 is beyond 32 bits"),
        ({"e": "1"}, "e", "the value does not fit its type: an int is needed, not str"),
        ({"h": 1.5}, "h", "the value does not fit its type: an int is needed, not float"),
        ({"k": 7}, "k", "the value does not fit its type: a list is needed, not int"),
        ({"k": [1, 70000]}, "k[1]", "the value does not fit its type: 70000 is not from 0 to 65535"),
        ({"l": "x"}, "l", "the value does not fit its type: bytes are needed, not str"),
    ],
)
def test_words(changes: dict[str, Any], path: str, rule: str) -> None:
    with pytest.raises(EncodeError) as caught:
        m.Numbers(**{**GOOD, **changes}).to_bytes()
    assert (caught.value.path, caught.value.rule) == (path, rule)
