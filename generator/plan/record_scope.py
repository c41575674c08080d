"""What names and calls mean in the expressions of a record."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Const, Record, Scalar
from ..syntax import Call, Compare, Expr, Literal_, Member, Name
from .expressions import Scope, UnsupportedExpression
from .names import field_name


class RecordScope(Scope):
    """One record's generated method.

    Args:
        record: whose fields and parameters can be named.
        field: the Python text for a field of the record.
        special: the text for ``end``, ``rest`` and ``at_end`` where they mean something.
        size: the text for the encoded size of a field.
    """

    def __init__(
        self, record: Record, field: Callable[[str], str], special: dict[str, str], size: Callable[[str], str]
    ) -> None:
        super().__init__(record.module)
        self.record = record
        self.field = field
        self.special = special
        self.size = size

    def local(self, name: str) -> str | None:
        if any(field.name == name for field in self.record.fields):
            return self.field(name)
        if any(param.name == name for param in self.record.params):
            return f"self.{field_name(name)}"
        return self.special.get(name)

    def call(self, function: str, expr: Call) -> str:
        if len(expr.arguments) == 1:
            argument = expr.arguments[0]
            if function == "size" and isinstance(argument, Name):
                return self.size(argument.name)
            if function == "count":
                encoded = ".encode()" if self._is_utf8(argument) else ""
                return f"len({self.render(argument)}{encoded})"
            if function == "present":
                return f"{self.render(argument)} is not None"
        raise UnsupportedExpression(f"{function!r} is not a function that records know", expr)

    def operand(self, expr: Expr, comparison: Compare) -> str:
        """Text constants that are compared with bytes are encoded."""
        text = self._grouped(expr)
        has_bytes = any(self._is_bytes(operand) for operand in comparison.operands)
        return f"{text}.encode()" if has_bytes and self._is_text(expr) else text

    def value_of_bytes(self, expr: Expr) -> str:
        """The value of a `bytes` field: text constants are encoded."""
        text = self.render(expr)
        return f"{text}.encode()" if self._is_text(expr) else text

    def _is_bytes(self, expr: Expr) -> bool:
        if isinstance(expr, Literal_):
            return isinstance(expr.value, bytes)
        if isinstance(expr, Name):
            return _holds_bytes(self.record, expr.name)
        if isinstance(expr, Member) and isinstance(expr.base, Name):
            base = expr.base.name
            outer = next((field for field in self.record.fields if field.name == base), None)
            inner = self.module.find(outer.type.name) if outer is not None else None
            return isinstance(inner, Record) and _holds_bytes(inner, expr.name)
        return False

    def _is_utf8(self, expr: Expr) -> bool:
        """Whether the expression is a `utf8` field, whose count is that of its bytes."""
        if not isinstance(expr, Name):
            return False
        return any(field.name == expr.name and field.type.name == "utf8" for field in self.record.fields)

    def _is_text(self, expr: Expr) -> bool:
        if isinstance(expr, Literal_):
            return isinstance(expr.value, str)
        found = self.module.find(expr.name) if isinstance(expr, Name) else None
        return isinstance(found, Const) and found.type == Scalar("string")


def _holds_bytes(record: Record, name: str) -> bool:
    return any(field.name == name and field.type.name == "bytes" for field in record.fields)
