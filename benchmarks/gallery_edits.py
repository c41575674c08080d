"""Edits that make files of the gallery longer, so that fields behind them get other places."""

from __future__ import annotations

from typing import Any


def _zip(file: Any) -> None:
    file.members[0].name += "x"
    file.directory.entries[0].name += "x"


def _puffin(file: Any) -> None:
    file.blobs[0] = bytes(file.blobs[0]) + b"x"


def _plist(file: Any) -> None:
    text = next(each for each in file.objects if each.kind == "ASCII")
    text.text += "xyz"


def _leveldb(file: Any) -> None:
    """Sizes behind the compression are the caller's; the places of the blocks behind are not."""
    entry = file.blocks[0].content.runs[0].entries[-1]
    entry.v, entry.n = bytes(entry.v) + b"xyz", entry.n + 3
    place = file.index.content.runs[0].entries[0].place
    place.size += _grown(file.blocks[0], False)
    file.footer.index.size += _grown(file.index, True)


def _grown(block: Any, is_index: bool) -> int:
    """Returns by how many bytes a block is longer than it was read."""
    return len(block.to_bytes(is_index)) - block._size


def _orc(file: Any) -> None:
    file.stripes = bytes(file.stripes) + b"x"


def _mo(file: Any) -> None:
    """The text that is last in the file."""
    tables = file.tables
    last = max(range(tables.n), key=lambda i: tables.translation_places[i].start)
    tables.translations[last].text += "xyz"
    tables.translation_places[last].length += 3


def _truetype(file: Any) -> None:
    """The table that is last in the file."""
    last = max(range(len(file.entries)), key=lambda i: file.entries[i].start)
    file.tables[last].content = bytes(file.tables[last].content) + b"x"
    file.entries[last].length += 1


#: By the format's name.
EDITS = {
    "zip": _zip,
    "puffin": _puffin,
    "plist": _plist,
    "leveldb": _leveldb,
    "orc": _orc,
    "mo": _mo,
    "truetype": _truetype,
}
