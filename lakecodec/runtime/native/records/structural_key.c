/* What is known of records that are equal. */
#include "unread.h"

enum { MOST_FIELDS = 8, TYPES = 64, LATELY = 64 };

/* What was found for a record, which may come again; borrowed. */
typedef struct {
    PyObject *record, *value;
} KeyFields;

/* The fields of a type's instances; -1 where they have no structural_key. */
typedef struct {
    PyTypeObject *type;
    Py_ssize_t count, slots[MOST_FIELDS];
} Fields;

static int fields_learn(Fields *fields, PyTypeObject *type) {
    PyObject *names = PyObject_GetAttrString((PyObject *)type, "_given");
    if (names == NULL) return -1;
    fields->type = type;
    fields->count = PyTuple_Check(names) && PyTuple_GET_SIZE(names) <= MOST_FIELDS ? PyTuple_GET_SIZE(names) : -1;
    for (Py_ssize_t i = 0; i < fields->count; i++) {
        fields->slots[i] = slot_of(type, PyTuple_GET_ITEM(names, i));
        if (!fields->slots[i]) fields->count = -1;
    }
    Py_DECREF(names);
    return 0;
}

static int is_plain(PyObject *value) {
    return value != NULL && (PyUnicode_CheckExact(value) || PyLong_CheckExact(value) || value == Py_None || PyBytes_CheckExact(value) ||
                             PyBool_Check(value) || PyFloat_CheckExact(value));
}

/* The record's `structural_key`: a new reference, NULL without an error where it has none. */
static PyObject *structural_key(PyObject *record, const Fields *fields) {
    if (fields->count <= 0) return fields->count ? NULL : Py_NewRef((PyObject *)fields->type);
    PyObject *values[MOST_FIELDS];
    if (PyObject_IS_GC(record) && is_unread(record) && read_waiting(record)) return NULL;
    for (Py_ssize_t i = 0; i < fields->count; i++) {
        values[i] = *(PyObject **)((char *)record + fields->slots[i]);
        if (!is_plain(values[i])) return NULL;
    }
    PyObject *made = PyTuple_New(fields->count + 1);
    if (made != NULL) {
        PyTuple_SET_ITEM(made, 0, Py_NewRef((PyObject *)fields->type));
        for (Py_ssize_t i = 0; i < fields->count; i++) PyTuple_SET_ITEM(made, i + 1, Py_NewRef(values[i]));
    }
    return made;
}

/* by_structural_key(records, known, find): the value of each record's structural_key in a dict; where there is none, what a
 * function finds for the record. */
PyObject *by_structural_key(PyObject *module, PyObject *arguments) {
    PyObject *records, *known, *find;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyList_Type, &records, &PyDict_Type, &known, &find)) return NULL;
    Fields types[TYPES] = {0};
    KeyFields lately[LATELY] = {0};
    PyObject *found = list_with_room(PyList_GET_SIZE(records));
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(records); i++) {
        PyObject *record = PyList_GET_ITEM(records, i);
        KeyFields *same = &lately[((uintptr_t)record >> 5) % LATELY];
        if (same->record == record) {
            if (list_push(found, Py_NewRef(same->value))) Py_CLEAR(found);
            continue;
        }
        /* Type objects are large, so their addresses differ in the higher bits. */
        Fields *fields = &types[((uintptr_t)Py_TYPE(record) >> 6) % TYPES];
        if (fields->type != Py_TYPE(record) && fields_learn(fields, Py_TYPE(record))) {
            Py_CLEAR(found);
            break;
        }
        PyObject *key = structural_key(record, fields);
        PyObject *value = key == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(known, key));
        Py_XDECREF(key);
        if (value == NULL && !PyErr_Occurred()) value = PyObject_CallOneArg(find, record);
        *same = (KeyFields){record, value};
        if (value == NULL || list_push(found, value)) Py_CLEAR(found);
    }
    return found;
}
