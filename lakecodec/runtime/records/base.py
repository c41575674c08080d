"""The base classes of generated records and of codecs with fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from ..errors import CodecError, DecodeError, EncodeError, format_name
from ..exact import exact_int
from ..objects import byte_size
from ..stack import is_on_new_stack, on_new_stack, ran_out, too_deep
from ..streams import Feeder, Gap, PartReaders, stream
from . import backend as record_backend
from .ahead import NotPlainValueError, can_be_plain
from .contradictions import name_contradicted
from .depths import computes_fields, holds_places, read_placed
from .difference import difference, reason_of, rounded_floats
from .kept_settings import show_edits
from .methods import first_read, first_write
from .piece_paths import with_paths
from .plain_values import plain, plain_values
from .read import UNREADABLE
from .reader import Reader
from .row_classes import RecordRows
from .row_tables import table_of
from .unsettled import holds, shared_object, until_same
from .values import Fields
from .writer import Writer

if TYPE_CHECKING:
    from .table import Table

#: How a writer of plain values refuses one.
_REFUSED = (*UNREADABLE, NotPlainValueError)


def _documented(to_bytes: Any) -> Any:
    """Returns the method of a class that normalizes."""

    @wraps(to_bytes)
    def documented(self: Any, *arguments: Any, **options: Any) -> bytes:
        found: bytes = to_bytes(self, *arguments, **options)
        return found

    documented.__doc__ = f"""{to_bytes.__doc__}
        Normalizes: what was read in another form is written in the usual one, as the shortest numbers for instance. The bytes
        can differ from those that were read.
        """
    return documented


def _is_of_today(read: Any) -> bool:
    """Returns whether a reader takes a cursor and states; before 0.1 it took a buffer, a position and, later, parameters."""
    code = getattr(read, "__code__", None)
    return code is not None and code.co_varnames[2 : code.co_argcount] in ((), ("state",))


class Record(Fields, metaclass=RecordRows):
    """Base class of generated records with sequential fields, and of the alternatives of variants.

    Classes are generated from the IDL; instances are mutable and not synchronized between threads.
    """

    __slots__ = ()
    #: Arguments of the table besides those of the rows; None if a table cannot describe the record.
    _body: ClassVar[Mapping[str, Any] | None] = {}
    #: Cache of (class, its `Table`). Subclasses ignore it, as they do the other caches below.
    _known_table: ClassVar[tuple[type, Any] | None] = None
    #: Whether placed fields may leave gaps between them and may share bytes.
    _gaps: ClassVar[bool] = False
    _overlaps: ClassVar[bool] = False
    #: Whether reading accepts more than one encoding of the same value.
    _normalizes: ClassVar[bool] = False
    #: Whether values can contain others of their type.
    _nests: ClassVar[bool] = False
    #: Fields that the generated writer computes with before it writes them, and whether it uses their elements.
    _ahead: ClassVar[Mapping[str, bool]] = {}
    #: Whether the generated writer can be called without preparation.
    _is_written_plainly: ClassVar[bool] = True
    #: The class itself once it is known that its instances contain no placed fields.
    _placeless: ClassVar[type | None] = None
    #: Cache of (class, whether its writer notices all values that are not plain).
    _can_be_plain: ClassVar[tuple[type, Any] | None] = None
    #: What is written with values inside of fields that may be written later: fields with places, "" for those in order.
    _unsettled: ClassVar[tuple[str, ...]] = ()
    #: Whether expressions use values inside of fields that depend on the arguments of these.
    _uses_arguments: ClassVar[bool] = False
    #: The class itself once it is known that its instances contain no record of either kind.
    _written_once: ClassVar[type | None] = None
    #: Whether written bytes are read back as a check, since parts depend on the end of a span that extends beyond them.
    _reads_back: ClassVar[bool] = False
    #: Cache of (class, what the native backend made from its table).
    _native: ClassVar[tuple[type, Any] | None] = None
    #: The number of small records that were read without a program, as the only item of a list: setting a class
    #: attribute would invalidate the interpreter's caches of the class's attributes.
    _small_reads: ClassVar[list[int]] = [0]
    #: Cache of (class, the native program that writes its instances).
    _native_writer: ClassVar[tuple[type, Any] | None] = None

    def __init_subclass__(cls, nests: bool = False, normalizes: bool = False, **options: Any) -> None:
        """Takes a class statement's arguments: whether values can contain others of their type or have another form."""
        super().__init_subclass__(**options)
        if nests:
            cls._nests = True
        cls._is_plain = not cls._nests and cls._pick is None
        cls._is_written_plainly = not (cls._nests or cls._ahead or cls._defaults)
        if normalizes:
            cls._normalizes = True
            cls.to_bytes = _documented(cls.to_bytes)  # type: ignore[method-assign]
        if "_read" in vars(cls) and not _is_of_today(vars(cls)["_read"]):
            remedy = "run `lakecodec generate` again"
            raise ImportError(f"{cls.__module__} was generated by an older version of lakecodec: {remedy}")

    @classmethod
    def from_bytes(cls, data: Any, *parameters: Any, allow_trailing: bool = False) -> Self:
        """Returns the record at the start of ``data``, with all placed fields of records inside.

        Args:
            data: any C-contiguous bytes-like object.
            parameters: the arguments of the record's declared parameters, in their order.
            allow_trailing: accept bytes after the record.

        Raises:
            DecodeError: the bytes break a rule of the record, or some are left over.
        """
        # A call with a tuple of arguments takes longer, and most records have none.
        value, end = cls.read(data, 0, *parameters) if parameters else cls.read(data)
        size = len(data) if data.__class__ is bytes else byte_size(data)
        if not (allow_trailing or end == size or cls._is_explained(value, end, size)):
            raise DecodeError("bytes are left over after the value", format=format_name(cls), offset=end)
        if (kind := type(value))._placeless is not kind and holds_places(kind):
            read_placed(value)
        return value

    @staticmethod
    def _is_explained(value: Record, end: int, size: int) -> bool:
        """Returns whether placed fields of records in a value explain the bytes behind it."""
        from .coverage import far_spans, first_uncovered

        return first_uncovered(end, size, far_spans(value)) is None

    @classmethod
    def read(cls, data: Any, pos: int = 0, *parameters: Any) -> tuple[Self, int]:
        """Returns the record at ``pos`` and the position of the byte after it.

        Args:
            data: any C-contiguous bytes-like object; bytes after the record are ignored, unless a field extends to the end.
            pos: a byte offset in ``data``.
            parameters: the arguments of the record's declared parameters, in their order.

        Raises:
            DecodeError: the bytes break a rule of the record.
            ValueError: ``pos`` is negative or behind the end of ``data``.
        """
        buf = data if data.__class__ is bytes else memoryview(data).cast("B")
        pos = pos if type(pos) is int else exact_int("pos", pos)
        if not 0 <= pos <= len(buf):
            raise ValueError(f"pos: {pos} is outside the data")
        if parameters or cls._parameters:
            check_arguments(cls, parameters)
        reader = Reader(buf, pos)
        try:
            value: Self = cls._decode(reader, *parameters) if parameters else cls._decode(reader)
        except UNREADABLE as error:
            found = reader.failed_whole(error)
            if ran_out(found) and not is_on_new_stack():
                return cast("tuple[Self, int]", on_new_stack(cls.read, data, pos, *parameters))
            found.format = format_name(cls)
            raise found from None
        return value, reader.pos

    @classmethod
    def stream(cls, source: Any, *parameters: Any, resync: bytes | bool | None = None) -> Iterator[Self | Gap]:
        """Yields the values that follow each other in a source, each as soon as its bytes are there.

        Args:
            source: a binary file object, a socket, or an iterable of bytes.
            parameters: the arguments of the declared parameters, in their order.
            resync: the bytes that every value begins with, or True for those that the declaration fixes. Damaged bytes
                become a `Gap`, and reading continues at the next occurrence from which a value can be read.

        Raises:
            DecodeError: bytes break a rule, or the source ends within a value.
            ValueError: values of this type cannot be streamed; the error says why.
        """
        return stream(cls, source, parameters, resync)

    @classmethod
    def feeder(cls, *parameters: Any, resync: bytes | bool | None = None) -> Feeder[Self]:
        """Returns a reader to which bytes are passed in parts and that yields the values in them; arguments as in `stream`.

        Raises:
            ValueError: values of this type cannot be streamed; the error says why.
        """
        return Feeder(cls, parameters, resync)

    @classmethod
    def _part_readers(cls, parameters: tuple[Any, ...]) -> PartReaders[Self]:
        """Returns the functions that read records in bytes that may end early."""
        if parameters or cls._parameters:
            check_arguments(cls, parameters)
        waits = hasattr(cls, "_placed")

        def read(buf: Any, pos: int, base: int) -> tuple[Self, int]:
            reader = Reader(buf, pos, base=base)
            try:
                value = cls._decode(reader, *parameters) if waits else reader.body(cls, *parameters)
                return value, reader.pos
            except UNREADABLE as error:
                raise reader.failed_whole(error) from None

        def read_run(buf: Any, pos: int, base: int, paused: Any) -> tuple[list[Self], int, int, Any] | None:
            return record_backend.read_run(cls, Reader(buf, pos, base=base), parameters, paused)

        return PartReaders(read, None if waits else read_run)

    @classmethod
    def skip(cls, data: Any, pos: int = 0, *parameters: Any) -> int:
        """Returns the position of the byte after the record at ``pos``; decodes the record. Arguments and errors as in `read`."""
        return cls.read(data, pos, *parameters)[1]

    def to_bytes(self, *parameters: Any, codecs: Any = None) -> bytes:
        """Returns the encoded record; sets its derived fields to the values that are written.

        Args:
            parameters: the arguments of the declared parameters; by default those with which the record was read.
            codecs: factories that replace external codecs for this call, by the codec's name.

        Raises:
            EncodeError: a value does not fit its type or breaks an invariant.
        """
        given = parameters or (self._parameter_values() if self._parameters else ())
        # As `_in_room`, whose call takes a tenth of the time of a short record.
        try:
            return self._to_bytes(given, codecs)
        except (RecursionError, CodecError) as error:
            if not ran_out(error):
                show_edits(self)
                raise
        return self._on_new_stack(self._to_bytes, given, codecs)

    def _in_room(self, encode: Callable[..., bytes], *arguments: Any) -> bytes:
        """Returns the bytes that a method encodes, on a new stack if this one has no room for it."""
        try:
            return encode(*arguments)
        except (RecursionError, CodecError) as error:
            if not ran_out(error):
                show_edits(self)
                raise
        return self._on_new_stack(encode, *arguments)

    def _on_new_stack(self, encode: Callable[..., bytes], *arguments: Any) -> bytes:
        try:
            return cast("bytes", on_new_stack(encode, *arguments))
        except RecursionError:
            raise too_deep(type(self)) from None

    def _to_bytes(self, given: tuple[Any, ...], codecs: Any) -> bytes:
        found = self._written(given, codecs)
        if self._written_once is not type(self):
            found = self._write_again(found, lambda: self._written(given, codecs), given, codecs)
        if self._reads_back:
            self._check_reading(found, given)
        return found

    def _written(self, given: tuple[Any, ...], codecs: Any) -> bytes:
        try:
            found = None if record_backend.native is None else record_backend.encoded(self, codecs, given)
            return self._generated(given, codecs) if found is None else found
        except CodecError as failed:
            error = with_paths(failed, lambda out: self._by_writer(out, given), codecs)
            name_contradicted(error, self)
            error.format = format_name(type(self))
            raise error from None

    def _write_again(self, found: bytes, write: Callable[[], bytes], given: Sequence[Any], codecs: Any) -> bytes:
        """Returns the bytes of a record once they are the same each time that it is written, and agree with themselves."""
        cls = type(self)
        if holds(cls, "_unsettled"):
            found = found if record_backend.is_settled(self) else until_same(found, write)
            if record_backend.is_settled(self):
                return found
            why = "what it derives from its fields depends on itself"
        elif not holds(cls, "_uses_arguments"):
            cls._written_once = cls
            return found
        elif record_backend.kept_parameters(self):
            return found
        elif shared := shared_object(self):
            why = f"one {shared} stands in several places, with other parameters in each"
        else:
            return found
        # The reader has the declared codecs, and compares all that it finds where that can be something else.
        if not (codecs or self._reads_back):
            self._check_accepted(found, given, why)
        return found

    def _generated(self, given: tuple[Any, ...], codecs: Any) -> bytes:
        """Returns the bytes of the generated writer; it first gets the values unchanged, and plain copies if it refuses one.

        The first writer's errors are dropped, so that they need no path.
        """
        if given or self._parameters:
            check_arguments(type(self), given)
            given = tuple(map(plain, given))
        if can_be_plain(type(self)):
            value: Any = self
            out = Writer(codecs, is_strict=True)
            try:
                if value._is_written_plainly and not given:
                    value._write(out)
                else:
                    out.body(value, *given)
                return out.finished(self)
            except _REFUSED:
                pass
        return self._by_writer(Writer(codecs), given)

    def _by_writer(self, out: Writer, given: tuple[Any, ...]) -> bytes:
        """Returns the bytes that the generated writer appends."""
        with plain_values(self):
            out.whole_record(self, *given)
        return out.finished(self)

    def _check_accepted(self, data: bytes, given: Sequence[Any], why: str) -> None:
        """Raises EncodeError if the record's reader refuses its bytes, other than those that were kept unread."""
        try:
            read_placed(self._reread(data, given))
        except DecodeError as error:
            if not self._is_unreadable():
                rule = f"the bytes cannot be read back ({error.rule}): {why}"
                raise EncodeError(rule, format=format_name(type(self)), path=error.path) from None

    def _is_unreadable(self) -> bool:
        """Returns whether a placed field inside cannot be read, so that its bytes are kept."""
        try:
            read_placed(self, is_new=False)
        except CodecError:
            return True
        return False

    def _check_reading(self, data: bytes, given: Sequence[Any]) -> None:
        """Raises EncodeError if the record's reader refuses its bytes or reads other fields from them."""
        try:
            found = self._reread(data, given)
            if record_backend.same(found, self):
                return
            path = difference(found, self)
            if path is None:
                return
            reason = reason_of(path, found, self)
        except DecodeError as error:
            reason, path = error.rule + rounded_floats(self, error.path), error.path
        rule = (
            f"the bytes cannot be read back ({reason}): how a field is read depends on the bytes after it, on their end, "
            "or on a float as it is stored"
        )
        raise EncodeError(rule, format=format_name(type(self)), path=path) from None

    @classmethod
    def _reread(cls, data: bytes, given: Sequence[Any]) -> Any:
        """Returns the record in bytes that were just written; placed fields are read when they are compared."""
        return cls.from_bytes(data, *given)

    def _as_written(self) -> Any:
        """Returns the record as its bytes would be read if writing computes fields, which show edits of others then."""
        if not computes_fields(type(self)):
            return self
        given = self._parameter_values()
        return self._reread(self.to_bytes(*given), given)

    #: Returns the record at a reader's position like ``_read``, by the active backend.
    _decode: ClassVar[Callable[..., Any]] = classmethod(record_backend.read)  # type: ignore[assignment]

    def _encode(self, out: Writer, *parameters: Any) -> None:
        """Appends the record's bytes like ``_write``, by the active backend."""
        record_backend.write(self, out, parameters)

    @classmethod
    def _table(cls) -> Table | None:
        """Returns the table that drives the native backend; None for records that only ``_read`` and ``_write`` can handle."""
        return table_of(cls)

    #: For a variant: returns the class of the alternative to read.
    _pick: ClassVar[Any] = None
    #: Whether the alternative depends on the bytes left, and so may differ between the elements of a list.
    _asks_span: ClassVar[bool] = False
    #: Whether the record neither nests nor is a variant.
    _is_plain: ClassVar[bool] = True

    if not TYPE_CHECKING:
        # Methods that read with a reader and write with a writer: generated, or made from the rows.
        _read, _write = first_read, first_write


class FieldCodec(Record):
    """Base class of generated codecs with fields; instances have the fields and the value that they encode."""

    __slots__ = ("value",)
    _has_constructor: ClassVar[bool] = True
    #: No user sets its fields.
    _hides_derived: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._given = ("value",)

    def __init__(self, *, value: Any) -> None:
        self.value = value


def check_arguments(cls: Any, given: tuple[Any, ...]) -> None:
    """Raises TypeError unless the number of arguments fits a record's parameters; the last ones may have defaults."""
    names = cls._parameters
    if not len(names) - len(cls._defaults) <= len(given) <= len(names):
        wanted = ", ".join(names) or "none"
        raise TypeError(f"parameters: {cls.__name__} takes {wanted}, not {len(given)} arguments")
