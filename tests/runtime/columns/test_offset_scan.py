"""Columns of blocks by offset scans: against the same columns read as records, and blocks that break rules."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lakecodec.runtime.native as native
from lakecodec import compile_idl
from lakecodec.generated.mosaic import Bitmap, Cells, Columns, Dict, TypeParams, Value
from lakecodec.mosaic.decode import BLOCKS
from lakecodec.runtime.columns import (
    Bits,
    ColumnDecode,
    block_types,
    column_memory,
    column_plan,
    decode_columns,
    layout_of,
    read_values,
    record_batch,
)
from lakecodec.runtime.columns import backend as kernels
from lakecodec.runtime.columns.scan.code import Code, Op
from lakecodec.runtime.columns.scan.offset_scan import OffsetScan
from lakecodec.runtime.columns.scan.symbols import NotScannable
from lakecodec.runtime.errors import DecodeError

TYPES: list[Any] = [TypeParams.INTEGER(), TypeParams.STRING(), TypeParams.BOOLEAN(), TypeParams.DOUBLE()]
native_only = pytest.mark.skipif(kernels.offset_scans is None, reason="the pure backend has no offset scans")


def encoded(type: Any, count: int, rng: random.Random) -> Any:
    layout = layout_of(Value, type)
    one = {
        "INTEGER": lambda: rng.randbytes(4),
        "STRING": lambda: (lambda n: bytes([n]) + b"x" * n)(rng.randrange(20)),
        "BOOLEAN": lambda: bytes([rng.randrange(2)]),
        "DOUBLE": lambda: rng.randbytes(8),
    }[type.kind]
    data = b"".join(one() for _ in range(count))
    return read_values(layout, data, 0, len(data), count)


def block(types: list[Any], rows: int, rng: random.Random, children: int = 0) -> bytes:
    """A block of columns of all encodings, of which the last ones are children of ``rows`` elements each."""
    consts: list[Any] = []
    dicts: list[Any] = []
    nulls: list[Any] = []
    cells: list[Any] = []
    for type in types:
        how = rng.choice(("plain", "const", "dict", "null"))
        null_at = [rng.random() < 0.3 for _ in range(rows)]
        has_nulls = how != "null" and rng.random() < 0.5
        live = rows - sum(null_at) if has_nulls else rows
        nulls.append(Bitmap(null_at=Bits.pack(null_at, 1)) if has_nulls else None)
        consts.append(encoded(type, 1, rng) if how == "const" else None)
        entries = rng.randrange(1, 9)
        dicts.append(Dict(entries=encoded(type, entries, rng)) if how == "dict" else None)
        codes = Bits.pack([rng.randrange(entries) for _ in range(live)], (entries - 1).bit_length())
        cells.append(
            {
                "plain": lambda type=type, live=live: Cells.PLAIN(values=encoded(type, live, rng)),
                "const": Cells.CONST,
                "dict": lambda codes=codes: Cells.DICT(codes=codes),
                "null": Cells.ALL_NULL,
            }[how]()
        )
    record = Columns(elements=[rows] * children or None, consts=consts, dicts=dicts, nulls=nulls, cells=cells)
    data: bytes = record.to_bytes(types, len(types) - children, rows)
    return data


def arrays_by_records(types: list[Any], data: bytes, primaries: int, rows: int, numbers: list[int]) -> list[Any]:
    body: Any = Columns.from_bytes(data, types, primaries, rows)
    requests = []
    for number in numbers:
        type, cells, nulls = types[number], body.cells[number], body.nulls[number]
        null_at = None if nulls is None else nulls.null_at
        plan = (layout_of(Value, type), type.to_arrow(), rows, null_at)
        if isinstance(cells, Cells.PLAIN):
            requests.append(ColumnDecode(*plan, cells.values))
        elif isinstance(cells, Cells.DICT):
            requests.append(ColumnDecode(*plan, body.dicts[number].entries, cells.codes))
        elif isinstance(cells, Cells.CONST):
            requests.append(ColumnDecode(*plan, body.consts[number], constant=True))
        else:
            requests.append(ColumnDecode(*plan))
    return decode_columns(requests)


def types_of(types: list[Any]) -> Any:
    return block_types([column_plan(layout_of(Value, type), type.to_arrow()) for type in types])


@native_only
@pytest.mark.parametrize("seed", range(60))
def test_columns_are_those_of_the_records(seed: int) -> None:
    rng = random.Random(seed)
    types = [rng.choice(TYPES) for _ in range(rng.randrange(1, 12))]
    children = rng.choice((0, 0, rng.randrange(len(types))))
    primaries = len(types) - children
    sizes = [rng.choice((0, 1, 7, 8, 9, 64, 100)) for _ in range(4)]
    blocks = [block(types, rows, rng, children) for rows in sizes]
    numbers = sorted(rng.sample(range(primaries), rng.randrange(1, primaries + 1)))
    found = BLOCKS.decode(types_of(types), numbers, blocks, (primaries, sizes), sizes)
    assert found is not None
    (joined,) = found
    by_block = [
        arrays_by_records(types, data, primaries, rows, numbers) for data, rows in zip(blocks, sizes, strict=True)
    ]
    for array, *parts in zip(joined, *by_block, strict=True):
        array.validate(full=True)
        expected = pa.concat_arrays(parts)
        assert array.null_count == expected.null_count
        assert array.equals(expected) or array.to_string(window=1000) == expected.to_string(window=1000)  # NaN


@native_only
@pytest.mark.parametrize("seed", range(20))
def test_what_records_refuse_is_refused(seed: int) -> None:
    """Bytes changed, cut or added: columns are found where, and only where, the records can be read."""
    rng = random.Random(1000 + seed)
    types = [rng.choice(TYPES) for _ in range(4)]
    good = block(types, 20, rng)
    numbers = list(range(len(types)))
    for _ in range(100):
        bad = bytearray(good)
        if rng.random() < 0.3:
            del bad[rng.randrange(len(bad) + 1) :]
        elif rng.random() < 0.2:
            bad += bytes(rng.randrange(1, 4))
        for _ in range(rng.randrange(3)):
            if bad:
                bad[rng.randrange(len(bad))] = rng.randrange(256)
        found = BLOCKS.decode(types_of(types), numbers, [good, bytes(bad)], (4, 20), [20, 20])
        try:
            expected = arrays_by_records(types, bytes(bad), 4, 20, numbers)
        except DecodeError:
            assert found is None
        else:
            assert found is not None
            assert [str(array[20:]) for array in found[0]] == list(map(str, expected))


@native_only
def test_the_limit_is_that_of_each_block() -> None:
    rng = random.Random(1)
    body = Columns(elements=None, consts=[encoded(TYPES[0], 1, rng)], dicts=[None], nulls=[None], cells=[Cells.CONST()])
    data = body.to_bytes(TYPES[:1], 1, 1000)
    arguments = types_of(TYPES[:1]), [0], [data] * 3, (1, 1000), [1000] * 3
    assert BLOCKS.decode(*arguments, limit=4000) is not None
    assert BLOCKS.decode(*arguments, limit=3999) is None


@native_only
@pytest.mark.parametrize("rows", [1, 100_000])
def test_columns_of_large_blocks_stay_apart(rows: int) -> None:
    rng = random.Random(1)
    types = TYPES[:1] * 3
    body = [Cells.PLAIN(values=encoded(TYPES[0], rows, rng))] * 3
    nothing: list[Any] = [None] * 3
    data = Columns(elements=None, consts=nothing, dicts=nothing, nulls=nothing, cells=body).to_bytes(types, 3, rows)
    found = BLOCKS.decode(types_of(types), [0, 2], [data] * 5, (3, rows), [rows] * 5)
    assert found is not None
    assert [len(arrays[0]) for arrays in found] == ([rows * 5] if rows == 1 else [rows] * 5)
    expected = arrays_by_records(types, data, 3, rows, [2])[0]
    assert pa.concat_arrays([arrays[1] for arrays in found]).equals(pa.concat_arrays([expected] * 5))


@native_only
@pytest.mark.parametrize("is_large", [False, True])
def test_columns_of_many_calls_share_memory(is_large: bool) -> None:
    """Whatever is freed first, the others stay as they are."""
    rng = random.Random(4)
    memory = column_memory(is_large=is_large)
    wanted = range(len(TYPES))
    held: list[tuple[Any, Any]] = []
    for number in range(60):
        blocks = [block(TYPES, 400, rng) for _ in range(rng.choice((1, 1, 3)))]
        sizes = [400] * len(blocks)
        (found,) = BLOCKS.decode(types_of(TYPES), wanted, blocks, (len(TYPES), sizes), sizes, shared=memory) or []
        parts = zip(*(arrays_by_records(TYPES, data, len(TYPES), 400, list(wanted)) for data in blocks), strict=True)
        held += zip(found, map(pa.concat_arrays, parts), strict=True)
        for _ in range(rng.randrange(2 * len(TYPES)) if number % 2 else 0):
            held.pop(rng.randrange(len(held)))
    del memory
    assert held
    for array, expected in held:
        array.validate(full=True)
        assert str(array) == str(expected)
    if is_large:
        places = {array.buffers()[1].address >> 22 for array, _ in held}
        assert len(places) < len(held) / 10, "many columns lie in one block of 4 MiB"


@native_only
@pytest.mark.parametrize("nulls", [0, 0.3])
@pytest.mark.parametrize(("entries", "longest"), [(1, 5), (4, 0), (200, 16), (256, 15), (257, 3), (9, 17)])
def test_dictionaries_of_short_texts_in_shared_memory(entries: int, longest: int, nulls: float) -> None:
    """What columns need is all that they take, and all that counts for the limit."""
    rng = random.Random(entries)
    types, rows = TYPES[1:2], 700
    texts = [b"x" * rng.randrange(longest + 1) for _ in range(entries - 1)] + [b"y" * longest]
    data = b"".join(bytes([len(text)]) + text for text in texts)
    null_at = [rng.random() < nulls for _ in range(rows)]
    codes = [rng.randrange(entries) for _ in range(rows - sum(null_at))]
    body = Columns(
        elements=None,
        consts=[None],
        dicts=[Dict(entries=read_values(layout_of(Value, types[0]), data, 0, len(data), entries))],
        nulls=[Bitmap(null_at=Bits.pack(null_at, 1)) if nulls else None],
        cells=[Cells.DICT(codes=Bits.pack(codes, (entries - 1).bit_length()))],
    ).to_bytes(types, 1, rows)
    (expected,) = arrays_by_records(types, body, 1, rows, [0])
    size = 4 * rows + sum(len(texts[code]) for code in codes)
    memory = column_memory(is_large=True)
    arguments = types_of(types), [0], [body], (1, rows), [rows]
    held = [(BLOCKS.decode(*arguments, limit=size, shared=memory) or [])[0][0] for _ in range(3)]
    assert BLOCKS.decode(*arguments, limit=size - 1, shared=memory) is None
    for array in held:
        array.validate(full=True)
        assert array.equals(expected)
    first, second, _ = (array.buffers()[1].address for array in held)
    assert second - first <= size + 1024, "no room is lost between columns"


@native_only
def test_a_record_batch_takes_columns_of_many_blocks() -> None:
    rng = random.Random(2)
    parts, expected = [], []
    for _ in range(3):
        data = block(TYPES, 20, rng)
        parts += BLOCKS.decode(types_of(TYPES), range(len(TYPES)), [data], (len(TYPES), 20), [20]) or []
        expected += arrays_by_records(TYPES, data, len(TYPES), 20, list(range(len(TYPES))))
    order = list(range(len(expected)))
    rng.shuffle(order)
    order.pop()
    nulls = [part.null_count(at) for part in parts for at in range(len(part))]  # type: ignore[attr-defined]
    schema = pa.schema([pa.field(str(at), expected[at].type) for at in order])
    batch = record_batch(parts, order, schema)
    assert nulls == [column.null_count for column in expected]
    batch.validate(full=True)
    assert [str(column) for column in batch.columns] == [str(expected[at]) for at in order]
    with pytest.raises(ValueError, match="taken twice"):
        record_batch(parts, order[:1], pa.schema([schema.field(0)]))
    with pytest.raises(ValueError, match="given to a record batch"):
        list(parts[0])


@native_only
def test_a_record_batch_needs_columns_of_one_length_that_are_not_arrays_yet() -> None:
    data = [block(TYPES[:1], rows, random.Random(3)) for rows in (5, 6)]
    five, six = (
        (BLOCKS.decode(types_of(TYPES[:1]), [0], [each], (1, rows), [rows]) or [])[0]
        for each, rows in zip(data, (5, 6), strict=True)
    )
    schema = pa.schema([pa.field("a", TYPES[0].to_arrow())])
    with pytest.raises(ValueError, match="one length"):
        record_batch([five, six], [0], schema)
    with pytest.raises(IndexError):
        record_batch([five], [1], schema)
    assert len(five[0]) == 5
    with pytest.raises(ValueError, match="not arrays yet"):
        record_batch([five], [0], schema)


@pytest.mark.skipif(kernels.offset_scans is not None, reason="of the pure backend")
def test_the_pure_backend_leaves_it_to_the_records() -> None:
    data = block(TYPES, 5, random.Random(1))
    assert BLOCKS.decode(types_of(TYPES), [0], [data], (4, 5), [5]) is None


def test_records_with_other_fields_have_no_scan(tmp_path: Any) -> None:
    path = tmp_path / "other.idl"
    path.write_text("struct S { 1: i32 a }\nrecord Other(list<i32> types) { S data via compact; }\n")
    with pytest.raises(NotScannable):
        OffsetScan(compile_idl(path).Other, Value)


def test_steps_have_the_numbers_of_the_machine() -> None:
    """The machine's own list is read, so that the two cannot part."""
    header = Path(native.__file__).with_name("offset_scan.h")
    if not header.exists():
        pytest.skip("sources are not installed")
    body = header.read_text().split("enum {", 1)[1].split("};")[0]
    names = [word.removeprefix("SCAN_").rstrip(",") for word in body.split() if word.startswith("SCAN_")]
    assert names == [op.name for op in Op]


def test_a_condition_and_its_comparison_are_one_step() -> None:
    code = Code()
    left, right = code.scalar(2), code.scalar()
    with code.when(code.result(Op.LT, left, right)):
        code.check(code.result(Op.EQ, left, right))
    assert [op for op, *_ in code.steps] == [Op.UNLESS_LT, Op.CHECK_EQ]
    assert code.steps[0][1] == len(code.steps)
