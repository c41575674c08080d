"""The types of fields in the words of the IDL, with the codecs around them."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from lakecodec.runtime.codecs import encoding_of

from .ksy_arguments import Arguments
from .ksy_bits import Bits
from .ksy_expressions import Use
from .ksy_kinds import InexpressibleError, UseSite, is_ended, is_plain
from .ksy_known import Context
from .ksy_model import Attribute, KsyType
from .ksy_numbers import bits_of, number_of
from .ksy_page import Page
from .ksy_words import bytes_literal, text_literal

_CODECS = {
    "zlib": ("", "runtime.codecs:Zlib"),
    "xor": ("i64 key", "runtime.codecs:Xor"),
    "xor_bytes": ("binary key", "runtime.codecs:Xor"),
    "rotated": ("i64 bits", "runtime.codecs:RotateLeft"),
    "text": ("string encoding", "runtime.codecs:Text"),
    "filled": ("i64 room, binary terminator, bool keep, i64 fill", "runtime.codecs:Filled"),
}


@dataclass(slots=True)
class Element:
    """One element of an attribute in the IDL's words."""

    type: str
    length: str = ""
    clauses: list[str] = field(default_factory=list)
    size: str = ""


class Elements:
    """The types of fields in the words of the IDL, with the codecs around them."""

    def __init__(self, page: Page, arguments: Arguments, bits: Bits) -> None:
        self._page = page
        self._arguments = arguments
        self._bits = bits

    def element(self, made: KsyType, each: Attribute, context: Context, inner: KsyType | None) -> Element:
        if isinstance(each.type, Use) and not each.is_text and len(each.type.path) == 1:
            number = number_of(each.type.path[0])
            if number is not None:
                return Element(self._page.number_type(*number, made), clauses=self._page.enum_clause(made, each))
            if bits_of(each.type.path[0]) is not None:
                raise InexpressibleError("single bits that are repeated or conditional cannot be expressed")
        codecs_ = self._around(made, each, context)
        size = ""
        if each.size is not None:
            size = self._page.translator.number(each.size, context).text
        if is_plain(each) and inner is None:
            return self._text(made, each, size, codecs_)
        span = size
        if not span and (each.size_eos or each.process is not None or each.terminator is not None):
            if each.terminator is not None and not each.size_eos:
                raise InexpressibleError("a type that a terminator ends cannot be expressed")
            span = "rest"
        if inner is not None:
            site = UseSite(made, each, Use(()), bool(span), False)
            return Element(
                self._page.reference(inner, made) + self._arguments.given(inner, site, context), "", codecs_, span
            )
        assert isinstance(each.type, Use)
        found = self._page.types.find(each.type.path, made)
        if found is None:
            return Element(self._opaque(made, each), "", ["via compact", *codecs_], span)
        if not span and self._page.spans.is_cut(found):
            raise InexpressibleError(f"the end of '{found.name}' is not known")
        if not span:
            self._bits.check_bytes_end(made, each, found)
        site = UseSite(made, each, each.type, bool(span), False)
        return Element(
            self._page.reference(found, made) + self._arguments.given(found, site, context), "", codecs_, span
        )

    def _opaque(self, made: KsyType, each: Attribute) -> str:
        assert isinstance(each.type, Use)
        name = "::".join(each.type.path)
        if each.type.arguments:
            raise InexpressibleError(f"there is no type {name}, and a type of Python has no arguments")
        called = "".join(part[:1].upper() + part[1:] for part in each.type.path[-1].split("_"))
        self._page.structs[called] = f"{each.type.path[0]}:{called}"
        text = (
            f"{each.id} is read by Python's class {called} of the module {each.type.path[0]}: there is no type {name}"
        )
        self._page.need_class(made, each, text)
        return called

    def _text(self, made: KsyType, each: Attribute, size: str, around: list[str]) -> Element:
        """Returns the element of bytes or a text."""
        type_ = "utf8" if each.is_text else "bytes"
        encoding = self._encoding(made, each)
        coded = [f"via text({text_literal(encoding)})"] if encoding else []
        if encoding:
            self._page.codecs["text"] = _CODECS["text"]
        if each.contents is not None and each.size is None:
            return Element("bytes", f"[{len(each.contents)}]")
        if each.size is None and not each.size_eos:
            if each.terminator is None:
                raise InexpressibleError("it has neither a size nor a terminator")
            if is_ended(each, self.terminator(made, each)):
                raise InexpressibleError("a terminator of several bytes in a list cannot be expressed")
            return Element(type_, clauses=[f"until {bytes_literal(each.terminator)}", *coded])
        codecs_ = [*coded, *around]
        if each.size_eos:
            return Element(type_, "[..]", codecs_)
        if codecs_:
            return Element(type_, "", codecs_, size)
        return Element(type_, f"[{f'({size})' if '<' in size else size}]")

    def _encoding(self, made: KsyType, each: Attribute) -> str:
        """Returns the encoding of a text; empty for bytes and UTF-8."""
        if not each.is_text:
            return ""
        name = each.encoding
        at: KsyType | None = made
        while name is None and at is not None:
            name, at = at.encoding, at.outer
        if name is None:
            raise InexpressibleError("its encoding is not given")
        try:
            found = codecs.lookup(encoding_of(name)).name
        except ValueError as error:
            raise InexpressibleError(str(error)) from None
        return "" if found in ("utf-8", "ascii") else name

    def _around(self, made: KsyType, each: Attribute, context: Context) -> list[str]:
        """Returns the codecs around the bytes of an element: those for padding, then those of `process`."""
        found = []
        has_room = each.size is not None or each.size_eos
        if each.process is not None:
            found.append(self._process(made, each, context))
        if has_room and (each.pad is not None or each.terminator is not None):
            room = "-1" if each.size is None else self._page.translator.number(each.size, context).text
            terminator = bytes_literal(self.terminator(made, each))
            self._page.codecs["filled"] = _CODECS["filled"]
            include = "true" if each.include else "false"
            fill = -1 if each.pad is None else each.pad
            found.append(f"via filled({room}, {terminator}, {include}, {fill})")
        return found

    def terminator(self, made: KsyType, each: Attribute) -> bytes:
        """Returns the bytes that end a field: a text of `strz` ends with a character of its encoding."""
        is_strz = isinstance(each.type, Use) and each.type.path == ("strz",)
        if is_strz and each.terminator == b"\0" and (encoding := self._encoding(made, each)):
            return b"\0" * {"utf-16": 2, "utf-32": 4}.get(encoding_of(encoding)[:6], 1)
        return each.terminator or b""

    def _process(self, made: KsyType, each: Attribute, context: Context) -> str:
        assert each.process is not None
        name, arguments = each.process.name, each.process.arguments
        translated = [self._page.translator.value(argument, context) for argument in arguments]
        if name == "zlib" and not translated:
            self._page.codecs["zlib"] = _CODECS["zlib"]
            return "via zlib"
        if name == "xor" and len(translated) == 1:
            called = "xor_bytes" if translated[0].kind.name == "bytes" else "xor"
            self._page.codecs[called] = _CODECS[called]
            return f"via {called}({translated[0].text})"
        if name in ("rol", "ror") and len(translated) == 1:
            self._page.codecs["rotated"] = _CODECS["rotated"]
            bits = translated[0].text if name == "rol" else f"(8 - {translated[0].closed}) % 8"
            return f"via rotated({bits})"
        module, _, last = name.rpartition(".")
        called = name.replace(".", "_")
        cls = "".join(part[:1].upper() + part[1:] for part in last.split("_"))
        parameters = [
            f"{self._page.parameter_type(value.kind, made)} argument{number}"
            for number, value in enumerate(translated, 1)
        ]
        self._page.codecs[called] = ", ".join(parameters), f"{module or last}:{cls}"
        text = f"{each.id} is decoded by Python's class {cls} of the module {module or last}, which has to be written"
        self._page.need_class(made, each, text)
        return f"via {called}({', '.join(value.text for value in translated)})" if translated else f"via {called}"
