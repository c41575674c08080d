"""Part of ``read.pyx``: columns of whole blocks, located by an offset scan and decoded by one call."""


cdef void fill_from_place(Column *c, const ColumnPlace *p, const Py_buffer *view) noexcept nogil:
    cdef const uint8_t *base = <const uint8_t *>view.buf
    if p.values_start >= 0:
        c.has_values, c.constant = 1, p.constant != 0
        c.values.start, c.values.end = base + p.values_start, base + p.values_end
        c.values.limit, c.values.count = base + view.len, p.values_count
    if p.nulls_start >= 0:
        c.has_nulls, c.nulls = 1, base + p.nulls_start
        c.nulls_count, c.nulls_width = p.nulls_count, <int>p.nulls_width
    if p.codes_start >= 0:
        c.has_codes, c.codes = 1, base + p.codes_start
        c.codes_count, c.codes_width = p.codes_count, <int>p.codes_width


cdef int64_t decode_groups(Column *columns, int64_t groups, int64_t size, int64_t limit,
                           ColumnRoom *room) noexcept nogil:
    """The first column that fails, or -1."""
    cdef int64_t i, failed
    for i in range(groups):
        failed = columns_decode(columns + i * size, size, limit, room)
        if failed >= 0:
            return i * size + failed
    return -1


cdef int join_groups(const Column *columns, int64_t groups, int64_t size, Column *joined,
                     ColumnRoom *room) noexcept nogil:
    """The columns of small groups as those of one; 0 where they stay as they are, -1 without memory."""
    cdef int64_t k, nbytes = columns_nbytes(columns, groups * size)
    if groups < 2 or nbytes > COLUMNS_MOST_JOINED:
        return 0
    if room is not NULL:
        room.expected = nbytes + size * column_frame(0)
    for k in range(size):
        joined[k].room = room
        if columns_join(columns + k, groups, size, joined + k):
            return -1
    return 1


@cython.final
@cython.no_gc
cdef class ColumnMemory:
    """Memory that the columns of one call after the other share; each part of it is freed with the last of its columns.

    Args:
        is_large: whether they need megabytes.
    """

    cdef ColumnRoom room

    def __cinit__(self, bint is_large):
        memset(&self.room, 0, sizeof(self.room))
        self.room.is_large = is_large

    def __dealloc__(self):
        columns_leave_room(&self.room)


cdef int fill_groups(Column *c, Machine machine, ColumnParts parts, BlockTypes types, const int64_t *numbers, int64_t size,
                     const Py_buffer *views, int64_t groups, const int64_t *arguments) noexcept nogil:
    """Columns of some numbers as each buffer has them; -1 where one is refused."""
    cdef Scan scan
    cdef ColumnPlace place
    cdef int64_t i, k
    cdef int refused = machine.open(&scan, types)
    for i in range(groups):
        if refused:
            break
        refused = machine.run(&scan, <const uint8_t *>views[i].buf, views[i].len, arguments + i * machine.given_count)
        for k in range(size):
            if refused:
                break
            refused = parts.fill(&place, &scan, numbers[k])
            fill_from_place(c, &place, &views[i])
            c += 1
    machine.close(&scan)
    return refused


cdef int given_numbers(int64_t *out, int64_t stride, int64_t count, object given) except -1:
    """A number for each of some buffers, of which there may be one for all."""
    cdef int64_t i, one
    if isinstance(given, int):
        one = given
        for i in range(count):
            out[i * stride] = one
    else:
        if len(given) != count:
            raise ValueError(f"{count} numbers are needed, not {len(given)}")
        for i in range(count):
            out[i * stride] = given[i]
    return 0


def decode_blocks(Machine machine not None, ColumnParts parts not None, BlockTypes types not None, numbers, blocks,
                  parameters, rows, limit, ColumnMemory shared):
    """Some columns of each block. None where bytes break a rule.

    Args:
        machine, parts: the offset scan, and what tells where columns lie.
        types: of all columns of a block.
        numbers: of the wanted columns.
        blocks: buffers with a record each.
        parameters: what is given to the scan: a number for all blocks, or one for each.
        rows: of all wanted columns, a number a block.
        limit: that of `decode_columns`, for each block.
        shared: memory that columns have together, of one call at a time; None for memory of its own for each.

    Returns:
        The `DecodedColumns` of each block; one for all blocks together where these are small.
    """
    cdef list chosen = list(numbers)
    cdef int64_t size = len(chosen), groups = len(blocks), given = machine.given_count, i, k
    cdef int64_t left = min(limit, INT64_MAX), failed = -1
    # After the columns of the blocks is room for the joined ones.
    cdef Column *columns = <Column *>calloc(size * (groups + 1) + 1, sizeof(Column))
    cdef Column *joined = columns + size * groups
    cdef int64_t *wanted = <int64_t *>malloc((size + groups * (given + 1) + 1) * sizeof(int64_t))
    cdef int64_t *lengths = wanted + size
    cdef int64_t *arguments = lengths + groups
    cdef Borrowed borrowed = Borrowed(groups)
    cdef int refused, are_joined = 0
    # What is joined is not needed afterwards.
    cdef ColumnRoom apart
    cdef ColumnRoom *room = NULL if shared is None else &shared.room
    cdef ColumnRoom *first = room if room is NULL or groups == 1 else &apart
    memset(&apart, 0, sizeof(apart))
    try:
        if columns is NULL or wanted is NULL:
            raise MemoryError
        for k in range(size):
            wanted[k] = chosen[k]
            if not 0 <= wanted[k] < types.count:
                raise IndexError(wanted[k])
        given_numbers(lengths, 1, groups, rows)
        for k in range(given):
            given_numbers(arguments + k, given, groups, parameters[k])
        for i in range(groups):
            borrowed.last = None  # a view a block, also of one that is there twice
            borrowed.take(blocks[i])
            for k in range(size):
                columns[i * size + k].plan = &types.plans[wanted[k]]
                columns[i * size + k].rows = min(lengths[i], MAX_ROWS)
        with nogil:
            refused = fill_groups(columns, machine, parts, types, wanted, size, borrowed.views, groups, arguments)
            if not refused:
                if first is not NULL:
                    first.expected = columns_expected(columns, groups * size)
                failed = decode_groups(columns, groups, size, left, first)
                if failed < 0:
                    are_joined = join_groups(columns, groups, size, joined, room)
        if refused or failed >= 0 or are_joined < 0:
            return None
        if are_joined:
            return [exported(joined, types, chosen)]
        return [exported(columns + i * size, types, chosen) for i in range(groups)]
    finally:
        columns_leave_room(&apart)
        if columns is not NULL:
            for i in range(size * (groups + 1)):
                column_free(&columns[i])
        free(columns)
        free(wanted)
