# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Row keys from columns: compiled twin of ``lakecodec.row.order.pure_write``, and of the encoder for columns in Arrow's memory."""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t, uintptr_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset

cimport numpy as cnp

import numpy as np
import pyarrow as pa

from .cells cimport ROW_FIXED, ROW_LIST, RowCell, fill_shape
from .nodes cimport ArrowArray, RowCells, RowNode, RowScratch, fill_nodes, free_nodes, row_scratch_free, row_scratch_init


cdef extern from "common/pool.h":
    int pool_share() except -1

pool_share()


cdef extern from "put.h" nogil:
    int ROW_SEQUENCE
    int row_bit(const uint8_t *bits, int64_t i)
    int64_t row_position(const uint8_t *positions, int wide, int64_t i)
    int64_t row_item(const RowCell *c, int64_t j)
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
    enum:
        BLOCK_HEAD

    uint8_t *row_block_take(int64_t size)
    void row_block_give(uint8_t *block)
    int64_t *row_rows_new(ArrowArray *array, int64_t n)
    uint8_t *row_rows_room(ArrowArray *array, int64_t size)


cnp.import_array()


cdef const uint8_t *address(cnp.ndarray array, int64_t need, str what) except? NULL:
    """Start of a contiguous array's memory, after a look at its size."""
    if not cnp.PyArray_IS_C_CONTIGUOUS(array) or cnp.PyArray_NBYTES(array) < need:
        raise ValueError(f"{what}: {need} contiguous bytes are needed")
    return <const uint8_t *>cnp.PyArray_DATA(array)


cdef bint is_astray(const RowCell *c, int64_t n, int64_t limit, bint every) noexcept nogil:
    """Whether a value, or where a null would be if ``every`` one counts, lies outside what it is taken from."""
    cdef int64_t i, a, b, bad = 0
    for i in range(n):
        if every or c.valid is NULL or row_bit(c.valid, c.bit + i):
            a = row_position(c.starts, c.wide_starts, i)
            b = row_position(c.ends, c.wide_starts, i)
            bad |= a | b | (b - a) | (limit - b)
    return bad < 0


#: Whose sizes can still be computed.
cdef int64_t MOST_ROWS = <int64_t>1 << 40


