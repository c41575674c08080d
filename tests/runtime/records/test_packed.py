"""Packed numbers whose count is larger than what there is: refused before memory or time is taken for them."""

from __future__ import annotations

import copy
import pickle
import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.limits import MAX_EMPTY

from ...memory import traced
from ...oracle.backends import BACKENDS, running
from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

m: Any = compile_idl(
    """
    record Wide { u64 n; bits<32> numbers[n]; }
    record Asked { u64 n; bits<32> numbers[n] where max(numbers) < 5; }
    record Empty { u64 n; bits<0> numbers[n] where max(numbers) < 5; }
    record Each { u64 n; u8 width; bits<width> numbers[i < n] = i % 2; }
    record Unique { u64 n; bits<0> numbers[n] where unique(numbers); }
    record Permutation { u64 n; bits<0> numbers[n] where is_permutation(numbers); }
    record Known {
      u64 n;
      bits<0> numbers[n] where ascending(numbers) and min(numbers) == 0 and sum(numbers) == 0
        and contains(numbers, 0) and not contains(numbers, 1) and position(numbers, 0) == 0 and last(numbers) == 0;
    }
    record Folded { u64 n; bits<0> numbers[n] where fold(x in numbers, total = 0 : total + x) == 0; }
    record Listed { u64 n; bits<0> numbers[n] where count(x in numbers where x > 0) == 0; }
    record Sliced { u64 n; u8 width; bits<width> numbers[n] where sum(numbers[1:n]) == 0; }
    record AllFolded { Folded items[..]; }
    record AllListed { Listed items[..]; }
    record Verified { u64 n; u8 width; bits<width> numbers[i < n] where numbers[i] == 0; }
    record AllVerified { Verified items[..]; }
    fn total(list<u8> xs) -> i32 = fold(x in xs, t = 0 : t + x);
    record Called { u64 n; bits<0> numbers[n] where total(numbers) == 0; }
    record AllCalled { Called items[..]; }
    record Given(list<u8> xs) { u8 a if sum(x in xs : x) == 0; }
    record Giving { u64 n; bits<0> numbers[n]; Given(numbers) given; }
    record AllGiven { Giving items[..]; }
    record Plain { u64 n; bits<0> numbers[n]; }
    record FromOutside { u8 n; Plain items[n] where sum(r in items : sum(x in r.numbers : x)) == 0; }
    record Constants { u8 n; bits<1> flags[i < n] = 1; }
    record Flags { u64 n; bits<1> flags[i < n] = given[i]; u8 given[..]; }
    """,
    name="packed_numbers",
)


@pytest.mark.parametrize("count", [1, 2**40, 2**58, 2**59, 2**60, 2**61, 2**63, 2**64 - 1])
@pytest.mark.parametrize("cls", [m.Wide, m.Asked])
def test_more_numbers_than_bytes(cls: Any, count: int) -> None:
    with pytest.raises(DecodeError, match=f"{count} numbers of 32 bits do not fit the bytes left") as caught:
        cls.from_bytes(struct.pack("<QH", count, 0))
    assert (caught.value.path, caught.value.offset) == ("numbers", 8)


def test_numbers_of_no_bits_are_counted() -> None:
    found = m.Empty.from_bytes(struct.pack("<Q", 2**40))
    assert (len(found.numbers), found.numbers.max()) == (2**40, 0)
    assert found.to_bytes() == struct.pack("<Q", 2**40)
    with pytest.raises(DecodeError, match="do not fit"):
        m.Empty.from_bytes(struct.pack("<Q", 2**61))


def test_numbers_of_no_bits_that_are_verified_one_by_one() -> None:
    with pytest.raises(DecodeError, match=f"more than {MAX_EMPTY + 9} elements take no bytes"):
        m.Each.from_bytes(struct.pack("<QB", 2**40, 0))
    with pytest.raises(DecodeError, match="numbers must be i % 2"):
        m.Each.from_bytes(struct.pack("<QB", 1000, 0))
    assert list(m.Each.from_bytes(struct.pack("<QBB", 4, 1, 0b1010)).numbers) == [0, 1, 0, 1]


@pytest.mark.parametrize("cls", [m.Unique, m.Permutation])
def test_numbers_of_no_bits_are_equal(cls: Any) -> None:
    for count in (0, 1):
        assert len(cls.from_bytes(struct.pack("<Q", count)).numbers) == count
    for count in (2, 2**40):
        with pytest.raises(DecodeError, match=r"numbers\) does not hold"):
            cls.from_bytes(struct.pack("<Q", count))


