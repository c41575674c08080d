"""Mosaic files of the reference writer: generated code, on both backends, reads what the declarations say."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lakecodec import backend, mosaic
from lakecodec.generated import mosaic as generated
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.record_read import Span

from .oracle.compare import differences
from .oracle.mosaic_cells import MOSAIC, buckets, cells_of_file, cells_of_table
from .oracle.nodes import Node, Refused

pytest.importorskip("mosaic")

from .mosaic.tables import random_options, random_table, reference_read, reference_write

Read = Callable[..., Any]


def pure_read(cls: Any, data: bytes, *parameters: Any) -> Any:
    """A record that takes all of ``data``, through the generated reader."""
    found, end = cls._read(Span(data), 0, *parameters)
    assert end == len(data)
    return found


def native_read(cls: Any, data: bytes, *parameters: Any) -> Any:
    """The same through the native reader."""
    from lakecodec.runtime import record_native

    found, end = record_native.read(cls, Span(data), 0, parameters)
    assert end == len(data)
    return found


READERS = [pure_read, native_read] if backend() == "native" else [pure_read]


def files(seed: int, count: int) -> Iterator[tuple[Any, bytes]]:
    """Random tables, and their bytes by the reference."""
    rng = random.Random(seed)
    for _ in range(count):
        table = random_table(rng, columns=14, rows=60)
        yield table, reference_write(table, **random_options(rng, table))


@pytest.mark.parametrize("seed", range(8))
def test_cells(seed: int) -> None:
    """The table that was written, the reference's reader, ours and the oracle agree on every cell."""
    for table, data in files(seed, 4):
        cells = cells_of_file(data)
        assert cells == cells_of_table(table)
        assert list(cells) == table.column_names
        assert cells == cells_of_table(reference_read(data))
        assert cells == cells_of_table(mosaic.read_table(data))


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("seed", range(100, 106))
def test_files(seed: int, read: Read) -> None:
    """Footer, schema block, index, and every bucket in its layout."""
    layouts = set()
    for _, data in files(seed, 4):
        node, ours = MOSAIC.read("File", data), generated.File.from_bytes(data)
        assert list(differences(ours, node)) == []
        start, index = node.walk("footer.schema_offset"), node.walk("footer.index_offset")
        block = read(generated.SchemaBlock, data[start:index], ours.footer.compression)
        assert list(differences(block, node["schema"])) == []
        found = read(generated.Index, data[index:-32], ours.footer, ours.schema.body)
        assert list(differences(found, node["index"])) == []
        for content, bucket in buckets_of(data, node, ours, read):
            assert list(differences(bucket, content)) == []
            layouts.add(content.case)
    assert layouts <= {"MONOLITHIC", "PAGED"}


def buckets_of(data: bytes, node: Node, ours: Any, read: Read) -> Iterator[tuple[Node, Any]]:
    """Each bucket by the oracle and as a generated object."""
    columns = ours.schema.body.columns
    for _, bucket in buckets(node):
        reference = bucket.reference
        how, types, primaries, rows = bucket.arguments
        mine = [made for position in bucket.positions for made in [columns[position].type.params]]
        mine += [child for made in mine for child in _descendants(made)]
        assert [each.case for each in types] == [each.kind for each in mine]
        start, stored = reference["start"], reference["stored"]
        sizes = stored, reference["inflated"]
        yield (
            bucket.read(data)["data"],
            read(generated.Bucket, data[start : start + stored], how, *sizes, mine, primaries, rows),
        )


def _descendants(type_: Any) -> list[Any]:
    children = {"ARRAY": ("element",), "MAP": ("key", "item")}.get(type_.kind, ())
    inside = [getattr(type_, name).type.params for name in children]
    return [each for child in inside for each in (child, *_descendants(child))]


def test_both_layouts_are_met() -> None:
    """What the random files are made of, so that the tests above say something."""
    met: dict[str, set[str]] = {"layouts": set(), "cells": set(), "types": set(), "names": set()}
    for seed in range(8):
        for _, data in files(seed, 4):
            node = MOSAIC.read("File", data)
            met["names"].add("rules" if node.walk("schema.body.rules") else "plain")
            for _, bucket in buckets(node):
                content = bucket.read(data)["data"]
                met["layouts"].add(content.case)
                met["types"] |= {type_.case for type_ in bucket.arguments[1]}
                if content.case == "MONOLITHIC":
                    met["cells"] |= {each.case for each in content.walk("body.cells")}
    assert met["layouts"] == {"MONOLITHIC", "PAGED"}
    assert met["names"] == {"rules", "plain"}
    assert met["cells"] == {"PLAIN", "CONST", "DICT", "ALL_NULL"}
    alternatives = MOSAIC.module.find("TypeParams").syntax.cases
    assert met["types"] == {case.name for case in alternatives} - {"CHAR", "VARCHAR", "BINARY", "VARBINARY"}


# ---- damage ----


@pytest.mark.parametrize("seed", range(200, 206))
def test_damaged_metadata(seed: int) -> None:
    """What the oracle refuses is refused, and what it reads is read alike."""
    rng = random.Random(seed)
    refused = 0
    for table, _ in files(seed, 2):
        data = reference_write(table, **{**random_options(rng, table), "compression": "none", "stats_columns": []})
        start = MOSAIC.read("File", data).walk("footer.schema_offset")
        for _ in range(60):
            bad = bytearray(data)
            for _ in range(rng.randint(1, 2)):
                bad[rng.randrange(start, len(bad))] = rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256)))
            refused += agrees(bytes(bad))
    assert refused > 20


def agrees(data: bytes) -> bool:
    """Whether both refuse a file; fails where only one does, or where they read it in different ways."""
    try:
        node = MOSAIC.read("File", data)
    except Refused:
        with pytest.raises(DecodeError):
            generated.File.from_bytes(data)
        return True
    assert list(differences(generated.File.from_bytes(data), node)) == []
    return False
