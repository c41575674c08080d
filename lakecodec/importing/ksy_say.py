"""Kaitai Struct's expressions in the words of the IDL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .ksy_captures import Captures
from .ksy_expressions import (
    Array,
    Binary,
    Cast,
    EnumMember,
    Expr,
    Formatted,
    Given,
    Index,
    Literal,
    Member,
    Method,
    Name,
    SizeOf,
    Ternary,
    Unary,
)
from .ksy_kinds import ANY, BOOL, BYTES, FLOAT, INT, STR, Kind, Types, Unsaid
from .ksy_model import Attribute, KsyEnum, KsyType
from .ksy_sizes import Sizes
from .ksy_words import Said, bytes_literal, literal

#: Functions of texts, which the IDL takes from lakecodec: name -> parameters, result, extern.
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
#: Numbers that members of enums can have.
NUMBERS = range(-(1 << 63), 1 << 64)
_INTEGERS = {"*", "%", "+", "-", "<<", ">>", "&", "|", "^", "/"}


@dataclass(slots=True)
class Need:
    """A parameter that a type gets from its holders, with the path that it stands for.

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
    item: Said | None = None
    index: str = ""


class Speaker:
    """The translator of expressions; ``needs`` are what types ask of their holders, found on the way."""

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
        #: Is told of each enum that an expression of a type names.
        self.referred: Callable[[KsyEnum, KsyType], object] = lambda enum, within: None

    # ---- kinds of what types have ----

    def kind_of(self, holder: KsyType, name: str) -> Kind | None:
        """Returns the kind of an attribute by its name, None where a type has no such one."""
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
                raise Unsaid(f"'{name}' is computed from itself")
            self._deciding.add(key)
            try:
                found = self.say(attribute.value, Context(holder, ("kind", name))).kind
            finally:
                self._deciding.discard(key)
            if attribute.enum is not None and (enum := self.types.find_enum(attribute.enum, holder)) is not None:
                found = Kind("enum", enum, found.lists)
            self._kinds[key] = found
        return self._kinds[key]

    def _given(self, param: Attribute, declared: Kind, holder: KsyType) -> Kind:
        """Returns the kind of a parameter of any type: that of all its arguments, where they have one."""
        key = id(holder), param.id
        if key in self._deciding:
            return declared
        self._deciding.add(key)
        try:
            found = {
                self.say(site.use.arguments[place], Context(site.holder, ("kind", site.attribute.id))).kind
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
        raise Unsaid("no type has it as its parent")

    def kind_only(self, expr: Expr, holder: KsyType) -> Kind:
        match expr:
            case Name(name="_parent"):
                return self.parent(holder)
            case Name(name="_root"):
                return Kind("type", holder.file.root)
            case Member(base=base, name=name):
                found = self.kind_only(base, holder)
                if found.type is None:
                    raise Unsaid(f"'{name}' is a member of what has none")
                if name == "_parent":
                    return self.parent(found.type)
                kind = self.kind_of(found.type, name)
                if kind is None:
                    raise Unsaid(f"'{found.type.name}' has no '{name}'")
                return kind
            case Name(name=name):
                kind = self.kind_of(holder, name)
                if kind is None:
                    raise Unsaid(f"'{holder.name}' has no '{name}'")
                return kind
        raise Unsaid("a parent is a path of names")

    # ---- expressions ----

    def value(self, expr: Expr, context: Context) -> Said:
        """Returns an expression of the IDL; of a variant, what its alternative holds."""
        return self._opened(self.say(expr, context))

    def _opened(self, said: Said) -> Said:
        if said.kind.is_wrapped and not said.kind.lists:
            made = said.kind.type
            assert made is not None
            self._check_there(made, "value")
            inside = self.types.kind(made.seq[0], made)
            if self.types.is_choice(made):
                return Said(f"{said.closed}.value", ANY)
            return self._opened(Said(f"{said.closed}.value", inside))
        return said

    def say(self, expr: Expr, context: Context) -> Said:
        match expr:
            case Literal(value=value):
                return literal(value)
            case Given(text=text):
                return Said(text, INT, is_closed=False)
            case Array():
                data = expr.as_bytes
                return self._list(expr, context) if data is None else Said(bytes_literal(data), BYTES)
            case EnumMember(path=path):
                enum = self.types.find_enum(path[:-1], context.type)
                if enum is None:
                    raise Unsaid(f"there is no enum {'::'.join(path[:-1])}")
                number = next((number for number, name, _, _ in enum.members if name == path[-1]), None)
                if number is None:
                    raise Unsaid(f"the enum {enum.name} has no {path[-1]}")
                if number not in NUMBERS:
                    return Said(str(number), INT, is_closed=number >= 0)
                self.referred(enum, context.type)
                return Said(
                    f"{self._names(enum, context.type)}.{self._names((enum, path[-1]), context.type)}",
                    Kind("enum", enum),
                )
            case Name() | Member():
                return self._path(expr, context)
            case Method():
                return self._method(expr, context)
            case Index(base=base, index=index):
                of = self.value(base, context)
                return Said(f"{of.closed}[{self.number(index, context).text}]", of.kind.element)
            case Cast():
                return self._cast(expr, context)
            case SizeOf():
                bits = self.sizes.bits_of_type(expr.type, context.type)
                return Said(str(bits if expr.in_bits else -(-bits // 8)), INT)
            case Unary():
                of = self.value(expr.operand, context)
                if expr.operator == "not":
                    return Said(f"not {of.closed}", BOOL, is_closed=False)
                text = f"-{of.closed}" if expr.operator == "-" else f"-1 - {of.closed}"
                return Said(text, of.kind if of.kind.name == "float" else INT, is_closed=False)
            case Binary():
                return self._binary(expr, context)
            case Ternary():
                condition = self.value(expr.condition, context)
                then, otherwise = self.value(expr.then, context), self.value(expr.otherwise, context)
                kind = then.kind if then.kind.name == otherwise.kind.name or otherwise.kind == ANY else otherwise.kind
                if {then.kind.name, otherwise.kind.name} == {"int", "float"}:
                    kind = FLOAT
                return Said(f"{condition.closed} ? {then.closed} : {otherwise.closed}", kind, is_closed=False)
            case Formatted(parts=parts):
                made = [self._as_text(self.value(each, context), context) for each in parts]
                return Said(" + ".join(made) or '""', STR, is_closed=len(made) < 2)
        raise Unsaid("an expression of this kind cannot be said")

    def _list(self, expr: Array, context: Context) -> Said:
        made = [self.value(each, context) for each in expr.items]
        names = {each.kind.name for each in made}
        kind = FLOAT if names == {"int", "float"} else made[0].kind if made else ANY
        return Said(f"list_of({', '.join(each.text for each in made)})", replace(kind, lists=kind.lists + 1))

    def _cast(self, expr: Cast, context: Context) -> Said:
        kind = self.types.named(expr.type, context.type)
        if isinstance(expr.base, Array) and expr.is_list:
            return replace(self._list(expr.base, context), kind=replace(kind, lists=1))
        if isinstance(expr.base, Array) and kind == BYTES and expr.base.as_bytes is None:
            made = [f"big_bytes({self.number(each, context).text}, 1)" for each in expr.base.items]
            return Said(" + ".join(made), BYTES, is_closed=len(made) < 2)
        return replace(self.value(expr.base, context), kind=replace(kind, lists=1) if expr.is_list else kind)

    def number(self, expr: Expr, context: Context) -> Said:
        found = self.value(expr, context)
        if found.kind.lists or found.kind.name in ("str", "bytes", "type", "float", "io"):
            raise Unsaid(f"a number is needed, not {found.kind.name}")
        return found

    def _as_text(self, said: Said, context: Context) -> str:
        if said.kind.name == "str":
            return said.closed
        if said.kind.name in ("int", "enum"):
            return self.call("text_of", context, said.text)
        raise Unsaid(f"the text of a {said.kind.name} cannot be said")

    def call(self, function: str, context: Context, *arguments: str) -> str:
        self.functions.setdefault(context.type.file.idl, set()).add(function)
        return f"{function}({', '.join(arguments)})"

    def _binary(self, expr: Binary, context: Context) -> Said:
        left, right = self.value(expr.left, context), self.value(expr.right, context)
        operator = expr.operator
        if operator in ("and", "or"):
            return Said(f"{left.closed} {operator} {right.closed}", BOOL, is_closed=False)
        kinds = {left.kind.name, right.kind.name}
        if operator not in _INTEGERS:
            return Said(f"{left.closed} {operator} {right.closed}", BOOL, is_closed=False)
        if kinds & {"str"}:
            if operator != "+":
                raise Unsaid(f"'{operator}' of texts cannot be said")
            return Said(f"{left.closed} + {right.closed}", STR, is_closed=False)
        if "float" in kinds:
            if operator == "/":
                return Said(self.call("quotient_of", context, left.text, right.text), FLOAT)
            if operator not in ("+", "-", "*"):
                raise Unsaid(f"'{operator}' of floats cannot be said")
            return Said(f"{left.closed} {operator} {right.closed}", FLOAT, is_closed=False)
        if kinds & {"bytes", "type", "io"} or left.kind.lists or right.kind.lists:
            raise Unsaid(f"'{operator}' of {' and '.join(sorted(kinds))} cannot be said")
        text = f"{left.closed} {operator} {right.closed}"
        if operator == ">>" and not isinstance(expr.right, Literal):
            text = f"{left.closed} >> {right.closed}"
        return Said(text, INT, is_closed=False)

    # ---- paths ----

    def _path(self, expr: Expr, context: Context) -> Said:
        chain = _chain(expr)
        if chain is not None and chain[0] in ("_parent", "_root"):
            return self._from_above(chain, context)
        if isinstance(expr, Name):
            return self._name(expr.name, context)
        assert isinstance(expr, Member)
        if isinstance(expr.base, Name) and expr.base.name == "_io":
            return self._own_stream(expr.name, context)
        if (stream := self._stream_of(expr.base, context)) is not None:
            if expr.name != "size":
                raise Unsaid(f"'_io.{expr.name}' of another object cannot be said")
            return self.value(self._size_of(stream, context), context)
        if expr.name == "_sizeof" and (fixed := self._fixed_size(expr.base, context)) is not None:
            return Said(str(fixed), INT)
        base = self.value(expr.base, context)
        return self._member(base, expr.name, context)

    def _stream_of(self, expr: Expr, context: Context) -> Expr | None:
        """Returns the object whose stream an expression is, None for what is none."""
        if isinstance(expr, Member) and expr.name == "_io":
            return expr.base
        found = context.type.attribute(expr.name) if isinstance(expr, Name) else None
        return None if found is None or found.value is None else self._stream_of(found.value, context)

    def _size_of(self, expr: Expr, context: Context) -> Expr:
        """Returns the size of the stream of an object: the `size` of the attribute that has it."""
        if isinstance(expr, Ternary):
            then, otherwise = self._size_of(expr.then, context), self._size_of(expr.otherwise, context)
            return Ternary(expr.condition, then, otherwise)
        found = context.type.attribute(expr.name) if isinstance(expr, Name) else None
        if (
            found is None
            or found.size is None
            or found.process is not None
            or found.repeat
            or found in context.type.params
        ):
            raise Unsaid("'_io' of another object cannot be said")
        return found.size

    def _own_stream(self, name: str, context: Context) -> Said:
        if context.user[0] == "let":
            return self.captures.say(name, context.type, context.user[1])
        match name:
            case "size":
                return Said("end", INT)
            case "eof":
                return Said("at_end", BOOL)
            case "pos":
                return Said("end - rest", INT, is_closed=False)
        raise Unsaid(f"'_io.{name}' cannot be said")

    def _name(self, name: str, context: Context) -> Said:
        if name == "_":
            if context.item is None:
                raise Unsaid("there is no `_` here")
            return context.item
        if name == "_index":
            if context.index:
                return Said(context.index, INT)
            return self._need(context, ("_index",), INT)
        if name == "_sizeof":
            return self._member_of_type(Said("", ANY), context.type, name)
        if name.startswith("_") and context.type.attribute(name) is None:
            raise Unsaid(f"'{name}' cannot be said")
        kind = self.kind_of(context.type, name)
        if kind is None:
            raise Unsaid(f"'{context.type.name}' has no '{name}'")
        self._check_there(context.type, name)
        return Said(self._names((context.type, name), context.type), kind)

    def _check_there(self, holder: KsyType, name: str) -> None:
        why = self._left_out.get((id(holder), name))
        if why is not None:
            raise Unsaid(f"'{name}' is left out")

    def _member(self, base: Said, name: str, context: Context) -> Said:
        kind = base.kind
        if kind.lists:
            match name:
                case "size" | "length":
                    return Said(f"count({base.text})", INT)
                case "first":
                    return Said(f"{base.closed}[0]", kind.element)
                case "last":
                    return Said(f"last({base.text})", kind.element)
                case "min" | "max":
                    return Said(f"{name}({base.text})", kind.element)
            raise Unsaid(f"'{name}' of a list cannot be said")
        if kind.type is not None:
            return self._member_of_type(base, kind.type, name)
        if name == "_sizeof" and kind.wire:
            return Said(str(int(kind.wire[1:]) // 8), INT)
        match kind.name, name:
            case "bytes", "length" | "size":
                return Said(f"count({base.text})", INT)
            case "bytes", "min" | "max":
                return Said(f"{name}(each_byte in {base.text} : each_byte)", INT)
            case "bytes", "first":
                return Said(f"{base.closed}[0]", INT)
            case "bytes", "last":
                return Said(f"{base.closed}[count({base.text}) - 1]", INT)
            case "str", "length":
                return Said(self.call("length_of", context, base.text), INT)
            case "str", "reverse":
                return Said(self.call("reversed_text", context, base.text), STR)
            case "str", "to_i":
                return Said(self.call("number_of", context, base.text, "10"), INT)
            case "int" | "enum", "to_s":
                return Said(self.call("text_of", context, base.text), STR)
            case "int" | "enum", "to_i":
                return replace(base, kind=INT)
            case "bool", "to_i":
                return Said(f"{base.closed} ? 1 : 0", INT, is_closed=False)
            case "float", "to_i":
                return Said(self.call("whole_of", context, base.text), INT)
        raise Unsaid(f"'{name}' of {kind.name} cannot be said")

    def _member_of_type(self, base: Said, holder: KsyType, name: str) -> Said:
        if name == "_sizeof":
            return Said(str(-(-self.sizes.bits(holder, ()) // 8)), INT)
        if name.startswith("_") and holder.attribute(name) is None:
            raise Unsaid(f"'{name}' of another object cannot be said")
        kind = self.kind_of(holder, name)
        if kind is None:
            raise Unsaid(f"'{holder.name}' has no '{name}'")
        self._check_there(holder, name)
        return Said(f"{base.closed}.{self._names((holder, name), holder)}", kind)

    def _method(self, expr: Method, context: Context) -> Said:
        base = self.value(expr.base, context)
        match base.kind.name, expr.name, expr.arguments:
            case "str", "substring", (begin, stop):
                first, last = self.number(begin, context), self.number(stop, context)
                return Said(self.call("part_of", context, base.text, first.text, last.text), STR)
            case "str", "to_i", (radix,):
                return Said(self.call("number_of", context, base.text, self.number(radix, context).text), INT)
            case "bytes", "to_s", (encoding,):
                return Said(self.call("decoded", context, base.text, self.value(encoding, context).text), STR)
            case _, name, ():
                return self._member(base, name, context)
        raise Unsaid(f"'{expr.name}(...)' of {base.kind.name} cannot be said")

    # ---- what stands above ----

    def _from_above(self, chain: tuple[str, ...], context: Context) -> Said:
        """Returns the parameter of a path that begins with `_parent` or `_root`, and the members behind it."""
        origin, *rest = chain
        is_root = context.type.outer is None and context.type.variant is None
        sites = self.types.sites.get(context.type, ()) if origin == "_root" and is_root else ()
        if any(site.holder.file is context.type.file for site in sites):
            raise Unsaid("'_root' of a type that contains itself cannot be said")
        if origin == "_root" and is_root:
            if not rest:
                raise Unsaid("'_root' itself cannot be said")
            said = (
                self._own_stream(rest[1], context)
                if rest[:1] == ["_io"] and len(rest) == 2
                else self._name(rest[0], context)
            )
            for each in rest[1:] if rest[0] != "_io" else ():
                said = self._member(self._opened(said), each, context)
            return said
        kind = Kind("type", context.type.file.root) if origin == "_root" else self.parent(context.type)
        taken = 0
        for place, name in enumerate(rest):
            if name == "_io":
                if rest[place + 1 : place + 2] and rest[place + 1] in ("size", "pos", "eof"):
                    kind, taken = (BOOL if rest[place + 1] == "eof" else INT), place + 2
                break
            holder = kind.type
            if holder is None or kind.lists:
                break
            if name == "_parent":
                kind = self.parent(holder)
                continue
            if kind.is_wrapped or (name.startswith("_") and holder.attribute(name) is None):
                break
            found = self.kind_of(holder, name)
            if found is None:
                raise Unsaid(f"'{holder.name}' has no '{name}'")
            self._check_there(holder, name)
            kind, taken = found, place + 1
        if not taken:
            raise Unsaid(f"'{'.'.join(chain)}' cannot be said")
        said = self._need(context, (origin, *rest[:taken]), kind)
        for each in rest[taken:]:
            said = self._member(self._opened(said), each, context)
        return said

    def _need(self, context: Context, path: tuple[str, ...], kind: Kind) -> Said:
        holder = context.type
        if (id(holder), path) in self._refused:
            raise Unsaid(f"'{'.'.join(path)}' is not known where it is needed")
        found = self.needs.setdefault(holder, {})
        if path not in found:
            if not self.types.sites.get(holder):
                raise Unsaid(f"'{'.'.join(path)}' is of no one: nothing has the type {holder.name}")
            named = [each for each in path[1:] if not each.startswith("_")]
            if path[-2:-1] == ("_io",):
                named = ["io", path[-1]]
            wanted = "_".join(named[-1:] if path[0] == "_parent" else named) or "index"
            taken = {each.id for each in (*holder.seq, *holder.params)} | set(holder.instances)
            taken |= {each.name for each in found.values()}
            name = wanted if wanted not in taken else f"{path[0].lstrip('_')}_{wanted}"
            while name in taken:
                name += "_"
            found[path] = Need(name, path, kind)
        found[path].users.add(context.user)
        return Said(self._names((holder, found[path].name), holder), found[path].kind)

    # ---- sizes ----

    def _fixed_size(self, expr: Expr, context: Context) -> int | None:
        """Returns the size that an attribute says itself, as a number; None where it says none."""
        holder, name = context.type, expr
        if isinstance(expr, Member):
            found, name = self.value(expr.base, context).kind.type, Name(expr.name)
            if found is None:
                return None
            holder = found
        attribute = holder.attribute(name.name) if isinstance(name, Name) else None
        if attribute is None or attribute.repeat:
            return None
        if isinstance(attribute.size, Literal):
            return int(attribute.size.value)
        return None if attribute.contents is None or attribute.size is not None else len(attribute.contents)


def _chain(expr: Expr) -> tuple[str, ...] | None:
    """Returns the names of a path, None for what is none."""
    names: list[str] = []
    while isinstance(expr, Member):
        names.append(expr.name)
        expr = expr.base
    return (expr.name, *reversed(names)) if isinstance(expr, Name) else None
