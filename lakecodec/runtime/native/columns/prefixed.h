/* Values after a varint with their length: bytes, text and integers. */
#pragma once

#include "column.h"
#include "values.h"
#include "common/utf8.h"

/* The length at `*p`, past which `*p` is moved; -1 with `*rule` where none is. */
static inline int64_t columns_long_prefix(const uint8_t **p, const uint8_t *end, int *rule) {
    uint64_t size = 0;
    const uint8_t *s = *p;
    for (int shift = 0; shift < 35; shift += 7) {
        if (s == end) { *rule = RULE_TRUNCATED; return -1; }
        const uint8_t byte = *s++;
        size |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            if (size >> 32) break;
            *p = s;
            return (int64_t)size;
        }
    }
    *rule = RULE_PREFIX;
    return -1;
}

/* The length of the value at `*p`, which is moved to its first byte; -1 with `*rule` where that many are not there. */
COLUMNS_INLINE int64_t columns_prefix(const ColumnPlan *plan, const uint8_t **p, const uint8_t *end, int *rule) {
    int64_t size;
    if (*p < end && **p < 128) size = *(*p)++;
    else if ((size = columns_long_prefix(p, end, rule)) < 0) return -1;
    if (size < plan->least || size > plan->most) { *rule = RULE_BOUNDS; return -1; }
    if (size > end - *p) { *rule = RULE_TRUNCATED; return -1; }
    return size;
}

/* Values that are looked at together, and bytes in which they are looked for. */
enum { COLUMNS_ALIKE = 4, COLUMNS_AHEAD = 512 };

/*
 * Whether the next values have `size` bytes, as the one before had, and `most` at most: none of them waits for the one before it
 * then. Most columns have values of few lengths.
 */
COLUMNS_INLINE int columns_alike(const uint8_t *p, const uint8_t *end, int64_t size, int64_t most) {
    if (end - p < COLUMNS_AHEAD) return 0;
    const int64_t step = (size & 127) + 1;
    return ((p[0] ^ size) | (p[step] ^ size) | (p[2 * step] ^ size) | (p[3 * step] ^ size) | (size > most)) == 0;
}

/* The position after `count` values, and their bytes without prefixes; NULL with what is wrong where. */
static inline const uint8_t *columns_walk(const ColumnPlan *plan, const uint8_t *p, const uint8_t *end, int64_t count,
                                   int64_t *content, int *rule, const uint8_t **at) {
    int64_t sum = 0, size = 128;
    for (int64_t i = 0; i < count;) {
        if (count - i >= COLUMNS_ALIKE && columns_alike(p, end, size, 127)) {
            p += COLUMNS_ALIKE * (size + 1);
            sum += COLUMNS_ALIKE * size;
            i += COLUMNS_ALIKE;
            continue;
        }
        for (const int64_t to = count - i < COLUMNS_ALIKE ? count : i + COLUMNS_ALIKE; i < to; i++) {
            const uint8_t *first = p;
            size = columns_prefix(plan, &p, end, rule);
            if (size < 0) { *at = first; return NULL; }
            p += size;
            sum += size;
        }
    }
    *content = sum;
    return p;
}

/* Fails with the rule that the values break: one about where they are before one about text. */
static inline int columns_explain(Column *c) {
    int64_t content;
    int rule = 0;
    const uint8_t *p = c->values.start, *at = NULL, *end = c->values.end;
    const uint8_t *after = columns_walk(c->plan, p, end, c->values.count, &content, &rule, &at);
    if (after == NULL) return column_fail(c, rule, at);
    if (after != end) return column_fail(c, RULE_LEFTOVER, after);
    for (int64_t i = 0; i < c->values.count; i++) {
        const uint8_t *first = p;
        const int64_t size = columns_prefix(c->plan, &p, end, &rule);
        if (size < 0) return column_fail(c, rule, first);
        if (!row_utf8_valid(p, size)) return column_fail(c, RULE_TEXT, first);
        p += size;
    }
    /* Others changed the shared memory since, or the bytes are too many. */
    return column_fail(c, c->plan->text ? RULE_TEXT : RULE_LEFTOVER, c->values.start);
}

