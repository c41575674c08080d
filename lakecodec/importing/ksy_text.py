"""The IDL of a .ksy file."""

from __future__ import annotations

import posixpath
from typing import Any

from .imported import Note, include_path
from .ksy_arguments import Arguments
from .ksy_bits import Bits
from .ksy_byte_orders import Orders
from .ksy_captures import SIZE_RECORD
from .ksy_choices import Choices, Lines, Owner
from .ksy_elements import Elements
from .ksy_expressions import Expr, Member, Name
from .ksy_fields import Fields
from .ksy_files import KsyFile
from .ksy_kinds import InexpressibleError, Types, bits_of_field
from .ksy_known import FUNCTIONS, Context
from .ksy_model import Attribute, KsyEnum, KsyType
from .ksy_names import Names, attribute_name, member_name
from .ksy_page import Page
from .ksy_rules import Rules
from .ksy_translate import NUMBERS, Translator
from .ksy_variants import Variants
from .ksy_words import Translated, doc_lines


class KsyText:
    """The text of one file, which is made again until the IDL can express all of it."""

    def __init__(self, file: KsyFile, types: Types, names: Names, translator: Translator, choices: Choices) -> None:
        self.file = file
        self._types = types
        self._page = Page(file, types, names, translator, choices)
        self._orders, rules = Orders(self._page), Rules(self._page)
        self._arguments = Arguments(self._page, self._orders)
        self._bits = Bits(self._page, rules)
        self._fields = Fields(self._page, self._arguments, rules, Elements(self._page, self._arguments, self._bits))
        self._variants = Variants(self._page, self._fields, self._orders, self._arguments)
        self.refuse_argument, self.omit = self._arguments.refuse_argument, self._page.omit
        translator.referred = self._page.reference
        taken = {names(each, each) for each in types.by_idl[file.idl]}
        self._size_record = SIZE_RECORD
        while self._size_record in taken:
            self._size_record += "_"

    @property
    def writable(self) -> dict[str, str | None]:
        return self._page.writable

    @property
    def notes(self) -> list[Note]:
        return self._page.notes

    @property
    def includes(self) -> tuple[str, ...]:
        return tuple(self._page.included)

    def lines(self) -> Lines:
        """Returns the lines of the IDL, each with its subject."""
        while True:
            before = self._page.choices.count, self._known_needs()
            self._page.clear()
            body: Lines = []
            for each in self._types.by_idl[self.file.idl]:
                self._page.at = each.file
                body += self._type(each)
                for enum in each.enums.values():
                    body += self._enum(enum)
            if before == (self._page.choices.count, self._known_needs()):
                return [*self._head(), *body]

    def _known_needs(self) -> list[Any]:
        own = self._types.by_idl[self.file.idl]
        translator = self._page.translator
        return [(tuple(translator.needs.get(each, ())), tuple(translator.captures.found.get(each, ()))) for each in own]

    def _head(self) -> Lines:
        files = dict.fromkeys(each.file.file for each in reversed(self._types.by_idl[self.file.idl]))
        found: Lines = [(f"// Imported from {', '.join(map(posixpath.basename, files))}.", None), ("", None)]
        for each in self._page.included:
            found.append((f'include "{include_path(self.file.idl, each)}"', None))
        found.append(("", None))
        for name, (parameters, extern) in sorted(self._page.codecs.items()):
            shown = f"({parameters})" if parameters else ""
            found.append((f'codec {name}{shown} -> bytes = extern "{extern}";', None))
        for name in sorted(self._page.translator.functions.get(self.file.idl, ())):
            parameters, result, extern = FUNCTIONS[name]
            found.append((f'fn {name}({parameters}) -> {result} = extern "{extern}";', None))
        if any(map(self._stream_size, self._types.by_idl[self.file.idl])):
            found.append((f"record {self._size_record}(i64 bytes) {{}}", None))
        for name, extern in sorted(self._page.structs.items()):
            found.append((f'struct {name} {{}} (lakecodec.codec = "{extern}")', None))
        found.append(("", None))
        return found

    def _enum(self, enum: KsyEnum) -> Lines:
        found: Lines = [("", None), (f"enum {self._page.names(enum, enum.owner)} {{", None)]
        taken: set[str] = set()
        for number, name, doc, line in enum.members:
            if number not in NUMBERS:
                text = f"{name} = {number} of the enum {enum.name} is left out: it does not fit 64 bits, so it stays a number"
                found.append((self._page.note(line, text, "enum"), None))
                continue
            found += [(each, None) for each in doc_lines(doc)]
            called = member_name(name)
            while called in taken:
                called += "_"
            taken.add(called)
            found.append((f"{called} = {number};", None))
        is_wide = any(not -(1 << 31) <= number < 1 << 31 for number, *_ in enum.members)
        found.append(('} (lakecodec.bits = "64")' if is_wide else "}", None))
        return found

    def _type(self, made: KsyType) -> Lines:
        name = self._page.names(made, made)
        if self._types.is_choice(made):
            return self._variants.variant(made, name)
        self._page.writable[name] = None
        order = self._orders.order(made, Context(made, ("order", "")))
        body = [*self._seq(made), *self._stream_size(made), *self._instances(made)]
        whole = self._page.spans.unread(made)
        if whole:
            unread = attribute_name("unread")
            while made.attribute(unread) is not None:
                unread += "_"
            body.append((f"bytes {unread}[..]{' if whole' if whole == 'sometimes' else ''};", (made, ("unread", ""))))
        is_root = made is made.file.root
        places = any(map(self._has_places, self._types.by_idl[self.file.idl] if is_root else (made,)))
        attributes = [each for each in (order, "overlaps" if places else "") if each]
        known = self._orders.known_orders(made)
        head = f"record {name}{self._arguments.parameters(made)}{' : ' if attributes else ''}{', '.join(attributes)}{known} {{"
        owner: Owner = (made, ("type", ""))
        return [("", None), *((each, None) for each in doc_lines(made.doc)), (head, owner), *body, ("}", owner)]

    def _seq(self, made: KsyType) -> Lines:
        found: Lines = []
        place = 0
        while place < len(made.seq):
            each = made.seq[place]
            why = self._page.choices.left_out.get((id(made), each.id))
            if why is not None:
                found.append(
                    (self._page.note(each.line, f"{each.id} and what follows it stay bytes: {why}", "field"), None)
                )
                break
            run = self._bits.run(made, place)
            if run:
                found += self._bits.fields(made, run)
                place += len(run)
                continue
            for name, capture in self._page.translator.captures.found.get(made, {}).items():
                if capture.before == each.id:
                    found.append((f"bytes {capture.name}[0] if not at_end;", (made, ("let", name))))
            found += [(line, None) for line in doc_lines(each.doc)]
            try:
                if each.repeat and bits_of_field(each) is not None:
                    found += self._bits.repeated(made, each)
                    place += 1
                    continue
                at = self._fields.place_in_row(made, place)
                found += (
                    self._fields.ended(made, each)
                    if self._fields.is_ended(made, each)
                    else self._fields.field(made, each, at)
                )
            except InexpressibleError as error:
                self._page.omit(made, each.id, str(error))
                continue
            place += 1
        return found

    def _stream_size(self, made: KsyType) -> Lines:
        """Returns the field whose parameter is the size of a type's bytes, if a computed value needs it."""
        capture = self._page.translator.captures.found.get(made, {}).get("size")
        return [] if capture is None else [(f"{self._size_record}(end) {capture.name} at 0 size 0;", None)]

    def _has_places(self, made: KsyType) -> bool:
        is_counted = id(made) in self._page.choices.owners or bool(self._stream_size(made))
        return (
            self._page.spans.has_placed_row(made)
            or is_counted
            or any(
                each.value is None and (id(made), each.id) not in self._page.choices.left_out
                for each in made.instances.values()
            )
        )

    def _instances(self, made: KsyType) -> Lines:
        found: Lines = []
        for each in made.instances.values():
            why = self._page.choices.left_out.get((id(made), each.id))
            if why is not None:
                found.append((self._page.note(each.line, f"{each.id} is left out: {why}", "instance"), None))
                continue
            try:
                lines = self._computed(made, each) if each.value is not None else self._placed(made, each)
            except InexpressibleError as error:
                self._page.omit(made, each.id, str(error))
                continue
            found += [*((line, None) for line in doc_lines(each.doc)), *lines]
        return found

    def _computed(self, made: KsyType, each: Attribute) -> Lines:
        assert each.value is not None
        context = Context(made, ("let", each.id))
        translated = self._page.translator.value(each.value, context)
        text = translated.text
        if translated.kind.name == "int" and text in self._enum_names(made, each.value, context):
            text = f"{text} + 0"
        if each.enum is not None and (enum := self._types.find_enum(each.enum, made)) is not None:
            text = f"member({self._page.reference(enum, made)}, {text})"
            translated = Translated(text, translated.kind)
        if each.condition is not None:
            text = f"{self._page.translator.value(each.condition, context).closed} ? {translated.closed} : null"
        return [(f"let {attribute_name(each.id)} = {text};", (made, ("let", each.id)))]

    def _enum_names(self, made: KsyType, value: Expr, context: Context) -> set[str]:
        if isinstance(value, Member) and value.name == "to_i":
            base = self._page.translator.value(value.base, context)
            return {base.text} if base.kind.name == "enum" else set()
        return set()

    def _above(self, made: KsyType, io: Expr) -> KsyType | None:
        """Returns the type whose stream `_parent._io` is, None for other streams."""
        base = io.base if isinstance(io, Member) and io.name == "_io" else None
        at: KsyType | None = made
        while isinstance(base, Member) and base.name == "_parent" and at is not None:
            base, at = base.base, self._page.translator.parent(at).type
        return self._page.translator.parent(at).type if base == Name("_parent") and at is not None else None

    def _placed(self, made: KsyType, each: Attribute) -> Lines:
        context = Context(made, ("field", each.id))
        if each.pos is None:
            raise InexpressibleError("an instance without `pos` cannot be expressed")
        streams = self._page.spans.streams(made)
        pos = self._page.translator.number(each.pos, context)
        source = ""
        of = made if each.io is None else self._above(made, each.io)
        if each.io is not None and of is None:
            if each.io != Member(Name("_root"), "_io"):
                raise InexpressibleError("a place in the stream of another object cannot be expressed")
            if self._page.spans.is_coded(made):
                raise InexpressibleError("a place in the root's stream cannot be expressed within what was decoded")
            if made.outer is not None or made.variant is not None:
                source = " from source"
        elif streams <= {"source"}:
            if made.outer is not None or made.variant is not None:
                source = " from source"
        elif streams != {"own"} and not (made.outer is None and streams <= {"own", "source"}):
            owner = None if of is None else self._page.spans.owner(of)
            if owner is None:
                raise InexpressibleError(
                    "a place that counts from the start of another type's bytes cannot be expressed"
                )
            self._page.choices.owners.add(id(owner))
            source = f" from {self._page.reference(owner, made)}"
        return self._fields.field(made, each, f"at {pos.text}{source}")
