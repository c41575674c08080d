"""Records, tables and the other extensions, and the file as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from lark import Token
from lark.tree import Meta

from ..builtin_names import CODECS, FIXED_WIDTHS
from ..diagnostics import Location
from ..syntax import (
    ArrowMap,
    Binary,
    CodecDef,
    Compare,
    ComputedDef,
    Definition,
    Dimension,
    EncodingDef,
    Expr,
    Extern,
    File,
    FnDef,
    Include,
    Index,
    Literal_,
    Loop,
    Member,
    Name,
    NamedType,
    Namespace,
    ParamDef,
    Pattern,
    RecordDef,
    RecordField,
    Setting,
    Shape,
    State,
    TableColumn,
    TableDef,
    TypeExpr,
    Unary,
    VariantCase,
    VariantDef,
    Where,
    WireType,
    type_text,
)
from ..syntax.walk import called_name
from .thrift import Annotations, ThriftBuilder

Params = tuple[ParamDef, ...]
Attributes = dict[str, list[Expr]]
Fields = tuple[RecordField, ...]
#: Fields and computed attributes.
Body = tuple[RecordField | ComputedDef, ...]


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause of a record field; ``word`` is `=`, `if`, `at`, `size`, `until`, `via` or `arrow`."""

    word: str
    value: Expr
    message: str | None
    location: Location
    when: Expr | None = None


#: The target (None for the field itself), its value, the condition, and the message of an error.
_Setting: TypeAlias = "tuple[Expr | None, Expr, Expr | None, str | None]"


def _origin(place: _Clause) -> str:
    """Returns the record from whose start a place counts; empty for the source and for the field's own record."""
    return "" if place.message in (None, "source") else str(place.message)


