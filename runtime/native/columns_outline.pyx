# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The machine that runs outlines (``lakecodec.runtime.columns.outline``)."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from .columns_plan cimport ColumnPlace, ColumnPlan, fill_layout


cdef extern from "columns_outline.h" nogil:
    ctypedef struct OutlineStep:
        int32_t op, a, b, c

    ctypedef struct Outline:
        const uint8_t *data
        int64_t size, pos
        const ColumnPlan *layouts
        int64_t *scalars
        int64_t *arrays
        int64_t room

    int outline_run(const OutlineStep *steps, Outline *o)


cdef enum:
    MAX_SOURCES = 4


cdef struct Found:
    int there, first, second, third


cdef class Layouts:
    """The layouts of a list of types."""

    cdef ColumnPlan *plans
    cdef int64_t count

    def __cinit__(self, layouts):
        cdef int64_t i
        self.count = len(layouts)
        self.plans = <ColumnPlan *>calloc(self.count + 1, sizeof(ColumnPlan))
        if self.plans is NULL:
            raise MemoryError
        for i in range(self.count):
            fill_layout(&self.plans[i], layouts[i])

    def __dealloc__(self):
        free(self.plans)


cdef class Machine:
    """An outline as it runs, and which of its arrays tell where a column lies."""

    cdef OutlineStep *steps
    cdef int64_t *initial
    cdef int64_t step_count, scalar_count, array_count, parameter_count
    cdef int32_t *parameters
    cdef int32_t end
    cdef Found values[MAX_SOURCES]
    cdef Found nulls, codes
    cdef int value_count, constant

    def __cinit__(self, steps, scalars, arrays, end, parameters, values, constant, nulls, codes):
        cdef int64_t i
        self.step_count, self.scalar_count = len(steps), len(scalars)
        self.array_count, self.parameter_count = arrays, len(parameters)
        self.steps = <OutlineStep *>calloc(self.step_count + 1, sizeof(OutlineStep))
        self.initial = <int64_t *>calloc(self.scalar_count + 1, sizeof(int64_t))
        self.parameters = <int32_t *>calloc(self.parameter_count + 1, sizeof(int32_t))
        if self.steps is NULL or self.initial is NULL or self.parameters is NULL:
            raise MemoryError
        for i in range(self.step_count):
            self.steps[i].op, self.steps[i].a, self.steps[i].b, self.steps[i].c = steps[i]
        for i in range(self.scalar_count):
            self.initial[i] = scalars[i]
        for i in range(self.parameter_count):
            self.parameters[i] = parameters[i]
        if len(values) > MAX_SOURCES:
            raise ValueError("values: more sources than there is room for")
        self.end, self.value_count, self.constant = end, len(values), constant
        for i in range(self.value_count):
            found(&self.values[i], values[i])
        found(&self.nulls, nulls)
        found(&self.codes, codes)

    def __dealloc__(self):
        free(self.steps)
        free(self.initial)
        free(self.parameters)

    def places(self, buffers, Layouts layouts not None, numbers, parameters):
        """Where the columns of some numbers lie in each buffer, buffer by buffer; None where any is refused.

        Args:
            buffers: with a record each.
            layouts: those of the list of types, the record's first parameter.
            numbers: of the columns.
            parameters: the other parameters, a tuple a buffer.
        """
        cdef int64_t count = len(buffers), wanted = len(numbers), given = self.parameter_count - 1, i, k
        cdef int64_t variables = self.scalar_count + self.array_count * layouts.count
        cdef int64_t *memory = <int64_t *>malloc((variables + wanted + count * given + 1) * sizeof(int64_t))
        cdef int64_t *columns = memory + variables
        cdef int64_t *arguments = columns + wanted
        cdef Py_buffer *views = <Py_buffer *>calloc(count + 1, sizeof(Py_buffer))
        cdef int64_t held = 0
        cdef bytes made
        cdef ColumnPlace *places
        cdef int refused
        try:
            if memory is NULL or views is NULL:
                raise MemoryError
            for i in range(wanted):
                columns[i] = numbers[i]
                if not 0 <= columns[i] < layouts.count:
                    raise ValueError("numbers: there is no such column")
            for i in range(count):
                for k in range(given):
                    arguments[i * given + k] = parameters[i][k]
                PyObject_GetBuffer(buffers[i], &views[i], PyBUF_SIMPLE)
                held += 1
            made = PyBytes_FromStringAndSize(NULL, count * wanted * sizeof(ColumnPlace))
            places = <ColumnPlace *>PyBytes_AS_STRING(made)
            with nogil:
                refused = self.run(views, count, layouts, columns, wanted, arguments, memory, places)
        finally:
            for i in range(held):
                PyBuffer_Release(&views[i])
            free(views)
            free(memory)
        return None if refused else made

    cdef int run(self, const Py_buffer *views, int64_t count, Layouts layouts, const int64_t *columns, int64_t wanted,
                 const int64_t *arguments, int64_t *memory, ColumnPlace *places) noexcept nogil:
        cdef Outline o
        cdef int64_t i, k
        o.layouts, o.room = layouts.plans, layouts.count
        o.scalars, o.arrays = memory, memory + self.scalar_count
        for i in range(count):
            o.data, o.size, o.pos = <const uint8_t *>views[i].buf, views[i].len, 0
            memcpy(memory, self.initial, self.scalar_count * sizeof(int64_t))
            memset(o.arrays, 0, self.array_count * o.room * sizeof(int64_t))
            memory[self.end] = o.size
            memory[self.parameters[0]] = o.room
            for k in range(1, self.parameter_count):
                memory[self.parameters[k]] = arguments[k - 1]
            arguments += self.parameter_count - 1
            if outline_run(self.steps, &o):
                return -1
            for k in range(wanted):
                self.fill(places, &o, columns[k])
                places += 1
        return 0

    cdef void fill(self, ColumnPlace *place, const Outline *o, int64_t number) noexcept nogil:
        cdef int i
        memset(place, 0, sizeof(ColumnPlace))
        place.values_start = place.nulls_start = place.codes_start = -1
        for i in range(self.value_count):
            if element(o, self.values[i].there, number):
                copy(o, &self.values[i], number, &place.values_start)
                place.constant = i == self.constant
        if element(o, self.nulls.there, number):
            copy(o, &self.nulls, number, &place.nulls_start)
        if element(o, self.codes.there, number):
            copy(o, &self.codes, number, &place.codes_start)


cdef int found(Found *made, arrays) except -1:
    made.there, made.first, made.second, made.third = arrays
    return 0


cdef int64_t element(const Outline *o, int array, int64_t number) noexcept nogil:
    if array < 0:
        return 1
    return o.arrays[array * o.room + number]


cdef void copy(const Outline *o, const Found *arrays, int64_t number, int64_t *out) noexcept nogil:
    out[0] = element(o, arrays.first, number)
    out[1] = element(o, arrays.second, number)
    out[2] = element(o, arrays.third, number)
