/* Growing bytes. */
#include "output.h"

/* The first room, with the object around it what Python's allocator of small blocks still has; the size of large bytes. */
enum { FIRST_ROOM = 512 - 40, LARGE = 1 << 12 };

int output_grow(Output *out, int64_t count) {
    if (count < 0 || count > MOST_OFFSET - out->size) return no_memory();
    const int64_t needed = out->size + count, doubled = out->room ? 2 * out->room : FIRST_ROOM;
    const int64_t room = needed > doubled ? needed : doubled;
    if (out->bytes == NULL)
        out->bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)room);
    else
        _PyBytes_Resize(&out->bytes, (Py_ssize_t)room);
    if (out->bytes == NULL) {
        *out = (Output){0};
        return -1;
    }
    out->data = (uint8_t *)PyBytes_AS_STRING(out->bytes);
    out->room = room;
    return 0;
}

void output_release(Output *out) {
    Py_XDECREF(out->bytes);
    *out = (Output){0};
}

PyObject *output_taken(Output *out) {
    PyObject *bytes = out->bytes;
    if (bytes == NULL || out->size == 0) {
        output_release(out);
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    if (out->size < out->room) _PyBytes_Resize(&bytes, (Py_ssize_t)out->size);
    *out = (Output){0};
    return bytes;
}

int output_put(Output *out, PyObject *bytes) {
    const Py_ssize_t size = PyBytes_GET_SIZE(bytes);
    if (out->bytes == NULL && size >= LARGE && Py_REFCNT(bytes) == 1) {
        *out = (Output){.bytes = bytes, .data = (uint8_t *)PyBytes_AS_STRING(bytes), .size = size, .room = size};
        return 0;
    }
    int failed = output_append(out, PyBytes_AS_STRING(bytes), size);
    Py_DECREF(bytes);
    return failed;
}
