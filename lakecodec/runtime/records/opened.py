"""Records with placed fields: what they know of the source in which they were opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from ..errors import CodecError, DecodeError, format_name
from . import backend as record_backend
from .base import Record
from .coverage import keeping_fields
from .depths import read_placed
from .placing import Placing
from .read import MAX_DEPTH, UNREADABLE
from .reader import Reader
from .row_classes import PlacedRows
from .rows import PlacedRow, slot_of, store
from .source import Bytes, Counted, Source, counted


class OpenedRecord(Record, metaclass=PlacedRows):
    """Base class of records with placed fields: their state, and how they are opened."""

    __slots__ = (
        "_arguments",
        "_begin",
        "_bytes_of",
        "_depth",
        "_explained",
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
        self, source: Counted | None, begin: int, size: int, arguments: tuple[Any, ...] | None, taken: int
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
        #: Whether all bytes that it was read from are known to belong to fields.
        self._explained: bool | None = None
        #: The bytes of fields, and elements with places, from which places of others are computed.
        self._bytes_of: dict[tuple[str, int | None], Any] = {}
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

    @classmethod
    def _opened(
        cls,
        source: Counted,
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

    def _of_bytes(self) -> Self:
        """Returns the record read again from its bytes, unaffected by changes to objects that were handed out."""
        if self._source is None or self._arguments is None:
            return self
        if self._original is None:
            self._original = self._opened(self._source, self._begin, self._size, self._arguments, self._origins)
            self._original._original, self._original._bytes_of = self._original, self._bytes_of
            self._original._spans, self._original._there = self._spans, self._there
        return self._original

    def _as_written(self) -> Any:
        whole = self._of_bytes()
        if whole is not self and all(getattr(self, name) == getattr(whole, name) for name in self._read_so_far()):
            return self
        return super()._as_written()

    def _read_so_far(self) -> Iterator[str]:
        """Yields the names of the fields that were read or set."""
        yield from self._sequential
        yield from self._found

    def _keep_stored(self, stored: Mapping[int, Any]) -> None:
        kept = getattr(self, "_stored", {})
        # Shallow copies share the dict, as they do what is found.
        kept.update({key: value for key, value in stored.items() if key not in kept})
        self._stored: Any = kept


#: The initial state of a record with places.
_BEGINS: Mapping[str, Any] = {
    "_found": dict,
    "_spans": dict,
    "_there": dict,
    "_bytes_of": dict,
    "_explained": None,
    "_original": None,
    "_origins": None,
    "_placing": None,
}
#: The state that copies do not take over.
_UNKEPT = frozenset(("_bytes_of", "_explained", "_original", "_placing"))
