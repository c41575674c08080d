"""Columnar decoding: the native result against objects turned into columns in Python."""

from __future__ import annotations

import random
import sys
import threading
import time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.generated import parquet
from lakecodec.runtime.compact import columns as pure
from lakecodec.runtime.compact import native
from lakecodec.runtime.compact.program import Leaf, Program
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.limits import Limits

from .classes import CODECS, All, Inner, Tree, make
from .footers import broken, footer
from .results import outcome, plain

META = ("meta_data",)
CHUNKS = Program(
    parquet.FileMetaData,
    (("row_groups",), ("columns",)),
    (
        Leaf(0, ("created_by",), "string"),
        Leaf(1, ("num_rows",), "int"),
        Leaf(2, (*META, "path_in_schema"), "join", "/"),
        Leaf(2, (*META, "type"), "int"),
        Leaf(2, (*META, "encodings"), "ints"),
        Leaf(2, (*META, "statistics", "min_value"), "binary"),
        Leaf(2, (*META, "statistics", "null_count"), "int"),
        Leaf(2, (*META, "statistics", "is_max_value_exact"), "bool"),
        Leaf(2, (*META, "geospatial_statistics", "bbox", "xmin"), "double"),
        Leaf(2, (*META, "codec"), "int"),
        Leaf(2, (*META, "codec"), "int"),
    ),
)
KEEPS: list[Any] = [None, (2, frozenset({b"column_1", b"nothing"})), (3, frozenset({2, 6})), (6, {None}), (5, ())]


def both(program: Program, buffers: Any, limits: Limits, **named: Any) -> tuple[Any, ...]:
    """What both say; where rows are left out, the native one does not look behind the deciding leaf."""
    got = outcome(lambda: plain(native.columns(program, buffers, limits, **named)))
    assert got == outcome(lambda: plain(pure.columns(program, buffers, limits, **named)))
    return got


@pytest.mark.parametrize("keep", KEEPS)
def test_good_footers(keep: Any) -> None:
    buffers = [footer(4, 3), footer(2, 1, statistics=False), footer(1, 1)]
    assert both(CHUNKS, buffers, Limits(), keep=keep)[0] == "value"
    assert both(CHUNKS, [], Limits(), keep=keep)[0] == "value"


def test_broken_footers() -> None:
    good = [footer(4, 3), footer(2, 2, statistics=False)]
    for seed in range(300):
        buffers = [broken(good[seed % 2], seed), good[0], broken(good[1], -seed)]
        limits = Limits(max_depth=5 + seed % 3, max_elements=40 if seed % 5 == 0 else 10**6)
        both(CHUNKS, buffers, limits, on_error="collect")
        both(CHUNKS, buffers, limits, on_error="raise")


@pytest.mark.parametrize(
    "buffers",
    [
        [footer(30, 30)] * 14,
        [footer(4, 3), *[footer(30, 30)] * 14],
        [footer(4, 200, statistics=False), *[footer(30, 30)] * 14],
        [footer(30, 30), *[footer(4, 3)] * 200],
        [footer(30, 30), *[broken(footer(30, 30), seed) for seed in range(14)]],
        # Rows enough in the first buffer alone: its own rest promises the room.
        [footer(7, 1500)],
        [footer(200, 30), footer(4, 3), footer(200, 30)],
        [footer(200, 30)[:-2000], footer(4, 3), footer(200, 30)],
    ],
    ids=["alike", "larger", "much-larger", "smaller", "broken", "one", "large-first", "large-cut"],
)
def test_room_that_the_first_buffer_promises(buffers: list[bytes]) -> None:
    assert both(CHUNKS, buffers, Limits(), on_error="collect")[0] == "value"


