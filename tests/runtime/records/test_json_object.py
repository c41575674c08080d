"""Objects of JSON: native encoders make the text that Python's makes, and native programs find the attributes that it finds."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.runtime.json_object import _ENCODER, JsonObject
from lakecodec.runtime.native import load

record: Any = load("runtime.native._record")
needs_native = pytest.mark.skipif(record is None, reason="the native backend was not built")


class Number(int):
    """An int that is not the one that it seems to be."""

    def __repr__(self) -> str:
        return "7"


def cyclic() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


def nested(depth: int) -> Any:
    made: Any = []
    for _ in range(depth):
        made = [made]
    return made


TEXTS = [
    "",
    "a",
    "\\",
    '"',
    "/",
    "\0",
    "\x1f",
    "\x7f",
    "\b\f\n\r\t",
    "é",
    "€",
    "\U0001f92f",
    "\u2028",
    'a"b\\c\n',
    "x" * 1000,
]
NUMBERS: list[Any] = [
    0, 1, -1, 2**30 - 1, 2**30, -(2**30), 2**63, -(2**63) - 1, 10**400, True, False, 0.0, -0.0, 1.0, 1e16, 1e-7, 0.1, 5e-324,
    1.7976931348623157e308, 123456789.125, None,
]  # fmt: skip


def value(choose: random.Random, depth: int) -> Any:
    kind = choose.randrange(6 if depth else 3)
    if kind < 3:
        return choose.choice(NUMBERS if kind else TEXTS)
    count = choose.randrange(4)
    if kind == 3:
        return [value(choose, depth - 1) for _ in range(count)]
    members = {choose.choice(TEXTS): value(choose, depth - 1) for _ in range(count)}
    return members if kind == 4 else JsonObject.of(members)


@needs_native
@pytest.mark.parametrize("seed", range(200))
def test_the_native_text_is_that_of_python(seed: int) -> None:
    made = value(random.Random(seed), 4)
    assert record.json_text(made) == _ENCODER.encode(made).encode()


ODD: list[Any] = [
    (1, 2), Number(5), float("nan"), float("inf"), -float("inf"), {1: 2}, {None: 1}, {"a": (1,)}, "\ud800", {"\ud800": 1}, b"x",
    set(), object(), 10**5000, cyclic(), nested(200), type("Text", (str,), {})("a"), type("Members", (dict,), {})(a=1),
    type("More", (JsonObject,), {})(a=1),
]  # fmt: skip


@needs_native
@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_what_only_python_encodes(odd: Any) -> None:
    assert record.json_text(odd) is None
    assert record.json_text([odd]) is None
    try:
        wanted = _ENCODER.encode(odd).encode()
    except (TypeError, ValueError, RecursionError):
        with pytest.raises(EncodeError, match="the object has no JSON form"):
            JsonObject.write(odd)
    else:
        assert JsonObject.write(odd) == wanted


IDL = """
struct J { 1: i64 read; 2: i64 snapshot_id; 3: i64 n; 4: list<J> inside; 5: i64 absent }
    (lakecodec.codec = "lakecodec.runtime.json_object:JsonObject")
record R {
  u8 k = size(j);
  J j via compact size k;
  u8 a = j.n;
  u8 b = j.inside[1].n;
  u8 c = j.snapshot_id;
  u8 d if j.absent == null;
}
"""


@pytest.mark.usefixtures("each_backend")
def test_attributes_in_expressions() -> None:
    module: Any = compile_idl(IDL)
    text = b'{"n":3,"inside":[{"n":1},{"n":2,"_n":5}],"snapshot-id":4,"snapshot_id":9,"members":1,"_plain":2}'
    data = bytes([len(text)]) + text + b"\3\2\4\7"
    found = module.R.from_bytes(data)
    assert (found.a, found.b, found.c, found.d) == (3, 2, 4, 7)
    assert found.to_bytes() == data
    found.j.inside[1].n = 8
    found.j.members["snapshot-id"] = 6
    found.j.members["n"] = 1
    made = found.to_bytes()
    assert made[-4:] == b"\1\x08\6\7"
    assert json.loads(made[1:-4]) == {
        **json.loads(text),
        "n": 1,
        "snapshot-id": 6,
        "inside": [{"n": 1}, {"n": 8, "_n": 5}],
    }


EQUAL: list[tuple[str, Any]] = [
    ("1", 1.0), ("1", True), ("0.0", -0.0), ("1", "1"), ("true", 1), ("[]", {}), ("[1]", [1.0]), ('{"a":1}', {"a": True}),
]  # fmt: skip


@pytest.mark.usefixtures("each_backend")
@pytest.mark.parametrize(("before", "after"), EQUAL)
def test_edits_that_python_takes_for_equal_are_written(before: str, after: Any) -> None:
    module: Any = compile_idl(
        """struct J { 1: i64 n } (lakecodec.codec = "lakecodec.runtime.json_object:JsonObject")
        record R { u8 k = size(j); J j via compact size k; }"""
    )
    text = f'{{"a":[{{"b":{before}}}]}}'.encode()
    found = module.R.from_bytes(bytes([len(text)]) + text)
    assert found.to_bytes()[1:] == text
    found.j.members["a"][0].members["b"] = after
    assert repr(json.loads(found.to_bytes()[1:])["a"][0]["b"]) == repr(after)
