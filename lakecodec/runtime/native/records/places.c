/* Records with places: what follows each other is read, and the record then knows where to find the rest. */
#include "instances.h"
#include "output.h"

/* The class of sources over bytes, and the slots of records with places. */
static struct {
    PyObject *bytes;
    Py_ssize_t source, begin, size, offset, arguments, depth, taken, found;
} lazy;

/* use_places(LazyRecord, Bytes): the classes. */
PyObject *use_places(PyObject *module, PyObject *arguments) {
    PyObject *type, *bytes;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O", &PyType_Type, &type, &bytes)) return NULL;
    PyTypeObject *cls = (PyTypeObject *)type;
    if (find_slot(cls, "_source", &lazy.source) || find_slot(cls, "_begin", &lazy.begin) || find_slot(cls, "_size", &lazy.size) ||
        find_slot(cls, "_offset", &lazy.offset) || find_slot(cls, "_arguments", &lazy.arguments) || find_slot(cls, "_depth", &lazy.depth) ||
        find_slot(cls, "_taken", &lazy.taken) || find_slot(cls, "_found", &lazy.found)) {
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

/* ---- writing ---- */

/* What a record has found at a place, or what is read there now; a new reference. */
static PyObject *placed_value(PyObject *object, const Place *place) {
    PyObject *found = SLOT(object, lazy.found);
    PyObject *item = found == NULL || !PyDict_CheckExact(found) ? NULL : PyDict_GetItemWithError(found, place->name);
    return item != NULL ? Py_NewRef(item) : PyErr_Occurred() ? NULL : PyObject_GetAttr(object, place->name);
}

static int pin(Reader *reader, int64_t at, PyObject *bytes) {
    PyObject *entry = bytes == NULL ? NULL : Py_BuildValue("LN", (long long)at, bytes);
    if (reader->pins == NULL) reader->pins = PyList_New(0);
    int failed = entry == NULL || reader->pins == NULL || PyList_Append(reader->pins, entry) ? -1 : 0;
    Py_XDECREF(entry);
    return failed;
}

static int write_place(const Place *place, Frame *frame, PyObject *value) {
    Reader *reader = frame->reader;
    Value arguments[MAX_OPERANDS];
    int64_t at;
    if (evaluate_number(place->at, frame, &at) || at < 0) return -1;
    const int count = evaluate_all(&place->arguments, frame, arguments);
    if (count < 0) return -1;
    Output out = {0};
    PyObject *outer = reader->base, *base = PyLong_FromLongLong(at);
    reader->base = base;
    reader->depth -= 1;
    int failed = base == NULL || reader->depth < 0 || write_program(reader, place->target, &out, value, arguments, count, NULL) ||
                         pin(reader, at, output_taken(&out))
                     ? -1
                     : 0;
    reader->depth += 1;
    reader->base = outer;
    Py_XDECREF(base);
    output_release(&out);
    values_clear(arguments, count);
    return failed;
}

int write_places(const Program *program, Frame *frame, PyObject *object, int64_t size) {
    PyObject *source = SLOT(object, lazy.source), *taken = SLOT(object, lazy.taken);
    if (!program->has_places || !frame->reader->may_share) return -1;
    /* Bytes that it was read from stay behind fewer new ones. */
    if (source != NULL && source != Py_None && (taken == NULL || PyLong_AsLongLong(taken) > size)) return -1;
    for (int i = 0; i < program->placed_count; i++) {
        const Place *place = &program->placed[i];
        PyObject *value = placed_value(object, place);
        const int present = value == NULL ? -1 : place->present == NULL ? 1 : holds(place->present, frame);
        int failed = present < 0 || present != (value != Py_None) || may_lie(value) ? -1 : 0;
        if (!failed && present) failed = write_place(place, frame, value);
        Py_XDECREF(value);
        if (failed) return -1;
    }
    return 0;
}
