"""The kinds of Kaitai Struct's expressions, the meaning of names in a type, and the uses of each type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .ksy_expressions import Expr, Name, Use, parts_of
from .ksy_files import KsyFile
from .ksy_model import Attribute, KsyEnum, KsyType, Switch
from .ksy_numbers import bits_of, number_of

#: The kinds of Kaitai's built-in types other than numbers.
_TEXTS = {"str": "str", "strz": "str", "bytes": "bytes", "bool": "bool", "io": "io", "struct": "any", "any": "any"}


class InexpressibleError(Exception):
    """Raised for a construct that the IDL cannot express, with the reason."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of an expression's value.

    Attributes:
        name: `int`, `float`, `bool`, `str`, `bytes`, `enum`, `type`, `io`, `none` or `any`.
        of: the type or the enum. A variant or the record of an element is a type that ``is_wrapped``.
        wire: the IDL's type of a number.
    """

    name: str
    of: KsyType | KsyEnum | None = None
    lists: int = 0
    wire: str = ""

    @property
    def type(self) -> KsyType | None:
        return self.of if isinstance(self.of, KsyType) else None

    @property
    def is_wrapped(self) -> bool:
        return self.type is not None and self.type.variant is not None

    @property
    def element(self) -> Kind:
        if self.lists:
            return replace(self, lists=self.lists - 1)
        return INT if self.name == "bytes" else ANY


INT, BOOL, FLOAT, STR, BYTES, ANY = (Kind(name) for name in ("int", "bool", "float", "str", "bytes", "any"))


@dataclass(frozen=True, slots=True)
class UseSite:
    """A place where a type is used.

    Attributes:
        holder: the type that has the attribute.
        is_sized: the type has a span of its own there.
        is_coded: that span is the result of a codec.
    """

    holder: KsyType
    attribute: Attribute
    use: Use
    is_sized: bool
    is_coded: bool


class Types:
    """The types of all files of an import, with those that the IDL needs besides: variants, and records of elements."""

    def __init__(self, files: list[KsyFile]) -> None:
        self.inner: dict[tuple[int, str], KsyType] = {}
        #: The types per IDL, by the IDL's name.
        self.by_idl: dict[str, list[KsyType]] = {}
        self.sites: dict[KsyType, list[UseSite]] = {}
        for file in files:
            own = list(file.root.all())
            types = self.by_idl.setdefault(file.idl, [])
            types += own
            for each in own:
                for attribute in (*each.seq, *each.instances.values()):
                    self._wrap(each, attribute, types)
        for types in self.by_idl.values():
            for each in types:
                for attribute in (*each.seq, *each.instances.values()):
                    self._add_sites(each, attribute)

    def _wrap(self, holder: KsyType, attribute: Attribute, types: list[KsyType]) -> None:
        """Makes the types that an attribute needs: the record of an element, the variant of a switch."""
        is_switch = isinstance(attribute.type, Switch)
        name = f"{holder.name}_{attribute.id.lstrip('_')}"
        if needs_record(attribute):
            made = KsyType(f"{name}_element", (*holder.path, attribute.id, "element"), attribute.line, [], holder)
            made.seq = [attribute.moved("value")]
        elif is_switch:
            made = KsyType(name, (*holder.path, attribute.id), attribute.line, [], holder)
            moved = attribute.moved("value")
            made.seq = [replace(moved, size=None, size_eos=False, process=None, terminator=None, pad=None)]
        else:
            return
        made.variant, made.holder, made.file = attribute, holder, holder.file
        self.inner[id(holder), attribute.id] = made
        types.append(made)
        if needs_record(attribute):
            self._wrap(made, made.seq[0], types)

    def wrapped(self, holder: KsyType, attribute: Attribute) -> KsyType | None:
        """Returns the record of an element, or the variant, that replaces an attribute's type."""
        return self.inner.get((id(holder), attribute.id))

    def is_choice(self, made: KsyType) -> bool:
        return (
            made.variant is not None and isinstance(made.seq[0].type, Switch) and (id(made), "value") not in self.inner
        )

    def _add_sites(self, holder: KsyType, attribute: Attribute) -> None:
        sized = attribute.size is not None or attribute.size_eos or attribute.terminator is not None
        is_coded = attribute.process is not None
        inner = self.wrapped(holder, attribute)
        if inner is not None:
            own = not self.is_choice(inner)
            site = UseSite(holder, attribute, Use(()), sized and not own, is_coded and not own)
            self.sites.setdefault(inner, []).append(site)
            return
        for use in uses(attribute):
            found = self.find(use.path, holder)
            if found is not None:
                self.sites.setdefault(found, []).append(UseSite(holder, attribute, use, sized, is_coded))

    # ---- names ----

    def find(self, path: tuple[str, ...], within: KsyType) -> KsyType | None:
        """Returns the type that a name means within a type."""
        at: KsyType | None = within
        while at is not None:
            found = at.types.get(path[0]) or (at if at.name == path[0] and at.variant is None else None)
            if found is not None:
                return _down(found, path[1:])
            at = at.outer
        file: KsyFile = within.file
        for each in file.imports.values():
            if each.root.name == path[0]:
                return _down(each.root, path[1:])
        return None

    def find_enum(self, path: tuple[str, ...], within: KsyType) -> KsyEnum | None:
        """Returns the enum that a name means within a type."""
        if len(path) > 1:
            owner = self.find(path[:-1], within)
            return None if owner is None else owner.enums.get(path[-1])
        at: KsyType | None = within
        while at is not None:
            if path[0] in at.enums:
                return at.enums[path[0]]
            at = at.outer
        return None

    # ---- kinds ----

    def kind(self, attribute: Attribute, holder: KsyType) -> Kind:
        """Returns the kind of an attribute that is no computed value."""
        found = self._element_kind(attribute, holder)
        is_list = bool(attribute.repeat) or (isinstance(attribute.type, Use) and attribute.type.is_list)
        return replace(found, lists=1) if is_list else found

    def _element_kind(self, attribute: Attribute, holder: KsyType) -> Kind:
        inner = self.wrapped(holder, attribute)
        if inner is not None:
            return Kind("type", inner)
        if attribute.enum is not None:
            enum = self.find_enum(attribute.enum, holder)
            wire = self.kind_of_use(attribute.type, holder).wire if isinstance(attribute.type, Use) else ""
            return ANY if enum is None else Kind("enum", enum, wire=wire)
        return self.kind_of_use(attribute.type, holder) if isinstance(attribute.type, Use) else BYTES

    def kind_of_use(self, use: Use, holder: KsyType) -> Kind:
        return self.named(use.path, holder)

    def named(self, path: tuple[str, ...], holder: KsyType) -> Kind:
        """Returns the kind of a type by its name."""
        name = path[0]
        if len(path) == 1:
            if name in _TEXTS:
                return Kind(_TEXTS[name])
            if (number := number_of(name)) is not None:
                return Kind("float" if name[0] == "f" else "int", wire=number[0])
            if (bits := bits_of(name)) is not None:
                return BOOL if bits[0] == 1 else Kind("int", wire="u64")
        found = self.find(path, holder)
        return ANY if found is None else Kind("type", found)


