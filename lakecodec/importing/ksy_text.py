"""The IDL of a .ksy file."""

from __future__ import annotations

import codecs
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lakecodec.runtime.codecs import encoding_of

from .imported import Note, include_path
from .ksy_choices import Choices, Lines, Owner
from .ksy_expressions import Expr, Given, Member, Name, Use, parts_of
from .ksy_files import KsyFile
from .ksy_kinds import Kind, Site, Types, Unsaid, is_ended, is_plain, needs_index, uses
from .ksy_model import Attribute, KsyEnum, KsyType, Switch, bits_of, number_of
from .ksy_names import Names, attribute_name, member_name, parameter_name
from .ksy_orders import bit_order, fixed_order, order_owner
from .ksy_say import FUNCTIONS, NUMBERS, Context, Speaker
from .ksy_spans import Spans
from .ksy_words import Said, bytes_literal, text_literal

_PARAMETERS = {"int": "i64", "float": "double", "bool": "bool", "str": "string", "bytes": "binary"}
_WIDTHS = {1: "u8", 2: "u16", 3: "u24", 4: "u32", 5: "u40", 6: "u48", 8: "u64"}
_CODECS = {
    "zlib": ("", "runtime.codecs:Zlib"),
    "xor": ("i64 key", "runtime.codecs:Xor"),
    "xor_bytes": ("binary key", "runtime.codecs:Xor"),
    "rotated": ("i64 bits", "runtime.codecs:RotateLeft"),
    "text": ("string encoding", "runtime.codecs:Text"),
    "filled": ("i64 room, binary terminator, bool keep, i64 fill", "runtime.codecs:Filled"),
}


@dataclass(slots=True)
class _Element:
    """One element of an attribute in the IDL's words."""

    type: str
    length: str = ""
    clauses: list[str] = field(default_factory=list)
    size: str = ""


