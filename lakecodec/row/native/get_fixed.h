/* Reading cells of fixed width: every byte is checked before it is used. */
#pragma once

#include "cells.h"
#include "dense.h"

/* A stretch of rows: their starts and ends in `data`, and where the next cell of each begins; `stride` bytes from one to the
   next, 0 where that varies. */
typedef struct RowStretch {
    const uint8_t *data;
    const int64_t *starts, *ends;
    int64_t *pos;
    int64_t from, n, stride;
} RowStretch;

static int row_fail(RowError *e, const RowStretch *s, int64_t i, const uint8_t *at, int rule) {
    e->row = s->from + i;
    e->offset = at - (s->data + s->starts[i]);
    e->rule = rule;
    return -1;
}

/* A case for every width and order of bits that numbers are read with. */
#define ROW_NUMBERS                                                                          \
    ROW_CASE(1, ROW_UNSIGNED) ROW_CASE(2, ROW_UNSIGNED) ROW_CASE(4, ROW_UNSIGNED)            \
    ROW_CASE(8, ROW_UNSIGNED) ROW_CASE(1, ROW_SIGNED) ROW_CASE(2, ROW_SIGNED)                \
    ROW_CASE(4, ROW_SIGNED) ROW_CASE(8, ROW_SIGNED) ROW_CASE(2, ROW_FLOAT)                   \
    ROW_CASE(4, ROW_FLOAT) ROW_CASE(8, ROW_FLOAT)

/* How many rows have so many bytes left, up to the first that has not. */
static int64_t row_enough(const RowStretch *s, int64_t bytes) {
    int64_t least = 0, i = 0;
    for (int64_t k = 0; k < s->n; k++) least |= s->ends[k] - s->pos[k] - bytes;
    if (least >= 0) return s->n;
    while (s->ends[i] - s->pos[i] >= bytes) i++;
    return i;
}

static void row_move(const RowStretch *s, int64_t bytes) {
    for (int64_t i = 0; i < s->n; i++) s->pos[i] += bytes;
}

ROW_INLINE uint64_t row_value_bits(uint64_t x, int width, int payload, uint64_t flip) {
    x = row_swap(x, width) ^ flip;
    if (payload >= ROW_FLOAT) x ^= (0 - (x >> (8 * width - 1))) & (((uint64_t)1 << (8 * width - 1)) - 1);
    return x;
}

/* Numbers of one byte that rows consist of. */
ROW_INLINE uint8_t row_get_pairs(const RowCell *c, const uint8_t *p, uint8_t *out, uint8_t *flags, int64_t n, uint8_t flip) {
    const uint8_t present = (uint8_t)c->present, null_byte = (uint8_t)c->null_byte;
    uint8_t bad = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t first = p[2 * i], x = p[2 * i + 1], alive = first == present, mask = (uint8_t)(0 - alive);
        bad |= (uint8_t)((x | (first ^ null_byte)) & ~mask);
        out[i] = (x ^ flip) & mask;
        flags[i] = alive;
    }
    return bad;
}

/* Numbers of `lanes` columns of one shape, `skip` bytes after the rows' positions, where all rows have them; 0, or -1 where
   a rule is broken. Works on a copy of the stretch: stores of bytes might otherwise be taken to change it. */
ROW_INLINE int row_get_numbers(RowCell *c, const RowStretch *stretch, int64_t skip, const int width, const int payload,
                               const int lanes) {
    const RowStretch copy = *stretch, *s = &copy;
    const uint64_t top = (uint64_t)1 << (8 * width - 1);
    const uint64_t flip = (c->invert ? row_low_bytes(width) : 0) ^ (payload == ROW_UNSIGNED ? 0 : top);
    const uint8_t present = (uint8_t)c->present, null_byte = (uint8_t)c->null_byte;
    const uint8_t *data = s->data + skip;
    uint8_t *out[ROW_LANES];
    uint64_t others = 0; /* a column that had nulls has more of them */
    for (int k = 0; k < lanes; k++) {
        out[k] = c[k].out + s->from * width;
        others |= c[k].nulls;
    }
    int64_t i = 0;
    const int paired = width == 1 && lanes == 1 && s->stride == 2;
    if (!others && lanes > 1 && width == 8 && ROW_HAS_FOURS(c))
        i = row_get_columns(c, lanes, data, s->pos, s->from, s->n, &others);
    if (!others && !paired)
        for (; i < s->n; i++) {
            const uint8_t *p = data + s->pos[i];
            for (int k = 0; k < lanes; k++, p += 1 + width) {
                uint64_t x = 0;
                memcpy(&x, p + 1, width);
                x = row_value_bits(x, width, payload, flip);
                memcpy(out[k] + i * width, &x, width);
                others |= p[0] ^ present;
            }
        }
    if (!others && !paired) {
        for (int k = 0; k < lanes; k++) memset(c[k].out_valid + (s->from >> 3), 0xFF, (s->n + 7) >> 3);
        return 0;
    }
    uint8_t flags[ROW_LANES][ROW_BLOCK + 8];
    uint64_t bad = 0;
    i = paired ? s->n : 0;
    if (paired) bad = row_get_pairs(c, data + s->pos[0], out[0], flags[0], s->n, (uint8_t)flip);
    if (lanes > 1 && width == 8 && ROW_HAS_FOURS(c))
        i = row_get_nulls(c, lanes, data, s->pos, s->from, s->n, flags, &bad);
    for (; i < s->n; i++) {
        const uint8_t *p = data + s->pos[i];
        for (int k = 0; k < lanes; k++, p += 1 + width) {
            const uint64_t alive = p[0] == present, mask = 0 - alive;
            uint64_t x = 0;
            memcpy(&x, p + 1, width);
            bad |= ~mask & (x | (uint64_t)(p[0] ^ null_byte));
            x = row_value_bits(x, width, payload, flip) & mask;
            memcpy(out[k] + i * width, &x, width);
            flags[k][i] = (uint8_t)alive;
        }
    }
    for (int k = 0; k < lanes; k++) {
        int64_t nulls = s->n;
        for (i = 0; i < s->n; i++) nulls -= flags[k][i];
        c[k].nulls += nulls;
        row_pack_bits(flags[k], s->n, c[k].out_valid + (s->from >> 3));
    }
    return bad ? -1 : 0;
}

