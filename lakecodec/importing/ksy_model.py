"""The model of a .ksy file: its types with their parts; names and expressions are still texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lakecodec.generator.diagnostics import Diagnostics, Location

from .ksy_expressions import Array, Expr, ExpressionError, Literal, Use, moved_down, parse_expression, parse_use
from .ksy_keys import MEMBER, META, PARAMETER, SWITCH, TYPE, ignored, ignored_of_attribute
from .ksy_yaml import Mapping

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Switch:
    """A type, or a byte order, that depends on a value; the case None is for all other values."""

    on: Expr
    cases: tuple[tuple[Expr | None, Any], ...]


@dataclass(frozen=True, slots=True)
class Process:
    name: str
    arguments: tuple[Expr, ...]


@dataclass(eq=False, slots=True)
class Attribute:
    """A field of `seq`, an instance or a parameter.

    Attributes:
        type: a Use, a Switch of Uses (None for bytes), or None for bytes and computed values.
        valid: rule (`eq`, `min`, `max`, `any-of`, `expr`, `in-enum`) -> expression or list of them.
        parent: what `_parent` means in its type; False for nothing, None for the type that has the attribute.
    """

    id: str
    line: int
    doc: list[str] = field(default_factory=list)
    type: Use | Switch | None = None
    size: Expr | None = None
    size_eos: bool = False
    terminator: bytes | None = None
    include: bool = False
    consume: bool = True
    eos_error: bool = True
    pad: int | None = None
    process: Process | None = None
    contents: bytes | None = None
    encoding: str | None = None
    enum: tuple[str, ...] | None = None
    condition: Expr | None = None
    repeat: str = ""
    count: Expr | None = None
    until: Expr | None = None
    valid: dict[str, Any] = field(default_factory=dict)
    pos: Expr | None = None
    io: Expr | None = None
    value: Expr | None = None
    parent: Expr | bool | None = None
    is_instance: bool = False
    is_text: bool = False

    def moved(self, name: str) -> Attribute:
        """Returns one element of a repeated attribute as the field of a type inside."""

        def down(value: Any) -> Any:
            return moved_down(value) if isinstance(value, Expr) else value

        type_ = self.type
        if isinstance(type_, Use):
            type_ = replace(type_, arguments=tuple(map(down, type_.arguments)))
        elif isinstance(type_, Switch):
            cases = tuple((down(key), _used_down(use)) for key, use in type_.cases)
            type_ = Switch(moved_down(type_.on), cases)
        process = self.process and replace(self.process, arguments=tuple(map(down, self.process.arguments)))
        parent = self.parent if self.parent is not None else parse_expression("_parent")
        return replace(
            self, id=name, doc=[], type=type_, process=process, size=down(self.size), repeat="", count=None, until=None,
            condition=None, pos=None, io=None, valid={}, parent=down(parent) if self.parent is not None else parent,
            is_instance=False,
        )  # fmt: skip


def _used_down(use: Any) -> Any:
    return replace(use, arguments=tuple(map(moved_down, use.arguments))) if isinstance(use, Use) else use


@dataclass(eq=False, slots=True)
class KsyEnum:
    name: str
    path: tuple[str, ...]
    members: list[tuple[int, str, list[str], int]]
    line: int
    owner: KsyType


@dataclass(eq=False, slots=True)
class KsyType:
    """A type of the file.

    Attributes:
        outer: the type in which it is declared.
        endian: `le`, `be`, a Switch of them, or None where it is that of the outer type.
        variant: the attribute whose switch it is; ``holder`` is the type that has it. None for types of the file.
    """

    name: str
    path: tuple[str, ...]
    line: int
    doc: list[str]
    outer: KsyType | None = None
    params: list[Attribute] = field(default_factory=list)
    seq: list[Attribute] = field(default_factory=list)
    instances: dict[str, Attribute] = field(default_factory=dict)
    types: dict[str, KsyType] = field(default_factory=dict)
    enums: dict[str, KsyEnum] = field(default_factory=dict)
    endian: str | Switch | None = None
    bit_endian: str | None = None
    encoding: str | None = None
    variant: Attribute | None = None
    holder: KsyType | None = None
    file: Any = None

    def all(self) -> Iterator[KsyType]:
        yield self
        for each in self.types.values():
            yield from each.all()

    def attribute(self, name: str) -> Attribute | None:
        """Returns the field, parameter or instance of a name."""
        found = next((each for each in (*self.seq, *self.params) if each.id == name), None)
        return found or self.instances.get(name)


class Reader:
    """The reader of one file's YAML; a part that it cannot read is an error with its line."""

    def __init__(self, file: str, diagnostics: Diagnostics) -> None:
        self._file = file
        self._diagnostics = diagnostics
        self.meta = Mapping(1)
        #: Line and message per key that is ignored.
        self.ignored: list[tuple[int, str]] = []

    def root(self, found: Any) -> KsyType | None:
        if not isinstance(found, Mapping):
            self._error("a .ksy file is a mapping with `meta` and `seq`", 1)
            return None
        meta = found.get("meta")
        self.meta = meta if isinstance(meta, Mapping) else Mapping(1)
        name = self.meta.get("id")
        if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
            self._error("`meta` needs an `id`, a name in lower case", self.meta.line)
            name = "unnamed"
        return self._type(name, (name,), found, None)

    def _error(self, message: str, line: int) -> None:
        self._diagnostics.error(message, Location(self._file, max(1, line), 1))

    def _map(self, holder: Mapping, key: str) -> Mapping:
        found = holder.get(key)
        if found is None:
            return Mapping(holder.line_of(key))
        if not isinstance(found, Mapping):
            self._error(f"`{key}` is a mapping", holder.line_of(key))
            return Mapping(holder.line_of(key))
        return found

    def _list(self, holder: Mapping, key: str) -> list[Mapping]:
        found = holder.get(key)
        if found is None:
            return []
        if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
            self._error(f"`{key}` is a list of mappings", holder.line_of(key))
            return []
        return found

    def _expr(self, value: Any, line: int) -> Expr:
        if isinstance(value, bool | int | float):
            return Literal(value)
        if isinstance(value, list):
            return Array(tuple(self._expr(each, line) for each in value))
        try:
            return parse_expression(str(value))
        except ExpressionError as error:
            self._error(str(error), line)
            return Literal(0)

    def _use(self, value: Any, line: int) -> Use | None:
        try:
            return None if value is None else parse_use(str(value))
        except ExpressionError as error:
            self._error(str(error), line)
            return None

    def _type(self, name: str, path: tuple[str, ...], found: Mapping, outer: KsyType | None) -> KsyType:
        meta = self._map(found, "meta")
        self.ignored += [*ignored(found, TYPE, "a type"), *ignored(meta, META, "`meta`")]
        made = KsyType(name, path, found.line, _doc(found), outer)
        endian = meta.get("endian")
        if isinstance(endian, Mapping):
            made.endian = self._switch(endian, lambda each, line: each)
        elif endian is not None:
            made.endian = str(endian)
        made.bit_endian = meta.get("bit-endian")
        made.encoding = meta.get("encoding")
        made.params = [self._param(each) for each in self._list(found, "params")]
        for number, each in enumerate(self._list(found, "seq")):
            made.seq.append(self._attribute(str(each.get("id", f"_unnamed{number}")), each))
        instances = self._map(found, "instances")
        for key, each in instances.items():
            if isinstance(each, Mapping):
                made.instances[str(key)] = self._attribute(str(key), each, is_instance=True)
            else:
                self._error(f"the instance '{key}' is a mapping", instances.line_of(key))
        types = self._map(found, "types")
        for key, each in types.items():
            if not isinstance(each, Mapping):
                each = Mapping(types.line_of(key))
            each.line = types.line_of(key)
            made.types[str(key)] = self._type(str(key), (*path, str(key)), each, made)
        enums = self._map(found, "enums")
        for key, each in enums.items():
            if isinstance(each, Mapping):
                made.enums[str(key)] = self._enum(str(key), (*path, str(key)), each, made, enums.line_of(key))
        return made

    def _enum(self, name: str, path: tuple[str, ...], found: Mapping, owner: KsyType, line: int) -> KsyEnum:
        members = []
        for number, each in found.items():
            doc = _doc(each) if isinstance(each, Mapping) else []
            self.ignored += ignored(each, MEMBER, "a member of an enum") if isinstance(each, Mapping) else ()
            member = each.get("id") if isinstance(each, Mapping) else each
            if isinstance(number, bool) or not isinstance(number, int):
                self._error(f"a member of an enum has a number, not {number!r}", found.line_of(number))
                continue
            text = str(member).lower() if isinstance(member, bool) else str(member)
            members.append((number, text, doc, found.line_of(number)))
        return KsyEnum(name, path, members, line, owner)

    def _param(self, found: Mapping) -> Attribute:
        made = Attribute(str(found.get("id", "")), found.line, _doc(found))
        self.ignored += ignored(found, PARAMETER, "a parameter")
        made.type = self._use(str(found.get("type", "bytes")), found.line) or Use(("bytes",))
        if "enum" in found:
            made.enum = _path(found["enum"])
        return made

    def _switch(self, found: Mapping, convert: Any) -> Switch:
        self.ignored += ignored(found, SWITCH, "a switch")
        cases = self._map(found, "cases")
        made: list[tuple[Expr | None, Any]] = []
        for key, each in cases.items():
            line = cases.line_of(key)
            made.append((None if key == "_" else self._expr(key, line), convert(each, line)))
        return Switch(self._expr(found.get("switch-on", 0), found.line_of("switch-on")), tuple(made))

    def _attribute(self, name: str, found: Mapping, *, is_instance: bool = False) -> Attribute:
        made = Attribute(name, found.line, _doc(found), is_instance=is_instance)

        def expr(key: str) -> Expr | None:
            return None if found.get(key) is None else self._expr(found[key], found.line_of(key))

        type_ = found.get("type")
        if isinstance(type_, Mapping):
            made.type = self._switch(type_, self._use)
        else:
            made.type = self._use(type_, found.line_of("type"))
        self.ignored += ignored_of_attribute(found, made.type, is_instance=is_instance)
        made.size, made.condition = expr("size"), expr("if")
        made.count, made.until = expr("repeat-expr"), expr("repeat-until")
        made.pos, made.io, made.value = expr("pos"), expr("io"), expr("value")
        made.repeat = str(found.get("repeat", ""))
        made.size_eos = found.get("size-eos") is True
        made.include = found.get("include") is True
        made.consume = found.get("consume") is not False
        made.eos_error = found.get("eos-error") is not False
        terminator = found.get("terminator")
        if isinstance(terminator, list):
            made.terminator = bytes(int(each) & 255 for each in terminator if isinstance(each, int))
        elif isinstance(terminator, int):
            made.terminator = bytes([terminator & 255])
        made.pad = found.get("pad-right") if isinstance(found.get("pad-right"), int) else None
        made.encoding = None if found.get("encoding") is None else str(found["encoding"])
        made.enum = _path(found["enum"]) if found.get("enum") else None
        if "contents" in found:
            made.contents = self._contents(found["contents"], found.line_of("contents"))
        if found.get("process"):
            use = self._process(str(found["process"]), found.line_of("process"))
            made.process = use
        parent = found.get("parent")
        made.parent = False if parent is False else None if parent is None else expr("parent")
        if "valid" in found:
            valid = found["valid"]
            line = found.line_of("valid")
            rules = valid if isinstance(valid, Mapping) else {"eq": valid}
            for key, value in rules.items():
                made.valid[key] = value if key == "in-enum" else (
                    [self._expr(each, line) for each in value] if key == "any-of" and isinstance(value, list)
                    else self._expr(value, line)
                )  # fmt: skip
        made.is_text = isinstance(made.type, Use) and made.type.path in (("str",), ("strz",))
        if isinstance(made.type, Use) and made.type.path == ("strz",) and made.terminator is None:
            made.terminator = b"\0"
        return made

    def _process(self, text: str, line: int) -> Process | None:
        name, opened, rest = text.partition("(")
        try:
            arguments = parse_use(f"f({rest}").arguments if opened else ()
        except ExpressionError as error:
            self._error(str(error), line)
            return None
        return Process(name.strip(), arguments)

    def _contents(self, value: Any, line: int) -> bytes:
        if isinstance(value, str):
            return value.encode()
        made = b""
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str):
                found = self._expr(each, line) if each.startswith("0x") else each
                made += bytes([found.value]) if isinstance(found, Literal) else each.encode()  # type: ignore[list-item]
            elif isinstance(each, int) and 0 <= each <= 255:
                made += bytes([each])
            else:
                self._error(f"`contents` has texts and bytes, not {each!r}", line)
        return made


def _path(value: Any) -> tuple[str, ...]:
    return tuple(str(value).removeprefix("::").split("::"))


def _doc(found: Mapping) -> list[str]:
    lines = str(found.get("doc") or "").strip().splitlines()
    refs = found.get("doc-ref")
    for each in refs if isinstance(refs, list) else [refs] if refs else []:
        lines += [*([""] if lines else []), *str(each).strip().splitlines()]
    return [line.rstrip() for line in lines]
