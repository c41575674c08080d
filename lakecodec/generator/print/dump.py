"""The lowered schema of a type as text: one line per field, with s-expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ..diagnostics import Location
from ..lower import nodes
from ..lower.bodies import lower_codec, lower_record, lower_variant
from ..lower.field_layout import Dimension, FieldLayout, Rule
from ..lower.native_writing import native_writing
from ..lower.nesting import self_containing
from ..lower.nodes import Node
from ..lower.record_layout import ParameterLayout, RecordLayout, VariantLayout
from ..model import Enum, Extension, Module, Record, Struct
from ..names import quoted
from ..syntax import CodecDef, VariantDef
from .types import hint, literal


def dump(module: Module, name: str) -> str:
    """Returns the lowered schema of a record, variant, codec with fields, struct, union or enum of a module.

    Raises:
        KeyError: the module defines nothing of that name, or nothing that has a layout.
        UnsupportedExpression: the type cannot be compiled.
    """
    return "\n".join(_lines(module, name)) + "\n"


def dumpable(module: Module) -> list[str]:
    """Returns the names of the types that have a layout, in the order of the file."""
    return [
        item.name
        for item in module.definitions
        if isinstance(item, Record | Struct | Enum) or (isinstance(item, Extension) and _has_fields(item))
    ]


def _has_fields(item: Extension) -> bool:
    return isinstance(item.syntax, VariantDef) or (isinstance(item.syntax, CodecDef) and item.syntax.fields is not None)


def _lines(module: Module, name: str) -> Iterator[str]:
    item, nested = module.find(name), self_containing(module)
    match item:
        case Record():
            yield from _record("record", lower_record(item, nested=nested))
        case Struct():
            yield from _struct(item)
        case Enum():
            yield f"enum {item.name}  {_place(item.location)}"
            yield from (f"  {each.name} = {each.number}" for each in item.members)
        case Extension() if isinstance(item.syntax, VariantDef):
            yield from _variant(lower_variant(item, nested=nested))
        case Extension() if _has_fields(item):
            codec = lower_codec(item)
            if codec is None:
                raise KeyError(f"{name}: only encodings use this codec, which read it as a declaration")
            yield from _record("codec", codec)
        case _:
            raise KeyError(f"{name}: {module.name} has no type of that name with a layout")


def _place(location: Location) -> str:
    return f"[line {location.line}]"


def _struct(struct: Struct) -> Iterator[str]:
    yield f"{struct.kind} {struct.name}  {_place(struct.location)}"
    for each in struct.fields:
        default = f" = {literal(each.default, each.type, struct.module)}" if each.has_default else ""
        yield f"  {each.id}: {each.requiredness} {hint(each.type, struct.module)} {each.name}{default}"


def _variant(layout: VariantLayout) -> Iterator[str]:
    by = "table" if layout.constant else "chain"
    yield f"variant {layout.spec_name} on {sexp(layout.tag)} by {by}  {_place(layout.location)}"
    yield from map(_parameter, layout.parameters)
    for each in layout.alternatives:
        tags = " ".join(map(sexp, each.tags)) or "else"
        yield from (f"  {line}" for line in _record(f"{tags} ->", each.record, parameters=False))
        for clause in each.arrow:
            condition = "" if clause.condition is None else f" when {sexp(clause.condition)}"
            reads = "" if clause.made is not None else ", written only"
            yield f"    arrow {clause.shape.name}({' '.join(map(sexp, clause.values))}){condition}{reads}"


def _record(kind: str, layout: RecordLayout, *, parameters: bool = True) -> Iterator[str]:
    nests = " nests" if layout.nests else ""
    order = "big" if layout.big else "little"
    order += "" if layout.order is None else f" if {sexp(layout.order)}"
    order += (
        " gaps" * layout.gaps
        + " overlaps" * layout.overlaps
        + " normalizes" * layout.normalizes
        + " origin" * layout.is_origin
    )
    yield f"{kind} {layout.spec_name} {order}{nests}  {_place(layout.location)}"
    if parameters:
        yield from map(_parameter, layout.parameters)
    for number, state in enumerate(layout.states):
        kept = f"codec {state.codec.name}" if state.codec is not None else f"from {sexp(_given(state.initial))}"
        yield f"  state {number} {kept} of {state.field}"
    writing = native_writing(layout.body if layout.located else layout)
    for each in layout.fields:
        yield f"  {_field(each)}"
        if early := writing.before.get(each.name):
            yield f"    before: {', '.join(f'{word} {other.name}' for word, other in early)}"
        if clauses := writing.open.get(each.name):
            yield f"    open: {', '.join(sorted(clauses))}"
        if each.alignment is not None:
            yield f"    align {sexp(each.alignment)}"
        if each.default is not None:
            yield f"    default {sexp(each.default)}"
        if each.derivation is not None:
            yield f"    = {sexp(each.derivation.condition)}{_rule(each.derivation, each)}"
        for rule in each.rules:
            word = "where" if rule.setting is None else "with"
            yield f"    {word} {sexp(rule.condition)}{_rule(rule, each)}"
    for computed in layout.computed:
        yield f"  {computed.name}: let {sexp(computed.value)}"
    if layout.value is not None:
        yield f"  value {layout.value_type} = {sexp(layout.value)}"
    for rule in layout.checks:
        yield f"  where {sexp(rule.condition)}  # {rule.message}"


def _parameter(each: ParameterLayout) -> str:
    default = "" if each.default is None else f" = {sexp(each.default)}"
    return f"  param {each.name}: {each.type}{default}"


def _field(field: FieldLayout) -> str:
    arguments = " ".join(map(sexp, field.arguments))
    words = [f"{field.name}: {field.type}{f'({arguments})' if arguments else ''}"]
    if field.width is not None:
        words.append(f"width {sexp(field.width)}")
    if field.dimension is not None:
        words.append(f"list {_dimension(field.dimension)}")
    if field.length is not None:
        words.append(f"length {_dimension(field.length)}")
    if field.terminator is not None:
        words.append(f"until {quoted(field.terminator)}")
    if field.presence is not None:
        words.append(f"if {sexp(field.presence)}")
    if field.place is not None:
        origin = f" from {field.origin or 'source'}" if field.from_source else ""
        words.append(f"at {sexp(field.place)}{origin}")
    if field.size is not None:
        words.append(f"size {sexp(field.size)}")
    for codec in field.codecs:
        slot = "" if codec.slot is None else f" state {codec.slot}"
        words.append(f"via {sexp(codec.call)}{slot}")
    if field.coder is not None:
        given = " ".join([field.coder.codec.name, *map(sexp, field.coder.arguments)])
        words.append(f"via ({given}){'' if field.coder.slot is None else f' state {field.coder.slot}'}")
        words += ["normalizes"] * ("normalizes" in field.coder.codec.syntax.attributes)
    if field.enum is not None:
        words.append(f"enum {field.enum.name}")
    if field.captures:
        words.append(f"captures {' '.join(sorted(field.captures))}")
    size = f"{field.fixed} bytes" if field.fixed is not None else f">= {field.smallest} bytes"
    return f"{'  '.join(words)}  {size if field.dimension is None or field.fixed is not None else f'{size} each'}"


def _dimension(dimension: Dimension) -> str:
    return dimension.kind if dimension.value is None else f"{dimension.kind} {sexp(dimension.value)}"


def _rule(rule: Rule, field: FieldLayout) -> str:
    each = "  each" if rule.of_element else ""
    late = "" if rule.after == field.name else f"  after {rule.after}"
    return f"{each}{late}  # {rule.message}"


def _given(node: Node | None) -> Node:
    assert node is not None
    return node


def sexp(node: Node) -> str:
    """Returns a node as an s-expression: names bare, constants as literals, operations as (word operands...)."""
    atom = _atom(node)
    if atom is not None:
        return atom
    match node:
        case nodes.Measure():
            index = "" if node.index is None else f" {sexp(node.index)}"
            return f"({node.function} {node.field}{index})" if node.fixed is None else str(node.fixed)
        case nodes.PlacedMeasure():
            return f"({node.function} {node.field}{'' if node.index is None else f' {sexp(node.index)}'})"
        case nodes.Attribute() | nodes.Attributes():
            word = "get" if isinstance(node, nodes.Attribute) else "each"
            return f"({word} {sexp(node.base)} {node.name})"
        case nodes.Arithmetic():
            return f"({node.operator} {sexp(node.left)} {sexp(node.right)})"
        case nodes.Logical():
            return f"({node.word} {' '.join(map(sexp, node.operands))})"
        case nodes.Comparison(operators=(sign,)):
            return f"({sign} {' '.join(map(sexp, node.operands))})"
        case nodes.Comparison():
            words_of = [sexp(node.operands[0])]
            for sign, operand in zip(node.operators, node.operands[1:], strict=True):
                words_of += [sign, sexp(operand)]
            return f"(chain {' '.join(words_of)})"
        case nodes.Builtin():
            return f"({' '.join([node.name, *map(sexp, node.operands)])})"
        case nodes.FunctionCall():
            return f"({' '.join([node.function.name, *map(sexp, node.operands)])})"
        case nodes.InRange():
            return f"({'i' if node.signed else 'u'}{node.bits} {sexp(node.operand)})"
        case nodes.Loop():
            parts_of = [node.base, *(each for each in (node.condition, node.initial) if each is not None), node.value]
            word = "loop" if node.initial is None else f"fold {node.accumulator}"
            return f"({' '.join([word, node.variable, *map(sexp, parts_of)])})"
        case nodes.Slice():
            bounds = ("_" if bound is None else sexp(bound) for bound in (node.low, node.high))
            return f"(slice {sexp(node.base)} {' '.join(bounds)})"
    parts = (getattr(node, each.name) for each in fields(node))
    return f"({' '.join([type(node).__name__.lower(), *(sexp(part) for part in parts if isinstance(part, Node))])})"


def _atom(node: Node) -> str | None:
    """Returns the text of a node without operands, None for other nodes."""
    match node:
        case nodes.Constant(value=value):
            if value is None or isinstance(value, bool):
                return {None: "null", True: "true", False: "false"}[value]
            return quoted(value) if isinstance(value, str | bytes) else repr(value)
        case nodes.Global():
            return ".".join(node.path)
        case nodes.FieldValue():
            return node.field
        case nodes.Parameter():
            return f"param:{node.attribute}"
        case nodes.CodecValue():
            return "value"
        case nodes.ElementIndex():
            return "index"
        case nodes.Ahead():
            return f"(ahead {quoted(node.mark)})"
        case nodes.Peek():
            return f"(peek {node.count})"
        case nodes.SpanWord():
            return f"span:{node.word}"
        case nodes.Variable():
            return node.name
        case nodes.Declared():
            return node.extension.name
        case nodes.Encoded():
            return f"(encoded {' '.join(node.fields)})"
        case nodes.AllBut(ranges=ranges):
            return f"(all_but {' '.join(f'{start}+{size}' for start, size in ranges)})"
    return None
