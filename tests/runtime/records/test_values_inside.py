"""Expressions that use a value inside of a field that is written later, where writing computes that value: each edit is written
as it is read, on both backends alike, and objects that were never read are written, too.
"""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

ITEM = "record Item { u8 n = count(xs); u8 xs[n]; }"
#: IDL, bytes, an edit of the value `f`, and the bytes after it.
FORMS = {
    "plain": (f"record File {{ u8 t = item.n; Item item; }} {ITEM}", "010107", "f.item.xs = [1, 2, 3]", "0303010203"),
    "deep": (
        f"record File {{ u8 t = x.item.n; X x; }} record X {{ Item item; }} {ITEM}",
        "010107", "f.x.item.xs = [1, 2, 3]", "0303010203",
    ),
    "let": (
        "record File { u8 t = item.m; Item item; } record Item { u8 n = count(xs); u8 xs[n]; let m = n; }",
        "010107", "f.item.xs = [1, 2, 3]", "0303010203",
    ),
    "let of a variant": (
        "record File { u8 k; u8 t = v.m; V(k) v; } variant V(u8 k) on k { 1: A { u8 n = count(xs); u8 xs[n]; let m = n + 1; }; }",
        "01020107", "f.v.xs = [1, 2, 3]", "010403010203",
    ),
    "sum": (
        f"record File {{ u8 t = sum(items.n); Item items[2]; }} {ITEM}",
        "0201070108", "f.items[0].xs = [1, 2, 3]", "04030102030108",
    ),
    "last": (
        f"record File {{ u8 t = last(items).n; Item items[2]; }} {ITEM}",
        "0101070108", "f.items[1].xs = []", "00010700",
    ),
    "loop": (
        f"record File {{ u8 t = count(x in items where x.n > 1); Item items[2]; }} {ITEM}",
        "0001070108", "f.items[0].xs = [1, 2, 3]", "01030102030108",
    ),
    "fold": (
        f"record File {{ u8 t = fold(x in items, a = 0 : a + 2 * x.n); Item items[2]; }} {ITEM}",
        "0401070108", "f.items[0].xs = [1, 2, 3]", "08030102030108",
    ),
    "function": (
        f"fn twice(Item x) -> u8 = 2 * x.n; record File {{ u8 t = twice(item); Item item; }} {ITEM}",
        "020107", "f.item.xs = [1, 2, 3]", "0603010203",
    ),
    "list": (
        f"record File {{ u8 c = count(items); u8 ts[i < c] = items[i].n; Item items[c]; }} {ITEM}",
        "01010107", "f.items[0].xs = [1, 2, 3]", "010303010203",
    ),
    "with": (
        f"record File {{ H h with t = item.n; Item item; }} record H {{ u8 t; }} {ITEM}",
        "010107", "f.item.xs = [1, 2, 3]", "0303010203",
    ),
    "checksum": (
        f"record File {{ u32 t = crc32(little_bytes(item.n, 4)); Item item; }} {ITEM}",
        "m.File(item=m.Item(xs=[7]))", "f.item.xs = [1, 2, 3]", "f270f13303010203",
    ),
    "bits": (
        "record File { u8 t = item.n + 1; Item item; } record Item { u8 k { n : 4 = count(xs); z : 4; } u8 xs[n]; }",
        "021007", "f.item.xs = [1, 2, 3]", "0430010203",
    ),
    "the number of bits": (
        "record File { u8 t = item.k; Item item; } record Item { u8 k { n : 4 = count(xs); z : 4; } u8 xs[n]; }",
        "101007", "f.item.xs = [1, 2, 3]", "3030010203",
    ),
    "tag": (
        "record File { u8 t = item.k; Item item; } record Item { u8 k = tag(c); C(k) c; } variant C(u8 k) on k { 1: A; 2: B; }",
        "0101", "f.item.c = m.C.B()", "0202",
    ),
    "nested checksum": (
        "record File { u8 t = item.c % 251; Item item; } record Item { u32 c = crc32(encoded(xs)); u8 xs[2]; }",
        "m.File(item=m.Item(xs=[7, 8]))", "f.item.xs = [1, 2]", "d69242ccb60102",
    ),
    "variant": (
        "record File { u8 k = tag(v); u8 t = v.n; V(k) v; }"
        " variant V(u8 k) on k { 1: A { u8 n = count(xs); u8 xs[n]; }; 2: B { u8 n; }; }",
        "01010107", "f.v.xs = [1, 2, 3]", "010303010203",
    ),
    "codec": (
        f'codec zlib -> bytes : normalizes = extern "runtime.compress:Deflate";'
        f" record File {{ u8 t = item.n; u8 s = size(item); Item item size s via zlib; }} {ITEM}",
        "m.File(item=m.Item(xs=[7]))", "f.item.xs = [1, 2, 3]", "0306636664620600",
    ),
    "derived list": (
        "record File { u8 t = sum(g.s); G g; } record G { u8 c = count(xs); u8 s[i < c] = count(xs[i].v); X xs[c]; }"
        " record X { u8 l = count(v); bytes v[l]; }",
        "0101010141", "f.g.xs[0].v = b'abc'", "03010303616263",
    ),
    "when": (
        f"record File {{ u8 t = 5 when item.n == 1; Item item; }} {ITEM}",
        "09020708", "f.item.xs = [1]", "050101",
    ),
    "condition": (
        f"record File {{ u8 t = item.n; u8 q if t == 1; Item item; }} {ITEM}",
        "01050107", "f.item.xs = [3, 3]; f.q = None", "02020303",
    ),
    "absent elements": (
        "record File { H h with t = item.one ? 1 : 0; Item item; } record H { u8 t; }"
        " record Item { u8 n = count(xs); u8 xs[n]; let one = n > 0 and xs[0] > 3; }",
        "010107", "f.item.xs = []", "0000",
    ),
    "parameter": (
        "record File { u8 t = sum(ds.v); u8 p; D(p) ds[2]; } record D(u8 k) { let v = k; u8 w; }",
        "02016162", "f.p = 5", "0a056162",
    ),
    "index as parameter": (
        "record File { u8 t = last(ds).v; u8 n = count(ds); D(i) ds[i < n]; } record D(u8 k) { let v = k; u8 w; }",
        "01026162", "f.ds.pop(0)", "000162",
    ),
    "sequence of fields": (
        f"record File {{ u8 t = u; u8 u = a.n; A a; }} record A {{ u8 n = b.n + 1; Item b; }} {ITEM}",
        "0202020107", "f.a.b.xs = [1, 2, 3]", "04040403010203",
    ),
}  # fmt: skip
#: The same where the value is also known only once the record around it is written: they are written until they agree, and
#: objects that were never read are refused.
CIRCLES = {
    "nested offset": (
        "record File { u8 t = item.o; Item item; } record Item { u8 o = offset(z); u8 n = count(xs); u8 xs[n]; u8 z; }",
        "040401075a", "f.item.xs = [1, 2, 3]", "0606030102035a",
    ),
    "argument of the same field": (
        "record File { u8 t = f.n; F(t) f; } record F(u8 k) { u8 v = k; u8 n = count(xs); u8 xs[n]; }",
        "01010107", "f.f.xs = [1, 2, 3]", "030303010203",
    ),
    "inside of itself": (
        "record File { H h with t = h.n; } record H { u8 t; u8 n = count(xs); u8 xs[n]; }",
        "010107", "f.h.xs = [1, 2, 3]", "0303010203",
    ),
    "offset behind what varies": (
        "record File { u8 t = item.o; u8 c = count(ys); u8 ys[c]; Item item; } record Item { u8 o = offset(z); u8 z; }",
        "0401090405", "f.ys = [1, 2, 3]", "06030102030605",
    ),
    "placed parameter": (
        "record File { B(t.n) b at 0 size end - 1; T t with n = size(b) at end - 1; }"
        " record B(u8 k) { u8 v = k; u8 w[..]; } record T : size(1) { u8 n; }",
        "020702", "f.b.w.append(3)", "03070303",
    ),
    "placed before": (
        "record File : gaps { B(h.n) b at 6; H h at 0; } record B(u8 k) { u8 v = k; } record H { u8 n = count(x); u8 x[n]; }",
        "01070000000001", "f.h.x = [1, 2, 3]", "03010203000003",
    ),
    "placed in order": (
        "record File { u8 t = h.n; H h at 1; } record H { u8 n = count(x); u8 x[n]; }",
        "010107", "f.h.x = [1, 2, 3]", "0303010203",
    ),
    "place before": (
        "record File : gaps { u8 z at h.n + 1; H h at 0; } record H { u8 n = count(x); u8 x[n]; }",
        "010709", "f.h.x = [1, 2, 3]", "0301020309",
    ),
}  # fmt: skip


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize("form", [*FORMS, *CIRCLES])
def test_edits(form: str) -> None:
    idl, data, edit, after = (FORMS | CIRCLES)[form]
    m = compile_idl(idl)
    f = m.File.from_bytes(bytes.fromhex(data)) if data.isalnum() else eval(data)
    first = f.to_bytes()
    assert f.to_bytes() == first
    if data.isalnum():
        assert first.hex() == data
    exec(edit)
    made = f.to_bytes()
    assert made.hex() == after
    assert f.to_bytes() == made
    found = m.File.from_bytes(made)
    assert found.to_bytes() == made
    assert found.to_json() == f.to_json() or form in CIRCLES


