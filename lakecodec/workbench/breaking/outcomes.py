"""Outcomes of two versions of a type on the same bytes: samples of each side are read by the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Any, Literal

from ...generator.graph import in_order
from ...generator.model import Module, Struct
from ...runtime.columns import Bits, Values
from ...runtime.compact.base import Marker
from ...runtime.errors import CodecError, DecodeError
from ...runtime.records.lazy import LazyRecord
from ...runtime.records.record import Variant
from ...runtime.records.rows import ComputedRow
from ...runtime.records.values import Fields
from ...runtime.struct_values import StructValue, UnionValue
from ..sampling.sampler import Sample
from .side import Side


@dataclass(frozen=True, slots=True)
class Outcome:
    """Bytes that two versions read differently.

    Attributes:
        breaks: ``decode``: the new reader refuses bytes of the old writer; ``encode``: the old reader those of the new one;
            ``meaning``: both read it, as different values.
        path: where; the fields on the way to it are ``names``.
        reason: the error of the reader that refuses, or both values.
        witness: the bytes.
    """

    breaks: Literal["decode", "encode", "meaning"]
    path: str
    reason: str
    witness: bytes

    @property
    def is_proof(self) -> bool:
        """True if bytes show it: refusing empty bytes proves nothing about a change."""
        return bool(self.witness) or self.breaks == "meaning"


def outcomes(old: Side, new: Side, name: str, count: int | None) -> Iterator[Outcome]:
    """Yields the different outcomes of two versions of a type on ``count`` samples of each, the shortest ones first.

    Args:
        count: None for samples that are aimed at the conditions of the other version.
    """
    parameters = old.parameters(name), new.parameters(name)
    if len(parameters[0]) != len(parameters[1]):
        # The declaration already reports that callers must change; types that contain it pass the parameters.
        return
    compare = _Comparison((old.model, new.model))
    for side, other, breaks in ((old, new, "decode"), (new, old, "encode")):
        for sample in side.aimed(name, other) if count is None else side.samples(name, count):
            try:
                given = tuple(map(other.as_read, sample.parameters))
            except (CodecError, AttributeError, TypeError):
                continue
            read = partial(other.cls(name).from_bytes, sample.data, *given)
            is_told = parameters[0] == parameters[1]
            yield from _read_by_other(sample, read, breaks, compare, is_told)  # type: ignore[arg-type]


def _read_by_other(
    sample: Sample, read: Callable[[], Any], breaks: Literal["decode", "encode"], compare: _Comparison, is_told: bool
) -> Iterator[Outcome]:
    """Yields the outcomes of reading a sample with the other version. ``is_told``: both have parameters of the same
    types."""
    reader = "new" if breaks == "decode" else "old"
    try:
        value = read()
        pair = (sample.value, value) if breaks == "decode" else (value, sample.value)
        differing = list(compare.values(*pair, ""))
    except DecodeError as error:
        reason = (
            f"the {reader} reader fails: {error.rule}{'' if error.offset is None else f' (at byte {error.offset})'}"
        )
        yield Outcome(breaks, error.path, reason, sample.data)
        return
    except (TypeError, ValueError):
        if is_told:
            raise
        return
    for path, was, now in differing:
        reason = f"the old reader reads {_short(was)} and the new reader reads {_short(now)}"
        yield Outcome("meaning", path, reason, sample.data)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class _Comparison:
    """Compares values of two versions; fields that only one version declares are no difference."""

    def __init__(self, models: tuple[Module, Module]) -> None:
        structs = [
            {
                struct.python: struct
                for module in in_order(model)
                for struct in module.definitions
                if isinstance(struct, Struct)
            }
            for model in models
        ]
        self._ids: list[dict[str, dict[int, str]]] = [
            {name: {each.id: each.python for each in struct.fields} for name, struct in version.items()}
            for version in structs
        ]
        #: Structs without values, by class.
        self._empty: dict[type, Any] = {}
        self._messages = {name for name, struct in structs[0].items() if struct.is_protobuf}

    def values(self, old: Any, new: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
        """Yields (path, old, new) of what differs."""
        if isinstance(old, Variant) and isinstance(new, Variant):
            if old.kind == new.kind:
                yield from self._fields(old, new, path)
            elif _is_explained(old, new) and _is_explained(new, old):
                yield path, old.kind, new.kind
        elif isinstance(old, UnionValue) and isinstance(new, UnionValue):
            if old.kind is not None and new.kind is not None and old.id == new.id:
                yield from self.values(old.value, new.value, _join(path, old.kind))
            elif all(old.id in table.get(type(old).__name__, {}) for table in self._ids):
                # Both versions have the member, but one does not know its type.
                yield _join(path, self._ids[0][type(old).__name__][old.id]), old.kind, new.kind
            elif (kind := old.kind or new.kind) is not None and self._have_member(old, kind):
                # The member has another number.
                yield _join(path, kind), old.kind, new.kind
        elif isinstance(old, StructValue | Marker) and isinstance(new, StructValue | Marker):
            # A marker has no fields, so the versions share none.
            if isinstance(old, StructValue) and isinstance(new, StructValue):
                yield from self._structs(old, new, path)
        elif isinstance(old, Fields) and isinstance(new, Fields):
            yield from self._fields(old, new, path)
        elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
            if len(old) != len(new):
                yield path, old, new
            for index, (a, b) in enumerate(zip(old, new, strict=False)):
                yield from self.values(a, b, f"{path}[{index}]")
        elif isinstance(old, set | frozenset) and isinstance(new, set | frozenset):
            yield from self.values(sorted(old, key=repr), sorted(new, key=repr), path)
        elif isinstance(old, dict) and isinstance(new, dict) and len(old) == len(new):
            yield from self.values(list(old), list(new), path)
            yield from self.values(list(old.values()), list(new.values()), path)
        elif _plain(old) != _plain(new) or (isinstance(old, IntEnum) and _has_lost_its_name(old, new)):
            yield path, old, new

    def _have_member(self, union: Any, name: str) -> bool:
        """Returns whether a member of a union has its name in both versions."""
        return all(name in table.get(type(union).__name__, {}).values() for table in self._ids)

    def _structs(self, old: Any, new: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
        ids, others = (table.get(type(value).__name__, {}) for table, value in zip(self._ids, (old, new), strict=True))
        pairs = [(name, others[number]) for number, name in ids.items() if number in others]
        pairs += [(name, name) for name in ids.values() if name in others.values() and (name, name) not in pairs]
        for name, other in pairs:
            was, now = getattr(old, name), getattr(new, other)
            is_same = was is None or now is None or type(was) is type(now)
            is_own = name == other and (is_same or type(old).__name__ not in self._messages)
            if is_own or not (self._is_default(old, name) and self._is_default(new, other)):
                # Two default values are a difference only if the field has the same name in both versions.
                yield from self.values(was, now, _join(path, name))

    def _is_default(self, value: Any, name: str) -> bool:
        """Returns whether a field of a struct has the value that it has without bytes."""
        cls = type(value)
        if cls not in self._empty:
            self._empty[cls] = cls()
        return bool(getattr(value, name) == getattr(self._empty[cls], name))

    def _fields(self, old: Any, new: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
        names, others = (
            [
                name
                for name, row in type(value).__rows__.items()
                if not isinstance(row, ComputedRow) and hasattr(value, name)
            ]
            for value in (old, new)
        )
        for place, name in enumerate(names):
            if name in others:
                was, now = getattr(old, name), getattr(new, name)
                if isinstance(old, LazyRecord) or not _is_later(old, new, name, len(names) - place, names, others):
                    yield from self.values(was, now, _join(path, name))
        for name, row in type(old).__rows__.items():
            if isinstance(row, ComputedRow) and isinstance(type(new).__rows__.get(name), ComputedRow):
                yield from self.values(_computed(old, name), _computed(new, name), _join(path, name))


def _computed(value: Any, name: str) -> Any:
    """Returns an attribute without bytes, or the kind of error where it has no value."""
    try:
        return getattr(value, name)
    except CodecError as error:
        return type(error)


def _is_explained(value: Variant, other: Variant) -> bool:
    """Returns whether an alternative has tags, or is the `else` of a variant that has the other one's alternative, too."""
    variant: Any = type(value).__mro__[1]
    return bool(type(value)._tags) or other.kind in (each.kind for each in variant.__subclasses__())


def _is_later(old: Any, new: Any, name: str, left: int, names: list[str], others: list[str]) -> bool:
    """Returns whether a field takes the bytes that only one version has names for: the last one, `bytes later[..]`."""
    is_rest = any("[..]" in str(type(each).__rows__[name].type) for each in (old, new))
    return is_rest and left == 1 and others[-1] == name and set(names) != set(others)


def _has_lost_its_name(old: IntEnum, new: Any) -> bool:
    """Returns whether a number has no name any more, or that of another member while its own is still there."""
    if not isinstance(new, IntEnum):
        return True
    return old.name != new.name and old.name in type(new).__members__


def _plain(value: Any) -> Any:
    if isinstance(value, Values | Bits):
        return list(value) if isinstance(value, Bits) else value.to_bytes()
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, memoryview | bytearray):
        return bytes(value)
    if isinstance(value, float) or value is None:
        return repr(value)
    return int(value) if isinstance(value, int) else value


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
