/* Bytes through codecs that Python classes implement. */
#include "output.h"

/* The `encode` of the codec that a `Use` stands for, which is released; a factory of the caller's can take its place. */
static PyObject *
encode_of(const Reader *reader, PyObject *use)
{
    PyObject *codec = NULL, *factory = NULL, *encode = NULL;
    if (use == NULL) {
        return NULL;
    }
    if (reader->codecs != NULL && PyDict_GET_SIZE(reader->codecs)) {
        PyObject *name = PyObject_GetAttrString(use, "name");
        factory = name == NULL ? NULL : PyDict_GetItemWithError(reader->codecs, name);
        Py_XDECREF(name);
        if (factory != NULL) {
            PyObject *arguments = PyObject_GetAttrString(use, "arguments");
            codec = arguments == NULL ? NULL : PyObject_Call(factory, arguments, NULL);
            Py_XDECREF(arguments);
        }
    }
    if (factory == NULL && !PyErr_Occurred()) {
        codec = PyObject_CallMethod(use, "make", NULL);
    }
    encode = codec == NULL ? NULL : PyObject_GetAttrString(codec, "encode");
    Py_XDECREF(codec);
    Py_DECREF(use);
    return encode;
}

/* The codec of siblings, made anew where its arguments are others; borrowed. */
static PyObject *
shared_encode(const Coding *coding, Frame *frame)
{
    State *state = &frame->states[coding->state];
    PyObject *arguments[MAX_OPERANDS];
    int count = evaluate_objects(&coding->arguments, frame, arguments);
    if (count < 0) {
        return NULL;
    }
    int same = state->decode != NULL && PyTuple_GET_SIZE(state->arguments) == count;
    for (int i = 0; i < count && same == 1; i++) {
        PyObject *before = PyTuple_GET_ITEM(state->arguments, i);
        same = before == arguments[i] ? 1 : PyObject_RichCompareBool(before, arguments[i], Py_EQ);
    }
    if (same == 0) {
        Py_CLEAR(state->decode);
        Py_XSETREF(state->arguments, PyTuple_New(count));
        for (int i = 0; i < count && state->arguments != NULL; i++) {
            PyTuple_SET_ITEM(state->arguments, i, Py_NewRef(arguments[i]));
        }
        if (state->arguments != NULL) {
            state->decode = encode_of(frame->reader, PyObject_Call(coding->declared, state->arguments, NULL));
        }
    }
    release(arguments, count);
    return same < 0 ? NULL : state->decode;
}

static PyObject *
encode_once(const Coding *coding, Frame *frame, PyObject *data)
{
    if (coding->state >= 0) {
        PyObject *encode = frame->states == NULL ? NULL : shared_encode(coding, frame);
        return encode == NULL ? NULL : PyObject_CallOneArg(encode, data);
    }
    Value use;
    if (evaluate(coding->arguments.items[0], frame, &use)) {
        return NULL;
    }
    PyObject *encode = use.object == NULL ? NULL : encode_of(frame->reader, Py_NewRef(use.object));
    value_clear(&use);
    PyObject *found = encode == NULL ? NULL : PyObject_CallOneArg(encode, data);
    Py_XDECREF(encode);
    return found;
}

PyObject *
encode_through(Step *step, Frame *frame, PyObject *data)
{
    for (int i = 0; i < step->coding_count && data != NULL; i++) {
        PyObject *encoded = encode_once(&step->codings[i], frame, data);
        if (encoded != NULL && !PyBytes_CheckExact(encoded)) {
            Py_SETREF(encoded, PyBytes_FromObject(encoded));
        }
        Py_SETREF(data, encoded);
    }
    return data;
}
