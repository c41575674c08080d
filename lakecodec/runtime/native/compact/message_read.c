/* Decoding of protobuf's messages. While one is read, the input ends where it does. */
#include "message.h"
#include "tape.h"

/* ---- descriptions ---- */

/* Wire types of one value, by its kind. */
static const uint8_t pb_wires[KIND_COUNT] = {
    [KIND_DOUBLE] = PB_FIXED64,   [KIND_FIXED64] = PB_FIXED64, [KIND_SFIXED64] = PB_FIXED64, [KIND_FIXED32] = PB_FIXED32,
    [KIND_SFIXED32] = PB_FIXED32, [KIND_FLOAT] = PB_FIXED32,   [KIND_BINARY] = PB_BYTES,     [KIND_STRING] = PB_BYTES,
    [KIND_STRUCT] = PB_BYTES,     [KIND_MAP] = PB_BYTES,
};

int message_field_init(Field *field, PyObject *packed, PyObject *implicit, int group, PyObject *oneof, PyObject *member,
                       PyObject *codecs) {
    Type *type = &field->type;
    field->packed = packed == Py_True;
    field->implicit = implicit == Py_True;
    if (oneof != Py_None) {
        Codec *found = referred_codec(oneof, codecs);
        if (found == NULL) return -1;
        field->oneof = (Codec *)Py_NewRef((PyObject *)found);
        field->member = Py_NewRef(member);
        field->number = PyLong_FromLong(field->id);
        if (field->number == NULL) return -1;
    }
    if (field->id < 1 || (unsigned)field->id > PB_HIGHEST)
        return raise_error(PyExc_ValueError, "rows: the field number %d is outside 1 to 536870911", field->id);
    if (type->key != NULL) type->key->wire = pb_wires[type->key->kind];
    if (type->value != NULL) type->value->wire = pb_wires[type->value->kind];
    Type *one = type->kind == KIND_LIST ? type->value : type;
    one->wire = pb_wires[one->kind];
    if (group) {
        if (one->kind != KIND_STRUCT) return raise_error(PyExc_ValueError, "rows: only messages are groups");
        one->wire = PB_START_GROUP;
        one->group = type->group = (uint32_t)field->id & PB_HIGHEST;
    }
    type->wire = one->wire;
    if (type->kind == KIND_LIST || type->kind == KIND_MAP) {
        /* Made when their first element is read. */
        Py_CLEAR(field->absent);
        Py_CLEAR(field->factory);
    }
    return 0;
}

/* ---- unknown fields ---- */

static int keep_unknown(const Codec *codec, PyObject *self, const uint8_t *p, Py_ssize_t size) {
    PyObject *kept = SLOT(self, codec->unknown_at);
    if (kept == NULL || !PyByteArray_CheckExact(kept)) {
        PyObject *made = PyByteArray_FromStringAndSize((const char *)p, size);
        SLOT(self, codec->unknown_at) = made;
        return made == NULL ? -1 : 0;
    }
    Py_ssize_t before = PyByteArray_GET_SIZE(kept);
    if (PyByteArray_Resize(kept, before + size)) return -1;
    memcpy(PyByteArray_AS_STRING(kept) + before, p, (size_t)size);
    return 0;
}

/* ---- values ---- */

PyObject *of_varint(const Type *type, uint64_t value) {
    switch (type->kind) {
    case KIND_I32: return new_int((int32_t)value);
    case KIND_I64: return new_int((int64_t)value);
    case KIND_ENUM: return enum_member(type, (int32_t)value);
    case KIND_BOOL: return Py_NewRef(value ? Py_True : Py_False);
    case KIND_UINT32: return new_int((uint32_t)value);
    case KIND_SINT32: return new_int((int32_t)unzigzag((uint32_t)value));
    case KIND_SINT64: return new_int(unzigzag(value));
    default: return value < SMALL_INTS ? new_int((int64_t)value) : PyLong_FromUnsignedLongLong(value);
    }
}

