/* Elements of fields. */
#include "unread.h"

static int read_record(Step *step, Frame *frame, State *states, Value *out) {
    Program *program = (Program *)step->target;
    Value arguments[MAX_OPERANDS];
    const int count = evaluate_all(&step->arguments, frame, arguments);
    if (count < 0) return -1;
    int failed = read_program(frame->reader, program, frame->span, &frame->pos, arguments, count, states, out);
    values_clear(arguments, count);
    return failed;
}

/* Through a codec with fields, whose state is the last argument. */
int read_coded(Step *step, Frame *frame, State *list_state, Value *out) {
    Value arguments[MAX_OPERANDS + 1];
    Program *program = (Program *)step->target;
    State *state = step->state == STATE_OF_LIST ? list_state : step->state >= 0 ? &frame->states[step->state] : NULL;
    arguments[0] = (Value){0};
    int count = evaluate_all(&step->arguments, frame, arguments);
    if (count < 0) return -1;
    if (state != NULL) arguments[count++] = value_borrowed(&state->value);
    const int64_t start = frame->pos;
    int failed = read_program(frame->reader, program, frame->span, &frame->pos, arguments, count, NULL, out);
    values_clear(arguments, count);
    if (failed) return -1;
    if (state != NULL) {
        if (out->object != NULL && PyBytes_CheckExact(out->object) &&
            repeats(frame->reader, PyBytes_GET_SIZE(out->object) - (frame->pos - start))) {
            value_clear(out);
            return -1;
        }
        value_clear(&state->value);
        state->value = value_borrowed(out);
        value_own(&state->value);
    }
    if (step->coding_count) {
        PyObject *data = value_object(out);
        PyObject *found =
            data == NULL || keep_coded(step, frame, data) ? NULL : decode_through(step, frame, data, step->kind == KIND_OF_UTF8);
        value_clear(out);
        if (found == NULL) return -1;
        *out = value_of_object(found, 1);
    }
    if (step->kind == KIND_OF_UTF8 && !(out->object != NULL && PyUnicode_CheckExact(out->object))) {
        Value data = *out;
        failed = data.object == NULL ? -1 : as_text(data.object, out);
        value_clear(&data);
    }
    return failed;
}

/* The bytes before a terminator; -1 where there is none. */
static int64_t size_until(const Step *step, const Frame *frame) {
    /* Of bytes that were kept there may be less than the span has. */
    const int64_t end = frame->span->end < frame->span->size ? frame->span->end : frame->span->size, sought = frame->reader->sought;
    const uint8_t *start = frame->span->start + frame->pos;
    const size_t left = (size_t)(end - frame->pos - sought), length = (size_t)PyBytes_GET_SIZE(step->terminator);
    const char *ending = PyBytes_AS_STRING(step->terminator);
    const uint8_t *found = length == 1 ? memchr(start + sought, ending[0], left) : memmem(start + sought, left, ending, length);
    /* Where bytes may arrive later, these need not be searched again, but for the beginning of a terminator. */
    frame->reader->sought = found == NULL && frame->reader->pauses && left >= length ? end - frame->pos - (int64_t)length + 1 : 0;
    return found == NULL ? -1 : found - start;
}

/* They are a length, the size of the field, what a terminator says, or all that is left. */
int text_size(const Step *step, Frame *frame, int64_t *size, int64_t *behind) {
    Node *given = step->length != NULL ? step->length : step->has_text_codecs ? step->size : NULL;
    *size = frame->span->end - frame->pos;
    *behind = step->terminator == NULL ? 0 : PyBytes_GET_SIZE(step->terminator);
    if (step->terminator != NULL)
        *size = size_until(step, frame);
    else if (given != NULL && evaluate_number(given, frame, size))
        return -1;
    if (*size < 0 && step->terminator != NULL) return run_out(frame->span, frame->pos, frame->span->end - frame->pos + 1);
    return *size < 0 || *size > frame->span->end - frame->pos ? run_out(frame->span, frame->pos, *size) : 0;
}

