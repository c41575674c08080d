"""Names and paths of Kaitai Struct's expressions: fields, members, methods, streams, and outer types."""

from __future__ import annotations

from dataclasses import replace

from .ksy_expressions import Expr, Literal, Member, Method, Name, Ternary
from .ksy_kinds import ANY, BOOL, INT, STR, Kind, Unsaid
from .ksy_known import Context, Known, Need
from .ksy_model import KsyType
from .ksy_words import Said


class Paths(Known):
    """The translator of names and paths."""

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
        """Returns the object whose stream an expression is, None for other expressions."""
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
        """Returns the size that an attribute declares itself, as a number; None if it declares none."""
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
    """Returns the names of a path, None for other expressions."""
    names: list[str] = []
    while isinstance(expr, Member):
        names.append(expr.name)
        expr = expr.base
    return (expr.name, *reversed(names)) if isinstance(expr, Name) else None
