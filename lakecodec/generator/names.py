"""Names and texts in generated Python: the IDL's, or a free name near it where Python or the generated API reserves it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable

from ..runtime.compact.base import Struct as StructBase
from ..runtime.compact.base import Union as UnionBase
from ..runtime.protobuf.message import Message as MessageBase
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.record import Variant
from .graph import computed_once, in_order
from .model import Const, Definition, Enum, Extension, Module, Record, Struct

#: The methods of generated classes, and Python's names in their annotations.
_METHODS = frozenset((
    "feeder", "from_bytes", "from_dict", "from_json", "read", "replace", "self", "skip", "stream", "to_bytes", "to_dict",
    "to_json",
))  # fmt: skip
_UNION = frozenset(("kind", "value", "id", "raw", "wire"))
_ENUM = frozenset(("mro", "name", "value"))
_PRIVATE = frozenset(name for cls in (LazyRecord, Variant) for name in dir(cls) if name.startswith("_"))
_RECORD = _METHODS | _PRIVATE
_LOCATED = _METHODS | _PRIVATE | {"open", "place", "span", "struct_of_arrays", "write_to"}
_VARIANT = _METHODS | _PRIVATE | {"kind", "tag", "from_arrow", "to_arrow"}
#: Variables of the methods that read and write records.
_VARIABLES = frozenset((
    "at", "begin", "begun", "cls", "coded", "found", "index", "inner", "item", "items", "order", "part", "previous", "r",
    "self", "start", "state", "tag", "value", "w",
))  # fmt: skip
_BUILTINS = frozenset((
    "int", "str", "bytes", "bool", "float", "list", "set", "dict", "tuple", "frozenset", "object", "memoryview", "super",
    "len", "range", "enumerate", "max", "min", "property", "classmethod", "globals", "bound", "obj",
))  # fmt: skip
#: The import aliases of generated modules: for the runtime, the standard library, and the module itself in its pure part.
_ALIASES = frozenset((
    "_Any", "_ClassVar", "_Leaf", "_arrows", "_col", "_columns", "_decl", "_enum", "_fields", "_fn", "_lazy", "_m",
    "_objects", "_out", "_pb", "_rec", "_rt", "_spec", "_tab", "_table", "_uuid",
))  # fmt: skip
#: Names that enums and Python reserve.
_SUNDER = re.compile(r"_[^_]_|_[^_]\w*[^_]_")
_DUNDER = re.compile(r"__[^_]__|__[^_]\w*[^_]__")
_STRUCT_FIELD = _METHODS | _ALIASES | frozenset(dir(StructBase))
_MESSAGE_FIELD = _METHODS | _ALIASES | frozenset(dir(MessageBase))
_UNION_MEMBER = _METHODS | _UNION | _ALIASES | frozenset(dir(UnionBase))


def assign_names(module: Module) -> None:
    """Gives what Thrift declares its names in Python (``python``), in the module and in those it includes."""
    for each in in_order(module):
        _assign_names(each)


def _assign_names(module: Module) -> None:
    taken = _BUILTINS | _ALIASES | {import_alias(each) for each in module.imports()}
    if any(isinstance(each, Record | Extension) for each in module.definitions):
        taken |= _VARIABLES
    types = [item for item in module.definitions if isinstance(item, Enum | Struct)]
    constants = [item for item in module.definitions if isinstance(item, Const)]
    type_names = _unique((item.name for item in types), lambda name: _unused(name, taken))
    others = taken | set(type_names.values())
    constant_names = _unique((item.name for item in constants), lambda name: _unused(name, others))
    for constant in constants:
        constant.python = constant_names[constant.name]
    for item in types:
        item.python = type_names[item.name]
        inside = item.members if isinstance(item, Enum) else item.fields
        if isinstance(item, Enum):
            names = _unique((member.name for member in item.members), enum_member_name)
        else:
            change = member_name if item.is_union else message_field_name if item.is_protobuf else field_name
            names = _unique((field.name for field in item.fields), change)
        for each in inside:
            each.python = names[each.name]


def _unique(names: Iterable[str], change: Callable[[str], str]) -> dict[str, str]:
    """Returns a dict of name -> name in Python. Names that need no change keep theirs; the others follow in order."""
    wanted = {name: change(name) for name in names}
    used = {name for name, new in wanted.items() if new == name}
    for name, new in wanted.items():
        if new != name:
            while new in used or change(new) != new:
                new += "_"
            used.add(new)
            wanted[name] = new
    return wanted


def import_alias(module: Module) -> str:
    """Returns the name under which another generated module imports this one."""
    alias = f"_{module.name.lstrip('_')}"
    return f"{alias}_" if alias in _ALIASES or alias.endswith("_") else alias


def definition_name(definition: Definition) -> str:
    """Returns the name of what a module defines."""
    return definition.python if isinstance(definition, Enum | Struct | Const) else type_name(definition.name)


def type_name(name: str) -> str:
    """Returns the name of a record, variant, function, codec or table; methods that use it have variables of their own."""
    return _unused(name, _BUILTINS | _VARIABLES | _ALIASES)


def field_name(name: str) -> str:
    return _unused(name, _STRUCT_FIELD)


def message_field_name(name: str) -> str:
    return _unused(name, _MESSAGE_FIELD)


def attribute_name(name: str, *, located: bool = False, variant: bool = False) -> str:
    """Returns a field or parameter of a record or variant; it never is the slot of a derived field."""
    if name[0] == name[-1] == "_" and name[1:2] not in ("_", ""):
        name = f"{name[1:]}_"
    return _unused(name, _VARIANT if variant else _LOCATED if located else _RECORD)


def argument_name(name: str) -> str:
    """Returns a parameter as an argument of the methods that read and write."""
    return _unused(name, _VARIABLES)


@computed_once
def _defined(module: Module) -> frozenset[str]:
    return frozenset(map(definition_name, module.definitions))


def free_name(module: Module, name: str) -> str:
    """Returns a name, or one near it that no definition of a module has."""
    while name in _defined(module):
        name += "_"
    return name


def variable(module: Module, field: str, kind: str) -> str:
    """Returns the variable of methods for what is known of a field, such as its size."""
    return free_name(module, f"{field}_{kind}")


def member_name(name: str) -> str:
    """Returns the constructor of a union's member."""
    return _unused(name, _UNION_MEMBER)


def enum_member_name(name: str) -> str:
    return f"{name}_" if _SUNDER.fullmatch(name) else _unused(name, _ENUM)


def _unused(name: str, taken: Iterable[str]) -> str:
    if name.startswith("__") and not name.endswith("__"):
        moved = f"{name.lstrip('_')}__"
        name = moved if moved.isidentifier() else f"_{moved}"
    return f"{name}_" if keyword.iskeyword(name) or name in taken or _DUNDER.fullmatch(name) else name


def quoted(value: str | bytes) -> str:
    """Returns a text or bytes as a literal of Python in double quotes, as formatters like it."""
    text = repr(value)
    prefix, body = ("b", text[1:]) if isinstance(value, bytes) else ("", text)
    if body[0] == "'" and '"' not in body:
        body = '"' + body[1:-1].replace("\\'", "'") + '"'
    return prefix + body
