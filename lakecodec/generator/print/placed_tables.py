"""Rows of fields that are placed with `at`: the arguments from which native writers lay a record out."""

from __future__ import annotations

from collections.abc import Mapping

from ..lower import write_steps as steps
from ..lower.field_layout import FieldLayout, is_absent_or
from ..lower.native_places import rules_of_whole
from ..lower.native_writing import NativeWriting
from ..lower.record_layout import RecordLayout
from ..names import quoted
from .data import DataPrinter
from .tables import RecordTable
from .text import listed


def placed_arguments(layout: RecordLayout, imports: set[str]) -> Mapping[str, list[str]]:
    """Returns the arguments of each placed field's row."""
    table = _PlacedTable(layout, imports)
    return {each.name: table.arguments(each) for each in layout.fields if each.place is not None}


class _PlacedTable(RecordTable):
    """The rows of fields with places of their own, which expressions of each other may name."""

    def __init__(self, layout: RecordLayout, used: set[str]) -> None:
        self._layout = layout
        self._captured = set()
        self._used = used
        self._printer = DataPrinter(layout.module, used, self._captured)
        self._data = self._printer.data
        self._writing = NativeWriting(is_possible=False)
        self.whole = []
        self._owners, self._checks, self._verifies = {}, {}, {}

    def arguments(self, each: FieldLayout) -> list[str]:
        assert each.place is not None
        parts = self._field(each)
        wire = parts.pop("wire", each.text)
        if wire != each.text:
            parts = {"wire": quoted(wire), **parts}
        parts["at"] = self._data(each.place)
        if each.size is None and each.fixed is not None and not each.by_element:
            parts["size"] = str(each.fixed)
        if each.alignment is not None:
            parts["align"] = self._data(each.alignment)
        if each.keeps:
            parts["keeps"] = "True"
        found = self._layout.writing[each.name]
        rules = [
            (step.field, is_absent_or(step.field, step.rule))
            for step in found
            if isinstance(step, steps.Check) and step.field is not None
        ]
        rules += rules_of_whole(each, self._layout)
        if rules:
            parts["checks"] = listed(self._about(*rule, self._printer) for rule in rules)
            self._keep_owners({each.name: [field.attribute for field, _ in rules]})
            if each.name in self._owners:
                parts["owners"] = listed(self._owners[each.name])
        return [f"{name}={text}" for name, text in parts.items()]
