"""Items of RFC 8949's appendix A, and what cbor2 wrote, with containers of known and of unknown length."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import DecodeError

from ..paths import TESTS
from .gallery import Gallery

CBOR = Gallery("cbor", magic=False, oracle=False)
FILES = TESTS / "data" / "gallery"
#: RFC 8949, appendix A.
VECTORS = {
    "00": 0, "17": 23, "1818": 24, "1903e8": 1000, "1a000f4240": 1000000, "1b000000e8d4a51000": 1000000000000, "20": -1,
    "3903e7": -1000, "f4": False, "f6": None, "4401020304": b"\1\2\3\4", "62c3bc": "ü", "80": [], "83010203": [1, 2, 3],
    "8301820203820405": [1, [2, 3], [4, 5]], "a201020304": {1: 2, 3: 4}, "a26161016162820203": {"a": 1, "b": [2, 3]},
    "9f018202039f0405ffff": [1, [2, 3], [4, 5]], "bf61610161629f0203ffff": {"a": 1, "b": [2, 3]},
    "5f42010243030405ff": b"\1\2\3\4\5", "7f657374726561646d696e67ff": "streaming",
}  # fmt: skip


def value(item: Any) -> Any:
    """What an item means in Python."""
    content = item.content
    match content.kind:
        case "UNSIGNED":
            return item.number
        case "NEGATIVE":
            return content.v
        case "BYTES" | "TEXT":
            own = content.v
            return own if content.parts is None else own.join(value(part) for part in content.parts[:-1])
        case "ARRAY":
            return [value(each) for each in (content.items if content.parts is None else content.parts[:-1])]
        case "MAP":
            pairs = [(each.key, each.value) for each in content.pairs]
            if content.parts is not None:
                pairs = list(zip(content.parts[:-1:2], content.parts[1:-1:2], strict=True))
            return {value(key): value(each) for key, each in pairs}
        case "TAG":
            return value(content.item)
    return {20: False, 21: True, 22: None}[item.number]


@pytest.mark.parametrize(("data", "expected"), VECTORS.items())
def test_items_of_the_specification(data: str, expected: object) -> None:
    (item,) = CBOR.round_trip(bytes.fromhex(data)).items
    assert value(item) == expected


@pytest.mark.parametrize("data", ["1c", "1f", "f818", "61ff", "18", "8201", "9f01", "ff00ff1f"])
def test_what_the_specification_does_not_allow(data: str) -> None:
    with pytest.raises(DecodeError):
        CBOR.module.File.from_bytes(bytes.fromhex(data))


@pytest.mark.parametrize("name", ["items.cbor", "indefinite.cbor"])
def test_files_of_cbor2(name: str) -> None:
    data = (FILES / name).read_bytes()
    (item,) = CBOR.round_trip(data).items
    content = item.content
    parts = content.parts[1:-1:2] if name.startswith("in") else [pair.value for pair in content.pairs]
    keys = content.parts[:-1:2] if name.startswith("in") else [pair.key for pair in content.pairs]
    found = dict(zip(map(value, keys), parts, strict=True))
    assert value(found["long"]) == list(range(300))
    assert value(found["text"]) == "x" * 300
    assert value(found["nested"]) == [[[]], {}]
    assert CBOR.damage(data, rounds=60) > 10


def test_an_edit_of_a_text_needs_its_length() -> None:
    found = CBOR.module.File.from_bytes(bytes.fromhex("6161"))
    found.items[0].content.v = "ab"
    found.items[0].info = 2
    assert CBOR.write(found) == bytes.fromhex("626162")
