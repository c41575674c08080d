"""The machine of offset scans, for modules that decode what it finds."""

from libc.stdint cimport int32_t, int64_t, uint8_t

from .plan cimport ColumnPlace, ColumnPlan


cdef extern from "offset_scan.h" nogil:
    ctypedef struct ScanStep:
        int32_t op, a, b, c

    ctypedef struct ScanArray:
        int64_t *at
        int64_t used, room

    ctypedef struct ScanList:
        const int32_t *arrays
        int64_t count, used

    ctypedef struct Scan:
        const uint8_t *data
        int64_t size
        const ColumnPlan *layouts
        int64_t types
        int64_t *scalars
        ScanArray *arrays
        ScanList *lists


cdef enum:
    MAX_SOURCES = 4


cdef struct Found:
    int present, first, second, third


cdef class Layouts:
    cdef ColumnPlan *plans
    cdef int64_t count


cdef class ColumnParts:
    cdef Found values[MAX_SOURCES]
    cdef Found nulls, codes
    cdef int value_count, constant

    cdef int fill(self, ColumnPlace *place, const Scan *scan, int64_t number) noexcept nogil


cdef class Machine:
    cdef ScanStep *steps
    cdef int64_t *initial
    cdef int32_t *given
    cdef int32_t *members
    cdef ScanList *lists
    cdef int64_t step_count, scalar_count, array_count, list_count, given_count
    cdef int32_t end

    cdef int open(self, Scan *scan, Layouts layouts) noexcept nogil
    cdef void close(self, Scan *scan) noexcept nogil
    cdef int run(self, Scan *scan, const uint8_t *data, int64_t size, const int64_t *arguments) noexcept nogil
