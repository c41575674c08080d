/* Encoded values: their sizes, and writing them. */
#pragma once

#include "source.h"

/* ---- sizes ---- */

COLUMNS_INLINE uint64_t put_varint_size(uint64_t n) {
    return 1 + (n >= 1u << 7) + (n >= 1u << 14) + (n >= 1u << 21) + (n >= 1u << 28);
}

/* Bytes of a 128-bit integer without the leading ones that only repeat the sign. */
COLUMNS_INLINE int write_integer_size(const uint8_t *bytes) {
    const uint64_t low = write_load64(bytes), high = write_load64(bytes + 8), sign = (uint64_t)((int64_t)high >> 63);
    const uint64_t a = high ^ sign, b = low ^ sign;
    const int bits = a ? 128 - __builtin_clzll(a) : b ? 64 - __builtin_clzll(b) : 0;
    return bits / 8 + 1;
}

COLUMNS_INLINE int64_t write_cell_size(const WriteColumn *column, const WriteCell *cell) {
    if (column->width) return column->width;
    if (column->form == WRITE_LARGE) return 1 + write_integer_size(cell->word.bytes);
    return (int64_t)(put_varint_size(cell->length) + cell->length);
}

/* The encoded size of a chunk's values. */
static int64_t write_chunk_size(const WriteColumn *column, const WriteChunk *chunk) {
    if (column->width) return (chunk->length - chunk->nulls) * column->width;
    int64_t size = 0;
    if (column->form == WRITE_RAGGED && 8 * chunk->nulls <= chunk->length) {
        const uint8_t *offsets = chunk->offsets + 4 * chunk->offset;
        /* The loop below takes nulls for values. */
        for (int64_t row = 0; chunk->nulls && row < chunk->length; row += 64) {
            const int64_t n = chunk->length - row < 64 ? chunk->length - row : 64;
            for (uint64_t word = write_valid(chunk, row, n) ^ write_ones(n); word; word &= word - 1) {
                WriteCell null;
                write_cell(chunk, row + __builtin_ctzll(word), &null, WRITE_RAGGED, 0);
                size -= write_cell_size(column, &null);
            }
        }
        for (int64_t row = 0; row < chunk->length;) {
            const int64_t stop = chunk->length - row < 1 << 20 ? chunk->length : row + (1 << 20);
            uint32_t prefixes = 0;
            for (; row < stop; row++) {
                const uint32_t n = write_load32(offsets + 4 * row + 4) - write_load32(offsets + 4 * row);
                prefixes += 1 + (n >= 1u << 7) + (n >= 1u << 14) + (n >= 1u << 21) + (n >= 1u << 28);
            }
            size += prefixes;
        }
        return size + write_offset(offsets, chunk->length) - write_offset(offsets, 0);
    }
    WriteCell cells[WRITE_BLOCK];
    for (int64_t row = 0; row < chunk->length; row += WRITE_BLOCK) {
        const int64_t n = chunk->length - row < WRITE_BLOCK ? chunk->length - row : WRITE_BLOCK;
        const int64_t live = write_read(column, chunk, row, n, cells);
        for (int64_t i = 0; i < live; i++) size += write_cell_size(column, cells + i);
    }
    return size;
}

/* ---- numbers ---- */

COLUMNS_INLINE uint8_t *write_number(uint8_t *out, uint64_t x, const int width, const int big) {
    if (big) x = __builtin_bswap64(x) >> (64 - 8 * width);
    memcpy(out, &x, width);
    return out + width;
}

COLUMNS_INLINE uint8_t *write_numbers_as(const WriteCell *cells, int64_t n, uint8_t *out, const int width,
                                         const int big) {
    for (int64_t i = 0; i < n; i++) out = write_number(out, cells[i].word.number, width, big);
    return out;
}

COLUMNS_INLINE uint8_t *write_numbers(const WriteCell *cells, int64_t n, uint8_t *out, int width, const int big) {
    switch (width) {
    case 1: return write_numbers_as(cells, n, out, 1, big);
    case 2: return write_numbers_as(cells, n, out, 2, big);
    case 4: return write_numbers_as(cells, n, out, 4, big);
    default: return write_numbers_as(cells, n, out, 8, big);
    }
}

