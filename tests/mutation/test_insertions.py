"""Terms and conditions added to an IDL: what means the same changes nothing or is refused, the rest is noticed."""

from __future__ import annotations

from zlib import crc32

import pytest

from lakecodec import IdlError, compile_idl

from .insertions import harmful, neutral
from .mutations import Mutation
from .test_spec_drives import SPEC_FILES, Spec, _outcome, survives

_SPECS = [spec for spec in SPEC_FILES if spec.name in ("parquet_file", "parquet_page", "deletion_vector")]
_SHAPES = """
variant Type(u8 id) on id {{ 0: NUMBER; 1: TEXT; }}
codec split(i64 unit) -> i64 {{ i64 whole = value / unit; i32 part = value % unit where 0 <= part < unit; }} value = {0};
encoding Value over Type : big {{
  case NUMBER {{ i64 v via split(60); }}
  case TEXT {{ uvarint32 n = {1}; utf8 v[n]; }}
}}
record Column(Type type) {{ u8 n = count(v); Value(type) v[n]; }}
"""


def _is_refused(spec: Spec, mutation: Mutation) -> bool:
    return next(iter(_outcome(spec, mutation.text)), "").startswith("refused")


def _sampled(found: list[Mutation], count: int) -> list[Mutation]:
    return sorted(found, key=lambda each: crc32(f"{each.change} {each.line}".encode()))[:count]


@pytest.mark.parametrize("spec", _SPECS, ids=lambda spec: spec.name)
def test_some_insertions(spec: Spec) -> None:
    _verify(spec, 1)


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("spec", _SPECS, ids=lambda spec: spec.name)
def test_all_insertions(spec: Spec) -> None:
    _verify(spec, 1000)


def _verify(spec: Spec, count: int) -> None:
    same, other = _sampled([*neutral(spec.text)], count), _sampled([*harmful(spec.text)], count)
    assert same
    assert other
    assert [str(each) for each in same if not survives(spec, each) and not _is_refused(spec, each)] == []
    assert [str(each) for each in other if survives(spec, each)] == []


def test_shapes_have_kernels() -> None:
    compile_idl(_SHAPES.format("whole * unit + part", "count(v)"))


@pytest.mark.parametrize("term", ["({}) % 100", "({}) + 0 * ({})", "({}) % 9007199254740993", "({}) > 9 ? 0 : ({})"])
@pytest.mark.parametrize("changed", [0, 1])
def test_shapes_with_other_terms_have_no_kernel(changed: int, term: str) -> None:
    terms = ["whole * unit + part", "count(v)"]
    terms[changed] = term.format(terms[changed], terms[changed])
    with pytest.raises(IdlError):
        compile_idl(_SHAPES.format(*terms))
