/* Records with places: what follows each other is read, and the record then knows where to find the rest. */
#include "instances.h"

/* The class of sources over bytes, and the slots of records with places. */
static struct {
    PyObject *bytes;
    Py_ssize_t source, begin, size, offset, arguments, depth, taken;
} lazy;

/* use_places(LazyRecord, Bytes): the classes. */
PyObject *use_places(PyObject *module, PyObject *arguments) {
    PyObject *type, *bytes;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyType_Type, &type, &bytes)) return NULL;
    PyTypeObject *cls = (PyTypeObject *)type;
    if (find_slot(cls, "_source", &lazy.source) || find_slot(cls, "_begin", &lazy.begin) || find_slot(cls, "_size", &lazy.size) ||
        find_slot(cls, "_offset", &lazy.offset) || find_slot(cls, "_arguments", &lazy.arguments) || find_slot(cls, "_depth", &lazy.depth) ||
        find_slot(cls, "_taken", &lazy.taken)) {
        return NULL;
    }
    Py_XSETREF(lazy.bytes, Py_NewRef(bytes));
    Py_RETURN_NONE;
}

/* The source of what is read: the one given, or the bytes that are read; borrowed. */
static PyObject *source_of(Reader *reader, const Span *span) {
    PyObject *given = reader->source == NULL ? span->owner : reader->source;
    if (reader->source == NULL || PyBytes_CheckExact(given) || PyMemoryView_Check(given)) {
        PyObject *made = lazy.bytes == NULL ? NULL : PyObject_CallOneArg(lazy.bytes, given);
        Py_XSETREF(reader->source, made);
    }
    return reader->source;
}

/* The parameters that a record was read with, which its slots hold. */
static PyObject *arguments_of(const Program *program, PyObject *made) {
    PyObject *found = PyTuple_New(program->param_count);
    for (int i = 0; i < program->param_count && found != NULL; i++)
        PyTuple_SET_ITEM(found, i, Py_NewRef(SLOT(made, program->param_slots[i])));
    return found;
}

int open_places(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t stop, PyObject *made) {
    const int64_t base = reader->base == NULL ? -1 : PyLong_AsLongLong(reader->base);
    if (base < 0 || reader->depth < 0 || source_of(reader, span) == NULL) return -1;
    SLOT(made, lazy.source) = Py_NewRef(reader->source);
    SLOT(made, lazy.begin) = PyLong_FromLongLong(base + start);
    SLOT(made, lazy.offset) = Py_XNewRef(SLOT(made, lazy.begin));
    SLOT(made, lazy.size) = PyLong_FromLongLong(span->end - start);
    SLOT(made, lazy.arguments) = arguments_of(program, made);
    SLOT(made, lazy.taken) = PyLong_FromLongLong(stop - start);
    SLOT(made, lazy.depth) = PyLong_FromLongLong(reader->depth);
    return PyErr_Occurred() ? -1 : 0;
}
