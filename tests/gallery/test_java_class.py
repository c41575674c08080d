"""Classes that javac compiles, compared with javap; the virtual machine runs the changed ones."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .gallery import Gallery

pytestmark = pytest.mark.skipif(shutil.which("javac") is None, reason="a Java development kit is needed")

JAVA = Gallery("java_class")
SOURCE = """
public class Main {
  static final long LONG = 123456789012L;
  static double twice(double x) { return x * 2.5 + LONG; }
  public static void main(String[] words) {
    Runnable said = () -> System.out.println("Hello, wörld " + (int) twice(70000));
    said.run();
  }
}
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("java")
    (folder / "Main.java").write_text(SOURCE, encoding="utf-8")
    run("javac", "-encoding", "UTF-8", "-g", str(folder / "Main.java"))
    return (folder / "Main.class").read_bytes()


def run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_constants(compiled: bytes, tmp_path: Path) -> None:
    found = JAVA.round_trip(compiled)
    (tmp_path / "Main.class").write_bytes(compiled)
    listed = re.findall(r"^ *#(\d+) = (\w+) +(.*?)(?: +//.*)?$", run("javap", "-v", str(tmp_path / "Main.class")), re.M)
    assert [int(number) for number, _, _ in listed] == [n for n, each in enumerate(found.pool, 1) if each is not None]
    ours = {n: each.content for n, each in enumerate(found.pool, 1) if each is not None}
    for number, kind, text in listed:
        content = ours[int(number)]
        if kind == "Class":
            assert f"#{content.name_index}" == text
        if kind in ("Long", "Double"):
            assert content.v == float(text.rstrip("ld"))
            assert found.pool[int(number)] is None
        if kind == "Methodref":
            assert f"#{content.class_index}.#{content.name_and_type_index}" == text
    names = [ours[each.name_index].text for each in found.methods]
    assert {b"<init>", b"main", b"twice"} <= set(names)


def test_changed_class_runs(compiled: bytes, tmp_path: Path) -> None:
    found = JAVA.round_trip(compiled)
    (text,) = (c.content for c in found.pool if c and c.content.kind == "TEXT" and c.content.text.startswith(b"Hello"))
    text.text = b"Bye \1"
    (long,) = (c.content for c in found.pool if c and c.content.kind == "DOUBLE" and c.content.v == 2.5)
    long.v = 0.5
    # One more constant that takes two entries.
    found.pool += [JAVA.module.Constant(content=JAVA.module.Content.LONG(v=-1)), None]
    (tmp_path / "Main.class").write_bytes(JAVA.write(found))
    printed = run("java", "-cp", str(tmp_path), "Main")
    assert printed == f"Bye {min(35000 + 123456789012, 2**31 - 1)}\n"


def test_entries_that_must_be_absent(compiled: bytes) -> None:
    found = JAVA.round_trip(compiled)
    found.pool[found.pool.index(None)] = found.pool[0]
    with pytest.raises(ValueError, match="pool"):
        found.to_bytes()


def test_damage(compiled: bytes) -> None:
    assert JAVA.damage(compiled, rounds=60) > 20
