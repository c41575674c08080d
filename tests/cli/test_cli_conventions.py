"""Conventions that all commands share: help, completion, JSON, encodings, colours, pipes, and messages with a remedy."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.main import get_command

from lakecodec import mosaic, parquet
from lakecodec.cli import run
from lakecodec.cli.app import app
from lakecodec.cli.examples import example_of
from lakecodec.cli.lake import parse_period
from lakecodec.convert.kinds import ENDINGS
from lakecodec.convert.options import _PARQUET_CODECS
from lakecodec.generator.manifest import BREAKING_CATEGORIES

TABLE = pa.table({"id": [1, 2], "城市": ["東京", "Zürich"]})


def commands_of(group: Any) -> dict[tuple[str, ...], Any]:
    """All commands by their words, also those of groups."""
    found: dict[tuple[str, ...], Any] = {}
    for name, command in sorted(group.commands.items()):
        below = commands_of(command) if hasattr(command, "commands") else {(): command}
        found |= {(name, *words): each for words, each in below.items()}
    return found


COMMANDS = commands_of(get_command(app))


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "lakecodec", *arguments]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, check=False)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pq.write_table(TABLE, "t.parquet")
    mosaic.write_table(TABLE, "t.mosaic")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_a_short_name(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "-h"]) == 0
    assert "Usage:" in capsys.readouterr().out


def test_completion_can_be_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert "--install-completion" in capsys.readouterr().out
    asked = {"_LAKECODEC_COMPLETE": "complete_bash", "COMP_WORDS": "lakecodec conv", "COMP_CWORD": "1"}
    call = "import sys; sys.argv[:] = ['lakecodec']; from lakecodec.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", call], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert "convert" in done.stdout.split()


def test_help_comes_at_once() -> None:
    taken = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert program("--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    modules = subprocess.run(
        [sys.executable, "-c", "import sys, lakecodec.cli; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert not {"lark", "jinja2", "pyarrow", "numpy", "pyspark", "yaml"} & set(modules)
    # Seconds of a processor; twice what is wanted, for slow machines.
    assert min(taken) < 0.5


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
@pytest.mark.parametrize("name", ["t.parquet", "t.mosaic"])
def test_any_encoding_of_the_terminal(files: Path, encoding: str, name: str) -> None:
    done = program("inspect", name, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert ("城市" if encoding == "utf-8" else r"\u57ce\u5e02") in done.stdout.decode(encoding)


def test_no_colour_where_none_is_wanted(files: Path) -> None:
    """Pipes get no styles at all; a terminal, which FORCE_COLOR stands for, keeps bold text."""
    colour = re.compile(rb"\x1b\[(?:\d+;)*(?:3|4|9|10)\d")
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert colour.search(program("explore", "t.parquet", **terminal).stdout)
    assert not colour.search(program("explore", "t.parquet", NO_COLOR="1", **terminal).stdout)
    assert b"\x1b[" not in program("explore", "t.parquet").stdout
    assert b"\x1b[" not in program("inspect", "t.parquet").stdout


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "--version",
        "explore t.parquet",
        "explore --json t.parquet",
        "inspect t.mosaic",
        "inspect --json t.parquet",
        "dump t.parquet",
        "verify t.parquet",
        "diff t.parquet t.parquet --json",
        "convert t.parquet -",
    ],
)
def test_a_reader_that_has_enough(files: Path, command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-m", "lakecodec", *command.split()]
    with open(writing, "wb") as closed:
        done = subprocess.run(words, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_other_pipes_that_break(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def breaks(*arguments: Any) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr("lakecodec.pipeline.history", breaks)
    assert run(["history", "s3://bucket/table"]) == 2
    assert capfd.readouterr().err == "lakecodec: a connection broke\n"


def test_check_in_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.idl").write_text("/** P. */\nstruct P {\n  /** X. */\n  1: required i33 x\n}\n")
    assert run(["check", "bad.idl", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] is False
    assert {key: found["findings"][0][key] for key in ("severity", "file", "line", "column")} == {
        "severity": "error",
        "file": "bad.idl",
        "line": 4,
        "column": 15,
    }
    Path("good.idl").write_text("/** P. */\nstruct P {\n  /** X. */\n  1: required i32 x\n}\n")
    assert run(["check", "good.idl", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"sound": True, "files": ["good.idl"], "findings": []}


def test_convert_in_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "t.parquet", "u.mosaic", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["target"], found["rows"], found["target_bytes"]) == ("u.mosaic", 2, Path("u.mosaic").stat().st_size)


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet", "mosaic"])
def test_convert_to_standard_output(files: Path, format: str) -> None:
    """The bytes are those of a file, and nothing else is printed."""
    done = program("convert", "t.parquet", "-", "--format", format)
    assert (done.returncode, done.stderr) == (0, b"")
    assert run(["convert", "t.parquet", f"made.{format}"]) == 0
    assert done.stdout == Path(f"made.{format}").read_bytes()


MESSAGES: list[tuple[list[str], int, str]] = [
    (["generate"], 2, "there is no manifest 'idl/lakecodec.yaml' here; name IDL files and a folder"),
    (["generate", "--manifest", "x.yaml"], 2, "there is no manifest 'x.yaml' here"),
    (["inspect", "absent.parquet"], 2, "there is no file 'absent.parquet'"),
    (["inspect", "t.mosaic", "--column", "idd"], 2, "there is no column 'idd'; did you mean 'id'?"),
    (["convert", "t.parquet", "t.csv", "--columns", "idd"], 2, "there is no column 'idd'; did you mean 'id'?"),
    (["convert", "t.parquet", "out/x.mosaic"], 2, "there is no folder"),
    (["convert", "array.jsonl", "x.parquet"], 1, "the file is a JSON array; JSON lines have one object per line"),
    (["convert", "t.parquet", "-", "--json"], 2, "--json: standard output is the target"),
    (["convert", "t.parquet", "-", "--format", "xml"], 2, "--format: one of csv, jsonl, ndjson, parquet, mosaic"),
    (["inspect", "data.txt"], 1, "not a Parquet file but a JSON one"),
    (["convert", "t.parquet", "x.csv", "--delimiter", ";"], 2, "delimiter: only CSV files have one"),
    (["scan", ".", "--format", "xml"], 2, "one of csv, arrow, parquet, mosaic, jsonl, json, not 'xml'"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), MESSAGES)
def test_messages_name_the_remedy(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    Path("data.txt").write_text('{"a": "a file of another kind"}')
    Path("array.jsonl").write_text('[\n  {"a": 1},\n  {"a": 2}\n]\n')
    assert run(arguments) == code
    said = " ".join(capsys.readouterr().err.split())
    assert message in said
    assert ".tmp" not in said


def test_without_pyspark_the_extra_is_named(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "lakecodec.spark.local", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Without("pyspark"), *sys.meta_path])
    assert run(["ingest", "t.parquet", "lake"]) == 2
    assert (
        "pyspark is not installed, which this command needs: pip install 'lakecodec[spark]'" in capsys.readouterr().err
    )


class Without:
    """An importer that does not find a package."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.partition(".")[0] == self._package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=self._package)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_of_csv_is_found_in_the_header(files: Path, delimiter: str) -> None:
    Path("x.csv").write_text(f'a{delimiter}"b,;c"\n1{delimiter}"x"\n')
    assert run(["convert", "x.csv", "x.parquet", "--quiet"]) == 0
    assert pq.read_table("x.parquet").to_pydict() == {"a": [1], "b,;c": ["x"]}
    Path("y.csv").write_text("a,b|c\n1,2|3\n")
    assert run(["convert", "y.csv", "y.parquet", "--quiet", "--delimiter", "|"]) == 0
    assert pq.read_table("y.parquet").to_pydict() == {"a,b": ["1,2"], "c": [3]}