def test_numbers_of_no_bits_are_known_without_a_look() -> None:
    assert len(m.Known.from_bytes(struct.pack("<Q", 2**40)).numbers) == 2**40


@pytest.mark.parametrize("cls", [m.Folded, m.Listed])
def test_loops_over_numbers_of_no_bits_are_bounded(cls: Any) -> None:
    assert list(cls.from_bytes(struct.pack("<Q", 3)).numbers) == [0, 0, 0]
    with pytest.raises(DecodeError, match=f"more than {MAX_EMPTY + 8} elements take no bytes") as caught:
        cls.from_bytes(struct.pack("<Q", 2**40))
    assert (caught.value.path, caught.value.offset) == ("numbers", 8)


@pytest.mark.parametrize(
    ("cls", "head", "rest"),
    [
        (m.AllFolded, b"", b""),
        (m.AllListed, b"", b""),
        (m.AllVerified, b"", b"\0"),
        (m.AllCalled, b"", b""),
        (m.AllGiven, b"", b"\0"),
        (m.FromOutside, b"\x40", b""),
    ],
)
def test_loops_over_numbers_of_no_bits_are_bounded_together(cls: Any, head: bytes, rest: bytes) -> None:
    """Eight numbers cost as much as one element without bytes."""
    item = struct.pack("<Q", MAX_EMPTY) + rest
    fewer = bytes([8]) if head else b""
    found = cls.from_bytes(fewer + item * 8)
    assert len(found.items) == 8
    data = head + item * 64
    with pytest.raises(DecodeError, match=f"more than {MAX_EMPTY + len(data)} elements take no bytes") as caught:
        cls.from_bytes(data)
    assert caught.value.path.startswith("items" if head else "items[8].")
    # Looks at what was read are no part of the call.
    for _ in range(20):
        assert sum(found.items[0].numbers) == 0
    assert pickle.loads(pickle.dumps(found)) == found


def test_slices_of_packed_numbers() -> None:
    assert m.Sliced.from_bytes(struct.pack("<QBB", 8, 1, 1)).numbers[:2] == [1, 0]
    with pytest.raises(DecodeError, match="does not hold"):
        m.Sliced.from_bytes(struct.pack("<QBB", 8, 1, 2))
    with pytest.raises(DecodeError, match=f"more than {MAX_EMPTY + 9} elements take no bytes"):
        m.Sliced.from_bytes(struct.pack("<QB", 2**40, 0))


def test_values_of_numbers_of_no_bits_are_bounded() -> None:
    found = m.Empty.from_bytes(struct.pack("<Q", 2**40))
    assert repr(found) == f"Empty(n={2**40}, numbers=Bits({2**40} of 0 bits))"
    for look in (found.to_dict, lambda: list(found.numbers)):
        with pytest.raises(DecodeError, match="do not fit"):
            look()


def test_derived_numbers_take_memory_as_they_are_made() -> None:
    assert m.Flags(n=3, given=[1, 0, 1]).to_bytes() == struct.pack("<QB", 3, 5) + b"\1\0\1"
    long = m.Flags(n=1000, given=[1] * 1000)
    assert m.Flags.from_bytes(long.to_bytes()) == long

    def write() -> None:
        with pytest.raises(EncodeError) as caught:
            m.Flags(n=2**33, given=[1, 0, 1]).to_bytes()
        assert caught.value.path == "flags"

    assert traced(write).peak < 1 << 20


def test_packed_numbers_that_are_all_one_constant() -> None:
    made = m.Constants(n=11)
    assert made.to_bytes() == b"\x0b\xff\x07"
    assert list(m.Constants.from_bytes(made.to_bytes()).flags) == [1] * 11


def test_numbers_in_a_span_are_copied_and_pickled() -> None:
    """Their bytes are a view there."""
    module: Any = compile_idl(
        "record R { u8 n; bits<12> q[n]; } record S { u8 k = size(r); R r size k; }", name="spanned_bits"
    )
    found = module.S.from_bytes(bytes([4, 2, 1, 2, 3]))
    assert copy.deepcopy(found) == found
    assert copy.deepcopy(found).to_bytes() == found.to_bytes()
    numbers = found.r.q
    assert pickle.loads(pickle.dumps(numbers)) == numbers


