/* Bytes that grow while records are written, and the functions that append to them. They are those of a `bytes` object from
 * the start, so that large ones are never copied into one. */
#pragma once

#include "columns.h"

struct Output {
    PyObject *bytes; /* NULL before the first of them */
    uint8_t *data;
    int64_t size, room;
};

/* Makes room for `count` more bytes; 0, or -1 with an exception. */
int output_grow(Output *out, int64_t count);
void output_release(Output *out);
/* The bytes as an object, a new reference; the output is empty then. NULL with an exception. */
PyObject *output_taken(Output *out);
/* Appends an object's bytes; 0, or -1 with an exception. Takes over the reference, and with it the only one to large bytes. */
int output_put(Output *out, PyObject *bytes);

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
/* Runs the steps of a record's writer; 0, or -1. */
int write_steps(const Program *program, Frame *frame, PyObject *object);
int write_program(Reader *reader, Program *program, Output *out, PyObject *object, const Value *arguments, int given, State *states);
/* Sets a slot to a value, which keeps its own reference. */
int slot_set(PyObject *object, Py_ssize_t slot, Value *value);
void set_measure(Frame *frame, int variable, int64_t number);