/* Copies in steps of 32 bytes: what lies after may be read until `limit`, and the target has as much slack. */
COLUMNS_INLINE void columns_copy(uint8_t *to, const uint8_t *from, int64_t size, const uint8_t *limit) {
    if (limit - from >= size + COLUMNS_SLACK) {
        int64_t k = 0;
        do memcpy(to + k, from + k, COLUMNS_SLACK);
        while ((k += COLUMNS_SLACK) < size);
    }
    else memcpy(to, from, (size_t)size);
}

/* The bits that any of the bytes has. */
COLUMNS_VECTOR static uint8_t columns_united(const uint8_t *bytes, int64_t n) {
    uint8_t all = 0;
    for (int64_t i = 0; i < n; i++) all |= bytes[i];
    return all;
}

/* Whether values are UTF-8 each: that all are together, and none begins inside a character. Ends are those of `out`. */
static inline int columns_text(const uint8_t *out, const int32_t *ends, int64_t n) {
    const uint8_t *s = out + ends[0];
    const int64_t size = ends[n] - ends[0];
    if (columns_united(s, size) < 128) return 1;
    for (int64_t i = 0; i < n; i++)
        if (ends[i] < ends[i + 1] && (out[ends[i]] & 0xC0) == 0x80) return 0;
    return row_utf8_valid(s, size);
}

/* Copies `n` values from `*p`; `ends[0]` is where they go in `out`, the others are set. All bytes fit 32 bits and `out`. */
static inline int columns_strings(Column *c, const uint8_t **p, int64_t n, uint8_t *out, int32_t *ends) {
    const uint8_t *s = *p, *end = c->values.end, *limit = c->values.limit;
    /* Every value has a prefix; one that takes the bytes of later prefixes breaks a rule further on. */
    const int64_t content = end - c->values.start - c->values.count;
    const int64_t room = content < COLUMNS_MAX_OFFSET ? content : COLUMNS_MAX_OFFSET;
    int32_t place = ends[0];
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *first = s;
        int rule;
        const int64_t size = columns_prefix(c->plan, &s, end, &rule);
        if (size < 0) return column_fail(c, rule, first);
        if (size > room - place) return columns_explain(c);
        columns_copy(out + place, s, size, limit);
        s += size;
        ends[i + 1] = place += (int32_t)size;
    }
    *p = s;
    return c->plan->text && !columns_text(out, ends, n) ? columns_explain(c) : 0;
}

/* Big-endian two's complement numbers of 1 to 16 bytes. */
static inline int columns_integers(Column *c, const uint8_t **p, int64_t n, ColumnWide *out) {
    const uint8_t *s = *p, *end = c->values.end, *limit = c->values.limit;
    int64_t size = 128;
    for (int64_t i = 0; i < n;) {
        if (n - i >= COLUMNS_ALIKE && columns_alike(s, end, size, 8)) {
            for (int k = 0; k < COLUMNS_ALIKE; k++, s += size) {
                const int64_t x = (int64_t)columns_number8(++s, 1) >> (64 - 8 * size);
                out[i++] = columns_wide((uint64_t)x, (uint64_t)(x >> 63));
            }
            continue;
        }
        for (const int64_t to = n - i < COLUMNS_ALIKE ? n : i + COLUMNS_ALIKE; i < to; i++) {
            const uint8_t *first = s;
            uint8_t padded[16];
            int rule;
            size = columns_prefix(c->plan, &s, end, &rule);
            if (size < 0) return column_fail(c, rule, first);
            const uint8_t *from = s;
            if (limit - s < 16) from = memcpy(padded, s, (size_t)size);
            unsigned __int128 x = (unsigned __int128)columns_number8(from, 1) << 64 | columns_number8(from + 8, 1);
            x = (unsigned __int128)((__int128)x >> (128 - 8 * size));
            out[i] = columns_wide((uint64_t)x, (uint64_t)(x >> 64));
        s += size;
        }
    }
    *p = s;
    return 0;
}
