"""Samples of the types of every IDL here: what writers write, readers read back equal, on both backends."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records.record import Record

from ..paths import SPECS, TESTS
from ..round_trips import samples_of, types, verify, verify_damaged, verify_same

_FILES = sorted(
    path
    for path in (*SPECS.rglob("*.idl"), *TESTS.rglob("*.idl"))
    # Externs of tests/generator/idl/extensions.idl name no module that there is.
    if not {"bad_idl", "included", "extensions.idl"} & set(path.parts)
)
#: Files with types that are declared to normalize.
_NORMALIZING = ("mosaic",)
#: Files whose samples take seconds.
_SLOW = ("mosaic", "arrow_ipc", "cpio", "leveldb", "sqlite", "deletion_vector")


def _verify(path: Path, samples: int, changes: int, every: int = 1) -> int:
    """Returns how many samples were compared."""
    module, compared = compile_idl(path, include_paths=[SPECS], allow_extern=["tests.oracle.turned"]), 0
    # An empty list at a place of its own that was read is refused by the writer: parquet_file.Chunk without pages.
    for cls in [each for each in types(module)[::every] if (path.stem, each.__name__) != ("parquet_file", "Chunk")]:
        for sample in samples_of(cls, samples, 1):
            verify(sample, cls)
            verify_damaged(sample, cls, Random(1), changes)
            if issubclass(cls, Record) and path.stem not in _NORMALIZING:
                verify_same(sample, cls, Random(1), changes)
            compared += 1
    return compared


@pytest.mark.parametrize(
    "path", [path for path in _FILES if path.stem not in _SLOW], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_sample_of_some_types_is_read_back(path: Path) -> None:
    _verify(path, 1, 2, every=12)


@pytest.mark.fuzz
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("path", _FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_samples_of_all_types_are_read_back(path: Path) -> None:
    _verify(path, 8, 20)
