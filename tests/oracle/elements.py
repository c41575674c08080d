"""One field: whether it is there, its span, its elements and its codecs."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lakecodec.generator.model import Enum, Extension, Record, Struct
from lakecodec.generator.syntax import Call, CodecDef, Dimension, Expr, Extern, RecordField, Ternary
from lakecodec.generator.syntax.walk import called_name, enum_argument
from lakecodec.runtime.errors import DecodeError

from . import compact, protobuf, wire
from .expressions import Scope, bound
from .nodes import Cursor, Node, Number, Place, Refused

if TYPE_CHECKING:
    from .reader import Oracle

_TEXTS = ("bytes", "utf8")
#: Elements beyond one a byte, since elements may take no bytes.
_MOST_EMPTY = 1 << 16


def _is_loose(declaration: Any) -> bool:
    """Whether a declaration takes other bytes than those that would be written; kernels of encodings do."""
    if isinstance(declaration, Extension) and declaration.kind == "encoding":
        return True
    attributes = declaration.attributes if isinstance(declaration, Record) else declaration.syntax.attributes
    return "normalizes" in attributes


class ElementReader:
    """Reads one field of the node of a scope into it.

    Args:
        states: the states of the codecs of this record and its siblings.
    """

    def __init__(self, oracle: Oracle, field: RecordField, scope: Scope, order: wire.Order, states: Any) -> None:
        assert scope.node is not None
        self._oracle = oracle
        self._field = field
        self._scope = scope
        self._node: Node = scope.node
        self._order = order
        self._states: dict[str, Any] = {} if states is None else states
        self._type: Any = scope.module.find(field.type.name)
        self._own = self._codec_with_fields()
        self._steps = [
            step
            for step in field.via[: len(field.via) - (self._own is not None)]
            if enum_argument(step) is None and called_name(step) not in ("compact", "protobuf")
        ]
        self._is_text = field.type.name in _TEXTS and self._own is None
        self._list, self._length = self._dimensions()
        #: Bytes of a text before its codecs.
        self._raw: int | None = None

    def read(self, cursor: Cursor, place: Callable[[Scope], Cursor] | None = None) -> None:
        """Reads the field at the cursor, or where ``place`` says it is; it says that of each element of an `[i < n]`."""
        field, node = self._field, self._node
        self._place = place
        indexed = self._list is not None and self._list.kind == "index"
        start, raw = cursor.offset, 0
        if not indexed and field.present is not None and not self._scope.value(field.present):
            node.fields[field.name] = None
            node.places[field.name] = Place(start, start, 0)
            return
        if place is not None and not indexed:
            cursor = place(self._scope)
            start = cursor.offset
        if self._list is None:
            node.fields[field.name], raw = self._sized(self._element, cursor, self._scope)
        elif indexed:
            node.fields[field.name] = self._elements(self._list, cursor, self._scope)
        else:
            dimension = self._list
            node.fields[field.name], raw = self._sized(
                lambda inner, own: self._elements(dimension, inner, own), cursor, self._scope
            )
        node.places[field.name] = Place(start, cursor.offset, raw)

    def _codec_with_fields(self) -> Extension | None:
        """The codec that reads the field's bytes itself."""
        found = self._scope.module.find(called_name(self._field.via[-1])) if self._field.via else None
        has_fields = isinstance(found, Extension) and found.syntax.fields is not None
        return found if isinstance(found, Extension) and has_fields else None

    def _dimensions(self) -> tuple[Dimension | None, Dimension | None]:
        """(what makes a list, what is a length)."""
        dimensions = list(self._field.dimensions)
        is_encoded = isinstance(self._type, Extension) and self._type.kind == "encoding"
        has_length = bool(dimensions) and (
            (self._is_text and self._field.until is None and dimensions[-1].kind in ("count", "rest"))
            or self._field.type.name == "bits"
            or (is_encoded and dimensions[-1].kind == "count")
        )
        length = dimensions.pop() if has_length else None
        assert len(dimensions) <= 1
        return (dimensions[0] if dimensions else None), length

    # ---- lists and spans ----

    def _sized(self, read: Callable[[Cursor, Scope], Any], cursor: Cursor, scope: Scope) -> tuple[Any, int]:
        """What ``read`` reads in the field's span, and how many bytes it is before its codecs."""
        field, start, raw = self._field, cursor.pos, None
        self._raw = None
        if field.size is None:
            value = read(cursor, scope)
        else:
            around = replace(scope, cursor=copy(cursor))
            inner = cursor.span(scope.value(field.size))
            if self._steps and self._own is None:
                data = self._decoded(inner.take(inner.rest), around)
                inner, raw = Cursor(data), len(data)
            value = read(inner, self._inside(inner, scope))
            if not isinstance(self._type, Struct) or self._steps:
                inner.finish()
        sizes = (raw, self._raw, cursor.pos - start)
        return value, next(size for size in sizes if size is not None)

    def _inside(self, cursor: Cursor, scope: Scope) -> Scope:
        """The scope of what stands in the field's span; `end` of a located field is that of the source all the same."""
        inner = replace(scope, cursor=cursor)
        return inner if self._field.at is None or scope.cursor is None else inner.also(end=scope.cursor.size)

    def _elements(self, dimension: Dimension, cursor: Cursor, around: Scope) -> list[Any]:
        name = self._field.name
        values: list[Any] = []
        states: dict[str, Any] = {}
        if self._own is not None:
            self._states.pop(name, None)
        self._node.fields[name] = values
        count = None
        if dimension.kind in ("count", "index"):
            count = around.value(dimension.expression)  # type: ignore[arg-type]
            if not 0 <= count <= cursor.rest + _MOST_EMPTY:
                raise Refused(f"{name}: {count} elements do not fit")
        while cursor.rest > 0 if dimension.kind == "rest" else count is None or len(values) < count:
            scope = around if dimension.variable is None else around.also(**{dimension.variable: len(values)})
            is_indexed = dimension.kind == "index"
            is_absent = is_indexed and not self._is_given(scope)
            if self._place is not None and is_indexed and not is_absent:
                cursor = self._place(scope)
            start, raw, number = cursor.offset, 0, len(values)
            if not is_indexed:
                self._raw = None
                values.append(self._element(cursor, scope, states))
                raw = cursor.offset - start if self._raw is None else self._raw
            elif is_absent:
                values.append(None)
            else:
                value, raw = self._sized(self._element, cursor, scope)
                values.append(value)
            self._node.places[name, number] = Place(start, cursor.offset, raw)
            if dimension.kind == "until" and around.value(dimension.expression):  # type: ignore[arg-type]
                break
            if count is None and cursor.offset == start:
                raise Refused(f"{name}: an element takes no bytes")
        return values

    def _is_given(self, scope: Scope) -> bool:
        return self._field.present is None or bool(scope.value(self._field.present))

    # ---- elements ----

    def _element(self, cursor: Cursor, scope: Scope, states: Any = None) -> Any:
        value = self._plain(cursor, scope, states)
        for enum_name in filter(None, map(enum_argument, self._field.via)):
            enum = scope.module.find(enum_name)
            assert isinstance(enum, Enum)
            if isinstance(value, list):
                return [Number.of(each, enum) for each in value]
            return Number.of(value, enum)
        return value

    def _plain(self, cursor: Cursor, scope: Scope, states: Any) -> Any:
        type_ = self._field.type
        if self._own is not None:
            return self._coded(self._own, cursor, scope)
        if type_.name in _TEXTS:
            return self._text(cursor, scope)
        if type_.name == "bits":
            width = scope.value(type_.type_arguments[0])
            is_exact = self._field.derived is not None and not _is_loose(self._node.declaration)
            return wire.bits(cursor, self._count(cursor, scope, width), width, exact=is_exact)
        if wire.is_scalar(type_.name):
            return wire.scalar(type_.name, cursor, self._order, loose=_is_loose(self._node.declaration))
        if isinstance(self._type, Struct) and self._type.kind == "message":
            return protobuf.read_message(self._type, cursor)
        if isinstance(self._type, Struct):
            return compact.read_struct(self._type, cursor)
        arguments = [scope.value(argument) for argument in type_.arguments or ()]
        assert isinstance(self._type, Record | Extension)
        if isinstance(self._type, Extension) and self._type.kind == "encoding":
            return self._oracle.encoded(self._type, arguments, cursor, self._count(cursor, scope, 8))
        return self._oracle.instance(self._type, arguments, cursor, states)

    def _count(self, cursor: Cursor, scope: Scope, width: int) -> int:
        """How many bytes, packed numbers or encoded values."""
        if self._length is None:
            return 1
        if self._length.expression is None:
            return cursor.rest * 8 // width
        count: int = scope.value(self._length.expression)
        return count

    def _text(self, cursor: Cursor, scope: Scope) -> Any:
        around = replace(scope, cursor=copy(cursor))
        if self._field.until is not None:
            data = cursor.take_until(self._terminator(self._field.until))
        else:
            data = cursor.take(cursor.rest if self._length is None else self._count(cursor, scope, 8))
        if self._steps and self._field.size is None:
            data = self._decoded(data, around)
            self._raw = len(data)
        return wire.text(data) if self._field.type.name == "utf8" else data

    def _terminator(self, expr: Expr) -> bytes:
        found: bytes | str = self._scope.value(expr)
        return found.encode() if isinstance(found, str) else found

    # ---- codecs ----

    def _coded(self, codec: Extension, cursor: Cursor, scope: Scope) -> Any:
        """Through the codec that reads the bytes, then through those before it."""
        syntax: CodecDef = codec.syntax
        name, state = self._field.name, {}
        if syntax.state is not None:
            initial = self._scope.calling(codec.module, {}).value(syntax.state.initial)
            state[syntax.state.name] = self._states.get(name, initial)
        step = self._field.via[-1]
        arguments = [scope.value(each) for each in step.arguments] if isinstance(step, Call) else []
        value = self._oracle.coded(codec, arguments, cursor, self._order, state)
        self._states[name] = value = wire.in_range(value, syntax.result.name)
        if self._steps:
            value = self._decoded(value, scope)
        return wire.text(value) if self._field.type.name == "utf8" else value

    def _decoded(self, data: bytes, scope: Scope) -> bytes:
        for step in reversed(self._steps):
            data = _through(step, data, scope)
        return data


def _through(step: Expr, data: bytes, scope: Scope) -> bytes:
    """``data`` through the codec that an expression names, calls or chooses."""
    if isinstance(step, Ternary):
        return _through(step.then if scope.value(step.condition) else step.otherwise, data, scope)
    if called_name(step) == "identity":
        return data
    codec = scope.module.find(called_name(step))
    assert isinstance(codec, Extension)
    syntax: CodecDef = codec.syntax
    arguments = [scope.value(each) for each in step.arguments] if isinstance(step, Call) else []
    if isinstance(syntax.value, Extern):
        try:
            decoded: bytes = scope.externs(syntax.value.target)(*arguments).decode(data)
        except DecodeError as error:
            raise Refused(error.rule) from None
        return decoded
    return _through(syntax.value, data, scope.calling(codec.module, bound(syntax.params, arguments, scope)))
