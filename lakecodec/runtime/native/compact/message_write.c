/* Encoding of protobuf's messages. */
#include "encode.h"
#include "message.h"
#include "tape.h"

/* Where something in the output is, while that may move. */
static inline Py_ssize_t place_of(const Writer *w, const uint8_t *p) { return p - (uint8_t *)PyBytes_AS_STRING(w->bytes); }

static inline uint8_t *at_place(const Writer *w, Py_ssize_t place) { return (uint8_t *)PyBytes_AS_STRING(w->bytes) + place; }

/* ---- lengths: a byte is left for each, which suffices for most ---- */

static uint8_t *begin_length(Writer *w, uint8_t *p, Py_ssize_t *place) {
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) return NULL;
    *place = place_of(w, p);
    return p + 1;
}

static uint8_t *end_length(Writer *w, uint8_t *p, Py_ssize_t place) {
    uint8_t *start = at_place(w, place), length[10];
    const Py_ssize_t size = p - start - 1;
    if (likely(size < 128)) {
        *start = (uint8_t)size;
        return p;
    }
    uint8_t padded[16];
    const Py_ssize_t width = put_varint(padded, (uint64_t)size) - padded;
    memcpy(length, padded, (size_t)width);
    p = ensure(w, p, SMALL);
    if (p == NULL) return NULL;
    start = at_place(w, place);
    memmove(start + width, start + 1, (size_t)size);
    memcpy(start, length, (size_t)width);
    return p + width - 1;
}

/* ---- values ---- */

static COLD int unfit_number(Writer *w, const Type *type) {
    unfit_range(w, type->kind == KIND_ENUM ? "i32" : kind_names[type->kind]);
    return -1;
}

/* The number of an int as 64 bits; 0 or -1. */
static int take_number(Writer *w, const Type *type, PyObject *value, uint64_t *out) {
    const int is_unsigned =
        type->kind == KIND_UINT32 || type->kind == KIND_UINT64 || type->kind == KIND_FIXED32 || type->kind == KIND_FIXED64;
    const int is_wide = type->kind == KIND_I64 || type->kind == KIND_SINT64 || type->kind == KIND_SFIXED64 || type->kind == KIND_UINT64 ||
                        type->kind == KIND_FIXED64;
    int64_t number = 0;
    if (unlikely(!PyLong_Check(value) || PyBool_Check(value) || !small_int(value, &number))) {
        PyObject *index = PyBool_Check(value) ? NULL : PyNumber_Index(value);
        if (index == NULL) {
            if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError)) {
                PyErr_Clear();
                unfit_type(w, "an int", value);
            }
            return -1;
        }
        int overflow;
        number = PyLong_AsLongLongAndOverflow(index, &overflow);
        if (overflow > 0 && is_unsigned && is_wide) {
            *out = PyLong_AsUnsignedLongLong(index);
            Py_DECREF(index);
            if (*out == (uint64_t)-1 && PyErr_Occurred()) {
                PyErr_Clear();
                return unfit_number(w, type);
            }
            return 0;
        }
        Py_DECREF(index);
        if (overflow) return unfit_number(w, type);
    }
    if (is_unsigned ? number < 0 || (!is_wide && number >> 32) : !is_wide && number != (int32_t)number) return unfit_number(w, type);
    *out = (uint64_t)number;
    return 0;
}

static uint8_t *write_number(Writer *w, uint8_t *p, const Type *type, PyObject *value) {
    uint64_t number;
    if (take_number(w, type, value, &number)) return NULL;
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) return NULL;
    switch (type->kind) {
    case KIND_SINT32:
    case KIND_SINT64: return put_zigzag(p, (int64_t)number);
    case KIND_FIXED64:
    case KIND_SFIXED64: store64(p, number); return p + 8;
    case KIND_FIXED32:
    case KIND_SFIXED32:
        for (int i = 0; i < 4; i++) p[i] = (uint8_t)(number >> 8 * i);
        return p + 4;
    default: return put_varint(p, number);
    }
}

static uint8_t *write_float(Writer *w, uint8_t *p, PyObject *value) {
    if (!PyFloat_Check(value) && (!PyLong_Check(value) || PyBool_Check(value))) return unfit_type(w, "a float", value);
    double number = PyFloat_AsDouble(value);
    p = number == -1.0 && PyErr_Occurred() ? NULL : ensure(w, p, SMALL);
    if (p == NULL || PyFloat_Pack4(number, (char *)p, 1)) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
        PyErr_Clear();
        return unfit_range(w, "float");
    }
    return p + 4;
}

