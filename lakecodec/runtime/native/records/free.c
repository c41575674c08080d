/* Freeing instances that are slots alone. */
#include "unread.h"

Anchors anchors;

void
instance_free(PyObject *self)
{
    if (is_revived(self)) {
        return;
    }
    if (is_unread(self)) {
        Kept *kept = unread_of(self, slots_owner(Py_TYPE(self), instance_free))->kept;
        free_instance(self, instance_free);
        kept_drop(kept);
        return;
    }
    PyObject_GC_UnTrack(self);
    free_instance(self, instance_free);
}

int
has_only_slots(PyTypeObject *type)
{
    return type->tp_alloc == PyType_GenericAlloc && type->tp_itemsize == 0 && type->tp_dictoffset == 0 &&
           type->tp_weaklistoffset == 0 && PyType_IS_GC(type);
}

void
find_slots(Program *program)
{
    PyTypeObject *type = program->cls;
    program->is_slotted = has_only_slots(type);
    if (program->is_slotted) {
        type->tp_dealloc = instance_free;
    }
}
