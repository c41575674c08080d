"""Modules that were compiled at run time: how long they live, and how their classes and values are pickled.

``sys.modules`` and the registry here hold such modules weakly: they go with the last reference to a module, a class or a
value of it. Pickles have the IDL's text, which is compiled again. A module has ``__bundle__``: its IDL file and all that it
includes, as ``((name, file, text, ((path as included, number), ...)), ...)``, the file that was compiled last. Modules of
equal bundles are the same.
"""

from __future__ import annotations

import linecache
import sys
import weakref
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .hooks import provided

if TYPE_CHECKING:
    from .spec import SpecTable

Bundle = tuple[tuple[str, str, str, tuple[tuple[str, int], ...]], ...]

#: The package that modules compiled at run time live in.
PACKAGE = "lakecodec.compiled"

_by_name: weakref.WeakValueDictionary[str, CompiledModule] = weakref.WeakValueDictionary()
_by_bundle: weakref.WeakValueDictionary[Bundle, CompiledModule] = weakref.WeakValueDictionary()


class CompiledModule(ModuleType):
    """A generated module that was made at run time, with the names of its IDL, which type checkers do not know.

    A module that `lakecodec generate` writes has all types; use that where they matter.

    Attributes:
        __spec__: type name -> description, as in every generated module.
    """

    __spec__: SpecTable
    __bundle__: Bundle
    #: The modules outside lakecodec whose externs the IDL names.
    __externs__: frozenset[str] = frozenset()

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __reduce__(self) -> tuple[Any, ...]:
        return load_module, (self.__bundle__, self.__name__)


class _StandIn(ModuleType):
    """The entry of a module in ``sys.modules``, with its attributes while it lives.

    Unlike a weak proxy it is hashable.
    """

    def __init__(self, module: CompiledModule) -> None:
        object.__setattr__(self, "module", weakref.ref(module))

    def __getattribute__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "module")(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "module")(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(object.__getattribute__(self, "module")(), name)


def enter(module: CompiledModule) -> None:
    """Puts a module into ``sys.modules`` for as long as it lives, so that it is found by its name."""
    name = module.__name__
    _by_name[name] = module
    # typing.get_type_hints, inspect and generated code look modules up there.
    sys.modules[name] = _StandIn(module)
    weakref.finalize(module, _forget, name, getattr(module, "__file__", None) or "").atexit = False


def _forget(name: str, file: str) -> None:
    sys.modules.pop(name, None)
    linecache.cache.pop(file, None)


def bind_classes(module: CompiledModule) -> None:
    """Makes the classes of a module keep it alive: a class knows its module by name only."""
    for each in list(vars(module).values()):
        if isinstance(each, type) and each.__module__ == module.__name__:
            type.__setattr__(each, "__compiled_module__", module)


def module_named(name: str) -> Any:
    """Returns a generated module, even one compiled at run time, for which an import would return its stand-in."""
    return _by_name.get(name) or sys.modules.get(name) or import_module(name)


def module_of(bundle: Bundle) -> CompiledModule | None:
    """Returns the living module of a bundle; None if there is none."""
    return _by_bundle.get(bundle)


def register(module: CompiledModule) -> CompiledModule:
    """Registers a bundle's module and returns it, or the equal one that another thread registered first."""
    return _by_bundle.setdefault(module.__bundle__, module)


def load_module(bundle: Bundle, name: str) -> ModuleType:
    """Returns the module of a pickled bundle, compiled under the name ``name`` if none lives yet."""
    found = _by_name.get(name)
    if found is not None and found.__bundle__ == bundle:
        return found
    compiled = provided("compile_bundle")(bundle)
    return module_named(f"{compiled.__package__}.{name.rpartition('.')[2]}")  # type: ignore[no-any-return]


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