static inline uint8_t *write_tag(Writer *w, uint8_t *p, int number, int wire) {
    p = ensure(w, p, SMALL);
    return unlikely(p == NULL) ? NULL : put_varint(p, (uint64_t)number << 3 | (unsigned)wire);
}

/* One value, with its length where it has one, or with the end of its group. */
static uint8_t *write_one(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth) {
    Py_ssize_t place;
    switch (type->kind) {
    case KIND_STRING: return write_text(w, p, value);
    case KIND_BINARY: return write_binary(w, p, value);
    case KIND_DOUBLE: return write_double(w, p, value);
    case KIND_FLOAT: return write_float(w, p, value);
    case KIND_BOOL:
        if (!PyBool_Check(value)) return unfit_type(w, "a bool", value);
        p = ensure(w, p, SMALL);
        if (p != NULL) *p++ = value == Py_True;
        return p;
    case KIND_STRUCT:
        if (unlikely(!PyObject_TypeCheck(value, type->codec->cls))) {
            const char *name = PyUnicode_AsUTF8(type->codec->name);
            return name == NULL ? NULL : unfit_type(w, name, value);
        }
        if (type->group) {
            p = write_message(w, p, type->codec, value, depth + 1);
            return p == NULL ? NULL : write_tag(w, p, (int)type->group, PB_END_GROUP);
        }
        p = begin_length(w, p, &place);
        p = p == NULL ? NULL : write_message(w, p, type->codec, value, depth + 1);
        return p == NULL ? NULL : end_length(w, p, place);
    default: return write_number(w, p, type, value);
    }
}

/* ---- lists and maps ---- */

static uint8_t *write_items(Writer *w, uint8_t *p, const Field *field, PyObject *items, int depth) {
    const Type *type = field->type.value;
    const int packed = field->packed && type->wire != PB_BYTES && !type->group;
    Py_ssize_t place = 0, count = PySequence_Fast_GET_SIZE(items);
    if (count == 0) return p;
    if (packed) {
        p = write_tag(w, p, field->id, PB_BYTES);
        p = p == NULL ? NULL : begin_length(w, p, &place);
    }
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        if (unlikely(PySequence_Fast_GET_SIZE(items) != count)) return unfit_changed(w);
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
        p = packed ? p : write_tag(w, p, field->id, type->wire);
        p = p == NULL ? NULL : write_one(w, p, type, item, depth);
        Py_DECREF(item);
        if (unlikely(p == NULL)) trace_index(&w->trace, i);
    }
    return p == NULL || !packed ? p : end_length(w, p, place);
}

static uint8_t *write_list(Writer *w, uint8_t *p, const Field *field, PyObject *value, int depth) {
    PyObject *items = plain_sequence(value);
    p = items == NULL ? NULL : write_items(w, p, field, items, depth);
    Py_XDECREF(items);
    return p;
}

static uint8_t *write_pairs(Writer *w, uint8_t *p, const Field *field, PyObject *map, int depth) {
    const Type *type = &field->type;
    PyObject *pairs = map_pairs(map, 1);
    if (pairs == NULL && !PyErr_Occurred()) return unfit_type(w, "a dict", map);
    for (Py_ssize_t i = 0; p != NULL && pairs != NULL && i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        Py_ssize_t place;
        p = write_tag(w, p, field->id, PB_BYTES);
        p = p == NULL ? NULL : begin_length(w, p, &place);
        p = p == NULL ? NULL : write_tag(w, p, 1, type->key->wire);
        p = p == NULL ? NULL : write_one(w, p, type->key, PyTuple_GET_ITEM(pair, 0), depth + 1);
        p = p == NULL ? NULL : write_tag(w, p, 2, type->value->wire);
        p = p == NULL ? NULL : write_one(w, p, type->value, PyTuple_GET_ITEM(pair, 1), depth + 1);
        p = p == NULL ? NULL : end_length(w, p, place);
        if (p == NULL) trace_index(&w->trace, i);
    }
    Py_XDECREF(pairs);
    return pairs == NULL ? NULL : p;
}

/* ---- messages ---- */

