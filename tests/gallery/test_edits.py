"""Edits of real files: what is set is in the bytes, or writing is refused, on both backends alike, opened or read whole."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from lakecodec.generator.compile import load_checked
from lakecodec.generator.model import Record
from lakecodec.workbench.sampling.sampler import Sample

from ..compiled import compiled
from ..edits import places, verify_edits, verify_opened
from ..paths import SPECS
from ..round_trips import verify_edited
from .real_files import file_of, names


def verify(name: str, seed: int, count: int) -> int:
    """Returns how many edits were tried."""
    path = SPECS / "gallery" / f"{name}.idl"
    cls = compiled(path).File
    data = file_of(name)
    value = cls.from_bytes(data)
    assert value.to_bytes() == data
    sample = Sample(value, data, ())
    verify_opened(sample, cls)
    if places(cls):
        verify_edits(sample, [sample], cls, Random(seed), count // 4, path.read_text())
    return verify_edited(sample, cls, Random(seed), count, computed(path))


def computed(path: Path) -> frozenset[str]:
    """Returns the names of fields that `with` computes for what holds them."""
    records = [each for each in load_checked(path).definitions if isinstance(each, Record)]
    settings = [rule.setting for each in records for field in each.fields for rule in field.invariants if rule.setting]
    return frozenset(each.path[-1] for each in settings if each.path and each.path[-1])


@pytest.mark.parametrize("name", list(names()))
def test_edits(name: str) -> None:
    assert verify(name, 1, 8) == 8


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", list(names()))
def test_many_edits(name: str) -> None:
    assert verify(name, 2, 400) == 400
