/* Rows that are one cell of eight bytes and never null: four at a time where the processor has AVX2. */
#ifndef LAKECODEC_ROW_DENSE_H
#define LAKECODEC_ROW_DENSE_H

#include "cells.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* In each half of a register two values: the first cell and all but two bytes of the second; and the second's value. */
#define ROW_BOTH -1, 7, 6, 5, 4, 3, 2, 1, 0, -1, 15, 14, 13, 12, 11, 10
#define ROW_SECOND 15, 14, 13, 12, 11, 10, 9, 8, -1, -1, -1, -1, -1, -1, -1, -1
#define ROW_FIRSTS(P) P, 0, 0, 0, 0, 0, 0, 0, 0, P, 0, 0, 0, 0, 0, 0

__attribute__((target("avx2")))
static int64_t row_put_fours(const RowCell *c, uint8_t *p, int64_t from, int64_t n) {
    const __m256i top = _mm256_set1_epi64x(INT64_MIN), zero = _mm256_setzero_si256();
    const __m256i every = _mm256_set1_epi8((char)c->invert);
    const __m256i flip = c->payload == ROW_UNSIGNED ? every : _mm256_xor_si256(every, top);
    const __m256i both = _mm256_setr_epi8(ROW_BOTH, ROW_BOTH), second = _mm256_setr_epi8(ROW_SECOND, ROW_SECOND);
    const char present = (char)c->present;
    const __m256i firsts = _mm256_setr_epi8(ROW_FIRSTS(present), ROW_FIRSTS(present));
    const int is_float = c->payload == ROW_FLOAT;
    const uint8_t *in = c->data + 8 * from;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4, in += 32, p += 36) {
        __m256i x = _mm256_loadu_si256((const __m256i *)in);
        if (is_float) x = _mm256_xor_si256(x, _mm256_andnot_si256(top, _mm256_cmpgt_epi64(zero, x)));
        x = _mm256_xor_si256(x, flip);
        const __m256i cells = _mm256_or_si256(_mm256_shuffle_epi8(x, both), firsts);
        const __m256i values = _mm256_shuffle_epi8(x, second);
        _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(cells));
        _mm_storel_epi64((__m128i *)(p + 10), _mm256_castsi256_si128(values));
        _mm_storeu_si128((__m128i *)(p + 18), _mm256_extracti128_si256(cells, 1));
        _mm_storel_epi64((__m128i *)(p + 28), _mm256_extracti128_si256(values, 1));
    }
    return i;
}

#undef ROW_BOTH
#undef ROW_SECOND
#undef ROW_FIRSTS
#endif

/* Writes as many rows from the first on as it can: their number. */
static int64_t row_put_dense(const RowCell *c, uint8_t *out, int64_t stride, int64_t from, int64_t n) {
#if defined(__x86_64__)
    if (stride == 9 && c->width == 8 && c->present >= 0 && !c->valid && c->payload <= ROW_FLOAT
        && __builtin_cpu_supports("avx2"))
        return row_put_fours(c, out, from, n);
#endif
    (void)c, (void)out, (void)stride, (void)from, (void)n;
    return 0;
}

#endif
