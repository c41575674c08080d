"""Name resolution in the expressions of bodies, declarations and tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...runtime.records.rows import derived_slot
from ..graph import computed_once
from ..infer import computed_attributes
from ..model import Extension, Module, Record, Struct
from ..names import argument_name, attribute_name, field_name
from ..paths import ANYTHING, INTEGER, Target, computed_of, of_parameter, of_type, of_wire_type, own_codec
from ..syntax import Call, CodecDef, Expr, FnDef, Index, Literal_, Member, Name, RecordField, Ternary, Where, type_text
from ..syntax.walk import SPAN_WORDS, called_name
from ..syntax.walk import names as names_of
from . import nodes
from .expressions import Scope, UnsupportedExpression, attribute_of
from .nodes import Node
from .parameters import argument_of
from .shapes import bytes_before, codecs_of, fixed_size, kind_of, taken_size

#: The most function calls that tables inline per call, and their deepest nesting.
_MOST_INLINED = 200
_DEEPEST_INLINED = 32


@dataclass(frozen=True)
class Names:
    """The names of a body.

    Attributes:
        parameters: (name, type in the IDL).
        checks: rules of the whole.
        codec: the codec whose fields these are.
        located: whether fields are placed with `at`.
        variant: whether the body is an alternative.
        normalizes: whether it may be written in another form than it was read from.
        settled: the fields that records around the body compute.
    """

    module: Module
    parameters: tuple[tuple[str, str], ...]
    fields: tuple[RecordField, ...] = ()
    checks: tuple[Where, ...] = ()
    codec: CodecDef | None = None
    located: bool = False
    variant: bool = False
    normalizes: bool = False
    settled: frozenset[str] = frozenset()

    def attribute(self, name: str) -> str:
        """Returns the Python attribute of a field or parameter."""
        return attribute_name(name, located=self.located, variant=self.variant)

    def slot(self, name: str) -> str:
        """Returns the attribute of a field that readers and writers set; another one if it is derived, or settled."""
        field = self.fields[self.places[name]] if name in self.places else None
        is_derived = field is not None and field.derived is not None and self.codec is None
        return derived_slot(self.attribute(name)) if is_derived or self.is_settled(name) else self.attribute(name)

    def is_settled(self, name: str) -> bool:
        """Returns whether a field may be given, but is computed by a record around the body, or under a condition."""
        field = self.fields[self.places[name]] if name in self.places and self.codec is None else None
        if field is None or field.derived is not None or field.at is not None:
            return False
        return name in self.settled or any(each.setting and not any(each.setting.path) for each in field.invariants)

    @cached_property
    def places(self) -> dict[str, int]:
        """The numbers of the fields, in the order in which they are read."""
        return {each.name: place for place, each in enumerate(self.fields)}

    @property
    def kinds(self) -> dict[str, Target]:
        found = {name: of_parameter(type_, self.module) for name, type_ in self.parameters}
        if self.codec is not None:
            found["value"] = of_wire_type(self.codec.result, self.module)
        found |= {each.name: each.kind for each in self.fields}
        return found | dict.fromkeys(self.indexes, INTEGER)

    @property
    def indexes(self) -> set[str]:
        """The variables of `[i < n]`."""
        own = {d.variable for each in self.fields for d in each.dimensions if d.variable is not None}
        settings = (where.setting for each in self.fields for where in each.invariants if where.setting is not None)
        return own | {each.variable for each in settings if each.variable is not None}


class BodyScope(Scope):
    """The fields and parameters of a body, the words about its span, and the measures of its fields."""

    def __init__(self, names: Names) -> None:
        super().__init__(names.module, names.kinds)
        self._names = names
        self._fields = {each.name: each for each in names.fields}
        self._indexes = names.indexes
        self._is_of_values = False

    def lower_value(self, expr: Expr) -> Node:
        """Returns the value of a computed attribute, which knows objects and no bytes."""
        self._is_of_values = True
        found = self.lower(expr)
        self._is_of_values = False
        return found

    def local(self, name: str, place: dict[str, Any]) -> Node | None:
        names = self._names
        if name in self._indexes:
            return nodes.ElementIndex(**place)
        if name in self._fields:
            return nodes.FieldValue(name, names.attribute(name), names.slot(name), **place)
        if any(param == name for param, _ in names.parameters):
            return nodes.Parameter(names.attribute(name), argument_name(name), **place)
        if name == "value" and names.codec is not None:
            return nodes.CodecValue(**place)
        return nodes.SpanWord(name, **place) if name in ("end", "rest", "at_end") else None

    def _member(self, expr: Member, place: dict[str, Any]) -> Node:
        argument = argument_of(expr, self._fields)
        if argument is not None and self._is_of_values and any(each.name in SPAN_WORDS for each in names_of(argument)):
            # Objects store the values that were found while reading.
            argument = None
        return super()._member(expr, place) if argument is None else self.lower(argument)

    def checks_index(self, index: Node) -> bool:
        """Indexes that cannot be negative are Python's own; others are checked."""
        return not isinstance(index, nodes.ElementIndex | nodes.Constant)

    def call(self, function: str, expr: Call, place: dict[str, Any]) -> Node | None:
        """Returns a call of `size`, `raw_size` or `offset` as a measure; without codecs, a field has its size before them."""
        if function == "padding":
            return nodes.Padding(self.lower(expr.arguments[0]), **place)
        if function == "peek":
            count = expr.arguments[0]
            assert isinstance(count, Literal_)
            assert isinstance(count.value, int)
            return nodes.Peek("peek", count.value, **place)
        if function == "ahead":
            mark = expr.arguments[0]
            assert isinstance(mark, Literal_)
            assert isinstance(mark.value, str | bytes)
            return nodes.Ahead("peek", mark.value.encode() if isinstance(mark.value, str) else mark.value, **place)
        if function == "encoded":
            return self._encoded(expr, place)
        if function == "all_but":
            return nodes.AllBut(tuple(map(self._range, expr.arguments)), **place)
        if function not in ("size", "raw_size", "offset") or not expr.arguments:
            return None
        measured = expr.arguments[0]
        base, index = (measured.base, measured.index) if isinstance(measured, Index) else (measured, None)
        if not isinstance(base, Name) or base.name not in self._fields:
            raise UnsupportedExpression(f"'{function}' takes a field of the record", measured)
        if self._fields[base.name].at is not None:
            self._refuse_element(function, self._fields[base.name], measured)
            if function == "raw_size" and not codecs_of(self._fields[base.name]):
                function = "size"
            if function == "raw_size":
                _refuse_raw_size(self._fields[base.name], measured)
                return nodes.Count(self.lower(measured), **place)
            if function == "size" and index is None and _is_as_long_as_its_value(self._fields[base.name]):
                return nodes.Count(self.lower(base), **place)
            attribute, at_index = self._names.attribute(base.name), None if index is None else self.lower(index)
            return nodes.PlacedMeasure(function, base.name, attribute, at_index, **place)  # type: ignore[arg-type]
        measured_field = self._fields[base.name]
        self._refuse_element(function, measured_field, measured)
        codecs = codecs_of(measured_field)
        if function == "raw_size" and codecs and own_codec(measured_field) is not None:
            raise UnsupportedExpression("`raw_size` takes no field that a codec with fields reads", measured)
        if function == "raw_size" and not codecs:
            function = "size"
        fixed = fixed_size(self._fields[base.name]) if function == "size" and index is None else None
        return nodes.Measure(
            function,  # type: ignore[arg-type]
            base.name,
            self._names.attribute(base.name),
            None if index is None else self.lower(index),
            fixed,
            self._before(base.name) if function == "offset" and index is None else None,
            kind=place["kind"],
            location=measured.location,
        )

    def _refuse_element(self, function: str, field: RecordField, measured: Expr) -> None:
        """Refuses measures of an element that has no bytes of its own: of bytes, a list with one place, or behind a codec;
        and of a list whose elements have places of their own, so that it has none.
        """
        name, each, message = field.name, f"{field.name}[i < n]", ""
        by_element = bool(field.dimensions) and field.dimensions[0].kind == "index"
        if not isinstance(measured, Index):
            if by_element and field.at is not None:
                known = f"each element of '{name}' has a place of its own, so the {function} of the list is not known"
                message = f"{known}: measure an element, as by `{function}({name}[0])`"
        elif kind_of(field) == "bits":
            message = f"numbers of '{name}' are packed into bits, so the {function} of one is no number of bytes"
        elif by_element:
            return
        elif not field.kind.lists:
            message = f"'{function}' measures elements of lists, and '{name}' is none: measure '{name}' as a whole"
        elif field.at is not None:
            known = f"'{name}' has one place as a whole, so the {function} of an element is not known"
            message = f"{known}: place each with `{each} at ...`, or measure it inside of a record that holds the list"
        elif codecs_of(field) and function != "size":
            known = f"elements of '{name}' are encoded together, so the {function} of one is not known"
            message = f"{known}: encode each by itself with `{each} ... via ...`"
        if message:
            raise UnsupportedExpression(message, measured)

    def _before(self, name: str) -> int | None:
        """Returns the fixed number of bytes before a field."""
        return bytes_before(self._names.fields, name)

    def _encoded(self, expr: Call, place: dict[str, Any]) -> Node:
        """Returns `encoded(f)` or `encoded(first, last)`: the bytes of fields that follow each other."""
        order = [each.name for each in self._names.fields if each.at is None and each.bits is None]
        places = []
        for argument in expr.arguments:
            if not isinstance(argument, Name) or argument.name not in order:
                raise UnsupportedExpression("'encoded' takes fields that follow each other", argument)
            places.append(order.index(argument.name))
        if places[0] > places[-1]:
            raise UnsupportedExpression(f"'{order[places[0]]}' comes after '{order[places[-1]]}'", expr)
        names = tuple(order[places[0] : places[-1] + 1])
        attributes = tuple(map(self._names.attribute, names))
        return nodes.Encoded(names, attributes, fixed_size(self._fields[names[-1]]), **place)

    def _range(self, argument: Expr) -> tuple[int, int]:
        """Returns the offset in the record and the size of a field, which are always the same."""
        if not self._names.located:
            message = "'all_but' is about records with places: take the bytes of other fields by 'encoded(first, last)'"
            raise UnsupportedExpression(message, argument)
        found = self._fixed_range(argument)
        if found is None:
            raise UnsupportedExpression("'all_but' can leave out only fields of a fixed offset and size", argument)
        return found

    def _fixed_range(self, named: Expr) -> tuple[int, int] | None:
        """Returns the offset in the record, one from its end below 0, and the size of a field, or of one inside of it."""
        if isinstance(named, Member) and isinstance(named.base, Name):
            outer, field = self._fixed_range(named.base), self._fields.get(named.base.name)
            if outer is None or field is None or not isinstance(field.target, Record) or field.dimensions:
                return None
            inside = {each.name: each for each in field.target.fields}
            before = bytes_before(field.target.fields, named.name)
            size = taken_size(inside[named.name]) if named.name in inside else None
            return None if before is None or size is None else (outer[0] + before, size)
        field = self._fields.get(named.name) if isinstance(named, Name) else None
        size = None if field is None else taken_size(field)
        if field is None or size is None:
            return None
        if field.at is None:
            before = self._before(field.name)
            return None if before is None else (before, size)
        match self.lower(field.at):
            case nodes.Constant(value=int(before)) if not field.from_source:
                return before, size
            case nodes.Arithmetic(
                operator="-", left=nodes.SpanWord(word="end"), right=nodes.Constant(value=int(behind))
            ) if behind >= size and not field.from_source:
                return -behind, size
        return None


