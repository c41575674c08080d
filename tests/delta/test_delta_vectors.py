"""All rows of the vector file, each in the profiles that its note calls for."""

from __future__ import annotations

import json
import re

import pyarrow as pa
import pytest

from lakecodec.delta import (
    PartitionCodec,
    decode_uri,
    encode_uri,
    parse_value,
    serialize_value,
    split_directory,
)
from lakecodec.runtime.errors import EncodeError
from tests.delta.vectors import ZONE, Vector, read_vectors

VECTORS = read_vectors()
GOOD = [vector for vector in VECTORS if not vector.fails]
#: The digits in the directory are the kernel's; Java has another form for the smallest subnormals.
KERNEL_DIGITS = {18: "4.9E-324", 121: "1.4E-45"}


def codec(vector: Vector, profile: str) -> PartitionCodec:
    schema = pa.schema([("p", vector.type), ("data", pa.int64())])
    timezone = ZONE if profile == "spark" else "UTC"
    return PartitionCodec(schema, ["p"], profile=profile, timezone=timezone, extended_years=True)


def profiles_of(vector: Vector, *, path: bool) -> list[str]:
    """The profiles whose directory (or path) the row shows: what depends on neither is the same in both."""
    if vector.row in KERNEL_DIGITS:
        return ["kernel"]
    if pa.types.is_timestamp(vector.type) and vector.value is not None:
        return ["spark"]
    return ["spark"] if path and not vector.directory.isascii() else ["kernel", "spark"]


def test_the_file_is_complete() -> None:
    assert len(VECTORS) == 231
    assert [vector.row for vector in VECTORS if vector.fails] == [47, 48, 50, 52]


@pytest.mark.parametrize("vector", GOOD, ids=lambda vector: str(vector.row))
def test_log_text(vector: Vector) -> None:
    assert codec(vector, "kernel").serialize({"p": vector.value}) == {"p": vector.text}
    assert serialize_value(vector.value, vector.type, extended_years=True) == vector.text


@pytest.mark.parametrize("vector", GOOD, ids=lambda vector: str(vector.row))
def test_directory_and_path(vector: Vector) -> None:
    for profile in profiles_of(vector, path=False):
        assert codec(vector, profile).directory({"p": vector.value}) == vector.directory
    for profile in profiles_of(vector, path=True):
        assert encode_uri(vector.directory, profile=profile) == vector.add_path
        file = codec(vector, profile).add_path(vector.directory, "a b.parquet")
        assert file == f"{vector.add_path}/a%20b.parquet"
    assert decode_uri(vector.add_path) == vector.directory


@pytest.mark.parametrize("vector", GOOD, ids=lambda vector: str(vector.row))
def test_columns_agree(vector: Vector) -> None:
    """The same through whole columns, in a plain and in a dictionary array, and with a null before the value."""
    values = pa.array([None, vector.value], vector.type)
    arrays = [values, pa.chunked_array([values[:1], values[1:]]), pa.concat_arrays([values, values])[1:3]]
    if vector.value is not None:
        arrays.append(values.dictionary_encode())
    for profile in profiles_of(vector, path=False):
        one = codec(vector, profile)
        text = one.serialize({"p": vector.value})["p"]
        for array in arrays:
            assert set(one.serialize_array("p", array).to_pylist()) == {None, text}
            expected = {one.directory({"p": None}), vector.directory}
            assert set(one.directory_array({"p": array}).to_pylist()) == expected
        parsed = one.parse_array("p", pa.array([text]))
        assert parsed.type == vector.type
        assert one.serialize_array("p", parsed).to_pylist() == [text]


