"""Lists of records that are read as a list of each field: what the records have, and errors as theirs."""

from __future__ import annotations

import random
import resource
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generated import mosaic as m
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.records import backend as record_backend
from lakecodec.runtime.records.lazy import Bytes
from lakecodec.runtime.records.read import MAX_DEPTH
from lakecodec.runtime.records.reader import Reader
from lakecodec.runtime.records.struct_of_arrays import StructOfArrays

from ...mosaic.tables import random_table, reference_write
from .. import generated
from ..compact.records import Call
from .test_record_copies import column, nested, random_params, schema_of

native: Any = record_backend.native
native_only = pytest.mark.skipif(native is None, reason="no native reader was built")

COLUMNS = (m.Schema, "columns")


def apart(data: bytes) -> m.Schema | None:
    """A schema whose columns are struct_of_arrays, by the native reader; None where it leaves that to the generated one."""
    found = native.read(m.Schema, Reader(data, struct_of_arrays=COLUMNS), 0, ())
    if found is None:
        return None
    schema: m.Schema = found[0]
    assert isinstance(schema.columns, StructOfArrays)
    return schema


def file_of(seed: int) -> bytes:
    return reference_write(random_table(random.Random(seed), columns=12, rows=5))


def assert_same(found: m.Schema, expected: m.Schema) -> None:
    columns: Any = found.columns
    assert columns.names == m.Column._given
    assert len(columns) == len(expected.columns)
    assert columns.each("name") == [each.name for each in expected.columns]
    assert columns.each("type") == [each.type for each in expected.columns]
    for name in ("num_columns", "num_buckets", "name_encoding", "num_rules", "rules"):
        assert getattr(found, name) == getattr(expected, name)
    assert (None if found.order is None else list(found.order)) == expected.order


def is_refused(data: bytes) -> bool:
    """Whether bytes are no schema, on which both readers must agree; else they find the same."""
    found = apart(data)
    try:
        expected, _ = generated.read(m.Schema, data)
    except DecodeError:
        assert found is None
        return True
    assert found is not None
    assert_same(found, expected)
    return False


@native_only
@pytest.mark.parametrize("seed", range(20))
def test_random_schemas(seed: int) -> None:
    rng = random.Random(seed)
    columns = [column(number, random_params(rng), rng.choice([0, 1, 255])) for number in range(rng.choice([0, 1, 300]))]
    rules = rng.choice([None, [m.BpeRule(left=ord("c"), right=ord("o"))]])
    data = schema_of(columns, rules).to_bytes()
    found = apart(data)
    assert found is not None
    assert_same(found, m.Schema.from_bytes(data))


@native_only
@pytest.mark.parametrize("seed", range(20))
def test_damaged_schemas(seed: int) -> None:
    rng = random.Random(seed)
    columns = [column(number, random_params(rng)) for number in range(12)]
    call = Call(m.Schema, schema_of(columns, rng.choice([None, [m.BpeRule(left=99, right=111)]])).to_bytes())
    outcomes = set()
    for _ in range(300):
        data = rng.choice([call.changed(rng), call.cut(rng)]).data
        outcomes.add(is_refused(data))
    assert outcomes == {False, True}


@native_only
def test_equal_types_are_one_object_here_alone() -> None:
    params = [
        m.TypeParams.INTEGER,
        lambda: m.TypeParams.DECIMAL(precision=19, scale=2),
        lambda: m.TypeParams.TIMESTAMP_LTZ(precision=6, zone="UTC"),
    ]
    data = schema_of([column(number, params[number % 3]()) for number in range(30)]).to_bytes()
    found: Any = apart(data)
    assert len({id(each) for each in found.columns.each("type")}) == 3
    records = m.Schema.from_bytes(data).columns
    assert len({id(each.type) for each in records}) == 30
    assert len({id(each.type.params) for each in records if each.type.params.kind != "INTEGER"}) == 20


