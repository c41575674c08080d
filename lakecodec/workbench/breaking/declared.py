"""Differences between two lowered declarations, before their effect on bytes is known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...generator.diagnostics import Diagnostics
from ...generator.model import Const, Definition, Enum, Extension, Field, Module, Record, Service, Struct, Table
from ...generator.parse import parse
from ...generator.print.types import literal
from ...generator.syntax import FunctionDef, ServiceDef, VariantDef
from .bodies import bodies
from .difference import Breaks, Difference

_PLACES = re.compile(r",? ?(?:\w*location=)?Location\([^)]*\)")
_TEXTS = re.compile(r""", (doc|message|derived_message)=(None|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")

# ---- declarations by name ----


def named(module: Module) -> dict[str, Definition]:
    """Returns the definitions of a module by name."""
    return {item.name: item for item in module.definitions}


def has_bytes(item: Definition | None) -> bool:
    """Returns whether values of a declaration have bytes of their own."""
    return isinstance(item, Record | Struct) or (isinstance(item, Extension) and isinstance(item.syntax, VariantDef))


def differences(old: Module, new: Module) -> Iterator[Difference]:
    """Yields all differences of two versions of a file, those of its types by type."""
    before, after = named(old), named(new)
    for name, item in before.items():
        other = after.get(name)
        if other is None:
            yield Difference("declaration-removed", name, "", f"the {_kind(item)} {name} was removed", "source")
        elif _kind(item) != _kind(other):
            message = f"the kind changed from {_kind(item)} to {_kind(other)}"
            yield Difference("kind-changed", name, "", message, "source")
        else:
            yield from _between(item, other, old, new)


def _kind(item: Definition) -> str:
    if isinstance(item, Struct | Extension):
        return item.kind
    return type(item).__name__.lower()


def _between(item: Definition, other: Definition, old: Module, new: Module) -> Iterator[Difference]:
    match item, other:
        case Struct(), Struct():
            yield from _structs(item, other)
        case Enum(), Enum():
            yield from _enums(item, other)
        case Table(), Table():
            yield from _tables(item, other)
        case Const(), Const():
            was, now = literal(item.value, item.type, old), literal(other.value, other.type, new)
            if was != now:
                message = f"the value changed from {was} to {now}"
                yield Difference("constant-changed", item.name, "", message, "meaning")
        case Service(), Service():
            yield from _services(_parsed(old, item.name), _parsed(new, item.name))
        case _:
            if has_bytes(item):
                yield from bodies(item.name, old, new)
                if isinstance(item, Extension) and isinstance(other, Extension):
                    yield from _gone(item, other)
                    yield from _arrow(item, other)
            elif (was := _strict(item)) != (now := _strict(other)):
                part = _first_change(was, now)
                yield Difference(
                    f"{_kind(item)}-changed",
                    item.name,
                    "",
                    f"the declaration of {_kind(item)} {item.name} changed {part}",
                    "meaning",
                )


def declared(item: Definition | FunctionDef) -> str:
    """Returns a declaration as text without places and names of parameters, for comparison."""
    syntax = getattr(item, "syntax", item)
    found = without_places(syntax)
    for number, each in enumerate(getattr(syntax, "params", ())):
        found = found.replace(f"name='{each.name}'", f"name='parameter {number}'")
    return found


def _strict(item: Definition) -> str:
    """Returns a declaration as text without `normalizes`, which the records that use a codec tell of."""
    return declared(item).replace("attributes={'normalizes': []}", "attributes={}")


def without_places(node: object) -> str:
    """Returns syntax as text without places, comments and messages."""
    return _TEXTS.sub("", _PLACES.sub("", repr(node)))


def _first_change(was: str, now: str) -> str:
    words = re.findall(r"\w+", was), re.findall(r"\w+", now)
    start = next((place for place, (a, b) in enumerate(zip(*words, strict=False)) if a != b), 0)
    parts = (" ".join(each[max(0, start - 2) : start + 2]) for each in words)
    return "from `{}` to `{}`".format(*parts)


def _gone(old: Extension, new: Extension) -> Iterator[Difference]:
    """Yields a difference for each removed alternative. An `else` may still read its bytes."""
    left = {each.name for each in new.syntax.cases}
    for each in old.syntax.cases:
        if each.name not in left:
            message = f"the alternative {each.name} was removed"
            yield Difference("alternative-removed", old.name, each.name, message, "source")


def _arrow(old: Extension, new: Extension) -> Iterator[Difference]:
    """Yields a difference for each alternative whose conversion to or from Arrow types changed."""
    cases = {each.name: each.arrow for each in new.syntax.cases}
    for each in old.syntax.cases:
        was, now = (_PLACES.sub("", repr(arrow)) for arrow in (each.arrow, cases.get(each.name, each.arrow)))
        if was != now:
            message = f"the arrow clause of {each.name} changed {_first_change(was, now)}"
            yield Difference("arrow-changed", old.name, each.name, message, "meaning")


# ---- declarations of Thrift ----


def _parsed(module: Module, name: str) -> ServiceDef:
    """Returns the text of a service, since the model has only the names of its functions."""
    file = parse(module.text, module.file, Diagnostics())
    return next(each for each in file.definitions if isinstance(each, ServiceDef) and each.name == name)


def _services(old: ServiceDef, new: ServiceDef) -> Iterator[Difference]:
    if old.extends is not None and old.extends != new.extends:
        message = f"the extended service changed from {old.extends} to {new.extends or 'none'}"
        yield Difference("service-changed", old.name, "", message, "meaning")
    functions = {each.name: each for each in new.functions}
    for each in old.functions:
        other = functions.get(each.name)
        if other is None:
            yield Difference("service-changed", old.name, each.name, f"the function {each.name} was removed", "meaning")
        elif (was := declared(each)) != (now := declared(other)):
            message = f"the declaration of function {each.name} changed {_first_change(was, now)}"
            yield Difference("service-changed", old.name, each.name, message, "meaning")


def _structs(old: Struct, new: Struct) -> Iterator[Difference]:
    if old.kind != new.kind:
        yield Difference("kind-changed", old.name, "", f"the kind changed from {old.kind} to {new.kind}")
    by_id, by_name = {each.id: each for each in new.fields}, {each.name: each for each in new.fields}
    for field in old.fields:
        other = by_id.get(field.id)
        moved = by_name.get(field.name)
        if moved is not None and moved.id != field.id:
            yield Difference("id-changed", old.name, field.name, f"the id changed from {field.id} to {moved.id}")
        if other is None:
            if moved is None:
                breaks: Breaks | None = None if field.requiredness == "required" else "source"
                word = "member" if old.kind == "union" else "field"
                message = f"the {word} with the id {field.id} ({field.requiredness}) was removed"
                yield Difference(f"{word}-removed", old.name, field.name, message, breaks)
            continue
        yield from _fields(old, new, field, other)
    known = {each.id for each in old.fields}
    for field in new.fields:
        if field.id not in known and field.requiredness == "required":
            message = f"a required field with the id {field.id} was added"
            yield Difference("required-added", old.name, field.name, message)


def _fields(struct: Struct, other_struct: Struct, old: Field, new: Field) -> Iterator[Difference]:
    if old.name != new.name and all(each.name != old.name for each in other_struct.fields):
        message = f"the field was renamed from {old.name} to {new.name}"
        yield Difference("field-renamed", struct.name, old.name, message, "source")
    if repr_of(old) != repr_of(new):
        message = f"the type changed from {repr_of(old)} to {repr_of(new)}"
        yield Difference("type-changed", struct.name, old.name, message)
    if old.requiredness != new.requiredness and struct.kind != "union":
        message = f"the requiredness changed from {old.requiredness} to {new.requiredness}"
        yield Difference("requiredness-changed", struct.name, old.name, message)
    default, other = _default(old, struct.module), _default(new, other_struct.module)
    if default != other and repr_of(old) == repr_of(new):
        breaks: Breaks | None = None if "default" in (old.requiredness, new.requiredness) else "source"
        message = f"the default changed from {default} to {other}"
        yield Difference("default-changed", struct.name, old.name, message, breaks)


def repr_of(field: Field) -> str:
    """Returns a field's type as text, in which named types are their names."""
    return _type_text(field.type)


def _type_text(type_: object) -> str:
    if isinstance(type_, Struct | Enum):
        return type_.name
    parts = [getattr(type_, name) for name in ("key", "value") if hasattr(type_, name)]
    if parts:
        return f"{type(type_).__name__.removesuffix('Of').lower()}<{', '.join(map(_type_text, parts))}>"
    return str(getattr(type_, "kind", ""))


def _default(field: Field, module: Module) -> str:
    return literal(field.default, field.type, module) if field.has_default else "none"


def _enums(old: Enum, new: Enum) -> Iterator[Difference]:
    numbers, names = {each.number: each.name for each in new.members}, {each.name: each.number for each in new.members}
    for member in old.members:
        now = names.get(member.name)
        if now is not None and now != member.number:
            message = f"the number changed from {member.number} to {now}"
            yield Difference("enum-number-changed", old.name, member.name, message, "meaning")
        elif now is None and (other := numbers.get(member.number)) is not None:
            message = f"the member was renamed from {member.name} to {other}"
            yield Difference("enum-member-renamed", old.name, member.name, message, "source")
        elif now is None:
            message = f"the member with the number {member.number} was removed"
            yield Difference("enum-member-removed", old.name, member.name, message, "source")


def _tables(old: Table, new: Table) -> Iterator[Difference]:
    columns = {each.name: each for each in new.columns}
    for column in old.columns:
        other = columns.get(column.name)
        if other is None:
            yield Difference("column-removed", old.name, column.name, "the column was removed", "source")
        elif column.type_name != other.type_name:
            message = f"the type changed from {column.type_name} to {other.type_name}"
            yield Difference("column-type-changed", old.name, column.name, message, "source")
        elif without_places(column.expression) != without_places(other.expression):
            yield Difference("column-changed", old.name, column.name, "the expression of the column changed", "meaning")
    if [without_places(each) for each in old.loops] != [
        without_places(each) for each in new.loops
    ] or old.source.name != new.source.name:
        yield Difference("rows-changed", old.name, "", "the source or the loops of the rows changed", "meaning")
    order = [name for name in (each.name for each in old.columns) if name in columns]
    if order != [each.name for each in new.columns if each.name in order]:
        yield Difference("column-moved", old.name, "", "the order of the columns changed", "source")
