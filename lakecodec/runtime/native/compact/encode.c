/* Encoding of instances of the generated classes, every value checked. */
#include "encode.h"
#include "tape.h"

static inline uint8_t *write_int(Writer *w, uint8_t *p, const Type *type, PyObject *value) {
    int64_t number;
    if (unlikely(!PyLong_Check(value) || PyBool_Check(value) || !small_int(value, &number))) {
        if (large_int(w, type, value, &number)) return NULL;
    }
    if (type->kind != KIND_I64) {
        int64_t bound = type->kind == KIND_I8 ? 0x80 : type->kind == KIND_I16 ? 0x8000 : 0x80000000;
        if (unlikely(number < -bound || number >= bound)) return unfit_range(w, type->kind == KIND_ENUM ? "i32" : kind_names[type->kind]);
    }
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) return NULL;
    if (type->kind == KIND_I8) {
        *p = (uint8_t)number;
        return p + 1;
    }
    return put_zigzag(p, number);
}

/* ---- containers ---- */

/* Lists with fewer structs are not searched for those that are alike. */
#define MANY 16

/* Writes the elements of a list or tuple, which code called meanwhile may change. */
uint8_t *write_elements(Writer *w, uint8_t *p, const Type *type, PyObject *items, int depth) {
    Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) return NULL;
    p = put_list_header(p, count, type->value->wire);
#ifdef Py_GIL_DISABLED
    const int many = 0;
#else
    const int many =
        count >= MANY && type->value->kind == KIND_STRUCT && type->value->codec->kind == CODEC_STRUCT && depth < MAX_ENCODE_DEPTH / 2;
#endif
    for (Py_ssize_t i = 0; i < count; i++) {
        if (unlikely(PySequence_Fast_GET_SIZE(items) != count)) return unfit_changed(w);
        if (many) {
            p = write_alike(w, p, type->value->codec, items, &i);
            if (p == NULL || i == count) return p;
        }
        p = ensure(w, p, SHORT);
        if (unlikely(p == NULL)) return NULL;
        uint8_t *after = put_short(p, type->value->kind, PySequence_Fast_GET_ITEM(items, i));
        if (after != p) {
            p = after;
            continue;
        }
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
        p = write_value(w, p, type->value, item, depth + 1);
        Py_DECREF(item);
        if (unlikely(p == NULL)) {
            trace_index(&w->trace, i);
            return NULL;
        }
    }
    return p;
}

static uint8_t *write_list(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth) {
    int sequence = PyList_Check(value) || PyTuple_Check(value);
    if (unlikely(!sequence && !(type->kind == KIND_SET && PyAnySet_Check(value))))
        return unfit_type(w, type->kind == KIND_SET ? "a set" : "a list", value);
    if (is_too_deep(depth, MAX_ENCODE_DEPTH)) return unfit(w, "depth");
    if (!sequence) return write_set(w, p, type, value, depth);
    PyObject *items = plain_sequence(value);
    p = items == NULL ? NULL : write_elements(w, p, type, items, depth);
    Py_XDECREF(items);
    return p;
}

uint8_t *write_value(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth) {
    switch (type->kind) {
    case KIND_I8:
    case KIND_I16:
    case KIND_I32:
    case KIND_I64:
    case KIND_ENUM: return write_int(w, p, type, value);
    case KIND_BINARY: return write_binary(w, p, value);
    case KIND_STRING: return write_text(w, p, value);
    case KIND_STRUCT: return write_struct(w, p, type->codec, value, depth);
    case KIND_LIST:
    case KIND_SET: return write_list(w, p, type, value, depth);
    case KIND_MAP: return write_map(w, p, type, value, depth);
    case KIND_DOUBLE: return write_double(w, p, value);
    case KIND_UUID: return write_uuid(w, p, type, value);
    default:
        if (!PyBool_Check(value)) return unfit_type(w, "a bool", value);
        p = ensure(w, p, SMALL);
        if (p == NULL) return NULL;
        *p = value == Py_True ? 1 : 2;
        return p + 1;
    }
}

