"""Fields without bytes that keep what computed values need of the stream: its size, and whether it has ended."""

from __future__ import annotations

from dataclasses import dataclass

from .ksy_kinds import BOOL, INT, InexpressibleError, Types, named
from .ksy_model import KsyType
from .ksy_words import Translated

#: The record whose parameter is the size of a stream.
SIZE_RECORD = "StreamSize"


@dataclass(frozen=True, slots=True)
class Capture:
    """A field that keeps a property of a stream; ``before`` is the first field of the type that needs it, None for the size."""

    name: str
    before: str | None


class Captures:
    """The captures of the types of an import, which are found while computed values are translated."""

    def __init__(self, types: Types) -> None:
        self._types = types
        self.found: dict[KsyType, dict[str, Capture]] = {}

    def translate(self, word: str, made: KsyType, instance: str) -> Translated:
        """Returns the name that a computed value of a type uses instead of `_io.size` or `_io.eof`."""
        found = self.found.setdefault(made, {})
        if word == "size":
            sites = self._types.sites.get(made, ())
            if not all(each.is_sized for each in sites) or (not sites and made.outer is not None):
                raise InexpressibleError("the size of a stream is known only to a type that has all of it")
            capture = found.setdefault("size", Capture(self._free(made, "stream_size"), None))
            return Translated(f"{capture.name}.bytes", INT)
        if word != "eof":
            raise InexpressibleError(f"'_io.{word}' is known only where bytes are read")
        first = next((each.id for each in made.seq if self._uses_instance(made, each.id, instance)), None)
        if first is None:
            raise InexpressibleError("'_io.eof' is known only where bytes are read, and no field uses it")
        capture = found.setdefault(instance, Capture(self._free(made, f"{instance}_more"), first))
        return Translated(f"not present({capture.name})", BOOL, is_closed=False)

    def _uses_instance(self, made: KsyType, field: str, instance: str) -> bool:
        """Returns whether a field names an instance, itself or through other instances."""
        pending, seen = [field], {""}
        while pending:
            name = pending.pop()
            attribute = made.attribute(name)
            if attribute is None or name in seen or (name != field and not attribute.is_instance):
                continue
            if name == instance:
                return True
            seen.add(name)
            pending += named(attribute)
        return False

    def _free(self, made: KsyType, name: str) -> str:
        while made.attribute(name) is not None:
            name += "_"
        return name
