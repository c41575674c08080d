/* Decoding of unions. */
#include "decode.h"

PyObject *new_union(const Codec *codec, PyObject *kind, PyObject *value, PyObject *id, PyObject *raw, PyObject *wire) {
    PyObject *self = new_instance(codec);
    if (self == NULL) return NULL;
    SLOT(self, codec->kind_at) = Py_NewRef(kind);
    SLOT(self, codec->value_at) = Py_NewRef(value);
    SLOT(self, codec->id_at) = Py_NewRef(id);
    SLOT(self, codec->raw_at) = Py_NewRef(raw);
    SLOT(self, codec->wire_at) = Py_NewRef(wire);
    return finish_instance(codec, self);
}

static const uint8_t *read_unknown_member(Reader *r, const uint8_t *p, const Codec *codec, int id, int wire, int depth, PyObject **out) {
    const uint8_t *end = skip_value(&r->in, p, wire, r->in.max_depth - depth);
    if (end == NULL) return NULL;
    PyObject *number = PyLong_FromLong(id), *type = PyLong_FromLong(wire);
    PyObject *raw = PyBytes_FromStringAndSize((const char *)p, end - p);
    if (number != NULL && type != NULL && raw != NULL) *out = new_union(codec, Py_None, Py_None, number, raw, type);
    Py_XDECREF(number);
    Py_XDECREF(type);
    Py_XDECREF(raw);
    return *out == NULL ? NULL : end;
}

static const uint8_t *read_member(Reader *r, const uint8_t *p, const Codec *codec, const Field *field, int wire, int depth,
                                  PyObject **out) {
    PyObject *value = NULL;
    if (field->type.kind == KIND_BOOL) {
        value = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
    } else if (field->single != NULL && p < r->in.end && *p == 0 && depth < r->in.max_depth) {
        *out = Py_NewRef(field->single);
        return p + 1;
    } else {
        p = read_value(r, p, &field->type, depth + 1, &value);
        if (p == NULL) {
            trace_name(&r->trace, field->name);
            return NULL;
        }
    }
    if (field->single != NULL)
        *out = Py_NewRef(field->single);
    else
        *out = new_union(codec, field->name, value, field->number, Py_None, Py_None);
    Py_DECREF(value);
    return *out == NULL ? NULL : p;
}

const uint8_t *read_union(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out) {
    const uint8_t *start = p;
    if (unlikely(p >= r->in.end)) return truncated(&r->in);
    unsigned header = *p++;
    int wire = header & 15, id = header >> 4;
    if (unlikely(wire == WIRE_STOP)) return fail(&r->in, RULE_NO_MEMBER, start);
    if (header < 16 && (p = read_field_id(&r->in, p, start, &id)) == NULL) return NULL;
    if (unlikely(wire > WIRE_UUID)) return fail(&r->in, RULE_WIRE, start);
    const Field *field = field_by_id(codec, id);
    PyObject *self = NULL;
    if (unlikely(field == NULL || !wire_fits(&field->type, wire)))
        p = read_unknown_member(r, p, codec, id, wire, depth, &self);
    else
        p = read_member(r, p, codec, field, wire, depth, &self);
    if (unlikely(p == NULL)) return NULL;
    if (unlikely(p >= r->in.end)) {
        truncated(&r->in);
        Py_DECREF(self);
        return NULL;
    }
    if (unlikely((*p & 15) != WIRE_STOP)) {
        fail(&r->in, RULE_MEMBERS, p);
        Py_DECREF(self);
        return NULL;
    }
    *out = self;
    return p + 1;
}
