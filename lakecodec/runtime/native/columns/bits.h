/* Packed unsigned numbers of 0 to 32 bits, the lowest bit of the first byte first. */
#pragma once

#include <stdint.h>
#include <string.h>

#define COLUMNS_INLINE static inline __attribute__((always_inline))

/* The widest vectors of the machine that runs; ifunc is what glibc on x86-64 offers for that. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define COLUMNS_VECTOR __attribute__((unused, target_clones("avx2", "default")))
#else
#define COLUMNS_VECTOR __attribute__((unused))
#endif

/* Loads of numbers in an order of bytes; the swap falls away where it is the machine's own. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define COLUMNS_SWAPPED(big) (!(big))
#else
#define COLUMNS_SWAPPED(big) (big)
#endif

COLUMNS_INLINE uint64_t columns_little(const uint8_t *p, int64_t n) {
    uint64_t x = 0;
    memcpy(&x, p, (size_t)n);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x;
}

/* 64 bits from byte `at` of `nbytes`; those past the end are 0. */
COLUMNS_INLINE uint64_t columns_window(const uint8_t *data, int64_t nbytes, int64_t at) {
    const int64_t left = nbytes - at;
    return left >= 8 ? columns_little(data + at, 8) : left > 0 ? columns_little(data + at, left) : 0;
}

/* Eight numbers of up to 8 bits take as many bytes as one has bits. */
COLUMNS_INLINE void columns_eights(const uint8_t *data, int64_t count, const int width, uint32_t *out) {
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    for (int64_t i = 0; i < count; i += 8, data += width) {
        const uint64_t x = columns_little(data, 8);
        for (int k = 0; k < 8; k++) out[i + k] = (uint32_t)(x >> (k * width) & mask);
    }
}

COLUMNS_VECTOR static void columns_unpack_eights(const uint8_t *data, int64_t count, int width, uint32_t *out) {
    switch (width) {
    case 1: columns_eights(data, count, 1, out); break;
    case 2: columns_eights(data, count, 2, out); break;
    case 3: columns_eights(data, count, 3, out); break;
    case 4: columns_eights(data, count, 4, out); break;
    case 5: columns_eights(data, count, 5, out); break;
    case 6: columns_eights(data, count, 6, out); break;
    case 7: columns_eights(data, count, 7, out); break;
    default: columns_eights(data, count, 8, out); break;
    }
}

/* Numbers `from` to `from + count` of those packed in `data[:nbytes]`. */
static inline void columns_unpack(const uint8_t *data, int64_t nbytes, int64_t from, int64_t count, int width,
                                  uint32_t *out) {
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    const int64_t to = from + count;
    if (width == 0) {
        memset(out, 0, (size_t)count * sizeof *out);
        return;
    }
    for (; from < to && (from & 7 || width > 8); from++) {
        const int64_t bit = from * width;
        *out++ = (uint32_t)(columns_window(data, nbytes, bit >> 3) >> (bit & 7) & mask);
    }
    if (from < to) {
        /* Each eight are read by a load of 8 bytes. */
        const int64_t at = (from >> 3) * width, loads = nbytes - at >= 8 ? (nbytes - at - 8) / width + 1 : 0;
        const int64_t eights = (to - from) >> 3 < loads ? (to - from) >> 3 : loads;
        columns_unpack_eights(data + at, eights * 8, width, out);
        from += eights * 8;
        out += eights * 8;
    }
    for (; from < to; from++) {
        const int64_t bit = from * width;
        *out++ = (uint32_t)(columns_window(data, nbytes, bit >> 3) >> (bit & 7) & mask);
    }
}

/* Set bits among the first `count`. */
COLUMNS_VECTOR static int64_t columns_ones(const uint8_t *data, int64_t count) {
    int64_t i = 0, ones = 0;
    for (; i + 64 <= count; i += 64) ones += __builtin_popcountll(columns_little(data + (i >> 3), 8));
    if (i < count) {
        const uint64_t last = columns_little(data + (i >> 3), (count - i + 7) >> 3);
        ones += __builtin_popcountll(last & (((uint64_t)1 << (count - i)) - 1));
    }
    return ones;
}

/* Packs numbers that fit into `width` bits, 32 at most. */
static inline void columns_pack(const uint32_t *values, int64_t count, int width, uint8_t *out) {
    uint64_t gathered = 0;
    int bits = 0;
    for (int64_t i = 0; i < count; i++) {
        gathered |= (uint64_t)values[i] << bits;
        for (bits += width; bits >= 8; bits -= 8) {
            *out++ = (uint8_t)gathered;
            gathered >>= 8;
        }
    }
    if (bits) *out = (uint8_t)gathered;
}
