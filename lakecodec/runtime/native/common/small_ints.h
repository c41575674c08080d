/* Ints of one digit, which need no call. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* The value of an int of one digit, the common case; 0 when it has more. */
static inline int small_int(PyObject *value, int64_t *number) {
#if PY_VERSION_HEX >= 0x030c0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)value)) return 0;
    *number = PyUnstable_Long_CompactValue((PyLongObject *)value);
#else
    Py_ssize_t size = Py_SIZE(value);
    if (size < -1 || size > 1) return 0;
    *number = size == 0 ? 0 : size * (int64_t)((PyLongObject *)value)->ob_digit[0];
#endif
    return 1;
}
