"""Words that cannot be names."""

from __future__ import annotations

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

#: Words of Thrift's grammar. Fields may have most of them as names, nothing else may.
THRIFT_KEYWORDS = frozenset(_WORDS.split())

#: Words of target languages that Thrift's compilers once refused, and other implementations still do.
FOREIGN_KEYWORDS = frozenset(_FOREIGN_WORDS.split())


#: Words that fields cannot have as names either.
_NEVER_NAMES = frozenset({"true", "false", "cpp_type", "xsd_all", "xsd_optional", "xsd_nillable", "xsd_attrs"})


def is_reserved(name: str, *, field: bool = False) -> bool:
    """Returns whether Thrift refuses the name for definitions, enum members and functions, or for fields."""
    return name in (_NEVER_NAMES if field else THRIFT_KEYWORDS)
