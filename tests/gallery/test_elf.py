"""Programs of the system and of gcc, compared with readelf; the system runs the changed ones."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .gallery import Gallery

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux" or sys.byteorder != "little", reason="programs of Linux are needed"),
    pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is needed"),
]

ELF = Gallery("elf")
TRUE = Path(shutil.which("true") or "/bin/true")


def readelf(option: str, path: Path) -> str:
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def test_sections(tmp_path: Path) -> None:
    found = ELF.round_trip(TRUE.read_bytes()).image
    listed = re.findall(
        r"^ +\[ *\d+\] (\S*) +\S+ +([0-9a-f]{16}) ([0-9a-f]{6}) ([0-9a-f]{6})", readelf("-S", TRUE), re.M
    )
    ours = [(n, s.address, s.start, s.length) for n, s in zip(found.names, found.sections, strict=True)]
    assert ours[1:] == [(name, *(int(number, 16) for number in numbers)) for name, *numbers in listed if name]
    symbols = [each.content.symbols for each in found.sections if each.type == 11]
    assert f"'.dynsym' contains {len(symbols[0])} entries" in readelf("--dyn-syms", TRUE)
    assert len(re.findall(r"^  [A-Z_]+ +0x", readelf("-l", TRUE), re.M)) == len(found.segments)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is needed")
def test_changed_program_runs(tmp_path: Path) -> None:
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text('#include <stdio.h>\nint main(void) { puts("one text"); return 0; }\n')
    subprocess.run(["gcc", source, "-o", program], check=True)
    found = ELF.round_trip(program.read_bytes())
    (texts,) = (each for name, each in zip(found.image.names, found.image.sections, strict=True) if name == ".rodata")
    texts.content.bytes_ = texts.content.bytes_.replace(b"one text", b"two text")
    found.image.flags = 0
    program.write_bytes(ELF.write(found))
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "two text\n"


def test_other_byte_order(tmp_path: Path) -> None:
    """A file of the other order has the same sections and symbols to readelf."""
    found = ELF.round_trip(TRUE.read_bytes())
    found.image.to_dict()
    found.byte_order = 2
    turned = tmp_path / "turned"
    turned.write_bytes(found.to_bytes())
    assert "big endian" in readelf("-h", turned)
    assert readelf("-S", turned) == readelf("-S", TRUE)
    assert ELF.read("File", turned.read_bytes()).image.names == found.image.names


@pytest.mark.skipif(shutil.which("objcopy") is None, reason="objcopy is needed")
@pytest.mark.parametrize("target", ["elf32-little", "elf32-big"])
def test_files_of_32_bits(tmp_path: Path, target: str) -> None:
    """What objcopy makes of bytes: symbols for their beginning, end and size."""
    path = tmp_path / "texts"
    path.write_bytes(b"one text")
    subprocess.run(["objcopy", "-I", "binary", "-O", target, "texts", "texts.o"], cwd=tmp_path, check=True)
    path = tmp_path / "texts.o"
    found = ELF.round_trip(path.read_bytes())
    image = found.image32
    listed = re.findall(
        r"^ +\[ *\d+\] (\S*) +\S+ +([0-9a-f]{8}) ([0-9a-f]{6}) ([0-9a-f]{6})", readelf("-S", path), re.M
    )
    ours = [(n, s.address, s.start, s.length) for n, s in zip(image.names, image.sections, strict=True)]
    assert ours[1:] == [(name, *(int(number, 16) for number in numbers)) for name, *numbers in listed if name]
    (symbols,) = (each.content.symbols32 for each in image.sections if each.type == 2)
    assert f"contains {len(symbols)} entries" in readelf("-s", path)
    assert sorted(symbol.address for symbol in symbols)[-1] == 8
    (data,) = (each for name, each in zip(image.names, image.sections, strict=True) if name == ".data")
    data.content.bytes_ = b"two text"
    symbols[-1].info = 0x11
    path.write_bytes(ELF.write(found))
    assert "OBJECT" in readelf("-s", path)
    dumped = subprocess.run(["readelf", "-p", ".data", path], capture_output=True, text=True, check=True).stdout
    assert "two text" in dumped
    assert ELF.damage(path.read_bytes(), rounds=60) > 20


def test_damage() -> None:
    assert ELF.damage(TRUE.read_bytes(), rounds=60) > 20
