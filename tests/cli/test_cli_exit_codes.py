"""The likeliest mistakes with every command: exit codes, and one line on standard error that names the wrong value."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.main import get_command

from lakecodec import mosaic
from lakecodec.cli.app import app, run

#: A sound call of each command; words in capitals are inputs, in the order of the command's arguments.
CALLS = {
    "generate": "A.IDL -o made",
    "check": "A.IDL",
    "fmt": "--check A.IDL",
    "sample": "A.IDL --type A",
    "breaking": "A.IDL B.IDL",
    "doc": "A.IDL -o pages",
    "inspect": "T.PARQUET",
    "convert": "T.PARQUET x.mosaic",
    "ingest": "T.PARQUET new",
    "history": "TABLE",
    "vacuum": "TABLE",
    "check-table": "TABLE",
    "doctor": "TABLE",
    "optimize": "TABLE",
    "delete": "TABLE --where id=1",
    "update": "TABLE --set id=1",
    "merge": "TABLE T.PARQUET --on id --update",
    "restore": "TABLE --version 0",
    "count": "TABLE",
    "properties": "TABLE",
    "scan": "TABLE",
    "query": "T.PARQUET --select num_rows",
    "import": "P.PROTO -o made",
    "explore": "T.PARQUET",
    "verify": "T.PARQUET",
    "diff": "T.PARQUET U.PARQUET",
    "dump": "T.PARQUET",
    "load": "D.JSON -o out.parquet",
    "parquet rename": "T.PARQUET id=x -o out.parquet",
    "parquet select": "T.PARQUET id -o out.parquet",
    "parquet drop": "T.PARQUET -o out.parquet",
    "parquet concat": "T.PARQUET -o out.parquet",
    "parquet merge": "T.PARQUET -o out.parquet",
    "parquet merge-row-groups": "T.PARQUET merged.parquet",
    "parquet index": "T.PARQUET indexed.parquet",
    "parquet grep": "id=1 T.PARQUET",
    "parquet verify": "T.PARQUET",
    "parquet set": "T.PARQUET a=b",
}
#: Commands that a Spark session answers when their arguments are right.
_SPARK = ("ingest", "optimize", "delete", "update", "merge")
_NUMBERS = ("--count", "--depth", "--level", "--limit", "--max-rows-per-file", "--num-buckets", "--row-group-bytes")
#: Commands whose exit code 1 is an answer: with bad data they end with 2.
_ANSWERING = ("breaking", "diff", "import", "parquet grep")
#: Further mistakes: call, exit code, and what the message names.
OTHERS = [
    ("nosuch", 2, "nosuch"),
    ("parquet nosuch", 2, "nosuch"),
    ("sample A.IDL --type Z", 2, "'Z'"),
    ("explore A.BIN --idl A.IDL --type Z", 2, "'Z'"),
    ("explore T.PARQUET --at nowhere", 2, "'nowhere'"),
    ("explore T.PARQUET --html no/such.html", 2, "no"),
    ("inspect T.PARQUET --columns zz", 2, "'zz'"),
    ("inspect T.MOSAIC --column zz", 2, "'zz'"),
    ("inspect T.PARQUET --dictionary", 2, "--column"),
    ("convert T.PARQUET x.mosaic --columns zz", 2, "'zz'"),
    ("convert T.PARQUET x.nosuch", 2, "x.nosuch"),
    ("convert T.PARQUET no/x.mosaic", 2, "/no'"),
    ("convert T.PARQUET x.parquet --compression zzz", 2, "zzz"),
    ("convert T.PARQUET x.parquet --level 99", 2, "99"),
    ("ingest T.PARQUET new --mode zz", 2, "'zz'"),
    ("ingest T.PARQUET new --schema-mode zz", 2, "zz"),
    ("ingest T.PARQUET new --format zz", 2, "zz"),
    ("ingest T.PARQUET new --target-file-size zz", 2, "'zz'"),
    ("ingest T.PARQUET new --max-rows-per-file 0", 2, "0"),
    ("ingest T.PARQUET new --source-option zz", 2, "'zz'"),
    ("optimize TABLE --zorder-by id --hilbert-by id", 2, "hilbert"),
    ("vacuum TABLE --retention zz", 2, "'zz'"),
    ("restore TABLE", 2, "--version"),
    ("restore TABLE --version 99", 2, "99"),
    ("restore TABLE --timestamp zz", 2, "zz"),
    ("count TABLE --where zz=1", 2, "'zz'"),
    ("count TABLE --where id=", 2, "where"),
    ("count TABLE --where id='x'", 2, "'x' is a text: give a number"),
    ("count TABLE --version 99", 2, "99"),
    ("properties TABLE --set zz", 2, "'zz'"),
    ("properties TABLE --set delta.nosuch=1", 2, "delta.nosuch"),
    ("scan TABLE --columns zz", 2, "'zz'"),
    ("scan TABLE --where zz=1", 2, "'zz'"),
    ("scan TABLE --version 99", 2, "99"),
    ("scan TABLE --timestamp zz", 2, "zz"),
    ("scan TABLE --changes zz", 2, "zz"),
    ("scan TABLE --format zz", 2, "'zz'"),
    ("scan TABLE -o x.zz", 2, "--output"),
    ("scan TABLE -o no/x.csv", 2, "/no'"),
    ("merge TABLE T.PARQUET --on id", 2, "--update"),
    ("update TABLE --set zz", 2, "'zz'"),
    ("doc A.IDL -o A.BIN", 2, "A.BIN"),
    ("generate A.IDL", 2, "-o"),
    ("generate A.IDL -o A.BIN", 2, "A.BIN"),
    ("breaking A.IDL FOLDER", 2, "FOLDER"),
    ("load D.JSON -o no/x.parquet", 2, "'no'"),
    ("dump T.PARQUET -o no/x.json", 2, "'no'"),
    ("parquet rename T.PARQUET zz=x -o out.parquet", 2, "'zz'"),
    ("parquet rename T.PARQUET zz -o out.parquet", 2, "'zz'"),
    ("parquet select T.PARQUET zz -o out.parquet", 2, "'zz'"),
    ("parquet select T.PARQUET id -o no/out.parquet", 2, "/no'"),
    ("parquet drop T.PARQUET zz -o out.parquet", 2, "'zz'"),
    ("parquet concat T.PARQUET W.PARQUET -o out.parquet", 2, "sources[1]"),
    ("parquet index T.PARQUET out.parquet --columns zz", 2, "'zz'"),
    ("parquet index T.PARQUET out.parquet --bloom zz", 2, "'zz'"),
    ("parquet index T.PARQUET no/out.parquet", 2, "/no'"),
    ("parquet merge-row-groups T.PARQUET out.parquet --max-rows 0", 2, "--max-rows"),
    ("parquet grep zz=1 T.PARQUET", 2, "'zz'"),
    ("parquet grep id T.PARQUET", 2, "'id'"),
    ("parquet grep id=x T.PARQUET", 2, "'x'"),
    ("parquet set T.PARQUET", 2, "KEY=VALUE"),
    ("parquet set T.PARQUET --remove zz", 2, "'zz'"),
    ("import P.PROTO -o A.BIN", 2, "A.BIN"),
    ("import FOLDER -o made", 2, "FOLDER"),
    ("import R.PROTO -o made", 2, "R.PROTO"),
    # Answers.
    ("import P.PROTO -o made", 0, ""),
    ("import Q.PROTO -o made", 1, ""),
    ("parquet grep id=77 T.PARQUET", 1, ""),
    ("diff T.PARQUET W.PARQUET", 1, ""),
    ("diff T.PARQUET T.PARQUET", 0, ""),
    ("breaking A.IDL B.IDL", 1, ""),
    ("breaking A.IDL A.IDL", 0, ""),
]


def _commands(group: Any, words: tuple[str, ...] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        below = (*words, name)
        found |= _commands(command, below) if hasattr(command, "commands") else {" ".join(below): command}
    return found


COMMANDS = _commands(get_command(app))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("mistakes")
    table = pa.table({"id": [1, 2], "name": ["a", "b"]})
    pq.write_table(table, found / "T.PARQUET")
    pq.write_table(table, found / "U.PARQUET")
    pq.write_table(pa.table({"other": [1.5]}), found / "W.PARQUET")
    mosaic.write_table(table, found / "T.MOSAIC")
    (found / "FOLDER").mkdir()
    (found / "TABLE").mkdir()
    pq.write_table(table, found / "TABLE" / "a.parquet")
    (found / "A.IDL").write_text("struct A { 1: required i32 x }\n")
    (found / "B.IDL").write_text("struct A { 1: required string x }\n")
    (found / "P.PROTO").write_text('syntax = "proto3"; message P { int32 x = 1; }\n')
    (found / "Q.PROTO").write_text("message Q {} service S { rpc Ask(Q) returns (Q); }\n")
    (found / "R.PROTO").write_text("message R {\n")
    (found / "A.BIN").write_bytes(b"\x15\x02\x00")
    (found / "BAD.PARQUET").write_bytes(b"PAR1 neither a Parquet file nor an IDL nor JSON")
    assert run(["convert", str(found / "TABLE")]) == 0
    assert run(["dump", str(found / "T.PARQUET"), "-o", str(found / "D.JSON")]) == 0
    return found


@pytest.fixture(autouse=True)
def _no_spark(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(master: str) -> None:
        raise AssertionError("a mistake that is found only after Spark was started")

    monkeypatch.chdir(files)
    for module in ("lake", "changes"):
        monkeypatch.setattr(f"lakecodec.cli.{module}.session", start)


#: Clauses of a remedy: what to do, what could be given, or what is not there.
_REMEDY = re.compile(
    r"\(see `lakecodec .*--help`\)"
    r"|\b(use|give|try|write|needs?|must|did you mean|is needed|are needed|one of|choose|at least|between|such as|which has)\b"
    r"|\b(there is no|not a|no|neither a) [\w ]*(file|folder|table)\b|; (there (is|are)|\w+ \w+ has) "
)


def names_a_remedy(error: str, words: list[str]) -> bool:
    """Returns True if a message has a clause of `_REMEDY`, an option that is not in the call, or the path of an input."""
    said = " ".join(error.split())
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", said)) - set(words)
    paths = [word for word in words if Path(word).exists()]
    return bool(_REMEDY.search(said) or options or any(path in said for path in paths))


def test_what_is_no_remedy() -> None:
    assert not names_a_remedy("lakecodec: version 99 is wrong", ["scan", "--version", "99"])
    assert not names_a_remedy("lakecodec: --version: 99 is wrong", ["scan", "--version", "99"])
    assert names_a_remedy("lakecodec: --version: 99 is wrong; give 0 to 3", ["scan", "--version", "99"])
    assert names_a_remedy("lakecodec: --timestamp is needed with it", ["scan", "--version", "99"])


def _check(words: list[str], code: int, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    found = run(words)
    error = capsys.readouterr().err
    said = f"lakecodec {' '.join(words)}: exit code {found}: {error}"
    assert found == code, said
    assert "Traceback" not in error, said
    if named:
        assert names_a_remedy(error, words), said
        assert named.lower() in error.lower(), said
        # An error of an IDL has the line and a caret below.
        assert len(error.splitlines()) == 1 or "^" in error.splitlines()[-1], said


def test_every_command_is_called() -> None:
    # The language server waits for its editor: tests/language/test_server.py.
    assert set(CALLS) == set(COMMANDS) - {"lsp", "serve"}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_options_and_arguments(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, words = COMMANDS[name], [*name.split(), *CALLS[name].split()]
    _check([*words, "--nosuch"], 2, "--nosuch", capsys)
    if any(each.required for each in command.params):
        _check(name.split(), 2, "Missing", capsys)
    for each in command.params:
        if each.param_type_name == "option" and not each.is_flag:
            longest = max(each.opts, key=len)
            _check([*words, longest], 2, longest, capsys)
            if longest in _NUMBERS:
                _check([*words, longest, "1x"], 2, "1x", capsys)
    if all(each.nargs == 1 for each in command.params if each.param_type_name == "argument"):
        _check([*words, "superfluous", "superfluous"], 2, "superfluous", capsys)


@pytest.mark.parametrize("name", CALLS)
def test_missing_files_and_bad_ones(name: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = CALLS[name].split()
    inputs = [number for number, word in enumerate(words) if (files / word).exists()]
    assert inputs
    for number in inputs:
        for wrong in ("missing", "no/missing"):
            call = [*name.split(), *words[:number], wrong, *words[number + 1 :]]
            _check(call, 2, "no" if "/" in wrong else "missing", capsys)
        if words[number] != "TABLE" and name not in _SPARK:
            call = [*name.split(), *words[:number], "BAD.PARQUET", *words[number + 1 :]]
            # `explore` shows what it can of a bad file, and `verify` prints findings.
            named = "" if name.endswith(("verify", "explore")) else "BAD.PARQUET"
            code = 2 if name in _ANSWERING else 1
            _check(call, code, named, capsys)


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call.startswith("TABLE")])
def test_a_folder_that_is_no_table(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _check([*name.split(), *CALLS[name].replace("TABLE", "FOLDER", 1).split()], 2, "FOLDER", capsys)


@pytest.mark.parametrize(("call", "code", "named"), OTHERS, ids=[call for call, _, _ in OTHERS])
def test_other_mistakes(call: str, code: int, named: str, capsys: pytest.CaptureFixture[str]) -> None:
    _check(call.split(), code, named, capsys)
