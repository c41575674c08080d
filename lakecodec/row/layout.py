"""The layouts of row keys: which shape each Arrow type has in each variant, read from the encoding that the IDL declares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from ..generated import row as declared
from ..generated.row import Nesting, Variant
from ..runtime.declaration import Field
from . import shapes
from .arrow_types import type_name
from .options import SortOptions
from .shapes import Shape

_NUMBER_WIDTHS = {"i32": 4, "i64": 8}


@dataclass(frozen=True, slots=True)
class Layout:
    """One variant."""

    variant: Variant

    @property
    def name(self) -> str:
        """The variant's name in messages."""
        return self.variant.name.lower().replace("_", " ")

    def shape(self, type: pa.DataType) -> Shape | None:
        """The shape of a type, None when the variant has none for it."""
        return _shape(self.variant, type_name(type), type.precision if pa.types.is_decimal(type) else 0)

    @staticmethod
    def null_byte(options: SortOptions) -> int:
        """The first byte of a null."""
        byte: int = declared.null_byte(options.nulls_first)
        return byte

    @staticmethod
    def inner(nesting: Nesting, options: SortOptions) -> SortOptions:
        """The options of the values inside a value."""
        return SortOptions(
            declared.inner_descending(nesting, options.descending),
            declared.inner_nulls_first(nesting, options.descending, options.nulls_first),
        )


@cache
def _shape(variant: Variant, name: str, precision: int) -> Shape | None:
    # Which shape a type has does not hang on the sort options: they come in when the shape is planned.
    options = SortOptions()
    case = declared.Cell(options.descending, options.nulls_first, variant).case(name, precision)
    if case is None:
        return None
    bound = (precision,) * dict(case.patterns)[name]
    return _lower(case.fields(*bound), case.null(*bound) if case.null else ())


def _lower(fields: Sequence[Field], null: Sequence[Field]) -> Shape:
    """The table of a case's fields."""
    if all(field.derived is not None for field in fields):
        return shapes.Constant(bytes(field.derived for field in fields))
    present: Any = next((field.derived for field in fields if field.name == "present"), None)
    values = [field for field in fields if field.derived is None]
    uses = {use.name: use.arguments for use in values[-1].via}
    blocks: Any = shapes.Blocks(tuple(uses["blocks"][0]), *uses["blocks"][1:]) if "blocks" in uses else None
    first = next(iter(uses))
    arguments: Any = uses[first]
    match first:
        case "blocks":
            return blocks  # type: ignore[no-any-return]
        case "packed_decimal":
            return shapes.PackedDecimal()
        case "terminated":
            return shapes.Terminated(*arguments)
        case "counted":
            return shapes.Counted(arguments[0], null[0].derived)
        case "interned":
            return shapes.Interned(*arguments)
        case "hydrated":
            return shapes.Values()
        case "children":
            return shapes.Struct(present, *arguments)
        case "elements":
            return shapes.Array(present, arguments[0], null_elements=len(null) > 1)
        case "wrapped_rows":
            return shapes.WrappedList(blocks, *arguments)
        case "packed_rows":
            return shapes.PackedList(blocks, *arguments)
        case "value_row":
            return shapes.Runs(blocks, *arguments)
        case "sequence":
            nesting, more, end = arguments
            return shapes.Sequence(more, end, nesting)
        case "selected":
            return shapes.Union(*arguments)
    parts = tuple(_NUMBER_WIDTHS[field.type] for field in values if field.type in _NUMBER_WIDTHS)
    add: Any = uses.pop("plus", (0,))
    return shapes.Fixed(present, tuple(uses), parts, *add)  # type: ignore[arg-type]


ARROW, SQL, LEGACY, POLARS, POLARS_UNORDERED, SORT = map(Layout, Variant)
