"""Words of the IDL that need no declaration, each with the text that an editor shows."""

from __future__ import annotations

from lakecodec.generator.builtin_names import FIXED_WIDTHS, VARINT_BITS
from lakecodec.generator.column_types import FORMS
from lakecodec.generator.print.element_reader import varint_name
from lakecodec.runtime.records.read_numbers import NumberReader

DEFINITIONS = {
    "record": "Fields of bytes, one after the other or at places: `record Name(params) : little { ... }`.",
    "variant": "One of several bodies, by a tag: `variant Name(u8 kind) on kind { 1: A { ... }; else: B; }`.",
    "encoding": "One body per logical type: `encoding Name over Types { case int32 { i32 v; } }`.",
    "codec": "A pair of functions between a stored and a decoded value, named after `via`.",
    "fn": "A function without effects: `fn double_of(i64 n) -> i64 = 2 * n;`.",
    "table": "A flat view of a decoded tree, as Arrow columns.",
    "struct": "Fields by id, in Thrift's compact protocol.",
    "union": "One of several fields, by id.",
    "exception": "A struct that services throw.",
    "message": "Fields by number, in protobuf's wire form.",
    "oneof": "One of several fields of a message.",
    "enum": "Named numbers.",
    "const": "A named value.",
    "typedef": "Another name of a type.",
    "service": "Functions of an interface; no code is made of them.",
    "include": "The definitions of another file, under its name as prefix.",
    "namespace": "The name of the module in a language.",
}

CLAUSES = {
    "let": "An attribute without bytes: `let name = expr;`. It is computed when it is asked for.",
    "where": "A rule that the value must keep; `else` has the message of its failure.",
    "else": "The message of a rule's failure, or the alternative for all other tags.",
    "if": "The field is there only where this holds.",
    "at": "The field's offset: from the start of its record, `from source`, or from a record around it: `from Message`.",
    "size": "The field's span in bytes.",
    "until": "The terminator of a text, or the condition that ends a list.",
    "default": "The value that a new record has where the field is not given: a constant.",
    "align": "The offset of a placed field is a multiple of this; zeros come before it.",
    "via": "The codec between the stored and the decoded value.",
    "arrow": "The Arrow type of an alternative.",
    "with": "Fields inside of this one that are computed on writing.",
    "when": "The condition of a computed value.",
    "required": "A field that is always written, and must be there.",
    "optional": "A field that may be absent.",
    "extern": "The Python implementation, as `module:name`.",
    "not": "Negation.",
    "and": "Both hold.",
    "or": "One of them holds.",
    "is": "Whether a variant's value has this alternative.",
    "in": "The list that a loop runs over.",
}

ATTRIBUTES = {
    "big": "Numbers have their highest byte first.",
    "little": "Numbers have their lowest byte first.",
    "normalizes": "Bytes in another form than the written one are read: numbers with more bytes than they need, for instance.",
    "gaps": "Bytes between placed fields are kept.",
    "overlaps": "Placed fields may share bytes.",
    "size": "The record takes this many bytes.",
    "streams": "Values can be read from streams, which is checked.",
    "text": "The encoding's values are text.",
}

VALUES = {
    "end": "The size of the span around the field, in bytes.",
    "rest": "How many bytes are left in the span.",
    "at_end": "Whether no byte is left in the span.",
    "value": "The value that a codec is given.",
    "width": "The width of a column's values, in bytes.",
    "true": "The boolean.",
    "false": "The boolean.",
    "null": "No value.",
}

