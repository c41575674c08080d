/* Decoding to instances of the generated classes, filled by slot offset without running __init__. */
#include "compact.h"

static const uint8_t *read_struct(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out);
static const uint8_t *read_value(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out);

/* ---- numbers ---- */

static inline PyObject *
new_int(int64_t number)
{
    if (number >= 0 && number < SMALL_INTS) {
        return Py_NewRef(small_ints[number]);
    }
    return PyLong_FromLongLong(number);
}

/* A member of an enum whose numbers are far apart, or the number that no member has. */
static PyObject *
rare_member(const Type *type, int64_t number)
{
    if (PyTuple_CheckExact(type->members)) {
        return PyLong_FromLongLong(number);
    }
    PyObject *value = PyLong_FromLongLong(number);
    PyObject *member = value == NULL ? NULL : PyDict_GetItemWithError(type->members, value);
    if (member == NULL) {
        if (PyErr_Occurred()) {
            Py_CLEAR(value);
        }
        return value;
    }
    Py_INCREF(member);
    Py_DECREF(value);
    return member;
}

static inline PyObject *
enum_member(const Type *type, int64_t number)
{
    int64_t index = number - type->low;
    if (likely(index >= 0 && index < type->dense)) {
        PyObject *member = PyTuple_GET_ITEM(type->members, index);
        if (likely(member != Py_None)) {
            return Py_NewRef(member);
        }
    }
    return rare_member(type, number);
}

static inline const uint8_t *
read_integer(Reader *r, const uint8_t *p, const Type *type, PyObject **out)
{
    uint64_t value;
    const uint8_t *end = read_varint(&r->in, p, &value);
    if (unlikely(end == NULL)) {
        return NULL;
    }
    if (type->kind != KIND_I64) {
        if (unlikely(type->kind == KIND_I16 && value >> 16)) {
            return fail(&r->in, RULE_I16, p);
        }
        if (unlikely(value >> 32)) {
            return fail(&r->in, RULE_I32, p);
        }
        if (type->kind == KIND_ENUM) {
            *out = enum_member(type, unzigzag(value));
            return *out == NULL ? NULL : end;
        }
    }
    *out = new_int(unzigzag(value));
    return unlikely(*out == NULL) ? NULL : end;
}

/* ---- containers ---- */

static inline int
take_elements(Reader *r, Py_ssize_t count, const uint8_t *at)
{
    if (unlikely(count > r->in.elements)) {
        fail(&r->in, RULE_ELEMENTS, at);
        return -1;
    }
    r->in.elements -= count;
    return 0;
}

/* Only the chosen elements of a list, in file order. */
static COLD const uint8_t *
read_chosen(Reader *r, const uint8_t *p, const Type *type, Py_ssize_t count, int wire, int depth, PyObject **out)
{
    const Py_ssize_t *next = type->indices, *last = next + type->index_count;
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    while (next < last && *next < 0) {
        next++;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (next == last || *next != i) {
            p = type->value->kind == KIND_BOOL ? p + 1 : skip_value(&r->in, p, wire, r->in.max_depth - depth);
        }
        else {
            PyObject *item = NULL;
            while (next < last && *next == i) {
                next++;
            }
            p = read_value(r, p, type->value, depth + 1, &item);
            if (p != NULL && PyList_Append(list, item)) {
                p = NULL;
            }
            Py_XDECREF(item);
        }
        if (unlikely(p == NULL)) {
            trace_index(&r->trace, i);
            Py_DECREF(list);
            return NULL;
        }
    }
    *out = list;
    return p;
}

static const uint8_t *
read_list(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out)
{
    const uint8_t *start = p;
    Py_ssize_t count;
    int wire;
    if (unlikely(depth > r->in.max_depth)) {
        return fail(&r->in, RULE_DEPTH, p);
    }
    p = read_list_header(&r->in, p, &count, &wire);
    if (unlikely(p == NULL)) {
        return NULL;
    }
    const Type *value = type->value;
    if (unlikely(count && !element_fits(value, wire))) {
        return fail(&r->in, RULE_ELEMENT, start);
    }
    if (take_elements(r, count, start)) {
        return NULL;
    }
    if (type->indices != NULL) {
        return read_chosen(r, p, type, count, wire, depth, out);
    }
    PyObject *list = PyList_New(count);
    if (unlikely(list == NULL)) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = NULL;
        if (value->kind == KIND_STRUCT) {
            p = read_struct(r, p, value->codec, depth + 1, &item);
        }
        else if (is_integer(value->kind)) {
            p = read_integer(r, p, value, &item);
        }
        else {
            p = read_value(r, p, value, depth + 1, &item);
        }
        if (unlikely(p == NULL)) {
            trace_index(&r->trace, i);
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, i, item);
    }
    if (type->hashed) {
        *out = PySet_New(list);
        Py_DECREF(list);
        return *out == NULL ? NULL : p;
    }
    *out = list;
    return p;
}

