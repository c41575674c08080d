/* Decoding to instances of the generated classes, filled by slot offset without running __init__. */
#include "tape.h"
#include "layouts.h"

const uint8_t *read_value(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out) {
    switch (type->kind) {
    case KIND_I16:
    case KIND_I32:
    case KIND_I64:
    case KIND_ENUM: return read_integer(r, p, type, out);
    case KIND_STRING: return read_text(r, p, out);
    case KIND_BINARY: return read_binary(r, p, type, out);
    case KIND_STRUCT: return read_struct(r, p, type->codec, depth, out);
    case KIND_LIST:
    case KIND_SET: return read_list(r, p, type, depth, out);
    case KIND_MAP: return read_map(r, p, type, depth, out);
    case KIND_DOUBLE: return read_double(r, p, out);
    case KIND_UUID: return read_uuid(r, p, type, out);
    default:
        if (p >= r->in.end) return truncated(&r->in);
        if (type->kind == KIND_I8) {
            *out = PyLong_FromLong((int8_t)*p);
            return *out == NULL ? NULL : p + 1;
        }
        if (*p > 2) return fail(&r->in, RULE_BOOL, p);
        *out = PyBool_FromLong(*p == 1);
        return p + 1;
    }
}

/* ---- structs ---- */

static int fill_slot(Reader *r, const Field *field, PyObject *self, const uint8_t *stop) {
    if (field->required) {
        fail(&r->in, RULE_REQUIRED, stop);
        trace_name(&r->trace, field->name);
        return -1;
    }
    PyObject *value = field->factory != NULL ? PyObject_CallNoArgs(field->factory) : Py_NewRef(field->absent);
    SLOT(self, field->offset) = value;
    return value == NULL ? -1 : 0;
}

/* Deals with the fields that are absent and have no value in a blank instance; stop is the struct's stop byte. */
static COLD int fill_absent(Reader *r, const Codec *codec, PyObject *self, const uint8_t *stop) {
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        if (SLOT(self, field->offset) == NULL && fill_slot(r, field, self, stop)) return -1;
    }
    return 0;
}

/* The fields after which reading may end; 0 where that is not known. */
static COLD uint64_t chosen_bits(const Codec *codec) {
    uint64_t bits = 0;
    for (Py_ssize_t i = 0; i < codec->sorted_count && codec->field_count <= 64; i++) bits |= codec->sorted[i]->bit;
    return bits;
}

/* Reads a field's value; it stays NULL if it is deferred. Kinds in order of likelihood: here faster than a switch. */
static inline const uint8_t *read_field(
    Reader *r, const uint8_t *p, const Type *type, int wire, int depth, int defers, PyObject **value) {
    const uint8_t *after;
    if (is_integer(type->kind)) return read_integer(r, p, type, value);
    if (type->kind == KIND_BINARY) return read_binary(r, p, type, value);
    if (type->kind == KIND_STRUCT) return read_struct(r, p, type->codec, depth, value);
    if (type->kind == KIND_LIST) {
        r->may_defer = (uint8_t)defers;
        return read_list(r, p, type, depth, value);
    }
    if (type->kind == KIND_BOOL) {
        *value = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
        return p;
    }
    if (type->kind == KIND_STRING) {
        return defers && (after = defer_text(r, p)) != NULL ? after : read_text(r, p, value);
    }
    return read_value(r, p, type, depth, value);
}

/* The end of a field that the class does not know; where it is kept, it is added to the list. */
static const uint8_t *pass_unknown(Reader *r, const uint8_t *p, int wire, int room, const uint8_t *start, int id, PyObject **fields) {
    const uint8_t *end = pass_field(r, p, wire, room, start);
    r->has_passed = 1;
    return end != NULL && r->keeps && note_unknown(fields, id, wire, p, end) ? NULL : end;
}

