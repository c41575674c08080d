"""A field that others contradict: the error names both places, what decides with its value, and the remedy."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

_NONE = (
    "cannot evaluate this field's expression: a value that it is made of is None;"
    " set that one, or ask for it with present()"
)
CASES = [
    ("u8 n; u8 x[n];", b"\2ab", "n", 3, "x: 3 elements are needed, not 2 (n is 3: change it or x)"),
    ("u8 n; utf8 x[n];", b"\2ab", "n", 1, "x: 1 byte is needed, not 2 (n is 1: change it or x)"),
    ("u8 n; T x[i < n];", b"\1\1a", "n", 2, "x: 2 elements are needed, not 1 (n is 2: change it or x)"),
    (
        "u8 n[2]; T x[i < 2] size n[i];",
        b"\2\1\1a\0",
        "n",
        [2, 2],
        "x[1]: its encoded size 1 is not its declared size 2 (n[1] is 2: change it or x[1])",
    ),
    (
        "u8 f; u8 x if f == 1;",
        b"\1a",
        "f",
        0,
        "x: the field's condition does not hold, so it must be None (f is 0: change it or x)",
    ),
    (
        "u8 f; u8 x if f == 1;",
        b"\0",
        "f",
        1,
        "x: the value does not fit its type: an int is needed, not NoneType (f is 1: change it or x)",
    ),
    ("u8 n; u8 x where x < n;", b"\2\1", "n", 0, "x: x < n does not hold (n is 0: change it or x)"),
    ('u8 n; u8 x where x < n else "too many";', b"\2\1", "n", 0, "x: too many (n is 0: change it or x)"),
    (
        "u8 n; u8 x[until last(x) == n];",
        b"\2\1\2",
        "n",
        3,
        "x: it has no element after which it ends: append one with which its 'until' holds (n is 3: change it or x)",
    ),
    ("u8 k; V(k) x;", b"\0\1", "k", 1, "x: the alternative A has the tag 0, not 1 (k is 1: change it or x)"),
    (
        "u8 w; bits<w> x[2];",
        b"\4\x21",
        "w",
        1,
        "x: numbers of 1 bits are needed, not of 4 (w is 1: change it or x)",
    ),
    ("u8 k; P(k) t;", b"\2ab", "k", 3, "t.x: 3 elements are needed, not 2 (k is 3: change it or t.x)"),
    (
        "u8 k; P(k) t[2];",
        b"\1ab",
        "k",
        2,
        "t[0].x: 2 elements are needed, not 1 (k is 2: change it or t[0].x)",
    ),
    ("H h; u8 x[h.n + 1];", b"\1ab", "h.n", 2, "x: 3 elements are needed, not 2 (h.n is 2: change it or x)"),
    ("H h; let n = h.n + 1; u8 x[n];", b"\1ab", "h.n", 2, "x: 3 elements are needed, not 2 (h.n is 2: change it or x)"),
    (
        "u8 a; u16 d = a * 2; u8 x[d];",
        b"\1\2\0ab",
        "a",
        2,
        "x: 4 elements are needed, not 2 (a is 2: change it or x)",
    ),
    (
        "u8 h { f : 1; g : 7; } u8 x if f == 1;",
        b"\x80a",
        "f",
        0,
        "x: the field's condition does not hold, so it must be None (f is 0: change it or x)",
    ),
    (
        "u8 n; u8 p; u8 x[n] at p;",
        b"\2\2ab",
        "n",
        3,
        "x: 3 elements are needed, not 2 (n is 3, p is 2: change one of them or x)",
    ),
    (
        "u8 p; u8 n; T x at p size n;",
        b"\2\2\1a",
        "n",
        3,
        "x: it takes 2 bytes at 2, but its place is 3 bytes at 2 (n is 3, p is 2: change one of them or x)",
    ),
    (
        "u8 f; u8 x at 1 if f == 1;",
        b"\1a",
        "f",
        0,
        "x: the field's condition does not hold, so it must be None (f is 0: change it or x)",
    ),
    (
        "u8 n; u8 k; u8 x where n == k;",
        b"\1\1a",
        "k",
        2,
        "x: n == k does not hold (n is 1, k is 2: change one of them or x)",
    ),
    (
        "H h with n = count(xs) at 0; u8 ps[h.n] at 1; u8 xs[h.n] at 1 + h.n;",
        b"\1\2a",
        "xs",
        [97, 98],
        "ps: 2 elements are needed, not 1 (xs is [97, 98]: change it or ps)",
    ),
    (
        "u8 n; bytes x via c(n);",
        b"\2ab",
        "n",
        3,
        "x.b: 3 bytes are needed, not 2 (n is 3: change it or x.b)",
    ),
    (
        "u8 a; u8 x where a == c; u8 c;",
        b"\1\2\1",
        "c",
        2,
        "x: a == c does not hold (a is 1, c is 2: change one of them or x)",
    ),
    (
        'bytes b[ahead("!")]; bytes end[1]; u8 n; u8 d = n * 2; u8 x[d];',
        b"b!\1\2ab",
        "n",
        2,
        "x: 4 elements are needed, not 2 (n is 2: change it or x)",
    ),
    (
        "u8 n; u8 a; u8 x[n] at a; bits<4> y[2] at 4;",
        b"\2\2ab\x21",
        "n",
        3,
        "x: 3 elements are needed, not 2 (n is 3, a is 2: change one of them or x)",
    ),
    (
        "u8 t = sum(x); u8 x[2];",
        b"\1\0\1",
        "x",
        [200, 200],
        "t: the value does not fit its type: 400 is not from 0 to 255 (x is [200, 200]: change it or t)",
    ),
    ("u8 n = count(x); u8 p[n]; u8 x[i < n] at p[i];", b"\0", "x", None, f"n: {_NONE} (x is None: change it or n)"),
    (
        "Ks k with ks[i].v = count(x[i].x); P(k.ks[i].v) x[i < 2];",
        b"\1\0a",
        "x",
        [],
        "k.ks[0]: cannot evaluate this field's expression: a list that it is made of has too few elements"
        " (x is []: change it or k.ks[0])",
    ),
    (
        "u8 w { n : 2 = count(x); f : 6; } u8 x[n];",
        b"\0",
        "x",
        [1, 2, 3, 4],
        "n: the value does not fit its type: 4 is not from 0 to 3 (x is [1, 2, 3, 4]: change it or n)",
    ),
    ("K k with v = count(x); T x[k.v];", b"\1\1a", "x", None, f"k: {_NONE} (x is None: change it or k)"),
]  # fmt: skip
OTHERS = """
record K { u8 v; }
record Ks { K ks[2]; }
record T { u8 n = count(a); u8 a[n]; }
record H { u8 n; }
record P(u8 k) { u8 x[k]; }
variant V(u8 k) on k { 0: A { u8 x; }; 1: B { u8 y; }; }
codec c(u8 k) -> bytes { bytes b[k] = value; } value = b;
"""


@pytest.mark.parametrize(("fields", "data", "path", "new", "told"), CASES)
def test_both_places_are_named(fields: str, data: bytes, path: str, new: Any, told: str) -> None:
    module = compile_idl(f"record R {{ {fields} }} {OTHERS}")
    *holder, name = path.split(".")
    for backend in BACKENDS:
        with running(backend):
            value = module.R.from_bytes(data)
            assert value.to_bytes() == data
            setattr(reduce(getattr, holder, value), name, new)
            with pytest.raises(EncodeError) as failed:
                value.to_bytes()
            assert str(failed.value) == f"{failed.value.format}: {told}", backend


def test_a_rule_of_the_whole_names_what_it_compares() -> None:
    module = compile_idl("record O { R r; } record R where a < b { u8 a; u8 b; }")
    for backend in BACKENDS:
        with (
            running(backend),
            pytest.raises(EncodeError, match=r"r.*: a < b .*\(r.a is 3, r.b is 2: change one of them"),
        ):
            module.O(r=module.R(a=3, b=2)).to_bytes()


def test_an_error_of_a_type_names_no_others() -> None:
    module = compile_idl("record R { u8 n; u8 x[n]; }")
    with pytest.raises(EncodeError) as failed:
        module.R(n=1, x=["a"]).to_bytes()
    assert "change" not in str(failed.value)


def test_long_values_are_named_alone() -> None:
    module = compile_idl("record R { bytes xs[70]; u8 n where n == sum(xs); }")
    with pytest.raises(EncodeError, match=r"\(xs: change it or n\)"):
        module.R(xs=bytes(70), n=3).to_bytes()


def test_fields_that_share_bytes_have_their_whole_paths() -> None:
    module = compile_idl("""
