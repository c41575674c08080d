/* Freeing instances that no reference cycle can hold.
 *
 * The interpreter's own destructor for classes made by a class statement looks up the slots' descriptors for every instance. The
 * instances here have nothing but slots, one behind the other, and nest no deeper than their types do, so that no recursion
 * needs to be cut off.
 */
#include "compact.h"

static void instance_dealloc(PyObject *self);

/* The class whose slots are freed here: subclasses free their own slots before they come to this destructor. */
static PyTypeObject *
slots_owner(PyTypeObject *type)
{
    while (unlikely(type->tp_dealloc != instance_dealloc)) {
        type = type->tp_base;
    }
    return type;
}

static void
instance_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (unlikely(type->tp_finalize != NULL) && PyObject_CallFinalizerFromDealloc(self)) {
        return;
    }
    PyObject_GC_UnTrack(self);
    PyObject **slot = (PyObject **)(self + 1), **last = (PyObject **)((char *)self + slots_owner(type)->tp_basicsize);
    for (; slot < last; slot++) {
        PyObject *value = *slot;
        *slot = NULL;
        Py_XDECREF(value);
    }
    type->tp_free(self);
    Py_DECREF(type);
}

void
free_without_cycles(Codec *codec)
{
    if (codec->plain && !codec->track && (codec->kind == CODEC_STRUCT || codec->kind == CODEC_UNION)) {
        codec->cls->tp_dealloc = instance_dealloc;
    }
}
