/* Objects of `runtime/columns`, made and looked into without calls of Python. */
#ifndef LAKECODEC_RECORD_COLUMNS_H
#define LAKECODEC_RECORD_COLUMNS_H

#include "instances.h"

#pragma GCC visibility push(hidden)

/* The classes, and the offsets of their slots. */
typedef struct ColumnClasses {
    PyTypeObject *bits, *values;
    Py_ssize_t bits_data, bits_start, bits_count, bits_width;
    Py_ssize_t values_data, values_start, values_end, values_count, values_layout;
} ColumnClasses;

extern ColumnClasses columns;

#pragma GCC visibility pop

static inline int
set_number(PyObject *object, Py_ssize_t slot, int64_t number)
{
    PyObject *made = PyLong_FromLongLong(number);
    SLOT(object, slot) = made;
    return made == NULL ? -1 : 0;
}

#endif
