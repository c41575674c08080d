"""The text codecs one by one, against NumPy, decimal and Python's own readers."""

from __future__ import annotations

import decimal
import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lakecodec.delta.text import Date, DayTime, Decimal, Fraction, Integer, JavaFloat, Time, Utf8, Words, YearMonth
from lakecodec.delta.text.zone import from_local, to_local
from lakecodec.runtime.errors import DecodeError, EncodeError

UTC_TIME, LOCAL_TIME = "%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%d %H:%M:%S.%f"
FIRST_DAY, LAST_DAY = (int(np.datetime64(day, "D").astype(int)) for day in ("-262143-01-01", "262142-12-31"))
quick = settings(deadline=None)
JAVA = re.compile(r"-?([0-9]{1,7}\.[0-9]+|[1-9]\.[0-9]+E-?[1-9][0-9]*)")


def numpy_year(text: str) -> str:
    """NumPy's years with the plus sign and the four digits of ISO 8601."""
    if match := re.match(r"-([0-9]{1,3})-", text):
        return f"-{match[1]:0>4}{text[match.end(1) :]}"
    return f"+{text}" if re.match(r"[0-9]{5}", text) else text


@quick
@given(st.integers(FIRST_DAY, LAST_DAY))
@example(FIRST_DAY)
@example(LAST_DAY)
def test_dates(day: int) -> None:
    text = Date(True).encode(day)
    assert text == numpy_year(str(np.datetime64(day, "D")))
    assert Date(True).decode(text) == day


@pytest.mark.parametrize("day", [FIRST_DAY - 1, LAST_DAY + 1, 2**31 - 1, -(2**31)])
def test_days_outside_the_calendar(day: int) -> None:
    with pytest.raises(EncodeError, match=r"the year \S+ is outside -262143 to \+262142"):
        Date(True).encode(day)


@quick
@given(st.integers(FIRST_DAY * 86_400_000_000, LAST_DAY * 86_400_000_000))
@example(-1)
def test_times(micros: int) -> None:
    expected = numpy_year(str(np.datetime64(micros, "us")))
    date, _, clock = expected.partition("T")
    utc, local = Time(UTC_TIME, Fraction.SIX, True, "UTC"), Time(LOCAL_TIME, Fraction.SHORTEST, True)
    assert utc.encode(micros) == f"{expected}Z"
    assert utc.decode(f"{expected}Z") == micros == utc.decode(f"{date} {clock}")
    short = clock.rstrip("0").rstrip(".") if clock.endswith("0") else clock
    assert local.encode(micros) == f"{date} {short}"
    assert local.decode(f"{date} {short}") == micros


