"""Google's protobuf beside imported modules: random messages, random files, and what their values must be."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FieldDescriptor as F

_BITS = {
    F.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1), F.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    F.CPPTYPE_UINT32: (0, (1 << 32) - 1), F.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}  # fmt: skip


def fill(message: Any, choose: random.Random, depth: int = 3) -> None:
    """Fills some fields of a message of Google's with random values; required ones always, maps with one entry at most."""
    for field in message.DESCRIPTOR.fields:
        if not field.is_required and (choose.random() < 0.3 or (field.message_type and not depth)):
            continue
        if field.message_type and field.message_type.GetOptions().map_entry:
            key = scalar(field.message_type.fields_by_name["key"], choose)
            value = field.message_type.fields_by_name["value"]
            if value.message_type:
                fill(getattr(message, field.name)[key], choose, depth - 1)
            else:
                getattr(message, field.name)[key] = scalar(value, choose)
        elif field.message_type and field.is_repeated:
            for _ in range(choose.randrange(3)):
                fill(getattr(message, field.name).add(), choose, depth - 1)
        elif field.message_type:
            getattr(message, field.name).SetInParent()
            fill(getattr(message, field.name), choose, depth - 1)
        elif field.is_repeated:
            getattr(message, field.name).extend(scalar(field, choose) for _ in range(choose.randrange(4)))
        else:
            setattr(message, field.name, scalar(field, choose))


def scalar(field: Any, choose: random.Random) -> Any:
    match field.cpp_type:
        case F.CPPTYPE_BOOL:
            return choose.random() < 0.5
        case F.CPPTYPE_FLOAT | F.CPPTYPE_DOUBLE:
            return choose.choice([0.0, -0.0, 0.5, -1.25, float("inf")])
        case F.CPPTYPE_STRING:
            text = choose.choice(["", "a", "é√𝄞", "x" * 200])
            return text.encode() + b"\xff" if field.type == F.TYPE_BYTES else text
        case F.CPPTYPE_ENUM:
            return choose.choice(field.enum_type.values).number
    low, high = _BITS[field.cpp_type]
    return choose.choice([low, high, 0, 1, choose.randint(low, high)])


def compare(theirs: Any, ours: Any, module: Any) -> None:
    """Compares the values of a message of Google's with those of an imported one, field by field."""
    attributes = {field.name: field.attr for field in ours.__spec__.fields}
    for field in theirs.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        if oneof is not None and attributes.get(field.name) is None:
            chosen = getattr(ours, attributes[oneof.name])
            is_this = theirs.HasField(field.name)
            assert (chosen is not None and chosen.kind.rstrip("_") == field.name) == is_this, field.full_name
            if is_this:
                _compare_value(getattr(theirs, field.name), chosen.value, module)
            continue
        value = getattr(ours, attributes[field.name])
        if field.has_presence and not theirs.HasField(field.name):
            assert value is None, field.full_name
        elif field.message_type and field.message_type.GetOptions().map_entry:
            assert list(value) == list(getattr(theirs, field.name)), field.full_name
            for key, each in getattr(theirs, field.name).items():
                _compare_value(each, value[key], module)
        elif field.is_repeated:
            assert len(value) == len(getattr(theirs, field.name)), field.full_name
            for one, other in zip(getattr(theirs, field.name), value, strict=True):
                _compare_value(one, other, module)
        else:
            _compare_value(getattr(theirs, field.name), value, module)


def _compare_value(theirs: Any, ours: Any, module: Any) -> None:
    if hasattr(theirs, "DESCRIPTOR"):
        compare(theirs, ours, module)
    else:
        assert theirs == ours


SCALARS = {
    F.TYPE_DOUBLE: "double", F.TYPE_FLOAT: "float", F.TYPE_INT64: "int64", F.TYPE_UINT64: "uint64", F.TYPE_INT32: "int32",
    F.TYPE_FIXED64: "fixed64", F.TYPE_FIXED32: "fixed32", F.TYPE_BOOL: "bool", F.TYPE_STRING: "string",
    F.TYPE_BYTES: "bytes", F.TYPE_UINT32: "uint32", F.TYPE_SFIXED32: "sfixed32", F.TYPE_SFIXED64: "sfixed64",
    F.TYPE_SINT32: "sint32", F.TYPE_SINT64: "sint64",
}  # fmt: skip
_UNPACKABLE = (F.TYPE_STRING, F.TYPE_BYTES, F.TYPE_MESSAGE, F.TYPE_GROUP)
_FEATURES = descriptor_pb2.FeatureSet


