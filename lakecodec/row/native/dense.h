/* Cells of eight bytes by registers of four of them where the processor has AVX2: rows of one cell, and four columns side by
   side. None of them is null. */
#pragma once

#include "cells.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* In each half of a register two values: the first cell and all but two bytes of the second; and the second's value. */
#define ROW_BOTH -1, 7, 6, 5, 4, 3, 2, 1, 0, -1, 15, 14, 13, 12, 11, 10
#define ROW_SECOND 15, 14, 13, 12, 11, 10, 9, 8, -1, -1, -1, -1, -1, -1, -1, -1
#define ROW_FIRSTS(P) P, 0, 0, 0, 0, 0, 0, 0, 0, P, 0, 0, 0, 0, 0, 0
#define ROW_SWAPPED 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8
#define ROW_AVX2 __attribute__((target("avx2"))) static inline

/* The bits to flip so that numbers compare as unsigned ones. */
ROW_AVX2 __m256i row_flip_of(const RowCell *c) {
    const __m256i every = _mm256_set1_epi8((char)c->invert);
    return c->payload == ROW_UNSIGNED ? every : _mm256_xor_si256(every, _mm256_set1_epi64x(INT64_MIN));
}

/* Negative floats have all other bits flipped, too. */
ROW_AVX2 __m256i row_flip_negative(__m256i x) {
    const __m256i negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), x);
    return _mm256_xor_si256(x, _mm256_andnot_si256(_mm256_set1_epi64x(INT64_MIN), negative));
}

/* 2 to 4 cells of 9 bytes. */
ROW_AVX2 void row_put_four(uint8_t *p, __m256i x, __m256i firsts, const int count) {
    const __m256i both = _mm256_setr_epi8(ROW_BOTH, ROW_BOTH), second = _mm256_setr_epi8(ROW_SECOND, ROW_SECOND);
    const __m256i cells = _mm256_or_si256(_mm256_shuffle_epi8(x, both), firsts), values = _mm256_shuffle_epi8(x, second);
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(cells));
    _mm_storel_epi64((__m128i *)(p + 10), _mm256_castsi256_si128(values));
    if (count == 3) {
        _mm_storel_epi64((__m128i *)(p + 18), _mm256_extracti128_si256(cells, 1));
        p[26] = (uint8_t)_mm256_extract_epi8(cells, 24);
    } else if (count == 4) {
        _mm_storeu_si128((__m128i *)(p + 18), _mm256_extracti128_si256(cells, 1));
        _mm_storel_epi64((__m128i *)(p + 28), _mm256_extracti128_si256(values, 1));
    }
}

ROW_AVX2 void row_transpose(__m256i x[4]) {
    const __m256i a = _mm256_unpacklo_epi64(x[0], x[1]), b = _mm256_unpackhi_epi64(x[0], x[1]);
    const __m256i c = _mm256_unpacklo_epi64(x[2], x[3]), d = _mm256_unpackhi_epi64(x[2], x[3]);
    x[0] = _mm256_permute2x128_si256(a, c, 0x20);
    x[1] = _mm256_permute2x128_si256(b, d, 0x20);
    x[2] = _mm256_permute2x128_si256(a, c, 0x31);
    x[3] = _mm256_permute2x128_si256(b, d, 0x31);
}

ROW_AVX2 int64_t row_put_rows(const RowCell *c, uint8_t *p, int64_t from, int64_t n) {
    const char present = (char)c->present;
    const __m256i flip = row_flip_of(c), firsts = _mm256_setr_epi8(ROW_FIRSTS(present), ROW_FIRSTS(present));
    const int is_float = c->payload == ROW_FLOAT;
    const uint8_t *in = c->data + 8 * from;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, in += 32, p += 36) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)in);
        row_put_four(p, _mm256_xor_si256(is_float ? row_flip_negative(x) : x, flip), firsts, 4);
    }
    return i;
}

/* For each set of four lanes: all bits of the lanes in it. */
#define ROW_SET(S) {-((S) & 1), -((S) >> 1 & 1), -((S) >> 2 & 1), -((S) >> 3 & 1)}
static const int64_t row_sets[16][4] = {ROW_SET(0), ROW_SET(1), ROW_SET(2), ROW_SET(3), ROW_SET(4), ROW_SET(5),
                                        ROW_SET(6), ROW_SET(7), ROW_SET(8), ROW_SET(9), ROW_SET(10), ROW_SET(11),
                                        ROW_SET(12), ROW_SET(13), ROW_SET(14), ROW_SET(15)};
#undef ROW_SET

