# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Row keys from columns: compiled twin of ``lakecodec.row.order.pure_write``, and of the encoder for columns in Arrow's memory."""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

cimport numpy as cnp

import numpy as np
import pyarrow as pa

from .cells cimport ROW_FIXED, RowCell, fill_shape
from .nodes cimport ArrowArray, RowCells, RowNode, RowScratch, fill_nodes, free_nodes, row_scratch_free, row_scratch_init


cdef extern from "put.h" nogil:
    void row_measure(const RowCell *cells, int count, int64_t n, int64_t base, int64_t *positions)
    void row_write(const RowCell *cells, int count, int64_t n, uint8_t *out, const int64_t *positions)


cdef extern from "from_arrow.h" nogil:
    struct ArrowArrayStream:
        int (*get_next)(ArrowArrayStream *, ArrowArray *)
        const char *(*get_last_error)(ArrowArrayStream *)

    struct RowAlive:
        const uint8_t *bits

    int row_prepare(RowCells *to, const RowNode *node, const ArrowArray *array, int64_t first, int64_t n, RowAlive above)


cdef extern from "blocks.h" nogil:
    int64_t *row_rows_new(ArrowArray *array, int64_t n)
    uint8_t *row_rows_room(ArrowArray *array, int64_t size)


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


def measure(list cells not None, int64_t n):
    """Row positions of ``n`` rows made of ``(Cell, Source)`` pairs: n + 1 offsets."""
    cdef RowCell *filled = fill_all(cells, n)
    cdef int count = len(cells)
    cdef int64_t[::1] places
    try:
        offsets = np.empty(n + 1, np.int64)
        places = offsets
        with nogil:
            row_measure(filled, count, n, 0, &places[0])
    finally:
        free(filled)
    return offsets


def write(list cells not None, int64_t n, uint8_t[::1] out, const int64_t[::1] offsets not None):
    """Writes rows to the places that ``measure`` gave, counted from the start of ``out``."""
    cdef RowCell *filled
    cdef int count = len(cells)
    if offsets.shape[0] != n + 1 or out.shape[0] < offsets[n]:
        raise ValueError(f"out: {offsets[n]} bytes are needed, not {out.shape[0]}")
    if n == 0 or offsets[n] == 0:
        return
    filled = fill_all(cells, n)
    with nogil:
        row_write(filled, count, n, &out[0], &offsets[0])
    free(filled)


cdef object take_array = pa.Array._import_from_c
cdef object rows_type = pa.large_binary()


cdef enum:
    #: Rows encoded at a time where columns need temporary memory; and the most that get memory of their own.
    TILE = 65536


cdef class Batches:
    """The batches of a stream, which live as long as this."""

    cdef ArrowArray *arrays
    cdef Py_ssize_t count

    def __dealloc__(self):
        cdef Py_ssize_t k
        for k in range(self.count):
            if self.arrays[k].release is not NULL:
                self.arrays[k].release(&self.arrays[k])
        free(self.arrays)

    cdef int read(self, object capsule) except -1:
        cdef ArrowArrayStream *stream = <ArrowArrayStream *>PyCapsule_GetPointer(capsule, "arrow_array_stream")
        cdef Py_ssize_t room = 0
        cdef ArrowArray *more
        cdef const char *said
        while True:
            if self.count == room:
                room = 2 * room + 2
                more = <ArrowArray *>realloc(self.arrays, room * sizeof(ArrowArray))
                if more is NULL:
                    raise MemoryError
                self.arrays = more
            if stream.get_next(stream, &self.arrays[self.count]):
                said = stream.get_last_error(stream)
                raise ValueError(f"columns: {(said if said is not NULL else b'no data').decode(errors='replace')}")
            if self.arrays[self.count].release is NULL:
                return 0
            self.count += 1


