"""What two versions of an IDL do with each other's bytes: samples of both are read by both, and compared by name."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Any

from lakecodec.runtime.columns import Bits, Values
from lakecodec.runtime.compact.base import Marker
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.records.record import Record, Variant
from lakecodec.runtime.records.rows import ComputedRow
from lakecodec.runtime.records.values import Fields
from lakecodec.runtime.struct_values import StructValue, UnionValue
from lakecodec.workbench.breaking.comparer import FileVersion
from lakecodec.workbench.breaking.side import Side
from lakecodec.workbench.sampling.choices import SeededChoices
from lakecodec.workbench.sampling.sampler import Sample, Sampler

_BLOCK = re.compile(
    r"(?m)^(?=(?:record|struct|union|exception|message|enum|variant|codec|fn|const|encoding|typedef|service|table)\b)"
)
_NAME = re.compile(r"^\w+\s+(?:[\w<>., ]+\s+)??(\w+)\s*(?=[({:=\s])")


#: Samples that are large, or of which many attempts fail, decide in smaller numbers.
_MOST_BYTES, _MOST_WORK = 300_000, 1_500_000


@dataclass(frozen=True)
class Enumerated:
    number: int
    name: str | None


@dataclass(frozen=True)
class Alternative:
    kind: str
    fields: dict[str, Any]
    #: All alternatives of the variant.
    known: frozenset[str]
    later: str = ""


@dataclass(frozen=True)
class Body:
    fields: dict[str, Any]
    #: The field that takes all bytes that are left, for what later versions add.
    later: str = ""


def tree(value: Any) -> Any:
    """Returns a decoded value as plain values, with everything that is read on access."""
    if isinstance(value, Variant):
        variant: Any = type(value).__mro__[1]
        known = frozenset(each.kind for each in variant.__subclasses__())
        return Alternative(value.kind, _fields(value), known, _later(value))
    if isinstance(value, UnionValue):
        return {} if value.kind is None else {value.kind: tree(value.value)}
    if isinstance(value, Marker):
        return Body({})
    if isinstance(value, StructValue):
        return Body({name: tree(getattr(value, name)) for name in type(value).__match_args__})
    if isinstance(value, Record | Fields):
        return Body(_fields(value), _later(value))
    if isinstance(value, IntEnum):
        return Enumerated(int(value), value.name)
    if isinstance(value, dict):
        return [[tree(key), tree(item)] for key, item in value.items()]
    if isinstance(value, set | frozenset):
        return sorted(map(repr, map(tree, value)))
    if isinstance(value, list | tuple | Bits):
        return [tree(each) for each in value]
    if isinstance(value, Values):
        return value.to_bytes()
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, memoryview | bytearray):
        return bytes(value)
    return repr(value) if isinstance(value, float) or value is None else value


def _later(value: Any) -> str:
    rows = [name for name, row in type(value).__rows__.items() if not isinstance(row, ComputedRow)]
    return rows[-1] if rows and "[..]" in str(type(value).__rows__[rows[-1]].type) else ""


def _fields(value: Any) -> dict[str, Any]:
    return {name: tree(getattr(value, name)) for name in type(value).__rows__ if hasattr(value, name)}


def differ(old: Any, new: Any, *, names: bool) -> bool:
    """Returns whether two trees are other values; ``names``: also where a number only has another name."""
    if isinstance(old, Alternative) and isinstance(new, Alternative):
        if old.kind == new.kind:
            return differ(Body(old.fields, old.later), Body(new.fields, new.later), names=names)
        return names or (old.kind in new.known and new.kind in old.known)
    if isinstance(old, Body) and isinstance(new, Body):
        fields = dict(old.fields), dict(new.fields)
        if old.fields.keys() != new.fields.keys():
            for each in fields:
                each.pop(old.later, None), each.pop(new.later, None)
        return _common(*fields, names)
    if isinstance(old, Enumerated) or isinstance(new, Enumerated):
        numbers = [each.number if isinstance(each, Enumerated) else each for each in (old, new)]
        return numbers[0] != numbers[1] or (names and old != new)
    if isinstance(old, dict) and isinstance(new, dict):
        # A union with a member that only one version has is as good as unknown to the other one.
        return differ_unions(old, new, names)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) != len(new) or any(differ(a, b, names=names) for a, b in zip(old, new, strict=True))
    return bool(old != new)


def differ_unions(old: dict[str, Any], new: dict[str, Any], names: bool) -> bool:
    if old.keys() == new.keys():
        return _common(old, new, names)
    return names


def _common(old: dict[str, Any], new: dict[str, Any], names: bool) -> bool:
    return any(differ(old[name], new[name], names=names) for name in old if name in new)


def read(cls: Any, data: bytes, parameters: tuple[Any, ...]) -> tuple[bool, Any]:
    """Returns whether bytes are refused, and the value's tree or the error; another exception is a fault of the reader."""
    try:
        return False, tree(cls.from_bytes(data, *parameters))
    except DecodeError as error:
        return True, error


