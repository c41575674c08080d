/* Decoding of maps. */
#include "decode.h"

/* Adds a pair to a dict, or to a list of pairs; takes both references. */
static int add_pair(PyObject *map, PyObject *key, PyObject *value) {
    int failed = -1;
    if (PyDict_CheckExact(map)) {
        failed = PyDict_SetItem(map, key, value);
    } else {
        PyObject *pair = PyTuple_Pack(2, key, value);
        failed = pair == NULL ? -1 : PyList_Append(map, pair);
        Py_XDECREF(pair);
    }
    Py_DECREF(key);
    Py_DECREF(value);
    return failed;
}

const uint8_t *read_map(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out) {
    const uint8_t *start = p;
    Py_ssize_t count;
    int key_wire, value_wire;
    if (depth > r->in.max_depth) return fail(&r->in, RULE_DEPTH, p);
    p = read_map_header(&r->in, p, &count, &key_wire, &value_wire);
    if (p == NULL) return NULL;
    if (count && !(element_fits(type->key, key_wire) && element_fits(type->value, value_wire))) return fail(&r->in, RULE_ELEMENT, start);
    if (take_elements(r, count, start)) return NULL;
    PyObject *map = type->hashed ? PyDict_New() : PyList_New(0);
    if (map == NULL) return NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *key = NULL, *value = NULL;
        p = read_value(r, p, type->key, depth + 1, &key);
        if (p != NULL) p = read_value(r, p, type->value, depth + 1, &value);
        if (p == NULL)
            Py_XDECREF(key);
        else if (add_pair(map, key, value))
            p = NULL;
        if (p == NULL) {
            trace_index(&r->trace, i);
            Py_DECREF(map);
            return NULL;
        }
    }
    *out = map;
    return p;
}
