"""Modules of trees of includes: files of one name, names that Python cannot import, types that are reached indirectly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.module_names import ModuleNames, module_name
from lakecodec.generator.project import apply, changes, explicit_manifest, wanted_files

from ..runtime.compact.fixtures import each_backend  # noqa: F401

TREE = {
    "x/a.thrift": "struct P { 1: i32 from_x } enum E { X, Y }",
    "y/a.thrift": "struct P { 1: string from_y } struct Q { 1: i32 q }",
    "y.thrift": 'include "y/a.thrift" struct Y { 1: a.P p } typedef a.Q Far',
    "m.thrift": 'include "x/a.thrift" include "y.thrift" struct M { 1: a.P p; 2: y.Y y; 3: y.Far far = {"q": 4} }',
    "a.thrift": 'include "x/a.thrift" struct A { 1: a.P p; 2: a.E e = a.E.Y }',
    "both.thrift": 'include "x/a.thrift" include "y/a.thrift" struct B { 1: a.E e = a.E.Y; 2: a.Q q; 3: a.P p }',
    "outer.thrift": 'include "m.thrift" const m.M EMPTY = {"far": {"q": 5}} struct O { 1: m.M m = {"far": {"q": 6}} }',
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def read_again(value: Any) -> Any:
    return type(value).from_bytes(value.to_bytes())


@pytest.mark.usefixtures("each_backend")
def test_files_of_one_name_are_different_modules(tree: Path) -> None:
    module: Any = compile_idl(tree / "m.thrift")
    inner: Any = sys.modules[module.__name__.rpartition(".")[0]]
    value = module.M(p=inner.a.P(from_x=1), y=inner.y.Y(p=inner.y_a.P(from_y="one")))
    again = read_again(value)
    assert (again.p.from_x, again.y.p.from_y, again.far.q) == (1, "one", 4)


@pytest.mark.usefixtures("each_backend")
def test_a_file_includes_one_of_its_own_name(tree: Path) -> None:
    module: Any = compile_idl(tree / "a.thrift")
    assert read_again(module.A()).e.name == "Y"
    assert sys.modules[module.__name__.rpartition(".")[0]].x_a.P(from_x=3).to_bytes() == b"\x15\x06\0"  # type: ignore[attr-defined]


@pytest.mark.usefixtures("each_backend")
def test_one_prefix_for_two_files(tree: Path) -> None:
    """Thrift looks into both; of a name that both define, the later file's is taken."""
    module: Any = compile_idl(tree / "both.thrift")
    inner: Any = sys.modules[module.__name__.rpartition(".")[0]]
    value = read_again(module.B(q=inner.y_a.Q(q=1), p=inner.y_a.P(from_y="two")))
    assert (value.e.name, value.q.q, value.p.from_y) == ("Y", 1, "two")


@pytest.mark.usefixtures("each_backend")
def test_types_that_are_reached_through_others(tree: Path) -> None:
    module: Any = compile_idl(tree / "outer.thrift")
    assert (module.EMPTY.far.q, read_again(module.O()).m.far.q) == (5, 6)


@pytest.mark.parametrize("name", ["a-b", "a.b", "2x", "import", "class", "rt", "spec", "m", "_a", "__init__", "é", "-"])
@pytest.mark.usefixtures("each_backend")
def test_any_name_of_a_file(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.thrift").write_text("struct T { 1: i32 x }")
    (tmp_path / "main.thrift").write_text(f'include "{name}.thrift" struct S {{ 1: i32 x = 2 }}')
    assert read_again(compile_idl(tmp_path / f"{name}.thrift").T(x=1)).x == 1  # type: ignore[attr-defined]
    assert read_again(compile_idl(tmp_path / "main.thrift").S()).x == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["class", "a b", "2x", ""])
def test_names_that_are_given(name: str) -> None:
    with pytest.raises(ValueError, match=r"^name: "):
        compile_idl("struct A {}", name=name)


def test_names_do_not_depend_on_what_else_is_generated(tree: Path) -> None:
    """Files of one call agree on the names of what they share, and the modules import."""
    files = [tree / name for name in ("m.thrift", "outer.thrift", "both.thrift")]
    manifest = explicit_manifest(files, tree / "out")
    assert {target.module: target.idl for target in manifest.targets} == {
        "a": tree / "x/a.thrift",
        "y_a": tree / "y/a.thrift",
        "y": tree / "y.thrift",
        "m": tree / "m.thrift",
        "outer": tree / "outer.thrift",
        "both": tree / "both.thrift",
    }
    wanted = wanted_files(manifest, Diagnostics())
    apply(wanted, changes(manifest, wanted))
    imports = "import sys; sys.path.insert(0, ''); import out.outer, out.both"
    program = f"{imports}; assert out.outer.EMPTY.far.q == 5; print(out.both.B().e.name)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tree, capture_output=True, text=True, check=True)
    assert done.stdout == "Y\n"


def test_module_names() -> None:
    names = ModuleNames()
    files = [Path("/x/a.thrift"), Path("/y/a.thrift"), Path("/z/y/a.thrift"), Path("/a-b.thrift"), Path("/a.b.thrift")]
    assert [names.of(path) for path in files] == ["a", "y_a", "z_y_a", "a_b", "a_b_"]
    assert [names.of(path) for path in files] == ["a", "y_a", "z_y_a", "a_b", "a_b_"]
    assert names.of(Path("/other.thrift"), "mine") == "mine"
    assert [module_name(stem) for stem in ("parquet", "2x", "import", "__init__")] == [
        "parquet",
        "idl_2x",
        "import_",
        "init",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_files_whose_names_are_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "a\udcff.idl"
    file.write_text("record A { u8 x; }")
    module: Any = compile_idl(file)
    assert module.A.from_bytes(b"\1").x == 1
    manifest = explicit_manifest([file], tmp_path / "out")
    wanted = wanted_files(manifest, Diagnostics())
    apply(wanted, changes(manifest, wanted))
    assert r"a\udcff.idl" in (tmp_path / "out" / "a.py").read_text()
