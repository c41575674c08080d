"""Files whose footer, schema or index breaks a rule: what is wrong, the bytes, the path of the error, and words of the rule."""

from __future__ import annotations

import struct

import zstandard

from .raw import BYTE, INT, TEXT, TWO, ZSTD, column, entry, file, frame, one_bucket, row_group, schema, sized, uvarint

ROWS = row_group(2, entry(0, 0, 10, 10))
GOOD = one_bucket(TWO, 2, INT)
PAIR = column(b"a", b"\3\1"), column(b"b", b"\3\1")


def offsets(index: int, schema: int) -> bytes:
    return GOOD[:-32] + struct.pack(">QQ", index, schema) + GOOD[-16:]


def index(entries: bytes) -> bytes:
    return file(TWO, schema(INT), entries, num_row_groups=1)


FOOTERS = {
    "no bytes": (b"", "footer", "outside"),
    "too small": (b"MOSA", "footer", "outside"),
    "a byte is missing": (GOOD[1:32], "footer", "outside"),
    "magic": (file(TWO, schema(INT), ROWS, magic=b"MOSB"), "footer.magic", "bad magic"),
    "version": (file(TWO, schema(INT), ROWS, version=2), "footer.version", "version"),
    "compression": (file(TWO, schema(INT), ROWS, compression=2), "footer.compression", "compression"),
    "a schema far outside": (offsets(3, 2**63), "footer.index_offset", "corrupted footer offsets"),
    "no room for the schema's size": (offsets(13, 10), "footer.index_offset", "corrupted footer offsets"),
    "an index after the footer": (offsets(len(GOOD) - 31, 10), "footer.index_offset", "corrupted footer offsets"),
    "an index far outside": (offsets(2**64 - 1, 10), "footer.index_offset", "corrupted footer offsets"),
    "no buckets": (file(TWO, schema(INT), ROWS, num_buckets=0), "footer.num_buckets", "num_buckets must be > 0"),
    "another number of buckets": (
        file(TWO, schema(INT, num_buckets=2), ROWS),
        "schema",
        "footer num_buckets does not match schema",
    ),
}

BLOCKS = {
    "a size over the bytes": (file(b"", schema(INT), inflated=60), "schema.body", "declared"),
    "a size under the bytes": (file(b"", schema(INT), inflated=2), "schema.body", "declared"),
    "a large size": (
        file(b"", schema(INT), compression=ZSTD, inflated=2**32 - 1),
        "schema.inflated",
        "what the block can hold",
    ),
    "no frame": (file(b"", schema(INT), compression=ZSTD, stored=b"not a frame"), "schema.body", "zstd"),
    "no bytes of a frame": (file(b"", schema(INT), compression=ZSTD, stored=b""), "schema.body", "zstd"),
    "half a frame": (
        file(b"", schema(INT), compression=ZSTD, stored=frame(schema(INT))[:-3]),
        "schema.body",
        "zstd",
    ),
    "a frame that holds more": (
        file(b"", schema(INT), compression=ZSTD, stored=frame(schema(INT) + b"\0")),
        "schema.body",
        "declared",
    ),
    "two frames": (
        file(b"", schema(INT), compression=ZSTD, stored=frame(schema(INT)) + frame(b"")),
        "schema.body",
        "zstd",
    ),
    "a frame that needs a dictionary": (
        file(
            b"",
            schema(INT),
            compression=ZSTD,
            stored=zstandard.ZstdCompressor(
                dict_data=zstandard.train_dictionary(1000, [b"%06d sample" % number for number in range(2000)])
            ).compress(schema(INT)),
        ),
        "schema.body",
        "zstd",
    ),
}

