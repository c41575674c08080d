/* Encoding of instances of the generated classes, every value checked. */
#include "compact_encode.h"

static int write_struct(Writer *w, const Codec *codec, PyObject *value, int depth);

/* The value of an int of one digit, the common case; 0 when it has more. */
static inline int
small_int(PyObject *value, int64_t *number)
{
#if PY_VERSION_HEX >= 0x030c0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)value)) {
        return 0;
    }
    *number = PyUnstable_Long_CompactValue((PyLongObject *)value);
#else
    Py_ssize_t size = Py_SIZE(value);
    if (size < -1 || size > 1) {
        return 0;
    }
    *number = size == 0 ? 0 : size * (int64_t)((PyLongObject *)value)->ob_digit[0];
#endif
    return 1;
}

static int
write_int(Writer *w, const Type *type, PyObject *value)
{
    int64_t number;
    if (unlikely(!PyLong_Check(value) || PyBool_Check(value) || !small_int(value, &number))) {
        if (large_int(w, type, value, &number)) {
            return -1;
        }
    }
    if (type->kind != KIND_I64) {
        int64_t bound = type->kind == KIND_I8 ? 0x80 : type->kind == KIND_I16 ? 0x8000 : 0x80000000;
        if (unlikely(number < -bound || number >= bound)) {
            return unfit_range(w, type->kind == KIND_ENUM ? "i32" : kind_names[type->kind]);
        }
    }
    if (ensure(w, SMALL)) {
        return -1;
    }
    if (type->kind == KIND_I8) {
        *w->p++ = (uint8_t)number;
    }
    else {
        put_zigzag(w, number);
    }
    return 0;
}

/* ---- containers ---- */

/* Writes the elements of a list or tuple, which code called meanwhile may change. */
int
write_elements(Writer *w, const Type *type, PyObject *items, int depth)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    if (ensure(w, SMALL)) {
        return -1;
    }
    put_list_header(w, count, type->value->wire);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (unlikely(PySequence_Fast_GET_SIZE(items) != count)) {
            PyErr_SetString(PyExc_RuntimeError, "a list changed its size while it was encoded");
            return -1;
        }
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
        int failed = write_value(w, type->value, item, depth + 1);
        Py_DECREF(item);
        if (unlikely(failed)) {
            trace_index(&w->trace, i);
            return -1;
        }
    }
    return 0;
}

static int
write_list(Writer *w, const Type *type, PyObject *value, int depth)
{
    int sequence = PyList_Check(value) || PyTuple_Check(value);
    if (unlikely(!sequence && !(type->kind == KIND_SET && PyAnySet_Check(value)))) {
        return unfit_type(w, type->kind == KIND_SET ? "a set" : "a list", value);
    }
    if (unlikely(depth > MAX_ENCODE_DEPTH)) {
        return unfit(w, "depth");
    }
    return sequence ? write_elements(w, type, value, depth) : write_set(w, type, value, depth);
}

int
write_value(Writer *w, const Type *type, PyObject *value, int depth)
{
    switch (type->kind) {
    case KIND_I8: case KIND_I16: case KIND_I32: case KIND_I64: case KIND_ENUM:
        return write_int(w, type, value);
    case KIND_BINARY:
        return write_binary(w, value);
    case KIND_STRING:
        return write_text(w, value);
    case KIND_STRUCT:
        return write_struct(w, type->codec, value, depth);
    case KIND_LIST: case KIND_SET:
        return write_list(w, type, value, depth);
    case KIND_MAP:
        return write_map(w, type, value, depth);
    case KIND_DOUBLE:
        return write_double(w, value);
    case KIND_UUID:
        return write_uuid(w, type, value);
    default:
        if (!PyBool_Check(value)) {
            return unfit_type(w, "a bool", value);
        }
        if (ensure(w, SMALL)) {
            return -1;
        }
        *w->p++ = value == Py_True ? 1 : 2;
        return 0;
    }
}

/* ---- structs and unions ---- */

