"""Google's protobuf beside imported modules: random messages, random files, and what their values must be."""

from __future__ import annotations

import random
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
_UNPACKABLE = (F.TYPE_STRING, F.TYPE_BYTES, F.TYPE_MESSAGE)
_PRESENCE = descriptor_pb2.FeatureSet


class RandomFile:
    """A random .proto file: its ``text``, and the ``descriptor`` that protobuf's compiler would make of it."""

    def __init__(self, seed: int) -> None:
        self._choose = random.Random(seed)
        self._syntax = self._choose.choice(["proto2", "proto3", "editions"])
        self.descriptor = descriptor_pb2.FileDescriptorProto(
            name=f"random{seed}.proto", package="p.q", syntax=self._syntax
        )
        head = f'syntax = "{self._syntax}";'
        if self._syntax == "editions":
            self.descriptor.edition = descriptor_pb2.EDITION_2023
            head = 'edition = "2023";'
        self._lines = [head, "package p.q;"]
        enum = self.descriptor.enum_type.add(name="E")
        for name, number in (("NONE", 0), ("ONE", 1), ("LESS", -1)):
            enum.value.add(name=name, number=number)
        self._lines.append("enum E { NONE = 0; ONE = 0x1; LESS = -1; }")
        self._messages = ["A", "B", "A.Inner"]
        for name in ("A", "B"):
            self._message(self.descriptor.message_type.add(name=name), ["A.Inner"] if name == "A" else [])
        self.text = "\n".join(self._lines)

    def _message(self, message: Any, inside: list[str]) -> None:
        self._lines.append(f"message {message.name} {{")
        for each in inside:
            self._message(message.nested_type.add(name=each.rpartition(".")[2]), [])
        numbers = self._choose.sample([*range(1, 40), 2047, 2048, 18999, (1 << 29) - 1], 14)
        for number in numbers[:11]:
            self._field(message, number)
        index = len(message.oneof_decl)
        message.oneof_decl.add(name="choice")
        self._lines.append("oneof choice {")
        for number in numbers[11:]:
            type_ = self._choose.choice([*SCALARS, F.TYPE_MESSAGE, F.TYPE_ENUM])
            field = message.field.add(name=f"m{number}", number=number, label=F.LABEL_OPTIONAL, oneof_index=index)
            self._lines.append(f"{self._typed(field, type_)} {field.name} = {number};")
        # The oneofs that proto3 has for optional fields come last.
        self._lines += ["}", "}"]
        for field in message.field:
            if field.proto3_optional:
                field.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{field.name}")

    def _typed(self, field: Any, type_: int) -> str:
        """Sets the type of a field, and returns how the text names it."""
        field.type = type_
        if type_ in SCALARS:
            return SCALARS[type_]
        name = "E" if type_ == F.TYPE_ENUM else self._choose.choice(self._messages)
        field.type_name = f".p.q.{name}"
        return self._choose.choice([name, f"q.{name}", f".p.q.{name}"])

    def _field(self, message: Any, number: int) -> None:
        field = message.field.add(name=f"f{number}", number=number)
        type_ = self._choose.choice([*SCALARS, F.TYPE_MESSAGE, F.TYPE_ENUM])
        kind = self._choose.choice(["one", "one", "many", "map"])
        if kind == "map":
            entry = message.nested_type.add(name=f"F{number}Entry")
            entry.options.map_entry = True
            key = entry.field.add(name="key", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_STRING)
            value = entry.field.add(name="value", number=2, label=F.LABEL_OPTIONAL)
            text = self._typed(value, type_)
            path = "A.Inner" if message.name == "Inner" else message.name
            field.label, field.type, field.type_name = F.LABEL_REPEATED, F.TYPE_MESSAGE, f".p.q.{path}.{entry.name}"
            self._lines.append(f"map<{SCALARS[key.type]}, {text}> {field.name} = {number};")
            return
        text = self._typed(field, type_)
        label, options = "", []
        if kind == "many":
            field.label, label = F.LABEL_REPEATED, "repeated "
            if type_ not in _UNPACKABLE and self._choose.random() < 0.5:
                packed = self._choose.random() < 0.5
                if self._syntax == "editions":
                    encoding = "PACKED" if packed else "EXPANDED"
                    options.append(f"features.repeated_field_encoding = {encoding}")
                    field.options.features.repeated_field_encoding = _PRESENCE.RepeatedFieldEncoding.Value(encoding)
                else:
                    options.append(f"packed = {str(packed).lower()}")
                    field.options.packed = packed
        else:
            field.label = F.LABEL_OPTIONAL
            if self._syntax == "proto2":
                is_required = type_ != F.TYPE_MESSAGE and self._choose.random() < 0.2
                field.label, label = (F.LABEL_REQUIRED, "required ") if is_required else (F.LABEL_OPTIONAL, "optional ")
            elif self._syntax == "proto3" and self._choose.random() < 0.5:
                field.proto3_optional, label = True, "optional "
            elif self._syntax == "editions" and type_ != F.TYPE_MESSAGE and self._choose.random() < 0.5:
                options.append("features.field_presence = IMPLICIT")
                field.options.features.field_presence = _PRESENCE.IMPLICIT
        shown = f" [{', '.join(options)}]" if options else ""
        self._lines.append(f"{label}{text} {field.name} = {number}{shown};")
