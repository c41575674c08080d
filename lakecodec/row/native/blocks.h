/* Memory that is given to Arrow by its C data interface. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "common/arrow_c_data.h"
#include "common/pool.h"

/* A block begins with the addresses of 7 buffers and its size in the pool, 0 for memory of malloc. */
enum { BLOCK_HEAD = 64, LEAST_POOLED = 1 << 16 };

static inline int64_t *row_block_size(uint8_t *block) { return (int64_t *)(block + BLOCK_HEAD - 8); }

/* A block with room for `size` bytes after its head. */
static uint8_t *row_block_take(int64_t size) {
    int64_t pooled = 0;
    uint8_t *block;
    size += BLOCK_HEAD;
    /* Small blocks are not aligned, as that takes longer to find. */
    block = size < LEAST_POOLED ? malloc((size_t)size) : (pooled = size, pool_take(&pooled));
    if (block) *row_block_size(block) = pooled;
    return block;
}

/* Arrow frees arrays in any thread, with or without the interpreter's lock. */
static void row_block_give(uint8_t *block) {
    const int64_t pooled = *row_block_size(block);
    if (pooled) pool_give(block, pooled);
    else free(block);
}

/* Rows as a large binary array: positions in one block, which has the buffers' addresses, and that of the other block. */
enum { ROWS_POSITIONS = 1, ROWS_BYTES, ROWS_OTHER };

static void row_release_rows(struct ArrowArray *array) {
    void **head = array->private_data;
    if (head[ROWS_OTHER]) row_block_give(head[ROWS_OTHER]);
    row_block_give(array->private_data);
    array->release = NULL;
}

/* Allocates the positions of n rows; NULL without memory. */
static inline int64_t *row_rows_new(struct ArrowArray *array, int64_t n) {
    uint8_t *block = row_block_take((n + 1) * (int64_t)sizeof(int64_t));
    if (!block) return NULL;
    *array = (struct ArrowArray){.length = n, .n_buffers = 3};
    array->buffers = (const void **)block;
    array->release = row_release_rows;
    array->private_data = block;
    array->buffers[0] = array->buffers[ROWS_OTHER] = NULL;
    array->buffers[ROWS_POSITIONS] = block + BLOCK_HEAD;
    return (int64_t *)(block + BLOCK_HEAD);
}

/* Makes room for the rows' bytes. */
static inline uint8_t *row_rows_room(struct ArrowArray *array, int64_t size) {
    uint8_t *block = row_block_take(size);
    if (!block) return NULL;
    array->buffers[ROWS_OTHER] = block;
    array->buffers[ROWS_BYTES] = block + BLOCK_HEAD;
    return block + BLOCK_HEAD;
}
