"""Declarations as data: the descriptions of encodings and codecs in generated modules.

An ``encoding`` of the IDL becomes a function of its parameters that returns an ``Encoding``; an external codec becomes a
``Codec`` whose calls are ``Use`` objects; other codecs and functions become functions, and a codec with fields a class beside
the records. Formats turn encodings into plans for their kernels; records make external codecs and run them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .externs import extern_codec, external
from .guarded import called, guarded, own_codec
from .value_layout import Kind, ValueLayout

__all__ = [
    "FREE",
    "WIDTH",
    "Case",
    "Codec",
    "Encoding",
    "Field",
    "Function",
    "Kind",
    "Reference",
    "Symbol",
    "Use",
    "ValueLayout",
    "external",
    "identity",
]

_PACKAGE = __package__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Codec:
    """The declaration of a codec: an invertible pair of functions that a class implements.

    Attributes:
        name: its name in the IDL.
        parameters: the names of its arguments.
        result: the wire type of its value.
        target: ``module:name`` of the class, in a module of the package or any other.
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    target: str

    def __call__(self, *arguments: Any) -> Use:
        """Returns the codec with its arguments.

        Raises:
            TypeError: the number of arguments is wrong.
        """
        if len(arguments) != len(self.parameters):
            raise TypeError(f"{self.name} takes {', '.join(self.parameters) or 'no arguments'}")
        return Use(self, arguments)


@dataclass(frozen=True, slots=True)
class Use:
    """A codec with its arguments, as written after ``via``."""

    codec: Codec
    arguments: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The codec's name in the IDL."""
        return self.codec.name

    def make(self) -> Any:
        """Returns a new codec object, which has ``decode(data)`` and ``encode(value)``.

        Raises:
            ImportError: the class that implements it cannot be imported, or is no extern.
        """
        return external(self.codec.target)(*self.arguments)

    def decoder(self) -> Any:
        """Returns a new codec object whose errors are about the data; errors as in `make`."""
        if (own := own_codec(self.codec.target)) is not None and all(map(isinstance, self.arguments, own[1])):
            try:
                return own[0](*self.arguments)
            except Exception:  # the call below says what is wrong
                pass
        return guarded(called(external(self.codec.target), self.name, *self.arguments), self.name)

    def encoder(self, factories: Mapping[str, Callable[..., Any]] | None = None) -> Any:
        """Returns a new codec object for writing, which refuses bytes that do not decode to the original value.

        Args:
            factories: makers that take the place of external codecs, by the codec's name.
        """
        factory = factories.get(self.name) if factories else None
        if factory is None:
            return self.decoder()
        return guarded(called(factory, self.name, *self.arguments), self.name, self.decoder)


@dataclass(frozen=True, slots=True)
class Function:
    """A function implemented in Python; ``target`` as in `Codec`."""

    target: str

    def __call__(self, *arguments: Any) -> Any:
        return called(external(self.target), self.target, *arguments)


@extern_codec
class _Identity:
    """The codec that returns bytes unchanged."""

    inverts = True

    def decode(self, data: Any) -> Any:
        return data

    encode = decode


#: The codec that changes nothing.
identity = Codec("identity", (), "bytes", f"{__name__.removeprefix(_PACKAGE + '.')}:_Identity")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A number that is known only from the column or from another field of the shape."""

    name: str


#: The width of a column's fixed-size values.
WIDTH = Symbol("width")


class _Free:
    """The mark of fields whose values are not derived."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "FREE"


FREE = _Free()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a shape.

    Attributes:
        name: the field's name.
        type: a wire type's name, or the declaration of the nested encoding or variant.
        count: size of the field in bytes, if it has one.
        derived: the constant that is written and verified; None for null, `FREE` for a field without a constant.
        via: codecs from the value to the wire, in order.
        rules: conditions of values, in words; formats refuse fields that have any.
    """

    name: str
    type: Any
    count: Any = None
    derived: Any = FREE
    via: Sequence[Use] = ()
    rules: Sequence[str] = ()

    @property
    def is_derived(self) -> bool:
        return self.derived is not FREE


@dataclass(frozen=True, slots=True)
class Reference:
    """A nested encoding or variant, resolved on demand, since encodings can contain themselves."""

    name: str
    resolve: Callable[[], Any]


def _no_fields(*_: Any) -> Sequence[Field]:
    return ()


@dataclass(frozen=True, slots=True)
class Case:
    """One shape of an encoding: the fields of the types that match its patterns.

    Attributes:
        patterns: (type name, number of its arguments that are bound) of the types that have this shape.
        fields: returns the fields of a present value for the type's arguments; None if ``values`` describes them.
        null: returns the fields of a null, if nulls have a shape of their own.
        condition: returns whether the shape applies to the type's arguments.
        values: the layout of the values for kernels; None for shapes that no kernel reads.
    """

    patterns: tuple[tuple[str, int], ...]
    fields: Callable[..., Sequence[Field]] = _no_fields
    null: Callable[..., Sequence[Field]] | None = None
    condition: Callable[..., bool] | None = None
    values: ValueLayout | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """The declaration of an encoding: its shapes in declared order; the first that matches a type is used."""

    name: str
    over: str
    attributes: tuple[str, ...]
    cases: Sequence[Case]

    def case(self, type_name: str, *arguments: Any) -> Case | None:
        """Returns the first shape that matches a type; None if no shape matches.

        A pattern with the type name ``any`` matches every type.
        """
        for case in self.cases:
            for name, bound in case.patterns:
                if name not in (type_name, "any"):
                    continue
                values = arguments[:bound]
                if case.condition is None or case.condition(*values):
                    return case
        return None

    def type_names(self) -> Iterator[str]:
        """Yields the names of the types that have a shape, in declared order."""
        seen = set()
        for case in self.cases:
            for name, _ in case.patterns:
                if name not in seen:
                    seen.add(name)
                    yield name
