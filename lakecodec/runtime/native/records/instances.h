/* Instances of generated classes, and what the garbage collector sees of them.
 *
 * An instance, and a list, whose values can be part of no reference cycle is kept out of the collector's sight, as
 * tuples of such values are.
 */
#pragma once

#include "record.h"

#include "common/instance_free.h"

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

/* Frees instances that are slots alone. */
void instance_free(PyObject *self);
/* Finds out whether instances are slots alone; they are then made and freed without looking the slots up. */
void find_slots(Program *program);

extern Anchors anchors;

/* An instance without values that the collector does not see yet. */
static inline PyObject *instance_new(const Program *program) {
    PyTypeObject *type = program->cls;
    if (LIKELY(program->is_slotted)) {
        PyObject *made = PyObject_GC_New(PyObject, type);
        if (made != NULL) {
            anchor(&anchors, made, instance_size(type));
            memset(made + 1, 0, (size_t)type->tp_basicsize - sizeof(PyObject));
        }
        return made;
    }
    PyObject *made = type->tp_alloc(type, 0);
    if (made != NULL && PyObject_GC_IsTracked(made)) PyObject_GC_UnTrack(made);
    return made;
}

/* Lets the collector see an instance that it does not; 0, or -1 with an exception. */
int instance_see(PyObject *self);

static inline void instance_track(PyObject *made) {
    if (PyObject_IS_GC(made)) PyObject_GC_Track(made);
}

/* Whether the collector sees an object, or can come to see it: an empty dict is tracked when it gets a value. Numbers that
 * it sees are members of enums, which belong to their classes. */
static inline int is_tracked(PyObject *object) {
    return PyType_IS_GC(Py_TYPE(object)) && !PyLong_Check(object) && (PyObject_GC_IsTracked(object) || PyDict_Check(object));
}

/* Sets a slot of an instance to a value, whose object it takes over; the object, or NULL with an exception. */
static inline PyObject *slot_fill(PyObject *made, Py_ssize_t slot, Value *value) {
    PyObject *object = value_object(value);
    if (object != NULL) {
        SLOT(made, slot) = object;
        if (!value->owned) Py_INCREF(object);
        value->owned = 0;
    }
    return object;
}
