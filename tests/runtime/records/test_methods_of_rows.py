"""Readers and writers that are made of rows, for records whose rows say all that these do."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.records.methods import with_methods
from lakecodec.runtime.records.reader import Reader
from lakecodec.runtime.records.record import Record
from lakecodec.runtime.records.writer import Writer


@pytest.fixture
def module() -> Any:
    return compile_idl(
        """
        record Point { i16 x; u32 y; bool8 z; }
        record Big : big { u16 a; f32 b; u8 c; uvarint16 d; i64 e; }
        record Named : normalizes { uvarint32 n; svarint64 m; vlq32 k; Point point; f16 half; u64 last; }
        record Lists { u8 few; Kind(few) none[few]; u8 some; Kind(some) kinds[1]; }
        variant Kind(u8 which) on which { 0: NONE; 1: ONE { u8 a; i8 b; f32 c; }; 2: TWO { Point p; }; }
        """
    )


def read(cls: Any, data: bytes, *parameters: Any) -> Any:
    return Reader(data).whole_record(cls, *parameters)


def written(value: Any, *parameters: Any) -> bytes:
    out = Writer()
    out.whole_record(value, *parameters)
    return bytes(out.data)


def test_nothing_is_generated_for_them(module: Any) -> None:
    assert "_read" not in inspect.getsource(module.Point) + inspect.getsource(module.Named)
    assert "_read" not in vars(module.Kind_ONE)


def test_all_numbers_and_records(module: Any) -> None:
    data = b"\x81\x00\x03\x81\x00" + b"\xff\xff\1\0\0\0\1" + b"\x00\x3c\2" + bytes(7)
    found = read(module.Named, data)
    assert (found.n, found.m, found.k, found.half, found.last) == (1, -2, 128, 1.0, 2)
    assert found.point == module.Point(x=-1, y=1, z=True)
    assert written(found) == b"\1" + data[2:]
    big = read(module.Big, b"\1\2\x3f\x80\0\0\3\4" + bytes(7) + b"\5")
    assert (big.a, big.b, big.c, big.d, big.e) == (258, 1.0, 3, 4, 5)
    assert written(big) == b"\1\2\x3f\x80\0\0\3\4" + bytes(7) + b"\5"


def test_alternatives(module: Any) -> None:
    assert read(module.Kind, b"", 0) == module.Kind_NONE()
    one = read(module.Kind, b"\7\xff\0\0\x80\x3f", 1)
    assert (one.a, one.b, one.c, written(one, 1)) == (7, -1, 1.0, b"\7\xff\0\0\x80\x3f")
    assert read(module.Kind, b"\1\0\2\0\0\0\0", 2).p == module.Point(x=1, y=2, z=False)
    with pytest.raises(EncodeError, match="the alternative ONE has the tag 1, not 2"):
        written(one, 2)


def test_a_list_without_elements_makes_no_methods_for_all_alternatives(module: Any) -> None:
    found = read(module.Lists, b"\0\1\5\6\0\0\0\0")
    assert (found.none, found.kinds) == ([], [module.Kind_ONE(a=5, b=6, c=0.0)])


def test_errors_name_the_field(module: Any) -> None:
    with pytest.raises(DecodeError, match=r"z: 0 or 1 are needed|z: .*") as caught:
        read(module.Point, b"\1\0\2\0\0\0\2")
    assert (caught.value.path, caught.value.offset) == ("z", 6)
    with pytest.raises(DecodeError) as caught:
        read(module.Named, b"\1\3\1\1")
    assert caught.value.path == "point.x"
    with pytest.raises(EncodeError) as refused:
        written(module.Point(x=1, y=-1, z=True))
    assert refused.value.path == "y"


def test_what_rows_do_not_say_has_no_methods() -> None:
    class Empty(Record):
        __slots__ = ()

    with pytest.raises(TypeError, match="Empty has no methods that read and write it"):
        with_methods(Empty)


def test_numbers_at_places() -> None:
    module = compile_idl(
        """
        record File : big, gaps {
          u8 flag;
          u16 a at 4;
          i32 b at 8 if flag == 1;
          bool8 c at 12 where c == (flag == 1) else "c says another thing than flag";
        }
        """
    )
    source = inspect.getsource(module.File)
    assert "_read_a" not in source
    assert "_read_b" not in source
    assert "_read_c" in source
    data = b"\1\0\0\0\1\2\0\0\xff\xff\xff\xfe\1"
    found = module.File.from_bytes(data)
    assert (found.a, found.b, found.c) == (258, -2, True)
    assert found.to_bytes() == data
    assert module.File.from_bytes(b"\0" + data[1:8] + bytes(5)).b is None
    with pytest.raises(EncodeError) as caught:
        module.File(flag=1, a=1 << 16, b=0, c=True).to_bytes()
    assert caught.value.path == "a"
    with pytest.raises(EncodeError, match="condition") as caught:
        module.File(flag=0, a=1, b=0, c=False).to_bytes()
    assert caught.value.path == "b"
    with pytest.raises(DecodeError) as short:
        module.File.from_bytes(data[:5])
    assert short.value.path == "a"


class Lying(int):
    def __index__(self) -> int:
        return 99

    def __float__(self) -> float:
        return 99.0


@pytest.mark.parametrize("pattern", [b"\1\0\xa0\x7f", b"\1\0\xa0\xff", b"\0\0\xc0\x7f"])
def test_floats_that_are_no_number_keep_their_bits(module: Any, pattern: bytes) -> None:
    data = b"\7\xff" + pattern
    assert written(read(module.Kind, data, 1), 1) == data
    alone = b"\1\2" + pattern[::-1] + b"\3\4" + bytes(7) + b"\5"
    assert written(read(module.Big, alone)) == alone


@pytest.mark.parametrize(
    ("name", "value"), [("a", 1 << 16), ("a", "1"), ("b", 1e39), ("c", -1), ("e", 1.0), ("d", 1 << 16)]
)
def test_numbers_that_do_not_fit_are_named(module: Any, name: str, value: Any) -> None:
    fields = {"a": 1, "b": 1.0, "c": 2, "d": 3, "e": 4}
    with pytest.raises(EncodeError, match="fit") as caught:
        written(module.Big(**fields | {name: value}))
    assert caught.value.path == name


@pytest.mark.parametrize(("value", "number"), [(True, 1), (Lying(5), 5)])
def test_integers_of_subclasses(module: Any, value: Any, number: int) -> None:
    given, meant = (module.Big(a=each, b=each, c=each, d=200, e=each).to_bytes() for each in (value, number))
    assert given == meant
