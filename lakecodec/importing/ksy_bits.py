"""The fields of single bits of a type."""

from __future__ import annotations

from .ksy_choices import Lines, Owner
from .ksy_expressions import Use
from .ksy_kinds import InexpressibleError, bits_of_field
from .ksy_known import Context
from .ksy_model import Attribute, KsyType
from .ksy_names import attribute_name
from .ksy_numbers import bits_of
from .ksy_orders import bit_order
from .ksy_page import Page
from .ksy_rules import Rules
from .ksy_words import Translated, doc_lines

_WIDTHS = {1: "u8", 2: "u16", 3: "u24", 4: "u32", 5: "u40", 6: "u48", 8: "u64"}


class Bits:
    """The fields of single bits of a type."""

    def __init__(self, page: Page, rules: Rules) -> None:
        self._page = page
        self._rules = rules

    def run(self, made: KsyType, place: int) -> list[Attribute]:
        """Returns the bit fields that share bytes from a place on: up to the next field that begins a byte."""
        found: list[Attribute] = []
        order, total = "", 0
        for each in made.seq[place:]:
            bits = bits_of_field(each)
            if bits is None or each.repeat or (found and total % 8 == 0):
                break
            own = bits[1] or bit_order(made)
            if found and (own != order or each.condition != found[0].condition):
                break
            order = own
            total += bits[0]
            found.append(each)
        following = made.seq[place + len(found) :][:1]
        if found and total % 8 and following and bits_of_field(following[0]) is not None:
            self._page.omit(made, found[0].id, "bits of two orders, or some that are not always there, share a byte")
            return []
        return found

    def _ends_within_byte(self, made: KsyType, above: tuple[KsyType, ...] = ()) -> bool:
        """Returns whether a type leaves bits of its last byte to the next field."""
        last = made.seq[-1] if made.seq else None
        if last is None or made in above:
            return False
        if bits_of_field(last) is not None:
            widths = 0
            for each in reversed(made.seq):
                bits = bits_of_field(each)
                if bits is None:
                    break
                if each.repeat or each.condition is not None:
                    return True
                widths += bits[0]
            return widths % 8 != 0
        inner = self._unsized(made, last)
        return inner is not None and self._ends_within_byte(inner, (*above, made))

    def _begins_with_bits(self, made: KsyType, above: tuple[KsyType, ...] = ()) -> bool:
        if not made.seq or made in above:
            return False
        inner = self._unsized(made, made.seq[0])
        begins = inner is not None and self._begins_with_bits(inner, (*above, made))
        return begins or bits_of_field(made.seq[0]) is not None

    def _unsized(self, made: KsyType, each: Attribute) -> KsyType | None:
        """Returns the type of a field that shares its holder's bytes."""
        is_own = each.size is not None or each.size_eos or each.terminator is not None or each.process is not None
        return None if is_own or not isinstance(each.type, Use) else self._page.types.find(each.type.path, made)

    def check_bytes_end(self, made: KsyType, each: Attribute, found: KsyType) -> None:
        """Raises InexpressibleError if a type leaves bits of its last byte to the next field."""
        if not self._ends_within_byte(found):
            return
        place = made.seq.index(each) + 1 if each in made.seq else len(made.seq)
        following = made.seq[place] if place < len(made.seq) else None
        shares = bool(each.repeat) and self._begins_with_bits(found)
        if following is not None:
            inner = self._unsized(made, following)
            shares |= bits_of_field(following) is not None or (inner is not None and self._begins_with_bits(inner))
        if shares:
            raise InexpressibleError("its type ends within a byte whose other bits follow")

    def fields(self, made: KsyType, run: list[Attribute]) -> Lines:
        bits = [bits_of(each.type.path[0]) for each in run if isinstance(each.type, Use)]
        widths = [each[0] for each in bits if each is not None]
        is_big = ((bits[0] or (0, ""))[1] or bit_order(made)) == "be"
        size = -(-sum(widths) // 8)
        first: Owner = (made, ("field", run[0].id))
        if size not in _WIDTHS or run[0].condition is not None:
            return self._computed_bits(made, run, widths, is_big)
        try:
            type_ = self._page.number_type(_WIDTHS[size], "be" if is_big else "le", made)
        except InexpressibleError as error:
            self._page.omit(made, run[0].id, str(error))
            return []
        name = f"{run[0].id.strip('_')}_bits"
        while made.attribute(name) is not None:
            name += "_"
        found: Lines = [(f"{type_} {name}{'' if is_big else ' : low'} {{", first)]
        for each, width in zip(run, widths, strict=True):
            found += [(line, None) for line in doc_lines(each.doc)]
            clauses = self._page.enum_clause(made, each)
            clauses += self._rules.valid(
                made, each, Translated(attribute_name(each.id), self._page.types.kind(each, made)), ""
            )
            found.append(
                (" ".join([f"{attribute_name(each.id)} : {width}", *clauses]) + ";", (made, ("field", each.id)))
            )
        left = size * 8 - sum(widths)
        if left:
            found.append((f"{name}_left : {left};", first))
        found.append(("}", first))
        return found

    def repeated(self, made: KsyType, each: Attribute) -> Lines:
        """Returns the field of bytes for a list of numbers of some bits, and the list as a computed value."""
        width, order = bits_of_field(each) or (0, "")
        following = made.seq[made.seq.index(each) + 1 :][:1]
        if (
            each.repeat == "until"
            or each.condition is not None
            or (following and bits_of_field(following[0]) is not None)
        ):
            raise InexpressibleError("bits that are repeated, and end where others begin, cannot be expressed")
        context = Context(made, ("field", each.id))
        name = attribute_name(f"{each.id.strip('_')}_bytes")
        while made.attribute(name) is not None:
            name += "_"
        is_big = (order or bit_order(made)) == "be"
        value = self._page.translator.call("bits_of", context, name, str(width), "true" if is_big else "false")
        length, rule = "..", f" where count({name}) * 8 % {width} == 0" if 8 % width else ""
        if each.repeat == "expr":
            assert each.count is not None
            count = self._page.translator.number(each.count, context)
            length, rule = f"({count.closed} * {width} + 7) / 8", ""
            value = f"{value}[:{count.text}]"
        if each.enum is not None and (enum := self._page.types.find_enum(each.enum, made)) is not None:
            value = f"(each_bits in {value} : member({self._page.reference(enum, made)}, each_bits))"
        rules = self._rules.valid(
            made, each, Translated(attribute_name(each.id), self._page.types.kind(each, made)), ""
        )
        owner: Owner = (made, ("field", each.id))
        clauses = "".join(f" {one}" for one in rules)
        return [
            (f"bytes {name}[{length}]{rule}{clauses};", owner),
            (f"let {attribute_name(each.id)} = {value};", owner),
        ]

    def _computed_bits(self, made: KsyType, run: list[Attribute], widths: list[int], is_big: bool) -> Lines:
        """Returns a field of bytes, and the bit fields as values that are computed from it."""
        name = f"{run[0].id.strip('_')}_bytes"
        while made.attribute(name) is not None:
            name += "_"
        size = -(-sum(widths) // 8)
        owner: Owner = (made, ("field", run[0].id))
        found: Lines = []
        rules: list[str] = []
        condition = ""
        before = 0
        try:
            if run[0].condition is not None:
                condition = (
                    f" if {self._page.translator.value(run[0].condition, Context(made, ('field', run[0].id))).text}"
                )
            for each, width in zip(run, widths, strict=True):
                low = 8 * size - before - width if is_big else before
                before += width
                value = f"({'big' if is_big else 'little'}_number({name}) >> {low}) & {(1 << width) - 1}"
                if each.enum is not None and (enum := self._page.types.find_enum(each.enum, made)) is not None:
                    value = f"member({self._page.reference(enum, made)}, {value})"
                if condition:
                    value = f"present({name}) ? ({value}) : null"
                rules += self._rules.valid(
                    made, each, Translated(attribute_name(each.id), self._page.types.kind(each, made)), ""
                )
                found += [(line, None) for line in doc_lines(each.doc)]
                found.append((f"let {attribute_name(each.id)} = {value};", owner))
        except InexpressibleError as error:
            self._page.omit(made, run[0].id, str(error))
            return []
        return [(f"bytes {name}[{size}]{condition}{''.join(f' {rule}' for rule in rules)};", owner), *found]