cdef class Cells:
    """Cells and where their values lie, all checked: copies, as a row must not grow while it is written."""

    cdef RowCell *cells
    cdef int count
    cdef int64_t n
    cdef list kept

    def __cinit__(self, list pairs not None, int64_t n):
        cdef int k
        if not 0 <= n <= MOST_ROWS:
            raise ValueError(f"n: 0 to {MOST_ROWS} rows are written at a time, not {n}")
        self.kept = []
        self.n = n
        self.count = len(pairs)
        self.cells = <RowCell *>calloc(self.count + 1, sizeof(RowCell))
        if self.cells is NULL:
            raise MemoryError
        for k in range(self.count):
            cell, source = pairs[k]
            self.fill(&self.cells[k], cell, source)

    def __dealloc__(self):
        free(self.cells)

    cdef const uint8_t *keep(self, const uint8_t *from_, int64_t size):
        cdef bytes copy = from_[:size]
        self.kept.append(copy)
        return <const uint8_t *>copy

    cdef int fill(self, RowCell *c, object cell, object source) except -1:
        cdef int64_t unit, limit, valid, i
        cdef bint joined
        fill_shape(c, cell)
        if c.width < 0 or (c.kind == ROW_FIXED and c.width and source.data.nbytes // c.width < self.n):
            raise ValueError(f"data: {self.n} values of {c.width} bytes are needed")
        c.data = address(source.data, 0, "data")
        c.size = limit = source.data.nbytes
        self.kept.append(source)
        if source.valid is not None:
            c.bit = source.bit
            if c.bit < 0:
                raise ValueError(f"bit: {c.bit} is negative")
            valid = (c.bit + self.n + 7) // 8
            c.valid = address(source.valid, valid, "valid")
            if c.kind != ROW_FIXED:
                c.valid = self.keep(c.valid, valid)
        if c.kind == ROW_FIXED:
            return 0
        unit = source.starts.itemsize
        if unit not in (4, 8) or source.ends.itemsize != unit:
            raise ValueError("starts, ends: numbers of 4 or of 8 bytes are needed")
        c.wide_starts = unit == 8
        c.starts = address(source.starts, self.n * unit, "starts")
        c.ends = address(source.ends, self.n * unit, "ends")
        joined = c.ends == c.starts + unit
        c.starts = self.keep(c.starts, (self.n + joined) * unit)
        c.ends = c.starts + unit if joined else self.keep(c.ends, self.n * unit)
        if c.kind == ROW_LIST or c.kind == ROW_SEQUENCE:
            if source.items.itemsize != 8:
                raise ValueError("items: numbers of 8 bytes are needed")
            c.items = self.keep(address(source.items, 8, "items"), source.items.nbytes)
            limit = source.items.shape[0] - 1
            for i in range(limit + 1):
                if not (row_item(c, i - 1) if i else 0) <= row_item(c, i) <= c.size:
                    raise ValueError("items: an item lies outside the data")
        if is_astray(c, self.n, limit, joined):
            raise ValueError("starts, ends: a value lies outside the data")
        return 0

    cdef int64_t[::1] measured(self):
        cdef int64_t[::1] places = np.empty(self.n + 1, np.int64)
        with nogil:
            row_measure(self.cells, self.count, self.n, 0, &places[0])
        return places


def measure(list cells not None, int64_t n):
    """Row positions of ``n`` rows made of ``(Cell, Source)`` pairs: n + 1 offsets."""
    cdef Cells filled = Cells(cells, n)
    return filled.measured().base


def write(list cells not None, int64_t n, uint8_t[::1] out, const int64_t[::1] offsets not None):
    """Writes rows to the places that ``measure`` gave, counted from the start of ``out``."""
    cdef Cells filled = Cells(cells, n)
    cdef int64_t[::1] places = filled.measured()
    if offsets.shape[0] != n + 1 or memcmp(&offsets[0], &places[0], (n + 1) * sizeof(int64_t)):
        raise ValueError("offsets: those that measure gives for these cells are needed")
    if out.shape[0] < places[n]:
        raise ValueError(f"out: {places[n]} bytes are needed, not {out.shape[0]}")
    if n and places[n]:
        with nogil:
            row_write(filled.cells, filled.count, n, &out[0], &places[0])


cdef object take_array = pa.Array._import_from_c
cdef object rows_type = pa.large_binary()


cdef enum:
    #: Rows encoded at a time where columns need temporary memory; and the most whose memory is asked for at once.
    TILE = 65536
    #: Bytes of positions of rows of equal size that are kept.
    KEPT = 1 << 26


cdef class Room:
    """Memory of the pool, which has it back once nothing refers to this."""

    cdef uint8_t *block
    cdef uint8_t *data
    cdef int64_t size

    def __cinit__(self, int64_t size):
        self.block = row_block_take(size)
        if self.block is NULL:
            raise MemoryError
        self.data = self.block + BLOCK_HEAD
        self.size = size

    def __dealloc__(self):
        if self.block is not NULL:
            row_block_give(self.block)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.data, self.size, 1, flags)


#: Positions of rows by their size, of the longest results so far; all results share them. Those of one byte are the numbers from 0 on.
cdef dict _strides = {}


cdef Room strides(int64_t stride, int64_t n):
    """The positions of n rows of ``stride`` bytes, of more rows maybe."""
    cdef Room room = _strides.pop(stride, None), other
    cdef int64_t kept, i
    cdef int64_t *places
    if room is None or room.size < (n + 1) * <int64_t>sizeof(int64_t):
        room = Room((n + 1) * sizeof(int64_t))
        places = <int64_t *>room.data
        with nogil:
            for i in range(n + 1):
                places[i] = i * stride
    kept = room.size
    for other in _strides.values():
        kept += other.size
    if kept > KEPT:
        _strides.clear()
    if room.size <= KEPT:
        _strides[stride] = room
    return room


