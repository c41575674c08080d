/* Values that are not null to the rows that have them, and values of a dictionary to the rows that name them. */
#pragma once

#include "values.h"

/*
 * `src` has the values of the set bits of `valid` among the first `n`, and room for one more, which may be read;
 * rows without one get 0.
 */
#define COLUMNS_SPREAD(name, type, kept)                                                                               \
    static inline void name(const uint64_t *valid, int64_t n, const type *src, type *out) {                            \
        for (int64_t base = 0; base < n; base += 64, out += 64) {                                                      \
            uint64_t word = *valid++;                                                                                  \
            const int64_t m = n - base < 64 ? n - base : 64;                                                           \
            if (word == ~(uint64_t)0) {                                                                                \
                memcpy(out, src, 64 * sizeof *out);                                                                    \
                src += 64;                                                                                             \
                continue;                                                                                              \
            }                                                                                                          \
            for (int64_t i = 0; i < m; i++, word >>= 1) {                                                              \
                const uint64_t bit = word & 1;                                                                         \
                out[i] = kept;                                                                                         \
                src += bit;                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }
/* Branch-free, since a branch would be mispredicted often. */
COLUMNS_SPREAD(columns_spread1, uint8_t, *src & (uint8_t)(0 - bit))
COLUMNS_SPREAD(columns_spread2, uint16_t, *src & (uint16_t)(0 - bit))
COLUMNS_SPREAD(columns_spread4, uint32_t, *src & (uint32_t)(0 - bit))
COLUMNS_SPREAD(columns_spread8, uint64_t, *src & (0 - bit))
COLUMNS_SPREAD(columns_spread16, ColumnWide, ((ColumnWide){src->low & (0 - bit), src->high & (0 - bit)}))

static inline void columns_spread(const uint64_t *valid, int64_t n, int width, const void *src, void *out) {
    switch (width) {
    case 1: columns_spread1(valid, n, src, out); break;
    case 2: columns_spread2(valid, n, src, out); break;
    case 4: columns_spread4(valid, n, src, out); break;
    case 8: columns_spread8(valid, n, src, out); break;
    default: columns_spread16(valid, n, src, out); break;
    }
}

/*
 * The code of each row: those of `dense` in the rows that have one, `absent` in the others. Seven more may be read, and all
 * rows of the last eight are set.
 */
#if defined(__GNUC__) && !defined(__clang__)
typedef uint32_t ColumnEight __attribute__((vector_size(32)));

COLUMNS_VECTOR static void columns_spread_codes(const uint64_t *valid, int64_t n, const uint32_t *dense, uint32_t absent,
                                                uint32_t *out) {
    static const ColumnEight at_bytes = {0, 8, 16, 24, 0, 8, 16, 24}, at_bits = {0, 1, 2, 3, 4, 5, 6, 7};
    const uint64_t ones = 0x0101010101010101u;
    for (int64_t i = 0; i < n; i += 8, out += 8) {
        const uint32_t bits = (uint32_t)(valid[i >> 6] >> (i & 63)) & 255;
        /* A byte a row: 1 where it has a code; and the codes of rows up to it, and before it. */
        const uint64_t has = ((bits * ones & 0x8040201008040201u) + 0x7F7F7F7F7F7F7F7Fu) >> 7 & ones;
        const uint64_t upto = has * ones, before = upto - has;
        const uint32_t low = (uint32_t)before, high = (uint32_t)(before >> 32);
        const ColumnEight places = (ColumnEight){low, low, low, low, high, high, high, high} >> at_bytes;
        const ColumnEight kept = 0 - ((ColumnEight){bits, bits, bits, bits, bits, bits, bits, bits} >> at_bits & 1);
        ColumnEight codes;
        memcpy(&codes, dense, sizeof codes);
        codes = (__builtin_shuffle(codes, places) & kept) | (absent & ~kept);
        memcpy(out, &codes, sizeof codes);
        dense += upto >> 56;
    }
}
#else
static inline void columns_spread_codes(const uint64_t *valid, int64_t n, const uint32_t *dense, uint32_t absent,
                                        uint32_t *out) {
    for (int64_t base = 0; base < n; base += 64, out += 64) {
        uint64_t word = *valid++;
        const int64_t m = n - base < 64 ? n - base : 64;
        for (int64_t i = 0; i < m; i++, word >>= 1) {
            const uint32_t bit = word & 1;
            out[i] = (*dense & (0 - bit)) | (absent & (bit - 1));
            dense += bit;
        }
    }
}
#endif

/* The end of each row's bytes: `ends[0]` before the first row, then one end a set bit of `valid`. */
static inline void columns_spread_ends(const uint64_t *valid, int64_t n, const int32_t *ends, int32_t *out) {
    for (int64_t base = 0; base < n; base += 64, out += 64) {
        uint64_t word = *valid++;
        const int64_t m = n - base < 64 ? n - base : 64;
        for (int64_t i = 0; i < m; i++, word >>= 1) {
            ends += word & 1;
            out[i] = *ends;
        }
    }
}

#define COLUMNS_GATHER(name, type)                                                                                     \
    COLUMNS_VECTOR static void name(const uint32_t *codes, int64_t n, const type *table, type *out) {                  \
        _Pragma("GCC unroll 4") for (int64_t i = 0; i < n; i++) out[i] = table[codes[i]];                              \
    }
COLUMNS_GATHER(columns_gather1, uint8_t)
COLUMNS_GATHER(columns_gather2, uint16_t)
COLUMNS_GATHER(columns_gather4, uint32_t)
COLUMNS_GATHER(columns_gather8, uint64_t)
COLUMNS_GATHER(columns_gather16, ColumnWide)

static inline void columns_gather(const uint32_t *codes, int64_t n, int width, const void *table, void *out) {
    switch (width) {
    case 1: columns_gather1(codes, n, table, out); break;
    case 2: columns_gather2(codes, n, table, out); break;
    case 4: columns_gather4(codes, n, table, out); break;
    case 8: columns_gather8(codes, n, table, out); break;
    default: columns_gather16(codes, n, table, out); break;
    }
}

COLUMNS_VECTOR static uint32_t columns_largest(const uint32_t *codes, int64_t n) {
    uint32_t most = 0;
    for (int64_t i = 0; i < n; i++) most = codes[i] > most ? codes[i] : most;
    return most;
}
