"""The bytes of a record: by the active backend, until they are settled, and read back where that tells more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from ..errors import CodecError, DecodeError, EncodeError, format_name
from ..stack import on_new_stack, ran_out, too_deep
from . import backend as record_backend
from .ahead import NotPlainValueError, can_be_plain
from .contradictions import name_contradicted
from .depths import computes_fields, read_placed
from .difference import difference, reason_of, rounded_floats
from .kept_settings import show_edits
from .piece_paths import with_paths
from .plain_values import plain, plain_values
from .read import UNREADABLE
from .unsettled import holds, shared_object, until_same
from .values import Fields
from .writer import Writer

#: How a writer of plain values refuses one.
_REFUSED = (*UNREADABLE, NotPlainValueError)


class WrittenRecord(Fields):
    """Base class of records: how they are written."""

    __slots__ = ()
    #: Whether the generated writer can be called without preparation.
    _is_written_plainly: ClassVar[bool] = True
    #: What is written with values inside of fields that may be written later: fields with places, "" for those in order.
    _unsettled: ClassVar[tuple[str, ...]] = ()
    #: Whether expressions use values inside of fields that depend on the arguments of these.
    _uses_arguments: ClassVar[bool] = False
    #: The class itself once it is known that its instances contain no record of either kind.
    _written_once: ClassVar[type | None] = None
    #: Whether written bytes are read back as a check, since parts depend on the end of a span that extends beyond them.
    _reads_back: ClassVar[bool] = False

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
    def _reread(cls: Any, data: bytes, given: Sequence[Any]) -> Any:
        """Returns the record in bytes that were just written; placed fields are read when they are compared."""
        return cls.from_bytes(data, *given)

    def _as_written(self) -> Any:
        """Returns the record as its bytes would be read if writing computes fields, which show edits of others then."""
        if not computes_fields(type(self)):
            return self
        given = self._parameter_values()
        return self._reread(self.to_bytes(*given), given)


def check_arguments(cls: Any, given: tuple[Any, ...]) -> None:
    """Raises TypeError unless the number of arguments fits a record's parameters; the last ones may have defaults."""
    names = cls._parameters
    if not len(names) - len(cls._defaults) <= len(given) <= len(names):
        wanted = ", ".join(names) or "none"
        raise TypeError(f"parameters: {cls.__name__} takes {wanted}, not {len(given)} arguments")
