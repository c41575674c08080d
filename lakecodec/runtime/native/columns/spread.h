/* Values that are not null to the rows that have them, and values of a dictionary to the rows that name them. */
#ifndef LAKECODEC_COLUMNS_SPREAD_H
#define LAKECODEC_COLUMNS_SPREAD_H

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
/* Without a branch, which would be taken at random. */
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

/* The code of each row: those of `dense` in the rows that have one, `absent` in the others. */
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
        for (int64_t i = 0; i < n; i++) out[i] = table[codes[i]];                                                      \
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

#endif