/* Adds a pair to a dict, or to a list of pairs; takes both references. */
static int
add_pair(PyObject *map, PyObject *key, PyObject *value)
{
    int failed = -1;
    if (PyDict_CheckExact(map)) {
        failed = PyDict_SetItem(map, key, value);
    }
    else {
        PyObject *pair = PyTuple_Pack(2, key, value);
        failed = pair == NULL ? -1 : PyList_Append(map, pair);
        Py_XDECREF(pair);
    }
    Py_DECREF(key);
    Py_DECREF(value);
    return failed;
}

static COLD const uint8_t *
read_map(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out)
{
    const uint8_t *start = p;
    Py_ssize_t count;
    int key_wire, value_wire;
    if (depth > r->in.max_depth) {
        return fail(&r->in, RULE_DEPTH, p);
    }
    p = read_map_header(&r->in, p, &count, &key_wire, &value_wire);
    if (p == NULL) {
        return NULL;
    }
    if (count && !(element_fits(type->key, key_wire) && element_fits(type->value, value_wire))) {
        return fail(&r->in, RULE_ELEMENT, start);
    }
    if (take_elements(r, count, start)) {
        return NULL;
    }
    PyObject *map = type->hashed ? PyDict_New() : PyList_New(0);
    if (map == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *key = NULL, *value = NULL;
        p = read_value(r, p, type->key, depth + 1, &key);
        if (p != NULL) {
            p = read_value(r, p, type->value, depth + 1, &value);
        }
        if (p == NULL) {
            Py_XDECREF(key);
        }
        else if (add_pair(map, key, value)) {
            p = NULL;
        }
        if (p == NULL) {
            trace_index(&r->trace, i);
            Py_DECREF(map);
            return NULL;
        }
    }
    *out = map;
    return p;
}

/* A value at nesting level depth, its own when it is a struct or container. */
static const uint8_t *
read_value(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out)
{
    switch (type->kind) {
    case KIND_I16: case KIND_I32: case KIND_I64: case KIND_ENUM:
        return read_integer(r, p, type, out);
    case KIND_STRING:
        return read_text(r, p, out);
    case KIND_BINARY:
        return read_binary(r, p, type, out);
    case KIND_STRUCT:
        return read_struct(r, p, type->codec, depth, out);
    case KIND_LIST: case KIND_SET:
        return read_list(r, p, type, depth, out);
    case KIND_MAP:
        return read_map(r, p, type, depth, out);
    case KIND_DOUBLE:
        return read_double(r, p, out);
    case KIND_UUID:
        return read_uuid(r, p, type, out);
    default:
        if (p >= r->in.end) {
            return truncated(&r->in);
        }
        if (type->kind == KIND_I8) {
            *out = PyLong_FromLong((int8_t)*p);
            return *out == NULL ? NULL : p + 1;
        }
        if (*p > 2) {
            return fail(&r->in, RULE_BOOL, p);
        }
        *out = PyBool_FromLong(*p == 1);
        return p + 1;
    }
}

/* ---- structs and unions ---- */

/* An instance with empty slots, not yet seen by the garbage collector. */
static inline PyObject *
new_instance(const Codec *codec)
{
    if (likely(codec->plain)) {
        PyObject *self = PyObject_GC_New(PyObject, codec->cls);
        if (likely(self != NULL)) {
            PyObject **slot = (PyObject **)(self + 1), **last = slot + codec->slot_count;
            while (slot < last) {
                *slot++ = NULL;
            }
        }
        return self;
    }
    PyObject *self = codec->cls->tp_alloc(codec->cls, 0);
    if (self != NULL && PyObject_GC_IsTracked(self)) {
        PyObject_GC_UnTrack(self);
    }
    return self;
}

static inline PyObject *
finish_instance(const Codec *codec, PyObject *self)
{
    if (codec->track || !codec->plain) {
        if (PyType_IS_GC(codec->cls)) {
            PyObject_GC_Track(self);
        }
    }
    return self;
}

static int
fill_slot(Reader *r, const Field *field, PyObject *self, const uint8_t *stop)
{
    if (field->required) {
        fail(&r->in, RULE_REQUIRED, stop);
        trace_name(&r->trace, field->name);
        return -1;
    }
    PyObject *value = field->factory != NULL ? PyObject_CallNoArgs(field->factory) : Py_NewRef(field->absent);
    SLOT(self, field->offset) = value;
    return value == NULL ? -1 : 0;
}

