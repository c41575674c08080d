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
from ..names import free_name, quoted, variable
from .expressions import Atom, ExpressionPrinter, Printed


class ReadingPrinter(ExpressionPrinter):
    """Prints the expressions of reading methods.

    Args:
        own: the field that is being read into the variable ``value``; ``own_element``: whether it is an element of it.
        located: the span is the whole source.
        on_object: there is an object that holds the parameters; else they are the method's arguments.
        place: where ``rest`` and ``at_end`` count from; None for the position of the reader.
        behind: the bytes between that place and the position, where the reader is behind it already.
        index: the variable of the element's index.
    """

    def __init__(
        self,
        module: Module,
        imports: set[str],
        *,
        own: str | None = None,
        own_element: bool = False,
        located: bool = False,
        on_object: bool = True,
        place: Node | None = None,
        behind: int = 0,
        index: str = "at.index",
    ) -> None:
        super().__init__(module, imports)
        self._own = own
        self._own_element = own_element
        self._located = located
        self._on_object = on_object
        self._place = place
        self._behind = behind
        self._index = index
        #: The reader of the span around the expression.
        self._reader = "r"

    @contextmanager
    def inside(self, reader: str) -> Iterator[None]:
        """A block whose expressions are in a field's own span, which has its own reader."""
        before, self._reader = self._reader, reader
        yield
        self._reader = before

    def standing_at(self, place: Node | None = None, behind: int = 0) -> ReadingPrinter:
        """Returns the printer of expressions whose ``rest`` and ``at_end`` count from a place."""
        return ReadingPrinter(
            self.module, self.imports, own=self._own, own_element=self._own_element, located=self._located,
            on_object=self._on_object, place=place, behind=behind, index=self._index,
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
                return Atom(f"self.{node.slot}")
            case nodes.Parameter():
                return Atom(f"self.{node.attribute}" if self._on_object else free_name(self.module, node.argument))
            case nodes.CodecValue():
                return Atom("self.value")
            case nodes.ElementIndex():
                return Atom(self._index)
            case nodes.Ahead():
                return Atom(f"{self._reader}.ahead({quoted(node.mark)})")
            case nodes.Peek():
                return Atom(f"{self._reader}.peek({node.count})")
            case nodes.SpanWord():
                return self._span(node.word)
            case nodes.Measure():
                return self._measure(node)
            case nodes.Encoded(fields=names):
                first, last = (variable(self.module, name, "at") for name in (names[0], names[-1]))
                size = node.fixed if node.fixed is not None else variable(self.module, names[-1], "size")
                return Atom(f"r.between({first}, {last} + {size})")
            case nodes.AllBut(ranges=ranges):
                return Atom(f"self._all_but({ranges!r})" if self._located else f"r.all_but(begin, {ranges!r})")
            case nodes.Padding(multiple=multiple) if self._place is None and not self._behind:
                return Atom(f"{self._reader}.padding({self.text(multiple)})")
            case nodes.Padding():
                begin = nodes.Negative(nodes.Arithmetic("+", Atom("r.base"), self._standing()))
                return nodes.Arithmetic("%", begin, node.multiple)
            case nodes.PlacedMeasure(function="size") if node.field == self._own:
                return Atom("r.tell()")
            case nodes.PlacedMeasure():
                return measured(node, self)
        return super().spell(node)

    def _standing(self) -> Node:
        if self._place is not None:
            return self._place
        return nodes.Arithmetic("-", Atom("r.tell()"), nodes.Constant(self._behind))

    def _span(self, word: str) -> Node:
        if word == "end":
            return Atom("self._size" if self._located else f"{self._reader}.size")
        if self._place is not None:
            end = Atom(f"{self._reader}.end")
            is_end = nodes.Comparison(("==",), (self._place, end))
            return nodes.Arithmetic("-", end, self._place) if word == "rest" else is_end
        if self._behind:
            left = nodes.Arithmetic("+", Atom(f"{self._reader}.left"), nodes.Constant(self._behind))
            return left if word == "rest" else nodes.Comparison(("==",), (left, nodes.Constant(0)))
        return Atom(f"{self._reader}.{'left' if word == 'rest' else 'at_end'}")

    def _measure(self, node: nodes.Measure) -> Node:
        """Returns a measure: those of fields are captured in variables while the field is read."""
        if node.fixed is not None:
            return nodes.Constant(node.fixed)
        if self._located:
            assert node.before is not None, node
            return nodes.Arithmetic("+", Atom("self._offset"), nodes.Constant(node.before))
        one, many = MEASURES[node.function]
        found: Node = Atom(variable(self.module, node.field, one))
        if node.index is not None:
            found = item(Atom(variable(self.module, node.field, many)), node.index)
        return nodes.Arithmetic("+", Atom("r.base"), found) if node.function == "offset" else found


#: Suffixes of the variables for measures of a field and of its elements.
MEASURES = {"offset": ("at", "places"), "size": ("size", "sizes"), "raw_size": ("raw", "raws")}


class WritingPrinter(ExpressionPrinter):
    """Prints the expressions of writing methods: measures are those of encoded parts.

    Args:
        span: what is known of the span: the nodes of `end`, `rest` or `at_end`.
        behind: the field whose rules are printed: `rest` is what follows it.
    """

    def __init__(
        self,
        layout: RecordLayout,
        imports: set[str],
        cursor: Cursor,
        span: Mapping[str, Node] = MappingProxyType({}),
        behind: str | None = None,
    ) -> None:
        super().__init__(layout.module, imports)
        self._order = WriteOrder(layout)
        self._cursor, self._behind = cursor, behind
        self._span = {**span, "end": Atom("self._size")} if layout.located else span

    def spell(self, node: Node) -> Node:
        match node:
            case nodes.FieldValue():
                return Atom(f"self.{node.slot}")
            case nodes.Parameter():
                return Atom(f"self.{node.attribute}")
            case nodes.CodecValue():
                return Atom("self.value")
            case nodes.ElementIndex():
                return Atom("at.index")
            case nodes.SpanWord(word="rest") if self._behind is not None:
                return self._order.size_after(self._behind)
            case nodes.SpanWord():
                return self._span[node.word]
            case nodes.Measure():
                return self._measure(node)
            case nodes.Encoded(fields=names):
                parts = ", ".join(f"bytes({variable(self.module, each, 'part')})" for each in names)
                return Atom(f'b"".join(({parts}{"," if len(names) == 1 else ""}))')
            case nodes.AllBut(ranges=ranges):
                return Atom(f"self._all_but({ranges!r})")
            case nodes.Padding():
                return nodes.Arithmetic("%", Atom(f"-{self._cursor.name}.offset()"), node.multiple)
            case nodes.PlacedMeasure():
                return measured(node, self)
        return super().spell(node)

    def _measure(self, node: nodes.Measure) -> Node:
        name = node.field
        match node.capture:
            case "offset":
                self._cursor.measures = True
                return self._order.offset(name, Atom("begin"))
            case "offset[]":
                assert node.index is not None
                self._cursor.measures = True
                sizes = Atom(variable(self.module, name, "sizes"))
                behind = nodes.Arithmetic("+", node.index, nodes.Constant(1))
                up_to = Atom(f"sum({self.text(nodes.Slice(sizes, None, behind))})")
                # The element must be there.
                before = nodes.Arithmetic("-", up_to, item(sizes, node.index))
                return nodes.Arithmetic("+", self._order.offset(name, Atom("begin")), before)
            case "size[]":
                assert node.index is not None
                return item(Atom(variable(self.module, name, "sizes")), node.index)
            case "raw_size[]":
                assert node.index is not None
                raw = item(Atom(variable(self.module, name, "raws")), node.index)
                return length_of(nodes.Logical("or", (raw, Atom("()"))))
            case "raw_size":
                return length_of(Atom(variable(self.module, name, "raw")))
        return (
            length_of(Atom(variable(self.module, name, "part"))) if node.fixed is None else nodes.Constant(node.fixed)
        )


class Cursor:
    """The writer that statements move. Attributes: ``measures`` tells whether an expression uses the start of the body."""

    def __init__(self) -> None:
        self.name = "w"
        self.measures = False


def measured(node: nodes.PlacedMeasure, printer: ExpressionPrinter) -> Atom:
    """Returns the call that measures a placed field."""
    index = "" if node.index is None else f", {printer.text(node.index)}"
    return Atom(f'self._measured("{node.function}", "{node.attribute}"{index})')


def item(values: Node, index: Node) -> Node:
    """Returns an element of a list."""
    return nodes.Item(values, index, not isinstance(index, nodes.ElementIndex))


def length_of(node: Node) -> Node:
    return nodes.Builtin("len", (node,))
