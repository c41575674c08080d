"""The instructions of an offset scan, as the machine of ``native/columns/offset_scan.h`` numbers and runs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum

from ...native import load

_record = load("runtime.native._record")
#: The machine's code of each kind of integer and float; empty if the machine was not compiled.
NUMBERS = (
    {}
    if _record is None
    else {name: number for number, name in enumerate(_record.KINDS[: _record.KINDS.index("bytes")])}
)


class Op(IntEnum):
    END = 0
    MOVE = 1
    LOAD = 2
    STORE = 3
    ADD = 4
    SUBTRACT = 5
    EQ = 6
    NE = 7
    LT = 8
    LE = 9
    GT = 10
    GE = 11
    NOT = 12
    BITS = 13
    POS = 14
    JUMP = 15
    UNLESS = 16
    CHECK = 17
    READ = 18
    PACKED = 19
    VALUES = 20
    NUMBER = 21
    TOTAL = 22
    LARGEST = 23
    UNLESS_EQ = 24
    UNLESS_LT = 25
    CHECK_EQ = 26
    CHECK_LT = 27
    NEXT = 28
    MULTIPLY = 29
    LEAST = 30
    MOST = 31
    RAW = 32
    RESERVE = 33
    UNIQUE = 34
    BYTES = 35
    READ_TO = 36


#: Fused instructions: each replaces a comparison and the instruction that uses its result.
_TOGETHER = {
    (Op.EQ, Op.UNLESS): Op.UNLESS_EQ,
    (Op.LT, Op.UNLESS): Op.UNLESS_LT,
    (Op.EQ, Op.CHECK): Op.CHECK_EQ,
    (Op.LT, Op.CHECK): Op.CHECK_LT,
}


@dataclass(frozen=True, slots=True)
class Register:
    """A variable: a scalar, or the element of an array whose index a scalar holds."""

    number: int
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop to which steps are being added.

    Attributes:
        index: the scalar that counts the iterations.
        base: the scalar that has the first index; None for 0.
        list: the number of the list whose elements have their own variables in the loop; None for no list.
    """

    index: int
    base: int | None = None
    list: int | None = None


