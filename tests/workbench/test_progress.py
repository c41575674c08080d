"""Bars of long work: on a terminal's standard error, never among what is printed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from lakecodec import breaking
from lakecodec.cli.app import run
from lakecodec.cli.output import progress
from lakecodec.convert import convert
from lakecodec.workbench import verify
from lakecodec.workbench.sampling.sampler import sample_list
from lakecodec.workbench.specification import write_pages

from ..paths import SPECS
from .test_verify import MOSAIC, PARQUET

T = TypeVar("T")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_bars_of_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Terminal()
    monkeypatch.setattr(sys, "stderr", told)
    monkeypatch.setenv("TERM", "xterm")
    pairs = [(a, b) for a in progress(range(3), "outer done") for b in progress("xy", "inner done")]
    assert len(pairs) == 6
    assert "outer done" in told.getvalue()


def test_without_a_terminal_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress([1, 2], "done")) == [1, 2]
    assert capsys.readouterr() == ("", "")


def test_findings_are_printed_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.parquet", tmp_path / "bad.mosaic"
    good.write_bytes(PARQUET)
    bad.write_bytes(MOSAIC[:-1] + b"B")
    told = Terminal()
    monkeypatch.setattr(sys, "stderr", told)
    assert run(["verify", str(good), str(bad)]) == 1
    assert capsys.readouterr().out == f"{bad}: footer.magic: bad magic bytes (at byte {len(MOSAIC) - 4})\n"
    assert "files verified" in told.getvalue()


def test_long_work_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, str]] = []

    def track(items: Sequence[T], done: str, /) -> Iterable[T]:
        told.append((len(items), done))
        return items

    from lakecodec.generated.deletion_vector import Key

    verify(PARQUET, track=track)
    verify(MOSAIC, track=track)
    breaking("struct A { 1: required i32 x }", "struct A { 1: required string x }", track=track)
    sample_list(Key, 3, 0, track=track)
    write_pages([SPECS / "gallery" / "wave.idl"], tmp_path, track)
    assert told == [
        (6, "column chunks verified"), (1, "parts verified"), (1, "differences tried"), (3, "samples"), (1, "IDL files"),
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", ["yes", object, lambda: None])
def test_functions_that_cannot_be_called_so(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^track: a function (of 2 values )?is needed, not "):
        verify(PARQUET, track=wrong)
    with pytest.raises(TypeError, match=r"^track: a function (of 2 values )?is needed, not "):
        breaking("record R { u8 a; }", "record R { u8 b; }", track=wrong)
    with pytest.raises(TypeError, match=r"^progress: a function (of 3 values )?is needed, not "):
        convert("a.csv", "b.parquet", progress=wrong)
