/* Lazy instances, whose fields are read from kept bytes on first access. */
#pragma once

#include "decode.h"
#include "layouts.h"

#include "common/unread_instances.h"

/* The most layouts that are kept for instances; further ones have none. */
#define MOST_KEPT 256
#define MOST_SHARED 8
#define SHARED_BYTES 32

/* What is left of decoding for the instances that are read when they are asked: the bytes, and the layouts of those that are alike; counted
 * under the GIL. */
typedef struct Tape {
    Py_ssize_t references;
    PyObject *data;  /* bytes; NULL while they are being decoded */
    PyObject *codec; /* keeps those of all instances */
    uintptr_t zero;  /* where the first byte of what was decoded is, or would be */
    const uint8_t *begin, *end;
    PyObject **texts; /* cache */
    size_t mask;
    Layout *layouts, *any; /* of instances that are alike; and of those that differ, one for each codec */
    int layout_count;
    PyObject *shared[MOST_SHARED]; /* short bytes, by slot: those read last, as neighbours often agree; or NULL */
} Tape;

typedef struct Unread {
    Tape *tape;
    Layout *layout;
    struct Live *live;  /* its entry while what it was read from knows it as live; NULL for others */
    uint32_t start;     /* in what was decoded */
    uint32_t size : 31; /* 0 where nobody has needed it, or it is too large for a note */
    uint32_t clean : 1; /* encoding gives the same bytes again */
    uint64_t asked;     /* fields that have been read, by their bits, and FORGOT */
} Unread;

/* The largest size that is noted; builds for tests make it small. */
#ifndef MOST_NOTED_SIZE
#define MOST_NOTED_SIZE 0x7fffffff
#endif

static inline uint32_t noted_size(Py_ssize_t size) { return size > MOST_NOTED_SIZE ? 0 : (uint32_t)size & 0x7fffffffu; }

/* A struct in a field was made and forgotten: the next one is kept. */
#define FORGOT ((uint64_t)1 << 63)
#define MOST_UNREAD_FIELDS 63

/* What was allocated for an unread instance. */
#define UNREAD_MEMORY(self) ((void *)collector_head(self))

static inline Unread *unread_of(PyObject *self, const PyTypeObject *cls) { return (Unread *)((char *)self + cls->tp_basicsize); }

/* Whether any slot is filled. */
static inline int has_values(PyObject *self, const Codec *codec) {
    const uintptr_t *slot = (const uintptr_t *)(self + 1), *last = slot + codec->slot_count;
    uintptr_t any = 0;
    for (; last - slot >= 8; slot += 8) any |= slot[0] | slot[1] | slot[2] | slot[3] | slot[4] | slot[5] | slot[6] | slot[7];
    for (; slot < last; slot++) any |= *slot;
    return any != 0;
}

/* Where the instance's bytes are. */
static inline const uint8_t *first_field(const Unread *unread) { return (const uint8_t *)(unread->tape->zero + unread->start); }

/* Lets instances be unread; tape_keep makes that hold after the call. 0 or -1. */
int tape_begin(Reader *r, const Codec *codec);
int tape_keep(Reader *r, const uint8_t *end);
void tape_drop(Tape *tape);
/* The layout of instances of a codec that may differ; NULL with an exception. */
Layout *tape_any(Tape *tape, const Codec *codec);
/* Finds the places of a layout by one instance that has it; 0, or -1 without an exception. */
int find_places(Layout *layout, const Unread *unread);
/* That of instances that were compared with a layout: it, where they are exactly so and it can be kept. */
static inline Layout *tape_layout(Tape *tape, Layout *found, int exact) {
    if (likely(exact && found->kept)) return found;
    if (!exact || tape->layout_count == MOST_KEPT) return tape_any(tape, found->codec);
    found->kept = 1;
    found->next = tape->layouts;
    tape->layout_count++;
    return tape->layouts = found;
}

/* An instance without fields for the valid bytes at a position of what was decoded. */
static inline PyObject *new_unread(Layout *layout, Py_ssize_t start, Py_ssize_t size, int clean) {
    Codec *codec = (Codec *)layout->codec;
    PyTypeObject *cls = codec->cls;
    PyObject *self;
    if (codec->spare_count > 0)
        self = unread_object(codec->spares[--codec->spare_count], cls);
    else if (unlikely((self = unread_instance(cls, sizeof(Unread), &anchors)) == NULL))
        return NULL;
    *unread_of(self, cls) = (Unread){layout->tape, layout, NULL, (uint32_t)start, noted_size(size), clean != 0, 0};
    layout->tape->references++;
    return self;
}

