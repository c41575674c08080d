"""Names of fields, parameters, spans and measures in generated methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from ..lower import nodes
from ..lower.nodes import Node
from ..lower.record_layout import RecordLayout
from ..lower.write_order import WriteOrder
from ..model import Module
from .expressions import Atom, ExpressionPrinter, Printed

POS = Atom("pos")


class ReadingPrinter(ExpressionPrinter):
    """Expressions of the methods that read.

    Args:
        variables: gets the variables of the method that are named.
        own: the field that is only just being read into the variable ``value``; ``own_element``: an element of it is.
        located: the span is the whole source.
        buffer: the bytes of the span.
        on_object: there is an object that holds the parameters; else they are the method's arguments.
        place: where ``rest`` and ``at_end`` count from.
    """

    def __init__(
        self,
        module: Module,
        imports: set[str],
        variables: set[str],
        *,
        own: str | None = None,
        own_element: bool = False,
        located: bool = False,
        buffer: str = "buf",
        on_object: bool = True,
        place: Node = POS,
    ) -> None:
        super().__init__(module, imports)
        self.variables = variables
        self._own = own
        self._own_element = own_element
        self._located = located
        self._buffer = buffer
        self._on_object = on_object
        self._place = place
        #: The span that the body stands in, whose bytes its measures count.
        self._around = "span"

    @contextmanager
    def inside(self, around: str) -> Iterator[None]:
        """A block in which expressions stand in a span of a field's own; ``around`` is the one that the body stands in."""
        before, self._around = self._around, around
        yield
        self._around = before

    def standing_at(self, place: Node) -> ReadingPrinter:
        """Returns the printer of expressions whose ``rest`` and ``at_end`` count from ``place``."""
        return ReadingPrinter(
            self.module, self.imports, self.variables, own=self._own, own_element=self._own_element, located=self._located,
            buffer=self._buffer, on_object=self._on_object, place=place,
        )  # fmt: skip

    def show(self, node: Node) -> Printed:
        match node:
            case nodes.Item(base=nodes.FieldValue(field=name), index=nodes.ElementIndex()) if self._own_element:
                if name == self._own:
                    return Printed("value")
        return super().show(node)

    def spell(self, node: Node) -> Node:
        match node:
            case nodes.FieldValue() if node.field == self._own:
                assert not self._own_element, node
                return Atom("value")
            case nodes.FieldValue():
                return self._of_object(node.attribute)
            case nodes.Parameter():
                return self._of_object(node.attribute) if self._on_object else Atom(node.argument)
            case nodes.CodecValue():
                return self._of_object("value")
            case nodes.ElementIndex():
                return Atom("index")
            case nodes.SpanWord():
                return self._span(node.word)
            case nodes.Measure():
                return self._measure(node)
            case nodes.Encoded(fields=names):
                size = node.fixed if node.fixed is not None else f"size_{names[-1]}"
                buffer = self._buffer if self._around == "span" else f"{self._around}.buf"
                if buffer == self._buffer:
                    self.variables.add(buffer)
                return Atom(f"bytes({buffer}[start_{names[0]} : start_{names[-1]} + {size}])")
            case nodes.Padding():
                begin = nodes.Negative(nodes.Arithmetic("+", Atom("span.base"), self._place))
                return nodes.Arithmetic("%", begin, node.multiple)
            case nodes.PlacedMeasure(function="size") if node.field == self._own:
                return POS
            case nodes.PlacedMeasure():
                return measured(node, self, "self" if self._located else "obj")
        return super().spell(node)

    def _of_object(self, attribute: str) -> Node:
        return Atom(f"{'self' if self._located else 'obj'}.{attribute}")

    def _span(self, word: str) -> Node:
        if word == "end" and self._located:
            return self._of_object("_size")
        self.variables.add(self._buffer)
        length = Atom(f"len({self._buffer})")
        match word:
            case "end":
                return nodes.Arithmetic("-", length, Atom("span.start"))
            case "rest":
                return nodes.Arithmetic("-", length, self._place)
        return nodes.Comparison(("==",), (self._place, length))

    def _measure(self, node: nodes.Measure) -> Node:
        """Returns a measure: those of fields are captured in variables while the field is read."""
        if node.fixed is not None:
            return nodes.Constant(node.fixed)
        if self._located:
            assert node.before is not None, node
            return nodes.Arithmetic("+", Atom("self._offset"), nodes.Constant(node.before))
        word = {"offset": "start", "size": "size", "raw_size": "raw"}[node.function]
        found: Node = Atom(f"{word}_{node.field}")
        if node.index is not None:
            found = item(Atom(f"{word}s_{node.field}"), node.index)
        return nodes.Arithmetic("+", Atom(f"{self._around}.base"), found) if node.function == "offset" else found


class WritingPrinter(ExpressionPrinter):
    """Expressions of the methods that write: measures are those of encoded parts.

    Args:
        variables: gets the variables of the method that are named.
        span: what is known of the span: the nodes of `end`, `rest` or `at_end`.
    """

    def __init__(
        self,
        layout: RecordLayout,
        imports: set[str],
        variables: set[str],
        span: Mapping[str, Node] = MappingProxyType({}),
    ) -> None:
        super().__init__(layout.module, imports)
        self.variables = variables
        self._order = WriteOrder(layout)
        self._span = {**span, "end": Atom("self._size")} if layout.located else span

    def spell(self, node: Node) -> Node:
        match node:
            case nodes.FieldValue() | nodes.Parameter():
                return Atom(f"self.{node.attribute}")
            case nodes.CodecValue():
                return Atom("self.value")
            case nodes.ElementIndex():
                return Atom("index")
            case nodes.SpanWord():
                return self._span[node.word]
            case nodes.Measure():
                return self._measure(node)
            case nodes.Encoded(fields=names):
                return Atom(f'b"".join(({", ".join(f"part_{each}" for each in names)},))')
            case nodes.Padding():
                return nodes.Arithmetic("%", Atom("-out.offset()"), node.multiple)
            case nodes.PlacedMeasure():
                return measured(node, self, "self")
        return super().spell(node)

    def _measure(self, node: nodes.Measure) -> Node:
        name = node.field
        match node.capture:
            case "offset":
                self.variables.add("begin")
                return self._order.offset(name, Atom("begin"))
            case "offset[]":
                assert node.index is not None
                self.variables.add("begin")
                sizes = nodes.Slice(Atom(f"sizes_{name}"), None, node.index)
                return nodes.Arithmetic("+", self._order.offset(name, Atom("begin")), Atom(f"sum({self.text(sizes)})"))
            case "size[]":
                assert node.index is not None
                return item(Atom(f"sizes_{name}"), node.index)
            case "raw_size[]":
                assert node.index is not None
                raw = item(Atom(f"raw_{name}"), node.index)
                return length_of(nodes.Logical("or", (raw, Atom("()"))))
            case "raw_size":
                return length_of(Atom(f"raw_{name}"))
        return length_of(Atom(f"part_{name}")) if node.fixed is None else nodes.Constant(node.fixed)


def measured(node: nodes.PlacedMeasure, printer: ExpressionPrinter, object_: str) -> Atom:
    """Returns the call that measures what is placed with `at`."""
    index = "" if node.index is None else f", {printer.text(node.index)}"
    return Atom(f'{object_}._measured("{node.function}", "{node.attribute}"{index})')


def item(values: Node, index: Node) -> Node:
    """Returns an element; the index of the element that is read or written is one of the values."""
    return nodes.Item(values, index, not isinstance(index, nodes.ElementIndex))


def length_of(node: Node) -> Node:
    return nodes.Builtin("len", (node,))
