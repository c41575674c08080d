"""Readers and writers of structs in pure Python, made from the structs' descriptions on first use.

A method is what one would write by hand for its struct: each field has its branch, and the commonest bytes of a value
are read in place. Rare cases go to functions of `field_dispatch`, errors to the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from struct import Struct
from textwrap import indent
from typing import Any, NamedTuple

from ..memo import kept_with
from ..spec import FieldSpec, TypeSpec
from . import field_dispatch
from .field_dispatch import Reader, Writer, enum_table, interpreting, interpreting_writer, list_headers, union_reader
from .values import fresh_default, is_marker
from .wire import WIRE_TYPES

#: The names that every method can use.
_NAMES: dict[str, Any] = {
    **{name: getattr(field_dispatch, name) for name in field_dispatch.__all__},
    "new": object.__new__, "unpack_double": Struct("<d").unpack_from,
}  # fmt: skip
_BITS = {"i16": 16, "i32": 32, "enum": 32, "i64": 64}
#: Kinds of elements that list readers read in place.
_IN_PLACE = frozenset(("i16", "i32", "i64", "enum", "binary", "string", "struct"))


class Methods(NamedTuple):
    """The reader and the writer of a struct or a union."""

    read: Reader
    write: Writer


@kept_with
def methods_of(cls: Any) -> Methods:
    """Returns the methods of a class; methods of the classes inside are made on their first call."""
    if hasattr(cls, "__custom__") or is_marker(TypeSpec("struct", cls)):
        return Methods(*interpreting(cls))
    spec = cls.__spec__
    if spec.kind == "union":
        structs = [each for each in spec.fields if each.type.kind == "struct" and not is_marker(each.type)]
        return Methods(
            union_reader(cls, lambda: {each.id: methods_of(each.type.cls).read for each in structs}),
            interpreting_writer(cls),
        )
    names = {**_NAMES, "cls": cls}
    for field in spec.fields:
        _name(field, names)
    fields = sorted(spec.fields, key=lambda field: field.id)
    text = "\n".join((*_reader(fields), *_writer(fields)))
    _define(text, f"<methods of {cls.__module__}.{cls.__qualname__}>", names)
    return Methods(names["read"], names["write"])


def _define(text: str, file: str, names: dict[str, Any]) -> None:
    exec(compile(text, file, "exec"), names)


def _name(field: FieldSpec, names: dict[str, Any]) -> None:
    """Adds the names through which the methods use what a field refers to."""
    names[f"type_{_id(field)}"] = field.type
    if field.requiredness == "default" and field.default is not None:
        names[f"default_{_id(field)}"] = field if field.factory is not None else fresh_default(field)
    value = field.type
    if value.kind == "list" and value.value is not None:
        value = value.value
        wire = WIRE_TYPES[value.kind]
        names[f"SHORT_{wire}"], names[f"HEADERS_{wire}"] = list_headers(wire)
    cls: Any = value.cls
    if value.kind == "enum":
        names[f"enum_{_id(field)}"], names[f"members_{_id(field)}"] = cls, enum_table(cls)
    elif value.kind == "struct":
        for verb in ("read", "write"):
            key = f"{verb}_{_id(field)}"
            names[key] = _first(names, key, cls, verb)


def _first(names: dict[str, Any], key: str, cls: Any, verb: str) -> Callable[..., Any]:
    """Returns a placeholder that makes a class's method on the first call and replaces itself by it."""

    def method(*arguments: Any) -> Any:
        names[key] = getattr(methods_of(cls), verb)
        return names[key](*arguments)

    return method


def _id(field: FieldSpec) -> str:
    return str(field.id).replace("-", "m")


def _block(text: str, levels: int) -> str:
    return indent(text.strip("\n"), "    " * levels)


# ---- reading ----


