"""Bitmaps of CRoaring (pyroaring), which also reads the changed ones; those of 64-bit numbers as well."""

from __future__ import annotations

import random
from typing import Any

import pytest

from .gallery import Gallery

pyroaring = pytest.importorskip("pyroaring")

ROARING = Gallery("roaring", magic=False)
RANDOM = random.Random(3)
SETS = {
    "none": [],
    "few": [1, 2, 3, 1000, 70_000, 2**32 - 1],
    "many": RANDOM.sample(range(65536), 20_000),
    "places": [65536 * part for part in range(9)],
    "runs": [*range(5000, 60_000), *range(200_000, 200_100)],
    "mixed": [*range(10_000), *range(70_000, 140_000, 2), 300_000],
}


def numbers(bitmap: Any) -> list[int]:
    """The numbers of a bitmap, in order."""
    found = []
    for key, container in zip(bitmap.keys, bitmap.containers, strict=True):
        upper = key.upper << 16
        if container.kind == "ARRAY":
            found += [upper + low for low in container.values]
        elif container.kind == "RUNS":
            found += [upper + low for run in container.runs for low in range(run.first, run.first + run.others + 1)]
        else:
            found += [upper + low for low in range(65536) if container.bits[low >> 3] >> (low & 7) & 1]
    return found


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("with_runs", [False, True])
def test_bitmaps(name: str, with_runs: bool) -> None:
    bitmap = pyroaring.BitMap(SETS[name])
    if with_runs:
        bitmap.run_optimize()
    found = ROARING.round_trip(bitmap.serialize())
    assert numbers(found.bitmap) == sorted(SETS[name])


@pytest.mark.parametrize("name", ["none", "few", "mixed"])
def test_bitmaps_of_64_bits(name: str) -> None:
    wanted = sorted({number + shift for number in SETS[name] for shift in (0, 5 << 32)})
    data = pyroaring.BitMap64(wanted).serialize()
    found = ROARING.read("File64", data)
    assert found.to_bytes() == data
    assert [(each.upper << 32) + n for each in found.buckets for n in numbers(each.lower)] == wanted


def test_changed_bitmaps() -> None:
    found = ROARING.round_trip(pyroaring.BitMap(SETS["few"]).serialize())
    first = found.bitmap.containers[0]
    first.values = [7, 8, 9, 10]
    found.bitmap.keys[1].upper = 2
    wanted = [7, 8, 9, 10, 131072 + 70_000 - 65536, 2**32 - 1]
    assert list(pyroaring.BitMap.deserialize(ROARING.write(found))) == wanted


def test_damage() -> None:
    assert ROARING.damage(pyroaring.BitMap(SETS["few"]).serialize()) > 60
    bitmap = pyroaring.BitMap([*range(100, 300), *range(70_000, 70_050)])
    bitmap.run_optimize()
    assert ROARING.damage(bitmap.serialize()) > 60
