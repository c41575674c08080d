"""Files read by imported formats of Kaitai's gallery: the values that Kaitai's Python runtime found, and the same bytes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lakecodec import CodecError, EncodeError, import_idl

from . import kaitai_specs
from .kaitai_golden import ARCHIVE, loaded
from .kaitai_peers import Comparison

with zipfile.ZipFile(ARCHIVE) as _archive:
    _FILES = sorted(Path(name).name for name in _archive.namelist() if name.startswith("files/"))
#: Formats some of whose values the import leaves out, each with a note.
_PARTS = frozenset(("elf", "icc_4", "java_class", "riff", "utf8_string", "zip"))
#: A text that is none in its encoding, in a record of no declared size.
_NOT_WRITTEN = frozenset(("a.tga",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("gallery")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(made)
    return made


@pytest.mark.parametrize("file", _FILES)
def test_values_and_bytes(file: str, folder: Path) -> None:
    name, data = file.partition(".")[2], (folder / "files" / file).read_bytes()
    made = import_idl(next((folder / "formats").rglob(f"{name}.ksy")))
    ours = kaitai_specs.read(getattr(made.module(), str(made.root)), data)
    found = Comparison()
    found.compare(ours, loaded(json.loads((folder / "values" / f"{file}.json").read_text())))
    assert found.wrong == []
    assert bool(found.missing) == (name in _PARTS), found.missing
    assert found.same or name in _PARTS
    if file in _NOT_WRITTEN:
        with pytest.raises(CodecError):
            ours.to_bytes()
    else:
        assert ours.to_bytes() == data


def test_there_are_enough() -> None:
    formats = {each.partition(".")[2] for each in _FILES}
    assert len(formats) >= 40
    assert len(formats - _PARTS) >= 40


def _imported(folder: Path, name: str) -> Any:
    return import_idl(next((folder / "formats").rglob(f"{name}.ksy"))).module()


def test_lengths_follow_what_is_written(folder: Path) -> None:
    """Sizes and counts that a format does not check are computed: of the field itself, of sums, of a header's number."""
    udp = _imported(folder, "udp_datagram").UdpDatagram
    packet = udp(src_port=1, dst_port=2, checksum=0, body=b"longer", unread=b"")
    assert (packet.to_bytes()[4:6], udp.from_bytes(packet.to_bytes()).body) == (b"\0\x0e", b"longer")

    ipv4 = _imported(folder, "ipv4_packet").Ipv4Packet
    around = ipv4.from_bytes((folder / "files/b.ipv4_packet").read_bytes())
    before = around.total_length
    around.body.body.value.body += b"12345"
    assert ipv4.from_bytes(around.to_bytes()).total_length == before + 5
    around.body.unread = b"6"  # the segment would take it
    with pytest.raises(EncodeError, match="cannot be read back"):
        around.to_bytes()

    dbf = _imported(folder, "dbf").Dbf
    table = dbf.from_bytes((folder / "files/a.dbf").read_bytes())
    number = len(table.records)
    table.records = table.records * 3
    assert dbf.from_bytes(table.to_bytes()).header1.num_records == 3 * number

    bson = _imported(folder, "bson").Bson
    document = bson.from_bytes((folder / "files/a.bson").read_bytes())
    before = document.len
    document.fields.elements *= 2
    again = bson.from_bytes(document.to_bytes())
    assert (again.len - 5, len(again.fields.elements)) == (2 * (before - 5), len(document.fields.elements))

    archive = _imported(folder, "zip").Zip
    content = kaitai_specs.read(archive, (folder / "files/a.zip").read_bytes())
    file = content.sections[0].body.value
    file.body, file.header.file_name = b"other bytes", "a longer name"
    header = type(file).from_bytes(file.to_bytes()).header
    assert (header.len_body_compressed, header.len_file_name) == (11, 13)
