/* Reading cells: every byte is checked before it is used, and each cell column by column over a stretch of rows. */
#ifndef LAKECODEC_ROW_GET_H
#define LAKECODEC_ROW_GET_H

#include "cells.h"
#include "dense.h"
#include "common/utf8.h"

#define ROW_HIGH_BITS 0x8080808080808080u

/* A stretch of rows: their starts and ends in `data`, and where the next cell of each begins. */
typedef struct RowStretch {
    const uint8_t *data;
    const int64_t *starts, *ends;
    int64_t *pos;
    int64_t from, n;
} RowStretch;

static int row_fail(RowError *e, const RowStretch *s, int64_t i, const uint8_t *at, int rule) {
    e->row = s->from + i;
    e->offset = at - (s->data + s->starts[i]);
    e->rule = rule;
    return -1;
}

/* ---- fixed width ---- */

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

/* Numbers of `lanes` columns of one shape, `skip` bytes behind the rows' positions, where all rows have them; 0, or -1 where
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
    if (!others && lanes == 4 && width == 8 && ROW_HAS_FOURS(c)) i = row_get_columns(c, data, s->pos, s->from, s->n, &others);
    if (!others)
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
    if (!others) {
        for (int k = 0; k < lanes; k++) memset(c[k].out_valid + (s->from >> 3), 0xFF, (s->n + 7) >> 3);
        return 0;
    }
    uint8_t flags[ROW_LANES][ROW_BLOCK + 8];
    uint64_t bad = 0;
    i = 0;
    if (lanes == 4 && width == 8 && ROW_HAS_FOURS(c)) i = row_get_nulls(c, data, s->pos, s->from, s->n, flags, &bad);
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

/* One column of numbers, or ROW_LANES of one shape. */
ROW_CLONES static int row_get_lanes(RowCell *c, int lanes, const RowStretch *s, int64_t skip) {
#define ROW_CASE(WIDTH, PAYLOAD) case (WIDTH) * 8 + (PAYLOAD): \
        return lanes > 1 ? row_get_numbers(c, s, skip, WIDTH, PAYLOAD, ROW_LANES) : row_get_numbers(c, s, skip, WIDTH, PAYLOAD, 1);
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
                if (p[k]) return row_fail(e, s, i, p + k, ROW_NULL_PADDING);
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

/* ---- variable width ---- */

/* A value in blocks, `p` behind its filled byte: writes it to *w (32 bytes of slack) and moves *w on; the position
   after it, or NULL with *at and *rule set. `high` collects the bytes seen. */
ROW_INLINE const uint8_t *row_get_blocks(const uint8_t *p, const uint8_t *end, uint8_t **w, uint64_t all, int narrow,
                                         uint64_t *high, const uint8_t **at, int *rule) {
    const uint8_t invert = (uint8_t)all;
    uint8_t *out = *w;
    for (int k = 0; k < narrow; k++, p += 9) {
        if (end - p < 9) { *at = p; *rule = ROW_TRUNCATED; return NULL; }
        const uint64_t x = row_load64(p) ^ all;
        const uint8_t t = p[8] ^ invert;
        row_store64(out, x);
        *high |= x;
        if (t == 0xFF) { out += 8; continue; }
        if ((uint8_t)(t - 1) > 7) { *at = p + 8; *rule = ROW_TRAILER; return NULL; }
        if (x & ~row_low_bytes(t)) { *at = p; *rule = ROW_PADDING; return NULL; }
        *w = out + t;
        return p + 9;
    }
    const RowWide every = {all, all, all, all};
    RowWide x, ones, seen = {0, 0, 0, 0};
    for (;; p += 33) {
        if (end - p < 33) { *at = p; *rule = ROW_TRUNCATED; return NULL; }
        const uint8_t t = p[32] ^ invert;
        memcpy(&x, p, 32);
        x ^= every;
        memcpy(out, &x, 32);
        seen |= x;
        if (t == 0xFF) { out += 32; continue; }
        if ((uint8_t)(t - 1) > 31) { *at = p + 32; *rule = ROW_TRAILER; return NULL; }
        memcpy(&ones, row_ones + 32 - t, 32);
        x &= ~ones;
        if (x[0] | x[1] | x[2] | x[3]) { *at = p; *rule = ROW_PADDING; return NULL; }
        *high |= seen[0] | seen[1] | seen[2] | seen[3];
        *w = out + t;
        return p + 33;
    }
}

ROW_INLINE const uint8_t *row_get_terminated(const RowCell *c, const uint8_t *p, const uint8_t *end, uint8_t **w,
                                             uint64_t *high, const uint8_t **at, int *rule) {
    const uint8_t *stop = memchr(p, c->end ^ c->invert, end - p);
    const int64_t n = stop ? stop - p : 0;
    uint8_t *out = *w, seen = 0, low = 0;
    if (!stop) { *at = p; *rule = ROW_TRUNCATED; return NULL; }
    for (int64_t i = 0; i < n; i++) {
        const uint8_t b = p[i] ^ c->invert;
        out[i] = (uint8_t)(b - c->shift);
        seen |= out[i];
        low |= b < c->shift;
    }
    if (low) { *at = p; *rule = ROW_RANGE; return NULL; }
    *high |= (uint64_t)(seen & 0x80);
    *w = out + n;
    return stop + 1;
}

ROW_INLINE const uint8_t *row_get_counted(const RowCell *c, const uint8_t *p, const uint8_t *end, uint8_t **w,
                                          uint64_t *high, const uint8_t **at, int *rule) {
    uint32_t n = *p++;
    *at = p - 1;
    if (n == c->more) {
        *rule = ROW_TRUNCATED;
        if (end - p < 4) return NULL;
        memcpy(&n, p, 4);
        p += 4;
        *rule = ROW_SHORTEST;
        if (n < c->more) return NULL;
    }
    *rule = ROW_TRUNCATED;
    if (end - p < (int64_t)n) return NULL;
    memcpy(*w, p, n);
    *high |= ROW_HIGH_BITS;
    *w += n;
    return p + n;
}

/* Items of a list up to its empty byte; *p is its first byte and becomes the position after it. */
static const uint8_t *row_get_items(RowCell *c, const uint8_t *p, const uint8_t *end, uint8_t **w, uint64_t all,
                                    const uint8_t **at, int *rule) {
    uint64_t high = 0;
    for (;;) {
        *at = p;
        if (p >= end) { *rule = ROW_TRUNCATED; return NULL; }
        const uint8_t mark = *p++ ^ c->invert;
        if (mark == c->empty) return p;
        if (mark != c->filled) { *rule = ROW_LIST_ITEMS; return NULL; }
        p = row_get_blocks(p, end, w, all, c->narrow, &high, at, rule);
        if (!p) return NULL;
        c->out_items[++c->count] = *w - c->out;
    }
}

ROW_INLINE int row_get_values(RowCell *shared, const RowStretch *stretch, RowError *e, const int kind, const int narrow,
                              const int wide, const int text) {
    const RowStretch copy = *stretch, *s = &copy;
    RowCell cell = *shared, *c = &cell;
    const uint64_t all = c->invert ? ~(uint64_t)0 : 0;
    const uint8_t null_byte = (uint8_t)c->null_byte, invert = c->invert;
    const uint8_t empty = c->empty ^ invert, filled = c->filled ^ invert;
    const int nullable = c->null_byte >= 0;
    uint8_t flags[ROW_BLOCK + 8], *w = c->out + c->used;
    for (int64_t i = 0; i < s->n; i++) {
        const uint8_t *p = s->data + s->pos[i], *end = s->data + s->ends[i], *at = p;
        uint64_t high = 0;
        uint8_t *value = w;
        int rule = ROW_MARK, ok = 1;
        if (p >= end) return row_fail(e, s, i, p, ROW_TRUNCATED);
        if ((kind == ROW_BLOCKS) & (*p == filled)) {
            p = row_get_blocks(p + 1, end, &w, all, narrow, &high, &at, &rule);
        } else if (nullable && *p == null_byte) {
            p++; ok = 0; c->nulls++;
        } else if (kind == ROW_BLOCKS) {
            p = *p == empty ? p + 1 : NULL;
        } else if (kind == ROW_LIST) {
            p = row_get_items(c, p, end, &w, all, &at, &rule);
        } else if (kind == ROW_TERMINATED) {
            p = row_get_terminated(c, p, end, &w, &high, &at, &rule);
        } else {
            p = row_get_counted(c, p, end, &w, &high, &at, &rule);
        }
        if (!p) return row_fail(e, s, i, at, rule);
        if (text && (high & ROW_HIGH_BITS) && !row_utf8_valid(value, w - value))
            return row_fail(e, s, i, s->data + s->pos[i], ROW_UTF8);
        s->pos[i] = p - s->data;
        const int64_t stop = kind == ROW_LIST ? c->count : w - c->out;
        if (wide) ((int64_t *)c->out_offsets)[s->from + i + 1] = stop;
        else ((int32_t *)c->out_offsets)[s->from + i + 1] = (int32_t)stop;
        flags[i] = (uint8_t)ok;
    }
    row_pack_bits(flags, s->n, c->out_valid + (s->from >> 3));
    shared->used = w - c->out;
    shared->count = c->count;
    shared->nulls = c->nulls;
    return 0;
}

/* Lists of numbers in blocks of 8 bytes: items are written to where they stay, see row_put_lists_of. */
ROW_INLINE int row_get_lists_of(RowCell *c, const RowStretch *stretch, RowError *e, const int width, const int payload) {
    const RowStretch copy = *stretch, *s = &copy;
    const RowCell list = *c, item = *c->item;
    const uint64_t all = list.invert ? ~(uint64_t)0 : 0, top = (uint64_t)1 << (8 * width - 1);
    const uint64_t flip = (item.invert ? row_low_bytes(width) : 0) ^ (payload == ROW_UNSIGNED ? 0 : top);
    const uint8_t empty = list.empty ^ list.invert, null_byte = (uint8_t)list.null_byte;
    const int step = width == 8 ? 19 : 10;
    uint8_t flags[ROW_BLOCK + 8];
    int64_t count = list.count;
    for (int64_t i = 0; i < s->n; i++) {
        const uint8_t *p = s->data + s->pos[i], *end = s->data + s->ends[i];
        uint64_t bad = 0;
        flags[i] = p >= end || *p != null_byte;
        for (; end - p > step && *p != empty && *p != null_byte; p += step) {
            const uint64_t head = row_load64(p) ^ all;
            uint64_t x = head >> 16;
            if (width == 8) {
                const uint64_t middle = row_load64(p + 8) ^ all;
                bad |= (middle & 0xFFFFFFFFFF00FF00u) ^ 0xFF00;
                bad |= (uint32_t)row_load_i32(p + 15) ^ (uint32_t)all ^ 0x01000000u;
                x |= (middle & 0xFF) << 48 | (middle >> 16) << 56;
            } else {
                bad |= x >> (8 * width) | (uint64_t)((p[8] ^ list.invert) | (p[9] ^ list.invert ^ (1 + width)));
                x &= row_low_bytes(width);
            }
            bad |= (head & 0xFF) ^ list.filled;
            const uint8_t first = (uint8_t)(head >> 8);
            if (__builtin_expect(first != (uint8_t)item.present, 0)) {
                bad |= x | (uint64_t)(first ^ (uint8_t)item.null_byte);
                if (!c->item->nulls++) memset(item.out_valid, 0xFF, item.size);
                item.out_valid[count >> 3] &= (uint8_t)~(1 << (count & 7));
                x = 0;
            } else {
                x = row_value_bits(x, width, payload, flip);
            }
            memcpy(item.out + count++ * width, &x, width);
        }
        if (p >= end) return row_fail(e, s, i, p, ROW_TRUNCATED);
        if (bad || *p != (flags[i] ? empty : null_byte)) return row_fail(e, s, i, p, ROW_LIST_ITEMS);
        s->pos[i] = p + 1 - s->data;
        c->nulls += !flags[i];
        if (list.wide) ((int64_t *)list.out_offsets)[s->from + i + 1] = count;
        else ((int32_t *)list.out_offsets)[s->from + i + 1] = (int32_t)count;
    }
    row_pack_bits(flags, s->n, list.out_valid + (s->from >> 3));
    c->count = count;
    return 0;
}

ROW_CLONES static int row_get_number_lists(RowCell *c, const RowStretch *s, RowError *e) {
#define ROW_CASE(WIDTH, PAYLOAD) case (WIDTH) * 8 + (PAYLOAD): return row_get_lists_of(c, s, e, WIDTH, PAYLOAD);
    switch (c->item->width * 8 + (c->item->payload >= ROW_FLOAT ? ROW_FLOAT : c->item->payload)) {
        ROW_NUMBERS
    default: return -1;
    }
#undef ROW_CASE
}

/* Reads one cell of variable width, or of any bytes, of every row of the stretch; 0, or -1 with the error filled in. */
ROW_CLONES static int row_get(RowCell *c, const RowStretch *s, RowError *e) {
    if (c->kind == ROW_FIXED) return row_get_copied(c, s, e);
    if (c->item) return row_get_number_lists(c, s, e);
    if (c->kind == ROW_BLOCKS && c->narrow == 4 && !c->wide && c->null_byte >= 0)
        return c->text ? row_get_values(c, s, e, ROW_BLOCKS, 4, 0, 1) : row_get_values(c, s, e, ROW_BLOCKS, 4, 0, 0);
    return row_get_values(c, s, e, c->kind, c->narrow, c->wide, c->text);
}

/* Reads neighbouring columns of numbers, or one column: how many, or -1 with the error filled in. */
static int row_get_some(RowCell *cells, int count, const RowStretch *s, RowError *e) {
    const int run = row_number_run(cells, count);
    if (!run) return row_get(cells, s, e) ? -1 : 1;
    const int64_t size = row_stride(cells, run), own = row_fixed_size(cells);
    if (row_enough(s, size) == s->n && !row_get_run(cells, run, s)) {
        row_move(s, size);
        return run;
    }
    /* The first column with an error has it, whatever is behind. */
    const int64_t short_row = row_enough(s, own);
    if (short_row < s->n) return row_fail(e, s, short_row, s->data + s->pos[short_row], ROW_TRUNCATED);
    if (row_get_run(cells, 1, s)) return row_fail_number(cells, s, e);
    row_move(s, own);
    return 1;
}

#endif
