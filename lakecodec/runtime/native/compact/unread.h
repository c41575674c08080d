/* Instances whose fields are read from kept bytes when they are first asked for. */
#ifndef LAKECODEC_COMPACT_UNREAD_H
#define LAKECODEC_COMPACT_UNREAD_H

#include "decode.h"
#include "layouts.h"

#include "common/unread_instances.h"

#pragma GCC visibility push(hidden)

/* Where the value of a slot's field stands behind the first byte of its struct: 0 where there is none. */
typedef struct FieldPlace {
    const Field *field; /* NULL for slots that are no field */
    struct Shape *inner; /* of a struct, NULL before the first */
    uint64_t bit;        /* the field's */
    uint16_t at;
    uint8_t wire;
    enum { QUICK_NOTHING, QUICK_INT, QUICK_BYTES, QUICK_STRUCT } quick : 8; /* values that are read without a look at the field */
} FieldPlace;

/* What instances that have one layout share: the places of their fields, found when the first of them is asked. */
struct Shape {
    const Codec *codec;
    struct Shape *next; /* of the same source */
    FieldPlace *places; /* by slot; NULL where instances differ */
    struct Deferred *deferred; /* lists and texts of the one instance that has this shape */
    uint8_t known;
};

#define MOST_SHAPES 256
#define MOST_SHARED 8
#define SHARED_BYTES 32

/* The bytes that instances share; counted under the GIL. */
struct Source {
    Py_ssize_t references;
    PyObject *data;        /* bytes; NULL while they are being decoded */
    PyObject *codec;       /* keeps those of all instances */
    const uint8_t *begin, *end;
    Py_ssize_t origin;     /* the position in what was decoded that begin stands for */
    PyObject **texts;      /* cache */
    size_t mask;
    Shape *shapes;
    int shape_count;
    PyObject *shared[MOST_SHARED]; /* short bytes, by slot: those read last, as neighbours often agree; or NULL */
};

typedef struct Unread {
    Source *source;
    Shape *shape;
    struct Live *live;     /* its entry while what it was read from knows it as live; NULL for others */
    uint32_t start;        /* in what was decoded */
    uint32_t size : 31;    /* 0 where nobody has needed it, or it is too large for a note */
    uint32_t clean : 1;    /* encoding gives the same bytes again */
    uint64_t asked;        /* fields that have been read, by their bits, and FORGOT */
} Unread;

/* The largest size that is noted; builds for tests make it small. */
#ifndef MOST_NOTED_SIZE
#define MOST_NOTED_SIZE 0x7fffffff
#endif

static inline uint32_t
noted_size(Py_ssize_t size)
{
    return size > MOST_NOTED_SIZE ? 0 : (uint32_t)size & 0x7fffffffu;
}

#define NO_LONGER_VALID "bytes that were valid are not, or nest deeper than the stack of this thread has room for"

/* A struct in a field was made and forgotten: the next one is kept. */
#define FORGOT ((uint64_t)1 << 63)
#define MOST_UNREAD_FIELDS 63

/* What was allocated for an unread instance. */
#define UNREAD_MEMORY(self) ((void *)collector_head(self))

static inline Unread *
unread_of(PyObject *self, const PyTypeObject *cls)
{
    return (Unread *)((char *)self + cls->tp_basicsize);
}

/* Whether any slot is filled. */
static inline int
has_values(PyObject *self, const Codec *codec)
{
    const uintptr_t *slot = (const uintptr_t *)(self + 1), *last = slot + codec->slot_count;
    uintptr_t any = 0;
    for (; last - slot >= 8; slot += 8) {
        any |= slot[0] | slot[1] | slot[2] | slot[3] | slot[4] | slot[5] | slot[6] | slot[7];
    }
    for (; slot < last; slot++) {
        any |= *slot;
    }
    return any != 0;
}

static inline size_t
slot_number(Py_ssize_t offset)
{
    return ((size_t)offset - sizeof(PyObject)) / sizeof(PyObject *);
}

/* Where the instance's bytes are. */
static inline const uint8_t *
first_field(const Unread *unread)
{
    return unread->source->begin + ((Py_ssize_t)unread->start - unread->source->origin);
}

void source_drop(Source *source);
/* An instance without fields for the valid bytes at the position start of what was decoded. */
static inline PyObject *
new_unread(Source *source, Py_ssize_t start, Py_ssize_t size, int clean, Shape *shape)
{
    Codec *codec = (Codec *)shape->codec;
    PyTypeObject *cls = codec->cls;
    PyObject *self;
    if (codec->spare_count > 0) {
        self = unread_object(codec->spares[--codec->spare_count], cls);
    }
    else if (unlikely((self = unread_instance(cls, sizeof(Unread))) == NULL)) {
        return NULL;
    }
    else {
        anchor(&anchors, self);
    }
    *unread_of(self, cls) = (Unread){source, shape, NULL, (uint32_t)start, noted_size(size), clean != 0, 0};
    source->references++;
    return self;
}

