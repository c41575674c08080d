/* Small blocks that keep the interpreter's arenas from being given back to the system between one tree of objects and the next.
 *
 * A decoded footer is some megabytes of small objects. When it is dropped, the interpreter's allocator unmaps whole arenas, and the
 * next tree takes a page fault for every page: as long as decoding takes. An arena with one block in use stays. The interpreter's
 * allocator itself is the host's, and is left as it is. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* An arena of the interpreter is 1 MiB, at a multiple of a page: half as much, at a multiple of it, is inside of one. */
#define PART_OF(block) ((uintptr_t)(block) >> 19)
enum { MOST_ANCHORS = 64 };

/* Parts of memory that instances were made in, each with the block that anchors it, at the remainder of its number; under the GIL. */
typedef struct Anchors {
    struct {
        uintptr_t part;
        void *block;
    } items[MOST_ANCHORS];
} Anchors;

/* Takes the block after one of the size, which is in its part more often than not, in the place of another anchor. */
static __attribute__((noinline, cold, unused)) void anchor_part(Anchors *anchors, const void *neighbour, size_t size) {
    const uintptr_t part = PART_OF(neighbour), place = part % MOST_ANCHORS;
    void *block = PyObject_Malloc(size);
    if (block == NULL || PART_OF(block) != part) {
        PyObject_Free(block);
        return;
    }
    PyObject_Free(anchors->items[place].block);
    anchors->items[place].part = part;
    anchors->items[place].block = block;
}

/* Anchors the arena of a block of the size that was just allocated; blocks of other sizes are elsewhere. */
static inline void anchor(Anchors *anchors, const void *block, size_t size) {
    const uintptr_t part = PART_OF(block);
    if (__builtin_expect(part != anchors->items[part % MOST_ANCHORS].part, 0)) anchor_part(anchors, block, size);
}
