"""Rules for the fields of records, alternatives of variants, shapes of encodings and codecs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ...runtime.suggest import did_you_mean
from ..builtin_names import CODECS, WIRE_TYPES
from ..diagnostics import Diagnostics, Location, argument_count, report_duplicates
from ..infer import Inference, accepts, computed_attributes
from ..model import Definition, Extension, Module, Param, Record, Struct
from ..paths import (
    ANYTHING,
    BYTES,
    INTEGER,
    Target,
    has_fields,
    of_parameter,
    of_wire_type,
    own_codec,
    type_names,
)
from ..resolve.scope import kind_of
from ..syntax import (
    Call,
    ComputedDef,
    EncodingDef,
    Expr,
    Index,
    Member,
    Name,
    ParamDef,
    RecordField,
    Setting,
    Slice,
    VariantDef,
    WireType,
    type_text,
)
from ..syntax.walk import called_name, is_before, names, walk
from ..syntax_errors import COMPARED_DIMENSION
from ..words import wire_type_hint
from .computed import check_computed
from .field_defaults import check_default, check_derived
from .names import check_codec
from .peeking import check_peeks
from .spans import check_rest
from .wire_forms import check_wire_form


class BodyChecker:
    """Args:
    local: the names in the body's expressions beside its fields.
    holder: the record or variant with the body and the ``computed`` attributes.
    """

    def __init__(
        self,
        module: Module,
        fields: Sequence[RecordField],
        local: dict[str, Target],
        diagnostics: Diagnostics,
        *,
        holder: Record | Extension | None = None,
        computed: Sequence[ComputedDef] = (),
    ) -> None:
        self._module = module
        self._fields = fields
        self._diagnostics = diagnostics
        self._expressions = Inference(module, diagnostics)
        self._computed = computed
        kinds = {} if holder is None or not computed else computed_attributes(holder)
        self.local = {**local, **{each.name: kinds[each.name].kind for each in computed}}
        self.local |= {field.name: field.kind for field in fields}

    def run(self, before: Iterable[tuple[str, Location]] = ()) -> None:
        """Reports all errors. ``before`` has the names that fields must not have, with their locations."""
        own = [(each.name, each.location) for each in self._fields]
        own += [(each.name, each.location) for each in self._computed]
        own.sort(key=lambda each: (each[1].line, each[1].column))
        report_duplicates(own, "field", self._diagnostics)
        taken = {name for name, _ in before}
        for name, location in own:
            if name in taken:
                message = (
                    f"'{name}' is a parameter already, which all fields can use: leave out the field, or rename it"
                )
                self._diagnostics.error(message, location)
        check_computed(self._computed, self.local, self._expressions, self._diagnostics)
        unread = {field.name for field in self._fields if field.at is None}
        for field in self._fields:
            unread.discard(field.name)
            self._check_type(field.type, field.target, self._scope(field))
            self._check_dimensions(field)
            self._check_clauses(field)
            self._check_order(field, unread if field.at is None else ())
        check_rest(self._fields, self._diagnostics)
        check_peeks(self._fields, (), self._diagnostics)

    # ---- types ----

    def _check_type(self, type_: WireType, found: Definition | None, local: dict[str, Target]) -> None:
        for width in type_.type_arguments if type_.name in WIRE_TYPES else ():
            self._check_number("the width", width, local)
        given = [self._expressions.check(argument, local) for argument in type_.arguments or ()]
        if type_.name == "bits" and len(type_.type_arguments) != 1:
            self._error("'bits' has its width in angle brackets: bits<3>", type_.location)
        if type_.name in WIRE_TYPES:
            return
        if found is None:
            self._unknown_type(type_.name, type_.location)
        elif isinstance(found, Record):
            self._check_arguments(type_, given, found.params, found.module)
        elif isinstance(found, Extension) and isinstance(found.syntax, VariantDef):
            self._check_arguments(type_, given, found.syntax.params, found.module)
        elif isinstance(found, Extension) and isinstance(found.syntax, EncodingDef):
            self._check_encoding(type_, given, found)
        elif not isinstance(found, Struct):
            self._error(
                f"'{type_.name}' is {kind_of(found, article=True)}, which has no bytes of its own", type_.location
            )

    def _check_arguments(
        self, type_: WireType, given: list[Target], params: Sequence[Param | ParamDef], module: Module
    ) -> None:
        least = sum(param.default is None for param in params)
        if not least <= len(given) <= len(params):
            self._error(f"'{type_.name}' takes {argument_count(least, len(params))}, not {len(given)}", type_.location)
        for argument, target, param in zip(type_.arguments or (), given, params, strict=False):
            text = param.type_name if isinstance(param, Param) else type_text(param.type)
            wanted = of_parameter(text, module)
            if not accepts(wanted, target):
                message = f"'{param.name}' of '{type_.name}' takes {wanted.name}, not {target.name}"
                self._error(message, argument.location)

    def _check_encoding(self, type_: WireType, given: list[Target], encoding: Extension) -> None:
        """Checks the arguments of an encoding: its own, then the type of the values, which is omitted in another encoding."""
        own, wanted = encoding.syntax.params, encoding.syntax.over
        if len(given) not in (len(own), len(own) + 1):
            count = argument_count(len(own) + 1, len(own) + 1)
            self._error(f"'{type_.name}' takes {count}, not {len(given)}", type_.location)
        texts = [*(type_text(param.type) for param in own), wanted]
        for argument, target, text in zip(type_.arguments or (), given, texts, strict=False):
            kind = of_parameter(text, encoding.module)
            if not accepts(kind, target):
                self._error(f"'{type_.name}' takes {kind.name} here, not {target.name}", argument.location)

    def _unknown_type(self, name: str, location: Location) -> None:
        if name in self._module.broken:
            return
        known = [*WIRE_TYPES, *type_names(self._module)]
        self._error(f"unknown type '{name}'{wire_type_hint(name) or did_you_mean(name, known)}", location)

    # ---- clauses ----

    def _check_dimensions(self, field: RecordField) -> None:
        for dimension in field.dimensions:
            if dimension.variable in self.local:
                message = f"'{dimension.variable}' is already defined: [i < n] numbers elements, {COMPARED_DIMENSION}"
                self._error(message, dimension.location)
            if dimension.expression is not None and dimension.kind in ("count", "index"):
                self._check_number("the count", dimension.expression, self._scope(field))
            elif dimension.expression is not None:
                self._expressions.check(dimension.expression, self._scope(field))
        for dimension in field.dimensions[:-1]:
            if dimension.kind in ("rest", "until"):
                self._error("only the last dimension can be open", dimension.location)

    def _check_clauses(self, field: RecordField) -> None:
        scope = self._scope(field)
        wanted = _element_of(field, field.kind)
        if field.derived is not None:
            found = self._expressions.check(field.derived, scope, wanted)
            if not accepts(wanted, found) and not _written_alike(field, wanted, found):
                is_fill = wanted == BYTES and found.kind == "int" and field.until is None
                hint = "; a number fills bytes of a given length: `bytes pad[n] = 0`" if is_fill else ""
                self._error(f"'{field.name}' must be {wanted.name}, not {found.name}{hint}", field.derived.location)
            self._refuse_derived_of_itself(field, field.derived)
            check_derived(field, wanted, found, self._module, self.local, self._diagnostics)
        if field.present is not None:
            self._expressions.check(field.present, scope)
        if field.align is not None and field.at is None:
            message = f"'{field.name}' follows other fields: `bytes pad[padding(8)] = 0;` before it aligns it"
            self._error(message, field.align.location)
        for clause, expression in (("`at`", field.at), ("`size`", field.size), ("`align`", field.align)):
            if expression is not None:
                self._check_number(clause, expression, scope)
        for where in field.invariants:
            if where.setting is not None:
                self._check_setting(field, where.setting, scope)
            else:
                self._expressions.check(where.condition, scope)
        check_default(field, self._module, self.local, self._diagnostics)
        self._check_ending(field)
        check_wire_form(field, self._diagnostics)
        value = of_wire_type(field.type, self._module)
        own = own_codec(field)
        is_own = (
            own is not None
            and value.kind == "object"
            and of_wire_type(own.syntax.result, own.module).holder is value.holder
        )
        if own is not None and value.kind == "object" and not is_own:
            message = (
                f"'{own.name}' has fields and decodes to {own.syntax.result.name}, which is not a {field.type.name}"
            )
            self._error(f"{message}: make '{field.name}' bytes", field.via[-1].location)
            return
        for number, (codec, found_codec) in enumerate(zip(field.via, field.called, strict=True)):
            reads_value = own is not None and number == len(field.via) - 1
            kinds = [value] if reads_value or value.kind in ("bytes", "text") else [value, BYTES]
            if not reads_value and has_fields(found_codec):
                kinds = [ANYTHING]  # lowering reports it if it is not the last step
            kinds = [value] if is_own else [BYTES] if value.kind == "object" else kinds
            check_codec(codec, scope, self._module, self._diagnostics, kinds)

    def _check_ending(self, field: RecordField) -> None:
        """Reports an `until` on a field that it cannot end, and terminators that cannot end anything."""
        if field.until is None:
            return
        if field.type.name not in ("bytes", "utf8"):
            self._error(f"`until` ends bytes and utf8, not '{field.type.name}'", field.type.location)
        elif own_codec(field) is not None:
            self._error(f"a codec with fields decodes '{field.name}' and knows where it ends", field.until.location)
        if not field.ending:
            self._error("a terminator must be a constant text or constant bytes, and not empty", field.until.location)

    def _refuse_derived_of_itself(self, field: RecordField, derived: Expr) -> None:
        """Refuses a value that is computed from itself, since it is unknown when it is written.

        Its `size`, `offset` and `all_but` may be used.
        """
        measures = [
            part
            for part in walk(derived)
            if isinstance(part, Call) and called_name(part) in ("all_but", "offset", "size")
        ]
        measured = [name for part in measures for name in names(part)]
        for name in names(derived):
            if name.name == field.name and not any(name is each for each in measured):
                remedy = f"give it and check it: where {field.name}{'[i]' if field.dimensions else ''} == ..."
                self._error(f"'{field.name}' cannot be derived from itself; {remedy}", name.location)

    def _check_number(self, clause: str, expression: Expr, scope: dict[str, Target]) -> None:
        found = self._expressions.check(expression, scope)
        if not found.is_number or found.is_float:
            needed = "an integer" if found.is_float else "a number"
            self._error(f"{clause} must be {needed}, not {found.name}", expression.location)

    def _check_setting(self, field: RecordField, setting: Setting, scope: dict[str, Target]) -> None:
        """Refuses settings of fields that are not in a record or struct, or are derived there."""
        if not any(setting.path) and setting.when is None:
            return
        if setting.variable is not None:
            if setting.variable in self.local:
                self._error(f"'{setting.variable}' is already defined", setting.target.location)
            scope = {**scope, setting.variable: INTEGER}
        if setting.path and field.dimensions and field.dimensions[0].kind != "index":
            self._error("elements are set one by one: use [i < n]", setting.target.location)
            return
        wanted = self._expressions.check(setting.target, scope)
        found = self._expressions.check(setting.value, scope, wanted)
        if not accepts(wanted, found) and {wanted.kind, found.kind} != {"bytes", "text"}:
            name = next((each for each in reversed(setting.path) if each is not None), field.name)
            self._error(f"'{name}' must be {wanted.name}, not {found.name}", setting.value.location)
        if setting.when is not None:
            self._expressions.check(setting.when, scope)
        part: Expr = setting.target
        while isinstance(part, Member | Index):
            base = self._expressions.check(part.base, scope) if isinstance(part, Member) else ANYTHING
            if isinstance(part, Member) and not isinstance(base.holder, Record | Struct) and base.kind != "any":
                self._error(f"only fields of records and structs can be set, not those of {base.name}", part.location)
            if isinstance(part, Member) and isinstance(base.holder, Record):
                self._check_settable(part, base.holder)
            part = part.base

    def _check_settable(self, part: Member, record: Record) -> None:
        inside = next((each for each in record.fields if each.name == part.name), None)
        if inside is None and any(each.name == part.name for each in record.params):
            self._error(f"'{part.name}' is not a field of '{record.name}', so it cannot be set", part.location)
        elif any(each.name == part.name for each in record.computed):
            self._error(f"'{part.name}' is computed in '{record.name}', so it cannot be set", part.location)
        elif inside is not None and inside.derived is not None:
            self._error(f"'{part.name}' is derived in '{record.name}' itself", part.location)

    def _check_order(self, field: RecordField, unread: Collection[str]) -> None:
        """Refuses clauses about reading a field that depend on fields read after it."""
        for clause, expression in _deciding(field):
            before = _elements_before(field, expression)
            for name in names(expression):
                if name.name == field.name:
                    if clause != "count" and any(name is each for each in before):
                        continue
                    self._error(f"the {clause} of '{field.name}' uses the field itself", name.location)
                elif name.name in unread:
                    self._error(
                        f"the {clause} of '{field.name}' uses '{name.name}', which is read later", name.location
                    )

    def _scope(self, field: RecordField) -> dict[str, Target]:
        variables = {each.variable: INTEGER for each in field.dimensions if each.variable is not None}
        return {**self.local, **variables}

    def _error(self, message: str, location: Location) -> None:
        self._diagnostics.error(message, location)


#: Functions of the bytes of a field, which are known once it is read.
_MEASURES = frozenset(("encoded", "offset", "raw_size", "size"))


def _element_of(field: RecordField, target: Target) -> Target:
    """Returns the kind of the value of `= expr`: of the whole field, or of an element for `[i < n]`."""
    if target.lists and any(dimension.kind == "index" for dimension in field.dimensions):
        return replace(target, lists=target.lists - 1)
    return ANYTHING if target.kind == "values" else target


def _written_alike(field: RecordField, wanted: Target, found: Target) -> bool:
    """Returns True if a value of another kind can be written: a text as UTF-8, a number as fill byte of counted bytes."""
    is_counted = bool(field.dimensions) and field.dimensions[-1].expression is not None and field.until is None
    alike = ({"bytes", "text"}, {"bytes", "int"}) if is_counted else ({"bytes", "text"},)
    return wanted.lists == found.lists and {wanted.kind, found.kind} in alike


def _elements_before(field: RecordField, expression: Expr) -> list[Name]:
    """Returns the uses of the field's own name that mean elements which were read: `x[i - 1]`, `x[:i]`, all in `[until e]`."""
    if any(each.expression is expression and each.kind == "until" for each in field.dimensions):
        measures = [part for part in walk(expression) if isinstance(part, Call) and called_name(part) in _MEASURES]
        measured = [name for part in measures for name in names(part)]
        return [name for name in names(expression) if not any(name is each for each in measured)]
    variables = {each.variable for each in field.dimensions if each.variable is not None}
    found = []
    for part in walk(expression):
        match part:
            case Index(base=Name(name=field.name) as base) if any(is_before(part.index, each) for each in variables):
                found.append(base)
            case Slice(base=Name(name=field.name) as base, high=Name(name=variable)) if variable in variables:
                found.append(base)
    return found


def _deciding(field: RecordField) -> Iterator[tuple[str, Expr]]:
    for each in field.dimensions:
        if each.expression is not None and not each.grows:
            yield "end" if each.kind == "until" else "count", each.expression
    yield from (("argument", argument) for argument in field.type.arguments or ())
    yield from (("width", width) for width in field.type.type_arguments)
    # The name of a type may be that of an included file with the same name as the field.
    calls = (step for step in field.via if isinstance(step, Call) and not CODECS.get(called_name(step)))
    yield from (("argument", each) for call in calls for each in call.arguments)
    for clause, expression in (("condition", field.present), ("position", field.at), ("size", field.size)):
        if expression is not None:
            yield clause, expression
