/* The memory of results: one block per column, given to Arrow by its C data interface. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "common/arrow_c_data.h"
#include "common/pool.h"
#include "bits.h"
#include "column.h"

enum { COLUMNS_ALIGNMENT = 64 };

COLUMNS_INLINE int64_t columns_aligned(int64_t size) {
    return (size + COLUMNS_ALIGNMENT - 1) & ~(int64_t)(COLUMNS_ALIGNMENT - 1);
}

/* A block begins with its size in the pool, 0 for memory of malloc. */
static inline void *columns_allocate(int64_t size) {
    void *block = NULL;
    int64_t pooled = 0;
    size += COLUMNS_ALIGNMENT;
    if (size >= (int64_t)LEAST_HUGE) block = (pooled = size, pool_take(&pooled));
    else if (posix_memalign(&block, COLUMNS_ALIGNMENT, (size_t)size)) return NULL;
    if (block == NULL) return NULL;
    *(int64_t *)block = pooled;
    return (uint8_t *)block + COLUMNS_ALIGNMENT;
}

static inline void columns_release(void *given) {
    int64_t *block = (int64_t *)((uint8_t *)given - COLUMNS_ALIGNMENT);
    if (*block) pool_give(block, *block);
    else free(block);
}

/* ---- memory that columns share ---- */

/* The most that an arena has unless one column needs more; with their heads large ones are the least that serves again. */
enum { COLUMNS_ARENA = 1 << 20, COLUMNS_LARGE_ARENA = LEAST_HUGE - 2 * COLUMNS_ALIGNMENT };

static inline void columns_leave(ColumnArena *arena) {
    if (arena && __atomic_sub_fetch(&arena->owners, 1, __ATOMIC_ACQ_REL) == 0) columns_release(arena);
}

/* Leaves the arena, whose columns own it now. */
static inline void columns_leave_room(ColumnRoom *room) {
    columns_leave(room->arena);
    room->arena = NULL;
    room->left = 0;
}

/* The next `size` bytes, a multiple of the alignment, of the column's room. */
static inline void *column_share(Column *c, int64_t size) {
    ColumnRoom *room = c->room;
    if (size > room->left) {
        int64_t all = room->is_large                   ? COLUMNS_LARGE_ARENA
                      : room->expected < COLUMNS_ARENA ? columns_aligned(room->expected)
                                                       : COLUMNS_ARENA;
        if (all < size) all = size;
        ColumnArena *arena = columns_allocate(COLUMNS_ALIGNMENT + all);
        if (arena == NULL) return NULL;
        arena->owners = 1;
        columns_leave_room(room);
        room->arena = arena;
        room->free = (uint8_t *)arena + COLUMNS_ALIGNMENT;
        room->left = all;
    }
    void *block = room->free;
    c->arena = room->arena;
    __atomic_add_fetch(&c->arena->owners, 1, __ATOMIC_RELAXED);
    room->free += size;
    room->left -= size;
    room->expected -= size < room->expected ? size : room->expected;
    return block;
}

/* Frees the column's memory, unless it was given away. */
static inline void column_free(Column *c) {
    if (c->block == NULL) return;
    if (c->arena) columns_leave(c->arena);
    else columns_release(c->block);
    c->block = NULL;
}

/* ---- one column ---- */

/* Bytes beside the data and offsets of a column of so many rows. */
COLUMNS_INLINE int64_t column_frame(int64_t rows) { return (rows >> 3) + 5 * COLUMNS_ALIGNMENT + COLUMNS_SLACK; }

/* Room for the column's buffers after their pointers; `size` bytes of data. */
static inline int column_allocate(Column *c, int64_t size) {
    const int64_t nulls = c->rows - c->live;
    const int64_t head = columns_aligned(3 * sizeof(void *));
    const int64_t validity = nulls ? columns_aligned(((c->rows + 63) >> 6) * 8) : 0;
    const int64_t offsets = c->plan->form == FORM_RAGGED ? columns_aligned((c->rows + 1) * 4) : 0;
    const int64_t all = head + validity + offsets + columns_aligned(size + COLUMNS_SLACK);
    uint8_t *block = c->room ? column_share(c, all) : columns_allocate(all);
    if (block == NULL) return column_fail(c, COLUMNS_NO_MEMORY, NULL);
    c->block = block;
    c->validity = nulls ? (uint64_t *)(block + head) : NULL;
    c->offsets = offsets ? (int32_t *)(block + head + validity) : NULL;
    c->data = block + head + validity + offsets;
    const void **buffers = c->block;
    buffers[0] = c->validity;
    buffers[1] = offsets ? (void *)c->offsets : (void *)c->data;
    buffers[2] = c->data;
    return 0;
}

/* Gives back what the column's data, for which `size` bytes of its room were taken just now, does not need. */
static inline void column_trim(Column *c, int64_t size, int64_t used) {
    const int64_t more = columns_aligned(size + COLUMNS_SLACK) - columns_aligned(used + COLUMNS_SLACK);
    c->room->free -= more;
    c->room->left += more;
}

static inline void columns_release_array(struct ArrowArray *array) {
    columns_release(array->private_data);
    array->release = NULL;
}

static inline void columns_release_shared(struct ArrowArray *array) {
    columns_leave(array->private_data);
    array->release = NULL;
}

/* Gives the column's memory away. */
static inline void column_export(Column *c, struct ArrowArray *array) {
    memset(array, 0, sizeof *array);
    array->length = c->rows;
    array->null_count = c->rows - c->live;
    array->n_buffers = c->plan->form == FORM_RAGGED ? 3 : 2;
    array->buffers = c->block;
    array->release = c->arena ? columns_release_shared : columns_release_array;
    array->private_data = c->arena ? (void *)c->arena : c->block;
    c->block = NULL;
}

/* One array of many: the structure that owns them follows the pointers to them in the same memory. */
static inline void columns_release_batch(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
    free(array->private_data);
    array->release = NULL;
}

/* A record batch with room for `count` columns, whose arrays are to be moved to its children; -1 without memory. */
static inline int columns_batch(struct ArrowArray *batch, int64_t rows, int64_t count) {
    static const void *no_buffers[1] = {NULL};
    struct ArrowArray **children = calloc((size_t)count, sizeof *children + sizeof **children);
    if (children == NULL) return -1;
    struct ArrowArray *arrays = (struct ArrowArray *)(children + count);
    for (int64_t i = 0; i < count; i++) children[i] = arrays + i;
    memset(batch, 0, sizeof *batch);
    batch->length = rows;
    batch->n_buffers = 1;
    batch->buffers = no_buffers;
    batch->n_children = count;
    batch->children = children;
    batch->release = columns_release_batch;
    batch->private_data = children;
    return 0;
}
