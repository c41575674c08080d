"""Every message of the compiler: one bad file each, whose first line states the message and where it points.

The line is `// [file:]line:column message`, several joined by ` | `. Files called `warning_*` state warnings, with the lint
rules on; all others state errors.
"""

from __future__ import annotations

import pickle
import re
from contextlib import suppress
from pathlib import Path

import pytest

from lakecodec.generator.check.module import check
from lakecodec.generator.diagnostics import Diagnostic, Diagnostics, IdlError, Location
from lakecodec.generator.lint import lint
from lakecodec.generator.lower.module import lower_module
from lakecodec.generator.print.module import print_module
from lakecodec.generator.resolve.loader import load

BAD = Path(__file__).parent / "bad_idl"
FILES = sorted(BAD.glob("*.idl"))


def findings(path: Path) -> Diagnostics:
    diagnostics = Diagnostics()
    module = load(path, diagnostics=diagnostics)
    check(module, diagnostics)
    if path.name.startswith("warning_"):
        lint(module, diagnostics)
    elif not diagnostics.errors:
        with suppress(IdlError):
            print_module(lower_module(module, diagnostics), command="", runtime="", diagnostics=diagnostics)
    return diagnostics


def stated(found: Diagnostic, path: Path) -> str:
    file = "" if found.location.file == str(path) else f"{Path(found.location.file).relative_to(BAD)}:"
    return f"{file}{found.location.line}:{found.location.column} {found.message}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_messages(path: Path) -> None:
    expected = path.read_text().split("\n", 1)[0].removeprefix("// ")
    diagnostics = findings(path)
    wanted = [found for found in diagnostics.found if found.warning == path.name.startswith("warning_")]
    assert " | ".join(stated(found, path) for found in wanted) == expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_errors_raise_and_warnings_do_not(path: Path) -> None:
    diagnostics = findings(path)
    if path.name.startswith("warning_"):
        diagnostics.raise_errors()
    else:
        with pytest.raises(IdlError):
            diagnostics.raise_errors()


def test_carets_stand_under_what_they_mean() -> None:
    """Each caret marks a word, a number or a sign, never the middle of a word and never only blanks."""
    for path in FILES:
        for found in findings(path).found:
            line, start = found.source_line, found.location.column - 1
            marked = line[start : start + found.location.length]
            if start < len(line):
                assert marked.strip() == marked != ""
                assert not re.search(r"\w\Z", line[:start]) or not re.match(r"\w", marked)


def test_display() -> None:
    (found,) = findings(BAD / "default_out_of_range.idl").found
    assert str(found).splitlines() == [
        f"{BAD / 'default_out_of_range.idl'}:2:22: 256 does not fit i8 (-128 to 127)",
        "    struct A { 1: i8 x = 256 }",
        "                         ^^^",
    ]


def test_tabs_do_not_move_the_caret() -> None:
    diagnostics = Diagnostics()
    load("struct A {\n\t1:\ti99 x\n}", diagnostics=diagnostics)
    head, line, caret = str(diagnostics.found[0]).splitlines()
    assert head.startswith("<idl>:2:5: unknown type 'i99'")
    assert line.index("i99") == caret.index("^")


def test_all_errors_of_one_run_are_raised_together() -> None:
    diagnostics = Diagnostics()
    module = load(
        "struct A {\n  1: Missing a\n  2: i8 b = 300\n  2: i32 c\n}\nenum E { X, X }\nconst Nothing N = 1",
        diagnostics=diagnostics,
    )
    check(module, diagnostics)
    with pytest.raises(IdlError) as raised:
        diagnostics.raise_errors()
    error = raised.value
    assert [found.location.line for found in error.diagnostics] == [2, 3, 4, 6, 7]
    assert (error.file, error.line, error.column) == ("<idl>", 2, 6)
    assert error.message == "unknown type 'Missing'"
    assert str(error).count("^") >= 5
    again = pickle.loads(pickle.dumps(error))
    assert again.diagnostics == error.diagnostics


def test_syntax_errors_do_not_make_others() -> None:
    """A definition that is broken is not reported as unknown where it is used."""
    diagnostics = Diagnostics()
    load(
        "struct A { 1: }\nenum E { X = }\nstruct B { 1: A a  2: E e = E.X  3: Missing m }\nconst E C = E.X",
        diagnostics=diagnostics,
    )
    assert [found.message.split(",")[0] for found in diagnostics.found] == [
        "found '}'",
        "found '}'",
        "unknown type 'Missing'",
    ]


def test_the_same_finding_is_reported_once() -> None:
    diagnostics = Diagnostics()
    for _ in range(3):
        diagnostics.error("wrong", Location("file", 1, 1))
    assert len(diagnostics.found) == 1
