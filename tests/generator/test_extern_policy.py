"""No IDL runs code that its user did not allow, and no object is an extern that did not opt in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from lakecodec import IdlError, compile_idl, explore, extern_function
from lakecodec.cli.app import run
from lakecodec.workbench import load

IDL = 'fn f(string s) -> i32 = extern "{0}";\nrecord R {{ u8 n = count(s); utf8 s[n] where f(s) == 0; }}'


@extern_function
def opted_in(text: str) -> int:
    return 0


def not_opted_in(text: str) -> int:
    raise AssertionError("called")


def dump_of(target: str) -> dict[str, Any]:
    files = [["x", "x.idl", IDL.format(target), []]]
    return {"format": "x.R", "size": 1, "idl": {"type": "R", "files": files}, "value": {"s": "touch seen"}}


def test_a_dump_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(IdlError, match=r"x\.idl:1:32: the module 'os' is not allowed.*--allow-extern os"):
        load(dump_of("os:system"))
    for allowed in (["os"], [__name__]):
        with pytest.raises((IdlError, ImportError)):
            load(dump_of("os:system"), allow_extern=allowed)
    assert list(tmp_path.iterdir()) == []
    assert load(dump_of(f"{__name__}:opted_in"), allow_extern=[__name__]) == b"\ntouch seen"


@pytest.mark.parametrize("name", ["not_opted_in", "sys.exit", "Path", "IDL", "opted_in.__globals__"])
def test_externs_of_an_allowed_module_opt_in(name: str) -> None:
    module = compile_idl(IDL.format(f"{__name__}:{name}"), allow_extern=[__name__])
    with pytest.raises(ImportError, match="extern"):
        module.R.from_bytes(b"\1a")


def test_a_module_that_was_allowed_before_is_refused_again() -> None:
    text = IDL.format(f"{__name__}:opted_in")
    kept = compile_idl(text, allow_extern=[__name__])
    assert kept.R.from_bytes(b"\1a").s == "a"
    with pytest.raises(IdlError, match="not allowed"):
        compile_idl(text)
    with pytest.raises(IdlError, match="not allowed"):
        explore(b"\1a", "R", idl=text)
    assert explore(b"\1a", "R", idl=text, allow_extern=[__name__]).root.children


def test_a_kept_file_is_refused_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAKECODEC_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "x.idl"
    file.write_text(IDL.format(f"{__name__}:opted_in"))
    compile_idl(file, allow_extern=[__name__])
    with pytest.raises(IdlError, match="not allowed"):
        compile_idl(file)


def test_commands_need_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "antigravity_of_this_test.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "x.idl"
    file.write_text(IDL.format("antigravity_of_this_test:f"))
    assert run(["check", "x.idl"]) == 1
    assert run(["check", "x.idl", "--allow-extern", "antigravity_of_this_test"]) == 0
    (tmp_path / "idl").mkdir()
    manifest = "output: out\ntargets: []\nallow_extern: [antigravity_of_this_test]\n"
    (tmp_path / "idl" / "lakecodec.yaml").write_text(manifest)
    assert run(["check", "x.idl"]) == 0
    assert "antigravity_of_this_test" not in sys.modules


def test_codecs_of_structs_are_externs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "codec_of_this_test.py").write_text("raise AssertionError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    text = 'struct S { 1: i32 a } (lakecodec.codec = "{0}")'
    for target, error in (
        ("codec_of_this_test:C", "the module 'codec_of_this_test' is not allowed"),
        ("os:path.join", "the module 'os' is not allowed"),
        ("x", "is not the name of an extern"),
    ):
        with pytest.raises(IdlError, match=error):
            compile_idl(text.replace("{0}", target))
    with pytest.raises(ImportError, match="is not meant to be an extern"):
        compile_idl(text.replace("{0}", f"{__name__}:not_opted_in"), allow_extern=[__name__])
    assert compile_idl(text.replace("{0}", "lakecodec.runtime.json_object:JsonObject")).S


def test_wrong_arguments() -> None:
    wrong: Any = "os"
    with pytest.raises(TypeError, match="allow_extern"):
        compile_idl("struct S {}", allow_extern=wrong)
