/* Encoding of sets and maps. */
#include "compact_encode.h"

/* Writes a set whose elements have no order, sorted by their bytes: first as they come, then moved. */
static int
write_unordered(Writer *w, const Type *type, PyObject *items, int depth)
{
    Py_ssize_t before = w->p - (uint8_t *)PyBytes_AS_STRING(w->bytes), count = PyList_GET_SIZE(items);
    PyObject *parts = PyList_New(0);
    int failed = parts == NULL;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        Py_ssize_t from = w->p - (uint8_t *)PyBytes_AS_STRING(w->bytes);
        failed = write_value(w, type->value, PyList_GET_ITEM(items, i), depth + 1);
        if (failed) {
            trace_index(&w->trace, i);
            break;
        }
        char *start = PyBytes_AS_STRING(w->bytes) + from;
        PyObject *part = PyBytes_FromStringAndSize(start, (char *)w->p - start);
        failed = part == NULL || PyList_Append(parts, part);
        Py_XDECREF(part);
    }
    if (!failed) {
        w->p = (uint8_t *)PyBytes_AS_STRING(w->bytes) + before;
        failed = PyList_Sort(parts) || ensure(w, SMALL);
    }
    if (!failed) {
        put_list_header(w, count, type->value->wire);
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *part = PyList_GET_ITEM(parts, i);
        failed = write_bytes(w, PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part));
    }
    Py_XDECREF(parts);
    return failed ? -1 : 0;
}

int
write_set(Writer *w, const Type *type, PyObject *value, int depth)
{
    PyObject *items = PySequence_List(value), *sorted = items == NULL ? NULL : PySequence_List(items);
    int failed = -1;
    if (sorted == NULL) {
        goto done;
    }
    if (PyList_Sort(sorted) == 0) {
        failed = write_elements(w, type, sorted, depth);
    }
    else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        failed = write_unordered(w, type, items, depth);
    }
done:
    Py_XDECREF(items);
    Py_XDECREF(sorted);
    return failed;
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

static int
write_pair(Writer *w, const Type *type, PyObject *pair, int depth)
{
    if (PySequence_Fast_GET_SIZE(pair) != 2) {
        PyErr_SetString(PyExc_RuntimeError, "a pair changed its size while it was encoded");
        return -1;
    }
    PyObject *key = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 0)), *item = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 1));
    int failed = write_value(w, type->key, key, depth + 1) || write_value(w, type->value, item, depth + 1);
    Py_DECREF(key);
    Py_DECREF(item);
    return failed ? -1 : 0;
}

int
write_map(Writer *w, const Type *type, PyObject *value, int depth)
{
    if (depth > MAX_ENCODE_DEPTH) {
        return unfit(w, "depth");
    }
    PyObject *pairs = map_pairs(value);
    if (pairs == NULL) {
        return PyErr_Occurred() ? -1 : unfit_type(w, "a dict or a list of pairs", value);
    }
    Py_ssize_t count = PyList_GET_SIZE(pairs);
    int failed = ensure(w, SMALL);
    if (!failed) {
        put_varint(w, (uint64_t)count);
        if (count) {
            *w->p++ = (uint8_t)(type->key->wire << 4 | type->value->wire);
        }
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        failed = write_pair(w, type, PyList_GET_ITEM(pairs, i), depth);
        if (failed) {
            trace_index(&w->trace, i);
        }
    }
    Py_DECREF(pairs);
    return failed;
}