def varied(seed: int) -> bytes:
    """A footer whose values differ in length from those of others, some of them at a few places alone."""
    chance = random.Random(seed)
    metadata = parquet.FileMetaData.from_bytes(footer(12, 3))
    for group in metadata.row_groups:
        for chunk in group.columns:
            meta = chunk.meta_data
            assert meta is not None
            assert meta.statistics is not None
            if chance.random() < 0.5:
                continue
            meta.total_compressed_size = chance.getrandbits(chance.randrange(64)) - chance.getrandbits(20)
            meta.statistics.min_value = chance.choice([None, b"", chance.randbytes(chance.randrange(70))])
            meta.statistics.null_count = chance.choice([None, 0, 100, -(2**63)])
            meta.path_in_schema = [chance.choice(["", "a", "name " * 9])] * chance.choice([0, 1, 1, 2])
            meta.encodings = chance.choice([[], meta.encodings, [parquet.Encoding.PLAIN] * 20])
            meta.codec = chance.choice([meta.codec, -(2**31), 2**31 - 1, 70])  # type: ignore[assignment]
    if chance.random() < 0.3:
        metadata.schema[0].name = "other " * chance.randrange(9)
    return metadata.to_bytes()


@pytest.mark.parametrize("keep", [None, (2, frozenset({b"column_1", b"a"})), (9, frozenset({70, -(2**31)}))])
@pytest.mark.parametrize("leaves", [CHUNKS.leaves, CHUNKS.leaves[:10]], ids=["twice", "once"])
def test_rows_that_repeat_layouts(keep: Any, leaves: tuple[Leaf, ...]) -> None:
    program = Program(CHUNKS.root, CHUNKS.levels, leaves)
    assert both(program, [varied(seed // 2) for seed in range(60)], Limits(), keep=keep)[0] == "value"
    for seed in range(6):
        limits = Limits(max_depth=6 + seed % 2, max_elements=250 + 10 * seed)
        assert both(program, [varied(seed), varied(seed), footer(12, 3)], limits, on_error="collect")[0] == "value"


def test_broken_rows_that_repeat_layouts() -> None:
    good = [footer(12, 3), varied(1)]
    for seed in range(100):
        buffers = [*good, broken(good[seed % 2], seed), *good]
        both(CHUNKS, buffers, Limits(max_depth=5 + seed % 3), on_error="collect")


def test_numbers_of_32_bits_in_rows_that_repeat_a_layout() -> None:
    """The last of the five bytes that a layout allows for has bits that the number has not."""
    metadata = parquet.FileMetaData.from_bytes(footer(12, 3))
    for group in metadata.row_groups:
        for chunk in group.columns:
            assert chunk.meta_data is not None
            chunk.meta_data.codec = -(2**31)  # type: ignore[assignment]
    good = metadata.to_bytes()
    at = good.rindex(b"\xff\xff\xff\xff\x0f") + 4
    bad = good[:at] + b"\x1f" + good[at + 1 :]
    assert both(CHUNKS, [good, bad, good], Limits(), on_error="collect")[0] == "value"
    with pytest.raises(DecodeError, match="codec"):
        native.columns(CHUNKS, [good, bad], Limits())


def alike(rows: int, **changed: Any) -> bytes:
    """A footer of one row group whose chunks have one layout, but for every third one of some fields."""
    metadata = parquet.FileMetaData.from_bytes(footer(1, 1))
    chunk = metadata.row_groups[0].columns[0]
    chunks = []
    for number in range(rows):
        copy = parquet.ColumnChunk.from_bytes(chunk.to_bytes())
        assert copy.meta_data is not None
        assert copy.meta_data.statistics is not None
        copy.meta_data.path_in_schema = [f"column {number:05}"]
        copy.meta_data.statistics.min_value = number.to_bytes(8, "little")
        copy.meta_data.codec = -(2**31) + number  # type: ignore[assignment]
        if number > rows // 2 and number % 3 == 0:
            for name, value in changed.items():
                setattr(copy.meta_data, name, value)
        chunks.append(copy)
    metadata.row_groups[0].columns = chunks
    return metadata.to_bytes()


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("changed", [{}, {"statistics": None}, {"path_in_schema": []}, {"encodings": []}])
def test_long_runs_of_rows(changed: dict[str, Any], keep: Any) -> None:
    """Rows of one layout that follow each other are gathered together."""
    program = Program(CHUNKS.root, CHUNKS.levels, CHUNKS.leaves[:10])
    data = alike(700, **changed)
    assert both(program, [data, footer(3, 1), data], Limits(), keep=keep)[0] == "value"
    if keep is None:
        at = data.index(b"column 00500")
        bad = data[:at] + data[at:].replace(b"\x0f", b"\x1f", 1)
        assert both(program, [bad, data], Limits(), on_error="collect")[0] == "value"
        for most in (690, 2100, 2800, 3500):
            both(program, [data, data], Limits(max_elements=most), on_error="collect")


def test_columns_outlive_each_other() -> None:
    buffers = [footer(30, 30)] * 14
    expected = plain(native.columns(CHUNKS, buffers, Limits()))[3]
    columns = native.columns(CHUNKS, buffers, Limits()).columns
    for content in expected:
        column = columns.pop(0)
        parts = (column.validity, column.values, column.offsets)
        assert (*(part and bytes(part) for part in parts), column.null_count, column.is_ascii) == content


def test_rows_left_out_do_not_hide_errors_before_them() -> None:
    good = footer(4, 3)
    for seed in range(300):
        buffers = [good, broken(good, seed)]
        for keep in KEEPS[1:]:
            got = plain(native.columns(CHUNKS, buffers, Limits(), keep=keep, on_error="collect"))
            expected = plain(pure.columns(CHUNKS, buffers, Limits(), keep=keep, on_error="collect"))
            errors, needed = [[number for number, _ in part.pop()] for part in (got, expected)]
            assert got == expected if errors == needed else not errors


def test_buffers_go_to_arrow_as_they_are() -> None:
    made = native.columns(CHUNKS, [footer(4, 2)], Limits())
    column = made.columns[2]
    parts = [pa.py_buffer(part) for part in (column.offsets, column.values)]
    paths = pa.Array.from_buffers(pa.string(), made.rows[2], [None, *parts])
    paths.validate(full=True)
    assert paths.to_pylist() == [f"column_{i}" for i in range(4)] * 2
    assert made.parents[2].tolist() == [0] * 4 + [1] * 4
    assert made.ordinals[2].dtype == np.int32


def test_every_kind_of_leaf() -> None:
    program = Program(
        All,
        (("inners",),),
        (
            Leaf(0, ("i8",), "int"), Leaf(0, ("far",), "int"), Leaf(0, ("double",), "double"), Leaf(0, ("flag",), "bool"),
            Leaf(0, ("nested",), "join"), Leaf(0, ("i64s",), "ints"), Leaf(0, ("inner", "s"), "string"), Leaf(1, ("x",), "int"),
        ),
    )  # fmt: skip
    with pytest.raises(ValueError, match="nested"):
        native.columns(program, [], Limits())
    program = Program(All, program.levels, tuple(leaf for leaf in program.leaves if leaf.path != ("nested",)))
    values = [
        make(All, i8=-3, far=-9, double=1.5, flag=True, i64s=[1, -2], inner=make(Inner, x=1, s="é")),
        make(All, inners=[make(Inner, x=number) for number in range(70)]),
    ]
    data = [CODECS[All].encode(value, "strict") for value in values]
    assert both(program, data, Limits())[0] == "value"
    with pytest.raises(DecodeError, match=r"i64s\[1\]: .*32-bit") as caught:
        native.columns(program, [data[0], CODECS[All].encode(make(All, i64s=[1, 2**31]), "strict")], Limits())
    assert caught.value.buffer == 1  # type: ignore[attr-defined]
    assert caught.value.__notes__ == ["in buffer 1"]


def test_the_last_of_repeated_fields_counts() -> None:
    program = Program(
        Tree,
        (("left", "others"), ("others",)),
        (Leaf(0, ("value",), "int"), Leaf(0, ("left", "right", "value"), "int"), Leaf(1, ("value",), "int"),
         Leaf(2, ("value",), "int")),
    )  # fmt: skip
    leaf = b"\x16\x02\x00"
    some = b"\x16\x02\x39\x2c\x16\x02\x39\x1c" + leaf + b"\x00" + leaf
    with_right = b"\x16\x02\x2c" + leaf + b"\x00"
    for first, second in ((some + b"\x00", with_right), (with_right, some + b"\x00"), (some + b"\x00", some + b"\x00")):
        data = b"\x16\x02\x1c" + first + b"\x0c\x04" + second + b"\x00"
        assert both(program, [data, data], Limits())[0] == "value"
    repeated = some + b"\x09\x08\x1c" + leaf + b"\x00"
    assert both(program, [b"\x16\x02\x1c" + repeated + b"\x00"], Limits())[0] == "value"


@pytest.mark.parametrize(
    ("program", "keep", "error"),
    [
        (Program(parquet.FileMetaData, (("nothing",),), ()), None, KeyError),
        (Program(parquet.FileMetaData, (("version",),), ()), None, ValueError),
        (Program(parquet.FileMetaData, (("schema", "name"),), ()), None, ValueError),
        (Program(parquet.FileMetaData, ((),), ()), None, ValueError),
        (Program(parquet.FileMetaData, (), (Leaf(1, ("version",), "int"),)), None, ValueError),
        (Program(parquet.FileMetaData, (), (Leaf(0, ("version",), "bool"),)), None, ValueError),
        (Program(parquet.FileMetaData, (), (Leaf(0, (), "int"),)), None, ValueError),
        (Program(parquet.FileMetaData, (), (Leaf(0, ("version", "x"), "int"),)), None, ValueError),
        (CHUNKS, (99, ()), ValueError),
        (CHUNKS, (1, ()), ValueError),
        (CHUNKS, (7, ()), ValueError),
        (CHUNKS, 5, TypeError),
    ],
)
def test_wrong_programs_are_refused(program: Program, keep: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"program|keep"):
        native.columns(program, [footer(1, 1)], Limits(), keep=keep)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="on_error"):
        native.columns(CHUNKS, [], Limits(), on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="data"):
        native.columns(CHUNKS, [b"", "x"], Limits())


def test_other_threads_run_meanwhile() -> None:
    """Nobody else makes this thread give up the interpreter; a busy machine may need more than one call for the other to run."""
    buffers = [footer(30, 30)] * 60
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        before = ticks
        for _ in range(200):
            native.columns(CHUNKS, buffers, Limits())
            if ticks > before:
                break
        after = ticks
    finally:
        sys.setswitchinterval(interval)
    done.set()
    thread.join()
    assert after > before


NAMES: list[dict[int, str]] = [
    {},
    {0: "zero", 1: "one", 3: "drei"},
    {-5: "minus", 1000: "big"},
    {-(2**63): "least", 0: "", 2**63 - 1: "most", 7: "sieben é"},
]


@pytest.mark.parametrize("texts", NAMES)
@pytest.mark.parametrize("width", [4, 8])
def test_names_of_numbers(texts: dict[int, str], width: int) -> None:
    limit = 2 ** (8 * width - 1)
    numbers = [n for n in (-limit, -6, -5, -1, 0, 1, 2, 3, 3, 7, 999, 1000, limit - 1) if -limit <= n < limit]
    for some in (numbers, [], [3], numbers * 50):
        data = np.array(some, f"i{width}")
        offsets, content = native.names(data, width, texts)
        texted = pa.Array.from_buffers(pa.string(), len(some), [None, pa.py_buffer(offsets), pa.py_buffer(content)])
        texted.validate(full=True)
        assert texted.to_pylist() == [texts.get(n, str(n)) for n in some]
        expected = pure.names(data, width, texts)
        assert (bytes(offsets), bytes(content)) == (bytes(expected[0]), expected[1])


def test_wrong_names_are_refused() -> None:
    with pytest.raises(TypeError, match="names"):
        native.names(b"", 2, {})
    with pytest.raises(OverflowError):
        native.names(b"", 4, {2**64: "x"})
    with pytest.raises(TypeError):
        native.names(b"", 4, {0: 5})  # type: ignore[dict-item]
    with pytest.raises(UnicodeEncodeError):
        native.names(b"", 4, {0: "\ud800"})


def test_text_is_known_to_be_ascii() -> None:
    program = Program(parquet.FileMetaData, (), (Leaf(0, ("created_by",), "string"),))
    for text in ("plain", "", "sieben é", "a" * 15 + "é", "a" * 16 + "é"):
        data = parquet.FileMetaData(version=1, schema=[], num_rows=0, row_groups=[], created_by=text).to_bytes()
        assert both(program, [data], Limits())[0] == "value"
        assert native.columns(program, [data], Limits()).columns[0].is_ascii == text.isascii()
