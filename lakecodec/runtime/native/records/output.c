/* Growing bytes. */
#include "output.h"

enum { FIRST_ROOM = 512 };

int
output_grow(Output *out, int64_t count)
{
    if (count < 0 || count > INT64_MAX / 4 - out->size) {
        PyErr_NoMemory();
        return -1;
    }
    int64_t room = out->room ? out->room : FIRST_ROOM;
    while (room < out->size + count) {
        room *= 2;
    }
    uint8_t *data = PyMem_Realloc(out->data, (size_t)room);
    if (data == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    out->data = data;
    out->room = room;
    return 0;
}

void
output_release(Output *out)
{
    PyMem_Free(out->data);
    *out = (Output){0};
}
