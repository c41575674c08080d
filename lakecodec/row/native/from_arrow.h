/* Cells of rows from columns that come by the Arrow C data interface: twin of the encoder in row/encode.py. */
#pragma once

#include "common/arrow_c_data.h"
#include "keys.h"
#include "nodes.h"
#include "put.h"

/* Separate rows in one array, after which `slack` bytes may be read. */
typedef struct RowRows {
    uint8_t *data;
    int64_t *positions;
    int64_t slack;
} RowRows;

/* The rows of a dictionary. */
typedef struct RowKept {
    struct RowKept *next;
    const RowNode *node;
    const struct ArrowArray *values;
    RowRows rows;
} RowKept;

/* The values that are not null in the array nor in what contains it. */
static int row_alive(RowScratch *scratch, const struct ArrowArray *array, int64_t place, int64_t n, RowAlive above,
                     RowAlive *found) {
    const uint8_t *own = array->null_count && array->n_buffers ? array->buffers[0] : NULL;
    *found = above;
    if (!own) return 0;
    if (!above.bits) {
        *found = (RowAlive){own, place};
        return 0;
    }
    uint8_t *both = row_scratch(scratch, (n + 7) / 8 + 1);
    if (!both) return -1;
    memset(both, 0, (n + 7) / 8);
    for (int64_t i = 0; i < n; i++) both[i >> 3] |= (row_bit(own, place + i) & row_is_alive(above, i)) << (i & 7);
    *found = (RowAlive){both, 0};
    return 0;
}

static inline void row_set_alive(RowCell *cell, RowAlive alive) {
    cell->valid = alive.bits;
    cell->bit = alive.bit;
}

static int row_add_bits(RowCells *to, const RowNode *node, const uint8_t *bits, int64_t place, int64_t n, RowAlive alive) {
    uint8_t *bytes = row_scratch(to->scratch, n + 8);
    RowCell *cell = row_cells_add(to, &node->cell);
    if (!bytes || !cell) return -1;
    row_spread_flags(bits, place, n, bytes, 1);
    for (int64_t i = 0; node->add && i < n; i += 8)
        row_store64(bytes + i, row_load64(bytes + i) + (uint64_t)node->add * 0x0101010101010101u);
    cell->data = bytes;
    cell->size = n;
    row_set_alive(cell, alive);
    return 0;
}

static int row_add_parts(RowCells *to, const RowNode *node, const uint8_t *values, int64_t n, RowAlive alive) {
    const int width = node->cell.width;
    uint8_t *bytes = row_scratch(to->scratch, n * width + 1), *p = bytes;
    RowCell *cell = row_cells_add(to, &node->cell);
    if (!bytes || !cell) return -1;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < node->part_count; k++) {
            const int size = node->parts[k];
            for (int j = 0; j < size; j++) p[j] = values[size - 1 - j];
            if (node->is_signed) p[0] ^= 0x80;
            p += size;
            values += size;
        }
    cell->data = bytes;
    cell->size = n * width;
    row_set_alive(cell, alive);
    return 0;
}

static int row_add_bytes(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t place, int64_t n,
                         RowAlive alive) {
    const uint8_t *offsets = (const uint8_t *)array->buffers[1] + place * node->unit;
    RowCell *cell = row_cells_add(to, &node->cell);
    if (!cell) return -1;
    cell->data = array->buffers[2];
    cell->size = row_position(offsets, node->unit == 8, n);
    cell->starts = offsets;
    cell->ends = offsets + node->unit;
    cell->wide_starts = node->unit == 8;
    row_set_alive(cell, alive);
    return 0;
}

