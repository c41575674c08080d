/* What the parts of the encoder share.
 *
 * A position in the output is a pointer that every function takes and returns, NULL meaning that the writer's key or a Python
 * exception is set. */
#pragma once

#include "compact.h"

#include "common/small_ints.h"

typedef struct Stencils Stencils;

typedef struct Writer {
    PyObject *bytes; /* grown by doubling at least, cut at the end */
    uint8_t *end;    /* of its room */
    int text;
    const char *key;  /* of ENCODE_RULES, NULL when a Python exception is set */
    PyObject *detail; /* what the rule's words are followed by, or NULL */
    Trace trace;
    Stencils *stencils; /* of the lists that were written */
} Writer;

/* These record why a value cannot be written, and return NULL. */
uint8_t *unfit(Writer *w, const char *key);
/* The value has the wrong type; words says what is needed. */
uint8_t *unfit_type(Writer *w, const char *words, PyObject *value);
uint8_t *unfit_range(Writer *w, const char *kind);

/* Gives the output, or the room that it has, a size: at once what is needed, if that is known; 0 or -1. */
int output_room(Writer *w, Py_ssize_t room);
/* The position, moved with all that is written, where there is room for size bytes more. */
uint8_t *grow(Writer *w, uint8_t *p, Py_ssize_t size);
/* The bytes of any object with a buffer, after their length when counted. */
uint8_t *write_buffer(Writer *w, uint8_t *p, PyObject *value, int counted);

/* The number of an int of any size or of another integral object, for a type that holds ints; 0 or -1. */
int large_int(Writer *w, const Type *type, PyObject *value, int64_t *number);
uint8_t *write_double(Writer *w, uint8_t *p, PyObject *value);
uint8_t *write_binary(Writer *w, uint8_t *p, PyObject *value);
uint8_t *write_text(Writer *w, uint8_t *p, PyObject *value);
uint8_t *write_uuid(Writer *w, uint8_t *p, const Type *type, PyObject *value);

uint8_t *write_value(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth);
/* A field that is not None, after the one with the id last. */
uint8_t *write_field(Writer *w, uint8_t *p, const Field *field, PyObject *value, int last, int depth);
/* The slot's content, which must be set; borrowed. */
PyObject *filled_slot(PyObject *self, Py_ssize_t offset);
uint8_t *write_struct(Writer *w, uint8_t *p, const Codec *codec, PyObject *value, int depth);
uint8_t *write_fields(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth);
/* Whether an instance keeps fields that its class does not know; and all of one that does. */
int keeps_unknown(PyObject *self);
uint8_t *write_kept(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth);
/* An unread instance: what nobody asked for is copied. */
uint8_t *write_unread(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth);
/* The elements of a list or tuple after the list's header. */
uint8_t *write_elements(Writer *w, uint8_t *p, const Type *type, PyObject *items, int depth);
uint8_t *write_set(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth);
uint8_t *write_map(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth);
/* The pairs of a map as a new list of tuples of two that nobody else has; NULL without an exception where the value is no map. */
PyObject *map_pairs(PyObject *value, int dict_only);
/* What iteration gives as a new list; no other method of the value is called. */
PyObject *iterated(PyObject *value);
/* A list or tuple that runs no code of others when it is gone through: itself, or a list of what a subclass's iterator gives. */
PyObject *plain_sequence(PyObject *value);
/* A list that code of others changed while its elements were written. */
uint8_t *unfit_changed(Writer *w);

/* Writes the elements of a list of structs from a place on that have the shapes of others, and moves the place to the first that has not. */
uint8_t *write_alike(Writer *w, uint8_t *p, const Codec *codec, PyObject *list, Py_ssize_t *place);
void stencils_free(Stencils *stencils);

/* The fields of a message, without its length. */
uint8_t *write_message(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth);

static inline uint8_t *ensure(Writer *w, uint8_t *p, Py_ssize_t size) { return likely(w->end - p >= size) ? p : grow(w, p, size); }

/* What a header, a varint or a fixed-width value needs at most, all of them together. */
#define SMALL 24

