/* Freeing instances of classes that have nothing but slots, one behind the other, for the destructors of two extensions.
 *
 * The interpreter's own destructor for classes made by a class statement looks up the slots' descriptors for every
 * instance.
 */
#ifndef LAKECODEC_INSTANCE_FREE_H
#define LAKECODEC_INSTANCE_FREE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* The class whose slots a destructor frees: subclasses free their own slots before they come to it. */
static inline PyTypeObject *
slots_owner(PyTypeObject *type, destructor owner)
{
    while (__builtin_expect(type->tp_dealloc != owner, 0)) {
        type = type->tp_base;
    }
    return type;
}

/* Whether a finalizer ran and brought the instance back. */
static inline int
is_revived(PyObject *self)
{
    return __builtin_expect(Py_TYPE(self)->tp_finalize != NULL, 0) && PyObject_CallFinalizerFromDealloc(self);
}

/* Frees an instance that the collector does not track, with the slots of the class that has the destructor. */
static inline void
free_instance(PyObject *self, destructor owner)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject **slot = (PyObject **)(self + 1);
    PyObject **last = (PyObject **)((char *)self + slots_owner(type, owner)->tp_basicsize);
    for (; slot < last; slot++) {
        PyObject *value = *slot;
        *slot = NULL;
        Py_XDECREF(value);
    }
    type->tp_free(self);
    Py_DECREF(type);
}

#endif
