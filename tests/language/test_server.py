"""`lakecodec lsp`, through the protocol, with a client that nobody here wrote."""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pytest_lsp")

import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from ..paths import ROOT, SPECS

SHARED = """/** Colours. */
enum Color { RED = 1; GREEN = 2; }
struct Paint { 1: Color color; 2: optional string name }
"""
TEXT = """include "shared.thrift"
//! sample: sample.bin

/** A whole file. */
record File : little {
  bytes magic[4] = "PAIN"  else "not a file of paints";
  u16 n = count(spots);
  Spot spots[n];
}

/** A spot, 𝄞 or not. */
record Spot : little {
  u8 x; u8 color via enum(shared.Color)  where color <= 2;
  i32 weight;
}
fn heavy(Spot spot) -> bool = spot.weight > 10 and spot.x != 0;
"""


class Editor:
    """A client with the files of a folder."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        uri = self.uri(name)
        item = lsp.TextDocumentItem(uri, "lakecodec-idl", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        self.versions[name] = 1
        return uri

    async def change(self, name: str, text: str) -> list[lsp.Diagnostic]:
        """Returns what the server finds after a change."""
        self.versions[name] += 1
        self.client.diagnostics.pop(self.uri(name), None)
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
        return await self.findings(name)

    async def findings(self, name: str) -> list[lsp.Diagnostic]:
        """Returns what the server found last in a file; waits for it where nothing has come since the last call."""
        while self.uri(name) not in self.client.diagnostics:
            await self.client.wait_for_notification("textDocument/publishDiagnostics")
        return list(self.client.diagnostics.pop(self.uri(name)))

    def at(self, name: str, text: str, marker: str, shift: int = 0) -> dict[str, Any]:
        """Returns the parameters of a request about a place: where ``marker`` begins in a text, in UTF-16 units."""
        offset = text.index(marker) + shift
        line = text.count("\n", 0, offset)
        column = len(text[text.rfind("\n", 0, offset) + 1 : offset].encode("utf-16-le")) // 2
        return {"text_document": lsp.TextDocumentIdentifier(self.uri(name)), "position": lsp.Position(line, column)}


# One server for all tests: to start one takes seconds. Each test has a folder of its own.
@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[sys.executable, "-m", "lakecodec", "lsp"]), scope="module"
)
async def client(lsp_client: LanguageClient) -> Any:
    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(lsp.InitializeParams(capabilities, workspace_folders=[]))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: LanguageClient, tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "shared.thrift").write_text(SHARED, encoding="utf-8")
    folder = lsp.WorkspaceFolder(tmp_path.as_uri(), "here")
    _folders(client, [folder], [])
    yield Editor(client, tmp_path)
    _folders(client, [], [folder])


def _folders(client: LanguageClient, added: list[lsp.WorkspaceFolder], removed: list[lsp.WorkspaceFolder]) -> None:
    event = lsp.WorkspaceFoldersChangeEvent(added, removed)
    client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))


def _hover_text(hover: lsp.Hover | None) -> str:
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    return hover.contents.value


@pytest.mark.asyncio(loop_scope="module")
async def test_findings_as_one_types(editor: Editor) -> None:
    editor.open("a.idl", TEXT)
    assert await editor.findings("a.idl") == []
    found = await editor.change("a.idl", TEXT.replace("Spot spots[n]", "Spott spots[n]").replace("u8 x;", "u8 ;"))
    assert [each.message for each in found][:1] == ["found ';', expected a name"]
    found = await editor.change("a.idl", TEXT.replace("Spot spots[n]", "Spott spots[n]"))
    assert [(each.range.start.line, each.range.start.character, each.range.end.character) for each in found] == [
        (7, 2, 7)
    ]
    assert "did you mean 'Spot'" in found[0].message
    params = lsp.CodeActionParams(
        lsp.TextDocumentIdentifier(editor.uri("a.idl")), found[0].range, lsp.CodeActionContext(found)
    )
    actions = await editor.client.text_document_code_action_async(params)
    assert actions is not None
    assert [each.title for each in actions] == ["Change 'Spott' to 'Spot'"]
    edit = actions[0].edit.changes[editor.uri("a.idl")][0]
    assert (edit.new_text, edit.range) == ("Spot", found[0].range)
    assert await editor.change("a.idl", TEXT) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_two_broken_definitions_have_an_error_each_and_break_no_third(editor: Editor) -> None:
    text = "record A { u8 }\nrecord B { u8 x }\nrecord C { A a; B b; u8 c where d == 1; }\n"
    editor.open("broken.idl", text)
    found = await editor.findings("broken.idl")
    assert [each.range.start.line for each in found if each.severity == lsp.DiagnosticSeverity.Error] == [0, 1, 2]


@pytest.mark.asyncio(loop_scope="module")
async def test_hover_definition_references_and_rename(editor: Editor) -> None:
    editor.open("a.idl", TEXT)
    client = editor.client
    text = _hover_text(await client.text_document_hover_async(lsp.HoverParams(**editor.at("a.idl", TEXT, "weight;"))))
    assert "i32 weight;" in text
    assert "offset 2, 4 bytes, little endian" in text
    text = _hover_text(await client.text_document_hover_async(lsp.HoverParams(**editor.at("a.idl", TEXT, "Color)"))))
    assert "enum Color" in text
    assert "Colours." in text
    text = _hover_text(await client.text_document_hover_async(lsp.HoverParams(**editor.at("a.idl", TEXT, "count("))))
    assert "count(list)" in text

    place = editor.at("a.idl", TEXT, "Color)")
    found = await client.text_document_definition_async(lsp.DefinitionParams(**place))
    assert found == lsp.Location(editor.uri("shared.thrift"), lsp.Range(lsp.Position(1, 5), lsp.Position(1, 10)))
    params = lsp.ReferenceParams(context=lsp.ReferenceContext(include_declaration=True), **place)
    places = await client.text_document_references_async(params)
    assert sorted((Path(each.uri).name, each.range.start.line) for each in places or ()) == [
        ("a.idl", 12),
        ("shared.thrift", 1),
        ("shared.thrift", 2),
    ]
    member = editor.at("a.idl", TEXT, "spot.weight", 5)
    edit = await client.text_document_rename_async(lsp.RenameParams(new_name="mass", **member))
    assert edit is not None
    assert [(each.range.start.line, each.new_text) for each in edit.changes[editor.uri("a.idl")]] == [
        (13, "mass"),
        (15, "mass"),
    ]
    edit = await client.text_document_rename_async(lsp.RenameParams(new_name="Colour", **place))
    assert edit is not None
    assert set(edit.changes) == {editor.uri("a.idl"), editor.uri("shared.thrift")}


@pytest.mark.asyncio(loop_scope="module")
async def test_live_bytes(editor: Editor) -> None:
    data = b"PAIN" + struct.pack("<HBBiBBi", 2, 1, 2, 7, 3, 3, 0)
    (editor.folder / "sample.bin").write_bytes(data)
    editor.open("a.idl", TEXT)
    client = editor.client
    text = _hover_text(await client.text_document_hover_async(lsp.HoverParams(**editor.at("a.idl", TEXT, "weight;"))))
    assert "byte 8, 4 long: `07 00 00 00` = `7`" in text
    lenses = await client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(editor.uri("a.idl")))
    )
    told = {each.range.start.line: each.command.title for each in lenses or () if each.command}
    assert told[11].startswith("sample.bin: fails at byte 13: ")
    (editor.folder / "sample.bin").write_bytes(b"PAIN" + struct.pack("<H", 1) + b"\1\2" + struct.pack("<i", 7))
    await editor.change("a.idl", TEXT + "\n")
    lenses = await client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(editor.uri("a.idl")))
    )
    told = {each.range.start.line: each.command.title for each in lenses or () if each.command}
    assert told == {4: "sample.bin: decoded once, first at byte 0", 11: "sample.bin: decoded once, first at byte 6"}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("written", "wanted", "unwanted"),
    [
        ("record Z { u1", {"u16", "Spot", "bytes"}, {"optional"}),
        ("record Z { Spot s; u8 k where s.", {"x", "color", "weight"}, {"Spot"}),
        ("record Z { u8 a; u8 k where a == shared.Color.", {"RED", "GREEN"}, {"a"}),
        ("record Z { u8 k via ", {"enum", "compact"}, {"u8"}),
        ("struct Z { 1: opt", {"optional", "i64", "Spot"}, {"u16"}),
        ("struct Z { 1: shared.", {"Color", "Paint"}, {"Spot"}),
        ("rec", {"record", "struct"}, {"u8"}),
        ('include "', {"shared.thrift"}, {"record"}),
        ("record Z { u8 alpha; u8 b[al", {"alpha", "count"}, set()),
    ],
)
async def test_completion(editor: Editor, written: str, wanted: set[str], unwanted: set[str]) -> None:
    text = TEXT + written
    editor.open("a.idl", text)
    params = lsp.CompletionParams(**editor.at("a.idl", text, written, len(written)))
    found = await editor.client.text_document_completion_async(params)
    labels = {each.label for each in found or ()}
    assert wanted <= labels
    assert not unwanted & labels


@pytest.mark.asyncio(loop_scope="module")
async def test_symbols_tokens_folds_hints_and_format(editor: Editor) -> None:
    uri = editor.open("a.idl", TEXT)
    document, client = lsp.TextDocumentIdentifier(uri), editor.client
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert [(each.name, [child.name for child in each.children or ()]) for each in symbols or ()] == [
        ("File", ["magic", "n", "spots"]),
        ("Spot", ["x", "color", "weight"]),
        ("heavy", []),
    ]
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("gree"))
    assert [(each.name, each.container_name) for each in found or ()] == [("GREEN", "Color")]
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document))
    assert tokens is not None
    assert len(tokens.data) % 5 == 0
    assert len(tokens.data) > 200
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert [(each.start_line, each.end_line) for each in folds or ()] == [(4, 8), (11, 14)]
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole))
    assert [(each.position.line, each.label) for each in hints or ()] == [
        (5, "0 +4 "), (6, "4 +2 "), (7, "6 "), (12, "0 +1 "), (12, "1 +1 "), (13, "2 +4 "),
    ]  # fmt: skip
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, lsp.FormattingOptions(2, True))
    )
    assert edits is not None
    assert "  u16   n        = count(spots);\n" in edits[0].new_text


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rule_gets_a_message_and_a_field_an_id(editor: Editor) -> None:
    text = "struct S { 1: i32 a; required i32 b }\nrecord R { u8 x where x < 3; }\n"
    uri = editor.open("b.idl", text)
    await editor.findings("b.idl")
    mends: list[tuple[str, int, str]] = []
    for line in (0, 1):
        place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 1))
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), place, lsp.CodeActionContext([]))
        for action in await editor.client.text_document_code_action_async(params) or ():
            edit = action.edit.changes[uri][0]
            mends.append((action.title, edit.range.start.character, edit.new_text))
    assert ("Give b the id 2", 21, "2: ") in mends
    assert ("Add a message to this rule", 27, ' else "..."') in mends


@pytest.mark.asyncio(loop_scope="module")
async def test_a_line_is_exempted_from_a_lint_rule(editor: Editor) -> None:
    text = "struct wrong { 1: i32 a }\n"
    uri = editor.open("c.idl", text)
    (found,) = await editor.findings("c.idl")
    assert found.code == "type_names"
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), found.range, lsp.CodeActionContext([found]))
    actions = await editor.client.text_document_code_action_async(params)
    assert actions is not None
    (edit,) = next(each for each in actions if each.title == "Exempt this line from type_names").edit.changes[uri]
    assert (edit.range.start.character, edit.new_text) == (25, "  // lint: off type_names: ")
    assert await editor.change("c.idl", text[:-1] + edit.new_text + "it is so on the wire\n") == []


def test_words_have_what_the_compiler_knows() -> None:
    from lakecodec.generator import builtin_names
    from lakecodec.language import words

    assert set(words.FUNCTIONS) - {"fold"} == set(builtin_names.FUNCTIONS)
    assert set(words.CODECS) == set(builtin_names.CODECS)
    assert set(words.VALUES) == builtin_names.VALUES
    assert set(words.WIRE_TYPES) == builtin_names.WIRE_TYPES
    assert set(words.ATTRIBUTES) == builtin_names.ATTRIBUTES


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.idl")), ids=lambda path: path.name)
def test_parts_of_a_text_are_parsed_as_the_whole(path: Path) -> None:
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.parse import parse
    from lakecodec.language.chunks import ChunkParser

    parser, text = ChunkParser(), path.read_text(encoding="utf-8")
    for each in (text, "\n\n" + text, text.replace(";", ";\n", 3), text):
        diagnostics = Diagnostics()
        assert parser.parse(each, "f.idl", diagnostics) == parse(each, "f.idl", Diagnostics())
        assert not diagnostics.errors


def test_the_colours_of_vs_code_know_all_words() -> None:
    import json
    import re

    from lakecodec.language import words

    grammar = json.loads((ROOT / "editors/vscode/syntaxes/lakecodec-idl.tmLanguage.json").read_text(encoding="utf-8"))
    patterns = {
        each["name"].split(".")[1]: each["match"]
        for each in grammar["repository"]["words"]["patterns"]
        if "name" in each
    }
    assert all(re.fullmatch(patterns["control"], word) for word in set(words.CLAUSES))
    assert all(re.fullmatch(patterns["type"], word) for word in {*words.WIRE_TYPES, *words.BASE_TYPES})
    assert all(re.fullmatch(patterns["language"], word) for word in set(words.VALUES) - {"null"})
