/* Lists of records as a list of each of their fields. */
#pragma once

#include "output.h"

/* The field whose elements are read as a struct of arrays, given as (program, number of the field, names of the fields of
 * its elements); 0, or -1 with an exception. None is for no field. */
int parse_struct_of_arrays(Reader *reader, PyObject *wanted);
/* What takes the place of the list; NULL with an exception or, where the field cannot be one, without. */
PyObject *new_struct_of_arrays(const Step *step, const Reader *reader);
/* Reads elements, whose fields go to their lists. */
int read_struct_of_arrays(Step *step, Frame *frame, int64_t count, State *states);
/* The list of a field or its texts, borrowed; NULL for objects that are none of these, and fields that are not there. */
PyObject *field_of_arrays(PyObject *object, PyObject *name);

/* Whether the numbers of a list beside a struct of arrays can be a memoryview. */
int can_be_number_array(const Step *step, const Frame *frame);

/* ---- texts of which no objects are made ---- */

/* Strings are decoded when there are so many of them, or bytes. */
enum { MOST_WAITING = 1024, ENOUGH_WAITING = 1 << 15 };

/* The texts of a field while they are read. */
typedef struct Texts {
    int number;            /* of the field, or -1 */
    PyObject *decode;      /* of its codec; borrowed */
    Output tokens;         /* strings as the file has them */
    int64_t first, before; /* the first that is not decoded begins there, and the last one */
    Py_ssize_t waiting;
    int64_t place[MOST_WAITING]; /* where each that waits ends, after the first */
    Output data, ends;
} Texts;

/* Finds a field that can be read so; the others' values are in the frame. */
void texts_begin(Texts *column, Frame *frame);
/* Reads the field's next text. */
int texts_read(Texts *column, const Step *step, Frame *frame);
/* The texts as an object, or NULL. */
PyObject *texts_end(Texts *column, const Step *step);
void texts_clear(Texts *column);

int use_texts(PyObject *type);
/* Whether an object is texts of which no str was made. */
int is_texts(PyObject *object);
/* Whether each of such texts is larger than the one before. */
int texts_are_ascending(PyObject *object);
PyObject *texts_at(PyObject *module, PyObject *arguments);

PyObject *use_struct_of_arrays(PyObject *module, PyObject *arguments);
