"""Open files as the compiler sees them: trees, models, symbols and findings, which are made again after changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lakecodec.generator.check.module import check
from lakecodec.generator.compile import load_compilable
from lakecodec.generator.diagnostics import Diagnostic, Diagnostics, IdlError, Location
from lakecodec.generator.externs import allowed_modules, check_externs
from lakecodec.generator.graph import in_order
from lakecodec.generator.lint import LintRules, lint
from lakecodec.generator.lower.expressions import UnsupportedExpression
from lakecodec.generator.lower.shapes import fixed_size
from lakecodec.generator.manifest import Manifest, default_manifest, load_manifest
from lakecodec.generator.model import Module, Record
from lakecodec.generator.module_names import ModuleNames
from lakecodec.generator.names import assign_names
from lakecodec.generator.resolve.loader import Loader
from lakecodec.generator.syntax import File

from .chunks import ChunkParser
from .symbols import Declared, Symbol, declared_by
from .uses import Use, uses_in

SUFFIXES = (".idl", ".thrift")


@dataclass(eq=False)
class Analysis:
    """The compiler's view of one file.

    Attributes:
        findings: by the name of the file that they are in.
    """

    path: Path
    text: str
    tree: File
    module: Module
    declared: Declared
    findings: dict[str, list[Diagnostic]]

    @cached_property
    def uses(self) -> list[Use]:
        return uses_in(self.tree, self.declared, self.text)

    def use_at(self, line: int, column: int) -> Use | None:
        """Returns the use of a name at a place, its end included; line and column count from 1."""
        found = [
            use
            for use in self.uses
            if use.location.line == line and use.location.column <= column <= use.location.column + use.location.length
        ]
        return found[-1] if found else None

    def symbol_at(self, line: int, column: int) -> Symbol | None:
        """Returns the symbol whose name stands at a place."""
        use = self.use_at(line, column)
        return None if use is None else use.symbol

    def definition_at(self, line: int) -> Symbol | None:
        """Returns the last definition that begins in a line or before it."""
        before = [each for each in self.declared.symbols.values() if each.location.line <= line]
        return max(before, key=lambda each: each.location.line, default=None)

    def layout_of(self, symbol: Symbol) -> tuple[int | None, int | None]:
        """Returns offset and size of a record's field, None if they depend on values."""
        offset: int | None = 0
        record = None if symbol.parent is None else self.module.find(symbol.parent.name)
        if not isinstance(record, Record):
            return None, None
        for each in record.fields:
            try:
                size = fixed_size(each)
            except UnsupportedExpression:
                size = None
            if each.present is not None or each.at is not None:
                size = None
            if each.name == symbol.name:
                return (None if each.at is not None else offset), size
            offset = None if offset is None or size is None else offset + size
        return None, None


