/* Lists of records as a list of each of their fields. */
#ifndef LAKECODEC_RECORD_STRUCT_OF_ARRAYS_H
#define LAKECODEC_RECORD_STRUCT_OF_ARRAYS_H

#include "instances.h"

#pragma GCC visibility push(hidden)

/* The field whose elements are read as a struct of arrays, given as (program, number of the field, names of the fields of
 * its elements); 0, or -1 with an exception. None is for no field. */
int parse_struct_of_arrays(Reader *reader, PyObject *wanted);
/* What takes the place of the list; NULL with an exception or, where the field cannot be one, without. */
PyObject *new_struct_of_arrays(const Step *step, const Reader *reader);
/* Reads the next element, whose fields go to their lists. */
int append_struct_of_arrays(Step *step, Frame *frame, PyObject *object, State *states);
/* The list of a field, borrowed; NULL for objects that are none of these, and fields that are not there. */
PyObject *field_of_arrays(PyObject *object, PyObject *name);

PyObject *use_struct_of_arrays(PyObject *module, PyObject *arguments);

#pragma GCC visibility pop

#endif
