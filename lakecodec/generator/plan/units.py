"""Bodies of fields: what records, alternatives of variants and codecs with fields have in common."""

from __future__ import annotations

from dataclasses import dataclass

from ..expressions import called_name, names, span_words
from ..model import Extension, Module, Record
from ..paths import INTEGER, Target, of_field, of_parameter, of_wire_type
from ..syntax import (
    Call,
    CodecDef,
    Expr,
    Index,
    Name,
    RecordField,
    State,
    VariantCase,
    VariantDef,
    Where,
    type_text,
)
from .expressions import UnsupportedExpression
from .names import attribute_name, type_name
from .shapes import FieldShape, shape_of


@dataclass(frozen=True, slots=True)
class Unit:
    """Attributes:
    name: of the Python class.
    params: (name, type) of the parameters.
    order: `big` or `little`.
    size: the size that the declaration claims.
    codec: the codec whose fields these are.
    tag: what selects the alternative that this is.
    nests: whether a value can contain others of its type.
    """

    name: str
    module: Module
    params: tuple[tuple[str, str], ...]
    #: Parameter -> its default.
    defaults: dict[str, Expr]
    fields: tuple[RecordField, ...]
    shapes: dict[str, FieldShape]
    checks: tuple[Where, ...]
    order: str
    size: Expr | None = None
    codec: CodecDef | None = None
    tag: Expr | None = None
    nests: bool = False

    @property
    def located(self) -> bool:
        return any(field.at is not None for field in self.fields)

    @property
    def kinds(self) -> dict[str, Target]:
        """What the names of the unit's expressions lead to."""
        found = {name: of_parameter(type_, self.module) for name, type_ in self.params}
        if self.codec is not None:
            found["value"] = of_wire_type(self.codec.result, self.module)
        found |= {field.name: of_field(field, self.module) for field in self.fields}
        indexes = [d.variable for field in self.fields for d in field.dimensions if d.variable is not None]
        return found | dict.fromkeys(indexes, INTEGER)

    def attr(self, name: str) -> str:
        """The Python attribute of a field or parameter."""
        return attribute_name(name, located=self.located, variant=self.tag is not None)

    def measure(self, expr: Expr) -> Measure | None:
        """What a call of `size`, `raw_size` or `offset` measures; None for another expression.

        Without codecs, a field has its size before them.
        """
        if not isinstance(expr, Call) or called_name(expr) not in ("size", "raw_size", "offset") or not expr.arguments:
            return None
        place = expr.arguments[0]
        base, index = (place.base, place.index) if isinstance(place, Index) else (place, None)
        if not isinstance(base, Name) or (field := self.field(base.name)) is None:
            raise UnsupportedExpression(f"'{called_name(expr)}' takes a field of the record", place)
        shape = self.shapes[field.name]
        if called_name(expr) == "raw_size" and shape.codecs and shape.own is not None:
            raise UnsupportedExpression("`raw_size` takes no field that a codec with fields reads", place)
        function = "size" if not shape.codecs and called_name(expr) == "raw_size" else called_name(expr)
        return Measure(function, field.name, index, place)

    def span_words(self, expr: Expr) -> set[str]:
        """What an expression says of the span around it: `end`, `rest`, `at_end`."""
        return span_words(expr, [*(field.name for field in self.fields), *(name for name, _ in self.params)])

    def field(self, name: str) -> RecordField | None:
        return next((field for field in self.fields if field.name == name), None)

    def by_name(self, name: str) -> RecordField:
        """The field of that name, which there is."""
        return next(field for field in self.fields if field.name == name)

    @property
    def states(self) -> list[StateSlot]:
        """What is kept from one sibling to the next: the states of codecs, and external codecs."""
        slots: list[StateSlot] = []
        for field in self.fields:
            shape = self.shapes[field.name]
            if shape.own is not None and shape.own.syntax.state is not None and not shape.lists:
                slots.append(StateSlot(field.name, None, shape.own.syntax.state, len(slots)))
            for step in shape.codecs:
                if self._is_reusable(step):
                    slots.append(StateSlot(field.name, step, None, len(slots)))
        return slots

    def _is_reusable(self, step: Expr) -> bool:
        """Whether an external codec depends on parameters only, and so is the same for all siblings."""
        found = self.module.find(called_name(step))
        is_external = (
            isinstance(found, Extension) and bool(found.syntax.params) and not isinstance(found.syntax.value, Expr)
        )
        own = {field.name for field in self.fields}
        return is_external and not self.span_words(step) and not any(name.name in own for name in names(step))


@dataclass(frozen=True, slots=True)
class Measure:
    """A measured field, or the element ``index`` of it; ``place`` is where the expression names it."""

    function: str
    field: str
    index: Expr | None
    place: Expr

    @property
    def note(self) -> str:
        """What must be kept of the field."""
        return self.function if self.index is None else f"{self.function}[]"


@dataclass(frozen=True, slots=True)
class StateSlot:
    """A value in the list that siblings share: the state of a field's codec, or the codec of a step."""

    field: str
    step: Expr | None
    state: State | None
    number: int


def unit_of_record(record: Record, nests: bool) -> Unit:
    size = record.attributes.get("size")
    return Unit(
        name=type_name(record.name),
        module=record.module,
        params=tuple((param.name, param.type_name) for param in record.params),
        defaults={param.name: param.default for param in record.params if param.default is not None},
        fields=tuple(record.fields),
        shapes=_shapes(record.fields, record.module),
        checks=tuple(record.checks),
        order="big" if "big" in record.attributes else "little",
        size=size[0] if size else None,
        nests=nests,
    )


def unit_of_case(variant: Extension, case: VariantCase, nests: bool) -> Unit:
    syntax: VariantDef = variant.syntax
    fields = case.fields or ()
    return Unit(
        name=f"{type_name(variant.name)}_{case.name}",
        module=variant.module,
        params=_params(syntax),
        defaults=_defaults(syntax),
        fields=fields,
        shapes=_shapes(fields, variant.module),
        checks=(),
        order="big" if "big" in syntax.attributes else "little",
        tag=syntax.tag,
        nests=nests,
    )


def unit_of_codec(codec: Extension, order: str) -> Unit:
    """The state is a parameter, behind those of the codec."""
    syntax: CodecDef = codec.syntax
    state = syntax.state
    fields = syntax.fields or ()
    return Unit(
        name=codec_class(codec),
        module=codec.module,
        params=_params(syntax) + (() if state is None else ((state.name, state.type.name),)),
        defaults=_defaults(syntax),
        fields=fields,
        shapes=_shapes(fields, codec.module),
        checks=(),
        order=order,
        codec=syntax,
    )


def _params(syntax: VariantDef | CodecDef) -> tuple[tuple[str, str], ...]:
    return tuple((param.name, type_text(param.type)) for param in syntax.params)


def _defaults(syntax: VariantDef | CodecDef) -> dict[str, Expr]:
    return {param.name: param.default for param in syntax.params if param.default is not None}


def _shapes(fields: tuple[RecordField, ...] | list[RecordField], module: Module) -> dict[str, FieldShape]:
    return {field.name: shape_of(field, module) for field in fields}


def codec_class(codec: Extension) -> str:
    """The private class of a codec's fields."""
    return "_" + "".join(part.capitalize() for part in codec.name.split("_"))
