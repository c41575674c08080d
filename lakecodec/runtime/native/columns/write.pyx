# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Looking through columns and encoding them: compiled twin of ``runtime.columns.pure_profile`` and ``pure_write``."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport Py_INCREF, Py_XDECREF
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from ...errors import EncodeError


cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        pass
    object PyType_GenericAlloc(PyTypeObject *cls, Py_ssize_t items)


cdef extern from "structmember.h":
    ctypedef struct PyMemberDef:
        Py_ssize_t offset
    ctypedef struct PyMemberDescrObject:
        PyMemberDef *d_member


cdef extern from "arrow.h" nogil:
    struct ArrowSchema:
        const char *format
        int64_t n_children
        ArrowSchema **children
    struct ArrowArray:
        int64_t length, null_count, offset, n_buffers, n_children
        const void **buffers
        ArrowArray **children
        void (*release)(ArrowArray *) noexcept
    ctypedef struct WriteFormat:
        pass
    WriteFormat write_format(const ArrowSchema *schema)
    int write_set_form(WriteColumn *column, WriteFormat given)
    void write_set_chunk(const WriteColumn *column, WriteChunk *chunk, const ArrowArray *array)


cdef extern from "collect.h" nogil:
    enum: COLUMNS_TOO_LONG
    ctypedef struct ColumnsGrown:
        ArrowArray array
    int columns_grow_as(ColumnsGrown *grown, WriteFormat given)
    int columns_grow(ColumnsGrown *grown, const ArrowArray *array)
    void columns_grown_free(ColumnsGrown *grown)


cdef extern from "profile.h" nogil:
    enum: WRITE_TOO_LARGE
    ctypedef struct WriteCell:
        pass
    ctypedef struct WriteSlot:
        pass
    ctypedef struct WriteKey:
        pass
    ctypedef struct WriteChunk:
        int64_t nulls, offset, length
        const uint8_t *valid
    ctypedef struct WriteColumn:
        int kind, form, stride, width, big
        int64_t unit, count
        WriteChunk *chunks
    ctypedef struct WriteTable:
        WriteSlot *slots
        WriteKey *keys
        WriteCell *entries
    ctypedef struct WriteFound:
        int64_t rows, live, nbytes, size, entries_nbytes
        int constant, kept, code_size
        void *codes
        WriteCell *entries
        WriteCell first
    int64_t write_count_nulls(const WriteChunk *chunk)
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
    WriteChunk only


# A layout that was looked at, and what it said.
ctypedef struct KnownLayout:
    PyObject *layout
    int kind, width, big
    int64_t unit


cdef enum:
    # Bytes from which on others may run meanwhile.
    LONG = 1 << 16


cdef KnownLayout known_layouts[64]


cdef int set_layout(WriteColumn *column, object layout) except -1:
    cdef KnownLayout *known = &known_layouts[(<uintptr_t><PyObject *>layout >> 4) & 63]
    if known.layout is not <PyObject *>layout:
        column.kind, column.width, column.big, column.unit = layout.kind, layout.width, layout.big, layout.unit
        Py_INCREF(layout)
        Py_XDECREF(known.layout)
        known.layout = <PyObject *>layout
        known.kind, known.width, known.big, known.unit = column.kind, column.width, column.big, column.unit
    column.kind, column.width, column.big, column.unit = known.kind, known.width, known.big, known.unit
    return 0


include "batch_columns.pxi"


cdef int set_chunk(WriteColumn *column, object array, WriteChunk *chunk) except -1:
    cdef BatchColumn part
    if type(array) is BatchColumn:
        part = <BatchColumn>array
        if write_set_form(column, part.schema.formats[part.number]):
            raise TypeError(f"array: {part.schema.root.children[part.number].format.decode()} cannot hold the values of the layout")
        if part.array.length == 0:
            return 0
        write_set_chunk(column, chunk, &part.array)
        return 1
    schema, exported = array.__arrow_c_array__()
    if write_set_form(column, write_format(<ArrowSchema *>PyCapsule_GetPointer(schema, "arrow_schema"))):
        raise TypeError(f"array: {array.type} cannot hold the values of the layout")
    cdef ArrowArray *given = <ArrowArray *>PyCapsule_GetPointer(exported, "arrow_array")
    if given.length == 0:
        return 0
    write_set_chunk(column, chunk, given)
    return 1


# The arrays do not refer back to their source: the collector need not look at it.
@cython.final
@cython.no_gc
cdef class Source:
    """One column's chunks, looked through; borrows their buffers and holds the arrays."""

    cdef tuple arrays
    cdef Task task

    def __init__(self):
        raise TypeError("only profile makes sources")

    def __dealloc__(self):
        if self.task.column.chunks is not &self.task.only:
            free(self.task.column.chunks)
        free(self.task.found.codes)
        free(self.task.found.entries)

    def facts(self):
        cdef WriteFound *found = &self.task.found
        return (found.rows, found.live, found.nbytes, bool(found.constant),
                found.size if found.kept else None, found.entries_nbytes)

    cpdef nulls(self):
        cdef int64_t size = (self.task.found.rows + 7) >> 3
        if self.task.found.live == self.task.found.rows:
            return None
        packed = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(packed)
        memset(out, 0, size)
        write_nulls(&self.task.column, out)
        return packed

    cpdef plain(self):
        cdef int64_t size = self.task.found.nbytes
        encoded = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(encoded)
        if size < LONG:
            write_plain(&self.task.column, out, out + size)
        else:
            with nogil:
                write_plain(&self.task.column, out, out + size)
        return encoded

    cpdef first(self):
        if self.task.found.live == 0:
            raise ValueError("first: all rows are null")
        return self._encoded(&self.task.found.first, 1, write_cell_size(&self.task.column, &self.task.found.first))

    cpdef entries(self):
        return self._encoded(self.task.found.entries, self.task.found.size, self.task.found.entries_nbytes)

    cpdef codes(self, int width):
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
    if len(source.arrays) < 2:
        column.chunks = &source.task.only
    else:
        column.chunks = <WriteChunk *>malloc(len(source.arrays) * sizeof(WriteChunk))
        if column.chunks is NULL:
            raise MemoryError
    for array in source.arrays:
        column.count += set_chunk(column, array, column.chunks + column.count)
    return source