FUNCTIONS = {
    "adler32": "adler32(bytes): the checksum of RFC 1950.",
    "all_but": "all_but(check): the bytes of the whole record, what it places too, without those of the fields named.",
    "ascending": "ascending(list): whether each element is greater than the one before.",
    "big_bytes": "big_bytes(n, size): the bytes of a number, the highest first; a negative one in two's complement.",
    "big_number": "big_number(bytes): the number without a sign whose bytes they are, the highest first.",
    "bit_length": "bit_length(n): the bits that a number needs.",
    "common_prefix": "common_prefix(a, b): how many bytes both begin with.",
    "contains": "contains(list, x): whether a list has an element.",
    "count": "count(list): the number of elements, or of those for which a condition holds: count(x in list where ...).",
    "crc32": "crc32(bytes): the checksum of ISO 3309.",
    "encoded": "encoded(field): the field's bytes as they are written; encoded(first, last): those from one field to another.",
    "first": "first(list): its first element.",
    "fold": "fold(x in list, total = 0 : total + x): the last of the totals.",
    "is_permutation": "is_permutation(list): whether it has each of 0 to n - 1 once.",
    "join": "join(list, separator): its texts with the separator between them.",
    "ahead": "ahead(mark): the number of bytes before the next mark, -1 where there is none.",
    "member": "member(enum, number): the member of an enum that has a number.",
    "last": "last(list): its last element; in `[until ...]`, the one just read.",
    "list_of": "list_of(a, b, ...): its arguments as a list.",
    "little_bytes": "little_bytes(n, size): the bytes of a number, the lowest first; a negative one in two's complement.",
    "little_number": "little_number(bytes): the number without a sign whose bytes they are, the lowest first.",
    "max": "max(a, b): the greatest of some numbers, or of a list.",
    "min": "min(a, b): the least of some numbers, or of a list.",
    "name_of": "name_of(n): the name of an enum's number.",
    "offset": "offset(field): where the field begins.",
    "peek": "peek(n): the next n bytes, which stay to be read; fewer at the end of the span.",
    "padding": "padding(n): the bytes up to the next multiple of n.",
    "position": "position(list, x): where a list has an element.",
    "present": "present(field): whether it is there.",
    "raw_size": "raw_size(field): its bytes before they are compressed.",
    "size": "size(field): its bytes.",
    "source": "source(): the number of a table's buffer.",
    "sum": "sum(list): the total of its numbers.",
    "tag": "tag(variant): the tag of its alternative.",
    "tag_name": "tag_name(variant): the name of its alternative.",
    "unique": "unique(list): whether no element comes twice.",
}

CODECS = {
    "compact": "A struct in Thrift's compact protocol.",
    "protobuf": "A message in protobuf's wire form.",
    "enum": "enum(E): numbers as members of an enum.",
    "identity": "The bytes as they are.",
}

BASE_TYPES = {
    "bool": "True or false.",
    "byte": "A signed number of 8 bits.",
    "i8": "A signed number of 8 bits.",
    "i16": "A signed number of 16 bits.",
    "i32": "A signed number of 32 bits.",
    "i64": "A signed number of 64 bits.",
    "double": "A float of 64 bits.",
    "string": "A text in UTF-8.",
    "binary": "Bytes.",
    "uuid": "A UUID.",
    "list": "list<T>: elements in order.",
    "set": "set<T>: distinct elements.",
    "map": "map<K, V>: values by key.",
}

COLUMN_TYPES = {name: f"{form}: a type of a table's columns." for name, form in FORMS.items()}


def _number(name: str, width: int) -> str:
    kind = {"u": "An unsigned number", "i": "A signed number", "f": "A float"}[name[0]]
    return f"{kind} of {8 * width} bits: {width} byte{'s' * (width > 1)} in the record's byte order."


def _varint(name: str, bits: int) -> str:
    """Returns the description of the method that reads the number."""
    said = getattr(NumberReader, varint_name(name)).__doc__.splitlines()[0].removeprefix("Returns ")
    return f"{said[0].upper()}{said[1:]}".replace("``bits``", str(bits))


WIRE_TYPES = {
    **{name: _number(name, width) for name, width in FIXED_WIDTHS.items()},
    **{name: _varint(name, bits) for name, bits in VARINT_BITS.items()},
    "bytes": "bytes x[n]: n bytes; `until` for those before a terminator, `[..]` for all that are left.",
    "utf8": "utf8 x[n]: a text of n bytes in UTF-8.",
    "text": "A text, in encodings of text.",
    "bool8": "A byte that is 0 or 1.",
    "bits": "bits<w> x[n]: n packed numbers of w bits, lowest bit first.",
    "native": "A value in the layout of the machine.",
    "part": "A part of a codec's value.",
}


def documentation(word: str) -> str | None:
    """Returns the documentation of a word that needs no declaration, None for others."""
    for known in (WIRE_TYPES, BASE_TYPES, COLUMN_TYPES, DEFINITIONS, CLAUSES, ATTRIBUTES, VALUES, FUNCTIONS, CODECS):
        if word in known:
            return known[word]
    return None
