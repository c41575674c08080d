# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The machine that runs outlines (``lakecodec.runtime.columns.outline``)."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from .plan cimport ColumnPlace, ColumnPlan, fill_layout


cdef extern from "outline.h" nogil:
    ctypedef struct OutlineStep:
        int32_t op, a, b, c

    ctypedef struct OutlineArray:
        int64_t *at
        int64_t used, room

    ctypedef struct OutlineList:
        const int32_t *arrays
        int64_t count, used

    ctypedef struct Outline:
        const uint8_t *data
        int64_t size, pos
        const ColumnPlan *layouts
        int64_t types
        int64_t *scalars
        OutlineArray *arrays
        OutlineList *lists

    int outline_run(const OutlineStep *steps, Outline *o)
    int64_t *outline_element(const Outline *o, int32_t array, int64_t index)


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


cdef class Sought:
    """The arrays that tell where what makes a column lies."""

    cdef Found values[MAX_SOURCES]
    cdef Found nulls, codes
    cdef int value_count, constant

    def __cinit__(self, values, constant, nulls, codes):
        cdef int i
        if len(values) > MAX_SOURCES:
            raise ValueError("values: more sources than there is room for")
        self.value_count, self.constant = len(values), constant
        for i in range(self.value_count):
            found(&self.values[i], values[i])
        found(&self.nulls, nulls)
        found(&self.codes, codes)

    cdef int fill(self, ColumnPlace *place, const Outline *o, int64_t number) noexcept nogil:
        """Where a column lies; -1 where there is no such column."""
        cdef int i
        memset(place, 0, sizeof(ColumnPlace))
        place.values_start = place.nulls_start = place.codes_start = -1
        for i in range(self.value_count):
            if is_there(o, &self.values[i], number):
                place.constant = i == self.constant
                if copy(o, &self.values[i], number, &place.values_start):
                    return -1
        if is_there(o, &self.nulls, number) and copy(o, &self.nulls, number, &place.nulls_start):
            return -1
        if is_there(o, &self.codes, number) and copy(o, &self.codes, number, &place.codes_start):
            return -1
        return 0


