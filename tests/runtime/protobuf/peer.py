"""Google's protobuf with the same schema: descriptors are made from the specs of generated messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from lakecodec.runtime.protobuf import Message
from lakecodec.runtime.spec import FieldSpec, TypeSpec

_Field = descriptor_pb2.FieldDescriptorProto
_Features = descriptor_pb2.FeatureSet
_TYPES = {
    "double": _Field.TYPE_DOUBLE, "float": _Field.TYPE_FLOAT, "i64": _Field.TYPE_INT64, "uint64": _Field.TYPE_UINT64,
    "i32": _Field.TYPE_INT32, "fixed64": _Field.TYPE_FIXED64, "fixed32": _Field.TYPE_FIXED32, "bool": _Field.TYPE_BOOL,
    "string": _Field.TYPE_STRING, "struct": _Field.TYPE_MESSAGE, "binary": _Field.TYPE_BYTES, "uint32": _Field.TYPE_UINT32,
    "enum": _Field.TYPE_ENUM, "sfixed32": _Field.TYPE_SFIXED32, "sfixed64": _Field.TYPE_SFIXED64,
    "sint32": _Field.TYPE_SINT32, "sint64": _Field.TYPE_SINT64,
}  # fmt: skip
_PRESENCE = {
    "default": _Features.IMPLICIT,
    "optional": _Features.EXPLICIT,
    "required": _Features.LEGACY_REQUIRED,
}


class Peer:
    """Google's classes for the messages of a generated module, by name."""

    def __init__(self, module: Any) -> None:
        file = descriptor_pb2.FileDescriptorProto(name=f"{module.__name__}.proto", package="p", syntax="editions")
        file.edition = descriptor_pb2.EDITION_2023
        specs = [spec for spec in module.__spec__.values() if spec.kind in ("enum", "message")]
        for spec in specs:
            if spec.kind == "enum":
                enum = file.enum_type.add(name=spec.name)
                for name, member in sorted(spec.cls.__members__.items(), key=lambda item: item[1] != 0):
                    enum.value.add(name=f"{spec.name}_{name}", number=int(member))
            else:
                _add_message(file.message_type.add(name=spec.name), spec.fields)
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        self._classes = {
            spec.cls: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"p.{spec.name}"))
            for spec in specs
            if spec.kind == "message"
        }

    def __getitem__(self, cls: Any) -> Any:
        return self._classes[cls]

    def of(self, message: Any) -> Any:
        """Returns Google's message with the same fields."""
        made = self[type(message)]()
        for name, value in _fields(message):
            self._put(made, name, value)
        return made

    def _put(self, made: Any, name: str, value: Any) -> None:
        if isinstance(value, list):
            getattr(made, name).extend([self._value(item) for item in value])
        elif isinstance(value, dict):
            for key, item in value.items():
                if isinstance(item, Message):
                    getattr(made, name)[key].CopyFrom(self.of(item))
                else:
                    getattr(made, name)[key] = item
        elif isinstance(value, Message):
            getattr(made, name).CopyFrom(self.of(value))
        else:
            setattr(made, name, value)

    def _value(self, value: Any) -> Any:
        return self.of(value) if isinstance(value, Message) else value


def _fields(message: Any) -> Iterator[tuple[str, Any]]:
    for field in message.__spec__.fields:
        value = getattr(message, field.attr)
        if value is None:
            continue
        if _is_oneof(field.type):
            yield f"{field.name}_{value.kind}", value.value
        else:
            yield field.name, value


def _is_oneof(type_: TypeSpec) -> bool:
    return type_.kind == "struct" and type_.cls.__spec__.kind == "oneof"  # type: ignore[union-attr]


def _add_message(message: Any, fields: Any) -> None:
    for field in fields:
        if _is_oneof(field.type):
            index = len(message.oneof_decl)
            message.oneof_decl.add(name=field.name)
            for member in field.type.cls.__spec__.fields:
                _add_field(message, f"{field.name}_{member.name}", member.id, member.type, oneof=index)
        else:
            made = _add_field(message, field.name, field.id, field.type)
            if made.label != _Field.LABEL_REPEATED and (
                made.type != _Field.TYPE_MESSAGE or field.requiredness == "required"
            ):
                given = field.requiredness == "default" and field.default
                made.options.features.field_presence = _PRESENCE["optional" if given else field.requiredness]
            if made.label != _Field.LABEL_REPEATED and field.default and field.requiredness != "required":
                made.default_value = _default(field)


def _default(field: FieldSpec) -> str:
    value = field.default
    if field.type.kind == "enum":
        return f"{field.type}_{value.name}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _add_field(message: Any, name: str, number: int, type_: TypeSpec, oneof: int | None = None) -> Any:
    if type_.kind == "map":
        entry = message.nested_type.add(name="".join(part.title() for part in name.split("_")) + "Entry")
        entry.options.map_entry = True
        assert type_.key is not None
        assert type_.value is not None
        _add_field(entry, "key", 1, type_.key)
        _add_field(entry, "value", 2, type_.value)
        made = message.field.add(name=name, number=number, label=_Field.LABEL_REPEATED, type=_Field.TYPE_MESSAGE)
        made.type_name = f"p.{message.name}.{entry.name}"
        return made
    one = type_.value if type_.kind == "list" else type_
    assert one is not None
    label = _Field.LABEL_REPEATED if type_.kind == "list" else _Field.LABEL_OPTIONAL
    made = message.field.add(name=name, number=number, label=label, type=_TYPES[one.kind])
    if one.kind in ("struct", "enum"):
        made.type_name = f"p.{one.cls.__spec__.name}"  # type: ignore[union-attr]
    if one.group:
        made.options.features.message_encoding = _Features.DELIMITED
    if type_.kind == "list" and one.kind not in ("struct", "string", "binary"):
        encoding = _Features.PACKED if type_.packed else _Features.EXPANDED
        made.options.features.repeated_field_encoding = encoding
    if oneof is not None:
        made.oneof_index = oneof
    return made