@native_only
def test_shared_types_are_as_deep_as_others() -> None:
    outcomes = set()
    for depth in range(MAX_DEPTH // 3 - 2, MAX_DEPTH // 3 + 2):
        outcomes.add(is_refused(nested(depth)))
    assert outcomes == {False, True}


def test_a_field_of_a_file() -> None:
    data = file_of(3)
    file = m.File.open(Bytes(data))
    columns = StructOfArrays.of(file.struct_of_arrays("schema", *COLUMNS).body.columns, m.Column)
    expected = file.schema.body.columns
    assert isinstance(expected, list)
    assert columns.each("name") == [each.name for each in expected]
    assert columns.each("type") == [each.type for each in expected]


def test_errors_are_those_of_records() -> None:
    data = bytearray(file_of(5))
    start, size = m.File.open(Bytes(data)).span("schema")
    failed = 0
    for position in range(start, start + size):
        broken = bytes(data[:position]) + bytes([data[position] ^ 0xFF]) + bytes(data[position + 1 :])
        errors = []
        for read in (lambda file: file.struct_of_arrays("schema", *COLUMNS), lambda file: file.schema):
            try:
                read(m.File.open(Bytes(broken)))
            except DecodeError as error:
                errors.append((error.path, error.offset, error.rule))
        assert len(errors) != 1
        if errors:
            failed += 1
            assert errors[0] == errors[1]
    assert failed


SHAPES = compile_idl(
    """
    namespace py lists
    record Pair { u8 first; u8 second where second >= first; }
    record Tagged(i64 kind) { u8 tag where tag == kind; }
    record Lists {
      u8 n = count(pairs);
      Pair pairs[n];
      Tagged(n) tagged[n];
      Pair rest[..];
    }
    record Growing {
      u8 n = count(items);
      Pair items[n] where n == 0 or items[n - 1].first == n;
    }
    """,
    name="lists",
)


@native_only
@pytest.mark.parametrize(
    ("field", "expected"),
    [("pairs", {"first": [1, 2], "second": [1, 5]}), ("tagged", {"tag": [2, 2]}), ("rest", None)],
)
def test_other_lists(field: str, expected: Any) -> None:
    """Lists without a count are left to the generated reader."""
    data = b"\2\1\1\2\5\2\2\7\x08"
    found = native.read(SHAPES.Lists, Reader(data, struct_of_arrays=(SHAPES.Lists, field)), 0, ())
    if expected is None:
        assert found is None
    else:
        value = getattr(found[0], field)
        assert {name: value.each(name) for name in value.names} == expected
        others = {"pairs", "tagged", "rest"} - {field}
        assert all(isinstance(getattr(found[0], other), list) for other in others)
    assert native.read(SHAPES.Lists, Reader(b"\2\1\1\2\1\2\2", struct_of_arrays=(SHAPES.Lists, "pairs")), 0, ()) is None


@native_only
def test_rules_that_ask_for_a_record_are_left_to_the_generated_reader() -> None:
    data = b"\1\1\1"
    assert native.read(SHAPES.Growing, Reader(data), 0, ()) is not None
    assert native.read(SHAPES.Growing, Reader(data, struct_of_arrays=(SHAPES.Growing, "items")), 0, ()) is None
    assert SHAPES.Growing._decode(Reader(data, struct_of_arrays=(SHAPES.Growing, "items"))).items == [
        SHAPES.Pair(first=1, second=1)
    ]


def named(names: list[str], rules: list[m.BpeRule] | None = None) -> m.Schema:
    columns = [column(0, m.TypeParams.INTEGER()) for _ in names]
    for each, name in zip(columns, sorted(names), strict=True):
        each.name = name
    return schema_of(columns, rules)


@pytest.mark.parametrize(
    "names",
    [
        [f"{number:05}" * (number % 7 + 1) for number in range(3000)],
        ["x" * size for size in range(1, 400)],
        ["x" * size + "y" for size in (1, 511, 512, 513, 40_000, 70_000)],
        [f"sp\u00e4lte_{number}" for number in range(50)] + ["\U0001f600", "\u20ac", "\x00", "\x00a"],
    ],
    ids=["many", "growing", "long", "not ASCII"],
)
@pytest.mark.parametrize(
    "rules", [None, [(120, 120), (128, 128), (129, 129), (130, 130), (131, 131)]], ids=["as they are", "rules"]
)
def test_texts_of_all_sizes(names: list[str], rules: list[tuple[int, int]] | None) -> None:
    if rules is not None and not all(map(str.isascii, names)):
        names = [name for name in names if name.isascii()]
    pairs = None if rules is None else [m.BpeRule(left=left, right=right) for left, right in rules]
    data = named(names, pairs).to_bytes()
    file: Any = Reader(data, struct_of_arrays=COLUMNS)
    columns = StructOfArrays.of(record_backend.read(m.Schema, file).columns, m.Column)
    texts, expected = columns.texts("name"), sorted(names)
    assert len(texts) == len(expected)
    assert [texts[0], texts[len(expected) - 1]] == [expected[0], expected[-1]]
    order = list(range(len(expected)))[::-1]
    assert list(texts.utf8(order)) == [expected[at].encode() for at in order]
    assert texts.nbytes >= sum(map(len, expected))
    assert texts.strings == list(texts) == columns.each("name") == expected
    assert texts[-1] == expected[-1]
    with pytest.raises(IndexError):
        texts[len(expected)]
    with pytest.raises(IndexError):
        list(columns.texts("name").utf8([len(expected)]))


def test_names_that_are_text_only_together_are_refused() -> None:
    data = named(["a\u00e4", "b"]).to_bytes()
    halves = data.replace(b"\x00\x03a\xc3\xa4\x03\x01\x00\x01b", b"\x00\x02a\xc3\x03\x01\x00\x02\xa4b")
    assert len(halves) == len(data)
    assert halves != data
    with pytest.raises(DecodeError, match="UTF-8"):
        record_backend.read(m.Schema, Reader(halves, struct_of_arrays=COLUMNS))


@native_only
@pytest.mark.parametrize("names", [["b", "a"], ["a", "a"], ["ab", "a"], [""], ["\u20ac", "\xe4"]])
def test_rules_of_texts(names: list[str]) -> None:
    """Native records do not write such a schema: names are put in their places by hand."""
    columns = b"".join(bytes([0, len(name.encode())]) + name.encode() + bytes([3, 1]) for name in names)
    data = bytearray([len(names), 1, 0]) + columns + bytes([2] * len(names))
    data[-len(names)] = 0
    assert is_refused(bytes(data))


TEXTS = compile_idl(
    """
    namespace py texts
    codec step -> i64 with i64 prev = 5 { svarint64 step = value - prev; } value = prev + step;
    record Orders {
      u8 n = count(known);
      Known known[n];
      i64 order[n] via step where is_permutation(order);
      i64 other[n] via step where count(other) == 0 or other[0] < 9;
    }
    codec front -> bytes with bytes prev = b"" {
      uvarint32 shared = common_prefix(prev, value) where shared <= count(prev);
      uvarint32 added = count(value) - shared;
      bytes suffix[added] = value[shared:];
    } value = prev[:shared] + suffix;
    record Known { utf8 name via front; u8 kind; }
    record Asked { utf8 name via front where count(name) <= 3; u8 size where size == count(name); }
    record Lists {
      u8 n = count(known);
      Known known[n];
      Asked asked[n];
    }
    """,
    name="texts",
)


@native_only
@pytest.mark.parametrize("field", ["known", "asked"])
def test_texts_that_are_read_one_by_one(field: str) -> None:
    """A codec that decodes one text at a time, and a field that another one asks for."""
    data = b"\2" + b"\0\2ab\7\1\1c\7" + b"\0\2ab\2\1\2cd\3"
    found = native.read(TEXTS.Lists, Reader(data, struct_of_arrays=(TEXTS.Lists, field)), 0, ())
    expected = {"known": ["ab", "ac"], "asked": ["ab", "acd"]}
    assert getattr(found[0], field).each("name") == expected[field]
    assert native.read(TEXTS.Lists, Reader(data[:-1] + b"\2", struct_of_arrays=(TEXTS.Lists, field)), 0, ()) is None


@native_only
def test_numbers_beside_a_struct_of_arrays() -> None:
    """Those that nothing but a permutation's rule asks for are no objects."""
    data = b"\2" + b"\0\2ab\7\1\1c\7"
    wanted = (TEXTS.Orders, "known")

    def read(numbers: bytes) -> Any:
        return native.read(TEXTS.Orders, Reader(data + numbers, struct_of_arrays=wanted), 0, ())

    found, end = read(b"\x07\1\1\0")
    assert (found.order.format, found.order.tolist(), found.other) == ("q", [1, 0], [4, 4])
    assert end == len(data) + 4
    assert read(b"\x09\2\1\0")[0].order.tolist() == [0, 1]
    for broken in (b"\x09", b"\x09\x80", b"\x09\0\1\0", b"\x09\1\1\0", b"\x09\4\1\0", b"\x09\2\x0a\0"):
        assert read(broken) is None


def test_records_that_were_made() -> None:
    columns = [column(number, m.TypeParams.INTEGER()) for number in range(3)]
    found = StructOfArrays.of(columns, m.Column)
    assert len(found) == 3
    assert found.each("name") == [each.name for each in columns]
    assert StructOfArrays.of(found, m.Column) is found
    with pytest.raises(ValueError, match="tuple"):
        found.each("nothing")


@native_only
def test_nothing_leaks() -> None:
    params = [m.TypeParams.INTEGER(), m.TypeParams.CHAR(length=3), m.TypeParams.DECIMAL(precision=19, scale=2)]
    good = schema_of([column(number, params[number % 3]) for number in range(2000)]).to_bytes()

    def run() -> int:
        for _ in range(50):
            assert apart(good) is not None
            assert apart(good[:-1500]) is None
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    run()
    before = run()
    # A column that stayed would take some 100 bytes: 20 MB for one of each two.
    assert run() - before < 4096