def uses(attribute: Attribute) -> Iterator[Use]:
    """Yields the types that an attribute can have."""
    if isinstance(attribute.type, Use):
        yield attribute.type
    elif isinstance(attribute.type, Switch):
        yield from (use for _, use in attribute.type.cases if isinstance(use, Use))


def needs_record(attribute: Attribute) -> bool:
    """Returns whether the elements of a list need a record of their own, since no dimension expresses what is around each."""
    if not attribute.repeat:
        return False
    is_sized = attribute.size is not None or attribute.size_eos or attribute.process is not None
    is_coded = attribute.pad is not None or (attribute.terminator is not None and is_sized)
    if is_ended(attribute):
        return True
    if attribute.repeat in ("eos", "until"):
        return is_sized or is_coded or attribute.contents is not None
    # In the IDL each element of `[i < n]` has its own place and condition. In Kaitai they belong to the list.
    return (attribute.condition is not None or attribute.is_instance) and needs_index(attribute)


def is_ended(attribute: Attribute, mark: bytes = b"") -> bool:
    """Returns whether a field ends at the terminator ``mark`` in a way that `until` cannot express."""
    if attribute.terminator is None or attribute.size is not None or attribute.size_eos:
        return False
    is_odd = (
        len(mark or attribute.terminator) > 1 or attribute.include or not attribute.consume or not attribute.eos_error
    )
    return is_odd or not is_plain(attribute) or attribute.process is not None


def needs_index(attribute: Attribute) -> bool:
    """Returns whether clauses of a repeated attribute are about its single elements."""
    sized = attribute.size is not None and (not is_plain(attribute) or attribute.process is not None)
    if sized or attribute.process is not None or attribute.pad is not None:
        return True
    if attribute.terminator is not None and attribute.size is not None:
        return True
    return any(
        isinstance(part, Name) and part.name == "_index" for each in _expressions(attribute) for part in parts_of(each)
    )


def is_plain(attribute: Attribute) -> bool:
    """Returns whether an attribute is bytes or a text."""
    return attribute.type is None or attribute.is_text


def named(attribute: Attribute) -> Iterator[str]:
    """Yields the names in an attribute's place, size, condition, count and types, or in its value."""
    own = (attribute.value, attribute.pos, attribute.count, attribute.condition)
    for each in (*(each for each in own if each is not None), *_expressions(attribute)):
        yield from (part.name for part in parts_of(each) if isinstance(part, Name))


def _expressions(attribute: Attribute) -> Iterator[Expr]:
    values: list[Any] = [attribute.size, *(part for use in uses(attribute) for part in use.arguments)]
    if isinstance(attribute.type, Switch):
        values.append(attribute.type.on)
    yield from (each for each in values if isinstance(each, Expr))


def _down(found: KsyType | None, path: tuple[str, ...]) -> KsyType | None:
    for each in path:
        found = None if found is None else found.types.get(each)
    return found


def bits_of_field(each: Attribute) -> tuple[int, str] | None:
    """Returns width and order of a bit field, None for others."""
    path = each.type.path if isinstance(each.type, Use) else ()
    return bits_of(path[0]) if len(path) == 1 else None
