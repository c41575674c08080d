"""The kinds of expressions, and every error in them: unknown names, members and functions, operands of wrong kinds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..runtime.suggest import did_you_mean
from .builtin_names import FUNCTIONS, VALUES
from .diagnostics import Diagnostics, Location, argument_count
from .graph import computed_once
from .model import Const, Enum, EnumMember, Extension, Module, Record, Struct
from .paths import (
    ANYTHING,
    BOOLEAN,
    BYTES,
    INTEGER,
    TEXT,
    Target,
    bodies_of,
    common,
    element,
    member,
    member_names,
    names_of,
    of_definition,
    of_parameter,
)
from .syntax import (
    Binary,
    Call,
    CodecDef,
    Compare,
    Each,
    EncodingDef,
    Expr,
    FnDef,
    Index,
    IsCase,
    Literal_,
    Member,
    Name,
    Slice,
    Ternary,
    Unary,
    VariantDef,
    type_text,
)
from .syntax.walk import walk

Local = Mapping[str, Target]

_LITERALS: dict[type, Target] = {int: INTEGER, float: Target("float"), str: TEXT, bytes: Target("bytes")}
_VALUES = {
    "true": BOOLEAN, "false": BOOLEAN, "at_end": BOOLEAN, "null": Target("null"), "end": INTEGER, "rest": INTEGER,
    "width": INTEGER,
}  # fmt: skip
_RESULTS = {
    "adler32": INTEGER, "ahead": INTEGER, "all_but": BYTES, "ascending": BOOLEAN, "bit_length": INTEGER,
    "common_prefix": INTEGER, "contains": BOOLEAN,
    "count": INTEGER, "crc32": INTEGER, "encoded": Target("bytes"), "padding": INTEGER, "peek": BYTES, "position": INTEGER,
    "big_bytes": BYTES, "big_number": INTEGER, "little_bytes": BYTES, "little_number": INTEGER,
    "is_permutation": BOOLEAN, "join": TEXT, "offset": INTEGER, "present": BOOLEAN, "raw_size": INTEGER, "size": INTEGER,
    "source": INTEGER, "sum": INTEGER, "tag_name": TEXT, "unique": BOOLEAN,
}  # fmt: skip
_LISTS = ("ascending", "first", "is_permutation", "last", "sum", "unique")
_PLACES = ("encoded", "offset", "raw_size", "size")


class Inference:
    """Inference of the kinds of one module's expressions; local names are arguments of each call."""

    def __init__(self, module: Module, diagnostics: Diagnostics | None = None) -> None:
        """Without ``diagnostics``, errors are not reported, and each expression is inferred once."""
        self._module = module
        self._diagnostics = Diagnostics() if diagnostics is None else diagnostics
        self._silent = self if diagnostics is None else Inference(module)
        #: Kinds by identity of expression and local names; both are stored with the kind to keep them alive.
        self._known: dict[tuple[int, int, Target], tuple[Target, Expr, Local]] = {}
        #: The computed attributes of other bodies that expressions name, one entry per use.
        self.computed: list[Attribute] = []
        #: The number of enclosing computed attributes of the expressions.
        self.depth = 0
        self._cases = {case.name for variant in _variants(module) for case in variant.cases}

    def check(self, expr: Expr, local: Local, wanted: Target = ANYTHING) -> Target:
        """Returns the kind of an expression; ``wanted`` determines the enum of a bare member."""
        if self._silent is not self:
            return self._check(expr, local, wanted)
        key = (id(expr), id(local), wanted)
        if key not in self._known:
            self._known[key] = (self._check(expr, local, wanted), expr, local)
        return self._known[key][0]

    def _check(self, expr: Expr, local: Local, wanted: Target) -> Target:
        match expr:
            case Literal_():
                return _LITERALS[type(expr.value)]
            case Name():
                return self._name(expr, local, wanted)
            case Member():
                return self._member(expr, local)
            case Index():
                self._integer("an index", expr.index, local)
                return self._element(expr.base, self.check(expr.base, local))
            case Slice():
                for part in (expr.low, expr.high):
                    if part is not None:
                        self._integer("a bound", part, local)
                return self.check(expr.base, local)
            case Call():
                return self._call(expr, local)
            case Unary():
                operand = self._number(expr.operand, local)
                return BOOLEAN if expr.operator == "not" else operand
            case Binary():
                return self._binary(expr, local)
            case Compare():
                self._compare(expr, local)
                return BOOLEAN
            case IsCase():
                self.check(expr.value, local)
                if self._cases and expr.case not in self._cases:
                    hint = did_you_mean(expr.case, self._cases)
                    self._error(f"no variant has a case '{expr.case}'{hint}", expr.location)
                return BOOLEAN
            case Each():
                return self._each(expr, local)
            case Ternary():
                self.check(expr.condition, local)
                then = self.check(expr.then, local, wanted)
                otherwise = self.check(expr.otherwise, local, wanted)
                kinds = [each for each in (then, otherwise) if each.kind != "null"] or [then]
                found = common(kinds)
                is_alike = found != ANYTHING or ANYTHING in kinds or {each.kind for each in kinds} == {"bytes", "text"}
                return found if is_alike else Target(mixed=tuple(kinds))

    def _each(self, expr: Each, local: Local) -> Target:
        """Returns the kind of the selected list, or of a fold's result."""
        base = self.check(expr.base, local)
        item = self._element(expr.base, base) if base.lists or base.kind != "bytes" else INTEGER
        for name in (expr.variable, expr.accumulator):
            if name in local or name in VALUES:
                self._error(f"'{name}' is already defined", expr.location)
        inside = {**local, expr.variable: item}
        if expr.condition is not None:
            self.check(expr.condition, inside)
        if expr.initial is None or expr.accumulator is None:
            value = item if expr.value is None else self.check(expr.value, inside)
            return replace(value, lists=value.lists + 1)
        self._number(expr.initial, local)
        if expr.value is not None:
            self._number(expr.value, {**inside, expr.accumulator: INTEGER})
        return INTEGER

    def enum_member(self, name: str, wanted: Target = ANYTHING) -> tuple[Enum, EnumMember] | None:
        """Returns the member for a bare name: of the wanted enum, else of the only enum with it, else of the first."""
        enums = [*self._enums(), *([wanted.holder] if isinstance(wanted.holder, Enum) else [])]
        found = [(enum, each) for enum in enums for each in enum.members if each.name == name]
        return next((pair for pair in found if pair[0] is wanted.holder), found[0] if found else None)

    # ---- names ----

    def _name(self, expr: Name, local: Local, wanted: Target) -> Target:
        name = expr.name
        if name in local:
            return local[name]
        if name in VALUES:
            return _VALUES.get(name, ANYTHING)
        if name in self._module.includes:
            return Target("names", self._module.includes[name])
        if (found := self._module.constant(name) or self._module.find(name)) is not None:
            return of_definition(found)
        if (pair := self.enum_member(name, wanted)) is not None:
            self._ambiguous(expr, wanted)
            return Target("enum", pair[0])
        if name not in self._module.broken:
            constants = [item.name for item in self._module.definitions if isinstance(item, Const | Enum)]
            members = [each.name for enum in self._enums() for each in enum.members]
            hint = did_you_mean(name, [*local, *VALUES, *members, *constants])
            self._error(f"unknown name '{name}'{hint}", expr.location)
        return ANYTHING

    def _ambiguous(self, expr: Name, wanted: Target) -> None:
        """Reports a bare member that several enums have with different numbers, if the enum is ambiguous."""
        enums = [enum for enum in self._enums() if any(each.name == expr.name for each in enum.members)]
        numbers = {each.number for enum in enums for each in enum.members if each.name == expr.name}
        if len(numbers) > 1 and wanted.holder not in enums:
            names = " and ".join(enum.name for enum in enums)
            self._error(f"'{expr.name}' is a member of {names}: write {enums[0].name}.{expr.name}", expr.location)

    def _member(self, expr: Member, local: Local) -> Target:
        base = self.check(expr.base, local)
        return common([self._reached(expr, each) for each in base.objects])

    def _reached(self, expr: Member, base: Target) -> Target:
        """Returns the kind of a member of objects with one declaration."""
        if (reached := member(base, expr.name)) is not None:
            return reached
        if isinstance(base.holder, Record | Extension) and expr.name in (known := computed_attributes(base.holder)):
            self.computed.append((base.holder, expr.name))
            if self._silent is not self:
                self._module.computed_parts += known[expr.name].parts
            reached = known[expr.name].kind_within(self.depth)
            return replace(reached, lists=reached.lists + base.lists)
        hint = did_you_mean(expr.name, member_names(base))
        holder = "a single value" if base.holder is None or base.kind == "enum" else f"'{base.holder.name}'"
        message = f"{holder} has no field '{expr.name}'{hint}"
        if isinstance(base.holder, Enum) and base.kind == "names":
            message = f"enum {holder} has no member '{expr.name}'{hint}"
        elif isinstance(base.holder, Module):
            message = f"module {holder} has no definition '{expr.name}'{hint}"
        self._error(message, expr.location)
        return ANYTHING

    # ---- operators ----

    def _binary(self, expr: Binary, local: Local) -> Target:
        left, right = self.check(expr.left, local), self.check(expr.right, local)
        if expr.operator in ("and", "or"):
            return BOOLEAN
        if expr.operator == "<<" and isinstance(expr.right, Literal_) and expr.right.value not in range(65):
            self._error(f"a shift by {expr.right.value!r} bits is not from 0 to 64", expr.right.location)
        joins = expr.operator == "+" and left.kind in ("bytes", "text") and not left.lists
        sets = expr.operator in ("|", "&", "-", "^") and left.lists > 0
        if (joins and right.kind in (left.kind, "any")) or (sets and right.lists == left.lists):
            return left
        for operand, target in ((expr.left, left), (expr.right, right)):
            if not target.is_number:
                self._error(f"'{expr.operator}' takes numbers, not {target.name}", operand.location)
                return ANYTHING
        return Target("float") if "float" in (left.kind, right.kind) else INTEGER

    def _compare(self, expr: Compare, local: Local) -> None:
        wanted = self.compared(expr, local)
        kinds = [self.check(operand, local, wanted) for operand in expr.operands]
        for operator, left, right, operand in zip(expr.operators, kinds, kinds[1:], expr.operands[1:], strict=False):
            if not _comparable(left, right, ordered=operator not in ("==", "!=")):
                self._error(f"{left.name} cannot be compared with {right.name}", operand.location)

    def compared(self, expr: Compare, local: Local) -> Target:
        """Returns the enum whose values a comparison compares."""
        kinds = (self._silent.check(operand, local) for operand in expr.operands if not isinstance(operand, Name))
        named = (
            local[operand.name] for operand in expr.operands if isinstance(operand, Name) and operand.name in local
        )
        return next((each for each in (*named, *kinds) if each.kind == "enum"), ANYTHING)

    def _number(self, expr: Expr, local: Local) -> Target:
        target = self.check(expr, local)
        if not target.is_number:
            self._error(f"a number is needed, not {target.name}", expr.location)
            return INTEGER
        return target

    def _integer(self, what: str, expr: Expr, local: Local) -> None:
        if self._number(expr, local).is_float:
            self._error(f"{what} must be an integer, not a float", expr.location)

    def _element(self, expr: Expr, target: Target) -> Target:
        found = element(target)
        if found is None:
            self._error(f"{target.name} has no elements", expr.location)
        return found or ANYTHING

    # ---- calls ----

    def _call(self, expr: Call, local: Local) -> Target:
        name = expr.function.name if isinstance(expr.function, Name) else ""
        if name in FUNCTIONS:
            return self._builtin(name, expr, local)
        arguments = [self.check(argument, local) for argument in expr.arguments]
        found = self._module.find(name)
        if isinstance(found, Extension) and isinstance(found.syntax, FnDef | CodecDef | EncodingDef):
            self._arguments(expr, arguments, name, found)
            if isinstance(found.syntax, FnDef):
                return of_parameter(type_text(found.syntax.result), found.module)
        elif name not in local and name not in self._module.broken and (found is None or isinstance(found, Const)):
            if not name:
                self._error(
                    "functions of included files cannot be called: declare it in this file", expr.function.location
                )
                return ANYTHING
            known = [*FUNCTIONS, *(item.name for item in self._module.definitions if isinstance(item, Extension))]
            self._error(f"unknown function '{name}'{did_you_mean(name, known)}", expr.function.location)
        return ANYTHING

    def _builtin(self, name: str, expr: Call, local: Local) -> Target:
        least, most = FUNCTIONS[name]
        self._count(expr, name, least, most)
        kinds = [self.check(argument, local) for argument in expr.arguments]
        first = kinds[0] if kinds else ANYTHING
        if name in _PLACES and expr.arguments and not _is_field(expr.arguments[0]):
            self._error(f"'{name}' takes a field of the record", expr.arguments[0].location)
        if name == "padding" and first.is_float:
            self._error("'padding' takes an integer, not a float", expr.arguments[0].location)
        is_extreme = name in ("min", "max") and len(kinds) == 1
        taken = ("any", "bytes", "values") if name == "sum" or is_extreme else ("any", "values")
        if (name in _LISTS or is_extreme) and not first.lists and first.kind not in taken:
            self._error(f"'{name}' takes a list, not {first.name}", expr.arguments[0].location)
        if name == "count" and not first.lists and first.kind not in ("any", "bytes", "text", "values"):
            self._error(f"'count' takes a list, bytes or a text, not {first.name}", expr.arguments[0].location)
        if name in ("tag", "tag_name") and first.kind != "any" and not _is_variant(replace(first, lists=0)):
            self._error(f"'{name}' takes a variant, not {first.name}", expr.arguments[0].location)
        if name == "member":
            return self._enum_member(expr, kinds)
        if name == "list_of":
            return self._list_of(expr, kinds)
        if name in ("min", "max", "first", "last"):
            return replace(first, lists=first.lists - 1) if first.lists else first
        if name in ("name_of", "tag_name"):
            return replace(TEXT, lists=first.lists)
        if name == "tag":
            return replace(ANYTHING, lists=first.lists)
        return _RESULTS.get(name, ANYTHING)

    def _list_of(self, expr: Call, kinds: list[Target]) -> Target:
        first = kinds[0] if kinds else ANYTHING
        if first.is_number and not first.lists:
            # One float makes a list of floats.
            first = next((each for each in kinds if each.is_float), first)
        for each, kind in zip(expr.arguments, kinds, strict=True):
            if not accepts(first, kind):
                self._error(f"a list of {first.name} cannot hold {kind.name}", each.location)
        return replace(first, lists=first.lists + 1)

    def _enum_member(self, expr: Call, kinds: list[Target]) -> Target:
        if len(kinds) != 2:
            return ANYTHING
        named, number = kinds
        if not isinstance(named.holder, Enum) or named.kind != "names":
            self._error(f"'member' takes the name of an enum, not {named.name}", expr.arguments[0].location)
            return ANYTHING
        if not number.is_number:
            self._error(f"'member' takes a number, not {number.name}", expr.arguments[1].location)
        return Target("enum", named.holder)

    def _arguments(self, expr: Call, given: list[Target], name: str, function: Extension) -> None:
        params = function.syntax.params
        least = sum(param.default is None for param in params)
        self._count(expr, name, least, len(params))
        for argument, target, param in zip(expr.arguments, given, params, strict=False):
            wanted = of_parameter(type_text(param.type), function.module)
            if not accepts(wanted, target):
                message = f"'{param.name}' of '{name}' takes {wanted.name}, not {target.name}"
                self._error(message, argument.location)

    def _count(self, expr: Call, name: str, least: int, most: int) -> None:
        given = len(expr.arguments)
        if not least <= given <= most:
            self._error(f"'{name}' takes {argument_count(least, most)}, not {given}", expr.location)

    def _enums(self) -> Iterable[Enum]:
        return (item for item in self._module.definitions if isinstance(item, Enum))

    def _error(self, message: str, location: Location) -> None:
        self._diagnostics.error(message, location)