record T : overlaps { u8 n = count(es); E es[n]; }
record E { u8 p; H h; Q q at p from source; }
record H { u8 n; }
record Q { u8 v; }""")
    for backend in BACKENDS:
        with running(backend):
            value = module.T.from_bytes(b"\1\2\5")
            assert value.to_bytes() == b"\1\2\5"
            value.es[0].h.n = 6
            with pytest.raises(
                EncodeError, match=r"es\[0\]\.(h|q): its bytes at 2 .*'es\[0\]\.(h|q)'.*es\[0\]\.p is 2"
            ):
                value.to_bytes()


PLACES = """
record Sized {
  bytes stripes[..] at 0 size end - 1 - tail.n; bytes footer[..] at end - 1 - tail.n size tail.n;
  Tail tail at end - 1;
}
record Tail { u8 n; }
record Ending : gaps { u8 n; u8 m at end - 1; Q q at end - 1 - m + n; }
record Pointed { u8 size; Part(size + 1) part at 1; }
record Part(i64 start) : gaps { u8 back; Q q at start - back from source; }
record Q { u8 v; }
"""


@pytest.mark.parametrize(
    ("name", "data", "path", "new", "told"),
    [
        ("Sized", b"abcd\2", "footer", b"c", "footer: it takes 1 bytes at 2, but its place is 2 bytes at 1"),
("Ending", b"\0\2a\2", "n", 5, "which counts from the end of 'q' (n is 5: change it or m)"),
        ("Pointed", b"\3\2\5", "size", 0, "part.back: the value does not fit its type: -1 is not from 0 to 255 (size is 0"),
    ],
)  # fmt: skip
def test_what_moves_others_is_named(name: str, data: bytes, path: str, new: Any, told: str) -> None:
    module = compile_idl(PLACES)
    for backend in BACKENDS:
        with running(backend):
            value = getattr(module, name).from_bytes(data)
            assert value.to_bytes() == data
            setattr(value, path, new)
            with pytest.raises(EncodeError) as failed:
                value.to_bytes()
            assert told in str(failed.value), backend


def test_numbers_that_are_not_equal_are_shown() -> None:
    module = compile_idl("record R { u8 all where all == end; u8 n = size(x); u8 x[..]; }")
    for backend in BACKENDS:
        with running(backend):
            for data, told in (
                (b"\2\1a", "all == end does not hold: 2 is not 3"),
                (b"\3\5a", "n must be size(x): 5 is not 1"),
            ):
                with pytest.raises(DecodeError, match=re.escape(told)):
                    module.R.from_bytes(data)
            with pytest.raises(EncodeError, match="all == end does not hold: 4 is not 3"):
                module.R(all=4, x=[1]).to_bytes()


@pytest.mark.parametrize(
    ("fields", "value", "said"),
    [
        (
            "H h with s = sum(l); u8 l[1];",
            [2**40],
            "h.s: .* is not from 0 to 255 .l is .1099511627776.: change it or h.s.",
        ),
        (
            "H h with s = sum(l); u8 l[1] at 1;",
            [2**40],
            "h.s: .* is not from 0 to 255 .l is .1099511627776.: change it or h.s.",
        ),
        ("B b with s = l; u8 l[1];", [3], "b.s: a number does not fit 1 bits .l is .3.: change it or b.s."),
    ],
)
def test_values_that_with_computes_from_are_named(fields: str, value: list[int], said: str) -> None:
    module: Any = compile_idl(f"record R {{ {fields} }} record H {{ u8 s; }} record B {{ bits<1> s[1]; }}")
    inside = {"h": module.H()} if " h " in fields else {"b": module.B()}
    for backend in BACKENDS:
        with running(backend), pytest.raises(EncodeError, match=said):
            module.R(l=value, **inside).to_bytes()