@dataclass
class Project:
    """The files that an editor has open, over those on disk."""

    #: Texts by path, with links resolved.
    texts: dict[Path, str] = field(default_factory=dict)
    _parser: ChunkParser = field(default_factory=ChunkParser)
    _kept: dict[Path, tuple[Mapping[Path, str], Analysis]] = field(default_factory=dict)

    def manifest(self, path: Path) -> Manifest | None:
        """Returns the manifest of a file's project: the nearest lakecodec.yaml or pyproject.toml in its folder or above."""
        for folder in (path.parent, *path.parents):
            for candidate in (folder / "lakecodec.yaml", folder / "idl" / "lakecodec.yaml"):
                if candidate.is_file():
                    return _manifest(candidate)
            if (folder / "pyproject.toml").is_file():
                found = default_manifest(folder)
                return _manifest(found) if found.is_file() else None
        return None

    def analyse(self, path: Path) -> Analysis:
        """Returns the compiler's view of a file with its text in the editor.

        Raises:
            OSError: it is neither open nor on disk.
        """
        if (kept := self._kept.get(path)) is not None and all(
            self._text(each) == text for each, text in kept[0].items()
        ):
            return kept[1]
        diagnostics, manifest = Diagnostics(), self.manifest(path)
        loader = _EditorLoader(self, manifest, diagnostics)
        module = loader.load_file(path).module
        assign_names(module)
        for each in in_order(module):
            check(each, diagnostics)
        check_externs(module, allowed_modules(() if manifest is None else manifest.allow_extern), diagnostics)
        if not diagnostics.errors:
            lint(module, diagnostics, LintRules() if manifest is None else manifest.rules_of(path))
        declared = {each.file: _declared(each, loader.trees) for each in in_order(module)}
        findings: dict[str, list[Diagnostic]] = {each.file: [] for each in in_order(module)}
        for found in diagnostics.found:
            findings.setdefault(found.location.file, []).append(found)
        analysis = Analysis(path, module.text, loader.trees[module.file], module, declared[module.file], findings)
        self._kept[path] = loader.texts, analysis
        return analysis

    def analyse_as(self, path: Path, text: str) -> Analysis:
        """Returns the view of a file as if it had another text; the next `analyse` has the text of the editor again."""
        place, kept = path.resolve(), self._kept.get(path)
        before = self.texts.get(place)
        self.texts[place] = text
        try:
            return self.analyse(path)
        finally:
            if before is None:
                del self.texts[place]
            else:
                self.texts[place] = before
            self._kept.pop(path)
            if kept is not None:
                self._kept[path] = kept

    def compiled_findings(self, path: Path) -> list[Diagnostic]:
        """Returns the errors of the compiler's last stages in a file on disk in which `analyse` finds none."""
        manifest = self.manifest(path)
        paths, allowed = ([], []) if manifest is None else (manifest.include_paths, manifest.allow_extern)
        try:
            load_compilable(path, include_paths=paths, allow_extern=allowed)
        except IdlError as error:
            return [found for found in error.diagnostics if found.location.file == str(path)]
        return []

    def files(self, folders: list[Path]) -> Iterator[Path]:
        """Yields the IDL files of folders, and the open ones."""
        seen = set(self.texts)
        yield from sorted(seen)
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                parts = path.relative_to(folder).parts
                if path.suffix not in SUFFIXES or any(part.startswith(".") for part in parts):
                    continue
                if (real := path.resolve()) not in seen:
                    seen.add(real)
                    yield path

    def uses_of(self, symbol: Symbol, folders: list[Path]) -> Iterator[Use]:
        """Yields the declaration and all uses of a symbol in the files of some folders."""
        key = identity(symbol)
        for path in self.files(folders):
            try:
                analysis = self.analyse(path)
            except OSError:
                continue
            yield from (use for use in analysis.uses if identity(use.symbol) == key)

    def _text(self, path: Path) -> str | None:
        if (text := self.texts.get(path.resolve())) is not None:
            return text
        try:
            return path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError:
            return None


class _EditorLoader(Loader):
    """A loader that reads the texts of the editor, and parses changed ones."""

    def __init__(self, project: Project, manifest: Manifest | None, diagnostics: Diagnostics) -> None:
        super().__init__([] if manifest is None else list(manifest.include_paths), ModuleNames(), diagnostics)
        self._project = project
        self.found = diagnostics
        self.trees: dict[str, File] = {}
        self.texts: dict[Path, str] = {}

    def read(self, path: Path) -> bytes:
        text = self._project.texts.get(path.resolve())
        data = path.read_bytes() if text is None else text.encode("utf-8", "surrogateescape")
        self.texts[path] = data.decode("utf-8", "surrogateescape")
        return data

    def parse(self, text: str, file: str) -> File:
        tree = self._project._parser.parse(text, file, self.found)
        self.trees[file] = tree
        return tree


def _declared(module: Module, trees: Mapping[str, File]) -> Declared:
    included = {prefix: _declared(each, trees) for prefix, each in module.includes.items() if each.file in trees}
    return declared_by(trees[module.file], included)


def _manifest(path: Path) -> Manifest | None:
    try:
        return load_manifest(path, Diagnostics())
    except (IdlError, OSError):
        return None


def identity(symbol: Symbol) -> tuple[str, Location, str]:
    """Returns the key of a symbol, which is the same in several analyses."""
    return symbol.location.file, symbol.location, symbol.name
