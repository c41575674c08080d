/* Columns of several row groups as one. */
#pragma once

#include "memory.h"

/* Joining copies, which is worth it only where an array for each part costs more. */
enum { COLUMNS_MOST_JOINED = 3 << 20 };

/* Appends bits to `at` others; the bytes after these are 0. */
static inline void columns_append_bits(uint8_t *bits, int64_t at, const uint8_t *more, int64_t count) {
    const int shift = (int)(at & 7);
    uint8_t *to = bits + (at >> 3);
    for (int64_t i = 0; i < count; i += 8) {
        const unsigned used = count - i < 8 ? (1u << (count - i)) - 1 : 255u;
        const unsigned placed = (more == NULL ? used : more[i >> 3] & used) << shift;
        to[0] |= (uint8_t)placed;
        if (placed >> 8) to[1] |= (uint8_t)(placed >> 8);
        to++;
    }
}

static inline int64_t column_data_size(const Column *c) {
    switch (c->plan->form) {
    case FORM_BITS: return (c->rows + 7) >> 3;
    case FORM_FIXED: return c->rows * c->plan->out_width;
    default: return c->offsets[c->rows];
    }
}

/* Bytes of the buffers of some decoded columns. */
static inline int64_t columns_nbytes(const Column *columns, int64_t count) {
    int64_t size = 0;
    for (const Column *c = columns; c < columns + count; c++)
        size += column_data_size(c) + (c->rows >> 3) + (c->offsets ? 4 * c->rows : 0);
    return size;
}

/* One column of `count` decoded ones of the same plan, each `stride` after the one before; -1 without memory. Its room,
 * if any, is set. */
static int columns_join(const Column *parts, int64_t count, int64_t stride, Column *joined) {
    int64_t size = 0, rows = 0;
    joined->plan = parts->plan;
    for (const Column *c = parts; c < parts + count * stride; c += stride) {
        joined->rows += c->rows;
        joined->live += c->live;
        size += column_data_size(c);
    }
    if (column_allocate(joined, size)) return -1;
    if (joined->validity) memset(joined->validity, 0, ((joined->rows + 63) >> 6) * 8);
    if (joined->plan->form == FORM_BITS) memset(joined->data, 0, (joined->rows + 7) >> 3);
    size = 0;
    for (const Column *c = parts; c < parts + count * stride; c += stride) {
        const int64_t more = column_data_size(c);
        if (joined->validity) columns_append_bits((uint8_t *)joined->validity, rows, (const uint8_t *)c->validity, c->rows);
        if (joined->plan->form == FORM_BITS) columns_append_bits(joined->data, rows, c->data, c->rows);
        else memcpy(joined->data + size, c->data, more);
        if (joined->offsets)
            for (int64_t i = 0; i <= c->rows; i++) joined->offsets[rows + i] = (int32_t)size + c->offsets[i];
        rows += c->rows;
        size += more;
    }
    return 0;
}
