"""Base classes of generated structs and unions, whatever their wire form: construction, comparison, plain forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from .errors import EncodeError
from .fields import Members, Rows, make_constructor
from .objects import Value
from .plain import integer, inward, located, mapping, outward, scalar
from .spec import Spec


class StructValue(Value, metaclass=Rows):
    """Base class of generated classes with one attribute per field; absent optional fields are None."""

    __slots__ = ()
    __kind__: ClassVar = "struct"
    __rows__: ClassVar[Mapping[str, Any]] = {}
    __spec__: ClassVar[Spec]
    __match_args__ = ()

    def __init__(self, *args: Any, **given: Any) -> None:
        # Makes the class's own constructor, which replaces this one. No docstring: every class would show it.
        init = make_constructor(type(self))
        if init is not None:
            init(self, *args, **given)
        elif args or given:
            raise TypeError(f"{type(self).__name__}() takes no arguments")

    def _equals(self, other: Any) -> bool:
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

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        found = ((name, getattr(self, name)) for name in type(self).__match_args__)
        return type(self).__name__, [(name, value) for name, value in found if value is not None]

    def _plain(self, json: bool) -> dict[str, Any]:
        found = {}
        for field in self.__spec__.fields:
            value = getattr(self, field.attr)
            if value is not None:
                found[field.name] = outward(value, json)
            elif field.requiredness == "required" or (field.requiredness == "default" and field.default is not None):
                # None is stated here: an absent field would be an error or get its default.
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
        StructValue.__init__(made, **given)
        for attr, value in given.items():
            if value is None:
                setattr(made, attr, None)
        return made


class UnionValue(Value, metaclass=Members):
    """Base class of generated unions and oneofs, which hold exactly one member. Immutable, so that some can be shared.

    Attributes:
        kind: the member's name; None if unknown to the IDL.
        value: the member's value; None if unknown.
        id: the member's field id.
        raw: the encoded value of an unknown member, else None.
        wire: the wire type of an unknown member, else None.
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
    #: The shared instances of members that are structs without fields, by member id.
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
            if isinstance(value, type(shared.value)) and value is not shared.value:
                return cls._make(kind, value, id)  # It keeps fields that its class does not know.
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

    def _equals(self, other: Any) -> bool:
        mine = (self.id, self.value, self.raw, self.wire)
        return bool(mine == (other.id, other.value, other.raw, other.wire))

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

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        name = type(self).__name__
        if self.kind is None:
            return name, [("id", self.id), ("raw", self.raw)]
        shared = self.__singletons__.get(self.id)
        return f"{name}.{self.kind}", [] if shared is not None and self.value is shared.value else [("", self.value)]

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


def _remake(
    cls: type[UnionValue], kind: str | None, value: Any, id: int, raw: bytes | None, wire: int | None
) -> UnionValue:
    if kind is not None and id in cls.__singletons__:
        return cls._member(kind, id, value)
    return cls._make(kind, value, id, raw, wire)
