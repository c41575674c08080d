/* One cell of a row as the compiled kernels see it, and unaligned memory access. Mirrors runtime/order/cells.py. */
#ifndef LAKECODEC_ROW_CELLS_H
#define LAKECODEC_ROW_CELLS_H

#include <stdint.h>
#include <string.h>

enum { ROW_FIXED, ROW_BLOCKS, ROW_RAW, ROW_LIST, ROW_SEQUENCE, ROW_TERMINATED, ROW_COUNTED };
enum { ROW_UNSIGNED, ROW_SIGNED, ROW_FLOAT, ROW_CANONICAL_FLOAT, ROW_OUTSIDE_FLOAT, ROW_COPY };
enum {
    ROW_OK, ROW_TRUNCATED, ROW_LEFTOVER, ROW_SENTINEL, ROW_NULL_PADDING, ROW_MARK, ROW_TRAILER, ROW_PADDING, ROW_UTF8,
    ROW_RANGE, ROW_LIST_ITEMS, ROW_SHORTEST
};

typedef struct RowCell {
    int32_t kind, payload, width, present, null_byte, narrow, text, wide, nan_last;
    uint8_t invert, empty, filled, more, end, shift;
    /* writing: the source */
    const uint8_t *data, *starts, *ends, *items, *valid;
    int64_t size, bit;
    int32_t wide_starts;
    /* reading: the target; `used` bytes and `count` items are there already */
    uint8_t *out, *out_valid;
    void *out_offsets;
    int64_t *out_items;
    int64_t used, count, nulls;
} RowCell;

typedef struct RowError {
    int64_t row, offset;
    int32_t rule;
} RowError;

static inline uint64_t row_load64(const void *p) { uint64_t x; memcpy(&x, p, 8); return x; }
static inline int64_t row_load_i64(const void *p) { int64_t x; memcpy(&x, p, 8); return x; }
static inline int32_t row_load_i32(const void *p) { int32_t x; memcpy(&x, p, 4); return x; }
static inline void row_store64(void *p, uint64_t x) { memcpy(p, &x, 8); }
static inline int row_bit(const uint8_t *bits, int64_t i) { return (bits[i >> 3] >> (i & 7)) & 1; }
static inline uint64_t row_low_bytes(int64_t n) { return n >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * n)) - 1; }

static inline int64_t row_position(const uint8_t *positions, int wide, int64_t i) {
    return wide ? row_load_i64(positions + 8 * i) : row_load_i32(positions + 4 * i);
}

/* Bytes that a value of n bytes takes in blocks. */
static inline int64_t row_blocks_length(int64_t n, int narrow) {
    if (n == 0) return 1;
    if (n <= 8 * narrow) return 1 + 9 * ((n + 7) >> 3);
    return 1 + 9 * narrow + 33 * ((n - 8 * narrow + 31) >> 5);
}

/* The n low bytes of x, first byte most significant. */
static inline uint64_t row_swap(uint64_t x, int width) { return __builtin_bswap64(x) >> (64 - 8 * width); }

#endif
