/* Elements, and what surrounds them: codecs, spans, lists. */
#include "output.h"

/* ---- texts ---- */

static int count_is(Node *expression, Frame *frame, int64_t count) {
    int64_t wanted;
    return expression == NULL || (!evaluate_number(expression, frame, &wanted) && wanted == count);
}

/* The bytes of a text, in `view` where they are those of another object's buffer; `view->obj` is NULL where not. */
static inline int text_bytes(int kind, const Value *value, const char **start, Py_ssize_t *size, Py_buffer *view) {
    PyObject *object = value->object;
    view->obj = NULL;
    if (object == NULL) return -1;
    if (kind == KIND_OF_UTF8) {
        if (LIKELY(PyUnicode_CheckExact(object) && PyUnicode_IS_COMPACT_ASCII(object))) {
            *start = PyUnicode_DATA(object);
            *size = PyUnicode_GET_LENGTH(object);
            return 0;
        }
        *start = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, size) : NULL;
        return *start == NULL ? -1 : 0;
    }
    if (PyBytes_CheckExact(object)) {
        *start = PyBytes_AS_STRING(object);
        *size = PyBytes_GET_SIZE(object);
        return 0;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE)) return -1;
    if (view->itemsize != 1 || (PyMemoryView_Check(object) && strcmp(PyMemoryView_GET_BUFFER(object)->format, "B") != 0)) {
        /* Whose elements are no bytes: expressions see others than are written. */
        PyBuffer_Release(view);
        return -1;
    }
    *start = view->buf;
    *size = view->len;
    return 0;
}

/* The bytes of a text as an object; a new reference. */
static PyObject *text_object(int kind, const Value *value) {
    const char *start;
    Py_ssize_t size;
    Py_buffer view;
    if (kind == KIND_OF_BYTES && value->object != NULL && PyBytes_CheckExact(value->object)) return Py_NewRef(value->object);
    if (text_bytes(kind, value, &start, &size, &view)) return NULL;
    PyObject *made = PyBytes_FromStringAndSize(start, size);
    if (view.obj != NULL) PyBuffer_Release(&view);
    return made;
}

/* Appends what ends a text that begins at `start`, and does not contain it. */
static int write_ending(const Step *step, Output *out, size_t start) {
    if (step->terminator == NULL) return 0;
    const size_t length = (size_t)PyBytes_GET_SIZE(step->terminator);
    const char *ending = PyBytes_AS_STRING(step->terminator);
    if (output_append(out, ending, (Py_ssize_t)length)) return -1;
    const uint8_t *first = out->data + start;
    return memmem(first, (size_t)out->size - start, ending, length) == out->data + out->size - length ? 0 : -1;
}

int write_uncoded_text(const Step *step, const Value *value, Output *out) {
    const char *start;
    Py_ssize_t size;
    Py_buffer view;
    if (text_bytes(step->kind, value, &start, &size, &view)) return -1;
    const size_t begin = (size_t)out->size;
    int failed = output_append(out, start, size) || (!step->has_text_codecs && write_ending(step, out, begin)) ? -1 : 0;
    if (view.obj != NULL) PyBuffer_Release(&view);
    return failed;
}

int64_t plain_text_size(const Step *step, const Value *value) {
    const PyObject *object = value->object;
    const char *start;
    Py_ssize_t size;
    Py_buffer view;
    if (step->has_text_codecs || step->terminator != NULL || object == NULL ||
        !(PyUnicode_CheckExact(object) || PyBytes_CheckExact(object)) || text_bytes(step->kind, value, &start, &size, &view)) {
        return -1;
    }
    return size;
}

static int write_text(Step *step, Frame *frame, const Value *value) {
    const size_t begin = (size_t)frame->out->size;
    const char *start;
    Py_ssize_t size;
    Py_buffer view;
    if (step->has_text_codecs) {
        PyObject *data = encode_through(step, frame, text_object(step->kind, value));
        int failed = data == NULL || !count_is(step->writing.length, frame, PyBytes_GET_SIZE(data)) ||
                             output_append(frame->out, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)) ||
                             write_ending(step, frame->out, begin)
                         ? -1
                         : 0;
        Py_XDECREF(data);
        return failed;
    }
    if (text_bytes(step->kind, value, &start, &size, &view)) return -1;
    int failed =
        !count_is(step->writing.length, frame, size) || output_append(frame->out, start, size) || write_ending(step, frame->out, begin) ? -1
                                                                                                                                        : 0;
    if (view.obj != NULL) PyBuffer_Release(&view);
    return failed;
}

