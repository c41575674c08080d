"""The values that decide how a field is written, from the rows of its class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..memo import kept_with
from . import functions
from .table import Expr

#: Arguments of rows that determine a field's bytes, in the order in which errors name their values.
_CLAUSES = ("arguments", "count", "length", "width", "present", "size", "at", "align")


@kept_with
def deciding(cls: Any, name: str) -> list[str]:
    """Returns the paths of the values that decide about a field, or with "" about the record as a whole.

    A path has attributes and ``[]`` for the element at the index. A derived field, or what `with` computes inside
    of one, stands for what it is computed from.
    """
    paths = _Paths(cls)
    parts = list(paths.clauses(name)) if name else _list(cls._body or {}, "checks", "verifies")
    found = dict.fromkeys(path for part in parts for path in paths.of(part, (name,)))
    return [path for path in found if path.partition(".")[0].removesuffix("[]") != name]


@kept_with
def computed_from(cls: Any, path: str, with_inside: bool) -> list[str]:
    """Returns the paths of the values from which the value at a path is computed, or also what `with` computes inside of it."""
    paths = _Paths(cls)
    inside = (f"{path}.", f"{path}[].") if with_inside else ()
    own = [value for each, value in paths.derived.items() if each == path or each.startswith(inside)]
    return list(dict.fromkeys(found for value in own for found in paths.of(value, ())))


class _Paths:
    """The paths that expressions of a class name.

    Attributes:
        derived: the expressions of derived fields, and of what is computed inside of fields.
    """

    def __init__(self, cls: Any) -> None:
        rows = {name: row for base in cls.__mro__[::-1] for name, row in vars(base).get("__rows__", {}).items()}
        self._steps = {name: row.step for name, row in rows.items() if hasattr(row, "step")}
        self._named = {*self._steps, *cls._parameters}
        self._placed = getattr(cls, "_placed", {})
        derived = {name for name, step in self._steps.items() if "derived" in step and not rows[name].init}
        self.derived = {name: self._steps[name]["derived"] for name in derived}
        for name, step in self._steps.items():
            self.derived |= {name + _text(path): value for path, value in step.get("sets", ())}

    def clauses(self, name: str) -> Iterator[Expr]:
        """Yields the expressions of a field, and the rules about it."""
        step = self._steps.get(name, {})
        if step.get("type") != "part":
            yield from _list(step, *_CLAUSES)
        for state, *codec in step.get("codecs", ()):
            yield from codec[1:] if codec else (state,)
        if "derived" in step and not self._is_count(step["derived"]):
            yield step["derived"]
        for attribute, row in self._steps.items():
            checks = row.get("checks", ())
            owners = row.get("owners", [attribute] * len(checks))
            yield from (check for check, owner in zip(checks, owners, strict=True) if owner == name)

    def _is_count(self, expr: Expr) -> bool:
        """Returns whether a value is a count or a size of a field: its errors are about that field.

        Placed fields are looked at later.
        """
        match expr:
            case ("count", str(of)) | ("call", functions.count, str(of)):
                return bool(self._steps.get(of, {}).get("type") != "values" and of not in self._placed)
            case ("captured" | "placed_offset" | "placed_size", *_):
                return True
        return False

    def of(self, expr: Expr, inside: tuple[str, ...]) -> Iterator[str]:
        """Yields the paths in an expression; ``inside`` are the derived names that are being replaced."""
        base, path, others = _base_of(expr)
        if isinstance(base, str):
            known = next((each for each in (base + path, base) if each in self.derived and each not in inside), None)
            if known is not None:
                yield from self.of(self.derived[known], (*inside, known))
            elif base in self._named:
                yield base + path
        elif isinstance(base, tuple | list):
            others = (*_operands(base), *others)
        for part in others:
            yield from self.of(part, inside)


def _text(path: Sequence[str]) -> str:
    return "".join(each if each == "[]" else f".{each}" for each in path)


def _list(step: Mapping[str, Any], *names: str) -> list[Expr]:
    """Returns the expressions in arguments of a row."""
    found: list[Expr] = []
    for name in names:
        given = step.get(name)
        found += given if isinstance(given, list) else [] if given is None else [given]
    return found


def _base_of(expr: Expr) -> tuple[Expr, str, Sequence[Expr]]:
    """Returns the value that a chain of attributes begins with, the path from it as far as it has one, and the operands
    beside the chain.
    """
    match expr:
        case ("get", inner, name):
            base, path, others = _base_of(inner)
            return base, f"{path}.{name}", others
        case ("item", ("captured", _, name), index):
            return name, "", [index]
        case ("item", inner, ("index",)):
            base, path, others = _base_of(inner)
            return base, f"{path}[]", others
        case ("each", inner, _):
            base, _, others = _base_of(inner)
            return base, "", others
        case ("item" | "last" | "slice", inner, *indexes):
            base, _, others = _base_of(inner)
            return base, "", [*indexes, *others]
        case ("captured", _, name):
            return name, "", ()
        case ("placed_offset" | "placed_size", name, *indexes):
            return name, "", indexes
    return expr, "", ()


def _operands(expr: Sequence[Any]) -> Sequence[Any]:
    match expr:
        case ("text" | "all_but", *_):
            return ()
        case ("call", _, *parts):
            return parts
        case ("let", pairs, _):
            return [value for _, value in pairs]
        case ("loop", _, _, *parts):
            return parts
        case (str(), *parts):
            return parts
    return expr