/* Values of views one after another: those of the views themselves, and of up to n - 3 other buffers. */
static int row_add_views(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t place, int64_t n,
                         RowAlive alive) {
    const uint8_t *views = (const uint8_t *)array->buffers[1] + place * VIEW_SIZE;
    int64_t total = 0;
    for (int64_t i = 0; i < n; i++)
        if (row_is_alive(alive, i)) total += row_load_i32(views + i * VIEW_SIZE);
    int64_t *positions = row_scratch(to->scratch, (n + 1) * (int64_t)sizeof *positions);
    uint8_t *bytes = row_scratch(to->scratch, total + VIEW_SIZE), *p = bytes;
    RowCell *cell = row_cells_add(to, &node->cell);
    if (!positions || !bytes || !cell) return -1;
    const int narrow = total <= INT32_MAX;
    int32_t *small = (int32_t *)positions;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *view = views + i * VIEW_SIZE;
        if (narrow) small[i] = (int32_t)(p - bytes);
        else positions[i] = p - bytes;
        if (!row_is_alive(alive, i)) continue;
        const int64_t size = row_load_i32(view);
        if (size <= VIEW_INLINE) memcpy(p, view + 4, VIEW_INLINE);
        else memcpy(p, (const uint8_t *)array->buffers[2 + row_load_i32(view + 8)] + row_load_i32(view + 12), size);
        p += size;
    }
    if (narrow) small[n] = (int32_t)total;
    else positions[n] = total;
    cell->data = bytes;
    cell->size = total + VIEW_SIZE;
    cell->starts = (const uint8_t *)positions;
    cell->ends = cell->starts + (narrow ? 4 : 8);
    cell->wide_starts = !narrow;
    row_set_alive(cell, alive);
    return 0;
}

static int row_prepare(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t first, int64_t n,
                       RowAlive above);

/* The rows of n values of one column, from `first` on, and `more` bytes after them. */
static int row_encode(RowScratch *scratch, const RowNode *node, const struct ArrowArray *array, int64_t first, int64_t n,
                      int64_t more, RowRows *rows) {
    RowCells cells = {.scratch = scratch};
    rows->positions = row_scratch(scratch, (n + 2) * (int64_t)sizeof *rows->positions);
    if (!rows->positions || (n && row_prepare(&cells, node, array, first, n, (RowAlive){0}))) return -1;
    rows->positions[0] = 0;
    if (n) row_measure(cells.cells, cells.count, n, 0, rows->positions);
    rows->slack = ROW_SHORT;
    rows->data = row_scratch(scratch, rows->positions[n] + more + rows->slack);
    if (!rows->data) return -1;
    if (n) row_write(cells.cells, cells.count, n, rows->data, rows->positions);
    return 0;
}

/* The same, and the row of a null after them. */
static int row_encode_with_null(RowScratch *scratch, const RowNode *node, const struct ArrowArray *array, int64_t first,
                                int64_t n, RowRows *rows) {
    if (row_encode(scratch, node, array, first, n, node->null_size, rows)) return -1;
    memcpy(rows->data + rows->positions[n], node->null, node->null_size);
    rows->positions[n + 1] = rows->positions[n] + node->null_size;
    return 0;
}

/* A cell whose n values are rows, and memory for where each starts and ends. */
typedef struct RowChosen {
    uint8_t *starts, *ends;
    int wide;
} RowChosen;

/* Adds the cell of rows that are to be chosen of `count` and the null's. */
static int row_add_rows(RowCells *to, const RowRows *rows, int64_t count, int64_t n, RowChosen *chosen) {
    const int64_t size = rows->positions[count + 1];
    const int wide = size > INT32_MAX, unit = wide ? 8 : 4;
    uint8_t *starts = row_scratch(to->scratch, 2 * n * unit + 1);
    const RowCell shape = {.kind = ROW_RAW, .null_byte = -1, .data = rows->data, .size = size + rows->slack, .starts = starts,
                           .ends = starts + n * unit, .wide_starts = wide};
    *chosen = (RowChosen){starts, starts + n * unit, wide};
    return starts && row_cells_add(to, &shape) ? 0 : -1;
}

static inline void row_choose(RowChosen chosen, int64_t i, int64_t start, int64_t end) {
    if (chosen.wide) {
        ((int64_t *)chosen.starts)[i] = start;
        ((int64_t *)chosen.ends)[i] = end;
    } else {
        ((int32_t *)chosen.starts)[i] = (int32_t)start;
        ((int32_t *)chosen.ends)[i] = (int32_t)end;
    }
}

/* Batches of one table have dictionaries of their own, in the same memory. */
static int row_same_values(const struct ArrowArray *a, const struct ArrowArray *b) {
    if (a == b) return 1;
    if (a->n_children || b->n_children || a->dictionary || a->length != b->length || a->offset != b->offset) return 0;
    return a->n_buffers == b->n_buffers && !memcmp(a->buffers, b->buffers, a->n_buffers * sizeof *a->buffers);
}

