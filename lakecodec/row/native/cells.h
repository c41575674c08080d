/* One cell of a row as the compiled kernels see it, and unaligned memory access. Mirrors row/order/cells.py. */
#pragma once

#include <stdint.h>
#include <string.h>

enum { ROW_FIXED, ROW_BLOCKS, ROW_RAW, ROW_LIST, ROW_SEQUENCE, ROW_TERMINATED, ROW_COUNTED };
enum { ROW_UNSIGNED, ROW_SIGNED, ROW_FLOAT, ROW_CANONICAL_FLOAT, ROW_OUTSIDE_FLOAT, ROW_COPY };
enum {
    ROW_OK, ROW_TRUNCATED, ROW_LEFTOVER, ROW_SENTINEL, ROW_NULL_PADDING, ROW_MARK, ROW_TRAILER, ROW_PADDING, ROW_UTF8,
    ROW_RANGE, ROW_LIST_ITEMS, ROW_SHORTEST
};

/* Bytes that a value of up to 16 bytes writes; other values in a stretch before it is taken for one of longer values. */
enum { ROW_SHORT = 32, ROW_PATIENCE = 16 };

/* Largest number of rows that are processed together. */
enum { ROW_BLOCK = 512 };

#define ROW_INLINE static inline __attribute__((always_inline))

/* Loops compiled twice where the loader can choose by the processor; resolvers run too early for AddressSanitizer. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ROW_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define ROW_CLONES
#endif

/* 32 bytes: fewer, wider stores leave store buffers free. */
typedef uint64_t RowWide __attribute__((vector_size(32)));

typedef struct RowCell {
    int32_t kind, payload, width, present, null_byte, narrow, text, wide, nan_last;
    uint8_t invert, empty, filled, more, end, shift;
    /* writing: the source */
    const uint8_t *data, *starts, *ends, *items, *valid;
    int64_t size, bit;
    int64_t first_item, item_size; /* LIST: number of the first of `items`; bytes of `item`'s row */
    int32_t wide_starts;
    struct RowCell *item; /* LIST: the numbers in it, where they are neither written nor read as rows of their own */
    /* reading: the target; `used` bytes and `count` items are there already */
    uint8_t *out, *out_valid;
    void *out_offsets;
    int64_t *out_items;
    int64_t used, count, nulls;
} RowCell;

typedef struct RowError {
    int64_t row, offset;
    int32_t rule;
    int32_t again; /* a rule was broken in columns that were read together, and they are read one by one */
} RowError;

static inline uint64_t row_load64(const void *p) { uint64_t x; memcpy(&x, p, 8); return x; }
static inline int64_t row_load_i64(const void *p) { int64_t x; memcpy(&x, p, 8); return x; }
static inline int32_t row_load_i32(const void *p) { int32_t x; memcpy(&x, p, 4); return x; }
static inline void row_store64(void *p, uint64_t x) { memcpy(p, &x, 8); }
static inline int row_bit(const uint8_t *bits, int64_t i) { return (bits[i >> 3] >> (i & 7)) & 1; }
/* Bits i .. i + n of a bitmap as bytes, not 0 where the bit is; writes up to 7 bytes more. */
static inline void row_spread_bits(const uint8_t *bits, int64_t i, int64_t n, uint8_t *spread) {
    const int shift = i & 7;
    const uint8_t *p = bits + (i >> 3);
    for (int64_t k = 0; k < n; k += 8, p++) {
        const uint32_t next = shift && n - k > 8 - shift ? (uint32_t)p[1] << (8 - shift) : 0;
        row_store64(spread + k, ((p[0] >> shift | next) & 0xFF) * 0x0101010101010101u & 0x8040201008040201u);
    }
}
/* The same as bytes `flag`, 1 or 0xFF, where the bit is, else 0. */
static inline void row_spread_flags(const uint8_t *bits, int64_t i, int64_t n, uint8_t *flags, uint64_t flag) {
    const uint64_t every = 0x0101010101010101u;
    row_spread_bits(bits, i, n, flags);
    for (int64_t k = 0; k < n; k += 8) row_store64(flags + k, ((row_load64(flags + k) + 0x7F * every) >> 7 & every) * flag);
}
/* The way back for flags of 0 and 1; up to 7 of them after the n are made 0. */
static inline void row_pack_bits(uint8_t *flags, int64_t n, uint8_t *bits) {
    memset(flags + n, 0, 7);
    for (int64_t k = 0; k < n; k += 8) *bits++ = (uint8_t)(row_load64(flags + k) * 0x0102040810204080u >> 56);
}
static inline uint64_t row_low_bytes(int64_t n) { return n >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * n)) - 1; }