def test_plain_forms_of_lists() -> None:
    made: Any = compile_idl("record R { u8 n = count(xs); bits<12> xs[n]; }")
    for values in ([1, 2, 3], (1, 2, 3), range(1, 4)):
        found = made.R(xs=values)
        assert made.R.from_dict(found.to_dict()).to_bytes() == made.R.from_json(found.to_json()).to_bytes()
    for data, rule in (
        ({"width": 12, "values": [1], "extra": 1}, "'extra'"),
        ({"width": 12, "values": [5000]}, "12 bits"),
    ):
        with pytest.raises(EncodeError, match=rule):
            made.R.from_dict({"xs": data})


def test_copies_keep_unused_bits() -> None:
    made: Any = compile_idl("record R { u8 n = count(xs); bits<5> xs[n]; }")
    found = made.R.from_bytes(b"\3\xff\xff")
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert again.to_bytes() == b"\3\xff\xff"


@pytest.mark.parametrize("backend", BACKENDS)
def test_packed_numbers_are_derived_from_a_list(backend: str) -> None:
    with running(backend):
        cls = compile_idl("record R { u8 n; bits<1> here[n] = k; u8 k[n]; }").R
        data = cls(n=3, k=[1, 0, 1]).to_bytes()
        assert data == b"\3\5\1\0\1"
        assert cls.from_bytes(data).to_bytes() == data
        with pytest.raises(DecodeError, match="here must be k"):
            cls.from_bytes(b"\3\4\1\0\1")


RECORDS = """
record Inside(u8 n) { bits<1> here[n]; }
record Numbers(u8 n) { u8 here[n]; }
record With      { u8 n; Inside(n) x with here = k; u8 k[n]; }
record WithBits  { u8 n; Inside(n) x with here = k; bits<2> k[n]; }
record WithEach  { u8 n; Inside(n) x[i < 1] with here = k; u8 k[n]; }
record OfBits    { u8 n; Numbers(n) x with here = k; bits<2> k[n]; }
record Narrower  { u8 n; bits<1> here[n] = k; bits<2> k[n]; }
record Derived   { u8 n; u8 here[n] = k; bits<2> k[n]; }
"""


@pytest.mark.parametrize("name", ["With", "WithBits", "WithEach", "OfBits", "Narrower", "Derived"])
def test_packed_numbers_are_set_to_those_of_a_list(name: str) -> None:
    made = compile_idl(RECORDS)
    inside = made.Numbers() if name == "OfBits" else made.Inside()
    given = {} if name in ("Narrower", "Derived") else {"x": [inside] if name == "WithEach" else inside}
    data = getattr(made, name)(n=3, k=[1, 0, 1], **given).to_bytes()
    found = getattr(made, name).from_bytes(data)
    assert found.to_bytes() == data
    found.k = [1, 1, 1]
    assert list(getattr(made, name).from_bytes(found.to_bytes()).k) == [1, 1, 1]
    with pytest.raises(DecodeError, match="here must be k"):
        getattr(made, name).from_bytes(data[:1] + bytes((data[1] ^ 1,)) + data[2:])


@pytest.mark.parametrize("kind", ["u8", "bits<2>"])
@pytest.mark.parametrize("container", [list, tuple])
def test_lists_are_compared_by_their_elements(kind: str, container: Any) -> None:
    fields = f"u8 n; {kind} k[n]; u8 same[n]; u8 z if k != same; u8 y[n] where y == k == same or n == 1;"
    cls = compile_idl(f"record R {{ {fields} }}").R
    equal = cls(n=2, k=container((1, 2)), same=[1, 2], y=container((1, 2)))
    assert cls.from_bytes(equal.to_bytes()).z is None
    equal.z = 7
    with pytest.raises(EncodeError, match=r"z: .*must be None"):
        equal.to_bytes()
    other = cls(n=1, k=container((1,)), same=[2], z=7, y=[0])
    assert cls.from_bytes(other.to_bytes()).z == 7


def test_numbers_of_another_width_are_packed_anew_where_nothing_is_lost() -> None:
    cls = compile_idl("record R { u8 w; bits<w> x[3]; }").R
    found = cls.from_bytes(b"\4\1\1")
    found.w = 1
    assert found.to_bytes() == b"\1\5"
    for data in (b"\4\2\1", b"\4\1\x11"):
        found = cls.from_bytes(data)
        found.w = 1
        with pytest.raises(EncodeError, match="numbers of 1 bits are needed, not of 4"):
            found.to_bytes()


def test_lists_of_floats_are_set_to_others_with_their_nans() -> None:
    made = compile_idl("record H(u8 n) { f32 xs[n]; } record R { u8 n; H(n) h with xs = ys; f64 ys[n]; }")
    data = made.R(n=2, ys=[1.5, float("nan")], h=made.H()).to_bytes()
    assert made.R.from_bytes(data).to_bytes() == data
