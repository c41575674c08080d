/* Freeing instances that no reference cycle can hold.
 *
 * They nest no deeper than their types do, so that no recursion needs to be cut off.
 */
#include "compact.h"

#include "common/instance_free.h"

static void
instance_dealloc(PyObject *self)
{
    if (is_revived(self)) {
        return;
    }
    PyObject_GC_UnTrack(self);
    free_instance(self, instance_dealloc);
}

void
free_without_cycles(Codec *codec)
{
    if (codec->plain && !codec->track && (codec->kind == CODEC_STRUCT || codec->kind == CODEC_UNION)) {
        codec->cls->tp_dealloc = instance_dealloc;
    }
}
