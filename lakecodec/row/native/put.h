/* Writing cells: lengths first, then column by column over a stretch of rows. */
#pragma once

#include "put_blocks.h"
#include "put_fixed.h"

ROW_INLINE uint8_t *row_put_counted(uint8_t *p, const uint8_t *s, int64_t n, uint8_t mark) {
    if (n < mark) *p++ = (uint8_t)n;
    else { const uint32_t count = (uint32_t)n; *p = mark; memcpy(p + 1, &count, 4); p += 5; }
    memcpy(p, s, n);
    return p + n;
}

/* Copies bytes that are few as a rule: nothing beyond them is read or written. */
ROW_INLINE void row_copy(uint8_t *p, const uint8_t *s, int64_t n) {
    if (n >= 8 && n <= 16) {
        const uint64_t first = row_load64(s), last = row_load64(s + n - 8);
        row_store64(p, first);
        row_store64(p + n - 8, last);
    } else if (n > 16 && n <= 32) {
        unsigned __int128 first, last;
        memcpy(&first, s, 16);
        memcpy(&last, s + n - 16, 16);
        memcpy(p, &first, 16);
        memcpy(p + n - 16, &last, 16);
    } else if (n) {
        memcpy(p, s, n);
    }
}

/* Lists of numbers; each item makes a row of 1 + width bytes, which fills a block of 8 and a ninth byte in a second one, or
   less than one block. The last of four bytes stored at once is overwritten by what follows. */
ROW_INLINE void row_put_lists_of(const RowCell *shared, uint8_t *out, int64_t *pos, int64_t from, int64_t n, const int width,
                                 const int payload) {
    const RowCell list = *shared, item = *shared->item;
    const uint64_t all = row_low_bytes(width), top = (uint64_t)1 << (8 * width - 1), over = list.invert ? ~(uint64_t)0 : 0;
    const uint64_t flip = (item.invert ? all : 0) ^ (payload == ROW_UNSIGNED ? 0 : top), nan = item.nan_last ? all : 0;
    const uint64_t value = (list.filled | (uint64_t)(uint8_t)item.present << 8) ^ over;
    const uint64_t null = (list.filled | (uint64_t)(uint8_t)item.null_byte << 8) ^ over;
    const uint32_t last = (uint32_t)(0x00010000u ^ over);
    const int wide = list.wide_starts;
    for (int64_t i = 0; i < n; i++) {
        uint8_t *p = out + pos[i];
        if (list.valid && !row_bit(list.valid, list.bit + from + i)) {
            *p = (uint8_t)list.null_byte;
            pos[i]++;
            continue;
        }
        const int64_t a = row_position(list.starts, wide, from + i), b = row_position(list.ends, wide, from + i);
        for (int64_t j = a; j < b; j++) {
            uint64_t x = 0, head = value;
            memcpy(&x, item.data + j * width, width);
            x = row_order_bits(x, width, payload, flip, nan);
            if (item.valid && !row_bit(item.valid, item.bit + j)) {
                x = 0;
                head = null;
            }
            x = row_swap(x, width);
            row_store64(p, head ^ x << 16);
            if (width == 8) {
                row_store64(p + 8, ((x >> 48 & 0xFF) | 0xFF00 | x >> 56 << 16) ^ over);
                memcpy(p + 16, &last, 4);
                p += 19;
            } else {
                p[8] = (uint8_t)over;
                p[9] = (uint8_t)((1 + width) ^ over);
                p += 10;
            }
        }
        *p++ = list.empty ^ list.invert;
        pos[i] = p - out;
    }
}

ROW_CLONES static void row_put_number_lists(const RowCell *c, uint8_t *out, int64_t *pos, int64_t from, int64_t n) {
#define ROW_CASE(WIDTH, PAYLOAD) case (WIDTH) * 8 + (PAYLOAD): row_put_lists_of(c, out, pos, from, n, WIDTH, PAYLOAD); return;
    switch (c->item->width * 8 + c->item->payload) { ROW_PUT_NUMBERS }
#undef ROW_CASE
}

/* Where an item of a list, or the one after the last, begins. */
static inline int64_t row_item(const RowCell *c, int64_t j) { return row_load_i64(c->items + 8 * (j - c->first_item)); }

