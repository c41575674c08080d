/* Codecs that Python classes implement, and what siblings share of them. */
#include "record.h"

/* The first states of a program. */
void states_begin(const Program *program, State *states) {
    for (int i = 0; i < program->state_count; i++) {
        states[i] = (State){0};
        if (program->states[i] != NULL) states[i].value = value_of_object(program->states[i], 0);
    }
}

void states_end(const Program *program, State *states) {
    for (int i = 0; i < program->state_count; i++) {
        value_clear(&states[i].value);
        Py_CLEAR(states[i].decode);
        Py_CLEAR(states[i].arguments);
    }
}

/* The method of the codec that a `Use` stands for, which is released: where text is wanted, one that gives it if there is
 * one. */
static PyObject *decode_of(const Reader *reader, PyObject *use, int text) {
    (void)reader;
    PyObject *codec = use == NULL ? NULL : PyObject_CallMethod(use, "decoder", NULL);
    Py_XDECREF(use);
    const int gives_text = codec != NULL && text && PyObject_HasAttrString(codec, "decode_text");
    PyObject *decode = codec == NULL ? NULL : PyObject_GetAttrString(codec, gives_text ? "decode_text" : "decode");
    Py_XDECREF(codec);
    return decode;
}

static int same_arguments(const State *state, PyObject *const *arguments, int count) {
    if (state->decode == NULL || PyTuple_GET_SIZE(state->arguments) != count) return 0;
    for (int i = 0; i < count; i++) {
        PyObject *before = PyTuple_GET_ITEM(state->arguments, i);
        int same = before == arguments[i] ? 1 : PyObject_RichCompareBool(before, arguments[i], Py_EQ);
        if (same != 1) return same;
    }
    return 1;
}

/* Whether a codec's arguments are variables with the very objects that it was made of. */
static inline int identical_arguments(const State *state, const Coding *coding, const Frame *frame) {
    for (int i = 0; i < coding->arguments.count; i++) {
        const Node *node = coding->arguments.items[i];
        if (node->op != OP_VARIABLE || frame->variables[node->number].object != PyTuple_GET_ITEM(state->arguments, i)) return 0;
    }
    return 1;
}

PyObject *shared_codec(const Coding *coding, Frame *frame, int text, MethodOf *method_of) {
    State *state = &frame->states[coding->state];
    if (state->decode != NULL && identical_arguments(state, coding, frame)) return state->decode;
    PyObject *arguments[MAX_OPERANDS];
    int count = evaluate_objects(&coding->arguments, frame, arguments);
    int same = count < 0 ? -1 : same_arguments(state, arguments, count);
    if (same == 0) {
        Py_CLEAR(state->decode);
        Py_XSETREF(state->arguments, PyTuple_New(count));
        for (int i = 0; i < count && state->arguments != NULL; i++) PyTuple_SET_ITEM(state->arguments, i, Py_NewRef(arguments[i]));
        if (state->arguments != NULL)
            state->decode = method_of(frame->reader, PyObject_Call(coding->declared, state->arguments, NULL), text);
    }
    if (count > 0) release(arguments, count);
    return same < 0 ? NULL : state->decode;
}

static PyObject *decode_once(const Coding *coding, Frame *frame, PyObject *data, int text) {
    if (coding->state >= 0) {
        PyObject *decode = shared_codec(coding, frame, text, decode_of);
        return decode == NULL ? NULL : PyObject_CallOneArg(decode, data);
    }
    Value use;
    if (evaluate(coding->arguments.items[0], frame, &use)) return NULL;
    PyObject *decode = use.object == NULL ? NULL : decode_of(frame->reader, Py_NewRef(use.object), text);
    value_clear(&use);
    PyObject *found = decode == NULL ? NULL : PyObject_CallOneArg(decode, data);
    Py_XDECREF(decode);
    return found;
}

PyObject *decode_through(Step *step, Frame *frame, PyObject *data, int text) {
    PyObject *found = Py_NewRef(data);
    for (int i = step->coding_count - 1; i >= 0 && found != NULL; i--)
        Py_SETREF(found, decode_once(&step->codings[i], frame, found, text && i == 0));
    return found;
}

/* ---- what codecs were given ---- */

static PyObject *stored_key(const Step *step, const Frame *frame) {
    const int is_each = step->dimension == DIMENSION_INDEX || (step->dimension != DIMENSION_NONE && !step->has_span_codecs);
    return PyLong_FromLongLong((int64_t)(step - frame->program->steps) << 32 | (is_each ? frame->index + 1 : 0));
}

int keep_coded(const Step *step, Frame *frame, PyObject *data) {
    if (!step->keeps || !frame->program->stored_slot || frame->skips || frame->reader->walks) return 0;
    if (frame->stored == NULL && (frame->stored = PyDict_New()) == NULL) return -1;
    PyObject *key = stored_key(step, frame), *value = PyMemoryView_Check(data) ? PyBytes_FromObject(data) : Py_NewRef(data);
    int failed = key == NULL || value == NULL ? -1 : PyDict_SetItem(frame->stored, key, value);
    Py_XDECREF(key);
    Py_XDECREF(value);
    return failed;
}

static PyObject *decode_again(const Coding *coding, Frame *frame, PyObject *data) {
    PyObject *arguments[MAX_OPERANDS], *use = NULL;
    const int count = evaluate_objects(&coding->arguments, frame, arguments);
    if (count < 0) return NULL;
    use = coding->state >= 0 ? PyObject_Vectorcall(coding->declared, arguments, (size_t)count, NULL) : Py_NewRef(arguments[0]);
    if (count > 0) release(arguments, count);
    PyObject *decode = use == NULL ? NULL : decode_of(frame->reader, use, 0);
    PyObject *found = decode == NULL ? NULL : PyObject_CallOneArg(decode, data);
    Py_XDECREF(decode);
    if (found != NULL && (PyMemoryView_Check(found) || PyByteArray_Check(found))) Py_SETREF(found, PyBytes_FromObject(found));
    return found;
}

PyObject *kept_coded(const Step *step, Frame *frame, PyObject *data) {
    PyObject *codecs = frame->reader->codecs;
    if (!step->keeps || frame->stored == NULL || (codecs != NULL && PyObject_IsTrue(codecs) == 1)) return NULL;
    PyObject *key = stored_key(step, frame), *kept = key == NULL ? NULL : PyDict_GetItemWithError(frame->stored, key);
    Py_XDECREF(key);
    if (kept == NULL) return NULL;
    PyObject *found = Py_NewRef(kept);
    for (int i = step->coding_count - 1; i >= 0 && found != NULL; i--) Py_SETREF(found, decode_again(&step->codings[i], frame, found));
    const int same = found == NULL ? -1 : PyObject_RichCompareBool(found, data, Py_EQ);
    Py_XDECREF(found);
    /* What was kept is of other arguments. */
    if (same < 0 && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_Exception)) PyErr_Clear();
    return same == 1 ? Py_NewRef(kept) : NULL;
}

/* A part of a span as an object, without a copy. */
PyObject *span_slice(const Span *span, int64_t start, int64_t stop) {
    PyObject *view = PyMemoryView_FromObject(span->owner);
    PyObject *part = view == NULL ? NULL : PySequence_GetSlice(view, (Py_ssize_t)start, (Py_ssize_t)stop);
    Py_XDECREF(view);
    return part;
}

int span_over(Span *span, Py_buffer *view, PyObject *data) {
    if (PyObject_GetBuffer(data, view, PyBUF_SIMPLE)) return -1;
    *span = (Span){.owner = data, .start = view->buf, .end = view->len, .size = view->len};
    return 0;
}
