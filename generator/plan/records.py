"""Plans of records: for each field the statements that read it, check it and write it."""

from __future__ import annotations

from dataclasses import dataclass

from ..expressions import names
from ..model import Enum, Module, Record, Struct
from ..syntax import Dimension, Expr, Literal_, Name, RecordField, Where
from . import types
from .expressions import UnsupportedExpression, text_of
from .names import field_name, local_name, type_name
from .record_scope import RecordScope
from .text import assignment, call, docstring

_FIXED = {"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8}
_VARINTS = {"uvarint16": 16, "uvarint32": 32, "uvarint64": 64, "svarint32": 32, "svarint64": 64}


@dataclass(frozen=True, slots=True)
class RecordFieldPlan:
    """Attributes: ``read`` is an expression over ``at``, ``write`` one over ``value``; the checks are statements."""

    name: str
    attr: str
    hint: str
    doc: str
    given: bool
    read: str
    write: str
    read_checks: list[str]
    write_checks: list[str]
    present: str
    derived: str
    span: tuple[str, str] | None
    spec: str

    @property
    def source(self) -> str:
        """The value that is written."""
        return f"self.{self.attr}" if self.given else local_name(self.name)


@dataclass(frozen=True, slots=True)
class RecordPlan:
    name: str
    spec_name: str
    docstring: list[str]
    doc: str
    params: list[tuple[str, str]]
    fields: list[RecordFieldPlan]
    #: Fields in the order in which they can be encoded.
    written: list[RecordFieldPlan]
    checks: list[str]
    located: bool
    source_line: int

    @property
    def slot_lines(self) -> list[str]:
        own = [] if self.located else [field.attr for field in self.fields]
        names = [name for name, _ in self.params] + own
        return assignment("__slots__", [f'"{name}"' for name in names], indent=4)

    @property
    def given_lines(self) -> list[str]:
        return assignment("_given", [f'"{field.attr}"' for field in self.fields if field.given], indent=4)


def plan_record(record: Record) -> RecordPlan:
    """The plan of a record; raises UnsupportedExpression with the place of what cannot be compiled."""
    located = any(field.at is not None for field in record.fields)
    if located and any(field.at is None for field in record.fields):
        stray = next(field for field in record.fields if field.at is None)
        raise UnsupportedExpression(
            "a record that places fields with `at` must place all of them", Name("", stray.location)
        )
    fields = [_plan_field(field, record, located) for field in record.fields]
    return RecordPlan(
        name=type_name(record.name),
        spec_name=record.name,
        docstring=docstring(record.doc or f"{record.name}.", [(f.attr, f.doc or f.hint) for f in fields]),
        doc=record.doc,
        params=[(field_name(param.name), "int") for param in record.params],
        fields=fields,
        written=_write_order(record, fields),
        checks=[line for where in record.checks for line in _record_check(where, record)],
        located=located,
        source_line=record.location.line,
    )


def _reading(record: Record, located: bool) -> RecordScope:
    end = "self._source.size" if located else "at.end"
    return RecordScope(
        record,
        field=lambda name: f"self.{field_name(name)}",
        special={"end": end, "rest": "at.rest", "at_end": "at.rest == 0"},
        size=lambda name: f'at.size_of("{name}")',
    )


def _writing(record: Record) -> RecordScope:
    derived = {field.name for field in record.fields if field.derived is not None}
    return RecordScope(
        record,
        field=lambda name: local_name(name) if name in derived else f"self.{field_name(name)}",
        special={},
        size=lambda name: f'out.size("{name}")',
    )


def _plan_field(field: RecordField, record: Record, located: bool) -> RecordFieldPlan:
    module = record.module
    reading, writing = _reading(record, located), _writing(record)
    order = "big" if "big" in record.attributes else "little"
    compact = any(isinstance(step, Name) and step.name == "compact" for step in field.via)
    if field.via and not compact:
        raise UnsupportedExpression("records know `via compact` only", field.via[0])
    if field.arrow:
        raise UnsupportedExpression("`arrow` belongs to variants, which are not compiled", field.arrow[0])
    read = _read_value(field, module, order, reading)
    if field.size is not None and not located:
        read = f"at.within({reading.render(field.size)}, lambda at: {read})"
    return RecordFieldPlan(
        name=field.name,
        attr=field_name(field.name),
        hint=_hint(field, module),
        doc=field.doc,
        given=field.derived is None,
        read=read,
        write="" if located else _write_value(field, module, order, writing),
        read_checks=_read_checks(field, record, located),
        write_checks=[] if located else _write_checks(field, writing),
        present=reading.render(field.present) if field.present is not None else "",
        derived="" if located or field.derived is None else _value(field.derived, field, writing),
        span=(reading.render(field.at), _located_size(field, record, reading)) if field.at is not None else None,
        spec=_spec(field, module),
    )


def _value(expr: Expr, field: RecordField, scope: RecordScope) -> str:
    return scope.value_of_bytes(expr) if field.type.name == "bytes" else scope.render(expr)


def _parenthesised(text: str) -> str:
    return f"({text})" if " " in text else text


def _read_checks(field: RecordField, record: Record, located: bool) -> list[str]:
    """The checks that can be made once ``field`` has been read: its own, and earlier ones that waited for it."""
    if located:
        scope = _checking_located(field, record)
        return [line for check in _checks(field, scope) for line in _refuse("at.check", field, *check)]
    position = record.fields.index(field)
    lines: list[str] = []
    for number, other in enumerate(record.fields[: position + 1]):
        for expr, condition, rule in _checks(other, _reading(record, located=False)):
            used = {name.name for name in names(expr)}
            last = max((i for i, f in enumerate(record.fields) if f.name in used), default=0)
            if max(last, number) == position:
                lines += _refuse("at.check", other, expr, condition, rule)
    return lines


def _write_checks(field: RecordField, scope: RecordScope) -> list[str]:
    wheres = [(where.condition, f"lambda: {scope.render(where.condition)}", _rule(where)) for where in field.invariants]
    return [line for check in wheres for line in _refuse("out.check", field, *check)]


def _checks(field: RecordField, scope: RecordScope) -> list[tuple[Expr, str, str]]:
    """(expression, condition, rule) of what must hold when a field is read; an absent field breaks no rule."""
    found = []
    if field.derived is not None:
        rule = field.derived_message or f"{field.name} must be {text_of(field.derived)}"
        value = _parenthesised(_value(field.derived, field, scope))
        found.append((field.derived, f"{scope.field(field.name)} == {value}", rule))
    found += [(where.condition, scope.render(where.condition), _rule(where)) for where in field.invariants]
    if field.present is None:
        return found
    return [(expr, f"{scope.field(field.name)} is None or ({text})", rule) for expr, text, rule in found]


def _rule(where: Where) -> str:
    return where.message or f"{text_of(where.condition)} does not hold"


def _refuse(function: str, field: RecordField, _expr: Expr, condition: str, rule: str) -> list[str]:
    """A statement that refuses a record where a condition does not hold."""
    return call(function, [types.quoted(field.name), condition, types.quoted(rule)], indent=8, end="")


def _checking_located(field: RecordField, record: Record) -> RecordScope:
    """The scope of a located field's checks, where the field itself is only just being read."""
    reading = _reading(record, located=True)

    def name(other: str) -> str:
        return "value" if other == field.name else reading.field(other)

    return RecordScope(record, name, reading.special, reading.size)


def _record_check(where: Where, record: Record) -> list[str]:
    condition = _reading(record, located=False).render(where.condition)
    return call("at.check", ['""', condition, types.quoted(_rule(where))], indent=8, end="")


def _hint(field: RecordField, module: Module) -> str:
    item = _element_hint(field, module)
    listed = any(not _is_length(dimension, field) for dimension in field.dimensions)
    optional = " | None" if field.present is not None else ""
    return (f"list[{item}]" if listed else item) + optional


def _element_hint(field: RecordField, module: Module) -> str:
    name = field.type.name
    if name in ("f32", "f64"):
        return "float"
    if name in _FIXED or name in _VARINTS:
        return "int"
    if name in ("bytes", "utf8", "bool8"):
        return {"bytes": "bytes", "utf8": "str", "bool8": "bool"}[name]
    return _class(field, module)


def _class(field: RecordField, module: Module) -> str:
    found = module.find(field.type.name)
    if isinstance(found, Record):
        prefix = "" if found.module is module else f"{types.import_alias(found.module)}."
        return f"{prefix}{type_name(found.name)}"
    if isinstance(found, Struct):
        return types.class_expression(found, module)
    kind = type(found).__name__ if isinstance(found, Enum) else "type"
    raise UnsupportedExpression(
        f"{field.type.name!r} is no {kind} that a record can hold", Name("", field.type.location)
    )


def _is_length(dimension: Dimension, field: RecordField) -> bool:
    """Whether a dimension is the length of a byte string, not a number of elements."""
    return (
        field.type.name in ("bytes", "utf8")
        and dimension is field.dimensions[-1]
        and dimension.kind in ("count", "rest")
    )


def _read_value(field: RecordField, module: Module, order: str, scope: RecordScope) -> str:
    name = field.type.name
    lists = [dimension for dimension in field.dimensions if not _is_length(dimension, field)]
    if name in ("bytes", "utf8"):
        length = next((d for d in field.dimensions if _is_length(d, field)), None)
        if length is None:
            raise UnsupportedExpression(f"{name} needs a length: [n] or [..]", Name("", field.location))
        count = "at.rest" if length.expression is None else scope.render(length.expression)
        value = f"at.{'take' if name == 'bytes' else 'text'}({count})"
    elif name == "bool8":
        value = "at.boolean()"
    elif name in _FIXED:
        value = f'at.fixed(_rec.FIXED["{name}_{order}"])'
    elif name in _VARINTS:
        value = f"at.{name[:7]}({_VARINTS[name]})"
    else:
        cls = _class(field, module)
        is_struct = isinstance(module.find(name), Struct)
        arguments = "".join(f", {scope.render(argument)}" for argument in field.type.arguments or ())
        value = f"at.struct({cls})" if is_struct else f"at.record({cls}{arguments})"
    for dimension in lists:
        value = _read_items(dimension, value, scope)
    return value


def _read_items(dimension: Dimension, value: str, scope: RecordScope) -> str:
    if dimension.kind == "count" and dimension.expression is not None:
        return f"at.items({scope.render(dimension.expression)}, lambda: {value})"
    if dimension.kind == "rest":
        return f"at.items_to_end(lambda: {value})"
    raise UnsupportedExpression("records know the dimensions [n] and [..] only", Name("", dimension.location))


def _write_value(field: RecordField, module: Module, order: str, scope: RecordScope) -> str:
    """The encoded field as an expression over ``value``."""
    name = field.type.name
    lists = [dimension for dimension in field.dimensions if not _is_length(dimension, field)]
    if name in ("bytes", "utf8"):
        length = next(d for d in field.dimensions if _is_length(d, field))
        text = f"_rec.{'raw' if name == 'bytes' else 'text'}(value, {_written_count(length, field, scope)})"
    elif name == "bool8":
        text = "_rec.boolean(value)"
    elif name in _FIXED:
        text = f'_rec.FIXED["{name}_{order}"].pack(value)'
    elif name in _VARINTS:
        text = f"_rec.{name[:7]}(value, {_VARINTS[name]})"
    else:
        text = f"_rec.nested(value, {_class(field, module)})"
    for dimension in lists:
        text = f"_rec.items(value, {_written_count(dimension, field, scope)}, lambda value: {text})"
    return text


def _written_count(dimension: Dimension, field: RecordField, scope: RecordScope) -> str:
    """The count that is checked on write; none where it is open, or derived from this very field."""
    expr = dimension.expression
    if expr is None:
        return "None"
    counted = {name.name for name in names(expr)}
    derivations = [
        other.derived for other in scope.record.fields if other.name in counted and other.derived is not None
    ]
    if any(name.name == field.name for derivation in derivations for name in names(derivation)):
        return "None"
    return scope.render(expr)


def _located_size(field: RecordField, record: Record, scope: RecordScope) -> str:
    if field.size is not None:
        return scope.render(field.size)
    size = _static_size(field, record.module)
    if size is None:
        raise UnsupportedExpression(
            "a field placed with `at` needs a `size`, or a type of fixed size", Name("", field.location)
        )
    return str(size)


def _static_size(field: RecordField, module: Module) -> int | None:
    if field.present is not None:
        return None
    found = module.find(field.type.name)
    size = _FIXED.get(field.type.name) or {"bytes": 1, "utf8": 1, "bool8": 1}.get(field.type.name)
    if isinstance(found, Record):
        size = _record_size(found)
    if field.type.name in ("bytes", "utf8") and not field.dimensions:
        return None
    for dimension in field.dimensions:
        if (
            size is None
            or not isinstance(dimension.expression, Literal_)
            or not isinstance(dimension.expression.value, int)
        ):
            return None
        size *= dimension.expression.value
    return size


def _record_size(record: Record) -> int | None:
    sizes = [_static_size(field, record.module) for field in record.fields]
    if any(field.at is not None for field in record.fields):
        return None
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _write_order(record: Record, plans: list[RecordFieldPlan]) -> list[RecordFieldPlan]:
    """Fields that derive from others' sizes come after them; the others keep their order."""
    pending = list(plans)
    ordered: list[RecordFieldPlan] = []
    while pending:
        done = {plan.name for plan in ordered}
        ready = [
            plan for plan in pending if all(plan.derived.find(f'size("{p.name}")') < 0 or p.name in done for p in plans)
        ]
        if not ready:
            stuck = next(field for field in record.fields if field.name == pending[0].name)
            raise UnsupportedExpression("the derivation of this field depends on itself", Name("", stuck.location))
        ordered.append(ready[0])
        pending.remove(ready[0])
    return ordered


def _spec(field: RecordField, module: Module) -> str:
    """A record's field type is reflected by its name in the IDL."""
    return types.quoted(field.type.name + "".join(f"[{_dimension(d)}]" for d in field.dimensions))


def _dimension(dimension: Dimension) -> str:
    text = text_of(dimension.expression) if dimension.expression is not None else ""
    return {"count": text, "rest": "..", "until": f"until {text}", "index": f"{dimension.variable} < {text}"}[
        dimension.kind
    ]
