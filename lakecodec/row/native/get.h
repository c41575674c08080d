/* Reading cells: every byte is checked before it is used, and each cell column by column over a stretch of rows. */
#ifndef LAKECODEC_ROW_GET_H
#define LAKECODEC_ROW_GET_H

#include "cells.h"
#include "common/utf8.h"

#define ROW_HIGH_BITS 0x8080808080808080u

/* A stretch of rows: their starts and ends in `data`, and where the next cell of each begins. */
typedef struct RowStretch {
    const uint8_t *data;
    const int64_t *starts, *ends;
    int64_t *pos;
    int64_t from, n;
    int64_t stride; /* not 0: rows follow each other at this distance, were checked to have it, and pos[0] is kept only */
} RowStretch;

static int row_fail(RowError *e, const RowStretch *s, int64_t i, const uint8_t *at, int rule) {
    e->row = s->from + i;
    e->offset = at - (s->data + s->starts[i]);
    e->rule = rule;
    return -1;
}

/* ---- fixed width ---- */

/* Requires that every row has some bytes left. */
ROW_INLINE int row_need(const RowStretch *s, RowError *e, int64_t bytes) {
    int64_t enough = 0;
    for (int64_t i = 0; i < s->n; i++) enough |= s->ends[i] - s->pos[i] - bytes;
    for (int64_t i = 0; enough < 0 && i < s->n; i++)
        if (s->ends[i] - s->pos[i] < bytes) return row_fail(e, s, i, s->data + s->pos[i], ROW_TRUNCATED);
    return 0;
}

ROW_INLINE uint64_t row_value_bits(uint64_t x, int width, int payload, uint64_t flip) {
    x = row_swap(x, width) ^ flip;
    if (payload >= ROW_FLOAT) x ^= (0 - (x >> (8 * width - 1))) & (((uint64_t)1 << (8 * width - 1)) - 1);
    return x;
}

/* The loops below work on copies of what they read: stores of bytes might otherwise be taken to change it. */
ROW_INLINE int row_get_number(RowCell *c, const RowStretch *stretch, RowError *e, const int width, const int payload,
                              const int strided) {
    const RowStretch copy = *stretch, *s = &copy;
    const uint64_t top = (uint64_t)1 << (8 * width - 1);
    const uint64_t flip = (c->invert ? row_low_bytes(width) : 0) ^ (payload == ROW_UNSIGNED ? 0 : top);
    const uint8_t present = (uint8_t)c->present, null_byte = (uint8_t)c->null_byte;
    uint8_t *out = c->out + s->from * width, *valid = c->out_valid + (s->from >> 3);
    const uint8_t *base = s->data + s->pos[0];
    if (!strided && row_need(s, e, 1 + width)) return -1;
    uint64_t others = c->nulls; /* a column that had nulls has more of them */
    for (int64_t i = 0; !c->nulls && i < s->n; i++) {
        const uint8_t *p = strided ? base + i * s->stride : s->data + s->pos[i];
        uint64_t x = 0;
        memcpy(&x, p + 1, width);
        x = row_value_bits(x, width, payload, flip);
        memcpy(out + i * width, &x, width);
        others |= p[0] ^ present;
    }
    if (others) {
        uint8_t flags[ROW_BLOCK + 8];
        uint64_t bad = 0;
        int64_t count = 0;
        for (int64_t i = 0; i < s->n; i++) {
            const uint8_t *p = strided ? base + i * s->stride : s->data + s->pos[i];
            const uint64_t mask = 0 - (uint64_t)(p[0] == present);
            uint64_t x = 0;
            memcpy(&x, p + 1, width);
            bad |= ~mask & (x | (uint64_t)(p[0] ^ null_byte));
            x = row_value_bits(x, width, payload, flip) & mask;
            memcpy(out + i * width, &x, width);
            flags[i] = (uint8_t)(mask & 1);
            count += mask & 1;
        }
        for (int64_t i = 0; bad && i < s->n; i++) {
            const uint8_t *p = strided ? base + i * s->stride : s->data + s->pos[i];
            uint64_t x = 0;
            memcpy(&x, p + 1, width);
            if (p[0] != present && (x | (uint64_t)(p[0] ^ null_byte)))
                return row_fail(e, s, i, p, p[0] == null_byte ? ROW_NULL_PADDING : ROW_SENTINEL);
        }
        row_pack_bits(flags, s->n, valid);
        c->nulls += s->n - count;
    } else {
        for (int64_t i = 0; i < s->n; i += 8) *valid++ = 0xFF;
    }
    if (strided) s->pos[0] += 1 + width;
    else for (int64_t i = 0; i < s->n; i++) s->pos[i] += 1 + width;
    return 0;
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

ROW_CLONES static int row_get_fixed(RowCell *c, const RowStretch *s, RowError *e) {
#define ROW_CASE(WIDTH, PAYLOAD) case (WIDTH) * 8 + (PAYLOAD): \
        return s->stride ? row_get_number(c, s, e, WIDTH, PAYLOAD, 1) : row_get_number(c, s, e, WIDTH, PAYLOAD, 0);
#define ROW_ALL(WIDTH) ROW_CASE(WIDTH, ROW_UNSIGNED) ROW_CASE(WIDTH, ROW_SIGNED)
    const int payload = c->payload >= ROW_FLOAT && c->payload != ROW_COPY ? ROW_FLOAT : c->payload;
    if (c->present >= 0) switch (c->width * 8 + payload) {
        ROW_ALL(1) ROW_ALL(2) ROW_ALL(4) ROW_ALL(8)
        ROW_CASE(2, ROW_FLOAT) ROW_CASE(4, ROW_FLOAT) ROW_CASE(8, ROW_FLOAT)
    }
    return row_get_copied(c, s, e);
#undef ROW_CASE
#undef ROW_ALL
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

/* Reads one cell of every row of the stretch; 0, or -1 with the error filled in. */
ROW_CLONES static int row_get(RowCell *c, const RowStretch *s, RowError *e) {
    if (c->kind == ROW_FIXED) return row_get_fixed(c, s, e);
    if (c->kind == ROW_BLOCKS && c->narrow == 4 && !c->wide && c->null_byte >= 0)
        return c->text ? row_get_values(c, s, e, ROW_BLOCKS, 4, 0, 1) : row_get_values(c, s, e, ROW_BLOCKS, 4, 0, 0);
    return row_get_values(c, s, e, c->kind, c->narrow, c->wide, c->text);
}

#endif
