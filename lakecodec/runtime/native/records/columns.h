/* Objects of `runtime/columns`, made and looked into without calls of Python. */
#pragma once

#include "instances.h"

/* The classes, and the offsets of their slots. */
typedef struct ColumnClasses {
    PyTypeObject *bits, *values;
    Py_ssize_t bits_data, bits_start, bits_count, bits_width, bits_call;
    Py_ssize_t values_data, values_start, values_end, values_count, values_layout;
} ColumnClasses;

extern ColumnClasses columns;

/* As `MAX_COUNT` and `MAX_WIDTH` of bits.py. */
enum { MOST_BITS = 60, WIDEST = 32 };

/* The bytes of packed numbers; -1 where their number or width cannot be. */
static inline int64_t packed_size(int64_t count, int64_t width) {
    if (width < 0 || width > WIDEST || count < 0 || count > (int64_t)1 << MOST_BITS || (width && count > (INT64_MAX - 7) / width))
        return -1;
    return (count * width + 7) >> 3;
}

static inline int64_t slot_number(PyObject *object, Py_ssize_t slot) {
    PyObject *found = SLOT(object, slot);
    return found == NULL ? -1 : PyLong_AsLongLong(found);
}

static inline int set_number(PyObject *object, Py_ssize_t slot, int64_t number) {
    PyObject *made = PyLong_FromLongLong(number);
    SLOT(object, slot) = made;
    return made == NULL ? -1 : 0;
}
