"""The keys of .ksy files, as Kaitai Struct's compiler knows them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from lakecodec.runtime.suggest import did_you_mean

from .ksy_expressions import Use
from .ksy_numbers import bits_of, number_of
from .ksy_yaml import Mapping

_DOC = frozenset({"doc", "doc-ref"})
_LENGTH = frozenset(
    {"size", "size-eos", "pad-right", "process", "terminator", "include", "consume", "eos-error", "encoding"}
)
_PLACED = frozenset({"pos", "io"})
_REPEATS = {"": {"repeat"}, "expr": {"repeat", "repeat-expr"}, "until": {"repeat", "repeat-until"}, "eos": {"repeat"}}

TYPE = _DOC | {"meta", "params", "seq", "types", "instances", "enums", "to-string"}
META = frozenset(
    {
        "id", "title", "application", "file-extension", "xref", "license", "tags", "imports", "encoding", "endian",
        "bit-endian", "ks-version", "ks-debug", "ks-opaque-types", "ks-zero-copy-substream",
    }
)  # fmt: skip
PARAMETER = _DOC | {"id", "type", "enum"}
MEMBER = _DOC | {"id"}
SWITCH = frozenset({"switch-on", "cases"})
_ATTRIBUTE = _DOC | _LENGTH | {"id", "type", "if", "contents", "enum", "parent", "valid"}
_VALUE = _DOC | {"id", "value", "type", "if", "enum", "valid"}


def ignored(found: Mapping, known: Set[str], what: str) -> Iterator[tuple[int, str]]:
    """Removes the keys that Kaitai Struct does not know and yields (line, message) per key; those that begin with `-` are for
    other programs."""
    for key in list(found):
        if key not in known and not str(key).startswith("-"):
            del found[key]
            yield found.line_of(key), f"{what} has no key '{key}', which is ignored{did_you_mean(key, known)}"


def ignored_of_attribute(found: Mapping, type_: Any, *, is_instance: bool) -> Iterator[tuple[int, str]]:
    """Does what `ignored` does for a field or an instance, whose other keys determine those that it can have."""
    if is_instance and "value" in found:
        yield from ignored(found, _VALUE, "an instance with `value`")
        return
    repeat = _REPEATS.get(str(found.get("repeat", "")), {"repeat"})
    known = _ATTRIBUTE | repeat | (_PLACED if is_instance else set())
    what = "an instance" if is_instance else "a field"
    name = type_.path[0] if isinstance(type_, Use) and len(type_.path) == 1 else ""
    if number_of(name) or bits_of(name):
        known, what = known - _LENGTH - {"parent"}, f"{what} of the type {name}"
    yield from ignored(found, known, what)
