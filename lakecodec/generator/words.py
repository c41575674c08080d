"""Words that cannot be names, and words of other languages and of other Thrifts with what lakecodec's IDL has for them."""

from __future__ import annotations

from ..runtime.suggest import did_you_mean
from .builtin_names import ATTRIBUTES

#: Types of structs.
_TYPES = {
    "float": "double", "real": "double", "int": "i32", "long": "i64", "short": "i16", "str": "string", "text": "string",
    "utf8": "string", "bytes": "binary", "boolean": "bool", "u8": "i8", "int8": "i8", "int16": "i16", "int32": "i32",
    "int64": "i64", "u16": "i16", "u32": "i32", "u64": "i64", "uint8": "i8", "uint16": "i16", "uint32": "i32",
    "uint64": "i64", "char": "i8", "UUID": "uuid", "array": "list", "dict": "map", "vector": "list",
}  # fmt: skip

#: Types of fields of records.
_WIRE_TYPES = {
    "uint8": "u8", "uint16": "u16", "uint24": "u24", "uint32": "u32", "uint64": "u64", "int8": "i8", "int16": "i16",
    "int24": "i24", "int32": "i32", "int64": "i64", "uint": "u32", "int": "i32", "long": "i64", "short": "i16",
    "byte": "u8", "char": "u8", "float": "f32", "float16": "f16", "float32": "f32", "float64": "f64", "double": "f64",
    "bool": "bool8", "boolean": "bool8", "binary": "bytes", "varint": "uvarint64", "varint32": "uvarint32",
    "varint64": "uvarint64", "zigzag": "svarint64", "leb128": "uvarint64", "uleb128": "uvarint64", "sleb128": "ivarint64",
}  # fmt: skip
_TEXTS = frozenset({"string", "str", "text", "char8"})

_BYTE_ORDERS = {"be": "big", "bigendian": "big", "network": "big", "le": "little", "littleendian": "little"}

_FBTHRIFT = "an extension of fbthrift, which Apache's Thrift does not have"
#: Words in place of a definition or a header, and what they are.
_DEFINITIONS = {
    "package": f"`package` is {_FBTHRIFT}",
    "hs_include": f"`hs_include` is {_FBTHRIFT}",
    "interaction": f"`interaction` is {_FBTHRIFT}",
    "performs": f"`performs` is {_FBTHRIFT}",
    "@": f'annotations with @ are {_FBTHRIFT}; Thrift writes them after the fields: struct S {{ ... }} (key = "value")',
    "syntax": "there is no `syntax`: a `message` is read and written as both proto2 and proto3 say",
    "class": "there is no `class`; did you mean `struct`?",
    "import": "there is no `import`; did you mean `include`?",
    "cpp_namespace": "Thrift dropped `cpp_namespace`; write `namespace cpp`",
    "php_namespace": "Thrift dropped `php_namespace`; write `namespace php`",
    "csharp_namespace": "Thrift dropped `csharp_namespace`; write `namespace csharp`",
    "ruby_namespace": "Thrift dropped `ruby_namespace`; write `namespace rb`",
    "py_module": "Thrift dropped `py_module`; write `namespace py`",
    "perl_package": "Thrift dropped `perl_package`; write `namespace perl`",
    "java_package": "Thrift dropped `java_package`; write `namespace java`",
}
#: Words before `<`, and what they are.
_TEMPLATES = {"stream": f"`stream<...>` is {_FBTHRIFT}", "sink": f"`sink<...>` is {_FBTHRIFT}"}


def type_hint(name: str) -> str:
    """Returns `; did you mean 'double'?` for a type of another language, else nothing."""
    return f"; did you mean '{_TYPES[name]}'?" if name in _TYPES else ""


def wire_type_hint(name: str) -> str:
    """Returns a hint for a type that no field of a record has; "" for other types."""
    if name in _TEXTS:
        return '; a text is `utf8`, with a length or an end: utf8 x[n], utf8 x until "\\0"'
    if name in ("list", "set", "array", "vector"):
        return "; a list is a dimension after the name: u8 x[n]"
    for ending, order in (("_be", "big"), ("_le", "little")):
        if name.endswith(ending) and name[: -len(ending)] in (
            "u16",
            "u24",
            "u32",
            "u64",
            "i16",
            "i24",
            "i32",
            "i64",
            "f16",
            "f32",
            "f64",
        ):
            return f"; the byte order is written after the record's name: record R : {order} {{ ... }}"
    return f"; did you mean '{_WIRE_TYPES[name]}'?" if name in _WIRE_TYPES else ""


def attribute_hint(name: str) -> str:
    """Returns a hint for an attribute that no record has; "" for others."""
    order = _BYTE_ORDERS.get(name.lower().replace("_", ""))
    return f"; did you mean '{order}'?" if order else did_you_mean(name, ATTRIBUTES)


def definition_hint(word: str) -> str | None:
    """Returns the hint for a foreign word where a definition is expected, None where the word is not known."""
    return _DEFINITIONS.get(word)


def template_hint(word: str) -> str | None:
    """Returns the hint for a word before `<` that is no container."""
    return _TEMPLATES.get(word)


_WORDS = """
namespace cpp_include include void bool byte i8 i16 i32 i64 double string binary uuid map list set oneway typedef
struct union exception extends throws service enum const required optional senum slist async true false cpp_type xsd_all
xsd_optional xsd_nillable xsd_attrs
"""

_FOREIGN_WORDS = """
BEGIN END __CLASS__ __DIR__ __FILE__ __FUNCTION__ __LINE__ __METHOD__ __NAMESPACE__ abstract alias and args as
assert begin break case catch class clone continue declare def default del delete do dynamic elif else elseif elsif
end enddeclare endfor endforeach endif endswitch endwhile ensure except exec finally float for foreach from function
global goto if implements import in inline instanceof interface is lambda module native new next nil not or pass
public print private protected raise redo rescue retry register return self sizeof static super switch synchronized
then this throw transient try undef unless unsigned until use var virtual volatile when while with xor yield
"""

#: The words of Thrift's grammar. Most of them may name fields, but nothing else.
THRIFT_KEYWORDS = frozenset(_WORDS.split())

#: Words of target languages that Thrift's compilers once refused, and other implementations still do.
FOREIGN_KEYWORDS = frozenset(_FOREIGN_WORDS.split())


#: Words that cannot name fields either.
_NEVER_NAMES = frozenset({"true", "false", "cpp_type", "xsd_all", "xsd_optional", "xsd_nillable", "xsd_attrs"})


def is_reserved(name: str, *, field: bool = False) -> bool:
    """Returns whether Thrift refuses the name for definitions, enum members and functions, or for fields."""
    return name in (_NEVER_NAMES if field else THRIFT_KEYWORDS)
