"""Encrypted files: those of parquet-testing, and pyarrow's; footers that are encrypted here."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyarrow.parquet.encryption as pe
import pytest

from lakecodec import DecodeError, parquet

from ..paths import TESTS

DATA = TESTS / "data" / "parquet-encrypted"
FILES = sorted(path.name.partition(".")[0] for path in DATA.glob("*.encrypted"))
FOOTER = b"0123456789012345"
#: Last digits of the keys of AES-256.
LAST = {
    f"{name}_field": str(number)
    for number, name in enumerate(("double", "float", "boolean", "int32", "ba", "flba", "int64", "int96"), 2)
}


def keys_of(name: str) -> parquet.Keys:
    prefix = b"tester" if name.endswith("disable_aad_storage") else None
    if name.startswith("aes256"):
        columns = {column: f"1234567890123456789012345678901{last}".encode() for column, last in LAST.items()}
        return parquet.Keys(b"01234567890123456789012345678901", columns, prefix)
    columns = {"double_field": b"1234567890123450", "float_field": b"1234567890123451"}
    return parquet.Keys(FOOTER, columns, prefix)


def content(name: str) -> bytes:
    return (DATA / f"{name}.parquet.encrypted").read_bytes()


@pytest.fixture(scope="module")
def table() -> pa.Table:
    numbers = range(20_000)
    return pa.table({"a": numbers, "t": [f"text {number % 700}" for number in numbers], "l": [[n, n] for n in numbers]})


@pytest.mark.parametrize("name", FILES)
def test_files_of_others(name: str) -> None:
    data, keys = content(name), keys_of(name)
    found = pq.read_table(parquet.decrypted(data, keys))
    if "bloom" not in name:
        assert found.column_names[:3] == ["boolean_field", "int32_field", "int64_field"]
        assert found["int32_field"].cast(pa.int32()).to_pylist() == list(range(50))
        assert found["boolean_field"].to_pylist() == [number % 2 == 0 for number in range(50)]
        assert found["double_field"].to_pylist() == pytest.approx([number * 1.1111111 for number in range(50)])
        assert found["float_field"].to_pylist() == pytest.approx([number * 1.1 for number in range(50)])
    plain = io.BytesIO()
    parquet.decrypt(data, plain, keys)
    assert pq.read_table(io.BytesIO(plain.getvalue())).equals(found)
    assert not parquet.verify(plain.getvalue(), deep=True)
    assert parquet.read_metadata(parquet.decrypted(data, keys)).num_rows == found.num_rows


def test_indexes_and_filters_are_decrypted() -> None:
    name = "encrypt_columns_and_footer_bloom_filter"
    plain = parquet.decrypted(content(name), keys_of(name))
    values = pq.read_table(plain)["double_field"].to_pylist()
    found = parquet.bloom_filter(plain, 0, "double_field")
    assert found is not None
    assert all(found.might_contain(value) for value in values)
    assert not found.might_contain(-1.5)
    column, offset = parquet.page_index(plain, 0, "double_field")
    assert column is not None
    assert offset is not None
    headers = [each for each in parquet.page_headers(plain, 0, "double_field") if each.dictionary_page_header is None]
    assert len(column.min_values) == len(offset.page_locations) == len(headers)


@pytest.mark.parametrize("algorithm", ["AES_GCM_V1", "AES_GCM_CTR_V1"])
@pytest.mark.parametrize("readable", [False, True])
@pytest.mark.parametrize("prefix", [None, b"table"])
def test_files_of_pyarrow(
    table: pa.Table, algorithm: Any, readable: bool, prefix: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "encrypted.parquet"
    given = {"aad_prefix": prefix, "store_aad_prefix": False} if prefix else {}
    made = pe.create_encryption_properties(FOOTER, encryption_algorithm=algorithm, plaintext_footer=readable, **given)
    pq.write_table(
        table, path, encryption_properties=made, row_group_size=7000, data_page_size=4000, write_page_index=True
    )
    keys = parquet.Keys(FOOTER, aad_prefix=prefix)
    with parquet.decrypted(path, keys) as plain:
        assert pq.read_table(plain).equals(table)
        assert pq.read_table(plain, columns=["t"], filters=[("a", ">", 19_990)]).num_rows == 9
    parquet.decrypt(path, tmp_path / "plain.parquet", keys)
    assert pq.read_table(tmp_path / "plain.parquet").equals(table)
    assert not parquet.verify(tmp_path / "plain.parquet", deep=True)
    with pytest.raises(DecodeError, match="prefix is wrong" if prefix is None else "needed"):
        pq.read_table(parquet.decrypted(path, parquet.Keys(FOOTER[::-1])))


def test_any_range_is_that_of_the_whole() -> None:
    name = "encrypt_columns_and_footer"
    whole = parquet.decrypted(content(name), keys_of(name)).read()
    random = Random(1)
    for _ in range(300):
        start, end = sorted(random.sample(range(len(whole) + 1), 2))
        file = parquet.decrypted(content(name), keys_of(name))
        file.seek(start)
        assert file.read(end - start) == whole[start:end]


def test_keys_that_are_not_there() -> None:
    data = content("encrypt_columns_and_footer")
    some = parquet.Keys(FOOTER, {"double_field": b"1234567890123450"})
    assert pq.read_table(parquet.decrypted(data, some), columns=["double_field", "int32_field"]).num_rows == 50
    with pytest.raises(DecodeError, match="the column is encrypted"):
        list(parquet.page_headers(parquet.decrypted(data, some), 0, "float_field"))
    with pytest.raises(DecodeError, match="cannot be changed without its keys"):
        parquet.decrypt(data, io.BytesIO(), some)
    with pytest.raises(ValueError, match="the footer is encrypted"):
        parquet.decrypted(data, parquet.Keys())
    with pytest.raises(DecodeError, match="not encrypted"):
        parquet.decrypted(_plain(pa.table({"a": [1]})), some)
    for wrong in (b"short", "text"):
        with pytest.raises(ValueError, match=r"columns\['a'\]: a key is 16, 24 or 32 bytes"):
            parquet.Keys(columns={"a": wrong})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="keys"):
        parquet.decrypted(data, FOOTER)  # type: ignore[arg-type]


def _plain(table: pa.Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out, write_page_index=True)
    return out.getvalue()


@pytest.mark.parametrize("prefix", [None, b"table"])
def test_an_encrypted_footer(table: pa.Table, prefix: bytes | None) -> None:
    out = io.BytesIO()
    keys = parquet.Keys(FOOTER, aad_prefix=prefix)
    parquet.encrypt_footer(_plain(table), out, keys)
    data = out.getvalue()
    opened = pe.create_decryption_properties(FOOTER, aad_prefix=prefix)
    assert pq.read_table(io.BytesIO(data), decryption_properties=opened).equals(table)
    assert b"schema" not in data[-3000:]
    assert pq.read_table(parquet.decrypted(data, parquet.Keys(FOOTER))).equals(table)
    with pytest.raises(DecodeError, match="footer is encrypted"):
        parquet.read_metadata(data)
    with pytest.raises(ValueError, match="a key of the footer"):
        parquet.encrypt_footer(data, out, parquet.Keys())


#: Uses keys where the package cryptography is not installed.
WITHOUT = """
import sys
sys.modules["cryptography"] = None
from lakecodec import parquet