#: The deepest nesting of computed attributes of other bodies.
_DEEPEST = 50
#: A computed attribute: its record or variant, and its name.
Attribute = tuple[Record | Extension, str]


@dataclass(slots=True)
class ComputedAttribute:
    """The kind of a computed attribute, inferred on first access, and the attributes of other bodies that it names.

    ``forms`` are its expressions, each with the names that it can use: one per alternative that has it.
    ``is_deep``: whether it is computed through too many others; ``is_clear``: whether it leads to no circle.
    """

    _module: Module
    forms: list[tuple[Expr, Local]] = field(default_factory=list)
    _kind: Target | None = None
    _parts: int | None = None
    is_deep: bool = False
    is_clear: bool = False
    uses: list[Attribute] = field(default_factory=list)

    @property
    def kind(self) -> Target:
        return self.kind_within(0)

    def kind_within(self, depth: int) -> Target:
        """Returns the kind for a number of enclosing attributes."""
        if self._kind is None:
            self._kind = ANYTHING  # on a cycle, which is an error
            self.is_deep = depth > _DEEPEST
            if not self.is_deep:
                inference = Inference(self._module)
                inference.depth = depth + 1
                self._kind = common([inference.check(value, names) for value, names in self.forms])
                self.uses = inference.computed
                self.is_deep = any(computed_attributes(holder)[name].is_deep for holder, name in self.uses)
        return self._kind

    @property
    def parts(self) -> int:
        """The number of parts of its expression, including all attributes that it names."""
        if self._parts is None:
            self._parts, _ = 0, self.kind  # 0 on a cycle
            named = (computed_attributes(holder)[name].parts for holder, name in self.uses)
            self._parts = sum(1 for value, _ in self.forms for _ in walk(value)) + sum(named)
        return self._parts


