"""A certificate of OpenSSL, which the standard library's ssl judges after changes."""

from __future__ import annotations

import ssl
from typing import Any

import pytest

from lakecodec import EncodeError

from .gallery import Gallery

DER = Gallery("der", magic=False)
CERTIFICATE = bytes.fromhex(
    "308201a330820149a0030201020214434b983659012fb4671b58ed39dc61c818952603300a06082a8648ce3d04030230263117301506035504030c0e6c"
    "616b65636f6465632074657374310b3009060355040a0c02c3a93020170d3236313132363233323334365a180f32313236313130323233323334365a30"
    "263117301506035504030c0e6c616b65636f6465632074657374310b3009060355040a0c02c3a93059301306072a8648ce3d020106082a8648ce3d0301"
    "07034200044f3009427ae0d3e6d5e2d49293e461c92a016c64173f83734b9a9a29ed91c1646146607fb8da0b8f8487a55534bfab7fea4c69e9378fadd4"
    "c7ab7052099c3467a3533051301d0603551d0e041604145e907f7e03356ddc7694f93965dff7855c2a36d1301f0603551d230418301680145e907f7e03"
    "356ddc7694f93965dff7855c2a36d1300f0603551d130101ff040530030101ff300a06082a8648ce3d040302034800304502207c00c68bfd54c080ddf8"
    "96d9efdd3772f11289d1c2c282dc11af33d0f57467c0022100c254d060c6677d5adec8d23f2997de5d98ff214f63034f10f3efb8995ee9bf5b"
)


def judged(data: bytes) -> dict[str, Any]:
    """What OpenSSL reads in a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=data)
    (found,) = context.get_ca_certs()
    return {name: value for ((name, value),) in found["subject"]}


def texts(element: Any) -> list[Any]:
    if element.content.kind == "TEXT":
        return [element.content]
    return [each for inside in getattr(element.content, "elements", ()) for each in texts(inside)]


def test_a_certificate() -> None:
    found = DER.round_trip(CERTIFICATE)
    assert [each.text for each in texts(found.element)] == [
        *("lakecodec test", "é", "261126232346Z", "21261102232346Z", "lakecodec test", "é"),
    ]
    version, number = found.element.content.elements[0].content.elements[:2]
    assert version.content.elements[0].content.whole.digits == b"\2"
    assert (number.length, number.content.whole.digits[:2].hex()) == (20, "434b")
    assert judged(CERTIFICATE) == {"commonName": "lakecodec test", "organizationName": "é"}


@pytest.mark.parametrize("size", [1, 100, 127, 128, 255, 256, 65535, 65536])
def test_lengths(size: int) -> None:
    found = DER.round_trip(CERTIFICATE)
    texts(found.element)[4].text = "n" * size
    assert judged(DER.write(found))["commonName"] == "n" * size


def test_what_there_is_only_one_form_of() -> None:
    for damaged in ("0481030102ff", "04820003010203", "3080020100", "02020001", "0202ff80", "0200", "010101", "9f1e00"):
        assert DER.refuses("File", bytes.fromhex(damaged))
    for data in (
        "0481" + "80" + "00" * 128,
        "02020080",
        "0202ff7f",
        "0101ff",
        "0500",
        "9f1f00",
        "9f822c03686579",
        "0603883703",
    ):
        DER.round_trip(bytes.fromhex(data))


def test_added_elements() -> None:
    element, content = DER.module.Element, DER.module.Content
    made = DER.module.File(element=element(content=content.SEQUENCE(elements=[element(content=content.NULL())])))
    made.element.content.elements.append(element(number=300, content=content.OTHER(tag=0x9F, data=b"hey")))
    assert DER.write(made) == bytes.fromhex("30090500" + "9f822c03686579")
    made.element.content.elements[1].number = None
    with pytest.raises(EncodeError, match=r"elements\[1\].number: .*"):
        made.to_bytes()


def test_damage() -> None:
    assert DER.damage(CERTIFICATE) > 60
