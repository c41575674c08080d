"""Values that names find in bytes: both backends give what decoding one by one gives, and refuse the same."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from lakecodec.generated.parquet import FileMetaData, KeyValue, LogicalType
from lakecodec.runtime.compact import places as pure
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import DEFAULT_LIMITS

from .backends import BACKENDS, switch

LIMITS = DEFAULT_LIMITS.max_depth, DEFAULT_LIMITS.max_elements


def classes() -> list[Any]:
    return [pure.Places, *([switch.native.Places] if "native" in BACKENDS else [])]


def written(count: int, groups: int) -> tuple[bytes, tuple[str, ...], array[int], list[KeyValue]]:
    values = [KeyValue(key=f"é{number}" * (number % 5), value=f"{number}") for number in range(count * groups)]
    data, at = bytearray(b"\0"), array("I")
    for value in values:
        at.append(len(data))
        data += value.to_bytes()
    return bytes(data), tuple(f"n{number}" for number in range(count)), at, values


@pytest.mark.parametrize("make", classes())
@pytest.mark.parametrize(("count", "groups"), [(0, 0), (1, 1), (3, 2), (7, 0), (500, 3), (4000, 1)])
def test_every_name(make: Any, count: int, groups: int) -> None:
    data, names, at, values = written(count, groups)
    found = make(KeyValue.__codec__, data, names, at, *LIMITS)
    assert found.named(names) == found.numbered(range(count)) == values
    two = [number for number in range(len(values)) if number % count < 2]
    assert found.named(iter(names[:2])) == [values[number] for number in two]
    for name in names[:: max(1, count // 50)]:
        assert found.named([name, name]) == found.numbered([names.index(name)] * 2)
    assert found.named([*names, "m"]) is None
    assert found.named([*names[:1], 5]) is None
    assert found.named([]) == []


@pytest.mark.parametrize("make", classes())
def test_the_last_of_equal_names_counts(make: Any) -> None:
    data, _, at, values = written(3, 1)
    found = make(KeyValue.__codec__, data, ("a", "b", "a"), at, *LIMITS)
    assert found.named(["a", "b"]) == [values[2], values[1]]


@pytest.mark.parametrize("make", classes())
def test_damage_and_limits(make: Any) -> None:
    data, names, at, _ = written(3, 1)
    cut = make(KeyValue.__codec__, data[:-1], names, at, *LIMITS)
    assert len(cut.named(names[:2])) == 2
    with pytest.raises(DecodeError, match=r"\w+") as caught:
        cut.named(names)
    assert caught.value.format == "parquet.KeyValue"
    many = FileMetaData(
        version=1, schema=[], num_rows=0, row_groups=[], key_value_metadata=[KeyValue(key=f"{n}") for n in range(9)]
    )
    few = make(FileMetaData.__codec__, many.to_bytes(), ("m",), array("I", [0]), 64, 5)
    with pytest.raises(DecodeError, match="elements"):
        few.named(["m"])
    enough = make(FileMetaData.__codec__, many.to_bytes(), ("m",), array("I", [0]), 64, 9)
    assert enough.named(["m", "m", "m"]) == [many] * 3
    unions = make(LogicalType.__codec__, LogicalType.STRING().to_bytes(), ("u",), array("I", [0]), *LIMITS)
    assert unions.named(["u"]) == [LogicalType.STRING()]


@pytest.mark.skipif("native" not in BACKENDS, reason="nothing was built")
def test_wrong_arguments() -> None:
    make = switch.native.Places
    data, names, at, _ = written(3, 1)
    codec: Any = KeyValue.__codec__
    for wrong in (
        (codec, bytearray(data), names, at, *LIMITS), (codec, data, list(names), at, *LIMITS), (5, data, names, at, *LIMITS),
        (codec, data, (*names[:2], 5), at, *LIMITS), (codec, data, names, at), (codec, data, names, 5, *LIMITS),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            make(*wrong)
    for places in (at[:2], array("Q", at), array("I", [1, 2, len(data) + 1])):
        with pytest.raises(ValueError, match=r"^places: "):
            make(codec, data, names, places, *LIMITS)
    with pytest.raises(ValueError, match="max_depth"):
        make(codec, data, names, at, 0, 5)
    found = make(codec, data, names, at, *LIMITS)
    for number in (-1, 3, 2**70):
        with pytest.raises((IndexError, OverflowError)):
            found.numbered([number])
    with pytest.raises(TypeError):
        found.numbered(["n0"])
    with pytest.raises(TypeError):
        found.named(5)