class KsyText:
    """The text of one file, which is made anew until all that it says can be said."""

    def __init__(self, file: KsyFile, types: Types, names: Names, speaker: Speaker, choices: Choices) -> None:
        self.file = file
        self.writable: dict[str, str | None] = {}
        self._types = types
        self._names = names
        self._speaker = speaker
        self._choices = choices
        self._spans = Spans(types, choices)
        self._notes: dict[tuple[int, str], Note] = {}
        self._codecs: dict[str, tuple[str, str]] = {}
        self._structs: dict[str, str] = {}
        self._included: list[KsyFile] = []
        self._fixed_notes: list[Note] = []
        #: (holder, attribute) -> the arguments of its type that stand for needs: the type, the path, the text.
        self._met_needs: dict[tuple[int, str], list[tuple[KsyType, tuple[str, ...], str]]] = {}
        speaker.referred = self._reference

    @property
    def notes(self) -> list[Note]:
        return [*self._fixed_notes, *self._notes.values()]

    @property
    def root(self) -> str:
        return self._names(self.file.root, self.file.root)

    @property
    def includes(self) -> tuple[str, ...]:
        return tuple(each.idl for each in self._included)

    def lines(self) -> Lines:
        """Returns the lines of the IDL, each with what it is about."""
        while True:
            before = self._choices.count, self._known_needs()
            self._notes.clear()
            self._fixed_notes.clear()
            self._codecs.clear()
            self._structs.clear()
            self._included.clear()
            self.writable.clear()
            self._met_needs.clear()
            self._speaker.functions.pop(self.file, None)
            body: Lines = []
            for each in self._types.by_file[self.file]:
                body += self._type(each)
                for enum in each.enums.values():
                    body += self._enum(enum)
            if before == (self._choices.count, self._known_needs()):
                return [*self._head(), *body]

    def _known_needs(self) -> list[Any]:
        own = self._types.by_file[self.file]
        return [(id(each), tuple(self._speaker.needs.get(each, ()))) for each in own]

    def _head(self) -> Lines:
        found: Lines = [(f"// Imported from {posixpath.basename(self.file.file)}.", None), ("", None)]
        for each in self._included:
            found.append((f'include "{include_path(self.file.idl, each.idl)}"', None))
        found.append(("", None))
        for name, (parameters, extern) in sorted(self._codecs.items()):
            shown = f"({parameters})" if parameters else ""
            found.append((f'codec {name}{shown} -> bytes = extern "{extern}";', None))
        for name in sorted(self._speaker.functions.get(self.file, ())):
            parameters, result, extern = FUNCTIONS[name]
            found.append((f'fn {name}({parameters}) -> {result} = extern "{extern}";', None))
        for name, extern in sorted(self._structs.items()):
            found.append((f'struct {name} {{}} (lakecodec.codec = "{extern}")', None))
        found.append(("", None))
        return found

    # ---- notes ----

    def _note(self, line: int, message: str, kind: str) -> str:
        self._fixed_notes.append(Note(self.file.file, line, message, kind))
        return f"// {' '.join(message.split())}"

    def _need_class(self, made: KsyType, each: Attribute, text: str) -> None:
        """Notes that a type is read and written by a class that has to be there."""
        self._note(each.line, text, "extern")
        name = self._names(made, made)
        before = self.writable.get(name)
        self.writable[name] = text if before is None else f"{before}; {text}"

    def leave_out(self, holder: KsyType, name: str, why: str) -> None:
        """Leaves an attribute out of the IDL; of a field of `seq`, all that follows it goes, too."""
        self._choices.left_out.setdefault((id(holder), name), why)
        names = [each.id for each in holder.seq]
        if name in names:
            for each in names[names.index(name) + 1 :]:
                self._choices.left_out.setdefault((id(holder), each), f"it stands behind '{name}'")

    def refuse_argument(self, holder: KsyType, name: str, text: str) -> bool:
        """Refuses a need whose argument begins a text; returns whether there is one."""
        met = self._met_needs.get((id(holder), name), [])
        found = [(id(each), path) for each, path, said in met if text.startswith(said)]
        self._choices.refused.update(found)
        return bool(found)

    # ---- enums ----

    def _enum(self, enum: KsyEnum) -> Lines:
        found: Lines = [("", None), (f"enum {self._names(enum, enum.owner)} {{", None)]
        taken: set[str] = set()
        for number, name, doc, line in enum.members:
            if number not in NUMBERS:
                text = f"{name} = {number} of the enum {enum.name} is left out: it does not fit 64 bits, so it stays a number"
                found.append((self._note(line, text, "enum"), None))
                continue
            found += [(each, None) for each in _doc(doc)]
            called = member_name(name)
            while called in taken:
                called += "_"
            taken.add(called)
            found.append((f"{called} = {number};", None))
        is_wide = any(not -(1 << 31) <= number < 1 << 31 for number, *_ in enum.members)
        found.append(('} (lakecodec.bits = "64")' if is_wide else "}", None))
        return found

    # ---- types ----

    def _type(self, made: KsyType) -> Lines:
        name = self._names(made, made)
        if self._types.is_choice(made):
            return self._variant(made, name)
        self.writable[name] = None
        order = self._order(made, Context(made, ("order", "")))
        body = [*self._seq(made), *self._instances(made)]
        whole = self._spans.unread(made)
        if whole:
            unread = attribute_name("unread")
            while made.attribute(unread) is not None:
                unread += "_"
            body.append((f"bytes {unread}[..]{' if whole' if whole == 'sometimes' else ''};", (made, ("unread", ""))))
        places = any(map(self._has_places, self._types.by_file[self.file] if made is self.file.root else (made,)))
        attributes = [each for each in (order, "overlaps" if places else "") if each]
        known = self._known_orders(made)
        head = f"record {name}{self._parameters(made)}{' : ' if attributes else ''}{', '.join(attributes)}{known} {{"
        owner: Owner = (made, ("type", ""))
        return [("", None), *((each, None) for each in _doc(made.doc)), (head, owner), *body, ("}", owner)]

    def _parameters(self, made: KsyType) -> str:
        found = []
        for each in made.params:
            try:
                kind = self._speaker.kind_of(made, each.id)
                assert kind is not None
                found.append(f"{self._parameter_type(kind, made)} {parameter_name(each.id)}")
            except Unsaid as error:
                self._choices.left_out.setdefault((id(made), each.id), str(error))
                found.append(f"i64 {parameter_name(each.id)}")
        for need in self._speaker.needs.get(made, {}).values():
            try:
                found.append(f"{self._parameter_type(need.kind, made)} {parameter_name(need.name)}")
            except Unsaid:
                self._choices.refused.add((id(made), need.path))
        order = order_owner(made)
        if order is not None and order is not made:
            found.append("bool is_big")
        if self._spans.is_whole(made) and self._spans.is_part(made):
            found.append("bool whole = true")
        return f"({', '.join(found)})" if found else ""

    def _parameter_type(self, kind: Kind, within: KsyType) -> str:
        if kind.name in _PARAMETERS:
            found = kind.wire if kind.wire == "u64" else _PARAMETERS[kind.name]
        elif kind.of is not None:
            found = self._reference(kind.of, within)
        else:
            raise Unsaid(f"a parameter cannot be {kind.name}")
        return f"list<{found}>" if kind.lists else found

    def _reference(self, of: KsyType | KsyEnum, within: KsyType) -> str:
        owner: KsyFile = of.owner.file if isinstance(of, KsyEnum) else of.file
        if owner is not self.file and owner not in self._included:
            if owner not in self.file.reached():
                raise Unsaid("its file is not imported")
            self._included.append(owner)
        return self._names(of, within)

    # ---- byte order ----

    def _order(self, made: KsyType, context: Context) -> str:
        owner = order_owner(made)
        if owner is None:
            return "big" if fixed_order(made) == "be" else ""
        if owner is not made:
            return "big(is_big)"
        try:
            return f"big({self._is_big(made, context)})"
        except Unsaid as error:
            for each in made.seq[:1]:
                self.leave_out(made, each.id, f"its byte order is not known: {error}")
            return ""

    def _is_big(self, made: KsyType, context: Context) -> str:
        switch = made.endian
        assert isinstance(switch, Switch)
        on = self._speaker.value(switch.on, context).closed
        big = [key for key, order in switch.cases if order == "be"]
        little = [key for key, order in switch.cases if order == "le"]
        if None in big:
            return (
                " and ".join(f"{on} != {self._speaker.value(key, context).closed}" for key in little if key) or "true"
            )
        return " or ".join(f"{on} == {self._speaker.value(key, context).closed}" for key in big if key) or "false"

    def _known_orders(self, made: KsyType) -> str:
        """Returns the rule that a byte order is one of those that its switch has."""
        if not isinstance(made.endian, Switch) or any(key is None for key, _ in made.endian.cases):
            return ""
        context = Context(made, ("order", ""))
        try:
            on = self._speaker.value(made.endian.on, context).closed
            cases = [self._speaker.value(key, context).closed for key, _ in made.endian.cases if key is not None]
        except Unsaid:
            return ""
        return " where " + " or ".join(f"{on} == {case}" for case in cases) + ' else "unknown byte order"'

    # ---- fields ----

    def _seq(self, made: KsyType) -> Lines:
        found: Lines = []
        place = 0
        while place < len(made.seq):
            each = made.seq[place]
            why = self._choices.left_out.get((id(made), each.id))
            if why is not None:
                found.append((self._note(each.line, f"{each.id} and what follows it stay bytes: {why}", "field"), None))
                break
            run = self._bit_run(made, place)
            if run:
                found += self._bits(made, run)
                place += len(run)
                continue
            found += [(line, None) for line in _doc(each.doc)]
            try:
                if each.repeat and _bits_of(each) is not None:
                    found += self._packed(made, each)
                    place += 1
                    continue
                at = self._place_in_row(made, place)
                found += self._ended(made, each) if self._is_ended(made, each) else self._field(made, each, at)
            except Unsaid as error:
                self.leave_out(made, each.id, str(error))
                continue
            place += 1
        return found

    def _place_in_row(self, made: KsyType, place: int) -> str:
        """Returns the clause of a field that needs what stands at a place: it is placed too, with all that follow it."""
        if not any((id(made), each.id) in self._choices.placed for each in made.seq[: place + 1]):
            return ""
        return f"at {self._speaker.sizes.bits_before(made, place) // 8}"

    def _is_ended(self, made: KsyType, each: Attribute) -> bool:
        """Returns whether a field goes on to a terminator in a way that `until` does not have."""
        return each.terminator is not None and not each.repeat and is_ended(each, self._terminator(made, each))

    def _ended(self, made: KsyType, each: Attribute) -> Lines:
        """Returns a field that goes on to the next terminator, and the terminator where it is not part of it."""
        assert each.terminator is not None
        if each.include and not each.consume:
            raise Unsaid("a terminator that is part of a field and is read again cannot be said")
        mark = self._terminator(made, each)
        shown = bytes_literal(mark)
        found = f"ahead({shown}){f' + {len(mark)}' if each.include else ''}"
        if not each.eos_error:
            found = f"ahead({shown}) < 0 ? rest : {found}"
        elif each.include:
            found = f"ahead({shown}) < 0 ? -1 : {found}"
        lines = self._field(made, replace(each, terminator=None, size=Given(found), id=each.id))
        if each.include or not each.consume:
            return lines
        name = attribute_name(f"{each.id.lstrip('_')}_end")
        while made.attribute(name) is not None:
            name += "_"
        conditions = [] if each.eos_error else ["not at_end"]
        if each.condition is not None:
            conditions.insert(0, self._speaker.value(each.condition, Context(made, ("field", each.id))).closed)
        condition = f" if {' and '.join(conditions)}" if conditions else ""
        rule = f" = {shown}" if each.eos_error else f" where {name} == {shown}"
        end = f"bytes {name}[{len(mark)}]{condition}{rule};"
        return [*lines, (end, (made, ("field", each.id)))]

    def _bit_run(self, made: KsyType, place: int) -> list[Attribute]:
        """Returns the fields of bits from a place on that share bytes: up to the next one that begins a byte."""
        found: list[Attribute] = []
        order, total = "", 0
        for each in made.seq[place:]:
            bits = _bits_of(each)
            if bits is None or each.repeat or (found and total % 8 == 0):
                break
            own = bits[1] or bit_order(made)
            if found and (own != order or each.condition != found[0].condition):
                break
            order = own
            total += bits[0]
            found.append(each)
        following = made.seq[place + len(found) :][:1]
        if found and total % 8 and following and _bits_of(following[0]) is not None:
            self.leave_out(made, found[0].id, "bits of two orders, or some that are not always there, share a byte")
            return []
        return found

    def _ends_within_byte(self, made: KsyType, above: tuple[KsyType, ...] = ()) -> bool:
        """Returns whether bits of a last byte are left to what follows a type."""
        last = made.seq[-1] if made.seq else None
        if last is None or made in above:
            return False
        if _bits_of(last) is not None:
            widths = 0
            for each in reversed(made.seq):
                bits = _bits_of(each)
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
        return begins or _bits_of(made.seq[0]) is not None

    def _unsized(self, made: KsyType, each: Attribute) -> KsyType | None:
        """Returns the type of a field that shares its holder's bytes."""
        is_own = each.size is not None or each.size_eos or each.terminator is not None or each.process is not None
        return None if is_own or not isinstance(each.type, Use) else self._types.find(each.type.path, made)

    def _check_bytes_end(self, made: KsyType, each: Attribute, found: KsyType) -> None:
        """Raises Unsaid where a type leaves bits of its last byte to what follows it."""
        if not self._ends_within_byte(found):
            return
        place = made.seq.index(each) + 1 if each in made.seq else len(made.seq)
        following = made.seq[place] if place < len(made.seq) else None
        shares = bool(each.repeat) and self._begins_with_bits(found)
        if following is not None:
            inner = self._unsized(made, following)
            shares |= _bits_of(following) is not None or (inner is not None and self._begins_with_bits(inner))
        if shares:
            raise Unsaid("its type ends within a byte whose other bits follow")

    def _bits(self, made: KsyType, run: list[Attribute]) -> Lines:
        bits = [bits_of(each.type.path[0]) for each in run if isinstance(each.type, Use)]
        widths = [each[0] for each in bits if each is not None]
        is_big = ((bits[0] or (0, ""))[1] or bit_order(made)) == "be"
        size = -(-sum(widths) // 8)
        first: Owner = (made, ("field", run[0].id))
        if size not in _WIDTHS or run[0].condition is not None:
            return self._computed_bits(made, run, widths, is_big)
        try:
            type_ = self._number_type(_WIDTHS[size], "be" if is_big else "le", made)
        except Unsaid as error:
            self.leave_out(made, run[0].id, str(error))
            return []
        name = f"{run[0].id.strip('_')}_bits"
        while made.attribute(name) is not None:
            name += "_"
        found: Lines = [(f"{type_} {name}{'' if is_big else ' : low'} {{", first)]
        for each, width in zip(run, widths, strict=True):
            found += [(line, None) for line in _doc(each.doc)]
            clauses = self._enum_clause(made, each)
            clauses += self._valid(made, each, Said(attribute_name(each.id), self._types.kind(each, made)), "")
            found.append(
                (" ".join([f"{attribute_name(each.id)} : {width}", *clauses]) + ";", (made, ("field", each.id)))
            )
        left = size * 8 - sum(widths)
        if left:
            found.append((f"{name}_left : {left};", first))
        found.append(("}", first))
        return found

    def _packed(self, made: KsyType, each: Attribute) -> Lines:
        """Returns the bytes of a list of numbers of some bits, and the list."""
        width, order = _bits_of(each) or (0, "")
        following = made.seq[made.seq.index(each) + 1 :][:1]
        if each.repeat == "until" or each.condition is not None or (following and _bits_of(following[0]) is not None):
            raise Unsaid("bits that are repeated, and end where others begin, cannot be said")
        context = Context(made, ("field", each.id))
        name = attribute_name(f"{each.id.strip('_')}_bytes")
        while made.attribute(name) is not None:
            name += "_"
        is_big = (order or bit_order(made)) == "be"
        value = self._speaker.call("bits_of", context, name, str(width), "true" if is_big else "false")
        length, rule = "..", f" where count({name}) * 8 % {width} == 0" if 8 % width else ""
        if each.repeat == "expr":
            assert each.count is not None
            count = self._speaker.number(each.count, context)
            length, rule = f"({count.closed} * {width} + 7) / 8", ""
            value = f"{value}[:{count.text}]"
        if each.enum is not None and (enum := self._types.find_enum(each.enum, made)) is not None:
            value = f"(each_bits in {value} : member({self._reference(enum, made)}, each_bits))"
        rules = self._valid(made, each, Said(attribute_name(each.id), self._types.kind(each, made)), "")
        owner: Owner = (made, ("field", each.id))
        clauses = "".join(f" {one}" for one in rules)
        return [
            (f"bytes {name}[{length}]{rule}{clauses};", owner),
            (f"let {attribute_name(each.id)} = {value};", owner),
        ]

    def _computed_bits(self, made: KsyType, run: list[Attribute], widths: list[int], is_big: bool) -> Lines:
        """Returns bytes, and the fields of bits as values that are computed from them."""
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
                condition = f" if {self._speaker.value(run[0].condition, Context(made, ('field', run[0].id))).text}"
            for each, width in zip(run, widths, strict=True):
                low = 8 * size - before - width if is_big else before
                before += width
                value = f"({'big' if is_big else 'little'}_number({name}) >> {low}) & {(1 << width) - 1}"
                if each.enum is not None and (enum := self._types.find_enum(each.enum, made)) is not None:
                    value = f"member({self._reference(enum, made)}, {value})"
                if condition:
                    value = f"present({name}) ? ({value}) : null"
                rules += self._valid(made, each, Said(attribute_name(each.id), self._types.kind(each, made)), "")
                found += [(line, None) for line in _doc(each.doc)]
                found.append((f"let {attribute_name(each.id)} = {value};", owner))
        except Unsaid as error:
            self.leave_out(made, run[0].id, str(error))
            return []
        return [(f"bytes {name}[{size}]{condition}{''.join(f' {rule}' for rule in rules)};", owner), *found]

    def _enum_clause(self, made: KsyType, each: Attribute) -> list[str]:
        if each.enum is None:
            return []
        enum = self._types.find_enum(each.enum, made)
        if enum is None:
            self._note(each.line, f"{each.id} stays a number: there is no enum {'::'.join(each.enum)}", "import")
            return []
        return [f"via enum({self._reference(enum, made)})"]

    def _number_type(self, wire: str, order: str, made: KsyType) -> str:
        """Returns a number's type: with its byte order where that is not the record's."""
        if wire in ("u8", "i8"):
            return wire
        if not order:
            if order_owner(made) is None and not fixed_order(made):
                raise Unsaid("the byte order is not said: neither by its type nor by `meta`")
            return wire
        own = "" if order_owner(made) is not None else fixed_order(made) or "le"
        return wire if order == own else f"{wire}{order}"

    def _field(self, made: KsyType, each: Attribute, place: str = "") -> Lines:
        """Returns the lines of a field; ``place`` are its clauses of position."""
        name = attribute_name(each.id)
        owner: Owner = (made, ("field", each.id))
        context = Context(made, ("field", each.id))
        dimension, index = "", ""
        inner = self._types.wrapped(made, each)
        is_record = inner is not None and not self._types.is_choice(inner)
        if each.repeat == "expr":
            if each.count is None:
                raise Unsaid("it is repeated without `repeat-expr`")
            count = self._speaker.number(each.count, context)
            if not is_record and needs_index(each):
                index = "i"
                while made.attribute(index) is not None:
                    index += "i"
                dimension = f"[{index} < {count.closed}]"
            else:
                dimension = f"[{count.text if '<' not in count.text else f'({count.text})'}]"
        elif each.repeat == "eos":
            dimension = "[..]"
        elif each.repeat == "until":
            if each.until is None:
                raise Unsaid("it is repeated without `repeat-until`")
            item = Said(f"last({name})", self._types.kind(each, made).element)
            condition = self._speaker.value(each.until, replace(context, item=item)).text
            dimension = f"[until {condition}]"
        elif each.repeat:
            raise Unsaid(f"`repeat: {each.repeat}` is not known")
        is_open = each.repeat in ("eos", "until")
        inside = replace(context, index=f"count({name})" if is_open else index)
        if is_record:
            assert inner is not None
            element = _Element(
                self._reference(inner, made) + self._arguments(inner, Site(made, each, Use(()), False, False), inside)
            )
        else:
            element = self._element(made, each, inside, inner)
        clauses = list(element.clauses)
        if each.condition is not None:
            clauses.append(f"if {self._speaker.value(each.condition, context).text}")
        if place:
            clauses.insert(0, place)
        said = Said(f"{name}[{index}]" if index else name, self._types.kind(each, made))
        clauses += self._contents(each, element)
        clauses += self._valid(made, each, said, index)
        clauses += self._derived(made, each)
        text = f"{element.type} {name}{dimension}{element.length}{f' size {element.size}' if element.size else ''}"
        return [(" ".join([text, *clauses]) + ";", owner)]

    def _contents(self, each: Attribute, element: _Element) -> list[str]:
        if each.contents is None:
            return []
        if each.repeat:
            return []
        return [f"= {bytes_literal(each.contents)}"]

    def _element(self, made: KsyType, each: Attribute, context: Context, inner: KsyType | None) -> _Element:
        if isinstance(each.type, Use) and not each.is_text and len(each.type.path) == 1:
            number = number_of(each.type.path[0])
            if number is not None:
                return _Element(self._number_type(*number, made), clauses=self._enum_clause(made, each))
            if bits_of(each.type.path[0]) is not None:
                raise Unsaid("single bits that are repeated or conditional cannot be said")
        codecs_ = self._around(made, each, context)
        size = ""
        if each.size is not None:
            size = self._speaker.number(each.size, context).text
        if is_plain(each) and inner is None:
            return self._text(made, each, size, codecs_)
        span = size
        if not span and (each.size_eos or each.process is not None or each.terminator is not None):
            if each.terminator is not None and not each.size_eos:
                raise Unsaid("a type that a terminator ends cannot be said")
            span = "rest"
        if inner is not None:
            site = Site(made, each, Use(()), bool(span), False)
            return _Element(self._reference(inner, made) + self._arguments(inner, site, context), "", codecs_, span)
        assert isinstance(each.type, Use)
        found = self._types.find(each.type.path, made)
        if found is None:
            return _Element(self._opaque(made, each), "", ["via compact", *codecs_], span)
        if not span and self._spans.is_cut(found):
            raise Unsaid(f"the end of '{found.name}' is not known")
        if not span:
            self._check_bytes_end(made, each, found)
        site = Site(made, each, each.type, bool(span), False)
        return _Element(self._reference(found, made) + self._arguments(found, site, context), "", codecs_, span)

    def _opaque(self, made: KsyType, each: Attribute) -> str:
        assert isinstance(each.type, Use)
        name = "::".join(each.type.path)
        if each.type.arguments:
            raise Unsaid(f"there is no type {name}, and a type of Python has no arguments")
        called = "".join(part[:1].upper() + part[1:] for part in each.type.path[-1].split("_"))
        self._structs[called] = f"{each.type.path[0]}:{called}"
        text = (
            f"{each.id} is read by Python's class {called} of the module {each.type.path[0]}: there is no type {name}"
        )
        self._need_class(made, each, text)
        return called

    def _text(self, made: KsyType, each: Attribute, size: str, around: list[str]) -> _Element:
        """Returns the element of bytes or a text."""
        type_ = "utf8" if each.is_text else "bytes"
        encoding = self._encoding(made, each)
        coded = [f"via text({text_literal(encoding)})"] if encoding else []
        if encoding:
            self._codecs["text"] = _CODECS["text"]
        if each.contents is not None and each.size is None:
            return _Element("bytes", f"[{len(each.contents)}]")
        if each.size is None and not each.size_eos:
            if each.terminator is None:
                raise Unsaid("it has neither a size nor a terminator")
            if is_ended(each, self._terminator(made, each)):
                raise Unsaid("a terminator of several bytes in a list cannot be said")
            return _Element(type_, clauses=[f"until {bytes_literal(each.terminator)}", *coded])
        codecs_ = [*coded, *around]
        if each.size_eos:
            return _Element(type_, "[..]", codecs_)
        if codecs_:
            return _Element(type_, "", codecs_, size)
        return _Element(type_, f"[{f'({size})' if '<' in size else size}]")

    def _encoding(self, made: KsyType, each: Attribute) -> str:
        """Returns the encoding of a text; nothing for bytes and UTF-8."""
        if not each.is_text:
            return ""
        name = each.encoding
        at: KsyType | None = made
        while name is None and at is not None:
            name, at = at.encoding, at.outer
        if name is None:
            raise Unsaid("its encoding is not said")
        try:
            found = codecs.lookup(encoding_of(name)).name
        except ValueError as error:
            raise Unsaid(str(error)) from None
        return "" if found in ("utf-8", "ascii") else name

    def _around(self, made: KsyType, each: Attribute, context: Context) -> list[str]:
        """Returns the codecs around the bytes of an element: what fills them up, then what processes them."""
        found = []
        has_room = each.size is not None or each.size_eos
        if each.process is not None:
            found.append(self._process(made, each, context))
        if has_room and (each.pad is not None or each.terminator is not None):
            room = "-1" if each.size is None else self._speaker.number(each.size, context).text
            terminator = bytes_literal(self._terminator(made, each))
            self._codecs["filled"] = _CODECS["filled"]
            include = "true" if each.include else "false"
            fill = -1 if each.pad is None else each.pad
            found.append(f"via filled({room}, {terminator}, {include}, {fill})")
        return found

    def _terminator(self, made: KsyType, each: Attribute) -> bytes:
        """Returns the bytes that end a field: a text of `strz` ends with a character of its encoding."""
        is_strz = isinstance(each.type, Use) and each.type.path == ("strz",)
        if is_strz and each.terminator == b"\0" and (encoding := self._encoding(made, each)):
            return b"\0" * {"utf-16": 2, "utf-32": 4}.get(encoding_of(encoding)[:6], 1)
        return each.terminator or b""

    def _process(self, made: KsyType, each: Attribute, context: Context) -> str:
        assert each.process is not None
        name, arguments = each.process.name, each.process.arguments
        said = [self._speaker.value(argument, context) for argument in arguments]
        if name == "zlib" and not said:
            self._codecs["zlib"] = _CODECS["zlib"]
            return "via zlib"
        if name == "xor" and len(said) == 1:
            called = "xor_bytes" if said[0].kind.name == "bytes" else "xor"
            self._codecs[called] = _CODECS[called]
            return f"via {called}({said[0].text})"
        if name in ("rol", "ror") and len(said) == 1:
            self._codecs["rotated"] = _CODECS["rotated"]
            bits = said[0].text if name == "rol" else f"(8 - {said[0].closed}) % 8"
            return f"via rotated({bits})"
        module, _, last = name.rpartition(".")
        called = name.replace(".", "_")
        cls = "".join(part[:1].upper() + part[1:] for part in last.split("_"))
        parameters = [
            f"{self._parameter_type(value.kind, made)} argument{number}" for number, value in enumerate(said, 1)
        ]
        self._codecs[called] = ", ".join(parameters), f"{module or last}:{cls}"
        text = f"{each.id} is decoded by Python's class {cls} of the module {module or last}, which has to be written"
        self._need_class(made, each, text)
        return f"via {called}({', '.join(value.text for value in said)})" if said else f"via {called}"

    # ---- arguments ----

    def _arguments(self, found: KsyType, site: Site, context: Context) -> str:
        """Returns the arguments that a type gets where it is used."""
        arguments = list(site.use.arguments)
        if len(arguments) != len(found.params):
            raise Unsaid(f"'{found.name}' takes {len(found.params)} arguments")
        made = [
            self._argument(each, param, found, context) for each, param in zip(arguments, found.params, strict=True)
        ]
        for need in list(self._speaker.needs.get(found, {}).values()):
            user = Context(site.holder, context.user, index=context.index)
            try:
                made.append(self._met(need.path, found, site, user))
                met = self._met_needs.setdefault((id(site.holder), site.attribute.id), [])
                met.append((found, need.path, made[-1]))
            except Unsaid:
                # What needs it says so, and is left out.
                self._choices.refused.add((id(found), need.path))
                self._speaker.needs[found].pop(need.path)
        owner = order_owner(found)
        if owner is not None and owner is not found:
            own = order_owner(site.holder)
            if own is not owner:
                raise Unsaid(f"the byte order of '{found.name}' is not known here")
            made.append(self._is_big(owner, context) if own is site.holder else "is_big")
        sized = self._spans.is_whole(site.holder) if self._types.is_choice(site.holder) else site.is_sized
        if self._spans.is_whole(found) and self._spans.is_part(found) and not sized:
            made.append("false")
        return f"({', '.join(made)})" if made else ""

    def _argument(self, expr: Expr, param: Attribute, found: KsyType, context: Context) -> str:
        kind = self._speaker.kind_of(found, param.id)
        assert kind is not None
        said = self._speaker.say(expr, context)
        if said.kind.is_wrapped:
            said = self._speaker.value(expr, context)
        if kind.name in ("io", "any") or said.kind.name == "io":
            raise Unsaid(f"'{param.id}' of '{found.name}' cannot be {kind.name}")
        return said.text

    def _met(self, path: tuple[str, ...], found: KsyType, site: Site, context: Context) -> str:
        """Returns the argument of a holder for a need of a type that it has."""
        if path[0] == "_index":
            return self._speaker.say(Name("_index"), context).text
        if path[0] == "_root":
            if site.holder.outer is None and site.holder.variant is None:
                self._check_order(site, path[1], found, path)
            return self._speaker.say(_chained(Name("_root"), path[1:]), context).text
        parent = site.attribute.parent
        if parent is False:
            raise Unsaid("it has no parent")
        if isinstance(parent, Expr) and found.variant is None:
            expr = _chained(parent, path[1:])
        elif path[1] == "_io":
            expr = Member(Name("_io"), path[2])
        else:
            expr = _chained(Name(path[1]), path[2:])
            self._check_order(site, path[1], found, path)
        return self._speaker.say(expr, context).text

    def _is_about_elements_before(self, site: Site, users: set[tuple[str, str]], found: KsyType) -> bool:
        """Returns whether a type asks for the list it is in while it is read: later, it is the whole list."""
        read = [each for each in found.seq if ("field", each.id) in users]
        return bool(site.attribute.repeat) and len(read) == len(users) and not any(map(_gives_arguments, read))

    def _check_order(self, site: Site, name: str, found: KsyType, path: tuple[str, ...]) -> None:
        """Raises Unsaid where a type asks for what its holder reads later, or computes from that."""
        names = [each.id for each in site.holder.seq]
        users = self._speaker.needs[found][path].users if path in self._speaker.needs.get(found, {}) else set()
        own = {site.attribute.id}
        unread = set() if name in own and self._is_about_elements_before(site, users, found) else own
        if site.attribute.id in names:
            unread |= set(names[names.index(site.attribute.id) + 1 :])
        pending, seen = [name], set()
        while pending:
            each = pending.pop()
            if each in unread:
                raise Unsaid(f"'{each}' is read later")
            attribute = site.holder.instances.get(each)
            if attribute is None or each in seen:
                continue
            seen.add(each)
            for expr in (attribute.value, attribute.pos, attribute.size, attribute.count, attribute.condition):
                if expr is not None:
                    pending += [part.name for part in parts_of(expr) if isinstance(part, Name)]
            given = [argument for use in uses(attribute) for argument in use.arguments]
            pending += [part.name for argument in given for part in parts_of(argument) if isinstance(part, Name)]

    # ---- rules ----

    def _valid(self, made: KsyType, each: Attribute, said: Said, index: str) -> list[str]:
        """Returns the clauses of `valid`."""
        if not each.valid and not (each.contents is not None and each.repeat == "expr"):
            return []
        if (id(made), "valid", each.id) in self._choices.dropped:
            why = self._choices.dropped[id(made), "valid", each.id]
            self._note(each.line, f"the rule about {each.id} is not checked: {why}", "valid")
            return []
        kind = said.kind.element if each.repeat else said.kind
        item = said
        if each.repeat:
            item = Said(said.text if index else "each", kind)
        context = Context(made, ("valid", each.id), item=self._opened(item), index=index)
        try:
            rules = [self._rule(key, value, each, context) for key, value in each.valid.items()]
            if each.contents is not None and each.repeat == "expr":
                rules.append(f"{item.text} == {bytes_literal(each.contents)}")
        except Unsaid as error:
            self._choices.dropped[id(made), "valid", each.id] = str(error)
            return []
        if each.repeat and not index:
            name = said.text
            rules = [f"count(each in {name} where not ({rule})) == 0" for rule in rules]
        return [f"where {rule}" for rule in rules]

    def _opened(self, said: Said) -> Said:
        return self._speaker._opened(said)

    def _rule(self, key: str, value: Any, each: Attribute, context: Context) -> str:
        assert context.item is not None
        item = context.item.text
        match key:
            case "eq":
                return f"{item} == {self._speaker.value(value, context).closed}"
            case "min":
                return f"{item} >= {self._speaker.value(value, context).closed}"
            case "max":
                return f"{item} <= {self._speaker.value(value, context).closed}"
            case "any-of":
                return " or ".join(f"{item} == {self._speaker.value(one, context).closed}" for one in value) or "false"
            case "expr":
                return self._speaker.value(value, context).text
            case "in-enum" if value is True and isinstance(context.item.kind.of, KsyEnum):
                enum = context.item.kind.of
                called = self._reference(enum, context.type)
                return (
                    " or ".join(f"{item} == {called}.{member_name(name)}" for _, name, _, _ in enum.members) or "false"
                )
        raise Unsaid(f"`{key}` is not known")

    def _derived(self, made: KsyType, each: Attribute) -> list[str]:
        """Returns `= ...` of a number that one field uses as its size or count, and nothing else does."""
        if (id(made), "derived", each.id) in self._choices.dropped or each.valid or each.enum or each.repeat:
            return []
        if each.condition is not None or each.is_instance or each not in made.seq:
            return []
        if (
            not isinstance(each.type, Use)
            or each.is_text
            or number_of(each.type.path[0]) is None
            or each.type.path[0][0] == "f"
        ):
            return []
        found = []
        for other in made.seq:
            as_count = isinstance(other.count, Name) and other.count.name == each.id
            as_size = isinstance(other.size, Name) and other.size.name == each.id
            if as_count or as_size:
                found.append((other, as_count))
        if len(found) != 1:
            return []
        other, as_count = found[0]
        if (as_count and other.size is not None and other.size == other.count) or other.condition is not None:
            return []
        if (id(made), other.id) in self._choices.left_out or (other.repeat and not as_count):
            return []
        if other.contents is not None or _bits_of(other) is not None:
            return []
        measure = "count" if as_count else "size"
        return [f"= {measure}({attribute_name(other.id)})"]

    # ---- instances ----

    def _has_places(self, made: KsyType) -> bool:
        return self._spans.has_placed_row(made) or any(
            each.value is None and (id(made), each.id) not in self._choices.left_out for each in made.instances.values()
        )

    def _instances(self, made: KsyType) -> Lines:
        found: Lines = []
        for each in made.instances.values():
            why = self._choices.left_out.get((id(made), each.id))
            if why is not None:
                found.append((self._note(each.line, f"{each.id} is left out: {why}", "instance"), None))
                continue
            try:
                lines = self._computed(made, each) if each.value is not None else self._placed(made, each)
            except Unsaid as error:
                self.leave_out(made, each.id, str(error))
                continue
            found += [*((line, None) for line in _doc(each.doc)), *lines]
        return found

    def _computed(self, made: KsyType, each: Attribute) -> Lines:
        assert each.value is not None
        context = Context(made, ("let", each.id))
        said = self._speaker.value(each.value, context)
        text = said.text
        if said.kind.name == "int" and text in self._enum_names(made, each.value, context):
            text = f"{text} + 0"
        if each.enum is not None and (enum := self._types.find_enum(each.enum, made)) is not None:
            text = f"member({self._reference(enum, made)}, {text})"
            said = Said(text, said.kind)
        if each.condition is not None:
            text = f"{self._speaker.value(each.condition, context).closed} ? {said.closed} : null"
        return [(f"let {attribute_name(each.id)} = {text};", (made, ("let", each.id)))]

    def _enum_names(self, made: KsyType, value: Expr, context: Context) -> set[str]:
        if isinstance(value, Member) and value.name == "to_i":
            base = self._speaker.value(value.base, context)
            return {base.text} if base.kind.name == "enum" else set()
        return set()

    def _placed(self, made: KsyType, each: Attribute) -> Lines:
        context = Context(made, ("field", each.id))
        if each.pos is None:
            raise Unsaid("an instance without `pos` cannot be said")
        streams = self._spans.streams(made)
        pos = self._speaker.number(each.pos, context)
        source = ""
        if each.io is not None:
            if each.io != Member(Name("_root"), "_io"):
                raise Unsaid("a place in the stream of another object cannot be said")
            if self._spans.is_coded(made):
                raise Unsaid("a place in the root's stream cannot be said within what was decoded")
            if made.outer is not None or made.variant is not None:
                source = " from source"
        elif streams <= {"source"}:
            if made.outer is not None or made.variant is not None:
                source = " from source"
        elif streams != {"own"} and not (made.outer is None and streams <= {"own", "source"}):
            raise Unsaid("a place that counts from the start of another type's bytes cannot be said")
        return self._field(made, each, f"at {pos.text}{source}")

    # ---- variants ----

    def _variant(self, made: KsyType, name: str) -> Lines:
        attribute = made.seq[0]
        holder = made.holder
        assert holder is not None
        assert made.variant is not None
        switch = attribute.type
        assert isinstance(switch, Switch)
        self.writable[name] = None
        owner: Owner = (made, ("type", ""))
        context = Context(made, ("field", "value"))
        try:
            on = self._speaker.value(switch.on, context).text
            order = self._order(made, context)
            cases = list(self._cases(made, switch, attribute, context))
        except Unsaid as error:
            self.leave_out(holder, made.variant.id, f"{error}")
            return []
        shown = f" : {order}" if order else ""
        head = f"variant {name}{self._parameters(made)} on {on}{shown} {{"
        return [("", None), (head, owner), *((case, owner) for case in cases), ("}", owner)]

    def _cases(self, made: KsyType, switch: Switch, attribute: Attribute, context: Context) -> Iterator[str]:
        is_whole = self._spans.is_whole(made)
        groups: dict[Any, list[Expr | None]] = {}
        for key, use in switch.cases:
            groups.setdefault(use, []).append(key)
        if not any(None in keys for keys in groups.values()):
            groups.setdefault("absent", []).append(None)
        taken: set[str] = set()
        last = ""
        for use, keys in groups.items():
            tags = [self._speaker.value(key, context).text for key in keys if key is not None]
            if use == "absent" and not is_whole:
                name, body = "absent", ""
            else:
                name, body = self._alternative(made, None if use == "absent" else use, attribute, context)
            while name in taken:
                name += "_"
            taken.add(name)
            if None in keys:
                last = f"else: {name} {{ {body} }};"
                if tags:
                    yield f"{', '.join(tags)}: {name}_ {{ {body} }};"
            else:
                yield f"{', '.join(tags)}: {name} {{ {body} }};"
        yield last

    def _alternative(self, made: KsyType, use: Use | None, attribute: Attribute, context: Context) -> tuple[str, str]:
        if use is None:
            if not self._spans.is_whole(made):
                raise Unsaid("a case without a type cannot be said here")
            return "raw", "bytes value[..];"
        one = replace(attribute, type=use, is_text=use.path in (("str",), ("strz",)), condition=None)
        if one.is_text or use.path == ("bytes",):
            one = replace(one, size_eos=self._spans.is_whole(made), type=use if one.is_text else None)
            if use.path == ("strz",):
                one = replace(one, terminator=b"\0")
        lines = self._field(made, one)
        return member_name(use.path[-1]), lines[0][0]


def _gives_arguments(each: Attribute) -> bool:
    is_number = isinstance(each.type, Use) and (_bits_of(each) or number_of(each.type.path[0])) is not None
    return not (each.type is None or each.is_text or is_number)


def _bits_of(each: Attribute) -> tuple[int, str] | None:
    """Returns width and order of a field of bits, None for others."""
    path = each.type.path if isinstance(each.type, Use) else ()
    return bits_of(path[0]) if len(path) == 1 else None


def _chained(expr: Expr, names: tuple[str, ...]) -> Expr:
    for each in names:
        expr = Member(expr, each)
    return expr


def _doc(lines: list[str]) -> Iterator[str]:
    """Yields a doc comment of some lines; nothing of none."""
    safe = [line.replace("*/", "* /") for line in lines]
    if len(safe) == 1 and safe[0]:
        yield f"/** {safe[0]} */"
    elif any(safe):
        yield from ("/**", *(f" * {line}".rstrip() for line in safe), " */")
