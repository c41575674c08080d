"""Captures that scapy writes in each byte order and resolution, and those that it reads after a change."""

from __future__ import annotations

import io
import struct

import pytest

from .gallery import Gallery

PCAP = Gallery("pcap")
PACKETS = [(1_700_000_000, 5, b"\xff" * 60, 60), (1_700_000_001, 999_999, b"abc", 1500), (1_700_000_002, 0, b"", 0)]


def capture(order: str = "<", *, nano: bool = False) -> bytes:
    """The bytes of a capture, after the specification's own figures."""
    data = struct.pack(f"{order}IHHIIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for seconds, fraction, content, length in PACKETS:
        data += struct.pack(f"{order}IIII", seconds, fraction, len(content), length) + content
    return data


def by_scapy(order: str, *, nano: bool) -> bytes:
    utils = pytest.importorskip("scapy.utils")
    stream = io.BytesIO()
    writer = utils.RawPcapWriter(stream, linktype=1, endianness=order, nano=nano, snaplen=65535)
    writer.write_header(None)
    for seconds, fraction, content, length in PACKETS:
        writer.write_packet(content, sec=seconds, usec=fraction, caplen=len(content), wirelen=length)
    return stream.getvalue()


def read_by_scapy(data: bytes) -> tuple[int, bool, list[tuple[int, int, bytes, int]]]:
    reader = pytest.importorskip("scapy.utils").RawPcapReader(io.BytesIO(data))
    return reader.linktype, reader.nano, [(each.sec, each.usec, content, each.wirelen) for content, each in reader]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("nano", [False, True])
def test_captures(nano: bool, order: str) -> None:
    data = by_scapy(order, nano=nano)
    assert data == capture(order, nano=nano)
    found = PCAP.round_trip(data).capture
    assert [(p.seconds, p.fraction, p.data, p.original_length) for p in found.packets] == PACKETS
    assert (found.snap_length, found.link_type) == (65535, 1)


@pytest.mark.parametrize("order", ["<", ">"])
def test_changed_capture(order: str) -> None:
    found = PCAP.round_trip(capture(order, nano=True))
    found.capture.packets[1].data = b"abcd"
    del found.capture.packets[0]
    found.capture.link_type = 101
    data = PCAP.write(found)
    assert read_by_scapy(data) == (101, True, [(1_700_000_001, 999_999, b"abcd", 1500), PACKETS[2]])


def test_damage() -> None:
    assert PCAP.damage(capture()) > 50
    assert PCAP.damage(capture(">", nano=True)) > 50
