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
    Source *source = NULL;
    if (is_unread(self)) {
        source = unread_of(self, slots_owner(Py_TYPE(self), instance_dealloc))->source;
    }
    else {
        PyObject_GC_UnTrack(self);
    }
    free_instance(self, instance_dealloc);
    source_drop(source);
}

void
free_without_cycles(Codec *codec)
{
    if (codec->plain && !codec->track && codec->kind != CODEC_EMPTY && codec->kind != CODEC_CUSTOM) {
        codec->cls->tp_dealloc = instance_dealloc;
    }
}
