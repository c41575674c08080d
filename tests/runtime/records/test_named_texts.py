"""Constants that are texts, in the rules of records that are read so often that a native program is made."""

from __future__ import annotations

from pathlib import Path

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records import backend

from ...paths import SPECS, TESTS

_RULES = {
    "check": ("utf8 x[1] where x == L;", b"b"),
    "order": ("utf8 x[1] where L >= x;", b"b"),
    "derived": ("utf8 x[1] = L;", b"b"),
    "joined": ('utf8 x[2] = L + "c";', b"bc"),
    "encoded": ("bytes x[1] = L;", b"b"),
    "chosen": ('u8 y; utf8 x[1] = y > 0 ? L : "c";', b"\1b"),
    "argument": ("Same(L) x;", b"b"),
    "called": ("utf8 x[1] where same(L) == x;", b"b"),
    "listed": ("utf8 x[1] where x == M[1];", b"b"),
    "included": ("u8 n; utf8 x[n] where M[n] != L;", b"\0"),
}
_IDLS = [
    *sorted(SPECS.glob("**/*.idl")),
    *sorted(TESTS.glob("runtime/*/*.idl")),
    *sorted(TESTS.glob("generator/golden/*/input.idl")),
    TESTS / "oracle/clauses.idl",
]


@pytest.mark.parametrize("rule", _RULES)
def test_rules_with_named_texts_are_read_again_and_again(rule: str) -> None:
    text, data = _RULES[rule]
    module = compile_idl(f"""
        const string L = "b"
        const list<string> M = ["a", "b"]
        fn same(string text) -> string = text;
        record Same(string a) {{ utf8 x[1] where a == x; }}
        record A {{ {text} }}
    """)
    values = [module.A.from_bytes(data) for _ in range(40)]
    assert {each.to_bytes() for each in values} == {data}


@pytest.mark.skipif(backend.native is None, reason="programs are native")
@pytest.mark.parametrize("path", _IDLS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_all_records_have_programs_or_none(path: Path) -> None:
    from lakecodec.runtime.records.native import program_of

    module = compile_idl(path, include_paths=[SPECS], allow_extern=["tests.oracle.turned"])
    for spec in module.__spec__.values():
        if hasattr(spec.cls, "_native") and hasattr(spec.cls, "_table"):
            program_of(spec.cls)
