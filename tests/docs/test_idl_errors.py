"""docs/idl-errors.md has every mistake of tests/generator/bad_idl. ``python -m tests.docs.test_idl_errors`` writes it."""

from __future__ import annotations

from itertools import groupby

from ..generator.test_generator_diagnostics import FILES
from ..paths import ROOT

PAGE = ROOT / "docs/idl-errors.md"
HEAD = """# Mistakes in IDL files

Every message of the compiler, with a file that causes it. The first line of each file is the message, with line and column.
What follows a colon or a semicolon is the remedy; ` | ` separates the messages of several mistakes.
`lakecodec check FILE` reports all mistakes of a file at once. An `IdlError` has them as `diagnostics`.
[Lint](idl.md#lint) lists the rules of warnings, and how to exempt a line.
"""
#: First words of the names of files, by section. Whatever is not listed is about records.
SECTIONS = {
    "Syntax": "syntax escape number dotted reserved fbthrift old",
    "Files and names": "include included duplicate unknown typedef void",
    "Constants, enums and defaults": "constant default enum",
    "Structs, messages and services": "id message union service",
    "Records": "",
    "Variants": "variant",
    "Codecs": "codec encoding via",
    "Expressions and functions": "expression fn",
    "Tables": "table",
    "Warnings": "warning",
}
#: Only the message of longer files is shown: their mistake is that there is too much of something.
LONGEST = 600


def section_of(word: str) -> str:
    return next((title for title, words in SECTIONS.items() if word in words.split()), "Records")


def page() -> str:
    parts = [HEAD]
    order = list(SECTIONS)
    by_section = sorted((order.index(section_of(path.stem.partition("_")[0])), path.stem, path) for path in FILES)
    for number, group in groupby(by_section, key=lambda each: each[0]):
        parts.append(f"\n## {order[number]}\n")
        for _, _, path in group:
            text = path.read_text()
            shown = text.rstrip() if len(text) <= LONGEST else text.partition("\n")[0]
            parts.append(f"\n```thrift\n{shown}\n```\n")
    return "".join(parts)


def test_the_page_has_every_mistake() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
    assert page().count("```thrift") == len(FILES) > 250


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
