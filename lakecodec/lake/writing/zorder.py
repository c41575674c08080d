"""Z-order and Hilbert curve: assignment of rows to tasks and sort keys, from a sample of all rows.

The bits of a column's values are rarely spread evenly: a 64-bit number that counts to a million has 44 bits without
information. So a value is replaced by its rank among the sample's quantiles, and ranks are interleaved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...row import RowConverter, zorder_keys
from .hilbert import hilbert_axes
from .request import Curve

#: Number of bits of a column's ranks; no table has more files than such a grid has cells.
RANK_BITS = 12
#: The number of bytes of a row key that are used for ranking a value.
_PREFIX = 24
_Fixed = NDArray[np.bytes_]


@dataclass(frozen=True)
class ZOrder:
    """A space-filling curve over quantile ranks of a table's columns, and its split into tasks.

    Attributes:
        quantiles: per column the row keys, cut to one length, at which ranks begin.
        bounds: group and key at which each task except the first begins.
        curve: ``"zorder"`` or ``"hilbert"``.
        halvings: per column the number of leading bits of the curve that are equal for all rows; empty for 0
            everywhere.
    """

    quantiles: Sequence[_Fixed]
    bounds: _Fixed
    curve: Curve = "zorder"
    halvings: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        groups: pa.Array,
        columns: Sequence[pa.Array],
        tasks: int,
        curve: Curve = "zorder",
        halvings: tuple[int, ...] = (),
    ) -> ZOrder:
        """Returns the order for a sample of rows.

        Args:
            groups: int64 numbers, one per row; rows with equal numbers stay together if they fit into one task.
            columns: values of the columns to cluster by.
            tasks: number of tasks of about equal size; fewer if values are equal.
            curve: ``"zorder"`` or ``"hilbert"``.
            halvings: per column the number of halvings of the grid before these rows differ; empty for 0 everywhere.
        """
        quantiles = [_quantiles(_prefixes(array), 1 << RANK_BITS) for array in columns]
        whole = cls(quantiles, np.empty(0, "S1"), curve, halvings)
        places = _places(groups, whole.keys(columns))
        return cls(quantiles, _quantiles(places, tasks), curve, halvings)

    def keys(self, columns: Sequence[pa.Array]) -> pa.FixedSizeBinaryArray:
        """Returns fixed-size binary keys, one per row: their byte order is the order along the curve."""
        halvings = self.halvings or (0,) * len(columns)
        ranks = [_ranks(*column) for column in zip(self.quantiles, columns, halvings, strict=True)]
        if self.curve == "hilbert":
            shift = 16 - RANK_BITS
            cells = [rank.to_numpy() >> shift for rank in ranks]
            ranks = [pa.array(axis.astype(np.uint16) << shift) for axis in hilbert_axes(cells, RANK_BITS)]
        return _fixed(zorder_keys(ranks, bits=1 + RANK_BITS))

    def tasks(self, groups: pa.Array, keys: pa.FixedSizeBinaryArray) -> pa.Int32Array:
        """Returns the int32 task number of each row, from 0 on."""
        return pa.array(np.searchsorted(self.bounds, _places(groups, keys), "right").astype(np.int32))


def has_z_order(kind: pa.DataType) -> bool:
    """Returns True if a table can be clustered by columns of the type."""
    try:
        zorder_keys([pa.array([], kind)])
    except (TypeError, ValueError):
        return False
    return True


def _ranks(bounds: _Fixed, array: pa.Array, halvings: int) -> pa.UInt16Array:
    """Returns ranks scaled to 16 bits even if there are few, since interleaving begins with the highest bit.

    The first ``halvings`` bits are 0.
    """
    ranks = np.searchsorted(bounds, _prefixes(array), "right")
    return pa.array((ranks << 16) // (len(bounds) + 1) >> halvings, pa.uint16())


def _quantiles(values: _Fixed, parts: int) -> _Fixed:
    """Returns the values at which each of ``parts`` equal parts but the first begins; fewer if values are equal."""
    ordered: _Fixed = np.sort(values)
    if not len(ordered):
        return ordered
    cuts = np.arange(1, parts) * len(ordered) // parts
    found: _Fixed = np.unique(ordered[cuts])
    beyond: _Fixed = found[found > ordered[0]]
    return beyond


def _places(groups: pa.Array, keys: pa.FixedSizeBinaryArray) -> _Fixed:
    """Returns group and key of each row, joined as sortable bytes."""
    width = keys.type.byte_width
    joined = np.empty((len(keys), 8 + width), np.uint8)
    joined[:, :8] = groups.to_numpy(zero_copy_only=False).astype(">i8").view(np.uint8).reshape(-1, 8)
    start = keys.offset * width
    joined[:, 8:] = np.frombuffer(keys.buffers()[1], np.uint8)[start : start + len(keys) * width].reshape(-1, width)
    return joined.reshape(-1).view(f"S{8 + width}")


def _prefixes(array: pa.Array) -> _Fixed:
    """Returns the first bytes of the values' row keys, padded with zeros: long keys may become equal but keep their order."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    keys = RowConverter([array.type], variant="sql").convert_columns([array])
    offsets, data = _parts(keys)
    lengths = np.diff(offsets)
    longest = int(lengths.max(initial=1))
    width = min(longest, _PREFIX)
    if (lengths == longest).all():
        matrix = np.ascontiguousarray(data[: len(array) * longest].reshape(len(array), longest)[:, :width])
    else:
        inside = np.arange(width) < lengths[:, None]
        matrix = np.zeros((len(array), width), np.uint8)
        matrix[inside] = data[(offsets[:-1, None] + np.arange(width))[inside]]
    values: _Fixed = matrix.reshape(-1).view(f"S{width}")
    return values


def _fixed(keys: pa.LargeBinaryArray) -> pa.FixedSizeBinaryArray:
    offsets, data = _parts(keys)
    width = int(offsets[1] - offsets[0]) if len(keys) else 1
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(keys), [None, pa.py_buffer(data)])


def _parts(keys: pa.LargeBinaryArray) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    _, offsets, data = keys.buffers()
    starts = np.frombuffer(offsets, np.int64, len(keys) + 1)
    return starts, np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
