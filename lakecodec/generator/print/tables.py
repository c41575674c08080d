"""Rows of records: the arguments of ``runtime/records/rows.py``, from which the native tables are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..builtin_names import FIXED_WIDTHS
from ..lower import nodes
from ..lower.bodies import codec_class
from ..lower.codec_shapes import codec_shape
from ..lower.field_layout import CodecCall, FieldLayout, Setting, is_absent_or, verified
from ..lower.native_tables import is_expressible
from ..lower.native_writing import native_writing
from ..lower.record_layout import AlternativeLayout, RecordLayout, VariantLayout
from ..names import quoted
from .data import CAPTURES, DataPrinter, WritingData, tuple_of
from .hints import class_of
from .text import group, listed, tupled
from .types import class_expression

#: The last arguments of a row.
_LAST = ("before", "open", "checks", "owners", "verifies")
#: What stands for a value that only generated writers compute.
_UNKNOWN = '("unknown",)'


class RecordTable:
    """The printed rows of a record's fields, and the options of its class."""

    def __init__(self, layout: RecordLayout, imports: set[str]) -> None:
        self._layout = layout
        self._captured: set[tuple[str, str]] = set()
        used: set[str] = set()
        self._printer = DataPrinter(layout.module, used, self._captured)
        self._data = self._printer.data
        self._used = used
        self._writing = native_writing(layout)
        self._owners: dict[str, list[str]] = {}
        self._checks, self._verifies = self._placed_checks()
        #: The arguments of ``_rec.body``; None if native readers cannot be made from the rows.
        self.whole = list(self._whole()) if layout.native_readable else None
        self._fields = {each.name: self._field(each) for each in layout.fields}
        imports |= used

    def row(self, field: FieldLayout) -> tuple[str, list[str]]:
        """Returns the function for a field's row, and the texts of its arguments."""
        arguments = [quoted(field.text)]
        derived = "_rec.derived" if field.derivation is not None or self._layout.value is not None else "_rec.field"
        parts = dict(self._fields[field.name])
        if derived == "_rec.derived":
            arguments.append(parts.pop("derived", _UNKNOWN))
        wire = parts.pop("wire", field.text)
        if wire != field.text:
            arguments.append(quoted(wire))
        if derived == "_rec.field" and (field.whole_presence is not None or field.is_open):
            parts["default"] = "None"
        if derived == "_rec.field" and field.default is not None:
            parts["default"] = self._printer.text(field.default)
        if field.attribute != field.name:
            parts["name"] = quoted(field.name)
        if field.keeps:
            parts["keeps"] = "True"
        if field.is_settled:
            parts["settled"] = "True"
        captures = [quoted(each) for each in CAPTURES.values() if (each, field.attribute) in self._captured]
        if captures:
            last = {name: parts.pop(name) for name in _LAST if name in parts}
            parts |= {"captures": listed(captures), **last}
        return derived, [*arguments, *(f"{name}={text}" for name, text in parts.items())]

    def _whole(self) -> Iterator[tuple[str, str]]:
        layout = self._layout
        if layout.states:
            initials = ("None" if each.initial is None else self._initial(each.initial) for each in layout.states)
            yield "states", listed(initials)
        if layout.value is not None:
            yield "value", self._data(layout.value)
            if shape := codec_shape(layout):
                yield "shape", quoted(shape)
        known = [each.condition for each in self._writing.checks if each.field is None]
        for name, is_known in (("checks", True), ("verifies", False)):
            found = [rule.condition for rule in layout.checks if (rule.condition in known) is is_known]
            if found:
                yield name, listed(map(self._data, found))
        if self._writing.late:
            printer = DataPrinter(layout.module, self._used, set())
            late = (self._about(each.field, each.condition, printer) for each in self._writing.late)
            yield "write_checks", listed(late)
        if not self._writing.is_possible:
            yield "generated", "True"
        if layout.order is not None:
            yield "order", self._data(layout.order)

    def _initial(self, node: nodes.Node) -> str:
        return self._printer.text(node)

    # ---- fields ----

    def _field(self, field: FieldLayout) -> dict[str, str]:
        parts = self._element(field)
        is_big = field.order == "be" if field.order else self._layout.big and self._layout.order is None
        if field.kind == "number" and is_big and FIXED_WIDTHS[field.type] > 1:
            parts["big"] = "True"
        if field.kind == "varint" and self._layout.normalizes:
            parts["loose"] = "True"
        if self._layout.is_exact(field):
            parts["exact"] = "True"
        parts |= self._list(field)
        if field.presence is not None:
            parts["present"] = self._data(field.presence)
        if field.size is not None:
            parts["size"] = self._data(field.size)
        if field.codecs:
            parts["codecs"] = listed(map(self._codec, field.codecs))
        if field.enum is not None:
            parts["enum"] = class_expression(field.enum, self._layout.module)
        if field.derivation is not None:
            parts["derived"] = self._derived(field, field.derivation.condition)
        for setting in field.settings if self._writing.is_possible else ():
            parts["derived"] = self._derived(field, setting.value)
        if sets := [each for each in field.settings if each.path]:
            parts["sets"] = listed(tupled([_path(each), self._data(each.value)]) for each in sets)
        if before := self._writing.before.get(field.name):
            parts["before"] = listed(tuple_of(word, quoted(each.attribute)) for word, each in before)
        if clauses := self._writing.open.get(field.name):
            parts["open"] = listed(map(quoted, sorted(clauses)))
        for name, found in (("checks", self._checks), ("owners", self._owners), ("verifies", self._verifies)):
            if field.name in found:
                parts[name] = listed(found[field.name])
        return parts

    def _derived(self, field: FieldLayout, value: nodes.Node) -> str:
        """Returns the derived value of a field or element; ``("unknown",)`` if only the generated writer computes it."""
        printer = WritingData(self._layout, self._used, field.name)
        is_known = is_expressible(value, self._layout.module, laid_out=self._layout.native_places)
        return printer.data(value) if is_known else _UNKNOWN

    def _element(self, field: FieldLayout) -> dict[str, str]:
        """Returns the entries of a field's row that describe how one element is read."""
        parts: dict[str, str] = {}
        arguments = field.arguments
        if field.coder is not None:
            arguments = field.coder.arguments
            parts["coder"] = quoted(codec_class(field.coder.codec))
            if field.dimension is not None and field.coder.initial is not None and self.whole is not None:
                parts |= {"state": "-1", "initial": self._initial(field.coder.initial)}
            elif field.coder.slot is not None:
                parts["state"] = str(field.coder.slot)
        if field.kind in ("record", "struct", "values") and field.coder is None:
            assert field.target is not None
            cls = class_of(field.target, self._layout.module)
            parts[field.kind] = quoted(cls) if field.target.module is self._layout.module else cls
        else:
            parts["wire"] = field.type if field.kind in ("number", "varint") else field.kind
            if field.codes_text:
                # A codec with fields decides alone about its values.
                parts["wire"] = "u8"
        if field.bits is not None:
            number, low, width = field.bits
            mask = (1 << width) - 1
            parts["arguments"] = f'[("&", (">>", {quoted(number)}, {low}), 0x{mask:X})]'
        if arguments:
            parts["arguments"] = self._printer.sequence(arguments)
        if field.shares_states and field.kind == "record":
            parts["siblings"] = "True"
        if field.width is not None:
            parts["width"] = self._data(field.width)
        if field.length is not None and field.length.value is not None:
            parts["length"] = self._data(field.length.value)
        elif field.length is not None and field.kind in ("bits", "values"):
            rest = self._data(nodes.SpanWord("rest"))
            bits = tuple_of("//", tuple_of("*", rest, "8"), parts.get("width", "8"))
            parts["length"] = rest if field.kind == "values" else bits
        if field.terminator is not None:
            parts["terminator"] = quoted(field.terminator)
        return parts

    def _list(self, field: FieldLayout) -> dict[str, str]:
        dimension = field.dimension
        if dimension is None:
            return {}
        parts = {} if dimension.kind == "count" else {"dimension": quoted(dimension.kind)}
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
        return group("(", [str(codec.slot), self._printer.function(codec.codec), *arguments], ")")

    # ---- checks ----

    def _placed_checks(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Returns the checks by the field after which they are possible, and the checks for readers only.

        Fields of fixed width that follow each other are read before their checks.
        """
        checks: dict[str, list[str]] = {}
        only_read: dict[str, list[str]] = {}
        owners: dict[str, list[str]] = {}
        written = [(each.field.name, each.condition) for each in self._writing.checks if each.field is not None]
        fields = self._layout.fields
        last = list(fields)
        for place in range(len(fields) - 2, -1, -1):
            if fields[place].run_code and fields[place + 1].run_code:
                last[place] = last[place + 1]
        for field, end in zip(fields, last, strict=True):
            for other, rule, derived in self._layout.rules_after(field):
                if rule.implied:
                    continue
                condition = verified(other, rule) if derived else is_absent_or(other, rule)
                counts = nodes.span_words(rule.condition) & {"rest", "at_end"}
                is_late = counts and other is not end
                text = self._about(
                    other, condition, self._printer.behind(other.attribute) if is_late else self._printer
                )
                if derived and text == self._as_written(other):
                    text = quoted(other.attribute)
                if derived or (other.name, condition) not in written:
                    only_read.setdefault(end.name, []).append(text)
                else:
                    checks.setdefault(end.name, []).append(text)
                    owners.setdefault(end.name, []).append(other.attribute)
        self._keep_owners(owners)
        return checks, only_read

    def _keep_owners(self, owners: Mapping[str, Sequence[str]]) -> None:
        """Keeps the attributes that the checks in each row are about, where those are not all the row's own."""
        attributes = {each.name: each.attribute for each in self._layout.fields}
        for name, found in owners.items():
            if {*found} != {attributes[name]}:
                self._owners[name] = list(map(quoted, found))

    def _as_written(self, field: FieldLayout) -> str:
        """Returns the condition that a field's value equals the value to be written."""
        assert field.derivation is not None
        own, derivation = quoted(field.attribute), field.derivation.condition
        is_each = field.by_element or nodes.names_index(derivation)
        value = tuple_of("item", own, '("index",)') if is_each else own
        same = tuple_of("==", value, self._derived(field, derivation))
        same = same if field.presence is None else tuple_of("or", tuple_of("is", value, "None"), same)
        return tuple_of("every", own, same) if is_each else same

    def _about(self, field: FieldLayout | None, condition: nodes.Node, printer: DataPrinter) -> str:
        """Returns a condition; a condition on elements of a field must hold for each of them."""
        text = printer.data(condition)
        is_each = field is not None and nodes.names_index(condition)
        return tuple_of("every", quoted(field.attribute), text) if field is not None and is_each else text


def _path(setting: Setting) -> str:
    """Returns the path of what a setting sets; ``[]`` stands for the element at the index."""
    return tupled(quoted(each or "[]") for each in setting.path)


def variant_options(layout: VariantLayout, imports: set[str]) -> list[str]:
    """Returns the arguments of a variant's class that select an alternative; none if tables cannot express it."""
    options = [] if layout.constant else ["chain=True"]
    if not layout.native_readable:
        return options
    return [f"on={DataPrinter(layout.module, imports, set()).data(layout.tag)}", *options]


def alternative_tags(layout: VariantLayout, alternative: AlternativeLayout, imports: set[str]) -> str:
    """Returns the tags of an alternative: constants, or expressions as data."""
    printer = DataPrinter(layout.module, imports, set())
    if layout.constant:
        return listed(printer.texts(alternative.tags))
    return printer.sequence(alternative.tags) if alternative.native_readable else "[None]"
