/* Records with places: what follows each other is read, and the record then knows where to find the rest. */
#include "layout.h"

/* The class of sources over bytes, functions of Python, and the slots of records with places. */
static struct {
    PyObject *bytes, *assigned, *refuse, *moved, *kept;
    Py_ssize_t source, begin, size, offset, arguments, depth, taken, found;
} lazy;

/* use_places(LazyRecord, Bytes, what sets an attribute inside of an object, what refuses to lose bytes, and to replace offsets, what keeps
 * values that were set inside of fields) */
PyObject *use_places(PyObject *module, PyObject *arguments) {
    PyObject *type, *bytes, *assigned, *refuse, *moved, *kept;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOOOO", &PyType_Type, &type, &bytes, &assigned, &refuse, &moved, &kept)) return NULL;
    PyTypeObject *cls = (PyTypeObject *)type;
    if (find_slot(cls, "_source", &lazy.source) || find_slot(cls, "_begin", &lazy.begin) || find_slot(cls, "_size", &lazy.size) ||
        find_slot(cls, "_offset", &lazy.offset) || find_slot(cls, "_arguments", &lazy.arguments) || find_slot(cls, "_depth", &lazy.depth) ||
        find_slot(cls, "_taken", &lazy.taken) || find_slot(cls, "_found", &lazy.found)) {
        return NULL;
    }
    Py_XSETREF(lazy.bytes, Py_NewRef(bytes));
    Py_XSETREF(lazy.assigned, Py_NewRef(assigned));
    Py_XSETREF(lazy.refuse, Py_NewRef(refuse));
    Py_XSETREF(lazy.moved, Py_NewRef(moved));
    Py_XSETREF(lazy.kept, Py_NewRef(kept));
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

/* How much a writer may read: places that share bytes can mean endlessly many records, and generated code tells where. */
enum { MOST_READ = 1 << 12 };

PyObject *placed_value(Reader *reader, const Program *program, PyObject *object, const Place *place) {
    PyObject *found = SLOT(object, lazy.found), *source = SLOT(object, lazy.source);
    PyObject *item = found == NULL || !PyDict_CheckExact(found) ? NULL : PyDict_GetItemWithError(found, place->name);
    if (item != NULL || PyErr_Occurred()) return Py_XNewRef(item);
    if (source == NULL || source == Py_None) return Py_NewRef(Py_None);
    /* Bytes that were not looked at stay as they are. */
    if ((program->gaps && !place->is_far) || reader->reads++ >= MOST_READ) return NULL;
    return PyObject_GetAttr(object, place->name);
}

int64_t placed_size(PyObject *object) {
    const PyObject *size = SLOT(object, lazy.size);
    return size == NULL || !PyLong_Check(size) ? 0 : PyLong_AsLongLong((PyObject *)size);
}

PyObject *assign_attribute(PyObject *holder, PyObject *path, PyObject *value) {
    return PyObject_CallFunctionObjArgs(lazy.assigned, holder, path, value, NULL);
}

/* What a call answers that is made for what it does; takes over the answer. */
static int done(PyObject *answer) {
    Py_XDECREF(answer);
    return answer == NULL ? -1 : 0;
}

int refuse_moved(PyObject *object, PyObject *written) {
    return done(PyObject_CallFunctionObjArgs(lazy.moved, object, written, NULL));
}

int keep_settings(const Program *program, const Frame *frame, PyObject *object) {
    int failed = 0;
    for (int i = 0; i < program->placed_count && !failed; i++) {
        const Place *place = &program->placed[i];
        PyObject *written = frame->variables[place->step->variable].object, *found = SLOT(object, lazy.found);
        if (!place->setting_count || written == NULL) continue;
        /* Nothing was set in the very object that the record has. */
        if (found != NULL && PyDict_CheckExact(found) && PyDict_GetItemWithError(found, place->name) == written) continue;
        PyObject *kept = PyErr_Occurred() ? NULL : PyObject_CallFunctionObjArgs(lazy.kept, object, place->name, written, NULL);
        failed = kept == NULL;
        Py_XDECREF(kept);
    }
    return failed ? -1 : 0;
}

void release_original(Reader *reader) {
    if (reader->original_bytes.obj != NULL) PyBuffer_Release(&reader->original_bytes);
    Py_CLEAR(reader->original);
}

/* Opens the bytes of a source in memory; 0, or -1 where it is of another kind. */
static int open_original(Reader *reader, PyObject *source) {
    if (reader->original == source) return reader->original_bytes.obj == NULL ? -1 : 0;
    release_original(reader);
    reader->original = Py_NewRef(source);
    if ((PyObject *)Py_TYPE(source) != lazy.bytes) return -1;
    PyObject *inner = PyObject_GetAttrString(source, "_source");
    PyObject *view = inner == NULL ? NULL : PyObject_GetAttrString(inner, "_view");
    int failed = view == NULL || PyObject_GetBuffer(view, &reader->original_bytes, PyBUF_SIMPLE) ? -1 : 0;
    Py_XDECREF(inner);
    Py_XDECREF(view);
    if (failed) reader->original_bytes.obj = NULL;
    return failed;
}

int original_of(Reader *reader, PyObject *object, const uint8_t **start, int64_t *size) {
    PyObject *source = SLOT(object, lazy.source), *begin = SLOT(object, lazy.begin), *whole = SLOT(object, lazy.size);
    *size = 0;
    if (source == NULL || source == Py_None) return 0;
    if (begin == NULL || whole == NULL || open_original(reader, source)) return -1;
    const int64_t first = PyLong_AsLongLong(begin), all = reader->original_bytes.len;
    *size = PyLong_AsLongLong(whole);
    if (PyErr_Occurred() || first < 0 || *size < 0) return -1;
    /* As slices do. */
    *size = first >= all ? 0 : *size > all - first ? all - first : *size;
    *start = (const uint8_t *)reader->original_bytes.buf + (first > all ? all : first);
    return 0;
}

int refuse_losses(Reader *reader, const Program *program, PyObject *object, const Output *out, int64_t begin) {
    const int is_root = reader->content == out && begin == 0;
    const uint8_t *start = NULL;
    int64_t size;
    const PyObject *source = SLOT(object, lazy.source);
    /* Of the outermost record the caller finds out. */
    if (program->gaps || object == reader->outermost || source == NULL || source == Py_None || !(is_root || program->has_near)) return 0;
    if (!original_of(reader, object, &start, &size) && size == out->size - begin && memcmp(start, out->data + begin, (size_t)size) == 0)
        return 0;
    return PyErr_Occurred() ? -1 : done(PyObject_CallFunction(lazy.refuse, "Oi", object, is_root));
}
