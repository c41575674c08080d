"""The examples of docs/idl.md compile."""

from __future__ import annotations

import re

import pytest

from lakecodec import compile_idl

from ...paths import ROOT

TEXT = (ROOT / "docs" / "idl.md").read_text(encoding="utf-8")

#: What an example takes for granted, by a word in it.
CONTEXT = {
    "table readings": "struct Reading { 1: i32 time 2: double value 3: string unit }\n"
    "struct Batch { 1: list<Reading> readings }",
    "Index  index": "record Index { u8 x[..]; }\nrecord Footer : big { u32 index_at; u32 magic; }",
    "encoding Value": "variant Type(u8 t) on t { 0: INTEGER; 1: DATE; 2: DECIMAL { u8 precision; }; 3: TEXT; }",
    "list<Tag>": "struct Tag { 1: string name }",
}


def examples() -> list[str]:
    """The blocks of the page that are IDL."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    return [text for language, text in blocks if language in ("", "thrift")]


@pytest.mark.parametrize("example", examples(), ids=lambda text: text.split("\n")[0][:40])
def test_example_compiles(example: str) -> None:
    context = "\n".join(text for word, text in CONTEXT.items() if word in example)
    assert compile_idl(f"{context}\n{example}", name="example").__spec__ is not None


def test_examples_are_found() -> None:
    assert len(examples()) >= 7