@pytest.mark.parametrize("form", FORMS)
def test_new_objects(form: str) -> None:
    idl, data, edit, after = FORMS[form]
    m = compile_idl(idl)
    f = m.File.from_bytes(bytes.fromhex(data)) if data.isalnum() else eval(data)
    exec(edit)
    assert m.File.from_json(f.to_json()).to_bytes().hex() == after


def test_new_objects_with_places() -> None:
    m = compile_idl("record File { u8 t = h.n; H h at 1; } record H { u8 n = count(x); u8 x[n]; }")
    made = m.File(h=m.H(x=[7, 8]))
    assert made.to_bytes() == b"\2\2\7\x08"
    made.h.x = [None]
    with pytest.raises(EncodeError, match="None"):
        made.to_bytes()


SHARED = {
    "two fields": ("u8 p; u8 q; D(p) a; D(q) b; u8 t = a.v + b.v;", "0102010203", "f.a = f.b"),
    "two elements": ("u8 c; D(i) ds[i < c]; u8 t = sum(ds.v);", "02000101", "f.ds[0] = f.ds[1]"),
    "in a record with places": (
        "u8 p; u8 q; D(p) a; D(q) b; u8 t = a.v + b.v; u8 z at 5;",
        "010201020309",
        "f.a = f.b",
    ),
    "two records": ("X(1) x; X(2) y; u8 t = x.d.v + y.d.v;", "010203", "f.x.d = f.y.d"),
}


@pytest.mark.parametrize("form", SHARED)
def test_one_object_in_places_with_different_parameters(form: str) -> None:
    fields, data, edit = SHARED[form]
    m = compile_idl(f"record File {{ {fields} }} record X(u8 k) {{ D(k) d; }} record D(u8 k) {{ u8 v = k; }}")
    f = m.File.from_bytes(bytes.fromhex(data))
    exec(edit)
    for _ in range(3):  # also where the parameters are those that the write before left
        with pytest.raises(EncodeError, match=r"t: the bytes cannot be read back .* one D stands in several places"):
            f.to_bytes()


def test_one_object_in_places_with_the_same_parameter() -> None:
    m = compile_idl("record File { u8 p; D(p) a; D(p) b; u8 t = a.v + b.v; } record D(u8 k) { u8 v = k; }")
    f = m.File.from_bytes(b"\1\1\1\2")
    f.a, f.p = f.b, 3
    assert f.to_bytes() == b"\3\3\3\6"


def test_what_never_settles() -> None:
    m = compile_idl("record File { u8 t = f.n % 7; F(t) f; } record F(u8 k) { u8 n = k + 1; }")
    with pytest.raises(EncodeError):
        m.File(f=m.F()).to_bytes()
