"""Texts and names of an IDL stand in generated Python as data: none of them runs, whatever characters it has."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.generator.compile import load_checked, print_model
from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.model import Module

#: The name that a text would call if it ran.
CALL = "planted_call"
#: What could end a literal, a comment or a docstring of Python, or make the next character no part of it.
ENDS = [
    '"', "'", '"""', "'''", "\\", '\\"', "\\'", '\\"""', "\n", "\r", "\r\n", "\f", "\v", "\x1c", "\x1d", "\x1e", "\x85", "\u2028",
    "\u2029", "\0", "{", "{{ ", "%s", "#}", "\\N{DIGIT ONE}", "\\x22", "\\u2028", "\\", "\ufeff", "\ud7ff", "*/ ",
]  # fmt: skip
TEXTS = [f"{end}{each}{CALL}(){after}" for end in ENDS for each in ("", "\n") for after in ("", end, "#")]
#: What is an expression of Python once the literal has ended.
TEXTS += [f"{end}{sign}{CALL}(){sign}{end}" for end in ENDS for sign in ("+", ",")]

#: IDLs in which ``@`` stands for a text between quotes, ``$`` for one in a comment.
IDLS = {
    "constant": "const string A = @;",
    "constants": "const list<string> A = [@, @]; const map<string, string> B = {@: @};",
    "default": "struct S { 1: string a = @ }",
    "annotation": "struct S { 1: i32 a (b = @) } (c = @)",
    "doc": "/** $ */ struct S { /** $ */ 1: i32 a } /** $ */ enum E { /** $ */ A } /** $ */ record R { /** $ */ u8 a; }",
    "doc of a table": "record R { u8 n; u8 a[n]; } /** $ */ table t from R { for x in a /** $ */ i32 c = x; }",
    "message": "record R { u8 a where a > 1 else @; u8 b = a else @; } record Q where a > 1 else @ { u8 a; }",
    "value": "record R { utf8 a size 3; u8 b if a == @; }",
    "join": "struct P { 1: list<string> n } struct S { 1: list<P> s } table t from S { for x in s string c = join(x.n, @); }",
    "senum": "senum E { @ }",
    "namespace": "namespace py a.b (c = @)",
    "extern": "codec c -> bytes = extern @;",
    "include": "include @",
}  # fmt: skip


def idls(idl: str, texts: list[str]) -> Iterator[str]:
    for text in texts:
        raw = text.replace('"', '\\"') if '"' in text else text
        for quoted in (json.dumps(text), json.dumps(text, ensure_ascii=False), f'"{raw}"', f"'{text}'"):
            yield idl.replace("@", quoted).replace("$", text) + "\n"


def printed(model: Module, found: Diagnostics) -> list[str]:
    return [text for _, files in print_model(model, found).modules for text in files.values()]


def called(python: str) -> bool:
    """Whether a name of Python code, not only a literal of it, is the planted one."""
    return any(isinstance(node, ast.Name) and node.id == CALL for node in ast.walk(ast.parse(python)))


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", IDLS)
def test_all_texts_are_data(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_texts(kind, TEXTS, monkeypatch)


@pytest.mark.parametrize("kind", IDLS)
def test_texts_are_data(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # 19 has no factor of the number of texts for one end, so that each kind of text is among them.
    check_texts(kind, [*TEXTS[::19], f"'+{CALL}()+'", f'"+{CALL}()+"'], monkeypatch)


def check_texts(kind: str, chosen: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(builtins, CALL, lambda: ran.append(kind), raising=False)
    compiled = 0
    for number, idl in enumerate(dict.fromkeys(idls(IDLS[kind], chosen))):
        try:
            found = Diagnostics()
            texts = printed(load_checked(idl, diagnostics=found), found)
        except IdlError:
            continue
        compiled += 1
        assert not any(map(called, texts)), idl
        if number % 20 == 0:
            compile_idl(idl)
    assert not ran
    assert compiled or kind in ("extern", "include", "doc of a table", "namespace"), "no text was accepted"


@pytest.mark.parametrize(
    "name",
    [
        f"x'''{CALL}()",
        f'x"""\n{CALL}()\n"""',
        f"x\n{CALL}()",
        f"x\\\n{CALL}()",
        f"x\u2028{CALL}()",
        f"x\n{CALL}() #",
        f'x", {{}}); {CALL}() #',
    ],
)
def test_names_of_files_are_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    ran: list[str] = []
    monkeypatch.setattr(builtins, CALL, lambda: ran.append(name), raising=False)
    path = tmp_path / f"{name}.idl"
    for text in ("/** A doc. */ struct S { 1: i32 a }", "const i32 A = 1"):
        path.write_text(text)
        try:
            found = Diagnostics()
            texts = printed(load_checked(path, diagnostics=found), found)
            assert not any(map(called, texts))
            compile_idl(path)
        except (IdlError, ValueError):
            pass
    assert not ran


@pytest.mark.parametrize("name", ["a b", "a;b", "a\u2028b", "a-b", "a'", "ａ", "a\\u0062", "__import__('os')"])
def test_names_are_identifiers(name: str) -> None:
    for idl in (f"struct {name} {{}}", f"struct S {{ 1: i32 {name} }}", f"record R {{ u8 {name}; }}"):
        try:
            module = compile_idl(idl)
        except IdlError:
            continue
        assert name.isidentifier(), (idl, module)
