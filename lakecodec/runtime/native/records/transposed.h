/* Lists of records as a list of each of their fields. */
#ifndef LAKECODEC_RECORD_TRANSPOSED_H
#define LAKECODEC_RECORD_TRANSPOSED_H

#include "instances.h"

#pragma GCC visibility push(hidden)

/* The field that a reader transposes, given as (program, number of the field, names of the fields of its elements); 0,
 * or -1 with an exception. None is for no field. */
int transposed_wanted(Reader *reader, PyObject *wanted);
/* What takes the place of the list; NULL with an exception or, where the field cannot be transposed, without. */
PyObject *transposed_new(const Step *step, const Reader *reader);
/* Reads the next element, whose fields go to their lists. */
int transposed_append(Step *step, Frame *frame, PyObject *transposed, State *states);
/* The list of a field, borrowed; NULL for objects that are none of these, and fields that are not there. */
PyObject *transposed_field(PyObject *object, PyObject *name);

PyObject *use_transposed(PyObject *module, PyObject *arguments);

#pragma GCC visibility pop

#endif
