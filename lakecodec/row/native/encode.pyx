# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Row keys from columns: compiled twin of ``lakecodec.runtime.order.pure_write``."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cimport numpy as cnp

import numpy as np

from .cells cimport ROW_BLOCK, ROW_FIXED, RowCell, fill_shape, row_block_rows


cdef extern from "put.h" nogil:
    void row_put(const RowCell *c, uint8_t *out, int64_t *pos, int64_t stride, int64_t start, int64_t n)
    void row_add_lengths(const RowCell *c, int64_t *lengths, int64_t start, int64_t n)


cnp.import_array()


cdef const uint8_t *address(cnp.ndarray array, int64_t need, str what) except? NULL:
    """Start of a contiguous array's memory, after a look at its size."""
    if not cnp.PyArray_IS_C_CONTIGUOUS(array) or cnp.PyArray_NBYTES(array) < need:
        raise ValueError(f"{what}: {need} contiguous bytes are needed")
    return <const uint8_t *>cnp.PyArray_DATA(array)


cdef int fill(RowCell *c, object cell, object source, int64_t n) except -1:
    cdef int64_t unit
    fill_shape(c, cell)
    c.data = address(source.data, n * c.width if c.kind == ROW_FIXED else 0, "data")
    c.size = source.data.nbytes
    if c.kind != ROW_FIXED:
        unit = source.starts.itemsize
        c.wide_starts = unit == 8
        c.starts = address(source.starts, n * unit, "starts")
        c.ends = address(source.ends, n * unit, "ends")
        if source.items is not None:
            c.items = address(source.items, 8, "items")
    if source.valid is not None:
        c.bit = source.bit
        c.valid = address(source.valid, (c.bit + n + 7) // 8, "valid")
    return 0


cdef RowCell *fill_all(list cells, int64_t n) except NULL:
    cdef RowCell *filled = <RowCell *>calloc(len(cells) + 1, sizeof(RowCell))
    cdef Py_ssize_t k
    if filled is NULL:
        raise MemoryError
    try:
        for k in range(len(cells)):
            fill(&filled[k], cells[k][0], cells[k][1], n)
    except BaseException:
        free(filled)
        raise
    return filled


def measure(list cells not None, int64_t n, object offsets=None):
    """Row positions of ``n`` rows made of ``(Cell, Source)`` pairs: the stride (-1 when rows differ) and n + 1 offsets.

    ``offsets`` receives the positions when it is given.
    """
    cdef RowCell *filled = fill_all(cells, n)
    cdef int count = len(cells)
    cdef int64_t stride = 0, i, base, m, total = 0, length
    cdef int64_t lengths[ROW_BLOCK]
    cdef bint fixed = True
    cdef int k
    cdef int64_t[::1] places
    try:
        if offsets is None:
            offsets = np.empty(n + 1, np.int64)
        places = offsets
        if places.shape[0] != n + 1:
            raise ValueError("offsets: n + 1 positions are needed")
        with nogil:
            for k in range(count):
                if filled[k].kind == ROW_FIXED:
                    stride += filled[k].width + (filled[k].present >= 0)
                else:
                    fixed = False
            if fixed:
                for i in range(n + 1):
                    places[i] = i * stride
            else:
                base = 0
                while base < n:
                    m = min(<int64_t>ROW_BLOCK, n - base)
                    for i in range(m):
                        lengths[i] = stride
                    for k in range(count):
                        if filled[k].kind != ROW_FIXED:
                            row_add_lengths(&filled[k], lengths, base, m)
                    for i in range(m):
                        places[base + i] = total
                        total += lengths[i]
                    base += ROW_BLOCK
                places[n] = total
    finally:
        free(filled)
    return (stride if fixed else -1), offsets


def write(list cells not None, int64_t n, uint8_t[::1] out, const int64_t[::1] offsets not None, int64_t stride):
    """Writes rows to the places that ``measure`` gave, counted from the start of ``out``."""
    cdef RowCell *filled
    cdef int count = len(cells)
    cdef int64_t base, m, place, block
    cdef int64_t positions[ROW_BLOCK]
    cdef uint8_t *target
    cdef int k
    if offsets.shape[0] != n + 1 or out.shape[0] < offsets[n]:
        raise ValueError(f"out: {offsets[n]} bytes are needed, not {out.shape[0]}")
    if n == 0 or offsets[n] == 0:
        return
    filled = fill_all(cells, n)
    block = row_block_rows(offsets[n], n)
    target = &out[0]
    with nogil:
        base = 0
        while base < n:
            m = min(block, n - base)
            if stride >= 0:
                place = base * stride
                for k in range(count):
                    row_put(&filled[k], target + place, NULL, stride, base, m)
                    place += filled[k].width + (filled[k].present >= 0)
            else:
                memcpy(positions, &offsets[base], m * sizeof(int64_t))
                for k in range(count):
                    row_put(&filled[k], target, positions, 0, base, m)
            base += block
    free(filled)
