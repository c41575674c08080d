"""Declared encodings as data: what generated modules say about codecs that formats run by their own kernels.

An ``encoding`` of the IDL becomes a function of its parameters that returns an ``Encoding``; a ``codec`` or ``fn`` becomes
a function; an external codec becomes a ``Codec`` whose calls are ``Use`` objects. Nothing here reads or writes a byte:
formats turn declarations into plans for their kernels, and tests interpret them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Codec:
    """An invertible pair that the runtime implements; ``target`` is ``module:name`` within the package."""

    name: str
    parameters: tuple[str, ...]
    result: str
    target: str

    def __call__(self, *arguments: Any) -> Use:
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.name} takes {', '.join(self.parameters) or 'no arguments'}")
        return Use(self, arguments)


@dataclass(frozen=True, slots=True)
class Use:
    """A codec with its arguments, as it stands behind ``via``."""

    codec: Codec
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        return self.codec.name


#: Sizes and values that are known only with the column: the width of its fixed-size values.
@dataclass(frozen=True, slots=True)
class Symbol:
    name: str


WIDTH = Symbol("width")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a shape.

    Attributes:
        name: the field's name.
        type: a wire type's name, or the declaration of the nested encoding or variant.
        count: elements or bytes where the field has a number of them.
        until: the condition that ends a list, over the elements so far.
        repeated: whether the field is a list of elements.
        derived: the value that is written and verified, where there is one.
        via: codecs from the value to the wire, in order.
        conditions: (condition over the value, rule) that values must hold.
    """

    name: str
    type: Any
    count: Any = None
    until: Callable[[Any], bool] | None = None
    repeated: bool = False
    derived: Any = None
    via: Sequence[Use] = ()
    conditions: Sequence[tuple[Callable[[Any], bool], str]] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """A nested encoding or variant, looked at only when needed, since encodings can contain themselves."""

    name: str
    resolve: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One shape.

    Attributes:
        patterns: (type name, number of its arguments that are bound) of the types that have this shape.
        fields: of a present value; called with the type's arguments.
        null: of a null, where nulls have a shape of their own.
        condition: what must hold besides; called with the type's arguments.
    """

    patterns: tuple[tuple[str, int], ...]
    fields: Callable[..., Sequence[Field]]
    null: Callable[..., Sequence[Field]] | None = None
    condition: Callable[..., bool] | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """The shapes of all types; the first case that fits is the one."""

    name: str
    over: str
    attributes: tuple[str, ...]
    cases: Sequence[Case]

    def case(self, type_name: str, *arguments: Any) -> Case | None:
        """The shape of a type, None where the encoding has none. ``any`` in the IDL fits every type."""
        for case in self.cases:
            for name, bound in case.patterns:
                if name not in (type_name, "any"):
                    continue
                values = arguments[:bound]
                if case.condition is None or case.condition(*values):
                    return case
        return None

    def type_names(self) -> Iterator[str]:
        """The names of the types that have a shape, in declared order."""
        seen = set()
        for case in self.cases:
            for name, _ in case.patterns:
                if name not in seen:
                    seen.add(name)
                    yield name


@dataclass(frozen=True, slots=True)
class Alternative:
    """One case of a variant; ``tags`` is empty for ``else``."""

    name: str
    tags: tuple[Any, ...]
    fields: Callable[[], Sequence[Field]]


@dataclass(frozen=True, slots=True)
class Variant:
    """Alternative shapes by a tag."""

    name: str
    alternatives: Sequence[Alternative]

    def named(self, name: str) -> Alternative:
        return next(alternative for alternative in self.alternatives if alternative.name == name)


def contains(value: Any, item: Any) -> bool:
    """Whether text holds the character, or bytes the byte, of number ``item``; or a collection the item."""
    return (chr(item) if isinstance(value, str) and isinstance(item, int) else item) in value


def count(value: Any) -> int:
    return len(value)