static const RowRows *row_dictionary(RowScratch *lasting, const RowNode *node, const struct ArrowArray *values) {
    for (RowKept *kept = lasting->kept; kept; kept = kept->next)
        if (kept->node == node && row_same_values(kept->values, values)) return &kept->rows;
    RowKept *kept = row_scratch(lasting, sizeof *kept);
    if (!kept || row_encode_with_null(lasting, node, values, 0, values->length, &kept->rows)) return NULL;
    kept->node = node;
    kept->values = values;
    kept->next = lasting->kept;
    lasting->kept = kept;
    return &kept->rows;
}

/* Keys out of range may stand under nulls of parents: they are nulls. Where few rows use few values, no others are encoded. */
static int row_add_dictionary(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t place, int64_t n,
                              RowAlive alive) {
    int64_t low, high, count = array->dictionary->length;
    int64_t *keys = row_scratch(to->scratch, (n + 1) * (int64_t)sizeof *keys);
    if (!keys) return -1;
    row_read_keys(node, array->buffers[1], place, n, alive, count, keys, &low, &high);
    const RowRows *rows;
    RowRows some;
    if (high - low < n) {
        count = high < 0 ? 0 : high - low + 1;
        rows = row_encode_with_null(to->scratch, node->children, array->dictionary, low, count, &some) ? NULL : &some;
    } else {
        low = 0;
        rows = row_dictionary(to->scratch->lasting, node->children, array->dictionary);
    }
    if (!rows) return -1;
    RowChosen chosen;
    if (row_add_rows(to, rows, count, n, &chosen)) return -1;
    const int64_t *positions = rows->positions;
    for (int64_t i = 0; i < n; i++) {
        const int64_t key = keys[i] < 0 ? count : keys[i] - low;
        row_choose(chosen, i, positions[key], positions[key + 1]);
    }
    return 0;
}

/* Rows as values of a cell that other rows consist of. */
static int row_wrap(RowScratch *scratch, const RowCell *shape, RowRows *rows, int64_t count) {
    RowCell cell = *shape;
    RowRows made = {.positions = row_scratch(scratch, (count + 1) * (int64_t)sizeof *made.positions), .slack = ROW_SHORT};
    if (!made.positions) return -1;
    cell.data = rows->data;
    cell.size = rows->positions[count];
    cell.starts = (const uint8_t *)rows->positions;
    cell.ends = (const uint8_t *)(rows->positions + 1);
    cell.wide_starts = 1;
    row_measure(&cell, 1, count, 0, made.positions);
    made.data = row_scratch(scratch, made.positions[count] + made.slack);
    if (!made.data) return -1;
    row_write(&cell, 1, count, made.data, made.positions);
    *rows = made;
    return 0;
}