/* Bytes or text. */
static int read_sized_text(Step *step, Frame *frame, Value *out) {
    int64_t size, behind;
    if (text_size(step, frame, &size, &behind)) return -1;
    if (!step->has_text_codecs) {
        if (step->kind == KIND_OF_BYTES && (frame->program->is_codec || frame->reader->walks) && step->dimension == DIMENSION_NONE) {
            /* Only expressions may use it. */
            *out = (Value){.bytes = (const char *)frame->span->start + frame->pos, .number = size};
        } else if (read_text(step->kind, frame, frame->pos, size, out)) {
            return -1;
        }
        frame->pos += size + behind;
        return 0;
    }
    PyObject *part = span_slice(frame->span, frame->pos, frame->pos + size);
    PyObject *data = part == NULL || keep_coded(step, frame, part) ? NULL : decode_through(step, frame, part, 0);
    Py_XDECREF(part);
    if (data == NULL) return -1;
    Py_ssize_t raw = PyObject_Size(data);
    int failed = raw < 0 || note_raw_size(step, frame, raw) ? -1 : 0;
    if (!failed && step->kind == KIND_OF_UTF8) {
        failed = as_text(data, out);
        Py_DECREF(data);
    } else if (!failed) {
        *out = (Value){.object = PyBytes_CheckExact(data) ? data : PyBytes_FromObject(data), .owned = 1};
        failed = out->object == NULL ? -1 : 0;
        if (out->object != data) Py_DECREF(data);
    }
    frame->pos += size + behind;
    return failed;
}

/* A struct keeps the bytes that it leaves. */
static int keep_rest(Frame *frame, int64_t end, Value *out) {
    PyObject *module = PyImport_ImportModule("lakecodec.runtime.compact.unknown");
    PyObject *found = module == NULL ? NULL
                                     : PyObject_CallMethod(module, "with_rest", "Oy#", out->object, (const char *)frame->span->start + frame->pos,
                                                           (Py_ssize_t)(end - frame->pos));
    Py_XDECREF(module);
    if (found == NULL) return -1;
    Py_SETREF(out->object, found);
    frame->pos = end;
    return 0;
}

/* A struct or message, which its own reader reads, or code written by hand. */
static int read_struct(Step *step, Frame *frame, Value *out) {
    PyObject *data = frame->span->end == frame->span->size ? Py_NewRef(frame->span->owner) : span_slice(frame->span, 0, frame->span->end);
    PyObject *found = NULL, *value, *by_hand = PyTuple_CheckExact(step->target) ? PyTuple_GET_ITEM(step->target, 0) : NULL;
    long long pos = frame->pos;
    if (data != NULL && by_hand != NULL) Py_SETREF(data, PyMemoryView_FromObject(data));
    if (data != NULL) {
        found = by_hand != NULL ? PyObject_CallFunction(by_hand, "OL", data, pos) : PyObject_CallMethod(step->target, "_read_kept", "OL", data, pos);
        Py_DECREF(data);
    }
    if (found == NULL || !PyArg_ParseTuple(found, "OL", &value, &pos)) return give_up(found);
    *out = (Value){.object = Py_NewRef(value), .owned = 1};
    Py_DECREF(found);
    frame->pos = pos;
    return 0;
}

/* Numbers as members of an enum; unknown ones stay as they are. */
static int as_member(Step *step, Value *out) {
    PyObject *number = value_object(out);
    PyObject *member = number == NULL ? NULL : PyDict_GetItemWithError(step->members, number);
    if (member == NULL) {
        if (PyErr_Occurred()) {
            value_clear(out);
            return -1;
        }
        return 0;
    }
    Py_INCREF(member);
    if (out->owned) Py_DECREF(out->object);
    out->object = member;
    out->owned = 1;
    return 0;
}

