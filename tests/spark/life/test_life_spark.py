"""Random lives of tables beside a plain model, in time zones other than UTC.

LAKECODEC_LIFE_SEED says which life; the long run, ``-m fuzz``, takes LAKECODEC_LIFE_MINUTES (5) and begins at that seed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lakecodec.pipeline import history
from tests.lake.life.life import ZONES, Life
from tests.lake.life.mapped import MappedLife

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = int(os.environ.get("LAKECODEC_LIFE_SEED", "1"))
MINUTES = float(os.environ.get("LAKECODEC_LIFE_MINUTES", "5"))


@pytest.fixture
def zones(spark: SparkSession) -> Iterator[None]:
    """Restores the time zones of the process and of the session."""
    yield
    os.environ.pop("TZ", None)
    time.tzset()
    spark.conf.set("spark.sql.session.timeZone", "UTC")


def live(spark: SparkSession, root: Path, seed: int, format: str, steps: int) -> Life:
    """A life of so many steps; a failure tells how to see it again."""
    process, session = ZONES[1 + seed % 4], ZONES[(seed // 4 + 2) % 5]
    os.environ["TZ"] = process
    time.tzset()
    spark.conf.set("spark.sql.session.timeZone", session)
    life = None
    try:
        life = MappedLife(spark, root, seed) if format == "mapped" else Life(spark, root, seed, format)
        for number in range(steps):
            (step,) = life.chance.choices(list(life.STEPS), list(life.STEPS.values()))
            life.steps.append(f"[{step}]")
            getattr(life, step)()
            life.is_sound(spark=number % 4 == 3)
        life.end()
    except Exception as error:
        story = f"LAKECODEC_LIFE_SEED={seed}, {format}, TZ={process}, session in {session}"
        schema = (
            "" if life is None else f"{life.now.schema.to_string()}\n{life.now.partition_by}\n{'; '.join(life.steps)}"
        )
        raise AssertionError(f"{story}\n{schema}\n{type(error).__name__}: {error}") from error
    return life


@pytest.mark.usefixtures("zones")
@pytest.mark.parametrize(("format", "steps"), [("parquet", 8), ("mosaic", 4), ("mapped", 12)])
def test_a_life(spark: SparkSession, tmp_path: Path, format: str, steps: int) -> None:
    live(spark, tmp_path / "t", SEED, format, steps)


@pytest.mark.fuzz
@pytest.mark.timeout(0)
@pytest.mark.usefixtures("zones")
def test_many_lives(spark: SparkSession, tmp_path: Path) -> None:
    until, seed = time.monotonic() + 60 * MINUTES, SEED
    while time.monotonic() < until:
        print(f"LAKECODEC_LIFE_SEED={seed}")
        life = live(spark, tmp_path / str(seed), seed, ("mosaic", "parquet", "mapped", "parquet")[seed % 4], 25)
        print(f"{len(history(life.root))} versions, {len(life.now.rows)} rows, {life.killed} writers killed")
        seed += 1