/* The same at a place of the bytes that are decoded, or read again; layout may be NULL, with an exception. */
PyObject *unread_at(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, Layout *layout);
/* Instances in fields that nobody has changed are forgotten with their last reference, and made again when they are asked for again;
 * they hold what they were read from, which finds them here while they live. Their slots stay empty, and which of their fields were
 * read once is in `asked`; one whose field is read again is kept. Under the GIL. */
#define MOST_LIVE 64
extern int live_count;
extern struct Live {
    PyObject *parent, *child; /* borrowed: the child holds the parent */
    const Field *field;
    Unread *above; /* the parent's */
} live[MOST_LIVE];

/* The first of the two entries that an instance may have: with one, every sixth chunk of a loop finds those of the chunk before in it. */
static inline struct Live *live_at(const PyObject *parent) {
    return &live[((uintptr_t)parent >> 4 ^ (uintptr_t)parent >> 11) % (MOST_LIVE / 2) * 2];
}

/* The one that is free if the instance can have one more that lives only as long as it is used, or NULL. */
static inline struct Live *live_room(const PyObject *parent, const Unread *above) {
    struct Live *entry = live_at(parent);
    entry += entry->parent != NULL;
    return entry->parent == NULL && !(above->asked & FORGOT) ? entry : NULL;
}

static inline void make_live(struct Live *entry, Unread *above, PyObject *parent, PyObject *child, const Field *field,
                             const PyTypeObject *cls) {
    *entry = (struct Live){Py_NewRef(parent), child, field, above};
    live_count++;
    unread_of(child, cls)->live = entry;
}

/* Ends the life of an entry whose child is freed; the parent, with the reference to it. */
static inline PyObject *forget(struct Live *entry) {
    PyObject *parent = entry->parent;
    entry->above->asked |= FORGOT;
    entry->parent = entry->child = NULL;
    live_count--;
    return parent;
}

/* Gives live instances to what they were read from: they are kept. */
void settle_all(void);
static inline void settle(void) {
    if (unlikely(live_count > 0)) settle_all();
}
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
/* How many levels may nest in kept bytes, which is found out when the first of them are skipped. */
static inline int kept_room(Input *in) {
    if (in->max_depth == 0) in->max_depth = nesting_room(MAX_NESTING);
    return in->max_depth;
}
/* The size of these bytes. */
Py_ssize_t kept_size(Unread *unread, const uint8_t *kept, Input *in);

/* A list of structs of which all agree with layouts: elements of one size and layout are added, then its end. */
typedef struct Deferred Deferred;
Deferred *deferred_new(void);
void deferred_free(Deferred *deferred);
int deferred_add(Deferred *deferred, Reader *r, const uint8_t *p, Py_ssize_t size, Py_ssize_t count, int clean, Layout *layout);
Deferred *deferred_end(Deferred *deferred, Reader *r, const uint8_t *p, int clean);
Py_ssize_t deferred_count(const Deferred *deferred);
/* A text that is long and valid: its end, and a note in the reader; NULL for others. */
const uint8_t *defer_text(Reader *r, const uint8_t *p);
/* Makes the instances of all elements; 0 or -1. */
int deferred_instances(const Deferred *deferred, PyObject **items);
/* What is deferred of an instance: with one more, without one, the one of a field. */
Deferred *deferred_put(Deferred *all, Deferred *deferred, const Field *field);
Deferred *deferred_drop(Deferred *all, const Field *field);
Deferred *deferred_of(Deferred *all, const Field *field);
const uint8_t *deferred_list_end(const Deferred *deferred, const Tape *tape);
/* An unread instance with all that was read into another one but for what is deferred; takes both. */
PyObject *deferring_instance(Reader *r, const Codec *codec, PyObject *read, const uint8_t *start, const uint8_t *end, int clean,
                             Deferred *all);
/* Fills the slot of one of them, or of all; 0 or -1. */
int read_deferred(PyObject *self, Unread *unread, Deferred *deferred);
int read_all_deferred(PyObject *self, Unread *unread);