/* ---- records, structs, codecs with fields ---- */

static int write_record(Step *step, Frame *frame, State *states, const Value *value) {
    Value arguments[MAX_OPERANDS];
    if (value->object == NULL) return -1;
    const int count = evaluate_all(&step->arguments, frame, arguments);
    if (count < 0) return -1;
    int failed = write_program(frame->reader, (Program *)step->target, frame->out, value->object, arguments, count, states);
    values_clear(arguments, count);
    return failed;
}

static int write_struct(Step *step, Frame *frame, const Value *value) {
    PyObject *data, *by_hand = PyTuple_CheckExact(step->target) ? PyTuple_GET_ITEM(step->target, 1) : NULL;
    if (value->object == NULL || (by_hand == NULL && PyObject_IsInstance(value->object, step->target) != 1)) return -1;
    data = by_hand != NULL ? PyObject_CallOneArg(by_hand, value->object) : PyObject_CallMethod(value->object, "to_bytes", NULL);
    int failed =
        data == NULL || !PyBytes_Check(data) || output_append(frame->out, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)) ? -1 : 0;
    Py_XDECREF(data);
    return failed;
}

/* Through a codec with fields, whose state is the last argument. */
static int write_coded(Step *step, Frame *frame, State *list_state, Value *value) {
    Value arguments[MAX_OPERANDS + 1], coded = value_borrowed(value);
    Program *program = (Program *)step->target;
    State *state = step->state == STATE_OF_LIST ? list_state : step->state >= 0 ? &frame->states[step->state] : NULL;
    if (step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8) {
        PyObject *data = encode_through(step, frame, text_object(step->kind, value));
        if (data == NULL) return -1;
        coded = (Value){.object = data, .owned = 1};
    }
    int count = evaluate_all(&step->arguments, frame, arguments);
    if (count < 0) {
        value_clear(&coded);
        return -1;
    }
    if (state != NULL) arguments[count++] = value_borrowed(&state->value);
    PyObject *object = value_object(&coded);
    int failed = object == NULL ? -1 : write_program(frame->reader, program, frame->out, object, arguments, count, NULL);
    values_clear(arguments, count);
    if (state != NULL && !failed) {
        value_own(&coded);
        value_clear(&state->value);
        state->value = coded;
        return 0;
    }
    value_clear(&coded);
    return failed;
}

static int write_one(Step *step, Frame *frame, State *list_states, Value *value) {
    if (step->coded) return write_coded(step, frame, list_states, value);
    switch (step->kind) {
    case KIND_OF_RECORD: return write_record(step, frame, list_states, value);
    case KIND_OF_STRUCT: return write_struct(step, frame, value);
    case KIND_OF_PART: /* of a number in front of it */ return 0;
    case KIND_OF_VALUES: return write_values(step, frame, value);
    case KIND_OF_BYTES:
    case KIND_OF_UTF8: return write_text(step, frame, value);
    }
    return write_scalar(step->kind, step->big | frame->big, frame->out, value);
}

/* ---- spans ---- */

/* An element whose arguments are about its own span. */
static int write_inside(Step *step, Frame *frame, State *list_states, Value *value) {
    Span *outer = frame->span, inner = {.end = -1};
    const int64_t pos = frame->pos;
    if (step->writing.size == NULL || evaluate_number(step->writing.size, frame, &inner.end)) return -1;
    frame->span = &inner;
    frame->pos = 0;
    int failed = write_one(step, frame, list_states, value);
    frame->span = outer;
    frame->pos = pos;
    return failed;
}

int write_element(Step *step, Frame *frame, State *list_states, Value *value) {
    return step->writing.is_inside ? write_inside(step, frame, list_states, value) : write_one(step, frame, list_states, value);
}

int write_apart(Step *step, Frame *frame, State *list_states, Value *value, int is_list, Output *out, PyObject *base) {
    Output *outer = frame->out;
    PyObject *outer_base = frame->reader->base;
    const Around around = {.span = frame->span, .base = outer_base};
    const int takes_pins = frame->reader->takes_pins;
    const Output *content = frame->reader->content;
    frame->around = &around;
    frame->out = out;
    frame->reader->base = base;
    /* After codecs, places count in other bytes. */
    if (step->coding_count) {
        frame->reader->takes_pins = 0;
        frame->reader->content = out;
    }
    int failed = is_list ? write_list(step, frame, value) : write_element(step, frame, list_states, value);
    frame->around = NULL;
    frame->out = outer;
    frame->reader->base = outer_base;
    frame->reader->takes_pins = takes_pins;
    frame->reader->content = content;
    return failed;
}

