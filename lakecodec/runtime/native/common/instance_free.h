/* Freeing instances of classes that have nothing but slots, one after the other, for the destructors of two extensions.
 *
 * The interpreter's own destructor for classes made by a class statement looks up the slots' descriptors for every
 * instance.
 */
#pragma once

#include "common/stack.h"
#include "common/uncounted.h"

/* What nests deeper waits until the destructors around it have returned: as the interpreter's own limit for its containers, whose way of
 * waiting would overwrite the marks of unread instances. */
#define MOST_NESTED_FREES 50

/* Of each thread: how deep its destructors nest, and the instances that wait, each in the head of the next. */
static PER_THREAD struct {
    int depth;
    PyObject *waiting;
} freeing;

/* The class whose slots a destructor frees: subclasses free their own slots before they come to it. */
static inline PyTypeObject *slots_owner(PyTypeObject *type, destructor owner) {
    while (__builtin_expect(type->tp_dealloc != owner, 0)) type = type->tp_base;
    return type;
}

/* Whether a finalizer ran and brought the instance back. */
static inline int is_revived(PyObject *self) {
    return __builtin_expect(Py_TYPE(self)->tp_finalize != NULL, 0) && PyObject_CallFinalizerFromDealloc(self);
}

static inline void free_slots(PyObject *self, destructor owner) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject **slot = (PyObject **)(self + 1);
    PyObject **last = (PyObject **)((char *)self + slots_owner(type, owner)->tp_basicsize);
    for (; slot < last; slot++) {
        PyObject *value = *slot;
        *slot = NULL;
        Py_XDECREF(value);
    }
    release_instance(self);
    Py_DECREF(type);
}

static __attribute__((noinline, cold)) void free_waiting(destructor owner) {
    while (freeing.waiting != NULL) {
        PyObject *self = freeing.waiting;
        freeing.waiting = (PyObject *)collector_head(self)[0];
        collector_head(self)[0] = 0;
        freeing.depth++;
        free_slots(self, owner);
        freeing.depth--;
    }
}

/* Frees an instance that the collector does not track, with the slots of the class that has the destructor; now, or before the outermost
 * call returns. */
static inline void free_instance(PyObject *self, destructor owner) {
    if (__builtin_expect(freeing.depth == MOST_NESTED_FREES, 0)) {
        collector_head(self)[0] = (uintptr_t)freeing.waiting;
        freeing.waiting = self;
        return;
    }
    freeing.depth++;
    free_slots(self, owner);
    if (__builtin_expect(--freeing.depth == 0 && freeing.waiting != NULL, 0)) free_waiting(owner);
}
