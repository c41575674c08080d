"""The grammar for tree-sitter: trees of examples, and every IDL of the project without an error."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ..paths import ROOT

tree_sitter = pytest.importorskip("tree_sitter", reason="tree-sitter is not installed: pip install tree-sitter")
FOLDER = ROOT / "editors" / "tree-sitter"
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile the grammar with")

#: A heading between lines of equal signs, the text, a line of dashes, the tree: the form of tree-sitter's own tests.
_EXAMPLE = re.compile(r"=+\n(?P<name>.+)\n=+\n(?P<text>[\s\S]+?)\n-{3,}\n(?P<tree>[\s\S]+?)(?=\n=+\n.+\n=+\n|\Z)")


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Any:
    library, source = tmp_path_factory.mktemp("grammar") / "idl.so", FOLDER / "src"
    command = ["gcc", "-shared", "-fPIC", "-O0", "-I", str(source), "-o", str(library), str(source / "parser.c")]
    subprocess.run(command, check=True)
    make = ctypes.cdll.LoadLibrary(str(library)).tree_sitter_lakecodec_idl
    make.restype = ctypes.c_void_p
    with pytest.warns(DeprecationWarning, match="int argument support is deprecated"):
        return tree_sitter.Language(make())


def errors(node: Any) -> Iterator[Any]:
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from errors(child)


def examples() -> dict[str, tuple[str, str]]:
    found = {}
    for path in sorted((FOLDER / "test" / "corpus").glob("*.txt")):
        for match in _EXAMPLE.finditer(path.read_text(encoding="utf-8")):
            found[f"{path.stem}: {match['name']}"] = (match["text"], match["tree"])
    return found


@pytest.mark.parametrize("name", examples())
def test_trees(language: Any, name: str) -> None:
    text, tree = examples()[name]
    found = str(tree_sitter.Parser(language).parse(text.strip("\n").encode()).root_node)
    assert found == re.sub(r"\s+", " ", tree).replace(" )", ")").strip()


def test_every_idl_has_a_tree_without_errors(language: Any) -> None:
    files = [
        path
        for folder in ("lakecodec/idl", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".idl", ".thrift") and "bad_idl" not in path.parts
    ]
    assert len(files) > 40
    parser = tree_sitter.Parser(language)
    wrong = [
        f"{path.relative_to(ROOT)}:{error.start_point[0] + 1}"
        for path in files
        for error in errors(parser.parse(path.read_bytes()).root_node)
    ]
    assert wrong == []


def test_queries_name_what_the_grammar_has(language: Any) -> None:
    text = (ROOT / "lakecodec" / "idl" / "mosaic.idl").read_bytes()
    root = tree_sitter.Parser(language).parse(text).root_node
    for path in sorted((FOLDER / "queries").glob("*.scm")):
        query = tree_sitter.Query(language, path.read_text(encoding="utf-8"))
        found = tree_sitter.QueryCursor(query).captures(root)
        assert found, path.name
    names = {node.text for node in tree_sitter.QueryCursor(query).captures(root)["name"]}
    assert b"Footer" in names


def test_words_of_extensions_are_names(language: Any) -> None:
    text = b"record value { u8 size; u8 at if size > 1; } struct S { 1: i32 record  2: required value case }"
    assert not list(errors(tree_sitter.Parser(language).parse(text).root_node))
    assert Path(FOLDER / "grammar.js").is_file()
