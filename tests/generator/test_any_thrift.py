"""Random Thrift files: each is refused with IdlError, or its modules import and its empty values are written and read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec import EncodeError, IdlError, compile_idl
from lakecodec.generator.words import THRIFT_KEYWORDS

NAMES = st.sampled_from([
    "A", "B", "C", "a", "b", "a_", "__a", "_a", "None", "None_", "from", "from_", "class", "int", "int_", "read", "self", "kind",
    "value", "record", "table", "case", "size", "_rt", "_spec", "field", "list", "enum", "Optional", "__init__", "_x_", "mro",
])  # fmt: skip
NUMBERS = st.one_of(
    st.integers(-3, 5),
    st.sampled_from([127, 128, 200, 255, 256, 32767, 32768, 65536, 0xFFFFFFFF, 2**63 - 1, 2**63, -(2**31)]),
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters='"\\\n\r'), max_size=40).map(lambda text: f'"{text}"')
BASES = st.sampled_from(["bool", "byte", "i8", "i16", "i32", "i64", "double", "string", "binary", "uuid"])
TYPES = st.recursive(
    st.one_of(BASES, NAMES),
    lambda inner: st.one_of(
        inner.map("list<{}>".format),
        inner.map("set<{}>".format),
        st.tuples(inner, inner).map(lambda kv: f"map<{kv[0]}, {kv[1]}>"),
    ),
    max_leaves=4,
)
VALUES = st.recursive(
    st.one_of(
        NUMBERS.map(str), TEXTS, NAMES, st.tuples(NAMES, NAMES).map(".".join), st.sampled_from(["true", "1.5", "-2e3"])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=6).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(st.tuples(st.one_of(inner, NAMES.map('"{}"'.format)), inner), max_size=4).map(
            lambda pairs: "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
        ),
    ),
    max_leaves=8,
)
DOCS = st.one_of(
    st.just(""), st.text(st.characters(codec="utf-8", exclude_characters="*"), max_size=20).map("/** {} */ ".format)
)


@st.composite
def fields(draw: st.DrawFn) -> str:
    found = []
    for number in range(1, draw(st.integers(0, 5)) + 1):
        id_ = draw(st.sampled_from([f"{number}: ", f"{number}: ", "", f"{draw(NUMBERS)}: "]))
        word = draw(st.sampled_from(["", "", "required ", "optional "]))
        default = draw(st.one_of(st.just(""), st.just(""), VALUES.map(" = {}".format)))
        found.append(
            f"{draw(DOCS)}{id_}{word}{draw(TYPES)} {draw(NAMES)}{default}{draw(st.sampled_from([',', ';', '']))}"
        )
    return "\n  ".join(found)


@st.composite
def definitions(draw: st.DrawFn) -> str:
    name = draw(NAMES)
    kind = draw(st.sampled_from(["struct", "struct", "union", "exception", "enum", "const", "typedef", "service"]))
    if kind == "enum":
        numbers = st.one_of(st.just(""), NUMBERS.map(" = {}".format))
        members = draw(st.lists(st.tuples(DOCS, NAMES, numbers), max_size=5))
        return f"enum {name} {{ {', '.join(doc + member + number for doc, member, number in members)} }}"
    if kind == "const":
        return f"{draw(DOCS)}const {draw(TYPES)} {name} = {draw(VALUES)}"
    if kind == "typedef":
        return f"typedef {draw(TYPES)} {name}"
    if kind == "service":
        base = draw(st.one_of(st.just(""), NAMES.map(" extends {}".format)))
        return f"service {name}{base} {{ {draw(TYPES)} {draw(NAMES)}({draw(fields())}) throws ({draw(fields())}) }}"
    return f"{draw(DOCS)}{kind} {name} {{\n  {draw(fields())} }}"


def check(text: str) -> bool:
    """Whether a text is accepted; what is accepted must work."""
    try:
        module = compile_idl(text)
    except IdlError:
        return False
    for spec in module.__spec__.values():
        if spec.kind == "struct":
            try:
                data = spec.cls().to_bytes()
            except (EncodeError, TypeError):
                continue
            assert spec.cls.from_bytes(data).to_bytes() == data
    return True


@settings(max_examples=150, deadline=None)
@given(st.lists(definitions(), min_size=1, max_size=6))
def test_definitions(found: list[str]) -> None:
    check("\n".join(found) + "\n")


@settings(max_examples=100, deadline=None)
@given(
    NAMES.filter(lambda name: name not in THRIFT_KEYWORDS),
    st.lists(st.tuples(NAMES, BASES), max_size=6, unique_by=lambda pair: pair[0]),
    DOCS,
)
def test_names_are_no_reason_to_refuse(name: str, members: list[tuple[str, str]], doc: str) -> None:
    inside = " ".join(f"{doc}{number}: {type_} {member};" for number, (member, type_) in enumerate(members, 1))
    others = ", ".join(f"{doc}{member}" for member, _ in members if member not in THRIFT_KEYWORDS)
    constants = f"{doc}const i32 {name} = 5"
    for text in (f"struct {name} {{ {inside} }}", f"union {name} {{ {inside} }}", f"enum {name} {{ {others} }}"):
        assert check(f"{doc}{text} {constants}\n")


@pytest.mark.fuzz
@pytest.mark.timeout(4000)
@settings(max_examples=20_000, deadline=None)
@given(st.lists(definitions(), min_size=1, max_size=8))
def test_many_definitions(found: list[str]) -> None:
    check("\n".join(found) + "\n")
