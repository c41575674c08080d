"""Checksums and digests that IDL files name as external functions; names of crcs are those of the RevEng catalogue."""

from __future__ import annotations

import hashlib
from array import array
from functools import cache
from typing import Any

from .errors import CodecError
from .externs import Binary, extern_function
from .native import load

_record = load("runtime.native._record")


@cache
def _table(width: int, polynomial: int, reflected: bool) -> tuple[int, ...]:
    """Returns the CRC of each of the 256 bytes."""
    top, mask = 1 << (width - 1), (1 << width) - 1
    found = []
    for byte in range(256):
        if reflected:
            turned = int(f"{polynomial:0{width}b}"[::-1], 2)
            rest = byte
            for _ in range(8):
                rest = rest >> 1 ^ (turned if rest & 1 else 0)
        else:
            rest = byte << (width - 8)
            for _ in range(8):
                rest = rest << 1 ^ (polynomial if rest & top else 0)
        found.append(rest & mask)
    return tuple(found)


@cache
def _packed_table(width: int, polynomial: int, reflected: bool) -> bytes:
    """Returns the table for native code."""
    return array("Q", _table(width, polynomial, reflected)).tobytes()


@extern_function
def crc(data: Binary, width: int, polynomial: int, initial: int = 0, final: int = 0, reflected: bool = True) -> int:
    """Returns the cyclic redundancy check of some bytes.

    Args:
        width: bits of the result, from 8.
        polynomial: the generator polynomial without its highest term, highest bit first.
        initial: the register's first value; ``final`` is combined with the last one by exclusive or.
        reflected: bytes are read, and the result is returned, lowest bit first.
    """
    if not 8 <= width <= 64 or polynomial >> width or initial >> width or final >> width:
        raise CodecError(f"a crc has 8 to 64 bits, and numbers of as many, not {width}")
    mask = (1 << width) - 1
    register = int(f"{initial:0{width}b}"[::-1], 2) if reflected else initial
    if _record is not None:
        found: int = _record.crc(bytes(data), width, _packed_table(width, polynomial, reflected), register, reflected)
        return found ^ final
    table = _table(width, polynomial, reflected)
    if reflected:
        for byte in bytes(data):
            register = register >> 8 ^ table[(register ^ byte) & 255]
    else:
        for byte in bytes(data):
            register = (register << 8 & mask) ^ table[(register >> (width - 8) ^ byte) & 255]
    return register ^ final


@extern_function
def crc8(data: Binary) -> int:
    """Returns CRC-8/SMBUS: polynomial 0x07, the highest bit first."""
    return crc(data, 8, 0x07, reflected=False)


@extern_function
def crc16(data: Binary) -> int:
    """Returns CRC-16/ARC: polynomial 0x8005."""
    return crc(data, 16, 0x8005)


@extern_function
def crc16_ccitt(data: Binary) -> int:
    """Returns CRC-16/IBM-3740, also called CCITT-FALSE: polynomial 0x1021 from 0xFFFF, the highest bit first."""
    return crc(data, 16, 0x1021, 0xFFFF, reflected=False)


@extern_function
def crc32c(data: Binary) -> int:
    """Returns CRC-32/ISCSI, also called Castagnoli's: polynomial 0x1EDC6F41."""
    return crc(data, 32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF)


@extern_function
def crc64(data: Binary) -> int:
    """Returns CRC-64/XZ: polynomial 0x42F0E1EBA9EA3693."""
    return crc(data, 64, 0x42F0E1EBA9EA3693, (1 << 64) - 1, (1 << 64) - 1)


@extern_function
def crc64_redis(data: Binary) -> int:
    """Returns CRC-64/REDIS, also called Jones': polynomial 0xAD93D23594C935A9."""
    return crc(data, 64, 0xAD93D23594C935A9)


@extern_function
def fletcher16(data: Binary) -> int:
    """Returns Fletcher's checksum of bytes: two sums modulo 255, the second one in the higher byte."""
    first = second = 0
    for byte in bytes(data):
        first = (first + byte) % 255
        second = (second + first) % 255
    return second << 8 | first


