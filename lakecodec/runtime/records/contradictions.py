"""The values that an error of writing contradicts: they are named with what they are, beside the field that was refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..errors import CodecError, EncodeError, cut_path, join_path
from ..short import short
from .deciding import computed_from, deciding
from .values import Fields

#: A step of a path: an attribute and maybe an index.
_STEP = re.compile(r"(\w+)(?:\[(\d+)\])?")
#: The longest representation of a value in an error.
_LONGEST = 60
#: The number of values that an error names.
_MOST = 12
_UNEVALUATED = "cannot evaluate"
_MISTYPED = re.compile(r"the value does not fit its type|\bdoes not fit \d+ bits")


class Contradicted:
    """The values that decide about the field of an error, as far as they were found.

    Attributes:
        values: path -> value, from the record at which the error has arrived.
        parameters: those of that record which decide, too.
        path: that of the error at that record.
    """

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.parameters: dict[str, Any] = {}
        self.path = ""

    def add(self, record: Any, name: str, index: str | None) -> None:
        """Adds the values of a record that decide about its field ``name``."""
        if isinstance(record, Fields):
            self.add_paths(record, deciding(type(record), name), index)

    def add_paths(self, record: Any, paths: Iterable[str], index: str | None) -> None:
        """Adds the values of a record at paths."""
        for each in paths:
            path, value = _value_at(record, each.replace("[]", f"[{index}]" if index else ""))
            (self.parameters if path.partition(".")[0] in record._parameters else self.values)[path] = value

    def move_outward(self, inside: str) -> None:
        """Begins paths with a field; of a list's element with the element."""
        self.values = {join_path(inside, path): value for path, value in self.values.items()}

    def add_along(self, root: Any, path: str) -> None:
        """Adds the values that decide about the field at a path."""
        steps = _STEP.findall(path)
        if not steps:
            return
        holder = "".join(_text(name, index) for name, index in steps[:-1]).removeprefix(".")
        reached, record = _value_at(root, holder)
        if reached == holder:
            found = Contradicted()
            found.add(record, *steps[-1])
            found.move_outward(holder)
            self.values |= found.values
            if found.parameters:
                self.add_along(root, holder)


def find_contradicted(error: Any, record: Any) -> None:
    """Notes the values of the record at which an error has arrived that decide about the field of the error."""
    if not isinstance(error, EncodeError) or not isinstance(record, Fields):
        return
    (name, index), *rest = _STEP.findall(error.path) or [("", "")]
    found: Contradicted | None = getattr(error, "contradicted", None)
    is_unevaluated = _UNEVALUATED in error.rule
    if found is not None:
        # An error can arrive twice at a record that lays out fields with places.
        if found.parameters and error.path != found.path:
            found.parameters = {}
            found.add(record, name, index)
    elif name or deciding(type(record), ""):
        # Otherwise what holds the record decides.
        error.contradicted = found = Contradicted()  # type: ignore[attr-defined]
        for each in [name] if rest or not _MISTYPED.search(error.rule) else _deciders(error, record, name):
            found.add(record, each, index)
    if found is not None and (is_unevaluated or _MISTYPED.search(error.rule)):
        path = re.sub(r"\d+(?=\])", "", error.path)
        found.add_paths(record, computed_from(type(record), path, is_unevaluated), index)
    if found is not None:
        found.path = error.path


def _deciders(error: EncodeError, record: Any, name: str) -> list[str]:
    """Returns the fields whose clauses decide about a value of a wrong type: about an offset, which is computed, those that it
    places; about another value that the caller gave, none.
    """
    if _value_at(record, error.path)[1] is None:
        return [name]
    placed = getattr(record, "_placed", {}).items()
    return [each for each, row in placed if row.offset and row.offset[0] == name]


def move_outward(error: Any, inside: str) -> None:
    """Begins the path of an error, and of the values that it contradicts, with the field that it was in."""
    error.path = join_path(inside, error.path)
    if (found := getattr(error, "contradicted", None)) is not None and inside:
        found.move_outward(inside)


def name_contradicted(error: CodecError, root: Any) -> None:
    """Adds the values that an error contradicts to its rule; ``root`` is what was written."""
    if not isinstance(error, EncodeError):
        return
    found: Contradicted | None = vars(error).pop("contradicted", None)
    if found is None:
        found = Contradicted()
        for path in (error.path, vars(error).pop("other", "")):
            found.add_along(root, path)
    values = {**found.values, **found.parameters}
    values.pop(error.path, None)
    if values:
        said = [_said(path, value) for path, value in values.items()]
        if len(said) > _MOST:
            said[_MOST // 2 : -_MOST // 2] = [f"{len(said) - _MOST} others"]
        remedy = f"change {'one of them' if len(values) > 1 else 'it'}{' or ' * bool(error.path)}{cut_path(error.path)}"
        error.rule = f"{error.rule} ({', '.join(said)}: {remedy})"


def _said(path: str, value: Any) -> str:
    text, path = short(value), cut_path(path)
    return f"{path} is {text}" if len(text) <= _LONGEST else path


def _value_at(record: Any, path: str) -> tuple[str, Any]:
    """Returns the longest beginning of a path that has a value, and that value."""
    value, reached = record, ""
    for name, index in _STEP.findall(path):
        try:
            value = getattr(value, name)
            reached = join_path(reached, name)
            if index:
                value, reached = value[int(index)], f"{reached}[{index}]"
        except (AttributeError, CodecError, LookupError, TypeError):
            break
    return reached, value


def _text(name: str, index: str) -> str:
    return f".{name}[{index}]" if index else f".{name}"
