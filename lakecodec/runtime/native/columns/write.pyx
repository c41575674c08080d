# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Looking through columns and encoding them: compiled twin of ``runtime.columns.pure_profile`` and ``pure_write``."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport INT64_MAX, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ...errors import EncodeError


cdef extern from "arrow.h" nogil:
    struct ArrowSchema:
        const char *format
    struct ArrowArray:
        int64_t length
    int write_set_form(WriteColumn *column, const ArrowSchema *schema)
    void write_set_chunk(const WriteColumn *column, WriteChunk *chunk, const ArrowArray *array)


cdef extern from "profile.h" nogil:
    enum: WRITE_TOO_LARGE
    ctypedef struct WriteCell:
        pass
    ctypedef struct WriteSlot:
        pass
    ctypedef struct WriteChunk:
        int64_t nulls
    ctypedef struct WriteColumn:
        int kind, form, stride, width, big
        int64_t unit, count
        WriteChunk *chunks
    ctypedef struct WriteTable:
        WriteSlot *slots
        WriteCell *entries
    ctypedef struct WriteFound:
        int64_t rows, live, nbytes, size, entries_nbytes
        int constant, kept, code_size
        void *codes
        WriteCell *entries
        WriteCell first
    int64_t write_chunk_size(const WriteColumn *column, const WriteChunk *chunk)
    int64_t write_cell_size(const WriteColumn *column, const WriteCell *cell)
    int write_profile(const WriteColumn *column, WriteTable *table, int64_t max_size, int64_t max_nbytes,
                      WriteFound *found)
    void write_nulls(const WriteColumn *column, uint8_t *out)
    void write_plain(const WriteColumn *column, uint8_t *out, const uint8_t *end)
    void write_entries(const WriteColumn *column, const WriteCell *cells, int64_t n, uint8_t *out, const uint8_t *end)
    void write_pack(const void *codes, int size, int64_t n, int width, uint8_t *out)


# What a batch has of each column while nothing of Python is looked at.
ctypedef struct Task:
    WriteColumn column
    WriteFound found


cdef enum:
    # Bytes from which on others may run meanwhile.
    LONG = 1 << 16


cdef int set_layout(WriteColumn *column, object layout) except -1:
    column.kind, column.width, column.big, column.unit = layout.kind, layout.width, layout.big, layout.unit
    return 0


cdef int set_chunk(WriteColumn *column, object array, WriteChunk *chunk) except -1:
    schema, exported = array.__arrow_c_array__()
    if write_set_form(column, <ArrowSchema *>PyCapsule_GetPointer(schema, "arrow_schema")):
        raise TypeError(f"array: {array.type} cannot hold the values of the layout")
    cdef ArrowArray *given = <ArrowArray *>PyCapsule_GetPointer(exported, "arrow_array")
    if given.length == 0:
        return 0
    write_set_chunk(column, chunk, given)
    return 1


# The arrays do not refer back to their source: the collector need not look at it.
@cython.no_gc
cdef class Source:
    """One column's chunks, looked through; borrows their buffers and holds the arrays."""

    cdef tuple arrays
    cdef Task task

    def __init__(self):
        raise TypeError("only profile makes sources")

    def __dealloc__(self):
        free(self.task.column.chunks)
        free(self.task.found.codes)
        free(self.task.found.entries)

    def facts(self):
        cdef WriteFound *found = &self.task.found
        return (found.rows, found.live, found.nbytes, bool(found.constant),
                found.size if found.kept else None, found.entries_nbytes)

    def nulls(self):
        cdef int64_t size = (self.task.found.rows + 7) >> 3
        if self.task.found.live == self.task.found.rows:
            return None
        packed = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(packed)
        memset(out, 0, size)
        write_nulls(&self.task.column, out)
        return packed

    def plain(self):
        cdef int64_t size = self.task.found.nbytes
        encoded = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(encoded)
        if size < LONG:
            write_plain(&self.task.column, out, out + size)
        else:
            with nogil:
                write_plain(&self.task.column, out, out + size)
        return encoded

    def first(self):
        if self.task.found.live == 0:
            raise ValueError("first: all rows are null")
        return self._encoded(&self.task.found.first, 1, write_cell_size(&self.task.column, &self.task.found.first))

    def entries(self):
        return self._encoded(self.task.found.entries, self.task.found.size, self.task.found.entries_nbytes)

    def codes(self, int width):
        cdef int64_t size = (self.task.found.live * width + 7) >> 3
        if size == 0:
            return b""
        if self.task.found.codes is NULL or not 0 < width <= 32:
            raise ValueError(f"width: there are no codes of {width} bits")
        packed = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(packed)
        if size < LONG:
            write_pack(self.task.found.codes, self.task.found.code_size, self.task.found.live, width, out)
        else:
            with nogil:
                write_pack(self.task.found.codes, self.task.found.code_size, self.task.found.live, width, out)
        return packed

    cdef bytes _encoded(self, const WriteCell *cells, int64_t n, int64_t size):
        encoded = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(encoded)
        write_entries(&self.task.column, cells, n, out, out + size)
        return encoded


cdef Source borrow(object layout, object arrays):
    cdef Source source = Source.__new__(Source)
    cdef WriteColumn *column = &source.task.column
    source.arrays = tuple(arrays)
    set_layout(column, layout)
    column.chunks = <WriteChunk *>malloc((len(source.arrays) + 1) * sizeof(WriteChunk))
    if column.chunks is NULL:
        raise MemoryError
    for array in source.arrays:
        column.count += set_chunk(column, array, column.chunks + column.count)
    return source


def profile(object columns, object max_entries, object max_nbytes):
    """A ``Source`` for each (layout, arrays)."""
    cdef list sources = [borrow(layout, arrays) for layout, arrays in columns]
    cdef int64_t count = len(sources), i, entries = min(max_entries, INT64_MAX), nbytes = min(max_nbytes, INT64_MAX)
    cdef Task **tasks = <Task **>malloc((count + 1) * sizeof(void *))
    cdef WriteTable table
    cdef int status = 0
    if tasks is NULL:
        raise MemoryError
    memset(&table, 0, sizeof(table))
    for i in range(count):
        tasks[i] = &(<Source>sources[i]).task
    with nogil:
        for i in range(count):
            status = write_profile(&tasks[i].column, &table, entries, nbytes, &tasks[i].found)
            if status:
                break
    free(tasks)
    free(table.slots)
    free(table.entries)
    if status == WRITE_TOO_LARGE:
        raise EncodeError("a decimal does not fit 64 bits", path=f"[{i}]")
    if status:
        raise MemoryError
    return sources


def encoded_nbytes(object layout, object array):
    """The size of the values that are not null."""
    cdef WriteColumn column
    cdef WriteChunk chunk
    memset(&column, 0, sizeof(column))
    set_layout(&column, layout)
    if not set_chunk(&column, array, &chunk):
        return 0
    return write_chunk_size(&column, &chunk)
