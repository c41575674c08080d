"""What records, tables and the other extensions can use without defining it."""

from __future__ import annotations

#: Types of record fields.
WIRE_TYPES = frozenset({
    "u8", "u16", "u24", "u32", "u64", "i8", "i16", "i24", "i32", "i64", "f16", "f32", "f64", "bool8",
    "uvarint32", "uvarint64", "svarint32", "svarint64", "bits", "bytes", "utf8", "text", "native",
})  # fmt: skip

#: Types of parameters, beside Thrift's base types and what the IDL defines.
PARAMETER_TYPES = WIRE_TYPES | {"list", "set", "map"}

#: Values that are there without being declared.
VALUES = frozenset({"true", "false", "null", "root", "parent", "end", "rest", "at_end", "width", "value"})

FUNCTIONS = frozenset({
    "bit_length", "common_prefix", "contains", "count", "is_permutation", "join", "max", "min", "name_of", "offset",
    "peek_u8", "present", "raw_size", "size", "source", "sum", "tag", "tag_name", "unique",
})  # fmt: skip

#: Codecs that need no declaration; `compact` is Thrift's protocol, `enum(E)` checks a number against an enum.
CODECS = frozenset({"compact", "enum", "identity"})

ATTRIBUTES = frozenset({"big", "little", "size", "text"})
