"""The manifest: the IDL files of a project, the module that each becomes, and the output folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self, cast, get_args

import yaml

from .diagnostics import Diagnostics, Location
from .lint import CATEGORIES, FieldStyle, LintRules
from .module_names import ModuleNames, is_module_name, module_name

#: The name by which the project's own generated modules import the runtime.
PROJECT_RUNTIME = "..runtime"

#: The categories of breaking changes: bytes, the JSON form and `from_dict`, code that uses the generated module.
BREAKING_CATEGORIES = ("wire", "json", "source")

_TAGS = {
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "map": "a mapping",
    "seq": "a list",
}


@dataclass(frozen=True, slots=True)
class Target:
    """One module to generate. ``options`` overrides settings of the manifest for this module (`runtime`)."""

    idl: Path
    module: str
    options: Mapping[str, str] = field(default_factory=dict)
    lint: LintRules = field(default_factory=LintRules)


@dataclass(frozen=True, slots=True)
class BreakingRules:
    """The changes that `lakecodec breaking` lets pass.

    Attributes:
        categories: the checked categories: ``wire``, ``json``, ``source``; all if empty.
        allow: patterns of ``rule`` or ``rule where``.
        ignore: the same for the files whose path matches a pattern; ``*`` alone ignores a file.
        baseline: a file with known findings.
    """

    categories: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    ignore: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    baseline: Path | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The settings of code generation: ``output`` is the folder of the modules, ``runtime`` the package they import.

    Attributes:
        formats: folders whose IDL files with a record ``File`` are listed, with their magic bytes, in a module ``_file_formats``.
        breaking: what `lakecodec breaking` lets pass.
        allow_extern: modules whose externs the IDL files may name, besides those of lakecodec.
    """

    targets: list[Target]
    output: Path
    include_paths: list[Path] = field(default_factory=list)
    runtime: str = PROJECT_RUNTIME
    lint: LintRules = field(default_factory=LintRules)
    formats: list[Path] = field(default_factory=list)
    breaking: BreakingRules = field(default_factory=BreakingRules)
    allow_extern: list[str] = field(default_factory=list)

    @classmethod
    def of_files(
        cls,
        idl_files: Mapping[str, Path],
        *,
        output: Path,
        include_paths: Sequence[Path] = (),
        runtime: str = "lakecodec.runtime",
        allow_extern: Iterable[str] = (),
    ) -> Self:
        """Returns a manifest of IDL files, which are given by the name of the module that each becomes."""
        targets = [Target(path, name) for name, path in idl_files.items()]
        return cls(targets, output, list(include_paths), runtime, allow_extern=list(allow_extern))

    def with_output(self, output: Path) -> Manifest:
        """Returns a copy of the manifest with another output folder."""
        return replace(self, output=output)

    def module_names(self) -> ModuleNames:
        """Returns the modules' names, which also hold where a target includes the file of another."""
        return ModuleNames({target.idl.resolve(): target.module for target in reversed(self.targets)})

    def rules_of(self, idl: Path) -> LintRules:
        """Returns the lint rules of an IDL file: its target's, or the manifest's where no target is made from it."""
        return next((target.lint for target in self.targets if target.idl.resolve() == idl.resolve()), self.lint)


def default_manifest(folder: Path = Path()) -> Path:
    """Returns the path of a project's manifest: ``[tool.lakecodec] manifest`` in pyproject.toml, else idl/lakecodec.yaml."""
    project = folder / "pyproject.toml"
    settings = tomllib.loads(project.read_text(encoding="utf-8")) if project.is_file() else {}
    named: str = settings.get("tool", {}).get("lakecodec", {}).get("manifest", "idl/lakecodec.yaml")
    return folder / named


def load_manifest(path: str | os.PathLike[str], diagnostics: Diagnostics) -> Manifest:
    """Returns the manifest at ``path``; paths in it are relative to its own folder.

    Raises:
        IdlError: keys, types or paths are wrong; the exception lists them all.
        FileNotFoundError: there is no such manifest.
    """
    place = Path(path)
    text = place.read_text(encoding="utf-8")
    diagnostics.add_source(str(place), text)
    manifest = _Reader(place, diagnostics).read(text)
    diagnostics.raise_errors()
    return manifest


def _switched(rule: str, on: bool) -> bool | FieldStyle:
    return ("snake_case" if on else "any") if rule == "field_names" else on


