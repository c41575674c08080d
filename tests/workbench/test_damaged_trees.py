"""Trees of damaged bytes: they go as far as bytes can be read, and the node that breaks a rule has it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from lakecodec.generated import mosaic, parquet, parquet_file
from lakecodec.runtime.errors import DecodeError
from lakecodec.workbench import Tree, explore

from ..generator import goldens
from ..mosaic import examples
from ..parquet.files import arrow_file, flat_table
from .trees import check_coverage

MOSAIC = bytes.fromhex(examples.ENCODINGS[2])
SCHEMA = mosaic.Schema(
    num_buckets=1,
    name_encoding=mosaic.NameEncoding.FRONT,
    columns=[mosaic.Column(name=name, type=_type) for name, _type in [
        ("a", mosaic.TypeDescriptor(nullable=1, params=mosaic.TypeParams.BIGINT())),
        ("b", mosaic.TypeDescriptor(nullable=1, params=mosaic.TypeParams.DECIMAL(precision=9, scale=2))),
    ]],
    order=[0, 1],
).to_bytes()  # fmt: skip


def damaged(data: bytes, count: int, seed: int = 0) -> Iterator[bytes]:
    rng = random.Random(seed)
    for _ in range(count):
        made = bytearray(data)
        kind = rng.randrange(3)
        if kind == 0:
            made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
        elif kind == 1:
            made[rng.randrange(len(made))] = rng.choice([0, 0x7F, 0x80, 0xFF])
        else:
            del made[rng.randrange(len(made)) :]
        yield bytes(made)


def reads(cls: Any, data: bytes) -> DecodeError | None:
    try:
        cls.from_bytes(data)
    except DecodeError as error:
        return error
    return None


def marked(tree: Tree) -> list[tuple[int | None, str]]:
    return [(error.offset, error.rule) for error in tree.errors()]


@pytest.mark.parametrize(
    ("cls", "data"),
    [(mosaic.File, MOSAIC), (mosaic.Schema, SCHEMA), (parquet.FileMetaData, None)],
    ids=["File", "Schema", "FileMetaData"],
)
def test_the_node_that_breaks_a_rule_has_it(cls: Any, data: bytes | None) -> None:
    found = 0
    for made in damaged(metadata() if data is None else data, 150):
        tree = explore(made, cls)
        wrong = reads(cls, made)
        errors = marked(tree)
        if wrong is None:
            continue
        found += 1
        assert errors, (made.hex(), str(wrong))
        if "of the source" not in wrong.rule:
            assert wrong.rule in [rule for _, rule in errors], (made.hex(), str(wrong), errors)
            offsets = [offset for offset, rule in errors if rule == wrong.rule]
            assert wrong.offset in offsets, (made.hex(), str(wrong), errors)
        if made:
            check_coverage(tree, overlaps=cls is mosaic.File)
    assert found > 30


def metadata() -> bytes:
    data = arrow_file(flat_table().select(["bool", "string", "date"]))
    return bytes(parquet_file.File.open(Source(data)).meta.to_bytes())


class Source:
    def __init__(self, data: bytes) -> None:
        self.size, self._data = len(data), data

    def read(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


@pytest.mark.parametrize("case", goldens.CASES)
def test_cut_samples(case: str) -> None:
    for sample in goldens.samples(case):
        cls: Any = goldens.module(case).__spec__[sample["type"]].cls
        data = bytes.fromhex(sample["hex"])
        for size in range(len(data)):
            tree = explore(data[:size], cls)
            wrong = reads(cls, data[:size])
            assert wrong is None or marked(tree), (sample["type"], size, str(wrong))
            if size:
                check_coverage(tree)


def test_the_failing_byte_is_marked() -> None:
    broken = bytearray(MOSAIC)
    broken[-1] ^= 1
    tree = explore(bytes(broken), mosaic.File)
    node = tree.find("footer.magic")
    assert node.error is not None
    assert (node.error.rule, node.error.path, node.error.offset) == ("bad magic bytes", "footer.magic", len(broken) - 4)
    assert tree.find("footer").error is not None
    assert tree.find("footer.index_offset").error is None


def test_what_comes_behind_a_broken_rule_is_a_gap() -> None:
    cut = SCHEMA[:-4]
    tree = explore(cut, mosaic.Schema)
    (error,) = tree.errors()
    assert error.path.startswith("columns[1]")
    check_coverage(tree)
