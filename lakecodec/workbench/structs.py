"""Nodes of Thrift structs in the compact protocol: fields with their headers, unknown ones too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..runtime.compact.backend import native
from ..runtime.compact.interpret import Reading, element_type_fits, matches, read_value
from ..runtime.compact.rules import RULES
from ..runtime.compact.wire import (
    BINARY,
    DOUBLE,
    FALSE,
    I8,
    I16,
    I32,
    I64,
    LIST,
    MAP,
    SET,
    STOP,
    STRUCT,
    TRUE,
    UUID,
    Malformed,
    read_field_header,
    read_list_header,
    read_map_header,
    skip_value,
)  # fmt: skip
from ..runtime.errors import DecodeError, join_path
from ..runtime.limits import DEFAULT_LIMITS
from ..runtime.spec import FieldSpec, Spec, TypeSpec, scalar
from .tree import Node, Tree

_WIRE_NAMES = {
    TRUE: "bool", FALSE: "bool", I8: "i8", I16: "i16", I32: "i32", I64: "i64", DOUBLE: "double", BINARY: "binary",
    LIST: "list", SET: "set", MAP: "map", STRUCT: "struct", UUID: "uuid",
}  # fmt: skip
#: The types of unknown values, as far as the wire form tells them.
_WIRE_TYPES = {wire: scalar(name) for wire, name in _WIRE_NAMES.items()}  # type: ignore[arg-type]
_CONTAINERS = ("struct", "list", "set", "map")
_UNSOUND = (Malformed, IndexError, DecodeError)


class StructNodes:
    """Maker of the nodes of a struct and what is in it.

    Args:
        tree: the tree of the nodes.
        data: the bytes that the struct is in.
        base: the offset of ``data[0]`` in the tree.
    """

    def __init__(self, tree: Tree, data: Any, base: int) -> None:
        self._tree = tree
        # The tree caches both by identity for all its structs, since every value of a file needs them.
        self._names, self._docs = tree.type_names, tree.field_docs
        self._data = data if isinstance(data, bytes) else memoryview(data).cast("B")
        self._base = base
        #: The reading state of scalars, which count toward no limit.
        self._reading = _reading()

    def struct(self, spec: Spec | None, pos: int, path: str) -> list[Node]:
        """Returns the fields of the struct or union at ``pos`` in the order of the bytes, and its end; no ``spec``: unknown."""
        fields = {} if spec is None else {field.id: field for field in spec.fields}
        found: list[Node] = []
        seen: set[int] = set()
        last = 0
        while True:
            start = pos
            try:
                last, wire, pos = read_field_header(self._data, pos, last)
                if wire != STOP and spec is not None and spec.kind == "union" and found:
                    raise Malformed("members", start)
                if wire > UUID:
                    raise Malformed("wire", start)
            except (Malformed, IndexError) as error:
                found.append(self._unsound(join_path(path, "(header)"), start, error))
                return found
            if wire == STOP:
                found.append(self._stop(spec, seen, len(found), start, path))
                return found
            field = fields.get(last)
            known = field is not None and matches(field.type, wire)
            step = field.name if known and field is not None else f"(field {last})"
            node, pos = self._field(field if known else None, wire, start, pos, join_path(path, step), step)
            if known:
                seen.add(last)
            found.append(node)
            if node.error is not None:
                return found

    def _stop(self, spec: Spec | None, seen: set[int], count: int, start: int, path: str) -> Node:
        """Returns the node of the byte that ends a struct: where it lacks a field, that is the rule which is broken."""
        end = self._node(join_path(path, "(end)"), start, start + 1, "stop", name="(end)", kind="header")
        if spec is not None and spec.kind == "union":
            if not count:
                end.error = DecodeError(RULES["no member"], path=path, offset=self._base + start)
        elif spec is not None:
            missing = next((f for f in spec.fields if f.requiredness == "required" and f.id not in seen), None)
            if missing is not None:
                end.error = DecodeError(
                    RULES["required"], path=join_path(path, missing.name), offset=self._base + start
                )
        return end

    def _field(
        self, field: FieldSpec | None, wire: int, start: int, pos: int, path: str, step: str
    ) -> tuple[Node, int]:
        """Returns the node of a field whose header is at ``start`` and whose value at ``pos``, and the position after it."""
        type_ = _WIRE_TYPES[wire] if field is None else field.type
        doc = "" if field is None else _doc(self._docs, field)
        if wire in (TRUE, FALSE):
            return self._node(path, start, pos, "bool", name=step, doc=doc, header=pos - start, value=wire == TRUE), pos
        return self._value(type_, wire, start, pos, path, step, doc)

    def _value(
        self, type_: TypeSpec, wire: int, start: int, pos: int, path: str, step: str, doc: str = ""
    ) -> tuple[Node, int]:
        """Returns the node of a value at ``pos``, with the bytes before it from ``start`` on, and the position after it."""
        header = pos - start
        known = self._names.get(id(type_))
        name = _name(self._names, type_) if known is None else known[1]
        if type_.kind not in _CONTAINERS:
            try:
                value, end = read_value(type_, self._data, pos, self._reading, 1)
            except _UNSOUND as error:
                return self._unsound(path, start, error, step, name, doc), len(self._data)
            tree, offset = self._tree, self._base + start
            return Node(tree, path, offset, end - start, name, name=step, doc=doc, header=header, value=value), end
        grow = self._grower(type_, start, pos)
        look = None if self._is_unknown(type_) else lambda: self._look(type_, pos, path)
        try:
            end = self._end(pos, wire)
        except _UNSOUND as error:
            node = self._node(path, start, start, name, name=step, doc=doc, header=header, grow=grow)
            node.error = self._located(error, path, pos)
            node.size = max([node.size, *(each.end - node.offset for each in node.children)])
            inner = next((each.error for each in reversed(node.children) if each.error is not None), None)
            node.error = inner or node.error
            return node, pos + node.size
        return self._node(path, start, end, name, name=step, doc=doc, header=header, look=look, grow=grow), end

    @staticmethod
    def _is_unknown(type_: TypeSpec) -> bool:
        return type_.cls is None and type_.value is None

    def _grower(self, type_: TypeSpec, start: int, pos: int) -> Callable[[Node], Sequence[Node]]:
        spec: Spec | None = None if type_.cls is None else type_.cls.__spec__  # type: ignore[attr-defined]
        if spec is not None and "lakecodec.codec" in spec.annotations:
            return lambda node: ()
        if type_.kind == "struct":
            return lambda node: [*self._header(node, start, pos), *self.struct(spec, pos, node.path)]
        if type_.kind == "map":
            return lambda node: self._pairs(type_, start, pos, node)
        return lambda node: self._elements(type_, start, pos, node)

    def _header(self, node: Node, start: int, stop: int, note: str = "") -> list[Node]:
        if start == stop:
            return []
        return [
            self._node(
                join_path(node.path, "(header)"),
                start,
                stop,
                "header",
                name="(header)",
                kind="header",
                value=note or None,
            )
        ]

    def _elements(self, type_: TypeSpec, start: int, pos: int, node: Node) -> list[Node]:
        try:
            count, wire, first = read_list_header(self._data, pos)
            element = type_.value or _WIRE_TYPES.get(wire)
            if count and (element is None or (type_.value is not None and not element_type_fits(type_.value, wire))):
                raise Malformed("element", pos)
        except (Malformed, IndexError) as error:
            return [self._unsound(join_path(node.path, "(header)"), start, error)]
        found = self._header(node, start, first, f"{count} elements")
        pos = first
        for index in range(count):
            assert element is not None
            step = f"[{index}]"
            wire_of = I8 if wire in (TRUE, FALSE) else wire
            made, pos = self._value(element, wire_of, pos, pos, f"{node.path}{step}", step)
            found.append(made)
            if made.error is not None:
                break
        return found

    def _pairs(self, type_: TypeSpec, start: int, pos: int, node: Node) -> list[Node]:
        try:
            count, key_wire, value_wire, first = read_map_header(self._data, pos)
            types = (type_.key or _WIRE_TYPES.get(key_wire), type_.value or _WIRE_TYPES.get(value_wire))
            wires = (key_wire, value_wire)
            declared = (type_.key, type_.value)
            if count and any(t is None for t in types):
                raise Malformed("element", pos)
            if count and any(
                d is not None and not element_type_fits(d, w) for d, w in zip(declared, wires, strict=True)
            ):
                raise Malformed("element", pos)
        except (Malformed, IndexError) as error:
            return [self._unsound(join_path(node.path, "(header)"), start, error)]
        found = self._header(node, start, first, f"{count} pairs")
        pos = first
        for index in range(count):
            for word, part, wire in zip(("key", "value"), types, wires, strict=True):
                assert part is not None
                step = f"[{index}].{word}"
                made, pos = self._value(
                    part, I8 if wire in (TRUE, FALSE) else wire, pos, pos, f"{node.path}{step}", step
                )
                found.append(made)
                if made.error is not None:
                    return found
        return found

    # ---- values and errors ----

    def _end(self, pos: int, wire: int) -> int:
        if native is not None:
            return int(native.skip(self._data, pos, wire, DEFAULT_LIMITS))
        return skip_value(self._data, pos, wire, DEFAULT_LIMITS.max_depth)

    def _look(self, type_: TypeSpec, pos: int, path: str) -> Any:
        try:
            if type_.kind == "struct" and type_.cls is not None:
                return type_.cls.read(self._data, pos)[0]  # type: ignore[attr-defined]
            return read_value(type_, self._data, pos, _reading(), 1)[0]
        except _UNSOUND as error:
            raise self._located(error, path, pos) from None

    def _located(self, error: Exception, path: str, pos: int) -> DecodeError:
        """Returns an error as one of the tree: its path and offset."""
        if isinstance(error, Malformed):
            return DecodeError(RULES[error.key], path=path, offset=self._base + error.offset)
        if isinstance(error, DecodeError):
            inner = join_path(path, error.path) if error.path else path
            return DecodeError(
                error.rule, path=inner, offset=self._base + (pos if error.offset is None else error.offset)
            )
        return DecodeError(RULES["truncated"], path=path, offset=self._base + len(self._data))

    def _unsound(
        self, path: str, start: int, error: Exception, step: str = "(header)", type_: str = "header", doc: str = ""
    ) -> Node:
        """Returns the node of bytes that break a rule: up to the failing byte, or to the end where bytes are missing."""
        found = self._located(error, path, start)
        stop = len(self._data) if isinstance(error, IndexError) else max(start, (found.offset or 0) - self._base) + 1
        kind = "header" if type_ == "header" else "field"
        node = self._node(path, start, min(stop, len(self._data)), type_, name=step, doc=doc, kind=kind)
        node.error = found
        return node

    def _node(self, path: str, start: int, stop: int, type_: str, **given: Any) -> Node:
        return Node(self._tree, path, self._base + start, stop - start, type_, **given)


def _name(names: dict[int, tuple[Any, str]], type_: TypeSpec) -> str:
    return names.setdefault(id(type_), (type_, str(type_)))[1]


def _doc(docs: dict[int, tuple[Any, str]], field: FieldSpec) -> str:
    found = docs.get(id(field))
    if found is None:
        spec = getattr(field.type.cls, "__spec__", None)
        found = docs[id(field)] = (field, field.doc or ("" if spec is None else spec.doc))
    return found[1]


def _reading() -> Reading:
    return Reading("", DEFAULT_LIMITS.max_depth, DEFAULT_LIMITS.max_elements)
