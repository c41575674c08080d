"""Expressions that name fields of messages and structs: the native reader learned their slots from written ones, and crashed."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl

from ...oracle.backends import BACKENDS, running

KINDS = {
    "message": ("message S { 1: uint32 a; 2: map<uint32, uint32> m; 3: list<uint32> xs; }", "protobuf"),
    "struct": ("struct S { 1: i32 a, 2: map<i32, i32> m, 3: list<i32> xs }", "compact"),
}
FORMS = {
    "derived": "u8 k = s.a; S s via {via};",
    "rule": "S s via {via} where s.a > 1;",
    "condition": "u8 n = size(s); S s size n via {via}; u8 k if s.a == 7;",
    "length": "u8 n = size(s); S s size n via {via}; u8 k[s.a];",
    "computed": "S s via {via}; let q = s.a;",
    "fold": "u8 k = fold(x in s.xs, total = 0 : total + x) + s.a; S s via {via};",
    "argument": "u8 n = size(s); S s size n via {via}; T(s) t;",
    "map": "u8 k = count(s.m) + s.a; S s via {via};",
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_fields_of_messages_and_structs(kind: str, form: str, backend: str) -> None:
    declared, codec = KINDS[kind]
    fields = FORMS[form].format(via=codec)
    module: Any = compile_idl(f"{declared} record T(S s) {{ u8 k[s.a]; }} record R {{ {fields} }}")
    inside = module.S(a=5, m={1: 2}, xs=[1, 2])
    given = {"length": {"k": [1] * 5}, "argument": {"t": module.T(k=[2] * 5)}}.get(form, {})
    with running(backend):
        data = module.R(s=inside, **given).to_bytes()
        for _ in range(3):
            found = module.R.from_bytes(data)
            assert found.s.a == 5
            assert found.to_bytes() == data
