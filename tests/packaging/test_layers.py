"""Packages import only packages of lower layers, in the order that pyproject.toml gives; modules import in no circle."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from ..paths import ROOT

PACKAGE = "lakecodec"
#: Circles of modules that are one recursion, by the import that closes each.
RECURSION = {
    # The native reader makes instances of records; their programs name the classes, which ask which reader there is.
    ("lakecodec.runtime.records.native", "lakecodec.runtime.records.programs"),
    # The pure codec makes readers of classes when they are needed, and those ask which codec there is.
    ("lakecodec.runtime.compact.pure", "lakecodec.runtime.compact.methods"),
}


def modules(root: Path) -> dict[str, Path]:
    found = {}
    for path in root.glob(f"{PACKAGE}/**/*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def statements(tree: ast.AST, is_face: bool) -> Iterator[ast.AST]:
    """Yields all nodes, inside of functions as well; those below ``if TYPE_CHECKING`` only of an ``__init__.py``.

    There they repeat the names that the package imports when they are asked for.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and not is_face:
            for each in node.orelse:
                yield from (each, *statements(each, is_face))
            continue
        yield from (node, *statements(node, is_face))


def beginning(node: ast.expr) -> str:
    """The text that an expression begins with, of an f-string up to its first value."""
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def imported(name: str, path: Path) -> Iterator[str]:
    """Yields the full names of what a module imports, as ``from``, ``import`` or `import_module` name it."""
    is_face = path.name == "__init__.py"
    parts = name.split(".") if is_face else name.split(".")[:-1]
    for node in statements(ast.parse(path.read_text("utf-8")), is_face and name != PACKAGE):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*parts[: len(parts) + 1 - node.level]] if node.level else []
            base += [node.module] if node.module else []
            yield from (".".join((*base, each.name)) for each in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args:
            text = beginning(node.args[0])
            level = len(text) - len(text.lstrip("."))
            # A name that callers give, as those of compiled modules, is theirs.
            if text.strip(".") not in ("", PACKAGE):
                yield ".".join((*(parts[: len(parts) + 1 - level] if level else []), text.strip(".")))


def graph(root: Path) -> dict[str, set[str]]:
    """The modules that each module imports; of a name, the longest beginning that is a module."""
    known = modules(root)
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        found[name] = set()
        for each in imported(name, path):
            while each and each not in known:
                each = each.rpartition(".")[0]
            found[name] |= {each} - {"", name}
    return found


def layer_of(name: str, order: list[list[str]]) -> int:
    """The number of a module's layer; above all are the package itself and the command."""
    part = name.removeprefix(PACKAGE).lstrip(".").partition(".")[0]
    return next((number for number, layer in enumerate(order) if part in layer), -1) if part else len(order)


def upward(found: Mapping[str, set[str]], order: list[list[str]]) -> list[str]:
    """The imports of another package that is not in a lower layer."""
    wrong = []
    for name, needed in found.items():
        for each in needed:
            same = name.split(".")[1:2] == each.split(".")[1:2]
            if not same and layer_of(name, order) <= layer_of(each, order):
                wrong.append(f"{name} imports {each}")
    return sorted(wrong)


def circle(found: Mapping[str, set[str]]) -> list[str]:
    """The modules of a circle, none without one."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.fixture(scope="module")
def real() -> dict[str, set[str]]:
    return graph(ROOT)


@pytest.fixture(scope="module")
def order() -> list[list[str]]:
    layers: list[list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["layers"]["order"]
    return layers


def test_packages_import_lower_layers(real: dict[str, set[str]], order: list[list[str]]) -> None:
    assert not upward(real, order)


def test_every_package_has_one_layer(real: dict[str, set[str]], order: list[list[str]]) -> None:
    assert sorted(each for layer in order for each in layer) == sorted(
        {name.split(".")[1] for name in real if "." in name}
    )


def test_modules_import_in_no_circle(real: dict[str, set[str]]) -> None:
    assert not circle(
        {name: {each for each in needed if (name, each) not in RECURSION} for name, needed in real.items()}
    )


def test_listed_recursions_are_circles(real: dict[str, set[str]]) -> None:
    for name, needed in RECURSION:
        rest = RECURSION - {(name, needed)}
        assert circle({each: {to for to in real[each] if (each, to) not in rest} for each in real}), (name, needed)


@pytest.mark.parametrize(
    "text",
    [
        "from lakecodec.high import b",
        "import lakecodec.high.b",
        "from ..high.b import name",
        "def f():\n    from ..high import b",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from .. import high",
        "import_module('..high.b', __package__)",
        "def f(x):\n    return importlib.import_module(f'..high.{x}', __package__)",
    ],
)
def test_an_upward_import_is_found(tmp_path: Path, text: str) -> None:
    for name, content in {"low/a": text, "high/b": "", "high/__init__": "", "low/__init__": "", "__init__": ""}.items():
        path = tmp_path / PACKAGE / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (wrong,) = upward(graph(tmp_path), [["low"], ["high"]])
    assert wrong.startswith("lakecodec.low.a imports lakecodec.high")
    assert not upward(graph(tmp_path), [["high"], ["low"]])
    (tmp_path / PACKAGE / "high/b.py").write_text("from ..low import a")
    assert circle(graph(tmp_path)) or "high.b" not in wrong


def test_what_types_need_is_left_out_but_on_a_face(tmp_path: Path) -> None:
    text = "if TYPE_CHECKING:\n    from lakecodec.high.b import name"
    for name, content in {"low/a": text, "high/b": "", "low/__init__": ""}.items():
        path = tmp_path / PACKAGE / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    assert not upward(graph(tmp_path), [["low"], ["high"]])
    (tmp_path / PACKAGE / "low/__init__.py").write_text(text)
    assert upward(graph(tmp_path), [["low"], ["high"]])
