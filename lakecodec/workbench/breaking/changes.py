"""Breaking changes: declared differences, with the bytes that prove them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...generator.compile import load_checked
from ...generator.in_memory import compile_idl
from ...runtime.compiled import module_named
from ..tracking import Track, untold
from .declared import Breaks, Difference, differences, has_bytes, modules, named, takes_parameters, users
from .isolated import isolated
from .outcomes import Side, outcomes
from .revisions import Version, two_versions

_ORDER = {"decode": 0, "encode": 1, "meaning": 2, "source": 3}


@dataclass(frozen=True, slots=True)
class Change:
    """A change that breaks something.

    Attributes:
        rule: the kind of the change, such as ``requiredness-changed``.
        where: the declaration or field, ``Type.field``.
        message: what changed, and what it does.
        breaks: ``decode``: the new reader refuses bytes of the old writer; ``encode``: the old reader those of the new one;
            ``meaning``: both read them, as different values; ``source``: code that uses the generated module.
        witness: bytes that show it; None where none can.
        type: the type that the witness is read as; empty without one.
    """

    rule: str
    where: str
    message: str
    breaks: Breaks
    witness: bytes | None = None
    type: str = ""

    def is_allowed(self, patterns: Iterable[str]) -> bool:
        """Returns whether a list of what may break has it: ``rule`` or ``rule where``, with ``*`` for anything."""
        return any(fnmatchcase(self.rule, each) or fnmatchcase(f"{self.rule} {self.where}", each) for each in patterns)

    def __str__(self) -> str:
        shown = (
            ""
            if self.witness is None
            else f" [{self.type}: {self.witness[:24].hex()}{'...' * (len(self.witness) > 24)}]"
        )
        return f"{self.breaks}: {self.where}: {self.message} ({self.rule}){shown}"


def breaking(old: Version, new: Version, *, allow_extern: Iterable[str] = (), track: Track = untold) -> list[Change]:
    """Returns the breaking changes from one version of IDL files to another.

    Whatever concerns bytes is proven before it is returned: samples of each version were written by its generated module and
    read by that of the other. Changes that break nothing, such as a new optional field, are not returned.

    Args:
        old: an IDL file, a folder of them, a git revision (``HEAD~1``, ``v1.0:idl/shop.idl``), or the IDL's text.
        new: the same.
        allow_extern: Python modules whose externs the versions may name, besides those of lakecodec: their code runs.
        track: a progress display, called with the differences and their name; yields the differences.

    Raises:
        IdlError: a version has errors.
        FileNotFoundError: a version is neither a path nor a revision.
    """
    found: list[Change] = []
    with two_versions(old, new) as (before, after):
        alone = len(before) == len(after) == 1
        pairs = {
            name: (path, next(iter(after.values())) if alone else after.get(name)) for name, path in before.items()
        }
        for name, (path, other) in pairs.items():
            if other is None:
                found.append(Change("file-removed", name, f"{name} is gone", "source"))
            elif path.read_bytes() != other.read_bytes() or len(before) == 1:
                found += _between_files(path, other, tuple(allow_extern), track)
    return list(dict.fromkeys(found))


def _between_files(old: Path, new: Path, allow_extern: Sequence[str], track: Track) -> list[Change]:
    versions = [load_checked(each, name="idl", allow_extern=allow_extern) for each in (old, new)]
    compiled = [compile_idl(each, name="idl", allow_extern=allow_extern) for each in (old, new)]
    found: list[Change] = []
    for module in modules(versions[0]):
        other = next((each for each in modules(versions[1]) if each.name == module.name), None)
        if other is not None and module.text != other.text:
            sides = [Side(each, _part(made, module.name)) for each, made in zip((module, other), compiled, strict=True)]
            found += _Comparer(*sides).run(track)
    return sorted(found, key=lambda each: (_ORDER[each.breaks], each.where, each.rule))


def _part(compiled: Any, name: str) -> Any:
    """Returns the module of an included file."""
    return module_named(f"{compiled.__package__}.{name}")


class _Comparer:
    """Compares two versions of one file."""

    def __init__(self, old: Side, new: Side) -> None:
        self._old, self._new = old, new

    def run(self, track: Track) -> list[Change]:
        found = list(differences(self._old.model, self._new.model))
        return [
            change
            for each in track(found, "differences tried")
            for change in self._changes(each, alone=len(found) == 1)
        ]

    def _changes(self, each: Difference, *, alone: bool) -> Iterator[Change]:
        """Yields a change for each way in which a difference breaks, with the shortest bytes that show it."""
        new = self._new if alone else self._only(each)
        shown = False
        for name in self._types(each):
            found = list(outcomes(self._old, new, name))
            if new is self._new and not alone and each.field:
                # Beside other differences, what is about the field itself.
                found = [one for one in found if each.field in one.path.replace("[", ".").split(".")]
            for breaks in ("decode", "encode", "meaning"):
                proof = next((one for one in found if one.breaks == breaks), None)
                if proof is not None:
                    shown = True
                    at = f" at {proof.path}" if proof.path else ""
                    message = f"{each.message}; {proof.reason}{at}"
                    yield Change(each.rule, each.where, message, proof.breaks, proof.witness, name)
            if shown:
                break
        if each.breaks is not None and (each.breaks == "source" or not shown):
            yield Change(each.rule, each.where, each.message, each.breaks)

    def _only(self, each: Difference) -> Side:
        """Returns the old version with one difference, or the new version where the difference does not stand alone."""
        made = isolated(self._old.model, self._new.model, each)
        return self._new if made is None else Side(*made)

    def _types(self, each: Difference) -> list[str]:
        """Returns the types whose bytes show a difference: the one that has it, or those that name the declaration.

        Bytes that are read without parameters show more.
        """
        sides = [named(side.model) for side in (self._old, self._new)]
        own = has_bytes(sides[0].get(each.type)) and not takes_parameters(sides[0].get(each.type))
        names = [each.type] if own else [*users(self._old.model, each.type), *users(self._new.model, each.type)]
        known = [name for name in dict.fromkeys(names) if all(has_bytes(side.get(name)) for side in sides)]
        return sorted(known, key=lambda name: takes_parameters(sides[0].get(name)))
