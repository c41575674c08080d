"""Bytes made to break readers: only DecodeError, the same one from both backends, little time and little memory."""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec.generated import parquet
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import Limits
from lakecodec.runtime.records.record import uvarint
from tests.bounds import within

from ...memory import traced
from ...parquet.files import ARROW_FILES, FASTPARQUET_FILES, arrow_file, footer_of
from .backends import BACKENDS, kitchen, outcome, outcomes, running
from .damage import damaged
from .readings import agreed
from .values import instances

KITCHEN = kitchen()
Meta = parquet.FileMetaData


def small_footers() -> dict[str, bytes]:
    """Footers of a few hundred bytes with most kinds of fields in them."""
    import pyarrow as pa

    table = pa.table({"a": [1, None, 3], "b": ["x", "y", None], "c": [[1.5], [], None]})
    return {
        "statistics": footer_of(arrow_file(table, store_schema=False)),
        "page index": footer_of(arrow_file(table.select(["a"]), write_page_index=True, store_schema=False)),
        "logical types": footer_of(arrow_file(pa.table({"t": pa.array([1], pa.timestamp("us"))}), store_schema=False)),
        "no columns": footer_of(ARROW_FILES["no columns"]()),
    }


FOOTERS = small_footers()


def assert_bounded(call: Callable[[], object], *, megabytes: float, seconds: float = 2) -> None:
    """Fails where the call takes longer or allocates more; a DecodeError is fine."""
    gc.collect()
    with within(seconds):
        outcome(call)
    assert traced(lambda: outcome(call)).peak < megabytes * 2**20


def varint(number: int) -> bytes:
    return uvarint(number, 64)


SIZE, COUNT = "a size is over 2^31-1", "a container declares more elements than the data left can hold"
LENGTH, VARINT = "a length runs past the end of the data", "a varint is longer than 10 bytes or does not fit 64 bits"
DEPTH, TRUNCATED = "nested deeper than the limit max_depth allows", "the data ends inside a value"
ELEMENT, REQUIRED = "the container's element type is not the declared one", "a required field is missing"

#: As FileMetaData: bytes, the rule that refuses them, path and offset.
ATTACKS: dict[str, tuple[bytes, str, str, int]] = {
    "huge list count": (bytes.fromhex("29fcffffffff07"), COUNT, "schema", 1),
    "count above 2^31": (bytes.fromhex("29fc808080808020"), SIZE, "schema", 1),
    "count above 2^31 in five bytes": (bytes.fromhex("29fc8080808008"), SIZE, "schema", 1),
    "count of 64 bits": (bytes.fromhex("29fcffffffffffffffffff01"), SIZE, "schema", 1),
    "huge binary length": (bytes.fromhex("68ffffffffffffffff3f"), LENGTH, "created_by", 1),
    "binary length of 64 bits": (bytes.fromhex("68ffffffffffffffffff01"), LENGTH, "created_by", 1),
    "binary length of one byte too many": (bytes.fromhex("6804616200"), LENGTH, "created_by", 1),
    "endless varint": (b"\x15" + b"\xff" * 100_000, VARINT, "version", 1),
    "endless skipped varint": (b"\xe6" + b"\xff" * 100_000, VARINT, "", 1),
    "endless field id": (b"\x05" + b"\xff" * 100_000, VARINT, "", 1),
    "endless size": (b"\x29\xfc" + b"\xff" * 100_000, VARINT, "schema", 2),
    "unknown structs in each other": (b"\xfc" + b"\x1c" * 100_000, DEPTH, "", 64),
    "unknown lists in each other": (b"\xf9" + b"\x19" * 100_000, DEPTH, "", 64),
    "unknown sets in each other": (b"\xfa" + b"\x1a" * 100_000, DEPTH, "", 64),
    "unknown maps in each other": (b"\xfb" + b"\x01\xbb" * 100_000, DEPTH, "", 127),
    "a huge unknown list": (b"\xf9\xfc" + varint(2**31 - 1), COUNT, "", 1),
    "a huge unknown map": (b"\xfb" + varint(2**31 - 1) + b"\x55", COUNT, "", 1),
    "a map of one byte a pair": (b"\xfb\x03\x55" + bytes(5), COUNT, "", 1),
    "a list without element types": (b"\x29\x10" + b"\0" * 20, ELEMENT, "schema", 1),
    "wrong element type": (b"\x29\xf1\x10" + b"\1" * 20, ELEMENT, "schema", 1),
    "unknown list of an undefined type": (b"\xf9\x1e\0", "an undefined wire type", "", 2),
    "a megabyte of empty elements": (b"\x29\xfc" + varint(2**20) + bytes(2**20), REQUIRED, "schema[0].name", 5),
    "nothing": (b"", TRUNCATED, "", 0),
    "stop": (b"\0", REQUIRED, "version", 0),
}  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks(name: str, backend: str) -> None:
    data, rule, path, offset = ATTACKS[name]
    with running(backend):
        Meta.from_bytes(FOOTERS["statistics"])  # loads what is loaded once
        assert_bounded(lambda: Meta.from_bytes(data), megabytes=1 + len(data) / 2**17)
        with pytest.raises(DecodeError) as caught:
            Meta.from_bytes(data)
    error = caught.value
    assert (error.rule, error.path, error.offset) == (rule, path, offset)
    assert error.format == "parquet.FileMetaData"


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_on_the_skipper(name: str) -> None:
    data = ATTACKS[name][0]
    found = outcomes(Meta.skip, data)
    assert len(set(found)) == 1
    if ATTACKS[name][1] not in (REQUIRED, ELEMENT):
        assert found[0][0] == "DecodeError"