/* Gives absent fields their values; stop is the struct's stop byte. */
static inline int
fill_absent(Reader *r, const Codec *codec, PyObject *self, uint64_t missing, const uint8_t *stop)
{
    for (; missing != 0; missing &= missing - 1) {
        const Field *field = &codec->fields[__builtin_ctzll(missing)];
        if (likely(field->absent != NULL)) {
            SLOT(self, field->offset) = Py_NewRef(field->absent);
        }
        else if (fill_slot(r, field, self, stop)) {
            return -1;
        }
    }
    for (Py_ssize_t i = 64; unlikely(i < codec->field_count); i++) {
        const Field *field = &codec->fields[i];
        if (SLOT(self, field->offset) == NULL && fill_slot(r, field, self, stop)) {
            return -1;
        }
    }
    return 0;
}

static const uint8_t *
read_fields(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out)
{
    const uint8_t *end = r->in.end, *start;
    int last = 0;
    uint64_t missing = codec->bits;
    PyObject *self = new_instance(codec);
    if (unlikely(self == NULL)) {
        return NULL;
    }
    for (;;) {
        start = p;
        if (unlikely(p >= end)) {
            truncated(&r->in);
            goto fail;
        }
        unsigned header = *p++;
        int wire = header & 15;
        if (wire == WIRE_STOP) {
            break;
        }
        if (likely(header > 15)) {
            last += header >> 4;
            if (unlikely(last > 32767)) {
                fail(&r->in, RULE_FIELD_ID, start);
                goto fail;
            }
        }
        else {
            int id;
            p = read_field_id(&r->in, p, start, &id);
            if (unlikely(p == NULL)) {
                goto fail;
            }
            last = id;
        }
        const Field *field = field_by_id(codec, last);
        if (unlikely(field == NULL || !wire_fits(&field->type, wire))) {
            p = skip_field(&r->in, p, wire, r->in.max_depth - depth, start);
            if (unlikely(p == NULL)) {
                goto fail;
            }
            continue;
        }
        PyObject *value = NULL;
        switch (field->type.kind) {
        case KIND_BOOL:
            value = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
            break;
        case KIND_I16: case KIND_I32: case KIND_I64: case KIND_ENUM:
            p = read_integer(r, p, &field->type, &value);
            break;
        case KIND_STRUCT:
            p = read_struct(r, p, field->type.codec, depth + 1, &value);
            break;
        case KIND_LIST:
            p = read_list(r, p, &field->type, depth + 1, &value);
            break;
        default:
            p = read_value(r, p, &field->type, depth + 1, &value);
        }
        if (unlikely(p == NULL)) {
            trace_name(&r->trace, field->name);
            goto fail;
        }
        missing &= ~field->bit;
        PyObject *old = SLOT(self, field->offset);
        SLOT(self, field->offset) = value;
        if (unlikely(old != NULL)) {
            Py_DECREF(old);
        }
    }
    if (unlikely(fill_absent(r, codec, self, missing, start))) {
        goto fail;
    }
    *out = finish_instance(codec, self);
    return p;
fail:
    Py_DECREF(self);
    return NULL;
}

static PyObject *
new_union(const Codec *codec, PyObject *kind, PyObject *value, PyObject *id, PyObject *raw, PyObject *wire)
{
    PyObject *self = new_instance(codec);
    if (self == NULL) {
        return NULL;
    }
    SLOT(self, codec->kind_at) = Py_NewRef(kind);
    SLOT(self, codec->value_at) = Py_NewRef(value);
    SLOT(self, codec->id_at) = Py_NewRef(id);
    SLOT(self, codec->raw_at) = Py_NewRef(raw);
    SLOT(self, codec->wire_at) = Py_NewRef(wire);
    return finish_instance(codec, self);
}

static const uint8_t *
read_unknown_member(Reader *r, const uint8_t *p, const Codec *codec, int id, int wire, int depth, PyObject **out)
{
    const uint8_t *end = skip_value(&r->in, p, wire, r->in.max_depth - depth);
    if (end == NULL) {
        return NULL;
    }
    PyObject *number = PyLong_FromLong(id), *type = PyLong_FromLong(wire);
    PyObject *raw = PyBytes_FromStringAndSize((const char *)p, end - p);
    if (number != NULL && type != NULL && raw != NULL) {
        *out = new_union(codec, Py_None, Py_None, number, raw, type);
    }
    Py_XDECREF(number);
    Py_XDECREF(type);
    Py_XDECREF(raw);
    return *out == NULL ? NULL : end;
}

