/* Where the fields of unread instances are, and the instances in them that live only as long as somebody uses them. */
#include "unread.h"

#include "common/instance_free.h"

/* ---- shapes ---- */

Shape *
shape_alloc(const Codec *codec, int same)
{
    const Py_ssize_t count = same ? codec->slot_count : 0;
    Shape *shape = PyMem_Calloc(1, sizeof(Shape) + (size_t)count * sizeof(FieldPlace));
    if (shape != NULL) {
        shape->codec = codec;
        shape->places = same ? (FieldPlace *)(shape + 1) : NULL;
        for (Py_ssize_t i = 0; i < count; i++) {
            shape->places[i].field = codec->by_slot == NULL ? NULL : codec->by_slot[i];
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

static int
quick_kind(const Type *type)
{
    if (type->kind == KIND_STRUCT && type->codec->lazy) {
        return QUICK_STRUCT;
    }
    return type->kind == KIND_BINARY ? QUICK_BYTES : is_integer(type->kind) && type->kind != KIND_ENUM ? QUICK_INT : QUICK_NOTHING;
}

int
find_places(Shape *shape, const Unread *unread)
{
    const Codec *codec = shape->codec;
    Input in = {.begin = unread->source->begin, .end = unread->source->end, .max_depth = nesting_room(MAX_NESTING)};
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
            FieldPlace *place = &shape->places[slot_number(field->offset)];
            place->at = (uint16_t)(p - first);
            place->wire = (uint8_t)wire;
            place->bit = field->bit;
            place->quick = quick_kind(&field->type);
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

/* ---- instances that are forgotten ---- */

typedef struct Live Live;

Live live[MOST_LIVE];
int live_count;

/* The note of an instance whose class may have been changed. */
static inline Unread *
note_of(PyObject *parent)
{
    return unread_of(parent, slots_owner(Py_TYPE(parent), instance_dealloc));
}

/* Ends the life of an entry: the child is kept in its slot if that is free and it has to be. */
static inline void
end_live(Live *entry, int keep)
{
    PyObject *parent = entry->parent, *child = entry->child;
    const Field *field = entry->field;
    Unread *above = entry->above, *unread = note_of(child);
    *entry = (Live){NULL, NULL, NULL, NULL};
    live_count--;
    unread->live = NULL;
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
    end_live(unread->live, 1);
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

int
let_go(PyObject *self, Unread *unread)
{
    Live *entry = unread->live;
    /* What was only read is not kept: a value was set. */
    if (has_values(self, unread->shape->codec) && SLOT(entry->parent, entry->field->offset) == NULL) {
        Py_SET_REFCNT(self, 1);
        end_live(entry, 1);
        Py_DECREF(self);
        return 1;
    }
    end_live(entry, 0);
    return 0;
}