@dataclass
class Truth:
    """Samples of the types of one version, made once, with what the version itself reads them as."""

    version: FileVersion
    #: The version before it: a type without samples there is tried once again, not twice.
    before: Truth | None = None
    known: dict[str, list[tuple[Sample, Any]]] = field(default_factory=dict)
    samplers: dict[str, Sampler | None] = field(default_factory=dict)

    @cached_property
    def side(self) -> Side:
        return list(self.version.sides.values())[-1]

    @cached_property
    def types(self) -> dict[str, Any]:
        """The classes of the types that have bytes, by name; alternatives are read by their variant."""
        specs = self.side.python.__spec__.items()
        return {name: each.cls for name, each in specs if name in self.side.types}

    def parameters(self, name: str) -> list[str]:
        """Returns the types of the parameters that a type is read with."""
        return self.side.parameters(name)

    def samples(self, name: str, count: int) -> Iterator[tuple[Sample, Any]]:
        """Yields samples that are read without parameters, or with plain ones."""
        known = self.known.setdefault(name, [])
        if name not in self.samplers:
            has_none = self.before is not None and not any(each.side.samples(name, 1) for each in (self.before, self))
            sampler = None if has_none else Sampler(self.types[name], SeededChoices(7), self.side.schema)
            self.samplers[name] = sampler
        sampler = self.samplers[name]
        place = size = 0
        while place < count and size < _MOST_BYTES and sampler is not None:
            if place == len(known):
                if sampler.work > _MOST_WORK:
                    return
                try:
                    sample = sampler.sample()
                except ValueError:
                    self.samplers[name] = None
                    return
                # Those of the other version would be of its own classes.
                given = any(isinstance(each, Record | StructValue | list) for each in sample.parameters)
                refused, found = (True, None) if given else read(self.types[name], sample.data, sample.parameters)
                known.append((sample, None if refused else found))
            size += len(known[place][0].data)
            if known[place][1] is not None:
                yield known[place]
            place += 1


def shown(old: Truth, new: Truth, names: list[str], counts: tuple[int, int], *, unshown: bool = False) -> str | None:
    """Returns what samples of either version show of a difference; None where they show none.

    Args:
        unshown: it was told that no bytes but empty ones do.
    """
    for name in names:
        if name not in old.types or name not in new.types or old.parameters(name) != new.parameters(name):
            continue
        for side, other, count in ((old, new, counts[0]), (new, old, counts[1])):
            for sample, value in side.samples(name, count):
                if unshown and not sample.data:
                    continue
                refused, found = read(other.types[name], sample.data, sample.parameters)
                if refused or (differ(value, found, names=False) if side is old else differ(found, value, names=False)):
                    text = f"{type(found).__name__}: {found}" if refused else f"{value} -> {found}"
                    return f"{name} {'old' if side is old else 'new'} {sample.data.hex()} {sample.parameters}: {text}"[
                        :600
                    ]
    return None


def code(truth: Truth) -> str:
    """Returns the generated code of a version, without what it says about itself."""
    found = []
    for side in truth.version.sides.values():
        parsed = ast.parse("".join(linecache.getlines(side.python.__file__)))
        for node in ast.walk(parsed):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body.pop(0)
        found.append(ast.unparse(parsed))
    return "\n".join(found)


def affected(old: str, new: str) -> list[str]:
    """Returns the names of the declarations that changed, and of those that name them, through others too."""
    blocks = [_blocks(text) for text in (old, new)]
    names = {*blocks[0], *blocks[1]}
    found = dict.fromkeys(name for name in names if blocks[0].get(name) != blocks[1].get(name))
    pending = list(found)
    while pending:
        word = re.compile(rf"\b{re.escape(pending.pop(0))}\b")
        for name in names:
            if name not in found and any(word.search(each.get(name, "")) for each in blocks):
                found[name] = None
                pending.append(name)
    return list(found)


def _blocks(text: str) -> dict[str, str]:
    plain = re.sub(r"/\*.*?\*/|//[^\n]*|#[^\n]*", "", text, flags=re.DOTALL)
    found: dict[str, str] = {}
    for block in _BLOCK.split(plain):
        if (name := _NAME.match(block)) is not None:
            found[name[1]] = found.get(name[1], "") + block
    return found
