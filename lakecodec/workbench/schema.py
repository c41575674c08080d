"""The declaration behind a generated class: the model of its IDL, its layouts, and the generated modules."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ..generator.graph import in_order
from ..generator.lower.bodies import lower_record, lower_variant
from ..generator.lower.nesting import self_containing
from ..generator.lower.record_layout import RecordLayout, VariantLayout
from ..generator.model import Enum, Extension, Module, Record, Struct
from ..generator.names import definition_name
from ..generator.syntax import VariantDef
from ..runtime.compiled import module_named
from ..runtime.memo import kept_with
from .layouts import model_of

#: The declarations that become classes.
TypeDefinition = Record | Struct | Enum | Extension


class Schema:
    """The lowered declarations of one IDL file and those it includes, and the Python made of them.

    Attributes:
        model: of the file.
        package: of the generated modules.
    """

    def __init__(self, model: Module, package: str) -> None:
        self.model = model
        self.package = package
        # A module compiled at run time is freed with its last reference.
        self._compiled = module_named(f"{package}.{model.name}")
        self._layouts: dict[int, RecordLayout | VariantLayout] = {}

    def python(self, module: Module) -> ModuleType:
        """Returns the generated module of a file."""
        found: ModuleType = module_named(f"{self.package}.{module.name}")
        return found

    def class_of(self, definition: TypeDefinition) -> Any:
        """Returns the generated class of a definition."""
        return getattr(self.python(definition.module), definition_name(definition))

    def definition(self, cls: type) -> TypeDefinition:
        """Returns the definition of a generated class in the IDL; for an alternative, that of its variant.

        Raises:
            TypeError: the class is none of the generated ones.
        """
        for name in (each.__name__ for each in cls.__mro__[:2]):
            for item in types_of(self.model):
                if definition_name(item) == name:
                    return item
        raise TypeError(f"type: {cls.__name__} is not a type that an IDL declares")

    def layout(self, definition: Record | Extension) -> RecordLayout | VariantLayout:
        """Returns the layout of a record or variant."""
        if id(definition) not in self._layouts:
            nested = self_containing(definition.module)
            self._layouts[id(definition)] = (
                lower_record(definition, nested=nested)
                if isinstance(definition, Record)
                else lower_variant(definition, nested=nested)
            )
        return self._layouts[id(definition)]

    def bodies(self) -> Iterator[RecordLayout]:
        """Yields the layouts of all records and alternatives of variants."""
        for module in in_order(self.model):
            for item in types_of(module):
                if isinstance(item, Record | Extension):
                    found = self.layout(item)
                    if isinstance(found, RecordLayout):
                        yield found
                    else:
                        yield from (each.record for each in found.alternatives)


def types_of(module: Module) -> Iterator[TypeDefinition]:
    """Yields the types that a file declares: those that become classes."""
    for item in module.definitions:
        if isinstance(item, Record | Struct | Enum) or (
            isinstance(item, Extension) and isinstance(item.syntax, VariantDef)
        ):
            yield item


def schema_of(cls: Any) -> Schema:
    """Returns the schema of a generated class.

    Raises:
        TypeError: the class was not generated.
        ValueError: the IDL that it was generated from is not found.
    """
    module = sys.modules.get(getattr(cls, "__module__", ""))
    if not isinstance(cls, type) or not hasattr(getattr(module, "__spec__", None), "values"):
        raise TypeError(f"type: a generated class is needed, not {cls!r}")
    return _of_module(module_named(cls.__module__))


@kept_with
def _of_module(module: Any) -> Schema:
    name = module.__name__
    return Schema(model_of(name), name.rpartition(".")[0])
