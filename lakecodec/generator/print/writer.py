"""The statements of the steps in which a body is written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from ..lower import nodes
from ..lower import write_steps as steps
from ..lower.field_layout import FieldLayout, Rule, Setting, is_absent_or, own_value
from ..lower.nodes import Node
from ..lower.write_steps import WriteStep
from ..names import quoted
from .expressions import OR
from .list_writer import WRONG_SIZE, ListWriter
from .reader import fixed_run, run_name

_BASES = {"place": "out.offset_if_known()", "zero": "0", "unknown": ""}


class Writer(ListWriter):
    """Prints the writing of a body; of a located record, of the one field ``only``."""

    def lines(self) -> list[str]:
        """Returns the statements inside the writing method's `try`."""
        self._print(self.layout.writing["" if self.only is None else self.only.name])
        places = ["begin = out.offset()"] if "begin" in self.out.variables and self.only is None else []
        return self.choosing(places + self.out.lines)

    def _print(self, found: Sequence[WriteStep]) -> None:
        out = self.out
        for step in found:
            match step:
                case steps.Derive(derived=derived) if derived.setting is not None:
                    self._set(derived.field, derived.setting)
                case steps.Derive(derived=derived):
                    self._derive(derived.field, derived.value)
                case steps.Aside():
                    self._aside(step)
                case steps.RawText(field=field):
                    out.about(field.name)
                    out.add(f"raw_{field.name} = {self.raw_text(field, f'self.{field.attribute}')}")
                case steps.RawList(field=field, by_value=by_value):
                    self.raw_list(field, f"self.{field.attribute}", by_value)
                case steps.Through(field=field):
                    out.about(field.name)
                    part = f"raw_{field.name}"
                    if field.codecs:
                        part = f"out.through({self.uses(field)}, {part})"
                        part = self.counted(field, part) if field.text_codecs else part
                    out.add(f"part_{field.name} = {part}")
                case steps.Encode():
                    self._encode(step)
                case steps.TakeElement(field=field):
                    out.add(f"item = self.{field.attribute}[index]")
                case steps.Element(field=field, through=True):
                    self.sized(field, lambda field=field: self.element(field, "item"))  # type: ignore[misc]
                case steps.Element(field=field):
                    self.element(field, f"self.{field.attribute}")
                case steps.Place(field=field):
                    out.add(f"{self.data} += part_{field.name}")
                case steps.Run(fields=fields):
                    self._run(fields)
                case steps.Check(field=None, rule=rule):
                    out.about("")
                    out.refuse(self.printer, rule.condition, "_out.unfit", rule.message)
                case steps.Check(field=FieldLayout() as field, rule=rule):
                    self._check(field, rule)
                case steps.CheckPresence(field=field):
                    self._check_presence(field)
                case steps.CheckSize():
                    self._check_size(step)

    # ---- values ----

    def _derive(self, field: FieldLayout, derived: Node) -> None:
        printer = self.rule_printer(field)
        target = f"self.{field.attribute}"
        out = self.out
        given = derived.operand if isinstance(derived, nodes.Encode) else derived
        counts = [each for each in field.dimensions if each.kind == "index"]
        is_one = field.presence is None and not field.dimension and not counts
        if isinstance(given, nodes.Constant | nodes.Global) and is_one:
            out.add_sure(f"{target} = {printer.text(derived)}")
            return
        if is_one and (counted := self._counted(derived)) is not None:
            # What is counted may be of another type: the error is its own.
            out.about(counted.name)
            out.add(f"{target} = len({self.countable(counted)})")
            return
        out.about(field.name)
        if counts:
            text = printer.text(derived)
            if field.presence is not None:
                # Two scopes: what a field must be can count what follows, its condition cannot.
                text = f"{printer.operand(derived)} if {self.printer.operand(field.presence)} else None"
            out.add(f"{target} = [{text} for index in range({printer.text(counts[0].count)})]")
        elif field.presence is not None:
            out.add(
                f"{target} = {printer.operand(derived, OR)} if {self.printer.operand(field.presence, OR)} else None"
            )
        else:
            out.add(f"{target} = {printer.text(derived)}")

    def _counted(self, derived: Node) -> FieldLayout | None:
        """Returns the field whose elements or bytes a value counts; it is always there."""
        match derived:
            case nodes.Count(operand=nodes.FieldValue(field=name)):
                counted = self.layout.field(name)
                if counted is not None and counted.presence is None and counted.kind != "values":
                    return counted
        return None

    def _set(self, field: FieldLayout, setting: Setting) -> None:
        """Gives a field its value; one inside of a field by a copy of the object that holds it, where it differs."""
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
        elif setting.path:
            with self._given(field):
                out.add(f"{target} = {assigned(target, setting.path, value)}")
        elif field.presence is not None:
            value = printer.operand(setting.value, OR)
            out.add(f"{target} = {value} if {self.printer.operand(field.presence, OR)} else {target}")
        else:
            out.add(f"{target} = {value}")

    def _given(self, field: FieldLayout) -> AbstractContextManager[None]:
        """Returns the block around statements: those for a field that can be absent as a whole stand behind a condition."""
        if field.presence is None or field.by_element:
            return nullcontext()
        return self.out.block(f"if self.{field.attribute} is not None:")

    # ---- fields ----

    def _aside(self, step: steps.Aside) -> None:
        """The steps on a writer of its own, whose bytes become a variable."""
        if step.raw:
            self.out.about(step.field.name)
        with self.apart(_BASES[step.base], f"{'raw' if step.raw else 'part'}_{step.field.name}"):
            self._print(step.steps)

    def _encode(self, step: steps.Encode) -> None:
        """Appends a field to `data`."""
        out, field = self.out, step.field
        target = f"self.{field.attribute}"
        out.about(field.name)
        if field.presence is None or field.by_element:
            self._present(step, target)
            return
        given = f"{target} is not None"
        condition = given if step.condition is None else self.printer.text(step.condition)
        with out.block(f"if {condition}:"):
            self._present(step, target)
        if field.derivation is None and condition != given:
            with out.block("else:"):
                out.add(f"_out.absent({target})")

    def _present(self, step: steps.Encode, target: str) -> None:
        field = step.field
        if not field.dimension:
            self.sized(field, lambda: self.element(field, target))
        elif field.by_element:
            self.put_list(field, target, step.by_value, step.from_raw)
        else:
            self.sized(field, lambda: self.put_list(field, target, step.by_value, step.from_raw))

    def _run(self, run: Sequence[FieldLayout]) -> None:
        fields = self.layout.fields
        place = fields.index(run[0])
        if len(run) == 1 or fixed_run(fields[place:]) != list(run) or (place and fields[place - 1].run_code):
            # What is read at once is encoded by itself.
            for field in run:
                self.out.about(field.name)
                self.element(field, f"self.{field.attribute}")
            return
        self.out.about("")
        values = [f"self.{field.attribute}" for field in run]
        self.out.call(f"{self.data} += {run_name(self.layout, run[0])}.pack", *values)

    # ---- checks ----

    def _check(self, field: FieldLayout, rule: Rule) -> None:
        printer, out = self.rule_printer(field), self.out
        condition = is_absent_or(field, rule)
        out.about(field.name)
        if not rule.of_element or field is self.only:
            out.refuse(printer, condition, "_out.unfit", rule.message)
            return
        with out.block(f"for index in range(len(self.{field.attribute})):"):
            out.refuse(printer, condition, "_out.unfit", rule.message)
        out.add_restoring("index = None")

    def _check_presence(self, field: FieldLayout) -> None:
        """The condition of a field whose own bytes it hangs on."""
        assert field.presence is not None
        out = self.out
        given = nodes.is_given(own_value(field, element=field.indexed))
        differs = self.printer.text(nodes.Comparison(("!=",), (given, field.presence)))
        out.about(field.name)
        rule = "the field's condition does not agree with its value"
        if not field.indexed:
            with out.block(f"if {differs}:"):
                out.raise_("_out.unfit", rule)
            return
        with out.block(f"for index in range(len(self.{field.attribute})):"), out.block(f"if {differs}:"):
            out.raise_("_out.unfit", rule)
        out.add_restoring("index = None")

    def _check_size(self, step: steps.CheckSize) -> None:
        """A size that is not derived from the field itself must be that of its bytes."""
        field = step.field
        self.out.about(field.name)
        part = nodes.Measure("size", field.name, field.attribute, None)
        differs: nodes.Node = nodes.Comparison(("!=",), (part, step.size))
        if step.condition is not None:
            differs = nodes.Logical("and", (step.condition, differs))
        if field.presence is not None:
            differs = nodes.Logical("and", (nodes.is_given(own_value(field)), differs))
        with self.out.block(f"if {self.printer.text(differs)}:"):
            self.out.raise_("_out.unfit", WRONG_SIZE)
