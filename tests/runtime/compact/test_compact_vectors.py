"""Worked byte examples of Parquet's metadata, made with Apache Thrift 0.25, both ways.

The examples come from the reference text on Parquet's use of the compact protocol; Apache Thrift writes the structs among
them here again.
"""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec.generated import parquet as p

from .apache import Oracle
from .backends import kitchen
from .fixtures import each_backend  # noqa: F401
from .readings import agreed

k = kitchen()
ORACLE = Oracle(p.__spec__, accelerated=False)

EXACT: dict[str, tuple[Any, str]] = {
    "variant": (p.LogicalType.VARIANT(p.VariantType(specification_version=1)), "0c 20 13 01 00 00"),
    "geometry": (p.LogicalType.GEOMETRY(p.GeometryType()), "0c 22 00 00"),
    "column index": (
        p.ColumnIndex(
            null_pages=[True, False],
            min_values=[b"", b"a"],
            max_values=[b"", b"z"],
            boundary_order=p.BoundaryOrder.ASCENDING,
            null_counts=[5, 0],
        ),
        "19 21 01 02 19 28 00 01 61 19 28 00 01 7a 15 02 19 26 0a 00 00",
    ),
    "timestamp": (
        p.TimestampType(isAdjustedToUTC=True, unit=p.TimeUnit.MICROS()),
        "11 1c 2c 00 00 00",
    ),
    "integer": (p.IntType(bitWidth=64, isSigned=True), "13 40 11 00"),
    "negative i8": (p.IntType(bitWidth=-8, isSigned=False), "13 f8 12 00"),
    "footer": (
        p.FileMetaData(
            version=1,
            schema=[
                p.SchemaElement(name="schema", num_children=1),
                p.SchemaElement(type=p.Type.INT32, repetition_type=p.FieldRepetitionType.REQUIRED, name="a"),
            ],
            num_rows=0,
            row_groups=[],
        ),
        "15 02 19 2c 48 06 73 63 68 65 6d 61 15 02 00 15 02 25 00 18 01 61 00 16 00 19 0c 00",
    ),
    "page header": (
        p.PageHeader(
            type=p.PageType.DATA_PAGE,
            uncompressed_page_size=100,
            compressed_page_size=60,
            crc=-1,
            data_page_header=p.DataPageHeader(
                num_values=20,
                encoding=p.Encoding.RLE_DICTIONARY,
                definition_level_encoding=p.Encoding.RLE,
                repetition_level_encoding=p.Encoding.RLE,
            ),
        ),
        "15 00 15 c8 01 15 78 15 01 1c 15 28 15 10 15 06 15 06 00 00",
    ),
    "page location": (p.PageLocation(offset=4, compressed_page_size=60, first_row_index=0), "16 08 15 78 16 00 00"),
    "key and value": (p.KeyValue(key="foo", value="bar"), "18 03 66 6f 6f 18 03 62 61 72 00"),
    "Bloom filter": (
        p.BloomFilterHeader(
            numBytes=1024,
            algorithm=p.BloomFilterAlgorithm.BLOCK(),
            hash=p.BloomFilterHash.XXHASH(),
            compression=p.BloomFilterCompression.UNCOMPRESSED(),
        ),
        "15 80 10 1c 1c 00 00 1c 1c 00 00 1c 1c 00 00 00",
    ),
    "statistics": (
        p.Statistics(null_count=10, max_value=b"z", min_value=b"a", is_max_value_exact=True, is_min_value_exact=False),
        "36 14 28 01 7a 18 01 61 11 12 00",
    ),
    "crypto metadata": (
        p.FileCryptoMetaData(
            encryption_algorithm=p.EncryptionAlgorithm.AES_GCM_V1(p.AesGcmV1(aad_file_unique=b"\x01\x02")),
            key_metadata=b"kf",
        ),
        "1c 1c 28 02 01 02 00 00 18 02 6b 66 00",
    ),
    "column crypto": (p.ColumnCryptoMetaData.ENCRYPTION_WITH_FOOTER_KEY(), "1c 00 00"),
}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.usefixtures("each_backend")
def test_examples(name: str) -> None:
    value, text = EXACT[name]
    data = bytes.fromhex(text)
    assert value.to_bytes() == data
    assert type(value).from_bytes(data) == value
    assert type(value).skip(data) == len(data)
    if type(value).__spec__.kind == "struct":
        assert ORACLE.encode(value) == data


VARINTS = {
    0: "00", -1: "01", 1: "02", -2: "03", 63: "7e", -64: "7f", 64: "8001", -65: "8101", 8191: "fe7f", 8192: "808001",
    2**31 - 1: "feffffff0f", -(2**31): "ffffffff0f", 2**63 - 1: "feffffffffffffffff01", -(2**63): "ffffffffffffffffff01",
}  # fmt: skip