/* One cell that is not null, from positions a to b of its source. */
ROW_INLINE uint8_t *row_put_value(const RowCell *c, uint8_t *p, int64_t a, int64_t b, const int kind, const int narrow) {
    const uint8_t *stop = c->data + c->size;
    switch (kind) {
    case ROW_BLOCKS:
        return row_put_blocks(p, c->data + a, b - a, stop, narrow, c->empty, c->filled, c->invert);
    case ROW_RAW:
        row_copy(p, c->data + a, b - a);
        return p + (b - a);
    case ROW_LIST:
        for (int64_t j = a; j < b; j++) {
            const int64_t u = row_item(c, j), v = row_item(c, j + 1);
            p = row_put_blocks(p, c->data + u, v - u, stop, narrow, c->empty, c->filled, c->invert);
        }
        *p = c->empty ^ c->invert;
        return p + 1;
    case ROW_SEQUENCE:
        for (int64_t j = a; j < b; j++) {
            const int64_t u = row_item(c, j), v = row_item(c, j + 1);
            *p++ = c->more ^ c->invert;
            if (v > u) memcpy(p, c->data + u, v - u);
            p += v - u;
        }
        *p = c->end ^ c->invert;
        return p + 1;
    case ROW_TERMINATED:
        for (int64_t j = a; j < b; j++) *p++ = (uint8_t)(c->data[j] + c->shift) ^ c->invert;
        *p = c->end ^ c->invert;
        return p + 1;
    default:
        return row_put_counted(p, c->data + a, b - a, c->more);
    }
}

static inline int64_t row_value_length(const RowCell *c, int64_t a, int64_t b) {
    int64_t total;
    switch (c->kind) {
    case ROW_BLOCKS: return row_blocks_length(b - a, c->narrow);
    case ROW_RAW: return b - a;
    case ROW_LIST:
        total = 1;
        for (int64_t j = a; j < b; j++)
            total += row_blocks_length(row_item(c, j + 1) - row_item(c, j), c->narrow);
        return total;
    case ROW_SEQUENCE:
        return b == a ? 1 : 1 + (b - a) + row_item(c, b) - row_item(c, a);
    case ROW_TERMINATED: return b - a + 1;
    default: return b - a + (b - a < c->more ? 1 : 5);
    }
}

ROW_INLINE void row_put_values(const RowCell *shared, uint8_t *out, int64_t *pos, int64_t from, int64_t n, const int kind,
                               const int narrow, const int nullable, const int wide, const int plain) {
    RowCell cell = *shared;
    const RowCell *c = &cell;
    if (plain) cell.invert = 0; /* tells the compiler that it is */
    for (int64_t i = 0; i < n; i++) {
        uint8_t *p = out + pos[i];
        if (nullable && !row_bit(c->valid, c->bit + from + i)) {
            if (c->null_byte >= 0) { *p = (uint8_t)c->null_byte; pos[i]++; }
            continue;
        }
        const int64_t a = row_position(c->starts, wide, from + i), b = row_position(c->ends, wide, from + i);
        pos[i] = row_put_value(c, p, a, b, kind, narrow) - out;
    }
}

/* Values that are rows already: up to 32 bytes without a branch where memory may be read and written after them. */
ROW_INLINE void row_put_rows_of(const RowCell *c, uint8_t *out, int64_t *pos, int64_t from, int64_t n, const uint8_t *stop) {
    const uint8_t *starts = c->starts + 4 * from, *ends = c->ends + 4 * from, *data = c->data;
    const int64_t readable = c->size - ROW_SHORT;
    for (int64_t i = 0; i < n; i++) {
        const int64_t a = row_load_i32(starts + 4 * i), size = row_load_i32(ends + 4 * i) - a;
        uint8_t *p = out + pos[i];
        RowWide x;
        if ((size <= ROW_SHORT) & (a <= readable) & (stop - p >= ROW_SHORT)) {
            memcpy(&x, data + a, ROW_SHORT);
            memcpy(p, &x, ROW_SHORT);
        } else {
            row_copy(p, data + a, size);
        }
        pos[i] += size;
    }
}

/* Cells of variable width of rows from .. from + n, at `out` + `pos`, which moves on. What lies between a cell and `stop` may
   be overwritten, if that is not NULL. */
ROW_CLONES static void row_put(const RowCell *c, uint8_t *out, int64_t *pos, int64_t from, int64_t n, const uint8_t *stop) {
    if (c->item) {
        row_put_number_lists(c, out, pos, from, n);
        return;
    }
    if (c->kind == ROW_BLOCKS && c->narrow == 4 && !c->wide_starts) {
        const int64_t done = stop && c->null_byte >= 0 ? row_put_shorts(c, out, pos, from, n, stop - (out + pos[n - 1])) : 0;
        if (done == n) return;
        pos += done;
        from += done;
        n -= done;
        if (c->invert) row_put_values(c, out, pos, from, n, ROW_BLOCKS, 4, c->valid != NULL, 0, 0);
        else if (c->valid) row_put_values(c, out, pos, from, n, ROW_BLOCKS, 4, 1, 0, 1);
        else row_put_values(c, out, pos, from, n, ROW_BLOCKS, 4, 0, 0, 1);
        return;
    }
    if (c->kind == ROW_RAW && !c->valid && !c->wide_starts)
        row_put_rows_of(c, out, pos, from, n, stop ? stop : out);
    else
        row_put_values(c, out, pos, from, n, c->kind, c->narrow, c->valid != NULL, c->wide_starts, 0);
}

