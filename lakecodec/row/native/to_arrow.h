/* Columns of rows in memory that is given to Arrow by its C data interface. */
#ifndef LAKECODEC_ROW_TO_ARROW_H
#define LAKECODEC_ROW_TO_ARROW_H

#include <stdlib.h>

#include "common/arrow_c_data.h"
#include "from_arrow.h"
#include "get.h"

/* Blocks of at least POOL_SMALLEST bytes are kept, up to POOL_BLOCKS and POOL_BYTES of them: new pages cost more than
 * decoding does. */
enum { BLOCK_HEAD = 64, POOL_BLOCKS = 32, POOL_SMALLEST = 1 << 16, POOL_BYTES = 64 << 20 };

typedef struct RowPool {
    uint8_t *blocks[POOL_BLOCKS];
    int64_t bytes;
    int count;
    char lock;
} RowPool;

static RowPool row_pool;

static inline int64_t *row_block_size(uint8_t *block) { return (int64_t *)(block + BLOCK_HEAD - 8); }

/* Arrow frees arrays in any thread, with or without the interpreter's lock. */
static void row_pool_lock(void) { while (__atomic_test_and_set(&row_pool.lock, __ATOMIC_ACQUIRE)) {} }
static void row_pool_unlock(void) { __atomic_clear(&row_pool.lock, __ATOMIC_RELEASE); }

/* A block with room for `size` bytes behind its head, in which 7 buffers have their addresses. */
static uint8_t *row_block_take(int64_t size) {
    uint8_t *block = NULL;
    if (size >= POOL_SMALLEST) {
        row_pool_lock();
        for (int k = row_pool.count - 1; k >= 0 && !block; k--) {
            const int64_t kept = *row_block_size(row_pool.blocks[k]);
            if (kept < size || kept > 2 * size) continue;
            block = row_pool.blocks[k];
            row_pool.blocks[k] = row_pool.blocks[--row_pool.count];
            row_pool.bytes -= kept;
        }
        row_pool_unlock();
    }
    if (block) return block;
    if (posix_memalign((void **)&block, BLOCK_HEAD, (size_t)(BLOCK_HEAD + size))) return NULL;
    *row_block_size(block) = size;
    return block;
}

static void row_block_give(uint8_t *block) {
    const int64_t size = *row_block_size(block);
    if (size >= POOL_SMALLEST && size <= POOL_BYTES) {
        row_pool_lock();
        if (row_pool.count < POOL_BLOCKS && row_pool.bytes + size <= POOL_BYTES) {
            row_pool.blocks[row_pool.count++] = block;
            row_pool.bytes += size;
            block = NULL;
        }
        row_pool_unlock();
    }
    free(block);
}

static void row_release_array(struct ArrowArray *array) {
    row_block_give(array->private_data);
    array->release = NULL;
}

static inline int64_t row_aligned(int64_t size) { return (size + 63) & ~(int64_t)63; }

/* Makes the memory of a column of n values whose rows have `room` bytes in all. */
static int row_target(const RowNode *node, RowCell *cell, struct ArrowArray *array, int64_t n, int64_t room) {
    const int bytes = cell->kind != ROW_FIXED;
    const int64_t valid = row_aligned((n + 7) / 8 + 8), unit = cell->wide ? 8 : 4;
    const int64_t offsets = bytes ? row_aligned((n + 1) * unit) : 0;
    const int64_t data = row_aligned((bytes ? room : n * cell->width) + 64);
    uint8_t *block = row_block_take(valid + offsets + data + (node->kind == NODE_VIEW ? n * VIEW_SIZE + 8 : 0));
    if (!block) return -1;
    const void **buffers = (const void **)block;
    memset(array, 0, sizeof *array);
    array->length = n;
    array->buffers = buffers;
    array->release = row_release_array;
    array->private_data = block;
    cell->out_valid = block + BLOCK_HEAD;
    cell->out_offsets = bytes ? cell->out_valid + valid : NULL;
    cell->out = cell->out_valid + valid + offsets;
    if (bytes) memset(cell->out_offsets, 0, unit);
    buffers[0] = cell->out_valid;
    buffers[1] = bytes ? cell->out_offsets : cell->out;
    buffers[2] = cell->out;
    array->n_buffers = bytes ? 3 : 2;
    if (node->kind == NODE_VIEW) {
        buffers[1] = cell->out + data + 8;
        buffers[3] = cell->out + data;
        array->n_buffers = 4;
    }
    return 0;
}

/* Bits from bytes in the same memory; -1 for a byte that is neither bit. */
static int row_finish_bits(const RowNode *node, RowCell *cell, int64_t n) {
    uint8_t bad = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t alive = (uint8_t)(0 - (!cell->nulls || row_bit(cell->out_valid, i)));
        cell->out[i] = (uint8_t)(cell->out[i] - node->add) & alive;
        bad |= cell->out[i];
    }
    if (bad > 1) return -1;
    row_pack_bits(cell->out, n, cell->out);
    return 0;
}

static void row_finish_parts(const RowNode *node, RowCell *cell, int64_t n) {
    uint8_t *p = cell->out;
    for (int64_t i = 0; i < n; i++) {
        const int alive = !cell->nulls || row_bit(cell->out_valid, i);
        for (int k = 0; k < node->part_count; k++) {
            const int size = node->parts[k];
            if (node->is_signed && alive) p[0] ^= 0x80;
            for (int a = 0, b = size - 1; a < b; a++, b--) {
                const uint8_t kept = p[a];
                p[a] = p[b];
                p[b] = kept;
            }
            p += size;
        }
    }
}

/* Views of values that lie one after another, behind 32-bit offsets. */
static void row_finish_views(RowCell *cell, struct ArrowArray *array, int64_t n) {
    const int32_t *offsets = cell->out_offsets;
    uint8_t *view = (uint8_t *)array->buffers[1];
    *(int64_t *)array->buffers[3] = cell->used;
    for (int64_t i = 0; i < n; i++, view += VIEW_SIZE) {
        const int32_t start = offsets[i], size = offsets[i + 1] - start, buffer = 0;
        memset(view, 0, VIEW_SIZE);
        memcpy(view, &size, 4);
        if (size <= VIEW_INLINE) {
            memcpy(view + 4, cell->out + start, size);
        } else {
            memcpy(view + 4, cell->out + start, 4);
            memcpy(view + 8, &buffer, 4);
            memcpy(view + 12, &start, 4);
        }
    }
}

/* Completes a column whose cells were read; -1 where its type cannot hold a value. */
static int row_finish(const RowNode *node, RowCell *cell, struct ArrowArray *array) {
    const int64_t n = array->length;
    array->null_count = cell->nulls;
    if (!cell->nulls) array->buffers[0] = NULL;
    switch (node->kind) {
    case NODE_BITS: return row_finish_bits(node, cell, n);
    case NODE_PARTS: row_finish_parts(node, cell, n); return 0;
    case NODE_VIEW: row_finish_views(cell, array, n); return 0;
    default: return 0;
    }
}

#endif