/* The same while they are decoded, or read again. */
PyObject *unread_at(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, Shape *shape);
/* The shape of one more layout; that of instances that may differ when there are too many. */
Shape *new_shape(Source *source, const Codec *codec);
/* The shape of instances that may differ. */
static inline Shape *
any_shape(const Codec *codec)
{
    return codec->any;
}
/* A shape of no source, of instances that have the same places or may differ; NULL without memory, and no exception. */
Shape *shape_alloc(const Codec *codec, int same);
/* Finds the places of a shape by one instance that has it; 0, or -1 without an exception. */
int find_places(Shape *shape, const Unread *unread);
/* Instances in fields that nobody has changed are forgotten with their last reference, and made again when they are asked for again;
 * they hold what they were read from, which finds them here while they live. Their slots stay empty, and which of their fields were read once
 * is in `asked`; one whose field is read again is kept. Under the GIL. */
#define MOST_LIVE 64
extern int live_count;
extern struct Live {
    PyObject *parent, *child; /* borrowed: the child holds the parent */
    const Field *field;
    Unread *above;            /* the parent's */
} live[MOST_LIVE];

/* The first of the two entries that an instance may have: with one, every sixth chunk of a loop finds those of the chunk before in it. */
static inline struct Live *
live_at(const PyObject *parent)
{
    return &live[((uintptr_t)parent >> 4 ^ (uintptr_t)parent >> 11) % (MOST_LIVE / 2) * 2];
}

/* The one that is free if the instance can have one more that lives only as long as it is used, or NULL. */
static inline struct Live *
live_room(const PyObject *parent, const Unread *above)
{
    struct Live *entry = live_at(parent);
    entry += entry->parent != NULL;
    return entry->parent == NULL && !(above->asked & FORGOT) ? entry : NULL;
}

static inline void
make_live(struct Live *entry, Unread *above, PyObject *parent, PyObject *child, const Field *field, const PyTypeObject *cls)
{
    *entry = (struct Live){Py_NewRef(parent), child, field, above};
    live_count++;
    unread_of(child, cls)->live = entry;
}

/* Ends the life of an entry whose child is freed; the parent, with the reference to it. */
static inline PyObject *
forget(struct Live *entry)
{
    PyObject *parent = entry->parent;
    entry->above->asked |= FORGOT;
    entry->parent = entry->child = NULL;
    live_count--;
    return parent;
}

/* Gives live instances to what they were read from: they are kept. */
void settle(void);
/* Gives one of them. */
void keep_live(Unread *unread);
/* Deals with a live instance whose last reference is gone and that has values: gives it to what it was read from if it
 * was changed; 0 where it is left to be freed as others are. */
int let_go(PyObject *self, Unread *unread);
/* The tp_getattro of classes that have unread instances. */
PyObject *unread_getattro(PyObject *self, PyObject *name);
/* Reads all fields that are still unread; 0 or -1. */
int read_all(PyObject *self, PyTypeObject *cls);
/* The same of a message. */
int read_whole(PyObject *self, const Codec *codec);
/* A reader of the bytes of an unread instance, and its end. */
void read_again(Reader *r, const Unread *unread);
void end_reading(Reader *r);
/* Whether bytes are a message, before any object is made; the error is found by reading it. */
int is_message(Reader *r, const uint8_t *p, const Codec *codec);
/* The bytes that encoding an instance gave before its fields were asked for or set, or NULL where they may be others; in is set to
 * read them. */
const uint8_t *kept_bytes(PyObject *self, const Codec *codec, Input *in);
/* The size of these bytes. */
Py_ssize_t kept_size(Unread *unread, const uint8_t *kept, Input *in);

/* A list of structs of which all agree with layouts: elements of one size and shape are added, then its end. */
typedef struct Deferred Deferred;
Deferred *deferred_new(void);
void deferred_free(Deferred *deferred);
int deferred_add(Deferred *deferred, Reader *r, const uint8_t *p, Py_ssize_t size, Py_ssize_t count, int clean, Shape *shape);
Deferred *deferred_end(Deferred *deferred, Reader *r, const uint8_t *p, int clean);
Py_ssize_t deferred_count(const Deferred *deferred);
/* A text that is long and valid: its end, and a note in the reader; NULL for others. */
const uint8_t *defer_text(Reader *r, const uint8_t *p);
/* Makes the instances of all elements; 0 or -1. */
int deferred_instances(const Deferred *deferred, Source *source, PyObject **items);
/* What is deferred of an instance: with one more, without one, the one of a field. */
Deferred *deferred_put(Deferred *all, Deferred *deferred, const Field *field);
Deferred *deferred_drop(Deferred *all, const Field *field);
Deferred *deferred_of(Deferred *all, const Field *field);
const uint8_t *deferred_list_end(const Deferred *deferred, const Source *source);
/* An unread instance with all that was read into another one but for what is deferred; takes both. */
PyObject *deferring_instance(Reader *r, const Codec *codec, PyObject *read, const uint8_t *start, const uint8_t *end, int clean, Deferred *all);
/* Fills the slot of one of them, or of all; 0 or -1. */
int read_deferred(PyObject *self, Unread *unread, Deferred *deferred);
int read_all_deferred(PyObject *self, Unread *unread);

#pragma GCC visibility pop

#endif
