"""Choice of the Python interpreter of Spark's workers."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def use_this_python(spark: SparkSession) -> None:
    """Makes workers of a local session run the interpreter of this process, unless PYSPARK_PYTHON chooses another.

    Spark takes ``python3`` from the PATH, which in an environment that is not activated has neither lakecodec nor pyarrow.
    Sessions on a cluster and of Spark Connect are left alone: their workers have paths of their own.
    """
    context: Any = getattr(spark, "_sc", None)
    if context is None or os.environ.get("PYSPARK_PYTHON") or not str(context.master).startswith("local"):
        return
    context.pythonExec = sys.executable
