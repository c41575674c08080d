/* Memory that is given to Arrow by its C data interface. */
#ifndef LAKECODEC_ROW_BLOCKS_H
#define LAKECODEC_ROW_BLOCKS_H

#include <stdlib.h>
#include <string.h>

#include "common/arrow_c_data.h"
#include "common/huge_pages.h"

/* Blocks of at least POOL_SMALLEST bytes are kept, the POOL_BLOCKS last ones with up to POOL_BYTES: new pages cost more
 * than decoding does. */
enum { BLOCK_HEAD = 64, POOL_BLOCKS = 32, POOL_SMALLEST = 1 << 16, POOL_BYTES = 64 << 20 };

typedef struct RowPool {
    uint8_t *blocks[POOL_BLOCKS]; /* the one that was given first is the first */
    int64_t bytes;
    int count;
    char lock;
} RowPool;

static RowPool row_pool;

static inline int64_t *row_block_size(uint8_t *block) { return (int64_t *)(block + BLOCK_HEAD - 8); }

/* Arrow frees arrays in any thread, with or without the interpreter's lock. */
static void row_pool_lock(void) { while (__atomic_test_and_set(&row_pool.lock, __ATOMIC_ACQUIRE)) {} }
static void row_pool_unlock(void) { __atomic_clear(&row_pool.lock, __ATOMIC_RELEASE); }

/* Takes one of the blocks out of the pool. */
static uint8_t *row_pool_remove(int k) {
    uint8_t *block = row_pool.blocks[k];
    row_pool.bytes -= *row_block_size(block);
    row_pool.count--;
    memmove(row_pool.blocks + k, row_pool.blocks + k + 1, (row_pool.count - k) * sizeof *row_pool.blocks);
    return block;
}

/* A block with room for `size` bytes behind its head, in which 7 buffers have their addresses. */
static uint8_t *row_block_take(int64_t size) {
    uint8_t *block = NULL;
    if (size >= POOL_SMALLEST) {
        row_pool_lock();
        for (int k = row_pool.count - 1; k >= 0 && !block; k--) {
            const int64_t kept = *row_block_size(row_pool.blocks[k]);
            if (kept >= size && kept <= 2 * size) block = row_pool_remove(k);
        }
        row_pool_unlock();
    }
    if (block) return block;
    const size_t all = (size_t)(BLOCK_HEAD + size);
    const int large = all >= LEAST_HUGE;
    if (size < POOL_SMALLEST) block = malloc(all); /* aligned memory takes longer to find */
    else if (posix_memalign((void **)&block, large ? HUGE_PAGE : BLOCK_HEAD, all)) return NULL;
    if (!block) return NULL;
    if (large) advise_huge_pages(block, all);
    *row_block_size(block) = size;
    return block;
}

static void row_block_give(uint8_t *block) {
    const int64_t size = *row_block_size(block);
    uint8_t *others[POOL_BLOCKS];
    int count = 0;
    if (size >= POOL_SMALLEST && size <= POOL_BYTES) {
        row_pool_lock();
        while (row_pool.count == POOL_BLOCKS || row_pool.bytes + size > POOL_BYTES) others[count++] = row_pool_remove(0);
        row_pool.blocks[row_pool.count++] = block;
        row_pool.bytes += size;
        row_pool_unlock();
        block = NULL;
    }
    free(block);
    while (count) free(others[--count]);
}

/* Rows as a large binary array: positions in one block, which has the buffers' addresses, and that of the other block. */
enum { ROWS_POSITIONS = 1, ROWS_BYTES, ROWS_OTHER };

static void row_release_rows(struct ArrowArray *array) {
    void **head = array->private_data;
    if (head[ROWS_OTHER]) row_block_give(head[ROWS_OTHER]);
    row_block_give(array->private_data);
    array->release = NULL;
}

/* Makes room for n rows' positions: where they are, NULL without memory. */
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

#endif
