/* What columns are made of, and memory for the cells of some rows. */
#pragma once

#include <stdlib.h>

#include "cells.h"

enum {
    NODE_NUMBER, NODE_BITS, NODE_PARTS, NODE_BYTES, NODE_VIEW, NODE_CONSTANT, NODE_STRUCT, NODE_LIST, NODE_DICTIONARY,
    NODE_RUNS
};
enum { NODE_PARTS_MAX = 4, VIEW_SIZE = 16, VIEW_INLINE = 12 };

/* What a column is made of; mirrors row/nodes.py. */
typedef struct RowNode {
    int32_t kind, has_cell, add, part_count, is_signed;
    int32_t parts[NODE_PARTS_MAX];
    int32_t unit; /* bytes of an offset, a dictionary key or a run's end */
    int32_t is_unsigned;
    RowCell cell;
    const uint8_t *null; /* the bytes of a null */
    int64_t null_size;
    struct RowNode *children;
    int32_t child_count;
} RowNode;

struct RowKept;

enum { SCRATCH_FIRST = 2048 };

/* Blocks that are freed together, the first few bytes without any; encoded dictionaries go to `lasting`, which outlives a
   stretch of rows. */
typedef struct RowScratch {
    void *last;
    struct RowScratch *lasting;
    struct RowKept *kept;
    int64_t used;
    _Alignas(16) uint8_t first[SCRATCH_FIRST];
} RowScratch;

static inline void row_scratch_init(RowScratch *scratch, RowScratch *lasting) {
    scratch->last = NULL;
    scratch->lasting = lasting;
    scratch->kept = NULL;
    scratch->used = 0;
}

static void *row_scratch(RowScratch *scratch, int64_t size) {
    if (size <= SCRATCH_FIRST - scratch->used) {
        uint8_t *found = scratch->first + scratch->used;
        scratch->used += (size + 15) & ~(int64_t)15;
        return found;
    }
    void **block = malloc((size_t)size + 2 * sizeof(void *));
    if (!block) return NULL;
    block[0] = scratch->last;
    scratch->last = block;
    return block + 2;
}

static inline void row_scratch_free(RowScratch *scratch) {
    scratch->used = 0;
    while (scratch->last) {
        void **block = scratch->last;
        scratch->last = block[0];
        free(block);
    }
}

/* The cells of some rows, in memory of `scratch`. */
typedef struct RowCells {
    RowScratch *scratch;
    RowCell *cells;
    int32_t count, room;
} RowCells;

static RowCell *row_cells_add(RowCells *to, const RowCell *shape) {
    if (to->count == to->room) {
        const int32_t room = to->room ? 2 * to->room : 2;
        RowCell *cells = row_scratch(to->scratch, room * (int64_t)sizeof *cells);
        if (!cells) return NULL;
        if (to->count) memcpy(cells, to->cells, to->count * sizeof *cells);
        to->cells = cells;
        to->room = room;
    }
    RowCell *cell = &to->cells[to->count++];
    *cell = *shape;
    return cell;
}
