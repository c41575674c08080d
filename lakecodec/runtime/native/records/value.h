/* Values of variables and expressions. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#ifdef Py_GIL_DISABLED
#error "lakecodec needs a build of Python with the global interpreter lock"
#endif
#include <stdbool.h>
#include <stdint.h>

#include "common/raise.h"
#include "common/small_ints.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A number, an object, an object that is a number, or bytes of which no object has been needed yet; an unset value is
 * none of these. */
typedef struct Value {
    PyObject *object;
    int64_t number; /* or of how many bytes */
    const char *bytes;
    uint8_t is_number;
    uint8_t view, kind, big; /* of a walk: what there is instead of an object, and of numbers their kind */
    uint8_t owned;           /* whether the object is this value's own reference */
} Value;

/* The places of elements, the place of a record, numbers one after the other. */
enum { VIEW_NONE, VIEW_PLACES, VIEW_RECORD, VIEW_NUMBERS };

static inline void value_clear(Value *value) {
    if (value->owned) Py_DECREF(value->object);
    *value = (Value){0};
}

/* A loop that the compiler recognises becomes a call, which takes longer than the few values that a record has. */
static inline void values_unset(Value *values, int count) {
    for (int i = 0; i < count; i++) {
        values[i] = (Value){0};
        __asm__("");
    }
}

static inline void values_clear(Value *values, int count) {
    while (count > 0) value_clear(&values[--count]);
}

static inline Value value_of_number(int64_t number) { return (Value){.number = number, .is_number = 1}; }

/* The same value without a reference of its own. */
static inline Value value_borrowed(const Value *value) {
    Value found = *value;
    found.owned = 0;
    return found;
}

static inline void value_own(Value *value) {
    if (value->object != NULL && !value->owned) {
        Py_INCREF(value->object);
        value->owned = 1;
    }
}

static inline Value value_of_object(PyObject *object, int owned) {
    Value value = {.object = object, .owned = (uint8_t)owned};
    if (PyLong_Check(object)) {
        value.is_number = (uint8_t)small_int(object, &value.number);
        if (!value.is_number) {
            int overflow;
            value.number = PyLong_AsLongLongAndOverflow(object, &overflow);
            value.is_number = !overflow;
        }
    }
    return value;
}

static inline Value value_of_truth(int truth) { return (Value){.object = truth ? Py_True : Py_False, .number = truth, .is_number = 1}; }

/* What a function answers that gives a value, or a new object, of which there is none after an error: 0, or -1. */
static inline int give(Value *out, Value value) {
    *out = value;
    return 0;
}

static inline int give_made(Value *out, PyObject *made) {
    *out = (Value){.object = made, .owned = 1};
    return made == NULL ? -1 : 0;
}

static inline int give_object(Value *out, PyObject *found) { return found == NULL ? -1 : give(out, value_of_object(found, 1)); }

/* Whether a value is left to the generated writer: its class's methods may say something else than what it holds. Members of enums,
 * whose classes have a class of their own, are not. */
static inline int may_lie(PyObject *object) {
    const PyTypeObject *cls = Py_TYPE(object);
    if (LIKELY(!PyType_HasFeature((PyTypeObject *)cls, Py_TPFLAGS_HEAPTYPE)) || !Py_IS_TYPE((PyObject *)cls, &PyType_Type)) return 0;
    return PyLong_Check(object) || PyUnicode_Check(object) || PyBytes_Check(object) || PyList_Check(object) || PyTuple_Check(object) ||
           PyFloat_Check(object) || PyIndex_Check(object);
}

/* The value as an object, borrowed from it; made where there is none yet. NULL with an exception. */
static inline PyObject *value_object(Value *value) {
    if (value->object == NULL) {
        value->object =
            value->bytes != NULL ? PyBytes_FromStringAndSize(value->bytes, (Py_ssize_t)value->number) : PyLong_FromLongLong(value->number);
        value->owned = value->object != NULL;
    }
    return value->object;
}

static inline int value_truth(const Value *value) { return value->is_number ? value->number != 0 : PyObject_IsTrue(value->object); }

/* The number; -1 where the value is none of 64 bits. */
static inline int value_number(const Value *value, int64_t *number) {
    *number = value->number;
    return value->is_number ? 0 : -1;
}
