"""Expression nodes as data: the tuples of ``runtime/records/table.py``."""

from __future__ import annotations

from collections.abc import Sequence

from ..lower import nodes
from ..lower.nodes import Node
from ..lower.record_layout import RecordLayout
from ..lower.scopes import function_body, inlined_body, is_inlined
from ..lower.write_order import WriteOrder
from ..model import Extension, Module
from ..names import field_name, free_name, quoted, type_name
from .expressions import Atom, ExpressionPrinter
from .text import call, group, listed, statement, tupled
from .types import class_expression

#: Functions of `runtime/records/functions.py` that are operations of tables; other functions are called.
_NAMED = ("ascending", "is_permutation", "largest", "max", "min", "bit_length", "unique")
#: The names of measures in tables.
CAPTURES = {
    "size": "size",
    "size[]": "sizes",
    "raw_size": "raw_size",
    "offset": "start",
    "offset[]": "starts",
    "raw_size[]": "raw_sizes",
}


class DataPrinter(ExpressionPrinter):
    """Prints nodes as tuples.

    Args:
        place: where ``rest`` and ``at_end`` count from; the position that is read, by default.

    Attributes:
        captured: (measure, attribute) of the measures used so far, under their names in tables.
    """

    def __init__(
        self,
        module: Module,
        imports: set[str],
        captured: set[tuple[str, str]],
        *,
        place: str = '("pos",)',
        inside: tuple[str, ...] = (),
    ) -> None:
        super().__init__(module, imports)
        self.captured = captured
        self._place = place
        self._inside = inside

    def behind(self, attribute: str) -> DataPrinter:
        """Returns the printer of a check that runs after later fields have been read."""
        place = tuple_of("+", self.capture("start", attribute), self.capture("size", attribute))
        return DataPrinter(self.module, self.imports, self.captured, place=place)

    def capture(self, name: str, attribute: str) -> str:
        self.captured.add((name, attribute))
        return tuple_of("captured", quoted(name), quoted(attribute))

    def data(self, node: Node) -> str:
        """Returns the text of a tuple."""
        if _is_global(node):
            text = self.text(node)
            # A plain text would be the name of a field.
            return tuple_of("text", text) if _is_text(node) else text
        return self._leaf_data(node) or self._operation_data(node) or self._function_data(node)

    def function(self, found: Extension) -> str:
        """Returns a function or codec; those of the module itself are referred to by name, since they are defined later."""
        name = self.extension(found)
        return quoted(name) if found.module is self.module else name

    def sequence(self, found: Sequence[Node]) -> str:
        return listed(map(self.data, found))

    def _leaf_data(self, node: Node) -> str:
        match node:
            case Atom():
                return node.text
            case nodes.FieldValue() | nodes.Parameter():
                return quoted(node.attribute)
            case nodes.CodecValue():
                return quoted("value")
            case nodes.Variable():
                return quoted(node.name)
            case nodes.ElementIndex():
                return '("index",)'
            case nodes.Peek(count=count):
                stop = tuple_of("min", tuple_of("+", self._place, str(count)), '("end",)')
                return tuple_of("bytes", self._place, stop)
            case nodes.SpanWord(word="end"):
                return tuple_of("-", '("end",)', '("begin",)')
            case nodes.SpanWord(word="rest"):
                return tuple_of("-", '("end",)', self._place)
            case nodes.SpanWord():
                return tuple_of("==", self._place, '("end",)')
            case nodes.Measure():
                return self._measure(node)
            case nodes.PlacedMeasure(function=function, attribute=name, index=index):
                return tuple_of(f"placed_{function}", quoted(name), *([] if index is None else [self.data(index)]))
            case nodes.AllBut(ranges=ranges):
                return tuple_of("all_but", *(str(number) for each in ranges for number in each))
            case nodes.Identity():
                return tuple_of("call", self.text(node))
            case nodes.Encoded(attributes=(first, *_, last)) | nodes.Encoded(attributes=(first as last,)):
                size = self.capture("size", last) if node.fixed is None else str(node.fixed)
                stop = tuple_of("+", self.capture("start", last), size)
                return tuple_of("bytes", self.capture("start", first), stop)
            case nodes.Padding():
                begin = tuple_of("-", "0", tuple_of("+", '("base",)', self._place))
                return tuple_of("%", begin, self.data(node.multiple))
        return ""

    def _measure(self, node: nodes.Measure) -> str:
        if node.fixed is not None:
            return str(node.fixed)
        captured = self.capture(CAPTURES[node.capture], node.attribute)
        if node.index is not None:
            captured = tuple_of("item", captured, self.data(node.index))
        return tuple_of("+", '("base",)', captured) if node.function == "offset" else captured

    def _operation_data(self, node: Node) -> str:
        data = self.data
        match node:
            case nodes.Attribute():
                return tuple_of("get", data(node.base), quoted(node.name))
            case nodes.Attributes():
                return tuple_of("each", data(node.base), quoted(node.name))
            case nodes.Item():
                return tuple_of("item", data(node.base), data(node.index))
            case nodes.Last():
                return tuple_of("last", data(node.base))
            case nodes.Slice():
                bounds = ("None" if bound is None else data(bound) for bound in (node.low, node.high))
                return tuple_of("slice", data(node.base), *bounds)
            case nodes.Negative():
                return tuple_of("-", "0", data(node.operand))
            case nodes.Not(operand=nodes.SpanWord(word="at_end")):
                return tuple_of("!=", self._place, '("end",)')
            case nodes.Not():
                return tuple_of("not", data(node.operand))
            case nodes.Arithmetic():
                return tuple_of(node.operator, data(node.left), data(node.right))
            case nodes.Logical():
                return tuple_of(node.word, *map(data, node.operands))
            case nodes.Comparison():
                return self._comparison(node)
            case nodes.Loop():
                condition = "True" if node.condition is None else data(node.condition)
                first = () if node.initial is None else (data(node.initial),)
                names = quoted(node.variable), quoted(node.accumulator)
                return tuple_of("loop", *names, data(node.base), condition, data(node.value), *first)
            case nodes.Conditional():
                return tuple_of("if", data(node.condition), data(node.then), data(node.otherwise))
        return ""

    def _comparison(self, node: nodes.Comparison) -> str:
        parts = []
        for left, sign, right in zip(node.operands, node.operators, node.operands[1:], strict=False):
            pair = (self.data(left), self.data(right))
            parts.append(tuple_of("not", tuple_of("is", *pair)) if sign == "is not" else tuple_of(sign, *pair))
        return parts[0] if len(parts) == 1 else tuple_of("and", *parts)

    def _function_data(self, node: Node) -> str:
        data = self.data
        match node:
            case nodes.Count(operand=operand):
                kind = operand.kind
                if kind.lists or kind.kind in ("bytes", "values", "text"):
                    return tuple_of("count", data(operand))
                return tuple_of("call", f"{self.runtime('_fn')}.count", data(operand))
            case nodes.Builtin(name="len", operands=(operand,)):
                return tuple_of("count", data(operand))
            case nodes.Builtin(name="total", operands=(operand,)):
                return tuple_of("sum", data(operand))
            case nodes.Builtin(name=name, operands=operands):
                if name in _NAMED:
                    return tuple_of(name, *map(data, operands))
                return tuple_of("call", f"{self.runtime('_fn')}.{name}", *map(data, operands))
            case nodes.Encode():
                return tuple_of("call", "str.encode", data(node.operand))
            case nodes.Int():
                return tuple_of("int", data(node.operand))
            case nodes.Truth():
                return tuple_of("not", tuple_of("not", data(node.operand)))
            case nodes.MemberOf(operand=operand, enum=enum):
                table = class_expression(enum, self.module)
                return tuple_of("call", f"{self.runtime('_fn')}.member_of", table, data(operand))
            case nodes.InRange(bits=bits, signed=signed):
                low, high = (f"-(1 << {bits - 1})", f"(1 << {bits - 1}) - 1") if signed else ("0", f"(1 << {bits}) - 1")
                return tuple_of("in_range", data(node.operand), low, high)
            case nodes.Fill():
                return tuple_of("fill", data(node.byte), data(node.count))
            case nodes.FunctionCall():
                return self._inlined(node) or tuple_of("call", self.function(node.function), *map(data, node.operands))
        raise AssertionError(node)

    def _inlined(self, node: nodes.FunctionCall) -> str:
        """Returns the body of a function of the IDL; empty if it has none here.

        The module has the body once, before its classes, unless the function calls itself.
        """
        function = node.function
        if (body := inlined_body(node, self.module, self._inside)) is None:
            return ""
        if is_inlined(function):
            self.imports.add(name := inlined_name(function))
            return call(name, *map(self.data, node.operands))
        params = [each.name for each in function.syntax.params]
        inner = DataPrinter(self.module, self.imports, self.captured, inside=(*self._inside, function.name))
        pairs = [tuple_of(field_name(name), self.data(each)) for name, each in zip(params, node.operands, strict=True)]
        return tuple_of("let", tupled(pairs), inner.data(body))