static int is_zero(const uint8_t *p, const uint8_t *end, int wire) {
    if (wire == PB_VARINT || wire == PB_BYTES) return end - p == 1 && *p == 0;
    while (p < end && *p == 0) p++;
    return p == end;
}

static uint8_t *write_single(Writer *w, uint8_t *p, const Field *field, PyObject *value, int depth) {
    const Py_ssize_t before = place_of(w, p);
    p = write_tag(w, p, field->id, field->type.wire);
    if (unlikely(p == NULL)) return NULL;
    const Py_ssize_t start = place_of(w, p);
    p = write_one(w, p, &field->type, value, depth);
    if (p != NULL && field->implicit && is_zero(at_place(w, start), p, field->type.wire)) return at_place(w, before);
    return p;
}

/* The value of the member of a oneof, None where another one is set; borrowed, or NULL. */
static PyObject *member_value(Writer *w, const Field *field, PyObject *oneof) {
    const Codec *codec = field->oneof;
    if (!PyObject_TypeCheck(oneof, codec->cls)) {
        const char *name = PyUnicode_AsUTF8(codec->name);
        if (name != NULL) unfit_type(w, name, oneof);
        return NULL;
    }
    PyObject *kind = filled_slot(oneof, codec->kind_at), *id = filled_slot(oneof, codec->id_at);
    if (kind == NULL || id == NULL) return NULL;
    if (kind == Py_None) {
        unfit(w, "member");
        return NULL;
    }
    Py_INCREF(id);
    const int same = PyObject_RichCompareBool(id, field->number, Py_EQ);
    Py_DECREF(id);
    return same < 0 ? NULL : same ? filled_slot(oneof, codec->value_at) : Py_None;
}

static uint8_t *write_member(Writer *w, uint8_t *p, const Field *field, PyObject *oneof, int depth) {
    PyObject *value = member_value(w, field, oneof);
    if (value == NULL) {
        /* The oneof itself is at fault: its name is what stands before the member's. */
        PyObject *name = PyUnicode_Substring(field->name, 0, PyUnicode_GET_LENGTH(field->name) - PyUnicode_GET_LENGTH(field->member) - 1);
        if (name != NULL) {
            PyUnicode_InternInPlace(&name);
            trace_name(&w->trace, name);
            Py_DECREF(name);
        }
        return NULL;
    }
    if (value == Py_None && !PyErr_Occurred()) return p;
    Py_INCREF(value);
    p = write_single(w, p, field, value, depth);
    Py_DECREF(value);
    if (p == NULL) trace_name(&w->trace, field->name);
    return p;
}

static uint8_t *write_message_field(Writer *w, uint8_t *p, const Field *field, PyObject *value, int depth) {
    if (field->oneof != NULL) return write_member(w, p, field, value, depth);
    if (field->type.kind == KIND_LIST)
        p = PyList_Check(value) || PyTuple_Check(value) ? write_list(w, p, field, value, depth) : unfit_type(w, "a list", value);
    else if (field->type.kind == KIND_MAP)
        p = write_pairs(w, p, field, value, depth);
    else
        p = write_single(w, p, field, value, depth);
    if (unlikely(p == NULL)) trace_name(&w->trace, field->name);
    return p;
}

uint8_t *write_message(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth) {
    if (is_too_deep(depth, MAX_ENCODE_DEPTH)) return unfit(w, "depth");
    if (codec->lazy && is_unread(self) && read_whole(self, codec)) return NULL;
    const Field *last = codec->fields + codec->field_count;
    for (const Field *field = codec->fields; codec->required && field < last; field++) {
        if (field->required && SLOT(self, field->offset) == Py_None) {
            trace_name(&w->trace, field->name);
            return unfit(w, "required");
        }
    }
    for (const Field *field = codec->fields; field < last; field++) {
        PyObject *value = filled_slot(self, field->offset);
        if (unlikely(value == NULL)) return NULL;
        if (value == Py_None) continue;
        Py_INCREF(value);
        p = write_message_field(w, p, field, value, depth);
        Py_DECREF(value);
        if (unlikely(p == NULL)) return NULL;
    }
    PyObject *unknown = SLOT(self, codec->unknown_at);
    if (unknown == NULL) return p;
    Py_INCREF(unknown);
    p = write_buffer(w, p, unknown, 0);
    Py_DECREF(unknown);
    return p;
}