SCHEMAS = {
    "no buckets in it": (
        file(TWO, schema(INT, num_buckets=0), ROWS),
        "schema.body.num_buckets",
        "num_buckets must be > 0",
    ),
    "no name encoding": (file(b"", b"\1\1"), "schema.body.name_encoding", "unexpected end"),
    "no column name": (one_bucket(TWO, 2, column(b"", b"\3\1")), "schema.body.columns[0].name", "empty column name"),
    "a name twice": (
        one_bucket(b"\0\0\1\1", 1, BYTE, column(b"", b"\1\1", 1)),
        "schema.body",
        "duplicate column name",
    ),
    "names not in order": (
        one_bucket(b"\0\0\1\1", 1, column(b"y", b"\1\1"), column(b"x", b"\1\1")),
        "schema.body",
        "order of their names",
    ),
    "a name that is not UTF-8": (
        one_bucket(TWO, 2, column(b"\xff", b"\3\1")),
        "schema.body.columns[0].name",
        "UTF-8",
    ),
    "a prefix that is too long": (
        one_bucket(TWO, 2, column(b"x", b"\3\1", 1)),
        "schema.body.columns[0].name.shared",
        "corrupted column name",
    ),
    "a name beyond the bytes": (
        file(b"", b"\1\1\0\0" + uvarint(2**32 - 1) + b"x"),
        "schema.body.columns[0].name",
        "",
    ),
    "columns beyond the bytes": (file(b"", uvarint(2**32 - 1) + b"\1\0"), "schema.body.columns", "do not fit"),
    "a varint that goes on": (file(b"", b"\x81\x80\x80\x80\x80\0\1\0"), "schema.body.num_columns", "32 bits"),
    "a varint of 35 bits": (file(b"", b"\x81\x80\x80\x80\x70\1\0"), "schema.body.num_columns", "32 bits"),
    "an unknown type": (
        one_bucket(TWO, 2, column(b"x", b"\x14\1")),
        "schema.body.columns[0].type.params",
        "no alternative for 20",
    ),
    "half a type": (file(b"", b"\1\1\0\0\1x\3"), "schema.body.columns[0].type.nullable", "unexpected end"),
    "types without end": (
        one_bucket(TWO, 2, column(b"x", (b"\x12\1" + sized(b"i")) * 50_000 + b"\3\1")),
        "schema.body.columns[0].type",
        "deep",
    ),
    "a time zone that is not UTF-8": (
        file(b"", schema(column(b"x", b"\x11\1\3" + sized(b"\xff")))),
        "schema.body.columns[0].type.params.zone",
        "UTF-8",
    ),
    "an element's name beyond the bytes": (
        file(b"", schema(column(b"x", b"\x12\1" + uvarint(2**31)))),
        "schema.body.columns[0].type.params.element.name",
        "",
    ),
    "decimals of no digits": (
        one_bucket(TWO, 2, column(b"x", b"\x0e\1\0\0")),
        "schema.body.columns[0].type.params.precision",
        "1..38",
    ),
    "decimals of 39 digits": (
        one_bucket(TWO, 2, column(b"x", b"\x0e\1\x27\0")),
        "schema.body.columns[0].type.params.precision",
        "1..38",
    ),
    "decimals of more digits after the point": (
        one_bucket(TWO, 2, column(b"x", b"\x0e\1\5\7")),
        "schema.body.columns[0].type.params.scale",
        "scale",
    ),
    "an order of other columns": (file(TWO, schema(INT, order=b"\2"), ROWS), "schema.body.order", "permutation"),
    "an order with a column twice": (file(b"", schema(*PAIR, order=b"\0\0")), "schema.body.order", "permutation"),
    "half an order": (file(b"", schema(*PAIR, order=b"\0")), "schema.body.order", ""),
    "bytes left over": (file(TWO, schema(INT) + b"\0", ROWS), "schema.body", "trailing bytes in schema"),
    "a rule of itself": (
        file(b"", schema(column(b"\x80", b"\3\1"), names=b"\1\1\x80\x80")),
        "schema.body.columns[0].name",
        "nor an earlier rule",
    ),
    "rules in a circle": (
        file(b"", schema(column(b"\x80", b"\3\1"), names=b"\1\2\x81a\x80b")),
        "schema.body.columns[0].name",
        "nor an earlier rule",
    ),
    "a later rule": (
        file(b"", schema(column(b"\x80", b"\3\1"), names=b"\1\2a\x81ab")),
        "schema.body.columns[0].name",
        "nor an earlier rule",
    ),
    "an unknown rule": (
        file(b"", schema(column(b"\x85", b"\3\1"), names=b"\1\1ab")),
        "schema.body.columns[0].name",
        "nor a pair rule",
    ),
    "rules beyond the bytes": (file(b"", b"\1\1\1" + uvarint(2**32 - 1) + b"ab"), "schema.body.rules", "do not fit"),
    "half a rule": (file(b"", b"\0\1\1\1a"), "schema.body.rules", ""),
    "a name that grows": (
        file(
            b"",
            schema(column(b"\xfe", b"\3\1"), names=b"\1\x7faa" + b"".join(bytes((n, n)) for n in range(128, 254))),
        ),
        "schema.body.columns[0].name",
        "longer than",
    ),
}

