# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""The machine that runs offset scans (``lakecodec.runtime.columns.scan``)."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_FillInfo, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from .plan cimport ColumnPlace, ColumnPlan, fill_layout


cdef extern from "offset_scan.h" nogil:
    enum: SCAN_END
    int scan_run(const ScanStep *steps, Scan *scan)
    int64_t scan_offsets(const int64_t *sizes, int64_t count, int32_t *offsets)
    void scan_gather(const uint8_t *data, const int64_t *starts, const int32_t *offsets, int64_t count, uint8_t *out)
    int64_t *scan_element(const Scan *scan, int32_t array, int64_t index)


cdef class Layouts:
    """The layouts of a list of types."""

    def __cinit__(self, layouts):
        self.count = len(layouts)
        self.plans = <ColumnPlan *>calloc(self.count + 1, sizeof(ColumnPlan))
        if self.plans is NULL:
            raise MemoryError

    def __init__(self, layouts):
        cdef int64_t i
        for i in range(self.count):
            fill_layout(&self.plans[i], layouts[i])

    def __dealloc__(self):
        free(self.plans)


cdef class ColumnParts:
    """The arrays that tell where what makes a column lies."""

    def __cinit__(self, values, constant, nulls, codes):
        cdef int i
        if len(values) > MAX_SOURCES:
            raise ValueError("values: more sources than there is room for")
        self.value_count, self.constant = len(values), constant
        for i in range(self.value_count):
            found(&self.values[i], values[i])
        found(&self.nulls, nulls)
        found(&self.codes, codes)

    cdef int fill(self, ColumnPlace *place, const Scan *scan, int64_t number) noexcept nogil:
        """Where a column lies; -1 where there is no such column."""
        cdef int i
        memset(place, 0, sizeof(ColumnPlace))
        place.values_start = place.nulls_start = place.codes_start = -1
        for i in range(self.value_count):
            if is_there(scan, &self.values[i], number):
                place.constant = i == self.constant
                if copy(scan, &self.values[i], number, &place.values_start):
                    return -1
        if is_there(scan, &self.nulls, number) and copy(scan, &self.nulls, number, &place.nulls_start):
            return -1
        if is_there(scan, &self.codes, number) and copy(scan, &self.codes, number, &place.codes_start):
            return -1
        return 0


cdef class Numbers:
    """64-bit numbers that were found, as a buffer."""

    cdef int64_t *at
    cdef Py_ssize_t count

    def __dealloc__(self):
        free(self.at)

    def __getbuffer__(self, Py_buffer *view, int flags):
        cdef void *at = self.at
        if at is NULL:
            at = &self.count
        PyBuffer_FillInfo(view, self, at, self.count * sizeof(int64_t), 1, flags)

    def __releasebuffer__(self, Py_buffer *view):
        pass


cdef Numbers taken(ScanArray *array):
    """The numbers of an array, which is empty afterwards."""
    cdef Numbers made = Numbers.__new__(Numbers)
    made.at, made.count = array.at, array.used
    array.at = NULL
    array.used = array.room = 0
    return made


def texts(const uint8_t[::1] data not None, const int64_t[::1] starts not None, const int64_t[::1] sizes not None):
    """Pieces of bytes that a scan has found, put together: 32-bit offsets, and bytes.

    Raises:
        OverflowError: they are too many for 32 bits.
    """
    cdef int64_t count = starts.shape[0], total, i
    cdef bytes offsets = PyBytes_FromStringAndSize(NULL, (count + 1) * sizeof(int32_t)), made
    cdef uint8_t *out
    cdef int32_t *at = <int32_t *>PyBytes_AS_STRING(offsets)
    if sizes.shape[0] != count:
        raise ValueError("starts, sizes: one of each piece is needed")
    for i in range(count):
        if sizes[i] < 0 or starts[i] < 0 or sizes[i] > data.shape[0] - starts[i]:
            raise ValueError("starts, sizes: a piece is outside the data")
    total = scan_offsets(&sizes[0] if count else NULL, count, at)
    if total < 0:
        raise OverflowError("the bytes of a column need offsets of more than 32 bits")
    made = PyBytes_FromStringAndSize(NULL, total)
    out = <uint8_t *>PyBytes_AS_STRING(made)
    if total:
        with nogil:
            scan_gather(&data[0], &starts[0], at, count, out)
    return offsets, made


