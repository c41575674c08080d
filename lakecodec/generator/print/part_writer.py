"""Values and parts of fields: computed and encoded when something else needs them, or when their place is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from ..lower import nodes
from ..lower.expressions import UnsupportedExpression
from ..lower.layouts import Derived, FieldLayout, RecordLayout, Setting
from ..lower.nodes import Node
from ..plan.types import quoted
from .list_writer import ListWriter


@dataclass(frozen=True, slots=True)
class Decision:
    """When a field, or an element of it, is written: where its condition holds, or ``by_value`` where it is not None."""

    condition: Node | None
    by_value: bool


class PartWriter(ListWriter):
    """Writes single fields.

    Attributes:
        parts: the fields that are encoded already.
        deciding: those whose own bytes decide whether they are there.
    """

    def __init__(
        self, layout: RecordLayout, imports: set[str], only: FieldLayout | None = None, *, by_backend: bool = False
    ) -> None:
        super().__init__(layout, imports, only, by_backend=by_backend)
        self._valued: set[str] = set()
        self._valuing: list[str] = []
        self.parts: set[str] = set()
        self.deciding: set[str] = set()

    # ---- values ----

    def value(self, field: FieldLayout) -> None:
        """Computes a derived field, after all that its derivation needs, and what is derived of the fields inside of it."""
        if field.derivation is not None and self.only is None:
            self._value(Derived(field, field.derivation.condition))
        for setting in field.settings:
            self._value(Derived(field, setting.value, setting))

    def _value(self, derived: Derived) -> None:
        field, setting = derived.field, derived.setting
        label = ".".join([field.name, *(each for each in (setting.path if setting else ()) if each is not None)])
        if label in self._valued or (self.only is not None and field is not self.only):
            return
        if label in self._valuing:
            around = self._valuing[self._valuing.index(label) :]
            first = self.layout.by_name(around[0].split(".")[0])
            circle = " -> ".join([*around, label])
            raise UnsupportedExpression(f"what '{label}' is derived from depends on it: {circle}", first.location)
        self._valuing.append(label)
        value = derived.value
        self.prepare_rule(value.byte if isinstance(value, nodes.Fill) else value, field)
        for dimension in field.dimensions if setting is None else ():
            if dimension.kind in ("count", "index") and not self.layout.counts_itself(dimension, field):
                self.prepare_rule(dimension.count, field)
        if field.presence is not None and setting is None:
            self.prepare(field.presence, field)
        self._valuing.pop()
        self._valued.add(label)
        if setting is None:
            self._derive(field, value)
        else:
            self._set(field, setting)

    def prepare(self, node: Node | None, field: FieldLayout) -> None:
        """Makes the values and parts ready that an expression needs."""
        if node is None:
            return
        for derived in self.layout.derived_in(node):
            if derived.field is not field or derived.setting is not None:
                self._value(derived)
        self._encode_measured(self.order.measured(node))

    def prepare_rule(self, rule: Node, field: FieldLayout) -> None:
        """The same for what a field must be, which can count the bytes behind it."""
        self.prepare(rule, field)
        for width in self.order.counts_before(rule):
            self.prepare(width, field)
        self._encode_measured(self.order.needed(rule, field.name))

    def _encode_measured(self, measures: Iterable[tuple[str, str]]) -> None:
        for function, name in measures:
            if function == "raw_size":
                self.encode_raw(self.layout.by_name(name))
            else:
                self.encode_part(self.layout.by_name(name))

    def _derive(self, field: FieldLayout, derived: Node) -> None:
        printer = self.rule_printer(field)
        target = f"self.{field.attribute}"
        out = self.out
        out.about(field.name)
        counts = [each for each in field.dimensions if each.kind == "index"]
        if counts:
            text = printer.text(derived)
            if field.presence is not None:
                # Two scopes: what a field must be can count what follows, its condition cannot.
                text = f"{printer.operand(derived)} if {self.printer.operand(field.presence)} else None"
            out.add(f"{target} = [{text} for index in range({printer.text(counts[0].count)})]")
        elif field.presence is not None:
            with out.block(f"if {self.printer.text(field.presence)}:"):
                out.add(f"{target} = {printer.text(derived)}")
            with out.block("else:"):
                out.add(f"{target} = None")
        else:
            out.add(f"{target} = {printer.text(derived)}")

    def _set(self, field: FieldLayout, setting: Setting) -> None:
        """Gives a field inside of a field its value: the object that holds it is replaced by a copy where that differs."""
        printer, out = self.rule_printer(field), self.out
        out.about(field.name)
        target, value = f"self.{field.attribute}", printer.text(setting.value)

        def assigned(base: str, path: Sequence[str | None], what: str) -> str:
            if not any(path):
                return what
            return f"_out.assigned({base}, ({''.join(f'{quoted(each)}, ' for each in path if each)[:-1]}), {what})"

        if None in setting.path:
            split = setting.path.index(None)
            over = ".".join([target, *(each for each in setting.path[:split] if each)])
            if self.only is not None and split == 0:
                out.add(f"item = {assigned('item', setting.path[1:], value)}")
                out.add(f"{target} = _out.replaced({target}, index, item)")
                return
            each = assigned("item", setting.path[split + 1 :], value)
            if field.presence is not None and field.by_element:
                each = f"item if item is None else {each}"
            with self._given(field):
                out.add("items: list[_Any] = []")
                with out.block(f"for index, item in enumerate({over}):"):
                    out.add(f"items.append({each})")
                whole = assigned(target, setting.path[:split], "items") if split else "items"
                out.add("index = None", f"{target} = {whole}")
        else:
            with self._given(field):
                out.add(f"{target} = {assigned(target, setting.path, value)}")

    def _given(self, field: FieldLayout) -> AbstractContextManager[None]:
        """The statements for a field that can be absent as a whole stand behind a condition."""
        if field.presence is None or field.by_element:
            return nullcontext()
        return self.out.block(f"if self.{field.attribute} is not None:")

    # ---- parts ----

    def encode_part(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field whose size must be known before its place is reached, or ``in_place`` when it is."""
        if field.name in self.parts:
            return
        if not in_place and any(isinstance(part, nodes.Padding) for node in field.nodes() for part in nodes.walk(node)):
            message = "padding is known only where it is written: nothing that stands before it can measure it"
            raise UnsupportedExpression(message, field.location)
        self.value(field)
        is_sized = bool(field.codecs) and field.coder is None and field.size is not None and field.presence is None
        if not field.dimension and (field.name in self.raw or is_sized):
            self.encode_raw(field, in_place=in_place)
            self._prepare_codecs(field)
            self.parts.add(field.name)
            self.out.about(field.name)
            through = f"out.through({self.uses(field)}, raw_{field.name})" if field.codecs else f"raw_{field.name}"
            self.out.add(f"part_{field.name} = {through}")
            return
        self.parts.add(field.name)
        self._aside(f"part_{field.name}", lambda: self.encode(field), "out.offset_if_known()" if in_place else "")

    def encode_raw(self, field: FieldLayout, *, in_place: bool = False) -> None:
        """Encodes a field as it is before its codecs."""
        if field.name in self.raw:
            return
        target = f"self.{field.attribute}"
        if field.by_element:
            self.raw.add(field.name)
            self._needs(field, codecs=False)
            self.raw_list(field, target, self._decided(field).by_value)
            return
        if field.dimension or field.presence is not None:
            message = "`raw_size` takes a field that is always there, or an element of an [i < n]"
            raise UnsupportedExpression(message, field.location)
        self.raw.add(field.name)
        self._needs(field, codecs=False)
        self.out.about(field.name)
        if field.kind in ("bytes", "utf8"):
            self.out.add(f"raw_{field.name} = {self.raw_text(field, target)}")
            return
        base = "0" if field.codecs else "out.offset_if_known()" if in_place else ""
        self._aside(f"raw_{field.name}", lambda: self.element(field, target), base)

    def _aside(self, name: str, encode: Callable[[], None], base: str) -> None:
        """Runs ``encode`` on a writer of its own, whose bytes become the variable ``name``; ``base`` is that of the writer."""
        self.out.add(f"outer, out = out, out.part({base})", f"{self.data} = out.data")
        encode()
        self.out.add(f"{name}, out = {self.data}, outer", f"{self.data} = out.data")

    # ---- one field ----

    def _prepare_codecs(self, field: FieldLayout) -> None:
        for codec in field.codecs:
            self.prepare(codec.call, field)

    def _needs(self, field: FieldLayout, *, codecs: bool = True) -> None:
        """Makes ready what the encoding of a field needs."""
        self.value(field)
        for dimension in field.dimensions:
            if dimension.kind in ("count", "index") and not self.layout.counts_itself(dimension, field):
                self.prepare(dimension.value, field)
        inside = (*field.arguments, *([field.width] if field.width is not None else []))
        if field.size is not None and self.has_checked_size(field) and any(map(nodes.span_words, inside)):
            inside = (*inside, field.size)
        for node in inside:
            self.prepare(node, field)
        if codecs:
            self._prepare_codecs(field)
            for node in field.coder.arguments if field.coder is not None else ():
                self.prepare(node, field)

    def encode(self, field: FieldLayout) -> None:
        """Appends a field to `data`."""
        decided = self._decided(field)
        if (field.name, "raw_size[]") in self.measured:
            self.encode_raw(field)
        self._needs(field)
        target = f"self.{field.attribute}"
        out = self.out
        out.about(field.name)
        if field.presence is None or field.by_element:
            self._present(field, target, decided.by_value)
            return
        given = f"{target} is not None"
        condition = given if decided.condition is None else self.printer.text(decided.condition)
        with out.block(f"if {condition}:"):
            self._present(field, target, decided.by_value)
        if field.derivation is None and condition != given:
            with out.block("else:"):
                out.add(f"_out.absent({target})")

    def _decided(self, field: FieldLayout) -> Decision:
        """Where the condition itself hangs on the field's bytes, or on the end of the span, the value decides."""
        if field.presence is None:
            return Decision(None, by_value=False)
        waits = self.order.waits_for(field.presence, field.name)
        if waits or nodes.span_words(field.presence):
            if waits:
                self.deciding.add(field.name)
            return Decision(None, by_value=True)
        self.prepare(field.presence, field)
        return Decision(field.presence, by_value=False)

    def _present(self, field: FieldLayout, target: str, by_value: bool) -> None:
        if not field.dimension:
            self.sized(field, lambda: self.element(field, target))
        elif field.by_element:
            self.put_list(field, target, by_value)
        else:
            self.sized(field, lambda: self.put_list(field, target, by_value))
