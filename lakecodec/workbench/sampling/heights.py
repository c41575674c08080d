"""The least number of levels that a value of a type has, so that values which contain themselves end."""

from __future__ import annotations

from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.record_layout import RecordLayout, VariantLayout
from ...generator.model import Extension, Record
from ..schema import Schema

#: The height of a type without an end.
ENDLESS = 1000


class Heights:
    """Least heights of bodies."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._known: dict[str, int] = {}

    def of(self, layout: RecordLayout | VariantLayout, around: tuple[str, ...] = ()) -> int:
        """Returns the least number of levels of a value; ``around`` are the types that it is in already."""
        name = f"{layout.module.name}.{layout.spec_name}"
        if name in around:
            return ENDLESS
        if name in self._known:
            return self._known[name]
        around = (*around, name)
        if isinstance(layout, VariantLayout):
            found = min((self.of(each.record, around) for each in layout.alternatives), default=0)
        else:
            found = 1 + max((self._inside(each, around) for each in layout.fields), default=0)
        if len(around) == 1:
            self._known[name] = found
        return found

    def _inside(self, field: FieldLayout, around: tuple[str, ...]) -> int:
        can_be_left_out = field.presence is not None or field.dimension is not None
        if can_be_left_out or field.kind != "record" or not isinstance(field.target, Record | Extension):
            return 0
        return self.of(self._schema.layout(field.target), around)
