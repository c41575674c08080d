"""The native reader of records: lowers tables to the rows that the extension makes its programs from.

The extension notices that bytes are wrong, not what is wrong with them: the generated reader then reads them again and
raises the error, so that both backends say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from ..native import _record
from . import functions as record_functions
from .table import Expr, FieldTable, RecordTable, VariantTable
from .write_plan import Unplanned, WritePlan, is_of_span

Row = tuple[Any, ...]

_OPERATIONS = {name: number for number, name in enumerate(_record.OPERATIONS)}
_KINDS = {name: number for number, name in enumerate(_record.KINDS)}
_DIMENSIONS = {name: number for number, name in enumerate(_record.DIMENSIONS)}
#: Notes in the order in which rows have them.
_NOTES = ("size", "raw_size", "start", "sizes", "starts", "raw_sizes")


def read(cls: Any, at: Any, pos: int, parameters: tuple[Any, ...]) -> tuple[Any, int] | None:
    """Returns a record and the position after it; None where the generated reader must look.

    Args:
        cls: the class of a record or variant.
        at: the span to read from; ``pos`` is a position in it.
        parameters: those of the declaration.
    """
    known = cls._native
    program = known[1] if known is not None and known[0] is cls else program_of(cls)
    buf = at.buf
    if program is None or not (buf.__class__ is bytes or (buf.__class__ is memoryview and buf.format == "B")):
        return None
    wanted = None if at.struct_of_arrays is None else _field(*at.struct_of_arrays)
    found = program.read(buf, pos, at.base, at.depth, parameters, wanted, at.source, at.borrows)
    return cast("tuple[Any, int] | None", found)


def write(value: Any, codecs: Any, base: int | None, depth: int, parameters: tuple[Any, ...]) -> bytes | None:
    """Returns the bytes of a record, or of a variant's alternative; None where the generated writer must look.

    Args:
        codecs: factories that take the place of external codecs, by the codec's name.
        base: the offset of the first byte, None where it is not known.
        depth: how many more records may be nested.
        parameters: those of the declaration.
    """
    cls: Any = type(value)
    known = cls._native_writer
    if known is None or known[0] is not cls:
        known = cls._native_writer = cls, writer_of(cls)
    program = known[1]
    if program is None:
        return None
    return cast("bytes | None", program.write(value, codecs, base, depth, parameters))


def writer_of(cls: Any) -> _record.Program | None:
    """Returns the program that writes a class (for an alternative, that of its variant); None where it must stay pure."""
    parent: Any = cls.__mro__[1]
    whole = parent if isinstance(parent._table(), VariantTable) else cls
    program = program_of(whole)
    if program is None:
        return None
    held = _held(whole, set())
    if any(hasattr(each, "_placed") for each in held if each is not whole):
        return None
    return program if all(map(_is_written, held)) else None


def _held(cls: Any, seen: set[Any]) -> set[Any]:
    """Returns a class and those that its values can contain."""
    if cls not in seen:
        seen.add(cls)
        table = cls._table()
        if isinstance(table, VariantTable):
            others = [*(table.table or {}).values(), *(each for _, each in table.chain), table.otherwise]
        else:
            others = [step.target for step in table.steps if step.type == "record" or step.coded]
        for each in others:
            if each is not None:
                _held(each, seen)
    return seen


def _is_written(cls: Any) -> bool:
    program = program_of(cls)
    return program is not None and program.is_writable


def attributes(records: list[Any], path: str) -> list[Any]:
    """Returns the result of `attributes.attributes`, by the native backend."""
    return _record.attributes(records, tuple(path.split(".")))


def use_struct_of_arrays(cls: type) -> None:
    """Registers the class that the native reader makes of lists read as a struct of arrays."""
    _record.use_struct_of_arrays(cls)


def by_structural_key(records: list[Any], known: dict[Any, Any]) -> list[Any]:
    """Returns the result of `attributes.by_structural_key`, by the native backend."""
    return _record.by_structural_key(records, known)


@cache
def _field(cls: Any, name: str) -> tuple[_record.Program, int, tuple[str, ...]] | None:
    """Returns the field of a record whose elements are to be read apart, None for what must stay pure."""
    program, table = program_of(cls), cls._table()
    if program is None:
        return None
    number = [step.name for step in table.steps].index(name)
    return program, number, tuple(step.name for step in table.steps[number].target._table().steps)


def program_of(cls: Any) -> _record.Program | None:
    """Returns the program that reads a class, made together with those of all classes it holds; None where it must stay pure."""
    known = cls._native
    if known is None or known[0] is not cls:
        programs = _Programs()
        try:
            programs.of(cls)
        except _Unknown:
            cls._native = (cls, None)
        else:
            programs.install()
    return cast("_record.Program | None", cls._native[1])


class _Unknown(Exception):
    """Raised for records that only the generated reader can read."""


class _Programs:
    """Makes programs that refer to each other."""

    def __init__(self) -> None:
        self._made: dict[Any, _record.Program] = {}

    def install(self) -> None:
        for cls, program in self._made.items():
            cls._native = (cls, program)

    def of(self, cls: Any) -> _record.Program:
        known = cls._native
        found = known[1] if known is not None and known[0] is cls else self._made.get(cls)
        if found is None:
            table = cls._table()
            if table is None:
                raise _Unknown(cls)
            found = self._made[cls] = _record.Program(cls)
            if isinstance(table, VariantTable):
                found.fill_choice(*self._choice(table))
            else:
                placed = getattr(cls, "_placed", None)
                if placed is not None:
                    _load_places()
                rows = _Rows(self, table, placed)
                writer = rows.writer()
                found.fill_body(*rows.row())
                if writer is not None:
                    found.fill_writer(*writer)
        return found

    def _choice(self, table: VariantTable) -> Row:
        names = _Names(table.params)
        tag = names.node(table.tag)
        alternatives = None if table.table is None else {tag: self.of(cls) for tag, cls in table.table.items()}
        chain = tuple((names.node(expr), self.of(cls)) for expr, cls in table.chain)
        otherwise = None if table.otherwise is None else self.of(table.otherwise)
        is_known = not is_of_span(table.tag)
        return len(table.params), tuple(table.defaults), names.count, tag, alternatives, chain, otherwise, is_known


class _Names:
    """Numbers the variables of a body: parameters, fields, notes, and what functions of the IDL bind."""

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers: Mapping[Any, int] = {name: number for number, name in enumerate(names)}
        self.count = len(names)

    def number(self, name: Any) -> int:
        return self._numbers[name]

    def note(self, name: str, step: FieldTable) -> int:
        """Returns the variable of a note; -1 where it is not kept."""
        if name not in step.notes:
            return -1
        self._add((name, step.name))
        return self.count - 1

    def measure(self, name: str, step: FieldTable) -> int:
        """Returns the variable of a measure, which is that of the note where there is one."""
        if (name, step.name) not in self._numbers:
            self._add((name, step.name))
        return self._numbers[name, step.name]

    def value(self) -> int:
        """Returns the variable of the value that a codec writes."""
        self._add("value")
        return self.count - 1

    def _add(self, name: Any) -> None:
        self._numbers = {**self._numbers, name: self.count}
        self.count += 1

    def node(self, expr: Expr) -> Row:
        """Returns an expression as (operation, number, object, operands)."""
        if isinstance(expr, str):
            return _OPERATIONS["variable"], self._numbers[expr], None, ()
        if not isinstance(expr, tuple):
            return _OPERATIONS["constant"], 0, expr, ()
        word, *operands = expr
        match word:
            case "text":
                return _OPERATIONS["constant"], 0, operands[0], ()
            case "noted":
                number = self._numbers.get(tuple(operands))
                if number is None:
                    self._add(tuple(operands))
                    number = self.count - 1
                return _OPERATIONS["variable"], number, None, ()
            case "get" | "each":
                return _OPERATIONS[word], 0, operands[1], (self.node(operands[0]),)
            case "call":
                return _OPERATIONS[word], 0, operands[0], tuple(map(self.node, operands[1:]))
            case "sum":
                return _OPERATIONS[word], 0, record_functions.total, tuple(map(self.node, operands))
            case "largest":
                return _OPERATIONS[word], 0, record_functions.largest, tuple(map(self.node, operands))
            case "every":
                return _OPERATIONS[word], self._numbers[operands[0]], None, (self.node(operands[1]),)
            case "let":
                return self._let(*operands)
            case "loop":
                return self._loop(*operands)
        return _OPERATIONS[word], 0, None, tuple(map(self.node, operands))

    def _let(self, pairs: Sequence[tuple[str, Expr]], body: Expr) -> Row:
        values = tuple(self.node(expr) for _, expr in pairs)
        outer, first = self._numbers, self.count
        self._numbers = {name: first + place for place, (name, _) in enumerate(pairs)}
        self.count += len(pairs)
        inside = self.node(body)
        self._numbers = outer
        return _OPERATIONS["let"], first, None, (*values, inside)

    def _loop(self, variable: str, accumulator: str, values: Expr, condition: Expr, value: Expr, *initial: Expr) -> Row:
        around = (self.node(values), *map(self.node, initial))
        outer, first = self._numbers, self.count
        self._numbers = {**outer, variable: first, accumulator: first + 1}
        self.count += 2
        listed, *begin = around
        row = _OPERATIONS["loop"], first, None, (listed, self.node(condition), self.node(value), *begin)
        self._numbers = outer
        return row


class _Rows:
    def __init__(self, programs: _Programs, table: RecordTable, placed: Mapping[str, Any] | None) -> None:
        self._programs = programs
        self._places = 0 if placed is None else 1 if all(row.from_source for row in placed.values()) else 2
        self._table = table
        self._names = _Names([*table.params, *(step.name for step in table.steps)])
        self._notes = [[self._names.note(name, step) for name in _NOTES] for step in table.steps]

    def row(self) -> Row:
        """Returns the arguments of ``Program.fill_body``."""
        table = self._table
        is_codec = table.value is not None
        attributes = (*table.params, *(step.name for step in table.steps), *(["tag"] if table.tag is not None else []))
        steps = tuple(self._step(step, notes) for step, notes in zip(table.steps, self._notes, strict=True))
        value, tag = self._optional(table.value), self._optional(table.tag)
        checks = tuple(map(self._node, table.checks))
        named = None if is_codec else attributes
        head = named, len(table.params), tuple(table.defaults), self._names.count
        return (
            *head,
            steps,
            checks,
            tuple(table.states),
            tag,
            value,
            table.nests,
            self._optional(table.order),
            self._places,
        )

    def writer(self) -> Row | None:
        """Returns the arguments of ``Program.fill_writer``; None where the generated writer must write."""
        value = -1 if self._table.value is None else self._names.value()
        try:
            return (
                *WritePlan(self._table, self._names.measure, self._node).rows(),
                value,
                not is_of_span(self._table.tag),
            )
        except Unplanned:
            return None

    def _node(self, expr: Expr) -> Row:
        return self._names.node(expr)

    def _optional(self, expr: Expr) -> Row | None:
        return None if expr is None else self._node(expr)

    def _step(self, step: FieldTable, notes: Sequence[int]) -> Row:
        reads_program = step.type == "record" or step.coded
        target: Any = None
        if reads_program:
            target = self._programs.of(step.target)
        elif step.type == "struct":
            target = step.target
        elif step.type == "values":
            target = _Finder(step.target) if len(step.arguments) == 1 else _Finder.of_parameters(step.target)
        if step.type in ("bits", "values"):
            _load_columns()
        return (
            _KINDS[step.type],
            self._names.number(step.name),
            step.big,
            step.coded,
            target,
            tuple(map(self._node, step.arguments)),
            _DIMENSIONS[step.dimension],
            self._optional(step.count),
            -1 if step.smallest is None else step.smallest,
            self._optional(step.length),
            step.terminator,
            self._optional(step.width),
            self._optional(step.present),
            self._optional(step.size),
            tuple(map(self._codec, step.codecs)),
            -2 if step.state is None else step.state,
            step.initial,
            step.siblings,
            _members(step.enum),
            tuple(notes),
            tuple(map(self._node, step.checks)),
        )

    def _codec(self, codec: Sequence[Any]) -> Row:
        if len(codec) == 1:
            return -1, None, (self._node(codec[0]),)
        number, declared, *arguments = codec
        return number, declared, tuple(map(self._node, arguments))


def _members(enum: Any) -> Mapping[int, Any] | None:
    return None if enum is None else {int(number): member for number, member in enum._value2member_map_.items()}


@cache
def _load_columns() -> None:
    from ..columns import Bits, Values
    from ..columns.buffers import flat

    _record.use_columns(Bits, Values, flat)


@cache
def _load_places() -> None:
    from .lazy import Bytes, LazyRecord

    _record.use_places(LazyRecord, Bytes)


class _Finder:
    """Layouts of an encoding's values, and what they hang on."""

    def __init__(self, encoding: Any) -> None:
        self._encoding = encoding

    def __call__(self, type: Any) -> tuple[Any, tuple[str, ...] | None]:
        """Returns the layout of a type's values and the attributes of the type that choose it; None where that is not known."""
        from ..columns import layout_of
        from ..columns.layout import bound_attributes
        from .record import Variant

        layout = layout_of(self._encoding, type)
        return layout, bound_attributes(self._encoding, type) if isinstance(type, Variant) else None

    @staticmethod
    def of_parameters(encoding: Any) -> Any:
        """Returns the same for an encoding with parameters, which stand before the type; nothing is kept."""
        from ..columns import layout_of

        return lambda *arguments: (layout_of(encoding(*arguments[:-1]), arguments[-1]), None)
