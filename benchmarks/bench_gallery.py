"""Formats of the gallery: decoding against Kaitai's Python runtime and Construct, and lines of their declarations.

CPU time of this process. All three give a tree of objects with every field of the file; ours has checked all rules as well.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from lakecodec import backend, compile_idl
from lakecodec.formats import Format, formats

from .harness import Result, compare

#: At least 20 times as fast as either, where the native backend runs.
_BAR = 1 / 20
#: Lines of Kaitai's declarations, and where they were counted.
_LINES = Path(__file__).with_name("gallery_lines.json")


def run(quick: bool) -> list[Result]:
    declared = {each.name: each for each in formats()}
    return [*_lines(declared), *_decoding(declared, 3 if quick else 9)]


def _decoding(declared: dict[str, Format], repeat: int) -> list[Result]:
    from .gallery_construct import ROOTS as CONSTRUCT
    from .gallery_kaitai import ROOTS as KAITAI
    from .gallery_samples import SAMPLES

    results: list[Result] = []
    bar = _BAR if backend() == "native" else None
    for name, sample in SAMPLES.items():
        module: Any = compile_idl(declared[name].idl)
        data = sample(module)
        if data is None:
            continue
        read, kaitai, construct = module.File.from_bytes, KAITAI[name].from_bytes, CONSTRUCT[name].parse
        results += compare(
            f"decode {name}, {len(data):,} bytes",
            {
                "ours": lambda read=read, data=data: read(data),
                "kaitaistruct": lambda kaitai=kaitai, data=data: kaitai(data),
                "construct": lambda construct=construct, data=data: construct(data),
            },
            bars=None if bar is None else {"kaitaistruct": bar, "construct": bar},
            repeat=repeat,
            clock=time.process_time,
        )
    return results


def _lines(declared: dict[str, Format]) -> list[Result]:
    """Lines that are neither blank nor documentation; what each declares of its format differs in places."""
    counted = json.loads(_LINES.read_text())["lines"]
    return [
        Result(f"lines of {name}", lines_of(declared[name].idl.read_text()), lines, "Kaitai's .ksy", unit="lines")
        for name, lines in counted.items()
        if name in declared
    ]


def lines_of(text: str) -> int:
    """Lines of an IDL text that are neither blank nor comments."""
    count, inside = 0, False
    for line in map(str.strip, text.splitlines()):
        if inside or line.startswith("/*"):
            inside = "*/" not in line
        elif line and not line.startswith(("//", "#")):
            count += 1
    return count
