"""Percent escapes: which characters become `%XX`, and the ways back."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...runtime.errors import DecodeError, EncodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts, pc

Bytes: TypeAlias = NDArray[np.uint8]

_BLOCK = 1 << 20
_HEX = np.frombuffer(b"0123456789ABCDEF", np.uint8)
_ESCAPE = re.compile(rb"%(?:([0-9A-Fa-f]{2}))?")


@extern_codec
@dataclass(frozen=True)
class Percent(TextCodec):
    """Each character of ``escaped`` (code points) becomes `%XX` for every byte of its UTF-8 form, in upper case.

    ``decode`` undoes any escapes, whatever set made them: bytes first, then UTF-8. With ``strict`` a `%` without two hex
    digits is an error, else it stays as it is.
    """

    escaped: frozenset[int]
    strict: bool = True
    _table: dict[int, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_table", {code: _escape(chr(code)) for code in self.escaped})

    @property
    def storage(self) -> pa.DataType:
        return pa.string()

    def encode(self, value: str) -> str:
        _utf8(value)
        return value.translate(self._table)

    def decode(self, text: str) -> str:
        return unescape(text, strict=self.strict)

    def encode_array(self, array: Array) -> Texts:
        """Returns escaped texts after one pass over their bytes; only ASCII characters can be escaped this way."""
        if max(self.escaped, default=0) > 0x7F:
            return super().encode_array(array)
        return escape_bytes(array, self.escaped)


@extern_codec
@dataclass(frozen=True)
class PercentUtf8(Percent):
    """As Percent, and every byte of every non-ASCII character is escaped as well."""

    def __post_init__(self) -> None:
        table = {code: _escape(chr(code)) for code in self.escaped}
        # The table is applied to the UTF-8 bytes, read as one character each.
        table.update({byte: f"%{byte:02X}" for byte in range(0x80, 0x100)})
        object.__setattr__(self, "_table", table)

    def encode(self, value: str) -> str:
        return _utf8(value).decode("latin-1").translate(self._table)

    def encode_array(self, array: Array) -> Texts:
        return escape_bytes(array, self.escaped | frozenset(range(0x80, 0x100)))


def unescape(text: str, *, strict: bool) -> str:
    """Returns ``text`` with every `%XX` replaced by its byte, decoded as UTF-8."""
    if "%" not in text and text.isascii():
        return text
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise DecodeError("a path cannot have a lone surrogate", offset=error.start) from None

    def byte(match: re.Match[bytes]) -> bytes:
        if match[1] is not None:
            return bytes.fromhex(match[1].decode())
        if strict:
            raise DecodeError("`%` is not followed by two hex digits", offset=match.start())
        return b"%"

    decoded = _ESCAPE.sub(byte, data)
    try:
        return decoded.decode()
    except UnicodeDecodeError as error:
        offset = _source_offset(data, error.start)
        raise DecodeError("the escaped bytes are not UTF-8", offset=offset) from None


def escape_bytes(array: Array, escaped: frozenset[int]) -> Texts:
    """Returns the string array ``array`` with each byte of ``escaped`` written as `%XX`; nulls stay."""
    table = np.zeros(256, bool)
    table[list(escaped)] = True
    _, offset_buffer, data_buffer = array.buffers()
    if data_buffer is None or not len(array):
        return array
    offsets = np.frombuffer(offset_buffer, np.int32)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(data_buffer, np.uint8)[: offsets[-1]]
    hits = np.flatnonzero(table[data[offsets[0] :]])
    if not len(hits):
        return array
    # In blocks, since the positions of all bytes take many times the memory of the bytes.
    inner = np.searchsorted(offsets, np.arange(offsets[0] + _BLOCK, offsets[-1], _BLOCK))
    bounds = np.unique([0, *inner, len(array)])
    parts = [_escape_block(data, offsets[a : b + 1], table) for a, b in itertools.pairwise(bounds)]
    if sum(len(part[1]) for part in parts) > np.iinfo(np.int32).max:
        raise EncodeError("the escaped texts are longer than one string array can hold (2 GiB)")
    arrays = [_strings(starts, escaped_data) for starts, escaped_data in parts]
    whole = pa.concat_arrays(arrays)
    if not array.null_count:
        return whole
    return pc.if_else(pc.is_valid(array), whole, pa.scalar(None, pa.string()))


def _escape_block(data: Bytes, offsets: NDArray[np.int32], table: NDArray[np.bool_]) -> tuple[NDArray[np.int32], Bytes]:
    """Returns the offsets and bytes of some rows after escaping."""
    block = data[offsets[0] : offsets[-1]]
    marked = table[block]
    hits = np.flatnonzero(marked)
    moved = np.arange(len(block)) + 2 * (np.cumsum(marked) - marked)
    result = np.empty(len(block) + 2 * len(hits), np.uint8)
    result[moved] = block
    places = moved[hits]
    result[places] = ord("%")
    result[places + 1] = _HEX[block[hits] >> 4]
    result[places + 2] = _HEX[block[hits] & 15]
    starts = offsets - offsets[0]
    return (starts + 2 * np.searchsorted(hits, starts)).astype(np.int32), result


def _strings(offsets: NDArray[np.int32], data: Bytes) -> Texts:
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)


def _source_offset(data: bytes, target: int) -> int:
    """Returns the offset in ``data`` of the decoded byte number ``target``."""
    position = 0
    for _ in range(target):
        position += 3 if re.match(rb"%[0-9A-Fa-f]{2}", data[position : position + 3]) else 1
    return position


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(f"character {error.start} is a lone surrogate, which UTF-8 cannot hold") from None
