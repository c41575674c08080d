"""Golden cases: an IDL, its lowered schema, and bytes with what they mean; of two cases the modules that are expected too.

``python -m tests.generator.goldens`` writes the expected modules and dumps anew; the change is then read as a diff.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from lakecodec.generator.compile import load_checked
from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.emit import emit
from lakecodec.generator.lower.module import lower_module
from lakecodec.generator.print.dump import dump, dumpable
from lakecodec.generator.print.module import print_module

from ..runtime.compact.backends import load

FOLDER = Path(__file__).with_name("golden")
CASES = sorted(path.parent.name for path in FOLDER.glob("*/input.idl"))
#: The cases whose printed code is compared: one of records, one of structs. Of the others the behaviour is.
PRINTED = ("record", "structs")


def generated(case: str) -> dict[str, str]:
    """File name in the case's folder -> text generated now."""
    diagnostics = Diagnostics()
    module = load_checked(FOLDER / case / "input.idl", name=case, diagnostics=diagnostics)
    layout = lower_module(module, diagnostics)
    text = print_module(layout, command="lakecodec generate", runtime="lakecodec.runtime", diagnostics=diagnostics)
    return {"expected.py": emit(text)[f"{case}.py"]}


def dumped(case: str) -> str:
    """The lowered schemas of all types of a case, in the order of its file."""
    module = load_checked(FOLDER / case / "input.idl", name=case, diagnostics=Diagnostics())
    return "\n".join(dump(module, name) for name in dumpable(module))


def samples(case: str) -> list[dict[str, Any]]:
    """``type``, ``hex`` and ``repr`` of sample values; the bytes of structs were written by Apache Thrift 0.25,
    those of messages by Google's protobuf 7.36."""
    path = FOLDER / case / "samples.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return found


@cache
def module(case: str) -> ModuleType:
    """The case's module, for both backends."""
    return load(FOLDER / case / "input.idl", name=case)


if __name__ == "__main__":
    for name in PRINTED:
        for file, text in generated(name).items():
            (FOLDER / name / file).write_text(text, encoding="utf-8")
    for name in CASES:
        (FOLDER / name / "dump.txt").write_text(dumped(name), encoding="utf-8")
