"""Layouts of other declarations than row.idl: what is declared is what is written, with a kernel or value by value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lakecodec.idl
from lakecodec import compile_idl, extern_codec
from lakecodec.row import RowConverter, SortOptions
from lakecodec.row.codecs import Blocks, Framed, Transform
from lakecodec.row.layout import Layout
from lakecodec.row.nodes import BytesNode, LiteralNode
from lakecodec.row.plan import plan

TEXT = (Path(lakecodec.idl.__path__[0]) / "row.idl").read_text()


def layout(*changes: tuple[str, str], variant: str = "ARROW") -> Layout:
    """The layout of row.idl with parts of its text changed."""
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    declared: Any = compile_idl(text, allow_extern=[__name__])
    return Layout(declared.Variant[variant], declared)


def rows(found: Layout, array: pa.Array, options: SortOptions | None = None) -> list[bytes]:
    """Rows of one column, which must come back."""
    convert = RowConverter._planned([(array.type, options or SortOptions())], found)
    made = convert.convert_columns([array])
    (back,) = convert.convert_rows(made)
    assert back.equals(array)
    return list(made.to_pylist())


def test_blocks_of_other_sizes() -> None:
    """The figures of the format's documentation, which show blocks of four bytes."""
    found = layout(("BLOCKS_ARROW = [8, 8, 8, 8, 32]", "BLOCKS_ARROW = [4]"))
    assert isinstance(plan(found, pa.string(), SortOptions()), LiteralNode)
    array = pa.array(["MEEP", "Defenestration", "", None])
    assert rows(found, array) == [
        bytes.fromhex("02 4d454550 04"),
        bytes.fromhex("02 44656665 ff 6e657374 ff 72617469 ff 6f6e0000 02"),
        b"\x01",
        b"\x00",
    ]


def test_shapes_without_a_kernel_inside_of_those_that_have_one() -> None:
    found = layout(("BLOCKS_ARROW = [8, 8, 8, 8, 32]", "BLOCKS_ARROW = [3, 5]"))
    text = pa.array(["a", None, "abcdefghij"])
    array = pa.StructArray.from_arrays([pa.array([1, 2, 3], pa.int8()), text], names=["n", "t"])
    array = pa.array([array[0].as_py(), None, array[2].as_py()], array.type)
    assert rows(found, array, SortOptions(True, False)) == [
        bytes.fromhex("01 01 7e fd 9effff fe"),
        bytes.fromhex("ff ff 00 ff"),
        bytes.fromhex("01 01 7c fd 9e9d9c 00 9b9a999897 00 9695ffffff fd"),
    ]
    lists = pa.array([["x", None], [], None])
    filled = bytes.fromhex("02 027800 ff 0001000000 02  02 000000 01  01")
    assert rows(found, lists) == [filled, b"\1", b"\0"]


@extern_codec
class Reversed(Transform):
    """Bytes from the last to the first."""

    def encode(self, value: bytes) -> bytes:
        return value[::-1]

    def decode(self, data: Any) -> bytes:
        return bytes(data)[::-1]


@extern_codec
class Hex(Framed):
    """Hexadecimal digits up to a semicolon."""

    def encode(self, value: bytes) -> bytes:
        return value.hex().encode() + b";"

    def decode(self, data: Any) -> tuple[bytes, int]:
        text, _, _ = bytes(data).partition(b";")
        return bytes.fromhex(text.decode()), len(text) + 1


@extern_codec
class LoudBlocks(Blocks):
    """A subclass, which may do anything: the kernel of its base class is not its own."""

    def encode(self, value: bytes) -> bytes:
        return super().encode(value.upper())


def test_codecs_of_other_classes_run_value_by_value() -> None:
    found = layout(("row.codecs:FlipSign", f"{__name__}:Reversed"), ("row.codecs:Blocks", f"{__name__}:Hex"))
    assert rows(found, pa.array([1, None, 258], pa.int16())) == [b"\1\1\0", b"\0\0\0", b"\1\2\1"]
    declared = [("blocks(list<i32> sizes, i32 empty, i32 filled)", "blocks"), ("blocks(widths(v), 1, 2)", "blocks")]
    found = layout(*declared, ("row.codecs:Blocks", f"{__name__}:Hex"))
    assert rows(found, pa.array([b"a\xff", b""])) == [b"61ff;", b";"]


def test_a_subclass_does_not_get_the_kernel_of_its_base() -> None:
    found = layout(("row.codecs:Blocks", f"{__name__}:LoudBlocks"))
    assert rows(found, pa.array(["ABC"])) == [b"\2ABC\0\0\0\0\0\3"]
    convert = RowConverter._planned([(pa.string(), SortOptions())], found)
    assert convert.convert_columns([pa.array(["abc"])]).to_pylist() == [b"\2ABC\0\0\0\0\0\3"]


def test_names_of_codecs_mean_nothing() -> None:
    renamed = [("codec blocks(", "codec pieces("), ("via blocks(", "via pieces(")]
    found = layout(*renamed)
    assert isinstance(plan(found, pa.string(), SortOptions()), BytesNode)
    assert rows(found, pa.array(["MEEP"])) == [bytes.fromhex("02 4d45455000000000 04")]


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ([("filled) -> bytes", "filled) -> i32")], pa.string(), "is for an integer, not for bytes"),
        ([("blocks(widths(v), 1, 2)", "blocks(widths(v), 2, 2)")], pa.string(), "two bytes are needed"),
        ([("blocks(widths(v), 1, 2)", "blocks(widths(v), 0, 2)")], pa.string(), "cannot be told from a value"),
        ([("blocks(widths(v), 1, 2)", "blocks(widths(v), 1, 300)")], pa.string(), "filled: a byte is needed"),
        ([("[8, 8, 8, 8, 32]", "[8, 255]")], pa.string(), "blocks of 1 to 254 bytes"),
        ([("present = 1", "present = 0")], pa.int32(), "cannot be told from a value"),
        ([("over arrow : big", "over arrow : little")], pa.int32(), "big-endian"),
        ([("i32 months ", "i16 months ")], pa.month_day_nano_interval(), "do not make up its 16 bytes"),
        ([("bytes value via hydrated", "bytes value")], pa.dictionary(pa.int8(), pa.int8()), "where value ends"),
        ([("native value", "native value where value > 0")], pa.int32(), "a clause that a row cannot hold"),
        ([("precision * 93", "precision * 299")], pa.decimal128(20, 2), "too many"),
    ],
)
def test_declarations_that_cannot_work_are_refused(
    changes: list[tuple[str, str]], kind: pa.DataType, message: str
) -> None:
    variant = "POLARS" if pa.types.is_decimal(kind) else "ARROW"
    with pytest.raises(ValueError, match=message):
        plan(layout(*changes, variant=variant), kind, SortOptions())
