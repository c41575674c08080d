/* Writing cells of fixed width, which have the same place in every row or follow those that have not. */
#pragma once

#include "cells.h"
#include "dense.h"

/* A case for every width and order of bits that numbers are written with. */
#define ROW_INTS(WIDTH) ROW_CASE(WIDTH, ROW_UNSIGNED) ROW_CASE(WIDTH, ROW_SIGNED)
#define ROW_FLOATS(WIDTH) ROW_CASE(WIDTH, ROW_FLOAT) ROW_CASE(WIDTH, ROW_CANONICAL_FLOAT) ROW_CASE(WIDTH, ROW_OUTSIDE_FLOAT)
#define ROW_PUT_NUMBERS ROW_INTS(1) ROW_INTS(2) ROW_INTS(4) ROW_INTS(8) ROW_FLOATS(2) ROW_FLOATS(4) ROW_FLOATS(8)

ROW_INLINE uint64_t row_order_bits(uint64_t x, int width, int payload, uint64_t flip, uint64_t nan) {
    const uint64_t top = (uint64_t)1 << (8 * width - 1);
    if (payload == ROW_CANONICAL_FLOAT || payload == ROW_OUTSIDE_FLOAT) {
        const uint64_t infinity = width == 8 ? 0x7FF0000000000000u : width == 4 ? 0x7F800000u : 0x7C00u;
        const uint64_t quiet = width == 8 ? 0x7FF8000000000000u : width == 4 ? 0x7FC00000u : 0x7E00u;
        x = x == top ? 0 : x;
        if (payload == ROW_OUTSIDE_FLOAT && (x & (top - 1)) > infinity) return nan;
        x = (x & (top - 1)) > infinity ? quiet : x;
    }
    if (payload >= ROW_FLOAT) x ^= (0 - (x >> (8 * width - 1))) & (top - 1);
    return x ^ flip;
}

/* Numbers of one byte that rows consist of. */
ROW_INLINE void row_put_pairs(const RowCell *c, uint8_t *p, const uint8_t *in, const uint8_t *valid, int64_t n, uint8_t flip) {
    const uint8_t present = (uint8_t)c->present, null_byte = (uint8_t)c->null_byte;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t mask = valid ? (uint8_t)(0 - (valid[i] != 0)) : 0xFF;
        p[2 * i] = (present & mask) | (null_byte & ~mask);
        p[2 * i + 1] = (in[i] ^ flip) & mask;
    }
}

/* The loops below work on copies of cells: stores of bytes might otherwise be taken to change them. */
ROW_INLINE void row_put_numbers(const RowCell *c, uint8_t *out, const int64_t *pos, int64_t stride, int64_t from, int64_t n,
                                const int width, const int payload, const int nullable, const int lanes) {
    const uint64_t all = row_low_bytes(width), top = (uint64_t)1 << (8 * width - 1);
    const uint64_t flip = (c->invert ? all : 0) ^ (payload == ROW_UNSIGNED ? 0 : top);
    const uint64_t nan = c->nan_last ? all : 0;
    const uint8_t present = (uint8_t)c->present, null_byte = (uint8_t)c->null_byte;
    const uint8_t *in[ROW_LANES];
    uint8_t valid[ROW_LANES][ROW_BLOCK + 8];
    for (int k = 0; k < lanes; k++) {
        in[k] = c[k].data + from * width;
        if (nullable) row_spread_bits(c[k].valid, c[k].bit + from, n, valid[k]);
    }
    if (width == 1 && lanes == 1 && !pos && stride == 2) {
        row_put_pairs(c, out, in[0], nullable ? valid[0] : NULL, n, (uint8_t)flip);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        uint8_t *p = pos ? out + pos[i] : out + i * stride;
        for (int k = 0; k < lanes; k++, p += 1 + width) {
            uint64_t x = 0, mask = ~(uint64_t)0;
            if (nullable) mask = 0 - (uint64_t)(valid[k][i] != 0);
            memcpy(&x, in[k] + i * width, width);
            x = row_swap(row_order_bits(x, width, payload, flip, nan) & mask, width);
            p[0] = (uint8_t)((present & mask) | (null_byte & ~mask));
            memcpy(p + 1, &x, width);
        }
    }
}

/* Any width, bytes in order; without a present byte the null byte takes the payload's first place. */
static void row_put_copied(const RowCell *shared, uint8_t *out, const int64_t *pos, int64_t stride, int64_t from,
                           int64_t n) {
    const RowCell cell = *shared, *c = &cell;
    const int width = c->width, before = c->present >= 0;
    const uint8_t *in = c->data + from * width;
    for (int64_t i = 0; i < n; i++, in += width) {
        uint8_t *p = pos ? out + pos[i] : out + i * stride;
        if (c->valid && !row_bit(c->valid, c->bit + from + i)) {
            memset(p, 0, before + width);
            p[0] = (uint8_t)c->null_byte;
            continue;
        }
        if (before) *p++ = (uint8_t)c->present;
        for (int k = 0; k < width; k++) p[k] = in[k] ^ c->invert;
    }
}

/* One column, or ROW_LANES of one shape, at `out` + `pos` or a stride from `out`. */
ROW_CLONES static void row_put_fixed(const RowCell *c, int lanes, uint8_t *out, const int64_t *pos, int64_t stride,
                                     int64_t from, int64_t n) {
#define ROW_CASE(WIDTH, PAYLOAD)                                                                                \
    case (WIDTH) * 8 + (PAYLOAD):                                                                               \
        if (lanes > 1 && c->valid) row_put_numbers(c, out, pos, stride, from, n, WIDTH, PAYLOAD, 1, ROW_LANES); \
        else if (lanes > 1) row_put_numbers(c, out, pos, stride, from, n, WIDTH, PAYLOAD, 0, ROW_LANES);        \
        else if (c->valid) row_put_numbers(c, out, pos, stride, from, n, WIDTH, PAYLOAD, 1, 1);                 \
        else if (pos) row_put_numbers(c, out, pos, 0, from, n, WIDTH, PAYLOAD, 0, 1);                           \
        else row_put_numbers(c, out, NULL, stride, from, n, WIDTH, PAYLOAD, 0, 1);                              \
        return;
    if (row_is_number(c)) switch (c->width * 8 + c->payload) {
        ROW_PUT_NUMBERS
    }
    row_put_copied(c, out, pos, stride, from, n);
#undef ROW_CASE
}

/* Neighbouring columns of fixed width: they have the same place in every row. */
static void row_put_run(const RowCell *c, int count, uint8_t *out, const int64_t *pos, int64_t stride, int64_t from,
                        int64_t n) {
    for (int k = 0, lanes; k < count; k += lanes) {
        lanes = row_lanes(c + k, count - k);
        const int64_t size = row_fixed_size(c + k);
        const int64_t done = lanes > 1 && ROW_HAS_FOURS(c + k) ? row_put_columns(c + k, lanes, out, pos, stride, from, n) : 0;
        const int some = lanes == ROW_LANES ? ROW_LANES : 1;
        if (!done) lanes = some;
        for (int j = 0; done < n && j < lanes; j += some)
            row_put_fixed(c + k + j, some, out + done * stride + j * size, pos ? pos + done : NULL, stride, from + done, n - done);
        out += lanes * size;
    }
}
