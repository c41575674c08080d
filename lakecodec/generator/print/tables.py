"""The tables of records, variants and codecs with fields: see ``runtime/records/table.py``."""

from __future__ import annotations

from collections.abc import Iterator

from ..builtin_names import FIXED_WIDTHS
from ..lower import nodes
from ..lower.bodies import codec_class
from ..lower.layouts import CodecCall, FieldLayout, ParameterLayout, RecordLayout, Rule, VariantLayout
from ..lower.rules import is_absent_or, verified
from ..plan.types import class_expression, quoted
from .data import CAPTURES, DataPrinter, NoTable
from .hints import class_of
from .wrap import wrap

#: Where the statements of a method begin.
_INDENT = 8


def record_table(layout: RecordLayout, imports: set[str], *, takes_tag: bool = False) -> list[str]:
    """The statement that returns the table of a body; nothing for what tables cannot say."""
    used = {"_tab"}
    try:
        lines = _RecordTable(layout, used).lines(takes_tag)
    except NoTable:
        return []
    imports |= used
    return lines


def variant_table(layout: VariantLayout, imports: set[str]) -> list[str]:
    """The statement that returns the table of a variant; nothing for what tables cannot say."""
    used = {"_tab"}
    printer = DataPrinter(layout.module, used, set())
    try:
        parts = [printer.data(layout.tag), *_parameters(layout.parameters, printer)]
        pairs = [(tag, each.record.name) for each in layout.alternatives for tag in each.tags]
        chain = [] if layout.constant else [f"({printer.data(tag)}, {cls})" for tag, cls in pairs]
    except NoTable:
        return []
    imports |= used
    if layout.constant:
        parts.append(f"table=_{layout.name}_alternatives")
    if chain:
        parts.append(f"chain=[{', '.join(chain)}]")
    if layout.otherwise:
        parts.append(f"otherwise={layout.otherwise}")
    return wrap(f"return _tab.Choice({', '.join(parts)})", _INDENT)


def _parameters(parameters: tuple[ParameterLayout, ...], printer: DataPrinter) -> Iterator[str]:
    if parameters:
        yield f"params=[{', '.join(quoted(each.attribute) for each in parameters)}]"
    if defaults := [printer.text(each.default) for each in parameters if each.default is not None]:
        yield f"defaults=[{', '.join(defaults)}]"