@computed_once
def computed_attributes(holder: Record | Extension) -> dict[str, ComputedAttribute]:
    """Returns the computed attributes of a record, or of all alternatives of a variant."""
    found: dict[str, ComputedAttribute] = {}
    for fields, computed in bodies_of(holder):
        names = names_of(holder, fields) if computed else {}
        for each in computed:
            found.setdefault(each.name, ComputedAttribute(holder.module)).forms.append((each.value, names))
    return found


def accepts(wanted: Target, given: Target) -> bool:
    """Returns whether a value fits a parameter."""
    if given.mixed and not given.lists:
        return all(accepts(wanted, each) for each in given.mixed)
    if "any" in (wanted.kind, given.kind) or given.kind == "null":
        return True
    if wanted.lists != given.lists:
        return False
    if wanted.holder is not None and given.holder is not None:
        return wanted.holder is given.holder
    numbers = ("int", "bool", "enum")
    return wanted.kind == given.kind or (wanted.kind in (*numbers, "float") and given.kind in numbers)


def _comparable(left: Target, right: Target, *, ordered: bool) -> bool:
    if "null" in (left.kind, right.kind):
        return not ordered
    if {left.kind, right.kind} == {"bytes", "text"} and left.lists == right.lists:
        return True
    if ordered and "object" in (left.kind, right.kind):
        return False
    return accepts(left, right) or accepts(right, left)


def _is_field(expr: Expr) -> bool:
    return isinstance(expr, Name) or (isinstance(expr, Index) and isinstance(expr.base, Name))


def _is_variant(target: Target) -> bool:
    return not target.lists and isinstance(target.holder, Extension) and not isinstance(target.holder, Struct)


def _variants(module: Module) -> list[VariantDef]:
    extensions = (item.syntax for item in module.definitions if isinstance(item, Extension))
    return [syntax for syntax in extensions if isinstance(syntax, VariantDef)]
