"""Ways to break encoded structs, decided by a seeded generator."""

from __future__ import annotations

from random import Random

#: Bytes that mean something to the protocol: stops, long forms, headers of each type, ends and middles of varints.
_TELLING = (0, 1, 2, 3, 5, 8, 9, 11, 12, 13, 14, 15, 0x11, 0x15, 0x18, 0x19, 0x1C, 0x1D, 0x7F, 0x80, 0xF9, 0xFC, 0xFF)


def damaged(data: bytes, chance: Random) -> bytes:
    """``data`` with up to four changes."""
    bad = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if not bad:
            break
        at = chance.randrange(len(bad))
        span = slice(at, at + chance.randrange(1, 9))
        kind = chance.randrange(7)
        if kind == 0:
            bad[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            bad[at] = chance.choice(_TELLING)
        elif kind == 2:
            bad[at:at] = bytes(chance.choices(_TELLING, k=chance.randrange(1, 12)))
        elif kind == 3:
            del bad[span]
        elif kind == 4:
            bad[at:at] = bad[span]
        elif kind == 5:
            other = chance.randrange(len(bad))
            bad[other : other + 4] = bad[span]
        else:
            del bad[at:]
    return bytes(bad)
