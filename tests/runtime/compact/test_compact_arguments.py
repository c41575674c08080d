"""The arguments of from_bytes, read, skip and to_bytes, on each backend."""

from __future__ import annotations

import gc
import mmap
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lakecodec.generated.parquet import FileMetaData, KeyValue
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.limits import Limits

from ...parquet.files import ARROW_FILES, footer_of
from .backends import kitchen
from .fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

k = kitchen()
FOOTER = footer_of(ARROW_FILES["nested page index"]())
PAIR = KeyValue(key="foo", value="bar")
BYTES = PAIR.to_bytes()


def test_bytes_after_the_value() -> None:
    with pytest.raises(DecodeError, match="left over") as caught:
        KeyValue.from_bytes(BYTES + b"xyz")
    assert (caught.value.offset, caught.value.format, caught.value.path) == (len(BYTES), "parquet.KeyValue", "")
    assert KeyValue.from_bytes(BYTES + b"xyz", allow_trailing=True) == PAIR
    assert KeyValue.read(BYTES + b"xyz") == (PAIR, len(BYTES))
    assert KeyValue.skip(BYTES + b"xyz") == len(BYTES)


def test_positions() -> None:
    data = b"..." + BYTES + BYTES
    assert KeyValue.read(data, 3) == (PAIR, 3 + len(BYTES))
    assert KeyValue.read(data, 3 + len(BYTES)) == (PAIR, len(data))
    assert KeyValue.skip(data, 3) == 3 + len(BYTES)
    for position in (-1, len(data) + 1, 2**40):
        for call in (KeyValue.read, KeyValue.skip):
            with pytest.raises(ValueError, match="pos"):
                call(data, position)
    for call in (KeyValue.read, KeyValue.skip):
        with pytest.raises(DecodeError) as caught:
            call(data, len(data))
        assert caught.value.offset == len(data)


def test_errors_count_from_the_start_of_the_data() -> None:
    data = bytes(10) + k.Scalars(text="ab").to_bytes()[:-2]
    with pytest.raises(DecodeError) as caught:
        k.Scalars.read(data, 10)
    assert (caught.value.path, caught.value.offset) == ("text", 11)


def test_inputs_of_any_kind(tmp_path: Path) -> None:
    expected = FileMetaData.from_bytes(FOOTER)
    padded = b"####" + FOOTER + b"#" * (-len(FOOTER) % 4)
    path = tmp_path / "footer"
    path.write_bytes(FOOTER)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert FileMetaData.from_bytes(mapped) == expected
    numbers = np.frombuffer(padded, np.uint8)
    for data in (
        bytearray(FOOTER),
        memoryview(padded)[4 : 4 + len(FOOTER)],
        memoryview(bytearray(padded))[4 : 4 + len(FOOTER)],
        array("B", FOOTER),
        numbers[4 : 4 + len(FOOTER)],
    ):
        assert FileMetaData.from_bytes(data) == expected
        assert FileMetaData.skip(data) == len(FOOTER)
    for wide in (
        np.frombuffer(padded, np.int32),
        array("i", padded),
        numbers.reshape(-1, 4),
        memoryview(padded).cast("i"),
    ):
        assert FileMetaData.read(wide, 4)[0] == expected
        assert FileMetaData.skip(wide, 4) == 4 + len(FOOTER)


@pytest.mark.parametrize("data", ["text", None, 5, [1, 2], object()])
def test_inputs_that_are_no_bytes(data: Any) -> None:
    for call in (FileMetaData.from_bytes, FileMetaData.read, FileMetaData.skip):
        with pytest.raises(TypeError):
            call(data)


def test_inputs_that_are_not_contiguous() -> None:
    spread = memoryview(bytes(b for byte in BYTES for b in (byte, 0)))[::2]
    assert bytes(spread) == BYTES
    for call in (KeyValue.from_bytes, KeyValue.skip):
        with pytest.raises((TypeError, BufferError)):
            call(spread)


def test_views_are_of_the_input() -> None:
    data = bytearray(k.Scalars(data=b"payload", text="text").to_bytes())
    found = k.Scalars.from_bytes(data, views=True)
    assert isinstance(found.data, memoryview)
    assert found.data == b"payload"
    data[data.index(b"payload")] = ord("P")
    assert bytes(found.data) == b"Payload"
    assert found.text == "text"
    assert found.to_bytes() == bytes(data)


