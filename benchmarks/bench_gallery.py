"""Formats of the gallery: decoding against Kaitai's Python runtime and Construct, writing against Construct and, of messages of
the Domain Name System, dnspython, and lines of their declarations.

CPU time of this process. All three give every field of the file; ours has checked all rules as well, and makes the objects of
fields when they are asked for: the second rows of each format ask for all of them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from lakecodec import backend, compile_idl
from lakecodec.formats import Format, formats
from lakecodec.runtime.records.values import Fields

from .harness import Result, compare

#: At least 20 times as fast as either, where the native backend runs.
_BAR = 1 / 20
#: Written five times as fast as Construct builds it, and as fast as dnspython writes.
_WRITE_BAR, _NAMES_BAR = 1 / 5, 1.0
#: Lines of Kaitai's declarations, and where they were counted.
_LINES = Path(__file__).with_name("gallery_lines.json")


def run(quick: bool) -> list[Result]:
    declared = {each.name: each for each in formats()}
    repeat = 1 if quick else 9
    return [*_lines(declared), *_decoding(declared, repeat), *_writing(declared, repeat), *_messages(declared, repeat)]


def _sampled(declared: dict[str, Format]) -> Iterator[tuple[str, Any, list[bytes]]]:
    """Yields the formats that have samples here: name, module, files."""
    from .gallery_samples import SAMPLES

    for name, sample in SAMPLES.items():
        module: Any = compile_idl(declared[name].idl)
        if (data := sample(module)) is not None:
            yield name, module, data if isinstance(data, list) else [data]


def _decoding(declared: dict[str, Format], repeat: int) -> list[Result]:
    from .gallery_construct import ROOTS as CONSTRUCT
    from .gallery_kaitai import ROOTS as KAITAI

    results: list[Result] = []
    bar = _BAR if backend() == "native" else None
    for name, module, files in _sampled(declared):
        readers = {
            "ours": module.File.from_bytes,
            "kaitaistruct": KAITAI[name].from_bytes,
            "construct": CONSTRUCT[name].parse,
        }
        title = f"{name}, {len(files):,} files, {sum(map(len, files)):,} bytes"
        results += compare(
            f"decode {title}",
            {who: partial(_each, read, files) for who, read in readers.items()},
            bars=None if bar is None else {"kaitaistruct": bar, "construct": bar},
            repeat=repeat,
            clock=time.process_time,
        )
        results += compare(
            f"and visit all: {title}",
            {who: partial(_each, read, files, _VISITS[who]) for who, read in readers.items()},
            repeat=repeat,
            clock=time.process_time,
        )
    return results


def _writing(declared: dict[str, Format], repeat: int) -> list[Result]:
    """Values that were read, looked at and set are written, and those that were edited, with equal bytes from both."""
    from .gallery_construct import ROOTS, WRITTEN
    from .gallery_construct_more import MORE
    from .gallery_construct_packed import PACKED
    from .gallery_construct_placed import PLACED
    from .gallery_construct_tails import TAILS
    from .gallery_edits import EDITS
    from .gallery_samples import written

    only_written = {**WRITTEN, **PLACED, **PACKED, **MORE, **TAILS}
    construct = {**ROOTS, **only_written}
    results: list[Result] = []
    modules: dict[str, Any] = {name: compile_idl(declared[name].idl) for name in only_written}
    found = [(name, module, written(name, module)) for name, module in modules.items()]
    others = [(name, module, [data]) for name, module, data in found if data is not None]
    for name, module, files in [*_sampled(declared), *others]:
        ours, theirs = [module.File.from_bytes(each) for each in files], [construct[name].parse(each) for each in files]
        for each in ours:
            _visit(each)
            for field in each._given:
                setattr(each, field, getattr(each, field))
        assert [each.to_bytes() for each in ours] == files
        results += _written(f"write {name}", construct[name], ours, theirs, files, repeat)
        if name in EDITS:
            for each in ours:
                EDITS[name](each)
            edited = [each.to_bytes() for each in ours]
            theirs = [construct[name].parse(each) for each in edited]
            results += _written(f"write edited {name}", construct[name], ours, theirs, edited, repeat)
    return results


def _written(
    title: str, construct: Any, ours: list[Any], theirs: list[Any], files: list[bytes], repeat: int
) -> list[Result]:
    assert [construct.build(each) for each in theirs] == files
    return compare(
        f"{title}, {len(files):,} files, {sum(map(len, files)):,} bytes",
        {
            "ours": lambda: [each.to_bytes() for each in ours],
            "construct": lambda: [construct.build(each) for each in theirs],
        },
        bars={"construct": _WRITE_BAR} if backend() == "native" else None,
        repeat=repeat,
        clock=time.process_time,
    )


def _messages(declared: dict[str, Format], repeat: int) -> list[Result]:
    from dns.message import from_wire

    from .gallery_samples import dns

    module: Any = compile_idl(declared["dns"].idl)
    messages = dns()
    ours, theirs = [module.File.from_bytes(each) for each in messages], [from_wire(each) for each in messages]
    assert [each.to_bytes() for each in ours] == messages
    return compare(
        f"write dns, {len(messages):,} messages, {sum(map(len, messages)):,} bytes",
        {"ours": lambda: [each.to_bytes() for each in ours], "dnspython": lambda: [each.to_wire() for each in theirs]},
        bars={"dnspython": _NAMES_BAR} if backend() == "native" else None,
        repeat=repeat,
        clock=time.process_time,
    )


def _each(read: Callable[[bytes], Any], files: list[bytes], visit: Callable[[Any], None] | None = None) -> None:
    for data in files:
        found = read(data)
        if visit is not None:
            visit(found)


def _visit(value: Any) -> None:
    for name in value.__rows__:
        inner = getattr(value, name)
        if isinstance(inner, Fields):
            _visit(inner)
        elif isinstance(inner, list) and inner and not isinstance(inner[0], int):
            for each in inner:
                if isinstance(each, Fields):
                    _visit(each)


def _visit_kaitai(value: Any) -> None:
    from kaitaistruct import KaitaiStruct

    for name, inner in vars(value).items():
        if name.startswith("_"):
            continue
        if isinstance(inner, KaitaiStruct):
            _visit_kaitai(inner)
        elif isinstance(inner, list) and inner and not isinstance(inner[0], int):
            for each in inner:
                if isinstance(each, KaitaiStruct):
                    _visit_kaitai(each)


def _visit_construct(value: Any) -> None:
    from construct import Container

    for inner in value.values():
        if isinstance(inner, Container):
            _visit_construct(inner)
        elif isinstance(inner, list) and inner and not isinstance(inner[0], int):
            for each in inner:
                if isinstance(each, Container):
                    _visit_construct(each)


_VISITS = {"ours": _visit, "kaitaistruct": _visit_kaitai, "construct": _visit_construct}


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
