"""The type of modules that ``compile_idl`` makes."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .spec import SpecTable


class CompiledModule(ModuleType):
    """A generated module that was made at run time: its names are those of the IDL, unknown to type checkers.

    A module that `lakecodec generate` writes has all types; use that where they matter.

    Attributes:
        __spec__: type name -> description, as in every generated module.
    """

    __spec__: SpecTable

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
