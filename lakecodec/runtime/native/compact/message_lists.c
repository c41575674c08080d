/* Lists and maps of protobuf's messages. */
#include "message.h"
#include "tape.h"

/* ---- lists ---- */

PyObject *new_elements(const Type *type) {
    PyObject *list = PyList_New(0);
    if (list != NULL && !type->track) PyObject_GC_UnTrack(list);
    return list;
}

static const uint8_t *append_one(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject *list) {
    PyObject *value = NULL;
    p = read_one(r, p, type, depth, &value);
    if (unlikely(p != NULL && PyList_Append(list, value))) p = NULL;
    Py_XDECREF(value);
    return p;
}

static const uint8_t *read_packed(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject *list) {
    const uint8_t *start = p, *end = r->in.end;
    Py_ssize_t length;
    p = read_length(&r->in, p, &length);
    if (p == NULL) return NULL;
    if (type->wire != PB_VARINT) {
        const Py_ssize_t width = type->wire == PB_FIXED64 ? 8 : 4;
        if (length % width) return fail(&r->in, RULE_PACKED, start);
        if (take_elements(r, length / width, start)) return NULL;
    }
    r->in.end = p + length;
    while (p < r->in.end) {
        if (type->wire == PB_VARINT && take_elements(r, 1, p)) return NULL;
        p = append_one(r, p, type, depth, list);
        if (unlikely(p == NULL)) return NULL;
    }
    r->in.end = end;
    return p;
}

const uint8_t *read_elements(Reader *r, const uint8_t *p, const Field *field, int wire, int depth, PyObject **slot) {
    const Type *type = field->type.value;
    PyObject *list = *slot;
    if (list == NULL && (list = *slot = new_elements(&field->type)) == NULL) return NULL;
    if (wire != type->wire)
        p = read_packed(r, p, type, depth, list);
    else
        p = take_elements(r, 1, p) ? NULL : append_one(r, p, type, depth, list);
    if (unlikely(p == NULL)) trace_index(&r->trace, PyList_GET_SIZE(list));
    return p;
}

/* ---- maps ---- */

/* What a key or value that is absent stands for. */
static PyObject *zero_of(Reader *r, const Type *type, int depth) {
    static const uint8_t zeros[8] = {0};
    PyObject *made = NULL;
    if (type->kind == KIND_STRUCT) {
        const uint8_t *end = r->in.end;
        r->in.end = zeros;
        if (read_message(r, zeros, type->codec, depth, 0, &made) == NULL) return NULL;
        r->in.end = end;
        return made;
    }
    if (type->wire == PB_VARINT) return of_varint(type, 0);
    return type->kind == KIND_STRING   ? PyUnicode_FromStringAndSize(NULL, 0)
           : type->kind == KIND_BINARY ? PyBytes_FromStringAndSize(NULL, 0)
                                       : of_fixed(type, zeros);
}

/* The parts of a map's entry, the input's end being its own; known becomes 0 where it has something else. */
static const uint8_t *read_parts(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **parts, int *known) {
    const Type *types[2] = {type->key, type->value};
    while (p < r->in.end) {
        const uint8_t *start = p;
        int number, wire;
        p = read_tag(r, p, &number, &wire);
        if (unlikely(p == NULL)) return NULL;
        const Type *part = number <= 2 ? types[number - 1] : NULL;
        if (part == NULL || wire != part->wire) {
            p = skip_unknown(r, p, wire, start);
            *known = 0;
        } else {
            if (part->kind != KIND_STRUCT) Py_CLEAR(parts[number - 1]);
            p = read_one(r, p, part, depth + 1, &parts[number - 1]);
        }
        if (unlikely(p == NULL)) return NULL;
    }
    for (int i = 0; i < 2; i++)
        if (parts[i] == NULL && (parts[i] = zero_of(r, types[i], depth + 2)) == NULL) return NULL;
    return p;
}

const uint8_t *read_entry(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **slot, int *known) {
    const uint8_t *end = r->in.end;
    PyObject *parts[2] = {NULL, NULL};
    Py_ssize_t length;
    if ((*slot == NULL && (*slot = PyDict_New()) == NULL) || take_elements(r, 1, p)) return NULL;
    p = read_length(&r->in, p, &length);
    if (p != NULL && depth + 1 > r->in.max_depth) p = fail(&r->in, RULE_DEPTH, p);
    if (p != NULL) {
        r->in.end = p + length;
        p = read_parts(r, p, type, depth, parts, known);
    }
    if (p != NULL) {
        r->in.end = end;
        if (*known && PyDict_SetItem(*slot, parts[0], parts[1])) p = NULL;
    }
    Py_XDECREF(parts[0]);
    Py_XDECREF(parts[1]);
    if (p == NULL) trace_index(&r->trace, PyDict_GET_SIZE(*slot));
    return p;
}
