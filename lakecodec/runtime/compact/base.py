"""Base classes of generated Thrift structs and unions, which read and write the compact protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

from ..errors import DecodeError, format_name
from ..exact import check_type, exact_texts
from ..fields import Rows
from ..limits import DEFAULT_LIMITS, Limits
from ..objects import Value, byte_size
from ..plain import mapping
from ..spec import Spec
from ..streams import Feeder, Gap, PartReaders, stream
from ..struct_values import StructValue, UnionValue
from .backend import skip
from .projection import parse_fields
from .rules import RULES, UNFINISHED, TextPolicy
from .unknown import unknown_fields


class Codec(Protocol):
    """The interface of the codec that a backend gives each generated class."""

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, early: bool = ..., /
    ) -> tuple[Any, int]: ...

    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] = ..., /) -> bytes: ...

    def project(self, tree: dict[str, Any]) -> Codec: ...


class WholeCodec(Codec, Protocol):
    """The interface of a codec that reads all fields."""

    def decode_kept(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, /
    ) -> tuple[Any, int]: ...

    def decode_parts(
        self, data: Any, pos: int, state: Any, max_depth: int, max_elements: int, /
    ) -> tuple[list[Any], int, int, Any]: ...


class _Wire(Value):
    """Base class of structs and unions with their reading and writing methods; decoding and encoding keep no shared state."""

    __slots__ = ()
    __codec__: ClassVar[WholeCodec]
    __spec__: ClassVar[Spec]
    #: A class and its codecs by the fields that they decode; subclasses have their own.
    _projections: ClassVar[tuple[type | None, dict[tuple[str, ...], Codec]]] = (None, {})

    @classmethod
    def from_bytes(
        cls,
        data: Any,
        *,
        allow_trailing: bool = False,
        fields: Iterable[str] | None = None,
        limits: Limits | None = None,
        views: bool = False,
        text: TextPolicy = "strict",
    ) -> Self:
        """Returns the value at the start of ``data``.

        Args:
            data: any C-contiguous bytes-like object; it is not copied.
            allow_trailing: accept bytes after the value; with ``fields``, also whatever follows the last of them.
            fields: dotted paths of the only fields to decode, e.g. ``["row_groups.columns.meta_data.statistics"]``;
                ``columns[3,7]`` keeps these elements of a list, in file order. All other fields are skipped and are
                None.
            limits: bounds on depth and elements; the defaults suit files of unknown origin.
            views: return binary fields as memoryviews of ``data`` instead of copies.
            text: what to do with strings that are not UTF-8.

        Raises:
            DecodeError: ``data`` breaks a rule of the format.
            KeyError: ``fields`` names an unknown field.
            TypeError: ``fields`` is one str.
            ValueError: a path of ``fields`` is malformed, or ``text`` is no such policy.
        """
        codec = cls.__codec__ if fields is None else projected(cls, fields)
        early = allow_trailing and fields is not None
        if limits is None:  # the usual case, of values so small that another call takes long
            value, end = codec.decode(
                data, 0, DEFAULT_LIMITS.max_depth, DEFAULT_LIMITS.max_elements, views, text, early
            )
        else:
            value, end = decoded(codec, data, 0, limits, views, text, early)
        if not allow_trailing and end != byte_size(data):
            raise DecodeError(RULES["trailing"], format=format_name(cls), offset=end)
        return value if type(value) is cls else cls._adopt(value)

    @classmethod
    def read(
        cls,
        data: Any,
        pos: int = 0,
        *,
        fields: Iterable[str] | None = None,
        limits: Limits | None = None,
        views: bool = False,
        text: TextPolicy = "strict",
    ) -> tuple[Self, int]:
        """Returns the value at ``pos`` and the position of the byte after it; other arguments and errors as in ``from_bytes``.

        Raises:
            ValueError: ``pos`` is negative or behind the end of ``data``.
        """
        codec = cls.__codec__ if fields is None else projected(cls, fields)
        value, end = decoded(codec, data, pos, limits, views, text)
        return value if type(value) is cls else cls._adopt(value), end

    @classmethod
    def _read_kept(cls, data: Any, pos: int) -> tuple[Self, int]:
        """Returns the value of a record's field, as `read` does; structs keep fields that their classes do not know."""
        bounds = DEFAULT_LIMITS
        return cls.__codec__.decode_kept(data, pos, bounds.max_depth, bounds.max_elements, False, "strict")

    @classmethod
    def _adopt(cls, value: Any) -> Self:
        """Returns a value of the generated class as one of ``cls``, a subclass that a user wrote."""
        raise NotImplementedError

    def to_bytes(self, *, text: TextPolicy = "strict") -> bytes:
        """Returns the value in the compact protocol.

        Args:
            text: what to do with strings that cannot be written as UTF-8.

        Raises:
            EncodeError: a field's value does not fit its type; the error's path names the field.
        """
        return self.__codec__.encode(self, text)

    @classmethod
    def stream(cls, source: Any, *, resync: bytes | bool | None = None) -> Iterator[Self | Gap]:
        """Yields the values that follow each other in a source, each as soon as its bytes are there.

        Args:
            source: a binary file object, a socket, or an iterable of bytes.
            resync: the bytes that every value begins with. Damaged bytes become a `Gap`, and reading continues at the
                next occurrence from which a value can be read.

        Raises:
            DecodeError: bytes break a rule, or the source ends within a value.
            ValueError: values of this type cannot be streamed; the error says why.
        """
        return stream(cls, source, (), resync)

    @classmethod
    def feeder(cls, *, resync: bytes | bool | None = None) -> Feeder[Self]:
        """Returns a reader to which bytes are passed in parts and that yields the values in them; arguments as in `stream`.

        Raises:
            ValueError: values of this type cannot be streamed; the error says why.
        """
        return Feeder(cls, (), resync)

    @classmethod
    def _part_readers(cls, parameters: tuple[Any, ...]) -> PartReaders[Self]:
        """Returns the functions that read values in bytes that may end early."""

        def read(buf: Any, pos: int, base: int) -> tuple[Self, int]:
            try:
                return cls.read(buf, pos)
            except DecodeError as error:
                if error.rule in UNFINISHED:
                    error.missing = 1  # type: ignore[attr-defined]
                raise

        def read_run(buf: Any, pos: int, base: int, paused: Any) -> tuple[list[Self], int, int, Any] | None:
            found, pos, missing, paused = codec.decode_parts(buf, pos, paused, limits.max_depth, limits.max_elements)
            if found and type(found[0]) is not cls:
                found = [cls._adopt(each) for each in found]
            return found, pos, missing, paused

        codec, limits = cls.__codec__, DEFAULT_LIMITS
        return PartReaders(read, read_run)

    @classmethod
    def skip(cls, data: Any, pos: int = 0, *, limits: Limits | None = None) -> int:
        """Returns the position of the byte after the value at ``pos``; makes no objects.

        Raises:
            DecodeError: the bytes break a rule of the protocol.
            ValueError: ``pos`` is negative or behind the end of ``data``.
        """
        return skip(data, pos, DEFAULT_LIMITS if limits is None else limits, format_name(cls))


