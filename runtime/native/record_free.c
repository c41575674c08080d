/* Freeing instances that are slots alone.
 *
 * The interpreter's own destructor for classes made by a class statement looks up the slots' descriptors for every
 * instance.
 */
#include "record_instances.h"

static void instance_free(PyObject *self);

/* The class whose slots are freed here: subclasses free their own slots before they come to this destructor. */
static PyTypeObject *
slots_owner(PyTypeObject *type)
{
    while (UNLIKELY(type->tp_dealloc != instance_free)) {
        type = type->tp_base;
    }
    return type;
}

static void
instance_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (UNLIKELY(type->tp_finalize != NULL) && PyObject_CallFinalizerFromDealloc(self)) {
        return;
    }
    PyObject_GC_UnTrack(self);
    /* Whoever makes instances may nest them deeper than any bytes do. */
    Py_TRASHCAN_BEGIN(self, instance_free)
    PyObject **slot = (PyObject **)(self + 1), **last = (PyObject **)((char *)self + slots_owner(type)->tp_basicsize);
    for (; slot < last; slot++) {
        PyObject *value = *slot;
        *slot = NULL;
        Py_XDECREF(value);
    }
    type->tp_free(self);
    Py_DECREF(type);
    Py_TRASHCAN_END
}

void
find_slots(Program *program)
{
    PyTypeObject *type = program->cls;
    program->is_slotted = type->tp_alloc == PyType_GenericAlloc && type->tp_itemsize == 0 && type->tp_dictoffset == 0 &&
                          type->tp_weaklistoffset == 0 && PyType_IS_GC(type);
    if (program->is_slotted) {
        type->tp_dealloc = instance_free;
    }
}