/* Writes as many rows as it can, at `out` + `pos` or a stride from `out`: their number. */
ROW_AVX2 __attribute__((always_inline)) int64_t row_put_lanes(const RowCell *c, const int lanes, uint8_t *out, const int64_t *pos,
                                                               int64_t stride, int64_t from, int64_t n, const int nullable) {
    const uint8_t p = (uint8_t)c->present, q = (uint8_t)c->null_byte;
    const __m256i flip = row_flip_of(c), nulls = _mm256_setr_epi8(ROW_FIRSTS(q), ROW_FIRSTS(q));
    const __m256i changed = _mm256_xor_si256(nulls, _mm256_setr_epi8(ROW_FIRSTS(p), ROW_FIRSTS(p)));
    const int is_float = c->payload == ROW_FLOAT;
    const uint8_t *in[4];
    __m256i x[4] = {flip, flip, flip, flip}, firsts[16];
    uint8_t sets[ROW_BLOCK + 8], alive[ROW_BLOCK + 8];
    int64_t i = 0;
    for (int k = 0; k < lanes; k++) in[k] = c[k].data + 8 * from;
    memset(sets, nullable ? 0 : 15, nullable ? n : 0);
    for (int k = 0; nullable && k < lanes; k++) {
        row_spread_flags(c[k].valid, c[k].bit + from, n, alive, 1u << k);
        for (int64_t j = 0; j < n; j++) sets[j] |= alive[j];
    }
    for (int set = nullable ? 0 : 15; set < 16; set++)
        firsts[set] = _mm256_xor_si256(nulls, _mm256_and_si256(changed, _mm256_loadu_si256((const __m256i *)row_sets[set])));
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < lanes; k++) {
            x[k] = _mm256_loadu_si256((const __m256i *)(in[k] + 8 * i));
            x[k] = _mm256_xor_si256(is_float ? row_flip_negative(x[k]) : x[k], flip);
        }
        __m256i y[4] = {x[0], x[1], x[2], x[3]};
        row_transpose(y);
        for (int k = 0; k < 4; k++) {
            const int set = nullable ? sets[i + k] : 15;
            if (nullable) y[k] = _mm256_and_si256(y[k], _mm256_loadu_si256((const __m256i *)row_sets[set]));
            row_put_four(pos ? out + pos[i + k] : out + (i + k) * stride, y[k], firsts[set], lanes);
        }
    }
    return i;
}

/* The same for 2 to 4 columns of one shape. */
ROW_AVX2 int64_t row_put_columns(const RowCell *c, int lanes, uint8_t *out, const int64_t *pos, int64_t stride, int64_t from,
                                 int64_t n) {
    if (lanes == 4 && !c->valid) return row_put_lanes(c, 4, out, pos, stride, from, n, 0);
    if (lanes == 4) return row_put_lanes(c, 4, out, pos, stride, from, n, 1);
    if (lanes == 3) return row_put_lanes(c, 3, out, pos, stride, from, n, c->valid != NULL);
    return row_put_lanes(c, 2, out, pos, stride, from, n, c->valid != NULL);
}

/* The values of 2 to 4 cells of 9 bytes. */
ROW_AVX2 __m256i row_load_four(const uint8_t *p, const int lanes) {
    __m128i two[2] = {_mm_setzero_si128(), _mm_setzero_si128()}, x[4] = {two[0], two[0], two[0], two[0]};
    for (int k = 0; k < lanes; k++) x[k] = _mm_loadl_epi64((const __m128i *)(p + 1 + 9 * k));
    for (int k = 0; k < 2; k++) two[k] = _mm_unpacklo_epi64(x[2 * k], x[2 * k + 1]);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(two[0]), two[1], 1);
}

/* Values in the machine's order from those of four rows, by columns. */
ROW_AVX2 void row_order_four(__m256i x[4], __m256i flip, int is_float) {
    const __m256i swapped = _mm256_setr_epi8(ROW_SWAPPED, ROW_SWAPPED);
    row_transpose(x);
    for (int k = 0; k < 4; k++) {
        x[k] = _mm256_xor_si256(_mm256_shuffle_epi8(x[k], swapped), flip);
        if (is_float) x[k] = row_flip_negative(x[k]);
    }
}

