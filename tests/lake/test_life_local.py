"""Random lives of tables that are written without Spark, beside a plain model, in time zones other than UTC.

Odd seeds are tables with rules for columns, and with features of the log.

LAKECODEC_LIFE_SEED says which lives come first; the long run is ``-m fuzz``, for LAKECODEC_LIFE_MINUTES (5).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lake.life.life import ZONES
from tests.lake.life.local import LocalLife
from tests.lake.life.ruled import RuledLife

SEED = int(os.environ.get("LAKECODEC_LIFE_SEED", "1"))
MINUTES = float(os.environ.get("LAKECODEC_LIFE_MINUTES", "5"))


@pytest.fixture(autouse=True)
def zone() -> Iterator[None]:
    yield
    os.environ.pop("TZ", None)
    time.tzset()


def live(root: Path, seed: int, format: str, steps: int) -> None:
    """A life of so many steps; a failure tells how to see it again."""
    os.environ["TZ"] = ZONES[1 + seed % 4]
    time.tzset()
    life = None
    try:
        life = (RuledLife if seed % 2 else LocalLife)(root, seed, format)
        for _ in range(steps):
            (step,) = life.chance.choices(list(life.STEPS), list(life.STEPS.values()))
            life.steps.append(f"[{step}]")
            getattr(life, step)()
            life.is_sound(spark=False)
        life.end()
    except Exception as error:
        schema = "" if life is None else f"{life.now.schema}\n{life.now.partition_by}\n{'; '.join(life.steps)}"
        story = f"LAKECODEC_LIFE_SEED={seed}, {format}\n{schema}\n{type(error).__name__}: {error}"
        raise AssertionError(story) from error


@pytest.mark.parametrize("seed", range(SEED, SEED + 8))
def test_a_life(tmp_path: Path, seed: int) -> None:
    live(tmp_path / "t", seed, ("parquet", "parquet", "mosaic")[seed % 3], 12)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
def test_many_lives(tmp_path: Path) -> None:
    until, seed = time.monotonic() + 60 * MINUTES, SEED
    while time.monotonic() < until:
        print(f"LAKECODEC_LIFE_SEED={seed}")
        live(tmp_path / str(seed), seed, ("mosaic", "parquet", "parquet")[seed % 3], 30)
        seed += 1