static const uint8_t *
read_member(Reader *r, const uint8_t *p, const Codec *codec, const Field *field, int wire, int depth, PyObject **out)
{
    PyObject *value = NULL;
    if (field->type.kind == KIND_BOOL) {
        value = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
    }
    else if (field->single != NULL && p < r->in.end && *p == 0 && depth < r->in.max_depth) {
        *out = Py_NewRef(field->single);
        return p + 1;
    }
    else {
        p = read_value(r, p, &field->type, depth + 1, &value);
        if (p == NULL) {
            trace_name(&r->trace, field->name);
            return NULL;
        }
    }
    if (field->single != NULL) {
        *out = Py_NewRef(field->single);
    }
    else {
        *out = new_union(codec, field->name, value, field->number, Py_None, Py_None);
    }
    Py_DECREF(value);
    return *out == NULL ? NULL : p;
}

static const uint8_t *
read_union(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out)
{
    const uint8_t *start = p;
    if (unlikely(p >= r->in.end)) {
        return truncated(&r->in);
    }
    unsigned header = *p++;
    int wire = header & 15, id = header >> 4;
    if (unlikely(wire == WIRE_STOP)) {
        return fail(&r->in, RULE_NO_MEMBER, start);
    }
    if (header < 16 && (p = read_field_id(&r->in, p, start, &id)) == NULL) {
        return NULL;
    }
    if (unlikely(wire > WIRE_UUID)) {
        return fail(&r->in, RULE_WIRE, start);
    }
    const Field *field = field_by_id(codec, id);
    PyObject *self = NULL;
    if (unlikely(field == NULL || !wire_fits(&field->type, wire))) {
        p = read_unknown_member(r, p, codec, id, wire, depth, &self);
    }
    else {
        p = read_member(r, p, codec, field, wire, depth, &self);
    }
    if (unlikely(p == NULL)) {
        return NULL;
    }
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

static const uint8_t *
read_struct(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out)
{
    if (unlikely(depth > r->in.max_depth)) {
        return fail(&r->in, RULE_DEPTH, p);
    }
    switch (codec->kind) {
    case CODEC_STRUCT:
        return read_fields(r, p, codec, depth, out);
    case CODEC_UNION:
        return read_union(r, p, codec, depth, out);
    case CODEC_CUSTOM:
        return read_custom(r, p, codec, out);
    default:
        p = skip_struct(&r->in, p, r->in.max_depth - depth);
        if (p != NULL) {
            *out = Py_NewRef(codec->single);
        }
        return p;
    }
}

/* ---- the method ---- */

/* Sets the exception for a failed reading; one that a custom codec raised gets the outer part of its path. */
static void
raise_failure(Reader *r, const Codec *codec)
{
    if (r->in.rule != RULE_NONE) {
        PyObject *error = decode_error(r->in.rule, codec->format, &r->trace, r->in.at - r->in.begin);
        if (error != NULL) {
            PyErr_SetObject((PyObject *)Py_TYPE(error), error);
            Py_DECREF(error);
        }
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *decoding = runtime_object("lakecodec.runtime.errors", "DecodeError");
    if (decoding != NULL && value != NULL && PyObject_TypeCheck(value, (PyTypeObject *)decoding)) {
        PyObject *tail = PyObject_GetAttrString(value, "path");
        PyObject *path = tail == NULL || !PyUnicode_Check(tail) ? NULL : trace_path(&r->trace, tail);
        if (path != NULL) {
            PyObject_SetAttrString(value, "path", path);
        }
        Py_XDECREF(path);
        Py_XDECREF(tail);
    }
    Py_XDECREF(decoding);
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

PyObject *
codec_decode(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    const Codec *codec = (Codec *)self;
    Py_buffer buffer;
    Py_ssize_t pos, depth, elements;
    Reader r = {.data = NULL};
    if (check_count("decode", count, 6) || take_text(args[5], &r.text) || (r.views = PyObject_IsTrue(args[4])) < 0 ||
        take_limit(args[2], "max_depth", &depth) || take_limit(args[3], "max_elements", &elements) ||
        take_buffer(args[0], &buffer)) {
        return NULL;
    }
    if (take_position(args[1], buffer.len, &pos)) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    r.data = args[0];
    r.in.begin = buffer.buf;
    r.in.end = r.in.begin + buffer.len;
    r.in.max_depth = depth < MAX_NESTING ? (int)depth : MAX_NESTING;
    r.in.elements = elements;
    PyObject *value = NULL, *result = NULL;
    int collecting = PyGC_Disable();
    const uint8_t *end = read_struct(&r, r.in.begin + pos, codec, 1, &value);
    if (collecting) {
        PyGC_Enable();
    }
    if (end == NULL) {
        raise_failure(&r, codec);
    }
    else {
        result = Py_BuildValue("(Nn)", value, (Py_ssize_t)(end - r.in.begin));
    }
    free_caches(&r);
    Py_XDECREF(r.view);
    trace_free(&r.trace);
    PyBuffer_Release(&buffer);
    return result;
}
