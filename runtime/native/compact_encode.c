/* Encoding of instances of the generated classes, every value checked. */
#include "compact.h"

typedef struct Writer {
    PyObject *bytes; /* grown by doubling, cut at the end */
    uint8_t *p, *end;
    int text;
    const char *key; /* of ENCODE_RULES, NULL when a Python exception is set */
    PyObject *detail; /* what the rule's words are followed by, or NULL */
    Trace trace;
} Writer;

static int write_value(Writer *w, const Type *type, PyObject *value, int depth);
static int write_struct(Writer *w, const Codec *codec, PyObject *value, int depth);

/* ---- errors ---- */

static int
unfit(Writer *w, const char *key)
{
    w->key = key;
    return -1;
}

/* The value has the wrong type; words says what is needed. */
static int
unfit_type(Writer *w, const char *words, PyObject *value)
{
    PyObject *name = PyType_GetName(Py_TYPE(value));
    if (name == NULL) {
        return -1;
    }
    w->detail = PyUnicode_FromFormat("%s, not %U", words, name);
    Py_DECREF(name);
    return w->detail == NULL ? -1 : unfit(w, "type");
}

static int
unfit_range(Writer *w, const char *kind)
{
    w->detail = PyUnicode_FromString(kind);
    return w->detail == NULL ? -1 : unfit(w, "range");
}

/* ---- bytes ---- */

static int
grow(Writer *w, Py_ssize_t size)
{
    uint8_t *begin = (uint8_t *)PyBytes_AS_STRING(w->bytes);
    Py_ssize_t used = w->p - begin, room = w->end - begin;
    if (size > PY_SSIZE_T_MAX / 4 - used) {
        PyErr_NoMemory();
        return -1;
    }
    while (room - used < size) {
        room *= 2;
    }
    if (_PyBytes_Resize(&w->bytes, room)) {
        w->p = w->end = NULL;
        return -1;
    }
    begin = (uint8_t *)PyBytes_AS_STRING(w->bytes);
    w->p = begin + used;
    w->end = begin + room;
    return 0;
}

static inline int
ensure(Writer *w, Py_ssize_t size)
{
    return likely(w->end - w->p >= size) ? 0 : grow(w, size);
}

/* What a header, a varint or a fixed-width value needs at most. */
#define SMALL 24

static inline void
put_varint(Writer *w, uint64_t value)
{
    uint8_t *p = w->p;
    while (value > 127) {
        *p++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *p++ = (uint8_t)value;
    w->p = p;
}

static inline void
put_zigzag(Writer *w, int64_t value)
{
    put_varint(w, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline void
put_field_header(Writer *w, int last, int id, int wire)
{
    int delta = id - last;
    if (likely(delta > 0 && delta < 16)) {
        *w->p++ = (uint8_t)(delta << 4 | wire);
    }
    else {
        *w->p++ = (uint8_t)wire;
        put_zigzag(w, id);
    }
}

static inline void
put_list_header(Writer *w, Py_ssize_t count, int wire)
{
    if (count < 15) {
        *w->p++ = (uint8_t)(count << 4 | wire);
    }
    else {
        *w->p++ = (uint8_t)(0xf0 | wire);
        put_varint(w, (uint64_t)count);
    }
}

static int
write_bytes(Writer *w, const void *data, Py_ssize_t size)
{
    if (ensure(w, size)) {
        return -1;
    }
    memcpy(w->p, data, (size_t)size);
    w->p += size;
    return 0;
}

static int
write_block(Writer *w, const void *data, Py_ssize_t size)
{
    if (ensure(w, SMALL + (size < PY_SSIZE_T_MAX / 8 ? size : 0))) {
        return -1;
    }
    put_varint(w, (uint64_t)size);
    return write_bytes(w, data, size);
}

/* The bytes of any object with a buffer, after their length when counted. */
static int
write_buffer(Writer *w, PyObject *value, int counted)
{
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_FULL_RO)) {
        return -1;
    }
    int failed;
    if (PyBuffer_IsContiguous(&view, 'C')) {
        failed = counted ? write_block(w, view.buf, view.len) : write_bytes(w, view.buf, view.len);
    }
    else {
        PyObject *copy = PyBytes_FromStringAndSize(NULL, view.len);
        failed = copy == NULL || PyBuffer_ToContiguous(PyBytes_AS_STRING(copy), &view, view.len, 'C') ||
                 (counted ? write_block(w, PyBytes_AS_STRING(copy), view.len) : write_bytes(w, PyBytes_AS_STRING(copy), view.len));
        Py_XDECREF(copy);
    }
    PyBuffer_Release(&view);
    return failed ? -1 : 0;
}

/* ---- scalars ---- */

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
large_int(Writer *w, const Type *type, PyObject *value, int64_t *number)
{
    if (PyBool_Check(value)) {
        return unfit_type(w, "an int", value);
    }
    PyObject *index = PyNumber_Index(value);
    if (index == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
        return unfit_type(w, "an int", value);
    }
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (*number == -1 && PyErr_Occurred()) {
        return -1;
    }
    return overflow ? unfit_range(w, type->kind == KIND_ENUM ? "i32" : kind_names[type->kind]) : 0;
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

static int
write_double(Writer *w, PyObject *value)
{
    if (!PyFloat_Check(value) && (!PyLong_Check(value) || PyBool_Check(value))) {
        return unfit_type(w, "a float", value);
    }
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
            return -1;
        }
        PyErr_Clear();
        return unfit_range(w, "double");
    }
    if (ensure(w, SMALL) || PyFloat_Pack8(number, (char *)w->p, 1)) {
        return -1;
    }
    w->p += 8;
    return 0;
}

