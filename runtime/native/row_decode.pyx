# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Columns from row keys: compiled twin of ``lakecodec.runtime.order.pure_read``."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

import numpy as np

from ..order.cells import CellError, Column

from .row_cells cimport ROW_FIXED, ROW_LIST, RowCell, RowError, fill_shape


cdef extern from "row_get.h" nogil:
    ctypedef struct RowStretch:
        const uint8_t *data
        const int64_t *starts
        const int64_t *ends
        int64_t *pos
        int64_t start "from"
        int64_t n
        int64_t stride

    int ROW_COPY
    int ROW_LEFTOVER
    int row_get(RowCell *c, const RowStretch *s, RowError *e)


cdef enum:
    BLOCK = 512
    SLACK = 64


cdef uint8_t *target(object array):
    """Start of an array made here, NULL when it is empty."""
    cdef uint8_t[::1] view
    if array.nbytes == 0:
        return NULL
    view = array.view(np.uint8)
    return &view[0]


cdef object prepare(RowCell *c, object cell, int64_t n, int64_t room, object empty):
    """Makes the target arrays of one cell; ``room`` is the number of bytes that the rows have in all."""
    fill_shape(c, cell)
    column = Column(np.empty(0, np.uint8), valid=empty((n + 7) // 8, np.uint8))
    if c.kind == ROW_FIXED:
        column.data = empty(n * c.width, np.uint8)
    else:
        column.data = np.empty(room + SLACK, np.uint8)
        column.offsets = empty(n + 1, np.int64 if c.wide else np.int32)
        column.offsets[0] = 0
        c.out_offsets = target(column.offsets)
        if c.kind == ROW_LIST:
            # An item has a filled byte, a block of 8 or 32 bytes at least, and its trailer.
            column.items = np.empty(room // (10 if c.narrow else 34) + 1, np.int64)
            column.items[0] = 0
            c.out_items = <int64_t *>target(column.items)
    c.out = target(column.data)
    c.out_valid = target(column.valid)
    return column


cdef int finish(RowCell *c, object column) except -1:
    column.nulls = c.nulls
    if c.nulls == 0:
        column.valid = None
    if c.kind != ROW_FIXED:
        column.data.resize(c.used, refcheck=False)
        if column.items is not None:
            column.items.resize(c.count + 1, refcheck=False)
    return 0


cdef int64_t numbers_stride(RowCell *cells, int count) noexcept nogil:
    """Bytes of a row that has numbers only, else 0."""
    cdef int64_t stride = 0
    cdef int k
    for k in range(count):
        if cells[k].kind != ROW_FIXED or cells[k].payload == ROW_COPY or cells[k].present < 0:
            return 0
        stride += 1 + cells[k].width
    return stride


cdef bint is_regular(const int64_t *starts, const int64_t *ends, int64_t n, int64_t stride) noexcept nogil:
    """Whether rows of ``stride`` bytes follow each other."""
    cdef int64_t i, other = 0, place = starts[0]
    for i in range(n):
        other |= (starts[i] ^ place) | (ends[i] ^ (place + stride))
        place += stride
    return other == 0


cdef bint outside(const int64_t *starts, const int64_t *ends, int64_t n, int64_t size, int64_t *room) noexcept nogil:
    """Whether a row lies outside the data, or all rows so far take more room than was set aside; takes their part."""
    cdef int64_t i, bad = 0, taken = 0
    for i in range(n):
        bad |= starts[i] | (ends[i] - starts[i]) | (size - ends[i])
        taken += ends[i] - starts[i]
    room[0] -= taken
    return bad < 0 or room[0] < 0


def read(list cells not None, const uint8_t[::1] data not None, const int64_t[::1] starts not None,
         const int64_t[::1] ends not None, bint exact, int64_t[::1] after=None, object empty=None):
    """Reads the cells of every row.

    Args:
        cells: ``Cell`` shapes in row order.
        data, starts, ends: the rows' bytes and where each begins and must end.
        exact: nothing may be left after the last cell.
        after: when given, receives the position after the last cell of every row.
        empty: makes the memory of values of fixed width, offsets and bitmaps, ``np.empty`` by default.

    Raises:
        CellError: bytes that break a rule.
        OverflowError: 32-bit offsets do not hold a column's bytes.
    """
    cdef int64_t n = starts.shape[0], base, m, i, room = 0, stride = 0
    cdef int count = len(cells), k, failed = 0
    cdef RowCell *filled
    cdef RowStretch stretch
    cdef RowError error
    cdef int64_t positions[BLOCK]
    cdef list columns = []
    cdef bint overflow = False, astray = False
    if ends.shape[0] != n:
        raise ValueError("ends: as many are needed as there are starts")
    if after is not None and after.shape[0] != n:
        raise ValueError("after: one position a row is needed")
    for i in range(n):
        room += ends[i] - starts[i]
    filled = <RowCell *>calloc(count + 1, sizeof(RowCell))
    if filled is NULL:
        raise MemoryError
    try:
        for k in range(count):
            columns.append(prepare(&filled[k], cells[k], n, room, empty or np.empty))
        stretch.data = &data[0] if data.shape[0] else NULL
        stretch.pos = positions
        if exact and after is None:
            stride = numbers_stride(filled, count)
        with nogil:
            base = 0
            while base < n:
                m = min(<int64_t>BLOCK, n - base)
                if outside(&starts[base], &ends[base], m, data.shape[0], &room):
                    astray = True
                    break
                stretch.starts = &starts[base]
                stretch.ends = &ends[base]
                stretch.start = base
                stretch.n = m
                stretch.stride = stride if stride and is_regular(&starts[base], &ends[base], m, stride) else 0
                memcpy(positions, &starts[base], (1 if stretch.stride else m) * sizeof(int64_t))
                for k in range(count):
                    failed = row_get(&filled[k], &stretch, &error)
                    if failed:
                        break
                    if filled[k].kind != ROW_FIXED and not filled[k].wide:
                        overflow = overflow or filled[k].used > INT32_MAX or filled[k].count > INT32_MAX
                if failed or overflow:
                    break
                if exact and not stretch.stride:
                    for i in range(m):
                        if positions[i] != ends[base + i]:
                            error.row = base + i
                            error.offset = positions[i] - starts[base + i]
                            error.rule = ROW_LEFTOVER
                            failed = -1
                            break
                    if failed:
                        break
                if after is not None:
                    memcpy(&after[base], positions, m * sizeof(int64_t))
                base += BLOCK
        if astray:
            raise ValueError("starts, ends: a row lies outside the data")
        if failed:
            raise CellError(error.row, error.offset, error.rule)
        if overflow:
            raise OverflowError("more bytes than 32-bit offsets hold")
        for k in range(count):
            finish(&filled[k], columns[k])
    finally:
        free(filled)
    return columns
