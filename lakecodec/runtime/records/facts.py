"""Facts of records for the native reader: their sizes, and the fields that expressions need as objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..native import _record
from .nodes import OPERATIONS, Body, LoweredField, Node
from .table import RecordTable, Table, referenced_classes

#: Sizes of fixed-width numbers in bytes; all except floats can be in a view.
_SIZES = {name: int(name[1:]) // 8 for name in _record.KINDS if name[1:].isdigit()}
_FIXED = frozenset(name for name in _SIZES if name[0] != "f")
_NO_NUMBERS = {"bytes", "utf8", "record", "struct", "bits", "values", "part"}
_SMALL = {"u8", "uvarint16", "uvarint32", "uvarint64"}
#: What a walk keeps instead of a field's value if expressions only use its measures, as in ``value.h``: the places of
#: elements or of a record, or numbers.
_VIEWS = {"": 0, "places": 1, "record": 2, "numbers": 3}
#: Operations whose results depend on more than a record's bytes.
_ELSEWHERE = {"index", "pos", "end", "begin", "base", "call", "all_but", "placed_offset", "placed_size"}
_MOST_SKIPPED = 2**31 - 1
_VARIABLE, _EVERY, _ITEM, _CONSTANT, _INDEX = map(OPERATIONS.index, ("variable", "every", "item", "constant", "index"))


class Form(NamedTuple):
    """The properties that a field has by its clauses.

    Attributes:
        has_span_codecs: codecs make the span from which it is read.
        has_text_codecs: codecs make each of its texts.
        is_direct: it is a single element, always present, without a size of its own.
        is_number: an element is a number without codecs.
        is_plain: it is a single number, always present, without codecs.
        is_small: it is such a number, and its first byte alone if that is below 128.
    """

    has_span_codecs: bool
    has_text_codecs: bool
    is_direct: bool
    is_number: bool
    is_plain: bool
    is_small: bool

    @classmethod
    def of(cls, field: LoweredField) -> Form:
        table = field.table
        is_text, is_single = table.type in ("bytes", "utf8"), not table.dimension
        is_coded = bool(table.codecs) and not table.coded
        is_whole = is_text and field.length is None and table.terminator is None and table.dimension in ("", "index")
        of_span = is_coded and field.size is not None and not is_whole
        of_text = is_coded and not of_span and is_text
        is_direct = is_single and field.present is None and (field.size is None or of_text)
        keeps = field.captures[3] >= 0 or field.captures[4] >= 0
        is_number = not (table.type in _NO_NUMBERS or table.coded or table.codecs or keeps) and table.enum is None
        is_plain = is_number and is_direct
        return cls(of_span, of_text, is_direct, is_number, is_plain, is_plain and table.type in _SMALL)

    @property
    def number(self) -> int:
        """The properties, one bit each."""
        return sum([flag << place for place, flag in enumerate(self)])


class FieldFacts(NamedTuple):
    """The facts of one field.

    Attributes:
        is_wanted: expressions or states need its value.
        view: what a walk keeps instead of the value, as a number of `_VIEWS`; 0 for the value.
        numbers: name -> index of the fields of its records that a view uses.
        run_size: bytes of the run of fields, from this one on, that is skipped in one step; -1 without a run.
        run_count: number of fields in that run.
        offset: offset of the field in the record in bytes; -1 if it varies.
        is_sized: only rules about its size use it.
        is_permuted: only ``is_permutation`` and presence checks use it.
        form: its clauses, one bit each.
    """

    is_wanted: bool
    view: int
    numbers: dict[str, int]
    run_size: int
    run_count: int
    offset: int
    is_sized: bool
    is_permuted: bool
    form: int


class Facts:
    """The facts of a record, a variant or a codec with fields.

    Args:
        body: None for a variant.
        targets: returns the facts of a class in a field; None while they are being computed.
        has_places: whether fields are placed with ``at``.
    """

    def __init__(
        self, table: Table, body: Body | None, targets: Callable[[Any], Facts | None], has_places: bool
    ) -> None:
        self._body = body
        self._targets = targets
        self._record = table if isinstance(table, RecordTable) else None
        self._has_places = has_places
        self._uses: dict[int, int] = {}
        #: The nodes that use a variable or an element of it.
        self._about: dict[int, list[Node]] = {}
        self.fixed_size = -1
        self.offsets: list[int] = []
        self.steps: list[FieldFacts] = []
        self.held: list[Any] = referenced_classes(table)
        self._forms = [] if body is None else [Form.of(each) for each in body.fields]
        self.is_local = self.is_repeatable = False
        if body is not None:
            for node in _nodes_of(body):
                self._note(node)
            self._find(body)
            self._find_local(body)

    def _note(self, node: Node) -> None:
        if node.operation in (_VARIABLE, _EVERY):
            self._uses[node.number] = self._uses.get(node.number, 0) + 1
        if not node.operands:
            return
        about = node.operands[0]
        if about.operation == _ITEM:
            about = about.operands[0]
        if about.operation == _VARIABLE:
            self._about.setdefault(about.number, []).append(node)

    def _find(self, body: Body) -> None:
        sizes = [self._size(*each) for each in zip(body.fields, self._forms, strict=True)]
        offset = 0
        for size in sizes:
            self.offsets.append(offset)
            offset = -1 if size < 0 or offset < 0 else offset + size
        run_size = run_count = 0
        for each, form, size, offset in reversed(list(zip(body.fields, self._forms, sizes, self.offsets, strict=True))):
            variable = body.variables.number(each.table.name)
            uses, about = self._uses.get(variable, 0), self._about.get(variable, [])
            is_wanted = each.table.state is not None or max(each.captures[3:]) >= 0 or uses > 0
            view, numbers = self._view(each, form, variable, uses, about) if is_wanted else ("", {})
            is_skipped = 0 <= size <= _MOST_SKIPPED and not (is_wanted or has_captures(each) or each.checks)
            run_size, run_count = (run_size + size, run_count + 1) if is_skipped else (0, 0)
            sized = sum([_is_size_rule(check, variable) for check in each.checks])
            permuted = sum(
                [node.word in ("is_permutation", "is") and _is(node.operands[0], variable) for node in about]
            )
            self.steps.append(
                FieldFacts(
                    is_wanted, _VIEWS[view], numbers, run_size if is_skipped else -1, run_count or 1, offset,
                    uses == sized, uses == permuted, form.number,
                )
            )  # fmt: skip
        self.steps.reverse()
        if not body.checks and all(each.run_size >= 0 for each in self.steps):
            self.fixed_size = run_size

    # ---- sizes ----

    def _size(self, field: LoweredField, form: Form) -> int:
        """Returns the fixed size of a single element in bytes; -1 if it varies."""
        table = field.table
        if not form.is_direct or table.coded or table.codecs:
            return -1
        if table.type == "record":
            target = self._targets(table.target)
            # Arguments that may have no value must be evaluated.
            return -1 if target is None or not all(map(_is_known, field.arguments)) else target.fixed_size
        if table.type == "bytes" and table.terminator is None and field.length is not None and _is_number(field.length):
            return max(-1, int(field.length.object))
        return _SIZES.get(table.type, -1)

    # ---- views ----

    def _view(
        self, field: LoweredField, form: Form, variable: int, uses: int, about: list[Node]
    ) -> tuple[str, dict[str, int]]:
        """Returns the view that suffices for all expressions about a field, and the numbers of its records that they use."""
        table, numbers = field.table, dict[str, int]()
        is_counted = table.dimension in ("count", "index")
        is_record = table.type == "record" and not table.coded and not table.codecs
        if has_captures(field) or table.state is not None:
            return "", {}
        if table.type in _FIXED and form.is_number and table.dimension == "count":
            return ("numbers" if uses == sum(_measures_numbers(node, variable) for node in about) else ""), {}
        if not is_record or not (is_counted or not table.dimension) or (is_counted and table.smallest is None):
            return "", {}
        if uses != sum(self._measures_records(node, variable, field, numbers) for node in about):
            return "", {}
        return ("places" if is_counted else "record"), numbers

    def _measures_records(self, node: Node, variable: int, field: LoweredField, numbers: dict[str, int]) -> bool:
        """Returns whether a node needs no object of a record or a list of them."""
        item, is_list = node.operands[0], field.table.dimension != ""
        if item.operation == _ITEM and is_list and node.word in ("get", "is"):
            if _is(item.operands[1], variable):
                return False
        elif not _is(item, variable) or (is_list and node.word not in ("count", "is")):
            return False
        if node.word == "get":
            number = self._number_in(field.table.target, node.object)
            if number is not None:
                numbers[node.object] = number
            return number is not None
        return node.operands[1].is_none if node.word == "is" else node.word == "count" and is_list

    def _number_in(self, cls: Any, name: str) -> int | None:
        """Returns the index of a record's number by name; its offset must be the same in all instances."""
        target = self._targets(cls)
        return None if target is None else target.number_named(name)

    def number_named(self, name: str) -> int | None:
        """Returns the index of the number with that name and the same offset in all instances; None if there is none."""
        body = self._body
        if body is None or body.value is not None or body.order is not None:
            return None
        for number, (field, form) in enumerate(zip(body.fields, self._forms, strict=True)):
            if field.table.name == name:
                is_known = form.is_plain and field.table.type in _FIXED and self.offsets[number] >= 0
                return number if is_known else None
        return None

    # ---- records ----

    @property
    def is_native(self) -> bool:
        """True if values, apart from their contents, can be read again from their bytes and parameters."""
        fields = () if self._body is None else self._body.fields
        if self._has_places or (self._record is not None and self._record.states):
            return False
        return not any(
            each.table.codecs or each.table.siblings or each.table.type in ("struct", "bits", "values")
            for each in fields
        )

    @property
    def is_worth_reading_lazily(self) -> bool:
        """True if an instance is large enough for lazy reading to pay."""
        fields = () if self._body is None or self._body.value is not None else self._body.fields
        is_large = any(each.table.type in _NO_NUMBERS or each.table.dimension for each in fields)
        return len(fields) > (1 if is_large else 5)

    def _find_local(self, body: Body) -> None:
        """Finds whether fields depend only on their bytes and the parameters, and whether a value can be copied if its bytes
        repeat. Numbers alone are read as quickly.
        """
        record = self._record
        if record is None or record.states or self._has_places or body.tag is not None:
            return
        nodes = [*body.checks, *([] if body.value is None else [body.value])]
        fields = list(zip(body.fields, self._forms, strict=True))
        self.is_local = all(map(_is_local, nodes)) and all(self._is_local_field(*each) for each in fields)
        records = [_is_record(*each) for each in fields]
        self.is_repeatable = self.is_local and not record.params and any(records)
        self.is_repeatable &= all(form.is_plain or each for (_, form), each in zip(fields, records, strict=True))

    def _is_local_field(self, field: LoweredField, form: Form) -> bool:
        is_known = form.is_plain or _is_record(field, form) or (form.is_direct and self._is_local_value(field))
        return is_known and not has_captures(field) and all(map(_is_local, (*field.arguments, *field.checks)))

    def _is_local_value(self, field: LoweredField) -> bool:
        """Returns whether a field is a text of known length, or a number made by a codec without siblings."""
        table = field.table
        if table.codecs:
            return False
        if table.type in ("bytes", "utf8"):
            return not table.coded and field.length is not None and _is_local(field.length)
        if table.type in _NO_NUMBERS or not table.coded or table.state is not None or table.enum is not None:
            return False
        target = self._targets(table.target)
        return target is not None and target.is_local