def profile(list layouts, list arrays, object max_entries, object max_nbytes):
    """A ``Source`` for each layout and the arrays of its column."""
    cdef int64_t count = len(layouts), i
    if len(arrays) != count:
        raise ValueError("arrays: those of one column for each layout are needed")
    cdef list sources = [borrow(layouts[i], arrays[i]) for i in range(count)]
    cdef int64_t entries = min(max_entries, INT64_MAX), nbytes = min(max_nbytes, INT64_MAX)
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
    free(table.keys)
    if status == WRITE_TOO_LARGE:
        raise EncodeError("a decimal does not fit 64 bits", path=f"[{i}]")
    if status:
        raise MemoryError
    return sources


def facts(list sources):
    """What `Source.facts` says of each as 64-bit numbers, a row a fact; -1 for entries that are too many."""
    cdef int64_t count = len(sources), i
    table = PyBytes_FromStringAndSize(NULL, 6 * count * sizeof(int64_t))
    cdef int64_t *out = <int64_t *>PyBytes_AS_STRING(table)
    cdef WriteFound *found
    for i in range(count):
        found = &(<Source?>sources[i]).task.found
        out[i], out[count + i], out[2 * count + i] = found.rows, found.live, found.nbytes
        out[3 * count + i] = found.constant
        out[4 * count + i] = found.size if found.kept else -1
        out[5 * count + i] = found.entries_nbytes
    return table


cdef class Slots:
    """The class of packed numbers or of encoded values, and where its attributes lie."""

    cdef type cls
    cdef Py_ssize_t offsets[5]

    def __init__(self, type cls, *names):
        self.cls = cls
        for i, name in enumerate(names):
            self.offsets[i] = (<PyMemberDescrObject *><PyObject *>cls.__dict__[name]).d_member.offset


cdef inline void set_slot(object made, Py_ssize_t offset, object value) noexcept:
    Py_INCREF(value)
    (<PyObject **>(<char *><PyObject *>made + offset))[0] = <PyObject *>value


cdef object packed_numbers(Slots slots, bytes data, int64_t count, int width):
    made = PyType_GenericAlloc(<PyTypeObject *>slots.cls, 0)
    set_slot(made, slots.offsets[0], data)
    set_slot(made, slots.offsets[1], 0)
    set_slot(made, slots.offsets[2], count)
    set_slot(made, slots.offsets[3], width)
    return made


cdef object encoded_values(Slots slots, object layout, bytes data, int64_t count):
    made = PyType_GenericAlloc(<PyTypeObject *>slots.cls, 0)
    set_slot(made, slots.offsets[0], data)
    set_slot(made, slots.offsets[1], 0)
    set_slot(made, slots.offsets[2], count)
    set_slot(made, slots.offsets[3], len(data))
    set_slot(made, slots.offsets[4], layout)
    return made


cdef Slots bits_slots = None
cdef Slots values_slots = None


def use_columns(type bits, type values):
    """The classes of what `forms` makes."""
    global bits_slots, values_slots
    bits_slots = Slots(bits, "data", "start", "count", "width")
    values_slots = Slots(values, "data", "start", "count", "end", "layout")


def forms(list sources, list layouts, list chosen):
    """Five lists with an item a source: null bits, all values, the first one, distinct ones, codes; see `Profiles.forms`."""
    if bits_slots is None:
        raise TypeError("forms: use_columns comes first")
    cdef int64_t count = len(sources), i
    cdef list nulls = [None] * count, plain = [None] * count, first = [None] * count
    cdef list entries = [None] * count, codes = [None] * count
    cdef Source source
    cdef WriteFound *found
    cdef int form, width
    if len(layouts) != count or len(chosen) != count:
        raise ValueError("layouts, chosen: one of each source is needed")
    for i in range(count):
        form = chosen[i]
        source = sources[i]
        found = &source.task.found
        if form == 0:
            continue
        if 0 < found.live < found.rows:
            nulls[i] = packed_numbers(bits_slots, source.nulls(), found.rows, 1)
        if form == 1:
            plain[i] = encoded_values(values_slots, layouts[i], source.plain(), found.live)
        elif form == 2:
            first[i] = encoded_values(values_slots, layouts[i], source.first(), 1)
        else:
            if not found.kept:
                raise ValueError("chosen: there are more distinct values than the limits allow")
            width = 0
            while found.size > 1 and (found.size - 1) >> width:
                width += 1
            entries[i] = encoded_values(values_slots, layouts[i], source.entries(), found.size)
            codes[i] = packed_numbers(bits_slots, source.codes(width), found.live, width)
    return nulls, plain, first, entries, codes


def encoded_sizes(list layouts, list arrays):
    """The encoded size of all values that are not null, and that of the largest column with its null bitmap."""
    cdef WriteColumn column
    cdef WriteChunk chunk
    cdef int64_t total = 0, most = 0, size, i, count = len(arrays)
    if len(layouts) != count:
        raise ValueError("arrays: one for each layout is needed")
    for i in range(count):
        memset(&column, 0, sizeof(column))
        set_layout(&column, layouts[i])
        if not set_chunk(&column, arrays[i], &chunk):
            continue
        size = write_chunk_size(&column, &chunk)
        total += size
        most = max(most, size + chunk.length // 8)
    return total, most
