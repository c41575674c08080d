"""`query` and `query_batches`: from files to Arrow."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..generated.parquet import FileMetaData
from ..parquet.footer_batches import FEW_FILES, FooterBatch, read_batches
from ..parquet.sources import Source, expand
from ..row.sort_keys import parse_sort_keys
from ..runtime.column_types import arrow_type
from ..runtime.errors import CodecError, path_in_file
from ..runtime.exact import exact, exact_int, exact_list, exact_text
from ..runtime.memo import kept_with
from ..runtime.parallel import map_ahead, workers
from ..runtime.ranges import map_ranges
from ..runtime.records.lazy import LazyRecord
from ..runtime.suggest import did_you_mean
from ..runtime.table import texts_of
from ..runtime.urls import located as at_stores
from ..workbench.schema import schema_of
from ..workbench.sources import named, type_of
from .compiled import SOURCE, CompiledQuery, source_of
from .declared import Query, declare
from .groups import grouped

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

#: The number of files whose structs are decoded per call.
_TOGETHER = 64
#: The size in bytes from which a file's elements are read in parts, if possible.
_LARGE = 4 * 2**20
#: The most cached queries per class.
_KEPT = 32
_DIRECTIONS = {"asc": "ascending", "desc": "descending"}


def query(
    sources: Any,
    *,
    idl: Any = None,
    type: Any = None,
    over: str | None = None,
    where: str | None = None,
    select: str,
    group_by: str | Sequence[str] | None = None,
    order_by: Any = None,
    limit: int | None = None,
    parameters: Sequence[Any] = (),
    allow_extern: Iterable[str] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Returns the rows of a query as a ``pyarrow.Table``: a table declared in the IDL's expressions, over files of any format.

    Only what the query names is decoded where the rows come from Thrift structs or from fields that are placed with `at`.
    A value is null where a part on the way to it is absent.

    Args:
        sources: a path, URL, folder, glob, bytes or file object, or a list of them.
        idl: an IDL file or text that declares ``type``.
        type: what a file is: a generated class or its name; by default what the first file's magic tells.
        over: the loops whose iterations are the rows, such as ``"rg in row_groups, cc, i in rg.columns"``; without it a
            file is one row.
        where: the condition of rows.
        select: the columns, such as ``"path = join(cc.path, '.'), cc.size"``; ``source()`` is the name of the file.
        group_by: the columns whose equal values make one row. The others are aggregates then, such as ``n = count()``
            and ``total = sum(cc.size)``; pyarrow computes them.
        order_by: columns to sort by: ``"a"``, ``"-a"``, ``"a desc"``, ``("a", "descending")``, a list of them, or ``"a, -b"``.
        limit: the most rows of the result.
        parameters: arguments of the type's declared parameters.
        allow_extern: Python modules whose externs ``idl`` may name, besides those of lakecodec: their code runs.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`.

    Raises:
        IdlError: an expression has an error; it is shown with a caret.
        DecodeError: a file's bytes break a rule of its format.
        KeyError: ``group_by``, ``order_by`` or ``type`` names something that is not there.
        ValueError: the format of a file is not recognised.
    """
    import pyarrow as pa

    batches = _Rows(
        sources, idl, type, over, where, select, group_by, order_by, limit, parameters, allow_extern, storage_options
    )
    return pa.concat_tables(list(batches.tables()), promote_options="permissive")