@pytest.mark.parametrize("number", VARINTS)
@pytest.mark.usefixtures("each_backend")
def test_zigzag_numbers(number: int) -> None:
    data = b"\x56" + bytes.fromhex(VARINTS[number]) + b"\0"
    assert k.Scalars(large=number).to_bytes() == data
    assert k.Scalars.from_bytes(data).large == number
    if -(2**31) <= number < 2**31:
        assert k.Scalars(medium=number).to_bytes() == b"\x45" + data[1:]
        assert k.Scalars.from_bytes(b"\x45" + data[1:]).medium == number


def scalars(text: str) -> Any:
    """The outcome of reading Scalars."""
    return agreed(k.Scalars, bytes.fromhex(text))


def lists(text: str) -> Any:
    return agreed(k.Lists, bytes.fromhex(text))


def field(found: Any, name: str) -> Any:
    assert found[0] == "value", found
    return dict(found[1][1:])[name]


def test_padded_varints_are_read() -> None:
    assert field(scalars("4580 00 00"), "medium") == ("int", 0)
    assert field(scalars("45 82808000 00"), "medium") == ("int", 1)
    assert field(scalars("56 82808080808080808000 00"), "large") == ("int", 1)
    assert field(scalars("88 e1808000 " + "61" * 97 + "00"), "text") == ("str", "a" * 97)
    assert scalars("56 8280808080808080808000 00")[:2] == (
        "DecodeError",
        "a varint is longer than 10 bytes or does not fit 64 bits",
    )
    assert scalars("56 80808080808080808002 00")[1] == "a varint is longer than 10 bytes or does not fit 64 bits"


@pytest.mark.parametrize(("name", "header", "bits"), [("small", "34", 16), ("medium", "45", 32), ("color", "a5", 32)])
def test_numbers_beyond_their_type(name: str, header: str, bits: int) -> None:
    def zigzag(number: int) -> str:
        value, out = number << 1 if number >= 0 else ~(number << 1), bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return (bytes(out) + bytes([value])).hex()

    top = 2 ** (bits - 1)
    for inside in (top - 1, -top):
        assert field(scalars(f"{header}{zigzag(inside)}00"), name) == ("int", inside)
    for outside in (top, -top - 1, 2**62, -(2**62)):
        found = scalars(f"{header}{zigzag(outside)}00")
        assert found[1:4] == (f"the value does not fit a {bits}-bit integer", name, 1)


def test_field_headers() -> None:
    long_form = field(scalars("05 08 02 00"), "medium")
    assert long_form == field(scalars("45 02 00"), "medium") == ("int", 1)
    backwards = scalars("88 01 61 05 08 02 00")
    assert field(backwards, "medium") == ("int", 1)
    assert field(backwards, "text") == ("str", "a")
    assert field(scalars("45 02 40 "), "medium") == ("int", 1), "a stop is a low nibble of 0"
    assert field(scalars("45 02 05 08 04 00"), "medium") == ("int", 2), "the last of duplicates wins"


def test_both_numbers_of_the_extension_field() -> None:
    """32767 as a plain varint, as Parquet's text has it, is -16384 to the protocol; both are skipped."""
    meta = bytes.fromhex(EXACT["footer"][1])
    for header in ("08 ff ff 01", "08 fe ff 03"):
        extended = meta[:-1] + bytes.fromhex(header) + b"\x03abc\0"
        assert agreed(p.FileMetaData, extended)[1] == agreed(p.FileMetaData, meta)[1]


def test_ids_outside_16_bits() -> None:
    assert scalars("05 80 80 04 02 00")[1:4] == ("a field id is outside -32768 to 32767", "", 0)
    assert scalars("05 81 80 04 02 00")[1:4] == ("a field id is outside -32768 to 32767", "", 0)
    assert scalars("05 ff ff 03 02 00")[0] == "value"
    assert scalars("05 fe ff 03 02 15 02 00")[1] == "a field id is outside -32768 to 32767", "the last id and one more"


def test_booleans() -> None:
    expected = ("list", ("bool", True), ("bool", False))
    for text in ("19 21 01 02 00", "19 22 01 02 00", "19 21 01 00 00", "19 22 01 00 00"):
        assert field(lists(text), "flags") == expected
    assert lists("19 21 01 03 00")[1:4] == ("a boolean element is neither 0, 1 nor 2", "flags[1]", 3)
    assert field(scalars("11 00"), "flag") == ("bool", True)
    assert field(scalars("12 00"), "flag") == ("bool", False)
    assert agreed(k.Choice, bytes.fromhex("41 00"))[1][3] == ("bool", True)
    assert agreed(k.Choice, bytes.fromhex("42 00"))[1][3] == ("bool", False)


