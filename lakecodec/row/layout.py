"""Layouts of row keys: the encoding that row.idl declares, for one variant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from ..generated import row
from ..generated.row import Variant
from ..runtime.declaration import Encoding
from .options import SortOptions


@dataclass(frozen=True, slots=True)
class Layout:
    """One variant of the declared encoding.

    Attributes:
        variant: a member of the declared ``Variant``.
        declared: the module compiled from row.idl, or from another file with the same declarations.
    """

    variant: Any
    declared: Any = row

    @property
    def name(self) -> str:
        """Name of the variant in messages."""
        name: str = self.variant.name
        return name.lower().replace("_", " ")

    def encoding(self, options: SortOptions) -> Encoding:
        """Returns the shapes of all types for some sort options."""
        return _encoding(self, options)

    def inner(self, nesting: Any, options: SortOptions) -> SortOptions:
        """Returns the sort options of nested values, for the options of the value that contains them."""
        return SortOptions(
            self.declared.inner_descending(nesting, options.descending),
            self.declared.inner_nulls_first(nesting, options.descending, options.nulls_first),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # A module is pickled by its name.
        return _named, (self.declared.__name__, self.variant.name)


def _named(module: str, variant: str) -> Layout:
    declared = import_module(module)
    return Layout(declared.Variant[variant], declared)


@lru_cache(maxsize=64)
def _encoding(layout: Layout, options: SortOptions) -> Encoding:
    found: Encoding = layout.declared.Cell(options.descending, options.nulls_first, layout.variant)
    return found


ARROW, SQL, LEGACY, POLARS, POLARS_UNORDERED, SORT = map(Layout, Variant)
