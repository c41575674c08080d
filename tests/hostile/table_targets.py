"""Calls on variants, files and tables that take values of Python, and plain arguments that they take."""

from __future__ import annotations

import atexit
import io
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import lakecodec
from lakecodec import delta, lake, mosaic, paimon, parquet, queries, row, variant
from lakecodec.runtime.exact import items_of

from .targets import Target, module

ROWS = {"n": [1, 2, 3, None], "t": ["a", "b", "c", None], "p": ["x", "x", "y", "y"]}
TABLE = pa.table(ROWS, pa.schema({"n": pa.int64(), "t": pa.string(), "p": pa.string()}))
PROPERTIES = {"delta.enableChangeDataFeed": "true"}


@cache
def _folder() -> Path:
    """Returns a folder with a file and a table of each kind, which calls do not change."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    pq.write_table(TABLE.replace_schema_metadata({"k": "v"}), folder / "a.parquet", row_group_size=2)
    mosaic.write_table(TABLE, folder / "a.mosaic")
    lake.write(TABLE, folder / "lake", partition_by="p", properties=PROPERTIES, progress=False)
    paimon.write(TABLE, str(folder / "paimon"), partition_by=["p"])
    return folder


@contextmanager
def _copy(name: str) -> Iterator[Path]:
    """Gives a copy of a file or table, in a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        path, made = _folder() / name, Path(folder, name)
        if path.is_dir():
            shutil.copytree(path, made)
        else:
            shutil.copy(path, made)
        yield made


def _rows(table: Any) -> list[str]:
    return sorted(map(repr, (table if isinstance(table, pa.Table) else table.read_all()).to_pylist()))


def _changed(name: str, change: Callable[[Any], Any]) -> list[str]:
    """Returns the rows of a table after a change."""
    with _copy(name) as path:
        change(path)
        return _rows((paimon if name == "paimon" else lake).scan(str(path)))


