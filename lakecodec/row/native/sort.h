/* Stable sort of byte rows: radix passes over the bits that differ, then the rows that are still equal further on. */
#pragma once

#include "cells.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ROW_BMI2 __attribute__((target("bmi2")))
#endif

enum { ROW_SORT_WORDS = 8, ROW_SAMPLE = 1024, ROW_SMALL_RUN = 24, ROW_DIGIT = 11, ROW_BUCKETS = 1 << ROW_DIGIT, ROW_FEW_BITS = 12 };

/* A row and the high half of its key, or the low half once the high one is sorted. */
typedef struct RowKey {
    uint32_t part;
    uint32_t row;
} RowKey;

typedef struct RowSort {
    const uint8_t *data, *end;
    const int64_t *offsets;
    uint64_t *keys; /* by row number */
    RowKey *spare;
    int64_t counts[3][ROW_BUCKETS];
    int fast_pext;
} RowSort;

static inline int64_t row_rest(const RowSort *s, uint64_t row, int64_t skip) {
    return s->offsets[row + 1] - s->offsets[row] - skip;
}

/* Eight bytes of a row as a big-endian number, zeros after `left`. */
static inline uint64_t row_word(const RowSort *s, const uint8_t *p, int64_t left) {
    uint64_t x = 0;
    if (s->end - p >= 8) x = row_load64(p) & (left > 0 ? row_low_bytes(left) : 0);
    else if (left > 0) memcpy(&x, p, left);
    return __builtin_bswap64(x);
}

/* Rows of a run are scattered in memory, so they are prefetched. */
static inline void row_ahead(const RowSort *s, const RowKey *keys, int64_t i, int64_t n) {
    if (i + 32 < n) __builtin_prefetch(s->offsets + keys[i + 32].row);
    if (i + 16 < n) __builtin_prefetch(s->data + s->offsets[keys[i + 16].row]);
}

static int row_compare(const RowSort *s, uint64_t a, uint64_t b, int64_t skip) {
    const int64_t n = row_rest(s, a, skip), m = row_rest(s, b, skip);
    const int64_t shared = n < m ? n : m;
    const int order = shared > 0 ? memcmp(s->data + s->offsets[a] + skip, s->data + s->offsets[b] + skip, shared) : 0;
    return order ? order : (n > m) - (n < m);
}

static void row_insertion(const RowSort *s, RowKey *keys, int64_t n, int64_t skip) {
    for (int64_t i = 1; i < n; i++) {
        const RowKey moved = keys[i];
        int64_t j = i;
        for (; j > 0 && row_compare(s, keys[j - 1].row, moved.row, skip) > 0; j--) keys[j] = keys[j - 1];
        keys[j] = moved;
    }
}

/* Stable passes over the `bits` high bits of the parts. */
static void row_radix(RowSort *s, RowKey *keys, int64_t n, int bits) {
    const int passes = (bits + ROW_DIGIT - 1) / ROW_DIGIT, low = 32 - bits;
    RowKey *from = keys, *to = s->spare;
    memset(s->counts, 0, passes * sizeof(s->counts[0]));
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < passes; d++) s->counts[d][(keys[i].part >> (low + d * ROW_DIGIT)) & (ROW_BUCKETS - 1)]++;
    for (int d = 0; d < passes; d++) {
        int64_t *count = s->counts[d], total = 0;
        const int shift = low + d * ROW_DIGIT;
        if (count[(from[0].part >> shift) & (ROW_BUCKETS - 1)] == n) continue;
        for (int b = 0; b < ROW_BUCKETS; b++) { const int64_t c = count[b]; count[b] = total; total += c; }
        for (int64_t i = 0; i < n; i++) to[count[(from[i].part >> shift) & (ROW_BUCKETS - 1)]++] = from[i];
        RowKey *other = from; from = to; to = other;
    }
    if (from != keys) memcpy(keys, from, n * sizeof(RowKey));
}

/* Sorts by the whole key, by insertion: for few rows. */
static void row_sort_keys(const RowSort *s, RowKey *keys, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        const RowKey moved = keys[i];
        const uint64_t key = s->keys[moved.row];
        int64_t j = i;
        for (; j > 0 && s->keys[keys[j - 1].row] > key; j--) keys[j] = keys[j - 1];
        keys[j] = moved;
    }
}

/* Which bits of the words after `skip` differ within a run; words reach to the end of the shortest row. */
static int row_masks(const RowSort *s, const RowKey *keys, int64_t n, int64_t skip, int64_t width, uint64_t *masks) {
    const int words = (int)((width + 7) / 8);
    uint64_t first[ROW_SORT_WORDS];
    const uint8_t *p = s->data + s->offsets[keys[0].row] + skip;
    for (int w = 0; w < words; w++) { masks[w] = 0; first[w] = row_word(s, p + 8 * w, width - 8 * w); }
    for (int64_t i = 1; i < n; i++) {
        row_ahead(s, keys, i, n);
        p = s->data + s->offsets[keys[i].row] + skip;
        for (int w = 0; w < words; w++) masks[w] |= first[w] ^ row_word(s, p + 8 * w, width - 8 * w);
    }
    return words;
}

