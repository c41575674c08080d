/* Records that are walked over when they are decoded, and read when their fields are first asked for. */
#ifndef LAKECODEC_RECORD_UNREAD_H
#define LAKECODEC_RECORD_UNREAD_H

#include "instances.h"

#include "common/unread_instances.h"

#pragma GCC visibility push(hidden)

/* The bytes that instances of one call share. */
struct Source {
    Py_ssize_t references;
    PyObject *data, *base;
    const uint8_t *start; /* of position 0, which may lie before those that are kept */
    int64_t size;         /* the position behind them */
};

/* What records that were read alike have in common: neighbours in a list are all of it but their position. */
struct Kept {
    Py_ssize_t references;
    Source *source;
    Program *program;
    int64_t begin, end, depth; /* of the span, and how many more records may nest */
    Value arguments[];
};

typedef struct Unread {
    Kept *kept;
    int64_t start;
} Unread;

static inline Unread *
unread_of(PyObject *self, const PyTypeObject *cls)
{
    return (Unread *)((char *)self + cls->tp_basicsize);
}

void kept_drop(Kept *kept);
/* Lets go of what a reader kept. */
void release_kept(Reader *reader);
void source_drop(Source *source);
/* Copies the bytes from `start` to `end` where they are few of those that unread records would keep. */
int keep_little(Reader *reader, int64_t start, int64_t end);
/* An instance of the record at `*pos`, which is moved behind it, after a walk: 1, 0 where it must be read at once, -1. */
int read_later(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, Value *out);
/* Reads the fields of an unread instance; 0 or -1. */
int read_waiting(PyObject *self);
/* The class's `tp_getattro`. */
PyObject *get_waiting(PyObject *self, PyObject *name);

/* Finds out what the walk needs to know of a program and of all that it refers to; before the first read. */
void prepare(Program *program);
/* Which fields expressions need, before a writer adds its own. */
void find_wanted(Program *program);
/* Checks a record at `*pos`, which is moved behind it, and makes nothing of it. */
int walk_program(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments);
int walk_element(Step *step, Frame *frame, State *list_states);
int walk_list(Step *step, Frame *frame);

#pragma GCC visibility pop

#endif
