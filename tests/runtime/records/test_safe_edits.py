"""Edits of declared formats: no byte is lost, undone or contradicted without an error that says so."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, IdlError, compile_idl, extern_codec, extern_function

from ...oracle.backends import BACKENDS, running

DEFLATE = 'codec deflate -> bytes = extern "runtime.compress:Deflate";'
OF_SOURCE = "record E { u8 p; u8 v at p from source; }"


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


def _deflated(data: bytes) -> bytes:
    deflater = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflater.compress(data) + deflater.flush()


# ---- places behind codecs ----


def test_places_behind_a_codec_count_from_its_first_byte(backend: str) -> None:
    idl = f"record S : overlaps {{ u8 pad[4]; M m size end - 4 via deflate; }} record M : overlaps {{ u8 a; E e; }} {OF_SOURCE}"
    module = compile_idl(f"{idl} {DEFLATE}")
    data = b"WXYZ" + _deflated(b"a\0")
    found = module.S.from_bytes(data)
    assert found.m.e.v == ord("a")
    assert found.to_bytes() == data
    found.m.a = found.m.e.v = 9
    assert found.to_bytes() == b"WXYZ" + _deflated(b"\x09\0")


def test_what_shares_bytes_behind_a_codec_is_compared_there(backend: str) -> None:
    idl = f"record S {{ M m size rest via deflate; }} record M : overlaps {{ u8 a; E e; }} {OF_SOURCE} {DEFLATE}"
    module = compile_idl(idl)
    found = module.S.from_bytes(_deflated(b"a\0"))
    assert found.to_bytes() == _deflated(b"a\0")
    found.m.a = 5
    with pytest.raises(EncodeError, match=r"v: its bytes at 0 are shared"):
        found.to_bytes()


# ---- shared bytes ----


def test_fields_that_share_bytes_contradict_each_other(backend: str) -> None:
    module = compile_idl(f"record T : overlaps {{ u8 a; E e; }} {OF_SOURCE}")
    found = module.T.from_bytes(b"\1\0")
    assert found.to_bytes() == b"\1\0"
    found.a = 5
    with pytest.raises(EncodeError, match=r"v: its bytes at 0 are shared .*: the fields that follow"):
        found.to_bytes()
    found.e.v = 5
    assert found.to_bytes() == b"\5\0"


def test_both_of_two_placed_fields_are_named(backend: str) -> None:
    module = compile_idl("record T : overlaps { u8 p; u16 a at p; u8 b at p; }")
    found = module.T.from_bytes(b"\1\2\3")
    assert found.to_bytes() == b"\1\2\3"
    found.b = 7
    with pytest.raises(EncodeError, match=r"its bytes at 1 are shared with another field, .*: '[ab]'") as failed:
        found.to_bytes()
    assert failed.value.path in ("a", "b")


# ---- bytes without a field ----


@pytest.mark.parametrize("data", [b"\4abcX", b"\1XY"])
def test_bytes_that_no_field_explains_are_not_dropped(backend: str, data: bytes) -> None:
    found = compile_idl("record R { u8 p; u8 v at p; }").R.from_bytes(data)
    with pytest.raises(EncodeError, match=r"belong to no field and would be lost: .* `: gaps`"):
        found.to_bytes()
    assert compile_idl("record R : gaps { u8 p; u8 v at p; }").R.from_bytes(data).to_bytes() == data


def test_bytes_that_no_field_of_an_inner_record_explains_are_not_dropped(backend: str) -> None:
    idl = "record F { u8 n = size(r); R r size n; } record R { u8 p; u8 n; bytes v[n] at p; }"
    module = compile_idl(idl)
    whole = module.F.from_bytes(b"\4\2\2xy")
    assert whole.to_bytes() == b"\4\2\2xy"
    with pytest.raises(EncodeError, match="r: 2 bytes that it was read from, at 5, belong to no field"):
        module.F.from_bytes(b"\6\2\2xyAB").to_bytes()


def test_an_edit_does_not_hide_bytes_without_a_field(backend: str) -> None:
    module = compile_idl("record R { u8 p; u8 n; T t at p; } record T { u8 n = count(v); bytes v[n]; }")
    lossy = module.R.from_bytes(b"\2\0\1xZ")
    lossy.t = module.T(v=b"abc")
    with pytest.raises(EncodeError, match="would be lost"):
        lossy.to_bytes()


def test_records_inside_explain_bytes_behind_the_whole(backend: str) -> None:
    module = compile_idl(f"record F {{ u8 n; E e; u8 z; }} {OF_SOURCE}")
    data = module.F(n=1, e=module.E(p=3, v=9), z=2).to_bytes()
    assert data == b"\1\3\2\x09"
    assert module.F.from_bytes(data).to_bytes() == data
    with pytest.raises(DecodeError, match="left over"):
        module.F.from_bytes(data + b"x")


# ---- declared codecs ----


@pytest.mark.parametrize("value", [300, -1])
@pytest.mark.parametrize("dimension", ["", "[2]", "[i < 2]"])
def test_a_declared_codec_refuses_what_it_cannot_say(backend: str, value: int, dimension: str) -> None:
    module = compile_idl(f"codec c -> i64 {{ u8 b = value & 255; }} value = b; record R {{ i64 x{dimension} via c; }}")
    assert module.R(x=[44, 255] if dimension else 44).to_bytes() == (b"\x2c\xff" if dimension else b"\x2c")
    rule = rf"x.*: the codec c cannot encode the value {value}: its bytes would be decoded as {value & 255}"
    with pytest.raises(EncodeError, match=rule):
        module.R(x=[1, value] if dimension else value).to_bytes()


def test_a_declared_codec_writes_floats_that_are_no_numbers(backend: str) -> None:
    module = compile_idl("codec c -> f64 { f64 b = value; } value = b; record R { f64 x via c; }")
    data = module.R(x=float("nan")).to_bytes()
    assert module.R.from_bytes(data).to_bytes() == data


# ---- externs ----


@extern_codec
class Lossy:
    """Keeps the lower halves of bytes."""

    def decode(self, data: Any) -> bytes:
        if bytes(data) == b"?":
            raise OSError("no answer")
        return bytes(data)

    def encode(self, value: Any) -> bytes:
        if value == b"!":
            raise KeyError("no such")
        return bytes(each & 15 for each in value)


@extern_codec
class Promising(Lossy):
    """The same, which is taken at its word."""

    inverts = True


@extern_function
def failing(value: Any) -> int:
    raise OSError(f"no {value}")


def _externs(body: str) -> Any:
    idl = f"""
