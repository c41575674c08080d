/* Large blocks of memory. Those that were freed serve again: filling fresh pages takes twice as long as filling old ones. */
#ifndef LAKECODEC_POOL_H
#define LAKECODEC_POOL_H

#include <stdlib.h>

#include "common/huge_pages.h"

/* The bytes and blocks that are kept. */
enum { POOL_KEPT = 1 << 28, POOL_BLOCKS = 64 };

typedef struct PoolBlock {
    void *start;
    int64_t size;
} PoolBlock;

/* Freed blocks, the oldest first. Who finds the pool busy does without it, so that nobody waits for a thread that a fork
 * has left behind. */
static struct {
    char busy;
    int count;
    int64_t size;
    PoolBlock blocks[POOL_BLOCKS];
} pool;

static inline int pool_enter(void) { return !__atomic_test_and_set(&pool.busy, __ATOMIC_ACQUIRE); }
static inline void pool_leave(void) { __atomic_clear(&pool.busy, __ATOMIC_RELEASE); }

static inline PoolBlock pool_remove(int i) {
    const PoolBlock found = pool.blocks[i];
    pool.size -= found.size;
    for (pool.count--; i < pool.count; i++) pool.blocks[i] = pool.blocks[i + 1];
    return found;
}

/* The smallest freed block that has `*size` bytes and not many more, or a fresh one; `*size` is what it has then. */
static inline void *pool_take(int64_t *size) {
    PoolBlock found = {NULL, *size + (*size >> 2)};
    if (pool_enter()) {
        int best = -1;
        for (int i = 0; i < pool.count; i++)
            if (pool.blocks[i].size >= *size && pool.blocks[i].size <= found.size) {
                found.size = pool.blocks[i].size;
                best = i;
            }
        if (best >= 0) found = pool_remove(best);
        pool_leave();
    }
    if (found.start) {
        *size = found.size;
        return found.start;
    }
    if (posix_memalign(&found.start, HUGE_PAGE, (size_t)*size)) return NULL;
    advise_huge_pages(found.start, (size_t)*size);
    return found.start;
}

/* Keeps a block in the place of the oldest ones; the system may take its pages as long as nobody needs it. */
static inline void pool_give(void *start, int64_t size) {
#if defined(MADV_FREE)
    if (size <= POOL_KEPT && madvise(start, (size_t)size & ~(size_t)4095, MADV_FREE) == 0 && pool_enter()) {
        while (pool.count && (pool.count == POOL_BLOCKS || pool.size + size > POOL_KEPT)) free(pool_remove(0).start);
        pool.blocks[pool.count++] = (PoolBlock){start, size};
        pool.size += size;
        pool_leave();
        return;
    }
#endif
    free(start);
}

#endif
