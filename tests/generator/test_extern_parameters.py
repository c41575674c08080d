"""Declarations of lakecodec's own externs are compared with their signatures, and values that do not fit name the argument."""

from __future__ import annotations

import re
from typing import Any

import pytest

import lakecodec
from lakecodec.runtime.externs import arguments_of, external

from ..docs.test_builtins import _RUNTIME
from ..oracle.backends import BACKENDS, running


def _declared(target: str, parameters: str) -> str:
    word, result = ("codec", "bytes") if isinstance(external(target), type) else ("fn", "i64")
    return f'{word} x({parameters}) -> {result} = extern "{target}";\n'


@pytest.mark.parametrize("target", _RUNTIME)
def test_wrong_parameters_are_told_with_a_declaration_that_is_right(target: str) -> None:
    wanted = arguments_of(external(target))
    wrong = ["i64 a, i64 b, i64 c, i64 d, i64 e, i64 f, i64 g"]
    wrong += ["list<list<bool>> a" + "".join(f", i64 p{number}" for number in range(len(wanted) - 1))] * bool(wanted)
    wrong += [""] * any(not each.is_optional for each in wanted)
    for parameters in wrong:
        with pytest.raises(lakecodec.IdlError) as caught:
            lakecodec.compile_idl(_declared(target, parameters))
        (found,) = re.findall(r"declare it as `(?:codec|fn) x\((.*?)\)`", str(caught.value))
        names = [each.name for each in wanted]
        assert re.findall(r"(\w+)(?:,|$)", found) == names
        lakecodec.compile_idl(_declared(target, found))
        optional = [each.name for each in wanted if each.is_optional]
        assert (" may be left out" in str(caught.value)) == bool(optional)
        for _ in optional:
            found = found.rpartition(", ")[0]
            lakecodec.compile_idl(_declared(target, found))


def test_an_extern_that_is_not_there_is_told() -> None:
    with pytest.raises(lakecodec.IdlError, match=r"1:38: .* has no 'Zlip'"):
        lakecodec.compile_idl('codec z(i64 level) -> bytes = extern "runtime.codecs:Zlip";\n')


_FILLED = 'codec f(i64 room, binary end, bool keep, i64 fill) -> bytes = extern "runtime.codecs:Filled";'


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("codec", "argument", "data"),
    [
        ("codec c(i64 n) -> bytes = extern \"runtime.codecs:Lzf\"", "inflated", b"\0\0a"),
        ("codec c(i64 n) -> bytes = extern \"runtime.codecs:RotateLeft\"", "bits", b"\0a"),
        ("codec c(i64 n) -> bytes = extern \"runtime.codecs:Xor\"", "key", b"\0a"),
        (_FILLED + "codec c(i64 n) -> bytes = f(n, b\"\", false, n)", "room", b"\0a"),
    ],
)  # fmt: skip
def test_an_argument_without_a_value_is_named(backend: Any, codec: str, argument: str, data: bytes) -> None:
    module = lakecodec.compile_idl(f"{codec}; record R {{ u8 f; u8 n if f > 0; bytes x[..] via c(n); }}\n")
    with (
        running(backend),
        pytest.raises(lakecodec.DecodeError, match=rf"x: .*the argument {argument} must be .*, not None"),
    ):
        module.R.from_bytes(data)  # type: ignore[attr-defined]


def test_a_value_that_a_room_would_not_give_back_says_why() -> None:
    module = lakecodec.compile_idl(_FILLED + 'record R { bytes x[..] size 4 via f(4, b"|", false, 0); }')
    assert module.R(x=b"ab").to_bytes() == b"ab|\0"  # type: ignore[attr-defined]
    for value, why in [
        (b"a|b", r"b'a|b' would be read as b'a', since it ends at b'|'"),
        (b"abc\0", "since fill bytes at the end are removed"),
    ]:
        with pytest.raises(lakecodec.EncodeError, match=re.escape(why)):
            module.R(x=value).to_bytes()  # type: ignore[attr-defined]


@pytest.mark.parametrize("backend", BACKENDS)
def test_codecs_of_elements_are_not_those_of_what_follows(backend: Any) -> None:
    module: Any = lakecodec.compile_idl("""
        codec xor(i64 k) -> bytes = extern "runtime.codecs:Xor";
        codec rotate(i64 n) -> bytes = extern "runtime.codecs:RotateLeft";
        record E { u8 n = size(d); bytes d[..] size n via xor(255); }
        record R {
          u8 n = count(es); u8 sizes[i < n] = size(es[i]); E es[i < n] size sizes[i];
          u8 m = size(x); bytes x[..] size m via rotate(4);
        }
    """)
    data = bytes.fromhex("0102019e022143")
    with running(backend):
        value = module.R(es=[module.E(d=b"a")], x=b"\x12\x34")
        assert value.to_bytes() == data
        assert [module.R.from_bytes(data) for _ in range(3)] == [value] * 3
