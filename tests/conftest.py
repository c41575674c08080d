"""Fixtures that several test files share; tests that use ``spark`` get the mark of that name, those in slow.txt `slow`."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Tests are about the compiler as it is, not as it was when somebody ran it.
os.environ["LAKECODEC_CACHE"] = ""
# Spark runs for minutes here: half of its CPU time went to compiling itself well, and to collecting garbage in threads.
os.environ["SPARK_SUBMIT_OPTS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

TESTS = Path(__file__).parent
LOGGING = TESTS / "spark" / "log4j2.properties"
#: The files and tests that get the mark `slow`: paths, and names behind ``::``. A line that ends in ``1/3`` leaves the first of
#: each three parameters without it.
_SLOW_LINES = [each.partition(" 1/") for each in (TESTS / "slow.txt").read_text(encoding="utf-8").splitlines()]
SLOW = {name: int(part or 0) for name, _, part in _SLOW_LINES if not name.startswith("#")}

# How long an example takes says more of the machine than of the code.
settings.register_profile("lakecodec", deadline=None)
settings.load_profile("lakecodec")


@pytest.fixture(autouse=True, scope="session")
def programs_at_once() -> None:
    """The native reader of records reads the first small ones, too, else two backends would be one."""
    from lakecodec.runtime.records import backend

    if backend.native is not None:
        backend.native._FIRST_READS = 0


def _is_left_out(function: str, seen: Counter[str]) -> bool:
    """Returns whether `make test` leaves out the next parameters of a function; counts them."""
    if function not in SLOW:
        return False
    seen[function] += 1
    return SLOW[function] == 0 or seen[function] % SLOW[function] != 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    seen: Counter[str] = Counter()
    for item in items:
        file = item.path.relative_to(TESTS).as_posix()
        function = f"{file}::{item.name.partition('[')[0]}"
        if file in SLOW or f"{file}::{item.name}" in SLOW or _is_left_out(function, seen):
            item.add_marker(pytest.mark.slow)
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the files with ``spark`` in their names in one worker of a parallel run by files: a JVM takes long to start."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class OneSparkWorker(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "spark" if "spark" in Path(file).name else file

    return OneSparkWorker(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not item.get_closest_marker("spark"):
        return
    if os.environ.get("LAKECODEC_NO_SPARK") == "1":
        pytest.skip("LAKECODEC_NO_SPARK=1")
    from lakecodec.spark.local import missing_java

    advice = missing_java()
    if advice:
        pytest.fail(f"{advice}\nLAKECODEC_NO_SPARK=1 leaves the Spark tests out.", pytrace=False)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A Spark session with two threads and the data sources registered."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    from lakecodec.pipeline import register

    session = (
        SparkSession.builder.master("local[2]")
        .appName("lakecodec tests")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.driver.memory", "700m")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        # Python processes that a loaded machine starts slowly.
        .config("spark.python.authenticate.socketTimeout", "120s")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    register(session)
    yield session
    session.stop()