int read_element(Step *step, Frame *frame, State *list_states, Value *out) {
    int failed;
    if (frame->skips) {
        *out = (Value){0};
        return walk_element(step, frame, list_states);
    }
    if (step->coded) {
        failed = read_coded(step, frame, list_states, out);
    } else {
        switch (step->kind) {
        case KIND_OF_RECORD: return read_record(step, frame, list_states, out);
        case KIND_OF_STRUCT: return read_struct(step, frame, out);
        case KIND_OF_PART: failed = evaluate(step->arguments.items[0], frame, out); break;
        case KIND_OF_BITS: return read_bits(step, frame, out);
        case KIND_OF_VALUES: return read_values(step, frame, out);
        case KIND_OF_BYTES:
        case KIND_OF_UTF8: return read_sized_text(step, frame, out);
        default: failed = read_scalar(step->kind, step->big | frame->big, frame->span, &frame->pos, out);
        }
    }
    return failed || step->members == NULL ? failed : as_member(step, out);
}

/* In a span that ends after the size of the field, or that codecs made of so many bytes; a list or an element. */
static int read_inside(Step *step, Frame *frame, State *list_states, Value *out) {
    return out != NULL ? read_element(step, frame, list_states, out) : read_list(step, frame);
}

/* The part must have been read to its end. */
static int finish(Step *step, Frame *frame, int64_t end, Value *out) {
    if (frame->pos != end) {
        if (out != NULL) value_clear(out);
        return -1;
    }
    return note_raw_size(step, frame, end);
}

static int read_within(Step *step, Frame *frame, int64_t size, State *list_states, Value *out) {
    Span part = *frame->span, *outer = frame->span;
    part.missing = NULL;
    part.begin = frame->pos;
    part.end = frame->pos + size;
    frame->span = &part;
    int failed = read_inside(step, frame, list_states, out);
    frame->span = outer;
    if (!failed && step->kind == KIND_OF_STRUCT && out != NULL && frame->pos != part.end && keep_rest(frame, part.end, out)) {
        value_clear(out);
        return -1;
    }
    return failed ? -1 : finish(step, frame, part.end, out);
}

static int read_decoded(Step *step, Frame *frame, int64_t size, State *list_states, Value *out) {
    PyObject *coded = span_slice(frame->span, frame->pos, frame->pos + size);
    PyObject *data = coded == NULL || keep_coded(step, frame, coded) ? NULL : decode_through(step, frame, coded, 0);
    Py_XDECREF(coded);
    if (data != NULL && !PyBytes_CheckExact(data) && flat != NULL) Py_SETREF(data, PyObject_CallOneArg(flat, data));
    Span part, *outer = frame->span;
    Py_buffer view;
    if (data == NULL || span_over(&part, &view, data)) return give_up(data);
    const int64_t stop = frame->pos + size;
    Reader *reader = frame->reader;
    PyObject *outer_base = reader->base, *outer_source = reader->source, *zero = PyLong_FromLong(0);
    reader->base = zero;
    reader->source = NULL;
    Source *outer_kept = reader->kept_source;
    const int waited = reader->waits;
    reader->kept_source = NULL;
    reader->waits &= PyBytes_CheckExact(data) && part.size <= MOST_WAITING_BYTES;
    const Around around = {.span = outer, .base = outer_base};
    frame->around = &around;
    frame->span = &part;
    frame->pos = 0;
    int failed = read_inside(step, frame, list_states, out);
    if (!failed) failed = finish(step, frame, part.end, out);
    frame->around = NULL;
    frame->span = outer;
    frame->pos = stop;
    Py_XDECREF(reader->source);
    reader->source = outer_source;
    source_drop(reader->kept_source);
    reader->kept_source = outer_kept;
    reader->waits = waited;
    reader->base = outer_base;
    Py_XDECREF(zero);
    PyBuffer_Release(&view);
    Py_DECREF(data);
    return failed;
}

/* A field, or an element of `[i < n]`, that may have a size; `out` is NULL for a list, which is its own variable's. */
int read_sized(Step *step, Frame *frame, State *list_states, Value *out) {
    if (step->size == NULL || step->has_text_codecs) return read_inside(step, frame, list_states, out);
    int64_t size;
    if (evaluate_number(step->size, frame, &size) || size < 0) return -1;
    if (size > frame->span->end - frame->pos) return run_out(frame->span, frame->pos, size);
    return step->has_span_codecs ? read_decoded(step, frame, size, list_states, out) : read_within(step, frame, size, list_states, out);
}