/* A value of k bytes or items takes `least` + k * `each` bytes, a null one. */
ROW_INLINE void row_add_even_lengths(const RowCell *shared, int64_t *lengths, int64_t from, int64_t n, int64_t least,
                                     int64_t each, const int wide, const int nullable) {
    const RowCell cell = *shared, *c = &cell;
    uint8_t valid[ROW_BLOCK + 8];
    if (nullable) row_spread_bits(c->valid, c->bit + from, n, valid);
    for (int64_t i = 0; i < n; i++) {
        const int64_t size = row_position(c->ends, wide, from + i) - row_position(c->starts, wide, from + i);
        lengths[i] += nullable && !valid[i] ? 1 : least + size * each;
    }
}

/* Adds the lengths of a cell that is not FIXED. */
ROW_CLONES static void row_add_lengths(const RowCell *c, int64_t *lengths, int64_t from, int64_t n) {
    if (c->kind == ROW_BLOCKS && c->narrow == 4 && !c->wide_starts && c->null_byte >= 0) {
        row_add_block_lengths(c, lengths, from, n, 4);
        return;
    }
    if (c->item_size || (c->kind == ROW_RAW && !c->valid)) {
        const int64_t least = c->item_size ? 1 : 0, each = c->item_size ? row_blocks_length(c->item_size, c->narrow) : 1;
        if (c->wide_starts) row_add_even_lengths(c, lengths, from, n, least, each, 1, c->valid != NULL);
        else row_add_even_lengths(c, lengths, from, n, least, each, 0, c->valid != NULL);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        if (c->valid && !row_bit(c->valid, c->bit + from + i)) { lengths[i] += c->null_byte >= 0; continue; }
        lengths[i] += row_value_length(c, row_position(c->starts, c->wide_starts, from + i),
                                       row_position(c->ends, c->wide_starts, from + i));
    }
}

/* Positions of n rows and of the end, the first at `base`. */
static void row_measure(const RowCell *cells, int count, int64_t n, int64_t base, int64_t *positions) {
    const int64_t stride = row_stride(cells, count);
    int64_t lengths[ROW_BLOCK], fixed = 0;
    if (stride >= 0) {
        for (int64_t i = 0; i <= n; i++) positions[i] = base + i * stride;
        return;
    }
    for (int k = 0; k < count; k++)
        if (cells[k].kind == ROW_FIXED) fixed += row_fixed_size(&cells[k]);
    for (int64_t from = 0; from < n; from += ROW_BLOCK) {
        const int64_t m = n - from < ROW_BLOCK ? n - from : ROW_BLOCK;
        for (int64_t i = 0; i < m; i++) lengths[i] = fixed;
        for (int k = 0; k < count; k++)
            if (cells[k].kind != ROW_FIXED) row_add_lengths(&cells[k], lengths, from, m);
        for (int64_t i = 0; i < m; i++) {
            positions[from + i] = base;
            base += lengths[i];
        }
    }
    positions[n] = base;
}

/* The least that a cell takes in a row. */
static inline int64_t row_least_size(const RowCell *c) {
    return c->kind == ROW_FIXED ? row_fixed_size(c) : c->kind != ROW_RAW && c->null_byte >= 0;
}

/* Writes n rows to their positions in `out`. */
static void row_write(const RowCell *cells, int count, int64_t n, uint8_t *out, const int64_t *positions) {
    const int64_t stride = row_stride(cells, count), block = row_block_rows(positions[n] - positions[0], n);
    int64_t places[ROW_BLOCK], least = 0;
    for (int k = 0; k < count; k++) least += row_least_size(&cells[k]);
    for (int64_t from = 0; from < n; from += block) {
        const int64_t m = n - from < block ? n - from : block;
        int64_t behind = least;
        if (stride >= 0) {
            uint8_t *place = out + positions[0] + from * stride;
            const int64_t done = row_put_dense(cells, place, stride, from, m);
            row_put_run(cells, count, place + done * stride, NULL, stride, from + done, m - done);
            continue;
        }
        memcpy(places, positions + from, m * sizeof *places);
        int64_t ahead = positions[from + m], stop = count > 1 ? positions[from + 2 * m < n ? from + 2 * m : n] : ahead;
        for (int k = 0, run; k < count; k += run) {
            run = row_fixed_run(cells + k, count - k);
            if (run) {
                row_put_run(cells + k, run, out, places, 0, from, m);
                const int64_t size = row_stride(cells + k, run);
                for (int64_t i = 0; i < m; i++) places[i] += size;
                behind -= size;
            } else {
                /* Cells and rows after the first one are written after it, those after others if they lie in the row. */
                behind -= row_least_size(&cells[k]);
                row_put(&cells[k], out, places, from, m, k == 0 || behind >= ROW_SHORT ? out + positions[n] : NULL);
                run = 1;
            }
            /* The memory of the next rows is prefetched meanwhile, which are too far apart for hardware prefetching. */
            const int64_t next = ahead + (stop - ahead) * run / (count - k);
            for (; ahead < next; ahead += 64) __builtin_prefetch(out + ahead, 1, 2);
        }
    }
}