class DeclarationScope(Scope):
    """Parameters of an encoding, codec or function, what a pattern binds, and the fields of a shape."""

    def __init__(self, module: Module, kinds: Mapping[str, Target], fields: frozenset[str] = frozenset()) -> None:
        super().__init__(module, {**dict.fromkeys(fields, ANYTHING), **kinds})
        self._local = dict(kinds)
        self._fields = fields

    def with_names(self, names: Iterable[str]) -> DeclarationScope:
        return DeclarationScope(self.module, {**self._local, **dict.fromkeys(names, ANYTHING)}, self._fields)

    def with_fields(self, names: Collection[str]) -> DeclarationScope:
        """Returns the scope with fields, which hide other names."""
        local = {name: kind for name, kind in self._local.items() if name not in names}
        return DeclarationScope(self.module, local, self._fields.union(names))

    def local(self, name: str, place: dict[str, Any]) -> Node | None:
        if name in self._local:
            return nodes.Variable(field_name(name), **place)
        if name in self._fields:
            return nodes.FieldValue(name, field_name(name), field_name(name), **place)
        found = self.module.find(name)
        if isinstance(found, Extension):
            if not found.syntax.params and found.kind == "codec":
                return nodes.FunctionCall(found, (), **place)
            return nodes.Declared(found, **place)
        if name == "width":
            return nodes.Width(**place)
        return nodes.Identity(**place) if name == "identity" else None


