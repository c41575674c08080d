/* Columns of rows in memory that is given to Arrow by its C data interface. */
#pragma once

#include "blocks.h"
#include "from_arrow.h"
#include "get.h"

static void row_release_array(struct ArrowArray *array) {
    for (int64_t k = 0; k < array->n_children; k++)
        if (array->children[k]->release) array->children[k]->release(array->children[k]);
    row_block_give(array->private_data);
    array->release = NULL;
}

static inline int64_t row_aligned(int64_t size) { return (size + 63) & ~(int64_t)63; }

/* Room for an array's buffers, the addresses of its children and the children. */
static uint8_t *row_array_new(struct ArrowArray *array, int64_t n, int64_t buffers, int64_t children, int64_t size) {
    const int64_t more = row_aligned(children * (int64_t)(sizeof(void *) + sizeof(struct ArrowArray)));
    uint8_t *block = row_block_take(more + size);
    if (!block) return NULL;
    *array = (struct ArrowArray){.length = n, .n_buffers = buffers, .n_children = children};
    array->buffers = (const void **)block;
    array->release = row_release_array;
    array->private_data = block;
    if (!children) return block + BLOCK_HEAD;
    struct ArrowArray *first = (struct ArrowArray *)(block + BLOCK_HEAD);
    array->children = (struct ArrowArray **)(first + children);
    for (int64_t k = 0; k < children; k++) {
        first[k].release = NULL;
        array->children[k] = &first[k];
    }
    return block + BLOCK_HEAD + more;
}

/* A value in its own rows' bytes: its cell's target is no column. */
static int row_target_rows(RowCell *cell, RowScratch *scratch, int64_t room) {
    cell->out = row_scratch(scratch, room + 64);
    if (cell->kind != ROW_LIST) return cell->out ? 0 : -1;
    /* An item has a filled byte, a block of 8 or 32 bytes at least, and its trailer. */
    cell->out_items = row_scratch(scratch, (room / (cell->narrow ? 10 : 34) + 2) * (int64_t)sizeof *cell->out_items);
    if (!cell->out || !cell->out_items) return -1;
    cell->out_items[0] = 0;
    return 0;
}

/* Numbers of lists, whose rows have `room` bytes in all. */
static int row_target_items(RowCells *to, RowCell *list, const RowNode *node, struct ArrowArray *array, int64_t room) {
    RowCell *item = list->item = row_scratch(to->scratch, sizeof *item);
    const int64_t most = room / (node->cell.width == 8 ? 19 : 10), valid = row_aligned((most + 7) / 8 + 8);
    uint8_t *p = item ? row_array_new(array, 0, 2, 0, valid + most * node->cell.width + 8) : NULL;
    if (!p) return -1;
    *item = node->cell;
    item->out_valid = p;
    item->size = valid;
    array->buffers[1] = item->out = p + valid;
    return 0;
}

/* Adds the cells of a column of n values, whose rows have `room` bytes in all, and makes their memory. */
static int row_target(RowCells *to, const RowNode *node, struct ArrowArray *array, int64_t n, int64_t room) {
    RowCell empty = {.width = 0}, *cell = node->has_cell ? row_cells_add(to, &node->cell) : &empty;
    if (!cell) return -1;
    const int is_fixed = cell->kind == ROW_FIXED, unit = cell->wide ? 8 : 4;
    const int64_t valid = row_aligned((n + 7) / 8 + 8), offsets = is_fixed ? 0 : row_aligned((n + 1) * unit);
    const int64_t data = row_aligned((is_fixed ? n * cell->width : room) + 64);
    const int64_t views = node->kind == NODE_VIEW ? n * VIEW_SIZE + 8 : 0;
    uint8_t *p;
    switch (node->kind) {
    case NODE_RUNS:
        cell->out_valid = row_scratch(to->scratch, valid);
        cell->out_offsets = row_scratch(to->scratch, offsets);
        if (!cell->out_valid || !cell->out_offsets) return -1;
        *(int64_t *)cell->out_offsets = 0;
        return row_target_rows(cell, to->scratch, room);
    case NODE_LIST:
        if (!(p = row_array_new(array, n, 2, 1, valid + offsets))) return -1;
        if (row_has_plain_items(node)) {
            if (row_target_items(to, cell, node->children, array->children[0], room)) return -1;
        } else if (row_target_rows(cell, to->scratch, room)) {
            return -1;
        }
        break;
    case NODE_STRUCT:
        if (!(p = row_array_new(array, n, 1, node->child_count, valid + 8))) return -1;
        break;
    default:
        if (!(p = row_array_new(array, n, is_fixed ? 2 : views ? 4 : 3, 0, valid + offsets + data + views))) return -1;
        cell->out = p + valid + offsets;
    }
    cell->out_valid = p;
    array->buffers[0] = p;
    array->buffers[1] = is_fixed ? cell->out : p + valid;
    if (!is_fixed) {
        cell->out_offsets = p + valid;
        memset(cell->out_offsets, 0, unit);
        if (node->kind != NODE_LIST) array->buffers[2] = cell->out;
    } else if (node->kind == NODE_STRUCT) {
        cell->out = p + valid;
        if (!node->has_cell) array->buffers[0] = NULL;
    }
    if (views) {
        array->buffers[1] = cell->out + data + 8;
        array->buffers[3] = cell->out + data;
    }
    for (int32_t k = 0; node->kind == NODE_STRUCT && k < node->child_count; k++)
        if (row_target(to, &node->children[k], array->children[k], n, room)) return -1;
    return 0;
}

/* Bits from bytes in the same memory; -1 for a byte that is neither bit. */
static int row_finish_bits(const RowNode *node, RowCell *cell, int64_t n) {
    const uint64_t every = 0x0101010101010101u, add = (uint64_t)node->add * every;
    const uint8_t *valid = cell->nulls && node->add ? cell->out_valid : NULL;
    uint8_t *out = cell->out;
    uint64_t bad = 0;
    memset(out + n, valid ? 0 : node->add, 7);
    for (int64_t i = 0; i < n; i += 8) {
        uint64_t x = row_load64(out + i), nulls = 0;
        if (valid) {
            uint8_t dead[8], bits = (uint8_t)~valid[i >> 3];
            row_spread_bits(&bits, 0, 8, dead);
            nulls = (row_load64(dead) + 0x7F * every) >> 7 & every;
        }
        x += nulls * (uint64_t)node->add - add;
        bad |= x & ~every;
        out[i >> 3] = (uint8_t)(x * 0x0102040810204080u >> 56);
    }
    return bad ? -1 : 0;
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

/* Views of values that lie one after another, after 32-bit offsets. */
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

/* Whether the children of each null are null. */
static int row_null_children(const struct ArrowArray *array, const uint8_t *valid) {
    for (int64_t k = 0; k < array->n_children; k++) {
        const uint8_t *child = array->children[k]->buffers[0];
        for (int64_t i = 0; i < array->length; i++)
            if (!row_bit(valid, i) && (!child || row_bit(child, i))) return 0;
    }
    return 1;
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
    case NODE_LIST:
        if (!cell->item) return 0;
        array->children[0]->length = cell->count;
        array->children[0]->null_count = cell->item->nulls;
        array->children[0]->buffers[0] = cell->item->nulls ? cell->item->out_valid : NULL;
        return 0;
    default: return 0;
    }
}
