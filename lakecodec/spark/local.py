"""A quiet local Spark session, and the Java runtime that it needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOGGING = Path(__file__).with_name("log4j2.properties")


def local_session(master: str = "local[*]") -> SparkSession:
    """Start Spark on this machine, with workers that run the Python that runs now; logs below errors are off."""
    from pyspark.sql import SparkSession

    # PySpark checks the version of pandas, although nothing here uses pandas.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return (
        SparkSession.builder.master(master)
        .appName("lakecodec demo")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.driver.memory", "1g")
        .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={LOGGING.as_uri()}")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        .getOrCreate()
    )


REQUIRED = 17
ADVICE = f"""Spark needs Java {REQUIRED} or later, and {{found}}. Install one and run this again:

  Debian, Ubuntu   apt install openjdk-17-jre-headless
  Fedora           dnf install java-21-openjdk-headless
  macOS            brew install openjdk@17
  Windows          winget install EclipseAdoptium.Temurin.17.JRE

or let JAVA_HOME name one that is installed already."""


def java_command() -> str | None:
    """Returns the ``java`` that Spark would start: the one in JAVA_HOME, else the one on PATH."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(os.path.join(home, "bin", "java")) if home else shutil.which("java")


def java_version(command: str | None) -> int | None:
    """Returns the major version of a ``java`` command, None when there is none or it does not run."""
    if command is None:
        return None
    try:
        result = subprocess.run([command, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_version(result.stderr + result.stdout)


def parse_version(text: str) -> int | None:
    """Returns the major version in the output of ``java -version``: 17 of ``"17.0.15"``, 8 of ``"1.8.0_402"``."""
    match = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(match[1]) if match else None


def missing_java() -> str | None:
    """None when Spark can start, else a message that says what to install."""
    version = java_version(java_command())
    if version is None:
        home = os.environ.get("JAVA_HOME")
        found = f"no Java was found in JAVA_HOME, {home!r}" if home else "no Java was found"
        return ADVICE.format(found=found)
    if version < REQUIRED:
        return ADVICE.format(found=f"Java {version} was found")
    return None
