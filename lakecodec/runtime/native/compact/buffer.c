/* Memory that Python gets without a copy: of a finished column, or of a file. */
#include "columns.h"

#include <errno.h>
#include <unistd.h>

#include "common/huge_pages.h"

typedef struct Buffer {
    PyObject_HEAD void *data;
    Py_ssize_t size;
    Arena *arena; /* that data is a part of, or NULL */
} Buffer;

static int buffer_get(PyObject *self, Py_buffer *view, int flags) {
    const Buffer *buffer = (Buffer *)self;
    return PyBuffer_FillInfo(view, self, buffer->size ? buffer->data : (void *)"", buffer->size, 1, flags);
}

static Py_ssize_t buffer_length(PyObject *self) { return ((Buffer *)self)->size; }

static void buffer_dealloc(PyObject *self) {
    Buffer *buffer = (Buffer *)self;
    if (buffer->arena != NULL)
        arena_drop(buffer->arena);
    else
        free(buffer->data);
    PyObject_Free(self);
}

static PyBufferProcs buffer_procs = {.bf_getbuffer = buffer_get};
static PySequenceMethods buffer_sequence = {.sq_length = buffer_length};

PyTypeObject Buffer_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lakecodec.runtime.native._compact.Buffer",
    .tp_doc = "Read-only memory of a column or a file; give it to memoryview, numpy.frombuffer or pyarrow.py_buffer.",
    .tp_basicsize = sizeof(Buffer),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = buffer_dealloc,
    .tp_as_buffer = &buffer_procs,
    .tp_as_sequence = &buffer_sequence,
};

PyObject *buffer_own(void *data, Py_ssize_t size, Arena *arena) {
    Buffer *buffer = PyObject_New(Buffer, &Buffer_Type);
    const int inside = arena_owns(arena, data);
    if (buffer == NULL) {
        if (!inside) free(data);
        return NULL;
    }
    buffer->arena = inside ? arena_share(arena) : NULL;
    buffer->data = data;
    buffer->size = size;
    if (!inside && size == 0) {
        free(data);
        buffer->data = NULL;
    } else if (!inside) {
        void *fitted = realloc(data, (size_t)size);
        buffer->data = fitted != NULL ? fitted : data;
    }
    return (PyObject *)buffer;
}

/* Bytes of an open file, fewer where it ends, in memory that serves again when it is freed. */
PyObject *compact_read(PyObject *module, PyObject *args) {
    int fd;
    long long offset;
    Py_ssize_t length, done = 0, more = 1;
    (void)module;
    if (!PyArg_ParseTuple(args, "iLn", &fd, &offset, &length)) return NULL;
    if (length < 0 || length > PY_SSIZE_T_MAX - ARENA_ALIGNMENT) return PyErr_Format(PyExc_ValueError, "length: %zd is none", length);
    /* One huge page costs less than a quarter as many bytes in small ones. */
    Arena *arena = arena_new((size_t)Py_MAX(length + ARENA_ALIGNMENT, (Py_ssize_t)HUGE_PAGE));
    if (arena == NULL) return PyErr_NoMemory();
    uint8_t *room = arena_take(arena, (size_t)length);
    Py_BEGIN_ALLOW_THREADS while (done < length && more != 0) {
        more = pread(fd, room + done, (size_t)(length - done), (off_t)(offset + done));
        if (more < 0 && errno != EINTR) break;
        done += more > 0 ? more : 0;
    }
    Py_END_ALLOW_THREADS PyObject *made = more < 0 ? PyErr_SetFromErrno(PyExc_OSError) : buffer_own(room, done, arena);
    arena_drop(arena);
    return made;
}

int is_buffer(PyObject *object) { return Py_IS_TYPE(object, &Buffer_Type); }
