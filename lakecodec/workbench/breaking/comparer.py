"""Comparison of two versions of a file and what it includes: differences tried one by one, then all types as they are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from ...generator.compile import load_checked
from ...generator.diagnostics import Diagnostics
from ...generator.graph import in_order
from ...generator.in_memory import compile_model
from ...generator.model import Extension, Table
from ...runtime.compiled import module_named
from ...verify.tracking import Track, no_progress
from .change import Change
from .declared import differences
from .difference import Difference
from .isolated import isolated
from .outcomes import Outcome, outcomes
from .reach import Key, Reach
from .side import MORE_SAMPLES, SAMPLES, Side

_KINDS = ("decode", "encode", "meaning")
#: Rules of changes that break nothing where no sample shows a break: they have no bytes, or samples have the field and lack it.
_UNREAD = ("computed-added", "default-added", "requiredness-changed")


class FileVersion:
    """One version of a file with its includes. It keeps the samples of its types.

    Raises:
        IdlError: it has errors.
    """

    def __init__(
        self, path: Path, allow_extern: Sequence[str] = (), include_paths: Sequence[str | os.PathLike[str]] = ()
    ) -> None:
        diagnostics = Diagnostics()
        model = load_checked(
            path, name="idl", include_paths=include_paths, allow_extern=allow_extern, diagnostics=diagnostics
        )
        #: A reference that keeps the included modules alive.
        self.compiled = compiled = compile_model(model, diagnostics)
        self.reach = Reach(model)
        self.sides = {each.name: Side(each, _part(compiled, each.name)) for each in in_order(model)}


def _part(compiled: Any, name: str) -> Any:
    """Returns the module of an included file."""
    return module_named(f"{compiled.__package__}.{name}")


class _Tried(NamedTuple):
    """A difference, and the module that has it."""

    module: str
    difference: Difference


class Comparer:
    """Compares two versions of a file and its includes.

    Each difference is tried alone, which finds the bytes that it breaks. Then each type that uses a changed declaration is
    compared as it is: if bytes are read differently and no difference explains that, it is a change too.
    """

    def __init__(self, old: FileVersion, new: FileVersion) -> None:
        self._old, self._new = old, new
        self._tried: list[_Tried] = []
        #: The breaks that bytes have shown, by declaration.
        self._shown: set[tuple[Key, str]] = set()
        self._known: dict[tuple[Key, int | None], list[Outcome]] = {}

    def run(self, track: Track = no_progress) -> list[Change]:
        for name, old in self._old.sides.items():
            new = self._new.sides.get(name)
            if new is not None and old.model.text != new.model.text:
                self._tried += [_Tried(name, each) for each in differences(old.model, new.model)]
        found = [change for each in track(self._tried, "differences tried") for change in self._changes(each)]
        found += self._unexplained()
        shown = [each for each in found if each.witness is not None]
        if len({each.where for each in shown}) != 1 or all(map(self._is_contradicted, shown)):
            return found
        return [each for each in found if not self._is_contradicted(each)]

    def _is_contradicted(self, change: Change) -> bool:
        """Returns whether a change's bytes, which show it with one difference alone, break otherwise in the whole version."""
        known = (one for (key, _), found in self._known.items() if key[1] == change.type for one in found)
        breaks = {one.breaks for one in known if one.witness == change.witness}
        return bool(breaks) and change.breaks not in breaks

    # ---- one difference ----

    def _changes(self, tried: _Tried) -> Iterator[Change]:
        """Yields a change for each way in which a difference breaks, with the shortest bytes that show it."""
        each, declaration = tried.difference, (tried.module, tried.difference.type)
        if each.rule == "field-renamed":
            yield Change(each.rule, each.where, each.message, "source")
            return
        shown: dict[str, Outcome] = {}
        empty: list[tuple[Outcome, Key]] = []
        only, types = self._only(tried), self._types(declaration)
        counts = (SAMPLES,) if each.breaks == "source" else (SAMPLES, MORE_SAMPLES, None)
        for count, key in product(counts, types):
            if only is not None and key[0] == tried.module:
                found = list(outcomes(self._old.sides[key[0]], only, key[1], count))
            else:
                found = self._whole(key, count)
                if len(self._tried) > 1 and each.field:
                    # If there are other differences, only outcomes at the field itself count.
                    found = [one for one in found if each.field in one.path.replace("[", ".").split(".")]
            empty += [(one, key) for one in found if not one.is_proof]
            for breaks in _KINDS:
                proof = next((one for one in found if one.breaks == breaks and one.is_proof), None)
                if proof is not None and breaks not in shown:
                    shown[breaks] = proof
                    self._shown.add((declaration, breaks))
                    yield _change(each, proof, key[1])
            if shown and not any(one.breaks not in shown for one, _ in empty):
                break
        if shown and each.breaks != "source":
            return
        is_seen = any(self._old.sides[key[0]].samples(key[1], SAMPLES) for key in types)
        is_of_bytes = is_seen and self._is_of_bytes(tried)
        if not shown and empty:
            self._shown.add((declaration, "unshown"))
            yield _unshown(each, *empty[0])
        elif not shown and (each.breaks is None or is_of_bytes) and not self._is_explained(tried, only, types):
            message = f"{each.message}; not shown: {self._why_unshown(types)}"
            yield Change(each.rule, each.where, message, "unshown")
        if each.breaks and not is_of_bytes:
            yield Change(each.rule, each.where, each.message, each.breaks)

    def _is_explained(self, tried: _Tried, only: Side | None, types: list[Key]) -> bool:
        """Returns whether nothing has to be said of a difference that no sample shows: it follows from another one, or only
        adds what samples have."""
        each, key = tried.difference, (tried.module, tried.difference.type)
        was, now = (version.reach.written(key, each.field) for version in (self._old, self._new))
        if each.rule in _UNREAD or (was and was == now and each.rule != "field-moved"):
            return True
        if len(self._tried) > 1 and only is None and any(map(self._whole, types)):
            # It makes no version by itself, and the types break anyway.
            return True
        if each.rule == "body-moved":
            return all(version.sides[key[0]].has_table(key[1]) for version in (self._old, self._new))
        if all(version.sides[key[0]].shows_all_of(key[1], each.field) for version in (self._old, self._new)):
            return True
        if each.rule not in ("field-added", "body-added"):
            return False
        added = [each.field] if each.field else self._alternatives_added(key)
        sides = {key[0]: self._new.sides[key[0]] for key in types}
        return all(any(sides[name].reaches(type_, key[1], part) for name, type_ in types) for part in added)

    def _alternatives_added(self, key: Key) -> list[str]:
        old, new = (version.reach.declarations[key] for version in (self._old, self._new))
        assert isinstance(old, Extension)
        assert isinstance(new, Extension)
        known = {each.name for each in old.syntax.cases}
        return [each.name for each in new.syntax.cases if each.name not in known]

    def _why_unshown(self, types: list[Key]) -> str:
        names = ", ".join(dict.fromkeys(name for _, name in types))
        if not names:
            return "no type with bytes uses it"
        if not any(map(self._is_sampled, types)):
            return f"no sample of {names} has bytes"
        if all(map(self._lacks_samples, types)):
            return f"few samples of {names} could be made"
        return f"no sample of {names} is read otherwise"

    def _is_sampled(self, key: Key) -> bool:
        """Returns whether a type has samples with bytes in a version."""
        return any(version.sides[key[0]].has_bytes(key[1]) for version in (self._old, self._new))

    def _lacks_samples(self, key: Key) -> bool:
        """Returns whether a version has too few samples of a type to show what a difference does."""
        return any(version.sides[key[0]].lacks_samples(key[1]) for version in (self._old, self._new))

    def _is_of_bytes(self, tried: _Tried) -> bool:
        """Returns whether only declarations with bytes use a function or codec, so that samples show all its effects."""
        key = (tried.module, tried.difference.type)
        item = self._old.reach.declarations[key]
        if not isinstance(item, Extension) or item.kind not in ("fn", "codec"):
            return False
        users = (self._old.reach.declarations[each] for each in self._old.reach.users([key]))
        return not any(isinstance(user, Table) or getattr(user, "kind", "") == "encoding" for user in users)

    def _only(self, tried: _Tried) -> Side | None:
        """Returns the old version with one difference. None if there is only one difference, or if the file is invalid
        with it alone."""
        if len(self._tried) == 1:
            return None
        old, new = (version.sides[tried.module].model for version in (self._old, self._new))
        made = isolated(old, new, tried.difference)
        return None if made is None else Side(*made)

    def _types(self, declaration: Key) -> list[Key]:
        """Returns the types whose bytes show a difference: the one that has it, or the nearest that use it.

        Bytes that are read without parameters show more.
        """
        if self._shows(declaration):
            return [declaration]
        found: list[Key] = []
        for version in (self._old, self._new):
            pending, seen = [declaration], {declaration}
            while pending:
                for user in version.reach.direct(pending.pop(0)):
                    if user not in seen:
                        seen.add(user)
                        if self._has_bytes(user):
                            found.append(user)
                        if not self._shows(user):
                            pending.append(user)
        found += [declaration] if self._has_bytes(declaration) else []
        return sorted(dict.fromkeys(found), key=self._parameters)

    def _has_bytes(self, key: Key) -> bool:
        sides = [version.sides.get(key[0]) for version in (self._old, self._new)]
        return all(side is not None and key[1] in side.types for side in sides)

    def _shows(self, key: Key) -> bool:
        """Returns whether samples of a type suffice by themselves: they have no parameters, and are not all empty."""
        versions = (self._old, self._new)
        return (
            self._has_bytes(key)
            and not self._parameters(key)
            and all(version.sides[key[0]].has_bytes(key[1]) for version in versions)
        )

    def _parameters(self, key: Key) -> bool:
        return bool(self._old.sides[key[0]].parameters(key[1]))

    # ---- all differences ----

    def _whole(self, key: Key, count: int | None = SAMPLES) -> list[Outcome]:
        """Returns the outcomes of a type in both versions, unchanged."""
        if (key, count) not in self._known:
            old, new = (version.sides[key[0]] for version in (self._old, self._new))
            self._known[key, count] = list(outcomes(old, new, key[1], count))
        return self._known[key, count]

    def _unexplained(self) -> Iterator[Change]:
        """Yields a change for each way in which a type is read differently that no change before explains."""
        texts = self._old.reach.texts, self._new.reach.texts
        changed = [key for key in {**texts[0], **texts[1]} if texts[0].get(key) != texts[1].get(key)]
        affected = dict.fromkeys(each for version in (self._old, self._new) for each in version.reach.users(changed))
        for key in filter(self._has_bytes, affected):
            explained = {breaks for declaration, breaks in self._shown if self._uses(key, declaration)}
            if explained and (key not in changed or explained.issuperset(_KINDS)):
                continue
            for breaks in _KINDS:
                proof = next((one for one in self._whole(key) if one.breaks == breaks), None)
                if proof is None or breaks in explained:
                    continue
                if proof.is_proof:
                    self._shown.add((key, breaks))
                    yield _change(self._likely_cause(key, proof), proof, key[1])
                elif not explained:
                    explained.add("unshown")
                    yield _unshown(self._likely_cause(key, proof), proof, key)

    def _uses(self, key: Key, declaration: Key) -> bool:
        return any(key in version.reach.users([declaration]) for version in (self._old, self._new))

    def _likely_cause(self, key: Key, proof: Outcome) -> Difference:
        """Returns the difference that most likely makes bytes of a type read differently."""
        path = proof.path.replace("[", ".").split(".")
        near = [each.difference for each in self._tried if self._uses(key, (each.module, each.difference.type))]
        own = [each for each in near if each.type == key[1]] or near
        return next(
            (each for each in own if each.field and each.field in path),
            next(iter(own), Difference("layout-changed", key[1], "", "the bytes are read differently")),
        )


def _unshown(difference: Difference, outcome: Outcome, key: Key) -> Change:
    message = f"{difference.message}; not shown: only an empty {key[1]} breaks: {outcome.reason}"
    return Change(difference.rule, difference.where, message, "unshown")


def _change(difference: Difference, proof: Outcome, type_: str) -> Change:
    at = f"at {proof.path}, " if proof.path else ""
    message = f"{difference.message}; {at}{proof.reason}"
    return Change(difference.rule, difference.where, message, proof.breaks, proof.witness, type_)
