/* Bytes through codecs that Python classes implement. */
#include "output.h"

/* The `encode` of the codec that a `Use` stands for, which is released; a factory of the caller's can take its place. */
static PyObject *encode_of(const Reader *reader, PyObject *use, int text) {
    (void)text;
    PyObject *codecs = reader->codecs == NULL ? Py_None : reader->codecs;
    PyObject *codec = use == NULL ? NULL : PyObject_CallMethod(use, "encoder", "O", codecs);
    PyObject *encode = codec == NULL ? NULL : PyObject_GetAttrString(codec, "encode");
    Py_XDECREF(codec);
    Py_XDECREF(use);
    return encode;
}

static PyObject *encode_once(const Coding *coding, Frame *frame, PyObject *data) {
    if (coding->state >= 0) {
        PyObject *encode = frame->states == NULL ? NULL : shared_codec(coding, frame, 0, encode_of);
        return encode == NULL ? NULL : PyObject_CallOneArg(encode, data);
    }
    Value use;
    if (evaluate(coding->arguments.items[0], frame, &use)) return NULL;
    PyObject *encode = use.object == NULL ? NULL : encode_of(frame->reader, Py_NewRef(use.object), 0);
    value_clear(&use);
    PyObject *found = encode == NULL ? NULL : PyObject_CallOneArg(encode, data);
    Py_XDECREF(encode);
    return found;
}

PyObject *encode_through(Step *step, Frame *frame, PyObject *data) {
    PyObject *kept = data == NULL ? NULL : kept_coded(step, frame, data);
    if (kept != NULL || PyErr_Occurred()) {
        Py_XDECREF(data);
        return kept;
    }
    for (int i = 0; i < step->coding_count && data != NULL; i++) {
        PyObject *encoded = encode_once(&step->codings[i], frame, data);
        if (encoded != NULL && !PyBytes_CheckExact(encoded)) Py_SETREF(encoded, PyBytes_FromObject(encoded));
        Py_SETREF(data, encoded);
    }
    return data;
}