PyObject *of_fixed(const Type *type, const uint8_t *p) {
    uint64_t wide;
    uint32_t narrow = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    double number;
    switch (type->kind) {
    case KIND_FIXED32: return new_int(narrow);
    case KIND_SFIXED32: return new_int((int32_t)narrow);
    case KIND_FIXED64: wide = load64(p); return PyLong_FromUnsignedLongLong(wide);
    case KIND_SFIXED64: return new_int((int64_t)load64(p));
    case KIND_FLOAT: number = PyFloat_Unpack4((const char *)p, 1); break;
    default: number = PyFloat_Unpack8((const char *)p, 1);
    }
    return number == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(number);
}

/* One occurrence of a value in a message at the nesting level depth. Of a message, *out may be one to merge into, NULL else. */
const uint8_t *read_one(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out) {
    uint64_t number;
    Py_ssize_t length;
    switch (type->wire) {
    case PB_VARINT:
        p = read_number(r, p, &number);
        if (likely(p != NULL)) *out = of_varint(type, number);
        break;
    case PB_BYTES:
        if (type->kind == KIND_STRUCT) {
            const uint8_t *end = r->in.end;
            p = read_length(&r->in, p, &length);
            if (unlikely(p == NULL)) return NULL;
            if (r->trusted && type->codec->lazy && *out == NULL) {
                *out = unread_at(r, p, length, 0, tape_any(r->tape, type->codec));
                return *out == NULL ? NULL : p + length;
            }
            r->in.end = p + length;
            p = read_message(r, p, type->codec, depth + 1, 0, out);
            if (likely(p != NULL)) r->in.end = end;
            return p;
        }
        return type->kind == KIND_STRING ? read_text(r, p, out) : read_binary(r, p, type, out);
    case PB_START_GROUP: return read_message(r, p, type->codec, depth + 1, (int)type->group, out);
    default:
        length = type->wire == PB_FIXED64 ? 8 : 4;
        if (unlikely(r->in.end - p < length)) return truncated(&r->in);
        *out = of_fixed(type, p);
        p += length;
    }
    return unlikely(p == NULL || *out == NULL) ? NULL : p;
}

/* ---- messages ---- */

static const uint8_t *read_oneof(Reader *r, const uint8_t *p, const Field *field, int depth, PyObject **slot) {
    const Codec *codec = field->oneof;
    PyObject *before = *slot, *value = NULL;
    if (field->type.kind == KIND_STRUCT && before != NULL && Py_IS_TYPE(before, codec->cls) &&
        PyUnicode_Compare(SLOT(before, codec->kind_at), field->member) == 0) {
        value = Py_NewRef(SLOT(before, codec->value_at));
    }
    p = read_one(r, p, &field->type, depth, &value);
    if (likely(p != NULL)) {
        PyObject *made = new_union(codec, field->member, value, field->number, Py_None, Py_None);
        if (made == NULL) {
            p = NULL;
        } else {
            *slot = made;
            Py_XDECREF(before);
        }
    }
    Py_XDECREF(value);
    return p;
}

static inline const uint8_t *read_into(Reader *r, const uint8_t *p, const Field *field, int wire, int depth, PyObject **slot, int *known) {
    if (field->oneof != NULL) return read_oneof(r, p, field, depth, slot);
    if (field->type.kind == KIND_LIST) return read_elements(r, p, field, wire, depth, slot);
    if (field->type.kind == KIND_MAP) return read_entry(r, p, &field->type, depth, slot, known);
    if (field->type.kind == KIND_STRUCT && *slot != NULL && *slot != Py_None) return read_one(r, p, &field->type, depth, slot);
    PyObject *value = NULL, *before = *slot;
    p = read_one(r, p, &field->type, depth, &value);
    if (likely(p != NULL)) {
        *slot = value;
        Py_XDECREF(before);
    } else {
        Py_XDECREF(value);
    }
    return p;
}

int fill_message(Reader *r, const Codec *codec, PyObject *self) {
    for (const Field *field = codec->fields, *last = field + codec->field_count; field < last; field++) {
        PyObject **slot = &SLOT(self, field->offset);
        if (likely(*slot != NULL)) continue;
        if (field->type.kind == KIND_LIST && field->oneof == NULL) {
            *slot = new_elements(&field->type);
        } else if (field->type.kind == KIND_MAP) {
            *slot = PyDict_New();
        } else if (field->absent != NULL) {
            *slot = Py_NewRef(field->absent);
        } else {
            *slot = Py_NewRef(Py_None);
            r->lacking = 1;
        }
        if (unlikely(*slot == NULL)) return -1;
    }
    return 0;
}

