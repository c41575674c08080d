"""Offset scans: steps, made from a record's tables, that locate packed numbers and values without making objects.

They serve records whose fields are numbers, bytes, texts, packed numbers and encoded values of a list of types, and
records and lists of these. An offset scan returns locations, or only that something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from ...records.nodes import CAPTURES, LoweredField, Node, Variables, lower_body
from ...records.table import FieldTable, RecordTable, VariantTable
from .. import backend
from .code import NUMBERS, Code, Op, Register
from .expressions import MOST_RAW, Expressions, Scope
from .symbols import (
    Bytes,
    Encoded,
    Float,
    Given,
    GivenItem,
    Listing,
    NotScannable,
    Number,
    Packed,
    Part,
    Raw,
    Symbol,
)  # fmt: skip

#: Clauses of a step, besides name and type, that a scan supports.
_KNOWN_CLAUSES = {
    "big", "target", "arguments", "dimension", "count", "loose", "smallest", "length", "width", "present", "checks",
    "enum", "captures", "verifies",
}  # fmt: skip
#: Clauses that only a writer needs.
_OF_WRITING = {"derived", "before", "open", "given"}
_UNKNOWN_CLAUSES = FieldTable.__dataclass_fields__.keys() - _KNOWN_CLAUSES - _OF_WRITING - {"name", "type"}
_PLAIN = FieldTable("", "")
_FLOATS = ("f16", "f32", "f64")


class OffsetScan:
    """The steps that find the parts of a record.

    Args:
        record: the class of the record.
        encoding: the encoding of all values; each value's type is an element of a list that the caller passes.

    Attributes:
        code: the steps.
        end: the scalar for the size of the bytes.
        params: the names of the record's parameters.
        root: the record.
        stop: the scalar with the position after the record.
        given: the scalars for the caller's arguments: parameters, or what their attributes lead to. They are numbers
            and sizes of lists, which True marks.
        types: the list of types, and the attributes that lead from an element to its type; None without values.

    Raises:
        NotScannable: the record has something that offset scans do not.
    """

    def __init__(self, record: Any, encoding: Any) -> None:
        self.code = Code()
        self._encoding = encoding
        self.end = self.code.scalar()
        self.types: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        table = _table_of(record)
        self.params = tuple(table.params)
        self._expressions = Expressions(self.code, self.end)
        self.given = self._expressions.given
        certain = Register(self.code.constant(1))
        self.root = Part(certain, self._body(table, [Given((name,)) for name in table.params], certain))
        self.stop = self.code.result(Op.POS)
        self.code.emit(Op.END)

    def is_certain(self, presence: Register) -> bool:
        """Returns whether a field is present in all valid bytes, given its presence variable."""
        return presence == Register(self.code.constant(1))

    def find(self, *path: str) -> Symbol:
        """Returns the variables of a field, given the field names on the path to it; a list stands for its elements."""
        symbol: Symbol = self.root
        for name in path:
            symbol = symbol.element if isinstance(symbol, Listing) else symbol
            if not isinstance(symbol, Part):
                raise NotScannable(path)
            symbol = symbol.fields[name]
        return symbol.element if isinstance(symbol, Listing) else symbol

    def machine(self, given: Sequence[tuple[Given, bool]]) -> Any:
        """Returns the native machine of the steps, which takes the ``given`` numbers in this order.

        Raises:
            NotScannable: the steps need other arguments.
        """
        if missing := self.given.keys() - set(given):
            raise NotScannable(missing)
        scalars = [self.given[each] if each in self.given else self.code.scalar() for each in given]
        code = self.code
        return backend.offset_scans.Machine(code.steps, code.scalars, code.lists, self.end, scalars)

    # ---- fields ----

    def _body(
        self, table: Any, arguments: Sequence[Symbol], presence: Register, always_present: bool = True
    ) -> dict[str, Symbol]:
        """Writes the steps of a record, and returns the symbols of its fields.

        Args:
            arguments: the record's parameters.
            presence: the variable that says whether the record is present.
            always_present: whether the record's presence implies that of its fields; not so for alternatives.
        """
        if (
            not isinstance(table, RecordTable)
            or table.nests
            or table.states
            or table.tag is not None
            or table.value is not None
            or table.order is not None
        ):
            raise NotScannable(table)
        for field in table.steps:
            if any(getattr(field, name) != getattr(_PLAIN, name) for name in _UNKNOWN_CLAUSES):
                raise NotScannable(field)
        body = lower_body(table)
        scope: Scope = dict(enumerate(arguments))
        fields: dict[str, Symbol] = {}
        for step in body.fields:
            name = step.table.name
            with self._measured(step, scope):
                found = fields[name] = self._field(step, scope, presence, always_present)
            scope[body.variables.number(name)] = found
            self._checks(step.checks, scope)
        self._checks(body.checks, scope)
        return fields

    @contextmanager
    def _measured(self, step: LoweredField, scope: Scope) -> Iterator[None]:
        """Adds a field's position and size to the scope; the field's steps are emitted inside."""
        kept = {what: variable for what, variable in zip(CAPTURES, step.captures, strict=True) if variable >= 0}
        if not kept.keys() <= {"size", "start"}:
            raise NotScannable(step)
        start = self.code.result(Op.POS) if kept else 0
        yield
        if "size" in kept:
            size = self.code.result(Op.SUBTRACT, self.code.result(Op.POS), start)
            scope[kept["size"]] = Number(Register(size))
        if "start" in kept:
            scope[kept["start"]] = Number(Register(start))

    def _field(self, step: LoweredField, scope: Scope, presence: Register, always_present: bool) -> Symbol:
        code = self.code
        if step.table.dimension not in ("", "count", "rest", "index"):
            raise NotScannable(step)
        each = step.table.dimension == "index"
        if not step.table.dimension:
            with self._present(step.present, scope, presence, always_present) as (presence, always_present):
                return self._element(step, scope, presence, always_present)
        always = Register(code.constant(1))
        with (
            nullcontext((presence, always_present))
            if each
            else self._present(step.present, scope, presence, always_present) as (presence, always_present)
        ):
            rest = step.table.dimension == "rest"
            count = code.scalar() if rest else self._count(step, scope)
            with (
                code.rest(count, self.end) if rest else code.elements(count) as first,
                self._present(step.present if each else None, scope, always, True) as (inner, certain),
            ):
                element = self._element(step, scope, inner, certain)
            held = Register(count) if code.loop is None else self._held(count)
            base = None if first is None else self._held(first)
        return Listing(presence, base, held, element, always_present)

    def _count(self, step: LoweredField, scope: Scope) -> int:
        """Returns the scalar with a list's element count, checked against the bytes left."""
        code = self.code
        count = self._expressions.number(step.elements, scope)
        if step.table.smallest is not None:
            if not step.table.smallest:
                raise NotScannable(step)
            least = code.result(Op.MULTIPLY, count, code.constant(step.table.smallest))
            left = code.result(Op.SUBTRACT, self.end, code.result(Op.POS))
            code.check(code.result(Op.LE, least, left))
        return count

    def _held(self, scalar: int) -> Register:
        """Returns a variable with a scalar's current value."""
        cell = self.code.cell()
        self.code.store(cell, scalar)
        return cell

    @contextmanager
    def _present(
        self, condition: Node | None, scope: Scope, presence: Register, always_present: bool
    ) -> Iterator[tuple[Register, bool]]:
        """Emits a branch for a field or element that is present; yields the register that holds its presence afterwards."""
        if condition is None:
            yield presence, always_present
            return
        with self.code.when(self._expressions.number(condition, scope)):
            cell = self.code.cell()
            self.code.store(cell, self.code.constant(1))
            yield cell, False

    def _element(self, step: LoweredField, scope: Scope, presence: Register, always_present: bool) -> Symbol:
        code = self.code
        match step.table.type:
            case name if name in NUMBERS:
                held = self._held(code.result(Op.READ, NUMBERS[name], step.table.form))
                certain = None if always_present else presence
                return Float(held, name, certain) if name in _FLOATS else Number(held, certain, name == "bool8")
            case "bytes" if (length := _constant(step.length)) is not None and 0 < length <= MOST_RAW:
                number = code.result(Op.RAW, length)
                return Raw(Number(self._held(number), None if always_present else presence), length)
            case "bytes" | "utf8":
                return self._bytes(step, scope, presence, always_present)
            case "bits":
                packed = Packed(presence, code.cell(), code.cell(), code.cell(), always_present)
                count, width = self._expressions.number(step.length, scope), self._expressions.number(step.width, scope)
                for cell, scalar in zip(
                    (packed.start, packed.count, packed.width),
                    (code.result(Op.PACKED, count, width), count, width),
                    strict=True,
                ):
                    code.store(cell, scalar)
                return packed
            case "values" if step.table.target is self._encoding and len(step.arguments) == 1:
                encoded = Encoded(presence, code.cell(), code.cell(), code.cell(), always_present)
                count = code.constant(1) if step.length is None else self._expressions.number(step.length, scope)
                type = self._expressions.symbol(step.arguments[0], scope)
                if not isinstance(type, GivenItem) or self.types not in (None, (type.path, type.attributes)):
                    raise NotScannable(step)
                self.types = type.path, type.attributes
                span = code.scalar(2)
                code.emit(Op.VALUES, span, count, type.place)
                for cell, scalar in zip(
                    (encoded.start, encoded.end, encoded.count), (span, span + 1, count), strict=True
                ):
                    code.store(cell, scalar)
                return encoded
            case "record":
                arguments = [self._expressions.symbol(argument, scope) for argument in step.arguments]
                table = _table_of(step.table.target)
                return Part(presence, self._record(table, arguments, presence))
        raise NotScannable(step)

    def _bytes(self, step: LoweredField, scope: Scope, presence: Register, always_present: bool) -> Bytes:
        """Emits the steps of bytes or text: as many bytes as the length says, without a length all that are left."""
        code, is_text = self.code, step.table.type == "utf8"
        size = (
            code.result(Op.SUBTRACT, self.end, code.result(Op.POS))
            if step.length is None
            else self._expressions.number(step.length, scope)
        )
        start = self._held(code.result(Op.BYTES, size, int(is_text)))
        return Bytes(presence, start, self._held(size), is_text, always_present)

    def _record(self, table: Any, arguments: Sequence[Symbol], presence: Register) -> dict[str, Symbol]:
        if len(arguments) != len(table.params):
            raise NotScannable(table)
        if not isinstance(table, VariantTable):
            return self._body(table, arguments, presence)
        if table.table is None or table.otherwise is not None:
            raise NotScannable(table)
        code = self.code
        node = Variables(table.params).node(table.tag)
        tag, found = self._expressions.number(node, dict(enumerate(arguments))), code.cell()
        fields: dict[str, Symbol] = {"tag": Number(found)}
        code.store(found, tag)
        branches = []
        for value, cls in table.table.items():
            with code.when(code.result(Op.EQ, tag, code.constant(int(value)))) as branch:
                branch.leaves = True
                chosen = code.cell()
                code.store(chosen, code.constant(1))
                inner = self._body(_table_of(cls), arguments, chosen, False)
            branches.append(branch)
            if inner.keys() & fields.keys():
                raise NotScannable(table)
            fields |= inner
        code.check(code.constant(0))
        code.meet(*branches)
        return fields

    def _checks(self, checks: Sequence[Node], scope: Scope) -> None:
        for check in checks:
            if check.word == "every":
                with self.code.each(self._expressions.count(scope[check.number])):
                    self.code.check(self._expressions.number(check.operands[0], scope))
            else:
                self.code.check(self._expressions.number(check, scope))


def _constant(node: Node | None) -> int | None:
    """Returns the value of a constant expression; None for other expressions."""
    return node.object if node is not None and node.word == "constant" and isinstance(node.object, int) else None


def _table_of(cls: Any) -> Any:
    """Returns the table of a record or variant.

    Raises:
        NotScannable: it has no table (records with places have none), or the machine was not built.
    """
    table = getattr(cls, "_table", lambda: None)()
    if table is None or hasattr(cls, "_placed") or backend.offset_scans is None:
        raise NotScannable(cls)
    return table
