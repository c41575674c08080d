"""Objects of Avro container files, read and written by the schema in the file; `generated.avro` has the container."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import uuid4

from ..generated import avro, paimon
from ..runtime.errors import DecodeError, EncodeError

Read: TypeAlias = Callable[[], Any]
Write: TypeAlias = Callable[[Any], None]

#: Values of one object, by its schema alone: types that name others could double with each level.
_MOST_STEPS = 100_000
_SCHEMA, _CODEC = "avro.schema", "avro.codec"
#: Bytes of objects in a block.
_BLOCK = 16_000


def read_objects(data: bytes, path: str, wanted: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yields the objects of a container file as dicts; of the fields of the outermost record only ``wanted``, None for all.

    Raises:
        DecodeError: the file is broken, or its schema is none of those that are read here: records, without recursion.
    """
    try:
        file = avro.File.from_bytes(data)
        metadata = {entry.key: entry.value_of_key for part in file.metadata for entry in part.entries}
        schema = _parsed(metadata.get(_SCHEMA), path)
        source = _Source(path)
        read = source.objects(schema, None if wanted is None else set(wanted))
        for block in file.blocks:
            if block.num_objects > len(block.objects):
                raise DecodeError(f"{block.num_objects} objects in {len(block.objects)} bytes")
            source.begin(bytes(block.objects))
            for _ in range(block.num_objects):
                yield read()
            source.end()
    except DecodeError as error:
        raise DecodeError(error.rule, format="avro", path=error.path or path, offset=error.offset) from None
    except (IndexError, struct.error, UnicodeDecodeError, RecursionError) as error:
        raise DecodeError(f"an object is broken: {error}", format="avro", path=path) from None


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


def _parsed(text: Any, path: str) -> Any:
    try:
        schema = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise DecodeError(f"the schema is no JSON: {error}", path=path) from None
    # Java's writers before 1.0 say that the record itself may be null.
    for kind in schema if isinstance(schema, list) and len(schema) == 2 else [schema]:
        if isinstance(kind, dict) and kind.get("type") == "record":
            return schema
    raise DecodeError("the schema is not that of a record", path=path)