class _Reader:
    def __init__(self, path: Path, diagnostics: Diagnostics) -> None:
        self._path = path
        self._diagnostics = diagnostics

    def read(self, text: str) -> Manifest:
        manifest = Manifest([], self._path.parent)
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            self._diagnostics.error(f"not YAML: {error.problem}", Location(str(self._path), line, column))
            return manifest
        if root is None:
            self._diagnostics.error("the manifest is empty; it needs 'output' and 'targets'", self._start())
            return manifest
        found = self._mapping(
            root,
            required=("output", "targets"),
            optional=("include_paths", "runtime", "lint", "formats", "breaking", "allow_extern"),
        )
        rules = self._rules(found.get("lint"), LintRules())
        return Manifest(
            targets=list(self._targets(found.get("targets"), rules)),
            output=self._folder(found.get("output")) or self._path.parent,
            include_paths=[path for node in self._list(found.get("include_paths")) if (path := self._existing(node))],
            runtime=self._text(found.get("runtime")) or PROJECT_RUNTIME,
            lint=rules,
            formats=[path for node in self._list(found.get("formats")) if (path := self._existing(node))],
            breaking=self._breaking(found.get("breaking")),
            allow_extern=self._texts(found.get("allow_extern")),
        )

    # ---- parts of the manifest ----

    def _targets(self, node: yaml.Node | None, rules: LintRules) -> Iterator[Target]:
        names: set[str] = set()
        for item in self._list(node):
            found = self._mapping(item, required=("idl",), optional=("module", "options", "lint"))
            idl = self._existing(found.get("idl"), file=True)
            if idl is None:
                continue
            name = self._text(found.get("module")) or module_name(idl.stem)
            name_node = found.get("module", found["idl"])
            if not is_module_name(name):
                self._error(f"'{name}' cannot be the name of a Python module", name_node)
            elif name in names:
                self._error(f"two targets make the module '{name}'", name_node)
            names.add(name)
            options = found.get("options")
            settings = {} if options is None else self._mapping(options, optional=("runtime",))
            texts = {key: self._text(value) or "" for key, value in settings.items()}
            yield Target(idl, name, texts, self._rules(found.get("lint"), rules))

    def _rules(self, node: yaml.Node | None, base: LintRules) -> LintRules:
        if node is None:
            return base
        found = self._mapping(node, optional=[*(rule.name for rule in fields(LintRules)), *CATEGORIES])
        for category, rules in CATEGORIES.items():
            if (switch := found.pop(category, None)) is not None:
                on = self._boolean(switch)
                switched: dict[str, Any] = {rule: _switched(rule, on) for rule in rules if on is not None}
                base = replace(base, **switched)
        style_node = found.pop("field_names", None)
        values: dict[str, Any] = {name: self._boolean(value) for name, value in found.items()}
        if style_node is not None:
            values["field_names"] = self._field_style(style_node)
        return replace(base, **{name: value for name, value in values.items() if value is not None})

    def _breaking(self, node: yaml.Node | None) -> BreakingRules:
        """Returns the rules of a mapping, or of the short form: a list of allowed changes."""
        if node is None or isinstance(node, yaml.SequenceNode):
            return BreakingRules(allow=tuple(self._texts(node)))
        found = self._mapping(node, optional=("categories", "allow", "ignore", "baseline"))
        categories = self._list(found.get("categories"))
        for each in categories:
            if each.value not in BREAKING_CATEGORIES:
                self._error(f"expected one of {', '.join(BREAKING_CATEGORIES)}", each)
        ignore = found.get("ignore")
        paths: list[tuple[yaml.Node, yaml.Node]] = ignore.value if isinstance(ignore, yaml.MappingNode) else []
        if ignore is not None and not isinstance(ignore, yaml.MappingNode):
            self._wrong_type(ignore, "a mapping")
        return BreakingRules(
            tuple(str(each.value) for each in categories),
            tuple(self._texts(found.get("allow"))),
            {str(path.value): tuple(self._texts(patterns)) for path, patterns in paths},
            self._folder(found.get("baseline")),
        )

    def _field_style(self, node: yaml.Node) -> FieldStyle | None:
        if isinstance(node, yaml.ScalarNode) and node.value in get_args(FieldStyle):
            return cast(FieldStyle, node.value)
        self._error(f"expected one of {', '.join(get_args(FieldStyle))}", node)
        return None

    def _existing(self, node: yaml.Node | None, *, file: bool = False) -> Path | None:
        path = self._folder(node)
        if path is None or node is None:
            return None
        if not (path.is_file() if file else path.is_dir()):
            self._error(f"there is no {'file' if file else 'folder'} '{node.value}'", node)
            return None
        return path

    def _folder(self, node: yaml.Node | None) -> Path | None:
        text = self._text(node)
        return None if text is None else Path(os.path.normpath(self._path.parent / text))

    # ---- YAML nodes of the right type ----

    def _mapping(
        self, node: yaml.Node, *, required: Sequence[str] = (), optional: Sequence[str] = ()
    ) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            self._wrong_type(node, "a mapping")
            return {}
        known = [*required, *optional]
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if name not in known:
                self._error(f"unknown key '{name}'; known keys are {', '.join(known)}", key)
            elif name in found:
                self._error(f"the key '{name}' appears twice", key)
            else:
                found[name] = value
        for name in required:
            if name not in found:
                self._error(f"the key '{name}' is missing", node)
        return found

    def _list(self, node: yaml.Node | None) -> list[yaml.Node]:
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self._wrong_type(node, "a list")
            return []
        return list(node.value)

    def _texts(self, node: yaml.Node | None) -> list[str]:
        return [text for each in self._list(node) if (text := self._text(each))]

    def _text(self, node: yaml.Node | None) -> str | None:
        if node is None:
            return None
        if node.tag != "tag:yaml.org,2002:str":
            self._wrong_type(node, "a text")
            return None
        return str(node.value)

    def _boolean(self, node: yaml.Node) -> bool | None:
        if node.tag != "tag:yaml.org,2002:bool":
            self._wrong_type(node, "true or false")
            return None
        return str(node.value).lower() in ("true", "yes", "on")

    # ---- errors ----

    def _wrong_type(self, node: yaml.Node, wanted: str) -> None:
        found = _TAGS.get(node.tag.rpartition(":")[2], node.tag)
        self._error(f"expected {wanted}, found {found}", node)

    def _error(self, message: str, node: yaml.Node) -> None:
        start, end = node.start_mark, node.end_mark
        length = end.column - start.column if end.line == start.line else 1
        self._diagnostics.error(message, Location(str(self._path), start.line + 1, start.column + 1, max(1, length)))

    def _start(self) -> Location:
        return Location(str(self._path), 1, 1)