static int
write_field(Writer *w, const Field *field, PyObject *value, int last, int depth)
{
    int failed = ensure(w, SMALL);
    if (failed) {
        return -1;
    }
    if (field->type.kind == KIND_BOOL) {
        if (likely(PyBool_Check(value))) {
            put_field_header(w, last, field->id, value == Py_True ? WIRE_TRUE : WIRE_FALSE);
        }
        else {
            failed = unfit_type(w, "a bool", value);
        }
    }
    else {
        put_field_header(w, last, field->id, field->type.wire);
        failed = write_value(w, &field->type, value, depth + 1);
    }
    if (unlikely(failed)) {
        trace_name(&w->trace, field->name);
    }
    return failed;
}

/* The slot's content, which must be set; borrowed. */
static PyObject *
filled_slot(PyObject *self, Py_ssize_t offset, PyObject *name)
{
    PyObject *value = SLOT(self, offset);
    if (value == NULL) {
        PyErr_Format(PyExc_AttributeError, "%s object has no value for %V", Py_TYPE(self)->tp_name, name, "a slot");
    }
    return value;
}

static int
write_fields(Writer *w, const Codec *codec, PyObject *self, int depth)
{
    int last = 0;
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        PyObject *value = filled_slot(self, field->offset, field->name);
        if (value == Py_None) {
            if (unlikely(field->required)) {
                trace_name(&w->trace, field->name);
                return unfit(w, "required");
            }
            continue;
        }
        if (unlikely(value == NULL)) {
            return -1;
        }
        Py_INCREF(value);
        int failed = write_field(w, field, value, last, depth);
        Py_DECREF(value);
        if (unlikely(failed)) {
            return -1;
        }
        last = field->id;
    }
    if (ensure(w, SMALL)) {
        return -1;
    }
    *w->p++ = 0;
    return 0;
}

static int
write_unknown_member(Writer *w, const Codec *codec, PyObject *self, PyObject *id)
{
    PyObject *raw = filled_slot(self, codec->raw_at, NULL), *wire = filled_slot(self, codec->wire_at, NULL);
    if (raw == NULL || wire == NULL) {
        return -1;
    }
    if (!PyBytes_Check(raw) || !PyLong_Check(wire) || !PyLong_Check(id)) {
        return unfit(w, "member");
    }
    int overflow;
    long number = PyLong_AsLongAndOverflow(id, &overflow), type = PyLong_AsLongAndOverflow(wire, &overflow);
    if (number < -32768 || number > 32767 || type < WIRE_TRUE || type > WIRE_UUID) {
        return unfit(w, "member");
    }
    if (ensure(w, SMALL)) {
        return -1;
    }
    put_field_header(w, 0, (int)number, (int)type);
    return write_bytes(w, PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw));
}

static int
write_union(Writer *w, const Codec *codec, PyObject *self, int depth)
{
    PyObject *kind = filled_slot(self, codec->kind_at, NULL), *id = filled_slot(self, codec->id_at, NULL);
    if (kind == NULL || id == NULL) {
        return -1;
    }
    Field *field = NULL;
    if (kind != Py_None && PyLong_Check(id)) {
        int overflow;
        long number = PyLong_AsLongAndOverflow(id, &overflow);
        field = number >= -32768 && number <= 32767 && !overflow ? field_by_id(codec, (int)number) : NULL;
    }
    int failed;
    if (field != NULL) {
        PyObject *value = filled_slot(self, codec->value_at, NULL);
        if (value == NULL) {
            return -1;
        }
        Py_INCREF(value);
        failed = write_field(w, field, value, 0, depth);
        Py_DECREF(value);
    }
    else {
        failed = write_unknown_member(w, codec, self, id);
    }
    if (failed || ensure(w, SMALL)) {
        return -1;
    }
    *w->p++ = 0;
    return 0;
}

static int
write_custom(Writer *w, const Codec *codec, PyObject *value)
{
    PyObject *bytes = PyObject_CallMethod(codec->custom, "write", "O", value);
    if (bytes == NULL) {
        return -1;
    }
    int failed = write_buffer(w, bytes, 0);
    Py_DECREF(bytes);
    return failed;
}