cdef class Machine:
    """An offset scan as it runs."""

    def __cinit__(self, steps, scalars, lists, end, given):
        cdef int64_t i, k = 0
        if not steps or steps[len(steps) - 1][0] != SCAN_END or not 0 <= end < len(scalars) or (given and not 0 <= min(given) <= max(given) < len(scalars)):
            raise ValueError("steps, end, given: no program of these scalars")
        self.step_count, self.scalar_count, self.given_count = len(steps), len(scalars), len(given)
        self.list_count, self.array_count, self.end = len(lists), sum(map(len, lists)), end
        self.steps = <ScanStep *>calloc(self.step_count + 1, sizeof(ScanStep))
        self.initial = <int64_t *>calloc(self.scalar_count + 1, sizeof(int64_t))
        self.given = <int32_t *>calloc(self.given_count + 1, sizeof(int32_t))
        self.members = <int32_t *>calloc(self.array_count + 1, sizeof(int32_t))
        self.lists = <ScanList *>calloc(self.list_count + 1, sizeof(ScanList))
        if self.steps is NULL or self.initial is NULL or self.given is NULL or self.members is NULL or self.lists is NULL:
            raise MemoryError
        for i in range(self.step_count):
            self.steps[i].op, self.steps[i].a, self.steps[i].b, self.steps[i].c = steps[i]
        for i in range(self.scalar_count):
            self.initial[i] = scalars[i]
        for i in range(self.given_count):
            self.given[i] = given[i]
        for i in range(self.list_count):
            self.lists[i].arrays, self.lists[i].count = self.members + k, len(lists[i])
            for number in lists[i]:
                self.members[k] = number
                k += 1

    def __dealloc__(self):
        free(self.steps)
        free(self.initial)
        free(self.given)
        free(self.members)
        free(self.lists)

    def numbers(self, arrays, buffer, Layouts layouts not None, parameters):
        """The variables of some arrays, as buffers of 64-bit numbers; None where the buffer is refused.

        Args:
            arrays: their numbers, of an array once; that of a scalar is -1 - it.
            buffer: with a record.
            layouts: those of the list of types.
            parameters: what is given.
        """
        cdef int64_t i
        cdef int32_t array
        cdef int refused
        cdef Py_buffer view
        cdef Scan scan
        cdef int64_t *arguments = <int64_t *>malloc((self.given_count + 1) * sizeof(int64_t))
        if arguments is NULL:
            raise MemoryError
        try:
            for i in range(self.given_count):
                arguments[i] = parameters[i]
            PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
            try:
                with nogil:
                    refused = self.open(&scan, layouts) or self.run(&scan, <const uint8_t *>view.buf, view.len, arguments)
                found = None if refused else []
                for array in arrays if found is not None else ():
                    if not -self.scalar_count <= array < self.array_count:
                        raise IndexError(f"arrays: {array} is none of them")
                    if array < 0:
                        found.append(PyBytes_FromStringAndSize(<char *>&scan.scalars[-1 - array], sizeof(int64_t)))
                    else:
                        found.append(taken(&scan.arrays[array]))
            finally:
                self.close(&scan)
                PyBuffer_Release(&view)
        finally:
            free(arguments)
        return found

    def each(self, scalars, const uint8_t[::1] data, const int64_t[::1] starts, const int64_t[::1] sizes, parameters):
        """Whether each of some records in a buffer is accepted, and variables of each that is: bytes, and 64-bit numbers.

        Args:
            scalars: the numbers of the variables.
            data: has the records.
            starts, sizes: where each is.
            parameters: what is given, as 64-bit numbers for each record.
        """
        cdef int64_t count = starts.shape[0], wanted = len(scalars), given = self.given_count, i, k
        cdef int64_t *memory = <int64_t *>malloc((wanted + count * given + 1) * sizeof(int64_t))
        cdef int64_t *arguments = memory + wanted
        cdef const int64_t[::1] parameter
        cdef bytes accepted = PyBytes_FromStringAndSize(NULL, count)
        cdef list found = [PyBytes_FromStringAndSize(NULL, count * sizeof(int64_t)) for _ in scalars]
        cdef int64_t **out = <int64_t **>malloc((wanted + 1) * sizeof(int64_t *))
        cdef char *is_accepted = PyBytes_AS_STRING(accepted)
        cdef Layouts none = Layouts([])
        cdef Scan scan
        cdef int refused
        try:
            if memory is NULL or out is NULL:
                raise MemoryError
            if sizes.shape[0] != count:
                raise ValueError("starts, sizes: one of each record is needed")
            for k in range(wanted):
                memory[k] = scalars[k]
                if not 0 <= memory[k] < self.scalar_count:
                    raise IndexError(f"scalars: {memory[k]} is none of them")
                out[k] = <int64_t *>PyBytes_AS_STRING(found[k])
            for k in range(given):
                parameter = parameters[k]
                if parameter.shape[0] != count:
                    raise ValueError("parameters: one for each record is needed")
                for i in range(count):
                    arguments[i * given + k] = parameter[i]
            with nogil:
                refused = self.open(&scan, none)
                for i in range(count):
                    is_accepted[i] = not refused and 0 <= starts[i] <= data.shape[0] and (
                        0 <= sizes[i] <= data.shape[0] - starts[i]
                    ) and not self.run(&scan, &data[0] + starts[i], sizes[i], arguments + i * given)
                    for k in range(wanted):
                        out[k][i] = scan.scalars[memory[k]] if is_accepted[i] else 0
                self.close(&scan)
        finally:
            free(memory)
            free(out)
        return accepted, found

    cdef int open(self, Scan *scan, Layouts layouts) noexcept nogil:
        """Makes variables, which `close` frees whatever is returned."""
        memset(scan, 0, sizeof(Scan))
        scan.layouts, scan.types = layouts.plans, layouts.count
        scan.scalars = <int64_t *>malloc((self.scalar_count + 1) * sizeof(int64_t))
        scan.arrays = <ScanArray *>calloc(self.array_count + 1, sizeof(ScanArray))
        scan.lists = <ScanList *>malloc((self.list_count + 1) * sizeof(ScanList))
        return -1 if scan.scalars is NULL or scan.arrays is NULL or scan.lists is NULL else 0

    cdef void close(self, Scan *scan) noexcept nogil:
        cdef int64_t i
        if scan.arrays is not NULL:
            for i in range(self.array_count):
                free(scan.arrays[i].at)
        free(scan.scalars)
        free(scan.arrays)
        free(scan.lists)

    cdef int run(self, Scan *scan, const uint8_t *data, int64_t size, const int64_t *arguments) noexcept nogil:
        cdef int64_t i
        scan.data, scan.size = data, size
        memcpy(scan.scalars, self.initial, self.scalar_count * sizeof(int64_t))
        memcpy(scan.lists, self.lists, self.list_count * sizeof(ScanList))
        for i in range(self.array_count):
            scan.arrays[i].used = 0
        scan.scalars[self.end] = scan.size
        for i in range(self.given_count):
            scan.scalars[self.given[i]] = arguments[i]
        return scan_run(self.steps, scan)


cdef int found(Found *made, arrays) except -1:
    made.present, made.first, made.second, made.third = arrays
    return 0


cdef bint is_there(const Scan *scan, const Found *arrays, int64_t number) noexcept nogil:
    cdef const int64_t *there
    if arrays.present < 0:
        return True
    there = scan_element(scan, arrays.present, number)
    return there is not NULL and there[0] != 0


cdef int copy(const Scan *scan, const Found *arrays, int64_t number, int64_t *out) noexcept nogil:
    cdef const int64_t *first = scan_element(scan, arrays.first, number)
    cdef const int64_t *second = scan_element(scan, arrays.second, number)
    cdef const int64_t *third = scan_element(scan, arrays.third, number)
    if first is NULL or second is NULL or third is NULL:
        return -1
    out[0], out[1], out[2] = first[0], second[0], third[0]
    return 0
