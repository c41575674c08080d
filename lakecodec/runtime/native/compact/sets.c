/* Encoding of sets and maps. */
#include "encode.h"

/* Writes a set whose elements have no order, sorted by their bytes: first as they come, then moved. */
static uint8_t *write_unordered(Writer *w, uint8_t *p, const Type *type, PyObject *items, int depth) {
    Py_ssize_t before = p - (uint8_t *)PyBytes_AS_STRING(w->bytes), count = PyList_GET_SIZE(items);
    PyObject *parts = PyList_New(0);
    int failed = parts == NULL;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        Py_ssize_t from = p - (uint8_t *)PyBytes_AS_STRING(w->bytes);
        p = write_value(w, p, type->value, PyList_GET_ITEM(items, i), depth + 1);
        if (p == NULL) {
            trace_index(&w->trace, i);
            failed = 1;
            break;
        }
        char *start = PyBytes_AS_STRING(w->bytes) + from;
        PyObject *part = PyBytes_FromStringAndSize(start, (char *)p - start);
        failed = part == NULL || PyList_Append(parts, part);
        Py_XDECREF(part);
    }
    p = failed || PyList_Sort(parts) ? NULL : ensure(w, (uint8_t *)PyBytes_AS_STRING(w->bytes) + before, SMALL);
    if (p != NULL) p = put_list_header(p, count, type->value->wire);
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        PyObject *part = PyList_GET_ITEM(parts, i);
        p = write_bytes(w, p, PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part));
    }
    Py_XDECREF(parts);
    return p;
}

uint8_t *write_set(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth) {
    PyObject *items = iterated(value), *sorted = items == NULL ? NULL : PySequence_List(items);
    if (sorted == NULL) {
        p = NULL;
    } else if (PyList_Sort(sorted) == 0) {
        p = write_elements(w, p, type, sorted, depth);
    } else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        p = write_unordered(w, p, type, items, depth);
    } else {
        p = NULL;
    }
    Py_XDECREF(items);
    Py_XDECREF(sorted);
    return p;
}

/* Makes each element of a new list a tuple of two: 0, 1 where one is no pair, or -1. */
static int make_pairs(PyObject *pairs) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs); i++) {
        PyObject *given = PyList_GET_ITEM(pairs, i);
        if (!PyList_Check(given) && !PyTuple_Check(given)) return 1;
        PyObject *items = plain_sequence(given), *pair = items == NULL ? NULL : PySequence_Tuple(items);
        Py_XDECREF(items);
        if (pair == NULL) return -1;
        const int fits = PyTuple_GET_SIZE(pair) == 2;
        PyList_SetItem(pairs, i, pair);
        if (!fits) return 1;
    }
    return 0;
}

PyObject *map_pairs(PyObject *value, int dict_only) {
    if (PyDict_CheckExact(value)) return PyDict_Items(value);
    const int sequence = !dict_only && (PyList_Check(value) || PyTuple_Check(value));
    if (!sequence && !PyDict_Check(value)) return NULL;
    PyObject *pairs = sequence ? iterated(value) : PyMapping_Items(value);
    if (pairs != NULL && make_pairs(pairs)) Py_CLEAR(pairs);
    return pairs;
}

static uint8_t *write_pair(Writer *w, uint8_t *p, const Type *type, PyObject *pair, int depth) {
    p = write_value(w, p, type->key, PyTuple_GET_ITEM(pair, 0), depth + 1);
    return p == NULL ? NULL : write_value(w, p, type->value, PyTuple_GET_ITEM(pair, 1), depth + 1);
}

uint8_t *write_map(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth) {
    if (is_too_deep(depth, MAX_ENCODE_DEPTH)) return unfit(w, "depth");
    PyObject *pairs = map_pairs(value, 0);
    if (pairs == NULL) return PyErr_Occurred() ? NULL : unfit_type(w, "a dict or a list of pairs", value);
    Py_ssize_t count = PyList_GET_SIZE(pairs);
    p = ensure(w, p, SMALL);
    if (p != NULL) {
        p = put_varint(p, (uint64_t)count);
        if (count) *p++ = (uint8_t)(type->key->wire << 4 | type->value->wire);
    }
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        p = write_pair(w, p, type, PyList_GET_ITEM(pairs, i), depth);
        if (p == NULL) trace_index(&w->trace, i);
    }
    Py_DECREF(pairs);
    return p;
}
