"""The `arrow` clauses of a variant's alternatives: shapes of Arrow types with holes, and how values fill them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..infer import Inference
from ..model import Extension, Module, Record
from ..names import attribute_name, type_name
from ..paths import Target, member
from ..syntax import ArrowMap, Call, Expr, Literal_, Member, Name, RecordField
from . import nodes
from .expressions import UnsupportedExpression
from .nodes import Node
from .record_layout import ArrowHole, ArrowLayout, ArrowShape, Construction
from .scopes import BodyScope, Names

#: The type names of `arrow` clauses, with the smallest and largest number of arguments.
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
    """A dict of bound fields: field name -> value, or tree of a nested record."""

    parts: dict[str, Node | _Tree] = field(default_factory=dict)

    def set(self, path: tuple[str, ...], value: Node) -> None:
        tree = self
        for name in path[:-1]:
            inner = tree.parts.setdefault(name, _Tree())
            assert isinstance(inner, _Tree)
            tree = inner
        tree.parts[path[-1]] = value


def lower_arrow(clause: ArrowMap, names: Names, scope: BodyScope, cls: str) -> ArrowLayout:
    """Returns the layout of one clause of an alternative.

    Args:
        cls: the alternative's class.

    Raises:
        UnsupportedExpression: the clause names no Arrow type, or an unknown field.
    """
    lowering = _Clause(names, scope)
    shape = lowering.shape(clause.type)
    return ArrowLayout(
        shape,
        tuple(value for _, value in lowering.holes),
        lowering.made(clause, cls),
        None if clause.condition is None else scope.lower(clause.condition),
    )


class _Clause:
    def __init__(self, names: Names, scope: BodyScope) -> None:
        self._names = names
        self._scope = scope
        self._fields = {each.name for each in names.fields}
        self.holes: list[tuple[tuple[str, ...], Node]] = []

    def shape(self, expr: Expr) -> ArrowShape:
        function = expr.function if isinstance(expr, Call) else expr
        name = function.name if isinstance(function, Name) else ""
        if name not in _ARITIES:
            raise UnsupportedExpression("an Arrow type is needed here", expr)
        arguments = expr.arguments if isinstance(expr, Call) else ()
        least, most = _ARITIES[name]
        if not least <= len(arguments) <= most:
            raise UnsupportedExpression(f"{name!r} does not take {len(arguments)} arguments", expr)
        return ArrowShape(name, tuple(map(self._argument, arguments)))

    def _argument(self, expr: Expr) -> ArrowShape | ArrowHole | Node:
        if isinstance(expr, Call):
            return self.shape(expr)
        path = _path(expr)
        if isinstance(expr, Literal_) or (path is not None and path[0] in ("true", "false")):
            return self._scope.lower(expr)
        if path is None or path[0] not in self._fields:
            raise UnsupportedExpression("a field, a constant or an Arrow type is needed here", expr)
        target = Inference(self._names.module).check(expr, self._scope.kinds)
        self.holes.append((path, self._scope.lower(expr)))
        variant = target.holder if isinstance(target.holder, Extension) else None
        return ArrowHole(len(self.holes) - 1, variant)

    def made(self, clause: ArrowMap, cls: str) -> Construction | None:
        """Returns the value for an Arrow type; None if a field is not bound."""
        tree = _Tree()
        for number, (path, _) in enumerate(self.holes):
            bound: Node = nodes.Item(nodes.Variable("bound"), nodes.Constant(number), checked=False)
            tree.set(path, nodes.Int(bound) if self._kind(path).kind == "int" else bound)
        for name, value in clause.assignments:
            if name not in self._fields:
                raise UnsupportedExpression(f"there is no field {name!r} to write", value)
            tree.set((name,), self._scope.lower(value))
        return _construct(cls, self._names.module, self._names.fields, tree, variant=True)

    def _kind(self, path: tuple[str, ...]) -> Target:
        target = self._names.kinds[path[0]]
        for name in path[1:]:
            target = member(target, name) or target
        return target


def _construct(
    cls: str, module: Module, fields: Sequence[RecordField], tree: _Tree, *, variant: bool = False
) -> Construction | None:
    arguments: list[tuple[str, Node | Construction]] = []
    for each in fields:
        if each.derived is not None:
            continue
        part: Node | Construction | _Tree | None = tree.parts.get(each.name)
        if isinstance(part, _Tree):
            record = each.target
            part = (
                _construct(type_name(record.name), record.module, record.fields, part)
                if isinstance(record, Record)
                else None
            )
        if part is None:
            return None
        arguments.append((attribute_name(each.name, variant=variant), part))
    return Construction(module, cls, tuple(arguments))


def _path(expr: Expr) -> tuple[str, ...] | None:
    if isinstance(expr, Name):
        return (expr.name,)
    base = _path(expr.base) if isinstance(expr, Member) else None
    return None if base is None or not isinstance(expr, Member) else (*base, expr.name)
