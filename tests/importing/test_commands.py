"""Commands that take an IDL take .ksy, .proto and .thrift files, too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lakecodec import cli

_KSY = """\
meta: {id: a, endian: le}
seq: [{id: magic, contents: AB}, {id: n, type: u2}, {id: body, size: n}]
"""
#: A file, one that breaks it, bytes of the type A, and the paths that explain them.
_FILES = {
    "ksy": (_KSY, _KSY.replace("u2", "u4"), b"AB\3\0xyz", ["magic", "n", "body", "unread"]),
    "proto": (
        'syntax = "proto3"; message A { int32 n = 1; repeated string names = 2; }',
        'syntax = "proto3"; message A { int64 n = 1; string names = 3; }',
        b"\x08\5\x12\1q",
        ["n", "names[0]"],
    ),
    "thrift": (
        "struct A { 1: required i32 n  2: optional string s }",
        "struct A { 1: required i64 n  2: optional string s }",
        b"\x15\4\0",
        ["n"],
    ),
}


@pytest.mark.parametrize("suffix", _FILES)
def test_commands_take_the_file(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, other, data, paths = _FILES[suffix]
    old, new, sample = tmp_path / f"a.{suffix}", tmp_path / f"new/a.{suffix}", tmp_path / "a.bin"
    new.parent.mkdir()
    old.write_text(text)
    new.write_text(other)
    sample.write_bytes(data)

    assert cli.run(["breaking", str(old), str(old)]) == 0
    capsys.readouterr()
    assert cli.run(["breaking", str(old), str(new)]) == 1
    assert re.search(r"A\.n: the (layout|type) changed from ", capsys.readouterr().out)

    assert cli.run(["sample", str(old), "--type", "A", "-n", "3"]) == 0
    assert all(json.loads(line)["bytes"] is not None for line in capsys.readouterr().out.splitlines())

    assert cli.run(["explore", str(sample), "--idl", str(old), "--type", "A", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    found = [each["path"] for each in tree["children"]]
    assert found[: len(paths)] == paths

    assert cli.run(["doc", str(old), "-o", str(tmp_path / "docs")]) == 0
    assert "A" in (tmp_path / "docs/a.html").read_text()


def test_types_say_why_they_cannot_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'syntax = "proto2"; message A { optional Missing g = 1; } message B { optional int32 n = 1; }'
    (tmp_path / "a.proto").write_text(text)
    ksy = "meta: {id: k, endian: le}\nseq: [{id: n, type: u1}, {id: body, size: n, process: mine.special(3)}]\n"
    (tmp_path / "k.ksy").write_text(ksy)
    arguments = ["import", str(tmp_path / "a.proto"), str(tmp_path / "k.ksy"), "-o", str(tmp_path / "out")]
    assert cli.run(arguments) == 1
    told = sorted(each for each in capsys.readouterr().err.splitlines() if "cannot write all its values" in each)
    assert told[0] == "a.idl: A cannot write all its values: the type of g is not found"
    assert told[1].startswith("k.idl: K cannot write all its values: ")
    assert len(told) == 2
    assert cli.run([*arguments, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["writable"]
    assert found["a.idl"]["B"] is None
    assert found["k.idl"]["K"]
