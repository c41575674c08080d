/* Whether two objects that were read or written hold the same, found out without calls of Python. */
#include "unread.h"

enum { MOST_DEEP = 200 };

/* Whether instances are slots alone, all of which say what they hold. */
static int is_slots_alone(PyTypeObject *type, PyTypeObject *fields, PyObject *placed) {
    if (type->tp_dictoffset != 0 || type->tp_weaklistoffset != 0 || type->tp_itemsize != 0 || !PyType_IsSubtype(type, fields)) return 0;
    /* Records with places have more than what they hold. */
    return _PyType_Lookup(type, placed) == NULL;
}

typedef struct Sought {
    PyTypeObject *fields, *known; /* the base of records, and a type whose instances are slots alone */
    PyObject *placed;
} Sought;

static int are_same(Sought *sought, PyObject *a, PyObject *b, int depth);

static int are_same_lists(Sought *sought, PyObject *a, PyObject *b, int depth) {
    const Py_ssize_t count = PyList_GET_SIZE(a);
    if (count != PyList_GET_SIZE(b)) return 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!are_same(sought, PyList_GET_ITEM(a, i), PyList_GET_ITEM(b, i), depth)) return 0;
    return 1;
}

static int are_same_instances(Sought *sought, PyObject *a, PyObject *b, int depth) {
    PyTypeObject *type = Py_TYPE(a);
    if (type != sought->known && !is_slots_alone(type, sought->fields, sought->placed)) return 0;
    sought->known = type;
    if ((is_unread(a) && read_waiting(a)) || (is_unread(b) && read_waiting(b))) return 0;
    for (Py_ssize_t slot = sizeof(PyObject); slot < type->tp_basicsize; slot += (Py_ssize_t)sizeof(PyObject *)) {
        PyObject *left = SLOT(a, slot), *right = SLOT(b, slot);
        if (left != right && (left == NULL || right == NULL || !are_same(sought, left, right, depth))) return 0;
    }
    return 1;
}

/* 1; 0 where they differ or Python must find out. */
static int are_same(Sought *sought, PyObject *a, PyObject *b, int depth) {
    if (a == b) return 1;
    if (Py_TYPE(a) != Py_TYPE(b) || depth == 0) return 0;
    if (PyLong_CheckExact(a) || PyBytes_CheckExact(a) || PyUnicode_CheckExact(a)) return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
    return PyList_CheckExact(a) ? are_same_lists(sought, a, b, depth - 1) : are_same_instances(sought, a, b, depth - 1);
}

/* same(a, b, the base class of records): True, or False where they differ or Python must find out. */
PyObject *same(PyObject *module, PyObject *arguments) {
    PyObject *a, *b, *fields;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO!", &a, &b, &PyType_Type, &fields)) return NULL;
    Sought sought = {.fields = (PyTypeObject *)fields, .placed = PyUnicode_InternFromString("_placed")};
    if (sought.placed == NULL) return NULL;
    const int found = are_same(&sought, a, b, MOST_DEEP);
    Py_DECREF(sought.placed);
    if (PyErr_Occurred()) return NULL;
    return PyBool_FromLong(found);
}
