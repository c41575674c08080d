"""The base of all generated records: fields as attributes, equality and representation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from ..errors import CodecError
from ..objects import Value
from ..short import More
from ..spec import FieldSpec, Spec
from ..stack import roomy
from .plain import record_of_plain, record_to_plain
from .rows import computed_specs, field_specs


class Fields(Value):
    """A record's fields as attributes."""

    __slots__ = ()
    __spec__: ClassVar[Spec]
    __kind__: ClassVar[str] = "record"
    __rows__: ClassVar[Mapping[str, Any]] = {}
    __match_args__: ClassVar[tuple[str, ...]] = ()
    #: The names of the fields that a caller sets; the others are derived from them.
    _given: ClassVar[tuple[str, ...]] = ()
    #: The names of the declared parameters, and the defaults of those with one.
    _parameters: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[Mapping[str, Any]] = {}
    #: The function that sets an instance's parameters; None without parameters.
    _take: ClassVar[Any] = None

    @classmethod
    def _field_specs(cls, names: Mapping[str, Any]) -> Sequence[FieldSpec]:
        return field_specs(cls, names)

    @classmethod
    def _computed_specs(cls) -> Sequence[FieldSpec]:
        return computed_specs(cls)

    def _equals(self, other: Any) -> bool:
        return all(getattr(self, name) == getattr(other, name) for name in self._given)

    __hash__ = None  # type: ignore[assignment]

    def _settable(self) -> Sequence[str]:
        return self._given

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        return type(self).__qualname__, self._shown_fields(self._given)

    def _shown_fields(self, names: Sequence[str]) -> list[tuple[str, Any]]:
        """Yields names and values, with errors in place of lazy values that cannot be read."""
        shown: list[tuple[str, Any]] = []
        for name in names:
            try:
                shown.append((name, getattr(self, name)))
            except CodecError as error:
                shown.append((name, More(f"<{error}>")))
        return shown

    def _plain(self, json: bool) -> dict[str, Any]:
        found: dict[str, Any] = roomy(record_to_plain, self, self._given, json)
        return found

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        return cls(**roomy(record_of_plain, cls, cls._given, data, json))

    def _parameter_values(self) -> tuple[Any, ...]:
        """Returns the parameters with which the record was read or written, else their defaults."""
        try:
            return tuple(
                getattr(self, name, self._defaults[name]) if name in self._defaults else getattr(self, name)
                for name in self._parameters
            )
        except AttributeError:
            needed = ", ".join(name for name in self._parameters if name not in self._defaults)
            raise TypeError(f"parameters: {type(self).__qualname__} needs {needed}") from None
