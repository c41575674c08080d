"""Names and paths of Kaitai Struct's expressions: fields, members, methods, streams, and outer types."""

from __future__ import annotations

from dataclasses import replace

from .ksy_expressions import Expr, Literal, Member, Method, Name, Ternary
from .ksy_kinds import ANY, BOOL, INT, STR, InexpressibleError, Kind
from .ksy_known import Context, Known, Need
from .ksy_model import KsyType
from .ksy_words import Translated


class Paths(Known):
    """The translator of names and paths."""

    def _path(self, expr: Expr, context: Context) -> Translated:
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
                raise InexpressibleError(f"'_io.{expr.name}' of another object cannot be expressed")
            return self.value(self._size_of(stream, context), context)
        if expr.name == "_sizeof" and (fixed := self._fixed_size(expr.base, context)) is not None:
            return Translated(str(fixed), INT)
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
            raise InexpressibleError("'_io' of another object cannot be expressed")
        return found.size

    def _own_stream(self, name: str, context: Context) -> Translated:
        if context.user[0] == "let":
            return self.captures.translate(name, context.type, context.user[1])
        match name:
            case "size":
                return Translated("end", INT)
            case "eof":
                return Translated("at_end", BOOL)
            case "pos":
                return Translated("end - rest", INT, is_closed=False)
        raise InexpressibleError(f"'_io.{name}' cannot be expressed")

    def _name(self, name: str, context: Context) -> Translated:
        if name == "_":
            if context.item is None:
                raise InexpressibleError("there is no `_` here")
            return context.item
        if name == "_index":
            if context.index:
                return Translated(context.index, INT)
            return self._need(context, ("_index",), INT)
        if name == "_sizeof":
            return self._member_of_type(Translated("", ANY), context.type, name)
        if name.startswith("_") and context.type.attribute(name) is None:
            raise InexpressibleError(f"'{name}' cannot be expressed")
        kind = self.kind_of(context.type, name)
        if kind is None:
            raise InexpressibleError(f"'{context.type.name}' has no '{name}'")
        self._check_there(context.type, name)
        return Translated(self._names((context.type, name), context.type), kind)

    def _member(self, base: Translated, name: str, context: Context) -> Translated:
        kind = base.kind
        if kind.lists:
            match name:
                case "size" | "length":
                    return Translated(f"count({base.text})", INT)
                case "first":
                    return Translated(f"{base.closed}[0]", kind.element)
                case "last":
                    return Translated(f"last({base.text})", kind.element)
                case "min" | "max":
                    return _of_some(f"{name}({base.text})", base, kind.element)
            raise InexpressibleError(f"'{name}' of a list cannot be expressed")
        if kind.type is not None:
            return self._member_of_type(base, kind.type, name)
        if name == "_sizeof" and kind.wire:
            return Translated(str(int(kind.wire[1:]) // 8), INT)
        match kind.name, name:
            case "bytes", "length" | "size":
                return Translated(f"count({base.text})", INT)
            case "bytes", "min" | "max":
                return _of_some(f"{name}(each_byte in {base.text} : each_byte)", base, INT)
            case "bytes", "first":
                return Translated(f"{base.closed}[0]", INT)
            case "bytes", "last":
                return Translated(f"{base.closed}[count({base.text}) - 1]", INT)
            case "str", "length":
                return Translated(self.call("length_of", context, base.text), INT)
            case "str", "reverse":
                return Translated(self.call("reversed_text", context, base.text), STR)
            case "str", "to_i":
                return Translated(self.call("number_of", context, base.text, "10"), INT)
            case "int" | "enum", "to_s":
                return Translated(self.call("text_of", context, base.text), STR)
            case "int" | "enum", "to_i":
                return replace(base, kind=INT)
            case "bool", "to_i":
                return Translated(f"{base.closed} ? 1 : 0", INT, is_closed=False)
            case "float", "to_i":
                return Translated(self.call("whole_of", context, base.text), INT)
        raise InexpressibleError(f"'{name}' of {kind.name} cannot be expressed")

    def _member_of_type(self, base: Translated, holder: KsyType, name: str) -> Translated:
        if name == "_sizeof":
            return Translated(str(-(-self.sizes.bits(holder, ()) // 8)), INT)
        if name.startswith("_") and holder.attribute(name) is None:
            raise InexpressibleError(f"'{name}' of another object cannot be expressed")
        kind = self.kind_of(holder, name)
        if kind is None:
            raise InexpressibleError(f"'{holder.name}' has no '{name}'")
        self._check_there(holder, name)
        return Translated(f"{base.closed}.{self._names((holder, name), holder)}", kind)

    def _method(self, expr: Method, context: Context) -> Translated:
        base = self.value(expr.base, context)
        match base.kind.name, expr.name, expr.arguments:
            case "str", "substring", (begin, stop):
                first, last = self.number(begin, context), self.number(stop, context)
                return Translated(self.call("part_of", context, base.text, first.text, last.text), STR)
            case "str", "to_i", (radix,):
                return Translated(self.call("number_of", context, base.text, self.number(radix, context).text), INT)
            case "bytes", "to_s", (encoding,):
                return Translated(self.call("decoded", context, base.text, self.value(encoding, context).text), STR)
            case _, name, ():
                return self._member(base, name, context)
        raise InexpressibleError(f"'{expr.name}(...)' of {base.kind.name} cannot be expressed")

    # ---- paths from _parent and _root ----

    def _from_above(self, chain: tuple[str, ...], context: Context) -> Translated:
        """Returns the parameter of a path that begins with `_parent` or `_root`, and the members behind it."""
        origin, *rest = chain
        is_root = context.type.outer is None and context.type.variant is None
        sites = self.types.sites.get(context.type, ()) if origin == "_root" and is_root else ()
        if any(site.holder.file is context.type.file for site in sites):
            raise InexpressibleError("'_root' of a type that contains itself cannot be expressed")
        if origin == "_root" and is_root:
            if not rest:
                raise InexpressibleError("'_root' itself cannot be expressed")
            translated = (
                self._own_stream(rest[1], context)
                if rest[:1] == ["_io"] and len(rest) == 2
                else self._name(rest[0], context)
            )
            for each in rest[1:] if rest[0] != "_io" else ():
                translated = self._member(self._opened(translated), each, context)
            return translated
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
                raise InexpressibleError(f"'{holder.name}' has no '{name}'")
            self._check_there(holder, name)
            kind, taken = found, place + 1
        if not taken:
            raise InexpressibleError(f"'{'.'.join(chain)}' cannot be expressed")
        translated = self._need(context, (origin, *rest[:taken]), kind)
        for each in rest[taken:]:
            translated = self._member(self._opened(translated), each, context)
        return translated

    def _need(self, context: Context, path: tuple[str, ...], kind: Kind) -> Translated:
        holder = context.type
        if (id(holder), path) in self._refused:
            raise InexpressibleError(f"'{'.'.join(path)}' is not known where it is needed")
        found = self.needs.setdefault(holder, {})
        if path not in found:
            if not self.types.sites.get(holder):
                raise InexpressibleError(f"'{'.'.join(path)}' has no owner: nothing has the type {holder.name}")
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
        return Translated(self._names((holder, found[path].name), holder), found[path].kind)

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


def _of_some(text: str, base: Translated, kind: Kind) -> Translated:
    """Returns the smallest or largest element of a list: of an empty list the IDL's is 0, and Kaitai's an error."""
    return Translated(f"count({base.text}) > 0 ? {text} : {base.closed}[0]", kind, is_closed=False)