cdef class Machine:
    """An outline as it runs."""

    cdef OutlineStep *steps
    cdef int64_t *initial
    cdef int32_t *given
    cdef int32_t *members
    cdef OutlineList *lists
    cdef int64_t step_count, scalar_count, array_count, list_count, given_count
    cdef int32_t end

    def __cinit__(self, steps, scalars, lists, end, given):
        cdef int64_t i, k = 0
        self.step_count, self.scalar_count, self.given_count = len(steps), len(scalars), len(given)
        self.list_count, self.array_count, self.end = len(lists), sum(map(len, lists)), end
        self.steps = <OutlineStep *>calloc(self.step_count + 1, sizeof(OutlineStep))
        self.initial = <int64_t *>calloc(self.scalar_count + 1, sizeof(int64_t))
        self.given = <int32_t *>calloc(self.given_count + 1, sizeof(int32_t))
        self.members = <int32_t *>calloc(self.array_count + 1, sizeof(int32_t))
        self.lists = <OutlineList *>calloc(self.list_count + 1, sizeof(OutlineList))
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

    def places(self, Sought sought not None, buffers, Layouts layouts not None, numbers, parameters):
        """Where the columns of some numbers lie in each buffer, buffer by buffer; None where any is refused.

        Args:
            sought: what tells it.
            buffers: with a record each.
            layouts: those of the list of types.
            numbers: of the columns.
            parameters: what is given: a number for all buffers, or one for each.
        """
        cdef int64_t count = len(buffers), wanted = len(numbers), given = self.given_count, i, k
        cdef int64_t *memory = <int64_t *>malloc((wanted + count * given + 1) * sizeof(int64_t))
        cdef int64_t *arguments = memory + wanted
        cdef Py_buffer *views = <Py_buffer *>calloc(count + 1, sizeof(Py_buffer))
        cdef int64_t held = 0
        cdef bytes made
        cdef ColumnPlace *places
        cdef int refused
        cdef Outline o
        try:
            if memory is NULL or views is NULL:
                raise MemoryError
            for i in range(wanted):
                memory[i] = numbers[i]
            for k in range(given):
                parameter = parameters[k]
                if isinstance(parameter, int):
                    for i in range(count):
                        arguments[i * given + k] = parameter
                else:
                    for i in range(count):
                        arguments[i * given + k] = parameter[i]
            for i in range(count):
                PyObject_GetBuffer(buffers[i], &views[i], PyBUF_SIMPLE)
                held += 1
            made = PyBytes_FromStringAndSize(NULL, count * wanted * sizeof(ColumnPlace))
            places = <ColumnPlace *>PyBytes_AS_STRING(made)
            with nogil:
                refused = self.open(&o, layouts)
                for i in range(count):
                    if refused:
                        break
                    refused = self.run(&o, &views[i], arguments + i * given)
                    for k in range(wanted):
                        if refused:
                            break
                        refused = sought.fill(places, &o, memory[k])
                        places += 1
                self.close(&o)
        finally:
            for i in range(held):
                PyBuffer_Release(&views[i])
            free(views)
            free(memory)
        return None if refused else made

    def numbers(self, arrays, buffer, Layouts layouts not None, parameters):
        """The variables of some arrays, 64 bits each; None where the buffer is refused.

        Args:
            arrays: their numbers.
            buffer: with a record.
            layouts: those of the list of types.
            parameters: what is given.
        """
        cdef int64_t i
        cdef int32_t array
        cdef int refused
        cdef Py_buffer view
        cdef Outline o
        cdef int64_t *arguments = <int64_t *>malloc((self.given_count + 1) * sizeof(int64_t))
        if arguments is NULL:
            raise MemoryError
        try:
            for i in range(self.given_count):
                arguments[i] = parameters[i]
            PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
            try:
                with nogil:
                    refused = self.open(&o, layouts) or self.run(&o, &view, arguments)
                found = None if refused else []
                for array in arrays if found is not None else ():
                    found.append(PyBytes_FromStringAndSize(<char *>o.arrays[array].at, o.arrays[array].used * sizeof(int64_t)))
            finally:
                self.close(&o)
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
        cdef Outline o
        cdef int refused
        try:
            if memory is NULL or out is NULL:
                raise MemoryError
            if sizes.shape[0] != count:
                raise ValueError("starts, sizes: one of each record is needed")
            for k in range(wanted):
                memory[k] = scalars[k]
                out[k] = <int64_t *>PyBytes_AS_STRING(found[k])
            for k in range(given):
                parameter = parameters[k]
                if parameter.shape[0] != count:
                    raise ValueError("parameters: one for each record is needed")
                for i in range(count):
                    arguments[i * given + k] = parameter[i]
            with nogil:
                refused = self.open(&o, none)
                for i in range(count):
                    is_accepted[i] = not refused and 0 <= starts[i] <= data.shape[0] and (
                        0 <= sizes[i] <= data.shape[0] - starts[i]
                    ) and not self.run_at(&o, &data[0] + starts[i], sizes[i], arguments + i * given)
                    for k in range(wanted):
                        out[k][i] = o.scalars[memory[k]] if is_accepted[i] else 0
                self.close(&o)
        finally:
            free(memory)
            free(out)
        return accepted, found

    cdef int open(self, Outline *o, Layouts layouts) noexcept nogil:
        """Makes variables, which `close` frees whatever is returned."""
        memset(o, 0, sizeof(Outline))
        o.layouts, o.types = layouts.plans, layouts.count
        o.scalars = <int64_t *>malloc((self.scalar_count + 1) * sizeof(int64_t))
        o.arrays = <OutlineArray *>calloc(self.array_count + 1, sizeof(OutlineArray))
        o.lists = <OutlineList *>malloc((self.list_count + 1) * sizeof(OutlineList))
        return -1 if o.scalars is NULL or o.arrays is NULL or o.lists is NULL else 0

    cdef void close(self, Outline *o) noexcept nogil:
        cdef int64_t i
        if o.arrays is not NULL:
            for i in range(self.array_count):
                free(o.arrays[i].at)
        free(o.scalars)
        free(o.arrays)
        free(o.lists)

    cdef int run(self, Outline *o, const Py_buffer *view, const int64_t *arguments) noexcept nogil:
        return self.run_at(o, <const uint8_t *>view.buf, view.len, arguments)

    cdef int run_at(self, Outline *o, const uint8_t *data, int64_t size, const int64_t *arguments) noexcept nogil:
        cdef int64_t i
        o.data, o.size, o.pos = data, size, 0
        memcpy(o.scalars, self.initial, self.scalar_count * sizeof(int64_t))
        memcpy(o.lists, self.lists, self.list_count * sizeof(OutlineList))
        for i in range(self.array_count):
            o.arrays[i].used = 0
        o.scalars[self.end] = o.size
        for i in range(self.given_count):
            o.scalars[self.given[i]] = arguments[i]
        return outline_run(self.steps, o)


cdef int found(Found *made, arrays) except -1:
    made.there, made.first, made.second, made.third = arrays
    return 0


cdef bint is_there(const Outline *o, const Found *arrays, int64_t number) noexcept nogil:
    cdef const int64_t *there
    if arrays.there < 0:
        return True
    there = outline_element(o, arrays.there, number)
    return there is not NULL and there[0] != 0


cdef int copy(const Outline *o, const Found *arrays, int64_t number, int64_t *out) noexcept nogil:
    cdef const int64_t *first = outline_element(o, arrays.first, number)
    cdef const int64_t *second = outline_element(o, arrays.second, number)
    cdef const int64_t *third = outline_element(o, arrays.third, number)
    if first is NULL or second is NULL or third is NULL:
        return -1
    out[0], out[1], out[2] = first[0], second[0], third[0]
    return 0
