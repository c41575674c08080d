"""Programs of the native reader and writer of records: tables are lowered to rows from which the extension makes programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ..guarded import of_struct
from ..native import _record
from .facts import Facts, Form
from .native import program_of
from .nodes import Body, LoweredField, Variables, lower_body
from .table import Expr, FieldTable, RecordTable, VariantTable, operations, referenced_classes
from .write_rows import is_of_span, placed_row, writer_rows

Row = tuple[Any, ...]

_KINDS = {name: number for number, name in enumerate(_record.KINDS)}
#: Numbered as in ``codec_shapes.c``.
_SHAPES = ("", "difference", "front_coded")
_DIMENSIONS = {name: number for number, name in enumerate(_record.DIMENSIONS)}


def writer_of(cls: Any) -> _record.Program | None:
    """Returns the program that writes a class (for an alternative, that of its variant); None if it must stay pure."""
    parent: Any = cls.__mro__[1]
    whole = parent if isinstance(parent._table(), VariantTable) else cls
    program = program_of(whole)
    if program is None:
        return None
    held = _contained_classes(whole, set())
    return program if all(_is_written(each, is_whole=each is whole) for each in held) else None


def _contained_classes(cls: Any, seen: set[Any]) -> set[Any]:
    """Returns a class and those that its values can contain; of those without a table, not what they contain."""
    if cls not in seen:
        seen.add(cls)
        table = cls._table()
        placed = [field.target for field in getattr(table, "placed", ()) if field.type == "record" or field.coded]
        for each in (*(() if table is None else referenced_classes(table)), *placed):
            _contained_classes(each, seen)
    return seen


def _are_tabled(cls: Any) -> bool:
    """Returns whether tables describe a class and all that its values can contain."""
    return all(each._table() is not None for each in _contained_classes(cls, set()))


def _is_written(cls: Any, *, is_whole: bool) -> bool:
    program = program_of(cls)
    return (
        program is not None and program.is_writable and (is_whole or program.has_places or not hasattr(cls, "_placed"))
    )


class _Unknown(Exception):
    """Raised for records that only the generated reader can read."""


def install(cls: Any) -> None:
    """Gives a class, and the classes inside, their reading programs; None if the class must stay pure.

    Raises:
        RuntimeError: the tables are not what the generator prints; this is not a fault of the data.
    """
    programs = _Programs()
    try:
        programs.of(cls)
    except _Unknown:
        cls._native = (cls, None)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RuntimeError(f"{cls.__module__}.{cls.__qualname__} has no native reader: {error!r}") from error
    else:
        programs.install()


class _Programs:
    """Makes programs that refer to each other."""

    def __init__(self) -> None:
        self._made: dict[Any, _record.Program] = {}
        self._bodies: dict[Any, Body] = {}
        self._prepared: set[Any] = set()

    def install(self) -> None:
        for cls in self._made:
            self._facts(cls)
        for cls, program in self._made.items():
            program.finish(self._is_lazy(cls, program.facts))
        for cls, program in self._made.items():
            cls._native = (cls, program)

    def _known(self, cls: Any) -> _record.Program | None:
        # Programs made here refer only to each other: another thread may be making programs of the same classes.
        found = self._made.get(cls)
        known = cls._native if found is None else None
        return known[1] if known is not None and known[0] is cls else found

    def _facts(self, cls: Any) -> Facts | None:
        """Returns the facts of a class; None while they are being computed, for a class that contains itself."""
        program: Any = self._known(cls)
        if program.facts is None and cls not in self._prepared:
            self._prepared.add(cls)
            facts = Facts(cls._table(), self._bodies.get(cls), self._facts, hasattr(cls, "_placed"))
            program.prepare(facts, tuple(facts.steps), facts.fixed_size, facts.is_local, facts.is_repeatable)
        return program.facts  # type: ignore[no-any-return]

    def _is_lazy(self, cls: Any, facts: Facts) -> bool:
        """Returns whether instances may be read lazily."""
        if not facts.is_worth_reading_lazily or facts.is_repeatable:
            return False
        seen, left = {cls}, [facts]
        while left:
            each = left.pop()
            if not each.is_native:
                return False
            new = [held for held in each.held if held not in seen]
            seen.update(new)
            left += [self._known(held).facts for held in new]  # type: ignore[union-attr]
        return True

    def of(self, cls: Any) -> _record.Program:
        found = self._known(cls)
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
                rows = _Rows(self, table, placed, _tags_of(cls))
                self._bodies[cls] = rows.body
                writer = None if table.generated else rows.writer()
                is_laid_out = placed is not None and len(table.placed) == len(placed) and _are_tabled(cls)
                places = rows.places() if is_laid_out else None
                found.fill_body(*rows.row())
                if writer is not None:
                    found.fill_writer(*writer)
                if places is not None:
                    found.fill_places(places, rows.pointers(cls), cls._gaps, cls._overlaps, cls._uses_set)
        return found

    def _choice(self, table: VariantTable) -> Row:
        names = Variables(table.params)
        tag = names.node(table.tag)
        alternatives = None if table.table is None else {tag: self.of(cls) for tag, cls in table.table.items()}
        chain = tuple((names.node(expr), self.of(cls)) for expr, cls in table.chain)
        otherwise = None if table.otherwise is None else self.of(table.otherwise)
        return (
            len(table.params),
            tuple(table.defaults),
            names.count,
            tag,
            alternatives,
            chain,
            otherwise,
            _peeked(table.tag),
        )


def _peeked(tag: Expr) -> int:
    """Returns the number of bytes that decide a tag; -1 if it depends on more of the span."""
    sizes = [each[2][1][2] for each in operations(tag) if each[0] == "bytes" and each[1] == ("pos",)]
    return max(sizes, default=0) if sum(each == ("end",) for each in operations(tag)) == len(sizes) else -1


def _tags_of(cls: Any) -> tuple[frozenset[Any], bool]:
    """Returns the tags that select an alternative and True, or the tags that do not and False."""
    root = cls.__mro__[1]
    if getattr(root, "_chain", True):
        return frozenset(), False
    return (frozenset(root._alternatives), False) if root._otherwise is cls else (frozenset(cls._tags), True)


def _split(path: Sequence[str]) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Returns the path to a list, or None, and the path from there, or from its element."""
    before = tuple(path[: path.index("[]")] if "[]" in path else path)
    return (None, before) if len(before) == len(path) else (before, tuple(path[len(before) + 1 :]))


