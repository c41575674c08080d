"""Base classes of generated Thrift structs and unions, which read and write the compact protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

from ..errors import DecodeError, EncodeError
from ..fields import Members, Rows, make_constructor
from ..limits import DEFAULT_LIMITS, Limits
from ..objects import Value
from ..plain import integer, inward, located, mapping, outward, scalar
from ..spec import Spec
from .backend import skip
from .projection import parse_fields
from .rules import RULES
from .text_policy import TEXT_POLICIES, TextPolicy, format_name


class Codec(Protocol):
    """The interface of the codec that a backend gives each generated class."""

    def decode(
        self, data: Any, pos: int, max_depth: int, max_elements: int, views: bool, text: str, early: bool = ..., /
    ) -> tuple[Any, int]: ...

    def encode(self, value: Any, text: str, ending: Callable[[int], bytes] = ..., /) -> bytes: ...

    def project(self, tree: dict[str, Any]) -> Codec: ...


class _Wire(Value):
    """Base class of structs and unions with their reading and writing methods; decoding and encoding keep no shared state."""

    __slots__ = ()
    __codec__: ClassVar[Codec]
    __spec__: ClassVar[Spec]

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
                ``columns[3,7]`` keeps these elements of a list, in file order. All other fields are skipped and None.
            limits: bounds on depth and elements; the defaults suit files of unknown origin.
            views: return binary fields as memoryviews of ``data`` instead of copies.
            text: what to do with strings that are not UTF-8.

        Raises:
            DecodeError: ``data`` breaks a rule of the format.
            KeyError: ``fields`` names an unknown field.
            TypeError: ``fields`` is one str.
            ValueError: a path of ``fields`` is malformed, or ``text`` is no such policy.
        """
        if allow_trailing and fields is not None:
            return cls._decode(data, 0, projected(cls, fields), limits, views, text, True)[0]
        value, end = cls.read(data, fields=fields, limits=limits, views=views, text=text)
        if not allow_trailing and end != _size(data):
            raise DecodeError(RULES["trailing"], format=format_name(cls), offset=end)
        return value

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
        return cls._decode(data, pos, codec, limits, views, text, False)

    @classmethod
    def _decode(
        cls, data: Any, pos: int, codec: Codec, limits: Limits | None, views: bool, text: str, early: bool
    ) -> tuple[Self, int]:
        bounds = DEFAULT_LIMITS if limits is None else limits
        if text not in TEXT_POLICIES:
            raise ValueError(f"text: one of {', '.join(TEXT_POLICIES)}, not {text!r}")
        if pos < 0 or pos > _size(data):
            raise ValueError(f"pos: {pos} is outside the data")
        value, end = codec.decode(data, pos, bounds.max_depth, bounds.max_elements, views, text, early)
        return value if value.__class__ is cls else cls._adopt(value), end

    @classmethod
    def _adopt(cls, value: Any) -> Self:
        """Returns a value of the generated class as one of ``cls``, a subclass that a user wrote."""
        raise NotImplementedError

    def to_bytes(self, *, text: TextPolicy = "strict") -> bytes:
        """Returns the value in the compact protocol.

        Args:
            text: what to do with strings that cannot be written as UTF-8.

        Raises:
            EncodeError: a field holds a value that its type cannot; the error's path names it.
        """
        return self.__codec__.encode(self, text)

    @classmethod
    def skip(cls, data: Any, pos: int = 0, *, limits: Limits | None = None) -> int:
        """Returns the position of the byte after the value at ``pos``; makes no objects.

        Raises:
            DecodeError: the bytes break a rule of the protocol.
            ValueError: ``pos`` is negative or behind the end of ``data``.
        """
        if pos < 0 or pos > _size(data):
            raise ValueError(f"pos: {pos} is outside the data")
        return skip(data, pos, DEFAULT_LIMITS if limits is None else limits, format_name(cls))


class Struct(_Wire, metaclass=Rows):
    """Base class of a generated struct: an attribute for each field; absent optional fields are None."""

    __slots__ = ()
    __kind__: ClassVar = "struct"
    __rows__: ClassVar[Mapping[str, Any]] = {}
    __match_args__ = ()

    def __init__(self, *args: Any, **given: Any) -> None:
        """Makes the class's own constructor, which takes the place of this one."""
        init = make_constructor(type(self))
        if init is not None:
            init(self, *args, **given)
        elif args or given:
            raise TypeError(f"{type(self).__name__}() takes no arguments")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in type(self).__match_args__)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def _adopt(cls, value: Any) -> Self:
        made = cls.__new__(cls)
        for name in type(value).__match_args__:
            setattr(made, name, getattr(value, name))
        return made

    def _settable(self) -> Sequence[str]:
        return type(self).__match_args__

    def _shown_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        found = ((name, getattr(self, name)) for name in type(self).__match_args__)
        return type(self).__name__, [(name, value) for name, value in found if value is not None]

    def _plain(self, json: bool) -> dict[str, Any]:
        found = {}
        for field in self.__spec__.fields:
            value = getattr(self, field.attr)
            if value is not None:
                found[field.name] = outward(value, json)
            elif field.requiredness == "required" or (field.requiredness == "default" and field.default is not None):
                # Without this, its absence would be an error or stand for the default.
                found[field.name] = None
        return found

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        fields = {field.name: field for field in cls.__spec__.fields}
        given = {}
        for name, item in mapping(data, fields).items():
            try:
                given[fields[name].attr] = None if item is None else inward(item, fields[name].type, json)
            except EncodeError as error:
                raise located(error, name) from None
        for name, field in fields.items():
            if name not in data and field.requiredness == "required" and field.default is None:
                raise EncodeError("is missing", path=name)
        made = cls.__new__(cls)
        Struct.__init__(made, **given)
        for attr, value in given.items():
            if value is None:
                setattr(made, attr, None)
        return made


