/* Encoding of sets and maps. */
#include "encode.h"

/* Writes a set whose elements have no order, sorted by their bytes: first as they come, then moved. */
static uint8_t *
write_unordered(Writer *w, uint8_t *p, const Type *type, PyObject *items, int depth)
{
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
    if (p != NULL) {
        p = put_list_header(p, count, type->value->wire);
    }
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        PyObject *part = PyList_GET_ITEM(parts, i);
        p = write_bytes(w, p, PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part));
    }
    Py_XDECREF(parts);
    return p;
}

uint8_t *
write_set(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth)
{
    PyObject *items = PySequence_List(value), *sorted = items == NULL ? NULL : PySequence_List(items);
    if (sorted == NULL) {
        p = NULL;
    }
    else if (PyList_Sort(sorted) == 0) {
        p = write_elements(w, p, type, sorted, depth);
    }
    else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        p = write_unordered(w, p, type, items, depth);
    }
    else {
        p = NULL;
    }
    Py_XDECREF(items);
    Py_XDECREF(sorted);
    return p;
}

/* The pairs of a map as a new list, or NULL, with no exception when the value is no map. */
static PyObject *
map_pairs(PyObject *value)
{
    if (PyDict_Check(value)) {
        PyObject *view = PyMapping_Items(value);
        return view;
    }
    if (!PyList_Check(value) && !PyTuple_Check(value)) {
        return NULL;
    }
    PyObject *pairs = PySequence_List(value);
    for (Py_ssize_t i = 0; pairs != NULL && i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        if ((!PyList_Check(pair) && !PyTuple_Check(pair)) || PySequence_Fast_GET_SIZE(pair) != 2) {
            Py_CLEAR(pairs);
        }
    }
    return pairs;
}

static uint8_t *
write_pair(Writer *w, uint8_t *p, const Type *type, PyObject *pair, int depth)
{
    if (PySequence_Fast_GET_SIZE(pair) != 2) {
        PyErr_SetString(PyExc_RuntimeError, "a pair changed its size while it was encoded");
        return NULL;
    }
    PyObject *key = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 0)), *item = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 1));
    p = write_value(w, p, type->key, key, depth + 1);
    if (p != NULL) {
        p = write_value(w, p, type->value, item, depth + 1);
    }
    Py_DECREF(key);
    Py_DECREF(item);
    return p;
}

uint8_t *
write_map(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth)
{
    if (is_too_deep(depth, MAX_ENCODE_DEPTH)) {
        return unfit(w, "depth");
    }
    PyObject *pairs = map_pairs(value);
    if (pairs == NULL) {
        return PyErr_Occurred() ? NULL : unfit_type(w, "a dict or a list of pairs", value);
    }
    Py_ssize_t count = PyList_GET_SIZE(pairs);
    p = ensure(w, p, SMALL);
    if (p != NULL) {
        p = put_varint(p, (uint64_t)count);
        if (count) {
            *p++ = (uint8_t)(type->key->wire << 4 | type->value->wire);
        }
    }
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        p = write_pair(w, p, type, PyList_GET_ITEM(pairs, i), depth);
        if (p == NULL) {
            trace_index(&w->trace, i);
        }
    }
    Py_DECREF(pairs);
    return p;
}