@dataclass
class Code:
    """Steps that grow, and the variables that they use.

    Attributes:
        steps: one (op, a, b, c) per instruction.
        scalars: the first value of each scalar.
        lists: the arrays per list. An array has one variable per element of all lists that the same steps read.
        loop: the innermost loop to which steps are being added.
    """

    steps: list[tuple[Op, int, int, int]] = field(default_factory=list)
    scalars: list[int] = field(default_factory=list)
    lists: list[list[int]] = field(default_factory=list)
    loop: Loop | None = None
    _arrays: int = 0
    _constants: dict[int, int] = field(default_factory=dict)
    #: By array element, the scalar that holds it at the point where steps are being added.
    _loaded: dict[Register, int] = field(default_factory=dict)

    def emit(self, op: Op, a: int = 0, b: int = 0, c: int = 0) -> None:
        self.steps.append((op, a, b, c))

    def result(self, op: Op, b: int = 0, c: int = 0) -> int:
        """Returns a new scalar, set by a new step."""
        made = self.scalar()
        self.emit(op, made, b, c)
        return made

    def scalar(self, count: int = 1) -> int:
        """Returns the first of ``count`` new scalars in a row, all 0 at the start."""
        self.scalars += [0] * count
        return len(self.scalars) - count

    def constant(self, value: int) -> int:
        made = self._constants.get(value)
        if made is None:
            made = self._constants[value] = len(self.scalars)
            self.scalars.append(value)
        return made

    def cell(self) -> Register:
        """Returns a new variable; in a list, one variable per element."""
        if self.loop is None or self.loop.list is None:
            return Register(self.scalar())
        self.lists[self.loop.list].append(self._arrays)
        self._arrays += 1
        return Register(self._arrays - 1, self.loop.index)

    def load(self, cell: Register, to: int | None = None) -> int:
        """Returns a scalar with the value of a variable: ``to`` if given, else any."""
        found = cell.number if cell.index is None else self._loaded.get(cell)
        if found is not None:
            if to is None:
                return found
            self.emit(Op.MOVE, to, found)
            return to
        assert cell.index is not None
        made = self.scalar() if to is None else to
        self.emit(Op.LOAD, made, cell.number, cell.index)
        self._loaded[cell] = made
        return made

    def store(self, cell: Register, value: int) -> None:
        """Sets a variable, once on each path through the steps; the scalar ``value`` must not change afterwards."""
        if cell.index is None:
            self.emit(Op.MOVE, cell.number, value)
        elif self.steps and self.steps[-1][:2] == (Op.READ, value):
            _, _, kind, form = self.steps.pop()
            self.emit(Op.READ_TO, cell.number, kind << 2 | form, cell.index)
        else:
            self.emit(Op.STORE, cell.number, value, cell.index)
            self._loaded[cell] = value

    def check(self, condition: int) -> None:
        """Emits a check that rejects the bytes unless the condition is true."""
        op, b, c = self._using(condition, Op.CHECK)
        self.emit(op, 0, b, c)

    def _using(self, condition: int, use: Op) -> tuple[Op, int, int]:
        """Returns (op, b, c) of a step that uses a condition, merged with the comparison if that is the step before."""
        if self.steps and self.steps[-1][1] == condition and (self.steps[-1][0], use) in _TOGETHER:
            op, _, b, c = self.steps.pop()
            return _TOGETHER[op, use], b, c
        return use, condition, 0

    @contextmanager
    def when(self, condition: int) -> Iterator[Branch]:
        """Emits a branch: instructions emitted inside run only if the condition is true."""
        op, b, c = self._using(condition, Op.UNLESS)
        at, loaded = len(self.steps), dict(self._loaded)
        self.emit(op, 0, b, c)
        branch = Branch()
        yield branch
        if branch.leaves:
            branch.leaving = len(self.steps)
            self.emit(Op.JUMP)
        self._land(at)
        self._loaded = loaded

    @contextmanager
    def otherwise(self, branch: Branch) -> Iterator[None]:
        """Emits an else branch: instructions inside run if ``branch`` was not taken; both join behind it."""
        loaded = dict(self._loaded)
        yield
        self._loaded = loaded
        self.meet(branch)

    def meet(self, *branches: Branch) -> None:
        """Marks the instruction at which branches that were left continue."""
        for branch in branches:
            self._land(branch.leaving)

    def _land(self, at: int) -> None:
        op, _, b, c = self.steps[at]
        self.steps[at] = op, len(self.steps), b, c

    @contextmanager
    def each(self, count: int) -> Iterator[None]:
        """Emits a loop: instructions inside run for each index below a count."""
        with self._loop(Loop(self.scalar()), self.constant(0), count):
            yield

    @contextmanager
    def elements(self, count: int) -> Iterator[int | None]:
        """Emits a loop over a list: instructions inside run for each element, with variables of its own.

        Yields the scalar with the index of the list's first element among the elements of all lists that the same steps
        read; None if there is only one list.
        """
        number = len(self.lists)
        self.lists.append([])
        first = self.result(Op.RESERVE, number, count)
        if self.loop is None:
            with self._loop(Loop(self.scalar(), None, number), first, count):
                yield None
        else:
            with self._loop(Loop(self.scalar(), first, number), first, self.result(Op.ADD, first, count)):
                yield first

    @contextmanager
    def rest(self, count: int, end: int) -> Iterator[int | None]:
        """Emits a loop over elements up to the end of the bytes, at least one byte each; ``count`` is set to their number."""
        number, outer = len(self.lists), self.loop
        self.lists.append([])
        none, one = self.constant(0), self.constant(1)
        first = self.result(Op.RESERVE, number, none)
        loop, loaded, top = Loop(self.scalar(), first, number), dict(self._loaded), len(self.steps)
        start = self.result(Op.POS)
        with self.when(self.result(Op.LT, start, end)) as branch:
            self.emit(Op.RESERVE, loop.index, number, one)
            self.loop = loop
            yield first
            self.loop = outer
            self.check(self.result(Op.LT, start, self.result(Op.POS)))
            branch.leaves = True
        self.steps[branch.leaving] = Op.JUMP, top, 0, 0
        self._loaded = loaded
        self.emit(Op.SUBTRACT, count, self.result(Op.RESERVE, number, none), first)

    @contextmanager
    def _loop(self, loop: Loop, start: int, stop: int) -> Iterator[None]:
        outer = self.loop
        self.emit(Op.MOVE, loop.index, start)
        with self.when(self.result(Op.LT, loop.index, stop)):
            top, self.loop = len(self.steps), loop
            yield
            self.emit(Op.NEXT, top, loop.index, stop)
        self.loop = outer


@dataclass
class Branch:
    """Steps that run under a condition; those that ``leave`` continue at `Code.meet`, not behind the branch."""

    leaves: bool = False
    leaving: int = 0
