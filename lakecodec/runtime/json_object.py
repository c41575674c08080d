"""Structs that are stored as JSON: `(lakecodec.codec = "lakecodec.runtime.json_object:JsonObject")`."""

from __future__ import annotations

import json
from typing import Any, Self

from .errors import DecodeError, EncodeError
from .externs import extern_codec
from .native import load
from .plain import json_object, mapping, outward


@extern_codec
class JsonObject:
    """A JSON object with its members as attributes; underscores replace hyphens in names, and absent members are None.

    Objects inside have the same class, and arrays are lists. Members that the IDL does not name are kept.
    """

    __slots__ = ("_edited", "members")
    members: dict[str, Any]

    def __init__(self, **members: Any) -> None:
        object.__setattr__(self, "members", {name.replace("_", "-"): value for name, value in members.items()})

    @classmethod
    def of(cls, members: dict[str, Any]) -> Self:
        """Returns the object with members given by their JSON names."""
        made = cls.__new__(cls)
        object.__setattr__(made, "members", dict(members))
        return made

    def __getattr__(self, name: str) -> Any:
        if name[0] == "_" or name == "members":
            raise AttributeError(name)
        return self.members.get(name.replace("_", "-") if "_" in name else name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._store(name, value)
        object.__setattr__(self, "_edited", {**getattr(self, "_edited", {}), name: value})

    def _store(self, name: str, value: Any) -> None:
        self.members[name.replace("_", "-")] = value

    def _plain(self, json: bool) -> dict[str, Any]:
        return {name: outward(value, json) for name, value in self.members.items()}

    @classmethod
    def _of_plain(cls, data: Any, json: bool) -> Self:
        return cls.of({name: cls._member(value) for name, value in mapping(data, data).items()})

    @classmethod
    def _member(cls, value: Any) -> Any:
        if isinstance(value, list):
            return [cls._member(each) for each in value]
        return cls._of_plain(value, True) if isinstance(value, dict) else value

    def __copy__(self) -> Self:
        made = self.of(self.members)
        object.__setattr__(made, "_edited", getattr(self, "_edited", {}))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return self.of, (self.members,), getattr(self, "_edited", None)

    def __setstate__(self, edited: dict[str, Any]) -> None:
        object.__setattr__(self, "_edited", edited)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JsonObject) and other.members == self.members

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"JsonObject({self.members})"

    @classmethod
    def read(cls, data: memoryview, pos: int) -> tuple[Self, int]:
        """Returns the object in the bytes from ``pos`` on, and the position of their end.

        Raises:
            DecodeError: the bytes are not a JSON object in UTF-8.
        """
        try:
            value = json.loads(bytes(data[pos:]).decode(), object_pairs_hook=lambda pairs: cls.of(json_object(pairs)))
        except (ValueError, RecursionError) as error:
            raise DecodeError(f"not JSON: {error}", offset=pos) from None
        if not isinstance(value, cls):
            raise DecodeError("not a JSON object", offset=pos)
        return value, len(data)

    @staticmethod
    def write(value: Any) -> bytes:
        """Returns an object as JSON bytes without blanks.

        Raises:
            EncodeError: it contains a value that JSON does not have.
        """
        found: bytes | None = None if _native is None else _native.json_text(value)
        if found is not None:
            return found
        try:
            return _ENCODER.encode(value).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise EncodeError(f"the object has no JSON form: {error}") from None


def _members(value: Any) -> dict[str, Any]:
    if isinstance(value, JsonObject):
        return value.members
    raise TypeError(f"a {type(value).__name__} has no JSON form")


_native = load("runtime.native._record")
if _native is not None:
    _native.use_json_object(JsonObject)
_ENCODER = json.JSONEncoder(default=_members, separators=(",", ":"), ensure_ascii=False)