/* Reads as many rows of 2 to 4 columns as it can; *others is not 0 afterwards if a first byte is not that of a value. */
ROW_AVX2 __attribute__((always_inline)) int64_t row_get_values_of(const RowCell *c, const int lanes, const uint8_t *data,
                                                                 const int64_t *pos, int64_t from, int64_t n, uint64_t *others) {
    const __m256i flip = row_flip_of(c);
    const uint8_t present = (uint8_t)c->present;
    const int is_float = c->payload >= ROW_FLOAT;
    uint8_t *out[4];
    __m256i x[4];
    int64_t i = 0;
    uint8_t seen = 0;
    for (int k = 0; k < lanes; k++) out[k] = c[k].out + 8 * from;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) {
            const uint8_t *p = data + pos[i + k];
            x[k] = row_load_four(p, lanes);
            for (int j = 0; j < lanes; j++) seen |= p[9 * j] ^ present;
        }
        row_order_four(x, flip, is_float);
        for (int k = 0; k < lanes; k++) _mm256_storeu_si256((__m256i *)(out[k] + 8 * i), x[k]);
    }
    *others |= seen;
    return i;
}

/* The same with nulls, of which the flags are 0; *bad is not 0 afterwards if a cell is neither a value nor a null. */
ROW_AVX2 __attribute__((always_inline)) int64_t row_get_nulls_of(const RowCell *c, const int lanes, const uint8_t *data,
                                                               const int64_t *pos, int64_t from, int64_t n,
                                                               uint8_t flags[4][ROW_BLOCK + 8], uint64_t *bad) {
    const __m256i flip = row_flip_of(c), present = _mm256_set1_epi64x((uint8_t)c->present);
    const __m256i null = _mm256_set1_epi64x((uint8_t)c->null_byte);
    const int is_float = c->payload >= ROW_FLOAT;
    uint8_t *out[4];
    __m256i x[4], alive[4], wrong = _mm256_setzero_si256();
    int64_t i = 0;
    for (int k = 0; k < lanes; k++) out[k] = c[k].out + 8 * from;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) {
            const uint8_t *p = data + pos[i + k];
            uint32_t firsts = 0;
            for (int j = 0; j < 4; j++) firsts |= (uint32_t)(j < lanes ? p[9 * j] : (uint8_t)c->present) << 8 * j;
            const __m256i first = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)firsts));
            x[k] = row_load_four(p, lanes);
            alive[k] = _mm256_cmpeq_epi64(first, present);
            wrong = _mm256_or_si256(wrong, _mm256_andnot_si256(alive[k], _mm256_or_si256(x[k], _mm256_xor_si256(first, null))));
        }
        row_order_four(x, flip, is_float);
        row_transpose(alive);
        for (int k = 0; k < lanes; k++) {
            const uint32_t bits = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(alive[k]));
            const uint32_t spread = bits * 0x00204081u & 0x01010101u;
            memcpy(&flags[k][i], &spread, 4);
            _mm256_storeu_si256((__m256i *)(out[k] + 8 * i), _mm256_and_si256(x[k], alive[k]));
        }
    }
    *bad |= !_mm256_testz_si256(wrong, wrong);
    return i;
}

ROW_AVX2 int64_t row_get_columns(const RowCell *c, int lanes, const uint8_t *data, const int64_t *pos, int64_t from, int64_t n,
                                 uint64_t *others) {
    return lanes == 4 ? row_get_values_of(c, 4, data, pos, from, n, others)
         : lanes == 3 ? row_get_values_of(c, 3, data, pos, from, n, others)
                      : row_get_values_of(c, 2, data, pos, from, n, others);
}

ROW_AVX2 int64_t row_get_nulls(const RowCell *c, int lanes, const uint8_t *data, const int64_t *pos, int64_t from, int64_t n,
                               uint8_t flags[4][ROW_BLOCK + 8], uint64_t *bad) {
    return lanes == 4 ? row_get_nulls_of(c, 4, data, pos, from, n, flags, bad)
         : lanes == 3 ? row_get_nulls_of(c, 3, data, pos, from, n, flags, bad)
                      : row_get_nulls_of(c, 2, data, pos, from, n, flags, bad);
}

#undef ROW_BOTH
#undef ROW_SECOND
#undef ROW_FIRSTS
#undef ROW_SWAPPED
#undef ROW_AVX2
#define ROW_HAS_FOURS(c) ((c)->width == 8 && (c)->payload <= ROW_FLOAT && __builtin_cpu_supports("avx2"))
#else
#define ROW_HAS_FOURS(c) 0
#define row_put_rows(...) 0
#define row_put_columns(...) 0
#define row_get_columns(...) 0
#define row_get_nulls(...) 0
#endif

/* Writes as many rows of one cell as it can: their number. */
static inline int64_t row_put_dense(const RowCell *c, uint8_t *out, int64_t stride, int64_t from, int64_t n) {
    return stride == 9 && row_is_number(c) && !c->valid && ROW_HAS_FOURS(c) ? row_put_rows(c, out, from, n) : 0;
}