class _RecordTable:
    def __init__(self, layout: RecordLayout, imports: set[str]) -> None:
        self._layout = layout
        self._captured: set[tuple[str, str]] = set()
        self._printer = DataPrinter(layout.module, imports, self._captured)
        self._data = self._printer.data
        self._checks = self._placed_checks()

    def lines(self, takes_tag: bool) -> list[str]:
        layout = self._layout
        parts = list(_parameters(layout.parameters, self._printer))
        if layout.states:
            initials = ("None" if each.initial is None else self._printer.text(each.initial) for each in layout.states)
            parts.append(f"states=[{', '.join(initials)}]")
        if takes_tag and layout.tag is not None:
            parts.append(f"tag={self._data(layout.tag)}")
        if layout.value is not None:
            parts.append(f"value={self._data(layout.value)}")
        if layout.checks:
            parts.append(f"checks=[{', '.join(self._data(rule.condition) for rule in layout.checks)}]")
        if layout.nests:
            parts.append("nests=True")
        fields = [self._field(each) for each in layout.fields]
        steps = [self._step(each, found) for each, found in zip(layout.fields, fields, strict=True)]
        if not steps:
            return wrap(f"return _tab.Body({', '.join(['[]', *parts])})", _INDENT)
        lines = ["return _tab.Body(", "    ["]
        lines += [line for step in steps for line in wrap(f"        {step},", _INDENT)]
        lines += ["    ],", *(line for part in parts for line in wrap(f"    {part},", _INDENT)), ")"]
        return lines

    # ---- fields ----

    def _step(self, field: FieldLayout, parts: dict[str, str]) -> str:
        """Everything has been printed, so that it is known what is captured."""
        name, type_, *others = parts.items()
        names = [quoted(each) for each in CAPTURES.values() if (each, field.attribute) in self._captured]
        if names:
            place = -1 if others and others[-1][0] == "checks" else len(others)
            others.insert(place, ("notes", f"[{', '.join(names)}]"))
        return f"_tab.Step({', '.join([name[1], type_[1], *(f'{each}={value}' for each, value in others)])})"

    def _field(self, field: FieldLayout) -> dict[str, str]:
        parts = {
            "name": quoted(field.attribute),
            "type": quoted(field.type if field.kind in ("number", "varint") else field.kind),
        }
        if field.kind == "number" and self._layout.big and FIXED_WIDTHS[field.type] > 1:
            parts["big"] = "True"
        parts |= self._element(field)
        if field.terminator is not None or (field.coder is not None and field.size is not None):
            raise NoTable(field.name)
        is_text = field.kind in ("bytes", "utf8")
        if is_text and field.codecs and field.size is not None and field.dimensions:
            raise NoTable(field.name)
        parts |= self._list(field)
        if field.presence is not None:
            parts["present"] = self._data(field.presence)
        if field.size is not None:
            parts["size"] = self._data(field.size)
        if field.codecs:
            parts["codecs"] = f"[{', '.join(map(self._codec, field.codecs))}]"
        if field.enum is not None:
            parts["enum"] = class_expression(field.enum, self._layout.module)
        if field.derivation is not None:
            parts["derived"] = self._derived(field.derivation.condition)
        if checks := self._checks.get(field.name):
            parts["checks"] = f"[{', '.join(checks)}]"
        return parts

    def _derived(self, derivation: nodes.Node) -> str:
        """What a field, or an element of it, is when it is written; the generated writer alone computes the unknown."""
        try:
            return self._data(derivation)
        except NoTable:
            return '("unknown",)'

    def _element(self, field: FieldLayout) -> dict[str, str]:
        """What reads one element."""
        parts: dict[str, str] = {}
        arguments = field.arguments
        if field.coder is not None:
            arguments = field.coder.arguments
            parts |= {"target": codec_class(field.coder.codec), "coded": "True"}
            if field.dimension is not None and field.coder.initial is not None:
                parts |= {"state": "-1", "initial": self._printer.text(field.coder.initial)}
            elif field.coder.slot is not None:
                parts["state"] = str(field.coder.slot)
        elif field.kind in ("record", "struct", "values"):
            parts["target"] = class_of(field.target, self._layout.module)
        if arguments:
            parts["arguments"] = self._printer.sequence(arguments)
        if field.shares_states and field.kind == "record":
            parts["siblings"] = "True"
        if field.width is not None:
            parts["width"] = self._data(field.width)
        if field.length is not None and field.length.value is not None:
            parts["length"] = self._data(field.length.value)
        elif field.length is not None and field.kind in ("bits", "values"):
            raise NoTable(field.name)
        return parts

    def _list(self, field: FieldLayout) -> dict[str, str]:
        dimension = field.dimension
        if dimension is None:
            return {}
        parts = {"dimension": quoted(dimension.kind)}
        if dimension.value is None:
            return parts
        parts["count"] = self._data(dimension.value)
        if dimension.kind == "count" and field.is_plain_number:
            parts["smallest"] = str(FIXED_WIDTHS[field.type])
        elif dimension.kind != "until" and not field.counts_what_exists:
            parts["smallest"] = str(field.smallest)
        return parts

    def _codec(self, codec: CodecCall) -> str:
        if codec.slot is None or codec.codec is None:
            return f"({self._data(codec.call)},)"
        arguments = map(self._data, codec.arguments)
        return f"({', '.join([str(codec.slot), self._printer.extension(codec.codec), *arguments])})"

    # ---- checks ----

    def _placed_checks(self) -> dict[str, list[str]]:
        """Checks by the field after which they can be made; fields of fixed width in a row are read before theirs."""
        found: dict[str, list[str]] = {}
        fields = self._layout.fields
        for number, field in enumerate(fields):
            place = number
            while field.run_code and place + 1 < len(fields) and fields[place + 1].run_code:
                place += 1
            for other, rule, derived in self._layout.rules_after(field):
                found.setdefault(fields[place].name, []).append(
                    self._check(other, rule, derived, is_late=other is not fields[place])
                )
        return found

    def _check(self, field: FieldLayout, rule: Rule, derived: bool, *, is_late: bool) -> str:
        counts = nodes.span_words(rule.condition) & {"rest", "at_end"}
        printer = self._printer.behind(field.attribute) if is_late and counts else self._printer
        condition = verified(field, rule, holds=True) if derived else is_absent_or(field, rule)
        text = printer.data(condition)
        return f'("every", {quoted(field.attribute)}, {text})' if nodes.names_index(condition) else text
