/* Reading cells: every byte is checked before it is used, and each cell column by column over a stretch of rows. */
#pragma once

#include "common/utf8.h"
#include "get_fixed.h"

#define ROW_HIGH_BITS 0x8080808080808080u

/* A value in blocks, `p` after its filled byte: writes it to *w (32 bytes of slack) and moves *w on; the position
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

/* Fetches bytes after the stretch while it is read, from `ahead` to `stop`: the part that `done` of `left` columns are. Returns
   how far. */
static inline int64_t row_fetch(const RowStretch *s, int64_t ahead, int64_t stop, int done, int left) {
    const int64_t next = ahead + (stop - ahead) * done / left;
    for (; ahead < next; ahead += 64) __builtin_prefetch(s->data + ahead, 0, 3);
    return ahead;
}

static inline void row_fetch_target(const uint8_t *p, int64_t size) {
    for (int64_t at = 0; at < size; at += 64) __builtin_prefetch(p + at, 1, 2);
}

/* Fetches where the next stretch's values of columns that were read go; texts are taken to be as long as those before. */
static void row_fetch_targets(const RowCell *c, int count, const RowStretch *s) {
    const int64_t read = s->from + s->n;
    for (; count--; c++) {
        const int64_t unit = c->kind == ROW_FIXED ? c->width : c->wide ? 8 : 4;
        if (c->kind == ROW_FIXED) {
            row_fetch_target(c->out + read * unit, s->n * unit);
        } else {
            row_fetch_target((const uint8_t *)c->out_offsets + (read + 1) * unit, s->n * unit);
            row_fetch_target(c->out + c->used, c->used * s->n / read);
        }
    }
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
    e->again |= row_enough(s, size) == s->n;
    /* The first column with an error has it, whatever is after. */
    const int64_t short_row = row_enough(s, own);
    if (short_row < s->n) return row_fail(e, s, short_row, s->data + s->pos[short_row], ROW_TRUNCATED);
    if (row_get_run(cells, 1, s)) return row_fail_number(cells, s, e);
    row_move(s, own);
    return 1;
}
