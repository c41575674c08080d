/* The order of byte rows: those that are in order are left so, a few runs in order are merged, few distinct rows are counted, and
 * others sorted. */
#pragma once

#include "sort.h"

/* Runs that are merged at most: each doubling of them takes as long as a quarter of a sort. */
enum { ROW_RUNS = 16 };

/* How many runs in order there are and where they start; 0 where there are more than ROW_RUNS, -1 when each row is less than the
 * one before. `size` is that of all rows or -1. */
static int row_runs(const RowSort *s, int64_t n, int64_t size, int64_t starts[ROW_RUNS + 1]) {
    int runs = 1, down = 1, order;
    const uint8_t *row = s->data + s->offsets[0];
    uint64_t before = size < 0 ? 0 : row_word(s, row, size), word = 0;
    starts[0] = 0;
    for (int64_t i = 1; i < n && (runs <= ROW_RUNS || down); i++, before = word) {
        if (size < 0) {
            order = row_compare(s, (uint64_t)i - 1, (uint64_t)i, 0);
        } else {
            row += size;
            word = row_word(s, row, size);
            order = before != word ? (before > word ? 1 : -1) : size > 8 ? memcmp(row - size + 8, row + 8, size - 8) : 0;
        }
        down &= order > 0;
        if (order > 0 && runs <= ROW_RUNS) starts[runs++] = i;
    }
    return runs == 1 ? 1 : down ? -1 : runs <= ROW_RUNS ? runs : 0;
}

/* First words of rows, and the rows. */
typedef struct RowMerged {
    uint64_t *keys;
    uint32_t *rows;
} RowMerged;

/* All bits if row j is less than row i, else 0. The result is random, so half of the branches on it would be mispredicted. */
static inline __attribute__((always_inline)) int64_t row_less(const RowSort *s, const RowMerged *in, int64_t i, int64_t j) {
    const uint64_t a = in->keys[i], b = in->keys[j];
    int64_t less = 0 - (int64_t)(b < a);
    if (__builtin_expect(a == b, 0)) less = 0 - (int64_t)(row_compare(s, in->rows[i], in->rows[j], 8) > 0);
    __asm__("" : "+r"(less)); /* compilers would turn it into a branch */
    return less;
}

/* Row i, or row j where `mask` has all bits. */
static inline void row_move_one(const RowMerged *in, const RowMerged *out, int64_t k, int64_t i, int64_t j, int64_t mask) {
    const int64_t from = i ^ ((i ^ j) & mask);
    out->keys[k] = in->keys[from];
    out->rows[k] = in->rows[from];
}

/* Merges from .. middle and middle .. end; of equal rows those of the first run come first. Merges from both ends, so that the memory
 * accesses of the two overlap. */
static void row_merge(const RowSort *s, RowMerged in, RowMerged out, int64_t from, int64_t middle, int64_t end) {
    int64_t i = from, j = middle, k = from, p = middle - 1, q = end - 1, m = end - 1;
    for (int64_t left = (end - from) / 2; left && i < middle && j < end && p >= from && q >= middle; left--) {
        const int64_t first = row_less(s, &in, i, j), last = row_less(s, &in, p, q);
        row_move_one(&in, &out, k++, i, j, first);
        row_move_one(&in, &out, m--, q, p, last);
        j -= first;
        i += 1 + first;
        p += last;
        q -= 1 + last;
    }
    while (i <= p && j <= q) {
        const int64_t first = row_less(s, &in, i, j);
        row_move_one(&in, &out, k++, i, j, first);
        j -= first;
        i += 1 + first;
    }
    const int64_t rest = i <= p ? i : j;
    memcpy(out.keys + k, in.keys + rest, (m + 1 - k) * sizeof *out.keys);
    memcpy(out.rows + k, in.rows + rest, (m + 1 - k) * sizeof *out.rows);
}

/* Merges neighbouring runs until there is one; their rows lie in the halves of `out` meanwhile. */
static void row_merge_runs(const RowSort *s, int64_t n, int64_t starts[ROW_RUNS + 1], int runs, uint64_t *out) {
    RowMerged in = {s->keys, (uint32_t *)out}, other = {(uint64_t *)s->spare, (uint32_t *)out + n};
    for (int64_t i = 0; i < n; i++) {
        in.keys[i] = row_word(s, s->data + s->offsets[i], row_rest(s, (uint64_t)i, 0));
        in.rows[i] = (uint32_t)i;
    }
    for (int made = 0; runs > 1; runs = made, made = 0) {
        starts[runs] = n;
        for (int r = 0; r < runs; r += 2) {
            const int64_t from = starts[r], middle = starts[r + 1], end = r + 2 <= runs ? starts[r + 2] : n;
            row_merge(s, in, other, from, middle, end);
            starts[made++] = from;
        }
        const RowMerged kept = in;
        in = other;
        other = kept;
    }
    if (in.rows == (uint32_t *)out) {
        for (int64_t i = n - 1; i >= 0; i--) {
            const uint64_t row = in.rows[i];
            out[i] = row;
        }
    } else {
        for (int64_t i = 0; i < n; i++) {
            const uint64_t row = in.rows[i];
            out[i] = row;
        }
    }
}

/* Fills `out`, where rows are sorted, with the stable order of n of them, fewer than 2^32. `keys` and `spare` have room for n. */
static void row_argsort(const uint8_t *data, const int64_t *offsets, int64_t n, uint64_t *keys, uint64_t *spare,
                        uint64_t *out) {
    RowSort s;
    s.data = data;
    s.end = data + (n ? offsets[n] : 0);
    s.offsets = offsets;
    s.keys = keys;
    s.spare = (RowKey *)spare;
    s.fast_pext = 0;
#ifdef ROW_BMI2
    s.fast_pext = __builtin_cpu_supports("bmi2");
#endif
    const int64_t size = row_one_size(&s, n);
    int64_t starts[ROW_RUNS + 1];
    const int runs = row_runs(&s, n, size, starts);
    if (runs == 1 || runs < 0) {
        for (int64_t i = 0; i < n; i++) out[i] = runs > 0 ? i : n - 1 - i;
        return;
    }
    if (row_place(&s, n, size, (uint16_t *)spare, out)) return;
    if (runs) {
        row_merge_runs(&s, n, starts, runs, out);
        return;
    }
    RowKey *rows = (RowKey *)out;
    for (int64_t i = 0; i < n; i++) rows[i].row = (uint32_t)i;
    row_sort_run(&s, rows, n, 0);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t row = rows[i].row;
        out[i] = row;
    }
}
