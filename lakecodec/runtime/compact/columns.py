"""Columnar decoding in pure Python by way of objects; the twin of the native decoder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ..errors import DecodeError, format_name
from ..limits import Limits
from .interpret import Reading
from .program import Column, Columns, Leaf, Program
from .pure import buffer_at, interpreted

OnError = Literal["raise", "collect"]
#: A filter of rows: (number of a leaf at the innermost level, the leaf's values in the rows to keep).
Keep = tuple[int, Collection[Any]] | None
#: The largest size in bytes that Arrow's 32-bit offsets reach.
_MOST_BYTES = 2**31 - 1


def columns(
    program: Program, buffers: Sequence[Any], limits: Limits, *, keep: Keep = None, on_error: OnError = "raise"
) -> Columns:
    """Returns the `Columns` that ``program`` reads from each of ``buffers``; see `program.py`. Limits apply per buffer.

    Raises:
        DecodeError: a buffer is malformed and ``on_error`` is ``raise``; else the error is in ``Columns.errors``.
    """
    rows = _Rows(program, keep)
    errors: list[tuple[int, Exception]] = []
    tree = _tree(program)
    spec = program.root.__spec__
    for number, data in enumerate(buffers):
        reading = Reading(format_name(program.root), limits.max_depth, limits.max_elements, text="bytes")
        try:
            root, _ = interpreted(spec, *buffer_at(data, 0), reading, tree)
        except DecodeError as error:
            if on_error == "raise":
                error.add_note(f"in buffer {number}")
                raise
            errors.append((number, error))
            continue
        rows.add(root, number)
    return rows.finish(errors)


class _Rows:
    """The rows found so far, by level."""

    def __init__(self, program: Program, keep: Keep) -> None:
        self._program = program
        self._keep = keep
        self._values: list[list[Any]] = [[] for _ in program.leaves]
        depth = len(program.levels) + 1
        self._parents: list[list[int]] = [[] for _ in range(depth)]
        self._ordinals: list[list[int]] = [[] for _ in range(depth)]
        self._getters = [
            [(number, _getter(leaf.path)) for number, leaf in enumerate(program.leaves) if leaf.level == level]
            for level in range(depth)
        ]
        self._steps = [_getter(path) for path in program.levels]

    def add(self, root: Any, number: int) -> None:
        self._add(root, 0, len(self._parents[0]), number)

    def _add(self, value: Any, level: int, parent: int, ordinal: int) -> None:
        found = [(number, get(value)) for number, get in self._getters[level]]
        if level == len(self._steps) and not self._wanted(found):
            return
        row = len(self._parents[level])
        self._parents[level].append(parent)
        self._ordinals[level].append(ordinal)
        for number, item in found:
            self._values[number].append(item)
        if level < len(self._steps):
            for index, element in enumerate(self._steps[level](value) or ()):
                self._add(element, level + 1, row, index)

    def _wanted(self, found: Iterable[tuple[int, Any]]) -> bool:
        if self._keep is None:
            return True
        leaf, values = self._keep
        value = dict(found)[leaf]
        if isinstance(value, list):
            value = self._program.leaves[leaf].separator.encode().join(value)
        return value in values

    def finish(self, errors: list[tuple[int, Exception]]) -> Columns:
        made = [_column(leaf, values) for leaf, values in zip(self._program.leaves, self._values, strict=True)]
        return Columns(
            rows=[len(parents) for parents in self._parents],
            parents=[np.array(parents, np.int32) for parents in self._parents],
            ordinals=[np.array(ordinals, np.int32) for ordinals in self._ordinals],
            columns=made,
            errors=errors,
        )


def _tree(program: Program) -> dict[str, Any]:
    """Returns the fields that a program needs."""
    tree: dict[str, Any] = {}
    prefix: tuple[str, ...] = ()
    prefixes = [prefix]
    for path in program.levels:
        prefix += path
        prefixes.append(prefix)
        _put(tree, prefix, {})
    for leaf in program.leaves:
        _put(tree, prefixes[leaf.level] + leaf.path, True)
    return tree


def _put(tree: dict[str, Any], path: tuple[str, ...], below: Any) -> None:
    for name in path[:-1]:
        entry = tree.setdefault(name, (None, {}))
        tree = entry[1]
    if below is True:
        tree[path[-1]] = True
    else:
        tree.setdefault(path[-1], (None, below))


def _getter(path: tuple[str, ...]) -> Callable[[Any], Any]:
    def get(value: Any) -> Any:
        for name in path:
            if value is None:
                return None
            value = getattr(value, _attribute(type(value), name))
        return value

    return get


def _attribute(cls: Any, name: str) -> str:
    return next(str(field.attr) for field in cls.__spec__.fields if field.name == name)


def _column(leaf: Leaf, values: list[Any]) -> Column:
    valid = np.array([value is not None for value in values], bool)
    nulls = len(values) - int(valid.sum())
    validity = np.packbits(valid, bitorder="little") if nulls else None
    if leaf.kind == "int":
        return Column(validity, np.array([value or 0 for value in values], np.int64), None, nulls)
    if leaf.kind == "double":
        return Column(validity, np.array([value or 0.0 for value in values], np.float64), None, nulls)
    if leaf.kind == "bool":
        bits = np.packbits(np.array([value is True for value in values], bool), bitorder="little")
        return Column(validity, bits, None, nulls)
    parts = [value or () for value in values]
    if leaf.kind == "join":
        parts = [leaf.separator.encode().join(part) for part in parts]
    offsets = _offsets([len(part) for part in parts])
    if leaf.kind == "ints":
        flat = np.array([int(item) for part in parts for item in part], np.int32)
        return Column(validity, flat, offsets, nulls)
    data = b"".join(bytes(part) for part in parts)
    return Column(validity, data, offsets, nulls, leaf.kind in ("string", "join") and data.isascii())


def names(numbers: Any, width: int, texts: Mapping[int, str]) -> tuple[Any, bytes]:
    """Returns the names of numbers as offsets (int32) and bytes (UTF-8); a number without a name is written in digits.

    Args:
        numbers: a buffer of integers of ``width`` bytes, 4 or 8.
    """
    distinct, places = np.unique(np.frombuffer(numbers, f"i{width}"), return_inverse=True)
    spelled = [texts.get(number, str(number)).encode() for number in distinct.tolist()]
    parts = [spelled[place] for place in places.tolist()]
    return _offsets([len(part) for part in parts]), b"".join(parts)


def _offsets(lengths: Sequence[int]) -> Any:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    if offsets[-1] > _MOST_BYTES:
        raise ValueError("buffers: over 2 GiB of text or binary values in one column; decode fewer buffers at once")
    return offsets.astype(np.int32)
