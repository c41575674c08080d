"""`lakecodec lsp`: a language server for IDL and Thrift files, over standard input and output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from lakecodec.generator.diagnostics import Diagnostic, IdlError, Location
from lakecodec.runtime import __version__

from .actions import fixes_of
from .analysis import Analysis, Project
from .completion import Proposal, proposals, without_statement
from .formatter import format_idl
from .hovers import facts_of, hover_of
from .live import Sample, named_samples, read_sample
from .symbols import Symbol
from .tokens import KINDS, folds_of, tokens_of
from .words import documentation

_SYMBOL_KINDS = {
    "record": lsp.SymbolKind.Struct, "struct": lsp.SymbolKind.Struct, "union": lsp.SymbolKind.Struct,
    "exception": lsp.SymbolKind.Struct, "message": lsp.SymbolKind.Struct, "oneof": lsp.SymbolKind.Struct,
    "variant": lsp.SymbolKind.Class, "encoding": lsp.SymbolKind.Class, "table": lsp.SymbolKind.Array,
    "enum": lsp.SymbolKind.Enum, "senum": lsp.SymbolKind.Enum, "member": lsp.SymbolKind.EnumMember,
    "case": lsp.SymbolKind.EnumMember, "field": lsp.SymbolKind.Field, "column": lsp.SymbolKind.Field,
    "codec": lsp.SymbolKind.Function, "fn": lsp.SymbolKind.Function, "function": lsp.SymbolKind.Method,
    "const": lsp.SymbolKind.Constant, "typedef": lsp.SymbolKind.TypeParameter, "service": lsp.SymbolKind.Interface,
}  # fmt: skip
_COMPLETION_KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword, "type": lsp.CompletionItemKind.Keyword, "builtin": lsp.CompletionItemKind.Function,
    "value": lsp.CompletionItemKind.Value, "file": lsp.CompletionItemKind.File, "field": lsp.CompletionItemKind.Field,
    "member": lsp.CompletionItemKind.EnumMember, "case": lsp.CompletionItemKind.EnumMember, "enum": lsp.CompletionItemKind.Enum,
    "codec": lsp.CompletionItemKind.Function, "fn": lsp.CompletionItemKind.Function, "const": lsp.CompletionItemKind.Constant,
    "parameter": lsp.CompletionItemKind.Variable, "variable": lsp.CompletionItemKind.Variable,
}  # fmt: skip


class IdlServer(LanguageServer):
    """The server, with the files that are open."""

    def __init__(self) -> None:
        super().__init__("lakecodec", __version__)
        self.project = Project()
        self._samples: dict[Path, tuple[str, list[Sample]]] = {}

    # ---- files ----

    def path_of(self, uri: str) -> Path:
        found = to_fs_path(uri)
        return Path(found) if found else Path(uri.replace(":", "-"))

    def folders(self) -> list[Path]:
        return [self.path_of(uri) for uri in self.workspace.folders]

    def analysis(self, uri: str) -> Analysis:
        path = self.path_of(uri)
        if uri in self.workspace.text_documents:
            self.project.texts[path.resolve()] = self.workspace.text_documents[uri].source
        return self.project.analyse(path)

    def lines_of(self, file: str) -> list[str]:
        text = self.project.texts.get(Path(file).resolve())
        return (Path(file).read_text(encoding="utf-8", errors="replace") if text is None else text).splitlines()

    def samples(self, uri: str) -> list[Sample]:
        """Returns the sample files that a text names, read as it declares them; cached until the text changes."""
        analysis = self.analysis(uri)
        kept = self._samples.get(analysis.path)
        if kept is None or kept[0] != analysis.text:
            manifest = self.project.manifest(analysis.path)
            allowed = [] if manifest is None else manifest.allow_extern
            found = [
                read_sample(path, name, analysis.path, analysis.text, allowed)
                for path, name in named_samples(analysis.text, analysis.path)
            ]
            self._samples[analysis.path] = kept = analysis.text, found
        return kept[1]

    # ---- places ----

    def place(self, uri: str, position: lsp.Position) -> tuple[int, int]:
        """Returns line and column from 1, in characters."""
        found = self.workspace.get_text_document(uri).position_from_client_units(position)
        return found.line + 1, found.character + 1

    def range_of(self, location: Location, lines: list[str] | None = None) -> lsp.Range:
        """Returns the range of a location, in the client's units."""
        lines = self.lines_of(location.file) if lines is None else lines
        line = lines[location.line - 1] if 0 < location.line <= len(lines) else ""
        units = self.workspace.position_codec.client_num_units
        first = location.column - 1
        start, end = units(line[:first]), units(line[: first + location.length])
        return lsp.Range(lsp.Position(location.line - 1, start), lsp.Position(location.line - 1, end))

    def location_of(self, symbol_or_use: Any) -> lsp.Location:
        at = symbol_or_use.location
        return lsp.Location(from_fs_path(at.file) or at.file, self.range_of(at))

    # ---- findings ----

    def publish(self, uri: str, more: Iterable[Diagnostic] = ()) -> None:
        """Sends the compiler's findings in a file, and in those that it includes."""
        analysis = self.analysis(uri)
        for file, found in analysis.findings.items():
            lines = self.lines_of(file)
            own = [*found, *(more if file == str(analysis.path) else ())]
            target = uri if file == str(analysis.path) else from_fs_path(file) or file
            if target != uri and target in self.workspace.text_documents:
                continue
            shown = [self._diagnostic(each, lines) for each in own]
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(target, shown))

    def _diagnostic(self, found: Diagnostic, lines: list[str]) -> lsp.Diagnostic:
        severity = lsp.DiagnosticSeverity.Warning if found.warning else lsp.DiagnosticSeverity.Error
        place = self.range_of(found.location, lines)
        return lsp.Diagnostic(place, found.message, severity, found.rule or None, source="lakecodec")


