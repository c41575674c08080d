"""Records, alternatives of variants and codecs with fields as layouts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..builtin_names import FIXED_WIDTHS
from ..model import Extension, Record
from ..names import argument_name, type_name
from ..paths import fields_of, of_wire_type, own_codec, parameter_names
from ..syntax import (
    Binary,
    CodecDef,
    ComputedDef,
    Expr,
    Literal_,
    Member,
    Name,
    RecordField,
    Ternary,
    VariantCase,
    VariantDef,
    type_text,
)
from ..syntax.walk import names as names_in
from ..syntax.walk import span_words
from . import nodes
from .arrow_maps import lower_arrow
from .expressions import UnsupportedExpression
from .field_layout import FieldLayout, Rule
from .fields import Slots, captures, lower_field, rule_of
from .idl_text import text_of
from .inner_values import uses_arguments
from .known_words import check_known
from .native_places import is_laid_out
from .native_tables import has_table, is_expressible
from .nodes import Node
from .open_ends import is_checked_by_writers, needs_reading_back
from .placed import check_placed, placings
from .record_layout import AlternativeLayout, ComputedLayout, ParameterLayout, RecordLayout, StateLayout, VariantLayout
from .scopes import BodyScope, Names, normalizes
from .settled import settled_fields
from .shapes import check_shape, codecs_of, constant_of, fixed_size, lists_of, taken_size
from .write_plan import with_writing


def lower_record(record: Record, *, nested: Collection[str]) -> RecordLayout:
    """Returns the layout of a record.

    Args:
        nested: the records and variants of the module that lie on a circle of types.

    Raises:
        UnsupportedExpression: something cannot be compiled; it has the place.
    """
    located = record.is_lazy
    names = Names(
        record.module,
        tuple((param.name, param.type_name) for param in record.params),
        tuple(sorted(record.fields, key=lambda each: each.at is not None)),
        tuple(record.checks),
        located=located,
        normalizes="normalizes" in record.attributes,
        settled=settled_fields(record),
    )
    if located:
        check_placed(record)
    _check_claimed_size(record)
    body = _Body(names, {param.name: param.default for param in record.params if param.default is not None})
    layout = RecordLayout(
        name=type_name(record.name),
        spec_name=record.name,
        module=record.module,
        location=record.location,
        doc=record.doc,
        parameters=body.parameters,
        fields=body.fields,
        big="big" in record.attributes,
        order=_order(record.attributes, body.scope),
        checks=tuple(
            Rule(body.scope.lower(where.condition), rule_of(where), text_of(where.condition)) for where in record.checks
        ),
        states=body.states,
        nests=_nests(body.fields, nested),
        gaps="gaps" in record.attributes or "overlaps" in record.attributes,
        overlaps="overlaps" in record.attributes,
        normalizes="normalizes" in record.attributes,
        is_origin=record.is_origin,
        reads_back=needs_reading_back(record),
        is_checked_by_writers=is_checked_by_writers(record),
        computed=_computed(record.computed, body.scope, names),
    )
    return _finished(layout)


def lower_variant(extension: Extension, *, nested: Collection[str]) -> VariantLayout:
    """Returns the layout of a variant; raises UnsupportedExpression for what cannot be compiled."""
    syntax: VariantDef = extension.syntax
    params, defaults = _params(syntax), _defaults(syntax)
    bare = _Body(Names(extension.module, params, variant=True), defaults)
    tag = bare.scope.lower(syntax.tag)
    for measure in nodes.measures(tag):
        assert measure.location is not None
        message = f"{measure.function!r} means nothing before a field is read"
        raise UnsupportedExpression(message, measure.location)
    constant = all(_is_constant(tag, parameter_names(extension)) for case in syntax.cases for tag in case.tags)
    alternatives = tuple(_alternative(extension, case, tag, bare, nested) for case in syntax.cases)
    return VariantLayout(
        name=type_name(extension.name),
        spec_name=extension.name,
        module=extension.module,
        location=extension.location,
        doc=extension.doc,
        parameters=bare.parameters,
        tag=tag,
        constant=constant,
        alternatives=alternatives,
        native_readable=is_expressible(tag, extension.module)
        and (constant or all(each.native_readable for each in alternatives)),
    )


def _alternative(
    variant: Extension, case: VariantCase, tag: Node, bare: _Body, nested: Collection[str]
) -> AlternativeLayout:
    syntax: VariantDef = variant.syntax
    fields = case.fields or ()
    is_loose = "normalizes" in syntax.attributes
    names = Names(variant.module, _params(syntax), fields, variant=True, normalizes=is_loose)
    body = _Body(names, _defaults(syntax))
    layout = RecordLayout(
        name=f"{type_name(variant.name)}_{case.name}",
        spec_name=f"{variant.name}.{case.name}",
        module=variant.module,
        location=case.location,
        doc=case.doc,
        parameters=body.parameters,
        fields=body.fields,
        big="big" in syntax.attributes,
        order=_order(syntax.attributes, body.scope),
        normalizes="normalizes" in syntax.attributes,
        states=body.states,
        tag=tag,
        nests=_nests(body.fields, nested),
        computed=_computed(case.computed, body.scope, names),
    )
    tags = tuple(bare.scope.lower(each, tag.kind) for each in case.tags)
    arrow = tuple(lower_arrow(each, names, body.scope, layout.name) for each in case.arrow)
    native_readable = all(is_expressible(each, variant.module) for each in tags)
    constant = all(_is_constant(each, parameter_names(variant)) for each in case.tags)
    return AlternativeLayout(case.name, _finished(layout), tags, constant, arrow, native_readable)


def lower_codec(codec: Extension) -> RecordLayout | None:
    """Returns the layout of a codec's fields; None if no record uses it, since encodings have kernels instead."""
    orders = _byte_orders(codec)
    if len(orders) > 1:
        raise UnsupportedExpression("the codec is used in both byte orders", codec.location)
    if not orders:
        return None
    layout = _finished(codec_body(codec, big=True in orders))
    if layout.unsettled:
        message = "what is derived from inside of a field depends on what is derived of it: no order computes both"
        raise UnsupportedExpression(message, codec.location)
    return layout


