"""What the compiler keeps on disk: used by the next compilation, and never stale, damaged or somebody else's."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lakecodec import DecodeError, IdlError, compile_idl
from lakecodec.generator import compile as compiler
from lakecodec.generator import kept, parse

INCLUDED = "enum Level { LOW = 0; HIGH = 7; }"
IDL = 'include "level.idl"\nrecord File : big { bytes magic[2] = "OK" else "not ok"; u8 level via enum(level.Level); }'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "kept"
    monkeypatch.setenv(kept.VARIABLE, str(found))
    return found


@pytest.fixture
def idl(tmp_path: Path) -> Path:
    (tmp_path / "level.idl").write_text(INCLUDED)
    path = tmp_path / "file.idl"
    path.write_text(IDL)
    return path


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were compiled from now on."""
    found: list[str] = []
    original = compiler.load_checked

    def load_checked(source: Any, **options: Any) -> Any:
        found.append(str(source))
        return original(source, **options)

    monkeypatch.setattr(compiler, "load_checked", load_checked)
    return found


def test_a_file_is_compiled_once(folder: Path, idl: Path, compiled: list[str]) -> None:
    first, second = compile_idl(idl), compile_idl(idl)
    assert len(compiled) == 1
    assert second.__bundle__ == first.__bundle__
    value = second.File.from_bytes(b"OK\x07")
    assert value.level.name == "HIGH"
    assert pickle.loads(pickle.dumps(value)).to_bytes() == b"OK\x07"
    assert pickle.loads(pickle.dumps(value.level)) == 7
    with pytest.raises(DecodeError, match="not ok"):
        second.File.from_bytes(b"KO\x07")
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("changed", ["file.idl", "level.idl"])
def test_a_changed_file_is_compiled_again(folder: Path, idl: Path, compiled: list[str], changed: str) -> None:
    compile_idl(idl)
    path = idl.with_name(changed)
    path.write_text(path.read_text().replace("7", "9").replace("OK", "YE"))
    again = compile_idl(idl)
    assert len(compiled) == 2
    assert again.File.from_bytes(b"YE\x00" if changed == "file.idl" else b"OK\x00").level == 0


def test_a_file_that_comes_first_now_is_included(folder: Path, idl: Path, tmp_path: Path, compiled: list[str]) -> None:
    library = tmp_path / "library"
    library.mkdir()
    idl.with_name("level.idl").rename(library / "level.idl")
    for _ in range(2):
        assert compile_idl(idl, include_paths=[library]).File.from_bytes(b"OK\x07").level == 7
    assert len(compiled) == 1
    idl.with_name("level.idl").write_text(INCLUDED.replace("7", "9"))
    assert compile_idl(idl, include_paths=[library]).File.from_bytes(b"OK\x09").level == 9
    assert len(compiled) == 2


def test_other_names_and_include_paths_are_other_modules(
    folder: Path, idl: Path, tmp_path: Path, compiled: list[str]
) -> None:
    for options in ({}, {"name": "other"}, {"include_paths": [tmp_path]}) * 2:
        compile_idl(idl, **options)  # type: ignore[arg-type]
    assert len(compiled) == 3


def test_a_changed_compiler_compiles_again(
    folder: Path, idl: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_idl(idl)
    monkeypatch.setattr(kept, "_makers", lambda: "another")
    compile_idl(idl)
    assert len(compiled) == 2


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"made": 1}', b"\xff\x00"])
def test_damaged_files_are_made_again(folder: Path, idl: Path, compiled: list[str], damage: bytes) -> None:
    compile_idl(idl)
    for each in folder.glob("lakecodec-idl-*"):
        each.write_bytes(damage)
    assert compile_idl(idl).File.from_bytes(b"OK\x00").level == 0
    assert len(compiled) == 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_a_folder_that_others_may_write_to_is_not_trusted(folder: Path, idl: Path, compiled: list[str]) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    compile_idl(idl)
    compile_idl(idl)
    assert len(compiled) == 2
    assert not list(folder.iterdir())


