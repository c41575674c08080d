"""The command line: generate, its check, check, and exit codes, through run() and one real process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lakecodec import __version__, backend
from lakecodec.cli import run

GOOD = "/** A place. */\nstruct Point {\n  /** To the right. */\n  1: required i32 x;\n}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own, with a manifest of one IDL file."""
    (tmp_path / "idl").mkdir()
    (tmp_path / "idl" / "shapes.idl").write_text(GOOD)
    (tmp_path / "idl" / "lakecodec.yaml").write_text(
        "output: ../made\nruntime: lakecodec.runtime\ntargets:\n  - idl: shapes.idl\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_generate_and_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "--check"]) == 1
    out = capsys.readouterr().out
    assert "missing: " in out
    assert "lakecodec generate" in out
    assert not (project / "made").exists()
    assert run(["generate"]) == 0
    assert sorted(path.name for path in (project / "made").iterdir()) == ["shapes.py"]
    capsys.readouterr()
    assert run(["generate", "--check"]) == 0
    assert "stale" not in capsys.readouterr().out
    assert run(["generate"]) == 0
    assert "up to date" in capsys.readouterr().out


def test_stale_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["generate"])
    path = project / "made" / "shapes.py"
    written = path.read_text()
    path.write_text(written.replace("A place.", "Another place."))
    capsys.readouterr()
    assert run(["generate", "--check"]) == 1
    out = capsys.readouterr().out
    assert "stale: " in out
    assert '-    """Another place.' in out
    assert '+    """A place.' in out
    assert "Another place" in path.read_text()
    assert run(["generate"]) == 0
    assert path.read_text() == written


def test_a_changed_idl_makes_files_stale(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["generate"])
    (project / "idl" / "shapes.idl").write_text(GOOD.replace("i32 x", "i64 x"))
    capsys.readouterr()
    assert run(["generate", "--check"]) == 1
    assert capsys.readouterr().out.count("stale: ") == 1


def test_orphaned_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["generate"])
    orphan, own = project / "made" / "old.py", project / "made" / "helper.py"
    orphan.write_text((project / "made" / "shapes.py").read_text())
    own.write_text("# By hand.\n")
    capsys.readouterr()
    assert run(["generate", "--check"]) == 1
    out = capsys.readouterr().out
    assert "orphaned: " in out
    assert "helper.py" not in out
    assert run(["generate"]) == 0
    assert not orphan.exists()
    assert own.exists()


def test_files_by_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "other.py").write_text("# Generated from elsewhere\n")
    assert run(["generate", "idl/shapes.idl", "-o", "."]) == 0
    assert (project / "shapes.py").exists()
    assert (project / "other.py").exists()
    assert run(["generate", "idl/shapes.idl", "-o", ".", "--check"]) == 0
    assert run(["generate", "idl/shapes.idl"]) == 2
    assert "-o" in capsys.readouterr().err


def test_generated_files_work(project: Path) -> None:
    run(["generate"])
    (project / "made" / "__init__.py").write_text("")
    program = "from made.shapes import Point; print(Point.from_bytes(Point(x=3).to_bytes()))"
    done = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Point(x=3)"


def test_bad_idl(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "idl" / "shapes.idl").write_text("struct A { 1: Nothing n; }\n")
    for arguments in (["generate"], ["generate", "--check"], ["check", "idl/shapes.idl"]):
        assert run(arguments) == 1
        captured = capsys.readouterr()
        assert "shapes.idl:1:15" in captured.err
        assert "Traceback" not in captured.err
    assert not (project / "made").exists()


def test_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "idl/shapes.idl"]) == 0
    assert "no errors" in capsys.readouterr().out
    (project / "second.idl").write_text("struct B { 1: Nothing n; }\n")
    assert run(["check", "second.idl", "idl/shapes.idl"]) == 1
    capsys.readouterr()
    (project / "bare.idl").write_text("struct bare { 1: i32 x; }\n")
    assert run(["check", "--doc-lint", "bare.idl"]) == 0
    assert "doc comment" in capsys.readouterr().err
    assert run(["check", "bare.idl"]) == 0
    found = capsys.readouterr().err
    assert "doc comment" not in found
    assert "CamelCase" in found


@pytest.mark.parametrize("arguments", [["nothing"], ["generate", "--nothing"], ["check"], ["inspect"]])
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert capsys.readouterr().err


def test_missing_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["check", "nothing.idl"],
        ["inspect", "nothing.parquet"],
        ["generate", "--manifest", "nothing.yaml"],
    ):
        assert run(arguments) == 2
        error = capsys.readouterr().err
        assert "nothing." in error
        assert len(error.strip().splitlines()) == 1


def test_bad_data(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    assert run(["inspect", "bad.parquet"]) == 1
    assert capsys.readouterr().err.startswith("lakecodec: ")


def test_as_a_program(project: Path) -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "lakecodec", *arguments], cwd=project, capture_output=True, text=True
        )

    assert call("--version").stdout.splitlines()[0] == f"lakecodec {__version__} ({backend()})"
    assert call("generate", "--check").returncode == 1
    assert call("generate").returncode == 0
    assert call("generate", "--check").returncode == 0
    debugged = call("--debug", "check", "nothing.idl")
    assert debugged.returncode == 2
    assert "Traceback" in debugged.stderr


def test_dump(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "--dump", "Point"]) == 0
    assert capsys.readouterr().out == "struct Point  [line 2]\n  1: required int x\n"
    (project / "more.idl").write_text("record R : big { u16 n = count(items); u8 items[n]; }")
    assert run(["generate", "--dump", "R", "more.idl"]) == 0
    assert "= (count items)  after items  # n must be count(items)" in capsys.readouterr().out
    assert not (project / "made").exists()


def test_dump_of_an_unknown_type(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "--dump", "Pont"]) == 2
    assert "did you mean 'Point'" in capsys.readouterr().err