def _is_settable(path: Sequence[Any], holder: FieldTable | None) -> bool:
    """Returns whether a path in a field, one with a place if its table is given, leads to an offset that nothing else sets."""
    if path.count("[]") > 1:
        return False
    return holder is None or (
        holder.dimension != "index" and all(tuple(path) != tuple(known) for known, _ in holder.sets)
    )


class _Rows:
    def __init__(
        self,
        programs: _Programs,
        table: RecordTable,
        placed: Mapping[str, Any] | None,
        tags: tuple[frozenset[Any], bool],
    ) -> None:
        self._tags = tags
        self._programs = programs
        self._placed = placed or {}
        self._places = 0 if placed is None else 1 if all(row.from_source for row in placed.values()) else 2
        self._table = table
        self.body = lower_body(table)

    def row(self) -> Row:
        """Returns the arguments of ``Program.fill_body``."""
        table, body = self._table, self.body
        attributes = (
            *table.params,
            *(field.name for field in table.steps),
            *(["tag"] if table.tag is not None else []),
        )
        return (
            None if table.value is not None else attributes,
            len(table.params),
            tuple(table.defaults),
            body.variables.count,
            tuple(map(self._field, body.fields)),
            body.checks,
            tuple(table.states),
            body.tag,
            body.value,
            table.nests,
            body.order,
            self._places,
            _SHAPES.index(table.shape),
        )

    def writer(self) -> Row:
        """Returns the arguments of ``Program.fill_writer``."""
        variables = self.body.variables
        value = -1 if self._table.value is None else variables.value()
        return (*writer_rows(self._table, variables), value, not is_of_span(self._table.tag), *self._tags)

    def places(self) -> Row:
        """Returns the first argument of ``Program.fill_places``."""
        variables = self.body.variables
        return tuple(
            (
                each.table.name,
                self._field(each),
                placed_row(each.table),
                Form.of(each).number,
                variables.node(each.table.at),
                variables.optional(each.table.align),
                self._placed[each.table.name].from_source,
                tuple((*_split(path), variables.node(value)) for path, value in each.table.sets),
            )
            for each in self.body.placed
        )

    def pointers(self, cls: Any) -> Row:
        """Returns the second argument of ``Program.fill_places``: offsets that writers set where fields stand elsewhere.

        Those that others are computed from, and those in elements with places of their own, are left to generated code.
        """
        if cls._gaps:
            return ()
        found, holders = [], {each.table.name: each.table for each in self.body.placed}
        for number, name in enumerate(holders):
            row = self._placed[name]
            holder, *path = ["[]" if each is None else each for each in row.offset or ("",)]
            if (
                not holder
                or row.from_source
                or hasattr(cls, f"_pointer_{name}")
                or not _is_settable(path, holders.get(holder))
            ):
                continue
            found.append((holder, self.body.variables.number(holder), number, *_split(path)))
        return tuple(found)

    def _field(self, lowered: LoweredField) -> Row:
        field = lowered.table
        reads_program = field.type == "record" or field.coded
        target: Any = None
        if reads_program:
            target = self._programs.of(field.target)
        elif field.type == "struct":
            target = field.target
            if hasattr(target, "__custom__"):
                custom = of_struct(target)
                target = custom.read, custom.write
        elif field.type == "values":
            target = _Finder(field.target) if len(field.arguments) == 1 else _Finder.of_parameters(field.target)
        if field.type in ("bits", "values"):
            _load_columns()
        return (
            _KINDS[field.type],
            self.body.variables.number(field.name),
            field.form,
            field.coded,
            target,
            lowered.arguments,
            _DIMENSIONS[field.dimension],
            lowered.elements,
            -1 if field.smallest is None else field.smallest,
            lowered.length,
            field.terminator,
            lowered.width,
            lowered.present,
            lowered.size,
            lowered.codecs,
            -2 if field.state is None else field.state,
            field.initial,
            field.siblings,
            _members(field.enum),
            lowered.captures,
            lowered.checks,
            field.keeps,
        )