/* `row_ones + 32 - n` are n bytes of ones, then zeros: a mask for the first n of 32 bytes. */
static const uint8_t row_ones[64] = {[0 ... 31] = 0xFF};

static inline int64_t row_position(const uint8_t *positions, int wide, int64_t i) {
    return wide ? row_load_i64(positions + 8 * i) : row_load_i32(positions + 4 * i);
}

/* How many of n rows to process together, so that they stay in the cache from the first column to the last: about 4 KiB, in whole
 * bytes of a bitmap. */
static inline int64_t row_block_rows(int64_t bytes, int64_t n) {
    const int64_t rows = bytes > 0 ? (int64_t)(4096.0 * (double)n / (double)bytes) & ~(int64_t)63 : ROW_BLOCK;
    return rows < 64 ? 64 : rows > ROW_BLOCK ? ROW_BLOCK : rows;
}

/* Bytes that a value of n bytes takes in blocks. */
static inline int64_t row_blocks_length(int64_t n, int narrow) {
    return n <= 8 * narrow ? 1 + 9 * ((n + 7) >> 3) : 1 + 9 * narrow + 33 * ((n - 8 * narrow + 31) >> 5);
}

/* The n low bytes of x, first byte most significant. */
static inline uint64_t row_swap(uint64_t x, int width) { return __builtin_bswap64(x) >> (64 - 8 * width); }

/* How many columns of one shape are written or read side by side: the more, the fewer times a row's place is looked up and
   its memory touched. */
enum { ROW_LANES = 4 };

/* A first byte and a number after it. */
static inline int row_is_number(const RowCell *c) { return c->kind == ROW_FIXED && c->present >= 0 && c->payload != ROW_COPY; }

static inline int64_t row_fixed_size(const RowCell *c) { return c->width + (c->present >= 0); }

/* How many cells from the first on have a fixed width. */
static inline int row_fixed_run(const RowCell *cells, int count) {
    int run = 0;
    while (run < count && cells[run].kind == ROW_FIXED) run++;
    return run;
}

/* How many cells from the first on are numbers. */
static inline int row_number_run(const RowCell *cells, int count) {
    int run = 0;
    while (run < count && row_is_number(&cells[run])) run++;
    return run;
}

/* Bytes of each row, -1 where rows differ in size. */
static inline int64_t row_stride(const RowCell *cells, int count) {
    int64_t stride = 0;
    for (int k = 0; k < count; k++) {
        if (cells[k].kind != ROW_FIXED) return -1;
        stride += row_fixed_size(&cells[k]);
    }
    return stride;
}

/* How many cells from the first on are numbers of one shape, of ROW_LANES at most. */
static inline int row_lanes(const RowCell *c, int count) {
    int k = 1;
    if (!row_is_number(c)) return 1;
    for (; k < count && k < ROW_LANES; k++)
        if (c[k].kind != c->kind || c[k].payload != c->payload || c[k].width != c->width || c[k].present != c->present
            || c[k].null_byte != c->null_byte || c[k].invert != c->invert || c[k].nan_last != c->nan_last
            || !c[k].valid != !c->valid)
            break;
    return k;
}
