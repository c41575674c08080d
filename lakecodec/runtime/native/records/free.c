/* Freeing instances that are slots alone. */
#include "unread.h"

Anchors anchors;

void instance_free(PyObject *self) {
    if (is_revived(self)) return;
    if (is_unread(self)) {
        Kept *kept = unread_of(self, slots_owner(Py_TYPE(self), instance_free))->kept;
        free_instance(self, instance_free);
        kept_drop(kept);
        return;
    }
    PyObject_GC_UnTrack(self);
    free_instance(self, instance_free);
}

int instance_see(PyObject *self) {
    if (!(collector_head(self)[1] & UNCOUNTED_MARK)) {
        PyObject_GC_Track(self);
        return 0;
    }
    PyObject *other = Py_TYPE(self)->tp_alloc(Py_TYPE(self), 0);
    if (other == NULL) return -1;
    count_instead(self, other);
    Py_DECREF(other);
    return 0;
}

void find_slots(Program *program) {
    PyTypeObject *type = program->cls;
    program->is_slotted = type->tp_alloc == PyType_GenericAlloc && type->tp_itemsize == 0 && type->tp_dictoffset == 0 &&
                          type->tp_weaklistoffset == 0 && PyType_IS_GC(type);
    if (program->is_slotted) type->tp_dealloc = instance_free;
}
