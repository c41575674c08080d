"""The fields inside of which an expression uses a value that is known only once the field is written: what its type derives or
computes, and what depends on its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ..graph import always
from ..infer import Inference
from ..model import Extension, Record
from ..paths import Target, bodies_of, clauses_of, fields_of, names_of, parameter_names
from ..syntax import Call, ComputedDef, Expr, FnDef, Index, Member, Name, RecordField, Slice, VariantDef
from ..syntax.walk import called_name, children, names, walk
from . import nodes
from .expressions import attribute_of
from .field_layout import FieldLayout
from .nodes import Node
from .record_layout import RecordLayout
from .scopes import function_body

Body = Record | Extension


def written_inside(node: Node, field: FieldLayout) -> Iterator[str]:
    """Yields the names of the fields that must be written before an expression of a field is computed."""
    given = [place for place, each in enumerate(field.arguments) if each is node]
    passed = bool(given) and _takes_written(field.target, given[0], node.kind, ())
    for part in [*([node] if passed or (not given and _depends(node)) else []), *_reads(node)]:
        is_bound = any(isinstance(each, nodes.Variable) for each in nodes.walk(part))
        for each in nodes.walk(node if is_bound else part):
            if isinstance(each, nodes.FieldValue) and _bodies_of(each.kind):
                yield each.field


def _reads(node: Node, *, calls: bool = True) -> Iterator[Node]:
    """Yields the objects of which an expression uses such a value; those of a loop or a function by their variables."""
    match node:
        case nodes.Attribute(base=base, name=name) | nodes.Attributes(base=base, name=name):
            if any(_is_written(body, name) for body in _bodies_of(base.kind)):
                yield base
        case nodes.Count(operand=nodes.Attribute(base=base, name=name)):
            # How many elements there are does not depend on what is written of them.
            if any(_is_derived(each, body) for body in _bodies_of(base.kind) for each in _named(body, name)):
                yield base
            yield from _reads(base, calls=calls)
            return
        case nodes.FunctionCall(function=function, operands=operands) if calls:
            objects = [each for each in operands if _depends(each)]
            yield from objects if objects and _calls_reads(function) else ()
        case nodes.Comparison(operands=operands) if not {"is", "is not"} & {*node.operators}:
            yield from (each for each in operands if _depends(each))
    for child in nodes.children(node):
        yield from _reads(child, calls=calls)


def _calls_reads(function: Extension) -> bool:
    """Returns whether a function, or one that it calls, uses such a value of an object; those of Python may."""
    pending, seen = [function], {function}
    while pending:
        each = pending.pop()
        body = function_body(each) if isinstance(each.syntax, FnDef) else None
        if body is None or any(True for _ in _reads(body, calls=False)):
            return True
        new = {part.function for part in nodes.walk(body) if isinstance(part, nodes.FunctionCall)} - seen
        pending += new
        seen |= new
    return False


def _bodies_of(kind: Target) -> list[Body]:
    """Returns the records and variants that a value may be of."""
    return [each.holder for each in kind.objects if isinstance(each.holder, Record | Extension)]


def _depends(node: Node) -> bool:
    """Returns whether values of an object are known only once it is written."""
    return any(map(has_written_values, _bodies_of(node.kind)))


def _named(body: Body, attribute: str) -> Iterator[RecordField]:
    target = Target("object", body)
    return (each for each in fields_of(body) if attribute_of(each.name, target) == attribute)


def _is_derived(field: RecordField, body: Body) -> bool:
    """Returns whether writing sets a field itself."""
    own = (where.setting for where in field.invariants if where.setting is not None)
    parts = (each for each in fields_of(body) if each.bits is not None and each.bits[0] == field.name)
    is_set = field.derived is not None or any(not any(each.path) for each in own)
    return is_set or any(_is_derived(each, body) for each in parts)


def _is_written(body: Body, attribute: str) -> bool:
    """Returns whether writing sets an attribute of a record, or a value that it is computed from."""
    target = Target("object", body)
    for field in _named(body, attribute):
        if _is_derived(field, body) or any(where.setting is not None for where in field.invariants):
            return True
    if any(attribute_of(each, target) == attribute for each in parameter_names(body)):
        return True
    return any(
        _is_computed(each, fields, body)
        for fields, computed in bodies_of(body)
        for each in computed
        if attribute_of(each.name, target) == attribute
    )


def _is_computed(computed: ComputedDef, fields: Sequence[RecordField], body: Body) -> bool:
    """Returns whether a computed attribute depends on what writing sets."""
    used = {each.name for each in names(computed.value)}
    if used & {*parameter_names(body)}:
        return True
    return any(_holds_written(each, body, has_written_values) for each in fields if each.name in used)


@always
def has_written_values(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether writing sets values inside of a record."""
    return bool(parameter_names(body)) or any(_holds_written(each, body, holds) for each in fields_of(body))


