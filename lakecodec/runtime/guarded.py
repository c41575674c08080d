"""Externs guarded for records: their exceptions become errors about the data, and encoded bytes are decoded again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import NoneType
from typing import Any

from .errors import CodecError, DecodeError, EncodeError
from .externs import arguments_of, external

_PACKAGE = __package__.rpartition(".")[0]
#: Errors that are passed on unchanged: they describe the data already, or the extern did not cause them.
_PASSED = (CodecError, RecursionError, MemoryError, UnicodeDecodeError)


def guarded(codec: Any, name: str, reader: Callable[[], Any] | None = None) -> Any:
    """Returns a codec whose errors are about the data, and which refuses bytes that do not decode to the original value.

    A class with ``inverts = True`` is not checked; one of lakecodec's own is then not wrapped at all.

    Args:
        codec: a codec object, made by an extern or by a factory of the caller.
        name: the codec's name in the IDL, for errors.
        reader: makes the codec that decodes, if that is another one.
    """
    is_own = type(codec).__module__.startswith(f"{_PACKAGE}.")
    return codec if is_own and getattr(codec, "inverts", False) else _Guarded(codec, name, reader)


@cache
def own_codec(target: str) -> tuple[Any, tuple[Any, ...]] | None:
    """Returns the class of a codec of lakecodec that needs no guard, and what its arguments are instances of; None for
    others. It tells in a tenth of the time what `called` and `guarded` would.
    """
    cls = external(target)
    if type(cls) is not type or not cls.__module__.startswith(f"{_PACKAGE}.") or not getattr(cls, "inverts", False):
        return None
    if not cls.__module__.startswith(f"{__package__}."):
        return cls, ()
    takes = [each.instances if each.types else object for each in arguments_of(cls)]
    optional = [each.is_optional for each in arguments_of(cls)]
    return cls, tuple((kind, NoneType) if none else kind for kind, none in zip(takes, optional, strict=True))


def called(function: Callable[..., Any], name: str, *arguments: Any) -> Any:
    """Returns the result of an extern function, or a codec of an extern class.

    Raises:
        CodecError: it failed; the rule says what it raised, in its own words if it is one of lakecodec's.
    """
    if type(function) is type and (wrong := _misfit(function, arguments)):
        # A codec uses its arguments when it decodes, where an error would not say which one it is about.
        raise CodecError(f"the extern {name} failed: {wrong}")
    try:
        return function(*arguments)
    except _PASSED:
        raise
    except Exception as error:
        if not function.__module__.startswith(f"{_PACKAGE}."):
            raise CodecError(_failed(name, error)) from error
        raise CodecError(f"the extern {name} failed: {_misfit(function, arguments) or error}") from error


def _misfit(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """Returns the sentence about an argument of another type, for lakecodec's own externs; empty without one."""
    if not arguments or not function.__module__.startswith(f"{__package__}."):
        return ""
    for each, value in zip(arguments_of(function), arguments, strict=False):
        if not each.takes(value):
            types = " or ".join(kind.__name__ for kind in each.types)
            found = "None" if value is None else type(value).__name__
            return f"the argument {each.name} must be {types}, not {found}"
    return ""


def _failed(name: str, error: Exception) -> str:
    return f"the extern {name} failed: {type(error).__name__}: {error}"


def of_struct(cls: Any) -> Any:
    """Returns the codec of a struct's annotation, guarded so that errors are about the data unless it is lakecodec's own."""
    custom = cls.__custom__
    return custom if custom.__module__.startswith(f"{_PACKAGE}.") else _GuardedStruct(custom)


class _GuardedStruct:
    """A guarded codec of a struct around an untrusted one."""

    __slots__ = ("_custom",)

    def __init__(self, custom: Any) -> None:
        self._custom = custom

    def read(self, data: memoryview, pos: int) -> tuple[Any, int]:
        try:
            value, end = self._custom.read(data, pos)
        except _PASSED:
            raise
        except IndexError as error:
            raise DecodeError("the data ends inside a value", offset=len(data)) from error
        except Exception as error:
            raise DecodeError(_failed(self._custom.__name__, error), offset=pos) from error
        if type(end) is not int or not pos <= end <= len(data):
            raise DecodeError(f"the extern {self._custom.__name__} says that the value ends at {end!r}", offset=pos)
        return value, end

    def write(self, value: Any) -> bytes:
        try:
            return bytes(memoryview(self._custom.write(value)))
        except _PASSED:
            raise
        except Exception as error:
            raise EncodeError(_failed(self._custom.__name__, error)) from error


class _Guarded:
    """A guarded codec around an untrusted one."""

    __slots__ = ("_codec", "_name", "_reader", "decode_text")

    def __init__(self, codec: Any, name: str, reader: Callable[[], Any] | None) -> None:
        self._codec, self._name, self._reader = codec, name, reader
        if (decode_text := getattr(codec, "decode_text", None)) is not None:
            self.decode_text = lambda data: self._decoded(decode_text, data)

    def decode(self, data: Any) -> Any:
        return self._decoded(self._codec.decode, data)

    def _decoded(self, decode: Callable[[Any], Any], data: Any) -> Any:
        try:
            return decode(data)
        except _PASSED:
            raise
        except Exception as error:
            raise DecodeError(_failed(self._name, error)) from error

    def encode(self, value: Any) -> bytes:
        try:
            data = bytes(memoryview(self._codec.encode(value)))
        except _PASSED:
            raise
        except Exception as error:
            raise EncodeError(_failed(self._name, error)) from error
        if not getattr(self._codec, "inverts", False):
            self._verify(value, data)
        return data

    def _verify(self, value: Any, data: bytes) -> None:
        try:
            again = (self if self._reader is None else self._reader()).decode(data)
        except CodecError as error:
            raise EncodeError(f"the codec {self._name} does not decode what it encoded: {error.rule}") from None
        if _plain(again) != _plain(value):
            raise EncodeError(f"the codec {self._name} decodes what it encoded to another value")


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, bytearray | memoryview) else value
