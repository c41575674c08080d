/* The classes of packed numbers and encoded values. */
#include "columns.h"

PyObject *flat;
ColumnClasses columns;

/* use_columns(Bits, Values, flat): the classes to make, and the function that makes buffers indexable by byte. */
PyObject *use_columns(PyObject *module, PyObject *arguments) {
    PyObject *bits, *values, *function;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyType_Type, &bits, &PyType_Type, &values, &function)) return NULL;
    PyTypeObject *b = (PyTypeObject *)bits, *v = (PyTypeObject *)values;
    if (find_slot(b, "data", &columns.bits_data) || find_slot(b, "start", &columns.bits_start) ||
        find_slot(b, "count", &columns.bits_count) || find_slot(b, "width", &columns.bits_width) ||
        find_slot(b, "call", &columns.bits_call) || find_slot(v, "data", &columns.values_data) ||
        find_slot(v, "start", &columns.values_start) || find_slot(v, "end", &columns.values_end) ||
        find_slot(v, "count", &columns.values_count) || find_slot(v, "layout", &columns.values_layout)) {
        return NULL;
    }
    columns.bits = (PyTypeObject *)Py_NewRef(bits);
    columns.values = (PyTypeObject *)Py_NewRef(values);
    flat = Py_NewRef(function);
    Py_RETURN_NONE;
}