/* Words that some rows show to be enough for a key of 64 bits. */
static int64_t row_enough(const RowSort *s, const RowKey *keys, int64_t skip, int64_t width) {
    uint64_t masks[ROW_SORT_WORDS];
    const int words = row_masks(s, keys, ROW_SAMPLE, skip, width, masks);
    int used = 0;
    for (int w = 0; w < words; w++) {
        used += __builtin_popcountll(masks[w]);
        if (used >= 64) return 8 * (w + 1) < width ? 8 * (w + 1) : width;
    }
    return width;
}

static inline uint64_t row_pext_slow(uint64_t x, uint64_t mask) {
    uint64_t out = 0;
    while (mask) {
        const int top = 63 - __builtin_clzll(mask);
        out = (out << 1) | ((x >> top) & 1);
        mask &= ~((uint64_t)1 << top);
    }
    return out;
}

/* Keys of a run: the masked bits of up to `words` words, left-aligned. */
#define ROW_KEYS_BODY(PEXT)                                                                             \
    for (int64_t i = 0; i < n; i++) {                                                                   \
        row_ahead(s, keys, i, n);                                                                       \
        const uint8_t *p = s->data + s->offsets[keys[i].row] + skip;                                    \
        uint64_t key = 0;                                                                               \
        for (int w = 0; w < words; w++)                                                                 \
            if (masks[w]) key = (bits[w] < 64 ? key << bits[w] : 0) | PEXT(row_word(s, p + 8 * w, width - 8 * w), masks[w]); \
        s->keys[keys[i].row] = key << left;                                                             \
        keys[i].part = (uint32_t)((key << left) >> 32);                                                 \
    }

#ifdef ROW_BMI2
ROW_BMI2 static void row_keys_fast(const RowSort *s, RowKey *keys, int64_t n, int64_t skip, int64_t width, int words,
                                   const uint64_t *masks, const int *bits, int left) {
    ROW_KEYS_BODY(_pext_u64)
}
#endif

static void row_keys(const RowSort *s, RowKey *keys, int64_t n, int64_t skip, int64_t width, int words,
                     const uint64_t *masks, const int *bits, int left) {
#ifdef ROW_BMI2
    if (s->fast_pext) { row_keys_fast(s, keys, n, skip, width, words, masks, bits, left); return; }
#endif
    ROW_KEYS_BODY(row_pext_slow)
}

static void row_sort_run(RowSort *s, RowKey *keys, int64_t n, int64_t skip);

/* Orders a run whose keys are set, then every stretch of equal keys by the bytes from `skip` on; no row has any where keys
 * are `whole`. */
static void row_sort_by_key(RowSort *s, RowKey *keys, int64_t n, int used, int64_t skip, int whole) {
    row_radix(s, keys, n, used < 32 ? used : 32);
    if (whole && used <= 32) return;
    for (int64_t i = 0, j; i < n; i = j) {
        const uint32_t part = keys[i].part;
        for (j = i + 1; j < n && keys[j].part == part; j++) {}
        if (j - i == 1) continue;
        if (used > 32) {
            if (j - i <= 2 * ROW_SMALL_RUN) {
                row_sort_keys(s, keys + i, j - i);
            } else {
                for (int64_t k = i; k < j; k++) keys[k].part = (uint32_t)s->keys[keys[k].row];
                row_radix(s, keys + i, j - i, used - 32);
            }
        }
        for (int64_t a = i, b; a < j && !whole; a = b) {
            const uint64_t key = s->keys[keys[a].row];
            for (b = a + 1; b < j && s->keys[keys[b].row] == key; b++) {}
            if (b - a > 1) row_sort_run(s, keys + a, b - a, skip);
        }
    }
}

/* Moves the rows that end at `skip` to the front, both parts in their order; returns how many. */
static int64_t row_ended_first(const RowSort *s, RowKey *keys, int64_t n, int64_t skip) {
    int64_t ended = 0, others = 0;
    for (int64_t i = 0; i < n; i++) {
        if (row_rest(s, keys[i].row, skip) <= 0) keys[ended++] = keys[i];
        else s->spare[others++] = keys[i];
    }
    memcpy(keys + ended, s->spare, others * sizeof(RowKey));
    return ended;
}

