"""docs/security.md lists every place of the product that can run code which it does not name itself: no more, no less."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..paths import ROOT

PAGE = ROOT / "docs/security.md"
PACKAGES = (
    "lakecodec",
    "pyspark_lakecodec",
    "pyspark_lakecodec_lake",
    "pyspark_lakecodec_mosaic",
    "pyspark_lakecodec_paimon",
    "pyspark_lakecodec_query",
)
#: Modules of which every use is listed, whatever it is called.
MODULES = {"pickle", "cloudpickle", "dill", "marshal", "shelve", "runpy", "subprocess", "ctypes", "code", "pty"}
#: What is listed of modules that have harmless things too.
MEMBERS = {
    "importlib": {"import_module", "__import__", "reload"},
    "importlib.util": {"module_from_spec", "spec_from_file_location"},
    "importlib.machinery": {"SourceFileLoader", "ExtensionFileLoader"},
    "builtins": {"eval", "exec", "compile", "__import__"},
    "os": {"system", "popen", "startfile", "fork", "posix_spawn"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
    "multiprocessing": {"Process", "Pool"},
    "jinja2": {"Environment", "Template"},
    "jinja2.sandbox": {"SandboxedEnvironment"},
    "yaml": {"load", "load_all", "unsafe_load", "full_load", "Loader", "UnsafeLoader", "FullLoader"},
    "lark.Lark": {"load", "open", "open_from_package"},
    "tempfile": {"mktemp", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryDirectory", "gettempdir"},
    "lakecodec.generator.kept": {"read", "write", "KeptIdl"},
}


class Uses(ast.NodeVisitor):
    """Collects what a module uses of `MODULES` and `MEMBERS`, under whatever name it imported it."""

    def __init__(self, package: str) -> None:
        self.found: set[str] = set()
        self._package = package.split(".")
        self._known = {name: f"builtins.{name}" for name in MEMBERS["builtins"]}

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            known = each.name if each.asname else each.name.partition(".")[0]
            self._known[each.asname or known] = known

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        above = self._package[: len(self._package) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        for each in node.names:
            self._known[each.asname or each.name] = f"{module}.{each.name}"

    def visit_Name(self, node: ast.Name) -> None:
        self._use(self._known.get(node.id, ""))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._use(self._path(node))
        self.generic_visit(node)

    def _path(self, node: ast.expr) -> str:
        if isinstance(node, ast.Attribute):
            above = self._path(node.value)
            return f"{above}.{node.attr}" if above else ""
        return self._known.get(node.id, "") if isinstance(node, ast.Name) else ""

    def _use(self, path: str) -> None:
        module, _, name = path.rpartition(".")
        if module in MODULES or name in MEMBERS.get(module, ()) or (module == "os" and name.startswith("exec")):
            short = module.rpartition(".")[2]
            bare = module in {"builtins", "importlib", "jinja2", "tempfile"}
            self.found.add(name if bare else f"{short}.{name}")


def uses_of(text: str, package: str = "lakecodec") -> set[str]:
    tree, found = ast.parse(text), Uses(package)
    # Imports inside functions come before uses of a function above them.
    for kind in (ast.Import, ast.ImportFrom):
        for node in ast.walk(tree):
            if isinstance(node, kind):
                found.visit(node)
    found.visit(tree)
    return found.found


def used() -> Iterator[tuple[str, str]]:
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        yield from (
            (name, each) for each in uses_of(path.read_text("utf-8"), Path(name).parent.as_posix().replace("/", "."))
        )


def listed() -> Iterator[tuple[str, str]]:
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [each.strip() for each in line.strip("|").split("|")]
        if line.startswith("| `lakecodec/"):
            names, uses, what, writer = cells
            assert what, line
            assert writer, line
            for name in re.findall(r"`([^`]+)`", names):
                yield from ((name, use) for use in re.findall(r"`([^`]+)`", uses))


def test_the_page_lists_every_place_that_can_run_code() -> None:
    rows = list(listed())
    assert len(rows) == len(set(rows))
    there, said = set(used()), set(rows)
    assert not there - said, f"say in {PAGE.name} who may write what these run: {sorted(there - said)}"
    assert not said - there, f"no longer in the product: {sorted(said - there)}"


def test_the_security_policy_links_the_page() -> None:
    assert "docs/security.md" in (ROOT / "SECURITY.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from importlib import import_module as there\nthere(name)", "import_module"),
        ("import importlib\nimportlib.import_module(name)", "import_module"),
        ("import importlib as i\nf = i.import_module", "import_module"),
        ("__import__(name)", "__import__"),
        ("import builtins\nbuiltins.exec(text)", "exec"),
        ("def f():\n    g()\ndef g():\n    import pickle\n    return pickle.loads", "pickle.loads"),
        ("from pickle import Unpickler\nUnpickler(file)", "pickle.Unpickler"),
        ("from lark import Lark\nLark.load(file)", "Lark.load"),
        ("from jinja2 import Environment\nEnvironment()", "Environment"),
        ("import yaml\nyaml.load(text, yaml.Loader)", "yaml.load yaml.Loader"),
        ("from ..generator import kept\nkept.read(key)", "kept.read"),
        ("import os\nos.execv(path, [])", "os.execv"),
        ("import re, yaml, json\nre.compile(x), yaml.safe_load(x), json.load(x)", ""),
    ],
)
def test_uses_are_found_under_any_name(text: str, found: str) -> None:
    assert uses_of(text, "lakecodec.convert") == set(found.split())
