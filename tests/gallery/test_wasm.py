"""A module that wat2wasm wrote."""

from __future__ import annotations

from ..paths import DATA
from .gallery import Gallery

WASM = Gallery("wasm", oracle=False)
FILE = (DATA / "gallery" / "module.wasm").read_bytes()


def test_modules() -> None:
    sections = {each.content.kind: each.content for each in WASM.round_trip(FILE).sections}
    assert [(each.module.text, each.name.text, each.description.kind) for each in sections["IMPORTS"].imports] == [
        ("env", "log", "FUNCTION"),
        ("env", "mem", "MEMORY"),
    ]
    limits = sections["IMPORTS"].imports[1].description.limits
    assert (limits.least, limits.most) == (1, 4)
    one, other = (each.init.instructions[0].operand.v for each in sections["GLOBALS"].globals)
    assert (one, other) == (-5_000_000_000, 2.5)
    assert [(each.name.text, each.index) for each in sections["EXPORTS"].exports] == [("main", 2), ("add", 1)]
    assert [(each.n, each.type) for each in sections["CODE"].bodies[0].code.locals] == [(1, 0x7F), (1, 0x7E)]
    assert WASM.damage(FILE, rounds=60) > 20


def test_an_edit_changes_sizes() -> None:
    found = WASM.module.File.from_bytes(FILE)
    exports = next(each.content for each in found.sections if each.content.kind == "EXPORTS")
    exports.exports[0].name.text = "another name"
    again = WASM.module.File.from_bytes(WASM.write(found))
    assert len(again.to_bytes()) == len(FILE) + len("another name") - len("main")
