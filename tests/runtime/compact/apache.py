"""Apache Thrift's own classes for the types of a generated module, made from ``__spec__`` as its compiler would make them."""

from __future__ import annotations

from typing import Any

from thrift.protocol.TCompactProtocol import TCompactProtocol, TCompactProtocolAccelerated
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer
from thrift.TRecursive import fix_spec

from lakecodec.runtime.compact.values import hashable
from lakecodec.runtime.spec import Spec, TypeSpec

_TYPES = {
    "bool": TType.BOOL, "i8": TType.BYTE, "i16": TType.I16, "i32": TType.I32, "i64": TType.I64, "double": TType.DOUBLE,
    "binary": TType.STRING, "string": TType.STRING, "uuid": TType.UUID, "enum": TType.I32, "struct": TType.STRUCT,
    "list": TType.LIST, "set": TType.SET, "map": TType.MAP,
}  # fmt: skip


class _Base:
    """What Apache's compiler writes into each class. Hashable, since its sets and maps are Python's."""

    thrift_spec: tuple[Any, ...] = ()

    def __init__(self, **fields: Any) -> None:
        for entry in self.thrift_spec:
            if entry is not None:
                setattr(self, entry[2], fields.get(entry[2]))

    def read(self, protocol: Any) -> None:
        if protocol._fast_decode is not None:
            protocol._fast_decode(self, protocol, [type(self), self.thrift_spec])
        else:
            protocol.readStruct(self, self.thrift_spec)

    def write(self, protocol: Any) -> None:
        if protocol._fast_encode is not None:
            protocol.trans.write(protocol._fast_encode(self, [type(self), self.thrift_spec]))
        else:
            protocol.writeStruct(self, self.thrift_spec)


class Oracle:
    """Apache's classes for one module.

    Args:
        specs: the module's ``__spec__``.
        accelerated: use the C extension; it does not know uuid.
    """

    def __init__(self, specs: Any, *, accelerated: bool) -> None:
        self._protocol: Any = TCompactProtocolAccelerated if accelerated else TCompactProtocol
        self._specs = {spec.cls: spec for spec in specs.values() if spec.kind in ("struct", "union")}
        self._classes = {cls: type(spec.name, (_Base,), {}) for cls, spec in self._specs.items()}
        for cls, spec in self._specs.items():
            self._classes[cls].thrift_spec = self._spec(spec)
        fix_spec(self._classes.values())

    def _spec(self, spec: Spec) -> tuple[Any, ...]:
        entries: list[Any] = [None] * (1 + max((field.id for field in spec.fields), default=0))
        for field in spec.fields:
            entries[field.id] = (field.id, _TYPES[field.type.kind], field.attr, self._detail(field.type), None)
        return tuple(entries)

    def _detail(self, type_: TypeSpec, hashed: bool = False) -> Any:
        """The fourth part of an entry: classes of structs, and types of elements; tuples for lists that are hashed."""
        if type_.kind == "struct":
            return [self._classes[type_.cls], None]  # type: ignore[index]
        if type_.kind in ("binary", "string"):
            return "BINARY" if type_.kind == "binary" else "UTF8"
        if type_.value is None:
            return None
        value = (_TYPES[type_.value.kind], self._detail(type_.value, type_.kind == "set"))
        if type_.key is None:
            return (*value, hashed)
        return (_TYPES[type_.key.kind], self._detail(type_.key, True), *value, False)

    def encode(self, value: Any) -> bytes:
        """What Apache Thrift writes for one of our values."""
        transport = TMemoryBuffer()
        self._there(TypeSpec("struct", type(value)), value).write(self._protocol(transport))
        return bytes(transport.getvalue())

    def decode(self, cls: type, data: bytes) -> Any:
        """Our value of what Apache Thrift reads; it must read all of ``data``."""
        transport = TMemoryBuffer(data)
        made = self._classes[cls]()
        made.read(self._protocol(transport))
        assert transport.cstringio_buf.read() == b""
        return self._here(TypeSpec("struct", cls), made)

    def _there(self, type_: TypeSpec, value: Any) -> Any:
        if type_.kind == "struct":
            spec = self._specs[type(value)]
            if spec.kind == "union":
                (field,) = (field for field in spec.fields if field.id == value.id)
                return self._classes[spec.cls](**{field.attr: self._there(field.type, value.value)})
            present = ((field, getattr(value, field.attr)) for field in spec.fields)
            return self._classes[spec.cls](
                **{field.attr: self._there(field.type, item) for field, item in present if item is not None}
            )
        if type_.kind == "map":
            assert type_.key is not None
            assert type_.value is not None
            pairs = value.items() if isinstance(value, dict) else value
            return {self._there(type_.key, key): self._there(type_.value, item) for key, item in pairs}
        if type_.kind in ("list", "set"):
            # A list for a set as well: Apache writes what it can iterate over, and this keeps our order.
            assert type_.value is not None
            return [self._there(type_.value, item) for item in _ordered(value)]
        return int(value) if type_.kind == "enum" else value

    def _here(self, type_: TypeSpec, value: Any) -> Any:
        if type_.kind == "struct":
            spec = self._specs[type_.cls]  # type: ignore[index]
            found = [(field, getattr(value, field.attr)) for field in spec.fields]
            made = [(field, self._here(field.type, item)) for field, item in found if item is not None]
            if spec.kind == "union":
                ((field, item),) = made
                union: Any = spec.cls
                return union.__singletons__.get(field.id) or union._make(field.name, item, field.id)
            return spec.cls(**{field.attr: item for field, item in made})
        if type_.kind == "map":
            assert type_.key is not None
            assert type_.value is not None
            pairs = [(self._here(type_.key, key), self._here(type_.value, item)) for key, item in value.items()]
            return dict(pairs) if hashable(type_.key) else pairs
        if type_.kind in ("list", "set"):
            assert type_.value is not None
            items = [self._here(type_.value, item) for item in value]
            return set(items) if type_.kind == "set" and hashable(type_.value) else items
        if type_.kind == "enum":
            members: Any = type_.cls
            return members._value2member_map_.get(value, value)
        return value


def _ordered(value: Any) -> Any:
    if not isinstance(value, set | frozenset):
        return value
    try:
        return sorted(value)
    except TypeError:
        return sorted(value, key=lambda item: item.to_bytes())
