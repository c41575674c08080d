"""What templates print of the classes that bodies of fields become."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from . import types
from .text import assignment
from .wrap import wrap


@dataclass(frozen=True, slots=True)
class ParamPlan:
    """A parameter: an attribute of values, an argument of the methods that read and write."""

    attr: str
    argument: str
    hint: str
    default: str = ""

    @property
    def text(self) -> str:
        return f"{self.argument}: {self.hint}{f' = {self.default}' if self.default else ''}"


@dataclass(frozen=True, slots=True)
class RecordFieldPlan:
    """One field; a field of a located record has methods of its own."""

    name: str
    attr: str
    hint: str
    doc: str
    given: bool
    spec: str
    span: tuple[str, str] | None = None
    read: list[str] = field(default_factory=list)
    write: list[str] = field(default_factory=list)

    @property
    def span_variables(self) -> list[str]:
        return ["made: _Any = self"] if any("made" in text for text in self.span or ()) else []

    @property
    def read_variables(self) -> list[str]:
        made = ["made: _Any = self"] if _uses("made", self.read) else []
        return [*made, *_variables(self.read), _starting(self.read, types.quoted(self.name), "0", "pos")]

    @property
    def write_variables(self) -> list[str]:
        return ["made: _Any = self", _writing(self.write, types.quoted(self.name))]


@dataclass(frozen=True, slots=True)
class RecordPlan:
    """Attributes:
    base: the class it derives from.
    qualname: the name that is shown, where it differs from ``name``.
    constants: class attributes, as (name, value).
    layouts: the runs of fixed width that its methods use, each the lines of a constant.
    state: the expressions of what siblings share, for reading and for writing.
    """

    name: str
    spec_name: str
    base: str
    docstring: list[str]
    doc: str
    params: list[ParamPlan]
    fields: list[RecordFieldPlan]
    read: list[str]
    write: list[str]
    located: bool
    source_line: int
    layouts: list[list[str]] = field(default_factory=list)
    constants: list[tuple[str, str]] = field(default_factory=list)
    state: list[tuple[str, str]] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    #: A codec's fields hang on its value alone.
    of_codec: bool = False
    takes_tag: str = ""
    qualname: str = ""
    kind: str = "record"
    value_hint: str = ""
    #: The statement that returns it as data.
    layout: list[str] = field(default_factory=list)
    #: The enums whose members its fields hold.
    enums: list[str] = field(default_factory=list)

    @property
    def records(self) -> list[RecordPlan]:
        """The classes that have fields: itself."""
        return [self]

    @property
    def constant_lines(self) -> list[str]:
        return [line for name, value in self.constants for line in wrap(f"{name} = {value}", 4)]

    @property
    def slot_lines(self) -> list[str]:
        return assignment("__slots__", [f'"{name}"' for name in self.slots], indent=4)

    @property
    def given_lines(self) -> list[str]:
        names = ["value"] if self.of_codec else [item.attr for item in self.fields if item.given]
        return assignment("_given", [f'"{name}"' for name in names], indent=4)

    @property
    def parameter_lines(self) -> list[str]:
        names = [f'"{param.attr}"' for param in self.params]
        lines = assignment("_parameters", names, indent=4) if names else []
        defaults = [f'"{param.attr}": {param.default}' for param in self.params if param.default]
        return [*lines, *wrap(f"_defaults = {{{', '.join(defaults)}}}", 4)] if defaults else lines

    @property
    def read_head(self) -> list[str]:
        return wrap(f"def _read(cls, at: _rec.Span, pos: int{self._parameters()}) -> tuple[{self.name}, int]:", 4)

    @property
    def write_head(self) -> list[str]:
        return wrap(f"def _write(self, out: _rec.Writer{self._parameters()}) -> None:", 4)

    def _parameters(self) -> str:
        text = "".join(f", {param.text}" for param in self.params)
        return text + (", state: list[_Any] | None = None" if self.state else "")

    @property
    def all_text(self) -> list[str]:
        """Every line that can name an import."""
        methods = [line for each in self.fields for line in (*each.read, *each.write, *(each.span or ()), each.hint)]
        return [
            *self.read,
            *self.write,
            *self.layout,
            *methods,
            *(text for pair in (*self.state, *self.constants) for text in pair),
        ]

    @property
    def read_variables(self) -> list[str]:
        return [*_variables(self.read), _starting(self.read, '""', "pos")]

    @property
    def write_variables(self) -> list[str]:
        return [_writing(self.write, '""')]

    @property
    def sets(self) -> list[str]:
        return [f"made.{param.attr} = {param.argument}" for param in self.params]


def _uses(variable: str, lines: list[str]) -> bool:
    return any(re.search(rf"(?<![\w.\"]){variable}\b(?!\")", line) for line in lines)


def _starting(lines: list[str], step: str, start: str, *zeros: str) -> str:
    """The assignment of the variables that reading begins with."""
    names, values = ["step", "index", "start", *zeros], [step, "None", start, *("0" for _ in zeros)]
    if _uses("buf", lines):
        names, values = ["buf", *names], ["at.buf", *values]
    return f"{', '.join(names)} = {', '.join(values)}"


def _writing(lines: list[str], step: str) -> str:
    """The assignment of the variables that writing begins with."""
    data = _uses("data", lines)
    return f"{'data, ' if data else ''}step, index = {'out.data, ' if data else ''}{step}, None"


def _variables(lines: list[str]) -> list[str]:
    """Declarations of the variables that lists are read with."""
    return ["item: _Any", "items: list[_Any]"] if any("items = []" in line for line in lines) else []
