"""The `arrow` clauses of a variant's alternatives as data: shapes with holes, and how values fill them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..infer import Inference
from ..model import Extension, Module, Record
from ..paths import member
from ..syntax import ArrowMap, Call, Expr, Literal_, Member, Name, RecordField
from . import types
from .expressions import UnsupportedExpression
from .names import attribute_name, type_name
from .record_scope import RecordScope
from .units import Unit

#: Type names of `arrow` clauses, with the numbers of arguments that they take.
_ARITIES = {
    "null": (0, 0), "bool": (0, 0), "int8": (0, 0), "int16": (0, 0), "int32": (0, 0), "int64": (0, 0), "uint8": (0, 0),
    "uint16": (0, 0), "uint32": (0, 0), "uint64": (0, 0), "float16": (0, 0), "float32": (0, 0), "float64": (0, 0),
    "date32": (0, 0), "date64": (0, 0), "utf8": (0, 0), "binary": (0, 0), "large_utf8": (0, 0), "large_binary": (0, 0),
    "utf8_view": (0, 0), "binary_view": (0, 0), "interval_month_day_nano": (0, 0), "timestamp": (1, 2), "time32": (1, 1),
    "time64": (1, 1), "duration": (1, 1), "decimal32": (2, 2), "decimal64": (2, 2), "decimal128": (2, 2),
    "decimal256": (2, 2), "fixed_size_binary": (1, 1), "list": (1, 1), "large_list": (1, 1), "map": (2, 3), "field": (3, 3),
}  # fmt: skip


@dataclass(slots=True)
class _Tree:
    """Fields that are bound: texts of values, or the trees of nested records, by the field's name."""

    parts: dict[str, str | _Tree] = field(default_factory=dict)

    def set(self, path: tuple[str, ...], text: str) -> None:
        tree = self
        for name in path[:-1]:
            inner = tree.parts.setdefault(name, _Tree())
            assert isinstance(inner, _Tree)
            tree = inner
        tree.parts[path[-1]] = text


class ArrowPlanner:
    """Plans the clauses of one alternative."""

    def __init__(self, unit: Unit, scope: RecordScope) -> None:
        self._unit = unit
        self._scope = scope
        self._holes: list[tuple[tuple[str, ...], str]] = []

    def lines(self, arrow: ArrowMap) -> str:
        """The text of an `ArrowMap`."""
        self._holes = []
        shape = self._shape(arrow.type)
        arguments = [shape, f"lambda made: {self._values()}"]
        made = self._made(arrow)
        if made is not None:
            arguments.append(f"made=lambda bound: {made}")
        if arrow.condition is not None:
            arguments.append(f"condition=lambda made: {self._scope.render(arrow.condition)}")
        return f"_arrows.ArrowMap({', '.join(arguments)})"

    # ---- shapes ----

    def _shape(self, expr: Expr) -> str:
        function = expr.function if isinstance(expr, Call) else expr
        name = function.name if isinstance(function, Name) else ""
        if name not in _ARITIES:
            raise UnsupportedExpression("an Arrow type is needed here", expr)
        arguments = expr.arguments if isinstance(expr, Call) else ()
        least, most = _ARITIES[name]
        if not least <= len(arguments) <= most:
            raise UnsupportedExpression(f"{name!r} does not take {len(arguments)} arguments", expr)
        texts = [types.quoted(name), *(self._argument(argument) for argument in arguments)]
        return f"_arrows.Shape({', '.join(texts)})"

    def _argument(self, expr: Expr) -> str:
        if isinstance(expr, Literal_):
            return self._scope.render(expr)
        if isinstance(expr, Call):
            return self._shape(expr)
        path = _path(expr)
        if path is not None and path[0] in ("true", "false"):
            return self._scope.render(expr)
        if path is None or self._unit.field(path[0]) is None:
            raise UnsupportedExpression("a field, a constant or an Arrow type is needed here", expr)
        target = Inference(self._unit.module).check(expr, self._unit.kinds)
        self._holes.append((path, self._scope.render(expr)))
        number = len(self._holes) - 1
        if isinstance(target.holder, Extension):
            return f"_arrows.Hole({number}, lambda: {type_name(target.holder.name)})"
        return f"_arrows.Hole({number})"

    def _values(self) -> str:
        values = [text for _, text in self._holes]
        return f"({', '.join(values)}{',' if len(values) == 1 else ''})"

    # ---- values from types ----

    def _made(self, arrow: ArrowMap) -> str | None:
        """The constructor's call; None where a field is not bound."""
        tree = _Tree()
        for number, (path, _) in enumerate(self._holes):
            text = f"bound[{number}]"
            tree.set(path, f"int({text})" if self._is_number(path) else text)
        for name, value in arrow.assignments:
            if self._unit.field(name) is None:
                raise UnsupportedExpression(f"there is no field {name!r} to write", value)
            tree.set((name,), self._scope.render(value))
        return _construct(self._unit.name, self._unit.fields, tree, self._unit.module, variant=True)

    def _is_number(self, path: tuple[str, ...]) -> bool:
        target = self._unit.kinds[path[0]]
        for name in path[1:]:
            target = member(target, name) or target
        return target.kind == "int"


def _construct(
    name: str,
    fields: tuple[RecordField, ...] | list[RecordField],
    tree: _Tree,
    module: Module,
    *,
    variant: bool = False,
) -> str | None:
    arguments = []
    for each in fields:
        if each.derived is not None:
            continue
        part = tree.parts.get(each.name)
        if isinstance(part, _Tree):
            record = module.find(each.type.name)
            part = (
                _construct(_class(record, module), record.fields, part, record.module)
                if isinstance(record, Record)
                else None
            )
        if part is None:
            return None
        arguments.append(f"{attribute_name(each.name, variant=variant)}={part}")
    return f"{name}({', '.join(arguments)})"


def _class(record: object, module: Module) -> str:
    assert isinstance(record, Record)
    prefix = "" if record.module is module else f"{types.import_alias(record.module)}."
    return prefix + type_name(record.name)


def _path(expr: Expr) -> tuple[str, ...] | None:
    if isinstance(expr, Name):
        return (expr.name,)
    base = _path(expr.base) if isinstance(expr, Member) else None
    return None if base is None or not isinstance(expr, Member) else (*base, expr.name)


def plan_arrow(unit: Unit, arrow: tuple[ArrowMap, ...], scope: RecordScope) -> str:
    """The text of the tuple of an alternative's clauses."""
    planner = ArrowPlanner(unit, scope)
    items = ", ".join(planner.lines(each) for each in arrow)
    return f"({items},)"
