/* The bytes that unread instances share. */
#include "unread.h"

int
begin_source(Reader *r, const Codec *codec)
{
    r->source = PyMem_Calloc(1, sizeof(Source));
    if (r->source == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    r->source->references = 1;
    r->source->codec = Py_NewRef((PyObject *)codec);
    return 0;
}

PyObject *
owner_of(PyObject *data)
{
    PyObject *owner = PyMemoryView_Check(data) ? PyMemoryView_GET_BASE(data) : data;
    return owner != NULL && (PyBytes_CheckExact(owner) || is_buffer(owner)) ? owner : NULL;
}

/* Memory that may be kept for each byte that was decoded: a file's footer is often less than half of a file of short columns. */
#define MOST_KEPT_FOR_ONE 8

/* Keeps what was decoded, up to a position: the object that it is in if it is not many times as large, else a copy. */
int
keep_source(Reader *r, const uint8_t *end)
{
    Source *source = r->source;
    const Py_ssize_t first = r->first_unread, size = end - r->in.begin - first;
    PyObject *owner = owner_of(r->data);
    if (source->references == 1) {
        return 0;
    }
    if (owner != NULL && PyObject_Size(owner) / MOST_KEPT_FOR_ONE <= size) {
        source->data = Py_NewRef(owner);
        source->begin = r->in.begin + first;
    }
    else {
        source->data = PyBytes_FromStringAndSize((const char *)r->in.begin + first, size);
        if (source->data == NULL) {
            return -1;
        }
        source->begin = (const uint8_t *)PyBytes_AS_STRING(source->data);
    }
    source->end = source->begin + size;
    source->origin = first;
    return 0;
}

void
source_drop(Source *source)
{
    if (source == NULL || --source->references > 0) {
        return;
    }
    for (size_t i = 0; source->texts != NULL && i <= source->mask; i++) {
        Py_XDECREF(source->texts[i]);
    }
    PyMem_Free(source->texts);
    for (Shape *shape = source->shapes, *next; shape != NULL; shape = next) {
        next = shape->next;
        PyMem_Free(shape);
    }
    for (int i = 0; i < MOST_SHARED; i++) {
        Py_XDECREF(source->shared[i]);
    }
    Py_XDECREF(source->data);
    Py_XDECREF(source->codec);
    PyMem_Free(source);
}