try:
    parquet.decrypted(sys.argv[1], parquet.Keys(sys.argv[2].encode())).read()
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize("algorithm", ["AES_GCM_V1", "AES_GCM_CTR_V1"])
@pytest.mark.parametrize("readable", [False, True])
def test_the_package_is_not_installed(table: pa.Table, algorithm: str, readable: bool, tmp_path: Path) -> None:
    path = tmp_path / "encrypted.parquet"
    made = pe.create_encryption_properties(FOOTER, encryption_algorithm=algorithm, plaintext_footer=readable)
    pq.write_table(table, path, encryption_properties=made)
    command = [sys.executable, "-c", WITHOUT, str(path), FOOTER.decode()]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert found == "encrypted files need the package cryptography: pip install 'lakecodec[encryption]'\n"


@pytest.mark.parametrize("name", FILES)
def test_damage_is_an_error_or_changes_nothing(name: str) -> None:
    data, keys, random = content(name), keys_of(name), Random(name)
    expected = pq.read_table(parquet.decrypted(data, keys))
    same = refused = 0
    for _ in range(80):
        damaged = bytearray(data)
        at = random.choice((random.randrange(len(data)), random.randrange(len(data) - 1500, len(data))))
        damaged[at] ^= 1 << random.randrange(8)
        if random.random() < 0.2:
            del damaged[random.randrange(len(data)) :]
        try:
            found = pq.read_table(parquet.decrypted(bytes(damaged), keys))
        except (DecodeError, OSError, pa.ArrowException):
            refused += 1
        else:
            # AES-CTR and columns without a key authenticate nothing; an unread index may be damaged.
            same += found.equals(expected)
    assert refused
    assert name.startswith("encrypt") or same + refused == 80
