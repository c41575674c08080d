/* Lazy messages: their bytes are validated before any object is created. */
#include "message.h"
#include "tape.h"

#include "common/utf8.h"

/* The fields of a group up to its end, whose tag has the same number. */
static const uint8_t *skip_group(Reader *r, const uint8_t *p, int group, int room, const uint8_t *start) {
    if (unlikely(room <= 0)) return fail(&r->in, RULE_DEPTH, start);
    while (p < r->in.end) {
        const uint8_t *at = p;
        int number, wire;
        p = read_tag(r, p, &number, &wire);
        if (unlikely(p == NULL)) return NULL;
        if (wire == PB_END_GROUP) return number == group ? p : fail(&r->in, RULE_GROUP, at);
        p = wire == PB_START_GROUP ? skip_group(r, p, number, room - 1, at) : skip_unknown(r, p, wire, at);
        if (unlikely(p == NULL)) return NULL;
    }
    return truncated(&r->in);
}

const uint8_t *skip_unknown(Reader *r, const uint8_t *p, int wire, const uint8_t *start) {
    uint64_t ignored;
    Py_ssize_t length = 0;
    int number = 0;
    switch (wire) {
    case PB_VARINT: return read_number(r, p, &ignored);
    case PB_BYTES: p = read_length(&r->in, p, &length); return p == NULL ? NULL : p + length;
    case PB_FIXED64:
    case PB_FIXED32: length = wire == PB_FIXED64 ? 8 : 4; return r->in.end - p < length ? truncated(&r->in) : p + length;
    case PB_START_GROUP: return read_tag(r, start, &number, &wire) == NULL ? NULL : skip_group(r, p, number, r->in.max_depth, start);
    case PB_END_GROUP: return fail(&r->in, RULE_GROUP, start);
    default: return fail(&r->in, RULE_TAG, start);
    }
}

/* ---- looking through ---- */

static const uint8_t *look_through(Reader *r, const uint8_t *p, const Codec *codec, int depth, int group);

/* The bytes of one value that has a length. */
static inline const uint8_t *look_at_bytes(Reader *r, const uint8_t *p, const Type *type, int depth) {
    Py_ssize_t length;
    p = read_length(&r->in, p, &length);
    if (unlikely(p == NULL)) return NULL;
    if (type->kind == KIND_STRUCT) {
        const uint8_t *end = r->in.end;
        r->in.end = p + length;
        p = look_through(r, p, type->codec, depth + 1, 0);
        r->in.end = end;
        return p;
    }
    if (type->kind == KIND_STRING && unlikely(!row_utf8_valid(p, length))) return fail(&r->in, RULE_UTF8, p);
    return p + length;
}

static inline const uint8_t *look_at_one(Reader *r, const uint8_t *p, const Type *type, int depth) {
    if (type->group) return look_through(r, p, type->codec, depth + 1, (int)type->group);
    return type->wire == PB_BYTES ? look_at_bytes(r, p, type, depth) : skip_unknown(r, p, type->wire, p);
}

static const uint8_t *look_at_packed(Reader *r, const uint8_t *p, const Type *type) {
    const uint8_t *end = r->in.end, *start = p;
    Py_ssize_t length;
    p = read_length(&r->in, p, &length);
    if (p == NULL) return NULL;
    if (type->wire != PB_VARINT) {
        const Py_ssize_t width = type->wire == PB_FIXED64 ? 8 : 4;
        return length % width || take_elements(r, length / width, start) ? NULL : p + length;
    }
    r->in.end = p + length;
    while (p != NULL && p < r->in.end) {
        uint64_t ignored;
        p = take_elements(r, 1, p) ? NULL : read_number(r, p, &ignored);
    }
    r->in.end = end;
    return p;
}

static const uint8_t *look_at_entry(Reader *r, const uint8_t *p, const Type *type, int depth) {
    const uint8_t *end = r->in.end;
    const Type *types[2] = {type->key, type->value};
    Py_ssize_t length;
    if (take_elements(r, 1, p) || depth + 1 > r->in.max_depth || (p = read_length(&r->in, p, &length)) == NULL) return NULL;
    /* The message that a missing value stands for is one level deeper. */
    if (type->value->kind == KIND_STRUCT && depth + 2 > r->in.max_depth) return NULL;
    r->in.end = p + length;
    while (p != NULL && p < r->in.end) {
        const uint8_t *start = p;
        int number, wire;
        p = read_tag(r, p, &number, &wire);
        if (p != NULL) {
            const Type *part = number <= 2 && wire == types[number - 1]->wire ? types[number - 1] : NULL;
            p = part == NULL ? skip_unknown(r, p, wire, start) : look_at_one(r, p, part, depth + 1);
        }
    }
    r->in.end = end;
    return p;
}

/* A message up to the input's end or that of its group; NULL also for some that can be read after all. */
static const uint8_t *look_through(Reader *r, const uint8_t *p, const Codec *codec, int depth, int group) {
    if (unlikely(depth > r->in.max_depth)) return NULL;
    while (p < r->in.end) {
        const uint8_t *start = p;
        int number, wire;
        p = read_tag(r, p, &number, &wire);
        if (unlikely(p == NULL)) return NULL;
        const Field *field = field_by_id(codec, number);
        const Type *type = field == NULL ? NULL : &field->type;
        if (unlikely(type == NULL || !field_fits(type, wire))) {
            if (wire == PB_END_GROUP && number == group) return p;
            p = skip_unknown(r, p, wire, start);
        } else if (wire != type->wire)
            p = look_at_packed(r, p, type->value);
        else if (type->kind == KIND_LIST)
            p = take_elements(r, 1, p) ? NULL : look_at_one(r, p, type->value, depth);
        else
            p = type->kind == KIND_MAP ? look_at_entry(r, p, type, depth) : look_at_one(r, p, type, depth);
        if (unlikely(p == NULL)) return NULL;
    }
    return group ? NULL : p;
}

int is_message(Reader *r, const uint8_t *p, const Codec *codec) {
    const Input before = r->in;
    const int found = look_through(r, p, codec, 1, 0) != NULL;
    if (!found) r->in = before;
    return found;
}

/* ---- reading ---- */

int read_whole(PyObject *self, const Codec *codec) {
    Unread *unread = unread_of(self, codec->cls);
    if (unread->asked) return 0;
    unread->asked = ~(uint64_t)0;
    /* What was set before stays. */
    PyObject **slot = (PyObject **)(self + 1), **kept = PyMem_Calloc((size_t)codec->slot_count + 1, sizeof(PyObject *));
    if (kept == NULL) return no_memory();
    memcpy(kept, slot, (size_t)codec->slot_count * sizeof(PyObject *));
    memset(slot, 0, (size_t)codec->slot_count * sizeof(PyObject *));
    Reader r;
    read_again(&r, unread);
    r.lacking = 0;
    const uint8_t *p = first_field(unread);
    r.in.end = p + unread->size;
    PyObject *into = self;
    const int failed = read_message(&r, p, codec, 1, 0, &into) == NULL || fill_message(&r, codec, self);
    end_reading(&r);
    for (Py_ssize_t i = 0; i < codec->slot_count; i++)
        if (kept[i] != NULL) Py_XSETREF(slot[i], kept[i]);
    PyMem_Free(kept);
    if (failed) set_changed_error();
    return failed ? -1 : 0;
}