class Marker(_Wire, metaclass=Rows):
    """Base class of a generated struct without fields, of which one instance is shared."""

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

    def _shown_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        return type(self).__name__, []

    def _plain(self, json: bool) -> dict[str, Any]:
        return {}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        mapping(data, ())
        return cls()


class Union(_Wire, metaclass=Members):
    """Base class of a generated union, which holds exactly one member. Immutable, so that members without content are shared.

    Attributes:
        kind: the member's name, None when the IDL does not know it.
        value: the member's value, None when unknown.
        id: the member's field id.
        raw: the encoded value of an unknown member, None when known.
        wire: the wire type of an unknown member, None when known.
    """

    __slots__ = ("id", "kind", "raw", "value", "wire")
    __kind__: ClassVar = "union"
    __rows__: ClassVar[Mapping[str, Any]] = {}
    __match_args__ = ("kind", "value")
    kind: str | None
    value: Any
    id: int
    raw: bytes | None
    wire: int | None
    #: The shared instances, by member id, of members that are structs without fields.
    __singletons__: ClassVar[dict[int, Any]] = {}

    def __init__(self) -> None:
        members = ", ".join(field.name for field in self.__spec__.fields)
        raise TypeError(f"{type(self).__name__} is made by its members: {members}")

    @classmethod
    def _make(cls, kind: str | None, value: Any, id: int, raw: bytes | None = None, wire: int | None = None) -> Self:
        made = object.__new__(cls)
        put = object.__setattr__
        put(made, "kind", kind)
        put(made, "value", value)
        put(made, "id", id)
        put(made, "raw", raw)
        put(made, "wire", wire)
        return made

    @classmethod
    def _member(cls, kind: str, id: int, value: Any) -> Self:
        """Returns the union of a known member; ``value`` None stands for a member struct without fields.

        Raises:
            TypeError: a value is missing, or is given for a struct without fields.
        """
        if (shared := cls.__singletons__.get(id)) is not None:
            if value is not None and value is not shared.value:
                raise TypeError(f"{cls.__name__}.{kind} takes a {type(shared.value).__name__}, not {value!r}")
            return shared if type(shared) is cls else cls._adopt(shared)
        if value is None:
            raise TypeError(f"{cls.__name__}.{kind} needs a value")
        return cls._make(kind, value, id)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: make another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Union)
        mine = (self.id, self.value, self.raw, self.wire)
        return mine == (other.id, other.value, other.raw, other.wire)

    def __hash__(self) -> int:
        return hash((self.id, self.value, self.raw))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.kind, self.value, self.id, self.raw, self.wire)

    @classmethod
    def _adopt(cls, value: Any) -> Self:
        return cls._make(value.kind, value.value, value.id, value.raw, value.wire)

    def replace(self, **changes: Any) -> Self:
        """Returns a union of the same member with another ``value``.

        Raises:
            TypeError: ``changes`` name something else, or the member is unknown.
        """
        if set(changes) - {"value"} or self.kind is None:
            raise TypeError(
                f"{', '.join(changes)}: a union is made by its members; only a known one's value is replaced"
            )
        return self._member(self.kind, self.id, changes["value"]) if changes else self

    def _shown_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        name = type(self).__name__
        if self.kind is None:
            return name, [("id", self.id), ("raw", self.raw)]
        return f"{name}.{self.kind}", [] if self.id in self.__singletons__ else [("", self.value)]

    def _plain(self, json: bool) -> dict[str, Any]:
        if self.kind is None:
            return {"id": self.id, "wire": self.wire, "raw": outward(self.raw, json)}
        return {self.kind: outward(self.value, json)}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        members = {field.name: field for field in cls.__spec__.fields}
        if isinstance(data, Mapping) and set(data) == {"id", "wire", "raw"}:
            return cls._make(
                None, None, integer(data["id"]), scalar(data["raw"], "binary", json), integer(data["wire"])
            )
        if len(mapping(data, members)) != 1:
            raise EncodeError(f"{cls.__name__} has one member, not {len(data)}")
        ((name, item),) = data.items()
        try:
            return cls._member(name, members[name].id, inward(item, members[name].type, json))
        except EncodeError as error:
            raise located(error, name) from None


def _remake(cls: type[Union], kind: str | None, value: Any, id: int, raw: bytes | None, wire: int | None) -> Union:
    if kind is not None and id in cls.__singletons__:
        return cls._member(kind, id, None)
    return cls._make(kind, value, id, raw, wire)


def projected(cls: type[_Wire], fields: Iterable[str]) -> Codec:
    """Returns the codec that decodes only ``fields``; the last 64 choices of each class are cached.

    Raises:
        KeyError: a path names a field that its struct does not have.
        TypeError: ``fields`` is one str.
        ValueError: a path is malformed, or goes on below a value that has no fields.
    """
    if isinstance(fields, str):
        raise TypeError("fields: an iterable of dotted paths, not one str")
    chosen = tuple(fields)
    cache = _PROJECTIONS.setdefault(cls, {})
    if (codec := cache.get(chosen)) is None:
        if len(cache) >= 64:
            cache.clear()
        codec = cache[chosen] = cls.__codec__.project(parse_fields(cls.__spec__, chosen))
    return codec


_PROJECTIONS: dict[type, dict[tuple[str, ...], Codec]] = {}


def _size(data: Any) -> int:
    return len(data) if type(data) is bytes else memoryview(data).nbytes