/* Without nulls, straight from Arrow's buffer. */
COLUMNS_VECTOR static void write_swapped(const uint8_t *data, int64_t n, uint8_t *out, int width) {
    if (width == 2) for (int64_t i = 0; i < n; i++) {
        uint16_t x; memcpy(&x, data + 2 * i, 2); x = __builtin_bswap16(x); memcpy(out + 2 * i, &x, 2);
    } else if (width == 4) for (int64_t i = 0; i < n; i++) {
        uint32_t x; memcpy(&x, data + 4 * i, 4); x = __builtin_bswap32(x); memcpy(out + 4 * i, &x, 4);
    } else for (int64_t i = 0; i < n; i++) {
        uint64_t x; memcpy(&x, data + 8 * i, 8); x = __builtin_bswap64(x); memcpy(out + 8 * i, &x, 8);
    }
}

static uint8_t *write_pairs(const WriteCell *cells, int64_t n, uint8_t *out, int64_t unit, int big) {
    for (int64_t i = 0; i < n; i++) {
        const int64_t value = (int64_t)cells[i].word.number;
        int64_t whole = value / unit, part = value % unit;
        if (part < 0) { whole--; part += unit; }
        out = write_number(out, (uint64_t)whole, 8, big);
        out = write_number(out, (uint64_t)part, 4, big);
    }
    return out;
}

/* ---- bytes ---- */

COLUMNS_INLINE uint8_t *put_varint(uint8_t *out, uint64_t n) {
    while (n > 127) { *out++ = (uint8_t)(n | 128); n >>= 7; }
    *out++ = (uint8_t)n;
    return out;
}

/* `end` ends the target, so that short values can be written 8 bytes at a time. */
static uint8_t *write_integers(const WriteCell *cells, int64_t n, uint8_t *out, const uint8_t *end) {
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *bytes = cells[i].word.bytes;
        const int size = write_integer_size(bytes);
        const uint64_t low = write_load64(bytes), high = write_load64(bytes + 8);
        *out++ = (uint8_t)size;
        if (size <= 8 && end - out >= 8) {
            const uint64_t swapped = __builtin_bswap64(low << 8 * (8 - size));
            memcpy(out, &swapped, 8);
        } else {
            const uint64_t swapped[2] = {__builtin_bswap64(high), __builtin_bswap64(low)};
            memcpy(out, (const uint8_t *)swapped + 16 - size, size);
        }
        out += size;
    }
    return out;
}

/* `end` ends the target, `stop` the source, so that short values can be copied 16 bytes at a time. */
static uint8_t *write_prefixed(const WriteCell *cells, int64_t n, uint8_t *out, const uint8_t *end,
                               const uint8_t *stop) {
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *bytes = cells[i].word.bytes;
        const int64_t size = (int64_t)cells[i].length;
        out = put_varint(out, (uint64_t)size);
        if (size <= 32 && end - out >= 32 && stop - bytes >= 32) {
            uint8_t piece[32];
            memcpy(piece, bytes, 32);
            memcpy(out, piece, 32);
        } else if (size) {
            memcpy(out, bytes, size);
        }
        out += size;
    }
    return out;
}

/* ---- any value ---- */

static uint8_t *write_cells(const WriteColumn *column, const WriteCell *cells, int64_t n, uint8_t *out,
                            const uint8_t *end, const uint8_t *stop) {
    switch (column->kind) {
    case KIND_PAIR: return write_pairs(cells, n, out, column->unit, column->big);
    case KIND_INTEGER: return write_integers(cells, n, out, end);
    case KIND_BYTES: case KIND_TEXT: return write_prefixed(cells, n, out, end, stop);
    }
    if (column->big) return write_numbers(cells, n, out, column->width, 1);
    return write_numbers(cells, n, out, column->width, 0);
}

/* All values that are not null; `out` has room for exactly those. */
static void write_plain(const WriteColumn *column, uint8_t *out, const uint8_t *end) {
    WriteCell cells[WRITE_BLOCK];
    for (int64_t k = 0; k < column->count; k++) {
        const WriteChunk *chunk = column->chunks + k;
        if (column->kind == KIND_NUMBER && column->stride == column->width && !chunk->valid) {
            const uint8_t *data = chunk->data + chunk->offset * column->width;
            if (column->big && column->width > 1) write_swapped(data, chunk->length, out, column->width);
            else memcpy(out, data, chunk->length * column->width);
            out += chunk->length * column->width;
            continue;
        }
        for (int64_t row = 0; row < chunk->length; row += WRITE_BLOCK) {
            const int64_t n = chunk->length - row < WRITE_BLOCK ? chunk->length - row : WRITE_BLOCK;
            out = write_cells(column, cells, write_read(column, chunk, row, n, cells), out, end, chunk->stop);
        }
    }
}