static const uint8_t *read_fields(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out) {
    const uint8_t *start = p, *begin = p, *at;
    int last = 0, wire = WIRE_STOP;
    uint64_t missing = codec->bits, unseen = unlikely(r->early && depth == 1) ? chosen_bits(codec) : 0;
    const int defers = r->tape != NULL && codec->lazy && codec->whole == NULL && !r->trusted && !r->early;
    int tidy = 1; /* all fields are known, and have short headers */
    Deferred *deferred = NULL;
    PyObject *self, *unknown = NULL;
    if (unlikely(r->resuming != NULL)) {
        const Paused part = resume_part(r);
        self = part.made, deferred = part.deferred, missing = part.missing, last = part.last, wire = part.wire, tidy = part.tidy;
        begin = r->in.begin + part.begin;
        p = at = r->in.begin + part.at;
        start = p - (wire >= 0);
        if (wire >= 0) goto value;
    } else if (unlikely((self = new_instance(codec)) == NULL)) {
        return NULL;
    }
    for (;;) {
        start = at = p;
        p = read_field_header(&r->in, p, &last, &wire);
        if (unlikely(p == NULL)) goto fail;
        if (wire == WIRE_STOP) break;
        tidy &= *start >= 16;
        at = p;
    value:;
        const Field *field = field_by_id(codec, last);
        if (unlikely(field == NULL || !wire_fits(&field->type, wire))) {
            if (unlikely((p = pass_unknown(r, p, wire, r->in.max_depth - depth, start, last, &unknown)) == NULL)) goto fail;
            tidy = 0;
            continue;
        }
        if (unlikely(deferred != NULL)) deferred = deferred_drop(deferred, field);
        PyObject *value = NULL;
        p = read_field(r, p, &field->type, wire, depth + 1, defers, &value);
        if (p != NULL && unlikely(value == NULL)) {
            deferred = deferred_put(deferred, r->deferred, field);
            value = Py_NewRef(Py_None); /* for the time being: it is there */
        }
        if (unlikely(p == NULL)) {
            trace_name(&r->trace, field->name);
            goto fail;
        }
        missing &= ~field->bit;
        Py_XSETREF(SLOT(self, field->offset), value);
        if (unlikely(unseen != 0) && (unseen &= ~field->bit) == 0) break;
    }
    if (unlikely(missing || codec->field_count > 64 || codec->blank == NULL) && fill_absent(r, codec, self, start)) goto fail;
    *out = deferred != NULL ? deferring_instance(r, codec, self, begin, p, tidy, deferred) : finish_instance(codec, self);
    *out = likely(unknown == NULL) ? *out : keeping_instance(*out, unknown);
    return *out == NULL ? NULL : p;
fail:;
    const Paused part = {.made = self, .deferred = deferred, .begin = begin - r->in.begin, .at = at - r->in.begin, .missing = missing,
                         .last = last, .wire = at == start ? -1 : wire, .tidy = tidy};
    if (pause_part(r, &part, at != start)) return NULL;
    deferred_free(deferred);
    Py_XDECREF(unknown);
    Py_DECREF(self);
    return NULL;
}

const uint8_t *read_struct(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out) {
    if (unlikely(depth > r->in.max_depth)) return fail(&r->in, RULE_DEPTH, p);
    const uint8_t *at;
    if (r->trusted && codec->lazy) {
        const uint8_t *end = skip_struct(&r->in, p, r->in.max_depth - depth);
        *out = end == NULL ? NULL : unread_at(r, p, end - p, r->clean, tape_any(r->tape, codec));
        return *out == NULL ? NULL : end;
    }
    switch (codec->kind) {
    case CODEC_STRUCT: return read_fields(r, p, codec, depth, out);
    case CODEC_UNION: return read_union(r, p, codec, depth, out);
    case CODEC_CUSTOM: return read_custom(r, p, codec, out);
    case CODEC_MESSAGE: p = read_message(r, p, codec, depth, 0, out); return p == NULL || !r->lacking ? p : check_required(r, codec, *out);
    default:
        at = p;
        p = pass_field(r, p, WIRE_STRUCT, r->in.max_depth - depth + 1, p);
        r->has_passed |= p != NULL && p - at > 1;
        if (p != NULL) *out = r->keeps ? keep_all_fields(r, at, codec) : Py_NewRef(codec->single);
        return *out == NULL ? NULL : p;
    }
}

/* ---- the method ---- */

/* Sets the exception for a failed reading; one that a custom codec raised gets the outer part of its path. */
static void raise_failure(Reader *r, const Codec *codec) {
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
    if (decoding != NULL && value != NULL && PyObject_TypeCheck(value, (PyTypeObject *)decoding))
        place_error(value, &r->trace, codec->format);
    Py_XDECREF(decoding);
    PyErr_Restore(type, value, traceback);
}

/* Bytes that decoding has gone through: all, and of them those of structs that were compared with layouts, which the reader of a whole
 * value tells. */
static Py_ssize_t bytes_decoded, bytes_compared;

void count_bytes(const Reader *r, const uint8_t *start, const uint8_t *end) {
    bytes_decoded += end - start;
    if (r == NULL) return;
    bytes_compared += r->in.skipped == NULL ? 0 : r->in.skipped->compared;
    for (int i = 0; i < MOST_TYPES; i++) bytes_compared += r->types[i] == NULL ? 0 : r->types[i]->compared;
}

PyObject *compact_touched(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored)) {
    return Py_BuildValue("(nn)", bytes_decoded - bytes_compared, bytes_compared);
}

