"""Checksums over a record as it is laid out, with what it places, without some of its fields."""

from __future__ import annotations

import hashlib
import struct
import zlib
from typing import Any

import pytest

from lakecodec import DecodeError, IdlError, compile_idl
from lakecodec.workbench import explore, verify

from ...oracle.backends import BACKENDS, running

#: As files of DEX have it: an Adler-32 of all behind it, and a SHA-1 of all behind that.
DEX = """
fn sha1(binary data) -> binary = extern "runtime.checksums:sha1";
record Dex : gaps {
  bytes magic[8] = "dex\\n035\\0";
  u32   checksum      = adler32(all_but(magic, checksum))          else "the checksum is another";
  bytes signature[20] = sha1(all_but(magic, checksum, signature))  else "the signature is another";
  u32   n;
  u32   at[n];
  Item  items[i < n] at at[i];
}
record Item { u16 k = count(v); bytes v[k]; u32 p; bytes w[2] at p from source if p != 0; }
record Held { u16 n = size(dex); Dex dex size n; u8 z; }
"""


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


def _assert_sums(data: bytes) -> None:
    assert struct.unpack_from("<I", data, 8) == (zlib.adler32(data[12:]),)
    assert data[12:32] == hashlib.sha1(data[32:]).digest()


def _value(module: Any) -> Any:
    items = [module.Item(v=b"abc", p=0), module.Item(v=b"de", p=61, w=b"hi")]
    return module.Dex(n=2, at=[44, 53], items=items)


def test_sums_are_those_of_the_bytes_that_are_laid_out(backend: str) -> None:
    module = compile_idl(DEX)
    data = _value(module).to_bytes()
    _assert_sums(data)
    assert data[61:] == b"hi"
    found = module.Dex.from_bytes(data)
    assert found.to_bytes() == data
    found.items[1].v = b"DE"
    found.items[1].w = b"HI"
    edited = found.to_bytes()
    _assert_sums(edited)
    assert module.Dex.from_bytes(edited) == found
    assert edited != data


def test_offsets_that_are_open_are_set_first(backend: str) -> None:
    module = compile_idl(DEX)
    value = module.Dex(n=2, at=[None, None], items=[module.Item(v=b"abc", p=0), module.Item(v=b"", p=0)])
    data = value.to_bytes()
    _assert_sums(data)
    assert module.Dex.from_bytes(data).at == [44, 53]


def test_other_bytes_are_refused(backend: str) -> None:
    module = compile_idl(DEX)
    data = _value(module).to_bytes()
    for place in range(8, len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(DecodeError):
            module.Dex.from_bytes(bytes(changed))
    changed = bytearray(data)
    changed[-1] ^= 1
    with pytest.raises(DecodeError, match="the checksum is another") as caught:
        module.Dex.from_bytes(bytes(changed))
    assert (caught.value.path, caught.value.offset) == ("checksum", 8)


def test_a_record_inside_sums_its_own_bytes(backend: str) -> None:
    module = compile_idl(DEX)
    dex = module.Dex(n=1, at=[None], items=[module.Item(v=b"abc", p=0)])
    data = module.Held(dex=dex, z=9).to_bytes()
    assert data[2:-1] == dex.to_bytes()
    assert module.Held.from_bytes(data).to_bytes() == data


def test_a_sum_at_the_end_is_left_out_by_its_place(backend: str) -> None:
    module = compile_idl("""
record Block {
  bytes   content[..] at 0 size end - 5;
  Trailer trailer with crc = crc32(all_but(trailer.crc)) at end - 5;
}
record Trailer { u8 kind; u32 crc; }
record Two { u8 n = size(block); Block block size n; u8 z; }
""")
    block = module.Block(content=b"abc", trailer=module.Trailer(kind=1, crc=0))
    data = module.Two(block=block, z=7).to_bytes()
    assert data == b"\x08abc\1" + struct.pack("<I", zlib.crc32(b"abc\1")) + b"\7"
    found = module.Two.from_bytes(data)
    found.block.content = b"longer"
    again = module.Two.from_bytes(found.to_bytes())
    assert again.block.trailer.crc == zlib.crc32(b"longer\1")
    for place in (1, 4, 6):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(DecodeError, match="trailer"):
            module.Two.from_bytes(bytes(changed)).to_dict()


def test_tools_compute_them() -> None:
    module = compile_idl(DEX)
    data = _value(module).to_bytes()
    assert verify(data, module.Dex) == []
    assert explore(data, module.Dex).find("checksum").value == struct.unpack_from("<I", data, 8)[0]
    broken = data[:-1] + b"!"
    assert [each.path for each in verify(broken, module.Dex)] == ["checksum"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("record R { u32 c = crc32(all_but(c)); bytes x[..]; }", "'all_but' is about records with places"),
        ("record R : gaps { u32 c where c == crc32(all_but(c)); }", "can only be the value of a field"),
        (
            "record R : gaps { u8 n; bytes y[n]; u32 c = crc32(all_but(c)); }",
            "can leave out only fields of a fixed offset and size",
        ),
        (
            "record R : gaps { u32 c = crc32(all_but(d)); u8 d at c; }",
            "can leave out only fields of a fixed offset and size",
        ),
        (
            "record R : gaps { u32 c = crc32(all_but(d)); u32 d at end - 3; }",
            "can leave out only fields of a fixed offset and size",
        ),
    ],
)
def test_what_is_left_out_has_one_place(text: str, message: str) -> None:
    with pytest.raises(IdlError, match=message):
        compile_idl(text)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("word", ["", " : gaps"])
@pytest.mark.parametrize("rule", ["id != 0", "v >= 4 and id != 0"])
def test_a_sum_that_may_be_left_out_is_computed(rule: str, word: str, backend: str) -> None:
    """The first sum, of no bytes, is 0, which stands for none."""
    text = "u8 v; u32 id = crc32(all_but(id)) when RULE; u8 p; bytes x[1] at p;".replace("RULE", rule)
    cls: Any = compile_idl(f"record File{word} {{ {text} }}").File
    with running(backend):
        made = cls(v=4, p=6, x=b"a")
        data = made.to_bytes()
        assert data == b"\4" + struct.pack("<I", zlib.crc32(b"\4\6a")) + b"\6a"
        found = cls.from_bytes(b"\4\0\0\0\0\6b")
        assert found.to_bytes() == b"\4\0\0\0\0\6b"
        found.id, found.x = None, b"a"
        assert found.to_bytes() == data == cls.from_dict({"v": 4, "p": 6, "x": b"a"}).to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("fields", "data"),
    [
        ("T t with s = crc32(all_but(t.s)) when t.s != 0; u8 p; bytes x[1] at p;", "74b71b060561"),
        ("T t with s = offset(x) when t.s != 0; u8 p; bytes x[1] at p;", "050000000561"),
        (
            "u8 v; bytes x[..] at 1 size end - 5; T t with s = crc32(all_but(t.s)) when t.s != 0 at end - 4;",
            "0361f2104150",
        ),
        ("u32 s = offset(x) when s != 0; u8 p; bytes x[1] at p;", "050000000561"),
    ],
)
def test_conditions_on_what_is_computed_are_about_what_was_given(fields: str, data: str, backend: str) -> None:
    module: Any = compile_idl(f"record File {{ {fields} }} record T : size(4) {{ u32 s; }}")
    with running(backend):
        given = {"t": module.T()} if "T t" in fields else {}
        made = module.File(x=b"a", **given, **({"v": 3} if "v;" in fields else {}))
        assert made.to_bytes().hex() == data
        assert module.File.from_bytes(bytes.fromhex(data)).to_bytes().hex() == data
