/* Writing values in blocks, those of up to 16 bytes by registers of 32 where the processor has AVX2; and their lengths. */
#pragma once

#include "cells.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The last n < 32 bytes before the end of what may be read, zeros after them. */
static __attribute__((noinline, cold)) void row_load_last(uint64_t last[4], const uint8_t *s, int64_t n) {
    memset(last, 0, 32);
    memcpy(last, s, n);
}

/* One value in blocks; `stop` ends the readable source. Returns the position after it. */
ROW_INLINE uint8_t *row_put_blocks(uint8_t *p, const uint8_t *s, int64_t n, const uint8_t *stop, int narrow,
                                   uint8_t empty, uint8_t filled, uint8_t invert) {
    const uint64_t all = invert ? ~(uint64_t)0 : 0;
    const RowWide every = {all, all, all, all};
    RowWide wide, ones;
    uint64_t last[4];
    if (n == 0) { *p = empty ^ invert; return p + 1; }
    *p++ = filled ^ invert;
    if (n <= 8 * narrow) {
        for (; n > 8; n -= 8, s += 8, p += 9) {
            row_store64(p, row_load64(s) ^ all);
            p[8] = 0xFF ^ invert;
        }
        if (__builtin_expect(stop - s >= 8, 1)) last[0] = row_load64(s) & row_low_bytes(n);
        else row_load_last(last, s, n);
        row_store64(p, last[0] ^ all);
        p[8] = (uint8_t)n ^ invert;
        return p + 9;
    }
    for (int k = 0; k < narrow; k++, p += 9, s += 8) {
        row_store64(p, row_load64(s) ^ all);
        p[8] = 0xFF ^ invert;
    }
    n -= 8 * narrow;
    for (; n > 32; n -= 32, s += 32, p += 33) {
        memcpy(&wide, s, 32);
        wide ^= every;
        memcpy(p, &wide, 32);
        p[32] = 0xFF ^ invert;
    }
    if (__builtin_expect(stop - s >= 32, 1)) {
        memcpy(&wide, s, 32);
        memcpy(&ones, row_ones + 32 - n, 32);
        wide &= ones;
    } else {
        row_load_last(last, s, n);
        memcpy(&wide, last, 32);
    }
    wide ^= every;
    memcpy(p, &wide, 32);
    p[32] = (uint8_t)n ^ invert;
    return p + 33;
}

#if defined(__x86_64__)
/* What surrounds the two blocks of 8 of a value, by its length + 1, 0 for a null; and the bytes that they take. */
enum { ROW_SHORTS = 18 };
#define ROW_AROUND(N) {[9] = (N) > 8 ? 0xFF : (N), [18] = (N) > 8 ? (N) - 8 : 0}
static const uint8_t row_around[ROW_SHORTS][ROW_SHORT] = {
    {0}, {0}, ROW_AROUND(1), ROW_AROUND(2), ROW_AROUND(3), ROW_AROUND(4), ROW_AROUND(5), ROW_AROUND(6), ROW_AROUND(7),
    ROW_AROUND(8), ROW_AROUND(9), ROW_AROUND(10), ROW_AROUND(11), ROW_AROUND(12), ROW_AROUND(13), ROW_AROUND(14),
    ROW_AROUND(15), ROW_AROUND(16)};
static const uint8_t row_short_sizes[ROW_SHORTS] = {1, 1, 10, 10, 10, 10, 10, 10, 10, 10, 19, 19, 19, 19, 19, 19, 19, 19};
#undef ROW_AROUND

static __attribute__((noinline)) uint8_t *row_put_longer(const RowCell *c, uint8_t *p, uint32_t a, uint32_t b) {
    return row_put_blocks(p, c->data + a, b - a, c->data + c->size, 4, c->empty, c->filled, c->invert);
}

/* Writes values without a branch: each writes ROW_SHORT bytes, of which the next value overwrites the unused ones.
 * Returns how many; fewer than n where longer ones are frequent. */
