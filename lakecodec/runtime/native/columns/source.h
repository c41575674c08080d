/* Arrow arrays as a writer sees them: cells that are not null, a block of rows at a time. */
#pragma once

#include "bits.h"
#include "column.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "columns are written on little-endian machines only; the pure backend does without this file"
#endif

/* Rows that are read at once. */
enum { WRITE_BLOCK = 256 };

/* How cells are held. FIXED ones are numbers of up to 64 bits; LARGE ones 128-bit integers, RAGGED ones bytes. */
enum { WRITE_BITS, WRITE_FIXED, WRITE_LARGE, WRITE_RAGGED };

/* A number, or where bytes begin. */
typedef union {
    uint64_t number;
    const uint8_t *bytes;
} WriteWord;

/* One value: `length` counts the bytes of LARGE and RAGGED cells. */
typedef struct {
    WriteWord word;
    uint64_t length;
} WriteCell;

/* One Arrow array. `valid` is NULL where nothing is null; `stop` ends the bytes of RAGGED values. */
typedef struct {
    const uint8_t *valid, *data, *offsets, *stop;
    int64_t offset, length, nulls;
} WriteChunk;

/* The chunks of a column and how a value is encoded; `kind` is one of KIND_*, `stride` the size of a value in Arrow. */
typedef struct {
    int kind, form, stride, width, big;
    int64_t unit;
    WriteChunk *chunks;
    int64_t count;
} WriteColumn;

/* ---- loads of any alignment ---- */

COLUMNS_INLINE uint64_t write_load64(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return x; }
COLUMNS_INLINE uint32_t write_load32(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return x; }
COLUMNS_INLINE int32_t write_offset(const uint8_t *offsets, int64_t i) {
    return (int32_t)write_load32(offsets + 4 * i);
}

/* Bits `bit` to `bit + n`, n <= 64, of a bitmap. */
COLUMNS_INLINE uint64_t write_bits(const uint8_t *bitmap, int64_t bit, int64_t n) {
    const uint8_t *p = bitmap + (bit >> 3);
    const int shift = (int)(bit & 7);
    const int64_t bytes = (shift + n + 7) >> 3;
    uint64_t low = 0;
    if (bytes >= 8) low = write_load64(p);
    else memcpy(&low, p, bytes);
    low >>= shift;
    if (bytes > 8) low |= (uint64_t)p[8] << (64 - shift);
    return n < 64 ? low & (((uint64_t)1 << n) - 1) : low;
}

COLUMNS_INLINE uint64_t write_ones(int64_t n) { return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0; }

/* Rows of a stretch of at most 64 that are not null. */
COLUMNS_INLINE uint64_t write_valid(const WriteChunk *chunk, int64_t row, int64_t n) {
    return chunk->valid ? write_bits(chunk->valid, chunk->offset + row, n) : write_ones(n);
}

COLUMNS_VECTOR static int64_t write_count_nulls(const WriteChunk *chunk) {
    int64_t live = 0;
    for (int64_t row = 0; row < chunk->length; row += 64) {
        const int64_t n = chunk->length - row < 64 ? chunk->length - row : 64;
        live += __builtin_popcountll(write_bits(chunk->valid, chunk->offset + row, n));
    }
    return chunk->length - live;
}

/* ---- cells ---- */

COLUMNS_INLINE void write_cell(const WriteChunk *chunk, int64_t row, WriteCell *cell, const int form,
                               const int stride) {
    const int64_t place = chunk->offset + row;
    if (form == WRITE_BITS) {
        cell->word.number = chunk->data[place >> 3] >> (place & 7) & 1;
    } else if (form == WRITE_FIXED) {
        uint64_t x = 0;
        memcpy(&x, chunk->data + place * stride, stride < 8 ? stride : 8);
        cell->word.number = x;
    } else if (form == WRITE_LARGE) {
        cell->word.bytes = chunk->data + place * stride;
        cell->length = stride;
    } else {
        const int32_t start = write_offset(chunk->offsets, place);
        cell->word.bytes = chunk->data + start;
        cell->length = (uint64_t)(uint32_t)(write_offset(chunk->offsets, place + 1) - start);
    }
}

COLUMNS_INLINE int64_t write_read_as(const WriteChunk *chunk, int64_t row, int64_t n, WriteCell *cells,
                                     const int form, const int stride) {
    int64_t live = 0;
    if (!chunk->valid) {
        for (; live < n; live++) write_cell(chunk, row + live, cells + live, form, stride);
        return live;
    }
    for (int64_t at = 0; at < n; at += 64)
        for (uint64_t word = write_valid(chunk, row + at, n - at < 64 ? n - at : 64); word; word &= word - 1)
            write_cell(chunk, row + at + __builtin_ctzll(word), cells + live++, form, stride);
    return live;
}

/* The cells of rows row to row + n that are not null, n <= WRITE_BLOCK; returns how many there are. */
static int64_t write_read(const WriteColumn *column, const WriteChunk *chunk, int64_t row, int64_t n,
                          WriteCell *cells) {
    switch (column->form) {
    case WRITE_BITS: return write_read_as(chunk, row, n, cells, WRITE_BITS, 0);
    case WRITE_LARGE: return write_read_as(chunk, row, n, cells, WRITE_LARGE, 16);
    case WRITE_RAGGED: return write_read_as(chunk, row, n, cells, WRITE_RAGGED, 0);
    }
    switch (column->stride) {
    case 1: return write_read_as(chunk, row, n, cells, WRITE_FIXED, 1);
    case 2: return write_read_as(chunk, row, n, cells, WRITE_FIXED, 2);
    case 4: return write_read_as(chunk, row, n, cells, WRITE_FIXED, 4);
    case 8: return write_read_as(chunk, row, n, cells, WRITE_FIXED, 8);
    default: return write_read_as(chunk, row, n, cells, WRITE_FIXED, 16);
    }
}

/* Bits of a row each, set where it is null, of all chunks; `out` is zeroed. */
static void write_nulls(const WriteColumn *column, uint8_t *out) {
    int64_t place = 0;
    for (int64_t k = 0; k < column->count; k++) {
        const WriteChunk *chunk = column->chunks + k;
        for (int64_t row = 0; row < chunk->length; row += 64) {
            const int64_t n = chunk->length - row < 64 ? chunk->length - row : 64;
            const uint64_t nulls = write_valid(chunk, row, n) ^ write_ones(n);
            const int shift = (int)(place & 7);
            const int64_t bytes = (shift + n + 7) >> 3;
            uint8_t *p = out + (place >> 3);
            const uint64_t low = nulls << shift | *p;
            memcpy(p, &low, bytes < 8 ? bytes : 8);
            if (bytes > 8) p[8] = (uint8_t)(nulls >> (64 - shift));
            place += n;
        }
    }
}