def has_captures(field: LoweredField) -> bool:
    return max(field.captures) >= 0


def _is_record(field: LoweredField, form: Form) -> bool:
    return field.table.type == "record" and form.is_direct and not field.table.coded


# ---- nodes ----


def _nodes_of(body: Body) -> Iterator[Node]:
    for field in body.fields:
        single = (field.elements, field.length, field.width, field.present, field.size)
        codecs = [node for _, _, arguments in field.codecs for node in arguments]
        yield from _walk((*field.arguments, *single, *codecs, *field.checks))
    yield from _walk((body.tag, body.value, body.order, *body.checks))


def _walk(nodes: Sequence[Node | None]) -> Iterator[Node]:
    for node in nodes:
        if node is not None:
            yield node
            yield from _walk(node.operands)


def _is(node: Node, variable: int) -> bool:
    return node.operation == _VARIABLE and node.number == variable


def _is_size_rule(node: Node, variable: int) -> bool:
    """Returns whether a rule compares the size of a variable with a number."""
    match node.word, node.operands:
        case "==" | "!=" | "<" | "<=" | ">" | ">=", (Node(operands=(counted,)) as count, limit):
            return count.word == "count" and _is(counted, variable) and _is_number(limit)
    return False


def _measures_numbers(node: Node, variable: int) -> bool:
    """Returns whether a node needs no object of a list of numbers."""
    match node.word, node.operands:
        case "count" | "sum" | "largest" | "ascending", (listed,):
            return _is(listed, variable)
        case "item", (listed, place):
            return _is(listed, variable) and not _is(place, variable)
        case "is", (listed, other):
            return _is(listed, variable) and other.is_none
    return False


def _is_number(node: Node) -> bool:
    return node.operation == _CONSTANT and isinstance(node.object, int) and -(2**63) <= node.object < 2**63


def _is_known(node: Node) -> bool:
    return node.operation in (_VARIABLE, _CONSTANT, _INDEX)


def _is_local(node: Node) -> bool:
    return node.word not in _ELSEWHERE and all(map(_is_local, node.operands))
