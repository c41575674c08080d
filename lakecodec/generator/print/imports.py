"""The import lines of generated modules: only of what the module uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model import Module
from ..names import import_alias
from .variants import VariantText

if TYPE_CHECKING:
    from .module import ModuleText

#: The runtime's modules by alias. The printers of records and declarations record which ones are used.
RUNTIME_MODULES = {
    "_arrows": "arrow_maps", "_col": "records.packed", "_columns": "columns", "_fn": "records.functions",
    "_lazy": "records.lazy", "_out": "records.write",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imports:
    """The import lines of a module, by group."""

    standard: list[str]
    outside: list[str]
    own: list[str]


def import_lines(module: Module, text: ModuleText, aliases: set[str]) -> Imports:
    """Returns the import lines of a module whose text names ``aliases`` of the runtime."""
    runtime = _runtime_lines(text, aliases)
    imported = module.imports()
    included = {(each.name, import_alias(each)) for each in imported}
    own = [f"from . import {name} as {alias}" for name, alias in sorted(included)]
    return Imports(
        standard=_standard_lines(text),
        outside=[] if text.runtime_is_relative else runtime,
        own=runtime + own if text.runtime_is_relative else own,
    )


def _standard_lines(text: ModuleText) -> list[str]:
    hints = [each.hint for struct in text.structs for each in struct.fields]
    hints += [const.hint for const in text.consts + text.late_consts + text.object_consts]
    lines = ["import enum as _enum"] if text.enums else []
    lines += ["import uuid as _uuid"] if any("_uuid." in hint for hint in hints) else []
    lines += ["from typing import Any as _Any"] if text.declarations or text.records else []
    has_constants = any(isinstance(body, VariantText) for body in text.records) or any(
        struct.annotations for struct in text.structs
    )
    return [*lines, "from typing import ClassVar as _ClassVar"] if has_constants else lines


def _runtime_lines(text: ModuleText, aliases: set[str]) -> list[str]:
    needed = {
        "_decl": ("declaration", "_decl" in aliases),
        "_external": ("externs.external", any(each.layout.codec for each in text.structs)),
        "_objects": ("object_table", text.object_tables),
        "_rec": ("records.record", text.records),
        "_pb": ("protobuf", text.protobuf),
        "_rt": ("compact", text.compact),
        "_fields": ("fields", True),
        "_table": ("table", text.tables),
    }
    names = [(target, alias) for alias, (target, found) in needed.items() if found]
    names += [(target, alias) for alias, target in RUNTIME_MODULES.items() if alias in aliases]
    if any(table.leaves for table in text.tables):
        names.append(("compact.program.Leaf", "_Leaf"))
    sources = sorted((target.rpartition(".")[0], target.rpartition(".")[2], alias) for target, alias in names)
    return [
        f"from {text.runtime}{'.' if source else ''}{source} import {name} as {alias}"
        for source, name, alias in sources
    ]