@pytest.mark.parametrize("name", ["huge list count", "count above 2^31", "a list without element types"])
def test_attacks_on_a_choice_of_fields(name: str) -> None:
    for fields in (["schema.name"], ["num_rows"], ["schema[5].name"]):
        found = outcomes(Meta.from_bytes, ATTACKS[name][0], fields=fields)
        assert found[0][0] == "DecodeError"
        assert len(set(found)) == 1, fields


@pytest.mark.parametrize("backend", BACKENDS)
def test_many_elements_of_one_byte(backend: str) -> None:
    """Many empty structs cost one list and no objects; the limit bounds even that."""
    count = 100_000
    data = b"\xe9\xfc" + varint(count) + bytes(count) + b"\0"
    with running(backend):
        KITCHEN.Lists.from_bytes(b"\0")
        assert_bounded(lambda: KITCHEN.Lists.from_bytes(data), megabytes=3)
        empties = KITCHEN.Lists.from_bytes(data).empties
        assert len(empties) == count
        assert all(item is empties[0] for item in empties)
        fewer = Limits(max_elements=count - 1)
        assert_bounded(lambda: KITCHEN.Lists.from_bytes(data, limits=fewer), megabytes=1, seconds=0.5)
        with pytest.raises(DecodeError, match="max_elements"):
            KITCHEN.Lists.from_bytes(data, limits=fewer)


def test_elements_are_counted_over_all_containers() -> None:
    lists = KITCHEN.Lists(mediums=[1] * 10, texts=["a"] * 10, deep=[[[1, 2], [3]]], maps=[{"a": [True, False]}])
    data = lists.to_bytes()
    total = 10 + 10 + 1 + 2 + 2 + 1 + 1 + 1 + 2
    assert agreed(KITCHEN.Lists, data, limits=Limits(max_elements=total))[0] == "value"
    for fewer in range(1, total):
        found = agreed(KITCHEN.Lists, data, limits=Limits(max_elements=fewer))
        assert found[:2] == ("DecodeError", "more elements than the limit max_elements allows")


def test_depth_is_that_of_structs_and_containers() -> None:
    tree = KITCHEN.Tree(name="leaf")
    for _ in range(9):
        tree = KITCHEN.Tree(name="node", left=tree)
    assert agreed(KITCHEN.Tree, tree.to_bytes(), limits=Limits(max_depth=10))[0] == "value"
    found = agreed(KITCHEN.Tree, tree.to_bytes(), limits=Limits(max_depth=9))
    assert found[1:3] == (DEPTH, ".".join(["left"] * 9))
    deep = KITCHEN.Lists(deep=[[[1]]]).to_bytes()
    assert agreed(KITCHEN.Lists, deep, limits=Limits(max_depth=4))[0] == "value"
    assert agreed(KITCHEN.Lists, deep, limits=Limits(max_depth=3))[1:3] == (DEPTH, "deep[0][0]")
    choice = KITCHEN.Choice.NUMBER(1)
    for _ in range(5):
        choice = KITCHEN.Choice.DEEPER(choice)
    assert agreed(KITCHEN.Choice, choice.to_bytes(), limits=Limits(max_depth=6))[0] == "value"
    assert agreed(KITCHEN.Choice, choice.to_bytes(), limits=Limits(max_depth=5))[1] == DEPTH


@pytest.mark.parametrize("depth", range(1, 12))
def test_depth_of_everything(depth: int) -> None:
    """At each limit all readers stop at the same place, in what is known and in what is skipped."""
    tree = KITCHEN.Tree(name="n", children=[KITCHEN.Tree(name="c", named={"x": KITCHEN.Tree(name="d")})])
    choice = KITCHEN.Choice.POINTS([KITCHEN.Point(x=1)])
    values = (
        tree,
        KITCHEN.Scalars(choice=KITCHEN.Choice.DEEPER(choice), unit=KITCHEN.Unit.FIRST(), nothing=KITCHEN.Empty()),
        KITCHEN.Lists(maps=[{"a": [True]}], sets=[{1}], choices=[choice], units=[KITCHEN.Unit.SECOND()]),
        KITCHEN.Maps(nested={"a": {1: [1.0]}}, by_point=[(KITCHEN.Point(x=1), "p")], choices={b"": choice}),
    )
    for value in values:
        for cls in (type(value), Meta, KITCHEN.Spread, KITCHEN.Choice):
            agreed(cls, value.to_bytes(), limits=Limits(max_depth=depth))


