/* What elements of a list that have one shape have in common when they are written: bytes, with holes for values. */
#pragma once

#include "encode.h"

#define MOST_FOUND 96
#define MOST_SLOTS 256
#define MOST_NODES 48
#define MOST_LEVELS 12
#define MOST_BYTES 512
/* Bytes that are copied at once, however few are needed. */
#define RUN 16

/* A slot or an item whose object differs from element to element. */
typedef struct Take {
    uint16_t at;
    uint16_t size; /* of the memory that will be looked at */
    uint8_t to;    /* its number among what is found */
} Take;

/* An instance, a list, or a list's items: slots, of which some must hold the same object in all elements. */
typedef struct Holder {
    PyTypeObject *cls;   /* NULL for items */
    Py_ssize_t count;    /* of the slots or items */
    uint16_t first_slot; /* among those of the stencil */
    uint8_t first_take, takes;
    uint8_t from;  /* its number among what is found */
    uint8_t items; /* that of a list's items */
    uint8_t level; /* references between the element and it */
} Holder;

/* A value, and how many bytes of the stencil stand before it. */
typedef struct Hole {
    const Type *type;
    uint16_t before;
    uint8_t kind;
    uint8_t found;
} Hole;

typedef struct Stencil {
    uint8_t bytes[MOST_BYTES + RUN];
    Hole holes[MOST_FOUND];
    Holder nodes[MOST_NODES];                     /* by level */
    uintptr_t same[MOST_SLOTS], mask[MOST_SLOTS]; /* objects that are held, and all bits; or zeros */
    Take takes[MOST_FOUND];
    int level_ends[MOST_LEVELS];
    int levels, hole_count, node_count, slot_count, take_count, found;
    int loose;
    int size;        /* of the bytes */
    Py_ssize_t room; /* that an element needs, if its texts and bytes are short */
} Stencil;

/* The stencil of an instance, or NULL where it has values that stencils have no holes for; no exception is set. A loose one has holes for
 * members of enums. */
Stencil *stencil_of(const Codec *codec, PyObject *self, int loose);
void stencil_free(Stencil *stencil);

/* Prefetches memory. */
static inline void ask(const void *object, Py_ssize_t size) {
    __builtin_prefetch(object);
    __builtin_prefetch((const char *)object + size - 1);
    for (Py_ssize_t at = 64; at < size; at += 64) __builtin_prefetch((const char *)object + at);
}
