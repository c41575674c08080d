"""The parser of .proto files, from text to statements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive, v_args
from lark.exceptions import UnexpectedInput, VisitError
from lark.tree import Meta

from lakecodec.generator.diagnostics import Diagnostics, Location

from .comments import Comments
from .proto_syntax import Enum, Extend, Field, Import, Kept, Member, Message, Oneof, Options, Proto, Service

#: The deepest nesting of messages; protoc allows 32.
_DEEPEST = 32
_MOST_DIGITS = 64
_SYNTAXES = ("proto2", "proto3")
_EDITIONS = ("2023", "2024")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|X[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|.)")
_SIGNS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


@cache
def _parser() -> Lark:
    grammar = (files(__package__) / "proto.lark").read_text(encoding="utf-8")
    joined = {"NAME": lambda token: token.update(value="".join(token.split()))}
    return Lark(grammar, parser="lalr", lexer="contextual", propagate_positions=True, lexer_callbacks=joined)


def parse(text: str, file: str, diagnostics: Diagnostics) -> Proto:
    """Returns the statements of a .proto file; a syntax error becomes a diagnostic.

    Args:
        file: the name that locations and messages show.
    """
    diagnostics.add_source(file, text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    builder = _Builder(file, text)
    try:
        builder.transform(_parser().parse(text))
    except UnexpectedInput as error:
        shown = str(getattr(error, "token", None) or getattr(error, "char", ""))
        if shown:
            place = Location(file, error.line, error.column, len(shown))
            diagnostics.error(f"'{shown}' does not belong here in a .proto file", place)
        else:
            place = Location(file, max(1, len(text.splitlines())), 1)
            diagnostics.error("the file ends within a statement", place)
    except VisitError as error:
        if not isinstance(error.orig_exc, _ProtoSyntaxError):
            raise
        diagnostics.error(str(error.orig_exc), Location(file, error.orig_exc.line, 1))
    return builder.made


class _ProtoSyntaxError(Exception):
    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _plain(name: str, line: int) -> str:
    if "." in name:
        raise _ProtoSyntaxError(f"'{name}' is declared here, so it cannot have a dot", line)
    return name


def _options(parts: Sequence[Any]) -> Options:
    return dict(each for each in parts if isinstance(each, tuple))


@v_args(meta=True)
class _Builder(Transformer_NonRecursive):  # type: ignore[type-arg]
    def __init__(self, file: str, text: str) -> None:
        super().__init__()
        self.made = Proto(file)
        self._text = text
        self._comments = Comments(text)

    def _doc(self, meta: Meta) -> list[str]:
        """Returns the comments of the statement that starts here: those above it, and behind its first `;` or `{`."""
        rest = re.compile(r"[;{]").search(self._text, meta.start_pos)
        end = meta.line + self._text.count("\n", meta.start_pos, rest.start() if rest else meta.end_pos)
        return self._comments.of(meta.line, end)

    def start(self, meta: Meta, parts: list[Any]) -> None:
        made = self.made
        made.head = [] if meta.empty else self._comments.before(meta.line)
        made.options = _options(parts)
        made.imports = [each for each in parts if isinstance(each, Import)]
        made.parts = [each for each in parts if isinstance(each, Message | Enum | Extend | Service)]

    def syntax(self, meta: Meta, parts: list[Any]) -> None:
        self._set_syntax(parts[0], _SYNTAXES, "syntax", meta)

    def edition(self, meta: Meta, parts: list[Any]) -> None:
        self._set_syntax(parts[0], _EDITIONS, "edition", meta)

    def _set_syntax(self, given: bytes, known: Sequence[str], what: str, meta: Meta) -> None:
        self.made.syntax = given.decode("utf-8", "replace")
        if self.made.syntax not in known:
            raise _ProtoSyntaxError(f"{what} is {self.made.syntax!r}; known: {', '.join(known)}", meta.line)

    def import_kind(self, meta: Meta, parts: list[Token]) -> str:
        return str(parts[0]) if parts else ""

    def imported(self, meta: Meta, parts: list[Any]) -> Import:
        return Import(parts[1].decode("utf-8", "replace"), meta.line, parts[0] == "public")

    def package(self, meta: Meta, parts: list[str]) -> None:
        self.made.package = parts[0]

    def word(self, meta: Meta, parts: list[Token]) -> str:
        return str(parts[0])

    def minus_word(self, meta: Meta, parts: list[str]) -> str:
        return f"-{parts[0]}"

    def strings(self, meta: Meta, parts: list[Token]) -> bytes:
        return b"".join(_bytes_of(each) for each in parts)

    def aggregate_part(self, meta: Meta, parts: list[Any]) -> Any:
        return parts[0]

    def aggregate(self, meta: Meta, parts: list[Any]) -> tuple[str, ...]:
        # Only `features` are used, and they contain no aggregates.
        return tuple(str(part) for part in parts if not isinstance(part, tuple))

    def option_name(self, meta: Meta, parts: list[str]) -> str:
        return "".join(parts)

    def option(self, meta: Meta, parts: list[Any]) -> tuple[str, Any]:
        return parts[1], _value(parts[2])

    def setting(self, meta: Meta, parts: list[Any]) -> tuple[str, Any]:
        return parts[0], _value(parts[1])

    def options(self, meta: Meta, parts: list[Any]) -> Options:
        return _options(parts)

    def label(self, meta: Meta, parts: list[Token]) -> str:
        return str(parts[0]) if parts else ""

    def field(self, meta: Meta, parts: list[Any]) -> Field:
        label, type_, name, number, options = parts
        return Field(label, type_, _plain(name, meta.line), _value(number), options, meta.line, self._doc(meta))

    def map_field(self, meta: Meta, parts: list[Any]) -> Field:
        label, key, value, name, number, options = parts
        if label:
            raise _ProtoSyntaxError(f"'{name}' is a map, which has no `{label}`", meta.line)
        return Field(
            "repeated", value, _plain(name, meta.line), _value(number), options, meta.line, self._doc(meta), key
        )

    def group(self, meta: Meta, parts: list[Any]) -> Field:
        label, name, number, options, *inside = parts
        doc = self._doc(meta)
        group = self._message(name, inside, meta.line, doc)
        return Field(label, name, name.lower(), _value(number), options, meta.line, doc, "", group)

    def oneof(self, meta: Meta, parts: list[Any]) -> Oneof:
        fields = [each for each in parts if isinstance(each, Field)]
        return Oneof(_plain(parts[0], meta.line), fields, _options(parts), meta.line, self._doc(meta))

    def message(self, meta: Meta, parts: list[Any]) -> Message:
        return self._message(parts[0], parts[1:], meta.line, self._doc(meta))

    def _message(self, name: str, parts: list[Any], line: int, doc: list[str]) -> Message:
        inside = [each for each in parts if isinstance(each, Message)]
        inside += [each.group for each in parts if isinstance(each, Field) and each.group is not None]
        depth = 1 + max((each.depth for each in inside), default=0)
        if depth > _DEEPEST:
            raise _ProtoSyntaxError(
                f"'{name}' has messages in each other {depth} deep; at most {_DEEPEST} are read", line
            )
        return Message(
            _plain(name, line),
            [each for each in parts if not isinstance(each, tuple)],
            _options(parts),
            line,
            doc,
            depth,
        )

    def range(self, meta: Meta, parts: list[Token]) -> str:
        return " to ".join(parts)

    def reserved_name(self, meta: Meta, parts: list[Any]) -> str:
        return parts[0].decode("utf-8", "replace") if isinstance(parts[0], bytes) else str(parts[0])

    def extensions(self, meta: Meta, parts: list[Any]) -> Kept:
        return Kept(f"extensions {', '.join(each for each in parts if isinstance(each, str))}", meta.line)

    def reserved(self, meta: Meta, parts: list[str]) -> Kept:
        return Kept(f"reserved {', '.join(parts)}", meta.line)

    def value(self, meta: Meta, parts: list[Any]) -> Member:
        return Member(_plain(parts[0], meta.line), _value(parts[1]), meta.line, self._doc(meta))

    def enum(self, meta: Meta, parts: list[Any]) -> Enum:
        members = [each for each in parts if isinstance(each, Member)]
        kept = [each for each in parts if isinstance(each, Kept)]
        return Enum(_plain(parts[0], meta.line), members, kept, _options(parts), meta.line, self._doc(meta))

    def extend(self, meta: Meta, parts: list[Any]) -> Extend:
        return Extend(parts[0], [each for each in parts if isinstance(each, Field)], meta.line)

    def service(self, meta: Meta, parts: list[Any]) -> Service:
        return Service(parts[0], meta.line)

    def rpc(self, meta: Meta, parts: list[Any]) -> None:
        return None


def _value(value: Any) -> Any:
    """Returns an option's value; numbers are tokens before."""
    if not isinstance(value, Token):
        return value
    text = value.replace(" ", "").replace("\t", "")
    if value.type == "FLOAT":
        return float(text.rstrip("f"))
    digits = text.lstrip("-")
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
    if len(digits) > _MOST_DIGITS or (base == 8 and set(digits) & set("89")):
        raise _ProtoSyntaxError(f"{digits[:_MOST_DIGITS]} is not a number", value.line or 1)
    number = int(digits, base)
    return -number if text.startswith("-") else number


def _bytes_of(token: Token) -> bytes:
    def replaced(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] in "xX" and len(code) > 1:
            return _byte(int(code[1:], 16))
        if code[0] in "uU" and len(code) > 1:
            number = int(code[1:], 16)
            if number > 0x10FFFF or 0xD800 <= number < 0xE000:
                raise _ProtoSyntaxError(f"\\{code} is not a character", token.line or 1)
            return chr(number)
        if code[0] in "01234567":
            return _byte(int(code, 8) & 255)
        return _SIGNS.get(code, code)

    return _ESCAPE.sub(replaced, token[1:-1]).encode("utf-8", "surrogateescape")


def _byte(number: int) -> str:
    """Returns the character that `surrogateescape` encodes as this byte."""
    return chr(0xDC00 + number) if number > 127 else chr(number)