def numbers(int64_t n):
    """A buffer of the numbers 0 to n - 1 (int64), which results share."""
    if n < 0:
        raise ValueError(f"n: {n} is negative")
    return pa.py_buffer(strides(1, n)).slice(0, n * sizeof(int64_t))


cdef class Target:
    """Where rows are written to: the caller's memory, or the pool's, which grows with them."""

    cdef uint8_t *data
    cdef int64_t size
    cdef object owner
    cdef bint own

    def __cinit__(self, out):
        cdef uint8_t[::1] view
        cdef Room room
        self.own = out is None
        if self.own:
            self.owner = room = Room(0)
            self.data = room.data
        else:
            self.owner, view = out, out
            self.size = view.shape[0]
            self.data = &view[0] if self.size else NULL

    cdef int reach(self, int64_t used, int64_t needed, double part) except -1:
        """Makes room for ``needed`` bytes, which a ``part`` of all rows takes, and keeps those used.

        Raises:
            ValueError: the caller's memory is too small.
        """
        cdef Room room
        if needed <= self.size:
            return 0
        if not self.own:
            raise ValueError(f"out: {needed} bytes are needed, not {self.size}")
        room = Room(needed if part >= 1 else max(needed, <int64_t>(1.05 * needed / part)))
        memcpy(room.data, self.data, used)
        self.owner, self.data, self.size = room, room.data, room.size
        return 0


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

    def encode(self, object stream, object out):
        """The rows of a stream of columns; their bytes are in ``out`` if it is given.

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
        return self.encode_tiles(batches, n, Target(out))

    cdef encode_tiles(self, Batches batches, int64_t n, Target to):
        """The n rows of all batches."""
        cdef Room places = strides(self.stride, n) if self.stride >= 0 else Room((n + 1) * sizeof(int64_t))
        cdef int64_t *positions = <int64_t *>places.data
        cdef bint measured = self.stride >= 0
        cdef int64_t row = 0, first, m
        cdef RowScratch scratch, lasting
        cdef RowCells cells
        cdef Py_ssize_t k
        cdef ArrowArray *batch
        cdef bint failed = False
        if not measured:
            positions[0] = 0
        row_scratch_init(&scratch, &lasting)
        row_scratch_init(&lasting, &lasting)
        try:
            if not measured and self.in_place:
                # All rows are measured before any is written, into memory of the right size.
                with nogil:
                    for k in range(batches.count):
                        m = batches.arrays[k].length
                        cells = RowCells(&scratch, NULL, 0, 0)
                        failed = failed or self.prepare(&cells, &batches.arrays[k], 0, m) != 0
                        if failed:
                            break
                        row_measure(cells.cells, cells.count, m, positions[row], positions + row)
                        row += m
                    row_scratch_free(&scratch)
                if failed:
                    raise MemoryError
                measured = True
                row = 0
            if measured:
                to.reach(0, positions[n], 1)
            for k in range(batches.count):
                batch = &batches.arrays[k]
                first = 0
                while first < batch.length:
                    m = batch.length - first if self.in_place else min(<int64_t>TILE, batch.length - first)
                    cells = RowCells(&scratch, NULL, 0, 0)
                    with nogil:
                        failed = self.prepare(&cells, batch, first, m) != 0
                        if not failed and not measured:
                            row_measure(cells.cells, cells.count, m, positions[row], positions + row)
                    if failed:
                        raise MemoryError
                    to.reach(positions[row], positions[row + m], (row + m) / <double>n)
                    if positions[row + m] > positions[row]:
                        with nogil:
                            row_write(cells.cells, cells.count, m, to.data, positions + row)
                    row_scratch_free(&scratch)
                    row += m
                    first += m
            offsets = pa.py_buffer(places).slice(0, (n + 1) * sizeof(int64_t))
            data = pa.py_buffer(to.owner).slice(0, positions[n])
            return pa.Array.from_buffers(rows_type, n, [None, offsets, data], 0)
        finally:
            row_scratch_free(&scratch)
            row_scratch_free(&lasting)
