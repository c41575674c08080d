/* Memory of a finished column, handed to Python without a copy. */
#include "columns.h"

typedef struct Buffer {
    PyObject_HEAD
    void *data;
    Py_ssize_t size;
    Arena *arena; /* that data is a part of, or NULL */
} Buffer;

static int
buffer_get(PyObject *self, Py_buffer *view, int flags)
{
    const Buffer *buffer = (Buffer *)self;
    return PyBuffer_FillInfo(view, self, buffer->size ? buffer->data : (void *)"", buffer->size, 1, flags);
}

static Py_ssize_t
buffer_length(PyObject *self)
{
    return ((Buffer *)self)->size;
}

static void
buffer_dealloc(PyObject *self)
{
    Buffer *buffer = (Buffer *)self;
    if (buffer->arena != NULL) {
        arena_drop(buffer->arena);
    }
    else {
        free(buffer->data);
    }
    PyObject_Free(self);
}

static PyBufferProcs buffer_procs = {.bf_getbuffer = buffer_get};
static PySequenceMethods buffer_sequence = {.sq_length = buffer_length};

PyTypeObject Buffer_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "lakecodec.runtime.native._compact.Buffer",
    .tp_doc = "Read-only memory of a column; give it to memoryview, numpy.frombuffer or pyarrow.py_buffer.",
    .tp_basicsize = sizeof(Buffer),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = buffer_dealloc,
    .tp_as_buffer = &buffer_procs,
    .tp_as_sequence = &buffer_sequence,
};

PyObject *
buffer_own(void *data, Py_ssize_t size, Arena *arena)
{
    Buffer *buffer = PyObject_New(Buffer, &Buffer_Type);
    const int inside = arena_owns(arena, data);
    if (buffer == NULL) {
        if (!inside) {
            free(data);
        }
        return NULL;
    }
    buffer->arena = inside ? arena_share(arena) : NULL;
    buffer->data = data;
    buffer->size = size;
    if (!inside && size == 0) {
        free(data);
        buffer->data = NULL;
    }
    else if (!inside) {
        void *fitted = realloc(data, (size_t)size);
        buffer->data = fitted != NULL ? fitted : data;
    }
    return (PyObject *)buffer;
}