@extern_function
def fletcher32(data: Binary) -> int:
    """Returns Fletcher's checksum of little-endian words of 16 bits, the last one filled up with a zero: sums modulo 65535."""
    padded = bytes(data) + bytes(len(data) % 2)
    first = second = 0
    for at in range(0, len(padded), 2):
        first = (first + int.from_bytes(padded[at : at + 2], "little")) % 65535
        second = (second + first) % 65535
    return second << 16 | first


@extern_function
def crossed_sums(data: Binary, width: int, is_big: bool, before: int = 0) -> int:
    """Returns two sums of words in one number, the first one in its higher half, as in the logs of SQLite.

    Words at even places and the second sum are added to the first one, words at odd places and the first sum to the second.

    Args:
        width: bits of a word and of a sum: 8, 16 or 32.
        is_big: whether a word's highest byte comes first.
        before: the result for the words before these.
    """
    data = bytes(data)
    if width not in (8, 16, 32) or not 0 <= before < 1 << 2 * width or len(data) % (width // 4):
        raise CodecError(
            f"crossed sums are of pairs of words of 8, 16 or 32 bits, not of {len(data)} bytes in words of {width}"
        )
    mask, size = (1 << width) - 1, width // 8
    words = [int.from_bytes(data[at : at + size], "big" if is_big else "little") for at in range(0, len(data), size)]
    first, second = before >> width, before & mask
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & mask
        second = (second + odd + first) & mask
    return first << width | second


@extern_function
def md5(data: Binary) -> bytes:
    """Returns the 16 bytes of MD5 (RFC 1321)."""
    return hashlib.md5(bytes(data), usedforsecurity=False).digest()


@extern_function
def sha1(data: Binary) -> bytes:
    """Returns the 20 bytes of SHA-1 (FIPS 180-4)."""
    return hashlib.sha1(bytes(data), usedforsecurity=False).digest()


@extern_function
def sha256(data: Binary) -> bytes:
    """Returns the 32 bytes of SHA-256 (FIPS 180-4)."""
    return hashlib.sha256(bytes(data)).digest()


@extern_function
def xxh32(data: Binary, seed: int = 0) -> int:
    """Returns xxHash of 32 bits."""
    found: int = _xxhash().xxh32_intdigest(bytes(data), seed)
    return found


@extern_function
def xxh64(data: Binary, seed: int = 0) -> int:
    """Returns xxHash of 64 bits."""
    found: int = _xxhash().xxh64_intdigest(bytes(data), seed)
    return found


def _xxhash() -> Any:
    try:
        import xxhash
    except ImportError:
        raise CodecError("xxHash needs the package xxhash: pip install 'lakecodec[bloom]'") from None
    return xxhash


@extern_function
def siphash24(data: Binary, key: Binary) -> int:
    """Returns SipHash-2-4 of 64 bits under a key of 16 bytes."""
    key, data = bytes(key), bytes(data)
    if len(key) != 16:
        raise CodecError(f"SipHash has a key of 16 bytes, not {len(key)}")
    low, high = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    state = [low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573]
    whole = len(data) // 8 * 8
    words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, whole, 8)]
    for word in [*words, int.from_bytes(data[whole:], "little") | (len(data) & 255) << 56]:
        state[3] ^= word
        _sip_rounds(state, 2)
        state[0] ^= word
    state[2] ^= 255
    _sip_rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _sip_rounds(state: list[int], count: int) -> None:
    a, b, c, d = state
    for _ in range(count):
        a, c = (a + b) & _MASK, (c + d) & _MASK
        b, d = _rotated(b, 13) ^ a, _rotated(d, 16) ^ c
        a = _rotated(a, 32)
        a, c = (a + d) & _MASK, (c + b) & _MASK
        b, d = _rotated(b, 17) ^ c, _rotated(d, 21) ^ a
        c = _rotated(c, 32)
    state[:] = a, b, c, d


_MASK = (1 << 64) - 1


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & _MASK
