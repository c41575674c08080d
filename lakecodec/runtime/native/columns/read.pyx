# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Encoded columns to Arrow: compiled twin of ``lakecodec.runtime.columns.pure_read``."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport INT64_MAX, int64_t, uint8_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

import pyarrow as pa

from .offset_scan cimport ColumnParts, Layouts, Machine, Scan
from .plan cimport ColumnPlace, ColumnPlan, fill_layout


cdef extern from "ragged.h" nogil:
    struct ArrowArray:
        int64_t null_count
        ArrowArray **children
        void (*release)(ArrowArray *)

    ctypedef struct ColumnValues:
        const uint8_t *start
        const uint8_t *end
        const uint8_t *limit
        int64_t count

    ctypedef struct ColumnArena:
        pass

    ctypedef struct ColumnRoom:
        int64_t expected
        bint is_large

    ctypedef struct Column:
        const ColumnPlan *plan
        int64_t rows
        ColumnValues values
        const uint8_t *nulls
        const uint8_t *codes
        int64_t nulls_count, codes_count
        int nulls_width, codes_width
        int has_values, has_nulls, has_codes, constant
        ColumnRoom *room
        int rule
        const uint8_t *at

    int RULE_NULLS, RULE_CODES, RULE_CODE, RULE_TRUNCATED, COLUMNS_NO_MEMORY
    int64_t columns_decode(Column *columns, int64_t count, int64_t left, ColumnRoom *room)
    int64_t columns_expected(const Column *columns, int64_t count)
    int64_t column_frame(int64_t rows)
    void columns_leave_room(ColumnRoom *room)
    void column_free(Column *c)
    void column_export(Column *c, ArrowArray *array)
    int columns_batch(ArrowArray *batch, int64_t rows, int64_t count)
    const uint8_t *columns_walk(const ColumnPlan *plan, const uint8_t *p, const uint8_t *end, int64_t count,
                                int64_t *content, int *rule, const uint8_t **at)


cdef extern from "join.h" nogil:
    int COLUMNS_MOST_JOINED
    int64_t columns_nbytes(const Column *columns, int64_t count)
    int columns_join(const Column *parts, int64_t count, int64_t stride, Column *joined)


cdef class Plan:
    """A ``Result`` as the kernels take it."""

    cdef ColumnPlan c
    cdef object layout, type


# Keyed by the identity of layout and type, which the plans keep alive.
cdef dict plans = {}
cdef enum:
    MAX_PLANS = 4096

cdef int64_t MAX_ROWS = <int64_t>1 << 60


cpdef Plan plan_of(object layout, object type):
    """The conversion of values of a layout to an Arrow type, as the kernels take it; TypeError where there is none."""
    key = (id(layout), id(type))
    cdef Plan plan = plans.get(key)
    if plan is None:
        # Whoever imports this module may be on the way of importing that package.
        from ...columns.results import result_of

        result = result_of(layout, type)
        plan = Plan()
        fill_layout(&plan.c, layout)
        plan.c.form = result.form
        plan.c.out_width = result.width
        plan.c.text = result.text
        plan.layout = layout
        plan.type = type
        if len(plans) >= MAX_PLANS:
            plans.clear()
        plans[key] = plan
    return plan


@cython.final
cdef class BlockTypes(Layouts):
    """The conversions of all columns of a block.

    Args:
        plans: `plan_of` each.
    """

    cdef list each

    def __len__(self):
        return self.count

    def __init__(self, plans):
        cdef int64_t i
        cdef Plan plan
        self.each = list(plans)
        for i in range(self.count):
            plan = self.each[i]
            self.plans[i] = plan.c


cdef class Borrowed:
    """The buffers of one call; those of neighbours are mostly the same."""

    cdef list owners
    cdef Py_buffer *views
    cdef int64_t count, room
    cdef object last

    def __cinit__(self, int64_t room):
        self.views = <Py_buffer *>calloc(room + 1, sizeof(Py_buffer))
        if self.views is NULL:
            raise MemoryError
        self.room = room

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.count):
            PyBuffer_Release(&self.views[i])
        free(self.views)

    cdef const Py_buffer *take(self, object data) except NULL:
        if data is not self.last or self.count == 0:
            PyObject_GetBuffer(data, &self.views[self.count], PyBUF_SIMPLE)
            self.count += 1
            self.last = data
        return &self.views[self.count - 1]


cdef const uint8_t *locate(Borrowed buffers, object owner, int64_t nbytes, const uint8_t **limit) except? NULL:
    """Where the bytes of packed numbers or of values begin, and where their buffer ends."""
    cdef const Py_buffer *view = buffers.take(owner.data)
    cdef int64_t start = owner.start
    if start < 0 or nbytes < 0 or start > view.len or nbytes > view.len - start:
        raise ValueError("requests: bytes lie outside their buffer")
    limit[0] = <const uint8_t *>view.buf + view.len
    return <const uint8_t *>view.buf + start


