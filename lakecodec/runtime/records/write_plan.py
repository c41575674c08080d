"""The native writer's plan of a record: the order in which values are computed, encoded and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .nodes import Variables
from .table import Expr, FieldTable, RecordTable

Row = tuple[Any, ...]

#: Steps of the native writer, by number.
_DERIVE, _RAW, _ASIDE, _PUT, _CHECK = range(5)
_BEGIN, _POS, _END = ("begin",), ("pos",), ("end",)
_REST, _SIZE, _AT_END = ("-", _END, _POS), ("-", _END, _BEGIN), ("==", _POS, _END)
#: Bytes of wire types that always take as many.
_WIDTHS = {f"{kind}{bits}": bits // 8 for kind in "uif" for bits in (8, 16, 24, 32, 40, 48, 64)} | {
    "bool8": 1,
    "part": 0,
}
_TEXTS = ("bytes", "utf8")
#: Measures in the order in which rows have them.
_MEASURES = ("size", "raw_size", "sizes")


class Unplanned(Exception):
    """Raised for records that only the generated writer can write."""


class _OfSpan(Exception):
    """An expression about the span around the record, of which a writer knows nothing."""


class WritePlan:
    """The fields and steps of a writer.

    Args:
        table: of the record, alternative or codec.
        variables: those of the body, among which the measures that writing needs are made.

    Raises:
        Unplanned: the generated writer must write it.
    """

    def __init__(self, table: RecordTable, variables: Variables) -> None:
        self._table = table
        self._variables = variables
        self._fields = {step.name: step for step in table.steps}
        self._numbers = {step.name: number for number, step in enumerate(table.steps)}
        self._measured: dict[str, set[str]] = {step.name: set() for step in table.steps}
        self._busy: list[str] = []
        self._done: set[tuple[int, str]] = set()
        self._steps: list[Row] = []

    def rows(self) -> tuple[Row, Row]:
        """Returns the fields, and the steps, as ``Program.fill_writer`` takes them."""
        try:
            for step in self._table.steps:
                self._value(step)
                self._need(step)
                self._add(_PUT, step)
            for step in self._table.steps:
                for check in step.checks:
                    self._check(check, step)
                if (self._waits(step) and step.dimension == "index") or _is_half_open(step.size):
                    raise Unplanned(step.name)
                if self._waits(step):
                    is_there = ("not", ("is", step.name, None))
                    self._check(("==", is_there, ("not", ("not", step.present))), step, keeps=True)
            for check in self._table.checks:
                self._check(check, None)
            fields = tuple(map(self._field, self._table.steps))
        except (_OfSpan, KeyError, RecursionError) as error:
            raise Unplanned(str(error)) from None
        return fields, tuple(self._steps)

    # ---- order ----

    def _add(self, kind: int, step: FieldTable) -> None:
        self._done.add((kind, step.name))
        self._steps.append((kind, self._numbers[step.name], None))

    def _value(self, step: FieldTable) -> None:
        """Computes a derived value, after all that it needs."""
        if step.derived is None or (_DERIVE, step.name) in self._done:
            return
        with_present = () if self._by_value(step) else (step.present,)
        self._after(step, self._known(step.derived, step), *self._lengths(step), *with_present)
        self._add(_DERIVE, step)

    def _after(self, step: FieldTable, *exprs: Expr) -> None:
        """Makes ready what expressions about a field need."""
        if step.name in self._busy:
            raise Unplanned(step.name)
        self._busy.append(step.name)
        for expr in exprs:
            self._prepare(expr, step)
        self._busy.pop()

    def _prepare(self, expr: Expr, step: FieldTable | None) -> None:
        for part in _walk(expr):
            if isinstance(part, str):
                other = self._fields.get(part)
                if other is not None and other is not step:
                    self._value(other)
            elif part[0] == "noted":
                self._measure(part[1], self._fields[part[2]])

    def _measure(self, what: str, step: FieldTable) -> None:
        if what not in _MEASURES:
            raise Unplanned(what)
        self._measured[step.name].add(what)
        kind = _RAW if what == "raw_size" else _ASIDE
        if {(kind, step.name), (_PUT, step.name)} & self._done:
            return
        if kind == _RAW and (step.dimension or step.present is not None or step.terminator is not None):
            raise Unplanned(step.name)
        self._value(step)
        self._need(step, coded=kind == _ASIDE)
        self._add(kind, step)

    def _need(self, step: FieldTable, *, coded: bool = True) -> None:
        """Makes ready what the encoding of a field needs."""
        exprs = [*self._lengths(step), self._size(step), *self._arguments(step)]
        if not self._by_value(step):
            exprs.append(step.present)
        if coded:
            exprs += [argument for codec in step.codecs for argument in _codec_arguments(codec)]
        self._after(step, *exprs)

    # ---- expressions ----

    def _check(self, check: Expr, step: FieldTable | None, *, keeps: bool = False) -> None:
        """Adds what must hold once all is encoded; nothing where it is the derivation itself, or about the span."""
        if not keeps and step is not None and any(self._is_derivation(check, each) for each in self._table.steps):
            return
        try:
            known = self._known(check, step)
        except _OfSpan:
            return
        self._prepare(known, None)
        self._steps.append((_CHECK, len(self._table.steps), self._variables.node(known)))

    def _is_derivation(self, check: Expr, step: FieldTable) -> bool:
        own: Expr = step.name
        if step.derived is None:
            return False
        forms = [("==", own, step.derived), ("or", ("is", own, None), ("==", own, step.derived))]
        own = ("item", own, ("index",))
        forms += [("every", step.name, ("==", own, step.derived))]
        forms += [("every", step.name, ("or", ("is", own, None), ("==", own, step.derived)))]
        return check in forms

    def _known(self, expr: Expr, step: FieldTable | None) -> Expr:
        """Returns an expression about what a field must be: its `rest` is what follows the field."""
        return self._rewritten(expr, {} if step is None else self._behind(step))

    def _inside(self, expr: Expr, step: FieldTable) -> Expr:
        """Returns an expression about what stands inside a field's span; its size is known unless it hangs on the field."""
        size = None if step.codecs or (step.dimension and step.dimension != "index") else self._size(step)
        spans = {} if size is None else {_REST: size, _SIZE: size, _AT_END: ("==", size, 0)}
        return self._rewritten(expr, spans)

    def _rewritten(self, expr: Expr, spans: Mapping[Expr, Expr]) -> Expr:
        if not isinstance(expr, tuple) or expr[0] == "text":
            return expr
        if _is_hashable(expr) and expr in spans:
            return self._rewritten(spans[expr], {})
        match expr:
            case ("begin",) | ("pos",) | ("end",):
                raise _OfSpan(expr[0])
            case ("noted", "start", name):
                return self._sum(_BEGIN, self._table.steps[: self._numbers[name]])
            case ("noted", "size", name):
                size = _fixed_size(self._fields[name])
                return expr if size is None else size
            case ("noted", *_):
                return expr
            case ("bytes", *_):
                raise Unplanned("bytes")
            case ("let", pairs, body):
                return "let", tuple((name, self._rewritten(each, spans)) for name, each in pairs), body
            case ("get" | "each", base, name):
                return expr[0], self._rewritten(base, spans), name
            case ("loop", variable, accumulator, *inside):
                return "loop", variable, accumulator, *(self._rewritten(each, spans) for each in inside)
            case ("call", function, *arguments):
                return "call", function, *(self._rewritten(each, spans) for each in arguments)
            case ("every", name, inner):
                return "every", name, self._rewritten(inner, spans)
        return expr[0], *(self._rewritten(each, spans) for each in expr[1:])

    def _behind(self, step: FieldTable) -> Mapping[Expr, Expr]:
        rest = self._sum(0, self._table.steps[self._numbers[step.name] + 1 :])
        found: dict[Expr, Expr] = {_REST: rest}
        for other in self._table.steps:
            stop = ("+", ("noted", "start", other.name), ("noted", "size", other.name))
            found["-", _END, stop] = self._sum(0, self._table.steps[self._numbers[other.name] + 1 :])
        return found

    def _sum(self, first: Expr, steps: Sequence[FieldTable]) -> Expr:
        total = first
        for step in steps:
            size = _fixed_size(step)
            total = ("+", total, ("noted", "size", step.name) if size is None else size)
        return total

    # ---- fields ----

    def _field(self, step: FieldTable) -> Row:
        by_value = self._by_value(step)
        derived = None if step.derived is None else self._variables.node(self._known(step.derived, step))
        is_listed = step.type == "bits" and any(part == ("index",) for part in _walk(step.derived))
        if step.derived is not None and step.dimension == "index" and self._lengths(step)[0] is None:
            raise Unplanned(step.name)
        return (
            derived,
            step.derived is not None and (step.dimension == "index" or is_listed),
            by_value,
            *map(self._variables.optional, self._lengths(step)),
            None if by_value else self._variables.optional(step.present),
            self._variables.optional(self._size(step)),
            self._variables.nodes(self._arguments(step)),
            tuple(
                self._variables.measure(each, step.name) if each in self._measured[step.name] else -1
                for each in _MEASURES
            ),
            step.derived is not None,
        )

    def _arguments(self, step: FieldTable) -> list[Expr]:
        return [self._inside(each, step) for each in step.arguments]

    def _clause(self, expr: Expr, step: FieldTable) -> Expr:
        """Returns an expression to be checked; None where it is about the span."""
        try:
            return None if expr is None else self._rewritten(expr, {})
        except _OfSpan:
            return None

    def _size(self, step: FieldTable) -> Expr:
        """Returns the size that a field must have; None where it follows from the field."""
        return None if self._hangs_on(step.size, step) else self._clause(step.size, step)

    def _lengths(self, step: FieldTable) -> list[Expr]:
        """Returns the elements of a list, the length of one of them, and the bits of a number; None as in `_size`."""
        count = step.count if step.dimension in ("count", "index") else None
        found = [None if self._hangs_on(each, step) else each for each in (count, step.length)]
        return [self._clause(each, step) for each in (*found, step.width)]

    def _by_value(self, step: FieldTable) -> bool:
        """Returns whether the value itself tells if it is there."""
        return step.present is not None and (self._clause(step.present, step) is None or self._waits(step))

    def _waits(self, step: FieldTable) -> bool:
        return step.present is not None and self._hangs_on(step.present, step)

    def _hangs_on(self, expr: Expr, step: FieldTable, seen: tuple[str, ...] = ()) -> bool:
        """Returns whether an expression needs the encoded form of a field."""
        for part in _walk(expr):
            if isinstance(part, tuple):
                if part[0] == "noted" and part[2] == step.name:
                    return True
                continue
            other = self._fields.get(part)
            if other is None or other.derived is None or part in seen:
                continue
            try:
                known = self._known(other.derived, other)
            except _OfSpan:
                continue
            if self._hangs_on(known, step, (*seen, part)):
                return True
        return False