class TreeBuilder(ThriftBuilder):
    # ---- files ----

    def start(self, meta: Meta, *parts: Any) -> File:
        headers = [part for part in parts if isinstance(part, Include | Namespace)]
        first = next((token for token in parts if token is not None), None)
        doc = self._doc(meta) if isinstance(first, Include | Namespace) else ""
        return File(
            self._file,
            tuple(part for part in headers if isinstance(part, Include)),
            tuple(part for part in headers if isinstance(part, Namespace)),
            tuple(cast(Definition, part) for part in parts if part is not None and part not in headers),
            doc,
        )

    def include(self, meta: Meta, path: Token) -> Include:
        return Include(self._text(path), self._at(path))

    def namespace(self, meta: Meta, scope: Token, name: Token, annotations: Annotations) -> Namespace:
        return Namespace(str(scope), str(name), self._at(name))

    # ---- parts shared by the extensions ----

    def param(self, meta: Meta, type_: TypeExpr, name: Token, default: Expr | None) -> ParamDef:
        return ParamDef(self._simple(name), type_, default, self._at(name))

    def attributes(self, meta: Meta, *pairs: tuple[str, list[Expr]]) -> Attributes:
        return dict(pairs)

    def attribute(self, meta: Meta, name: Token, *arguments: Expr) -> tuple[str, list[Expr]]:
        return str(name), list(arguments)

    def where(self, meta: Meta, condition: Expr, message: str | None) -> Where:
        return Where(condition, message, condition.location)

    def otherwise(self, meta: Meta, text: Token | None = None) -> str | None:
        return None if text is None else self._text(text)

    def condition(self, meta: Meta, *parts: Any) -> Expr | None:
        return cast(Expr, parts[1]) if parts else None

    def extern(self, meta: Meta, text: Token) -> Extern:
        return Extern(self._text(text), self._at(text))

    # ---- records ----

    def record(self, meta: Meta, name: Token, params: Params, attributes: Attributes, *rest: Any) -> RecordDef:
        *checks, fields = rest
        return RecordDef(
            self._simple(name), self._at(name), params, attributes, tuple(checks), _fields(fields), self._doc(meta),
            _computed(fields),
        )  # fmt: skip

    def body(self, meta: Meta, *parts: RecordField | ComputedDef | Fields) -> Body:
        return tuple(each for found in parts for each in (found if isinstance(found, tuple) else (found,)))

    def computed(self, meta: Meta, name: Token, value: Expr) -> ComputedDef:
        return ComputedDef(self._simple(name), value, self._at(name), self._doc(meta), value)

    def _plain(self, body: Body, kind: str) -> Fields:
        """Returns the fields of a body in which computed attributes are not allowed."""
        for each in _computed(body):
            self._diagnostics.error(f"`let` belongs to records and variants, not to {kind}", each.location)
        return _fields(body)

    def record_field(self, meta: Meta, type_: WireType, name: Token, *parts: Any) -> RecordField:
        clauses = [part for part in parts if isinstance(part, _Clause)]
        single = self._single_clauses(clauses)
        dimensions = tuple(part for part in parts if isinstance(part, Dimension))
        settings = [each for part in parts if isinstance(part, list) for each in part]
        derived = single.get("=")
        if derived is not None and derived.when is not None:
            settings.append((None, derived.value, derived.when, derived.message))
            derived = None
        return RecordField(
            self._simple(name),
            type_,
            self._at(name),
            dimensions=dimensions,
            derived=None if derived is None else derived.value,
            derived_message=None if derived is None else derived.message,
            invariants=(
                *(self._setting(Name(str(name), self._at(name)), dimensions, *each) for each in settings),
                *(part for part in parts if isinstance(part, Where)),
            ),
            present=single["if"].value if "if" in single else None,
            at=single["at"].value if "at" in single else None,
            from_source="at" in single and single["at"].message is not None,
            origin=_origin(single["at"]) if "at" in single else "",
            size=single["size"].value if "size" in single else None,
            until=single["until"].value if "until" in single else None,
            default=single["default"].value if "default" in single else None,
            align=single["align"].value if "align" in single else None,
            via=tuple(clause.value for clause in clauses if clause.word == "via"),
            arrow=tuple(clause.value for clause in clauses if clause.word == "arrow"),
            doc=self._doc(meta),
        )

    def first_bit(self, meta: Meta, name: Token | None = None) -> bool:
        """Returns whether the fields begin at the lowest bit."""
        if name is not None and name not in ("low", "high"):
            self._diagnostics.error("bit fields begin at the `high` or at the `low` bit", self._at(name))
        return name == "low"

    def bit_field(self, meta: Meta, name: Token, width: Token, *parts: Any) -> tuple[RecordField, int]:
        clauses = [part for part in parts if isinstance(part, _Clause)]
        for each in clauses:
            names_type = each.word == "via" and CODECS.get(called_name(each.value))
            if each.word not in ("=", "default") and not names_type:
                message = "a bit field has a value, `= expr`, or a default, rules, `where expr`, and `via enum(E)`"
                self._diagnostics.error(message, each.location)
        single = self._single_clauses(clauses)
        derived = single.get("=")
        if derived is not None and derived.when is not None:
            self._diagnostics.error(
                "a bit field is always or never derived: `when` is not allowed here", derived.when.location
            )
        return RecordField(
            self._simple(name),
            WireType("part", self._at(name)),
            self._at(name),
            derived=None if derived is None else derived.value,
            derived_message=None if derived is None else derived.message,
            invariants=tuple(part for part in parts if isinstance(part, Where)),
            via=tuple(clause.value for clause in clauses if clause.word == "via"),
            doc=self._doc(meta),
            default=single["default"].value if "default" in single else None,
        ), int(width, 0)

    def bit_fields(
        self, meta: Meta, type_: WireType, name: Token, is_low: bool, *parts: tuple[RecordField, int]
    ) -> Fields:
        """Returns the number field, which is derived from its bit fields, and the bit fields."""
        number, place = self._simple(name), self._at(name)
        width = 8 * FIXED_WIDTHS.get(type_.name, 0)
        if type_.name not in FIXED_WIDTHS or type_.name[0] != "u":
            self._diagnostics.error("bit fields are parts of an unsigned number: u16 flags { a : 4; b : 12; }", place)
        elif (total := sum(bits for _, bits in parts)) != width or min(bits for _, bits in parts) < 1:
            self._diagnostics.error(f"the fields of '{number}' have {total} bits, not {width}", place)
        # A number of more bits was reported above, and is not computed.
        parts = tuple((field, min(bits, 64)) for field, bits in parts[:64])
        fields: list[RecordField] = []
        whole: Expr | None = None
        low = 0 if is_low else sum(bits for _, bits in parts)
        for field, bits in parts:
            low -= 0 if is_low else bits
            most = Literal_((1 << max(bits, 0)) - 1, field.location)
            own = Name(field.name, field.location)
            fits = Compare(("<=", "<="), (Literal_(0, field.location), own, most), field.location)
            rule = Where(fits, f"{field.name} has {bits} bit{'s' * (bits != 1)}", field.location)
            fields.append(replace(field, bits=(number, max(low, 0), bits), invariants=(rule, *field.invariants)))
            part: Expr = Binary("<<", own, Literal_(max(low, 0), field.location), field.location) if low > 0 else own
            whole = part if whole is None else Binary("|", whole, part, place)
            low += bits if is_low else 0
        return RecordField(number, type_, place, derived=whole, doc=self._doc(meta)), *fields

    def _single_clauses(self, clauses: list[_Clause]) -> dict[str, _Clause]:
        """Returns the clauses that a field has at most once, by their word."""
        found: dict[str, _Clause] = {}
        for clause in clauses:
            if clause.word in found and clause.word not in ("via", "arrow"):
                self._diagnostics.error(f"a field has only one '{clause.word}'", clause.location)
            found.setdefault(clause.word, clause)
        return found

    def derived(self, meta: Meta, value: Expr, when: Expr | None, message: str | None) -> _Clause:
        return _Clause("=", value, message, value.location, when)

    def settings(self, meta: Meta, *settings: _Setting) -> list[_Setting]:
        return list(settings)

    def setting(self, meta: Meta, target: Expr, value: Expr, when: Expr | None, message: str | None) -> _Setting:
        return target, value, when, message

    def _setting(
        self,
        own: Name,
        dimensions: tuple[Dimension, ...],
        target: Expr | None,
        value: Expr,
        when: Expr | None,
        message: str | None,
    ) -> Where:
        """Returns the rule that a field, or a field inside of it, has the value that it gets on writing."""
        index = next((each.variable for each in dimensions if each.variable is not None), None)
        base: Expr = own if index is None else Index(own, Name(index, own.location), own.location)
        path: list[str | None] = [] if index is None else [None]
        over: Expr | None = None
        variable: str | None = None

        def resolved(part: Expr) -> Expr:
            nonlocal over, variable
            match part:
                case Name():
                    path.append(part.name)
                    return Member(base, part.name, part.location)
                case Member():
                    inner = resolved(part.base)
                    path.append(part.name)
                    return Member(inner, part.name, part.location)
                case Index(index=Name(name=name)) if index is None and variable is None:
                    over, variable = resolved(part.base), name
                    path.append(None)
                    return Index(over, part.index, part.location)
            message = "a field inside is named by its path: `with size = ...`, `with head.size = ...`, `with rows[i].size = ...`"
            self._diagnostics.error(message, part.location)
            return base

        whole = base if target is None else resolved(target)
        condition: Expr = Compare(("==",), (whole, value), value.location)
        if when is not None:
            condition = Binary("or", Unary("not", when, when.location), condition, value.location)
        return Where(condition, message, value.location, Setting(whole, tuple(path), value, over, variable, when))

    def place(self, meta: Meta, word: Token, value: Expr, origin: Token | None) -> _Clause:
        return _Clause(str(word), value, None if origin is None else str(origin), self._at(word))

    def clause(self, meta: Meta, word: Token, value: Expr) -> _Clause:
        return _Clause(str(word), value, None, self._at(word))

    def wire_type(
        self, meta: Meta, name: Token, type_arguments: tuple[Expr, ...], arguments: tuple[Expr, ...] | None
    ) -> WireType:
        order = name[-2:] if name[-2:] in ("be", "le") and FIXED_WIDTHS.get(name[:-2], 1) > 1 else ""
        return WireType(name.removesuffix(order), self._at(name), type_arguments, arguments, order)

    def dimension_count(self, meta: Meta, count: Expr) -> Dimension:
        return Dimension("count", self._around(meta), count)

    def dimension_index(self, meta: Meta, variable: Token, count: Expr) -> Dimension:
        return Dimension("index", self._around(meta), count, str(variable))

    def dimension_rest(self, meta: Meta) -> Dimension:
        return Dimension("rest", self._around(meta))

    def dimension_until(self, meta: Meta, word: Token, condition: Expr) -> Dimension:
        return Dimension("until", self._around(meta), condition)

    # ---- variants ----

    def variant(
        self, meta: Meta, name: Token, params: Params, tag: Expr, attributes: Attributes, *cases: VariantCase
    ) -> VariantDef:
        return VariantDef(self._simple(name), self._at(name), params, tag, attributes, cases, self._doc(meta))

    def variant_case(
        self, meta: Meta, tags: tuple[Expr, ...], name: Token, body: Body | None, *arrow: ArrowMap
    ) -> VariantCase:
        fields = None if body is None else _fields(body)
        return VariantCase(
            self._simple(name), tags, fields, arrow, self._at(name), self._doc(meta), _computed(body or ())
        )

    def arrow_map(
        self, meta: Meta, word: Token, type_: Expr, condition: Expr | None, assignments: tuple[tuple[str, Expr], ...]
    ) -> ArrowMap:
        return ArrowMap(type_, condition, assignments, self._at(word))

    def assignment(self, meta: Meta, name: Token, value: Expr) -> tuple[str, Expr]:
        return str(name), value

    # ---- encodings ----

    def encoding(
        self, meta: Meta, name: Token, params: Params, over: Token, attributes: Attributes, *shapes: Shape
    ) -> EncodingDef:
        return EncodingDef(self._simple(name), self._at(name), params, str(over), attributes, shapes, self._doc(meta))

    def shape(self, meta: Meta, *parts: Any) -> Shape:
        *patterns, condition, fields, null_fields = parts
        null_fields = None if null_fields is None else self._plain(null_fields, "encodings")
        fields = self._plain(fields, "encodings")
        return Shape(tuple(patterns), condition, fields, null_fields, self._around(meta), self._doc(meta))

    def pattern(self, meta: Meta, name: Token, variables: tuple[str, ...]) -> Pattern:
        return Pattern(str(name), variables, self._at(name))

    def pattern_names(self, meta: Meta, *names: Token) -> tuple[str, ...]:
        return tuple(str(name) for name in names)

    # ---- codecs and functions ----

    def codec(
        self,
        meta: Meta,
        name: Token,
        params: Params,
        result: WireType,
        attributes: Attributes,
        state: State | None,
        *rest: Any,
    ) -> CodecDef:
        fields, value = (self._plain(rest[0], "codecs"), rest[1]) if len(rest) == 2 else (None, rest[0])
        location, doc = self._at(name), self._doc(meta)
        return CodecDef(self._simple(name), location, params, result, attributes, state, fields, value, doc)

    def state(self, meta: Meta, *parts: Any) -> State | None:
        if not parts:
            return None
        type_, name, initial = parts
        return State(str(name), type_, initial, self._at(name))

    def fn(self, meta: Meta, name: Token, params: Params, result: TypeExpr, value: Expr | Extern) -> FnDef:
        return FnDef(self._simple(name), self._at(name), params, result, value, self._doc(meta))

    # ---- tables ----

    def table(self, meta: Meta, name: Token, source: Token, *rest: Any) -> TableDef:
        return TableDef(
            self._simple(name),
            self._at(name),
            str(source),
            self._at(source),
            tuple(part for part in rest if isinstance(part, Loop)),
            tuple(part for part in rest if isinstance(part, TableColumn)),
            self._doc(meta),
        )

    def loop(self, meta: Meta, variable: Token, index: str | None, iterable: Expr) -> Loop:
        return Loop(str(variable), index, iterable, self._at(variable))

    def loop_index(self, meta: Meta, name: Token | None = None) -> str | None:
        return None if name is None else str(name)

    def column(
        self, meta: Meta, type_: TypeExpr, name: Token, annotations: Annotations, expression: Expr
    ) -> TableColumn:
        return TableColumn(
            self._simple(name), type_text(type_), expression, self._at(name), self._doc(meta), annotations
        )

    def arrow_type(self, meta: Meta, word: Token, *arguments: Token) -> NamedType:
        texts = [self._text(each) if each.type == "STRING" else str(each) for each in arguments]
        return NamedType(f"{word}<{', '.join(texts)}>", self._at(word))

    # ---- queries ----

    def query_loops(self, meta: Meta, *loops: Loop) -> tuple[Loop, ...]:
        return loops

    def query_condition(self, meta: Meta, condition: Expr) -> Expr:
        return condition

    def query_columns(self, meta: Meta, *columns: TableColumn) -> tuple[TableColumn, ...]:
        return columns

    def named_column(self, meta: Meta, name: Token, expression: Expr) -> TableColumn:
        return TableColumn(self._simple(name), "", expression, self._at(name))

    def typed_column(self, meta: Meta, type_: NamedType, name: Token, expression: Expr) -> TableColumn:
        return TableColumn(self._simple(name), type_text(type_), expression, self._at(name))

    def unnamed_column(self, meta: Meta, value: Expr | Token) -> TableColumn:
        """Returns a column that is named by the last name of its path."""
        expression = Name(str(value), self._at(value)) if isinstance(value, Token) else value
        if not isinstance(expression, Name | Member):
            self._diagnostics.error("a column that is computed needs a name: name = expression", expression.location)
            return TableColumn("", "", expression, expression.location)
        return TableColumn(expression.name, "", expression, expression.location)


def _fields(body: Body) -> Fields:
    return tuple(each for each in body if isinstance(each, RecordField))


def _computed(body: Body) -> tuple[ComputedDef, ...]:
    return tuple(each for each in body if isinstance(each, ComputedDef))
