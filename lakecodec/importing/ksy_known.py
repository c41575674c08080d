"""Knowledge of expressions about types: the kinds of their members, and their needs of their holders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .ksy_captures import Captures
from .ksy_expressions import Expr, Member, Name
from .ksy_kinds import ANY, InexpressibleError, Kind, Types
from .ksy_model import Attribute, KsyEnum, KsyType
from .ksy_sizes import Sizes
from .ksy_words import Translated

#: Text functions that the IDL takes from lakecodec: name -> parameters, result, extern.
FUNCTIONS = {
    "text_of": ("i64 n", "string", "runtime.texts:text_of"),
    "number_of": ("string digits, i64 base", "i64", "runtime.texts:number_of"),
    "length_of": ("string text", "i64", "runtime.texts:length_of"),
    "reversed_text": ("string text", "string", "runtime.texts:reversed_text"),
    "part_of": ("string text, i64 begin, i64 stop", "string", "runtime.texts:part_of"),
    "decoded": ("binary data, string encoding", "string", "runtime.texts:decoded"),
    "quotient_of": ("double a, double b", "double", "runtime.texts:quotient_of"),
    "whole_of": ("double x", "i64", "runtime.texts:whole_of"),
    "bits_of": ("binary data, i64 width, bool is_big", "list<i64>", "runtime.texts:bits_of"),
}


@dataclass(slots=True)
class Need:
    """A parameter that a type gets from its holders, with the path that it replaces.

    Attributes:
        path: begins with `_parent`, `_root` or `_index`.
        users: the elements (kind, name) of the type that need it.
    """

    name: str
    path: tuple[str, ...]
    kind: Kind
    users: set[tuple[str, str]] = field(default_factory=set)


@dataclass(slots=True)
class Context:
    """The place of an expression: its type, and the element that it is about.

    Attributes:
        item: what `_` is.
        index: what `_index` is; empty where there is none.
    """

    type: KsyType
    user: tuple[str, str]
    item: Translated | None = None
    index: str = ""


class Known:
    """Knowledge of expressions about types. ``needs`` has what types need of their holders, and is filled on the way."""

    def __init__(
        self,
        types: Types,
        names: Callable[[Any, KsyType], str],
        left_out: Mapping[tuple[int, str], str],
        refused: set[tuple[int, tuple[str, ...]]],
    ) -> None:
        """
        Args:
            names: the IDL's name of a type or enum, within a type; of an attribute of a type.
            left_out: (type, attribute) -> why the IDL does not have it.
            refused: (type, path) of needs that holders cannot meet.
        """
        self.types = types
        self.sizes = Sizes(types)
        self.captures = Captures(types)
        self.needs: dict[KsyType, dict[tuple[str, ...], Need]] = {}
        self.functions: dict[str, set[str]] = {}
        self._names = names
        self._left_out = left_out
        self._refused = refused
        self._kinds: dict[tuple[int, str], Kind] = {}
        self._deciding: set[tuple[int, str]] = set()
        #: A function that is called with each enum that an expression names, and the type that has the expression.
        self.referred: Callable[[KsyEnum, KsyType], object] = lambda enum, within: None

    def kind_of(self, holder: KsyType, name: str) -> Kind | None:
        """Returns the kind of an attribute by its name, None if the type has no such attribute."""
        attribute = holder.attribute(name)
        if attribute is None:
            return None
        if attribute.value is None:
            found = self.types.kind(attribute, holder)
            return (
                self._given(attribute, found, holder) if found.name == "any" and attribute in holder.params else found
            )
        key = id(holder), name
        if key not in self._kinds:
            if key in self._deciding:
                raise InexpressibleError(f"'{name}' is computed from itself")
            self._deciding.add(key)
            try:
                found = self.translate(attribute.value, Context(holder, ("kind", name))).kind
            finally:
                self._deciding.discard(key)
            if attribute.enum is not None and (enum := self.types.find_enum(attribute.enum, holder)) is not None:
                found = Kind("enum", enum, found.lists)
            self._kinds[key] = found
        return self._kinds[key]

    def _given(self, param: Attribute, declared: Kind, holder: KsyType) -> Kind:
        """Returns the kind of a parameter of any type: the kind that all its arguments have in common."""
        key = id(holder), param.id
        if key in self._deciding:
            return declared
        self._deciding.add(key)
        try:
            found = {
                self.translate(site.use.arguments[place], Context(site.holder, ("kind", site.attribute.id))).kind
                for site in self.types.sites.get(holder, ())
                for place, each in enumerate(holder.params)
                if each is param and place < len(site.use.arguments)
            }
        finally:
            self._deciding.discard(key)
        return found.pop() if len(found) == 1 else declared

    def parent(self, of: KsyType) -> Kind:
        """Returns the kind of what `_parent` is in a type."""
        if of.holder is not None:
            return Kind("type", of.holder)
        for site in self.types.sites.get(of, ()):
            if site.attribute.parent is False:
                continue
            if isinstance(site.attribute.parent, Expr):
                return self.kind_only(site.attribute.parent, site.holder)
            return Kind("type", site.holder)
        raise InexpressibleError("no type has it as its parent")

    def kind_only(self, expr: Expr, holder: KsyType) -> Kind:
        match expr:
            case Name(name="_parent"):
                return self.parent(holder)
            case Name(name="_root"):
                return Kind("type", holder.file.root)
            case Member(base=base, name=name):
                found = self.kind_only(base, holder)
                if found.type is None:
                    raise InexpressibleError(f"'{name}' is a member of something without members")
                if name == "_parent":
                    return self.parent(found.type)
                kind = self.kind_of(found.type, name)
                if kind is None:
                    raise InexpressibleError(f"'{found.type.name}' has no '{name}'")
                return kind
            case Name(name=name):
                kind = self.kind_of(holder, name)
                if kind is None:
                    raise InexpressibleError(f"'{holder.name}' has no '{name}'")
                return kind
        raise InexpressibleError("a parent is a path of names")

    # ---- parts of expressions ----

    def translate(self, expr: Expr, context: Context) -> Translated:
        """Returns an expression of the IDL."""
        raise NotImplementedError

    def value(self, expr: Expr, context: Context) -> Translated:
        """Returns an expression of the IDL; for a variant, the value of its alternative."""
        return self._opened(self.translate(expr, context))

    def _opened(self, translated: Translated) -> Translated:
        if translated.kind.is_wrapped and not translated.kind.lists:
            made = translated.kind.type
            assert made is not None
            self._check_there(made, "value")
            inside = self.types.kind(made.seq[0], made)
            if self.types.is_choice(made):
                return Translated(f"{translated.closed}.value", ANY)
            return self._opened(Translated(f"{translated.closed}.value", inside))
        return translated

    def number(self, expr: Expr, context: Context) -> Translated:
        found = self.value(expr, context)
        if found.kind.lists or found.kind.name in ("str", "bytes", "type", "float", "io"):
            raise InexpressibleError(f"a number is needed, not {found.kind.name}")
        return found

    def call(self, function: str, context: Context, *arguments: str) -> str:
        self.functions.setdefault(context.type.file.idl, set()).add(function)
        return f"{function}({', '.join(arguments)})"

    def _check_there(self, holder: KsyType, name: str) -> None:
        why = self._left_out.get((id(holder), name))
        if why is not None:
            raise InexpressibleError(f"'{name}' is left out")
