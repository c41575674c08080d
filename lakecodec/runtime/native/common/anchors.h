/* Small blocks that keep the interpreter's arenas from being given back to the system between one tree of objects and the next.
 *
 * A decoded footer is some megabytes of small objects. When it is dropped, the interpreter's allocator unmaps whole arenas, and the
 * next tree takes a page fault for every page: as long as decoding takes. An arena with one block in use stays. The interpreter's
 * allocator itself is the host's, and is left as it is. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* An arena of the interpreter is 1 MiB, at a multiple of it. */
#define ARENA_OF(block) ((uintptr_t)(block) >> 20)
enum { MOST_ANCHORS = 32 };

/* The arenas that instances were made in last, each with the block that anchors it; under the GIL. */
typedef struct Anchors {
    uintptr_t last;
    int next;
    struct {
        uintptr_t arena;
        void *block;
    } items[MOST_ANCHORS];
} Anchors;

/* Takes the block after one of the size, which is in its arena more often than not; in the place of the oldest anchor. */
static __attribute__((noinline, cold, unused)) void anchor_arena(Anchors *anchors, const void *neighbour, size_t size) {
    const uintptr_t arena = ARENA_OF(neighbour);
    anchors->last = arena;
    for (int i = 0; i < MOST_ANCHORS; i++)
        if (anchors->items[i].arena == arena) return;
    void *block = PyObject_Malloc(size);
    if (block == NULL || ARENA_OF(block) != arena) {
        PyObject_Free(block);
        anchors->last = 0; /* the next block may be in another arena */
        return;
    }
    PyObject_Free(anchors->items[anchors->next].block);
    anchors->items[anchors->next].arena = arena;
    anchors->items[anchors->next].block = block;
    anchors->next = (anchors->next + 1) % MOST_ANCHORS;
}

/* Anchors the arena of a block of the size that was just allocated; blocks of other sizes are elsewhere. */
static inline void anchor(Anchors *anchors, const void *block, size_t size) {
    if (__builtin_expect(ARENA_OF(block) != anchors->last, 0)) anchor_arena(anchors, block, size);
}
