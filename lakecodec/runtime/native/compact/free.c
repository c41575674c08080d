/* Freeing instances that no reference cycle can hold.
 *
 * They nest no deeper than their types do, so that no recursion needs to be cut off.
 */
#include "unread.h"

#include "common/instance_free.h"

void
instance_dealloc(PyObject *self)
{
    if (is_revived(self)) {
        return;
    }
    if (!is_unread(self)) {
        Source *left = live_count > 0 && Py_TYPE(self)->tp_dealloc != instance_dealloc ? leave(self) : NULL;
        PyObject_GC_UnTrack(self);
        free_instance(self, instance_dealloc);
        source_drop(left);
        return;
    }
    Unread *unread = unread_of(self, slots_owner(Py_TYPE(self), instance_dealloc));
    Source *source = unread->source;
    if (unread->live != NULL && let_go(self, unread)) {
        return;
    }
    if (unlikely(unread->shape->deferred != NULL)) {
        deferred_free(unread->shape->deferred);
        unread->shape->deferred = NULL;
    }
    PyTypeObject *type = Py_TYPE(self);
    const Codec *codec = unread->shape->codec;
    if (likely(type == codec->cls && !has_values(self, codec))) {
        PyObject_Free(UNREAD_MEMORY(self));
        Py_DECREF(type);
    }
    else {
        free_instance(self, instance_dealloc);
    }
    source_drop(source);
}

void
free_without_cycles(Codec *codec)
{
    if (codec->plain && !codec->track && codec->kind != CODEC_EMPTY && codec->kind != CODEC_CUSTOM) {
        codec->cls->tp_dealloc = instance_dealloc;
    }
}
