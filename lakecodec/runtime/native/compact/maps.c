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

/* A map whose header is passed, in a part of which it is all that is set. */
static const uint8_t *begin_map(Reader *r, const uint8_t *p, const Type *type, Paused *map) {
    const uint8_t *start = p;
    int key_wire, value_wire;
    p = read_map_header(&r->in, p, &map->count, &key_wire, &value_wire);
    if (p == NULL) return NULL;
    if (map->count && !(element_fits(type->key, key_wire) && element_fits(type->value, value_wire)))
        return fail(&r->in, RULE_ELEMENT, start);
    if (take_elements(r, map->count, start)) return NULL;
    map->made = type->hashed ? PyDict_New() : PyList_New(0);
    return map->made == NULL ? NULL : p;
}

const uint8_t *read_map(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out) {
    Paused map = {.made = NULL};
    if (depth > r->in.max_depth) return fail(&r->in, RULE_DEPTH, p);
    if (r->resuming != NULL) {
        map = resume_part(r);
        p = r->in.begin + map.at;
    } else if ((p = begin_map(r, p, type, &map)) == NULL) {
        return NULL;
    }
    while (p != NULL && map.index < map.count) {
        PyObject *value = NULL;
        map.at = p - r->in.begin;
        if (map.key == NULL && ((p = read_value(r, p, type->key, depth + 1, &map.key)) == NULL)) break;
        map.at = p - r->in.begin;
        p = read_value(r, p, type->value, depth + 1, &value);
        if (p == NULL) break;
        if (add_pair(map.made, map.key, value))
            p = NULL;
        else
            map.index++;
        map.key = NULL;
    }
    if (p == NULL) {
        if (pause_part(r, &map, 2 * (map.count - map.index) - 1 - (map.key != NULL))) return NULL;
        trace_index(&r->trace, map.index);
        Py_XDECREF(map.key);
        Py_DECREF(map.made);
        return NULL;
    }
    *out = map.made;
    return p;
}