cdef int fill(Column *c, Borrowed buffers, object request, Plan plan) except -1:
    cdef const uint8_t *limit
    cdef int64_t start
    values, nulls, codes = request.values, request.nulls, request.codes
    c.plan = &plan.c
    rows = request.rows
    if rows < 0:
        raise ValueError("requests: a number of rows is negative")
    # No limit and no bitmap allows more, and sizes made of it can still be computed.
    c.rows = min(rows, MAX_ROWS)
    c.constant = request.constant
    if values is not None:
        start = values.start
        c.has_values = 1
        c.values.count = values.count
        c.values.start = locate(buffers, values, <int64_t>values.end - start, &c.values.limit)
        c.values.end = c.values.start + (<int64_t>values.end - start)
    if nulls is not None:
        c.has_nulls = 1
        c.nulls_count, c.nulls_width = nulls.count, nulls.width
        c.nulls = locate(buffers, nulls, (c.nulls_count * c.nulls_width + 7) >> 3, &limit)
    if codes is not None:
        c.has_codes = 1
        c.codes_count, c.codes_width = codes.count, codes.width
        c.codes = locate(buffers, codes, (c.codes_count * c.codes_width + 7) >> 3, &limit)
    return 0


cdef object broken(int rule, offset, bounds, int64_t number=0):
    from ...columns import rules

    return rules.broken(rule, offset, bounds, number)


cdef object error(Column *c, object request, int64_t number):
    cdef const uint8_t *base = c.values.start
    if c.rule == COLUMNS_NO_MEMORY:
        return MemoryError()
    offset = None
    if c.rule == RULE_NULLS:
        offset = request.nulls.start
    elif c.rule == RULE_CODES or c.rule == RULE_CODE:
        offset = request.codes.start
    elif c.at is not NULL:
        offset = request.values.start + (c.at - base)
    return broken(c.rule, offset, request.layout.rule, number)


def decode(requests, limit):
    """See ``decode_columns``."""
    cdef int64_t count = len(requests), failed, i, left = min(limit, INT64_MAX)
    cdef Column *columns
    cdef ArrowArray array
    cdef Borrowed buffers
    cdef list kept = []
    cdef list arrays = []
    cdef Plan plan
    buffers = Borrowed(3 * count)
    columns = <Column *>calloc(count + 1, sizeof(Column))
    if columns is NULL:
        raise MemoryError
    try:
        for i in range(count):
            request = requests[i]
            plan = plan_of(request.layout, request.arrow_type)
            kept.append(plan)
            fill(&columns[i], buffers, request, plan)
        with nogil:
            failed = columns_decode(columns, count, left, NULL)
        if failed >= 0:
            raise error(&columns[failed], requests[failed], failed)
        take = pa.Array._import_from_c
        for i in range(count):
            column_export(&columns[i], &array)
            plan = kept[i]
            try:
                arrays.append(take(<uintptr_t>&array, plan.type))
            finally:
                if array.release is not NULL:
                    array.release(&array)
    finally:
        for i in range(count):
            column_free(&columns[i])
        free(columns)
    return arrays


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


include "decoded_columns.pxi"


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
    cdef int64_t size = len(numbers), groups = len(blocks), given = machine.given_count, i, k
    cdef int64_t left = min(limit, INT64_MAX), failed = -1
    # Behind the columns of the blocks is room for the joined ones.
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
            wanted[k] = numbers[k]
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
            return [exported(joined, types, numbers)]
        return [exported(columns + i * size, types, numbers) for i in range(groups)]
    finally:
        columns_leave_room(&apart)
        if columns is not NULL:
            for i in range(size * (groups + 1)):
                column_free(&columns[i])
        free(columns)
        free(wanted)


def end_of(layout, const uint8_t[::1] data, int64_t start, int64_t end, int64_t count):
    """The position after ``count`` values."""
    cdef ColumnPlan plan
    cdef const uint8_t *base
    cdef const uint8_t *after
    cdef const uint8_t *at = NULL
    cdef int64_t content
    cdef int rule = 0
    if not 0 <= start <= end <= data.shape[0]:
        raise ValueError("data: the values lie outside")
    fill_layout(&plan, layout)
    if plan.width:
        if count > (end - start) // plan.width:
            raise broken(RULE_TRUNCATED, start, "")
        return start + count * plan.width
    if start == end:
        if count:
            raise broken(RULE_TRUNCATED, start, "")
        return start
    base = &data[0]
    after = columns_walk(&plan, base + start, base + end, count, &content, &rule, &at)
    if after is NULL:
        raise broken(rule, at - base, layout.rule)
    return after - base