static int
write_binary(Writer *w, PyObject *value)
{
    if (likely(PyBytes_Check(value))) {
        return write_block(w, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value));
    }
    if (PyUnicode_Check(value)) {
        return unfit_type(w, "bytes", value);
    }
    if (write_buffer(w, value, 1) == 0) {
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return unfit_type(w, "bytes", value);
    }
    return -1;
}

static int
write_text(Writer *w, PyObject *value)
{
    if (unlikely(!PyUnicode_Check(value))) {
        if (w->text == TEXT_BYTES && (PyBytes_Check(value) || PyByteArray_Check(value) || PyMemoryView_Check(value))) {
            return write_buffer(w, value, 1);
        }
        return unfit_type(w, "a str", value);
    }
    Py_ssize_t length;
    if (likely(PyUnicode_IS_COMPACT_ASCII(value))) {
        return write_block(w, PyUnicode_1BYTE_DATA(value), PyUnicode_GET_LENGTH(value));
    }
    if (w->text == TEXT_SURROGATEESCAPE) {
        PyObject *encoded = PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape");
        if (encoded != NULL) {
            int failed = write_block(w, PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded));
            Py_DECREF(encoded);
            return failed;
        }
    }
    else {
        const char *encoded = PyUnicode_AsUTF8AndSize(value, &length);
        if (encoded != NULL) {
            return write_block(w, encoded, length);
        }
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        return -1;
    }
    PyErr_Clear();
    return unfit(w, "utf-8");
}

static int
write_uuid(Writer *w, const Type *type, PyObject *value)
{
    int is_uuid = PyObject_IsInstance(value, type->cls);
    if (is_uuid <= 0) {
        return is_uuid < 0 ? -1 : unfit_type(w, "a uuid.UUID", value);
    }
    PyObject *bytes = PyObject_GetAttrString(value, "bytes");
    if (bytes == NULL) {
        return -1;
    }
    int failed = -1;
    if (PyBytes_Check(bytes) && PyBytes_GET_SIZE(bytes) == 16) {
        failed = write_bytes(w, PyBytes_AS_STRING(bytes), 16);
    }
    else {
        PyErr_SetString(PyExc_TypeError, "UUID.bytes must be 16 bytes");
    }
    Py_DECREF(bytes);
    return failed;
}

/* ---- containers ---- */

/* Writes the elements of a list or tuple, which code called meanwhile may change. */
static int
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

