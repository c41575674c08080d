"""Property lists of plistlib, which also reads the changed ones."""

from __future__ import annotations

import plistlib
from datetime import datetime
from typing import Any

import pytest

from lakecodec import EncodeError

from .gallery import Gallery

PLIST = Gallery("plist", oracle=False)
VALUES: dict[str, Any] = {
    "some": {"a": 1, "b": [1, 2, 3], "c": "text", "d": "Zoé ☃ 😀", "e": b"bytes", "f": 1.5, "g": True, "h": False},
    "numbers": [0, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, -1, -(2**63)],
    "keys": {f"key{number}": number for number in range(300)},
    "archived": {"$top": plistlib.UID(1), "$objects": ["$null", plistlib.UID(300), plistlib.UID(2**20)]},
    "long": ["s" * 14, "s" * 15, "s" * 300, "ü" * 15, "ü" * 300, bytes(70_000)],
    "when": datetime(2024, 1, 2, 3, 4, 5),
    "empty": {},
    "text": "text",
}


def written(value: Any) -> bytes:
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


@pytest.mark.parametrize("name", VALUES)
def test_files_of_plistlib(name: str) -> None:
    data = written(VALUES[name])
    found = PLIST.round_trip(data)
    assert found.trailer.num_objects == len(found.objects) == len(found.offsets)
    assert PLIST.module.File.from_json(found.to_json()).to_bytes() == data


def test_changed_objects() -> None:
    found = PLIST.round_trip(written(VALUES["some"]))
    kinds = [each.kind for each in found.objects]
    text, array, wide = (found.objects[kinds.index(kind)] for kind in ("ASCII", "ARRAY", "TEXT"))
    wide.text = "Ω😀" * 8
    array.refs.pop()
    assert text.text == "a"
    text.text = "a longer key than there was"
    changed = {**VALUES["some"], text.text: 1, "b": [1, 2], "d": wide.text}
    del changed["a"]
    assert plistlib.loads(found.to_bytes()) == changed
    wide.text = "Ω" * 200
    with pytest.raises(EncodeError, match=r"offsets\[.*does not fit 1 bytes"):
        found.to_bytes()
    found.trailer.offset_size = 2
    assert plistlib.loads(found.to_bytes())["d"] == wide.text


def test_added_objects() -> None:
    found = PLIST.round_trip(written(["a"]))
    found.objects[0].refs.append(2)
    with pytest.raises(EncodeError, match="there is no such object"):
        found.to_bytes()
    found.objects.append(PLIST.module.Object.TEXT(text="é"))
    found.offsets.append(None)
    found.trailer.num_objects = 3
    assert plistlib.loads(found.to_bytes()) == ["a", "é"]


def test_made_files() -> None:
    kind, number = PLIST.module.Object, PLIST.module.Number
    objects = [kind.DICT(keys=[1], values=[2]), kind.ASCII(text="key"), kind.INTEGER(number=number.U16(v=300))]
    trailer = PLIST.module.Trailer(offset_size=1, ref_size=1, num_objects=3, top=0)
    made = PLIST.module.File(objects=objects, offsets=[None] * 3, trailer=trailer)
    assert made.to_bytes() == written({"key": 300})


def test_damage() -> None:
    assert PLIST.damage(written(VALUES["some"])) > 70


def test_errors_name_what_counts_objects() -> None:
    found = PLIST.round_trip(written({"a": 1}))
    found.objects.append(found.objects[-1])
    with pytest.raises(EncodeError, match=r"objects\[3\]: its offset cannot be set: .* too few elements .*offsets is"):
        found.to_bytes()
    found.offsets += [None, None]
    with pytest.raises(EncodeError, match=r"offsets: 4 elements are needed, not 5 \(.*objects: change one of them or"):
        found.to_bytes()
    found.offsets.pop()
    data = found.to_bytes()
    assert PLIST.module.File.from_bytes(data).offsets == [8, 11, 13, 15]


def test_edited_offsets_are_refused() -> None:
    data = written({"a": 1})
    for index, offset in ((1, 99), (1, 8), (2, 0)):
        found = PLIST.module.File.from_bytes(data)
        found.offsets[index] = offset
        with pytest.raises(
            EncodeError, match=rf"offsets\[{index}\]: {offset} was set, but objects\[{index}\] is written at"
        ):
            found.to_bytes()
        found.offsets[index] = None
        assert found.to_bytes() == data
    found.objects.append(found.objects[-1])
    found.offsets.append(77)
    with pytest.raises(EncodeError, match=r"offsets\[3\]: 77 was set, but objects\[3\] is written at 15"):
        found.to_bytes()
