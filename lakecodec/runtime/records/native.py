"""The native reader and writer of records: programs that the extension runs, made on first use.

The extension notices that bytes are wrong, not what is wrong with them: the generated reader then reads them again and
raises the error, so that both backends say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..memo import kept_with
from ..native import _record

#: Making a program takes as long as reading this many records of this many bytes with the generated reader.
_FIRST_READS, _FIRST_BYTES = 16, 64


def read(cls: Any, at: Any, pos: int, parameters: tuple[Any, ...]) -> tuple[Any, int] | None:
    """Returns a record and the position after it; None if the generated reader must read it or is faster.

    Args:
        cls: the class of a record or variant.
        at: the span to read from, at its position ``pos``.
        parameters: those of the declaration.
    """
    known, buf = cls._native, at.buf
    if known is None or known[0] is not cls:
        reads = cls._small_reads
        if reads[0] < _FIRST_READS and at.struct_of_arrays is None and len(buf) - pos <= _FIRST_BYTES:
            reads[0] += 1
            return None
        known = cls, program_of(cls)
    program = known[1]
    if program is None or not (buf.__class__ is bytes or (buf.__class__ is memoryview and buf.format == "B")):
        return None
    wanted = None if at.struct_of_arrays is None else _field(*at.struct_of_arrays)
    whole = at.whole or at
    empty = whole.empty
    found: tuple[Any, int] | None = program.read(
        buf, pos, at.base, at.depth, parameters, wanted, at.source, at.borrows, at, at.first
    )
    if found is None:
        # The generated reader starts over, so it counts empty elements again.
        whole.empty = empty
    return found


def read_run(
    cls: Any, at: Any, pos: int, parameters: tuple[Any, ...], paused: Any
) -> tuple[list[Any], int, int, Any] | None:
    """Returns consecutive records, the position after the last whole one, how many bytes the next one lacks at least, 0
    where something else is wrong, and what was read of it. With the latter, of bytes that begin with that record, it is
    read on, alone. None if the generated reader must read them. Arguments as in `read`; the span is all of its buffer.
    """
    program = program_of(cls)
    if program is None:
        return None
    more = () if paused is None else (paused,)
    return program.read_run(
        at.buf, pos, at.base, at.depth, parameters, None, at.source, at.borrows, at, at.first, *more
    )


def write(
    value: Any, codecs: Any, base: int | None, depth: int, parameters: tuple[Any, ...], *, is_whole: bool = False
) -> bytes | None:
    """Returns the bytes of a record, or of a variant's alternative; None if the generated writer must write them.

    Args:
        codecs: factories that take the place of external codecs, by the codec's name.
        base: the offset of the first byte; None if unknown.
        depth: how many more records may be nested.
        parameters: those of the declaration.
        is_whole: whether it is the whole source, with all that has places; else the fields that follow each other.
    """
    cls: Any = type(value)
    known = cls._native_writer
    if known is None or known[0] is not cls:
        from .programs import writer_of

        known = cls._native_writer = cls, writer_of(cls)
    program = known[1]
    if program is None:
        return None
    allows = value._gaps + 2 * value._overlaps if is_whole else None
    found: bytes | None = program.write(value, codecs, base, depth, parameters, allows)
    return found


def kept_parameters(value: Any) -> bool:
    """Returns whether the native writer wrote a record just now, as a whole, and all objects in it kept their parameters."""
    known = value._native_writer
    # Of a class that has no writer the extension may remember an older object at the same address.
    return known is not None and known[0] is type(value) and known[1] is not None and _record.kept_parameters(value)


def is_settled(value: Any) -> bool:
    """Returns whether `kept_parameters` holds, and all that is derived in the record had its value before, too."""
    known = value._native_writer
    return known is not None and known[0] is type(value) and known[1] is not None and _record.is_settled(value)


def attributes(records: list[Any], path: str, positions: Sequence[int] | None = None) -> list[Any]:
    """Returns the result of `attributes.attributes`, by the native backend."""
    return _record.attributes(records, tuple(path.split(".")), positions)


by_structural_key = _record.by_structural_key
use_struct_of_arrays, texts_at, same = _record.use_struct_of_arrays, _record.texts_at, _record.same


@kept_with
def _field(cls: Any, name: str) -> tuple[_record.Program, int, tuple[str, ...]] | None:
    """Returns a record's field whose elements can be read in parts; None if it must stay pure."""
    program, table = program_of(cls), cls._table()
    if program is None:
        return None
    number = [step.name for step in table.steps].index(name)
    return program, number, tuple(step.name for step in table.steps[number].target._table().steps)


def program_of(cls: Any) -> _record.Program | None:
    """Returns the program that reads a class, made together with those of all classes inside; None if it must stay pure."""
    known = cls._native
    if known is None or known[0] is not cls:
        from .programs import install

        install(cls)
    return cast("_record.Program | None", cls._native[1])