class RandomFile:
    """A random .proto file: its ``text``, and the ``descriptor`` that protobuf's compiler would make of it.

    If the syntax has extensions, the file extends its messages, and so does another file, ``far``, that imports this one.
    """

    def __init__(self, seed: int, syntax: str = "", name: str = "near", near: RandomFile | None = None) -> None:
        self._choose = random.Random(seed)
        self.syntax = syntax or self._choose.choice(["proto2", "proto3", "editions"])
        self._package = "p.q" if near is None else "p.far"
        self.descriptor = descriptor_pb2.FileDescriptorProto(
            name=f"{name}.proto", package=self._package, syntax=self.syntax
        )
        head = f'syntax = "{self.syntax}";'
        if self.syntax == "editions":
            self.descriptor.edition = descriptor_pb2.EDITION_2023
            head = 'edition = "2023";'
        self._lines = [head, f"package {self._package};"]
        self._is_delimited = self.syntax == "editions" and self._choose.random() < 0.3
        if self._is_delimited:
            self._lines.append("option features.message_encoding = DELIMITED;")
            self.descriptor.options.features.message_encoding = _FEATURES.DELIMITED
        self._messages = ["A", "B", "A.Inner"]
        self.extended = [] if self.syntax == "proto3" else self._choose.sample(self._messages, 2)
        self.far: RandomFile | None = None
        if near is not None:
            self.descriptor.dependency.append("near.proto")
            self._lines.append('import "near.proto";')
            self.extended = near.extended
        else:
            self._types()
        for extended in self.extended:
            self._extensions(extended, 1000 if near is None else 2000)
        self.text = "\n".join(self._lines)
        if near is None and self.extended:
            self.far = RandomFile(seed + 1, self._choose.choice(["proto2", "editions"]), "far", self)

    def _types(self) -> None:
        enum = self.descriptor.enum_type.add(name="E")
        for name, number in (("NONE", 0), ("ONE", 1), ("LESS", -1)):
            enum.value.add(name=name, number=number)
        self._lines.append("enum E { NONE = 0; ONE = 0x1; LESS = -1; }")
        for name in ("A", "B"):
            self._message(self.descriptor.message_type.add(name=name), name, ["Inner"] if name == "A" else [])

    def _message(self, message: Any, path: str, inside: list[str]) -> None:
        self._lines.append(f"message {message.name} {{")
        for each in inside:
            self._message(message.nested_type.add(name=each), f"{path}.{each}", [])
        if path in self.extended:
            self._lines.append("extensions 1000 to 2999;")
            message.extension_range.add(start=1000, end=3000)
        numbers = self._choose.sample([*range(1, 40), 997, 998, 18999, (1 << 29) - 1], 14)
        for number in numbers[:11]:
            self._field(message, path, number)
        index = len(message.oneof_decl)
        message.oneof_decl.add(name="choice")
        self._lines.append("oneof choice {")
        for number in numbers[11:]:
            field = message.field.add(name=f"m{number}", number=number, label=F.LABEL_OPTIONAL, oneof_index=index)
            self._declare(field, message, path, self._type(), "", [])
        # The oneofs that proto3 has for optional fields come last.
        self._lines += ["}", "}"]
        for field in message.field:
            if field.proto3_optional:
                field.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{field.name}")

    def _type(self) -> int:
        groups = [F.TYPE_GROUP] * 2 if self.syntax == "proto2" else []
        return self._choose.choice([*SCALARS, F.TYPE_MESSAGE, F.TYPE_MESSAGE, F.TYPE_ENUM, *groups])

    def _typed(self, field: Any, type_: int) -> str:
        """Sets the type of a field, and returns how the text names it."""
        field.type = type_
        if type_ in SCALARS:
            return SCALARS[type_]
        name = "E" if type_ == F.TYPE_ENUM else self._choose.choice(self._messages)
        field.type_name = f".p.q.{name}"
        return self._choose.choice([*([name] if self._package == "p.q" else []), f"q.{name}", f".p.q.{name}"])

    def _declare(self, field: Any, message: Any, path: str, type_: int, label: str, options: list[str]) -> None:
        """Gives a field its type, and writes its line; a group also gets its message.

        Args:
            message: what holds the messages of groups: a message, or the file.
        """
        if type_ == F.TYPE_GROUP:
            name = field.name.title()
            inside = (message.message_type if message is self.descriptor else message.nested_type).add(name=name)
            inside.field.add(name="n", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_INT64)
            full = ".".join(each for each in (self._package, path, name) if each)
            field.type, field.type_name = type_, f".{full}"
            again = inside.field.add(name="again", number=7, label=F.LABEL_REPEATED, type=F.TYPE_MESSAGE)
            again.type_name = field.type_name
            body = f"optional int64 n = 1; repeated {name} again = 7;"
            self._lines.append(f"{label}group {name} = {field.number} {{ {body} }}")
            return
        text = self._typed(field, type_)
        if type_ == F.TYPE_MESSAGE and self.syntax == "editions" and self._choose.random() < 0.5:
            encoding = self._choose.choice(["DELIMITED", "LENGTH_PREFIXED"])
            options.append(f"features.message_encoding = {encoding}")
            field.options.features.message_encoding = _FEATURES.MessageEncoding.Value(encoding)
        shown = f" [{', '.join(options)}]" if options else ""
        self._lines.append(f"{label}{text} {field.name} = {field.number}{shown};")

    def _extensions(self, extended: str, first: int) -> None:
        self._lines.append(f"extend p.q.{extended} {{")
        for number in self._choose.sample(range(first, first + 1000), 5):
            name = f"e{number}{extended.replace('.', '').lower()}"
            field = self.descriptor.extension.add(name=name, number=number, extendee=f".p.q.{extended}")
            type_ = self._type()
            label, options = self._labelled(field, type_, [""] if self.syntax == "editions" else ["optional "])
            self._declare(field, self.descriptor, "", type_, label, options)
        self._lines.append("}")

    def _labelled(self, field: Any, type_: int, single: list[str]) -> tuple[str, list[str]]:
        """Gives a field a label and the options of a list; returns them as text."""
        options: list[str] = []
        field.label = F.LABEL_OPTIONAL
        if self._choose.random() < 0.6:
            return self._choose.choice(single), options
        field.label = F.LABEL_REPEATED
        if type_ not in _UNPACKABLE and self._choose.random() < 0.5:
            packed = self._choose.random() < 0.5
            if self.syntax == "editions":
                encoding = "PACKED" if packed else "EXPANDED"
                options.append(f"features.repeated_field_encoding = {encoding}")
                field.options.features.repeated_field_encoding = _FEATURES.RepeatedFieldEncoding.Value(encoding)
            else:
                options.append(f"packed = {str(packed).lower()}")
                field.options.packed = packed
        return "repeated ", options

    def _field(self, message: Any, path: str, number: int) -> None:
        field = message.field.add(name=f"f{number}", number=number)
        type_ = self._type()
        if type_ != F.TYPE_GROUP and self._choose.random() < 0.25:
            entry = message.nested_type.add(name=f"F{number}Entry")
            entry.options.map_entry = True
            key = entry.field.add(name="key", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_STRING)
            value = entry.field.add(name="value", number=2, label=F.LABEL_OPTIONAL)
            text = self._typed(value, type_)
            field.label, field.type, field.type_name = F.LABEL_REPEATED, F.TYPE_MESSAGE, f".p.q.{path}.{entry.name}"
            self._lines.append(f"map<{SCALARS[key.type]}, {text}> {field.name} = {number};")
            return
        is_message = type_ in (F.TYPE_MESSAGE, F.TYPE_GROUP)
        single = {"proto2": ["optional ", *([] if is_message else ["required "])], "proto3": ["", "optional "]}
        label, options = self._labelled(field, type_, single.get(self.syntax, [""]))
        if label == "required ":
            field.label = F.LABEL_REQUIRED
        elif label == "optional ":
            field.proto3_optional = self.syntax == "proto3"
        elif not label and self.syntax == "editions" and not is_message and self._choose.random() < 0.5:
            options.append("features.field_presence = IMPLICIT")
            field.options.features.field_presence = _FEATURES.IMPLICIT
        self._declare(field, message, path, type_, label, options)