static inline uint8_t *put_varint(uint8_t *p, uint64_t value) {
    if (value < 1u << 7) {
        *p = (uint8_t)value;
        return p + 1;
    }
    if (value < 1u << 14) {
        p[0] = (uint8_t)(value | 128);
        p[1] = (uint8_t)(value >> 7);
        return p + 2;
    }
    if (likely(value < (uint64_t)1 << 56)) {
        /* A gap of one bit after each seven, then the continuation bits of all bytes but the last. */
        int last = (63 - __builtin_clzll(value)) / 7;
        uint64_t word = (value & 0x000000000fffffffu) | (value & 0x00fffffff0000000u) << 4;
        word = (word & 0x00003fff00003fffu) | (word & 0x0fffc0000fffc000u) << 2;
        word = (word & 0x007f007f007f007fu) | (word & 0x3f803f803f803f80u) << 1;
        store64(p, word | (CONTINUATIONS & (((uint64_t)1 << 8 * last) - 1)));
        return p + last + 1;
    }
    while (value > 127) {
        *p++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *p++ = (uint8_t)value;
    return p;
}

static inline uint8_t *put_zigzag(uint8_t *p, int64_t value) { return put_varint(p, (uint64_t)value << 1 ^ (uint64_t)(value >> 63)); }

static inline uint8_t *put_field_header(uint8_t *p, int last, int id, int wire) {
    int delta = id - last;
    if (likely(delta > 0 && delta < 16)) {
        *p = (uint8_t)(delta << 4 | wire);
        return p + 1;
    }
    *p = (uint8_t)wire;
    return put_zigzag(p + 1, id);
}

static inline uint8_t *put_list_header(uint8_t *p, Py_ssize_t count, int wire) {
    if (count < 15) {
        *p = (uint8_t)(count << 4 | wire);
        return p + 1;
    }
    *p = (uint8_t)(0xf0 | wire);
    return put_varint(p + 1, (uint64_t)count);
}

static inline uint8_t *write_bytes(Writer *w, uint8_t *p, const void *data, Py_ssize_t size) {
    p = ensure(w, p, size);
    if (unlikely(p == NULL)) return NULL;
    memcpy(p, data, (size_t)size);
    return p + size;
}

static inline uint8_t *write_block(Writer *w, uint8_t *p, const void *data, Py_ssize_t size) {
    p = ensure(w, p, SMALL + (size < PY_SSIZE_T_MAX / 8 ? size : 0));
    if (unlikely(p == NULL)) return NULL;
    return write_bytes(w, put_varint(p, (uint64_t)size), data, size);
}

/* Room for the header of a field and a value that put_short takes. */
#define SHORT (SMALL + 128)

static inline uint8_t *put_short_block(uint8_t *p, const void *data, Py_ssize_t size) {
    const uint8_t *from = data;
    *p++ = (uint8_t)size;
    if (size >= 4 && size <= 8) {
        uint32_t head, tail;
        memcpy(&head, from, 4);
        memcpy(&tail, from + size - 4, 4);
        memcpy(p, &head, 4);
        memcpy(p + size - 4, &tail, 4);
    } else if (size > 8 && size <= 16) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + size - 8, 8);
        memcpy(p, &head, 8);
        memcpy(p + size - 8, &tail, 8);
    } else {
        memcpy(p, data, (size_t)size);
    }
    return p + size;
}

/* Writes a small int, short bytes or short ASCII text, for which no other code is called; p itself where the value is none of them. */
static inline uint8_t *put_short(uint8_t *p, int kind, PyObject *value) {
    if (is_integer(kind)) {
        int64_t number;
        if (likely(PyLong_CheckExact(value) || (PyLong_Check(value) && !PyBool_Check(value))) && likely(small_int(value, &number)) &&
            (kind != KIND_I16 || number == (int16_t)number)) {
            return put_zigzag(p, number);
        }
    } else if (kind == KIND_BINARY) {
        if (likely(PyBytes_CheckExact(value) || PyBytes_Check(value)) && likely(PyBytes_GET_SIZE(value) < 128))
            return put_short_block(p, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value));
    } else if (kind == KIND_STRING) {
        if (likely(PyUnicode_CheckExact(value) || PyUnicode_Check(value)) && likely(PyUnicode_IS_COMPACT_ASCII(value)) &&
            likely(PyUnicode_GET_LENGTH(value) < 128)) {
            return put_short_block(p, PyUnicode_1BYTE_DATA(value), PyUnicode_GET_LENGTH(value));
        }
    }
    return p;
}