/* Sorts rows that are equal up to `skip`. Depth is bounded: every call that recurses passes the bytes that differ. */
static void row_sort_run(RowSort *s, RowKey *keys, int64_t n, int64_t skip) {
    for (;;) {
        if (n <= ROW_SMALL_RUN) { row_insertion(s, keys, n, skip); return; }
        int64_t width = 8 * ROW_SORT_WORDS, longest = 0;
        for (int64_t i = 0; i < n; i++) {
            if (i + 32 < n) __builtin_prefetch(s->offsets + keys[i + 32].row);
            const int64_t rest = row_rest(s, keys[i].row, skip);
            if (rest < width) width = rest;
            if (rest > longest) longest = rest;
        }
        if (width <= 0) {
            const int64_t ended = row_ended_first(s, keys, n, skip);
            keys += ended;
            n -= ended;
            if (n <= 1) return;
            continue;
        }
        uint64_t masks[ROW_SORT_WORDS];
        int bits[ROW_SORT_WORDS], used = 0, words = 0, different = 0;
        if (n > 4 * ROW_SAMPLE) width = row_enough(s, keys, skip, width);
        const int all = row_masks(s, keys, n, skip, width, masks);
        int64_t after = width;
        for (; words < all; words++) {
            bits[words] = __builtin_popcountll(masks[words]);
            different |= bits[words];
            if (used + bits[words] > 64) {
                /* The last word gives its high bits only: the rest of it is looked at again. */
                after = 8 * words;
                while (used + bits[words] > 64) { masks[words] &= masks[words] - 1; bits[words]--; }
                used += bits[words];
                words++;
                break;
            }
            used += bits[words];
        }
        if (!different) { skip += width; continue; }
        row_keys(s, keys, n, skip, width, words, masks, bits, 64 - used);
        row_sort_by_key(s, keys, n, used, skip + after, after == longest);
        return;
    }
}

/* The size of all rows, -1 where they have several. */
static int64_t row_one_size(const RowSort *s, int64_t n) {
    const int64_t size = s->offsets[1] - s->offsets[0];
    int64_t other = 0;
    for (int64_t i = 1; i < n; i++) other |= (s->offsets[i + 1] - s->offsets[i]) ^ size;
    return other ? -1 : size;
}

/* Where the bits lie that differ between rows of one size: words with such bits, and which ones. */
typedef struct RowBits {
    int words, used, at[ROW_SORT_WORDS], widths[ROW_SORT_WORDS];
    uint64_t masks[ROW_SORT_WORDS];
} RowBits;

static void row_bits(const RowSort *s, int64_t n, int64_t size, RowBits *found) {
    const uint8_t *p = s->data + s->offsets[0], *row = p;
    found->words = found->used = 0;
    for (int64_t at = 0; at < size; at += 8, row = p + at) {
        const uint64_t first = row_word(s, row, size - at);
        uint64_t mask = 0;
        for (int64_t i = 0; i < n; i++, row += size) mask |= first ^ row_word(s, row, size - at);
        if (!mask) continue;
        found->at[found->words] = (int)at;
        found->widths[found->words] = __builtin_popcountll(mask);
        found->used += found->widths[found->words];
        found->masks[found->words++] = mask;
    }
}

#define ROW_DIGITS_BODY(PEXT)                                                                           \
    const uint8_t *row = s->data + s->offsets[0];                                                       \
    for (int64_t i = 0; i < n; i++, row += size) {                                                      \
        uint64_t digit = 0;                                                                             \
        for (int w = 0; w < bits->words; w++)                                                           \
            digit = digit << bits->widths[w] |                                                          \
                    PEXT(row_word(s, row + bits->at[w], size - bits->at[w]), bits->masks[w]);           \
        digits[i] = (uint16_t)digit;                                                                    \
    }

#ifdef ROW_BMI2
ROW_BMI2 static void row_digits_fast(const RowSort *s, int64_t n, int64_t size, const RowBits *bits, uint16_t *digits) {
    ROW_DIGITS_BODY(_pext_u64)
}
#endif

static void row_digits(const RowSort *s, int64_t n, int64_t size, const RowBits *bits, uint16_t *digits) {
#ifdef ROW_BMI2
    if (s->fast_pext) { row_digits_fast(s, n, size, bits, digits); return; }
#endif
    ROW_DIGITS_BODY(row_pext_slow)
}

/* Few distinct rows of one size, whose bits that differ make one digit: each row is counted and placed. 0 where there are more. */
static int row_place(RowSort *s, int64_t n, int64_t size, uint16_t *digits, uint64_t *out) {
    RowBits bits;
    if (size <= 0 || size > 8 * ROW_SORT_WORDS || n <= ROW_SMALL_RUN) return 0;
    row_bits(s, n < ROW_SAMPLE ? n : ROW_SAMPLE, size, &bits);
    if (bits.used > ROW_FEW_BITS) return 0;
    row_bits(s, n, size, &bits);
    if (bits.used > ROW_FEW_BITS || (int64_t)1 << bits.used > 4 * n) return 0;
    uint32_t *places = (uint32_t *)s->counts, total = 0;
    memset(places, 0, sizeof(uint32_t) << bits.used);
    row_digits(s, n, size, &bits, digits);
    for (int64_t i = 0; i < n; i++) places[digits[i]]++;
    for (int64_t d = 0; d < (int64_t)1 << bits.used; d++) { const uint32_t c = places[d]; places[d] = total; total += c; }
    for (int64_t i = 0; i < n; i++) out[places[digits[i]]++] = (uint64_t)i;
    return 1;
}
