/* Where the fields of unread instances are, and the instances in them that live only as long as somebody uses them. */
#include "unread.h"

#include "common/instance_free.h"

/* ---- shapes ---- */

Shape *
shape_alloc(const Codec *codec, int same)
{
    const size_t count = same ? (size_t)codec->field_count : 0;
    Shape *shape = PyMem_Calloc(1, sizeof(Shape) + count * (sizeof(Shape *) + sizeof(FieldPlace)));
    if (shape != NULL) {
        shape->codec = codec;
        if (same) {
            shape->inner = (Shape **)(shape + 1);
            shape->places = (FieldPlace *)(shape->inner + count);
        }
    }
    return shape;
}

Shape *
new_shape(Source *source, const Codec *codec)
{
    Shape *shape = source->shape_count < MOST_SHAPES ? shape_alloc(codec, 1) : NULL;
    if (shape == NULL) {
        return codec->any;
    }
    source->shape_count++;
    shape->next = source->shapes;
    source->shapes = shape;
    return shape;
}

int
find_places(Shape *shape, const Unread *unread)
{
    const Codec *codec = shape->codec;
    Input in = {.begin = unread->source->begin, .end = unread->source->end, .max_depth = MAX_NESTING};
    const uint8_t *first = first_field(unread), *p = first;
    int last = 0, wire;
    for (;;) {
        const uint8_t *start = p;
        p = read_field_header(&in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP) {
            break;
        }
        const Field *field = field_by_id(codec, last);
        if (field != NULL && wire_fits(&field->type, wire)) {
            shape->places[field - codec->fields] = (FieldPlace){(uint16_t)(p - first), (uint8_t)wire};
        }
        p = skip_field(&in, p, wire, in.max_depth, start);
        if (p == NULL) {
            break;
        }
    }
    layouts_free(in.skipped);
    shape->known = p != NULL;
    return p == NULL ? -1 : 0;
}

Shape *
inner_shape(Shape *shape, Source *source, const Field *field)
{
    if (shape->places == NULL) {
        return field->type.codec->any;
    }
    Shape **inner = &shape->inner[field - shape->codec->fields];
    if (unlikely(*inner == NULL)) {
        *inner = new_shape(source, field->type.codec);
    }
    return *inner;
}

/* ---- instances that are forgotten ---- */

#define MOST_LIVE 32

/* Instances in fields that nobody has changed are forgotten with their last reference, and made again when they are asked for again;
 * they hold what they were read from, which finds them here while they live. Under the GIL. */
typedef struct Live {
    PyObject *parent, *child; /* borrowed: the child holds the parent */
    const Field *field;
} Live;

static Live live[MOST_LIVE];
int live_count;

static inline Live *
live_at(const PyObject *parent)
{
    return &live[((uintptr_t)parent >> 4 ^ (uintptr_t)parent >> 11) % MOST_LIVE];
}

/* The note of an instance whose class may have been changed. */
static inline Unread *
note_of(PyObject *parent)
{
    return unread_of(parent, slots_owner(Py_TYPE(parent), instance_dealloc));
}

PyObject *
find_live(PyObject *parent, const Field *field)
{
    const Live *entry = live_at(parent);
    return entry->parent == parent && entry->field == field ? Py_NewRef(entry->child) : NULL;
}

int
make_live(Unread *above, PyObject *parent, PyObject *child, const Field *field)
{
    Live *entry = live_at(parent);
    if (entry->parent != NULL || above->asked & FORGOT) {
        return 0;
    }
    *entry = (Live){parent, child, field};
    live_count++;
    unread_of(child, field->type.codec->cls)->parent = Py_NewRef(parent);
    return 1;
}

/* Ends the life of an entry: the child is kept in its slot if that is free and it has to be. */
static inline void
end_live(Live *entry, int keep)
{
    PyObject *parent = entry->parent, *child = entry->child;
    const Field *field = entry->field;
    Unread *above = note_of(parent), *unread = note_of(child);
    *entry = (Live){NULL, NULL, NULL};
    live_count--;
    unread->parent = NULL;
    unread->asked &= FORGOT;
    if (keep && SLOT(parent, field->offset) == NULL) {
        SLOT(parent, field->offset) = Py_NewRef(child);
        above->asked |= field->bit;
    }
    else {
        above->asked |= FORGOT;
    }
    Py_DECREF(parent);
}

void
keep_live(Unread *unread)
{
    end_live(live_at(unread->parent), 1);
}

void
settle(void)
{
    for (int i = 0; i < MOST_LIVE && live_count > 0; i++) {
        if (live[i].parent != NULL) {
            end_live(&live[i], 1);
        }
    }
}

Source *
leave(PyObject *self)
{
    for (int i = 0; i < MOST_LIVE; i++) {
        if (live[i].child == self) {
            Source *source = note_of(self)->source;
            end_live(&live[i], 0);
            return source;
        }
    }
    return NULL;
}

int
let_go(PyObject *self, Unread *unread)
{
    Source *source = unread->source;
    Codec *codec = (Codec *)unread->shape->codec;
    Live *entry = live_at(unread->parent);
    PyTypeObject *type = Py_TYPE(self);
    /* What was only read is not kept: a value was set. */
    const int changed = has_values(self, codec);
    if (unlikely(changed && type->tp_dealloc == instance_dealloc && SLOT(unread->parent, entry->field->offset) == NULL)) {
        Py_SET_REFCNT(self, 1);
        end_live(entry, 1);
        Py_DECREF(self);
        return 1;
    }
    end_live(entry, 0);
    if (unlikely(changed || type != codec->cls)) {
        return 0;
    }
    if (codec->spare_count < MOST_SPARES) {
        codec->spares[codec->spare_count++] = self;
    }
    else {
        PyObject_Free(UNREAD_MEMORY(self));
    }
    Py_DECREF(type);
    source_drop(source);
    return 1;
}
