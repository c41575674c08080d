"""Workers of a local session run the Python that runs now."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from lakecodec.spark.session import use_this_python


@pytest.mark.parametrize(
    ("master", "setting", "wanted"),
    [
        ("local[2]", None, sys.executable),
        ("local-cluster[2,1,1024]", None, sys.executable),
        ("local[2]", "/opt/python", "python3"),
        ("spark://host:7077", None, "python3"),
    ],
)
def test_the_python_of_workers(master: str, setting: str | None, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    if setting:
        monkeypatch.setenv("PYSPARK_PYTHON", setting)
    session: Any = SimpleNamespace(_sc=SimpleNamespace(master=master, pythonExec="python3"))
    use_this_python(session)
    assert session._sc.pythonExec == wanted


def test_sessions_of_spark_connect_are_left_alone() -> None:
    session: Any = SimpleNamespace()
    use_this_python(session)
    assert not vars(session)
