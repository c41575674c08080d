"""What all generated records share: their fields, equality and representation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..spec import Spec


class Fields:
    """A record's fields as attributes."""

    __slots__ = ()
    __spec__: ClassVar[Spec]
    #: The fields that a caller sets; the others are derived from them.
    _given: ClassVar[tuple[str, ...]] = ()
    #: The parameters of the declaration, and the defaults of those that have one.
    _parameters: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[Mapping[str, Any]] = {}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._given)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._given)
        return f"{type(self).__qualname__}({shown})"

    def _remembered(self) -> tuple[Any, ...]:
        """The parameters that the record was read or written with, else their defaults."""
        try:
            return tuple(
                getattr(self, name, self._defaults[name]) if name in self._defaults else getattr(self, name)
                for name in self._parameters
            )
        except AttributeError:
            needed = ", ".join(name for name in self._parameters if name not in self._defaults)
            raise TypeError(f"parameters: {type(self).__qualname__} needs {needed}") from None
