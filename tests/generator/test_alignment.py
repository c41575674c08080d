"""Alignment of what is placed: read and checked, written with zeros in between, on both backends."""

from __future__ import annotations

from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError, EncodeError, compile_idl
from lakecodec.workbench import verify

from ..oracle.backends import BACKENDS, running

IDL = """
record File {
  u8   first_at;
  u8   n = count(parts);
  u8   places[n];
  Part first at first_at align 8;
  Part parts[i < n] at places[i] align 4;
}
record Part { u8 n = count(v); bytes v[n]; }
record Gappy : gaps { u8 a_at; u8 b_at; Part a at a_at align 8; Part b at b_at align 4; }
record Asked(u8 multiple) { u8 at_; Part a at at_ align multiple; }
record Unit { u8 unit; u8 at_; Part a at at_ align unit; }
record Holder { u8 n = size(inside); Unit inside size n; u8 behind; }
"""
DATA = b"\x08\x03\x0c\x10\x18\0\0\0\x03xyz\x01q\0\0\x0512345\0\0\0"


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL, name="alignment")


@pytest.mark.parametrize("backend", BACKENDS)
def test_written_and_read(module: Any, backend: str) -> None:
    part = module.Part
    with running(backend):
        made = module.File(first=part(v=b"xyz"), places=[None] * 3, parts=[part(v=b"q"), part(v=b"12345"), part(v=b"")])
        assert made.to_bytes() == DATA
        found = module.File.from_bytes(DATA)
        assert (found.first_at, found.places) == (8, [12, 16, 24])
        assert found.to_bytes() == DATA
        found.first.v = b"longer"
        assert module.File.from_bytes(found.to_bytes()).places == [16, 20, 28]


@pytest.mark.parametrize("backend", BACKENDS)
def test_other_offsets_are_refused(module: Any, backend: str) -> None:
    with running(backend):
        with pytest.raises(DecodeError, match="first: the offset 9 is not a multiple of 8") as caught:
            module.File.from_bytes(b"\x09" + DATA[1:])
        assert (caught.value.path, caught.value.offset) == ("first", 9)
        with pytest.raises(DecodeError, match=r"parts\[1\]: the offset 17 is not a multiple of 4"):
            module.File.from_bytes(DATA[:3] + b"\x11" + DATA[4:])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("place", [5, 7, 15, 23])
def test_bytes_that_are_no_zeros_are_not_lost(module: Any, backend: str, place: int) -> None:
    data = bytearray(DATA)
    data[place] = 1
    with running(backend), pytest.raises(EncodeError, match="belong to no field and would be lost"):
        module.File.from_bytes(bytes(data)).to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_zeros_than_the_alignment_asks_for_are_not_lost(module: Any, backend: str) -> None:
    data = b"\x10\0" + bytes(14) + b"\0"
    with running(backend), pytest.raises(EncodeError, match="would be lost"):
        module.File.from_bytes(data).to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_gaps_are_kept(module: Any, backend: str) -> None:
    with running(backend):
        made = module.Gappy(a=module.Part(v=b"xyz"), b=module.Part(v=b"q"))
        data = made.to_bytes()
        assert data == b"\x08\x0c\0\0\0\0\0\0\x03xyz\x01q"
        found = module.Gappy.from_bytes(data[:5] + b"K" + data[6:])
        found.a.v = b"abc"
        assert found.to_bytes() == b"\x08\x0c\0\0\0K\0\0\x03abc\x01q"
        found.b_at = 14
        with pytest.raises(EncodeError, match="b: its offset 14 is not a multiple of 4"):
            found.to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_alignments_that_fields_and_parameters_give(module: Any, backend: str) -> None:
    with running(backend):
        made = module.Asked(a=module.Part(v=b"z"))
        assert made.to_bytes(4) == b"\4\0\0\0\1z"
        assert module.Asked.from_bytes(b"\4\0\0\0\1z", 4).a.v == b"z"
        with pytest.raises(DecodeError, match="not a multiple of 8"):
            module.Asked.from_bytes(b"\4\0\0\0\1z", 8)
        with pytest.raises(DecodeError, match="an alignment is from 1 to"):
            module.Unit.from_bytes(b"\0\2\1z")
        with pytest.raises(EncodeError, match="an alignment is from 1 to"):
            module.Unit(unit=0, a=module.Part(v=b"")).to_bytes()
        held = module.Holder.from_bytes(b"\6\4\4\0\0\1z\5")
        assert held.inside.a.v == b"z"
        assert held.to_bytes() == b"\6\4\4\0\0\1z\5"


def test_trees_explain_padding(module: Any) -> None:
    tree = lakecodec.explore(DATA, module.File)
    found = {node.path: (node.kind, node.size) for node in tree.root.children}
    assert found["(padding at 5)"] == ("padding", 3)
    assert found["(padding at 14)"] == ("padding", 2)
    assert not any(kind == "gap" for kind, _ in found.values())
    assert sum(size for _, size in found.values()) == len(DATA)
    # Zeros that end the field before are its own.
    zeros = lakecodec.explore(b"\x08\1\x0c\0\0\0\0\0\2a\0\0\0", module.File)
    assert [(node.name, node.size) for node in zeros.root.children[3:]] == [
        ("(padding at 3)", 5), ("first", 3), ("(padding at 11)", 1), ("parts[0]", 1),
    ]  # fmt: skip


def test_verify_explains_padding(module: Any) -> None:
    assert not verify(DATA, module.File)
    assert verify(DATA[:6] + b"\1" + DATA[7:], module.File)


@pytest.mark.parametrize("name", ["File", "Gappy", "Unit", "Holder"])
def test_samples(module: Any, name: str) -> None:
    cls = getattr(module, name)
    written = 0
    for each in lakecodec.samples(cls, 10):
        try:
            data = each.to_bytes()
        except lakecodec.EncodeError as error:
            # Places of samples may share bytes.
            if "belong to two fields" not in error.rule:
                raise
            continue
        written += 1
        assert cls.from_bytes(data) == each
    assert written


def test_specification_and_dump(module: Any) -> None:
    from lakecodec.generator.print.dump import dump
    from lakecodec.workbench.layouts import model_of
    from lakecodec.workbench.specification.pages import sections_of

    model = model_of(module.__name__)
    parts = {part.name: part for _, parts in sections_of(model) for part in parts}
    assert parts["File"].groups[0][2][3].notes == ["at first_at", "align 8"]
    assert "    align 8\n" in dump(model, "File")


def test_breaking(tmp_path: Any) -> None:
    for name, multiple in (("old", 8), ("new", 4)):
        (tmp_path / name).mkdir()
        text = f"record File {{ u8 a_at; Part a at a_at align {multiple}; }} record Part {{ u8 n = count(v); bytes v[n]; }}"
        (tmp_path / name / "a.idl").write_text(text)
    (change,) = lakecodec.breaking(str(tmp_path / "old"), str(tmp_path / "new"))
    assert (change.where, change.breaks) == ("File.a", "encode")
    assert change.witness is not None
    (change,) = lakecodec.breaking(str(tmp_path / "new"), str(tmp_path / "old"))
    assert (change.where, change.breaks) == ("File.a", "decode")
