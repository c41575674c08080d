"""Expressions over values of several kinds: members that alternatives of a variant share, and both sides of a condition."""

from __future__ import annotations

import pytest

from lakecodec import EncodeError, IdlError, compile_idl

from ...oracle.backends import BACKENDS, running

KINDS = {"bytes": b"1234", "utf8": "éé", "u8": [1, 2, 3, 4], "P": ["P"] * 4}
EXPRESSIONS = (
    "count(v.v)",
    "count(v.w)",
    "(present(v) ? count(v.v) : 0)",
    "count(v.v[0:])",
    "sum(list_of(count(v.v)))",
)


@pytest.fixture(params=BACKENDS)
def backend(request):
    with running(request.param):
        yield request.param


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_bytes_and_elements_are_counted_in_each_alternative(backend, expression, first, second):
    module = compile_idl(
        "record P { u8 x; } record R { u8 t = tag(v); u8 n = "
        + expression
        + "; V(t) v where "
        + expression
        + " <= 4; }"
        "variant V(u8 t) on t { 1: A { " + first + " v[..]; let w = v; }; 2: B { " + second + " v[..]; let w = v; }; }"
    )
    for kind, alternative in ((first, module.V.A), (second, module.V.B)):
        value = [module.P(x=each) for each in range(4)] if kind == "P" else KINDS[kind]
        record = module.R(v=alternative(v=value))
        data = record.to_bytes()
        if kind != "utf8" or "[0:]" not in expression:  # A slice of a text has characters.
            assert data[1] == 4
        assert module.R.from_bytes(data) == record
        with pytest.raises(EncodeError, match="does not hold"):
            module.R(v=alternative(v=value + value + value[:1])).to_bytes()


@pytest.mark.parametrize("expression", ["k == 0 ? count(a) : count(b)", "count(k == 0 ? a : b)", "count(z)"])
@pytest.mark.parametrize("first", [each for each in KINDS if each != "P"])
@pytest.mark.parametrize("second", [each for each in KINDS if each != "P"])
def test_sides_of_a_condition_may_differ(backend, expression, first, second):
    let = "let z = k == 0 ? a : b;" if expression == "count(z)" else ""
    module = compile_idl(
        f"record R {{ u8 k; u8 n = {expression}; {first} a[..] if k == 0; {second} b[..] if k != 0; {let} }}"
    )
    for k, kind in enumerate((first, second)):
        record = module.R(k=k, a=None, b=None)
        setattr(record, "ab"[k], KINDS[kind])
        data = record.to_bytes()
        assert data[:2] == bytes([k, 4])
        assert module.R.from_bytes(data) == record


OBJECTS = """
record P { u8 k = count(z); u8 z[k]; let twice = k * 2; }
record Q { u16 pad; u8 k; utf8 z[..]; let twice = pad; }
record R { u8 t = tag(v); u8 k = v.w.k; u8 n = count(v.w.z); u8 x = v.w.twice; V(t) v; }
"""
P_FIRST = "1: A { P w; }; 2: B { Q w; };"
Q_FIRST = "2: B { Q w; }; 1: A { P w; };"


@pytest.mark.parametrize("alternatives", [P_FIRST, Q_FIRST])
def test_objects_of_several_records_have_values_of_their_own(backend, alternatives):
    module = compile_idl(OBJECTS + "variant V(u8 t) on t { " + alternatives + " }")
    first = module.R(v=module.V.A(w=module.P(z=[5, 6])))
    assert first.to_bytes() == bytes([1, 2, 2, 4, 2, 5, 6])
    second = module.R(v=module.V.B(w=module.Q(pad=9, k=7, z="éé")))
    assert second.to_bytes() == bytes([2, 7, 4, 9, 9, 0, 7]) + "éé".encode()
    for each in (first, second):
        assert module.R.from_bytes(each.to_bytes()) == each


def test_a_member_must_be_in_each_record():
    with pytest.raises(IdlError, match="'Q' has no field 'z'"):
        compile_idl(
            "record P { u8 z; } record Q { u8 y; } record R { u8 t = tag(v); u8 n = v.w.z; V(t) v; }"
            "variant V(u8 t) on t { " + P_FIRST + " }"
        )
