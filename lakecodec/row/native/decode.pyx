# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Columns from row keys: compiled twin of ``lakecodec.row.order.pure_read``."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

import numpy as np
import pyarrow as pa

from ..order.cells import CellError, Column

from .cells cimport ROW_BLOCK, ROW_FIXED, ROW_LIST, RowCell, RowError, fill_shape, row_block_rows, row_number_run, row_stride
from .nodes cimport ArrowArray, RowCells, RowNode, RowScratch, fill_nodes, free_nodes, row_scratch_free, row_scratch_init


cdef extern from "common/pool.h":
    int pool_share() except -1

pool_share()


cdef extern from "get.h" nogil:
    ctypedef struct RowStretch:
        const uint8_t *data
        const int64_t *starts
        const int64_t *ends
        int64_t *pos
        int64_t start "from"
        int64_t n, stride

    int ROW_LEFTOVER, ROW_SENTINEL
    int row_get_run(RowCell *cells, int count, const RowStretch *s)
    void row_fetch_targets(const RowCell *c, int count, const RowStretch *s)
    int64_t row_fetch(const RowStretch *s, int64_t ahead, int64_t stop, int done, int left)
    int row_get_some(RowCell *cells, int count, const RowStretch *s, RowError *e)


cdef extern from "to_arrow.h" nogil:
    enum:
        NODE_STRUCT
        NODE_LIST
        NODE_RUNS

    int row_target(RowCells *to, const RowNode *node, ArrowArray *array, int64_t n, int64_t room)
    int row_finish(const RowNode *node, RowCell *cell, ArrowArray *array)
    int row_null_children(const ArrowArray *array, const uint8_t *valid)


cdef enum:
    SLACK = 64


cdef str _ASTRAY = "starts, ends: a row lies outside the data"


cdef uint8_t *target(object array):
    """Start of an array made here, NULL when it is empty."""
    cdef uint8_t[::1] view
    if array.nbytes == 0:
        return NULL
    view = array.view(np.uint8)
    return &view[0]


