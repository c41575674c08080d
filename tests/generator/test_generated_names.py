"""Names that Python or the generated classes have for themselves."""

from __future__ import annotations

import ast
import keyword
from pathlib import Path

import pytest

from lakecodec import compile_idl
from lakecodec.generator.names import _VARIABLES, attribute_name
from lakecodec.runtime.records.lazy import Bytes, LazyRecord
from lakecodec.runtime.records.record import Record, Variant

from ..paths import ROOT, SPECS
from ..runtime.compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

WORDS = [
    word for word in keyword.kwlist if word not in ("from", "else", "if", "or", "and", "not", "is", "in", "for", "with")
]
TAKEN = ["read", "skip", "from_bytes", "to_bytes", "self"]
FREE = [
    "type",
    "id",
    "cls",
    "value",
    "kind",
    "raw",
    "wire",
    "data",
    "pos",
    "made",
    "buf",
    "out",
    "item",
    "int",
    "str",
    "key",
]


@pytest.mark.parametrize("name", [*WORDS, *TAKEN])
def test_fields(name: str) -> None:
    module = compile_idl(f"struct S {{ 1: optional i32 {name}; 2: required bool last; }}")
    value = module.S(**{f"{name}_": 5, "last": True})
    assert value.to_bytes() == bytes.fromhex("150a1100")
    read = module.S.from_bytes(value.to_bytes())
    assert getattr(read, f"{name}_") == 5
    assert module.S.from_bytes(value.to_bytes(), fields=[name]).last is None
    assert module.S.__spec__.fields[0].name == name


@pytest.mark.parametrize("name", FREE)
def test_names_that_stay(name: str) -> None:
    module = compile_idl(f"struct S {{ 1: list<i32> {name}; 2: required bool last; }}")
    value = module.S(**{name: [5], "last": True})
    assert getattr(module.S.from_bytes(value.to_bytes()), name) == [5]


@pytest.mark.parametrize("name", [*WORDS[:6], "kind", "value", "id", "raw", "wire", "read"])
def test_union_members(name: str) -> None:
    module = compile_idl(f"union U {{ 1: i32 {name}; }}")
    value = getattr(module.U, f"{name}_")(5)
    assert value.kind == name
    assert module.U.from_bytes(value.to_bytes()) == value


@pytest.mark.parametrize("name", ["None", "True", "class", "name", "value", "mro", "_x_"])
def test_enum_members(name: str) -> None:
    module = compile_idl(f"enum E {{ {name} = 3; }} struct S {{ 1: E e; }}")
    member = getattr(module.E, f"{name}_")
    assert member == 3
    assert module.S.from_bytes(module.S(e=member).to_bytes()).e is member


@pytest.mark.parametrize("name", ["class", "None", "int", "str", "dict", "object", "bytes", "super"])
def test_types(name: str) -> None:
    module = compile_idl(
        f"struct {name} {{ 1: list<string> texts; }} struct S {{ 1: {name} inner; 2: map<i32, {name}> m; }}"
    )
    inner = getattr(module, f"{name}_")(texts=["a"])
    value = module.S(inner=inner, m={1: inner})
    assert module.S.from_bytes(value.to_bytes()) == value


def _words_of_the_runtime() -> list[str]:
    """Returns the parameters of functions that take keywords, and what the base classes of records have for themselves."""
    words = {name for cls in (Record, LazyRecord, Variant) for name in dir(cls) if not name.startswith("__")}
    for path in (SPECS.parent / "runtime").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.arguments) and node.kwarg is not None:
                words |= {each.arg for each in (*node.posonlyargs, *node.args, *node.kwonlyargs, node.kwarg)}
    return sorted(words - {*keyword.kwlist, "namespace", "optional"})


@pytest.mark.parametrize(
    ("body", "data"),
    [
        ("record R# { u8 @; u16 x_; }", "010203"),
        ("record R# { u8 @ = count(x_); u8 x_[@]; u8 y_ if @ > 1; }", "0102"),
        ("record R# { u8 x_; u8 @ at x_; }", "0102"),
        ("record R# { u8 x_ { @ : 3 where @ < 5; y_ : 5; } }", "01"),
        ("record Q#(u8 @) { u8 a_ if @ > 0; } record R# { u8 x_; Q#(x_) q_; }", "0102"),
        ("variant V#(u8 t_) on t_ { 1: A { u8 @; u8 z_[@]; }; } record R# { u8 t_ = tag(v_); V#(t_) v_; }", "010102"),
    ],
)
def test_records_take_the_words_of_the_runtime(body: str, data: str) -> None:
    words = _words_of_the_runtime()
    bodies = (body.replace("#", str(number)).replace("@", word) for number, word in enumerate(words))
    module = compile_idl(" ".join(bodies))
    for number, word in enumerate(words):
        cls = getattr(module, f"R{number}")
        value = cls.from_bytes(bytes.fromhex(data))
        assert cls.from_dict(value.to_dict()) == value.replace() == value, word
        assert value.to_bytes() == bytes.fromhex(data), word


def test_changed_names_are_unique() -> None:
    module = compile_idl(
        "struct S { 1: i32 from; 2: i32 from_; 3: i32 __a; 4: i32 _a; 5: i32 a__; 6: i32 read; 7: i32 _rt = 7 }"
    )
    attributes = [field.attr for field in module.S.__spec__.fields]
    assert attributes == ["from__", "from_", "a___", "_a", "a__", "read_", "_rt_"]
    value = module.S(**{name: number for number, name in enumerate(attributes)})
    read = module.S.from_bytes(value.to_bytes())
    assert [getattr(read, name) for name in attributes] == list(range(7))


