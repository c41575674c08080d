"""Escapes of directory names and log paths, and the ways back."""

from __future__ import annotations

import urllib.parse

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lakecodec.delta import (
    decode_uri,
    encode_uri,
    escape_path_name,
    resolve_path,
    split_directory,
    unescape_path_name,
)
from lakecodec.delta.text import Percent, percent
from lakecodec.runtime.errors import DecodeError, EncodeError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
HIVE = {*range(1, 0x20), 0x7F, *map(ord, "\"#%'*/:=?[\\]^{")}
quick = settings(deadline=None)
#: RFC 2396: what Java's URI leaves alone in a path.
RAW = "-_.!~*'():@&=+$,;/"


def test_every_ascii_character() -> None:
    for code in range(1, 128):
        text = chr(code)
        escaped = f"%{code:02X}" if code in HIVE else text
        for profile in ("kernel", "spark"):
            assert escape_path_name(text, profile=profile) == escaped
        windows = f"%{code:02X}" if text in " <>|" else escaped
        assert escape_path_name(text, windows=True) == windows
        raw = text.isalnum() or text in RAW
        for profile in ("kernel", "spark"):
            assert encode_uri(text, profile=profile) == (text if raw else f"%{code:02X}")


def test_nul() -> None:
    assert escape_path_name("a\0b") == "a%00b"
    assert encode_uri("a\0b") == "a%00b"
    for function in (escape_path_name, encode_uri):
        with pytest.raises(EncodeError, match=r"delta: the text has the character U\+0000.*: 'a\\x00b'"):
            function("a\0b", profile="spark")


@quick
@given(TEXTS)
def test_kernel_paths_are_those_of_urllib(text: str) -> None:
    assert encode_uri(text) == urllib.parse.quote(text, safe=RAW)


@quick
@given(TEXTS)
def test_both_profiles_decode_to_the_same(text: str) -> None:
    text = text.replace("\0", "")
    for profile in ("kernel", "spark"):
        escaped = escape_path_name(text, profile=profile)
        assert "/" not in escaped
        assert "=" not in escaped
        assert unescape_path_name(escaped) == text
        assert decode_uri(encode_uri(escaped, profile=profile)) == escaped


@quick
@given(TEXTS)
@example("a+b")
@example("%C3%BC%zz")
def test_decoding_agrees_with_urllib(text: str) -> None:
    try:
        expected = urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        with pytest.raises(DecodeError, match="the escaped bytes are not UTF-8"):
            unescape_path_name(text)
    else:
        assert unescape_path_name(text) == expected


def test_decoded_once() -> None:
    assert decode_uri("p=US%252FEast/a%20b.parquet") == "p=US%2FEast/a b.parquet"
    assert decode_uri("p=%c3%bC/x+y") == "p=ü/x+y"


@pytest.mark.parametrize(
    ("text", "offset", "rule"),
    [
        ("ab%zz", 2, "`%` is not followed by two hex digits"),
        ("ü%2", 2, "`%` is not followed by two hex digits"),
        ("%", 0, "`%` is not followed by two hex digits"),
        ("%41%FFx", 3, "the escaped bytes are not UTF-8"),
        ("ab%C3", 2, "the escaped bytes are not UTF-8"),
        ("%ED%A0%80", 0, "the escaped bytes are not UTF-8"),
    ],
)
def test_malformed_paths(text: str, offset: int, rule: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_uri(text)
    assert (caught.value.offset, caught.value.format) == (offset, "delta")
    assert rule in caught.value.rule
    assert repr(text) in caught.value.rule


def test_lone_surrogates() -> None:
    for function in (escape_path_name, encode_uri):
        with pytest.raises(EncodeError, match="lone surrogate"):
            function("a\ud800")
    for back in (unescape_path_name, decode_uri):
        with pytest.raises(DecodeError, match="lone surrogate"):
            back("a%41\ud800")


def test_files() -> None:
    assert resolve_path("/tables/t", "p=a%20b/f.parquet") == "/tables/t/p=a b/f.parquet"
    assert resolve_path("s3://b/t", "f%2520.parquet") == "s3://b/t/f%20.parquet"
    assert resolve_path("/tables/t", "s3://other/p=a%20b/f") == "s3://other/p=a b/f"
    assert resolve_path("/tables/t", "/other/f") == "/other/f"
    assert resolve_path("/tables/t", "p=12%253A30/f") == "/tables/t/p=12%3A30/f"


def test_directories_without_a_log() -> None:
    found = split_directory("Region=US%2FEast/a b=x=y/d%C3%BC%3Dr=__HIVE_DEFAULT_PARTITION__/file.parquet/x=1")
    assert found == {"Region": "US/East", "a b": "x=y", "dü=r": None}
    assert split_directory("") == {}
    assert split_directory("p=%zz") == {"p": "%zz"}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("p=", "delta: p: the directory 'p=' has an empty value"),
        ("a=1/=2", "delta: the directory '=2' has an empty column name"),
        ("a=1/a=2", "delta: a: the directory 'a=1/a=2' has the column twice"),
        ("a=%FF", "delta: the escaped bytes are not UTF-8: '%FF' \\(at byte 0\\)"),
    ],
)
def test_bad_directories(path: str, message: str) -> None:
    with pytest.raises(DecodeError, match=message):
        split_directory(path)


def test_profiles() -> None:
    for function in (escape_path_name, encode_uri):
        with pytest.raises(ValueError, match="profile: 'flink' is neither 'kernel' nor 'spark'"):
            function("x", profile="flink")


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_blocks_of_a_column(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(percent, "_BLOCK", block)
    escaped = frozenset(map(ord, "/:%"))

    @quick
    @given(st.lists(st.none() | st.text("a/ü:%"), max_size=12), st.integers(0, 3))
    def check(texts: list[str | None], skipped: int) -> None:
        array = pa.array(texts, pa.string())[skipped:]
        result = percent.escape_bytes(array, escaped)
        result.validate(full=True)
        assert result.to_pylist() == [
            None if text is None else Percent(escaped).encode(text) for text in texts[skipped:]
        ]

    check()
