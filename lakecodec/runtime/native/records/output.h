/* Bytes that grow while records are written, and the functions that append to them. They are those of a `bytes` object from
 * the start, so that large ones are never copied into one. */
#pragma once

#include "columns.h"

/* More than the bytes of any writer: sums of a few offsets and sizes are no more than 64 bits. */
#define MOST_OFFSET (INT64_MAX / 4)

struct Output {
    PyObject *bytes; /* NULL before the first of them */
    uint8_t *data;
    int64_t size, room;
};

/* Bytes at an offset. */
typedef struct Piece {
    int64_t at;
    Output bytes;
} Piece;

/* Makes room for `count` more bytes; 0, or -1 with an exception. */
int output_grow(Output *out, int64_t count);
void output_release(Output *out);
/* The bytes as an object, a new reference; the output is empty then. NULL with an exception. */
PyObject *output_taken(Output *out);
/* Appends an object's bytes; 0, or -1 with an exception. Takes over the reference, and with it the only one to large bytes. */
int output_put(Output *out, PyObject *bytes);

/* Adds bytes, which are taken over; 0, or -1 with an exception. */
int pieces_add(Pieces *pieces, int64_t at, Output *bytes);
/* Removes all but the first ones. */
void pieces_cut(Pieces *pieces, int64_t count);
void pieces_release(Pieces *pieces);
/* Puts pieces on top of an image, as `assembled` of assemble.py does; 0, or -1 where it would refuse them. */
int assemble(Output *image, const Pieces *near, const Pieces *far, int gaps, int overlaps);

/* Where the next `count` bytes go, which count as written; NULL with an exception. */
static inline uint8_t *output_take(Output *out, int64_t count) {
    if (UNLIKELY(count > out->room - out->size) && output_grow(out, count)) return NULL;
    uint8_t *start = out->data + out->size;
    out->size += count;
    return start;
}

static inline int output_append(Output *out, const void *data, int64_t count) {
    if (count == 0) return 0;
    uint8_t *start = output_take(out, count);
    if (start == NULL) return -1;
    memcpy(start, data, (size_t)count);
    return 0;
}

/* A field that was encoded before its place was reached: before its codecs, and as it will stand. */
struct Part {
    Output raw, whole;
    int has_raw, has_whole, is_put;
    int64_t start, stop; /* in the record's bytes, once it is put */
};

int write_scalar(int kind, int big, Output *out, const Value *value);
int write_bits(Step *step, Frame *frame, Value *value, int *written);
/* The largest number of elements that are computed from a count. */
enum { MOST_COMPUTED = 1 << 26 };
int derive_bits(Step *step, Frame *frame, Value *out);
int write_values(Step *step, Frame *frame, const Value *value);
/* An element, in `frame->out`. `list_states` are those that the elements of a list share. */
int write_element(Step *step, Frame *frame, State *list_states, Value *value);
int write_list(Step *step, Frame *frame, const Value *list);
/* The same in the span that the codecs of a field make, or in none. */
int write_sized(Step *step, Frame *frame, State *list_states, Value *value);
/* The size of a text that is written as it is, and that nobody can change; -1 of others. */
int64_t plain_text_size(const Step *step, const Value *value);
/* A text as it is before its codecs. */
int write_uncoded_text(const Step *step, const Value *value, Output *out);
/* Encodes a list or an element into bytes of its own, whose place is `base` or, where that is NULL, not known. */
int write_apart(Step *step, Frame *frame, State *list_states, Value *value, int is_list, Output *out, PyObject *base);
/* Appends what the codecs of a field make of its bytes, which are taken. */
int append_encoded(Step *step, Frame *frame, Output *raw);
/* What the codecs of a step make of bytes; a new reference, which takes over `data`. */
PyObject *encode_through(Step *step, Frame *frame, PyObject *data);
/* A field where the output is. */
int write_field(Step *step, Frame *frame, PyObject *object);
/* Runs the steps of a record's writer; 0, or -1. */
int write_steps(const Program *program, Frame *frame, PyObject *object);
/* Writes a record with its fields that have places; 0, or -1. */
int write_laid_out(const Program *program, Frame *frame, PyObject *object, const Value *arguments);
/* The sequential fields alone. */
int write_body(const Program *program, Frame *frame, PyObject *object, const Value *arguments);
/* Forgets the source that records were compared with. */
void release_original(Reader *reader);
int write_program(Reader *reader, Program *program, Output *out, PyObject *object, const Value *arguments, int given, State *states);
/* Sets a slot to a value, which keeps its own reference. */
int slot_set(PyObject *object, Py_ssize_t slot, Value *value);
/* Whether a value is the one before, if there was any. */
int is_kept(PyObject *before, PyObject *value);
void set_measure(Frame *frame, int variable, int64_t number);

/* Where a field or an element was put. */
typedef struct Spot {
    const Place *place;
    int64_t index, at, size;
} Spot;

/* A measure of a field that was asked for before the field was put, and what was answered. */
typedef struct Answer {
    const Place *place;
    int64_t index, number;
    int is_size;
} Answer;

/* A record whose fields are being put at their places. */
struct Layout {
    PyObject *image; /* all of its bytes as they were laid out last; NULL before */
    int64_t begin;   /* in the output */
    int64_t size;    /* as it was last */
    int64_t pins;    /* how many there were before */
    Pieces pieces;   /* of a record with gaps */
    int64_t base;    /* of the record in all that is written, or -1 */
    Spot *spots;     /* in the order of places; behind those of this pass, those of the one before */
    int64_t spot_count, known_count, spot_room;
    const Place *current; /* the place that is being filled; NULL before the first */
    Answer *answers;
    int64_t answer_count, answer_room;
    int asks_offsets; /* whether an expression measured an offset in this pass */
    Value *carried; /* by variable: what holds offsets and what is computed, from the pass before; NULL where that is as it was given */
    int changes;    /* whether this pass changed such a value that others may have been written with, */
    int moves;      /* and whether any pass changed an offset that was given */
};

static inline int has_image(const Frame *frame) { return frame->layout == NULL || frame->layout->image != NULL; }