INDEXES = {
    "row groups beyond the bytes": (
        file(b"", schema(INT), num_row_groups=2**32 - 1),
        "index.row_groups",
        "do not fit",
    ),
    "fewer row groups": (index(b""), "index.row_groups", ""),
    "more row groups": (index(ROWS + ROWS), "index", "trailing bytes in row group index"),
    "a byte left over": (index(ROWS + b"\0"), "index", "trailing bytes in row group index"),
    "no statistics' number": (index(ROWS[:-1]), "index.row_groups[0].num_stats", ""),
    "half an offset": (index(b"\2\1\0\0\0\0\0"), "index.row_groups[0].buckets", ""),
    "more buckets than there are": (
        index(row_group(2, entry(0, 0, 10, 10), entry(0, 0, 10, 10))),
        "index.row_groups[0].num_buckets",
        "non_empty count exceeds num_buckets",
    ),
    "the number of no bucket": (
        index(row_group(2, entry(1, 0, 10, 10))),
        "index.row_groups[0].buckets[0].bucket_id",
        "corrupted row group index",
    ),
    "a bucket twice": (
        file(TWO + TWO, schema(*PAIR, num_buckets=2), row_group(2, *2 * [entry(0, 0, 10, 10)]), num_buckets=2),
        "index.row_groups[0]",
        "duplicate bucket_id",
    ),
    "a bucket outside": (
        index(row_group(2, entry(0, 1, 10, 10))),
        "index.row_groups[0].buckets[0].stored",
        "past schema block",
    ),
    "a bucket far outside": (
        index(row_group(2, entry(0, 2**64 - 5, 10, 10))),
        "index.row_groups[0].buckets[0].stored",
        "past schema block",
    ),
    "a block without bytes": (
        index(row_group(2, entry(0, 0, 0, 10))),
        "index.row_groups[0].buckets[0].inflated",
        "invalid bucket layout",
    ),
    "pages in a file without compression": (
        index(row_group(2, entry(0, 0, 10, 0))),
        "index.row_groups[0].buckets[0].inflated",
        "paged bucket requires ZSTD",
    ),
    "a bucket that says it is large": (
        file(frame(TWO), schema(INT), row_group(2, entry(0, 0, len(frame(TWO)), 2**32 - 1)), compression=ZSTD),
        "index.row_groups[0].buckets[0].inflated",
        "what the block can hold",
    ),
    "the same bucket in two row groups": (
        file(TWO, schema(INT), ROWS, ROWS),
        "index.row_groups[1].buckets[0]",
        "overlaps",
    ),
    "buckets that overlap": (
        file(
            TWO + b"\0",
            schema(*PAIR, num_buckets=2),
            row_group(2, entry(1, 0, 10, 10), entry(0, 9, 2, 2)),
            num_buckets=2,
        ),
        "index.row_groups[0].buckets[1]",
        "overlaps",
    ),
    "statistics of no column": (
        one_bucket(TWO, 2, INT, stats=[b"\1\2"]),
        "index.row_groups[0].stats[0].column",
        "column_index out of range",
    ),
    "more nulls than rows": (
        one_bucket(TWO, 2, INT, stats=[b"\0\3"]),
        "index.row_groups[0].stats[0].null_count",
        "null_count exceeds",
    ),
    "statistics beyond the bytes": (
        index(ROWS[:-1] + uvarint(2**32 - 1)),
        "index.row_groups[0].stats",
        "do not fit",
    ),
    "half a bound": (one_bucket(TWO, 2, INT, stats=[b"\0\0\0\0\0\1\0"]), "index.row_groups[0].stats[0].high", ""),
    "a bound beyond the bytes": (
        one_bucket(TWO, 2, TEXT, stats=[b"\0\0" + uvarint(2**31) + b"a"]),
        "index.row_groups[0].stats[0].low",
        "",
    ),
    "a bound that is not UTF-8": (
        one_bucket(b"\0\0\1a", 1, TEXT, stats=[b"\0\0" + sized(b"a") + sized(b"\xff")]),
        "index.row_groups[0].stats[0]",
        "UTF-8",
    ),
    "a bound that is no boolean": (
        one_bucket(b"\0\0\1", 1, column(b"x", b"\0\1"), stats=[b"\0\0\1\1", b"\0\0\0\2"]),
        "index.row_groups[0].stats[1]",
        "neither 0 nor 1",
    ),
}

HEADERS = {
    f"{section}: {what}": case
    for section, cases in {"footer": FOOTERS, "block": BLOCKS, "schema": SCHEMAS, "index": INDEXES}.items()
    for what, case in cases.items()
}
