"""Located records: fields at computed offsets of a source, each read on first access."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Protocol, Self

from ..compact.text_policy import format_name
from ..errors import CodecError, DecodeError, EncodeError
from .read import Span
from .rows import PlacedRows
from .values import Fields
from .write import Writer

#: How often fields that hold offsets are encoded until their sizes stay, which offsets in varints may change.
_MOST_PASSES = 8


class Source(Protocol):
    """A random-access source of bytes: ``size`` in bytes, and ``read(offset, length)``, which returns a bytes-like object."""

    size: int

    def read(self, offset: int, length: int) -> Any: ...


class LazyRecord(Fields, metaclass=PlacedRows):
    """Base class of a generated record whose fields stand at computed offsets, such as a file with a footer.

    An instance is opened over a source and reads fields on first access, or is made of its fields to be written. Fields
    that were read are kept. Instances are not synchronized between threads.
    """

    __slots__ = ("_found", "_size", "_source")
    #: Field -> path of the value that holds its offset, where another field does; it is set when the record is written.
    _offsets: ClassVar[dict[str, tuple[str, ...]]] = {}
    #: Field -> its size, where the declaration alone says it.
    _sizes: ClassVar[dict[str, int]] = {}

    def __init__(self, **fields: Any) -> None:
        """Makes a record of its fields, to be written; fields that are not given are None.

        Raises:
            TypeError: a keyword names no field.
        """
        for name in fields:
            if name not in self._given:
                raise TypeError(f"{name}: {type(self).__name__} has no field of that name")
        self._source: Source | None = None
        #: The size of the source, or of what is written.
        self._size = 0
        self._found: dict[str, Any] = {name: fields.get(name) for name in self._given}

    @classmethod
    def open(cls, source: Source, **parameters: Any) -> Self:
        """Returns the record in ``source`` without reading anything yet.

        Args:
            source: an object with a ``size`` in bytes and a ``read(offset, length)``.
            parameters: the record's declared parameters, by name.

        Raises:
            TypeError: a parameter is missing or unknown.
        """
        made = object.__new__(cls)
        made._source, made._found, made._size = source, {}, source.size
        for name in cls._parameters:
            if name not in parameters and name not in cls._defaults:
                raise TypeError(f"parameters: {cls.__name__} needs {name}")
            setattr(made, name, parameters.pop(name, cls._defaults.get(name)))
        if parameters:
            raise TypeError(f"parameters: {cls.__name__} takes no {', '.join(parameters)}")
        return made

    @classmethod
    def from_bytes(cls, data: Any, *arguments: Any, **parameters: Any) -> Self:
        """Returns the record in the bytes of a whole source, with every field read and checked.

        Raises:
            DecodeError: the bytes break a rule of the record.
            TypeError: a parameter is missing or unknown.
        """
        named = dict(zip(cls._parameters, arguments, strict=False))
        made = cls.open(Bytes(data), **named, **parameters)
        for name in cls._given:
            getattr(made, name)
        return made

    def span(self, name: str) -> tuple[int, int]:
        """Returns (offset, size) of a field in bytes, for callers that read its bytes themselves.

        Raises:
            DecodeError: the span is not inside the source.
        """
        span: tuple[int, int] = getattr(self, f"_span_{name}")()
        offset, size = span
        if not (offset >= 0 and size >= 0 and offset + size <= self._size):
            rule = f"{size} bytes at {offset} are outside the {self._size} of the source"
            raise DecodeError(rule, format=format_name(type(self)), path=name, offset=max(0, offset))
        return span

    @classmethod
    def place(cls, name: str, size: Any, **found: Any) -> tuple[Any, Any]:
        """Returns (offset, size) of a field, in bytes, in a source of ``size`` bytes; ``found`` are the fields it depends on.

        Nothing is checked. Arrays of sizes and of the fields' values give arrays.
        """
        made = object.__new__(cls)
        made._source, made._found, made._size = None, found, size
        place: tuple[Any, Any] = getattr(made, f"_span_{name}")()
        return place

    def to_bytes(self, *arguments: Any, start: int = 0, codecs: Any = None) -> bytes:
        """Returns the encoded record: its fields one after the other in declared order. Fields not read yet are read first.

        Offsets that other fields hold are those of the new bytes, in the result alone: the fields keep the ones they
        have. A field without bytes keeps the offset 0, which many formats take for "there is none".

        Args:
            arguments: the parameters of the declaration; without them, those that the record was read with.
            start: the offset of the first byte in the file.
            codecs: factories that take the place of external codecs for this call, by the codec's name.

        Raises:
            EncodeError: a value does not fit its type, or a field would not stand where its declaration says.
            DecodeError: a field that had not been read breaks a rule.
            TypeError: there are more arguments than parameters.
        """
        try:
            if len(arguments) > len(self._parameters):
                raise TypeError(f"arguments: {type(self).__name__} takes {len(self._parameters)} parameters")
            for name, value in zip(self._parameters, arguments or self._remembered(), strict=False):
                setattr(self, name, value)
            return self._to_be_placed()._placed(start, codecs)
        except CodecError as error:
            error.format = format_name(type(self))
            raise

    def write_to(self, stream: Any, *arguments: Any, start: int = 0, codecs: Any = None) -> int:
        """Writes the result of `to_bytes` to a binary stream with one call and returns the number of bytes."""
        data = self.to_bytes(*arguments, start=start, codecs=codecs)
        stream.write(data)
        return len(data)

    def _to_be_placed(self) -> Self:
        """Returns the record with all of its fields, those that hold offsets as copies."""
        made = copy.copy(self)
        made._source, made._found = None, {name: getattr(self, name) for name in self._given}
        copied: dict[tuple[str, ...], Any] = {}
        for path in self._offsets.values():
            holder: Any = None
            for place, name in enumerate(path[:-1]):
                if (found := copied.get(path[: place + 1])) is None:
                    found = copy.copy(made._found[name] if holder is None else getattr(holder, name, None))
                    copied[path[: place + 1]] = found
                    if holder is None:
                        made._found[name] = found
                    elif found is not None:
                        setattr(holder, name, found)
                holder = found
        return made

    def _placed(self, start: int, codecs: Any) -> bytes:
        """Encodes fields that hold offsets after those that have them; then checks where each field stands."""
        holders = {path[0] for path in self._offsets.values()}
        absent = {name for name in self._offsets if self._offset(name) == 0}
        sizes = {name: size for name, size in self._sizes.items() if name in holders}
        for name in holders - set(sizes):
            self._begin_offsets(name, start)
        for _ in range(_MOST_PASSES):
            parts: dict[str, bytes] = {}
            places: dict[str, int] = {}
            position = start
            for name in self._given:
                places[name] = position
                self._set_offset(name, position)
                if name not in sizes:
                    parts[name] = self._encoded(name, position, codecs)
                position += sizes[name] if name in sizes else len(parts[name])
            self._size = position
            for name in absent:
                if name in parts and not parts[name]:
                    self._keep_absent(name, places, {**sizes, **{each: len(data) for each, data in parts.items()}})
            for name in holders:
                parts[name] = self._encoded(name, places[name], codecs)
            settled = all(sizes.get(name) == len(parts[name]) for name in holders - set(self._sizes))
            sizes |= {name: len(parts[name]) for name in holders - set(self._sizes)}
            if settled:
                break
        else:
            raise EncodeError("the offsets that it holds change its size each time they are set", path=min(holders))
        for name in self._given:
            self._check_place(name, places[name], len(parts[name]))
        return b"".join(parts[name] for name in self._given)

    def _encoded(self, name: str, position: int, codecs: Any) -> bytes:
        out = Writer(codecs, base=position)
        getattr(self, f"_write_{name}")(out)
        return bytes(out.data)

    def _offset(self, name: str) -> Any:
        """Returns the offset that another field holds of one; None where there is none yet."""
        found: Any = self
        for each in self._offsets[name]:
            found = getattr(found, each, None)
        return found

    def _begin_offsets(self, holder: str, position: int) -> None:
        """Gives the offsets in a field, whose size may hang on them, values to begin with."""
        for name, path in self._offsets.items():
            if path[0] == holder and self._offset(name) is None:
                self._set_offset(name, position)

    def _set_offset(self, name: str, position: int) -> None:
        if name not in self._offsets:
            return
        *path, last = self._offsets[name]
        holder: Any = self
        try:
            for each in path:
                holder = getattr(holder, each)
            setattr(holder, last, position)
        except AttributeError as error:
            raise EncodeError(f"its offset cannot be set: {error}", path=name) from None

    def _keep_absent(self, name: str, places: dict[str, int], sizes: dict[str, int]) -> None:
        """Sets the offset of a field without bytes to 0, unless another field's place is computed from it."""
        self._set_offset(name, 0)
        try:
            for other in self._given:
                self._check_place(other, 0 if other == name else places[other], sizes[other])
        except EncodeError:
            self._set_offset(name, places[name])

    def _check_place(self, name: str, offset: int, size: int) -> None:
        try:
            wanted = getattr(self, f"_span_{name}")()
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise EncodeError(f"its place cannot be computed: {error}", path=name) from None
        if wanted != (offset, size) and (size or wanted != (0, 0)):
            rule = f"it takes {size} bytes at {offset}, but its place is {wanted[1]} bytes at {wanted[0]}"
            raise EncodeError(rule, path=name)

    def struct_of_arrays(self, name: str, cls: Any, field: str) -> Any:
        """Returns a field, read anew, in which the list ``field`` of records of ``cls`` may be a `StructOfArrays`."""
        return self._found_at(name, (cls, field))

    def _get(self, name: str) -> Any:
        if name not in self._found:
            if self._source is None:
                return None
            self._found[name] = self._found_at(name)
        return self._found[name]

    def _set(self, name: str, value: Any) -> None:
        # Shallow copies share what was found.
        self._found = {**self._found, name: value}

    def _found_at(self, name: str, struct_of_arrays: tuple[Any, str] | None = None) -> Any:
        """Returns what is read at a field's place."""
        assert self._source is not None
        offset, size = self.span(name)
        at = Span(self._source.read(offset, size), base=offset, struct_of_arrays=struct_of_arrays)
        try:
            return getattr(self, f"_read_{name}")(at)
        except CodecError as error:
            error.format = format_name(type(self))
            if error.offset is not None and not hasattr(error, "within"):
                error.offset += offset
            raise


class Bytes:
    """A `Source` over bytes in memory; reads are views, not copies."""

    def __init__(self, data: Any) -> None:
        self._view = memoryview(data).cast("B")
        self.size = len(self._view)

    def read(self, offset: int, length: int) -> memoryview:
        return self._view[offset : offset + length]
