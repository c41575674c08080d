"""Externs: the Python classes and functions that IDL files name, as ``extern "module:name"``.

Two conditions keep an IDL from running unintended code: the module is one of lakecodec's own or the user allowed
it, which the compiler checks; and the object itself opted in with a decorator of this module, which is checked where it is
looked up.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_args, get_origin

_PACKAGE = __package__.rpartition(".")[0]
_MARK = "__lakecodec_extern__"

#: Modules of lakecodec whose externs every IDL may name, also by their full names.
BUILT_IN = frozenset(
    {
        "delta.text",
        "mosaic.bpe",
        "parquet.compression",
        "row.codecs",
        "runtime.block_codecs",
        "runtime.checksums",
        "runtime.codecs",
        "runtime.columns.integers",
        "runtime.compress",
        "runtime.declaration",
        "runtime.json_object",
        "runtime.texts",
    }
)

#: Bytes as functions of an IDL get them.
Binary: TypeAlias = bytes | bytearray | memoryview

_C = TypeVar("_C", bound=type)
_F = TypeVar("_F", bound=Callable[..., Any])


def extern_codec(cls: _C) -> _C:
    """Returns the class itself, which IDL files may then name as the extern of a codec; a decorator.

    ``cls(*arguments)`` has ``decode(data)`` and ``encode(value)``. The codec of a struct has ``read(data, pos)`` and
    ``write(value)`` instead. Subclasses have to be decorated themselves.
    """
    if not isinstance(cls, type):
        raise TypeError(f"cls: a class is needed, not {cls!r}")
    setattr(cls, _MARK, True)
    return cls


def extern_function(function: _F) -> _F:
    """Returns the function itself, which IDL files may then name as an extern; a decorator.

    A function that cannot have attributes, such as ``zlib.crc32``, is wrapped: ``crc32 = extern_function(zlib.crc32)``.
    """
    if not callable(function):
        raise TypeError(f"function: a function is needed, not {function!r}")
    try:
        setattr(function, _MARK, True)
    except (AttributeError, TypeError):

        @functools.wraps(function)
        def wrapped(*arguments: Any) -> Any:
            return function(*arguments)

        setattr(wrapped, _MARK, True)
        return wrapped  # type: ignore[return-value]
    return function


def built_in(module: str) -> str | None:
    """Returns the full name of a lakecodec module that every IDL may name; None for all others."""
    inside = module.removeprefix(f"{_PACKAGE}.")
    return f"{_PACKAGE}.{inside}" if inside in BUILT_IN else None


@cache
def external(target: str) -> Any:
    """Returns the extern that ``module:name`` or ``module:class.name`` names.

    Raises:
        ImportError: there is no such module, it has no such name, or the object has not opted in.
    """
    module, _, name = target.partition(":")
    found = import_module(built_in(module) or module)
    try:
        extern = attrgetter(name)(found)
    except AttributeError:
        raise ImportError(f"{module} has no {name!r}, which an IDL names as external") from None
    # Only the object's own mark counts: neither a base class's, nor a dynamic attribute.
    if getattr(extern, "__dict__", {}).get(_MARK) is not True:
        decorators = "@lakecodec.extern_codec (a class) or @lakecodec.extern_function"
        raise ImportError(f"{target!r} is not meant to be an extern: decorate it with {decorators}")
    return extern


class Argument(NamedTuple):
    """An argument of an extern.

    Attributes:
        types: those of its values, among ``bool``, ``int``, ``float``, ``str``, ``bytes`` and ``list``; empty for all.
        instances: what values of these types are instances of.
    """

    name: str
    types: tuple[type, ...]
    is_optional: bool
    instances: tuple[Any, ...]

    def takes(self, value: Any) -> bool:
        """Returns whether a value has one of the types; None where the argument may be left out."""
        if value is None and self.is_optional:
            return True
        return not self.types or isinstance(value, self.instances)


_INSTANCES: dict[type, Any] = {bytes: get_args(Binary), float: (int, float), bool: int, list: (list, tuple)}


@cache
def arguments_of(extern: Any) -> tuple[Argument, ...]:
    """Returns the arguments of a class or function of lakecodec, from its signature."""
    from inspect import Parameter, signature

    found = signature(extern, eval_str=True).parameters.values()
    by_place = [each for each in found if each.kind is not Parameter.KEYWORD_ONLY]
    return tuple(
        _argument(each.name, _types(each.annotation), each.default is not Parameter.empty) for each in by_place
    )


def _argument(name: str, types: tuple[type, ...], is_optional: bool) -> Argument:
    return Argument(name, types, is_optional, tuple(_INSTANCES.get(each, each) for each in types))


def _types(annotation: Any) -> tuple[type, ...]:
    origin = get_origin(annotation)
    if annotation in (Any, bytearray, memoryview, NoneType):
        return ()
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return (list,)
    if origin is not None:
        return tuple(dict.fromkeys(found for each in get_args(annotation) for found in _types(each)))
    return (annotation,)