def is_of_span(expr: Expr) -> bool:
    """Returns whether an expression is about the span around a record."""
    return any(part in (_BEGIN, _POS, _END) for part in _walk(expr))


def _is_half_open(size: Expr) -> bool:
    """Returns whether one branch alone of a size is about the span: the generated writer checks the other one."""
    match size:
        case ("if", condition, then, otherwise) if not is_of_span(condition):
            return is_of_span(then) != is_of_span(otherwise)
    return False


def _codec_arguments(codec: Sequence[Any]) -> Sequence[Expr]:
    return codec if len(codec) == 1 else codec[2:]


def _fixed_size(step: FieldTable) -> int | None:
    """Returns the bytes that a field always takes, None where their number varies."""
    if step.present is not None or step.codecs or step.coded or step.size is not None:
        return None
    size: int | None = _WIDTHS.get(step.type)
    if step.type in _TEXTS:
        size = step.length if isinstance(step.length, int) and step.terminator is None else None
    elif step.type == "record" and isinstance(table := step.target._table(), RecordTable):
        if hasattr(step.target, "_placed"):
            return None
        sizes = [_fixed_size(each) for each in table.steps]
        size = None if None in sizes else sum(each for each in sizes if each is not None)
    if step.dimension and size is not None:
        return size * step.count if step.dimension in ("count", "index") and isinstance(step.count, int) else None
    return size


def _walk(expr: Expr) -> Iterator[Any]:
    """Yields the names in an expression, and the measures and places as tuples."""
    if isinstance(expr, str):
        yield expr
    if not isinstance(expr, tuple):
        return
    match expr:
        case ("text", *_):
            return
        case ("noted", *_) | ("index",) | ("pos",) | ("begin",) | ("end",) | ("base",):
            yield expr
        case ("get" | "each", base, _):
            yield from _walk(base)
        case ("call", _, *arguments):
            for each in arguments:
                yield from _walk(each)
        case ("let", pairs, _):
            for _, each in pairs:
                yield from _walk(each)
        case ("loop", _, _, *inside):
            for each in inside:
                yield from _walk(each)
        case ("every", name, inner):
            yield name
            yield from _walk(inner)
        case _:
            for each in expr[1:]:
                yield from _walk(each)


def _is_hashable(expr: Expr) -> bool:
    try:
        hash(expr)
    except TypeError:
        return False
    return True
