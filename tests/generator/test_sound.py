"""What `check` calls sound compiles: it is lowered, printed, and accepted by Python's own compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.generator import compile as stages
from lakecodec.generator.compile import load_compilable
from lakecodec.generator.print.module import ModuleText

DEEP = "record Deep { u8 n; u8 x where (" + "".join(f"n == {number} ? {number} : (" for number in range(12))


def test_what_python_refuses_has_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of a template or printer is found by `check`, at the definition that it belongs to."""

    def broken(module: ModuleText) -> dict[str, str]:
        return {f"{module.name}.py": "import enum\n\n\nclass First:\n    n = 1\n\n\nclass Second_kind:\n    def = 2\n"}

    path = tmp_path / "some.idl"
    path.write_text("record First { u8 n; }\n\nrecord Second { u8 def; }\n")
    monkeypatch.setattr(stages, "emit", broken)
    with pytest.raises(IdlError, match="Python cannot compile what this becomes") as caught:
        load_compilable(path)
    assert (caught.value.line, caught.value.column) == (3, 8)


def test_deep_expressions_compile() -> None:
    module = compile_idl(DEEP + "n" + ")" * 12 + ") > 0; }")
    assert module.Deep.from_bytes(b"\x05\x05").x == 5