def _reader(fields: Sequence[FieldSpec]) -> Iterator[str]:
    yield "def read(buf, pos, reading, room):\n    if room < 0:\n        raise Malformed('depth', pos)\n    made = new(cls)"
    for field in fields:
        if field.requiredness != "required":
            yield f"    made.{field.attr} = {_absent(field)}"
    yield "    key = buf[pos]\n    while True:"
    for field in fields:
        test = " or ".join(f"key == {key}" for key in _keys(field))
        yield f"        if {test}:\n{_block(_read_field(field), 3)}\n            key = buf[pos] + {field.id * 16}"
    yield "        if not key & 15:"
    # The slot of a missing required field is empty, so that reading it raises AttributeError.
    required = "".join(f"made.{field.attr}, " for field in fields if field.requiredness == "required")
    yield f"            ({required})\n            return made, pos + 1"
    yield "        key, pos = unmatched_field(buf, pos, key, cls, reading, room)"


def _absent(field: FieldSpec) -> str:
    if field.requiredness != "default" or field.default is None:
        return "None"
    return f"fresh_default(default_{_id(field)})" if field.factory is not None else f"default_{_id(field)}"


def _keys(field: FieldSpec) -> tuple[int, ...]:
    """Returns ``id << 4 | wire type`` of the headers that announce a field."""
    wire = WIRE_TYPES[field.type.kind]
    return (field.id << 4 | 1, field.id << 4 | 2) if field.type.kind == "bool" else (field.id << 4 | wire,)


def _read_field(field: FieldSpec) -> str:
    """Returns the statements of a field: ``pos`` is at its header byte, values begin behind it."""
    kind, name = field.type.kind, f"made.{field.attr}"
    match kind:
        case "enum":
            return f"{name} = members_{_id(field)}[buf[pos + 1]]\npos += 2"
        case "i16" | "i32" | "i64":
            return _read_number(kind, f"{name} = ", name, 1)
        case "binary" | "string":
            return _read_bytes(kind, f"{name} = ", name, 1)
        case "struct":
            return f"{name}, pos = read_{_id(field)}(buf, pos + 1, reading, room - 1)"
        case "bool":
            return f"{name} = key == {field.id << 4 | 1}\npos += 1"
        case "i8":
            return f"{name} = (buf[pos + 1] ^ 128) - 128\npos += 2"
        case "double":
            return f"{name} = unpack_double(buf, pos + 1)[0]\npos += 9"
    if _is_list_in_place(field.type):
        return _read_list(field, name)
    return f"{name}, pos = read_value(type_{_id(field)}, buf, pos + 1, reading, room)"


def _is_list_in_place(type_: TypeSpec) -> bool:
    return type_.kind == "list" and type_.value is not None and type_.value.kind in _IN_PLACE


def _read_number(kind: str, put: str, name: str, offset: int, end: str = "") -> str:
    """Returns the statements for a number; ``put`` and ``end`` enclose the value.

    Numbers of three bytes go to a function.
    """
    bits = _BITS[kind]
    after = f"\n    {put}{name}{end}" if end else ""
    return f"""
if (byte := buf[pos + {offset}]) < 128:
    {put}ZIGZAG[byte]{end}
    pos += {offset + 1}
elif (more := buf[pos + {offset + 1}]) < 128:
    {put}ZIGZAG[byte + (more << 7)]{end}
    pos += {offset + 2}
else:
    {name}, pos = tail_i{bits}(buf, pos + {offset + 2}, byte + (more << 7) - 16512){after}"""


def _read_bytes(kind: str, put: str, name: str, offset: int, end: str = "") -> str:
    text = "" if kind == "binary" else ".decode()"
    after = f"\n    {put}{name}{end}" if end else ""
    return f"""
if (size := buf[pos + {offset}]) < 128:
    {put}buf[(start := pos + {offset + 1}) : (pos := start + size)]{text}{end}
else:
    {name}, pos = long_{kind}(buf, pos + {offset}){after}"""


