"""The declarations that those of a version use: in a file, and in those that it includes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress

from ...generator.graph import in_order
from ...generator.model import Const, Definition, Extension, Module, Record, Service, Struct, Table
from ...generator.print.dump import dump, dumpable
from ...generator.print.types import literal
from ...generator.syntax import VariantDef
from .bodies import DERIVED
from .declared import declared, without_places

#: A declaration: the name of its file's module, and its own name.
Key = tuple[str, str]


class Reach:
    """The declarations of a version, and those that use them.

    Attributes:
        texts: the lowered declarations as text, without places and what follows from other declarations.
    """

    def __init__(self, model: Module) -> None:
        self.texts: dict[Key, str] = {}
        self.declarations: dict[Key, Definition] = {}
        self._naming: dict[str, set[Key]] = {}
        for module in in_order(model):
            known = set(dumpable(module))
            for item in module.definitions:
                key = (module.name, item.name)
                self.declarations[key] = item
                self.texts[key] = "\n".join(_parts(module, item, item.name in known))
                # A type and a constant of the same name are not distinguished.
                for word in set(re.findall(r"\w+", self.texts[key])):
                    self._naming.setdefault(word, set()).add(key)

    def written(self, key: Key, field: str) -> str:
        """Returns a record, variant, function or codec as it was written, or a field of one; empty for others."""
        match self.declarations.get(key):
            case Record() as item:
                fields, whole = item.fields, [item.params, item.fields, item.checks, item.attributes]
            case Extension() as item if not isinstance(item.syntax, VariantDef):
                return declared(item)
            case Extension() as item:
                fields, whole = [each for case in item.syntax.cases for each in case.fields or ()], [declared(item)]
            case _:
                return ""
        found = [each for each in fields if each.name == field] if field else whole
        return without_places(found) if found else ""

    def direct(self, key: Key) -> list[Key]:
        """Returns the declarations that name one."""
        return [each for each in sorted(self._naming.get(key[1], ())) if each != key]

    def users(self, keys: Iterable[Key]) -> list[Key]:
        """Returns declarations and all that use them, through others too, the nearest ones first."""
        pending = deque(keys)
        found = dict.fromkeys(pending)
        while pending:
            for user in self.direct(pending.popleft()):
                if user not in found:
                    found[user] = None
                    pending.append(user)
        return list(found)


def _parts(module: Module, item: Definition, has_layout: bool) -> Iterator[str]:
    if has_layout:
        # A codec that only encodings use has no layout, though it has fields.
        with suppress(KeyError):
            yield "\n".join(DERIVED.sub("", line) for line in dump(module, item.name).splitlines())
    match item:
        case Extension():
            yield declared(item)
        case Const():
            yield literal(item.value, item.type, module)
        case Struct():
            yield repr([item.annotations, [(each.name, each.annotations) for each in item.fields]])
        case Record():
            yield without_places([item.params, item.fields, item.checks, item.attributes])
        case Table():
            yield item.source.name + without_places([item.loops, item.columns])
        case Service():
            yield repr(item.functions)
