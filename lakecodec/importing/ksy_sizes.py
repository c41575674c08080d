"""The sizes of types whose size is fixed."""

from __future__ import annotations

from .ksy_expressions import Literal
from .ksy_kinds import InexpressibleError, Types
from .ksy_model import Attribute, KsyType
from .ksy_numbers import bits_of, number_of


class Sizes:
    """The sizes of the types of an import, in bits."""

    def __init__(self, types: Types) -> None:
        self.types = types

    def bits_of_type(self, path: tuple[str, ...], within: KsyType) -> int:
        """Returns the bits that a type always takes."""
        if len(path) == 1:
            if (number := number_of(path[0])) is not None:
                return int(number[0][1:])
            if (bits := bits_of(path[0])) is not None:
                return bits[0]
        found = self.types.find(path, within)
        if found is None:
            raise InexpressibleError(f"there is no type {'::'.join(path)}")
        return self.bits(found, ())

    def bits(self, of: KsyType, above: tuple[KsyType, ...]) -> int:
        if of in above:
            raise InexpressibleError(f"the size of '{of.name}' varies")
        return self.bits_before(of, len(of.seq), above)

    def bits_before(self, of: KsyType, place: int, above: tuple[KsyType, ...] = ()) -> int:
        """Returns the fixed number of bits, in whole bytes, before a field of a type."""
        total = 0
        for each in of.seq[:place]:
            found = self._bits_of(each, of, (*above, of))
            is_bits = getattr(each.type, "path", ("",))[0][:1] == "b" and bits_of(each.type.path[0]) is not None  # type: ignore[union-attr]
            total = total + found if is_bits else -(-total // 8) * 8 + found
        return -(-total // 8) * 8

    def _bits_of(self, each: Attribute, holder: KsyType, above: tuple[KsyType, ...]) -> int:
        fixed = (
            each.size if each.size is not None else Literal(len(each.contents)) if each.contents is not None else None
        )
        if each.repeat or each.condition is not None or each.size_eos:
            raise InexpressibleError(f"the size of '{holder.name}' varies")
        if isinstance(fixed, Literal) and type(fixed.value) is int:
            return 8 * fixed.value
        path = getattr(each.type, "path", None)
        if path is None or fixed is not None or each.is_text:
            raise InexpressibleError(f"the size of '{holder.name}' varies")
        if len(path) == 1 and (number_of(path[0]) or bits_of(path[0])):
            return self.bits_of_type(path, holder)
        found = self.types.find(path, holder)
        if found is None:
            raise InexpressibleError(f"there is no type {'::'.join(path)}")
        return self.bits(found, above)