codec lossy -> bytes = extern "{__name__}:Lossy";
codec promising -> bytes = extern "{__name__}:Promising";
fn failing(i64 n) -> i64 = extern "{__name__}:failing";
{body}"""
    return compile_idl(idl, allow_extern=[__name__])


@pytest.mark.parametrize(
    "body",
    [
        "record R { u8 n = size(x); bytes x size n via lossy; }",
        "record R { u8 n = size(x); X x size n via lossy; } record X { u8 b; }",
        "record R { u8 s[i < 1] = size(x[i]); bytes x[i < 1] size s[i] via lossy; }",
    ],
)
def test_an_extern_codec_is_checked_to_decode_to_what_was_given(backend: str, body: str) -> None:
    module = _externs(body)
    read = module.R.from_bytes(b"\1\3")
    assert read.to_bytes() == b"\1\3"

    def set_to(byte: int) -> None:
        if "X x" in body:
            read.x.b = byte
        else:
            read.x = [bytes([byte])] if "[i < 1]" in body else bytes([byte])

    set_to(0x13)
    with pytest.raises(EncodeError, match=r"x.*: the codec lossy decodes what it encoded to another value"):
        read.to_bytes()
    set_to(ord("!"))
    with pytest.raises(EncodeError, match=r"x.*: the extern lossy failed: KeyError: 'no such'"):
        read.to_bytes()
    with pytest.raises(DecodeError, match=r"x.*: the extern lossy failed: OSError: no answer.* \(at byte 1\)"):
        module.R.from_bytes(b"\1?")


def test_an_extern_codec_that_promises_to_invert_is_not_checked(backend: str) -> None:
    module = _externs("record R { u8 n = size(x); bytes x size n via promising; }")
    assert module.R(x=b"\x13").to_bytes() == b"\1\3"


def test_a_codec_of_the_caller_is_checked_too(backend: str) -> None:
    module = compile_idl(f"record R {{ u8 n = size(x); bytes x size n via deflate; }} {DEFLATE}")
    assert module.R(x=b"\3").to_bytes(codecs={"deflate": Promising}) == b"\1\3"
    with pytest.raises(
        EncodeError, match="the codec deflate does not decode what it encoded: not one whole deflate stream"
    ):
        module.R(x=b"\x13").to_bytes(codecs={"deflate": Lossy})


def test_a_function_that_fails_is_an_error_of_the_data(backend: str) -> None:
    module = _externs("record R { u8 a; u8 b where failing(b) == 0; }")
    with pytest.raises(DecodeError, match=r"b: the extern .*:failing failed: OSError: no 7 \(at byte 1\)"):
        module.R.from_bytes(b"\1\7")
    with pytest.raises(EncodeError, match=r"b: the extern .*:failing failed: OSError: no 7"):
        module.R(a=1, b=7).to_bytes()


def test_a_codec_that_knows_its_size_refuses_another_one(backend: str) -> None:
    idl = """codec deflate(i64 inflated) -> bytes = extern "runtime.compress:Deflate";
