"""Lazy records: fields placed `at` an offset in a source or a record are read on first access."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import index as as_integer
from types import SimpleNamespace
from typing import Any, ClassVar, Self

from ..errors import CodecError, DecodeError, format_name
from . import backend as record_backend
from .assemble import without
from .base import Record
from .contradictions import name_contradicted
from .coverage import keeping_fields, refuse_losses
from .declared_spans import refuse_growth
from .depths import is_flat, read_placed
from .functions import item
from .kept_settings import keep_settings, settings_of
from .piece_paths import with_paths
from .placing import Placing
from .plain_values import plain, plain_values
from .read import MAX_DEPTH, UNREADABLE, bounded, reason
from .reader import Reader
from .row_classes import PlacedRows
from .rows import PlacedRow, slot_of, store
from .source import Bytes, Source, counted, holds
from .trail import Place
from .values import Fields
from .writer import Content, Writer

#: The largest alignment of offsets in bytes: that of the largest memory pages.
_MOST_ALIGNED = 1 << 30


class LazyRecord(Record, metaclass=PlacedRows):
    """Base class of generated records with placed fields, such as a file with a footer.

    An instance is opened over a source and reads placed fields on first access, or is made from fields to be written.
    Fields that were read are kept. Instances are not synchronized between threads.
    """

    __slots__ = (
        "_arguments",
        "_begin",
        "_bytes_of",
        "_depth",
        "_found",
        "_offset",
        "_original",
        "_origins",
        "_placing",
        "_size",
        "_source",
        "_spans",
        "_stored",
        "_taken",
        "_there",
    )
    #: The fields that are placed.
    _placed: ClassVar[Mapping[str, PlacedRow]] = {}
    #: The other fields, which follow each other from the start of the record.
    _sequential: ClassVar[tuple[str, ...]] = ()
    _has_constructor: ClassVar[bool] = True
    #: The name by which inner records refer to this record's start as the origin of offsets; empty if none does.
    _origin: ClassVar[str] = ""
    #: Whether its rows say how native writers lay placed fields out.
    _is_laid_out: ClassVar[bool] = True
    #: Whether fields are written with values that the record sets in others: native writers set none that are not there.
    _uses_set: ClassVar[bool] = False
    #: Whether native writers check all that reading back would find out.
    _checks_end: ClassVar[bool] = False
    #: Whether some placed fields are aligned.
    _aligns: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._aligns = cls._aligns or any(name.startswith("_align_") for name in vars(cls))

    def __init__(self, **fields: Any) -> None:
        """Makes a record of its fields, to be written; fields that are not given have their defaults, or are None.

        Raises:
            TypeError: a keyword names no field.
        """
        for name in fields:
            if name not in self._given:
                raise TypeError(f"{name}: {type(self).__name__} has no field of that name")
        self._open(None, 0, 0, None, 0)
        rows = type(self).__rows__
        for name in self._sequential:
            setattr(self, slot_of(name, rows[name]), fields.get(name, rows[name].default))
        self._found.update({name: fields.get(name, rows[name].default) for name in self._placed})

    def _open(
        self, source: Source | None, begin: int, size: int, arguments: tuple[Any, ...] | None, taken: int
    ) -> None:
        self._source = source
        #: The number of bytes of the sequential fields.
        self._taken = taken
        #: The record's offset in the source, and the bytes it may have; and the bytes that were written last.
        self._begin, self._size = begin, size
        #: The record's offset in the bytes that are read or written.
        self._offset = begin
        self._arguments = arguments
        #: The offset and size of each enclosing record, by name.
        self._origins: Mapping[str, tuple[int, int]] | None = None
        #: How many more levels of placed records can be followed.
        self._depth = MAX_DEPTH
        self._found: dict[str, Any] = {}
        #: Of fields, and elements with places, that were read: the offset in the source, the size, and the most that it can be.
        self._spans: dict[tuple[str, int | None], tuple[int, int, int]] = {}
        #: The indexes of those that were there.
        self._there: dict[str, Sequence[int | None]] = {}
        self._original: Self | None = None
        #: The bytes of fields from which places of others are computed.
        self._bytes_of: dict[str, Any] = {}
        self._placing: Placing | None = None

    def __getattr__(self, name: str) -> Any:
        # The native reader does not set these attributes; they are made on first access.
        if name not in _BEGINS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        begins = _BEGINS[name]
        made = None if begins is None else begins()
        setattr(self, name, made)
        return made

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Returns the slots for pickles and copies, with the source if it is bytes in memory."""
        if self._source is not None and keeping_fields(type(self)):
            self._keep_stored({})
        slots = (name for cls in type(self).__mro__ for name in getattr(cls, "__slots__", ()))
        return None, {name: getattr(self, name) for name in slots if name not in _UNKEPT and hasattr(self, name)}

    # ---- reading ----

    @classmethod
    def open(cls, source: Source, **parameters: Any) -> Self:
        """Returns the record in ``source``; fields placed with `at` are not read yet.

        Args:
            source: an object with a ``size`` in bytes and a ``read(offset, length)``.
            parameters: the record's declared parameters, by name.

        Raises:
            TypeError: a parameter is missing or unknown.
            DecodeError: a field that is not placed breaks a rule.
        """
        arguments = []
        for name in cls._parameters:
            if name not in parameters and name not in cls._defaults:
                raise TypeError(f"parameters: {cls.__name__} needs {name}")
            arguments.append(parameters.pop(name, cls._defaults.get(name)))
        if parameters:
            raise TypeError(f"parameters: {cls.__name__} takes no {', '.join(parameters)}")
        try:
            return cls._opened(counted(source), 0, source.size, tuple(arguments))
        except CodecError as error:
            error.format = format_name(cls)
            raise

    @classmethod
    def from_bytes(cls, data: Any, *arguments: Any, **parameters: Any) -> Self:
        """Returns the record in the bytes of a whole source, with every field read and checked.

        Raises:
            DecodeError: the bytes break a rule of the record.
            TypeError: a parameter is missing or unknown.
        """
        named = dict(zip(cls._parameters, arguments, strict=False))
        made = cls.open(Bytes(data), **named, **parameters)
        read_placed(made)
        return made

    @classmethod
    def _reread(cls, data: bytes, given: Sequence[Any]) -> Any:
        return cls.open(Bytes(data), **dict(zip(cls._parameters, given, strict=False)))

    def _as_written(self) -> Any:
        whole = self._of_bytes()
        if whole is not self and all(getattr(self, name) == getattr(whole, name) for name in self._read_so_far()):
            return self
        return super()._as_written()

    def _read_so_far(self) -> Iterator[str]:
        """Yields the names of the fields that were read or set."""
        yield from self._sequential
        yield from self._found

    @classmethod
    def _opened(
        cls,
        source: Source,
        begin: int,
        size: int,
        arguments: tuple[Any, ...],
        origins: Mapping[str, tuple[int, int]] | None = None,
    ) -> Self:
        data = source.read(begin, size) if cls._sequential else b""
        reader = Reader(data, base=begin, source=source, origins=origins)
        try:
            return cls._decode(reader, *arguments, size=size)
        except UNREADABLE as error:
            raise reader.failed_whole(error) from None

    @classmethod
    def _decode(cls, at: Reader, *arguments: Any, size: int | None = None) -> Self:
        """Returns the record at a reader's position.

        The reader moves behind it, or to the span's end if it places fields there.
        """
        pos = at.pos
        if record_backend.native is not None and (found := record_backend.native.read(cls, at, pos, arguments)):
            opened: Self
            opened, at.pos = found
            if size is not None:
                opened._size = size
            return opened
        around, left = at.origins, len(at.buf) - pos
        at.origins = cls._with_own_origin(around, at.base + pos, left if size is None else size)
        made: Self = at.body(cls, *arguments) if cls._sequential else cls._empty(arguments)
        if at.depth < 0:
            raise DecodeError(f"records are nested more than {MAX_DEPTH} deep", offset=pos)
        source = Bytes(at.buf) if at.source is None else at.source
        kept = arguments + tuple(cls._defaults.values())[len(arguments) - len(cls._parameters) :]
        made._open(
            counted(source),
            at.base + pos,
            left if size is None else size,
            kept if len(arguments) < len(cls._parameters) else arguments,
            at.pos - pos,
        )
        made._depth, made._origins, at.origins = at.depth, at.origins, around
        if cls._origin or any(not row.from_source for row in cls._placed.values()):
            at.pos = at.end
        return made

    @classmethod
    def _with_own_origin(
        cls, around: Mapping[str, tuple[int, int]] | None, begin: int, size: int
    ) -> Mapping[str, tuple[int, int]] | None:
        """Returns the records from whose start places inside count: the enclosing ones, and this one if needed."""
        return {**(around or {}), cls._origin: (begin, size)} if cls._origin else around

    @classmethod
    def _empty(cls, arguments: tuple[Any, ...]) -> Self:
        made = object.__new__(cls)
        for name in cls._defaults:
            store(made, name, cls._defaults[name])
        for name, value in zip(cls._parameters, arguments, strict=False):
            store(made, name, value)
        return made

    def span(self, name: str, index: int | None = None) -> tuple[int, int]:
        """Returns (offset in the source, size) in bytes of a field, or of its element ``index`` if elements have places.

        If the declaration does not give the size, it is the largest possible one until the field has been read.

        Raises:
            DecodeError: the span is not inside the source.
        """
        offset, size, most = self._spans.get((name, index)) or self._find(name, index)
        return offset, most if size is None else size

    def _find(self, name: str, index: int | None) -> tuple[int, int | None, int]:
        """Returns the offset in the source, the size that the declaration gives, if any, and the largest possible one."""
        whole = self._of_bytes()
        row = self._placed[name]
        try:
            place, taken = getattr(whole, f"_span_{name}")(*([index] if row.each else []))
            found = as_integer(place), None if taken is None else as_integer(taken)
        except CodecError:
            raise
        except UNREADABLE as error:
            rule = f"its place cannot be computed: {reason(error)}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=0) from None
        assert self._source is not None or self._placing is not None
        if row.origin:
            begin, limit = self._frame_of(name, row)
        else:
            begin, limit = (0, self._source.size) if row.from_source and self._source else (self._begin, self._size)
        offset, size = found[0], limit - found[0] if found[1] is None else found[1]
        if not (offset >= 0 and size >= 0 and offset + size <= limit):
            what = f"{size} bytes at {offset} are" if found[1] is not None else f"the offset {offset} is"
            rule = f"{what} outside the {limit} bytes of the source"
            raise DecodeError(
                rule, format=format_name(type(self)), path=_path(name, index), offset=max(0, begin + offset)
            )
        if whole._aligns and offset % whole._alignment(name, index):
            rule = f"the offset {offset} is not a multiple of {whole._alignment(name, index)}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=begin + offset)
        return begin + offset, found[1], size

    def _padding(self, name: str, index: int | None = None) -> tuple[int, int]:
        """Returns (offset in the source, size) of the zeros in front of a field that aligns it; arguments as in `span`."""
        offset, _ = self.span(name, index)
        before = offset - self._frame_of(name, self._placed[name])[0]
        most = min(self._of_bytes()._alignment(name, index) - 1, before)
        data = bytes(self._source.read(offset - most, most)) if self._source is not None and most > 0 else b""
        size = len(data) - len(data.rstrip(b"\0"))
        return offset - size, size

    def _alignment(self, name: str, index: int | None) -> int:
        """Returns the alignment of a field's offset in bytes."""
        found = getattr(type(self), f"_align_{name}", None)
        if found is None:
            return 1
        try:
            multiple = as_integer(found(self, *([] if index is None else [index])))
        except UNREADABLE as error:
            rule = f"its alignment cannot be computed: {reason(error)}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=0) from None
        if not 0 < multiple <= _MOST_ALIGNED:
            rule = f"an alignment is from 1 to {_MOST_ALIGNED} bytes, not {multiple}"
            raise DecodeError(rule, format=format_name(type(self)), path=_path(name, index), offset=0)
        return multiple

    def _frame_of(self, name: str, row: PlacedRow) -> tuple[int, int]:
        """Returns the offset in the source from which a field's offset counts, and the number of bytes there."""
        if row.origin:
            if self._origins is None or row.origin not in self._origins:
                rule = f"no {row.origin} contains it, from which its offset counts"
                raise DecodeError(rule, format=format_name(type(self)), path=name, offset=self._begin)
            return self._origins[row.origin]
        return (0, self._source.size) if row.from_source and self._source else (self._begin, self._size)

    @classmethod
    def place(cls, name: str, size: Any, **found: Any) -> tuple[Any, Any]:
        """Returns (offset, size) of a field, in bytes, in a source of ``size`` bytes; ``found`` are the fields it depends on.

        Nothing is checked. Arrays of sizes and of the fields' values give arrays.
        """
        # A stand-in for the record with the fields from which a place is computed.
        found["_size"] = size
        place: tuple[Any, Any] = getattr(cls, f"_span_{name}")(SimpleNamespace(**found))
        return place

    def struct_of_arrays(self, name: str, cls: Any, field: str) -> Any:
        """Returns a field, read anew, in which the list ``field`` of records of ``cls`` may be a `StructOfArrays`.

        Lists of differences beside it may be memoryviews of int64.
        """
        return self._value_at(name, struct_of_arrays=(cls, field))

    def _of_bytes(self) -> Self:
        """Returns the record read again from its bytes, unaffected by changes to objects that were handed out."""
        if self._source is None or self._arguments is None:
            return self
        if self._original is None:
            self._original = self._opened(self._source, self._begin, self._size, self._arguments, self._origins)
            self._original._original, self._original._bytes_of = self._original, self._bytes_of
            self._original._spans, self._original._there = self._spans, self._there
        return self._original

    def _get(self, name: str) -> Any:
        if name not in self._found:
            if self._source is None:
                return None
            try:
                self._found[name] = self._value_of(name)
                whole = self._of_bytes()
                if whole is not self and hasattr(whole, "_stored"):
                    # What codecs were given is kept with the value.
                    self._keep_stored(whole._stored)
                self._verify_as_read(name, self._found[name])
            except CodecError as error:
                self._found.pop(name, None)
                error.format, error.path = format_name(type(self)), error.path or name
                raise
        return self._found[name]

    def _keep_stored(self, stored: Mapping[int, Any]) -> None:
        kept = getattr(self, "_stored", {})
        # Shallow copies share the dict, as they do what is found.
        kept.update({key: value for key, value in stored.items() if key not in kept})
        self._stored: Any = kept

    def _about(self, name: str, index: int | None = None) -> Reader:
        """Returns a reader without bytes, for errors of expressions about a field."""
        made = Reader(b"")
        made.field, made.start = name if index is None else Place(name, index), self._begin
        return made

    def _verify_as_read(self, name: str, value: Any) -> None:
        """Checks the rules of a field by what stands in the bytes, since other fields may have been edited."""
        whole = self._of_bytes()
        if whole is self:
            self._verify(name)
        elif name not in whole._found:
            whole._found[name] = value
            try:
                whole._verify(name)
            finally:
                del whole._found[name]

    def _verify(self, name: str) -> None:
        """Checks the rules of a list whose elements have their own places."""
        # The class is asked, since instances look in vain in two ways.
        check = getattr(type(self), f"_check_{name}", None)
        if check is None:
            return
        reader = self._about(name)
        reader.reading(check, self, reader)

    def _assign(self, name: str, value: Any) -> None:
        # A new dict, since shallow copies of the record share the old one.
        self._found = {**self._found, name: value}

    def _value_of(self, name: str) -> Any:
        whole, there = self._of_bytes(), list[int | None]()
        more = {"whole": Reader(range(self._size))} if self._placed[name].each else {}

        def value(index: int | None = None) -> Any:
            if not whole._has(name, index):
                return None
            there.append(index)
            return self._value_at(name, index, **more)

        found = [value(i) for i in whole._indexes(name)] if more else value()
        self._there[name] = there
        return found

    def _count(self, name: str) -> int:
        """Returns the declared number of elements of a list whose elements have places."""
        return self._about(name).reading(lambda: as_integer(getattr(self, f"_count_{name}")()))  # type: ignore[no-any-return]

    def _indexes(self, name: str) -> Sequence[int | None]:
        """Returns the indexes of a placed field's elements by its declaration; None for one of a field without elements."""
        return range(bounded(self._count(name), 0, range(self._size), 0)) if self._placed[name].each else (None,)

    def _has(self, name: str, index: int | None = None) -> bool:
        """Returns whether the condition of a placed field, or of its element, holds."""
        if not self._placed[name].optional:
            return True
        numbers = () if index is None else (index,)
        return self._about(name, index).reading(getattr(self, f"_given_{name}"), *numbers)  # type: ignore[no-any-return]

    def _were_there(self, name: str) -> Sequence[int | None]:
        """Returns the indexes of what was read as a field, which is read now if it was not; None for one without elements."""
        if name not in self._there:
            self._of_bytes()._get(name)
        return self._there[name]

    def _present(self, name: str) -> Iterator[int | None]:
        """Yields the indexes of the elements that are there."""
        return (index for index in self._indexes(name) if self._has(name, index))

    def _value_at(self, name: str, index: int | None = None, **more: Any) -> Any:
        """Returns a placed field, or one of its elements, read from the source; ``more`` are arguments of the span."""
        assert self._source is not None
        known = self._spans.get((name, index))
        offset, size, most = self._find(name, index) if known is None else known
        row = self._placed[name]
        data = self._bytes_of.get(name)
        if data is None:
            data = self._source.read(offset, most)
            if row.places:
                self._bytes_of[name] = data
        at = Reader(data, base=offset, depth=self._depth - 1, source=self._source, origins=self._origins, **more)
        # The values that it depends on may have been edited.
        read = getattr(self._of_bytes(), f"_read_{name}")
        at.field = name if index is None else Place(name, index)
        try:
            value = at.reading(read, at) if index is None else at.reading(read, at, at.field)
            self._spans[name, index] = offset, at.pos if size is None else size, most
            # Elements may share bytes, but each makes its own values, which count against the limit.
            at.repeats(at.pos, 0)
            return value
        except CodecError as error:
            error.format, error.path = format_name(type(self)), error.path or _path(name, index)
            if error.offset is not None and not hasattr(error, "within"):
                error.offset += offset
            raise

    # ---- writing ----

    def to_bytes(self, *arguments: Any, start: int = 0, codecs: Any = None) -> bytes:
        """Returns the encoded record: sequential fields first, then placed fields in declared order.

        Offsets in other fields are adapted to the new bytes, but only in the result: the fields keep the offsets they
        have, but for None, which becomes the new one. A field without bytes keeps the offset 0, which many formats use
        for "there is none". With `: gaps`, all is placed at the fields' offsets, over the earlier bytes; a field whose
        offset is None goes to the end.

        Args:
            arguments: the parameters of the declaration; without them, those that the record was read with.
            start: the offset of the first byte in the file.
            codecs: factories that take the place of external codecs for this call, by the codec's name.

        Raises:
            EncodeError: a value does not fit its type, or a field would not stand where its declaration says.
            DecodeError: a field that had not been read breaks a rule.
            TypeError: there are more arguments than parameters.
        """
        if len(arguments) > len(self._parameters):
            raise TypeError(f"arguments: {type(self).__name__} takes {len(self._parameters)} parameters")
        return self._in_room(self._placed_bytes, arguments or self._parameter_values(), start, codecs)

    def _placed_bytes(self, given: tuple[Any, ...], start: int, codecs: Any) -> bytes:
        data, is_checked = self._placed_once(given, start, codecs, checks_losses=True)
        is_same = self._is_same(data)
        if not (is_same or start or codecs) and self._is_moved(data, given):
            assert self._source is not None
            return bytes(self._source.read(0, len(data)))
        # The bytes that it was read from agree with themselves.
        if self._written_once is not type(self) and not (start or is_same):
            data = self._write_again(data, lambda: self._placed_once(given, start, codecs)[0], given, codecs)
        if self._reads_back and not (start or is_checked):
            self._check_reading(data, given)
        return data

    def _is_moved(self, data: bytes, given: tuple[Any, ...]) -> bool:
        """Returns whether a record was not edited, though its bytes are not those that it was read from: its fields stand
        there in another order than writers lay them out.
        """
        if self._source is None or self._source.size != len(data) or given != self._arguments:
            return False
        if self._stood_in_order():
            return False
        before = self._of_bytes()
        try:
            # Values that are equal may have other bytes, such as zeros with signs.
            return self == before and before._placed_once(given, 0, None)[0] == data
        except CodecError:
            return False

    def _stood_in_order(self) -> bool:
        """Returns whether all was read, from where writers put it: then bytes differ only where fields were edited."""
        if self._aligns or not is_flat(type(self)) or not self._placed.keys() <= self._there.keys():
            return False
        behind = self._begin + self._taken
        near = [name for name, row in self._placed.items() if not (row.from_source or self._gaps)]
        for offset, size, _ in (self._spans[name, index] for name in near for index in self._there[name]):
            if size and offset != behind:
                return False
            behind = offset + size
        return True

    def _placed_once(
        self, given: tuple[Any, ...], start: int, codecs: Any, *, checks_losses: bool = False
    ) -> tuple[bytes, bool]:
        """Returns the bytes, and whether rules about their end were checked."""
        out = Writer(codecs, base=start)
        try:
            data = self._encoded_natively(given, start, codecs)
            is_checked = data is not None and self._checks_end
            if data is None:
                data = self._by_writer(out, given)
            if checks_losses and not self._is_same(data):
                refuse_losses(self, start, is_root=True)
        except CodecError as failed:
            error = with_paths(failed, lambda other: self._by_writer(other, given), codecs, start)
            name_contradicted(error, self)
            error.format = format_name(type(self))
            raise error from None
        except UNREADABLE as error:
            other = out.failure(error)
            other.format = format_name(type(self))
            raise other from None
        return data, is_checked

    def _by_writer(self, out: Writer, given: tuple[Any, ...]) -> bytes:
        start = out.base or 0
        with plain_values(self):
            self._place(out, tuple(map(plain, given)), start, 0, is_whole=True)
            data = out.finished(self)
            refuse_growth(self, out, len(data))
        return data

    def _encoded_natively(self, given: tuple[Any, ...], start: int, codecs: Any) -> bytes | None:
        """Returns the bytes of a record that is laid out natively; None if the generated writer must write it."""
        if start:
            return None
        try:
            # What their codecs were given must be there when the native writer begins.
            for name in keeping_fields(type(self)):
                self._get(name)
        except CodecError:
            return None
        return record_backend.encoded(self, codecs, given)

    def _is_same(self, data: bytes) -> bool:
        """Returns whether bytes are those that the record was read from, so that none of them are lost."""
        return self._source is not None and holds(self._source, data)

    def write_to(self, stream: Any, *arguments: Any, start: int = 0, codecs: Any = None) -> int:
        """Writes the result of `to_bytes` to a binary stream with one call and returns the number of bytes."""
        data = self.to_bytes(*arguments, start=start, codecs=codecs)
        stream.write(data)
        return len(data)

    def _encode(self, out: Writer, *arguments: Any) -> None:
        """Appends the record as a field of another one; its offsets count from its start."""
        out.enter(0)  # which the record around it, or its place, has counted
        is_whole = False
        if isinstance(out, Content) and not out.data:
            is_whole, out.allows = True, (self._gaps, self._overlaps)
        refuse_losses(self, 0, is_root=is_whole or bool(self._origin))
        self._place(out, arguments, 0, out.offset_if_known(), is_whole=is_whole)

    def _place(
        self, out: Writer, arguments: tuple[Any, ...], first: int, begin: int | None, *, is_whole: bool = False
    ) -> None:
        """Appends the record that begins at ``begin``; its first written byte has the offset ``first`` within it.

        Args:
            is_whole: whether the record is the whole source.
        """
        for name, value in zip(self._parameters, arguments, strict=False):
            store(self, name, value)
        placing = Placing(self, out, first, begin, is_whole=is_whole)
        out.data += placing.data()
        out.add_pins(placing.pins)
        for name in settings_of(type(self)):
            keep_settings(self, name, getattr(placing.record, name))
        offsets = {row.offset[0] for row in self._placed.values() if row.offset}
        for name in self._sequential:
            own, written = getattr(self, name), getattr(placing.record, name)
            # Of given fields, only values derived under a condition are set: the caller's objects stay unchanged.
            is_derived = written is not own and (own is None or name not in offsets) and not _holds_fields(written)
            if is_derived or name not in self._given:
                setattr(self, slot_of(name, type(self).__rows__[name]), written)

    def _encode_sequential(self, out: Writer) -> None:
        """Appends the fields that follow each other."""
        if self._sequential:
            record_backend.write(self, out, self._parameter_values())

    def _encoded(self, name: str, position: int, codecs: Any) -> bytes:
        """Returns the bytes of a field that has one place, at an offset."""
        out = Writer(codecs, base=position)
        out.field = name
        out.writing(self, getattr(self, f"_write_{name}"), out)
        return bytes(out.data)

    def _extents(self) -> Iterator[tuple[int, int]]:
        """Yields (offset, size) of all parts of the record itself, and reads them."""
        if self._sequential:
            out = Writer()
            out.writing(self, self._encode_sequential, out)
            yield self._begin, len(out.data)
        for name, row in self._placed.items():
            value = getattr(self, name)
            indexes: Sequence[int | None] = (None,) if not row.each else range(len(value))
            for index in indexes:
                if (value if index is None else value[index]) is not None:
                    yield self.span(name, index)

    def _all_but(self, ranges: tuple[tuple[int, int], ...]) -> bytes:
        """Returns the record's bytes, as read or as laid out so far, without some ranges (offset, size)."""
        if self._placing is not None:
            return self._placing.all_but(ranges)
        assert self._source is not None
        return without(bytes(self._source.read(self._begin, self._size)), ranges)

    def _measured(self, function: str, name: str, index: int | None = None) -> int:
        """Returns the `size` or the `offset` of a placed field, as read or as being written; 0 for an absent one."""
        if self._placing is not None:
            return self._placing.measured(function, name, index)
        if index is not None:
            item(self._indexes(name), index)
        if not self._has(name, index):
            return 0
        if function == "size":
            self._get(name)
        return self.span(name, index)[function == "size"]


#: The initial state of a record with places.
_BEGINS: Mapping[str, Any] = {
    "_found": dict,
    "_spans": dict,
    "_there": dict,
    "_bytes_of": dict,
    "_original": None,
    "_origins": None,
    "_placing": None,
}
#: The state that copies do not take over.
_UNKEPT = frozenset(("_bytes_of", "_original", "_placing"))


def _holds_fields(value: Any) -> bool:
    return isinstance(value, Fields) or (isinstance(value, list) and any(isinstance(each, Fields) for each in value))


def _path(name: str, index: int | None) -> str:
    return name if index is None else f"{name}[{index}]"
