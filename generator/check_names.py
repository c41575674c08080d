"""Rules about names: duplicates, and names in expressions that nothing declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from .builtin_names import CODECS, FUNCTIONS, PARAMETER_TYPES, VALUES
from .diagnostics import Diagnostics, Location
from .expressions import children
from .model import Const, Enum, Extension, Module, Record, Struct
from .paths import ANYTHING, SCALAR, Target, element, member, member_names, of_definition
from .scope import BASE_TYPES
from .suggest import argument_count, did_you_mean
from .syntax import Call, CodecDef, Expr, FnDef, Index, IsCase, Member, Name, Slice, VariantDef


def report_duplicates(names: Iterable[tuple[str, Location]], what: str, diagnostics: Diagnostics) -> None:
    """Reports each name that stands a second time; ``what`` says what it names (`field`)."""
    seen: dict[str, Location] = {}
    for name, location in names:
        if name in seen:
            diagnostics.error(f"{what} '{name}' is defined twice, first in line {seen[name].line}", location)
        else:
            seen[name] = location


def report_unknown_types(type_text: str, location: Location, module: Module, diagnostics: Diagnostics) -> None:
    """Reports names in the type of a parameter that stand for nothing."""
    for name in re.findall(r"[A-Za-z_][\w.]*", type_text):
        if name in PARAMETER_TYPES or name in BASE_TYPES or name in module.broken:
            continue
        prefix, _, rest = name.rpartition(".")
        owner = module.includes.get(prefix, module)
        if module.find(name) is not None or rest in owner.typedefs:
            continue
        known = [*PARAMETER_TYPES, *BASE_TYPES, *type_names(module)]
        diagnostics.error(f"unknown type '{name}'{did_you_mean(name, known)}", location)


def type_names(module: Module) -> Iterator[str]:
    """The names of a module and those it includes that have bytes of their own."""
    for prefix, each in [("", module), *((f"{key}.", value) for key, value in module.includes.items())]:
        for item in each.definitions:
            if isinstance(item, Record | Struct) or (
                isinstance(item, Extension) and item.kind in ("variant", "encoding")
            ):
                yield prefix + item.name


class ExpressionChecker:
    """Checks expressions of one module; local names are given to each call with what they lead to."""

    def __init__(self, module: Module, diagnostics: Diagnostics) -> None:
        self._module = module
        self._diagnostics = diagnostics
        enums = [item for item in module.definitions if isinstance(item, Enum)]
        self._members = {each.name for enum in enums for each in enum.members}
        self._cases = _cases(module)

    def check(self, expression: Expr, local: Mapping[str, Target]) -> Target:
        """Reports unknown names in an expression and tells what it leads to."""
        match expression:
            case Name():
                return self._name(expression, local)
            case Member():
                return self._member(expression, local)
            case Index():
                self.check(expression.index, local)
                return element(self.check(expression.base, local)) or ANYTHING
            case Slice():
                for part in children(expression)[1:]:
                    self.check(part, local)
                return self.check(expression.base, local)
            case Call():
                self._call(expression, local)
            case IsCase() if self._cases and expression.case not in self._cases:
                hint = did_you_mean(expression.case, self._cases)
                self._diagnostics.error(f"no variant has a case '{expression.case}'{hint}", expression.location)
        for child in children(expression):
            self.check(child, local)
        return ANYTHING

    def codec(self, expression: Expr, local: Mapping[str, Target]) -> None:
        """Checks what stands after `via`."""
        called = expression.function if isinstance(expression, Call) else expression
        if isinstance(called, Name):
            self._codec_name(called)
        if isinstance(expression, Call):
            for argument in expression.arguments:
                self.check(argument, local)

    # ---- names ----

    def _name(self, expression: Name, local: Mapping[str, Target]) -> Target:
        name = expression.name
        if name in local:
            return local[name]
        if name in VALUES:
            return ANYTHING
        if name in self._module.includes:
            return Target(self._module.includes[name])
        found = self._module.find(name)
        if found is not None:
            return of_definition(found)
        if name in self._members:
            return SCALAR
        if name in self._module.broken:
            return ANYTHING
        constants = [item.name for item in self._module.definitions if isinstance(item, Const | Enum)]
        known = [*local, *VALUES, *self._members, *constants]
        self._diagnostics.error(f"unknown name '{name}'{did_you_mean(name, known)}", expression.location)
        return ANYTHING

    def _member(self, expression: Member, local: Mapping[str, Target]) -> Target:
        base = self.check(expression.base, local)
        reached = member(base, expression.name)
        if reached is not None:
            return reached
        hint = did_you_mean(expression.name, member_names(base))
        holder = "a single value" if base.holder is None else f"'{base.holder.name}'"
        message = f"{holder} has no field '{expression.name}'{hint}"
        if isinstance(base.holder, Enum):
            message = f"enum {holder} has no member '{expression.name}'{hint}"
        elif isinstance(base.holder, Module):
            message = f"module {holder} has no definition '{expression.name}'{hint}"
        self._diagnostics.error(message, expression.location)
        return ANYTHING

    def _call(self, expression: Call, local: Mapping[str, Target]) -> None:
        function = expression.function
        if not isinstance(function, Name) or function.name in FUNCTIONS or self._is_known(function.name, local):
            return
        found = self._module.find(function.name)
        if found is None:
            known = [*FUNCTIONS, *(item.name for item in self._module.definitions if isinstance(item, Extension))]
            hint = did_you_mean(function.name, known)
            self._diagnostics.error(f"unknown function '{function.name}'{hint}", function.location)
        elif isinstance(found, Extension) and isinstance(found.syntax, FnDef):
            self._arguments(expression, function.name, found.syntax)

    def _is_known(self, name: str, local: Mapping[str, Target]) -> bool:
        return name in local or name in self._module.broken

    def _arguments(self, expression: Call, name: str, function: FnDef) -> None:
        most = len(function.params)
        least = sum(param.default is None for param in function.params)
        given = len(expression.arguments)
        if not least <= given <= most:
            message = f"'{name}' takes {argument_count(least, most)}, not {given}"
            self._diagnostics.error(message, expression.location)

    def _codec_name(self, expression: Name) -> None:
        found = self._module.find(expression.name)
        if expression.name in CODECS or self._is_known(expression.name, {}):
            return
        if isinstance(found, Extension) and isinstance(found.syntax, CodecDef):
            return
        codecs = [
            item.name for item in self._module.definitions if isinstance(item, Extension) and item.kind == "codec"
        ]
        hint = did_you_mean(expression.name, [*CODECS, *codecs])
        self._diagnostics.error(f"unknown codec '{expression.name}'{hint}", expression.location)


def _cases(module: Module) -> set[str]:
    extensions = (item.syntax for item in module.definitions if isinstance(item, Extension))
    return {case.name for syntax in extensions if isinstance(syntax, VariantDef) for case in syntax.cases}
