"""Sizes and offsets of fields in every form: refused by the compiler, or what both backends write and read again."""

from __future__ import annotations

import pytest

from lakecodec import EncodeError, IdlError, compile_idl

from ...oracle.backends import BACKENDS, running

DECLARATIONS = """
record H { u16 s; }
codec zlib() -> bytes = extern "runtime.codecs:Zlib";
record N { u8 k; u8 m = count(w); u8 w[m]; }
variant V(u8 t) on t { 1: A { u16 a; }; else: B { utf8 b[..]; }; }
"""
#: A field `x`, and a value for it.
FORMS = {
    "number": ("u16 x", 5),
    "varint": ("uvarint32 x", 300),
    "list": ("u16 x[n]", [5, 6]),
    "bytes": ("bytes x[n]", b"ab"),
    "text": ("utf8 x[n]", "é"),
    "record": ("N x", lambda m: m.N(k=1, w=[1, 2])),
    "records": ("N x[n]", lambda m: [m.N(k=1, w=[]), m.N(k=2, w=[7])]),
    "each": ("N x[i < n]", lambda m: [m.N(k=1, w=[]), m.N(k=2, w=[7])]),
    "variant": ("V(1) x", lambda m: m.V.A(a=3)),
    "ended": ('u8 x["\\0"]', [3, 4]),
    "text to a mark": ('utf8 x["\\0"]', "ab"),
    "packed": ("bits<3> x[n]", [1, 2]),
    "lists": ("u8 x[n][2]", [[1, 2], [3, 4]]),
}
CLAUSES = (
    "",
    " if k == 7",
    " size 6",
    " via zlib",
    " size 6 if k == 7",
    " via zlib if k == 7",
    " at 20",
    " at 20 if k == 7",
    " at 20 size 6",
    " at p",
)
EACH = ("", " at 20 + i * 6", " at p + i * 6 size 3 + i")
MEASURES = (
    "size(x)",
    "raw_size(x)",
    "offset(x)",
    "size(x[0])",
    "raw_size(x[0])",
    "offset(x[0])",
    "size(x[1]) + size(x[0])",
    "size(x) + size(y)",
    "offset(x) + size(y)",
)


#: Values of `k`, which tells whether `x` is there, and of `n`, the number of its elements.
CASES = ((7, 2), (7, 0), (6, 2))
#: How the record uses a measure.
DERIVED, SET = "u16 s = {}", "H h with s = {}"


@pytest.fixture(scope="module")
def written():
    """Counts the cases that are written, so that the test says if all were refused."""
    found: list[str] = []
    yield found
    assert len(found) > 200, len(found)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("use", [DERIVED, pytest.param(SET, marks=pytest.mark.slow)])
def test_a_measure_is_refused_or_written_and_read(form, use, written):
    for clause in EACH if form == "each" else CLAUSES:
        for measure in MEASURES:
            line = use.format(measure)
            idl = f"{DECLARATIONS} record R : gaps {{ u8 k; u8 n; u8 p; {line}; {FORMS[form][0]}{clause}; u8 z; u8 y at 60; }}"
            try:
                module = compile_idl(idl)
            except IdlError:
                continue
            outcomes = []
            for backend in BACKENDS:
                with running(backend):
                    outcomes.append([outcome(module, form, k, n, use) for k, n in CASES if k == 7 or " if k" in clause])
            assert all(each == outcomes[0] for each in outcomes), (idl, outcomes)
            written += [idl] if isinstance(outcomes[0][0], bytes) else []


def outcome(module, form: str, k: int, n: int, use: str) -> object:
    """Returns the bytes of a record, which are read again, or how writing is refused. `x` is absent if ``k`` is not 7."""
    value = FORMS[form][1] if k == 7 else None
    value = value(module) if callable(value) else value
    if hasattr(value, "__len__") and n == 0:
        value = value[:0]
    given = {"h": module.H()} if use == SET else {}
    record = module.R(k=k, n=n, p=30, z=9, y=1, x=value, **given)
    try:
        data = record.to_bytes()
    except EncodeError as error:
        return error.path
    read = module.R.from_bytes(data)
    found = list(read.x) if "bits" in FORMS[form][0] and k == 7 else read.x
    assert (read.k, found, read.z, read.y) == (k, value, 9, 1), data
    assert read.to_bytes() == data
    return data