def inlined_name(function: Extension) -> str:
    """Returns the name under which a module stores the body of a function for expressions of rows."""
    return free_name(function.module, f"_let_{type_name(function.name)}")


def inlined_functions(functions: Sequence[Extension], used: set[str]) -> list[str]:
    """Returns the statements of the function bodies that a module uses by name, in order of use."""
    by_name, found = {inlined_name(each): each for each in functions}, dict[str, list[str]]()

    def add(name: str) -> None:
        function, needed = by_name[name], set[str]()
        body = function_body(function)
        assert body is not None
        text = DataPrinter(function.module, needed, set(), inside=(function.name,)).data(body)
        for each in sorted(needed & (by_name.keys() - found.keys())):
            add(each)
        used.update(needed)
        parameters = quoted(" ".join(field_name(each.name) for each in function.syntax.params))
        found[name] = statement(call(f"{name} = _rec.inlined", parameters, text))

    for name in [each for each in by_name if each in used]:
        if name not in found:
            add(name)
    return [line for lines in found.values() for line in lines]


class WritingData(DataPrinter):
    """Prints expressions that are evaluated on writing: measures are those of encoded fields.

    Args:
        behind: the field whose `rest` is what follows it.
    """

    def __init__(self, layout: RecordLayout, imports: set[str], behind: str) -> None:
        super().__init__(layout.module, imports, set())
        self._order = WriteOrder(layout)
        self._behind = behind

    def data(self, node: Node) -> str:
        match node:
            case nodes.SpanWord():
                return super().data(self._order.size_after(self._behind))
            case nodes.Measure(function="offset"):
                begin = Atom(tuple_of("+", '("base",)', '("begin",)'))
                offset = self.data(self._order.offset(node.field, begin))
                if node.index is None:
                    return offset
                index, sizes = self.data(node.index), self.capture("sizes", node.attribute)
                up_to = tuple_of("sum", tuple_of("slice", sizes, "None", tuple_of("+", index, "1")))
                # The element must be there.
                return tuple_of("+", offset, tuple_of("-", up_to, tuple_of("item", sizes, index)))
            case nodes.Encoded():
                return tuple_of("encoded", *map(quoted, node.attributes))
        return super().data(node)


def tuple_of(word: str, *parts: str) -> str:
    return group("(", [quoted(word), *parts], ")")


def _is_text(node: Node) -> bool:
    is_literal = isinstance(node, nodes.Constant) and isinstance(node.value, str)
    return is_literal or (node.kind.kind == "text" and not node.kind.lists)


def _is_global(node: Node) -> bool:
    """Returns whether the expression is constant and uses only constants."""
    match node:
        case nodes.Constant() | nodes.Global() | nodes.Declared():
            return True
        case nodes.Encode(operand=operand) | nodes.Negative(operand=operand):
            return _is_global(operand)
        case nodes.Arithmetic(operator="<<", left=nodes.Constant(), right=nodes.Constant()):
            return True
        case nodes.Arithmetic(operator="-", left=nodes.Arithmetic() as left, right=nodes.Constant()):
            return _is_global(left)
    return False