__attribute__((target("avx2"))) static int64_t row_put_short(const RowCell *shared, uint8_t *out, int64_t *pos, int64_t from,
                                                             int64_t n) {
    const RowCell cell = *shared, *c = &cell;
    const __m256i places = _mm256_setr_epi8(-1, 0, 1, 2, 3, 4, 5, 6, 7, -1, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1,
                                            -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i every = _mm256_set1_epi8((char)c->invert);
    const uint8_t *ends = c->ends + 4 * from;
    __m256i around[ROW_SHORTS];
    uint8_t alive[ROW_BLOCK + 8];
    int patience = ROW_PATIENCE;
    for (int k = 0; k < ROW_SHORTS; k++) {
        const int first = k > 1 ? c->filled : k ? c->empty : (uint8_t)c->null_byte ^ c->invert;
        const __m256i x = _mm256_zextsi128_si256(_mm_cvtsi32_si128(first));
        around[k] = _mm256_xor_si256(_mm256_or_si256(x, _mm256_loadu_si256((const __m256i *)row_around[k])), every);
    }
    memset(alive, 0xFF, n);
    if (c->valid) row_spread_flags(c->valid, c->bit + from, n, alive, 0xFF);
    for (uint32_t i = 0, a = (uint32_t)row_load_i32(ends - 4), b; i < n; i++, a = b) {
        uint8_t *p = out + pos[i];
        b = (uint32_t)row_load_i32(ends + 4 * i);
        const uint32_t m = (b - a + 1) & (uint32_t)(int8_t)alive[i];
        if (__builtin_expect(m >= ROW_SHORTS, 0)) {
            pos[i] = row_put_longer(shared, p, a, b) - out;
            if (--patience) continue;
            return i + 1;
        }
        const __m128i ones = _mm_loadu_si128((const __m128i *)(row_ones + 33 - m));
        const __m128i value = _mm_and_si128(_mm_loadu_si128((const __m128i *)(c->data + a)), ones);
        const __m256i x = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(value), places);
        _mm256_storeu_si256((__m256i *)p, _mm256_xor_si256(x, around[m]));
        pos[i] += row_short_sizes[m];
    }
    return n;
}
#define ROW_HAS_SHORTS() __builtin_cpu_supports("avx2")
#else
#define ROW_HAS_SHORTS() 0
#define row_put_short(...) 0
#endif

/* Writes values in blocks with 32-bit offsets as long as they are short, if memory may be read and written after the last one:
 * `room` bytes begin where it is put. Returns how many. */
static inline int64_t row_put_shorts(const RowCell *c, uint8_t *out, int64_t *pos, int64_t from, int64_t n, int64_t room) {
    const uint8_t *starts = c->starts + 4 * from;
    const int64_t first = row_load_i32(starts), last = row_load_i32(starts + 4 * (n - 1));
    const int is_short = c->ends == c->starts + 4 && room >= ROW_SHORT && last + 16 <= c->size && last - first <= 16 * n;
    return is_short && ROW_HAS_SHORTS() ? row_put_short(c, out, pos, from, n) : 0;
}

/* Bytes that a value of n bytes takes, without leaving 32 bits, which twice as many fit a register of. */
ROW_INLINE uint32_t row_blocks_length32(uint32_t n, const int narrow) {
    const uint32_t edge = 8 * narrow, small = 1 + 9 * ((n + 7) >> 3), large = 1 + 9 * narrow + 33 * ((n - edge + 31) >> 5);
    return (int32_t)n <= (int32_t)edge ? small : large;
}

/* Adds the lengths of values with 32-bit offsets, loop by loop, as each is vectorized. A null takes one byte, as "" does. */
ROW_INLINE void row_add_block_lengths(const RowCell *c, int64_t *lengths, int64_t from, int64_t n, const int narrow) {
    const uint8_t *starts = c->starts + 4 * from, *ends = c->ends + 4 * from;
    uint8_t alive[ROW_BLOCK + 8];
    uint32_t sizes[ROW_BLOCK];
    for (int64_t i = 0; i < n; i++) sizes[i] = (uint32_t)row_load_i32(ends + 4 * i) - (uint32_t)row_load_i32(starts + 4 * i);
    if (c->valid) {
        row_spread_flags(c->valid, c->bit + from, n, alive, 0xFF);
        for (int64_t i = 0; i < n; i++) sizes[i] &= (uint32_t)(int8_t)alive[i];
    }
    for (int64_t i = 0; i < n; i++) sizes[i] = row_blocks_length32(sizes[i], narrow);
    for (int64_t i = 0; i < n; i++) lengths[i] += sizes[i];
}
