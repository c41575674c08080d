"""Part of ``write.pyx``: columns of record batches without pyarrow arrays, and copies of many as one."""


@cython.final
@cython.no_gc
cdef class BatchSchema:
    """The formats of the columns of batches with one schema, given as a capsule."""

    cdef object capsule
    cdef ArrowSchema *root
    cdef WriteFormat *formats

    def __cinit__(self, capsule):
        cdef int64_t i
        self.capsule = capsule
        self.root = <ArrowSchema *>PyCapsule_GetPointer(capsule, "arrow_schema")
        self.formats = <WriteFormat *>malloc((self.root.n_children + 1) * sizeof(WriteFormat))
        if self.formats is NULL:
            raise MemoryError
        for i in range(self.root.n_children):
            self.formats[i] = write_format(self.root.children[i])

    def __dealloc__(self):
        free(self.formats)


@cython.final
@cython.no_gc
cdef class BatchColumn:
    """A column of a batch, whose buffers it borrows: what writers ask of an array, at a fraction of an array's cost."""

    cdef object owner
    cdef BatchSchema schema
    cdef int64_t number
    cdef ArrowArray array

    def __len__(self):
        return self.array.length

    @property
    def null_count(self):
        """How many rows are null."""
        cdef WriteChunk chunk
        if self.array.null_count == 0 or self.array.n_buffers == 0 or self.array.buffers[0] is NULL:
            return 0
        chunk.valid, chunk.offset, chunk.length = <const uint8_t *>self.array.buffers[0], self.array.offset, self.array.length
        return write_count_nulls(&chunk)

    def slice(self, int64_t start, length=None):
        """The rows from ``start`` on, ``length`` of them at most."""
        cdef BatchColumn part = BatchColumn.__new__(BatchColumn)
        start = max(0, min(start, self.array.length))
        part.owner, part.schema, part.number, part.array = self.owner, self.schema, self.number, self.array
        part.array.offset += start
        part.array.length -= start
        if length is not None and length < part.array.length:
            part.array.length = max(0, length)
        if self.array.null_count != 0:
            part.array.null_count = -1
        return part


@cython.final
@cython.no_gc
cdef class Exported:
    """The arrays that a record batch lends."""

    cdef ArrowArray array

    def __dealloc__(self):
        if self.array.release is not NULL:
            self.array.release(&self.array)


def batch_columns(object batch, BatchSchema schema not None):
    """The columns of a record batch as `BatchColumn`; ``schema`` is its own or an equal one."""
    cdef Exported owner = Exported.__new__(Exported)
    batch._export_to_c(<uintptr_t>&owner.array)
    cdef list found = []
    cdef BatchColumn column
    cdef int64_t i
    if owner.array.offset:
        raise ValueError("batch: its columns begin elsewhere")
    if owner.array.n_children != schema.root.n_children:
        raise ValueError(f"batch: {owner.array.n_children} columns, not {schema.root.n_children}")
    for i in range(owner.array.n_children):
        column = BatchColumn.__new__(BatchColumn)
        column.owner, column.schema, column.number, column.array = owner, schema, i, owner.array.children[i][0]
        found.append(column)
    return found


@cython.final
@cython.no_gc
cdef class GrownColumn:
    """The rows of many arrays of one type, copied one after the other."""

    cdef BatchSchema schema
    cdef int64_t number
    cdef ColumnsGrown grown

    def __dealloc__(self):
        columns_grown_free(&self.grown)

    def column(self):
        """All rows as `BatchColumn`; no more can be added."""
        cdef BatchColumn found = BatchColumn.__new__(BatchColumn)
        found.owner, found.schema, found.number, found.array = self, self.schema, self.number, self.grown.array
        return found


def grown_column(object like):
    """An empty column for arrays as this one is, or None where they have no simple buffers."""
    if type(like) is not BatchColumn:
        return None
    cdef GrownColumn column = GrownColumn.__new__(GrownColumn)
    # The schema alone: what the batch lends is given back.
    column.schema, column.number = (<BatchColumn>like).schema, (<BatchColumn>like).number
    return None if columns_grow_as(&column.grown, column.schema.formats[column.number]) else column


def grow(list grown, list columns):
    """Adds the rows of each column to those that are there: a `GrownColumn`, or a list of arrays."""
    cdef Py_ssize_t i
    cdef int failed
    if len(grown) != len(columns):
        raise ValueError(f"columns: {len(columns)}, not {len(grown)}")
    for i in range(len(grown)):
        if type(grown[i]) is list:
            (<list>grown[i]).append(columns[i])
            continue
        failed = columns_grow(&(<GrownColumn?>grown[i]).grown, &(<BatchColumn?>columns[i]).array)
        if failed == COLUMNS_TOO_LONG:
            raise OverflowError("column: more bytes than an Arrow array holds")
        if failed:
            raise MemoryError
