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
    const uint8_t *end = pass_field(r, p, wire, r->in.max_depth - depth, p);
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
    } else if (field->single != NULL && r->resuming == NULL && p < r->in.end && *p == 0 && depth < r->in.max_depth) {
        *out = Py_NewRef(field->single);
        return p + 1;
    } else {
        p = read_value(r, p, &field->type, depth + 1, &value);
        if (p == NULL) {
            trace_name(&r->trace, field->name);
            return NULL;
        }
    }
    /* The struct that a shared union has is shared, too, unless it keeps what its class does not know. */
    if (field->single != NULL && (!r->keeps || Py_IS_TYPE(value, field->type.codec->cls)))
        *out = Py_NewRef(field->single);
    else
        *out = new_union(codec, field->name, value, field->number, Py_None, Py_None);
    Py_DECREF(value);
    return *out == NULL ? NULL : p;
}

/* The header of a member; the wire type stays as it is where it cannot be read. */
static const uint8_t *read_member_header(Reader *r, const uint8_t *p, int *id, int *wire) {
    const uint8_t *start = p;
    if (unlikely(p >= r->in.end)) return truncated(&r->in);
    const unsigned header = *p++;
    *id = header >> 4;
    if (unlikely((header & 15) == WIRE_STOP)) return fail(&r->in, RULE_NO_MEMBER, start);
    if (header < 16 && (p = read_field_id(&r->in, p, start, id)) == NULL) return NULL;
    if (unlikely((header & 15) > WIRE_UUID)) return fail(&r->in, RULE_WIRE, start);
    *wire = header & 15;
    return p;
}

/* Keeps what was read, or lets it go; NULL. */
static COLD const uint8_t *pause_union(Reader *r, const Paused *part, int64_t behind) {
    if (!pause_part(r, part, behind)) Py_XDECREF(part->made);
    return NULL;
}

const uint8_t *read_union(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out) {
    Paused part = {.at = p - r->in.begin, .wire = -1};
    if (unlikely(r->resuming != NULL)) part = resume_part(r);
    p = r->in.begin + part.at;
    if (part.wire < 0) {
        p = read_member_header(r, p, &part.last, &part.wire);
        if (unlikely(p == NULL)) return pause_union(r, &part, 1);
        part.at = p - r->in.begin;
    }
    if (part.made == NULL) {
        const Field *field = field_by_id(codec, part.last);
        if (unlikely(field == NULL || !wire_fits(&field->type, part.wire)))
            p = read_unknown_member(r, p, codec, part.last, part.wire, depth, &part.made);
        else
            p = read_member(r, p, codec, field, part.wire, depth, &part.made);
        if (unlikely(p == NULL)) return pause_union(r, &part, 1);
        part.at = p - r->in.begin;
    }
    if (unlikely(p >= r->in.end)) {
        truncated(&r->in);
        return pause_union(r, &part, 0);
    }
    if (unlikely((*p & 15) != WIRE_STOP)) {
        fail(&r->in, RULE_MEMBERS, p);
        return pause_union(r, &part, 0);
    }
    *out = part.made;
    return p + 1;
}
