"""Reads bytes by the declarations of an IDL alone: neither plans, nor generated code, nor the runtime take part.

It is as slow as it is plain. What generated code reads must be what is read here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.model import Extension, Module, Record, Struct
from lakecodec.generator.resolve.loader import load
from lakecodec.generator.syntax import EncodingDef, Expr, RecordField, VariantDef
from lakecodec.runtime.externs import external

from .elements import ElementReader
from .expressions import Scope, bound
from .nodes import Cursor, Encoded, Missing, Node, Refused
from .rules import Rule, rules_of
from .wire import Order

#: Records inside each other.
_DEEPEST = 192


class Oracle:
    """An IDL file as an interpreter of its own formats.

    Args:
        source: a path, or the text itself.
        externs: implementations of external codecs and functions by their targets; those not given are imported.
    """

    def __init__(self, source: Path | str, externs: Mapping[str, Any] | None = None) -> None:
        diagnostics = Diagnostics()
        self.module = load(source, diagnostics=diagnostics)
        diagnostics.raise_errors()
        self._externs = dict(externs or {})
        self._depth = 0

    def read(self, name: str, data: bytes, *arguments: Any) -> Node:
        """The record or variant that takes all of ``data``.

        Raises:
            Refused: the bytes break a rule of its declaration.
        """
        found = self.module.find(name)
        assert isinstance(found, Record | Extension)
        cursor = Cursor(data)
        with _deep():
            node = self.instance(found, list(arguments), cursor)
        if not is_located(found) and not (isinstance(found, Record) and {"gaps", "overlaps"} & set(found.attributes)):
            cursor.finish()
        return node

    def extern(self, target: str) -> Any:
        if target not in self._externs:
            self._externs[target] = external(target)
        return self._externs[target]

    def instance(
        self, declaration: Record | Extension, arguments: list[Any], cursor: Cursor, states: Any = None
    ) -> Node:
        """A record or variant; ``states`` are those of codecs that siblings share."""
        self._depth += 1
        try:
            if self._depth > _DEEPEST:
                raise Refused("records are nested too deeply")
            return self._instance(declaration, arguments, cursor, states)
        finally:
            self._depth -= 1

    def _instance(self, declaration: Record | Extension, arguments: list[Any], cursor: Cursor, states: Any) -> Node:
        if isinstance(declaration, Extension):
            return self._variant(declaration, arguments, cursor)
        scope = self._scope(declaration.module)
        node = Node(declaration, params=bound(declaration.params, arguments, scope))
        if is_located(declaration):
            return self._located(declaration, node, cursor)
        start = cursor.pos
        order = _order(declaration.attributes, self._scope(declaration.module, node))
        _looked_at(node, self._body(node, declaration.fields, order, cursor, states))
        own = self._scope(declaration.module, node, cursor, declaration.fields)
        for where in declaration.checks:
            if not own.value(where.condition):
                raise Refused(where.message or f"{declaration.name} breaks a rule")
        for size in declaration.attributes.get("size", ()):
            if own.value(size) != cursor.pos - start:
                raise Refused(f"{declaration.name} has another size than it says")
        return node

    def coded(
        self, codec: Extension, arguments: list[Any], cursor: Cursor, order: Order, state: Mapping[str, Any]
    ) -> Any:
        """The value of a codec with fields, whose state is that after the value before."""
        syntax = codec.syntax
        node = Node(codec, params=bound(syntax.params, arguments, self._scope(codec.module)) | dict(state))
        _looked_at(node, self._body(node, syntax.fields, order, cursor, None, derived=False))
        value = self._scope(codec.module, node, cursor, syntax.fields).value(syntax.value)
        if "normalizes" not in syntax.attributes:
            # The fields are those that would be written for the value.
            written = self._scope(codec.module, node, cursor, syntax.fields).also(value=value)
            assert all(rule.holds(written) for field in syntax.fields for rule in rules_of(field) if rule.derived)
        return value

    def encoded(self, encoding: Extension, arguments: list[Any], cursor: Cursor, count: int) -> Encoded:
        """``count`` values; the last argument is their type."""
        *given, type_ = arguments
        scope = self._scope(encoding.module)
        params = bound(encoding.syntax.params, given, scope)
        shape, variables = self._shape(encoding, params, type_)
        order = _order(encoding.syntax.attributes, scope)
        start, values = cursor.pos, Encoded()
        if not 0 <= count <= cursor.rest:
            raise Refused(f"{count} values do not fit")
        for _ in range(count):
            node = Node(encoding, params={**params, **variables})
            _looked_at(node, self._body(node, shape.fields, order, cursor, None))
            (value,) = (node.fields[field.name] for field in shape.fields if field.derived is None)
            values.append(value)
        values.raw = cursor.data[start : cursor.pos]
        return values

    # ---- bodies ----

    def _scope(
        self,
        module: Module,
        node: Node | None = None,
        cursor: Cursor | None = None,
        fields: Sequence[RecordField] = (),
    ) -> Scope:
        return Scope(module, self.extern, node, cursor, declared=frozenset(field.name for field in fields))

    def _body(
        self,
        node: Node,
        fields: Sequence[RecordField],
        order: Order,
        cursor: Cursor,
        states: Any,
        *,
        derived: bool = True,
        declared: Sequence[RecordField] = (),
    ) -> list[tuple[Rule, Scope]]:
        """Reads the fields of a node one after the other; returns the rules that wait for fields ``declared`` elsewhere.

        What they say of the span is about the place behind their own field.
        """
        scope = self._scope(node.declaration.module, node, cursor, declared or fields)
        waiting: list[tuple[Rule, Scope]] = []
        for field in fields:
            ElementReader(self, field, scope, order, states).read(cursor)
            behind = replace(scope, cursor=copy(cursor))
            waiting += [(rule, behind) for rule in rules_of(field, derived=derived)]
            waiting = [(rule, own) for rule, own in waiting if not rule.holds(own)]
        return waiting

    def _located(self, record: Record, node: Node, cursor: Cursor) -> Node:
        """Fields that follow each other; then each other one where it says, in the order in which others need it."""
        begin = cursor.pos
        own = Cursor(cursor.data, begin, cursor.end, cursor.base)
        scope = self._scope(record.module, node, copy(own), record.fields)
        placed = {field.name: field for field in record.fields if field.at is not None}
        order = _order(record.attributes, scope)
        following = [field for field in record.fields if field.at is None]
        waiting = self._body(node, following, order, own, None, declared=record.fields)

        def value(name: str) -> Any:
            if name not in placed:
                raise Missing(name)
            field = placed[name]

            def place(inside: Scope) -> Cursor:
                assert field.at is not None
                at = inside.value(field.at)
                first, limit = (-cursor.base, len(cursor.data)) if field.from_source else (begin, cursor.end)
                if not 0 <= at <= limit - first:
                    raise Refused(f"{name} would stand at {at}")
                return Cursor(cursor.data, first + at, limit, cursor.base)

            ElementReader(self, field, scope, order, None).read(copy(own), place)
            return node.fields[name]

        node.load = value
        for name in placed:
            node[name]
        waiting += [(rule, scope) for field in placed.values() for rule in rules_of(field)]
        assert all(rule.holds(behind) for rule, behind in waiting)
        node.load = None
        cursor.pos = own.pos if all(field.from_source for field in placed.values()) else cursor.end
        return node

    def _variant(self, variant: Extension, arguments: list[Any], cursor: Cursor) -> Node:
        syntax: VariantDef = variant.syntax
        node = Node(variant, params=bound(syntax.params, arguments, self._scope(variant.module)))
        scope = self._scope(variant.module, node, cursor)
        node.tag = scope.value(syntax.tag)
        for case in syntax.cases:
            if not case.tags or node.tag in [scope.value(tag) for tag in case.tags]:
                node.case = case.name
                _looked_at(node, self._body(node, case.fields or (), _order(syntax.attributes, scope), cursor, None))
                return node
        raise Refused(f"{variant.name} has no alternative for {node.tag}")

    def _shape(self, encoding: Extension, params: Mapping[str, Any], type_: Node) -> tuple[Any, dict[str, Any]]:
        """The first shape that fits a type, and the names that its pattern gives to the type's fields."""
        syntax: EncodingDef = encoding.syntax
        for shape in syntax.shapes:
            for pattern in shape.patterns:
                if pattern.name != type_.case:
                    continue
                variables = dict(zip(pattern.variables, type_.fields.values(), strict=False))
                scope = self._scope(encoding.module).also(**params, **variables)
                if shape.condition is None or scope.value(shape.condition):
                    return shape, variables
        raise Refused(f"{encoding.name} has no shape for {type_.case}")


@contextmanager
def _deep() -> Iterator[None]:
    """Functions of the IDL that call themselves take several frames a call here."""
    most = sys.getrecursionlimit()
    sys.setrecursionlimit(max(most, 10_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(most)


def _looked_at(node: Node, waiting: list[tuple[Rule, Scope]]) -> None:
    assert not waiting, f"{node.declaration.name}: rules that cannot be looked at: {waiting}"


def is_located(declaration: Record | Struct | Extension) -> bool:
    return isinstance(declaration, Record) and any(field.at is not None for field in declaration.fields)


def _order(attributes: Mapping[str, list[Expr]], scope: Scope) -> Order:
    return "big" if "big" in attributes and all(map(scope.value, attributes["big"])) else "little"
