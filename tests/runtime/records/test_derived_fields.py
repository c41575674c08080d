"""Derived fields can be read, and refuse to be set: an edit of theirs would be lost."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from copy import copy, deepcopy
from pickle import dumps, loads
from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl
from lakecodec.runtime.records.rows import Derived
from lakecodec.runtime.records.values import Fields

from ...compiled import gallery
from ...gallery.real_files import file_of, names
from ...oracle.backends import BACKENDS, running

IDL = """
record File { u8 kind = 3; u16 flags { many : 1; left : 15; } u8 n = count(parts); Part parts[n]; }
record Part { u8 size = size(text); utf8 text[size]; Rest rest; }
variant Rest(u8 size) on size { 0: EMPTY {}; else: SUM { u8 sum = 7; }; }
""".replace("Rest rest;", "Rest(size) rest;")
m = compile_idl(IDL)


def read() -> Any:
    return m.File.from_bytes(b"\3\x80\5\2\1a\7\0")


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, Fields):
        yield value
        for name in value._given:
            yield from _values(getattr(value, name))
    elif isinstance(value, list):
        for each in value:
            yield from _values(each)


def _refused(value: Any) -> list[str]:
    found = []
    for name in type(value).__rows__:
        if isinstance(getattr(type(value), name), Derived):
            before = getattr(value, name)
            for change in (lambda name=name: setattr(value, name, 77), lambda name=name: delattr(value, name)):
                with pytest.raises(AttributeError, match=f"{name} of .* is derived from other values") as caught:
                    change()
                assert (caught.value.name, caught.value.obj) == (name, value)
            assert getattr(value, name) == before
            found.append(name)
    return found


def test_derived_fields_refuse_to_be_set() -> None:
    value = read()
    assert [_refused(each) for each in _values(value)] == [
        ["kind", "flags", "n"], ["size"], ["sum"], ["size"], [],
    ]  # fmt: skip
    assert value.to_bytes() == b"\3\x80\5\2\1a\7\0"


def test_they_follow_what_they_are_derived_from() -> None:
    value = read()
    value.parts.append(m.Part(text="bc", rest=m.Rest.SUM(tag=2)))
    assert value.n == 2, "as it was read"
    assert value.to_bytes() == b"\3\x80\5\3\1a\7\0\2bc\7"
    assert (value.n, value.parts[2].size) == (3, 2)


def test_new_objects_have_none_until_they_are_written() -> None:
    value = m.File(many=0, left=1, parts=[])
    assert (value.kind, value.flags, value.n) == (None, None, None)
    with pytest.raises(AttributeError, match="n of File is derived"):
        value.n = 1
    value.to_bytes()
    assert (value.kind, value.flags, value.n) == (3, 1, 0)


@pytest.mark.parametrize("copied", [copy, deepcopy])
def test_copies_have_them(copied: Any) -> None:
    value = copied(read())
    assert (value.n, value.parts[0].size, value.to_bytes()) == (2, 1, read().to_bytes())


def test_pickles_have_them() -> None:
    module = gallery("pcap")
    value = module.File.from_bytes(file_of("pcap"))
    assert loads(dumps(value)).capture.packets[0].captured == value.capture.packets[0].captured


@pytest.mark.parametrize("name", list(names()))
def test_files_of_the_gallery(name: str) -> None:
    value = gallery(name).File.from_bytes(file_of(name))
    for each in [*_values(value)][:200]:
        _refused(each)


LISTS = "record R { u8 n = count(a); u8 a[n]; i16 d[i < n] = a[i] + 1; u8 e[n] = a; }"


@pytest.mark.parametrize(
    "change",
    [
        lambda d: operator.setitem(d, 0, 9),
        lambda d: operator.setitem(d, slice(0, 1), []),
        lambda d: operator.delitem(d, 0),
        lambda d: operator.iadd(d, [7]),
        lambda d: operator.imul(d, 2),
        lambda d: d.append(7),
        lambda d: d.clear(),
        lambda d: d.extend([7]),
        lambda d: d.insert(0, 7),
        lambda d: d.pop(),
        lambda d: d.remove(d[0]),
        lambda d: d.reverse(),
        lambda d: d.sort(),
    ],
)
def test_elements_of_derived_lists_refuse_to_be_changed(change: Any) -> None:
    module = compile_idl(LISTS)
    value = module.R(a=[5, 2])
    data = value.to_bytes()
    for each in (value, module.R.from_bytes(data)):
        for derived, found in ((each.d, [6, 3]), (each.e, [5, 2])):
            with pytest.raises(TypeError, match="derived from other values"):
                change(derived)
            assert derived == found
        assert (each.a, each.to_bytes()) == ([5, 2], data)


def test_derived_lists_are_lists_otherwise() -> None:
    module = compile_idl(LISTS)
    value = module.R.from_bytes(module.R(a=[5, 2]).to_bytes())
    untouched = module.R.from_bytes(value.to_bytes())
    assert (value.d, repr(value.d), [*value.d[:1], 9]) == ([6, 3], "[6, 3]", [6, 9])
    assert value.d is value.d, "one list for all accesses"
    assert value == untouched == loads(dumps(value)) == deepcopy(value) == copy(value)
    assert repr(value) == repr(untouched)
    own = deepcopy(value.d)
    own.append(7)
    assert (own, value.d) == ([6, 3, 7], [6, 3])
    value.a.append(1)
    assert value.to_bytes() == module.R(a=[5, 2, 1]).to_bytes()
    assert (value.d, value.e) == ([6, 3, 2], [5, 2, 1])


def test_names_beside_the_slots() -> None:
    module = compile_idl("record R { u8 n = count(x); u8 _n_; u8 x[n]; }")
    value = module.R.from_bytes(b"\1\5\6")
    assert (value.n, value.n__, value.to_bytes()) == (1, 5, b"\1\5\6")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("xs", ["u8 xs[i < n] = i % 7", "bits<3> xs[i < n] = i % 7", "u8 xs[i < n] = 1 if i < 3"])
def test_a_given_number_does_not_compute_without_bound(xs: str, backend: str) -> None:
    module: Any = compile_idl(f"record R {{ u32 n; {xs}; }}")
    with (
        running(backend),
        pytest.raises(EncodeError, match="4294967295 elements would be computed for it, of at most") as caught,
    ):
        module.R(n=2**32 - 1).to_bytes()
    assert caught.value.path == "xs"