class TableScope(Scope):
    """The fields of a table's source, and its loop variables so far."""

    def __init__(self, source: Record | Struct, module: Module) -> None:
        if isinstance(source, Record):
            self._source = {each.name: each.kind for each in source.fields}
            self._source |= {name: each.kind for name, each in computed_attributes(source).items()}
        else:
            self._source = {each.name: of_type(each.type) for each in source.fields}
        self._target = Target("object", source)
        super().__init__(module, dict(self._source))
        self.variables: list[str] = []

    def bind(self, name: str, kind: Target) -> None:
        self.kinds = {**self.kinds, name: kind}
        self.variables.append(name)

    def local(self, name: str, place: dict[str, Any]) -> Node | None:
        if name in self.variables:
            return nodes.Variable(field_name(name), **place)
        computed = computed_of(self._target, name)
        if (
            computed is not None
            and isinstance(self._target.holder, Record)
            and self.knows(computed, self._target.holder)
        ):
            return self.lower(computed.value)
        source = nodes.Variable("source")
        attribute = attribute_of(name, self._target) if name in self._source else None
        return None if attribute is None else nodes.Attribute(source, attribute, **place)

    def checks_index(self, index: Node) -> bool:
        return True

    def call(self, function: str, expr: Call, place: dict[str, Any]) -> Node | None:
        if function not in ("name_of", "join"):
            return None
        return nodes.Builtin(function, tuple(self.lower(argument) for argument in expr.arguments), **place)


