/* What writers of records with places share. */
#pragma once

#include "output.h"

/* What a record has at a place; a new reference, or NULL where generated code must write it. */
PyObject *placed_value(Reader *reader, const Program *program, PyObject *object, const Place *place);
/* The size that a record was read with or had last. */
int64_t placed_size(PyObject *object);
/* An object with a value at the end of a path of attributes: itself where nothing changes. */
PyObject *assign_inside(PyObject *holder, PyObject *path, PyObject *value);
/* The bytes that a record was read from, none where it was not read; -1 where they are not in memory. */
int original_of(Reader *reader, PyObject *object, const uint8_t **start, int64_t *size);
/* Whether the bytes of a record, which begin in the output, lose some that it was read from; 0, or -1. */
int refuse_losses(Reader *reader, const Program *program, PyObject *object, const Output *out, int64_t begin);
/* Computes the values inside of a field, or those alone that all bytes decide: whether they changed, or -1. */
int apply_settings(const Place *place, Frame *frame, int laid_out_only);
/* Notes where a field was put. */
int note_spot(Layout *layout, const Place *place, int64_t index, int64_t at, int64_t size);
/* Whether what was asked about fields before they were put is right. */
int answers_hold(const Layout *layout);
