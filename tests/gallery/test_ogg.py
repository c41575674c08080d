"""A short Opus file of opusenc, and checksums computed bit by bit."""

from __future__ import annotations

import pytest

from lakecodec import DecodeError, EncodeError, Gap

from .gallery import Gallery

OGG = Gallery("ogg", oracle=False)
OPUS = bytes.fromhex(
    "4f67675300020000000000000000aa9eaf7200000000ca7ead9e01134f7075734865616401013801803e00000000004f67675300000000000000000000"
    "aa9eaf72010000001dfef72a01944f707573546167731f0000006c69626f70757320312e332e312c206c69626f707573656e6320302e322e3102000000"
    "23000000454e434f4445523d6f707573656e632066726f6d206f7075732d746f6f6c7320302e323a000000454e434f4445525f4f5054494f4e533d2d2d"
    "70616464696e672030202d2d626974726174652036202d2d646973636172642d636f6d6d656e74734f6767530004d806000000000000aa9eaf72020000"
    "00db775772020d1c08833f5fd01cfdea49fe013fc008a71ae43f6fac46debdfc16df55d5fb2f03c36f1c0004f7ad628b80"
)


def checksum(page: bytes) -> int:
    found = 0
    for byte in page[:22] + bytes(4) + page[26:]:
        found ^= byte << 24
        for _ in range(8):
            found = (found << 1 ^ (0x104C11DB7 if found >> 31 else 0)) & 0xFFFFFFFF
    return found


def test_a_file_of_opusenc() -> None:
    found = OGG.round_trip(OPUS)
    pages = [found.first, *found.pages]
    assert [(each.sequence, each.position, each.first, each.last) for each in pages] == [
        (0, 0, 1, 0),
        (1, 0, 0, 0),
        (2, 1752, 0, 1),
    ]
    assert found.first.segments[0].startswith(b"OpusHead")
    assert [each.checksum for each in pages] == [checksum(each.to_bytes()) for each in pages]
    assert list(OGG.module.Page.stream([OPUS])) == pages


def test_changed_pages() -> None:
    found = OGG.round_trip(OPUS)
    last = found.pages[-1]
    last.segments.append(b"abc")
    last.segments[0] += b"x"
    found.first.serial = 7
    data = OGG.write(found)
    assert [each.sizes for each in OGG.module.File.from_bytes(data).pages][-1] == [14, 28, 3]
    assert found.first.checksum == checksum(found.first.to_bytes())
    last.segments[0] = bytes(256)
    with pytest.raises(EncodeError, match=r"pages\[1\].sizes\[0\]: .* 256 is not from 0 to 255"):
        found.to_bytes()
    last.segments[0] = b""
    last.segments += [b""] * 253
    with pytest.raises(EncodeError, match=r"num_segments: .* 256 is not from 0 to 255"):
        found.to_bytes()


def test_damage() -> None:
    assert OGG.damage(OPUS) > 140
    page = OGG.module.Page
    with pytest.raises(DecodeError, match="the checksum is another"):
        page.from_bytes(OPUS[:40] + b"?" + OPUS[41:47])
    first, gap, second = page.stream([OPUS[:47] + b"lost" + OPUS[47:223]], resync=True)
    assert isinstance(gap, Gap)
    assert (gap.start, gap.size, first.sequence, second.sequence) == (47, 4, 0, 1)
