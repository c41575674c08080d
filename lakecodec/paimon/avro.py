"""Objects of Avro container files, read by the schema in the file; `generated.avro` has the container."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..generated import avro
from ..runtime.errors import DecodeError

Read: TypeAlias = Callable[[], Any]
Write: TypeAlias = Callable[[Any], None]

#: The most values per object: named types could double their number with each level of the schema.
_MOST_STEPS = 100_000
_SCHEMA = "avro.schema"


def read_objects(data: bytes, path: str, wanted: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yields the objects of a container file as dicts; of the fields of the outermost record only ``wanted``, None for all.

    Raises:
        DecodeError: the file is broken, or its schema is unsupported: only records without recursion are read.
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


def _parsed(text: Any, path: str) -> Any:
    try:
        schema = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise DecodeError(f"the schema is not JSON: {error}", path=path) from None
    # Java writers before 1.0 declare a union of null and the record.
    for kind in schema if isinstance(schema, list) and len(schema) == 2 else [schema]:
        if isinstance(kind, dict) and kind.get("type") == "record":
            return schema
    raise DecodeError("the schema is not that of a record", path=path)


def _cursor(
    path: str,
) -> tuple[
    Callable[[bytes], None], Callable[[], int], Callable[[], int], Callable[[int], bytes], Callable[[Read], Read]
]:
    """Returns functions over one position in a block: begin a block, bytes left, read a number, read bytes, repeat a value.

    They share variables, which are faster than attributes.
    """
    data, pos = b"", 0

    def begin(block: bytes) -> None:
        nonlocal data, pos
        data, pos = block, 0

    def left() -> int:
        return len(data) - pos

    def long() -> int:
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

    def repeated(read: Read) -> Read:
        """Returns a reader that returns the value of the last call again if the same bytes follow. Callers never change it."""
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

    return begin, left, long, take, repeated


def _primitives(long: Callable[[], int], take: Callable[[int], bytes]) -> dict[str, Read]:
    """Returns the readers of types without parameters."""
    return {
        "null": lambda: None,
        "boolean": lambda: take(1) != b"\0",
        "int": long,
        "long": long,
        "float": lambda: struct.unpack("<f", take(4))[0],
        "double": lambda: struct.unpack("<d", take(8))[0],
        "bytes": lambda: take(long()),
        "string": lambda: take(long()).decode(),
    }


class _Source:
    """Reader of the objects of a file: closures by the schema, over one position in the block."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._named: dict[str, tuple[Read, int]] = {}
        self._open: set[str] = set()
        self._steps = 0
        self.begin, self._left, self._long, self._take, self._repeated = _cursor(path)
        self._primitives = _primitives(self._long, self._take)

    def end(self) -> None:
        """Raises DecodeError if bytes of the block are left."""
        if left := self._left():
            raise DecodeError(f"{left} bytes follow the objects of a block", path=self._path)

    def _count(self) -> int:
        """Returns the number of items of the next part of an array or a map."""
        count = self._long()
        if count < 0:
            count = -count
            self._long()
        if count > (left := self._left()):
            raise DecodeError(f"{count} items in {left} bytes", path=self._path)
        return count

    def objects(self, schema: Any, wanted: set[str] | None) -> Read:
        """Returns the reader of the outermost record, which may be in a union with null."""
        if not isinstance(schema, list):
            return self.record(schema, wanted)
        branches = [each if isinstance(each, str) else self.record(each, wanted) for each in schema]
        return self._union([self._reader(each) if isinstance(each, str) else each for each in branches])

    def record(self, schema: Mapping[str, Any], wanted: set[str] | None = None) -> Read:
        """Returns the reader of a record; unwanted fields are skipped."""
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
            raise DecodeError(f"{kind!r} is not a type", path=self._path)
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
                    raise DecodeError(f"{size!r} is not a size of a fixed type", path=self._path)
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
