"""Part of ``read.pyx``: decoded columns that become pyarrow arrays, or a record batch, when they are asked for."""


@cython.final
@cython.no_gc
cdef class DecodedColumns:
    """Columns of one length: a sequence of pyarrow arrays, which are made when one is asked for."""

    cdef ArrowArray *lent
    cdef int64_t rows, count
    cdef BlockTypes types
    cdef list numbers, arrays

    def __init__(self):
        raise TypeError("only decode_blocks makes decoded columns")

    def __dealloc__(self):
        cdef int64_t i
        if self.lent is not NULL:
            for i in range(self.count):
                if self.lent[i].release is not NULL:
                    self.lent[i].release(&self.lent[i])
            free(self.lent)

    def __len__(self):
        return self.count

    def __iter__(self):
        return iter(self._made())

    def __getitem__(self, i):
        return self._made()[i]

    def null_count(self, int64_t i):
        """The number of nulls of column ``i``."""
        if self.arrays is not None:
            return self.arrays[i].null_count
        if not 0 <= i < self.count:
            raise IndexError(i)
        return self.lent[i].null_count

    cdef list _made(self):
        cdef Plan plan
        cdef int64_t i
        if self.arrays is None:
            take, made = pa.Array._import_from_c, []
            for i in range(self.count):
                if self.lent[i].release is NULL:
                    raise ValueError("decoded columns: they were given to a record batch")
                plan = self.types.each[self.numbers[i]]
                made.append(take(<uintptr_t>&self.lent[i], plan.type))
            self.arrays = made
        return self.arrays


cdef DecodedColumns exported(Column *columns, BlockTypes types, list numbers):
    """Columns of some numbers among the types."""
    cdef DecodedColumns found = DecodedColumns.__new__(DecodedColumns)
    cdef int64_t i, count = len(numbers)
    found.lent = <ArrowArray *>malloc((count + 1) * sizeof(ArrowArray))
    if found.lent is NULL:
        raise MemoryError
    found.types, found.numbers, found.count = types, numbers, count
    found.rows = columns.rows if count else 0
    for i in range(count):
        column_export(columns + i, &found.lent[i])
    return found


def record_batch(list parts, order, schema):
    """A record batch that takes the columns of some `DecodedColumns`, one after the other.

    Args:
        parts: of equally many rows each; nobody has asked for their arrays.
        order: for each column of the batch its number among those of the parts.
        schema: of the batch.
    """
    cdef DecodedColumns part
    cdef ArrowArray batch
    cdef ArrowArray **places
    cdef ArrowArray *column
    cdef int64_t i, place, found = 0, count = len(order), rows = (<DecodedColumns?>parts[0]).rows
    if not isinstance(schema, pa.Schema):  # pyarrow takes an int for an address
        raise TypeError(f"schema: a pyarrow.Schema is needed, not {type(schema).__name__}")
    for given in parts:
        part = given
        if part.rows != rows or part.arrays is not None:
            raise ValueError("parts: columns of one length are needed, which are not arrays yet")
        found += part.count
    places = <ArrowArray **>malloc((found + 1) * sizeof(ArrowArray *))
    if places is NULL or columns_batch(&batch, rows, count):
        free(places)
        raise MemoryError
    try:
        found = 0
        for given in parts:
            part = given
            for i in range(part.count):
                places[found] = &part.lent[i]
                found += 1
        for i in range(count):
            place = order[i]
            if not 0 <= place < found:
                raise IndexError(place)
            column = places[place]
            if column.release is NULL:
                raise ValueError("parts: a column is taken twice")
            batch.children[i][0] = column[0]
            column.release = NULL
        return pa.RecordBatch._import_from_c(<uintptr_t>&batch, schema)
    finally:
        free(places)
        if batch.release is not NULL:
            batch.release(&batch)
