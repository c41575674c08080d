"""The gallery as a whole: declarations that need no Python code, what its pages say of them, and recognition."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks.bench_gallery import lines_of
from lakecodec.formats import formats
from lakecodec.generator.compile import load_checked
from lakecodec.generator.model import Extension, Struct
from lakecodec.generator.syntax import Extern
from lakecodec.runtime import magic

from ..paths import ROOT, SPECS

GALLERY = sorted((SPECS / "gallery").glob("*.idl"))
#: What the gallery calls in Python: compression, checksums, digits of numbers, and JSON.
PYTHON = {
    "runtime.block_codecs:SnappyChecked",
    "runtime.block_codecs:ZstdStream",
    "runtime.checksums:crc32c",
    "runtime.checksums:crc64_redis",
    "runtime.checksums:sha1",
    "runtime.codecs:Gzip",
    "runtime.codecs:Joined",
    "runtime.codecs:Lz4Frame",
    "runtime.codecs:Lzf",
    "runtime.codecs:Snappy",
    "runtime.codecs:Xz",
    "runtime.codecs:Zlib",
    "runtime.compress:Deflate",
    "runtime.texts:padded_number",
    "runtime.checksums:crossed_sums",
    "runtime.checksums:crc",
    "runtime.codecs:Text",
    "runtime.texts:digits_of",
    "runtime.texts:number_of",
    "runtime.texts:length_of",
    "lakecodec.runtime.json_object:JsonObject",
}
#: Lines of a page, at most, without comments.
PAGE = 125


def test_as_many_as_it_should_have() -> None:
    assert len(GALLERY) >= 37
    assert {path.stem for path in GALLERY} <= {each.name for each in formats()}


def test_no_python_code_but_for_compression_and_json() -> None:
    used: set[str] = set()
    for path in GALLERY:
        for each in load_checked(path).definitions:
            if isinstance(each, Struct):
                used |= {text for name, text in each.annotations.items() if name == "lakecodec.codec"}
            elif isinstance(each, Extension) and isinstance(value := getattr(each.syntax, "value", None), Extern):
                used.add(value.target)
    assert used == PYTHON


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_is_a_page(path: Path) -> None:
    assert lines_of(path.read_text()) <= PAGE


def test_the_readme_lists_all() -> None:
    listed = re.findall(r"^\| \[[^]]+\]\(([^)]+)\) \|", (SPECS / "gallery" / "README.md").read_text(), re.M)
    assert sorted(listed) == sorted(["../deletion_vector.idl", *(path.name for path in GALLERY)])


def test_lines_beside_kaitais() -> None:
    """The table of docs/kaitai.md is what is counted."""
    counted = json.loads((ROOT / "benchmarks" / "gallery_lines.json").read_text())["lines"]
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \|$", (ROOT / "docs" / "kaitai.md").read_text(), re.M)
    ours = {name: lines_of((SPECS / "gallery" / f"{name}.idl").read_text()) for name in counted}
    assert {name: (int(a), int(b)) for name, a, b in rows} == {name: (ours[name], counted[name]) for name in counted}


def test_what_messages_call_other_files() -> None:
    """Messages name other formats without reading declarations; where there is one, it says the same magic bytes."""
    named = {"Arrow IPC": "arrow_ipc", "Parquet": "parquet_file", "encrypted Parquet": "parquet_file"}
    told = {(named.get(name, name.lower()), bytes_) for bytes_, name in (*magic._HEADS, *magic._TAILS)}
    for each in formats():
        declared = {value for _, values in each.magic for value in values}
        for name, bytes_ in told:
            # A member of a ZIP archive has a magic of its own, which stands where most of them begin.
            if name == each.name != "zip":
                assert any(value.startswith(bytes_) for value in declared), (name, bytes_, declared)