@quick
@given(
    st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)),
    st.sampled_from(["America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "UTC"]),
)
@example(datetime(2024, 11, 3, 9, 30), "America/Los_Angeles")
def test_wall_times(moment: datetime, zone: str) -> None:
    instant = moment.replace(tzinfo=UTC)
    micros = (instant - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    wall = instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    text = Time(LOCAL_TIME, Fraction.SIX, False, zone).encode(micros)
    assert text == f"{wall:%H:%M:%S.%f}".join([f"{wall.date().isoformat()} ", ""])
    back = Time(LOCAL_TIME, Fraction.SIX, False, zone).decode(text)
    assert to_local(back, zone) == to_local(micros, zone)
    assert abs(back - micros) in {0, 3_600_000_000, 86_400_000_000}


@pytest.mark.parametrize("year", [10_000, 40_000, 200_000])
def test_wall_times_of_far_years_repeat_every_400_years(year: int) -> None:
    cycle = 146_097 * 86_400_000_000
    for month in range(12):
        near = np.datetime64(f"{9600 + year % 400}-{month + 1:02d}-15T12", "us").astype(int)
        far = int(near) + cycle * ((year - 9600) // 400)
        offset = to_local(int(near), "America/Los_Angeles") - int(near)
        assert to_local(far, "America/Los_Angeles") - far == offset
        assert from_local(far + offset, "America/Los_Angeles") == far


def floats(bits: int) -> st.SearchStrategy[float]:
    return st.floats(width=bits, allow_nan=False, allow_infinity=False)


@quick
@given(floats(64))
@example(1e7)
@example(9999999.999999998)
@example(1e-3)
@example(9.999999999999998e-4)
@example(1e23)
@example(5e-324)
@example(-0.0)
def test_doubles(value: float) -> None:
    text = JavaFloat(64).encode(value)
    assert JAVA.fullmatch(text)
    assert ("E" in text) == (value != 0 and not 1e-3 <= abs(value) < 1e7)
    assert float(text).hex() == value.hex() == JavaFloat(64).decode(text).hex()
    assert digits(text) == digits(repr(value))
    two = JavaFloat(64, True).encode(value)
    assert float(two) == value
    assert two == text or abs(value) < 1e-321


@quick
@given(floats(32))
@example(float(np.float32(1e-45)))
@example(float(np.float32(0.1)))
@example(float(np.float32(1e-3)))
def test_floats(value: float) -> None:
    text = JavaFloat(32).encode(value)
    assert JAVA.fullmatch(text)
    assert ("E" in text) == (value != 0 and not 1e-3 <= abs(value) < 1e7)
    assert float(np.float32(text)).hex() == value.hex() == JavaFloat(32).decode(text).hex()
    assert digits(text) == digits(str(np.float32(value)))


@pytest.mark.parametrize(
    ("bits", "value", "one", "two"),
    [(64, 5e-324, "5.0E-324", "4.9E-324"), (64, 1e-323, "1.0E-323", "9.9E-324"), (32, 1.4e-45, "1.0E-45", "1.4E-45")],
)
def test_java_wants_two_digits(bits: int, value: float, one: str, two: str) -> None:
    exact = float(np.float32(value)) if bits == 32 else value
    assert (JavaFloat(bits).encode(exact), JavaFloat(bits, True).encode(exact)) == (one, two)


def test_a_single_is_rounded_once() -> None:
    """The text is nearer to the upper single; its double lies in the middle of the two."""
    text = "1.00000005960464477540"
    assert JavaFloat(32).decode(text) == 1.0000001192092896
    assert float(np.float32(float(text))) == 1.0


def digits(text: str) -> str:
    return re.sub(r"[eE].*|[-.]", "", text).strip("0")


@quick
@given(st.integers(0, 38).flatmap(lambda s: st.tuples(st.just(s), st.integers(-(10**38) + 1, 10**38 - 1))))
@example((2, -5))
@example((38, 1))
def test_decimals(drawn: tuple[int, int]) -> None:
    scale, unscaled = drawn
    codec = Decimal(38, scale)
    text = codec.encode(unscaled)
    with decimal.localcontext(prec=80):
        expected = decimal.Decimal(unscaled).scaleb(-scale)
    assert text == f"{expected:.{scale}f}"
    assert codec.decode(text) == unscaled
    assert codec.decode(f"{unscaled}e{-scale}") == unscaled


@quick
@given(st.sampled_from([8, 16, 32, 64]), st.data())
def test_integers(bits: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1))
    codec = Integer(bits)
    assert codec.decode(codec.encode(value)) == value
    assert codec.decode(f"{'-' if value < 0 else '+'}000{abs(value)}") == value
    for outside in (-(1 << (bits - 1)) - 1, 1 << (bits - 1)):
        with pytest.raises(DecodeError, match=f"does not fit in {bits} bits"):
            codec.decode(str(outside))
        with pytest.raises(EncodeError, match=f"does not fit in {bits} bits"):
            codec.encode(outside)


@quick
@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**31), 2**31 - 1))
def test_intervals(micros: int, months: int) -> None:
    text = DayTime().encode(micros)
    assert DayTime().decode(text.lower()) == micros
    match = re.fullmatch(r"INTERVAL '(-?)(\d+) (\d\d):(\d\d):(\d\d)(\.\d{0,5}[1-9])?' DAY TO SECOND", text)
    assert match is not None
    value = timedelta(int(match[2]), int(match[5]), 0, 0, int(match[4]), int(match[3])) // timedelta(microseconds=1)
    value += round(float(match[6] or 0) * 1e6)
    assert (-value if match[1] else value) == micros
    text = YearMonth().encode(months)
    assert YearMonth().decode(text) == months
    sign, years, rest = re.fullmatch(r"INTERVAL '(-?)(\d+)-(\d+)' YEAR TO MONTH", text).groups()  # type: ignore[union-attr]
    assert int(f"{sign}1") * (int(years) * 12 + int(rest)) == months


