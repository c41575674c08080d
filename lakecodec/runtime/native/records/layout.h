/* What writers of records with places share. */
#pragma once

#include "output.h"

#include <stddef.h>

/* What a record has at a place; a new reference, or NULL where generated code must write it. */
PyObject *placed_value(Reader *reader, const Program *program, PyObject *object, const Place *place);
/* The size that a record was read with or had last. */
int64_t placed_size(PyObject *object);
/* An object with a value at the end of a path of attributes: itself where nothing changes. */
PyObject *assign_attribute(PyObject *holder, PyObject *path, PyObject *value);
/* Refuses to replace offsets that were edited by those written; 0, or -1. */
int refuse_moved(PyObject *object, PyObject *written);
/* The bytes that a record was read from, none where it was not read; -1 where they are not in memory. */
int original_of(Reader *reader, PyObject *object, const uint8_t **start, int64_t *size);
/* Whether the bytes of a record, which begin in the output, lose some that it was read from; 0, or -1. */
int refuse_losses(Reader *reader, const Program *program, PyObject *object, const Output *out, int64_t begin);
/* Computes the values inside of a field, or those alone that all bytes decide: whether they changed, or -1. */
int apply_settings(const Place *place, Frame *frame, int laid_out_only);
/* Sets the offsets that a variable holds, or all variables where it is negative, as far as fields were put: whether they changed, or -1. */
int apply_pointers(const Program *program, Frame *frame, int variable);
/* The value that a variable had in the pass before, where that is to stay: whether there is one. */
int take_carried(Frame *frame, int variable);
/* Keeps all values for the next pass that this one computed; 0, or -1. */
int carry(const Program *program, const Frame *frame);
/* Where a field was put in this pass; NULL where it was not yet. */
const Spot *find_spot(const Layout *layout, const Place *place, int64_t index);
/* Refuses to replace offsets that were edited; 0, or -1. */
int check_moved(const Program *program, const Frame *frame, PyObject *object);
/* Gives a record the values that were set inside of its fields with places; 0, or -1. */
int keep_settings(const Program *program, const Frame *frame, PyObject *object);
/* Whether what is computed from all bytes is what was written: 1, 0, -1. */
int is_stable(const Program *program, Frame *frame, PyObject *object);
/* Notes where a field was put. */
int note_spot(Layout *layout, const Place *place, int64_t index, int64_t at, int64_t size);
/* Whether what was asked about fields before they were put is right. */
int answers_hold(const Layout *layout);