@pytest.mark.parametrize("vector", GOOD, ids=lambda vector: str(vector.row))
def test_parsed_back(vector: Vector) -> None:
    if isinstance(vector.value, pa.Scalar):
        array = codec(vector, "kernel").parse_array("p", pa.array([vector.text]))
        assert array[0] == vector.value
        return
    value = codec(vector, "spark").parse({"p": vector.text})["p"]
    same = codec(vector, "kernel").parse({"p": vector.text})["p"]
    assert repr(value) == repr(same) == repr(parse_value(vector.text, vector.type))
    if vector.value in ("", b""):
        assert value is None
    elif isinstance(value, float):
        assert repr(value) == repr(pa.scalar(vector.value, vector.type).as_py())
        assert serialize_value(value, vector.type) == vector.text
    else:
        assert value == vector.value


@pytest.mark.parametrize("vector", GOOD, ids=lambda vector: str(vector.row))
def test_directory_parsed_back(vector: Vector) -> None:
    """A directory says what the log says, but for the text that stands for null and for one of two folded wall times."""
    if isinstance(vector.value, pa.Scalar):
        assert split_directory(vector.directory) == {"p": vector.text}
        return
    profile = profiles_of(vector, path=False)[0]
    value = codec(vector, profile).parse_directory(vector.directory)["p"]
    if vector.row == 136:
        assert value == next(other.value for other in GOOD if other.row == 137)
    elif vector.row == 150:
        assert value is None
    else:
        assert repr(value) == repr(codec(vector, profile).parse({"p": vector.text})["p"])


@pytest.mark.parametrize("row", KERNEL_DIGITS)
def test_smallest_subnormals_as_java_writes_them(row: int) -> None:
    vector = next(vector for vector in GOOD if vector.row == row)
    assert codec(vector, "spark").directory({"p": vector.value}) == f"p={KERNEL_DIGITS[row]}"


@pytest.mark.parametrize("row", [57, 58, 59])
def test_kernel_paths_are_ascii(row: int) -> None:
    """The note ends with the kernel's form of the path."""
    vector = next(vector for vector in GOOD if vector.row == row)
    form = re.search(r"delta-kernel-rs writes (\S+)", vector.note)
    assert form is not None
    assert encode_uri(vector.directory) == form[1]


@pytest.mark.parametrize("row", [40, 41, 42, 44, 45])
def test_kernel_times_in_directories(row: int) -> None:
    """The kernel escapes the log's text; Spark cuts a fraction of zero from local times in the log."""
    vector = next(vector for vector in GOOD if vector.row == row)
    assert vector.text is not None
    assert codec(vector, "kernel").directory({"p": vector.value}) == "p=" + vector.text.replace(":", "%3A")
    if row in (44, 45):
        text = codec(vector, "spark").serialize({"p": vector.value})["p"]
        assert text == vector.text.removesuffix(".000000")


@pytest.mark.parametrize("row", [47, 48])
def test_nul(row: int) -> None:
    """The note has the kernel's three forms; Spark's profile refuses the value."""
    vector = next(vector for vector in VECTORS if vector.row == row)
    form = re.search(r"(p=\S*) / (p=\S*) / (\".*\")", vector.note)
    assert form is not None
    kernel, spark = codec(vector, "kernel"), codec(vector, "spark")
    assert kernel.directory({"p": vector.value}) == form[1]
    assert kernel.add_path(form[1], "f") == f"{form[2]}/f"
    assert kernel.serialize({"p": vector.value}) == {"p": json.loads(form[3])}
    for refused in (spark.serialize, spark.directory):
        with pytest.raises(
            EncodeError, match=r"p: the text has the character U\+0000, which a directory name cannot have"
        ):
            refused({"p": vector.value})


@pytest.mark.parametrize("row", [50, 52])
@pytest.mark.parametrize("profile", ["kernel", "spark"])
def test_bytes_that_are_not_text(row: int, profile: str) -> None:
    vector = next(vector for vector in VECTORS if vector.row == row)
    one = codec(vector, profile)
    for refused in (one.serialize, one.directory):
        with pytest.raises(EncodeError, match="p: the bytes are not UTF-8 text"):
            refused({"p": vector.value})
    with pytest.raises(EncodeError, match=r"p\[1\]: the bytes are not UTF-8 text"):
        one.serialize_array("p", pa.array([b"a", vector.value]))