cdef object prepare(RowCell *c, object cell, int64_t n, int64_t room):
    """Makes the target arrays of one cell; ``room`` is the number of bytes that the rows have in all."""
    fill_shape(c, cell)
    column = Column(np.empty(0, np.uint8), valid=np.empty((n + 7) // 8, np.uint8))
    if c.kind == ROW_FIXED:
        column.data = np.empty(n * c.width, np.uint8)
    else:
        column.data = np.empty(room + SLACK, np.uint8)
        column.offsets = np.empty(n + 1, np.int64 if c.wide else np.int32)
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
    """Cuts the arrays to what was read."""
    column.nulls = c.nulls
    if c.nulls == 0:
        column.valid = None
    if c.kind != ROW_FIXED:
        column.data.resize(c.used, refcheck=False)
        if column.items is not None:
            column.items.resize(c.count + 1, refcheck=False)
    return 0


cdef bint is_regular(const int64_t *starts, const int64_t *ends, int64_t n, int64_t stride, bint joined, int64_t place) noexcept nogil:
    """Whether rows of ``stride`` bytes follow each other from a place on."""
    cdef int64_t i, other = 0
    if joined:
        for i in range(n + 1):
            other |= starts[i] ^ (place + i * stride)
        return other == 0
    for i in range(n):
        other |= (starts[i] ^ (place + i * stride)) | (ends[i] ^ (place + i * stride + stride))
    return other == 0


cdef int64_t size_of(const int64_t *starts, const int64_t *ends, int64_t n, int64_t size) noexcept nogil:
    """Bytes of all rows, -1 where one lies outside the data."""
    cdef int64_t i, start, end, total = 0, bad = 0
    for i in range(n):
        start, end = starts[i], ends[i]
        bad |= start | end | (end - start) | (size - end)
        total += end - start
    return -1 if bad < 0 else total


cdef int64_t unfinished(const RowStretch *rows) noexcept nogil:
    """The first row with bytes left, -1 when there is none."""
    cdef int64_t i
    for i in range(rows.n):
        if rows.pos[i] != rows.ends[i]:
            return i
    return -1


cdef enum:
    READ
    FAILED
    ASTRAY
    OVERFLOW


cdef inline int fail(RowError *error, int64_t row, int64_t offset, int rule) noexcept nogil:
    error.row = row
    error.offset = offset
    error.rule = rule
    return FAILED


cdef inline void copy_bounds(RowStretch *rows, const int64_t *starts, const int64_t *ends, bint joined,
                             int64_t *own_starts, int64_t *own_ends) noexcept nogil:
    """Copies where the rows of a stretch begin and end; ``joined`` says that each begins where the one before ends.

    The memory of starts and ends may be changed by others, so the checked copies are used.
    """
    memcpy(own_starts, starts, (rows.n + joined) * sizeof(int64_t))
    rows.starts = own_starts
    rows.ends = own_starts + 1
    if not joined:
        memcpy(own_ends, ends, rows.n * sizeof(int64_t))
        rows.ends = own_ends


cdef inline int read_stretch(RowCell *cells, int count, RowStretch *rows, int64_t size, bint joined,
                             RowError *error) noexcept nogil:
    """Reads the cells of a stretch of rows, column by column. READ, or why it stopped."""
    cdef int k = 0, done
    # As many bytes after the stretch as it has are fetched: rows of many columns are too far apart for hardware prefetching.
    cdef int64_t ahead = rows.ends[rows.n - 1]
    cdef int64_t fetched = min(2 * ahead - rows.starts[0], size) if joined and count > 1 else 0
    while k < count:
        done = row_get_some(&cells[k], count - k, rows, error)
        if done < 0:
            return FAILED
        if cells[k].kind != ROW_FIXED and not cells[k].wide and max(cells[k].used, cells[k].count) > INT32_MAX:
            return OVERFLOW
        ahead = row_fetch(rows, ahead, fetched, done, count - k)
        if fetched:
            row_fetch_targets(&cells[k], done, rows)
        k += done
    return READ


cdef int read_rows(RowCell *cells, int count, RowStretch *rows, int64_t n, int64_t size, int64_t room, bint exact,
                   int64_t *after, RowError *error) noexcept nogil:
    """Reads all rows, a stretch at a time; ``rows`` is at the first one. READ, or why it stopped."""
    cdef const int64_t *starts = rows.starts
    cdef const int64_t *ends = rows.ends
    cdef int64_t base = 0, left = room, block = row_block_rows(room, n), i, total, place
    cdef int64_t stride = row_stride(cells, count) if row_number_run(cells, count) == count else 0
    cdef int64_t *positions = rows.pos
    cdef const uint8_t *data = rows.data
    # Of rows that follow each other, in every stretch.
    cdef int64_t regular[ROW_BLOCK]
    cdef int64_t own_starts[ROW_BLOCK + 1]
    cdef int64_t own_ends[ROW_BLOCK]
    cdef bint joined = ends == starts + 1
    cdef int done
    if not exact or after is not NULL:
        stride = 0
    error.again = 0
    if stride:
        for i in range(min(block, n)):
            regular[i] = i * stride
    while base < n:
        rows.start = base
        rows.n = min(block, n - base)
        memcpy(&place, starts + base, sizeof(int64_t))
        if stride and is_regular(starts + base, ends + base, rows.n, stride, joined, place):
            if place < 0 or place > size - rows.n * stride:
                return ASTRAY
            rows.data = data + place
            rows.pos = regular  # which a run does not move
            rows.stride = stride
            done = row_get_run(cells, count, rows)
            rows.data = data
            if done == 0:
                base += block
                continue
            error.again = 1
        copy_bounds(rows, starts + base, ends + base, joined, own_starts, own_ends)
        # What was set aside for all rows bounds those read so far.
        total = size_of(rows.starts, rows.ends, rows.n, size)
        if not 0 <= total <= left:
            return ASTRAY
        left -= total
        rows.stride = 0
        rows.pos = positions
        memcpy(rows.pos, rows.starts, rows.n * sizeof(int64_t))
        done = read_stretch(cells, count, rows, size, joined, error)
        if done != READ:
            return done
        i = unfinished(rows) if exact else -1
        if i >= 0:
            return fail(error, base + i, rows.pos[i] - rows.starts[i], ROW_LEFTOVER)
        if after is not NULL:
            memcpy(after + base, rows.pos, rows.n * sizeof(int64_t))
        base += block
    if error.again:
        # The broken rule holds now: others write to the rows, and nulls were counted more than once.
        return fail(error, 0, 0, ROW_SENTINEL)
    return READ


def read(list cells not None, const uint8_t[::1] data not None, const int64_t[::1] starts not None,
         const int64_t[::1] ends not None, bint exact, int64_t[::1] after=None):
    """Reads the cells of every row.

    Args:
        cells: ``Cell`` shapes in row order.
        data, starts, ends: the rows' bytes and where each begins and must end.
        exact: nothing may be left after the last cell.
        after: when given, receives the position after the last cell of every row.

    Raises:
        CellError: bytes that break a rule.
        OverflowError: 32-bit offsets do not hold a column's bytes.
    """
    cdef int64_t n = starts.shape[0], room = 0
    cdef int count = len(cells), k, result = READ
    cdef RowCell *filled
    cdef RowStretch rows
    cdef RowError error
    cdef int64_t positions[ROW_BLOCK]
    cdef list columns = []
    if ends.shape[0] != n:
        raise ValueError("ends: as many are needed as there are starts")
    if after is not None and after.shape[0] != n:
        raise ValueError("after: one position a row is needed")
    if n:
        rows.starts = &starts[0]
        rows.ends = &ends[0]
        if rows.ends == rows.starts + 1:
            room = ends[n - 1] - starts[0]
            if room > data.shape[0]:
                room = -1
        else:
            room = size_of(rows.starts, rows.ends, n, data.shape[0])
        if room < 0:
            raise ValueError(_ASTRAY)
    rows.data = &data[0] if data.shape[0] else NULL
    rows.pos = positions
    filled = <RowCell *>calloc(count + 1, sizeof(RowCell))
    if filled is NULL:
        raise MemoryError
    try:
        for k in range(count):
            columns.append(prepare(&filled[k], cells[k], n, room))
        if n:
            with nogil:
                result = read_rows(filled, count, &rows, n, data.shape[0], room, exact,
                                   &after[0] if after is not None else NULL, &error)
        if result == ASTRAY:
            raise ValueError(_ASTRAY)
        if result == FAILED:
            raise CellError(error.row, error.offset, error.rule)
        if result == OVERFLOW:
            raise OverflowError("more bytes than 32-bit offsets hold")
        for k in range(count):
            finish(&filled[k], columns[k])
    finally:
        free(filled)
    return columns


cdef int64_t *widened(const int32_t *narrow, int64_t n) except NULL:
    """A copy of 32-bit offsets with 64 bits, for `free`."""
    cdef int64_t *wide = <int64_t *>calloc(n, sizeof(int64_t))
    cdef int64_t i
    if wide is NULL:
        raise MemoryError
    for i in range(n):
        wide[i] = narrow[i]
    return wide


cdef int decode_all(const RowNode *nodes, int32_t count, const uint8_t *data, int64_t size, const int64_t *starts, int64_t n,
                    ArrowArray *arrays, RowScratch *scratch) noexcept nogil:
    """Decodes n rows that follow each other, all bytes of them; -1 where a rule is broken, or without memory."""
    cdef RowCells cells = RowCells(scratch, NULL, 0, 0)
    cdef RowStretch rows
    cdef RowError error
    cdef int64_t positions[ROW_BLOCK]
    cdef int64_t room = starts[n] - starts[0]
    cdef int32_t k, at = 0
    if room < 0 or room > size:
        return -1
    for k in range(count):
        if row_target(&cells, &nodes[k], &arrays[k], n, room):
            return -1
    rows.data = data
    rows.pos = positions
    rows.starts = starts
    rows.ends = starts + 1
    if read_rows(cells.cells, cells.count, &rows, n, size, room, True, NULL, &error) != READ:
        return -1
    for k in range(count):
        if finish_node(&nodes[k], cells.cells, &at, &arrays[k], n, scratch):
            return -1
    return 0


cdef int finish_node(const RowNode *node, RowCell *cells, int32_t *at, ArrowArray *array, int64_t n,
                     RowScratch *scratch) noexcept nogil:
    """Completes a column whose cells, from ``at`` on, were read; what lies in their rows is decoded."""
    cdef RowCell *cell = &cells[at[0]]
    cdef int32_t k
    at[0] += node.has_cell
    if node.kind == NODE_RUNS:
        return decode_all(node.children, 1, cell.out, cell.used, <int64_t *>cell.out_offsets, n, array, scratch)
    if node.kind == NODE_STRUCT:
        for k in range(node.child_count):
            if finish_node(&node.children[k], cells, at, array.children[k], n, scratch):
                return -1
        if not node.has_cell:
            return 0
        if cell.nulls and not row_null_children(array, cell.out_valid):
            return -1
    if row_finish(node, cell, array):
        return -1
    if node.kind == NODE_LIST and cell.item is NULL:
        return decode_all(node.children, 1, cell.out, cell.used, cell.out_items, cell.count, array.children[0], scratch)
    return 0


cdef class ArrowDecoder:
    """Decoder of rows to columns in memory of Arrow's own.

    Args:
        specs: what each column is made of (`lakecodec.row.arrow_nodes.NodeSpec`).
        types: the type of each column.
    """

    cdef RowNode *nodes
    cdef int32_t count
    cdef list types
    cdef object specs

    def __cinit__(self, specs, list types):
        self.specs = specs
        self.types = types
        self.nodes = fill_nodes(specs, &self.count)

    def __dealloc__(self):
        free_nodes(self.nodes, self.count)

    def decode(self, object rows, bint wide):
        """A list with an array for each column, None where a rule is broken: reading once more tells which.

        ``rows`` is a binary array without nulls, with 64-bit offsets if ``wide``.
        """
        cdef int64_t n = len(rows), first = rows.offset, start, place
        cdef const uint8_t *bytes
        cdef const int64_t *starts
        cdef int64_t *made = NULL
        cdef int64_t size
        cdef ArrowArray *arrays = NULL
        cdef RowScratch scratch
        cdef int failed
        cdef int32_t k
        _, offsets, data = rows.buffers()
        if data is None or offsets.size < (first + n + 1) * (8 if wide else 4):
            return None
        place = offsets.address
        start = data.address
        size = data.size
        bytes = <const uint8_t *>start
        row_scratch_init(&scratch, &scratch)
        try:
            if wide:
                starts = <const int64_t *>place + first
            else:
                starts = made = widened(<const int32_t *>place + first, n + 1)
            arrays = <ArrowArray *>calloc(self.count, sizeof(ArrowArray))
            if arrays is NULL:
                raise MemoryError
            with nogil:
                failed = decode_all(self.nodes, self.count, bytes, size, starts, n, arrays, &scratch)
                row_scratch_free(&scratch)
            if failed:
                return None
            return [pa.Array._import_from_c(<size_t>&arrays[k], self.types[k]) for k in range(self.count)]
        finally:
            if arrays is not NULL:
                for k in range(self.count):
                    if arrays[k].release is not NULL:
                        arrays[k].release(&arrays[k])
            free(arrays)
            free(made)
