"""The syntax of a .proto file: its statements, with their lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: The value of an option: a number, a text as bytes, a word, or the outermost tokens of an aggregate.
Value = int | float | bytes | str | tuple[str, ...]
Options = dict[str, Value]


@dataclass(slots=True)
class Import:
    path: str
    line: int
    is_public: bool = False


@dataclass(slots=True)
class Field:
    """A field of a message, a oneof or an extension; a map has a ``key``, a group the fields of its own as ``group``."""

    label: str
    type: str
    name: str
    number: int
    options: Options
    line: int
    doc: list[str]
    key: str = ""
    group: Message | None = None


@dataclass(slots=True)
class Oneof:
    name: str
    fields: list[Field]
    options: Options
    line: int
    doc: list[str]


@dataclass(slots=True)
class Kept:
    """Numbers or names that are reserved, or left to extensions: ``text`` as it stands in the file."""

    text: str
    line: int


@dataclass(slots=True)
class Extend:
    """Fields that are declared outside the message they belong to."""

    extended: str
    fields: list[Field]
    line: int


@dataclass(slots=True)
class Member:
    name: str
    number: int
    line: int
    doc: list[str]


@dataclass(slots=True)
class Enum:
    name: str
    members: list[Member]
    kept: list[Kept]
    options: Options
    line: int
    doc: list[str]


@dataclass(slots=True)
class Message:
    name: str
    parts: list[Any]
    options: Options
    line: int
    doc: list[str]
    depth: int = 1


@dataclass(slots=True)
class Service:
    name: str
    line: int


@dataclass(slots=True)
class Proto:
    """A .proto file. ``syntax`` is proto2, proto3, or the number of an edition."""

    file: str
    syntax: str = "proto2"
    package: str = ""
    imports: list[Import] = field(default_factory=list)
    options: Options = field(default_factory=dict)
    parts: list[Message | Enum | Extend | Service] = field(default_factory=list)
    head: list[str] = field(default_factory=list)
