/* Freeing instances that no reference cycle can hold.
 *
 * Those that were read nest no deeper than their types do, but any object may be put into a field.
 */
#include "tape.h"

#include "common/instance_free.h"

Anchors anchors;

static COLD void free_other(PyObject *self) {
    if (is_revived(self)) return;
    if (!is_unread(self)) {
        PyObject_GC_UnTrack(self);
        free_instance(self, instance_dealloc);
        return;
    }
    Unread *unread = unread_of(self, slots_owner(Py_TYPE(self), instance_dealloc));
    Tape *tape = unread->tape;
    if (unread->live != NULL && let_go(self, unread)) return;
    if (unlikely(unread->layout->deferred != NULL)) {
        deferred_free(unread->layout->deferred);
        unread->layout->deferred = NULL;
    }
    free_instance(self, instance_dealloc);
    tape_drop(tape);
}

/* Most are unread instances without any value, and what they were read from may be held by nothing else. */
void instance_dealloc(PyObject *self) {
    for (;;) {
        PyTypeObject *type = Py_TYPE(self);
        if (unlikely(!is_unread(self) || type->tp_dealloc != instance_dealloc || type->tp_finalize != NULL)) {
            free_other(self);
            return;
        }
        const Unread *unread = unread_of(self, type);
        Codec *codec = (Codec *)unread->layout->codec;
        if (unlikely(type != codec->cls || unread->layout->deferred != NULL || has_values(self, codec))) {
            free_other(self);
            return;
        }
        Tape *tape = unread->tape;
        PyObject *parent = unread->live == NULL ? NULL : forget(unread->live);
        if (codec->spare_count < SPARES_KEPT)
            codec->spares[codec->spare_count++] = self;
        else
            PyObject_Free(UNREAD_MEMORY(self));
        Py_DECREF(type);
        tape_drop(tape);
        if (parent == NULL || Py_REFCNT(parent) > 1) {
            Py_XDECREF(parent);
            return;
        }
        if (Py_TYPE(parent)->tp_dealloc != instance_dealloc) {
            Py_DECREF(parent);
            return;
        }
#if defined(Py_REF_DEBUG)
        Py_DECREF(parent); /* which counts references */
        return;
#else
        Py_SET_REFCNT(parent, 0);
        self = parent;
#endif
    }
}

void free_without_cycles(Codec *codec) {
    if (codec->plain && !codec->track && codec->kind != CODEC_EMPTY && codec->kind != CODEC_CUSTOM)
        codec->cls->tp_dealloc = instance_dealloc;
}