def _new(write: Callable[[str], Any], read: Callable[[str], Any]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/new"
        write(path)
        return _rows(read(path))


def _surgery(change: Callable[[Path, Path], Any]) -> Any:
    with _copy("a.parquet") as path:
        target = path.with_name("b.parquet")
        change(path, target)
        found = pq.read_table(target if target.exists() else path)
        return found.to_pydict(), sorted((found.schema.metadata or {}).items())


def _encrypted(keys: parquet.Keys) -> list[Any]:
    """Returns the rows of a file whose footer was encrypted, and decrypted again in two ways."""
    with _copy("a.parquet") as path:
        target, plain = path.with_name("b.parquet"), path.with_name("c.parquet")
        parquet.encrypt_footer(path, target, keys)
        parquet.decrypt(target, plain, keys)
        with parquet.decrypted(target, keys) as file:
            return [pq.read_table(each).to_pydict() for each in (file, plain)]


def _lake() -> list[Target]:
    path = str(_folder() / "lake")

    def merged(on: Any, update: Any, insert: Any) -> list[str]:
        source = pa.table({"n": [1, 9], "t": ["z", "w"], "p": ["x", "x"]})
        return _changed(
            "lake",
            lambda path: lake.merge(
                path, source, on, when_matched_update=update, when_not_matched_insert=insert, progress=False
            ),
        )

    def written(data: Any, partition_by: Any, sort_by: Any, stats: Any, properties: Any) -> list[str]:
        return _new(
            lambda path: lake.write(
                data,
                path,
                partition_by=partition_by,
                sort_by=sort_by,
                stats_columns=stats,
                properties=properties,
                progress=False,
            ),
            lake.scan,
        )

    def limited(rows: Any, size: Any, memory: Any, txn: Any) -> list[str]:
        return _new(
            lambda path: lake.write(
                TABLE,
                path,
                max_rows_per_file=rows,
                target_file_bytes=size,
                memory_limit=memory,
                txn_id=txn,
                progress=False,
            ),
            lake.scan,
        )

    where: Callable[[], list[Any]] = lambda: [[("n", ">", 1), ("p", "in", ["x", "y"])]]  # noqa: E731
    return [
        Target(
            "lake.write",
            written,
            lambda: [
                {name: list(column) for name, column in ROWS.items()},
                ["p"],
                ["n", ("t", "descending")],
                ["n"],
                dict(PROPERTIES),
            ],
        ),
        Target("lake.write, limits", limited, lambda: [2, 10_000, 2**24, "a"]),
        Target(
            "lake.write, where",
            lambda where: _changed(
                "lake",
                lambda path: lake.write(TABLE.slice(2), path, mode="overwrite", replace_where=where, progress=False),
            ),
            lambda: [[("p", "=", "y")]],
        ),
        Target(
            "lake.scan",
            lambda columns, where, version: _rows(lake.scan(path, columns=columns, where=where, version=version)),
            lambda: [["n", "p"], *where(), 0],
        ),
        Target(
            "lake.open_scan",
            lambda columns, where: sum(
                batch.num_rows for batch in lake.open_scan(path, columns=columns, where=where).batches()
            ),
            lambda: [["n"], *where()],
        ),
        Target(
            "lake.explain",
            lambda columns, where: lake.explain(path, columns=columns, where=where).rows,
            lambda: [["n"], *where()],
        ),
        Target("lake.count", lambda where: lake.count(path, where=where), where),
        Target(
            "lake.scan_changes",
            lambda start, end, columns, where: len(
                _rows(lake.scan_changes(path, start, end, columns=columns, where=where))
            ),
            lambda: [0, 0, ["n"], *where()],
        ),
        Target(
            "lake.open_changes",
            lambda start, columns: sum(
                batch.num_rows for batch in lake.open_changes(path, start, columns=columns).batches()
            ),
            lambda: [0, ["n"]],
        ),
        Target(
            "lake.delete", lambda where: _changed("lake", lambda path: lake.delete(path, where, progress=False)), where
        ),
        Target(
            "lake.update",
            lambda set, where: _changed("lake", lambda path: lake.update(path, set, where, progress=False)),
            lambda: [{"t": "'q'", "n": "n + 1"}, *where()],
        ),
        Target(
            "lake.merge",
            merged,
            lambda: [["n"], {"t": "source.t"}, {"n": "source.n", "t": "source.t", "p": "source.p"}],
        ),
        Target(
            "lake.optimize",
            lambda where, zorder_by, size: _changed(
                "lake",
                lambda path: lake.optimize(
                    path, where=where, zorder_by=zorder_by, target_file_bytes=size, progress=False
                ),
            ),
            lambda: [[("p", "=", "x")], ["n"], 10**6],
        ),
        Target(
            "lake.set_properties",
            lambda properties: _changed("lake", lambda path: lake.set_properties(path, properties)),
            lambda: [
                {"delta.deletedFileRetentionDuration": timedelta(days=2), "own": "text", "delta.appendOnly": False}
            ],
        ),
        Target(
            "lake.unset_properties",
            lambda names: _changed("lake", lambda path: lake.unset_properties(path, names)),
            lambda: [["delta.enableChangeDataFeed"]],
        ),
        Target("lake.properties", lambda version: sorted(lake.properties(path, version=version)), lambda: [0]),
        Target("lake.restore", lambda version: _changed("lake", lambda path: lake.restore(path, version)), lambda: [0]),
        Target("lake.vacuum", lambda retention: lake.vacuum(path, retention=retention), lambda: [timedelta(days=8)]),
        Target(
            "lake.StoreUrl",
            lambda url, options: str(lake.StoreUrl(url, **options)),
            lambda: ["s3://a/b", {"region": "x"}],
        ),
        Target(
            "paimon.write",
            lambda data, by, options: _new(
                lambda path: paimon.write(data, path, partition_by=by, options=options), paimon.scan
            ),
            lambda: [{name: list(column) for name, column in ROWS.items()}, ["p"], {"bucket": "1", "bucket-key": "n"}],
        ),
        Target(
            "paimon.write, commits",
            lambda user, number: _changed(
                "paimon", lambda path: paimon.write(TABLE, str(path), commit_user=user, commit_identifier=number)
            ),
            lambda: ["me", 5],
        ),
        Target(
            "paimon.scan",
            lambda columns, where, snapshot: _rows(
                paimon.scan(str(_folder() / "paimon"), columns=columns, where=where, snapshot=snapshot)
            ),
            lambda: [["n", "p"], *where(), 1],
        ),
        Target(
            "paimon.open_scan",
            lambda columns, where: sum(
                batch.num_rows
                for batch in paimon.open_scan(str(_folder() / "paimon"), columns=columns, where=where).batches()
            ),
            lambda: [["n"], *where()],
        ),
        Target("paimon.count", lambda where: paimon.count(str(_folder() / "paimon"), where=where), where),
        Target(
            "paimon.files",
            lambda where: len(paimon.files(str(_folder() / "paimon"), where=where)),
            lambda: [[("p", "=", "x")]],
        ),
        Target(
            "paimon.schema",
            lambda snapshot: paimon.schema(str(_folder() / "paimon"), snapshot=snapshot).names,
            lambda: [1],
        ),
        Target(
            "paimon.compact",
            lambda where: _changed("paimon", lambda path: paimon.compact(str(path), where=where)),
            lambda: [[("p", "=", "x")]],
        ),
        Target(
            "paimon.expire_snapshots",
            lambda last: _changed("paimon", lambda path: paimon.expire_snapshots(str(path), retain_last=last)),
            lambda: [1],
        ),
        Target(
            "paimon.remove_orphans",
            lambda age: _changed("paimon", lambda path: paimon.remove_orphans(str(path), older_than=age)),
            lambda: [timedelta(days=2)],
        ),
    ]


def _variants() -> list[Target]:
    value = {"a": 1, "b": [1.5, True, None, "text", b"bytes"], "c": {"d": 2**40}}
    arrays = variant.array([variant.from_python(value), None])
    part = pa.int64()
    made = variant.from_python(value)
    return [
        Target(
            "variant.from_python",
            lambda value: variant.from_python(value).to_python(),
            lambda: [dict(value, b=list(value["b"]), c=dict(value["c"]))],
        ),  # type: ignore[call-overload]
        Target("variant.from_json", lambda text: variant.from_json(text).to_python(), lambda: ['{"a": [1, 2.5, "x"]}']),
        Target("variant.array", lambda values: variant.array(values).to_pylist(), lambda: [[made, None]]),
        Target(
            "variant.Variant", lambda *parts: variant.Variant(*parts).to_python(), lambda: [made.metadata, made.value]
        ),
        Target("variant.Variant.get", lambda path: str(made.get(path)), lambda: ["$.b[1]"]),
        Target(
            "variant.field", lambda name, nullable: str(variant.field(name, nullable=nullable)), lambda: ["a", True]
        ),
        Target(
            "variant.to_columns",
            lambda paths: variant.to_columns(arrays, paths).to_pydict(),
            lambda: [{"$.a": part, "$.c.d": part}],
        ),
        Target(
            "variant.write_table",
            lambda columns: _new(
                lambda path: variant.write_table(pa.table({"v": arrays}), path, columns=columns), pq.read_table
            ),
            lambda: [["v"]],
        ),
    ]


def _files() -> list[Target]:
    path, mosaic_path = str(_folder() / "a.parquet"), str(_folder() / "a.mosaic")
    table = TABLE.slice(0, 3)

    def queried(over: Any, where: Any, select: Any, order_by: Any, limit: Any) -> list[str]:
        return _rows(lakecodec.query(path, over=over, where=where, select=select, order_by=order_by, limit=limit))

    def read(columns: Any, filters: Any) -> list[str]:
        return _rows(mosaic.read_table(mosaic_path, columns, filters=filters))

    def with_metadata(values: Any, remove: Any) -> Any:
        return _surgery(lambda source, _: parquet.update_metadata(source, values, remove=remove))

    query = ["rg in row_groups, cc, i in rg.columns", "i > 0", "n = rg.num_rows, i = i", ["-i", ("n", "ascending")], 3]
    return [
        Target("query", queried, lambda: [*query[:3], list(query[3]), 3]),  # type: ignore[call-overload]
        Target(
            "query_batches",
            lambda select: sum(batch.num_rows for batch in lakecodec.query_batches(path, select=select)),
            lambda: ["num_rows"],
        ),
        Target("queries.resolved", lambda select: queries.resolved(path, select=select)[1].names, lambda: ["num_rows"]),
        Target("mosaic.read_table", read, lambda: [["n", "p"], [("n", ">", 1), ("p", "in", ["x"])]]),
        Target(
            "mosaic.write_table",
            lambda columns, stats, checksum: _new(
                lambda path: mosaic.write_table(
                    table, path, num_buckets=columns, stats_columns=stats, checksum=checksum
                ),
                mosaic.read_table,
            ),
            lambda: [2, ["n"], True],
        ),
        Target(
            "mosaic.MosaicFile.read",
            lambda columns: _rows(mosaic.MosaicFile(mosaic_path).read(columns)),
            lambda: [["n"]],
        ),
        Target(
            "mosaic.MosaicFile.read_row_group",
            lambda number, columns: _rows(mosaic.MosaicFile(mosaic_path).read_row_group(number, columns)),
            lambda: [0, ["n"]],
        ),
        Target(
            "mosaic.MosaicFile.iter_batches",
            lambda size, groups: sum(
                batch.num_rows for batch in mosaic.MosaicFile(mosaic_path).iter_batches(size, row_groups=groups)
            ),
            lambda: [2, [0]],
        ),
        Target(
            "mosaic.MosaicFile.statistics",
            lambda number: sorted(mosaic.MosaicFile(mosaic_path).statistics(number)),
            lambda: [0],
        ),
        Target(
            "mosaic.MosaicFile", lambda data: mosaic.MosaicFile(data).num_rows, lambda: [Path(mosaic_path).read_bytes()]
        ),
        Target(
            "mosaic.read_schema", lambda data: mosaic.read_schema(data).names, lambda: [Path(mosaic_path).read_bytes()]
        ),
        Target(
            "mosaic.read_metadata",
            lambda data: mosaic.read_metadata(data).num_rows,
            lambda: [Path(mosaic_path).read_bytes()],
        ),
        Target(
            "parquet.read_metadata",
            lambda data, fields, columns: parquet.read_metadata(data, fields=fields, columns=columns).num_rows,
            lambda: [Path(path).read_bytes(), ["num_rows", "row_groups"], ["n"]],
        ),
        Target(
            "parquet.read_metadatas",
            lambda sources, threads: [each.num_rows for each in parquet.read_metadatas(sources, threads=threads)],
            lambda: [[path, Path(path).read_bytes()], 1],
        ),
        Target(
            "parquet.write_metadata",
            lambda rows, name: parquet.write_metadata(
                parquet.read_metadata(path).replace(num_rows=rows, created_by=name)
            ),
            lambda: [5, "me"],
        ),
        Target(
            "parquet.column_chunks",
            lambda sources, columns, fields: parquet.column_chunks(sources, columns=columns, fields=fields).to_pydict(),
            lambda: [[path], ["n"], ["path", "num_values"]],
        ),
        Target(
            "parquet.statistics",
            lambda columns, threads: len(_rows(parquet.statistics(path, columns, threads=threads))),
            lambda: [["n"], 1],
        ),
        Target(
            "parquet.row_groups_with",
            lambda column, wanted: len(_rows(parquet.row_groups_with(path, column, wanted))),
            lambda: ["n", [1, 3]],
        ),
        Target(
            "parquet.row_groups_with, a text",
            lambda column, wanted: len(_rows(parquet.row_groups_with(path, column, wanted))),
            lambda: ["t", "b"],
        ),
        Target(
            "parquet.page_headers",
            lambda group, column: len(list(parquet.page_headers(path, group, column))),
            lambda: [0, 1],
        ),
        Target("parquet.page_index", lambda group, column: parquet.page_index(path, group, column)[0], lambda: [0, 1]),
        Target("parquet.bloom_filter", lambda group, column: parquet.bloom_filter(path, group, column), lambda: [0, 1]),
        Target("parquet.Keys", lambda *keys: parquet.Keys(*keys), lambda: [bytes(16), {"n": bytes(16)}, b"a"]),
        Target(
            "parquet.encrypt_footer",
            lambda footer, prefix: _encrypted(parquet.Keys(footer, {}, prefix)),
            lambda: [bytes(16), b"a"],
        ),
        Target("parquet.update_metadata", with_metadata, lambda: [{"a": "b", "c": None}, ["k"]]),
        Target(
            "parquet.rename_columns",
            lambda names: _surgery(lambda source, target: parquet.rename_columns(source, target, names)),
            lambda: [{"n": "m"}],
        ),
        Target(
            "parquet.select_columns",
            lambda columns: _surgery(lambda source, target: parquet.select_columns(source, target, columns)),
            lambda: [["t", "n"]],
        ),
        Target(
            "parquet.drop_indexes",
            lambda columns: _surgery(lambda source, target: parquet.drop_indexes(source, target, columns)),
            lambda: [["t"]],
        ),
        Target(
            "parquet.add_indexes",
            lambda bloom, columns: _surgery(
                lambda source, target: parquet.add_indexes(source, target, bloom=bloom, columns=columns)
            ),
            lambda: [["t"], ["n"]],
        ),
        Target(
            "parquet.merge_row_groups",
            lambda rows, size: _surgery(
                lambda source, target: parquet.merge_row_groups(source, target, max_rows=rows, max_bytes=size)
            ),
            lambda: [100, 10_000],
        ),
        Target(
            "parquet.concat",
            lambda sources: _surgery(lambda _, target: parquet.concat(sources, target)),
            lambda: [[path, path]],
        ),
        Target(
            "parquet.merge_metadata",
            lambda sources, base: parquet.merge_metadata(sources, base=base).num_rows,
            lambda: [[path, path], str(_folder())],
        ),
    ]


def _others() -> list[Target]:
    item = module().Item(id=5, name="a")
    note = module().Note(name="n", numbers=[1])
    cell = module().Cell(text="ab", value=1)
    cells = module().Cells(all=[cell], numbers=[1])
    codec = delta.PartitionCodec(pa.schema({"a": pa.int32(), "b": pa.string(), "c": pa.int8()}), ["a", "b"])
    return [
        Target(
            "delta.PartitionCodec.validate",
            lambda values: codec.serialize(codec.validate(values)),
            lambda: [{"a": 1, "b": "x"}],
        ),
        Target("delta.PartitionCodec.parse_directory", codec.parse_directory, lambda: ["a=1/b=x"]),
        Target(
            "delta.PartitionCodec.serialize_array",
            lambda name, values: codec.serialize_array(name, pa.array(items_of(values), pa.int32())).to_pylist(),
            lambda: ["a", [1, 2]],
        ),
        Target(
            "delta.PartitionCodec.parse_array",
            lambda name, texts: codec.parse_array(name, pa.array(items_of(texts))).to_pylist(),
            lambda: ["a", ["1", "2"]],
        ),
        Target("delta.serialize_value", lambda value: delta.serialize_value(value, pa.int64()), lambda: [5]),
        Target("delta.serialize_value, a text", lambda value: delta.serialize_value(value, pa.string()), lambda: ["x"]),
        Target("delta.serialize_value, bytes", lambda value: delta.serialize_value(value, pa.binary()), lambda: [b"x"]),
        Target(
            "delta.serialize_value, a float", lambda value: delta.serialize_value(value, pa.float64()), lambda: [0.5]
        ),
        Target("delta.parse_value", lambda text: delta.parse_value(text, pa.int64()), lambda: ["5"]),
        Target("delta.escape_path_name", delta.escape_path_name, lambda: ["a b"]),
        Target("delta.unescape_path_name", delta.unescape_path_name, lambda: ["a%20b"]),
        Target("delta.encode_uri", delta.encode_uri, lambda: ["a b"]),
        Target("delta.decode_uri", delta.decode_uri, lambda: ["a%20b"]),
        Target("delta.resolve_path", delta.resolve_path, lambda: ["/t", "a%20b"]),
        Target("delta.split_directory", delta.split_directory, lambda: ["a=1/b=2"]),
        Target("row.SortOptions", lambda *given: row.SortOptions(*given), lambda: [True, False]),
        Target(
            "row.RowConverter.prefix",
            lambda count: len(row.RowConverter(pa.schema({"a": pa.int64(), "b": pa.string()})).prefix(count).fields),
            lambda: [1],
        ),
        Target(
            "row.sort_indices",
            lambda keys: row.sort_indices(TABLE, keys).to_pylist(),
            lambda: [["n", ("t", "descending")]],
        ),
        Target(
            "row.merge",
            lambda keys: sum(batch.num_rows for batch in row.merge([TABLE.to_batches(), TABLE.to_batches()], keys)),
            lambda: [["n"]],
        ),
        Target("Limits", lambda *given: lakecodec.Limits(*given), lambda: [5, 100]),
        Target("samples", lambda n, seed: len(lakecodec.samples(module().Cell, n, seed)), lambda: [2, 1]),
        Target(
            "breaking",
            lambda *texts: len(lakecodec.breaking(*texts)),
            lambda: ["record A { u8 a; }", "record A { u16 a; }"],
        ),
        Target(
            "compile_idl",
            lambda text, name: sorted(lakecodec.compile_idl(text, name=name).__spec__),
            lambda: ["record A { u8 a; }", "named"],
        ),
        Target("samples_of", lambda name: lakecodec.samples_of(name).name, lambda: ["flights"]),
        Target(
            "import_idl",
            lambda text: str(lakecodec.import_idl(text, kind="proto"))[:100],
            lambda: ['syntax = "proto3"; message A { int32 a = 1; }'],
        ),
        Target(
            "explore",
            lambda data: len(str(lakecodec.explore(data, "Cell", idl="record Cell { u8 a; }"))),
            lambda: [b"\1"],
        ),
        Target(
            "Feeder.feed",
            lambda data: [str(each) for each in module().Cell.feeder().feed(data)],
            lambda: [cell.to_bytes()],
        ),
        *(
            Target(f"{type(made).__name__}.{name}", call, arguments)
            for made in (item, note, cells)
            for name, call, arguments in _methods(made)
        ),
    ]


def _methods(made: Any) -> Iterator[tuple[str, Callable[..., Any], Callable[[], list[Any]]]]:
    cls, raw = type(made), made.to_bytes()
    given = {name: getattr(made, name) for name in made._settable()}
    yield "__init__", lambda given: cls(**given).to_bytes(), lambda: [dict(given)]
    yield "replace", lambda given: made.replace(**given).to_bytes(), lambda: [dict(given)]
    yield "from_dict", lambda data: cls.from_dict(data).to_bytes(), lambda: [made.to_dict()]
    yield "from_json", lambda text: cls.from_json(text).to_bytes(), lambda: [made.to_json()]
    yield "to_json", made.to_json, lambda: [2]
    yield "from_bytes", lambda data: cls.from_bytes(data) == made, lambda: [raw]
    yield "read", lambda data, pos: cls.read(data, pos)[1], lambda: [raw, 0]
    if hasattr(cls, "skip"):
        yield "skip", cls.skip, lambda: [raw, 0]
    if hasattr(cls, "stream"):
        yield "stream", lambda source: [str(each) for each in cls.stream(source)], lambda: [[raw, raw]]
        yield (
            "stream, to the next",
            lambda resync: len(list(cls.stream(io.BytesIO(raw), resync=resync))),
            lambda: [raw[:1]],
        )


@cache
def targets() -> list[Target]:
    """Returns the calls."""
    return [*_lake(), *_variants(), *_files(), *_others()]