def test_what_is_not_a_mosaic_file_is_called_by_its_name(files: Path) -> None:
    with pytest.raises(mosaic.reader.DecodeError, match=r"t\.parquet: not a Mosaic file but a Parquet one"):
        mosaic.read_table("t.parquet")


def test_misspelled_options() -> None:
    with pytest.raises(TypeError, match="there is no option 'compresion'; did you mean 'compression'"):
        mosaic.MosaicWriter(pa.BufferOutputStream(), TABLE.schema, compresion="none")  # type: ignore[call-arg]


def test_metadata_of_another_library(files: Path) -> None:
    theirs: Any = pq.read_metadata("t.parquet")
    with pytest.raises(
        TypeError, match=r"lakecodec\.generated\.parquet\.FileMetaData is needed, not a pyarrow.*read_metadata"
    ):
        parquet.write_metadata(theirs)


def test_unknown_columns_are_named_with_the_nearest(files: Path) -> None:
    with pytest.raises(KeyError, match="there is no column 'idd'; did you mean 'id'"):
        mosaic.read_table("t.mosaic", columns=["idd"])
    with pytest.raises(KeyError, match="there is no column 'idd'; did you mean 'id'"):
        parquet.read_metadata("t.parquet", columns=["idd"])
    with pytest.raises(KeyError, match="there is no column 'zzz'; there are id, 城市"):
        list(parquet.page_headers("t.parquet", 0, "zzz"))