def test_views_in_containers_and_unions() -> None:
    lists = k.Lists.from_bytes(k.Lists(blobs=[b"a", b""]).to_bytes(), views=True)
    assert [(type(blob), bytes(blob)) for blob in lists.blobs] == [(memoryview, b"a"), (memoryview, b"")]
    metadata = FileMetaData.from_bytes(memoryview(FOOTER), views=True)
    assert isinstance(metadata.row_groups[0].columns[-1].meta_data.statistics.max_value, memoryview)
    assert metadata.to_bytes() == FOOTER
    unknown = k.Choice.from_bytes(bytes.fromhex("980361626300"), views=True)
    assert bytes(unknown.raw) == b"\x03abc"


def test_views_outlive_the_name_of_their_input() -> None:
    views = [k.Scalars.from_bytes(k.Scalars(data=bytes([n]) * 50).to_bytes(), views=True).data for n in range(20)]
    gc.collect()
    assert [bytes(view) for view in views] == [bytes([n]) * 50 for n in range(20)]


LATIN = b"\x88\x04caf\xe9\x00"


def test_text_that_is_not_utf8() -> None:
    with pytest.raises(DecodeError, match="UTF-8") as caught:
        k.Scalars.from_bytes(LATIN)
    assert (caught.value.path, caught.value.offset) == ("text", 1)
    assert k.Scalars.from_bytes(LATIN, text="replace").text == "caf\N{REPLACEMENT CHARACTER}"
    escaped = k.Scalars.from_bytes(LATIN, text="surrogateescape")
    assert escaped.text == "caf\udce9"
    with pytest.raises(EncodeError, match="UTF-8"):
        escaped.to_bytes()
    assert escaped.to_bytes(text="surrogateescape") == LATIN
    raw = k.Scalars.from_bytes(LATIN, text="bytes")
    assert raw.text == b"caf\xe9"
    assert raw.to_bytes(text="bytes") == LATIN
    with pytest.raises(EncodeError) as refused:
        raw.to_bytes()
    assert refused.value.path == "text"


def test_text_in_lists_maps_and_unions() -> None:
    samples = {
        k.Lists: b"\x89\x18\x01\xff\0",
        k.Sets: b"\x3a\x18\x01\xff\0",
        k.Maps: b"\x1b\x01\x85\x01\xff\x02\0",
        k.Choice: b"\x58\x01\xff\0",
    }
    for cls, data in samples.items():
        with pytest.raises(DecodeError, match="UTF-8"):
            cls.from_bytes(data)
        for text in ("surrogateescape", "bytes"):
            assert cls.from_bytes(data, text=text).to_bytes(text=text) == data


def test_text_argument() -> None:
    with pytest.raises(ValueError, match="text"):
        KeyValue.from_bytes(BYTES, text="latin-1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="text"):
        PAIR.to_bytes(text="latin-1")  # type: ignore[arg-type]


@pytest.mark.parametrize("limits", [{"max_depth": 0}, {"max_elements": -1}, {"max_depth": 1.5}, {"max_elements": True}])
def test_limits_argument(limits: dict[str, Any]) -> None:
    (name,) = limits
    with pytest.raises(ValueError, match=name):
        Limits(**limits)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        FileMetaData.from_bytes(FOOTER)
        assert gc.isenabled() == enabled
        with pytest.raises(DecodeError):
            FileMetaData.from_bytes(FOOTER[:-1])
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_many_threads() -> None:
    """Threads that decode, encode, project and fail at once get what one thread gets."""
    expected = FileMetaData.from_bytes(FOOTER)
    chosen = FileMetaData.from_bytes(FOOTER, fields=["row_groups.num_rows"])

    def work(number: int) -> bool:
        kind = number % 4
        if kind == 0:
            return FileMetaData.from_bytes(FOOTER) == expected
        if kind == 1:
            return expected.to_bytes() == FOOTER
        if kind == 2:
            return FileMetaData.from_bytes(FOOTER, fields=["row_groups.num_rows"]) == chosen
        try:
            FileMetaData.from_bytes(FOOTER[: number % len(FOOTER)])
        except DecodeError:
            return True
        return False

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(160)))
    assert gc.isenabled()
