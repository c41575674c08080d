/* Fields that classes do not know: structs within records keep them, and write them back. */
#include "decode.h"
#include "encode.h"

#define UNKNOWN "lakecodec.runtime.compact.unknown"

/* Calls a function of that module, and releases its arguments. */
static PyObject *call_with(const char *name, PyObject *first, PyObject *second) {
    PyObject *function = first == NULL || second == NULL ? NULL : runtime_object(UNKNOWN, name);
    PyObject *found = function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, first, second, NULL);
    Py_XDECREF(function);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return found;
}

int note_unknown(PyObject **fields, int id, int wire, const uint8_t *start, const uint8_t *end) {
    if (*fields == NULL && (*fields = PyList_New(0)) == NULL) return -1;
    PyObject *field = Py_BuildValue("(iiy#)", id, wire, (const char *)start, end - start);
    const int failed = field == NULL ? -1 : PyList_Append(*fields, field);
    Py_XDECREF(field);
    return failed;
}

PyObject *keeping_instance(PyObject *self, PyObject *fields) { return call_with("with_unknown", self, fields); }

PyObject *keep_all_fields(Reader *r, const uint8_t *p, const Codec *codec) {
    PyObject *fields = NULL;
    for (int last = 0, wire = WIRE_STOP;;) {
        const uint8_t *start = read_field_header(&r->in, p, &last, &wire);
        if (start == NULL || wire == WIRE_STOP) break;
        p = skip_field(&r->in, start, wire, r->in.max_depth, start);
        if (p == NULL || note_unknown(&fields, last, wire, start, p)) {
            Py_XDECREF(fields);
            return NULL;
        }
    }
    return fields == NULL ? Py_NewRef(codec->single) : keeping_instance(Py_NewRef(codec->single), fields);
}

uint8_t *write_kept(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth) {
    const Py_ssize_t begin = p - (uint8_t *)PyBytes_AS_STRING(w->bytes);
    p = write_fields(w, p, codec, self, depth);
    if (p == NULL) return NULL;
    uint8_t *start = (uint8_t *)PyBytes_AS_STRING(w->bytes) + begin;
    PyObject *data = call_with("written", PyBytes_FromStringAndSize((const char *)start, p - start), Py_NewRef(self));
    if (data == NULL) return NULL;
    p = write_bytes(w, (uint8_t *)PyBytes_AS_STRING(w->bytes) + begin, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
    Py_DECREF(data);
    return p;
}

int keeps_unknown(PyObject *self) {
    PyObject *cls = runtime_object(UNKNOWN, "KeepsUnknown");
    const int found = cls == NULL ? -1 : PyObject_IsInstance(self, cls);
    Py_XDECREF(cls);
    return found;
}
