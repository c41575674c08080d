"""Conversion of columns to row keys and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from ..runtime.arrow_data import Columns
from ..runtime.errors import DecodeError
from ..runtime.short import More, ShortRepr, html_table
from .arguments import Variant, columns_of, fields_of, layout_of, places_of, row_parts, same_values, writable
from .arrow_nodes import decodable, is_in_place, specs_of, stride_of
from .decode import Reader, holds_all_values, is_bounded_inside, is_flat, read_flat
from .decode_nested import Decoder
from .encode import Encoder, Prepared
from .interner import Interner
from .layout import Layout
from .nodes import InternedNode, Node, walk
from .options import SortOptions
from .order import kernels
from .order.cells import RULES, Bytes, CellError
from .plan import plan
from .sort_keys import SortKeys

FieldTypes: TypeAlias = "Sequence[pa.DataType | tuple[pa.DataType, SortOptions]]"
#: Rows encoded at a time where a column needs temporary memory.
TILE = 65536


class Matched(NamedTuple):
    """The result of matching the columns of the last call to the fields; most calls have the same schema.

    Attributes:
        schema: the schema of those columns.
        named: whether they had names of their own.
        places: position of each field's column and the type it is cast to, or None; None if the columns are the fields.
    """

    schema: pa.Schema
    named: bool
    places: list[tuple[int, pa.DataType | None]] | None


class RowConverter(ShortRepr):
    """Converter of columns to rows whose bytes compare as the columns' values do, and of rows back to columns.

    A row is the concatenation of its columns' encodings, and two rows compare as unsigned bytes. No row is a proper
    prefix of another. Rows are comparable if they were made with equal types, options and variant; rows of the legacy
    variant that hold dictionaries only if one converter, or a copy of it, made them. A pickle holds types, names and
    options, and the keys of those dictionaries.

    Several threads may use one converter at the same time, except one of the legacy variant with dictionary columns.

    Args:
        fields: the columns' types: a ``pa.Schema`` (or a frame that has one), a dict of types by name, or a list of pairs
            of a type and its ``SortOptions``; a bare type has the default options (ascending, nulls first).
        variant: ``"arrow"`` (arrow-row 59), ``"legacy"`` (arrow-row up to 46.0), ``"polars"`` (polars 2.1) or ``"sql"``
            (the order of Spark SQL: one zero, one NaN, nested nulls smallest).
        ordered: False for the unordered form of polars, for grouping and joining only.
        sort_keys: the named fields that make up the row, in this order and direction: ``["region", "-day"]``,
            ``[("day", "descending")]`` or ``[("day", SortOptions(descending=True))]``; by default all fields.

    Raises:
        TypeError: an argument, or an item of it, has the wrong type.
        ValueError: the variant is unknown or has no layout for a type, ``ordered`` is False for another variant than
            polars or with sort options, or ``sort_keys`` has a name twice or is given for fields without names.
        KeyError: ``sort_keys`` has a name that no field, or more than one, has.
    """

    def __init__(
        self,
        fields: pa.Schema | FieldTypes | Mapping[str, pa.DataType | tuple[pa.DataType, SortOptions]],
        *,
        variant: Variant = "arrow",
        ordered: bool = True,
        sort_keys: SortKeys | None = None,
    ) -> None:
        self._layout = layout_of(variant, ordered)
        self._variant: Variant = variant
        self._ordered = ordered
        self._fields, self._names, self._known = fields_of(fields, sort_keys)
        if not ordered and any(options != SortOptions() for _, options in self._fields):
            raise ValueError("fields: unordered rows take no sort options")
        self._set_nodes([plan(self._layout, type, options) for type, options in self._fields])
        self._interners: dict[int, Interner] = {}
        self._matched: Matched | None = None
        #: Schema of tables whose columns are the fields.
        self._plain: pa.Schema | None = None

    @classmethod
    def _planned(cls, fields: list[tuple[pa.DataType, SortOptions]], layout: Layout) -> RowConverter:
        """Returns a converter for a layout that has no public name."""
        converter = cls([], variant="arrow")
        converter._layout = layout
        converter._fields = fields
        converter._set_nodes([plan(layout, type, options) for type, options in fields])
        return converter

    def _set_nodes(self, nodes: list[Node]) -> None:
        self._nodes = nodes
        self._flat = all(is_flat(node) for node in nodes)
        self._unifies = any(isinstance(node, InternedNode) for node in nodes)
        self._bounded = [i for i, node in enumerate(nodes) if is_bounded_inside(node.result)]
        specs = specs_of(nodes) if kernels.ArrowEncoder else None
        cells = decodable(nodes) if kernels.ArrowDecoder else None
        self._decoder = kernels.ArrowDecoder(cells, [node.result for node in nodes]) if cells else None
        self._encoder = (
            None if specs is None else kernels.ArrowEncoder(specs, stride_of(specs), all(map(is_in_place, specs)))
        )

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        names = self._names or [""] * len(self._fields)
        shown = [
            More(" ".join(filter(None, (name and f"{name}:", str(type), _words(options).replace(",", "")))))
            for name, (type, options) in zip(names, self._fields, strict=True)
        ]
        return "RowConverter", [
            ("", shown),
            ("variant", self._variant),
            *([] if self._ordered else [("ordered", False)]),
        ]

    def _repr_html_(self) -> str:
        names = self._names or map(str, range(len(self._fields)))
        rows = [(name, str(type), _words(options)) for name, (type, options) in zip(names, self._fields, strict=True)]
        return html_table(f"RowConverter, variant {self._variant}", rows, ("column", "type", "order"))

    @property
    def fields(self) -> list[tuple[pa.DataType, SortOptions]]:
        """Types and sort options of the columns, in the order of the row."""
        return list(self._fields)

    @property
    def names(self) -> list[str] | None:
        """Names of the columns, None if the fields were given without names."""
        return None if self._names is None else list(self._names)

    @property
    def variant(self) -> Variant:
        """Name of the variant."""
        return self._variant

    def prefix(self, k: int) -> RowConverter:
        """Returns the converter of the first ``k`` columns, whose rows are prefixes of this converter's rows, for range scans.

        The dictionary keys of the legacy variant are shared with this converter.

        Raises:
            TypeError: ``k`` is not an int.
            ValueError: ``k`` is negative or greater than the number of columns.
        """
        if not isinstance(k, int) or isinstance(k, bool):
            raise TypeError(f"k: an int is needed, not {k!r}")
        if not 0 <= k <= len(self._fields):
            raise ValueError(f"k: 0 to {len(self._fields)} columns are there, not {k}")
        shorter = RowConverter([], variant=self._variant, ordered=self._ordered)
        shorter._layout = self._layout
        shorter._fields = self._fields[:k]
        shorter._names, shorter._known = self._names and self._names[:k], self._known
        shorter._set_nodes(self._nodes[:k])
        shorter._interners = self._interners
        return shorter

    def convert_columns(self, columns: Columns, *, out: Any = None) -> pa.LargeBinaryArray:
        """Returns the rows of the columns' values as a ``pa.LargeBinaryArray`` (64-bit offsets) without nulls.

        Args:
            columns: a table of any library that exports Arrow data (pyarrow, polars, pandas, DuckDB, a reader), a dict
                of arrays, or a list of arrays in the order of the fields. If both columns and fields have names,
                columns are matched by name; fields that ``sort_keys`` or `prefix` left out may be present.
            out: writable C-contiguous buffer for the bytes of the rows; the result is then a view of it, valid until it
                is overwritten. None: memory that serves again once no result refers to it.

        Raises:
            TypeError: ``columns`` is not Arrow data, or ``out`` not a buffer.
            ValueError: a column is missing, unknown, or of another type or length; ``out`` is read-only, not contiguous
                or too small.
        """
        plain = self._plain
        known = plain is not None and isinstance(columns, pa.Table) and columns.schema.equals(plain)
        table: pa.Table = columns if known else self._table(columns)
        target = None if out is None else writable(out)
        if self._encoder is None or kernels.ArrowEncoder is None:
            return self._convert_tiles(table, target)
        rows: pa.LargeBinaryArray = self._encoder.encode(table.__arrow_c_stream__(), target)
        return rows

    def _convert_tiles(self, table: pa.Table, out: Bytes | None) -> pa.LargeBinaryArray:
        """Writes columns of any types, `TILE` rows at a time, into memory that grows with the rows."""
        encoder, n = Encoder(self._interners), table.num_rows
        offsets = np.zeros(n + 1, np.int64)
        data = np.empty(0, np.uint8) if out is None else out
        row = base = 0
        for batch in _batches(table, TILE):
            count = batch.num_rows
            cells: Prepared = []
            for node, array in zip(self._nodes, batch.columns, strict=True):
                encoder.prepare(cells, node, array)
            positions = kernels.measure(cells, count)
            stop = base + int(positions[-1])
            if stop > len(data):
                if out is not None:
                    raise ValueError(f"out: {stop} bytes are needed, not {len(out)}")
                data.resize(max(stop, int(1.05 * stop * n / (row + count))), refcheck=False)
            kernels.write(cells, count, data[base:], positions)
            np.add(positions, base, out=offsets[row : row + count + 1])
            row, base = row + count, stop
        if out is None:
            data.resize(base, refcheck=False)
        return pa.Array.from_buffers(pa.large_binary(), n, [None, pa.py_buffer(offsets), pa.py_buffer(data[:base])], 0)

    def convert_rows(self, rows: pa.Array | pa.ChunkedArray | Sequence[bytes]) -> list[pa.Array]:
        """Returns a list with one array per column; dictionary and run-end encoded columns have their value type.

        Every byte is checked. Rows must be of the same fields, options and variant as this converter.

        Args:
            rows: a binary array of any kind (32-bit or 64-bit offsets, views, fixed size), or a sequence of bytes.

        Raises:
            DecodeError: this converter cannot have made a row; the path is ``rows[i]``, the offset is in bytes in that
                row.
            ValueError: a row is null, or a column exceeds the 32-bit offsets of its type.
            TypeError: ``rows`` is not binary.
        """
        found = self._decoded(rows)
        if found is not None:
            return found
        data, starts, ends = row_parts(rows)
        try:
            if self._nodes and self._flat:
                return read_flat(self._nodes, data, starts, ends)
            reader = Reader.over(data, starts, ends)
            decoder = Decoder(self._interners)
            arrays = [decoder.read(node, reader) for node in self._nodes]
            reader.finish()
            return arrays
        except CellError as error:
            raise DecodeError(RULES[error.rule], format="row", path=f"rows[{error.row}]", offset=error.offset) from None
        except OverflowError:
            raise ValueError(
                "rows: a column is larger than its type's 32-bit offsets allow; decode fewer rows"
            ) from None

    def _decoded(self, rows: Any) -> list[pa.Array] | None:
        """Returns the columns of rows that hold all rules, if the compiled decoder knows their types; else None."""
        wide = isinstance(rows, pa.LargeBinaryArray)
        if self._decoder is None or kernels.ArrowDecoder is None or not (wide or isinstance(rows, pa.BinaryArray)):
            return None
        if not len(rows) or rows.null_count:
            return None
        found: list[pa.Array] | None = self._decoder.decode(rows, wide)
        return found if found is not None and all(holds_all_values(found[i]) for i in self._bounded) else None

    def _table(self, columns: Columns) -> pa.Table:
        """Returns the columns in the order of the fields, with names, types and lengths checked."""
        table, named = (columns, True) if isinstance(columns, pa.Table) else columns_of(columns)
        schema, matched = table.schema, self._matched
        if matched is None or matched.named != named or not schema.equals(matched.schema):
            matched = self._matched = Matched(schema, named, self._match(schema, named))
            self._plain = schema if named and matched.places is None and not self._unifies else None
        if matched.places is not None:
            picked = [(table.column(at), kind) for at, kind in matched.places]
            arrays = [array if kind is None else array.cast(kind) for array, kind in picked]
            table = pa.Table.from_arrays(arrays, names=[str(i) for i in range(len(arrays))])
        if self._unifies:
            # Keys are assigned in the order of the values per call, so chunks must not make a difference.
            unified = [a.unify_dictionaries() if pa.types.is_dictionary(a.type) else a for a in table.columns]
            table = pa.Table.from_arrays(unified, names=table.schema.names)
        return table

    def _match(self, schema: pa.Schema, named: bool) -> list[tuple[int, pa.DataType | None]] | None:
        """Returns the position of each field's column and the type it is cast to; None if the columns are the fields."""
        types, names = schema.types, self._names
        if named and names is not None:
            places = places_of(schema.names, names, self._known)
        elif len(types) == len(self._fields):
            places = list(range(len(types)))
        else:
            raise ValueError(f"columns: {len(self._fields)} are needed, not {len(types)}")
        found: list[tuple[int, pa.DataType | None]] = []
        for i, (at, (kind, _)) in enumerate(zip(places, self._fields, strict=True)):
            same = types[at] == kind
            if not same and not same_values(types[at], kind):
                name = i if names is None else repr(names[i])
                raise ValueError(f"columns[{name}]: {kind} is needed, not {types[at]}")
            found.append((at, None if same else kind))
        return None if found == [(i, None) for i in range(len(types))] else found

    def __getstate__(self) -> dict[str, Any]:
        kept = ("_layout", "_variant", "_ordered", "_fields", "_names", "_known")
        places = [self._interners.get(id(node)) for root in self._nodes for node in walk(root)]
        return {name: self.__dict__[name] for name in kept} | {"_interners": places}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_nodes([plan(self._layout, type, options) for type, options in self._fields])
        nodes = [node for root in self._nodes for node in walk(root)]
        kept = zip(nodes, state["_interners"], strict=True)
        self._interners = {id(node): interner for node, interner in kept if interner is not None}
        self._matched, self._plain = None, None


def _batches(table: pa.Table, rows: int) -> Iterator[pa.RecordBatch]:
    """Yields batches of at most ``rows`` rows that no chunk border divides."""
    return (batch for batch in table.to_batches(max_chunksize=max(rows, 1)) if batch.num_columns and batch.num_rows)


def _words(options: SortOptions) -> str:
    """Returns the differences from ascending order with nulls first, as text."""
    words = (["descending"] if options.descending else []) + ([] if options.nulls_first else ["nulls last"])
    return ", ".join(words)