def test_a_limit_beyond_the_stack() -> None:
    """A depth that the machine's stack cannot hold is refused, not a crash or a RecursionError."""
    data = b"\xfc" + b"\x1c" * 2_000_000
    for found in outcomes(Meta.from_bytes, data, limits=Limits(max_depth=10_000_000)):
        assert found[:2] == ("DecodeError", DEPTH)
    for found in outcomes(Meta.skip, data, limits=Limits(max_depth=10_000_000)):
        assert found[:2] == ("DecodeError", DEPTH)
    nested = b"\x2c" * 200_000
    for found in outcomes(KITCHEN.Tree.from_bytes, nested, limits=Limits(max_depth=10_000_000)):
        assert found[:2] == ("DecodeError", DEPTH)


@pytest.mark.parametrize("name", FOOTERS)
def test_every_prefix_of_a_footer(name: str) -> None:
    footer = FOOTERS[name]
    assert agreed(Meta, footer)[0] == "value"
    for length in range(len(footer)):
        found = agreed(Meta, footer[:length])
        assert found[0] == "DecodeError", length


@pytest.mark.parametrize("name", ["Scalars", "Lists", "Sets", "Maps", "Strict", "Spread", "Choice"])
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_prefix_of_random_values(name: str, data: st.DataObject) -> None:
    value = data.draw(instances(getattr(KITCHEN, name)))
    encoded = value.to_bytes()
    for length in range(0, len(encoded), 1 + len(encoded) // 100):
        assert agreed(type(value), encoded[:length])[0] == "DecodeError"


@pytest.mark.parametrize("name", FOOTERS)
def test_damaged_footers(name: str) -> None:
    chance = Random(name)
    damage_and_compare(Meta, [FOOTERS[name]], chance, 500)


def test_damaged_values_of_all_types() -> None:
    chance = Random("kitchen")
    for value in samples():
        damage_and_compare(type(value), [value.to_bytes()], chance, 120)


@pytest.mark.parametrize("name", ["Everything", "Choice", "Tree", "Spread"])
def test_noise(name: str) -> None:
    chance = Random(name)
    damage_and_compare(getattr(KITCHEN, name), [chance.randbytes(chance.randrange(40)) for _ in range(200)], chance, 2)


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(8))
def test_damage_at_length(seed: int) -> None:
    chance = Random(seed)
    real = [footer_of(make()) for make in (ARROW_FILES["nested"], FASTPARQUET_FILES["fastparquet"])]
    damage_and_compare(Meta, [*FOOTERS.values(), *real], chance, 3000)
    for value in samples():
        damage_and_compare(type(value), [value.to_bytes()], chance, 3000)


def damage_and_compare(cls: Any, originals: list[bytes], chance: Random, times: int) -> None:
    """All readers agree on damaged bytes; what was read is written, and then read, alike; skipping ends where reading does."""
    for original in originals:
        for _ in range(times):
            data = damaged(original, chance)
            found = agreed(cls, data)
            if found[0] == "value":
                skipped, *others = outcomes(cls.skip, data)
                assert skipped == ("value", found[2])
                assert others == [skipped] * len(others)
                assert_written_alike(cls, data)


def assert_written_alike(cls: Any, data: bytes) -> None:
    value = cls.read(data)[0]
    first, *others = outcomes(value.to_bytes)
    assert first[0] == "value", "what was read can be written"
    assert others == [first] * len(others)
    assert outcomes(cls.from_bytes, first[1])[0][0] == "value"


def samples() -> list[Any]:
    """One value of each struct, with something in every field."""
    k = KITCHEN
    scalars = k.Scalars(
        flag=True, tiny=-3, small=-300, medium=70000, large=2**40, real=1.5, data=b"\0\1", text="é",
        color=k.Color.BLUE, point=k.Point(x=1, y=-0.0), choice=k.Choice.TEXT("t"), unit=k.Unit.SECOND(), nothing=k.Empty(),
    )  # fmt: skip
    choice = k.Choice.DEEPER(k.Choice.POINTS([k.Point(x=2), k.Point(x=3, y=4.0)]))
    tree = k.Tree(name="a", left=k.Tree(name="b"), children=[k.Tree(name="c")], named={"d": k.Tree(name="e")})
    return [
        scalars,
        k.Lists(flags=[True, False], tinies=[1, -1], mediums=list(range(20)), texts=["a", "é"], colors=[k.Color.RED, 99]),
        k.Lists(deep=[[[1], []], []], maps=[{"a": [True]}], sets=[{1, 2}], choices=[choice], empties=[k.Empty()] * 3),
        k.Sets(flags={True}, mediums={1, 70000}, texts={"a", "b"}, points=[k.Point(x=1)], units={k.Unit.FIRST()}),
        k.Maps(counts={"a": 1}, flags={True: False}, nested={"n": {1: [0.5]}}),
        k.Maps(by_point=[(k.Point(x=1), "p")], choices={b"k": choice}),
        k.Spread(extension=b"e", first=True, second=False, middle=3, third=True, late="l", flags=[False]),
        k.Defaults(needed=1, given=2.0, words={"w"}),
        tree,
        choice,
    ]  # fmt: skip