/* Reads an unread message that another part is going to be merged into; both readers have one cache. */
static COLD int merge_unread(Reader *r, PyObject *self, const Codec *codec) {
    r->tape->texts = r->texts;
    r->tape->mask = r->mask;
    const int failed = read_whole(self, codec);
    r->texts = r->tape->texts;
    r->mask = r->tape->mask;
    return failed;
}

const uint8_t *read_message(Reader *r, const uint8_t *p, const Codec *codec, int depth, int group, PyObject **out) {
    if (unlikely(depth > r->in.max_depth)) return fail(&r->in, RULE_DEPTH, p);
    const int fresh = *out == NULL;
    PyObject *self = fresh ? new_instance(codec) : *out;
    if (unlikely(self == NULL)) return NULL;
    if (unlikely(!fresh && codec->lazy && is_unread(self) && r->trusted && merge_unread(r, self, codec))) return NULL;
    int open = group;
    while (p < r->in.end) {
        const uint8_t *start = p;
        int number, wire, known = 1;
        p = read_tag(r, p, &number, &wire);
        if (unlikely(p == NULL)) goto fail;
        const Field *field = field_by_id(codec, number);
        if (likely(field != NULL && field_fits(&field->type, wire))) {
            p = read_into(r, p, field, wire, depth, &SLOT(self, field->offset), &known);
            if (unlikely(p == NULL)) {
                trace_name(&r->trace, field->name);
                goto fail;
            }
        } else if (wire == PB_END_GROUP && number == open) {
            open = 0;
            break;
        } else {
            p = skip_unknown(r, p, wire, start);
            known = 0;
        }
        if (unlikely(p == NULL || (!known && keep_unknown(codec, self, start, p - start)))) goto fail;
    }
    if (unlikely(open)) {
        truncated(&r->in);
        goto fail;
    }
    if (!fresh) return p;
    if (fill_message(r, codec, self)) goto fail;
    *out = finish_instance(codec, self);
    return p;
fail:
    if (fresh) Py_DECREF(self);
    return NULL;
}

/* ---- required fields ---- */

static const uint8_t *check_value(Reader *r, const Type *type, PyObject *value);

static const uint8_t *check_field(Reader *r, const Field *field, PyObject *value) {
    const Type *type = &field->type;
    const uint8_t *end = r->in.end;
    if (field->oneof != NULL) {
        value = value != Py_None && PyUnicode_Compare(SLOT(value, field->oneof->kind_at), field->member) == 0
                    ? SLOT(value, field->oneof->value_at)
                    : Py_None;
    }
    if (value == Py_None) return end;
    if (type->kind == KIND_LIST) {
        for (Py_ssize_t i = 0; end != NULL && type->value->kind == KIND_STRUCT && i < PyList_GET_SIZE(value); i++) {
            end = check_value(r, type->value, PyList_GET_ITEM(value, i));
            if (end == NULL) trace_index(&r->trace, i);
        }
        return end;
    }
    if (type->kind == KIND_MAP) {
        PyObject *key, *item;
        Py_ssize_t at = 0, i = 0;
        for (; end != NULL && type->value->kind == KIND_STRUCT && PyDict_Next(value, &at, &key, &item); i++) {
            end = check_value(r, type->value, item);
            if (end == NULL) trace_index(&r->trace, i);
        }
        return end;
    }
    return check_value(r, type, value);
}

static const uint8_t *check_value(Reader *r, const Type *type, PyObject *value) {
    return type->kind == KIND_STRUCT ? check_required(r, type->codec, value) : r->in.end;
}

const uint8_t *check_required(Reader *r, const Codec *codec, PyObject *self) {
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        if (codec->fields[i].required && SLOT(self, codec->fields[i].offset) == Py_None) {
            trace_name(&r->trace, codec->fields[i].name);
            return fail(&r->in, RULE_REQUIRED, r->in.end);
        }
    }
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        if (check_field(r, field, SLOT(self, field->offset)) == NULL) {
            trace_name(&r->trace, field->name);
            return NULL;
        }
    }
    return r->in.end;
}
