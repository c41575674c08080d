/* Values of fixed width, end to end, as Arrow lays them out. Checks return the number of the first bad value, or -1. */
#pragma once

#include "bits.h"

typedef struct ColumnWide {
    uint64_t low, high;
} ColumnWide;

#define COLUMNS_SWAP(name, type, swap)                                                                                 \
    COLUMNS_VECTOR static void name(const uint8_t *src, int64_t n, type *out) {                                        \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            type x;                                                                                                    \
            memcpy(&x, src + i * (int64_t)sizeof x, sizeof x);                                                         \
            out[i] = swap(x);                                                                                          \
        }                                                                                                              \
    }
COLUMNS_SWAP(columns_swap2, uint16_t, __builtin_bswap16)
COLUMNS_SWAP(columns_swap4, uint32_t, __builtin_bswap32)
COLUMNS_SWAP(columns_swap8, uint64_t, __builtin_bswap64)

static inline void columns_numbers(const uint8_t *src, int64_t n, int width, int big, void *out) {
    if (width == 1 || !COLUMNS_SWAPPED(big)) memcpy(out, src, (size_t)(n * width));
    else if (width == 2) columns_swap2(src, n, out);
    else if (width == 4) columns_swap4(src, n, out);
    else columns_swap8(src, n, out);
}

COLUMNS_INLINE uint64_t columns_number8(const uint8_t *p, int big) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return COLUMNS_SWAPPED(big) ? __builtin_bswap64(x) : x;
}

COLUMNS_INLINE uint32_t columns_number4(const uint8_t *p, int big) {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return COLUMNS_SWAPPED(big) ? __builtin_bswap32(x) : x;
}

COLUMNS_INLINE ColumnWide columns_wide(uint64_t low, uint64_t high) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (ColumnWide){high, low};
#else
    return (ColumnWide){low, high};
#endif
}

/* 64-bit numbers as 128-bit ones. */
static inline void columns_widen(const uint8_t *src, int64_t n, int big, ColumnWide *out) {
    for (int64_t i = 0; i < n; i++) {
        const uint64_t x = columns_number8(src + 8 * i, big);
        out[i] = columns_wide(x, (uint64_t)((int64_t)x >> 63));
    }
}

static inline int64_t columns_booleans(const uint8_t *src, int64_t n, uint8_t *out) {
    uint8_t all = 0;
    for (int64_t i = 0; i < n; i++) all |= out[i] = src[i];
    if (all < 2) return -1;
    int64_t bad = 0;
    while (src[bad] < 2) bad++;
    return bad;
}

/* Quotients and remainders; `beyond` tells whether the bad one is outside 64 bits, not its remainder. */
static inline int64_t columns_pairs(const uint8_t *src, int64_t n, int big, int64_t unit, int64_t *out, int *beyond) {
    for (int64_t i = 0; i < n; i++, src += 12) {
        const int64_t whole = (int64_t)columns_number8(src, big);
        const int64_t part = (int32_t)columns_number4(src + 8, big);
        int64_t product;
        if ((uint64_t)part >= (uint64_t)unit) { *beyond = 0; return i; }
        /* Toward zero from below, so that the smallest number, whose product is out of range, is not refused. */
        const int64_t up = whole < 0;
        if (__builtin_mul_overflow(whole + up, unit, &product) ||
            __builtin_add_overflow(product, part - (up ? unit : 0), &out[i])) { *beyond = 1; return i; }
    }
    return -1;
}

/* One bit a byte that is 0 or 1. */
COLUMNS_VECTOR static void columns_to_bits(const uint8_t *bytes, int64_t n, uint8_t *out) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        /* Each product bit of the top byte has one byte's lowest bit. */
        *out++ = (uint8_t)(columns_little(bytes + i, 8) * 0x0102040810204080u >> 56);
    }
    if (i < n) *out = (uint8_t)(columns_little(bytes + i, n - i) * 0x0102040810204080u >> 56);
}