def test_lists() -> None:
    assert field(lists("49 35 00 06 10 00"), "mediums") == ("list", ("int", 0), ("int", 3), ("int", 8))
    assert field(lists("59 f6 10" + "02" * 16 + "00"), "larges") == ("list", *[("int", 1)] * 16)
    for empty in ("06", "0c", "00", "0f", "f600"):
        assert field(lists(f"59 {empty} 00"), "larges") == ("list",)


def test_integer_lists_of_another_width() -> None:
    for wire in "456":
        for header, name in (("39", "smalls"), ("49", "mediums"), ("59", "larges")):
            assert field(lists(f"{header} 2{wire} 00 06 00"), name) == ("list", ("int", 0), ("int", 3))
    assert lists("39 26 00 80 80 04 00")[1:4] == ("the value does not fit a 16-bit integer", "smalls[1]", 3)
    for wire in "123789abcdef0":
        found = lists(f"49 1{wire} 00 00")
        assert found[1:4] == ("the container's element type is not the declared one", "mediums", 1), wire


def test_maps() -> None:
    data = bytes.fromhex("1b 01 85 01 61 02 00")
    assert agreed(k.Maps, data)[1][1] == ("counts", ("dict", (("str", "a"), ("int", 1))))
    assert agreed(k.Maps, bytes.fromhex("1b 00 00"))[1][1] == ("counts", ("dict",))
    assert agreed(k.Maps, bytes.fromhex("1b 01 55 01 61 02 00"))[1:4] == (
        "the container's element type is not the declared one",
        "counts",
        1,
    )


def test_other_wire_types_under_a_known_id_are_skipped() -> None:
    """As the private list under an id that the specification later gave to a number."""
    values = {
        1: "", 2: "", 3: "07", 4: "8001", 5: "8001", 6: "8001", 7: "00" * 8, 8: "0161", 9: "2c0000", 10: "1502",
        11: "01550202", 12: "150200", 13: "00" * 16,
    }  # fmt: skip
    for wire, body in values.items():
        if wire != 5:
            assert field(scalars(f"4{wire:x}{body}00"), "medium") == ("NoneType", None), wire
    for wire in (14, 15):
        assert scalars(f"4{wire:x}00")[1:4] == ("an undefined wire type", "", 0)


def test_unions() -> None:
    def choice(text: str) -> Any:
        return agreed(k.Choice, bytes.fromhex(text))

    assert choice("00")[1:4] == ("a union without a member", "", 0)
    assert choice("1c00 36 02 00")[1:4] == ("a union with more than one member", "", 2)
    assert choice("36 02 1c00 00")[1:4] == ("a union with more than one member", "", 2)
    assert choice("0c 22 00 00")[1][1:3] == ("NOTHING", 17)
    unknown = choice("98 03 616263 00")
    assert unknown[1] == ("Choice", None, 9, ("NoneType", None), b"\x03abc", 8)
    mistyped = choice("15 02 00")
    assert mistyped[1] == ("Choice", None, 1, ("NoneType", None), b"\x02", 5)
    assert choice("91 00")[1] == ("Choice", None, 9, ("NoneType", None), b"", 1)


@pytest.mark.parametrize(
    "text", ["98 03 616263 00", "15 02 00", "91 00", "92 00", "0c 8203 150200 00", "0b 7f 0155 0204 00"]
)
@pytest.mark.usefixtures("each_backend")
def test_unknown_members_are_written_back(text: str) -> None:
    data = bytes.fromhex(text)
    assert k.Choice.from_bytes(data).to_bytes() == data


def test_a_member_struct_with_unknown_fields() -> None:
    """A member without known fields may have fields of a newer IDL; they are skipped."""
    assert agreed(k.Choice, bytes.fromhex("1c 1502 00 00"))[1][1:3] == ("EMPTY", 1)


@pytest.mark.usefixtures("each_backend")
def test_unknown_enum_numbers() -> None:
    for number, data in ((3, "a5 06 00"), (-1, "a5 01 00"), (2**31 - 1, "a5 fe ff ff ff 0f 00")):
        found = k.Scalars.from_bytes(bytes.fromhex(data))
        assert type(found.color) is int
        assert found.color == number
        assert found.to_bytes() == bytes.fromhex(data)
    assert k.Scalars.from_bytes(bytes.fromhex("a5 c0 9a 0c 00")).color is k.Color.FAR
    assert k.Scalars.from_bytes(bytes.fromhex("a5 05 00")).color is k.Color.BELOW
