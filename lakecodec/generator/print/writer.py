"""The statements of the steps that write a body."""

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
from .list_writer import ListWriter
from .reader import fixed_run, run_name
from .spelling import WritingPrinter
from .text import group, operation

_BASES = {"place": "w.offset_if_known()", "zero": "0", "unknown": "None"}


class Writer(ListWriter):
    """Prints the statements that write a body, or only the field ``only`` of a record with places."""

    def lines(self) -> list[str]:
        """Returns the statements of the writing method."""
        self._print(self.layout.writing["" if self.only is None else self.only.name])
        for field in self.layout.fields if self.only is None else [self.only]:
            self._check_ending(field)
        places = ["begin = w.offset()"] if self.cursor.measures and self.only is None else []
        return self.choosing(places + self.out.lines)

    def _at(self, field: FieldLayout) -> str:
        """Returns the field's name, or the place of the element that is written alone."""
        return "at" if field is self.only and field.by_element else quoted(field.name)

    def _print(self, found: Sequence[WriteStep]) -> None:
        out = self.out
        for step in found:
            match step:
                case steps.Derive(derived=derived) if derived.setting is not None:
                    self._set(derived.field, derived.setting)
                case steps.Derive(derived=derived):
                    self._derive(derived.field, derived.value)
                case steps.EncodeSeparately():
                    self._encode_separately(step)
                case steps.RawText(field=field):
                    out.add(
                        f"{self.variable(field, 'raw')} = {self.raw_text(field, quoted(field.name), f'self.{field.slot}')}"
                    )
                case steps.RawList(field=field, by_value=by_value):
                    self.raw_list(field, f"self.{field.slot}", by_value)
                case steps.ApplyCodecs(field=field):
                    self._apply_codecs(field)
                case steps.Encode():
                    self._encode(step)
                case steps.TakeElement(field=field):
                    out.add(f"item = self.{field.slot}[at.index]")
                case steps.Element(field=field, through=True):
                    self.sized(field, self._at(field), lambda field=field: self.element(field, self._at(field), "item"))  # type: ignore[misc]
                case steps.Element(field=field):
                    self.element(field, self._at(field), f"self.{field.slot}")
                case steps.Place(field=field):
                    out.add(out.call("put", self.variable(field, "part")))
                case steps.Run(fields=fields):
                    self._run(fields)
                case steps.Check(field=None, rule=rule) if self.layout.value is not None:
                    self.out.about("")
                    with out.block(f"if {self.printer.negated(rule.condition).text}:"):
                        decoded = self.printer.text(self.layout.value)
                        out.add(out.call("undecodable", quoted(self.layout.spec_name), "self.value", decoded))
                case steps.Check(field=None, rule=rule):
                    self.out.about("")
                    out.refuse(rule.condition, self.printer, '""', rule)
                case steps.Check(field=FieldLayout() as field, rule=rule):
                    self._check(field, rule)
                case steps.CheckPresence(field=field):
                    self._check_presence(field)
                case steps.CheckSize():
                    self._check_size(step)

    def _apply_codecs(self, field: FieldLayout) -> None:
        self.needs(field)
        name, part = quoted(field.name), self.variable(field, "raw")
        if field.codecs:
            part = self.through(field, name, part)
            part = self.counted(field, name, part) if field.text_codecs else part
        self.out.add(f"{self.variable(field, 'part')} = {part}")

    # ---- values ----

    def _derive(self, field: FieldLayout, derived: Node) -> None:
        printer, target, out = self.rule_printer(field), f"self.{field.slot}", self.out
        counts = [each for each in field.dimensions if each.kind == "index"]
        counted = self._counted(derived)
        if counted is not None and field.presence is None and not field.dimension and not counts:
            out.add_for(counted.name, f"{target} = {self.countable(counted)}")
            return
        for part in self.layout.fields:
            if part.bits is not None and part.bits[0] == field.attribute:
                out.add(out.call("bit_field", quoted(part.name), f"self.{part.slot}", str(part.bits[2])))
        self.about(field, [derived, field.presence])
        if counts:
            text = printer.text(derived)
            if field.presence is not None:
                # There are two scopes: a field's rules can count what follows the field, its condition cannot.
                text = f"{printer.operand(derived)} if {self.printer.operand(field.presence)} else None"
            places = out.call("indexes", quoted(field.name), printer.text(counts[0].count))
            out.add(f"{target} = {group('[', [operation('for', [text, f'at in {places}'])], ']')}")
            self.evaluated(counts[0].count)
        elif field.presence is not None:
            out.add(
                f"{target} = {printer.operand(derived, OR)} if {self.printer.operand(field.presence, OR)} else None"
            )
            self.evaluated(field.presence)
        else:
            out.add(f"{target} = {printer.text(derived)}")
            self.written.add(field.name)

    def _counted(self, derived: Node) -> FieldLayout | None:
        """Returns the field whose elements or bytes a value counts; the field is always present."""
        match derived:
            case nodes.Count(operand=nodes.FieldValue(field=name)):
                counted = self.layout.field(name)
                if counted is not None and counted.presence is None and counted.kind != "values":
                    return counted
        return None

    def _set(self, field: FieldLayout, setting: Setting) -> None:
        """Sets a field; sets a field inside of another one by copying the object that holds it, if the value differs."""
        printer, out = self.rule_printer(field), self.out
        out.about(field.name)
        target, wanted, kept = f"self.{field.slot}", setting.value, ""
        if any(setting.path) and isinstance(wanted, nodes.Conditional) and wanted.condition is setting.when:
            # Where the condition is false, what holds the value may be absent.
            wanted, kept = wanted.then, f" if {printer.operand(setting.when, OR)} else "
        value = printer.text(wanted)

        def assigned(base: str, path: Sequence[str | None], what: str) -> str:
            if not any(path):
                return what
            self.imports.add("_out")
            made = f"_out.assigned({base}, ({''.join(f'{quoted(each)}, ' for each in path if each)[:-1]}), {what})"
            return f"{made}{kept}{base}" if kept and what == value else made

        if None in setting.path:
            split = setting.path.index(None)
            inside = [each for each in setting.path[:split] if each]
            over, path = ".".join([target, *inside]), ".".join([field.name, *inside])
            if self.only is not None and split == 0:
                out.add(f"item = {assigned('item', setting.path[1:], value)}")
                self.imports.add("_out")
                out.add(f"{target} = _out.replaced({target}, at.index, item)")
                return
            each = assigned("item", setting.path[split + 1 :], value)
            if field.element_presence is not None:
                each = f"item if item is None else {each}"
            with self._if_present(field):
                out.add(f"items = [{each} for at, item in {out.call('each', quoted(path), over)}]")
                whole = assigned(target, setting.path[:split], "items") if split else "items"
                if field.is_settled and setting.path == (None,):
                    self.imports.add("_out")
                    whole = f"_out.settled(self, {quoted(field.attribute)}, items)"
                out.add(f"{target} = {whole}")
        elif setting.path:
            with self._if_present(field):
                out.add(f"{target} = {assigned(target, setting.path, value)}")
        else:
            if field.is_settled:
                self.imports.add("_out")
                value = f"_out.settled(self, {quoted(field.attribute)}, {value})"
            if field.presence is not None:
                value = value if field.is_settled else printer.operand(setting.value, OR)
                value = f"{value} if {self.printer.operand(field.presence, OR)} else {target}"
            out.add(f"{target} = {value}")

    def _if_present(self, field: FieldLayout) -> AbstractContextManager[None]:
        """Returns the block around the statements of a field, which has a condition if the field can be absent."""
        if field.whole_presence is None:
            return nullcontext()
        return self.out.block(f"if self.{field.slot} is not None:")

    # ---- fields ----

    def _encode_separately(self, step: steps.EncodeSeparately) -> None:
        """Prints steps with their own writer, whose bytes become a variable."""
        name = self.variable(step.field, "raw" if step.raw else "part")
        if _is_plain_text(step):
            self.needs(step.field)
            self.out.add_for(
                step.field.name,
                f"{name} = {self.raw_text(step.field, quoted(step.field.name), f'self.{step.field.slot}')}",
            )
            self.written.add(step.field.name)
            return
        base = _BASES[step.base] if isinstance(step.base, str) else f"w.offset_if_known({self.printer.text(step.base)})"
        base = base.replace("w.", f"{self.out.cursor}.")
        with self.apart(name, quoted(step.field.name), base):
            self._print(step.steps)

    def _encode(self, step: steps.Encode) -> None:
        """Appends a field."""
        out, field = self.out, step.field
        target = f"self.{field.slot}"
        self.begin_sizes(field)
        if field.whole_presence is None:
            self._present(step, target)
            return
        given = f"{target} is not None"
        condition = given if step.condition is None else self.printer.text(step.condition)
        self.about(field, [step.condition])
        self.evaluated(step.condition)
        if field.derivation is None and condition != given:
            condition = out.call("given", quoted(field.name), target, condition)
        with out.block(f"if {condition}:"):
            self._present(step, target)

    def _present(self, step: steps.Encode, target: str) -> None:
        field = step.field
        self.needs(field)
        if not field.dimension:
            self.sized(field, quoted(field.name), lambda: self.element(field, quoted(field.name), target))
        elif field.by_element:
            self.put_list(field, target, step.by_value, step.from_raw)
        else:
            self.sized(field, quoted(field.name), lambda: self.put_list(field, target, step.by_value, step.from_raw))
        self.out.add_for(field.name)

    def _run(self, run: Sequence[FieldLayout]) -> None:
        fields = self.layout.fields
        place = next(number for number, each in enumerate(fields) if each is run[0])
        whole = fixed_run(fields[place:]) == list(run) and not (place and fields[place - 1].run_code)
        if len(run) == 1 or not whole or self.layout.order is not None:
            # Fields that are only a part of a run are written one by one.
            for field in run:
                self.element(field, quoted(field.name), f"self.{field.slot}")
                self.out.add_for(field.name)
            return
        values = [f"self.{field.slot}" for field in run]
        self.out.add_for("", self.out.call("run", run_name(self.layout, run[0]), *values))
        self.written.update(field.name for field in run)

    # ---- checks ----

    def _check(self, field: FieldLayout, rule: Rule) -> None:
        if field.bits is not None and rule.implied:
            return  # checked before the number is made of it
        condition = is_absent_or(field, rule)
        self._refuse(field, condition, self.rule_printer(field), rule)

    def _refuse(self, field: FieldLayout, condition: Node, printer: WritingPrinter, rule: Rule) -> None:
        out = self.out
        if not rule.of_element or field is self.only:
            self.about(field, [condition])
            out.refuse(condition, printer, self._at(field), rule)
            return
        out.about(field.name)
        with self._each_place(field):
            out.refuse(condition, printer, "at", rule)

    def _each_place(self, field: FieldLayout) -> AbstractContextManager[None]:
        """Returns a block of statements for each element of a list; the variable ``at`` is its place."""
        count = self.out.call("count", quoted(field.name), f"self.{field.slot}")
        return self.out.block(f"for at in {self.out.call('places', quoted(field.name), count)}:")

    def _check_ending(self, field: FieldLayout) -> None:
        """Prints the check that a list ends where a reader finds its end."""
        ending = field.ending
        if ending is None or (field.place is not None and field is not self.only):
            return

        def so_far(node: Node) -> Node | None:
            is_own = isinstance(node, nodes.FieldValue) and node.field == field.name
            return nodes.Variable("items") if is_own else None

        with self._if_present(field):
            holds = self.printer.text(nodes.replaced(ending, so_far))
            self.out.add(self.out.call("ends", quoted(field.name), f"self.{field.slot}", f"lambda items: {holds}"))

    def _check_presence(self, field: FieldLayout) -> None:
        """Prints the check of a condition that depends on the field's own bytes."""
        assert field.presence is not None
        given = nodes.is_given(own_value(field, element=field.indexed))
        agrees = nodes.Comparison(("==",), (given, field.presence))
        rule = Rule(agrees, "the field's condition does not agree with its value", of_element=field.indexed)
        self._refuse(field, agrees, self.printer, rule)

    def _check_size(self, step: steps.CheckSize) -> None:
        """Prints the check of a size that is not derived from the field itself."""
        field = step.field
        index = nodes.ElementIndex() if field.by_element else None
        part = nodes.Measure("size", field.name, field.attribute, index)
        conditions: list[Node] = []
        if field.presence is not None:
            conditions.append(nodes.is_given(own_value(field, element=field.by_element)))
        if step.condition is not None:
            conditions.append(step.condition)
        self.about(field, [*conditions, part, step.size])
        given = conditions[0] if len(conditions) == 1 else nodes.Logical("and", tuple(conditions))
        with (
            self._each_place(field) if field.by_element else nullcontext(),
            self.out.block(f"if {self.printer.text(given)}:") if conditions else nullcontext(),
        ):
            at = "at" if field.by_element else quoted(field.name)
            self.out.add(self.out.call("takes", at, *self.printer.texts((part, step.size))))


def _is_plain_text(step: steps.EncodeSeparately) -> bool:
    """Returns whether the part that is encoded separately is one text that is always present, without codecs."""
    match step.steps:
        case (steps.Encode(field=field),):
            is_text = field.kind in ("bytes", "utf8") and field.coder is None and not field.codecs
            return is_text and field.dimension is None and field.presence is None and field.terminator is None
    return False