class _Source:
    """Reader of the objects of a file: closures by the schema, over one position in the block."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._named: dict[str, tuple[Read, int]] = {}
        self._open: set[str] = set()
        self._steps = 0
        data, pos = b"", 0

        def begin(block: bytes) -> None:
            nonlocal data, pos
            data, pos = block, 0

        def end() -> None:
            if pos != len(data):
                raise DecodeError(f"{len(data) - pos} bytes follow the objects of a block", path=path)

        def read_long() -> int:
            nonlocal pos
            byte = data[pos]
            pos += 1
            if byte < 0x80:
                return (byte >> 1) ^ -(byte & 1)
            number, shift = byte & 0x7F, 7
            while byte >= 0x80:
                byte = data[pos]
                pos += 1
                number |= (byte & 0x7F) << shift
                shift += 7
                if shift > 70:
                    raise DecodeError("a number has more than ten bytes", path=path)
            return (number >> 1) ^ -(number & 1)

        def take(size: int) -> bytes:
            nonlocal pos
            start = pos
            pos += size
            if size < 0 or pos > len(data):
                raise DecodeError(f"{size} bytes needed, {len(data) - start} left", path=path)
            return data[start:pos]

        def read_count() -> int:
            count = read_long()
            if count < 0:
                count = -count
                read_long()
            if count > len(data) - pos:
                raise DecodeError(f"{count} items in {len(data) - pos} bytes", path=path)
            return count

        def repeated(read: Read) -> Read:
            """Returns a reader that gives the value of the last call again where the same bytes follow; nobody changes it."""
            last, value = b"", None

            def again() -> Any:
                nonlocal pos, last, value
                if last and data.startswith(last, pos):
                    pos += len(last)
                    return value
                start = pos
                value = read()
                last = data[start:pos]
                return value

            return again

        self.begin, self.end, self._repeated = begin, end, repeated
        self._long, self._take, self._count = read_long, take, read_count
        self._primitives: dict[str, Read] = {
            "null": lambda: None,
            "boolean": lambda: take(1) != b"\0",
            "int": read_long,
            "long": read_long,
            "float": lambda: struct.unpack("<f", take(4))[0],
            "double": lambda: struct.unpack("<d", take(8))[0],
            "bytes": lambda: take(read_long()),
            "string": lambda: take(read_long()).decode(),
        }

    def objects(self, schema: Any, wanted: set[str] | None) -> Read:
        """Returns the reader of the outermost record, which may stand in a union with null."""
        if not isinstance(schema, list):
            return self.record(schema, wanted)
        branches = [each if isinstance(each, str) else self.record(each, wanted) for each in schema]
        return self._union([self._reader(each) if isinstance(each, str) else each for each in branches])

    def record(self, schema: Mapping[str, Any], wanted: set[str] | None = None) -> Read:
        """Returns the reader of a record; fields that are not wanted are passed over."""
        name = str(schema.get("name"))
        if name in self._open:
            raise DecodeError(f"the schema of {name!r} contains itself", path=self._path)
        self._open.add(name)
        fields = schema.get("fields")
        if not isinstance(fields, list) or not all(isinstance(field, dict) and "type" in field for field in fields):
            raise DecodeError(f"the schema of {name!r} has no fields", path=self._path)
        before = self._steps
        readers: list[tuple[str | None, Read]] = []
        for field in fields:
            key = str(field.get("name"))
            readers.append((key if wanted is None or key in wanted else None, self._reader(field["type"])))
        self._open.discard(name)

        def read() -> dict[str, Any]:
            found = {}
            for key, each in readers:
                value = each()
                if key is not None:
                    found[key] = value
            return found

        self._named[name] = read, self._steps - before
        return read

    def _reader(self, kind: Any) -> Read:
        self._step()
        if isinstance(kind, list):
            return self._union([self._reader(each) for each in kind])
        if isinstance(kind, str):
            if kind in self._primitives:
                return self._primitives[kind]
            if kind in self._named:
                found, steps = self._named[kind]
                self._step(steps)
                return found
            raise DecodeError(f"the type {kind!r} is not known, or contains itself", path=self._path)
        if not isinstance(kind, dict):
            raise DecodeError(f"{kind!r} is no type", path=self._path)
        match kind.get("type"):
            case "record":
                return self._repeated(self.record(kind))
            case "array":
                return self._repeated(self._array(self._reader(kind.get("items"))))
            case "map":
                pair = self._pair(self._reader(kind.get("values")))
                pairs = self._array(pair)
                return lambda: dict(pairs())
            case "fixed":
                size = kind.get("size")
                if type(size) is not int or size < 0:
                    raise DecodeError(f"{size!r} is no size of a fixed type", path=self._path)
                return lambda: self._take(size)
            case "enum":
                return self._long
            case inner:
                return self._reader(inner)

    def _union(self, branches: list[Read]) -> Read:
        long, path = self._long, self._path

        def read() -> Any:
            branch = long()
            if not 0 <= branch < len(branches):
                raise DecodeError(f"a union of {len(branches)} types has none of number {branch}", path=path)
            return branches[branch]()

        return read

    def _array(self, item: Read) -> Read:
        count = self._count

        def read() -> list[Any]:
            found: list[Any] = []
            while number := count():
                found.extend(item() for _ in range(number))
            return found

        return read

    def _pair(self, value: Read) -> Read:
        text = self._primitives["string"]
        return lambda: (text(), value())

    def _step(self, steps: int = 1) -> None:
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise DecodeError(f"an object has more than {_MOST_STEPS} values by its schema", path=self._path)


class _Sink:
    """Writer of objects: closures by the schema, over one buffer."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writer(self, kind: Any) -> Write:
        """Returns the writer of a type; unions are of null and one other type."""
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