/* ---- structs and unions ---- */

uint8_t *write_field(Writer *w, uint8_t *p, const Field *field, PyObject *value, int last, int depth) {
    const Type *type = &field->type;
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) return NULL;
    if (type->kind == KIND_BOOL) {
        if (likely(PyBool_Check(value))) return put_field_header(p, last, field->id, value == Py_True ? WIRE_TRUE : WIRE_FALSE);
        p = unfit_type(w, "a bool", value);
    } else {
        p = put_field_header(p, last, field->id, type->wire);
        if (PyLong_Check(value) && is_integer(type->kind)) {
            p = write_int(w, p, type, value);
        } else {
            /* Code that is called meanwhile may empty the slot. */
            Py_INCREF(value);
            p = write_value(w, p, type, value, depth + 1);
            Py_DECREF(value);
        }
    }
    if (unlikely(p == NULL)) trace_name(&w->trace, field->name);
    return p;
}

static uint8_t *write_unknown_member(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, PyObject *id) {
    PyObject *raw = filled_slot(self, codec->raw_at), *wire = filled_slot(self, codec->wire_at);
    if (raw == NULL || wire == NULL) return NULL;
    if (!PyBytes_Check(raw) || !PyLong_Check(wire) || !PyLong_Check(id)) return unfit(w, "member");
    int overflow;
    long number = PyLong_AsLongAndOverflow(id, &overflow), type = PyLong_AsLongAndOverflow(wire, &overflow);
    if (number < -32768 || number > 32767 || type < WIRE_TRUE || type > WIRE_UUID) return unfit(w, "member");
    p = ensure(w, p, SMALL);
    return p == NULL ? NULL : write_bytes(w, put_field_header(p, 0, (int)number, (int)type), PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw));
}

static uint8_t *write_union(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth) {
    PyObject *kind = filled_slot(self, codec->kind_at), *id = filled_slot(self, codec->id_at);
    if (kind == NULL || id == NULL) return NULL;
    Field *field = NULL;
    if (kind != Py_None && PyLong_Check(id)) {
        int overflow;
        long number = PyLong_AsLongAndOverflow(id, &overflow);
        field = number >= -32768 && number <= 32767 && !overflow ? field_by_id(codec, (int)number) : NULL;
    }
    if (field != NULL) {
        PyObject *value = filled_slot(self, codec->value_at);
        p = value == NULL ? NULL : write_field(w, p, field, value, 0, depth);
    } else {
        p = write_unknown_member(w, p, codec, self, id);
    }
    p = p == NULL ? NULL : ensure(w, p, SMALL);
    if (p == NULL) return NULL;
    *p = 0;
    return p + 1;
}

static uint8_t *write_custom(Writer *w, uint8_t *p, const Codec *codec, PyObject *value) {
    PyObject *bytes = PyObject_CallMethod(codec->custom, "write", "O", value);
    if (bytes == NULL) return NULL;
    p = write_buffer(w, p, bytes, 0);
    Py_DECREF(bytes);
    return p;
}

uint8_t *write_struct(Writer *w, uint8_t *p, const Codec *codec, PyObject *value, int depth) {
    if (is_too_deep(depth, MAX_ENCODE_DEPTH)) return unfit(w, "depth");
    if (codec->kind == CODEC_CUSTOM) return write_custom(w, p, codec, value);
    if (unlikely(!PyObject_TypeCheck(value, codec->cls))) {
        const char *name = PyUnicode_AsUTF8(codec->name);
        return name == NULL ? NULL : unfit_type(w, name, value);
    }
    if (codec->kind == CODEC_MESSAGE) return write_message(w, p, codec, value, depth);
    if (codec->lazy && is_unread(value)) return write_unread(w, p, codec, value, depth);
    if (unlikely(!Py_IS_TYPE(value, codec->cls)) && codec->kind != CODEC_UNION) {
        const int keeps = keeps_unknown(value);
        if (keeps) return keeps < 0 ? NULL : write_kept(w, p, codec, value, depth);
    }
    return codec->kind == CODEC_UNION ? write_union(w, p, codec, value, depth) : write_fields(w, p, codec, value, depth);
}