def query_batches(
    sources: Any,
    *,
    idl: Any = None,
    type: Any = None,
    over: str | None = None,
    where: str | None = None,
    select: str,
    group_by: str | Sequence[str] | None = None,
    order_by: Any = None,
    limit: int | None = None,
    parameters: Sequence[Any] = (),
    allow_extern: Iterable[str] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yields the rows of `query` in record batches, file after file; grouped or ordered rows are kept until all are known.

    The arguments and errors are those of `query`.
    """
    rows = _Rows(
        sources, idl, type, over, where, select, group_by, order_by, limit, parameters, allow_extern, storage_options
    )
    for table in rows.tables():
        yield from table.to_batches()


def resolved(
    sources: Any,
    *,
    idl: Any = None,
    type: Any = None,
    over: str | None = None,
    where: str | None = None,
    select: str,
    allow_extern: Iterable[str] = (),
) -> tuple[Any, pa.Schema]:
    """Returns the class of the files of a query and the schema of its rows; the first file tells types that depend on values.

    The arguments and errors are those of `query`.
    """
    rows = _Rows(sources, idl, type, over, where, select, None, None, None, (), allow_extern, None)
    return rows.file_class, rows.schema()


class _Rows:
    """The rows of a query over some files."""

    def __init__(
        self,
        sources: Any,
        idl: Any,
        type: Any,
        over: str | None,
        where: str | None,
        select: str,
        group_by: str | Sequence[str] | None,
        order_by: Any,
        limit: int | None,
        parameters: Sequence[Any],
        allow_extern: Iterable[str],
        storage_options: Mapping[str, Any] | None,
    ) -> None:
        if limit is not None and not 0 <= (limit := exact_int("limit", limit)) < 1 << 63:
            raise ValueError(f"limit: a number of rows is needed, not {limit}")
        (sources,) = at_stores(storage_options, sources)
        self._sources = expand(_globbed(sources))
        if not self._sources:
            raise ValueError("sources: there are no files")
        self._parameters = tuple(exact_list("parameters", parameters, "values"))
        self._limit = limit
        keys = None if group_by is None else _names(group_by)
        first = self._sources[0]
        with map_ranges(first.value, filesystem=first.filesystem) as reader:
            self._cls = type_of(reader, type, idl, parameters, allow_extern)
        self._recognised = type is None and idl is None
        over = None if over is None else exact_text("over", over)
        where = None if where is None else exact_text("where", where)
        self._query, self._compiled = _planned(self._cls, over, where, exact_text("select", select), keys)
        self._order = [] if order_by is None else _order(order_by, self._query.names)
        self._refuse_nested({each.name: arrow_type(each.arrow) for each in self._compiled.columns if each.arrow})

    @property
    def file_class(self) -> Any:
        """The class of the files."""
        return self._cls

    def schema(self) -> pa.Schema:
        """Returns the schema of rows that are neither grouped nor ordered."""
        import pyarrow as pa

        names = {each.name: each.arrow for each in self._compiled.columns} | dict.fromkeys(self._query.files, "string")
        if all(names[each] for each in self._query.names):
            return pa.schema([(each, arrow_type(names[each])) for each in self._query.names])
        first: pa.Schema = next(self.tables()).schema
        for field in first:
            if pa.types.is_null(field.type):
                name = field.name
                raise ValueError(
                    f"select: nothing tells the type of {name!r}: declare one, such as decimal<20, 0> {name} = ..."
                )
        return first

    def tables(self) -> Iterator[pa.Table]:
        """Yields the rows, in tables of one schema; one at least."""
        import pyarrow as pa

        if self._query.keys is None and not self._order:
            yield from self._limited(self._read())
            return
        table = pa.concat_tables(list(self._read()), promote_options="permissive")
        self._refuse_nested({field.name: field.type for field in table.schema})
        if self._query.keys is not None:
            table = grouped(table, self._query.keys, self._query.aggregates)
        if self._order:
            self._refuse_nested({field.name: field.type for field in table.schema}, is_grouped=True)
            table = table.sort_by(self._order)
        yield table.select(list(self._query.names)).slice(0, self._limit)

    def _refuse_nested(self, types: Mapping[str, pa.DataType], *, is_grouped: bool = False) -> None:
        """Refuses lists and structs, which pyarrow neither groups nor sorts, among the types that are known.

        Args:
            is_grouped: whether aggregates have their own types.
        """
        import pyarrow as pa

        aggregates = {} if is_grouped else self._query.aggregates
        asked = [("group_by", each) for each in self._query.keys or ()]
        asked += [("order_by", each) for each, _ in self._order if each not in aggregates]
        for argument, name in asked:
            if name in types and pa.types.is_nested(types[name]):
                remedy = f"; make it a text: join({name}, '.')" if pa.types.is_list(types[name]) else ""
                raise ValueError(f"{argument}: {name!r} is a {types[name]}, which cannot be grouped or sorted{remedy}")

    def _limited(self, tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
        left = self._limit
        for table in tables:
            found = table.select(list(self._query.names))
            yield found if left is None else found.slice(0, left)
            if left is not None:
                left -= min(left, found.num_rows)
                if not left:
                    return

    def _read(self) -> Iterator[pa.Table]:
        """Yields the columns of all files."""
        import numpy as np
        import pyarrow as pa

        if self._compiled.part is None:
            for source in self._sources:
                with map_ranges(source.value, filesystem=source.filesystem) as reader:
                    reader.name = source.name or ""
                    with named(reader):
                        for table in self._of_objects(reader):
                            yield self._with_files(table, [source.name], pa.array(np.zeros(table.num_rows, np.int64)))
            return
        if self._compiled.structs.root is FileMetaData and self._compiled.part:
            yield from self._of_footers()
            return
        for start in range(0, len(self._sources), _TOGETHER):
            yield from self._of_structs(self._sources[start : start + _TOGETHER])

    def _of_footers(self) -> Iterator[pa.Table]:
        """Yields the rows of Parquet files, whose footers are read many at a time."""
        # A batch is decoded in another thread while the next one is read.
        pool = workers() if len(self._sources) > FEW_FILES else None
        readings = read_batches(self._sources, "column", None)
        for tables in map_ahead(self._of_batch, readings, pool, 1 + (os.cpu_count() or 1)):
            yield from tables

    def _of_batch(self, reading: FooterBatch) -> list[pa.Table]:
        if reading.failed:
            reading.done()
            # The slower reader reports the error.
            return list(self._of_structs(reading.files))
        table = self._decoded(reading.metadata, [reading.files[number].name for number in reading.numbers])
        reading.done()
        return [table]

    def _of_objects(self, reader: Any) -> Iterator[pa.Table]:
        cls, table, part = self._cls, self._compiled.objects, self._compiled.list_in_parts
        self._check_format(reader)
        if issubclass(cls, LazyRecord):
            parameters = dict(zip(cls._parameters, self._parameters, strict=False))
            yield table.of(cls.open(reader, **parameters))
            return
        data = reader.read(0, reader.size)
        if part is not None and reader.size > _LARGE:
            for found in table.in_parts(data, part, parameters=self._parameters):
                yield found
                reader.release()
        elif hasattr(cls, "_parameters"):
            yield table.decode([data], parameters=self._parameters)[0]
        else:
            yield table.of(cls.from_bytes(data))

    def _of_structs(self, sources: Sequence[Source]) -> Iterator[pa.Table]:
        buffers, names = [], []
        for source in sources:
            with map_ranges(source.value, filesystem=source.filesystem) as reader:
                reader.name = source.name or ""
                self._check_format(reader)
                with named(reader):
                    data = self._compiled.bytes_of(reader, self._parameters)
            if data is not None:
                buffers.append(data)
                names.append(source.name)
        yield self._decoded(buffers, names)

    def _decoded(self, buffers: Sequence[Any], names: Sequence[str | None]) -> pa.Table:
        table, errors = self._compiled.structs.decode(buffers, on_error="collect")
        for number, error in errors:
            if isinstance(error, CodecError):
                error.path = path_in_file(names[number] or "", error.path)
            raise error
        return self._with_files(table.drop_columns([SOURCE]), names, table[SOURCE].combine_chunks())

    def _check_format(self, reader: Any) -> None:
        """Raises ValueError if a file has another type than the first file, and no type was passed."""
        if not self._recognised:
            return
        found = type_of(reader)
        if found is not self._cls:
            first = self._sources[0].name or "the first source"
            raise ValueError(
                f"{reader.name or 'source'}: this is a {found.__module__.rpartition('.')[2]} file, {first} is not: "
                "ask one format at a time, or name the type"
            )

    def _with_files(self, table: pa.Table, names: Sequence[str | None], numbers: Any) -> pa.Table:
        """Returns a table with the columns of file names; ``numbers`` has the number of each row's file."""
        import pyarrow as pa

        if not self._query.files:
            return table
        known = {number: name for number, name in enumerate(names) if name is not None}
        if len(known) == len(names):
            texts = texts_of(numbers, known)
        else:
            texts = pa.array(names, pa.string()).take(numbers)
        for column in self._query.files:
            table = table.append_column(column, texts)
        return table


def _planned(
    cls: Any, over: str | None, where: str | None, select: str, keys: tuple[str, ...] | None
) -> tuple[Query, CompiledQuery]:
    """Returns a query over files of a class; the most recent queries are cached."""
    known, key = _plans(cls), (over, where, select, keys)
    if key not in known:
        schema = schema_of(cls)
        source = source_of(cls, schema)
        query = declare(source, source.module, over=over, where=where, select=select, keys=keys)
        if len(known) >= _KEPT:
            known.clear()
        known[key] = query, CompiledQuery(query.table, cls, schema)
    return known[key]


@kept_with
def _plans(cls: Any) -> dict[Any, tuple[Query, CompiledQuery]]:
    return {}


def _globbed(sources: Any) -> Any:
    """Returns sources with the files of each glob in its place, in the order of their names."""
    if isinstance(sources, list | tuple):
        return [_globbed(each) for each in sources]
    path = os.fspath(sources) if isinstance(sources, os.PathLike) else sources
    if not isinstance(path, str) or "://" in path or not glob.has_magic(path) or os.path.exists(path):
        return sources
    found = sorted(glob.glob(path, recursive=True))
    if not found:
        raise FileNotFoundError(f"sources: no file matches {path!r}")
    return found


def _names(columns: str | Sequence[str]) -> tuple[str, ...]:
    """Returns the names in ``"a, b"``, or in a list."""
    if isinstance(columns, str):
        return tuple(each.strip() for each in exact(columns).split(",") if each.strip())
    return tuple(exact_text("group_by", each) for each in exact_list("group_by", columns))


def _directed(key: str) -> Any:
    """Returns ``"a desc"`` as a pair of a name and a direction; other keys as they are."""
    name, *direction = key.split()
    if not direction:
        return key
    if len(direction) > 1 or direction[0].lower() not in _DIRECTIONS:
        raise ValueError(f"order_by: asc or desc is needed after a column, not {' '.join(direction)!r}")
    return name, _DIRECTIONS[direction[0].lower()]


def _order(keys: Any, names: Sequence[str]) -> list[tuple[str, str]]:
    """Returns sort keys as pyarrow takes them."""
    if isinstance(keys, str):
        keys = _names(keys)
    if isinstance(keys, list | tuple):
        keys = [_directed(each) if isinstance(each, str) else each for each in keys]
    parsed = parse_sort_keys(keys, argument="order_by")
    for key in parsed:
        if key.name not in names:
            raise KeyError(f"order_by: select has no column {key.name!r}{did_you_mean(key.name, names)}")
    return [(key.name, "descending" if key.descending else "ascending") for key in parsed]
