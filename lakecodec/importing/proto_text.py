"""The IDL of a .proto file."""

from __future__ import annotations

import math
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lakecodec.generator.resolve.messages import UNPACKED_KINDS
from lakecodec.generator.resolve.scope import MESSAGE_TYPES
from lakecodec.language.formatter import format_idl

from .imported import Note, include_path
from .proto_files import ProtoFile
from .proto_names import Names, field_name, member_name
from .proto_syntax import Enum, Extend, Field, Kept, Message, Oneof, Options, Service, Value

_SCALARS = frozenset({*MESSAGE_TYPES, "double", "bool", "string"})
#: Default features of fields by syntax. Later editions start with the defaults of the first one.
_EDITION = {"field_presence": "EXPLICIT", "repeated_field_encoding": "PACKED", "message_encoding": "LENGTH_PREFIXED"}
_FEATURES = {
    "proto2": {**_EDITION, "repeated_field_encoding": "EXPANDED"},
    "proto3": {**_EDITION, "field_presence": "IMPLICIT"},
}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class ProtoText:
    """The IDL of one file: ``text``, ``includes`` (names of IDLs), ``notes`` and ``writable``."""

    def __init__(self, file: ProtoFile, names: Names) -> None:
        self.notes: list[Note] = []
        self.writable: dict[str, str | None] = {}
        self._file = file
        self._names = names
        self._included: list[ProtoFile] = []
        self._referred: set[str] = set()
        proto = file.proto
        features = _with_features(_FEATURES.get(proto.syntax, _EDITION), proto.options)
        #: The file's extensions by message: the field, its scope, and the features around it.
        self._extensions: dict[int, list[tuple[Field, str, Mapping[str, str]]]] = {}
        #: The messages of other files that it extends.
        self._foreign: dict[int, tuple[ProtoFile, Message]] = {}
        self._extend(proto.parts, proto.package, features)
        body = [line for part in proto.parts for line in self._part(part, proto.package, features)]
        body += [line for owner, message in self._foreign.values() for line in self._foreign_extensions(owner, message)]
        self.includes = tuple(each.idl for each in self._included)
        head = [f"// {line}".rstrip() for line in proto.head]
        head += [*([""] if head else []), f"// Imported from {posixpath.basename(proto.file)}, {proto.syntax}.", ""]
        if proto.package:
            head.append(f"namespace * {proto.package}")
        head += [f'include "{include_path(file.idl, each)}"' for each in self.includes]
        self.text = format_idl("\n".join([*head, "", *body, ""]), file.idl)

    @property
    def root(self) -> str | None:
        """The first message that no other one refers to; the first one if all are referred to."""
        messages = [self._names.of(each) for each in self._file.proto.parts if isinstance(each, Message)]
        return next((each for each in messages if each not in self._referred), messages[0] if messages else None)

    def _note(self, line: int, message: str, kind: str) -> str:
        """Adds a note, and returns it as a comment of the IDL."""
        self.notes.append(Note(self._file.proto.file, line, message, kind))
        return f"// {message}"

    def _part(self, part: object, scope: str, features: Mapping[str, str]) -> Iterator[str]:
        match part:
            case Message():
                yield from self._message(part, scope, features)
            case Enum():
                yield from self._enum(part)
            case Extend():
                known = self._extended(part, scope) is not None
                for field in part.fields:
                    if not known:
                        text = f"{field.name}, field {field.number} of {part.extended}, is an extension"
                        yield self._note(field.line, f"{text} of a message that is not found", "extension")
                    elif field.group is not None:
                        yield from self._message(field.group, scope, features)
            case Service():
                yield self._note(
                    part.line, f"the service {part.name} is left out: the IDL has no services of messages", "service"
                )

    def _extended(self, part: Extend, scope: str) -> tuple[ProtoFile, Message] | None:
        """Returns the message that an `extend` is of, with its file."""
        found = self._names.find(part.extended, scope, self._file)
        return (found[0], found[1]) if found is not None and isinstance(found[1], Message) else None

    def _extend(self, parts: Sequence[object], scope: str, features: Mapping[str, str]) -> None:
        for part in parts:
            if isinstance(part, Message):
                inside = f"{scope}.{part.name}" if scope else part.name
                self._extend(part.parts, inside, _with_features(features, part.options))
            elif isinstance(part, Extend) and (found := self._extended(part, scope)) is not None:
                owner, message = found
                self._extensions.setdefault(id(message), []).extend((each, scope, features) for each in part.fields)
                if owner is not self._file:
                    self._foreign[id(message)] = owner, message

    def _extension_fields(self, message: Message, owner: str) -> Iterator[str]:
        """Yields the extensions of a message as fields, each with a name that no other field has.

        Those of a message set are comments: the set has them as items.
        """
        taken = {
            each.name for part in message.parts for each in getattr(part, "fields", [part]) if hasattr(each, "name")
        }
        for field, scope, features in self._extensions.get(id(message), ()):
            if _is_set(message):
                yield f"// The extension {scope}.{field.name}: items whose type_id is {field.number} are a {field.type}."
                continue
            name = field.name
            while name in taken:
                name = f"{scope.rpartition('.')[2]}_{name}" if name == field.name else f"{name}_"
            taken.add(name)
            yield f"// The extension {scope}.{field.name}."
            explicit = {**features, "field_presence": "EXPLICIT"}
            yield from self._field(replace(field, name=name), owner, scope, explicit)

    def _foreign_extensions(self, owner: ProtoFile, message: Message) -> Iterator[str]:
        """Yields a message of the extensions that this file has of a message of another file."""
        extended = self._names.of(message)
        name = self._names.fresh(f"{extended}_Extensions", self._file)
        fields = list(self._extension_fields(message, name))
        if _is_set(message):
            yield from (*fields, "")
            return
        self.writable[name] = None
        package = f"{owner.proto.package}." if owner.proto.package else ""
        what = f"The extensions of {package}{extended} that this file has"
        yield f"/** {what}: its `unknown_fields` are the bytes of this message. */"
        yield from (f"message {name} {{", *fields, "}", "")

    def _enum(self, enum: Enum) -> Iterator[str]:
        yield from _doc(enum.doc)
        yield f"enum {self._names.of(enum)} {{"
        yield from (f"// {_one_line(each.text)}" for each in enum.kept)
        for member in enum.members:
            yield from _doc(member.doc)
            yield f"{self._called(member.name, member_name(member.name), member.line)} = {member.number};"
        yield "}"
        yield ""

    def _called(self, name: str, found: str, line: int) -> str:
        if found != name:
            self._note(line, f"'{name}' is called '{found}', since it is a word of the IDL", "renamed")
        return found

    def _message(self, message: Message, scope: str, features: Mapping[str, str]) -> Iterator[str]:
        name, inside = self._names.of(message), f"{scope}.{message.name}" if scope else message.name
        features = _with_features(features, message.options)
        self.writable[name] = None
        behind: list[str] = []
        lines: list[str] = []
        if _is_set(message):
            item = self._names.fresh(f"{name}_Item", self._file)
            self.writable[item] = None
            lines.append(f'1: list<{item}> items (group = "true");')
            behind += ["/** An item of a message set: the number of an extension, and the bytes of its message. */"]
            behind += [f"message {item} {{", "2: optional uint32 type_id;", "3: optional bytes message;", "}", ""]
        for part in message.parts:
            match part:
                case Field():
                    lines += self._field(part, name, inside, features)
                    behind += [] if part.group is None else self._message(part.group, inside, features)
                case Oneof():
                    groups = [each.group for each in part.fields if each.group is not None]
                    behind += [line for group in groups for line in self._message(group, inside, features)]
                    members = [line for each in part.fields for line in self._field(each, name, inside, features, part)]
                    if any(not line.startswith("//") for line in members):
                        called = self._names.of(part)
                        lines += [
                            *_doc(part.doc),
                            f"{called} {self._called(part.name, field_name(part.name), part.line)};",
                        ]
                        behind += [*_doc(part.doc), f"oneof {called} {{", *members, "}", ""]
                    else:
                        lines += members
                case Kept():
                    lines.append(f"// {_one_line(part.text)}")
                case _:
                    behind += self._part(part, inside, features)
        lines += self._extension_fields(message, name)
        yield from _doc(message.doc)
        yield from (f"message {name} {{", *lines, "}", "", *behind)

    def _field(
        self, field: Field, owner: str, scope: str, features: Mapping[str, str], oneof: Oneof | None = None
    ) -> Iterator[str]:
        """Yields a field with its comment, or a comment that says that it is left out."""
        features = _with_features(features, field.options)
        found = None if field.type in _SCALARS else self._names.find(field.type, scope, self._file)
        is_message = found is not None and isinstance(found[1], Message)
        is_group = field.group is not None or (
            features["message_encoding"] == "DELIMITED" and is_message and not field.key
        )
        if found is None and field.type not in _SCALARS:
            text = f"{field.name}, field {field.number}, stays in unknown_fields: its type {field.type} is not found"
            self.writable[owner] = self.writable[owner] or f"the type of {field.name} is not found"
            yield self._note(field.line, text, "import")
            return
        type_ = field.type
        if found is not None:
            type_ = self._names.reference(found[1], found[0], self._file)
            if found[0] is not self._file and found[0] not in self._included:
                self._included.append(found[0])
            if not owner.startswith(type_):
                self._referred.add(type_)
        ending = ""
        if field.key:
            type_ = f"map<{field.key}, {type_}>"
        elif field.label == "repeated":
            is_packed = field.options.get(
                "packed", "true" if features["repeated_field_encoding"] == "PACKED" else "false"
            )
            is_packable = not is_message and field.type not in UNPACKED_KINDS | {"bytes"}
            type_ = f"list<{type_}>"
            ending = ' (packed = "false")' if is_packable and is_packed == "false" else ""
        if is_group:
            ending = ' (group = "true")'
        yield from _doc(field.doc)
        default = self._default(field, found, in_oneof=oneof is not None)
        name = self._called(field.name, field_name(field.name), field.line)
        yield f"{field.number}: {_requiredness(field, features, oneof)} {type_} {name}{default}{ending};"

    def _default(self, field: Field, found: tuple[ProtoFile, Message | Enum] | None, *, in_oneof: bool) -> str:
        """Returns ` = value` of the option `default`; empty if there is none or the IDL cannot express it."""
        value = field.options.get("default")
        if value is None:
            return ""
        text = _literal(value, field.type)
        if found is not None:
            text = f"{self._names.reference(found[1], found[0], self._file)}.{member_name(str(value))}"
        if text is None or in_oneof:
            no_value = "it is not UTF-8" if isinstance(value, bytes) else "the IDL has no such number"
            why = "a member of a oneof has none" if in_oneof else no_value
            self._note(field.line, f"the default {value!s} of {field.name} is left out: {why}", "default")
            return ""
        return f" = {text}"


