"""Files of one bucket that breaks a rule: what is wrong, the bytes, the path in the bucket, and words of the rule."""

from __future__ import annotations

import struct

from .raw import (
    BYTE,
    INT,
    LIST,
    MAP,
    PLAIN,
    TEXT,
    TWO,
    ZSTD,
    column,
    entry,
    file,
    frame,
    one_bucket,
    one_paged_bucket,
    paged,
    row_group,
    schema,
    sized,
    uvarint,
)

X = '.columns["x"]'
LONG = column(b"x", b"\x0e\1\x26\0")
NANOS = column(b"x", b"\x10\1\x09")
ONE, NONE = struct.pack(">i", 1), struct.pack(">i", 0)


def lengths(*numbers: int, elements: bytes = b"\1\2") -> bytes:
    """A bucket of a LIST with two elements."""
    return one_bucket(b"\1\1\2\0\0" + struct.pack(f">{len(numbers)}i", *numbers) + elements, len(numbers), LIST)


def block(stored: bytes, inflated: int) -> bytes:
    """A compressed bucket of two INT values."""
    return file(stored, schema(INT), row_group(2, entry(0, 0, len(stored), inflated)), compression=ZSTD)


BLOCKS = {
    "bytes left over": (one_bucket(TWO + b"\0", 2, INT), "", "trailing bytes in bucket"),
    "a byte is missing": (one_bucket(TWO[:-1], 2, INT), X, "the bytes end"),
    "no flags": (one_bucket(b"\0", 2, INT), "", "do not fit"),
    "half a bitmap": (one_bucket(b"\0\1\0", 9, INT), X, ""),
    "fewer bytes than declared": (block(frame(TWO), 11), "", "declared"),
    "more bytes than declared": (block(frame(TWO), 9), "", "declared"),
    "no frame": (block(TWO, 10), "", "zstd"),
    "half a frame": (block(frame(TWO)[:-1], 10), "", "zstd"),
    "two frames": (block(frame(TWO[:5]) + frame(TWO[5:]), 10), "", "declared"),
    "a frame to be skipped": (block(b"\x50\x2a\x4d\x18\1\0\0\0a" + frame(TWO), 10), "", "zstd"),
    "bytes after the frame": (block(frame(TWO) + b"\0", 10), "", "zstd"),
}

NESTED = {
    "a negative length": (lengths(-1, 3), X, "negative"),
    "lengths of more elements": (lengths(1, 2), X, "add up to 3"),
    "lengths of fewer elements": (lengths(1, 0), X, "add up to 1"),
    "lengths of no elements": (lengths(elements=b"\1\2"), X, "add up to 0"),
    "lengths over 32 bits together": (lengths(2**31 - 1, 2**31 - 1, 4), X, "more than an Arrow array"),
    "more elements than bytes": (one_bucket(b"\1\1" + uvarint(2**32 - 1) + b"\0\0" + ONE, 1, LIST), X, ""),
    "a null key": (one_bucket(b"\1\2\1\1\0\2\1" + ONE + b"\1", 1, MAP), X, "null"),
    "keys without values": (one_bucket(b"\1\2\1\0\0\0" + ONE + b"\1", 1, MAP), X, "add up to 1"),
    "no children": (one_bucket(b"\1\0\0\0" + NONE, 1, LIST), "", "num_children"),
    "more children than there are": (one_bucket(b"\1\2\0\0\0\0" + NONE, 1, LIST), "", "num_children"),
    "another number of columns": (one_bucket(b"\2\1\0\0\0" + NONE, 1, LIST), "", "num_primary"),
}