def _members(enum: Any) -> Mapping[int, Any] | None:
    return None if enum is None else {int(number): member for number, member in enum._value2member_map_.items()}


@cache
def _load_columns() -> None:
    from ..columns import Bits, Values
    from ..columns.buffers import flat

    _record.use_columns(Bits, Values, flat)


@cache
def _load_places() -> None:
    from .coverage import refuse_losses
    from .held_offsets import refuse_moved
    from .kept_settings import keep_settings
    from .lazy import LazyRecord
    from .source import Bytes
    from .write import assigned

    def refuse(record: Any, is_root: bool) -> None:
        refuse_losses(record, 0, is_root=is_root)

    _record.use_places(LazyRecord, Bytes, assigned, refuse, refuse_moved, keep_settings)


class _Finder:
    """Finder of the layouts of an encoding's values."""

    def __init__(self, encoding: Any) -> None:
        self._encoding = encoding

    def __call__(self, type: Any) -> tuple[Any, tuple[str, ...] | None]:
        """Returns the layout of a type's values and the type's attributes that determine it; None if unknown."""
        from ..columns import layout_of
        from ..columns.layout import bound_attributes
        from .record import Variant

        layout = layout_of(self._encoding, type)
        return layout, bound_attributes(self._encoding, type) if isinstance(type, Variant) else None

    @staticmethod
    def of_parameters(encoding: Any) -> Any:
        """Returns the same for an encoding with parameters, which precede the type; results are not cached."""
        from ..columns import layout_of

        return lambda *arguments: (layout_of(encoding(*arguments[:-1]), arguments[-1]), None)