class Struct(StructValue, _Wire):
    """Base class of generated structs: one attribute per field; absent optional fields are None."""

    __slots__ = ()

    @property
    def unknown_fields(self) -> bytes:
        """The fields of a struct within a record that its class does not know; they are written back."""
        return unknown_fields(self)


class Marker(_Wire, metaclass=Rows):
    """Base class of generated structs without fields; all readers share one instance."""

    __slots__ = ()
    __kind__: ClassVar = "struct"
    __rows__: ClassVar[Mapping[str, Any]] = {}
    __match_args__ = ()
    _instance: ClassVar[Any]

    def __new__(cls) -> Self:
        try:
            instance: Self = cls.__dict__["_instance"]
        except KeyError:
            instance = super().__new__(cls)
            cls._instance = instance
        return instance

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    @classmethod
    def _adopt(cls, value: Any) -> Self:
        return cls()

    def _settable(self) -> Sequence[str]:
        return ()

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        return type(self).__name__, []

    def _plain(self, json: bool) -> dict[str, Any]:
        return {}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        mapping(data, ())
        return cls()


class Union(UnionValue, _Wire):
    """Base class of generated unions, which have exactly one member; an unknown member keeps its bytes."""

    __slots__ = ()


def decoded(
    codec: Codec, data: Any, pos: int, limits: Limits | None, views: bool, text: str, early: bool = False
) -> tuple[Any, int]:
    """Returns the value that ``codec`` reads at ``pos``, and the position after it."""
    bounds = DEFAULT_LIMITS if limits is None else limits
    if bounds.__class__ is not Limits:
        check_type("limits", bounds, Limits)
    return codec.decode(data, pos, bounds.max_depth, bounds.max_elements, views, text, early)


def projected(cls: type[_Wire], fields: Iterable[str]) -> Codec:
    """Returns the codec that decodes only ``fields``; the last 64 choices per class are cached.

    Raises:
        KeyError: a path names a field that its struct does not have.
        TypeError: ``fields`` is one str.
        ValueError: a path is malformed, or continues below a value without fields.
    """
    chosen = exact_texts("fields", fields, "dotted paths")
    # The cache is an attribute of the class: a class compiled at run time is freed together with its cache.
    owner, cache = cls._projections
    if owner is not cls:
        cache = {}
        type.__setattr__(cls, "_projections", (cls, cache))
    if (codec := cache.get(chosen)) is None:
        if len(cache) >= 64:
            cache.clear()
        codec = cache[chosen] = cls.__codec__.project(parse_fields(cls.__spec__, chosen))
    return codec