static int
write_struct(Writer *w, const Codec *codec, PyObject *value, int depth)
{
    if (unlikely(depth > MAX_ENCODE_DEPTH)) {
        return unfit(w, "depth");
    }
    if (codec->kind == CODEC_CUSTOM) {
        return write_custom(w, codec, value);
    }
    if (unlikely(!PyObject_TypeCheck(value, codec->cls))) {
        const char *name = PyUnicode_AsUTF8(codec->name);
        return name == NULL ? -1 : unfit_type(w, name, value);
    }
    return codec->kind == CODEC_UNION ? write_union(w, codec, value, depth) : write_fields(w, codec, value, depth);
}

/* ---- the method ---- */

/* Sets the EncodeError for a broken rule; an EncodeError of a custom codec gets the outer part of its path. */
static void
raise_unfit(Writer *w, const Codec *codec)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *encoding = runtime_object("lakecodec.runtime.errors", "EncodeError");
    PyObject *path = NULL;
    if (encoding == NULL) {
        goto done;
    }
    if (w->key != NULL) {
        PyObject *rules = runtime_object("lakecodec.runtime.compact.rules", "ENCODE_RULES");
        PyObject *words = rules == NULL ? NULL : PyMapping_GetItemString(rules, w->key);
        PyObject *rule = words == NULL ? NULL : PyUnicode_FromFormat("%U%V", words, w->detail, "");
        if (strcmp(w->key, "depth") == 0) {
            w->trace.count = 0; /* a thousand steps help nobody */
        }
        path = rule == NULL ? NULL : trace_path(&w->trace, NULL);
        PyObject *none = path == NULL ? NULL : PyTuple_Pack(1, rule);
        PyObject *named = none == NULL ? NULL : Py_BuildValue("{s:O,s:O}", "format", codec->format, "path", path);
        value = named == NULL ? NULL : PyObject_Call(encoding, none, named);
        type = value == NULL ? NULL : Py_NewRef(encoding);
        Py_XDECREF(named);
        Py_XDECREF(none);
        Py_XDECREF(rule);
        Py_XDECREF(words);
        Py_XDECREF(rules);
    }
    else if (value != NULL && PyObject_TypeCheck(value, (PyTypeObject *)encoding)) {
        place_error(value, &w->trace, codec->format);
    }
done:
    Py_XDECREF(path);
    Py_XDECREF(encoding);
    if (type != NULL) {
        PyErr_Restore(type, value, traceback);
    }
}

/* Room that is made for a value before its size is known, at most. */
#define MOST_ROOM ((Py_ssize_t)1 << 24)

PyObject *
codec_encode(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    const Codec *codec = (Codec *)self;
    Writer w = {.key = NULL};
    if (check_count("encode", count, 2) || take_text(args[1], &w.text)) {
        return NULL;
    }
    if (codec->whole != NULL) {
        PyObject *error = runtime_object("lakecodec.runtime.errors", "EncodeError");
        if (error != NULL) {
            PyErr_SetString(error, "a choice of fields is for reading only");
            Py_DECREF(error);
        }
        return NULL;
    }
    const Py_ssize_t room = (codec->last_size < MOST_ROOM ? codec->last_size : MOST_ROOM) + 512;
    w.bytes = PyBytes_FromStringAndSize(NULL, room);
    if (w.bytes == NULL) {
        return NULL;
    }
    w.p = (uint8_t *)PyBytes_AS_STRING(w.bytes);
    w.end = w.p + room;
    if (write_struct(&w, codec, args[0], 1)) {
        raise_unfit(&w, codec);
        Py_CLEAR(w.bytes);
    }
    else {
        ((Codec *)codec)->last_size = w.p - (uint8_t *)PyBytes_AS_STRING(w.bytes);
        _PyBytes_Resize(&w.bytes, codec->last_size);
    }
    Py_XDECREF(w.detail);
    trace_free(&w.trace);
    return w.bytes;
}
