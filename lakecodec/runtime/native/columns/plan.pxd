"""What the modules of columns share: layouts and places as the kernels take them."""

from libc.stdint cimport int64_t


cdef extern from "column.h" nogil:
    ctypedef struct ColumnPlan:
        int kind, width, big, form, out_width, text
        int64_t unit, least, most


cdef extern from "place.h" nogil:
    ctypedef struct ColumnPlace:
        int64_t values_start, values_end, values_count
        int64_t nulls_start, nulls_count, nulls_width
        int64_t codes_start, codes_count, codes_width
        int64_t constant


cdef inline int fill_layout(ColumnPlan *plan, object layout) except -1:
    plan.kind = layout.kind
    plan.width = layout.width
    plan.big = layout.big
    plan.unit = layout.unit
    plan.least = layout.least
    plan.most = layout.most
    return 0