ACCEPTED = [
    (Integer(8), "+5", 5),
    (Integer(8), "-0", 0),
    (Words("true", "false"), "TRUE", True),
    (Words("true", "false"), "False", False),
    (JavaFloat(64), "1", 1.0),
    (JavaFloat(64), ".5e1", 5.0),
    (JavaFloat(64), "+1.E3", 1000.0),
    (JavaFloat(64), "-INF", -math.inf),
    (JavaFloat(32), "infinity", math.inf),
    (JavaFloat(64), "4.9E-324", 5e-324),
    (JavaFloat(64), "9.999999999999999E22", 1e23),
    (Decimal(5, 2), "1.25e0", 125),
    (Decimal(5, 2), "125E-2", 125),
    (Decimal(5, 2), "+.50", 50),
    (Date(), "2024-1-5", 19727),
    (Date(True), "+10000-01-01", 2932897),
    (Date(True), "-0001-12-31", -719529),
    (Time(UTC_TIME, zone="UTC"), "2024-06-15t12:30:45.1z", 1718454645100000),
    (Time(UTC_TIME, zone="UTC"), "2024-06-15 12:30:45+02:00", 1718447445000000),
    (Time(UTC_TIME, zone="UTC"), "2024-06-15T12:30:45-0730", 1718481645000000),
    (Time(UTC_TIME, zone="UTC"), "2024-06-15T12:30:45.1234569Z", 1718454645123456),
    (Time(UTC_TIME, zone="America/Los_Angeles"), "2024-06-15 12:30:45", 1718479845000000),
    (Time(LOCAL_TIME), "2024-06-15 12:30:45", 1718454645000000),
    (DayTime(), "interval '-1 2:03:04.5' day TO second", -93784500000),
    (YearMonth(), "INTERVAL '+1-11' YEAR TO MONTH", 23),
    (Utf8(), "__HIVE_DEFAULT_PARTITION__", "__HIVE_DEFAULT_PARTITION__"),
    (Utf8(True), "\x01\x02ü", b"\x01\x02\xc3\xbc"),
]


@pytest.mark.parametrize(("codec", "text", "value"), ACCEPTED, ids=lambda item: repr(item))
def test_accepted(codec: Any, text: str, value: Any) -> None:
    assert codec.decode(text) == value
    assert codec.decode_array(pa.array([text, None])).cast(codec.storage)[1].as_py() is None


REFUSED = [
    *((Integer(32), text) for text in ["", " 5", "5 ", "1_0", "0x1F", "٣", "--1", "1.0", "+", "9" * 5000]),
    *((Words("true", "false"), text) for text in ["1", "yes", "t", " true", "ſalse", "trUe "]),
    *(
        (JavaFloat(64), text)
        for text in ["1.0d", "1f", "0x1p3", " 1", "1 ", "1_0", "", ".", "e5", "1e", "1e400", "infi", "۱"]
    ),
    *((JavaFloat(32), text) for text in ["1e39", "-3.5e38", "nano"]),
    *(
        (Decimal(5, 2), text)
        for text in ["1", "1.2", "1.234", "1234.00", "", ".", "NaN", "1.2.3", "1,23", "1e-3", " 1.23"]
    ),
    *((Date(), text) for text in ["2024-02-30", "2024-13-01", "2024-00-01", "24-01-01", "10000-01-01", "0000-01-01"]),
    *((Date(), text) for text in ["2024-01-01 ", "20240101", "+10000-01-01", "2024/01/01", "2023-02-29", "1900-02-29"]),
    *((Date(True), text) for text in ["10000-01-01", "+300000-01-01", "-262144-12-31", "+1-01-01"]),
    *((Time(UTC_TIME, zone="UTC"), text) for text in ["2024-06-15T12:30:45", "2024-06-15 24:00:00", "2024-06-15"]),
    *(
        (Time(UTC_TIME, zone="UTC"), text)
        for text in ["2024-06-15 12:30:60", "2024-06-15T12:30:45+24:00", "2024-06-15 12:30"]
    ),
    *((Time(UTC_TIME, zone="UTC"), text) for text in ["0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"]),
    *((Time(LOCAL_TIME), text) for text in ["2024-06-15T12:30:45", "2024-06-15 12:30:45Z", "2024-06-15 12:30:45."]),
    *((DayTime(), text) for text in ["1 00:00:00", "INTERVAL '1 24:00:00' DAY TO SECOND", "INTERVAL '1' DAY"]),
    *((YearMonth(), text) for text in ["INTERVAL '1-12' YEAR TO MONTH", "1-2", "INTERVAL '999999999-0' YEAR TO MONTH"]),
    (Utf8(), "\ud800"),
]


@pytest.mark.parametrize(("codec", "text"), REFUSED, ids=lambda item: repr(item)[:40])
def test_refused(codec: Any, text: str) -> None:
    with pytest.raises(DecodeError) as one:
        codec.decode(text)
    assert one.value.rule
    if text and text.isprintable():
        with pytest.raises(DecodeError):
            codec.decode_array(pa.array([None, text]))


def test_patterns_are_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^pattern: "):
        Time("%d.%m.%Y")