def declaration_scope(extension: Extension) -> DeclarationScope:
    """Returns the scope of an encoding, codec or function: its parameters."""
    params = extension.syntax.params
    kinds = {param.name: of_parameter(type_text(param.type), extension.module) for param in params}
    return DeclarationScope(extension.module, kinds)


@computed_once
def function_body(function: Extension) -> Node | None:
    """Returns the lowered body of a function of the IDL; None for a function that Python implements."""
    syntax = function.syntax
    if not isinstance(syntax, FnDef) or not isinstance(syntax.value, Expr):
        return None
    result = of_parameter(type_text(syntax.result), function.module)
    return declaration_scope(function).lower(syntax.value, result)


def inlined_body(call: nodes.FunctionCall, module: Module, inside: Collection[str]) -> Node | None:
    """Returns the body that tables of a module have in the place of a call; None for a call of what is given by name.

    Args:
        inside: functions whose bodies the call stands in.
    """
    function = call.function
    if function.module is not module or function.name in inside or len(function.syntax.params) != len(call.operands):
        return None
    if len(inside) == _DEEPEST_INLINED or (not inside and _inlined_calls(function) > _MOST_INLINED):
        return None
    return function_body(function)


@computed_once
def _inlined_calls(function: Extension) -> int:
    """Returns the calls that one call of a function becomes with the bodies of all that it calls, counted to a bound."""
    pending: list[tuple[Extension, tuple[str, ...]]] = [(function, (function.name,))]
    count = 0
    while pending and count <= _MOST_INLINED:
        each, inside = pending.pop()
        body = function_body(each)
        calls = (part for part in nodes.walk(body) if isinstance(part, nodes.FunctionCall)) if body is not None else ()
        for call in calls:
            count += 1
            if inlined_body(call, function.module, inside) is not None:
                pending.append((call.function, (*inside, call.function.name)))
    return count


@computed_once
def is_inlined(function: Extension) -> bool:
    """Returns whether the body of a function that tables have is the same wherever it stands: it does not call itself."""

    def nested(each: Extension, inside: tuple[str, ...]) -> int:
        here, depth, body = (*inside, each.name), 1, function_body(each)
        for part in () if body is None else nodes.walk(body):
            if isinstance(part, nodes.FunctionCall) and part.function.module is each.module:
                if part.function.name in here or len(here) == _DEEPEST_INLINED:
                    return _DEEPEST_INLINED
                if inlined_body(part, each.module, here) is not None:
                    depth = max(depth, 1 + nested(part.function, here))
        return depth

    return nested(function, ()) < _DEEPEST_INLINED


def normalizes(step: Expr, module: Module) -> bool:
    """Returns whether a step of `via` normalizes: its declaration says so, or it has only one form."""
    if isinstance(step, Ternary):
        return normalizes(step.then, module) and normalizes(step.otherwise, module)
    codec = codec_extension(step, module)
    if codec is None or "normalizes" in codec.syntax.attributes:
        return True
    return isinstance(codec.syntax.value, Expr) and normalizes(codec.syntax.value, codec.module)


def codec_extension(step: Expr, module: Module) -> Extension | None:
    """Returns the codec that a step of `via` names."""
    found = module.find(called_name(step))
    return found if isinstance(found, Extension) and isinstance(found.syntax, CodecDef) else None


def _refuse_raw_size(field: RecordField, measured: Expr) -> None:
    """Refuses `raw_size` of a placed field that does not always have as many bytes before its codecs as its value."""
    is_one = field.kind.lists == isinstance(measured, Index) and kind_of(field) in ("bytes", "utf8")
    if not is_one or own_codec(field) is not None or field.until is not None or field.present is not None:
        message = "`raw_size` takes `bytes` and `utf8` placed with `at` that are always there and have no `until`"
        raise UnsupportedExpression(f"{message}: compute others, as by `count({field.name}) * 2`", measured)


def _is_as_long_as_its_value(field: RecordField) -> bool:
    """Returns whether a field always has as many bytes as its value, so that a size that it is read by need not be laid out."""
    is_counted = [each.kind for each in field.dimensions] == ["count"]
    is_plain = not field.via and all(each is None for each in (field.size, field.present, field.until))
    return is_counted and is_plain and kind_of(field) in ("bytes", "utf8") and not field.kind.lists
