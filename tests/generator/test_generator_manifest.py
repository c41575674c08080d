"""The manifest: what it says, and a diagnostic with a place for all that is wrong in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lakecodec.generator.diagnostics import Diagnostics, IdlError
from lakecodec.generator.lint import LintRules
from lakecodec.generator.manifest import Manifest, load_manifest

from ..paths import SPECS

GOOD = """\
output: ../out
runtime: some.runtime
include_paths: [., more]
lint: {docs: false}
formats: [more]
targets:
  - idl: one.idl
  - idl: more/two.idl
    module: second
    options: {runtime: ..other}
    lint: {field_names: camelCase, id_order: off}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "idl"
    (place / "more").mkdir(parents=True)
    (place / "one.idl").write_text("struct One {}")
    (place / "more" / "two.idl").write_text("struct Two {}")
    return place


def read(folder: Path, text: str) -> Manifest:
    (folder / "lakecodec.yaml").write_text(text)
    return load_manifest(folder / "lakecodec.yaml", Diagnostics())


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(IdlError) as raised:
        read(folder, text)
    return [f"{item.location.line}:{item.location.column} {item.message}" for item in raised.value.diagnostics]


def test_good_manifest(folder: Path) -> None:
    manifest = read(folder, GOOD)
    one, two = manifest.targets
    assert manifest.formats == [folder / "more"]
    assert (one.idl, one.module, one.options) == (folder / "one.idl", "one", {})
    assert (two.idl, two.module, two.options) == (folder / "more/two.idl", "second", {"runtime": "..other"})
    assert manifest.output == folder.parent / "out"
    assert manifest.include_paths == [folder, folder / "more"]
    assert manifest.runtime == "some.runtime"
    assert one.lint == LintRules(docs=False)
    assert two.lint == LintRules(docs=False, field_names="camelCase", id_order=False)
    assert manifest.rules_of(folder / "more" / ".." / "more" / "two.idl") == two.lint
    assert manifest.rules_of(folder / "unlisted.idl") == LintRules(docs=False)
    assert manifest.with_output(Path("elsewhere")).output == Path("elsewhere")


def test_defaults(folder: Path) -> None:
    manifest = read(folder, "output: .\ntargets: []\n")
    assert manifest == Manifest([], folder, [], "..runtime", LintRules())


def test_manifest_of_files() -> None:
    manifest = Manifest.of_files({"one": Path("one.idl")}, output=Path("out"), include_paths=[Path("more")])
    assert [(target.module, target.idl) for target in manifest.targets] == [("one", Path("one.idl"))]
    assert (manifest.output, manifest.include_paths, manifest.runtime) == (
        Path("out"),
        [Path("more")],
        "lakecodec.runtime",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("output: .\ntarget: []\n", ["1:1 the key 'targets' is missing", "2:1 unknown key 'target'; known keys are "]),
        ("output: .\noutput: .\ntargets: []\n", ["2:1 the key 'output' appears twice"]),
        ("output: 3\ntargets: []\n", ["1:9 expected a text, found a number"]),
        ("output: .\ntargets: one.idl\n", ["2:10 expected a list, found a text"]),
        ("output: .\ntargets:\n  - one.idl\n", ["3:5 expected a mapping, found a text"]),
        ("output: .\ntargets:\n  - idl: absent.idl\n", ["3:10 there is no file 'absent.idl'"]),
        ("output: .\ntargets:\n  - idl: more\n", ["3:10 there is no file 'more'"]),
        ("output: .\ntargets:\n  - module: one\n", ["3:5 the key 'idl' is missing"]),
        ("output: .\ntargets:\n  - idl: one.idl\n    modul: x\n", ["4:5 unknown key 'modul'; known keys are "]),
        (
            "output: .\ntargets:\n  - idl: one.idl\n    module: a-b\n",
            ["4:13 'a-b' cannot be the name of a Python module"],
        ),
        (
            "output: .\ntargets:\n  - idl: one.idl\n  - idl: more/two.idl\n    module: one\n",
            ["5:13 two targets make the module 'one'"],
        ),
        (
            "output: .\ntargets:\n  - idl: one.idl\n    options: {fast: true}\n",
            ["4:15 unknown key 'fast'; known keys are runtime"],
        ),
        ("output: .\ninclude_paths: [absent]\ntargets: []\n", ["2:17 there is no folder 'absent'"]),
        ("output: .\nlint: {doc: true}\ntargets: []\n", ["2:8 unknown key 'doc'; known keys are type_names"]),
        ("output: .\nlint: {docs: maybe}\ntargets: []\n", ["2:14 expected true or false, found a text"]),
        (
            "output: .\nlint: {field_names: Pascal}\ntargets: []\n",
            ["2:21 expected one of snake_case, camelCase, any"],
        ),
        ("output: [\n", ["2:1 not YAML: "]),
        ("- a\n", ["1:1 expected a mapping, found a list"]),
        ("# nothing\n", ["1:1 the manifest is empty; it needs 'output' and 'targets'"]),
    ],
)
def test_wrong_manifests(folder: Path, text: str, expected: list[str]) -> None:
    found = problems(folder, text)
    assert len(found) >= len(expected)
    for message, start in zip(found, expected, strict=False):
        assert message.startswith(start)


def test_the_line_is_shown_with_a_caret(folder: Path) -> None:
    with pytest.raises(IdlError) as raised:
        read(folder, "output: .\ntargets:\n  - idl: absent.idl\n")
    assert str(raised.value).splitlines() == [
        f"{folder / 'lakecodec.yaml'}:3:10: there is no file 'absent.idl'",
        "      - idl: absent.idl",
        "             ^^^^^^^^^^",
    ]


def test_a_manifest_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_manifest(tmp_path / "absent.yaml", Diagnostics())


def test_the_projects_own_manifest() -> None:
    manifest = load_manifest(SPECS / "lakecodec.yaml", Diagnostics())
    modules = {target.module: target.idl.name for target in manifest.targets}
    assert modules["parquet"] == "parquet.idl"
    assert modules["parquet_file"] == "parquet_file.idl"
    assert manifest.output.resolve() == (SPECS.parent / "generated").resolve()
    assert manifest.runtime == "..runtime"
