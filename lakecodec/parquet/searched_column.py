"""The searched column in each of many files: its position, its type, and the search keys of the values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..generated.parquet import FileMetaData, SchemaElement
from ..runtime.compact.base import decoded, projected
from ..runtime.errors import DecodeError
from .leaf_types import LeafType
from .schema import choose, leaves
from .search_keys import SearchedValues
from .variant_parts import find_part

#: The most cached schemas. The latest comes first.
_MOST_KEPT = 16


class Leaf(NamedTuple):
    """A leaf column: its position among all, its dotted path, and its SchemaElement."""

    number: int
    path: str
    element: SchemaElement


class Searched(NamedTuple):
    """A leaf column of a file, or the leaf columns of a part of a variant.

    Attributes:
        leaf: the column, None where a part of a variant has no column of its own.
        type: its type, one object for all columns of that type.
        keys: search keys of the values that the type has.
        others: the column of what a variant's part may hold beside; where it has a value, that may be any.
        is_part: whether this is a part of a variant.
    """

    leaf: Leaf | None
    type: LeafType | None
    keys: list[Any]
    others: Leaf | None = None
    is_part: bool = False


@dataclass
class _Schema:
    """The schema of files whose footers begin with the same bytes.

    Attributes:
        start: the bytes from the begin of the footer to the end of the schema.
        found: the column without its type, None if there is none.
        searched: the column by the kind of its ColumnOrder.
        known: the column by the bytes that follow the row groups, ColumnOrders among them.
    """

    start: bytes
    found: Searched | None
    searched: dict[str | None, Searched] = field(default_factory=dict)
    known: dict[Any, Searched] = field(default_factory=dict)


class SearchedColumn:
    """Finds a column in footers; a schema that many files share is decoded once.

    Args:
        column: dotted path of a leaf column, of a group with one leaf column, or of a part of a variant.
        wanted: the values that are looked for.
    """

    def __init__(self, column: str, wanted: SearchedValues) -> None:
        self._column = column
        self._wanted = wanted
        self._schemas: list[_Schema] = []
        self._types: dict[Any, tuple[LeafType, list[Any]]] = {}

    def find(self, metadata: Any, rest: int = 0) -> Searched | None:
        """Returns the column in a file, None if the file has none.

        Args:
            metadata: the encoded FileMetaData.
            rest: `rest_of` it, 0 if that is not known.

        Raises:
            DecodeError: it is invalid.
            ValueError: the column is a group of several.
        """
        schema = self._schema(metadata)
        if schema.found is None or schema.found.leaf is None:
            return schema.found
        after = bytes(metadata[rest:]) if rest else b""
        if after in schema.known:
            return schema.known[after]
        number, _, element = schema.found.leaf
        orders = FileMetaData.from_bytes(
            metadata, allow_trailing=True, fields=(f"column_orders[{number}]",)
        ).column_orders
        order = orders[0].kind if orders else None
        found = schema.searched.get(order)
        if found is None:
            kind, keys = self._type(LeafType(element, order))
            found = schema.searched[order] = schema.found._replace(type=kind, keys=keys)
        if rest:
            if len(schema.known) >= _MOST_KEPT:
                schema.known.clear()
            schema.known[after] = found
        return found

    def _type(self, leaf: LeafType) -> tuple[LeafType, list[Any]]:
        """Returns the first type that was found of those that are alike, and the search keys of its values."""
        element = leaf.element
        alike = element.type, element.type_length, leaf.kind, leaf.is_ordered, leaf.order, str(leaf.arrow)
        if alike not in self._types:
            self._types[alike] = leaf, self._wanted.keys(leaf)
        return self._types[alike]

    def _schema(self, metadata: Any) -> _Schema:
        """Returns the schema of a footer."""
        for at, schema in enumerate(self._schemas):
            if metadata[: len(schema.start)] == schema.start:
                if at:
                    self._schemas.insert(0, self._schemas.pop(at))
                return schema
        value, end = decoded(projected(FileMetaData, ("schema",)), metadata, 0, None, False, "strict", True)
        schema = _Schema(bytes(metadata[:end]), self._find(value.schema))
        self._schemas.insert(0, schema)
        del self._schemas[_MOST_KEPT:]
        return schema

    def _find(self, elements: list[SchemaElement]) -> Searched | None:
        """Returns the column in a schema."""
        found = leaves(elements)
        paths = [path for path, _ in found]
        part = None if self._column in paths else find_part(elements, self._column)
        if part is not None:
            self._wanted.take_all()
            own = None if part.typed is None else Leaf(part.typed[0], *found[part.typed[0]])
            others = None if part.others is None else Leaf(part.others, *found[part.others])
            return Searched(own, None, [None] if self._wanted.has_null else [], others, is_part=True)
        try:
            chosen = choose(paths, [self._column])
        except KeyError:
            return None
        if len(chosen) > 1:
            below = ", ".join(paths[at] for at in chosen[:3]) + ", ..." * (len(chosen) > 3)
            raise ValueError(f"column: {self._column!r} is a group of {len(chosen)} columns: {below}")
        return Searched(Leaf(chosen[0], *found[chosen[0]]), None, [])


def rest_of(metadata: bytes) -> int:
    """Returns the offset of the bytes after the row groups of an encoded FileMetaData. If these are equal, so are
    ColumnOrders.

    0 if there is no such offset: the footer is invalid, or ColumnOrders come first.
    """
    try:
        ends = [
            decoded(projected(FileMetaData, (name,)), metadata, 0, None, False, "strict", True)[1]
            for name in ("row_groups.num_rows", "column_orders")
        ]
    except DecodeError:
        return 0
    return ends[0] if ends[0] <= ends[1] else 0
