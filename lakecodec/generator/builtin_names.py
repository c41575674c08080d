"""Names that records, tables and the other extensions can use without defining them."""

from __future__ import annotations

#: Sizes of fixed-width numbers in bytes.
FIXED_WIDTHS = {
    "u8": 1, "i8": 1, "u16": 2, "i16": 2, "u24": 3, "i24": 3, "u32": 4, "i32": 4, "u40": 5, "i40": 5,
    "u48": 6, "i48": 6, "u64": 8, "i64": 8, "f16": 2, "f32": 4, "f64": 8,
}  # fmt: skip

#: The bits of variable-length numbers. LEB128 numbers are zigzag with `s`, and two's complement with `i`. The other numbers
#: are groups of seven bits, highest first. SQLite's varints have such groups in at most nine bytes; the ninth has eight bits.
VARINT_BITS = {
    "uvarint16": 16, "uvarint32": 32, "uvarint64": 64, "svarint16": 16, "svarint32": 32, "svarint64": 64,
    "ivarint16": 16, "ivarint32": 32, "ivarint64": 64, "vlq32": 32, "vlq64": 64, "vlq9": 64, "ivlq9": 64,
}  # fmt: skip

FLOAT_TYPES = frozenset({"f16", "f32", "f64"})

#: Types whose last dimension is a length.
TEXT_TYPES = frozenset({"bytes", "utf8", "text"})

#: Types of record fields.
WIRE_TYPES = frozenset({*FIXED_WIDTHS, *VARINT_BITS, *TEXT_TYPES, "bool8", "bits", "native", "part"})

#: The types of parameters, besides Thrift's base types and the IDL's definitions.
PARAMETER_TYPES = WIRE_TYPES | {"list", "set", "map"}

#: Values that exist without a declaration.
VALUES = frozenset({"true", "false", "null", "end", "rest", "at_end", "width", "value"})

#: Functions, with the smallest and largest number of arguments.
FUNCTIONS = {
    "adler32": (1, 1), "ahead": (1, 1), "all_but": (1, 8), "ascending": (1, 1),
    "big_bytes": (2, 2), "big_number": (1, 1), "bit_length": (1, 1),
    "little_bytes": (2, 2), "little_number": (1, 1), "common_prefix": (2, 2), "contains": (2, 2),
    "count": (1, 1), "crc32": (1, 1), "encoded": (1, 2), "first": (1, 1), "is_permutation": (1, 1), "join": (2, 2),
    "last": (1, 1), "list_of": (0, 255),
    "max": (1, 8), "member": (2, 2), "min": (1, 8), "name_of": (1, 1), "offset": (1, 1), "padding": (1, 1), "peek": (1, 1),
    "position": (2, 2),
    "present": (1, 1), "raw_size": (1, 1), "size": (1, 1), "source": (0, 0), "sum": (1, 1), "tag": (1, 1),
    "tag_name": (1, 1), "unique": (1, 1),
}  # fmt: skip

#: Codecs that need no declaration, with the number of types among their arguments. `compact` and `protobuf` are the wire
#: forms of structs and messages. `enum(E)` converts numbers to members.
CODECS = {"compact": 0, "enum": 1, "identity": 0, "protobuf": 0}

ATTRIBUTES = frozenset({"big", "gaps", "little", "normalizes", "overlaps", "size", "streams", "text"})
