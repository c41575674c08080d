/* Setting an exception, and returning what says that there is one. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Arguments as those of PyErr_Format; -1. */
#define raise_error(...) (PyErr_Format(__VA_ARGS__), -1)

static inline int no_memory(void) {
    PyErr_NoMemory();
    return -1;
}

/* Releases an object, which may be NULL; returns -1. */
static inline int give_up(PyObject *object) {
    Py_XDECREF(object);
    return -1;
}
