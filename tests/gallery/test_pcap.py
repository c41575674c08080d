"""Captures as tcpdump writes them, made by struct after the specification's own figures."""

from __future__ import annotations

import struct

import pytest

from .gallery import Gallery

PCAP = Gallery("pcap")
PACKETS = [(1_700_000_000, 5, b"\xff" * 60, 60), (1_700_000_001, 999_999, b"abc", 1500), (1_700_000_002, 0, b"", 0)]


def capture(magic: int = 0xA1B2C3D4, order: str = "<") -> bytes:
    data = struct.pack(f"{order}IHHIIII", magic, 2, 4, 0, 0, 65535, 1)
    for seconds, fraction, content, length in PACKETS:
        data += struct.pack(f"{order}IIII", seconds, fraction, len(content), length) + content
    return data


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("magic", [0xA1B2C3D4, 0xA1B23C4D])
def test_captures(magic: int, order: str) -> None:
    found = PCAP.round_trip(capture(magic, order)).capture
    assert [(p.seconds, p.fraction, p.data, p.original_length) for p in found.packets] == PACKETS
    assert (found.snap_length, found.link_type) == (65535, 1)


def test_changed_capture() -> None:
    found = PCAP.round_trip(capture())
    found.capture.packets[1].data = b"abcd"
    del found.capture.packets[0]
    data = PCAP.write(found)
    assert data[24:] == struct.pack("<IIII", 1_700_000_001, 999_999, 4, 1500) + b"abcd" + capture()[-16:]


def test_damage() -> None:
    assert PCAP.damage(capture()) > 50
