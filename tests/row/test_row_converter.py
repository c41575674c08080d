"""RowConverter: arguments, memory, unions, legacy dictionaries, chunks, empty input and errors."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lakecodec.row import RowConverter, SortOptions
from lakecodec.runtime.errors import DecodeError

DESC = SortOptions(descending=True)


def dictionary(*values: Any, kind: pa.DataType | None = None) -> pa.DictionaryArray:
    return pa.array(values, kind or pa.string()).dictionary_encode()


def test_prefix_rows_are_prefixes() -> None:
    table = pa.table({"a": [1, None], "b": ["x", "long text beyond a block"], "c": [0.5, -1.0]})
    converter = RowConverter(table.schema)
    whole = converter.convert_columns(table).to_pylist()
    for k in range(4):
        part = converter.prefix(k).convert_columns(table.select(table.column_names[:k]) if k else table.select([]))
        assert [row.startswith(start) for row, start in zip(whole, part.to_pylist(), strict=False)] == [True] * len(
            part
        )
    with pytest.raises(ValueError, match="k:"):
        converter.prefix(4)


def test_out_receives_the_rows() -> None:
    table = pa.table({"a": [1, 2], "b": ["x", None]})
    converter = RowConverter(table.schema)
    fresh = converter.convert_columns(table)
    for out in (bytearray(100), np.zeros(64, np.uint8)):
        rows = converter.convert_columns(table, out=out)
        assert rows.equals(fresh)
        assert rows.buffers()[2].address == pa.py_buffer(out).address
    with pytest.raises(ValueError, match="out: 29 bytes"):
        converter.convert_columns(table, out=bytearray(28))
    with pytest.raises(ValueError, match="out"):
        converter.convert_columns(table, out=b"read-only" * 9)
    nested = RowConverter([pa.list_(pa.int8())])
    with pytest.raises(ValueError, match="out"):
        nested.convert_columns([pa.array([[1]], pa.list_(pa.int8()))], out=bytearray(5))


def test_results_stay_as_they_were() -> None:
    converter = RowConverter([pa.string()])
    results = [converter.convert_columns([pa.array([f"value {i}"] * 1000)]) for i in range(5)]
    assert [result[999].as_py() for result in results] == [
        RowConverter([pa.string()]).convert_columns([pa.array([f"value {i}"])])[0].as_py() for i in range(5)
    ]


def test_threads_share_a_converter() -> None:
    converter = RowConverter([pa.int64(), pa.string()])
    failures: list[int] = []

    def work(seed: int) -> None:
        for i in range(50):
            columns = [pa.array(np.arange(i * 10) + seed), pa.array([str(seed)] * (i * 10), pa.string())]
            back = converter.convert_rows(converter.convert_columns(columns))
            if not (back[0].equals(columns[0]) and back[1].equals(columns[1])):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_chunks_slices_and_many_rows() -> None:
    text = pa.chunked_array([["a", None], ["bb", "ccc", ""], pa.array([], pa.string()), ["d"]])
    lists = pa.chunked_array([[[1], None, []], [[2, 3], [4], None]], pa.list_(pa.int8()))
    converter = RowConverter([text.type, lists.type])
    whole = converter.convert_columns([text.combine_chunks(), lists.combine_chunks()])
    assert converter.convert_columns([text, lists]).equals(whole)
    assert converter.convert_columns([text.slice(1, 3), lists.slice(1, 3)]).equals(whole.slice(1, 3))
    many = pa.array([[i, i + 1] for i in range(70_000)], pa.list_(pa.int32()))
    lone = RowConverter([many.type])
    rows = lone.convert_columns([many])
    assert lone.convert_rows(rows)[0].equals(many)
    assert rows[69_999].as_py() == lone.convert_columns([many.slice(69_999)])[0].as_py()


def test_zero_rows_and_zero_columns() -> None:
    none = RowConverter([])
    assert none.convert_columns(pa.table({"a": [1, 2]}).select([])).to_pylist() == [b"", b""]
    assert none.convert_rows([b"", b""]) == []
    with pytest.raises(DecodeError, match="left"):
        none.convert_rows([b"", b"x"])
    types = [pa.int8(), pa.list_(pa.string()), pa.dictionary(pa.int8(), pa.string()), pa.struct({"a": pa.bool_()})]
    converter = RowConverter(types)
    rows = converter.convert_columns([pa.array([], kind) for kind in types])
    assert len(rows) == 0
    assert [len(array) for array in converter.convert_rows(rows)] == [0, 0, 0, 0]


@pytest.mark.parametrize("mode", ["sparse", "dense"])
@pytest.mark.parametrize("options", [SortOptions(), DESC, SortOptions(True, False)])
@pytest.mark.parametrize("variant", ["arrow", "sql"])
def test_unions(mode: str, options: SortOptions, variant: Any) -> None:
    codes = pa.array([7, 3, 7, 3, 7], pa.int8())
    numbers, text = pa.array([1, 2, 3, None, 5]), pa.array(["a", "b", None, "dd", "e"])
    if mode == "sparse":
        union = pa.UnionArray.from_sparse(codes, [numbers, text], ["n", "t"], [3, 7])
    else:
        offsets = pa.array([0, 1, 2, 3, 4], pa.int32())
        union = pa.UnionArray.from_dense(codes, offsets, [numbers, text], ["n", "t"], [3, 7])
    converter = RowConverter([(union.type, options)], variant=variant)
    rows = converter.convert_columns([union])
    (back,) = converter.convert_rows(rows)
    back.validate(full=True)
    assert back.type == union.type
    assert back.to_pylist() == union.to_pylist()
    assert converter.convert_columns([union.slice(2)]).to_pylist() == rows.to_pylist()[2:]
    child = converter.convert_columns([union])[1].as_py()[1:]
    inverted = options.descending and variant == "sql"
    assert child[:2] == (b"\x01\x7f" if inverted else b"\x01\x80")
    wrapped = pa.StructArray.from_arrays([union], ["u"], mask=pa.array([False, True, False, False, False]))
    again = RowConverter([(wrapped.type, options)], variant=variant)
    assert again.convert_rows(again.convert_columns([wrapped]))[0].is_valid().to_pylist() == [True, False] + [True] * 3


def test_run_end_encoded_columns_come_back_plain() -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3, 6], pa.int32()), pa.array(["x", None, "yy"]))
    converter = RowConverter([runs.type])
    whole = converter.convert_columns([runs])
    assert converter.convert_rows(whole)[0].to_pylist() == ["x", "x", None, "yy", "yy", "yy"]
    assert converter.convert_columns([runs.slice(1, 3)]).equals(whole.slice(1, 3))


def test_legacy_dictionary_keys_depend_on_history() -> None:
    converter = RowConverter([pa.dictionary(pa.int32(), pa.int64())], variant="legacy")
    keys = [converter.convert_columns([dictionary(v, kind=pa.int64())])[0].as_py().hex() for v in (8, 6, 5, 7)]
    assert keys == ["010200", "01010200", "0101010200", "01010300"]
    many = RowConverter([pa.dictionary(pa.int32(), pa.int32())], variant="legacy")
    rows = many.convert_columns([dictionary(*range(300), kind=pa.int32())]).to_pylist()
    expected = {0: "0200", 252: "fe00", 253: "ff00", 254: "ff0200", 299: "ff2f00"}
    assert {i: rows[i].hex()[2:] for i in expected} == expected
    assert rows == sorted(rows)


@pytest.mark.parametrize("options", [SortOptions(), DESC, SortOptions(True, False), SortOptions(False, False)])
def test_legacy_dictionaries_sort_and_come_back(options: SortOptions) -> None:
    converter = RowConverter([(pa.dictionary(pa.int32(), pa.string()), options)], variant="legacy")
    words = ["m", "a", None, "z", "b", "", "aa", "m"]
    first = converter.convert_columns([dictionary(*words[:4])]).to_pylist()
    rows = first + converter.convert_columns([dictionary(*words[4:])]).to_pylist()
    assert converter.convert_rows(rows)[0].to_pylist() == words
    present = sorted((row, word) for row, word in zip(rows, words, strict=True) if word is not None)
    in_order = sorted((word for word in words if word is not None), reverse=options.descending)
    assert [word for _, word in present] == in_order
    with pytest.raises(DecodeError, match="dictionary"):
        RowConverter([(pa.dictionary(pa.int32(), pa.string()), options)], variant="legacy").convert_rows(rows[:1])


def test_errors_name_row_offset_and_rule() -> None:
    converter = RowConverter([pa.int16(), pa.list_(pa.string())])
    good = converter.convert_columns([pa.array([1, 2], pa.int16()), pa.array([["ab", "cd"], None])]).to_pylist()
    inner = bytearray(good[0])
    # 3 bytes of int16, 19 of the first item; the second item's string begins in its block.
    inner[3 + 19 + 1] = 9
    with pytest.raises(DecodeError) as caught:
        converter.convert_rows([good[1], bytes(inner)])
    assert (caught.value.format, caught.value.path, caught.value.offset) == ("row", "rows[1]", 23)
    assert "empty, filled or null byte" in caught.value.rule
    for cut in range(len(good[0])):
        with pytest.raises(DecodeError):
            converter.convert_rows([good[0][:cut]])
    with pytest.raises(DecodeError, match="left"):
        converter.convert_rows([good[0] + b"\0"])
    with pytest.raises(DecodeError, match="UTF-8"):
        RowConverter([pa.string()]).convert_rows(RowConverter([pa.binary()]).convert_columns([pa.array([b"\xff"])]))


@pytest.mark.parametrize(
    "kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(2)], ids=["32", "64", "view", "fixed"]
)
def test_rows_of_any_binary_type(kind: pa.DataType) -> None:
    rows = pa.array([b"\x01\x80", b"\x01\x81", b"\x00\x00"], kind)
    converter = RowConverter([pa.int8()])
    assert converter.convert_rows(rows)[0].to_pylist() == [0, 1, None]
    assert converter.convert_rows(rows.slice(1))[0].to_pylist() == [1, None]
    assert converter.convert_rows(pa.chunked_array([rows.slice(0, 1), rows.slice(1)]))[0].to_pylist() == [0, 1, None]


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="variant"):
        RowConverter([], variant="arrow-59")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ordered"):
        RowConverter([], ordered=False)
    with pytest.raises(TypeError, match=r"fields\[0\]"):
        RowConverter([(pa.int8(), True)])  # type: ignore[list-item]
    for variant, kind in (
        ("sql", pa.map_(pa.string(), pa.int8())),
        ("legacy", pa.list_(pa.int8(), 2)),
        ("polars", pa.decimal256(40, 1)),
        ("polars", pa.month_day_nano_interval()),
    ):
        with pytest.raises(ValueError, match="no shape"):
            RowConverter([kind], variant=variant)  # type: ignore[arg-type]
    converter = RowConverter([pa.int8()])
    with pytest.raises(ValueError, match="columns"):
        converter.convert_columns([])
    with pytest.raises(ValueError, match=r"columns\[0\]"):
        converter.convert_columns([pa.array([1])])
    with pytest.raises(ValueError, match="rows"):
        converter.convert_rows(pa.array([None], pa.binary()))
    with pytest.raises(TypeError, match="rows"):
        converter.convert_rows(pa.array(["text"]))
    deep = pa.int8()
    for _ in range(100):
        deep = pa.list_(deep)
    with pytest.raises(ValueError, match="deeper"):
        RowConverter([deep])
