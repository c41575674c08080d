"""Mosaic files of the reference writer: generated code, on both backends, reads what the declarations say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from lakecodec import mosaic
from lakecodec.generated import mosaic as generated
from lakecodec.runtime.errors import DecodeError

from .backends import BACKENDS, running
from .compare import differences
from .mosaic_cells import MOSAIC, Bucket, buckets, cells_of_file, cells_of_table
from .nodes import Refused

pytest.importorskip("mosaic")

from ..mosaic.tables import random_options, random_table, reference_read, reference_write


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
        for name in BACKENDS:
            with running(name):
                assert cells == cells_of_table(mosaic.read_table(data))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", range(100, 106))
def test_files(seed: int, backend: str) -> None:
    """Footer, schema block, index, and every bucket in its layout."""
    for _, data in files(seed, 4):
        node = MOSAIC.read("File", data)
        with running(backend):
            ours = generated.File.from_bytes(data)
            assert list(differences(ours, node)) == []
            for bucket in buckets(node):
                found = generated_bucket(data, bucket, ours)
                assert list(differences(found, bucket.read(data))) == []


def generated_bucket(data: bytes, bucket: Bucket, file: Any) -> Any:
    """A bucket as generated code reads it, with parameters of its own making."""
    columns = file.schema.body.columns
    own = [columns[position].type.params for position in bucket.positions]
    types = [*own, *(child for type_ in own for child in _descendants(type_))]
    found = (ref for group in file.index.row_groups for ref in group.buckets)
    (reference,) = (ref for ref in found if ref.start == bucket.reference["start"])
    rows = bucket.arguments[-1]
    return generated.StoredBucket.from_bytes(data, reference, file.footer.compression, types, len(own), rows)


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
            for bucket in buckets(node):
                content = bucket.read(data)["data"]
                met["layouts"].add(content.case)
                met["types"] |= {type_.case for type_ in bucket.arguments[1]}
                if content.case == "MONOLITHIC":
                    met["cells"] |= {each.case for each in content.walk("body.cells")}
    assert met["layouts"] == {"MONOLITHIC", "PAGED"}
    assert met["names"] == {"rules", "plain"}
    assert met["cells"] == {"PLAIN", "CONST", "DICT", "ALL_NULL"}
    variant: Any = MOSAIC.module.find("TypeParams")
    assert met["types"] == {case.name for case in variant.syntax.cases} - {"CHAR", "VARCHAR", "BINARY", "VARBINARY"}


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


@pytest.mark.parametrize("seed", range(300, 306))
def test_damaged_files(seed: int) -> None:
    """Whatever table is read of a damaged file has the cells that the declarations give it."""
    rng = random.Random(seed)
    read = refused = 0
    for table, _ in files(seed, 2):
        # Reading a table does not look at values of statistics.
        data = reference_write(table, **{**random_options(rng, table), "compression": "none", "stats_columns": []})
        for _ in range(40):
            bad = bytearray(data)
            bad[rng.randrange(len(bad))] = rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256)))
            try:
                found = mosaic.read_table(bytes(bad))
            except DecodeError:
                refused += 1
            else:
                assert cells_of_table(found) == cells_of_file(bytes(bad))
                read += 1
    assert read > 5
    assert refused > 5


def agrees(data: bytes) -> bool:
    """Whether all refuse a file; fails where only some do, or where they read it in different ways."""
    try:
        node = MOSAIC.read("File", data)
    except Refused:
        node = None
    for name in BACKENDS:
        with running(name):
            try:
                ours = generated.File.from_bytes(data)
            except DecodeError:
                assert node is None
            else:
                assert node is not None
                assert list(differences(ours, node)) == []
    return node is None
