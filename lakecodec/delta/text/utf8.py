"""Text that is text already, and bytes read as text."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from ...runtime.errors import DecodeError, EncodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts, pc


@extern_codec
@dataclass(frozen=True)
class Utf8(TextCodec):
    """Strict UTF-8: a str unchanged, or with ``binary`` the bytes read as UTF-8 text.

    A text to be written must hold no character of ``refused`` (code points).
    """

    binary: bool = False
    refused: frozenset[int] = frozenset()

    @property
    def storage(self) -> pa.DataType:
        return pa.binary() if self.binary else pa.string()

    def encode(self, value: str | bytes) -> str:
        if isinstance(value, str):
            text = value
            if not text.isascii():
                _check(text, EncodeError)
        else:
            try:
                text = value.decode()
            except UnicodeDecodeError as error:
                raise EncodeError(f"the bytes are not UTF-8 text (byte {error.start}: {error.reason})") from None
        for code in self.refused:
            if chr(code) in text:
                raise EncodeError(f"the text has the character U+{code:04X}, which a directory name cannot have")
        return text

    def decode(self, text: str) -> str | bytes:
        if not text.isascii():
            _check(text, DecodeError)
        return text.encode() if self.binary else text

    def encode_array(self, array: Array) -> Texts:
        try:
            texts = pc.cast(array, pa.string())
        except pa.ArrowInvalid:  # not UTF-8: the loop over single values below names the bytes
            return super().encode_array(array)
        for code in self.refused:
            if pc.any(pc.match_substring(texts, chr(code)), min_count=0).as_py():
                return super().encode_array(array)
        return texts

    def decode_array(self, texts: Texts) -> Array:
        return pc.cast(texts, self.storage)


def _check(text: str, error: type[EncodeError] | type[DecodeError]) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        raise error(f"character {problem.start} is a lone surrogate, which UTF-8 cannot hold") from None
