/* Unread instances: making them, their bytes, and the classes that have them. */
#include "unread.h"

#include "common/instance_free.h"

/* ---- instances ---- */

PyObject *
unread_at(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, Shape *shape)
{
    const Py_ssize_t start = p - r->in.begin + r->source->origin;
    if (r->source->data == NULL && start < r->first_unread) {
        r->first_unread = start;
    }
    return new_unread(r->source, start, size, clean, shape);
}

/* Only what readers of valid bytes use is set. */
void
read_again(Reader *r, const Unread *unread)
{
    Source *source = unread->source;
    r->in = (Input){.begin = source->begin, .end = source->end, .max_depth = nesting_room(MAX_NESTING), .elements = PY_SSIZE_T_MAX};
    r->trace = (Trace){0};
    r->text = TEXT_STRICT;
    r->views = 0;
    r->data = source->data;
    r->view = NULL;
    r->texts = source->texts;
    r->blobs = NULL;
    r->mask = source->mask;
    r->source = source;
    r->trusted = 1;
    r->clean = unread->clean;
    source->references++;
}

void
end_reading(Reader *r)
{
    Source *source = r->source;
    source->texts = r->texts;
    source->mask = r->mask;
    if (unlikely(r->trace.steps != NULL || r->in.skipped != NULL)) {
        trace_free(&r->trace);
        layouts_free(r->in.skipped);
    }
    source_drop(source);
}

const uint8_t *
kept_bytes(PyObject *self, const Codec *codec, Input *in)
{
    const Unread *unread = unread_of(self, codec->cls);
    const Source *source = unread->source;
    if (!unread->clean || unread->shape->codec != codec) {
        return NULL;
    }
    *in = (Input){.begin = source->begin, .end = source->end, .max_depth = nesting_room(MAX_NESTING)};
    return source->begin + ((Py_ssize_t)unread->start - source->origin);
}

Py_ssize_t
kept_size(Unread *unread, const uint8_t *kept, Input *in)
{
    if (unread->size == 0) {
        const uint8_t *end = skip_struct(in, kept, in->max_depth);
        const Py_ssize_t size = end == NULL ? 0 : end - kept;
        unread->size = noted_size(size);
        return size;
    }
    return unread->size;
}

/* Reads an unread instance, which is a plain one of its class afterwards; 0 or -1. */
static int
end_unread(PyObject *self)
{
    PyTypeObject *cls = slots_owner(Py_TYPE(self), instance_dealloc);
    Unread *unread = unread_of(self, cls);
    if (unread->live != NULL) {
        keep_live(unread);
    }
    PyObject *other = read_all(self, cls) ? NULL : cls->tp_alloc(cls, 0);
    if (other == NULL) {
        return -1;
    }
    if (is_unread(self)) {
        Source *source = unread->source;
        if (unread->shape->deferred != NULL) {
            deferred_free(unread->shape->deferred);
            unread->shape->deferred = NULL;
        }
        count_instead(self, other);
        source_drop(source);
    }
    Py_DECREF(other);
    return 0;
}

/* Whether a message, or one that it holds, has required fields, as what makes up for one that is absent may follow later; or is
 * of a type that holds itself. */
static int
needs_fields(Codec *codec)
{
    if (codec->needs == NEEDS_UNKNOWN) {
        codec->needs = codec->required || codec->track ? NEEDS : NEEDS_NOTHING;
        for (Py_ssize_t i = 0; i < codec->field_count && codec->needs == NEEDS_NOTHING; i++) {
            const Type *type = &codec->fields[i].type, *inner = type->value != NULL ? type->value : type;
            if (inner->codec != NULL && needs_fields(inner->codec)) {
                codec->needs = NEEDS;
            }
        }
    }
    return codec->needs == NEEDS;
}

void
read_when_asked(Codec *codec)
{
    const int is_struct = codec->kind == CODEC_STRUCT || (codec->kind == CODEC_MESSAGE && !needs_fields(codec));
    if (!is_struct || !codec->plain || codec->track || codec->blank == NULL || (codec->field_count > MOST_UNREAD_FIELDS && codec->kind == CODEC_STRUCT) ||
        codec->cls->tp_dealloc != instance_dealloc || (codec->any = shape_alloc(codec, 0)) == NULL) {
        return;
    }
    codec->lazy = (uint8_t)let_wait(codec->cls, unread_getattro, end_unread);
}
