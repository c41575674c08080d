"""What tar.idl names as external."""

from __future__ import annotations

from lakecodec.runtime.errors import DecodeError, EncodeError

_CHECKSUM = slice(148, 156)
_BLANK = b" " * 8


class Summed:
    """A header block with its checksum; inside, blanks stand in its place. A block without a name is the empty one."""

    def decode(self, data: bytes | memoryview) -> bytes:
        blank = self._blank(data)
        try:
            found = octal_number(bytes(data[_CHECKSUM]))
        except ValueError:
            raise DecodeError("the checksum is no octal number") from None
        if any(data) and found != sum(blank):
            raise DecodeError("the checksum is another")
        return blank

    def encode(self, value: bytes) -> bytes:
        blank = self._blank(value)
        if not blank[0]:
            return bytes(len(blank))
        return blank[: _CHECKSUM.start] + b"%06o\0 " % sum(blank) + blank[_CHECKSUM.stop :]

    def _blank(self, block: bytes | memoryview) -> bytes:
        return bytes(block[: _CHECKSUM.start]) + _BLANK + bytes(block[_CHECKSUM.stop :])


class Filled:
    """Text that NUL bytes fill up to a number of bytes."""

    def __init__(self, room: int) -> None:
        self._room = room

    def decode(self, data: bytes | memoryview) -> bytes:
        return bytes(data).partition(b"\0")[0]

    def encode(self, value: bytes) -> bytes:
        if len(value) > self._room:
            raise EncodeError(f"{len(value)} bytes do not fit {self._room}")
        return bytes(value).ljust(self._room, b"\0")


def octal_digits(value: int, room: int) -> bytes:
    digits = b"%0*o\0" % (room - 1, value)
    if value < 0 or len(digits) > room:
        raise ValueError(f"{value} does not fit {room - 1} octal digits")
    return digits


def octal_number(digits: bytes) -> int:
    return int(bytes(digits).rstrip(b"\0 ") or b"0", 8)