record R { u8 m; u8 n = size(x); bytes x size n via deflate(m); }"""
    with pytest.raises(EncodeError, match="x: the block has 2 bytes, not the 3 that are declared"):
        compile_idl(idl).R(m=3, x=b"ab").to_bytes()


# ---- values that are derived on a condition ----


def test_a_conditionally_derived_field_beside_places_is_set(backend: str) -> None:
    module = compile_idl("record A { u8 n = count(t) when n != 3; u8 t[n]; u8 p at 9 if n == 3; }")
    made = module.A(t=[1, 2])
    assert made.to_bytes() == b"\2\1\2"
    assert made.n == 2
    read = module.A.from_bytes(b"\2\1\2")
    read.t = [5]
    assert read.to_bytes() == b"\1\5"
    assert read.n == 1
    read.n = 7
    with pytest.raises(EncodeError, match="n: 7 was set, but it is computed as 1: set that, or None"):
        read.to_bytes()
    read.n = None
    assert read.to_bytes() == b"\1\5"
    assert read.n == 1


def test_bytes_that_two_fields_were_read_from_are_not_written_twice(backend: str) -> None:
    idl = "record T{} {{ u8 n; bytes body[..] at n size end - n - 1; u8 last at end - 1; }}"
    data = b"\0\xd5\xff"
    with pytest.raises(
        EncodeError,
        match="1 bytes that it was read from, at 0, belong to two fields and would be written twice, in "
        "the fields that follow each other and 'body'",
    ):
        compile_idl(idl.format("")).T.from_bytes(data).to_bytes()
    assert compile_idl(idl.format(" : overlaps")).T.from_bytes(data).to_bytes() == data
    assert compile_idl(idl.format("")).T.from_bytes(b"\1\xd5\xff").to_bytes() == b"\1\xd5\xff"


# ---- ends ----


@pytest.mark.parametrize(
    ("idl", "data", "edit"),
    [
        ("record R {{ u8 n where n == end; u8 xs[..]; }}", b"\3ab", lambda record: record.xs.append(1)),
        (
            "record R {{ u8 n where n <= end - 2; u8 k = count(xs); u8 xs[k]; }}",
            b"\1\1a",
            lambda record: record.xs.clear(),
        ),
        ("record R {{ u8 n; u8 x at 1 where n == end; }}", b"\2a", lambda record: setattr(record, "n", 3)),
        (
            "record R where n + 1 == end {{ u8 n; bytes xs[..]; }}",
            b"\2ab",
            lambda record: setattr(record, "xs", b"abc"),
        ),
    ],
)
@pytest.mark.parametrize("holder", ["", "record H {{ u8 size_of_r = size(r); R r size size_of_r; u8 z; }}"])
def test_rules_about_the_end_are_checked_of_what_is_written(
    backend: str, idl: str, data: bytes, edit: Any, holder: str
) -> None:
    module = compile_idl((idl + holder).format())
    cls, whole = (module.H, bytes((len(data),)) + data + b"z") if holder else (module.R, data)
    found = cls.from_bytes(whole)
    assert found.to_bytes() == whole
    edit(found.r if holder else found)
    with pytest.raises(EncodeError, match="cannot be read back"):
        found.to_bytes()


def test_what_stands_behind_an_end_that_others_count_from(backend: str) -> None:
    module = compile_idl(
        "record F : overlaps { u8 magic; E e; u8 tail at end - 1; } record E { u8 p; u8 v at p from source; }"
    )
    found = module.F.from_bytes(b"M\2xT")
    assert found.to_bytes() == b"M\2xT"
    found.e.p = 9
    with pytest.raises(EncodeError, match=r"tail: its place counts from the end of 4 bytes, .* ends at 10"):
        found.to_bytes()


# ---- lists that end by their bytes ----


@pytest.mark.parametrize("body", ["{}", "u8 k; A a; }} record A {{ {}"])
@pytest.mark.parametrize(
    ("until", "fits", "others"),
    [
        ("rest == 1", [1, 2], [[]]),
        ("at_end", [1, 2, 3], [[]]),
        ("count(x) == size(n)", [1, 2], [[], [1], [1, 2, 3]]),
        ("last(x) == offset(n)", [3, 0], [[], [1], [0, 0]]),
        ("crc32(encoded(n)) % 3 == last(x)", [3, 2], [[], [3], [2, 2]]),
    ],
)
def test_a_list_that_ends_by_bytes_is_written_as_it_is_read(
    backend: str, body: str, until: str, fits: list[int], others: list[list[int]]
) -> None:
    last = "" if until == "at_end" else "u8 y;"
    module = compile_idl(f"record R {{ {body.format(f'u16 n; u8 x[until {until}]; {last}')} }}")
    n = next(n for n in range(9) if zlib.crc32(bytes([n, 0])) % 3 == 2)
    if "offset" in until and hasattr(module, "A"):
        fits, others = [3, 1], [[], [0], [1, 1]]

    def made(x: list[int]) -> Any:
        given = {"n": n, "x": x} | ({"y": 7} if last else {})
        return module.R(k=0, a=module.A(**given)) if hasattr(module, "A") else module.R(**given)

    assert module.R.from_bytes(made(fits).to_bytes()) == made(fits)
    for other in others:
        with pytest.raises(EncodeError, match="cannot be read back"):
            made(other).to_bytes()


@pytest.mark.parametrize(
    ("until", "refused"),
    [
        ("size(x) >= 3", "the end of 'x' uses the field itself"),
        ('encoded(n, x) == b"a"', "the end of 'x' uses the field itself"),
        ("offset(y) == 3", "the end of 'x' uses 'y', which is read later"),
        ("last(x) == y", "the end of 'x' uses 'y', which is read later"),
    ],
)
def test_a_list_cannot_end_by_what_is_read_later(until: str, refused: str) -> None:
    with pytest.raises(IdlError, match=refused):
        compile_idl(f"record R {{ u8 n; u8 x[until {until}]; u8 y; }}")
