"""Name resolution: from an IDL file, with everything it includes, to the resolved model."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..comments import decoded
from ..diagnostics import Diagnostics, Location
from ..model import Module
from ..module_names import ModuleNames, is_text
from ..names import assign_names
from ..parse import parse
from ..syntax import ConstReference, EncodingDef, File, Include, Name, NamedType, ServiceDef, TableDef, WireType
from .definitions import define
from .scope import Scope

PathLike = str | os.PathLike[str]


def load(
    path_or_text: PathLike,
    *,
    name: str | None = None,
    include_paths: Sequence[PathLike] = (),
    names: ModuleNames | None = None,
    diagnostics: Diagnostics,
) -> Module:
    """Returns the model of an IDL file or text, with the modules it includes.

    Problems become diagnostics; the model then holds what could be resolved and must not be compiled.

    Args:
        path_or_text: a path, or the text itself (a str with a line break or a brace).
        name: the module's name; by default the file's stem as a Python name, or `idl` for text.
        include_paths: folders that are searched for included files after the including file's own.
        names: the names of modules that are known already; by default the tree of includes is named by itself.

    Raises:
        FileNotFoundError: there is no such file.
    """
    loader = Loader([Path(folder) for folder in include_paths], ModuleNames() if names is None else names, diagnostics)
    if isinstance(path_or_text, str) and is_text(path_or_text):
        module_name = name or "idl"
        module = loader.load_text(path_or_text, f"<{module_name}>", module_name, None).module
    else:
        module = loader.load_file(Path(path_or_text), name).module
    assign_names(module)
    return module


class Loader:
    """Loader of IDL files, which loads each file once, however many others include it."""

    def __init__(self, include_paths: list[Path], names: ModuleNames, diagnostics: Diagnostics) -> None:
        self._include_paths = include_paths
        self._names = names
        self._diagnostics = diagnostics
        self._loaded: dict[Path, Scope] = {}
        self._loading: list[Path] = []

    def read(self, path: Path) -> bytes:
        """Returns the contents of a file; editors have newer ones."""
        return path.read_bytes()

    def parse(self, text: str, file: str) -> File:
        """Returns the syntax tree of a file's text; editors keep the parts that did not change."""
        return parse(text, file, self._diagnostics)

    def load_file(self, path: Path, name: str | None = None) -> Scope:
        real = path.resolve()
        if real not in self._loaded:
            self._loading.append(real)
            module_name = self._names.of(real, name)
            text, wrong = decoded(self.read(path))
            if wrong is not None:
                line = text.count("\n", 0, wrong) + 1
                message = "an IDL file must be UTF-8 text, except in comments"
                self._diagnostics.error(message, Location(str(path), line, 1))
                text = ""
            self._loaded[real] = self.load_text(text, str(path), module_name, path.parent)
            self._loading.pop()
        return self._loaded[real]

    def load_text(self, text: str, file: str, name: str, folder: Path | None) -> Scope:
        syntax = self.parse(text, file)
        module = Module(name, file, hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest(), doc=syntax.doc)
        module.text = text
        module.namespaces = {namespace.scope: namespace.name for namespace in syntax.namespaces}
        module.broken = set(syntax.broken)
        scope = Scope(module)
        for include in syntax.includes:
            self._include(include, scope, folder)
        define(syntax, scope, self._diagnostics)
        unused = unused_prefixes(syntax, scope.includes)
        module.unused_includes = {
            _prefix(include): include.location for include in syntax.includes if _prefix(include) in unused
        }
        return scope

    def _include(self, include: Include, scope: Scope, folder: Path | None) -> None:
        prefix = _prefix(include)
        path = self._find(include.path, folder)
        if path is None:
            self._diagnostics.error(f"cannot find the included file '{include.path}'", include.location)
            scope.module.broken.add(prefix)
            return
        if path.resolve() in self._loading:
            circle = [*self._loading[self._loading.index(path.resolve()) :], path]
            names = " -> ".join(each.name for each in circle)
            self._diagnostics.error(f"files include each other: {names}", include.location)
            scope.module.broken.add(prefix)
            return
        included = self.load_file(path)
        if scope.includes.get(prefix, included) is not included:
            prefix = f"{prefix}/{included.module.name}"
        scope.includes[prefix] = included
        scope.module.included[include.path] = included.module
        scope.module.includes[prefix] = included.module

    def _find(self, path: str, folder: Path | None) -> Path | None:
        folders = self._include_paths if folder is None else [folder, *self._include_paths]
        candidates = (Path(os.path.normpath(each / path)) for each in folders)
        return next((candidate for candidate in candidates if candidate.is_file()), None)


def _prefix(include: Include) -> str:
    """Returns the prefix of an included file's names: its stem."""
    return Path(include.path).stem


def unused_prefixes(file: File, prefixes: Iterable[str]) -> set[str]:
    """Returns the prefixes that no name in the file begins with."""
    unused = set(prefixes)
    for name in _names(file.definitions) if unused else ():
        unused -= {prefix for prefix in unused if name == prefix or name.startswith(prefix + ".")}
    return unused


def _names(node: Any) -> Iterator[str]:
    match node:
        case tuple() | list():
            for item in node:
                yield from _names(item)
        case dict():
            yield from _names(list(node.values()))
        case NamedType() | WireType() | ConstReference() | Name():
            yield node.name
        case TableDef():
            yield node.source
        case EncodingDef():
            yield node.over
        case ServiceDef() if node.extends is not None:
            yield node.extends
        case _:
            pass
    if dataclasses.is_dataclass(node) and not isinstance(node, Location):
        for part in dataclasses.fields(node):
            yield from _names(getattr(node, part.name))