def test_json_wherever_there_is_a_result() -> None:
    without = {
        " ".join(words)
        for words, command in COMMANDS.items()
        if "as_json" not in {option.name for option in command.params}
    }
    assert without == {"generate", "dump", "load", "lsp", "serve"}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_has_an_example_that_parses(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "-h"]) == 0
    shown = capsys.readouterr().out.partition("\nExample:\n  $ lakecodec ")[2]
    words = shlex.split(shown)[len(command) :]
    assert shown.startswith(" ".join(command))
    COMMANDS[command].make_context(command[-1], words)


def test_the_example_of_vacuum_has_a_time() -> None:
    """Its option is parsed when the command runs, which `make_context` does not do."""
    assert parse_period(example_of("lakecodec vacuum").rpartition(" ")[2]).days == 7


@pytest.mark.parametrize("group", [(), ("parquet",)])
def test_help_of_groups_cuts_no_sentence(group: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*group, "-h"]) == 0
    shown = capsys.readouterr().out.partition("\n")[2]
    assert "...\n" not in shown
    assert "Others:" not in shown
    assert "\nCommands:" not in shown


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_fits_and_names_values(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """No line but the example is longer than a terminal, arguments are upper case, and no value has a type of Python."""
    assert run([*command, "-h"]) == 0
    shown = capsys.readouterr().out.partition("\nExample:")[0]
    assert max(map(len, shown.splitlines())) <= 80
    assert " <" not in shown
    assert "can be repeated" not in shown
    usage = shown.partition("\n\n")[0].split()[2 + len(command) :]
    assert [word for word in usage if word != word.upper()] == []
    for option in options_of(command):
        assert option.is_flag or option.metavar, option.name
        assert option.help.endswith("."), option.name


def test_shared_options_have_one_order() -> None:
    """Whichever two commands are compared, the options that both have come in the same order."""
    orders = {" ".join(words): [each.name for each in options_of(words)] for words in COMMANDS}
    wrong = [
        (one, other, shared)
        for one, first in orders.items()
        for other, second in orders.items()
        if (shared := [name for name in first if name in second]) != [name for name in second if name in first]
    ]
    assert wrong == []
    assert sum("as_json" in order for order in orders.values()) > 20


def test_shared_options_have_one_spelling() -> None:
    """An option has the same letters and the same kind of value wherever it is; SQL and EXPR are two languages."""
    spellings: dict[str, set[tuple[Any, ...]]] = {}
    for words in COMMANDS:
        for each in options_of(words):
            spellings.setdefault(each.name, set()).add((*each.opts, each.metavar))
    several = {name for name, found in spellings.items() if len(found) > 1}
    assert several == {"where", "output", "format", "partition_by", "bloom", "set", "delete"}


def options_of(words: tuple[str, ...]) -> list[Any]:
    return [each for each in COMMANDS[words].params if each.param_type_name == "option"]


def test_values_of_options_are_completed() -> None:
    known = {}
    for words, command in COMMANDS.items():
        context = command.context_class(command, info_name=words[-1])
        for each in options_of(words):
            if re.fullmatch(r"[a-z0-9_-]+(\|[a-z0-9_-]+)+", each.metavar or ""):
                values = each.metavar.split("|")
                assert [item.value for item in each.shell_complete(context, "")] == values
                assert [item.value for item in each.shell_complete(context, values[0])] == [
                    value for value in values if value.startswith(values[0])
                ]
                known[(*words, each.opts[-1])] = values
    assert set(known[("breaking", "--category")]) == set(BREAKING_CATEGORIES)
    assert {f".{value}" for value in known[("convert", "--format")]} <= set(ENDINGS)
    assert {"zstd", "none"} | set(_PARQUET_CODECS) == set(known[("convert", "--compression")])
    assert known[("ingest", "--schema-mode")] == ["strict", "merge"]


def test_types_of_an_idl_are_completed(files: Path) -> None:
    Path("log.idl").write_text("record Entry { u8 n; }\nrecord End { u8 n; }\nstruct Broken { 1: }\n")
    asked = {
        "_LAKECODEC_COMPLETE": "complete_bash",
        "COMP_WORDS": "lakecodec sample log.idl --type E",
        "COMP_CWORD": "4",
    }
    call = "import sys; sys.argv[:] = ['lakecodec']; from lakecodec.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", call], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["Entry", "End"]
