/* Lazy records: they are validated when they are decoded, and read on the first access to a field. */
#pragma once

#include "instances.h"

#include "common/unread_instances.h"

/* What was found where a record that can wait was validated: its bytes, and the entries of the tape for it and all records in it. */
struct Entry {
    uint32_t size, count;
};

/* The bytes that instances of one call share, and their tape: an entry for each record that can wait, in the order of the bytes. */
struct Source {
    Py_ssize_t references;
    PyObject *data, *base;
    const uint8_t *start; /* of position 0, which may lie before those that are kept */
    int64_t size;         /* the position after them */
    Entry *tape;
    int64_t used, room;
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
    uint32_t start, entry;
} Unread;

/* Sizes and positions are below this. */
#define MOST_WAITING_BYTES ((int64_t)UINT32_MAX)

static inline Unread *unread_of(PyObject *self, const PyTypeObject *cls) { return (Unread *)((char *)self + cls->tp_basicsize); }

void kept_drop(Kept *kept);
/* Releases what a reader kept. */
void release_kept(Reader *reader);
void source_drop(Source *source);
/* Copies the bytes from `start` to `end` where they are few of those that unread records would keep. */
int keep_little(Reader *reader, int64_t start, int64_t end);
/* Copies them in any case. */
int keep_copy(Source *source, int64_t start, int64_t end);
/* Makes room on the tape; 0 or -1. */
int tape_grow(Reader *reader, const Span *span);

/* Begins the entry of a record that can wait: its number, or -1. */
static inline int64_t begin_entry(Reader *reader, const Span *span) {
    const Source *source = reader->kept_source;
    if (UNLIKELY(source == NULL || source->used == source->room) && tape_grow(reader, span)) return -1;
    return reader->kept_source->used++;
}

/* Ends it after the record. */
static inline void end_entry(Reader *reader, int64_t entry, int64_t size) {
    Source *source = reader->kept_source;
    source->tape[entry] = (Entry){(uint32_t)size, (uint32_t)(source->used - entry)};
}

/* An instance of the record at `*pos`, which is moved after it; where parameters cannot be kept the record with its fields: 0, or -1. */
int read_later(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, Value *out);
/* A field of an unread instance that stands at the same place in all, for an expression, which needs no other: a new reference; NULL where
 * all must be read. */
PyObject *peek(PyObject *self, Py_ssize_t slot);
/* Reads the fields of an unread instance; 0 or -1. */
int read_waiting(PyObject *self);
/* The class's `tp_getattro`. */
PyObject *get_waiting(PyObject *self, PyObject *name);

/* Checks a record at `*pos`, which is moved after it, and makes nothing of it. */
int walk_program(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments);
int walk_element(Step *step, Frame *frame, State *list_states);
/* The next element of a list, whose index is set. */
int walk_item(Step *step, Frame *frame);
/* The bytes of each element of a list where all take as many and nothing else is to be known; 0 where not. */
int64_t size_of_each(const Step *step);

static inline int step_over(Frame *frame, int64_t size) {
    if (size < 0 || size > frame->span->end - frame->pos) return run_out(frame->span, frame->pos, size);
    frame->pos += size;
    return 0;
}

/* ---- views ---- */

/* Finds the numbers of records that expressions look at in a view, by their names. */
int find_viewed(Program *program, const Step *step, PyObject *numbers);
/* Walks over such a field, and sets its variable to a view. */
int walk_view(Step *step, Frame *frame);
/* Notes where an element is, -1 for None. */
void add_place(Value *places, int64_t place);

/* The value of a variable that is a view, or NULL. */
static inline const Value *viewed(const Node *node, const Frame *frame) {
    const Value *value = node->op == OP_VARIABLE ? &frame->variables[node->number] : NULL;
    return value != NULL && value->view ? value : NULL;
}

/* The same of the list that an element is taken of. */
static inline const Value *viewed_item(const Node *node, const Frame *frame) {
    return viewed(node->op == OP_ITEM ? node->operands[0] : node, frame);
}

/* The sum or the largest of numbers, or whether they ascend. */
int view_measure(int op, const Value *view, Value *out);
int view_attribute(const Node *node, Frame *frame, Value *out);
int view_item(const Value *view, Node *index, Frame *frame, Value *out);
int view_is_none(const Node *of, Frame *frame);