server = IdlServer()


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: IdlServer, params: lsp.DidOpenTextDocumentParams) -> None:
    ls.publish(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: IdlServer, params: lsp.DidChangeTextDocumentParams) -> None:
    ls.publish(params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def did_save(ls: IdlServer, params: lsp.DidSaveTextDocumentParams) -> None:
    uri = params.text_document.uri
    analysis = ls.analysis(uri)
    has_errors = any(not found.warning for each in analysis.findings.values() for found in each)
    ls.publish(uri, () if has_errors else ls.project.compiled_findings(analysis.path))


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def did_close(ls: IdlServer, params: lsp.DidCloseTextDocumentParams) -> None:
    ls.project.texts.pop(ls.path_of(params.text_document.uri).resolve(), None)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(ls: IdlServer, params: lsp.HoverParams) -> lsp.Hover | None:
    uri = params.text_document.uri
    line, column = ls.place(uri, params.position)
    analysis = ls.analysis(uri)
    use = analysis.use_at(line, column)
    if use is None:
        word = ls.workspace.get_text_document(uri).word_at_position(params.position)
        known = documentation(word)
        return None if known is None else lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, f"**{word}**: {known}"))
    symbol = use.symbol
    home = analysis if symbol.location.file == str(analysis.path) else ls.project.analyse(Path(symbol.location.file))
    text = hover_of(symbol, home, ls.lines_of(symbol.location.file))
    for sample in ls.samples(uri) if symbol.location.file == str(analysis.path) else ():
        if about := sample.about(symbol):
            text += f"\n\n---\n{about}"
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.range_of(use.location))


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(ls: IdlServer, params: lsp.DefinitionParams) -> lsp.Location | None:
    symbol = _symbol_at(ls, params)
    return None if symbol is None else ls.location_of(symbol)


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def references(ls: IdlServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    symbol = _symbol_at(ls, params)
    if symbol is None:
        return []
    uses = ls.project.uses_of(symbol, ls.folders())
    return [ls.location_of(use) for use in uses if params.context.include_declaration or not use.declares]


@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(ls: IdlServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    uri = params.text_document.uri
    use = ls.analysis(uri).use_at(*ls.place(uri, params.position))
    return None if use is None else ls.range_of(use.location)


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def rename(ls: IdlServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    symbol = _symbol_at(ls, params)
    if symbol is None:
        return None
    if not params.new_name.isidentifier():
        raise ValueError(f"{params.new_name!r} cannot be a name")
    changes: dict[str, list[lsp.TextEdit]] = {}
    for use in ls.project.uses_of(symbol, ls.folders()):
        at = ls.location_of(use)
        changes.setdefault(at.uri, []).append(lsp.TextEdit(at.range, params.new_name))
    return lsp.WorkspaceEdit(changes)


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", '"']))
def completion(ls: IdlServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    uri = params.text_document.uri
    document = ls.workspace.get_text_document(uri)
    text, offset = document.source, document.offset_at_position(params.position)
    found = proposals(ls.project.analyse_as(ls.path_of(uri), without_statement(text, offset)), text, offset)
    return [_completion_item(each) for each in dict.fromkeys(found)]


def _completion_item(found: Proposal) -> lsp.CompletionItem:
    kind = _COMPLETION_KINDS.get(found.kind, lsp.CompletionItemKind.Struct)
    doc = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.doc) if found.doc else None
    return lsp.CompletionItem(found.label, kind=kind, detail=found.detail or None, documentation=doc)


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def document_symbols(ls: IdlServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    analysis = ls.analysis(params.text_document.uri)
    lines = ls.lines_of(str(analysis.path))
    symbols = list(analysis.declared.symbols.values())
    ends = [each.location.line - 1 for each in symbols[1:]] + [len(lines)]
    return [_document_symbol(ls, each, lines, end) for each, end in zip(symbols, ends, strict=True)]


def _document_symbol(ls: IdlServer, symbol: Symbol, lines: list[str], last: int) -> lsp.DocumentSymbol:
    name = ls.range_of(symbol.location, lines)
    last = max(last, symbol.location.line)
    while last > symbol.location.line and not lines[last - 1].strip().startswith("}"):
        last -= 1
    end = lsp.Position(last - 1, ls.workspace.position_codec.client_num_units(lines[last - 1]))
    whole = lsp.Range(lsp.Position(symbol.location.line - 1, 0), end)
    parts = [part for part in symbol.parts.values() if part.kind in _SYMBOL_KINDS]
    children = [_document_symbol(ls, part, lines, part.location.line) for part in parts]
    kind = _SYMBOL_KINDS[symbol.kind]
    return lsp.DocumentSymbol(symbol.name, kind, whole, name, detail=symbol.kind, children=children or None)


@server.feature(lsp.WORKSPACE_SYMBOL)
def workspace_symbols(ls: IdlServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    wanted, found = params.query.lower(), []
    for path in ls.project.files(ls.folders()):
        for symbol in ls.project.analyse(path).declared.all():
            if symbol.kind in _SYMBOL_KINDS and wanted in symbol.name.lower():
                container = None if symbol.parent is None else symbol.parent.path
                kind = _SYMBOL_KINDS[symbol.kind]
                found.append(lsp.SymbolInformation(ls.location_of(symbol), symbol.name, kind, container_name=container))
    return found


@server.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(token_types=list(KINDS), token_modifiers=[])
)
def semantic_tokens(ls: IdlServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    analysis = ls.analysis(params.text_document.uri)
    lines, units = analysis.text.split("\n"), ls.workspace.position_codec.client_num_units
    data: list[int] = []
    before = (0, 0)
    for line, column, length, kind in tokens_of(analysis.text, analysis):
        start = units(lines[line][:column])
        size = units(lines[line][column : column + length])
        data += [line - before[0], start - before[1] if line == before[0] else start, size, KINDS.index(kind), 0]
        before = line, start
    return lsp.SemanticTokens(data)


@server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def folding(ls: IdlServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    text = ls.workspace.get_text_document(params.text_document.uri).source
    return [lsp.FoldingRange(first, last, kind=lsp.FoldingRangeKind(kind)) for first, last, kind in folds_of(text)]


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
def code_actions(ls: IdlServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri = params.text_document.uri
    analysis = ls.analysis(uri)
    lines = ls.lines_of(str(analysis.path))
    findings = analysis.findings.get(str(analysis.path), [])
    found: list[lsp.CodeAction] = []
    first, last = params.range.start.line + 1, params.range.end.line + 1
    for fix in fixes_of(analysis.tree, findings, analysis.text, first, last):
        edit = lsp.WorkspaceEdit({uri: [lsp.TextEdit(ls.range_of(fix.at, lines), fix.text)]})
        fixed = None if fix.finding is None else [ls._diagnostic(fix.finding, lines)]
        found.append(lsp.CodeAction(fix.title, lsp.CodeActionKind.QuickFix, fixed, edit=edit))
    return found


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
def inlay_hints(ls: IdlServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    analysis = ls.analysis(params.text_document.uri)
    lines, found = ls.lines_of(str(analysis.path)), []
    for record in analysis.declared.symbols.values():
        for part in record.parts.values() if record.kind == "record" else ():
            at = part.location
            if not params.range.start.line <= at.line - 1 <= params.range.end.line:
                continue
            offset, size = analysis.layout_of(part) if part.kind == "field" else (None, None)
            if offset is None and size is None:
                continue
            label = f"{'?' if offset is None else offset}" + ("" if size is None else f" +{size}")
            hint = lsp.InlayHint(ls.range_of(at, lines).start, f"{label} ", tooltip=facts_of(part, analysis))
            found.append(hint)
    return found


@server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
def lenses(ls: IdlServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    uri = params.text_document.uri
    analysis, found = ls.analysis(uri), []
    for symbol in analysis.declared.symbols.values():
        if symbol.kind not in ("record", "variant", "struct", "union"):
            continue
        for sample in ls.samples(uri):
            if told := sample.lens(symbol.name):
                found.append(lsp.CodeLens(ls.range_of(symbol.location), lsp.Command(told, "")))
    return found


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def formatting(ls: IdlServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    document = ls.workspace.get_text_document(params.text_document.uri)
    try:
        text = format_idl(document.source)
    except IdlError:
        return []
    if text == document.source:
        return []
    return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(len(document.lines) + 1, 0)), text)]


def _symbol_at(ls: IdlServer, params: Any) -> Symbol | None:
    uri = params.text_document.uri
    return ls.analysis(uri).symbol_at(*ls.place(uri, params.position))


def main() -> None:
    """Serves one editor over standard input and output."""
    server.start_io()