VALUES = {
    "nulls in a column without": (
        one_bucket(b"\0\1\1\0\0\0\7", 2, column(b"x", b"\x03\x00")),
        X,
        "the column has nulls, its type allows none",
    ),
    "text that is not UTF-8": (one_bucket(PLAIN + sized(b"\xff"), 1, TEXT), X, "not valid UTF-8"),
    "text cut within a character": (one_bucket(PLAIN + b"\1\xc3\1\xa4", 2, TEXT), X, "not valid UTF-8"),
    "text of a surrogate": (one_bucket(PLAIN + sized(b"\xed\xa0\x80"), 1, TEXT), X, "not valid UTF-8"),
    "text in an overlong form": (one_bucket(PLAIN + sized(b"\xc0\x80"), 1, TEXT), X, "not valid UTF-8"),
    "a text beyond the bytes": (one_bucket(PLAIN + uvarint(2**32 - 1) + b"a", 1, TEXT), X, "the bytes end"),
    "half a length": (one_bucket(PLAIN + b"\x80", 1, TEXT), X, "the bytes end"),
    "a length over 32 bits": (one_bucket(PLAIN + b"\x80\x80\x80\x80\x80\0", 1, TEXT), X, "32 bits"),
    "a boolean that is neither": (one_bucket(PLAIN + b"\2", 1, column(b"x", b"\0\1")), X, "neither 0 nor 1"),
    "a decimal without digits": (one_bucket(PLAIN + b"\0", 1, LONG), X, "1 <= size_of_v"),
    "a decimal of 17 bytes": (one_bucket(PLAIN + sized(bytes(17)), 1, LONG), X, "1 <= size_of_v"),
    "nanoseconds of a whole millisecond": (one_bucket(PLAIN + struct.pack(">qi", 0, 10**6), 1, NANOS), X, "remainder"),
    "negative nanoseconds": (one_bucket(PLAIN + struct.pack(">qi", 0, -1), 1, NANOS), X, "remainder"),
    "nanoseconds outside 64 bits": (one_bucket(PLAIN + struct.pack(">qi", 2**60, 0), 1, NANOS), X, "outside 64 bits"),
    "an index outside the dictionary": (one_bucket(b"\2\0\3\1\2\3\x0f", 2, BYTE), X, "dict index"),
    "an index into no dictionary": (one_bucket(b"\2\0\0", 1, BYTE), X, "dict index"),
    "fewer indexes than rows": (one_bucket(b"\2\0\3\1\2\3\0", 5, BYTE), X, "do not fit"),
    "a dictionary beyond the bytes": (one_bucket(b"\2\0" + uvarint(2**32 - 1), 1, INT), X, "the bytes end"),
    "a dictionary that is not UTF-8": (one_bucket(b"\2\0" + b"\2\1a\1\xff\0", 1, TEXT), X, "not valid UTF-8"),
    "a constant that is not UTF-8": (one_bucket(b"\1\0\1\xff", 2, TEXT), X, "not valid UTF-8"),
    "half a constant": (one_bucket(b"\1\0\0\0", 2, INT), X, "the bytes end"),
    "more rows than bytes": (one_bucket(TWO, 2**32 - 1, INT), X, "the bytes end"),
}

PAGES = {
    "another size": (one_paged_bucket(paged(TWO) + b"\0", 2, INT), "", "total size"),
    "a block beyond the bucket": (one_paged_bucket(struct.pack("<I", 2**32 - 1), 2, INT), "", "total size"),
    "half a directory": (one_paged_bucket(b"\1\0", 2, INT), "", "do not fit"),
    "half a number of children": (one_paged_bucket(b"\1", 2, LIST), "", "unexpected end"),
    "half the numbers of elements": (one_paged_bucket(b"\1\0\1\0", 2, LIST), "", "do not fit"),
    "another number of children": (one_paged_bucket(paged(b"", head=b"\0\0"), 2, LIST), "", "num_children"),
    "no values in a block": (one_paged_bucket(paged(b"\3\0"), 2, INT), X, "unsupported encoding"),
    "an unknown encoding": (one_paged_bucket(paged(b"\4\0"), 2, INT), X, "no alternative for 4"),
    "unknown flags": (one_paged_bucket(paged(b"\0\2" + TWO[2:]), 2, INT), X, "unknown flags"),
    "no flags": (one_paged_bucket(paged(b"\0"), 2, INT), X, "unexpected end"),
    "an index outside the dictionary": (one_paged_bucket(paged(b"\2\0\3\1\2\3\x0f"), 2, BYTE), X, "dict index"),
    "text that is not UTF-8": (one_paged_bucket(paged(b"\0\0\1\xff"), 1, TEXT), X, "not valid UTF-8"),
    "bytes left over": (one_paged_bucket(paged(TWO + b"\0"), 2, INT), X, "trailing bytes in page"),
    "fewer bytes than declared": (
        one_paged_bucket(struct.pack("<I", 1 + len(frame(TWO))) + b"\x0b" + frame(TWO), 2, INT),
        X,
        "declared",
    ),
    "more bytes than declared": (
        one_paged_bucket(struct.pack("<I", 1 + len(frame(TWO))) + b"\x09" + frame(TWO), 2, INT),
        X,
        "declared",
    ),
    "a size that is large": (
        one_paged_bucket(struct.pack("<I", 5 + len(frame(TWO))) + uvarint(2**32 - 1) + frame(TWO), 2, INT),
        X,
        "what the block can hold",
    ),
    "no frame": (one_paged_bucket(struct.pack("<I", 5) + b"\4abcd", 2, INT), X, "zstd"),
    "no bytes of a frame": (one_paged_bucket(struct.pack("<I", 1) + b"\4", 2, INT), X, "zstd"),
    "half a size": (one_paged_bucket(struct.pack("<I", 1) + b"\x80", 2, INT), X, ""),
    "a list without its lengths": (
        one_paged_bucket(paged(b"", b"\0\0\7", head=b"\1\0\1\0\0\0"), 1, LIST),
        X,
        "add up to 0",
    ),
}

BUCKETS = {
    f"{section}: {what}": case
    for section, cases in {"block": BLOCKS, "nested": NESTED, "value": VALUES, "page": PAGES}.items()
    for what, case in cases.items()
}