/* ---- the method ---- */

/* Sets the EncodeError for a broken rule; an EncodeError of a custom codec gets the outer part of its path. */
static void raise_unfit(Writer *w, const Codec *codec) {
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *encoding = runtime_object("lakecodec.runtime.errors", "EncodeError");
    PyObject *path = NULL;
    if (encoding == NULL) goto done;
    if (w->key != NULL) {
        PyObject *rules = runtime_object("lakecodec.runtime.compact.rules", "ENCODE_RULES");
        PyObject *words = rules == NULL ? NULL : PyMapping_GetItemString(rules, w->key);
        PyObject *rule = words == NULL ? NULL : PyUnicode_FromFormat("%U%V", words, w->detail, "");
        if (strcmp(w->key, "depth") == 0) w->trace.count = 0; /* a path of a thousand steps is cut */
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
    } else if (value != NULL && PyObject_TypeCheck(value, (PyTypeObject *)encoding)) {
        place_error(value, &w->trace, codec->format);
    }
done:
    Py_XDECREF(path);
    Py_XDECREF(encoding);
    if (type != NULL) PyErr_Restore(type, value, traceback);
}

/* Room that is made for a value before its size is known, at most. */
#define MOST_ROOM ((Py_ssize_t)1 << 26)
/* Room after a large value: elements that are alike are given the most that one can need. */
#define SPARE 8192

/* What the caller puts after the value, knowing its size: so that it need not be copied for that. */
static uint8_t *write_ending(Writer *w, uint8_t *p, PyObject *ending) {
    PyObject *bytes = PyObject_CallFunction(ending, "n", (Py_ssize_t)(p - (uint8_t *)PyBytes_AS_STRING(w->bytes)));
    if (bytes != NULL && !PyBytes_Check(bytes)) {
        PyErr_Format(PyExc_TypeError, "ending: must return bytes, not %s", Py_TYPE(bytes)->tp_name);
        Py_CLEAR(bytes);
    }
    if (bytes == NULL) return NULL;
    p = write_bytes(w, p, PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes));
    Py_DECREF(bytes);
    return p;
}

PyObject *codec_encode(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    const Codec *codec = (Codec *)self;
    Writer w = {.key = NULL};
    if (check_count("encode", count, count == 3 ? 3 : 2) || take_text(args[1], &w.text)) return NULL;
    if (codec->whole != NULL) {
        PyObject *error = runtime_object("lakecodec.runtime.errors", "EncodeError");
        if (error != NULL) {
            PyErr_SetString(error, "a choice of fields is for reading only");
            Py_DECREF(error);
        }
        return NULL;
    }
    const Py_ssize_t last = codec->last_size < MOST_ROOM ? codec->last_size : MOST_ROOM, room = last + (last < SPARE ? last : SPARE) + 512;
    if (output_room(&w, room)) return NULL;
    uint8_t *p = write_struct(&w, (uint8_t *)PyBytes_AS_STRING(w.bytes), codec, args[0], 1);
    if (p == NULL) {
        raise_unfit(&w, codec);
        Py_CLEAR(w.bytes);
    } else {
        ((Codec *)codec)->last_size = p - (uint8_t *)PyBytes_AS_STRING(w.bytes);
        if (count == 3) p = write_ending(&w, p, args[2]);
        if (p == NULL)
            Py_CLEAR(w.bytes);
        else
            _PyBytes_Resize(&w.bytes, p - (uint8_t *)PyBytes_AS_STRING(w.bytes));
    }
    Py_XDECREF(w.detail);
    trace_free(&w.trace);
    stencils_free(w.stencils);
    return w.bytes;
}