def _read_list(field: FieldSpec, name: str) -> str:
    element = field.type.value
    assert element is not None
    kind, wire = element.kind, WIRE_TYPES[element.kind]
    head = f"""
if (size := SHORT_{wire}[buf[(pos := pos + 2) - 1]]) < 0:
    size, pos = list_size(buf, pos - 1, {wire})
if (left := reading.elements - size) < 0 or room < 1:
    raise Malformed("elements", pos)
reading.elements = left
{name} = items = []
"""
    if kind == "enum":
        return f"{head}for byte in buf[pos : pos + size]:\n    items.append(members_{_id(field)}[byte])\npos += size"
    if kind == "struct":
        body = f"item, pos = read_{_id(field)}(buf, pos, reading, room - 2)\nitems.append(item)"
    elif kind in _BITS:
        body = _read_number(kind, "items.append(", "item", 0, ")")
    else:
        body = _read_bytes(kind, "items.append(", "item", 0, ")")
    return f"{head}for _ in RANGES[size] if size < 15 else range(size):\n{_block(body, 1)}"


# ---- writing ----


def _writer(fields: Sequence[FieldSpec]) -> Iterator[str]:
    """Yields the lines of the writer; header bytes are constants where only one field can precede."""
    yield "def write(out, made):\n    if type(made) is not cls:\n        look_at_class(made, cls)"
    yield "    put = out.append\n    last = 0"
    possible = {0}
    for field in fields:
        deltas = {field.id - last for last in possible}
        text = f"{_header(field, deltas)}\n{_write_value(field)}\nlast = {field.id}"
        if field.requiredness == "required":
            yield f"    value = made.{field.attr}\n{_block(text, 1)}"
            possible = {field.id}
        else:
            yield f"    if (value := made.{field.attr}) is not None:\n{_block(text, 2)}"
            possible.add(field.id)
    yield "    put(0)"


def _header(field: FieldSpec, deltas: set[int]) -> str:
    wire, is_short = WIRE_TYPES[field.type.kind], all(0 < delta < 16 for delta in deltas)
    if field.type.kind == "bool":
        if len(deltas) == 1 and is_short:
            return f"put({min(deltas) << 4} | wire_bool(value))"
        return f"write_field_header(out, last, {field.id}, wire_bool(value))"
    if is_short:
        return f"put({(min(deltas) << 4) + wire})" if len(deltas) == 1 else f"put(({field.id} - last) << 4 | {wire})"
    return f"write_field_header(out, last, {field.id}, {wire})"


def _write_value(field: FieldSpec) -> str:
    kind = field.type.kind
    if _is_list_in_place(field.type):
        return _write_list(field)
    match kind:
        case "bool":
            return ""
        case "i16" | "i32" | "i64" | "enum":
            return _write_number(field, kind, "value")
        case "binary" | "string":
            return _write_bytes(kind, "value")
        case "struct":
            return f"write_{_id(field)}(out, value)"
    return f"write_value(type_{_id(field)}, out, value)"


def _write_number(field: FieldSpec, kind: str, value: str) -> str:
    is_plain = f"isinstance({value}, enum_{_id(field)})" if kind == "enum" else f"type({value}) is int"
    return f"out += INTS[{value}] if {is_plain} and 0 <= {value} < 8192 else varint({value}, {_BITS[kind]})"


def _write_bytes(kind: str, value: str) -> str:
    encoded = f"{value} = str.encode({value})\n" if kind == "string" else ""
    return f"""{encoded}if type({value}) is bytes and len({value}) < 128:
    put(len({value}))
    out += {value}
else:
    out += sized({value})"""


def _write_list(field: FieldSpec) -> str:
    element = field.type.value
    assert element is not None
    kind, wire = element.kind, WIRE_TYPES[element.kind]
    if kind == "struct":
        body = f"write_{_id(field)}(out, item)"
    else:
        body = _write_number(field, kind, "item") if kind in _BITS else _write_bytes(kind, "item")
    short = f"HEADERS_{wire}[len(value)] if type(value) is list and len(value) < 15 else list_header(value, {wire})"
    return f"out += {short}\nfor item in value:\n{_block(body, 1)}"