def codec_body(codec: Extension, *, big: bool = False) -> RecordLayout:
    """Returns the body of a codec's fields. The state is the last parameter."""
    syntax: CodecDef = codec.syntax
    state, fields = syntax.state, syntax.fields or ()
    params = _params(syntax) + (() if state is None else ((state.name, state.type.name),))
    is_loose = "normalizes" in syntax.attributes
    for field in fields:
        if not is_loose and not all(normalizes(step, codec.module) for step, _ in codecs_of(field)):
            message = "only the value of a codec is kept: one whose fields go through codecs is declared `: normalizes`"
            raise UnsupportedExpression(message, field.via[0])
    names = Names(codec.module, params, fields, codec=syntax, normalizes=True)
    body = _Body(names, _defaults(syntax))
    return RecordLayout(
        name=codec_class(codec),
        spec_name=codec.name,
        module=codec.module,
        location=syntax.location,
        doc=f"The fields of codec {codec.name}, and the value they stand for.",
        parameters=body.parameters,
        fields=body.fields,
        big=big,
        states=body.states,
        normalizes="normalizes" in syntax.attributes,
        value=_value(syntax, body.scope, names),
        value_type=syntax.result.name,
    )


def _finished(layout: RecordLayout) -> RecordLayout:
    """Returns a layout completed by the parts that depend on all of its fields."""
    layout = replace(with_writing(layout), uses_arguments=uses_arguments(layout))
    # Native readers do not know enclosing records.
    by_name = layout.is_origin or any(each.origin for each in layout.fields)
    native_readable = not by_name and has_table(layout.body if layout.located else layout)
    made = replace(layout, placing=placings(layout), native_readable=native_readable)
    made = replace(made, native_places=native_readable and made.located and is_laid_out(made))
    check_known(made)
    return made


def _order(attributes: Mapping[str, Sequence[Expr]], scope: BodyScope) -> Node | None:
    """Returns the condition of `: big(condition)`."""
    return scope.lower(attributes["big"][0]) if attributes.get("big") else None


def _nests(fields: tuple[FieldLayout, ...], nested: Collection[str]) -> bool:
    """Returns whether a body contains others that can contain it."""
    return any(each.target is not None and each.target.name in nested for each in fields)


def codec_class(codec: Extension) -> str:
    """Returns the private class of a codec's fields."""
    name = "_" + "".join(part.capitalize() for part in codec.name.split("_"))
    return f"{name}_" if codec.module.find(name) is not None else name


def has_places(field: RecordField) -> bool:
    """Returns whether each element of a list has its own place."""
    return field.at is not None and any(each.kind == "index" for each in field.dimensions)


def shares_states(target: object) -> bool:
    """Returns whether the elements of a list of records share states of codecs."""
    if not isinstance(target, Record) or target.is_lazy:
        return False
    own = {*(each.name for each in target.fields), *(each.name for each in target.params)}
    return bool(_slots(target.fields, own))


class _Body:
    """The parts of a layout that all bodies have."""

    def __init__(self, names: Names, defaults: dict[str, Expr]) -> None:
        for each in names.fields:
            check_shape(each)
        self.scope = BodyScope(names)
        kinds = names.kinds
        self.parameters = tuple(
            ParameterLayout(
                name,
                names.attribute(name),
                argument_name(name),
                type_,
                self.scope.lower(defaults[name], kinds[name]) if name in defaults else None,
            )
            for name, type_ in names.parameters
        )
        own = {*(each.name for each in names.fields), *(name for name, _ in names.parameters)}
        steps = [] if names.located else _slots(names.fields, own)
        slots: Slots = {(field, step): number for number, (field, step, _) in enumerate(steps)}
        # Elements with places of their own are read one by one, in any order, so they do not share states.
        shared = {each.name: shares_states(each.target) and not has_places(each) for each in names.fields}
        kept = captures(names, self.scope)
        self.fields: tuple[FieldLayout, ...] = tuple(
            lower_field(each, names, self.scope, slots, shared[each.name], frozenset(kept[each.name]))
            for each in names.fields
        )
        self.states = tuple(
            StateLayout(field, self.scope.lower(codec.syntax.state.initial), None)
            if step is None
            else StateLayout(field, None, codec)
            for field, step, codec in steps
        )


