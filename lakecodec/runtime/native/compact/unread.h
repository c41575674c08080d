/* Instances whose fields are read from kept bytes when they are first asked for.
 *
 * The class stays a plain class with slots: an unread instance is one of it whose slots are empty and that has, behind them, a note
 * of where its bytes are. The bytes were found to be valid before. What was read, or set, is in the slot from then on. */
#ifndef LAKECODEC_COMPACT_UNREAD_H
#define LAKECODEC_COMPACT_UNREAD_H

#include "decode.h"

#pragma GCC visibility push(hidden)

/* The bytes that instances share; counted under the GIL. */
struct Source {
    Py_ssize_t references;
    PyObject *data;        /* bytes; NULL while they are being decoded */
    PyObject *codec;       /* keeps those of all instances */
    const uint8_t *begin, *end;
    Py_ssize_t origin;     /* the position in what was decoded that begin stands for */
    PyObject **texts;      /* cache */
    size_t mask;
};

typedef struct Unread {
    Source *source;
    const Codec *codec;
    uint32_t start;        /* in what was decoded */
    uint32_t size : 31;    /* 0 where nobody has needed it */
    uint32_t clean : 1;    /* encoding gives the same bytes again */
    uint64_t asked;        /* fields that have been read, by their bits */
} Unread;

/* Untracked by the collector, and marked in what the collector then leaves alone. */
#define UNREAD_MARK ((uintptr_t)4)

static inline int
is_unread(PyObject *self)
{
    const uintptr_t *head = (const uintptr_t *)self - 2;
    return head[0] == 0 && (head[1] & UNREAD_MARK) != 0;
}

static inline Unread *
unread_of(PyObject *self, const PyTypeObject *cls)
{
    return (Unread *)((char *)self + cls->tp_basicsize);
}

void source_drop(Source *source);
/* An instance without fields for the valid bytes at the position start of what was decoded. */
PyObject *new_unread(Source *source, Py_ssize_t start, Py_ssize_t size, int clean, const Codec *codec);
/* The same while they are decoded, or read again. */
PyObject *unread_at(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, const Codec *codec);
/* Reads all fields that are still unread; 0 or -1. */
int read_all(PyObject *self, PyTypeObject *cls);
/* The same of a message. */
int read_whole(PyObject *self, const Codec *codec);
/* A reader of the bytes of an unread instance, and its end. */
void read_again(Reader *r, const Unread *unread);
void end_reading(Reader *r);
/* Whether bytes are a message, before any object is made; the error is found by reading it. */
int is_message(Reader *r, const uint8_t *p, const Codec *codec);
/* The bytes that encoding an instance gave before its fields were asked for or set, or NULL where they may be others; in is set to
 * read them. */
const uint8_t *kept_bytes(PyObject *self, const Codec *codec, Input *in);
/* The size of these bytes. */
Py_ssize_t kept_size(Unread *unread, const uint8_t *kept, Input *in);

#pragma GCC visibility pop

#endif
