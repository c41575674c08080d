"""The annotation ``lakecodec.codec``: a struct that hand-written code reads and writes."""

from __future__ import annotations

import pytest

from lakecodec.runtime.errors import DecodeError, EncodeError

from .backends import load
from .fixtures import each_backend  # noqa: F401
from .readings import agreed
from .records import writer_of

pytestmark = pytest.mark.usefixtures("each_backend")

weather = load(
    """
    struct Temperature { 1: double degrees; } (lakecodec.codec = "tests.runtime.compact.by_hand:Celsius")
    struct Day {
      1: required Temperature noon;
      2: optional list<Temperature> hours;
      3: optional map<string, Temperature> places;
      4: required i32 number;
    }
    union Reading { 1: Temperature AIR; 2: i32 WIND; }
    """,
    name="weather",
    allow_extern=["tests.runtime.compact.by_hand"],
)


def test_values_and_bytes() -> None:
    day = weather.Day(noon=21.5, hours=[-1.0, 0.0, 3000.0], places={"here": 4.2}, number=7)
    data = day.to_bytes()
    assert data == bytes.fromhex("1c d700 193c f6ff 0000 3075 1b 01 8c 04 68657265 2a00 15 0e 00")
    found = weather.Day.from_bytes(data)
    assert (found.noon, found.hours, found.places, found.number) == (21.5, [-1.0, 0.0, 3000.0], {"here": 4.2}, 7)
    assert weather.Day.from_bytes(memoryview(b"..." + data)[3:]) == day


def test_in_a_union() -> None:
    air = weather.Reading.AIR(2.5)
    assert air.to_bytes() == bytes.fromhex("1c 1900 00")
    found = weather.Reading.from_bytes(air.to_bytes())
    assert (found.kind, found.value) == ("AIR", 2.5)


def test_errors_get_their_place() -> None:
    found = agreed(weather.Day, bytes.fromhex("1c d700 192c 0000 01"))
    assert found == ("DecodeError", "a temperature has two bytes", "hours[1]", 7, "weather.Day")
    with pytest.raises(EncodeError) as caught:
        weather.Day(noon=0.0, hours=[1.0, -300.0], number=1).to_bytes()
    assert (caught.value.path, caught.value.rule) == ("hours[1]", "colder than possible, or hotter than expected")
    assert caught.value.format == "weather.Day"
    with pytest.raises(DecodeError) as read:
        weather.Day.from_bytes(bytes.fromhex("1c d7"))
    assert (read.value.path, read.value.offset, read.value.format) == ("noon", 1, "weather.Day")


FAILING = """
struct Odd { 1: i32 x; } (lakecodec.codec = "tests.runtime.compact.by_hand:Failing")
struct Holder { 1: required i32 number; 2: required Odd odd; }
record Inside { u8 n; Odd odd via compact; }
"""


@pytest.mark.parametrize(
    ("number", "rule"),
    [
        (1, "the extern Failing failed: OSError: no answer"),
        (2, "the extern Failing says that the value ends at 1000000"),
        (3, "the extern Failing says that the value ends at 'end'"),
        (4, "the extern Failing says that the value ends at"),
    ],
)
def test_what_a_codec_raises_is_an_error_of_the_data(number: int, rule: str) -> None:
    module = load(FAILING, name=f"failing{number}", allow_extern=["tests.runtime.compact.by_hand"])
    for cls, data, path, offset in (
        (module.Holder, bytes((0x15, 0, 0x1C, number, 0)), "odd", 3),
        (module.Inside, bytes((9, number)), "odd", 1),
    ):
        with pytest.raises(DecodeError) as caught:
            cls.from_bytes(data)
        assert (caught.value.path, caught.value.offset) == (path, offset)
        assert caught.value.rule.startswith(rule)
    for value in (module.Holder(number=1, odd="x"), module.Inside(n=1, odd=300)):
        with pytest.raises(EncodeError, match=r"the extern Failing failed: (TypeError|ValueError)") as failed:
            value.to_bytes()
        assert failed.value.path == "odd"


def test_records_with_such_structs_have_programs() -> None:
    module = load(FAILING, name="inside", allow_extern=["tests.runtime.compact.by_hand"])
    assert writer_of(module.Inside) is not None
    data = bytes((9, 5))
    for _ in range(40):
        found = module.Inside.from_bytes(data)
        assert (found.n, found.odd, found.to_bytes()) == (9, 5, data)