def _holds_written(field: RecordField, body: Body, holds: Callable[[Body], bool]) -> bool:
    if _is_derived(field, body) or any(where.setting is not None for where in field.invariants):
        return True
    return any(map(holds, _bodies_of(field.kind)))


# ---- objects that stand in several places ----


def uses_arguments(layout: RecordLayout) -> bool:
    """Returns whether expressions use values inside of fields that depend on arguments: an object in two fields with
    different arguments has these values of the one that was written last.
    """
    expressions = [(node, each) for each in layout.fields for node in each.nodes()]
    expressions += [(rule.condition, layout.fields[0]) for rule in layout.checks if layout.fields]
    used = {layout.field(name) for node, each in expressions for name in written_inside(node, each)}
    bodies = (each.target for each in used if each is not None)
    return any(isinstance(each, Record | Extension) and _has_parameters(each) for each in bodies)


@always
def _has_parameters(body: Body, holds: Callable[[Body], bool]) -> bool:
    held = (each for field in fields_of(body) for each in _bodies_of(field.kind))
    return bool(parameter_names(body)) or any(map(holds, held))


# ---- objects as arguments ----


def _takes_written(target: object, place: int, given: Target, inside: Collection[tuple[Body, int]]) -> bool:
    """Returns whether a record or variant uses such values of an object that it gets as an argument."""
    bodies = [body for body in _bodies_of(given) if has_written_values(body)]
    if not bodies or not isinstance(target, Record | Extension):
        return False
    if not isinstance(target, Record) and not isinstance(target.syntax, VariantDef):
        shapes = getattr(target.syntax, "shapes", ())
        used = {name for shape in shapes for pattern in shape.patterns for name in pattern.variables}
        fields = ((each, body) for body in bodies for each in fields_of(body) if each.name in used)
        return any(_holds_written(each, body, has_written_values) for each, body in fields)
    if (target, place) in inside:
        return False
    name = parameter_names(target)[place]
    kinds = names_of(target, fields_of(target))
    inference = Inference(target.module)
    for field in fields_of(target):
        for number, each in enumerate(field.type.arguments or ()):
            is_passed = _root(each) == name and bool(_bodies_of(kind := inference.check(each, kinds)))
            if is_passed and _takes_written(field.target, number, kind, (*inside, (target, place))):
                return True
            if not (is_passed and isinstance(each, Name)) and _uses_written(each, name, inference, kinds):
                return True
        if any(_uses_written(each, name, inference, kinds) for each in _clauses(field)):
            return True
    computed = (each.value for _, found in bodies_of(target) for each in found)
    return any(_uses_written(each, name, inference, kinds) for each in (*computed, *_whole(target)))


def _uses_written(expr: Expr, name: str, inference: Inference, kinds: dict[str, Target]) -> bool:
    """Returns whether an expression uses such a value of what a name is, or more than a value of it."""
    match expr:
        case Member(base=base) if _root(base) == name:
            bodies = _bodies_of(inference.check(base, kinds))
            if any(_is_written(body, attribute_of(expr.name, Target("object", body))) for body in bodies):
                return True
            return not isinstance(base, Name) and _uses_written(base, name, inference, kinds)
        case Index(base=base) | Slice(base=base) if isinstance(base, Member) and _root(base) == name:
            # The object that an element is counts where it is used.
            return any(_uses_written(each, name, inference, kinds) for each in children(expr))
        case Call(arguments=(Name(),)) if called_name(expr) == "count":
            return False
        case Name():
            return expr.name == name and any(map(has_written_values, _bodies_of(kinds[name])))
    return any(_uses_written(each, name, inference, kinds) for each in children(expr))


def _root(expr: Expr) -> str:
    while isinstance(expr, Member | Index | Slice):
        expr = expr.base
    return expr.name if isinstance(expr, Name) else ""


def _clauses(field: RecordField) -> Iterator[Expr]:
    yield from clauses_of(field)
    for where in field.invariants:
        yield where.condition if where.setting is None else where.setting.value


def _whole(body: Body) -> Iterator[Expr]:
    if isinstance(body, Record):
        yield from (each.condition for each in body.checks)
    elif isinstance(body.syntax, VariantDef):
        yield body.syntax.tag


# ---- places ----


def needs_offset(field: FieldLayout) -> bool:
    """Returns whether the bytes of a field depend on where it stands."""
    return isinstance(field.target, Record | Extension) and not field.span_codecs and _knows_place(field.target)


@always
def _knows_place(body: Body, holds: Callable[[Body], bool]) -> bool:
    if any(each.from_source or each.origin for each in fields_of(body)):
        return True
    clauses = (clause for each in fields_of(body) for clause in (*_clauses(each), *(each.type.arguments or ())))
    if any(
        called_name(part) in ("offset", "padding") for each in clauses for part in walk(each) if isinstance(part, Call)
    ):
        return True
    return any(holds(each) for field in fields_of(body) for each in _bodies_of(field.kind))
