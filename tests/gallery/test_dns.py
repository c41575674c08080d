"""Messages that dnspython writes, and that it reads after a change; both backends write the same bytes."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError
from lakecodec.runtime.records import backend

from ..oracle.backends import BACKENDS, running
from .gallery import Gallery

message = pytest.importorskip("dns.message")
rrset = pytest.importorskip("dns.rrset")

DNS = Gallery("dns", magic=False, oracle=False)


def answer(host: str = "www.example.com.", addresses: int = 3) -> bytes:
    """The bytes of an answer in which names point to others, some of them to pointers."""
    found = message.make_response(message.make_query(host, "A", id=7))
    zone = host.split(".", 1)[1]
    found.answer.append(rrset.from_text(host, 300, "IN", "CNAME", f"web.{zone}"))
    found.answer.append(rrset.from_text(f"web.{zone}", 300, "IN", "A", *[f"10.0.0.{n}" for n in range(addresses)]))
    found.answer.append(rrset.from_text(zone, 60, "IN", "MX", f"10 mail.{zone}"))
    found.answer.append(rrset.from_text(zone, 60, "IN", "TXT", '"v=spf1" "-all"'))
    found.authority.append(rrset.from_text(zone, 3600, "IN", "SOA", f"ns1.{zone} admin.{zone} 1 2 3 4 5"))
    found.additional.append(rrset.from_text(f"ns1.{zone}", 3600, "IN", "AAAA", "2001:db8::1"))
    data: bytes = found.to_wire()
    return data


def labels(name: Any) -> list[bytes]:
    """The labels of a name, to the end of the last one that it goes on with."""
    own = [each.text for each in name.labels if 0 < each.length < 64]
    return own + (labels(name.rest) if name.rest is not None else [])


def test_messages() -> None:
    found = DNS.round_trip(answer())
    assert labels(found.questions[0].name) == [b"www", b"example", b"com"]
    assert labels(found.answers[0].data.name) == [b"web", b"example", b"com"]
    assert [each.type for each in found.answers] == [5, 1, 1, 1, 15, 16]
    assert found.authorities[0].data.minimum == 5


def test_dnspython_reads_what_was_changed() -> None:
    found = DNS.module.File.from_bytes(answer())
    found.id = 9
    found.answers[1].data.address = bytes([192, 168, 0, 1])
    found.answers[1].time_to_live = 5
    read = message.from_wire(found.to_bytes())
    assert read.id == 9
    assert "192.168.0.1" in read.answer[1].to_text()


@pytest.mark.skipif(backend.native is None, reason="the native backend is not built")
@pytest.mark.parametrize("addresses", [1, 40])
def test_the_native_writer_writes_what_names_point_to(addresses: int) -> None:
    data = answer(addresses=addresses)
    found = DNS.module.File.from_bytes(data)
    native: Any = backend.native
    written = native.write(found, {}, 0, 64, (), is_whole=True)
    with running("pure"):
        assert found.to_bytes() == data
    assert written == data
    assert native.write(found, {}, 0, 64, ()) is None


def test_a_name_that_others_point_to_is_not_changed_alone() -> None:
    for name in BACKENDS:
        found = DNS.module.File.from_bytes(answer())
        found.questions[0].name.labels[1].text = b"EXAMPLE"
        with running(name), pytest.raises(EncodeError, match="shared with another field"):
            found.to_bytes()


def test_damaged_messages() -> None:
    DNS.damage(answer(), rounds=60)