def _slots(fields: Sequence[RecordField], own: set[str]) -> list[tuple[str, Expr | None, Extension]]:
    """Returns (field, step, codec) of the codecs that siblings share: codecs with fields and a state, without a step,
    and codecs that depend on parameters only.
    """
    found: list[tuple[str, Expr | None, Extension]] = []
    for each in fields:
        coder = own_codec(each)
        if coder is not None and coder.syntax.state is not None and not lists_of(each)[0]:
            found.append((each.name, None, coder))
        for step, codec in codecs_of(each):
            external = isinstance(codec, Extension) and codec.syntax.params and not isinstance(codec.syntax.value, Expr)
            reads_fields = {name.name for name in names_in(step)} & {field.name for field in fields}
            if isinstance(codec, Extension) and external and not reads_fields and not span_words(step, own):
                found.append((each.name, step, codec))
    return found


def _may_be_null(expr: Expr) -> bool:
    match expr:
        case Ternary(then=then, otherwise=otherwise):
            return _may_be_null(then) or _may_be_null(otherwise)
        case Name(name=name):
            return name == "null"
    return False


def _computed(computed: Sequence[ComputedDef], scope: BodyScope, names: Names) -> tuple[ComputedLayout, ...]:
    found = []
    for each in computed:
        value = scope.lower_value(each.value)
        is_truth = value.kind.kind == "bool" and not value.kind.lists and not isinstance(value, nodes.Comparison)
        if is_truth and not _may_be_null(each.value):
            value = nodes.Truth(value, kind=value.kind, location=value.location)
        text = text_of(each.written or each.value)
        found.append(ComputedLayout(each.name, names.attribute(each.name), value, text, each.doc))
    return tuple(found)


def _value(syntax: CodecDef, scope: BodyScope, names: Names) -> Node:
    """Returns the value of a codec with fields as a node; an integer must fit its type."""
    assert isinstance(syntax.value, Expr)
    kind = of_wire_type(syntax.result, names.module)
    node, name = scope.lower(syntax.value, kind), syntax.result.name
    if name in FIXED_WIDTHS and kind.kind == "int":
        return nodes.InRange(node, 8 * FIXED_WIDTHS[name], name[0] == "i", kind=kind, location=node.location)
    return node


def _params(syntax: VariantDef | CodecDef) -> tuple[tuple[str, str], ...]:
    return tuple((param.name, type_text(param.type)) for param in syntax.params)


def _defaults(syntax: VariantDef | CodecDef) -> dict[str, Expr]:
    return {param.name: param.default for param in syntax.params if param.default is not None}


def _byte_orders(codec: Extension) -> set[bool]:
    """Returns whether numbers are big-endian in the records and variants whose fields the codec reads."""
    found: set[bool] = set()
    for item in codec.module.definitions:
        if not isinstance(item, Record) and not (isinstance(item, Extension) and item.kind == "variant"):
            continue
        if not any(own_codec(each) is codec for each in fields_of(item)):
            continue
        attributes = item.attributes if isinstance(item, Record) else item.syntax.attributes
        if conditions := attributes.get("big"):
            message = "a codec with fields has one byte order, which no condition chooses"
            raise UnsupportedExpression(message, conditions[0])
        found.add("big" in attributes)
    return found


def _is_constant(expr: Expr, parameters: Collection[str]) -> bool:
    match expr:
        case Literal_():
            return True
        case Name():
            return expr.name not in parameters
        case Member():
            return _is_constant(expr.base, parameters)
        case Binary():
            return _is_constant(expr.left, parameters) and _is_constant(expr.right, parameters)
    return False


def _check_claimed_size(record: Record) -> None:
    """Raises UnsupportedExpression if the fields do not always take the number of bytes in `: size(n)`."""
    if not (size := record.attributes.get("size")):
        return
    claimed = constant_of(size[0])
    if claimed is None:
        raise UnsupportedExpression("the size of a record must be a whole number", size[0])
    taken = 0
    for field in record.fields:
        if field.at is not None and field.from_source:
            continue
        known = fixed_size(field) if field.at is not None else taken_size(field)
        if known is None:
            raise UnsupportedExpression(f"'{field.name}' does not always take the same number of bytes", size[0])
        taken += known
    if taken != claimed:
        raise UnsupportedExpression(f"the fields take {taken} bytes, not {claimed}", size[0])