def fill_extensions(message: Any, extensions: Iterable[Any], choose: random.Random) -> None:
    """Fills some extensions of a message of Google's with random values."""
    for each in extensions:
        if choose.random() < 0.4:
            continue
        if each.is_repeated and each.message_type:
            for _ in range(choose.randrange(1, 3)):
                fill(message.Extensions[each].add(), choose, 2)
        elif each.is_repeated:
            message.Extensions[each].extend(scalar(each, choose) for _ in range(choose.randrange(4)))
        elif each.message_type:
            message.Extensions[each].SetInParent()
            fill(message.Extensions[each], choose, 2)
        else:
            message.Extensions[each] = scalar(each, choose)


def compare_extensions(theirs: Any, extensions: Iterable[Any], ours: Any, module: Any) -> None:
    """Compares extensions of a message of Google's with the fields of an imported one."""
    for each in extensions:
        value = getattr(ours, each.name)
        if each.is_repeated:
            assert len(value) == len(theirs.Extensions[each])
            for one, other in zip(theirs.Extensions[each], value, strict=True):
                _compare_value(one, other, module)
        elif not theirs.HasExtension(each):
            assert value is None, each.full_name
        else:
            _compare_value(theirs.Extensions[each], value, module)


def unknown(choose: random.Random, depth: int = 2) -> bytes:
    """Returns some fields that no random file declares, of all wire types."""
    made = bytearray()
    for _ in range(choose.randrange(4)):
        number, wire = choose.randrange(5000, 5100), choose.choice([0, 1, 2, 5, *([3] if depth else [])])
        body = {
            0: _varint(choose.getrandbits(choose.choice([7, 30, 64]))), 1: choose.randbytes(8),
            2: b"\x03" + choose.randbytes(3), 5: choose.randbytes(4),
        }  # fmt: skip
        made += _varint(number << 3 | wire)
        made += unknown(choose, depth - 1) + _varint(number << 3 | 4) if wire == 3 else body[wire]
    return bytes(made)


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])
