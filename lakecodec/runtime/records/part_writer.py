"""Bytes to which generated writers append, of a whole or a part whose size or place is known later, with the errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from ..declaration import Use
from ..errors import CodecError, EncodeError
from ..short import short
from .ahead import check_plain_fields
from .assemble import assembled
from .read import MAX_DEPTH, UNREADABLE, reason
from .trail import Place, Step
from .write_values import ValueWriter

if TYPE_CHECKING:
    from .writer import Content, Writer

#: The built-in `bytes` under another name, since a method is called `bytes`.
_Bytes = bytes
#: Pieces by the name of the record at whose start their offsets begin; "" stands for the source.
Pins = dict[str, list[tuple[int, Any, str]]]


class PartWriter(ValueWriter):
    """The output of generated writers.

    Every writing method takes the field's name, or the `Place` of an element, for errors.

    Attributes:
        data: the bytes so far.
        codecs: factories that replace external codecs, by the codec's name.
        base: the offset of the first byte; None if it depends on sizes that are not known yet.
        depth: how many more records may be nested.
        is_strict: whether values that are not plain are refused with `NotPlainValueError`.
        pins: pieces (offset, bytes, path) at offsets of the source that come from earlier data, by
            the name of the enclosing record from whose start they count, "" for the source.
        covered: (offset, size, path) of the parts of the data, if it has gaps.
        origins: where the enclosing records that others count from begin, by name; None as ``base``.
    """

    __slots__ = ("base", "codecs", "covered", "depth", "origins", "pins")
    #: The classes of writers for parts and for codecs' input, and whether programs may write records.
    apart: ClassVar[type[Writer]]
    inner: ClassVar[type[Content]]
    by_programs: ClassVar[bool] = True

    def __init__(
        self,
        codecs: Mapping[str, Callable[..., Any]] | None = None,
        base: int | None = 0,
        depth: int = MAX_DEPTH,
        outer: PartWriter | None = None,
        is_strict: bool = False,
    ) -> None:
        self.data = bytearray()
        self.codecs = codecs or {}
        self.base = base
        self.depth = depth
        self.field: Step = "" if outer is None else outer.field
        self.pins: Pins = {} if outer is None else outer.pins
        self.covered: list[tuple[int, Any, str]] = []
        self.origins: Mapping[str, int | None] = {} if outer is None else outer.origins
        self.is_strict = is_strict

    def __len__(self) -> int:
        return len(self.data)

    def __bytes__(self) -> Any:
        return bytes(self.data)

    # ---- the whole ----

    def whole_record(self, value: Any, *arguments: Any) -> None:
        """Appends a record by its generated writer.

        Raises:
            EncodeError: a value does not fit its type or breaks a rule; with its path.
        """
        try:
            self.body(value, *arguments)
        except UNREADABLE as error:
            raise self.failed_whole(error, value) from None

    def writing(self, record: Any, write: Callable[..., Any], *arguments: Any) -> None:
        """Runs ``write(*arguments)``, which writes fields of a record; its errors get the path of the field at which it ended."""
        try:
            write(*arguments)
        except UNREADABLE as error:
            raise self.failed_whole(error, record) from None

    def body(self, value: Any, *arguments: Any, **state: Any) -> None:
        """Appends a record; counts the nesting depth if its type can contain itself."""
        if self.is_strict and value._ahead:
            check_plain_fields(value)
        if value._take is not None:
            value._take(arguments)
        if not value._nests:
            if state:
                value._write(self, **state)
            else:
                value._write(self)
            return
        self.enter()
        self.nested(value._write, self, **state)
        self.depth += 1

    def enter(self, levels: int = 1) -> None:
        self.depth -= levels
        if self.depth < 0:
            raise EncodeError(f"records are nested more than {MAX_DEPTH} deep")

    def finished(self, record: Any) -> _Bytes:
        """Returns the bytes of a whole source that begins with the data.

        Raises:
            EncodeError: pieces would overlap or leave gaps, and the record does not allow that.
        """
        return self._with_pins(record._gaps, record._overlaps) if self.pins else bytes(self.data)

    def add_pins(self, pins: Pins) -> None:
        """Adds pieces at offsets, by the record from which they count."""
        for origin, pieces in pins.items():
            self.pins.setdefault(origin, []).extend(pieces)

    def _with_pins(self, gaps: bool, overlaps: bool) -> _Bytes:
        whole = bytes(self.data)
        for origin, pins in self.pins.items():
            if origin and pins:
                raise EncodeError(f"no {origin} contains it, from which its offset counts", path=pins[0][2])
        start = self.base or 0
        pieces = [(offset - start, data, path) for offset, data, path in self.pins.get("", ())]
        covered = self.covered or [(start, len(whole), "")]
        # Shared bytes are compared with the earlier ones.
        near = [(at - start, whole[at - start : at - start + size], path) for at, size, path in covered]
        return assembled(whole, [*near, *pieces], gaps=gaps, overlaps=overlaps)

    # ---- errors ----

    def about(self, field: str) -> None:
        self.field = field

    def refuse(self, field: Any, rule: str) -> None:
        """Raises the error of a field that breaks a rule."""
        self.field = field
        raise EncodeError(rule)

    def undecodable(self, codec: str, value: Any, decoded: Any) -> None:
        """Raises the error of a value whose bytes a codec with fields would decode to another one."""
        rule = (
            f"the codec {codec} cannot encode the value {short(value)}: its bytes would be decoded as {short(decoded)}"
        )
        self.refuse("", rule)

    def takes(self, field: Any, count: int, size: int) -> None:
        """Refuses a field whose encoded size differs from the declared one."""
        if count != size:
            self.refuse(field, f"its encoded size {count} is not its declared size {size}")

    def ends(self, field: str, values: Any, holds: Callable[[list[Any]], Any]) -> None:
        """Refuses a list that a reader would end elsewhere: ``holds`` must be true after the last element and not earlier."""
        self.field, items = field, list[Any]()
        self.look_at_list(values)
        for item in values:
            if items and holds(items):
                raise EncodeError(
                    f"it ends after {len(items)} of its {len(values)} elements: change what ends it there, or leave out those"
                    " that follow"
                )
            items.append(item)
        if not items or not holds(items):
            raise EncodeError("it has no element after which it ends: append one with which its 'until' holds")

    def failure(self, error: Exception) -> CodecError:
        if isinstance(error, EncodeError):
            return error
        if isinstance(error, CodecError):
            return EncodeError(error.rule, path=error.path)
        found = EncodeError(f"cannot evaluate this field's expression: {reason(error)}")
        if isinstance(error, RecursionError):
            found.of_stack = True  # type: ignore[attr-defined]
        return found

    # ---- parts ----

    def part(self, field: Any, base: int | None = None) -> Writer:
        """Returns the writer, and context manager, of a part: its size is needed earlier, or it is codecs' input."""
        self.field = field
        return self.apart(self.codecs, base=base, depth=self.depth, outer=self, is_strict=self.is_strict)

    def placed(self, base: int | None, levels: int) -> Writer:
        """Returns the writer of a placed field, whose pieces elsewhere are its own until it is written the last time; it is
        nested so many levels deeper.
        """
        return self.apart(self.codecs, base=base, depth=self.depth - levels)

    def content(self, field: Any) -> Content:
        """Returns the writer, and context manager, of codecs' input, in which offsets count from its own start."""
        self.field = field
        made = self.inner(self.codecs, depth=self.depth, is_strict=self.is_strict)
        made.field = field
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None and issubclass(kind, UNREADABLE):
            raise self.failed(error) from None

    def put(self, part: PartWriter | _Bytes) -> None:
        """Appends a part."""
        self.data += part.data if isinstance(part, PartWriter) else part

    def offset(self) -> int:
        """Returns the offset of the next byte in the output.

        Raises:
            EncodeError: this is the writer of a part whose place is not known yet.
        """
        if self.base is None:
            raise EncodeError("the offset is not known: the size of what precedes this part is not")
        return self.base + len(self.data)

    def offset_if_known(self, distance: int = 0) -> int | None:
        """Returns the offset of the byte that is ``distance`` bytes behind the output; None if it is not known yet."""
        return None if self.base is None else self.base + len(self.data) + distance

    def tell(self) -> int:
        """Returns the number of bytes so far."""
        return len(self.data)

    def codec(self, use: Use) -> Any:
        """Returns a new codec object for a use: from the caller's factory of that name, else the declared class."""
        return use.encoder(self.codecs)

    def kept(self, record: Any, number: int, place: Place | None = None) -> Any:
        """Returns the codecs' input from when a field or element was read; None if it must be encoded anew."""
        stored = None if self.codecs else getattr(record, "_stored", None)
        return stored and stored.get(number << 32 | (0 if place is None else place.index + 1))

    def _is_decoded_from(self, kept: Any, data: Any, codecs: Sequence[Any]) -> bool:
        """Returns whether codecs decode the kept bytes to the data."""
        try:
            for codec in reversed(codecs):
                kept = (self.codec(codec) if isinstance(codec, Use) else codec).decode(kept)
        except UNREADABLE:
            return False
        return bool((bytes(kept) if isinstance(kept, memoryview | bytearray) else kept) == data)

    def through(self, field: Any, part: Any, *codecs: Any, kept: Any = None) -> _Bytes:
        """Returns a part or value encoded by codecs, the first one first; the ``kept`` bytes if they decode to the same."""
        self.field = field
        data: Any = part.data if isinstance(part, PartWriter) else part
        if kept is not None and self._is_decoded_from(kept, data, codecs):
            return cast("_Bytes", kept)
        for codec in codecs:
            made = self.codec(codec) if isinstance(codec, Use) else codec
            data = made.encode(bytes(data) if isinstance(data, bytearray) else data)
        return bytes(data) if isinstance(data, bytearray) else data