cdef class ArrowEncoder:
    """Encoder of columns that come by the Arrow C data interface.

    Args:
        specs: what each column is made of (`lakecodec.row.arrow_nodes.NodeSpec`).
        stride: bytes of every row, -1 where rows differ in size.
        in_place: the columns need no temporary memory.
    """

    cdef RowNode *nodes
    cdef int32_t count
    cdef int64_t stride
    cdef bint in_place
    cdef object specs  # own the bytes that nodes point to

    def __cinit__(self, specs, int64_t stride, bint in_place):
        self.specs = specs
        self.stride = stride
        self.in_place = in_place
        self.nodes = fill_nodes(specs, &self.count)

    def __dealloc__(self):
        free_nodes(self.nodes, self.count)

    cdef int prepare(self, RowCells *cells, const ArrowArray *batch, int64_t first, int64_t n) noexcept nogil:
        cdef int32_t k
        cdef RowAlive every
        memset(&every, 0, sizeof(every))
        for k in range(self.count if n else 0):
            if row_prepare(cells, &self.nodes[k], batch.children[k], batch.offset + first, n, every):
                return -1
        return 0

    cdef int encode_batch(self, const ArrowArray *batch, ArrowArray *made) noexcept nogil:
        """Encodes a batch into memory of Arrow's own; -1 without memory."""
        cdef RowScratch scratch, lasting
        cdef RowCells cells
        cdef int64_t n = batch.length
        cdef int64_t *positions = row_rows_new(made, n)
        cdef uint8_t *out = NULL
        if positions is NULL:
            return -1
        row_scratch_init(&scratch, &lasting)
        row_scratch_init(&lasting, &lasting)
        cells = RowCells(&scratch, NULL, 0, 0)
        if self.prepare(&cells, batch, 0, n) == 0:
            row_measure(cells.cells, cells.count, n, 0, positions)
            out = row_rows_room(made, positions[n])
            if out is not NULL and positions[n]:
                row_write(cells.cells, cells.count, n, out, positions)
        row_scratch_free(&scratch)
        row_scratch_free(&lasting)
        return 0 if out is not NULL else -1

    def encode(self, object stream, object out, object memory):
        """The rows of a stream of columns; bytes of more than `TILE` of them are in memory of the converter, or in ``out``.

        Raises:
            ValueError: ``out`` is too small.
        """
        cdef Batches batches = Batches()
        cdef ArrowArray made
        cdef int64_t n = 0
        cdef Py_ssize_t k
        cdef int failed
        batches.read(stream)
        for k in range(batches.count):
            n += batches.arrays[k].length
        if out is None and batches.count == 1 and n <= TILE:
            made.release = NULL
            with nogil:
                failed = self.encode_batch(batches.arrays, &made)
            if failed:
                if made.release is not NULL:
                    made.release(&made)
                raise MemoryError
            return take_array(<uintptr_t>&made, rows_type)
        data, offsets = self.encode_tiles(batches, n, out, memory)
        return pa.Array.from_buffers(rows_type, n, [None, pa.py_buffer(offsets), pa.py_buffer(data)], 0)

    cdef encode_tiles(self, Batches batches, int64_t n, object out, object memory):
        """The bytes of n rows and their n + 1 offsets."""
        cdef int64_t[::1] places
        cdef const int64_t[::1] strides
        cdef const int64_t *positions
        cdef int64_t *measured = NULL
        cdef int64_t row = 0, first, m
        cdef RowScratch scratch, lasting
        cdef RowCells cells
        cdef Py_ssize_t k
        cdef uint8_t[::1] view
        cdef uint8_t *target = NULL
        cdef int64_t room = 0
        cdef ArrowArray *batch
        cdef bint failed = False
        if self.stride >= 0:
            offsets = memory.strides.offsets(self.stride, n)
            strides = offsets
            positions = &strides[0]
            data = memory.room(out, n * self.stride)
        else:
            offsets = memory.offsets(n + 1)
            places = offsets
            positions = measured = &places[0]
            measured[0] = 0
            data = None if out is None else out
        row_scratch_init(&scratch, &lasting)
        row_scratch_init(&lasting, &lasting)
        try:
            if measured is not NULL and self.in_place:
                # All rows are measured before any is written, into memory of the right size.
                with nogil:
                    for k in range(batches.count):
                        m = batches.arrays[k].length
                        cells = RowCells(&scratch, NULL, 0, 0)
                        failed = failed or self.prepare(&cells, &batches.arrays[k], 0, m) != 0
                        if failed:
                            break
                        row_measure(cells.cells, cells.count, m, positions[row], measured + row)
                        row += m
                    row_scratch_free(&scratch)
                if failed:
                    raise MemoryError
                data = memory.room(out, positions[n])
                measured = NULL
                row = 0
            if data is not None:
                view = data
                room = view.shape[0]
                target = &view[0] if room else NULL
            for k in range(batches.count):
                batch = &batches.arrays[k]
                first = 0
                while first < batch.length:
                    m = batch.length - first if self.in_place else min(<int64_t>TILE, batch.length - first)
                    cells = RowCells(&scratch, NULL, 0, 0)
                    with nogil:
                        failed = self.prepare(&cells, batch, first, m) != 0
                        if not failed and measured is not NULL:
                            row_measure(cells.cells, cells.count, m, measured[row], measured + row)
                    if failed:
                        raise MemoryError
                    if positions[row + m] > room:
                        data = memory.more(data, out, positions[row], positions[row + m], (row + m) / <double>n)
                        view = data
                        room = view.shape[0]
                        target = &view[0]
                    if positions[row + m] > positions[row]:
                        with nogil:
                            row_write(cells.cells, cells.count, m, target, positions + row)
                    row_scratch_free(&scratch)
                    row += m
                    first += m
            if data is None:
                data = memory.room(None, 0)
            return data[:positions[n]], offsets
        finally:
            row_scratch_free(&scratch)
            row_scratch_free(&lasting)
