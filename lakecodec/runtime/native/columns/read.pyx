# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
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


cdef extern from "common/pool.h":
    int pool_share() except -1

pool_share()


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


include "decoded_columns.pxi"
include "decode_blocks.pxi"


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