def _is_set(message: Message) -> bool:
    """Returns whether a message is a message set, whose extensions are items with a number and a message."""
    return message.options.get("message_set_wire_format") == "true"


def _requiredness(field: Field, features: Mapping[str, str], oneof: Oneof | None) -> str:
    presence = features["field_presence"]
    if field.label == "repeated" or oneof is not None:
        return ""
    if field.label == "required" or presence == "LEGACY_REQUIRED":
        return "required"
    return "optional" if field.label == "optional" or presence == "EXPLICIT" else ""


def _with_features(features: Mapping[str, str], options: Options) -> Mapping[str, str]:
    """Returns the features inside of a declaration with these options."""
    found = dict(features)
    for name, value in options.items():
        if name == "features" and isinstance(value, tuple):
            signs = list(value)
            pairs = zip(signs, signs[1:], signs[2:], strict=False)
            found |= {name: chosen for name, colon, chosen in pairs if colon == ":" and name in features}
        elif name.removeprefix("features.") in features and name.startswith("features."):
            found[name.removeprefix("features.")] = str(value)
    return found


def _literal(value: Value, type_: str) -> str | None:
    """Returns a default as the IDL writes it, None for infinities, NaN and texts that are not UTF-8."""
    if isinstance(value, bytes):
        if type_ == "bytes":
            return (
                'b"'
                + "".join(
                    _ESCAPES.get(chr(each), f"\\x{each:02x}" if not 32 <= each < 127 else chr(each)) for each in value
                )
                + '"'
            )
        try:
            text = value.decode()
        except UnicodeDecodeError:
            return None
        return '"' + "".join(_ESCAPES.get(sign, sign if sign.isprintable() else _escaped(sign)) for sign in text) + '"'
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else None
    if isinstance(value, int):
        return f"{value}.0" if type_ in ("float", "double") and abs(value) > 1 << 63 else str(value)
    return value if value in ("true", "false") else None


def _escaped(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else sign


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _doc(lines: Sequence[str]) -> Iterator[str]:
    """Yields a doc comment of some lines; nothing without lines."""
    safe = [line.replace("*/", "* /") for line in lines]
    if len(safe) == 1 and safe[0]:
        yield f"/** {safe[0]} */"
    elif any(safe):
        yield from ("/**", *(f" * {line}".rstrip() for line in safe), " */")