int append_encoded(Step *step, Frame *frame, Output *raw) {
    set_measure(frame, step->writing.measures[MEASURE_RAW_SIZE], raw->size);
    PyObject *data = output_taken(raw);
    data = data == NULL ? NULL : encode_through(step, frame, data);
    const size_t begin = (size_t)frame->out->size;
    return data == NULL || output_put(frame->out, data) || (step->has_text_codecs && write_ending(step, frame->out, begin)) ? -1 : 0;
}

int write_sized(Step *step, Frame *frame, State *list_states, Value *value) {
    const int is_list = step->dimension != DIMENSION_NONE && step->dimension != DIMENSION_INDEX;
    if (!step->has_span_codecs) return is_list ? write_list(step, frame, value) : write_element(step, frame, list_states, value);
    Output raw = {0};
    PyObject *zero = PyLong_FromLong(0);
    int failed =
        zero == NULL || write_apart(step, frame, list_states, value, is_list, &raw, zero) || append_encoded(step, frame, &raw) ? -1 : 0;
    Py_XDECREF(zero);
    output_release(&raw);
    return failed;
}

/* ---- lists ---- */

/* The next element; of `[i < n]`, where it is there. */
static int write_item(Step *step, Frame *frame, State *states, PyObject *item) {
    if (may_lie(item)) return -1;
    const Writing *writing = &step->writing;
    Value value = value_of_object(item, 0);
    const int64_t start = frame->out->size;
    if (step->dimension != DIMENSION_INDEX) {
        return write_element(step, frame, states, &value) ||
               append_measure(frame, writing->measures[MEASURE_SIZES], frame->out->size - start);
    }
    int present = writing->by_value ? item != Py_None : writing->present == NULL ? 1 : holds(writing->present, frame);
    if (present != 1) return present < 0 || item != Py_None ? -1 : append_measure(frame, writing->measures[MEASURE_SIZES], 0);
    int64_t size;
    if (write_sized(step, frame, states, &value)) return -1;
    if (writing->size != NULL && (evaluate_number(writing->size, frame, &size) || size != frame->out->size - start)) return -1;
    return append_measure(frame, writing->measures[MEASURE_SIZES], frame->out->size - start);
}

/* Whether a reader ends after the elements so far, to which one is appended: 1, 0, or -1. */
static int ends_behind(Step *step, Frame *frame, PyObject *so_far, PyObject *item) {
    if (PyList_Append(so_far, item)) return -1;
    const Value all = frame->variables[step->variable];
    frame->variables[step->variable] = (Value){.object = so_far};
    const int ends = holds(step->writing.count, frame);
    frame->variables[step->variable] = all;
    return ends;
}

int write_list(Step *step, Frame *frame, const Value *list) {
    const Program *program = step->siblings ? (Program *)step->target : NULL;
    const int shared = program != NULL ? program->state_count : 0;
    const int sizes = step->writing.measures[MEASURE_SIZES];
    PyObject *items = list->object;
    if (items == NULL || !(PyList_CheckExact(items) || PyTuple_CheckExact(items))) return -1;
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    PyObject *so_far = step->dimension == DIMENSION_UNTIL && step->writing.count != NULL ? PyList_New(0) : NULL;
    if (so_far == NULL ? PyErr_Occurred() || !count_is(step->writing.count, frame, count) : count == 0) return give_up(so_far);
    if (sizes >= 0) {
        value_clear(&frame->variables[sizes]);
        frame->variables[sizes] = (Value){.object = PyList_New(0), .owned = 1};
        if (frame->variables[sizes].object == NULL) return give_up(so_far);
    }
    State states[shared + 1];
    states[0] = (State){0};
    if (program != NULL)
        states_begin(program, states);
    else if (step->state == STATE_OF_LIST)
        states[0].value = value_of_object(step->initial, 0);
    State *given = program != NULL || step->state == STATE_OF_LIST ? states : NULL;
    int failed = 0;
    for (Py_ssize_t i = 0; i < count && !failed; i++) {
        failed = i >= PySequence_Fast_GET_SIZE(items) ? -1 : 0;
        if (!failed) {
            PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
            frame->index = i;
            failed = write_item(step, frame, given, item);
            if (so_far != NULL && !failed) failed = ends_behind(step, frame, so_far, item) != (i == count - 1);
            Py_DECREF(item);
        }
    }
    if (program != NULL)
        states_end(program, states);
    else
        value_clear(&states[0].value);
    Py_XDECREF(so_far);
    return failed ? -1 : 0;
}
