/* What the parts of the encoder share. Functions return 0, or -1 with the writer's key or a Python exception set. */
#ifndef LAKECODEC_COMPACT_ENCODE_H
#define LAKECODEC_COMPACT_ENCODE_H

#include "compact.h"

#pragma GCC visibility push(hidden)

typedef struct Writer {
    PyObject *bytes; /* grown by doubling, cut at the end */
    uint8_t *p, *end;
    int text;
    const char *key; /* of ENCODE_RULES, NULL when a Python exception is set */
    PyObject *detail; /* what the rule's words are followed by, or NULL */
    Trace trace;
} Writer;

int unfit(Writer *w, const char *key);
/* The value has the wrong type; words says what is needed. */
int unfit_type(Writer *w, const char *words, PyObject *value);
int unfit_range(Writer *w, const char *kind);
int grow(Writer *w, Py_ssize_t size);
/* The bytes of any object with a buffer, after their length when counted. */
int write_buffer(Writer *w, PyObject *value, int counted);

/* The number of an int of any size or of another integral object, for a type that holds ints. */
int large_int(Writer *w, const Type *type, PyObject *value, int64_t *number);
int write_double(Writer *w, PyObject *value);
int write_binary(Writer *w, PyObject *value);
int write_text(Writer *w, PyObject *value);
int write_uuid(Writer *w, const Type *type, PyObject *value);

int write_value(Writer *w, const Type *type, PyObject *value, int depth);
/* The elements of a list or tuple after the list's header. */
int write_elements(Writer *w, const Type *type, PyObject *items, int depth);
int write_set(Writer *w, const Type *type, PyObject *value, int depth);
int write_map(Writer *w, const Type *type, PyObject *value, int depth);

static inline int
ensure(Writer *w, Py_ssize_t size)
{
    return likely(w->end - w->p >= size) ? 0 : grow(w, size);
}

/* What a header, a varint or a fixed-width value needs at most. */
#define SMALL 24

static inline void
put_varint(Writer *w, uint64_t value)
{
    uint8_t *p = w->p;
    while (value > 127) {
        *p++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *p++ = (uint8_t)value;
    w->p = p;
}

static inline void
put_zigzag(Writer *w, int64_t value)
{
    put_varint(w, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline void
put_field_header(Writer *w, int last, int id, int wire)
{
    int delta = id - last;
    if (likely(delta > 0 && delta < 16)) {
        *w->p++ = (uint8_t)(delta << 4 | wire);
    }
    else {
        *w->p++ = (uint8_t)wire;
        put_zigzag(w, id);
    }
}

static inline void
put_list_header(Writer *w, Py_ssize_t count, int wire)
{
    if (count < 15) {
        *w->p++ = (uint8_t)(count << 4 | wire);
    }
    else {
        *w->p++ = (uint8_t)(0xf0 | wire);
        put_varint(w, (uint64_t)count);
    }
}

static inline int
write_bytes(Writer *w, const void *data, Py_ssize_t size)
{
    if (ensure(w, size)) {
        return -1;
    }
    memcpy(w->p, data, (size_t)size);
    w->p += size;
    return 0;
}

static inline int
write_block(Writer *w, const void *data, Py_ssize_t size)
{
    if (ensure(w, SMALL + (size < PY_SSIZE_T_MAX / 8 ? size : 0))) {
        return -1;
    }
    put_varint(w, (uint64_t)size);
    return write_bytes(w, data, size);
}

#pragma GCC visibility pop

#endif