def test_nothing_is_kept_where_no_folder_can_be_made(
    idl: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("", str(idl / "below a file")):
        monkeypatch.setenv(kept.VARIABLE, place)
        assert compile_idl(idl).File
    assert len(compiled) == 2


def test_texts_are_not_kept(folder: Path) -> None:
    compile_idl("struct A { 1: i32 x }")
    assert not list(folder.glob("lakecodec-idl-*"))


def test_the_oldest_kept_files_go_and_no_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_FILES", 3)
    names = [kept.file_name("idl", str(number)) for number in range(6)]
    partial = f"{kept.file_name('parser', 'x')}.1.partial"
    hexes = "0" * 32
    users = ["thesis.odt", ".profile", hexes, f"{hexes}.json", "parser-x", f"{names[0]}.json", f"my-{names[0]}"]
    folder.mkdir(mode=0o700)
    (folder / "folder").mkdir()
    for each in [*users, partial]:
        (folder / each).write_bytes(b"")
        os.utime(folder / each, (0, 0))
    for number, name in enumerate(names):
        kept.write(name, b"")
        os.utime(folder / name, (number + 1, number + 1))
    assert {each.name for each in folder.iterdir()} == {"folder", *users, *names[3:]}


class Planted:
    """What runs when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("raise BaseException('the planted pickle ran')",)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
@pytest.mark.parametrize("place", ["file", "folder", "above", "link"])
def test_a_parser_that_others_may_have_written_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    above = tmp_path / "above"
    folder = above / "folder"
    folder.mkdir(mode=0o700, parents=True)
    named = tmp_path / "link" if place == "link" else folder
    if place == "link":
        named.symlink_to(folder)
    monkeypatch.setenv(kept.VARIABLE, str(named))
    make = parse.idl_parser.__wrapped__
    make()
    (file,) = folder.iterdir()
    file.write_bytes(pickle.dumps(Planted()))
    with pytest.raises(BaseException, match="the planted pickle ran"):
        make()
    {"file": file, "folder": folder, "above": above, "link": above}[place].chmod(0o770)
    assert make().parse("struct A { 1: i32 x }", start="start")
    if place != "file":
        assert pickle.dumps(Planted()) == file.read_bytes()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_folders_with_the_sticky_bit_may_be_shared(
    tmp_path: Path, idl: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv(kept.VARIABLE, str(shared / "made" / "kept"))
    compile_idl(idl)
    compile_idl(idl)
    assert len(compiled) == 1
    assert (shared / "made").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files here")
def test_a_folder_of_somebody_else_is_not_trusted(
    folder: Path, idl: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_idl(idl)
    original = Path.stat

    def stat(path: Path, **options: Any) -> os.stat_result:
        found = original(path, **options)
        return os.stat_result((*found[:4], os.getuid() + 1, *found[5:])) if path == folder.parent else found

    monkeypatch.setattr(Path, "stat", stat)
    compile_idl(idl)
    assert len(compiled) == 2


def test_the_parser_is_kept_and_reports_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["struct A { 1: i32 x\n2: }", "record A : big { u8 n[; }", "enum { A = 1 }", "fn f(x) =\nx +;"]

    make = parse.idl_parser.__wrapped__

    def reports() -> list[str]:
        parser = make()
        monkeypatch.setattr(parse, "idl_parser", lambda: parser)
        found = []
        for text in texts:
            with pytest.raises(IdlError) as error:
                compile_idl(text)
            found.append(str(error.value))
        return found

    first = reports()
    (file,) = folder.glob("lakecodec-parser-*")
    assert reports() == first
    file.write_bytes(file.read_bytes()[:1000])
    assert reports() == first


def test_another_process_does_without_the_compiler(folder: Path, idl: Path) -> None:
    script = f"import sys, lakecodec; lakecodec.compile_idl({str(idl)!r}); print('lark' in sys.modules)"
    found = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert found == ["True\n", "False\n"]