/* One column of numbers, or up to ROW_LANES of one shape. */
ROW_CLONES static int row_get_lanes(RowCell *c, int lanes, const RowStretch *s, int64_t skip) {
#define ROW_CASE(WIDTH, PAYLOAD) case (WIDTH) * 8 + (PAYLOAD): \
        return lanes == 1           ? row_get_numbers(c, s, skip, WIDTH, PAYLOAD, 1) \
             : lanes == ROW_LANES   ? row_get_numbers(c, s, skip, WIDTH, PAYLOAD, ROW_LANES) \
                                    : row_get_numbers(c, s, skip, WIDTH, PAYLOAD, lanes);
    switch (c->width * 8 + (c->payload >= ROW_FLOAT ? ROW_FLOAT : c->payload)) {
        ROW_NUMBERS
    default: return -1;
    }
#undef ROW_CASE
}

/* Neighbouring columns of numbers: they have the same place in every row. */
static int row_get_run(RowCell *cells, int count, const RowStretch *s) {
    int64_t skip = 0;
    for (int k = 0, lanes; k < count; k += lanes) {
        lanes = row_lanes(cells + k, count - k);
        if (row_get_lanes(cells + k, lanes, s, skip)) return -1;
        skip += lanes * row_fixed_size(cells + k);
    }
    return 0;
}

/* The number that breaks a rule. */
static int row_fail_number(const RowCell *c, const RowStretch *s, RowError *e) {
    for (int64_t i = 0; i < s->n; i++) {
        const uint8_t *p = s->data + s->pos[i];
        uint64_t x = 0;
        memcpy(&x, p + 1, c->width);
        if (p[0] != (uint8_t)c->present && (x | (uint64_t)(p[0] ^ (uint8_t)c->null_byte)))
            return row_fail(e, s, i, p, p[0] == (uint8_t)c->null_byte ? ROW_NULL_PADDING : ROW_SENTINEL);
    }
    return row_fail(e, s, 0, s->data + s->pos[0], ROW_SENTINEL);
}

static int row_get_copied(RowCell *c, const RowStretch *s, RowError *e) {
    const int width = c->width, before = c->present >= 0;
    uint8_t *out = c->out + s->from * width;
    for (int64_t i = 0; i < s->n; i++, out += width) {
        const uint8_t *p = s->data + s->pos[i];
        if (s->ends[i] - s->pos[i] < before + width) return row_fail(e, s, i, p, ROW_TRUNCATED);
        s->pos[i] += before + width;
        const int null = c->null_byte >= 0 && p[0] == (uint8_t)c->null_byte;
        const int64_t at = s->from + i;
        if ((at & 7) == 0) c->out_valid[at >> 3] = 0;
        if (null) {
            for (int k = 1; k < before + width; k++)
                if (p[k]) return row_fail(e, s, i, p, ROW_NULL_PADDING);
            if (width) memset(out, 0, width);
            c->nulls++;
            continue;
        }
        if (before && p[0] != (uint8_t)c->present) return row_fail(e, s, i, p, ROW_SENTINEL);
        c->out_valid[at >> 3] |= (uint8_t)(1 << (at & 7));
        for (int k = 0; k < width; k++) out[k] = p[before + k] ^ c->invert;
    }
    return 0;
}