/* Writes a set whose elements have no order, sorted by their bytes: first as they come, then moved. */
static int
write_unordered(Writer *w, const Type *type, PyObject *items, int depth)
{
    Py_ssize_t before = w->p - (uint8_t *)PyBytes_AS_STRING(w->bytes), count = PyList_GET_SIZE(items);
    PyObject *parts = PyList_New(0);
    int failed = parts == NULL;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        Py_ssize_t from = w->p - (uint8_t *)PyBytes_AS_STRING(w->bytes);
        failed = write_value(w, type->value, PyList_GET_ITEM(items, i), depth + 1);
        if (failed) {
            trace_index(&w->trace, i);
            break;
        }
        char *start = PyBytes_AS_STRING(w->bytes) + from;
        PyObject *part = PyBytes_FromStringAndSize(start, (char *)w->p - start);
        failed = part == NULL || PyList_Append(parts, part);
        Py_XDECREF(part);
    }
    if (!failed) {
        w->p = (uint8_t *)PyBytes_AS_STRING(w->bytes) + before;
        failed = PyList_Sort(parts) || ensure(w, SMALL);
    }
    if (!failed) {
        put_list_header(w, count, type->value->wire);
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *part = PyList_GET_ITEM(parts, i);
        failed = write_bytes(w, PyBytes_AS_STRING(part), PyBytes_GET_SIZE(part));
    }
    Py_XDECREF(parts);
    return failed ? -1 : 0;
}

static int
write_set(Writer *w, const Type *type, PyObject *value, int depth)
{
    PyObject *items = PySequence_List(value), *sorted = items == NULL ? NULL : PySequence_List(items);
    int failed = -1;
    if (sorted == NULL) {
        goto done;
    }
    if (PyList_Sort(sorted) == 0) {
        failed = write_elements(w, type, sorted, depth);
    }
    else if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        failed = write_unordered(w, type, items, depth);
    }
done:
    Py_XDECREF(items);
    Py_XDECREF(sorted);
    return failed;
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

/* The pairs of a map as a new list, or NULL, with no exception when the value is no map. */
static PyObject *
map_pairs(PyObject *value)
{
    if (PyDict_Check(value)) {
        PyObject *view = PyMapping_Items(value);
        return view;
    }
    if (!PyList_Check(value) && !PyTuple_Check(value)) {
        return NULL;
    }
    PyObject *pairs = PySequence_List(value);
    for (Py_ssize_t i = 0; pairs != NULL && i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i);
        if ((!PyList_Check(pair) && !PyTuple_Check(pair)) || PySequence_Fast_GET_SIZE(pair) != 2) {
            Py_CLEAR(pairs);
        }
    }
    return pairs;
}

static int
write_pair(Writer *w, const Type *type, PyObject *pair, int depth)
{
    if (PySequence_Fast_GET_SIZE(pair) != 2) {
        PyErr_SetString(PyExc_RuntimeError, "a pair changed its size while it was encoded");
        return -1;
    }
    PyObject *key = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 0)), *item = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 1));
    int failed = write_value(w, type->key, key, depth + 1) || write_value(w, type->value, item, depth + 1);
    Py_DECREF(key);
    Py_DECREF(item);
    return failed ? -1 : 0;
}

static int
write_map(Writer *w, const Type *type, PyObject *value, int depth)
{
    if (depth > MAX_ENCODE_DEPTH) {
        return unfit(w, "depth");
    }
    PyObject *pairs = map_pairs(value);
    if (pairs == NULL) {
        return PyErr_Occurred() ? -1 : unfit_type(w, "a dict or a list of pairs", value);
    }
    Py_ssize_t count = PyList_GET_SIZE(pairs);
    int failed = ensure(w, SMALL);
    if (!failed) {
        put_varint(w, (uint64_t)count);
        if (count) {
            *w->p++ = (uint8_t)(type->key->wire << 4 | type->value->wire);
        }
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        failed = write_pair(w, type, PyList_GET_ITEM(pairs, i), depth);
        if (failed) {
            trace_index(&w->trace, i);
        }
    }
    Py_DECREF(pairs);
    return failed;
}

static int
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
    PyObject *path = NULL, *tail = NULL;
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
        tail = PyObject_GetAttrString(value, "path");
        path = tail == NULL || !PyUnicode_Check(tail) ? NULL : trace_path(&w->trace, tail);
        if (path == NULL || PyObject_SetAttrString(value, "path", path)) {
            PyErr_Clear();
        }
    }
done:
    Py_XDECREF(path);
    Py_XDECREF(tail);
    Py_XDECREF(encoding);
    if (type != NULL) {
        PyErr_Restore(type, value, traceback);
    }
}

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
    const Py_ssize_t room = 512;
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
        _PyBytes_Resize(&w.bytes, w.p - (uint8_t *)PyBytes_AS_STRING(w.bytes));
    }
    Py_XDECREF(w.detail);
    trace_free(&w.trace);
    return w.bytes;
}