void end_decoding(Reader *r) {
    for (int i = 0; i < MOST_TYPES; i++) layouts_free(r->types[i]);
    layouts_free(r->in.skipped);
    tape_drop(r->tape);
    free_caches(r);
    Py_XDECREF(r->view);
    trace_free(&r->trace);
}

PyObject *decode_each(const Codec *codec, PyObject *data, const uint32_t *places, Py_ssize_t count, Py_ssize_t depth, Py_ssize_t elements) {
    PyObject *values = PyList_New(count);
    if (values == NULL) return NULL;
    Reader r = {.data = data, .text = TEXT_STRICT};
    r.in.begin = (const uint8_t *)PyBytes_AS_STRING(data);
    r.in.end = r.in.begin + PyBytes_GET_SIZE(data);
    r.in.max_depth = nesting_room(depth < MAX_NESTING ? (int)depth : MAX_NESTING);
    int collecting = PyGC_Disable();
    const uint8_t *end = r.in.begin;
    for (Py_ssize_t i = 0; end != NULL && i < count; i++) {
        PyObject *value = NULL;
        r.in.elements = elements;
        end = read_struct(&r, r.in.begin + places[i], codec, 1, &value);
        if (end == NULL) break;
        count_bytes(&r, r.in.begin + places[i], end);
        PyList_SET_ITEM(values, i, value);
    }
    if (collecting) PyGC_Enable();
    if (end == NULL) {
        raise_failure(&r, codec);
        Py_CLEAR(values);
    }
    end_decoding(&r);
    return values;
}

enum Keeping { KEEPS_NOT, KEEPS_IF_ANY, KEEPS };

/* The value at a position. Fields that no class knows are rare: values that have any are read again where these are kept. */
static PyObject *decode_at(const Codec *codec, PyObject *const *args, Py_ssize_t count, enum Keeping keeping) {
    Py_buffer buffer;
    Py_ssize_t pos, depth, elements;
    Reader r = {.keeps = keeping == KEEPS};
    if (check_count("decode", count, count == 7 ? 7 : 6) || take_text(args[5], &r.text) || (r.views = PyObject_IsTrue(args[4])) < 0 ||
        take_limit(args[2], "max_depth", &depth) || take_limit(args[3], "max_elements", &elements) || take_buffer(args[0], &buffer)) {
        return NULL;
    }
    if (take_position(args[1], buffer.len, &pos)) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    const int early = count == 7 ? PyObject_IsTrue(args[6]) : 0;
    if (early < 0) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    r.early = (uint8_t)early;
    r.data = args[0];
    r.in.begin = buffer.buf;
    r.in.end = r.in.begin + buffer.len;
    r.in.max_depth = nesting_room(depth < MAX_NESTING ? (int)depth : MAX_NESTING);
    r.in.elements = elements;
    PyObject *value = NULL, *result = NULL;
    const int lazy = codec->kind != CODEC_MESSAGE || (codec->lazy && buffer.len <= MOST_NOTED_SIZE);
    if (lazy && !r.views && !r.keeps && r.text == TEXT_STRICT && buffer.len <= UINT32_MAX && tape_begin(&r, codec)) {
        PyBuffer_Release(&buffer);
        return NULL;
    }
    r.first_unread = buffer.len;
    int collecting = PyGC_Disable();
    const uint8_t *end = r.in.end;
    if (codec->kind == CODEC_MESSAGE && r.tape != NULL && is_message(&r, r.in.begin + pos, codec)) {
        value = unread_at(&r, r.in.begin + pos, buffer.len - pos, 0, tape_any(r.tape, codec));
        end = value == NULL ? NULL : end;
    } else {
        end = read_struct(&r, r.in.begin + pos, codec, 1, &value);
    }
    if (collecting) PyGC_Enable();
    if (end == NULL) {
        raise_failure(&r, codec);
    } else if (r.tape != NULL && tape_keep(&r, end)) {
        Py_DECREF(value);
    } else {
        count_bytes(&r, r.in.begin + pos, end);
        PyObject *position = PyLong_FromSsize_t(end - r.in.begin);
        result = position == NULL ? NULL : PyTuple_Pack(2, value, position);
        Py_XDECREF(position);
        Py_DECREF(value);
    }
    end_decoding(&r);
    PyBuffer_Release(&buffer);
    if (likely(keeping != KEEPS_IF_ANY || !r.has_passed || result == NULL)) return result;
    Py_DECREF(result);
    return decode_at(codec, args, count, KEEPS);
}

PyObject *codec_decode(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    return decode_at((Codec *)self, args, count, KEEPS_NOT);
}

PyObject *codec_decode_kept(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    return decode_at((Codec *)self, args, count, KEEPS_IF_ANY);
}
