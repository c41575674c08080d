"""Writer of objects into Avro container files; `generated.avro` has the container, `generated.paimon` the schemas."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import uuid4

from ..generated import avro, paimon
from ..runtime.errors import EncodeError

Write: TypeAlias = Callable[[Any], None]

_SCHEMA, _CODEC = "avro.schema", "avro.codec"
#: Bytes of objects from which a block is complete.
_BLOCK = 16_000


def write_objects(schema: str, objects: Iterable[Mapping[str, Any]], codec: str = "zstandard") -> bytes:
    """Returns a container file of ``objects``, dicts by the field names of ``schema``; see `schema_of`."""
    sink = _Sink()
    write = sink.writer(json.loads(schema))
    marker = uuid4().bytes
    blocks: list[avro.Block] = []
    count = 0
    for each in objects:
        write(each)
        count += 1
        if len(sink.data) >= _BLOCK:
            blocks.append(avro.Block(num_objects=count, objects=bytes(sink.data)))
            sink.data.clear()
            count = 0
    if count:
        blocks.append(avro.Block(num_objects=count, objects=bytes(sink.data)))
    pairs = {_SCHEMA: schema, _CODEC: codec}
    entries = [avro.Entry(key=key, value_of_key=text.encode()) for key, text in pairs.items()]
    metadata = [avro.Metadata(word=len(entries), entries=entries), avro.Metadata(word=0, entries=[])]
    return avro.File(metadata=metadata, marker=marker, blocks=blocks).to_bytes()


def schema_of(fields: Mapping[str, str], name: str = "record") -> str:
    """Returns the Avro schema of a record that `generated.paimon` declares, as JSON."""
    return json.dumps(_record(fields, name))


def _record(fields: Mapping[str, str], name: str) -> dict[str, Any]:
    made = []
    for field, text in fields.items():
        kind = _named(json.loads(text), f"{name}_{field}")
        made.append({"name": field, "type": kind} | ({"default": None} if isinstance(kind, list) else {}))
    return {"type": "record", "name": name, "fields": made}


def _named(kind: Any, name: str) -> Any:
    """Returns a type with the records of `generated.paimon` in place of their names."""
    if isinstance(kind, list):
        return [_named(each, name) for each in kind]
    if isinstance(kind, dict) and "items" in kind:
        return kind | {"items": _named(kind["items"], name)}
    inner = getattr(paimon, kind, None) if isinstance(kind, str) and kind.isupper() else None
    return kind if inner is None else _record(inner, name)


class _Sink:
    """Writer of objects: closures by the schema, over one buffer."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writer(self, kind: Any) -> Write:
        """Returns the writer of a type; a union consists of null and one other type."""
        if isinstance(kind, list):
            inner = self.writer(kind[1])
            return lambda value: self._optional(value, inner)
        name = kind["type"] if isinstance(kind, dict) else kind
        match name:
            case "record":
                return self._record([(field["name"], self.writer(field["type"])) for field in kind["fields"]])
            case "array":
                return self._array(self.writer(kind["items"]))
            case "int" | "long":
                return self._long
            case "bytes":
                return self._bytes
            case "string":
                return lambda value: self._bytes(value.encode())
            case _:
                raise EncodeError(f"{name!r} is not written", format="avro")

    def _optional(self, value: Any, inner: Write) -> None:
        self._long(0 if value is None else 1)
        if value is not None:
            inner(value)

    def _long(self, value: int) -> None:
        number = (value << 1) ^ (value >> 63)
        while number >= 0x80:
            self.data.append(number & 0x7F | 0x80)
            number >>= 7
        self.data.append(number)

    def _bytes(self, value: bytes) -> None:
        self._long(len(value))
        self.data += value

    def _record(self, fields: list[tuple[str, Write]]) -> Write:
        def write(value: Mapping[str, Any]) -> None:
            for name, each in fields:
                each(value.get(name))

        return write

    def _array(self, item: Write) -> Write:
        def write(value: Sequence[Any]) -> None:
            if value:
                self._long(len(value))
                for each in value:
                    item(each)
            self._long(0)

        return write