def test_changed_names_of_types_are_unique() -> None:
    module = compile_idl(
        "struct None { 1: i32 a } struct None_ { 1: None b } enum class { A } struct _rt { 1: class e = class.A }"
        "const i32 int = 1 const i32 int_ = 2 struct int { 1: i32 x } const _rt DEFAULT = {}"
    )
    value = module.None_(b=module.None__(a=5))
    assert module.None_.from_bytes(value.to_bytes()) == value
    assert (module.int__, module.int___, module.int_.__spec__.name) == (1, 2, "int")
    assert module._rt_().e is module.class_.A


def test_changed_names_of_members_are_unique() -> None:
    module = compile_idl(
        "enum E { None, None_, __a, mro, mro_, _x_, __init__ } union U { 1: i32 kind; 2: i32 kind_; 3: i32 _member; 4: i32 __x }"
    )
    assert [each.name for each in module.E] == ["None__", "None_", "a__", "mro__", "mro_", "_x__", "__init___"]
    for name, kind in {"kind__": "kind", "kind_": "kind_", "_member_": "_member", "x__": "__x"}.items():
        value = getattr(module.U, name)(5)
        assert value.kind == kind
        assert module.U.from_bytes(value.to_bytes()) == value


@pytest.mark.parametrize("name", ["out", "value", "at", "start", "self", "cls", "class", "read"])
def test_record_fields(name: str) -> None:
    derived = compile_idl(f"record R : little {{ u8 {name} = size(tail); bytes tail[{name}]; }}")
    data = derived.R(tail=b"abc").to_bytes()
    assert data == b"\3abc"
    field = derived.R.__spec__.fields[0]
    assert getattr(derived.R.from_bytes(data), field.attr) == 3
    given = compile_idl(f"record R : little {{ u8 {name}; u8 last where last > {name}; }}").R
    assert given(**{given.__spec__.fields[0].attr: 1, "last": 2}).to_bytes() == b"\1\2"


@pytest.mark.parametrize(
    ("base", "given"), [(Record, {}), (LazyRecord, {"located": True}), (Variant, {"variant": True})]
)
def test_the_names_of_methods_are_taken(base: type, given: dict[str, bool]) -> None:
    public = {name for name in dir(base) if not name.startswith("_")}
    assert {"read" if base is Record else "from_bytes", "to_bytes"} <= public
    for name in public:
        assert attribute_name(name, **given) == f"{name}_"


@pytest.mark.parametrize("name", ["place", "struct_of_arrays", "span"])
def test_fields_of_located_records(name: str) -> None:
    module = compile_idl(f"record File {{ bytes {name}[2] at 1; bytes magic[1] at 0; }}")
    file = module.File.open(Bytes(b"?ab"))
    assert getattr(file, f"{name}_") == b"ab"
    assert file.span("magic") == (0, 1)


def test_names_that_join_to_the_same_stay_apart() -> None:
    """`A.b_c` and `A_b.c`: what the pure module calls their types and defaults differs."""
    module = compile_idl(
        "struct A { 1: map<i32, i32> b_c; 2: list<E> d_e = [E.X] } struct A_b { 1: set<string> c } enum E { X, Y }"
        "struct A_d { 1: list<E> e = [E.Y] }"
    )
    for value in (module.A(b_c={1: 2}), module.A_b(c={"x"})):
        assert type(value).from_bytes(value.to_bytes()) == value
    assert (module.A.from_bytes(b"\0").d_e, module.A_d.from_bytes(b"\0").e) == ([module.E.X], [module.E.Y])


@pytest.mark.parametrize("name", sorted(_VARIABLES - {"tag"}))
def test_functions_named_as_variables_of_methods(name: str) -> None:
    module = compile_idl(
        f"""record Part(u8 k) {{ u8 a where a < {name}(k) else "too large"; }}
        fn {name}(u8 k) -> u8 = k + 3;
        record R : little {{ u8 n = count(parts); Part({name}(n)) parts[n]; u8 more[i < {name}(n)] if n > {name}(i) - 3; }}"""
    )
    value = module.R(parts=[module.Part(a=1), module.Part(a=2)], more=[7, 7, None, None, None])
    assert module.R.from_bytes(value.to_bytes()) == value


@pytest.mark.parametrize("path", sorted((ROOT / "lakecodec/generated").glob("[!_]*.py")), ids=lambda path: path.stem)
def test_methods_have_no_variable_named_as_a_definition(path: Path) -> None:
    tree = ast.parse(path.read_text())
    defined = {each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    for method in ast.walk(tree):
        if isinstance(method, ast.FunctionDef):
            names = {
                each.id for each in ast.walk(method) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
            assert not defined & (names | {each.arg for each in method.args.args}), method.name


@pytest.mark.parametrize("name", sorted(_VARIABLES - {"self"}))
def test_constants_and_structs_named_as_variables(name: str) -> None:
    for kind, text in (
        ("const", f"const i32 {name} = 3; record R {{ u8 n = count(x); u8 x[n]; u8 a where a == {name}; }}"),
        ("struct", f"struct {name} {{ 1: i32 v }} record R {{ u8 n = count(x); u8 x[n]; {name} s via compact; }}"),
        ("message", f"message {name} {{ 1: int32 v; }} record R {{ u8 n = size(s); {name} s size n via protobuf; }}"),
    ):
        module = compile_idl(text)
        data = bytes.fromhex({"const": "0107 03", "struct": "0107 1506 00", "message": "02 0803"}[kind])
        assert module.R.from_bytes(data).to_bytes() == data
