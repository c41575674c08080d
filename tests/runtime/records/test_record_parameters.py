"""Parameters of elements that expressions of the holder name, and sizes of which one branch is open."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

CELLS = """
record Cell(bool full) { u8 extra if full; u8 last; }
record Row {
  u16   full_cells = sum(cells.full);
  u8    first = cells[0].full ? 7 : 8;
  u8    n = count(cells);
  bool8 full[n];
  Cell(full[i]) cells[i < n];
}
record Page(i32 rows) { u8 values[rows]; }
record Book { u8 rows; u8 twice = page.rows * 2; Page(rows) page; }
"""


def test_a_sum_over_a_parameter_of_elements() -> None:
    module: Any = compile_idl(CELLS)
    made = module.Row(
        full=[True, False, True],
        cells=[module.Cell(extra=1, last=2), module.Cell(last=3), module.Cell(extra=4, last=5)],
    )
    data = made.to_bytes()
    assert data == bytes([2, 0, 7, 3, 1, 0, 1, 1, 2, 3, 4, 5])
    read = module.Row.from_bytes(data)
    assert (read.full_cells, read.to_bytes()) == (2, data)
    read.full, read.cells = [False], [module.Cell(last=9)]
    assert read.to_bytes() == bytes([0, 0, 8, 1, 0, 9])


def test_a_parameter_of_a_single_field() -> None:
    module: Any = compile_idl(CELLS)
    assert module.Book(rows=2, page=module.Page(values=[5, 6])).to_bytes() == bytes([2, 4, 5, 6])


def test_a_parameter_that_is_no_element_is_refused() -> None:
    text = (
        "record C(bool is_run) { u8 x if is_run; } record R { u8 k = sum(cs.is_run); u8 n = count(cs); C(true) cs[n]; }"
    )
    with pytest.raises(IdlError, match=r"1:65: 'is_run' is a parameter of 'C': pass the value that the elements get"):
        compile_idl(text)


@pytest.mark.parametrize(
    ("size", "sizes", "fits"),
    [
        ("i + 1 < n ? s[i] : rest", [2, 9], True),
        ("i + 1 < n ? s[i] : rest", [1, 9], False),
    ],
)
def test_a_size_that_is_open_in_one_branch(size: str, sizes: list[int], fits: bool) -> None:
    module: Any = compile_idl(f"record R {{ u8 n; u8 s[n]; T t[i < n] size {size}; }} record T {{ bytes b[..]; }}")
    made = module.R(n=2, s=sizes, t=[module.T(b=b"ab"), module.T(b=b"c")])
    if fits:
        assert made.to_bytes() == bytes([2, *sizes]) + b"abc"
    else:
        with pytest.raises(
            EncodeError, match=r"its encoded size 2 is not its declared size 1 \(n is 2, s\[0\] is 1: change one"
        ):
            made.to_bytes()


def test_an_open_size_in_front_of_others_is_refused() -> None:
    module: Any = compile_idl(
        "record R { u8 n; u8 s[n]; T t[i < n] size i == 0 ? rest : s[i]; } record T { bytes b[..]; }"
    )
    with pytest.raises(EncodeError, match="the bytes cannot be read back"):
        module.R(n=2, s=[1, 1], t=[module.T(b=b"ab"), module.T(b=b"c")]).to_bytes()
    assert module.R(n=1, s=[1], t=[module.T(b=b"ab")]).to_bytes() == b"\1\1ab"


@pytest.mark.parametrize(("size", "open_at"), [("n == 1 ? s : rest", 2), ("n == 1 ? rest : s", 1)])
def test_a_size_of_a_single_field_that_is_open_in_one_branch(size: str, open_at: int) -> None:
    module: Any = compile_idl(f"record R {{ u8 n; u8 s; T t size {size}; }} record T {{ bytes b[..]; }}")
    made = module.R(n=open_at, s=9, t=module.T(b=b"abc"))
    assert made.to_bytes() == bytes([open_at, 9]) + b"abc"
    made.n = 3 - open_at
    with pytest.raises(
        EncodeError, match=r"its encoded size 3 is not its declared size 9 \(n is \d, s is 9: change one of them or t\)"
    ):
        made.to_bytes()


def test_parameters_cannot_be_set() -> None:
    m: Any = compile_idl("""
        record R { P(3) p; V(1) v; L(2) l; }
        record P(u8 k) { u8 x = k; let next = k + 1; }
        record L(u8 k = 1) { u8 d[k] at 0; }
        variant V(u8 k) on k { 1: A { u8 y; }; }
    """)
    made = m.R.from_bytes(b"\3\4\1\2")
    for value, number in ((made.p, 3), (made.l, 2), (made.v, 1), (copy.deepcopy(made).p, 3), (copy.copy(made.l), 2)):
        with pytest.raises(
            AttributeError, match=r"k of .* is a parameter, and cannot be set or deleted: what the record"
        ):
            value.k = 9
        with pytest.raises(AttributeError, match=r"k of .* is a parameter"):
            del value.k
        assert value.k == number
    assert (made.p.next, made.to_bytes(), made.p.to_bytes(5)) == (4, b"\3\4\1\2", b"\5")
    with pytest.raises(DecodeError, match="k is known only after reading or writing"):
        _ = m.P().next
