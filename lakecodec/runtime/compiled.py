"""Pickling of values of modules that were compiled at run time: the pickle has the IDL's text, which is compiled again.

A module compiled at run time has ``__bundle__``: its IDL file and all that it includes, as
``((name, file, text, ((path as included, number), ...)), ...)``, the file that was compiled last. Modules of equal bundles
are the same to pickles.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .spec import SpecTable

Bundle = tuple[tuple[str, str, str, tuple[tuple[str, int], ...]], ...]


class CompiledModule(ModuleType):
    """A generated module that was made at run time, with the names of its IDL, which type checkers do not know.

    A module that `lakecodec generate` writes has all types; use that where they matter.

    Attributes:
        __spec__: type name -> description, as in every generated module.
    """

    __spec__: SpecTable
    __bundle__: Bundle

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __reduce__(self) -> tuple[Any, ...]:
        return load_module, (self.__bundle__, self.__name__)


def load_module(bundle: Bundle, name: str) -> ModuleType:
    """Returns the module of a bundle that was called ``name`` where it was pickled; compiles it where no one has done so yet."""
    found = sys.modules.get(name)
    if found is not None and getattr(found, "__bundle__", None) == bundle:
        return found
    from ..generator.in_memory import restored

    package = restored(bundle)
    return sys.modules[f"{package}.{name.rpartition('.')[2]}"]


def load_class(bundle: Bundle, module: str, name: str) -> Any:
    """Returns a class of a module that was compiled at run time; called by pickles."""
    return getattr(load_module(bundle, module), name)


def load_member(bundle: Bundle, module: str, name: str, number: int) -> Any:
    """Returns an enum member of a module that was compiled at run time; called by pickles."""
    return load_class(bundle, module, name)(number)


def reduce_class(cls: type) -> Any:
    """Returns the pickled form of a generated class: its name, or its place in a module that was compiled at run time."""
    bundle = getattr(sys.modules.get(cls.__module__), "__bundle__", None)
    return cls.__qualname__ if bundle is None else (load_class, (bundle, cls.__module__, cls.__qualname__))


def reduce_member(member: Any, protocol: int) -> Any:
    """Returns the pickled form of an enum member of a module that was compiled at run time; its ``__reduce_ex__``."""
    bundle = sys.modules[member.__module__].__bundle__
    return load_member, (bundle, member.__module__, type(member).__qualname__, int(member))