/* The first run that ends after a place, or the last one. */
static int64_t row_run(const struct ArrowArray *ends, int unit, int64_t place) {
    int64_t low = 0, high = ends->length - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (row_integer(ends->buffers[1], unit, 0, ends->offset + middle) <= place) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The row of each run is made once. */
static int row_add_runs(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t place, int64_t n,
                        RowAlive alive) {
    const struct ArrowArray *ends = array->children[0];
    const int64_t low = row_run(ends, node->unit, place), count = row_run(ends, node->unit, place + n - 1) + 1 - low;
    RowRows rows;
    RowChosen chosen;
    if (row_encode_with_null(to->scratch, node->children, array->children[1], low, count, &rows)) return -1;
    if (row_wrap(to->scratch, &node->cell, &rows, count + 1) || row_add_rows(to, &rows, count, n, &chosen)) return -1;
    for (int64_t run = 0, i = 0; run < count; run++) {
        const int64_t end = row_integer(ends->buffers[1], node->unit, 0, ends->offset + low + run) - place;
        const int64_t stop = run + 1 < count && end < n ? end : n, a = rows.positions[run], b = rows.positions[run + 1];
        for (; i < stop; i++) row_choose(chosen, i, a, b);
    }
    for (int64_t i = 0; alive.bits && i < n; i++)
        if (!row_is_alive(alive, i)) row_choose(chosen, i, rows.positions[count], rows.positions[count + 1]);
    return 0;
}

static int row_add_constant(RowCells *to, const RowNode *node, int64_t n) {
    const RowRows rows = {(uint8_t *)node->null, (int64_t[]){0, node->null_size}, 0};
    RowChosen chosen;
    if (row_add_rows(to, &rows, 0, n, &chosen)) return -1;
    for (int64_t i = 0; i < n; i++) row_choose(chosen, i, 0, node->null_size);
    return 0;
}

static int row_add_struct(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t place, int64_t n,
                          RowAlive alive) {
    if (node->has_cell) {
        RowCell *cell = row_cells_add(to, &node->cell);
        if (!cell) return -1;
        row_set_alive(cell, alive);
    }
    for (int32_t k = 0; k < node->child_count; k++)
        if (row_prepare(to, &node->children[k], array->children[k], place, n, alive)) return -1;
    return 0;
}

/* Whether a list's items are numbers in blocks of 8 bytes. */
static inline int row_has_plain_items(const RowNode *node) {
    return node->children->kind == NODE_NUMBER && row_is_number(&node->children->cell) && node->cell.narrow == 4;
}

/* Numbers are written from where they are, into blocks of 8 bytes; other elements as rows first. */
static int row_add_list(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t place, int64_t n,
                        RowAlive alive) {
    const uint8_t *offsets = (const uint8_t *)array->buffers[1] + place * node->unit;
    const RowNode *child = node->children;
    const struct ArrowArray *values = array->children[0];
    RowCell list = node->cell;
    list.starts = offsets;
    list.ends = offsets + node->unit;
    list.wide_starts = node->unit == 8;
    row_set_alive(&list, alive);
    if (row_has_plain_items(node)) {
        RowCell *item = row_scratch(to->scratch, sizeof *item);
        RowAlive own;
        if (!item || row_alive(to->scratch, values, values->offset, values->length, (RowAlive){0}, &own)) return -1;
        *item = child->cell;
        item->data = (const uint8_t *)values->buffers[1] + values->offset * item->width;
        row_set_alive(item, own);
        list.item = item;
        list.item_size = row_fixed_size(item);
    } else {
        const int64_t first = row_position(offsets, node->unit == 8, 0);
        const int64_t count = row_position(offsets, node->unit == 8, n) - first;
        RowRows rows;
        if (row_encode(to->scratch, child, values, first, count, 0, &rows)) return -1;
        list.data = rows.data;
        list.size = rows.positions[count];
        list.items = (const uint8_t *)rows.positions;
        list.first_item = first;
    }
    return row_cells_add(to, &list) ? 0 : -1;
}

/* Adds the cells of n values of a column, from `first` on; -1 without memory. */
static int row_prepare(RowCells *to, const RowNode *node, const struct ArrowArray *array, int64_t first, int64_t n,
                       RowAlive above) {
    const int64_t place = array->offset + first;
    RowAlive alive;
    RowCell *cell;
    if (row_alive(to->scratch, array, place, n, above, &alive)) return -1;
    switch (node->kind) {
    case NODE_NUMBER:
        if (!(cell = row_cells_add(to, &node->cell))) return -1;
        cell->data = (const uint8_t *)array->buffers[1] + place * cell->width;
        cell->size = n * cell->width;
        row_set_alive(cell, alive);
        return 0;
    case NODE_BITS: return row_add_bits(to, node, array->buffers[1], place, n, alive);
    case NODE_PARTS:
        return row_add_parts(to, node, (const uint8_t *)array->buffers[1] + place * node->cell.width, n, alive);
    case NODE_BYTES: return row_add_bytes(to, node, array, place, n, alive);
    case NODE_VIEW: return row_add_views(to, node, array, place, n, alive);
    case NODE_CONSTANT: return row_add_constant(to, node, n);
    case NODE_STRUCT: return row_add_struct(to, node, array, place, n, alive);
    case NODE_LIST: return row_add_list(to, node, array, place, n, alive);
    case NODE_DICTIONARY: return row_add_dictionary(to, node, array, place, n, alive);
    default: return row_add_runs(to, node, array, place, n, alive);
    }
}
