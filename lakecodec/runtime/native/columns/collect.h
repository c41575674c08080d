/* Arrow arrays of one type, copied one after the other. */
#pragma once

#include "arrow.h"
#include <stdlib.h>

/* What has been copied: an array of its own buffers, validity always among them. */
typedef struct {
    struct ArrowArray array;
    const void *buffers[3];
    int form, stride;
    int64_t room, bytes_room; /* rows and bytes that the buffers can hold */
} ColumnsGrown;

enum { COLUMNS_TOO_LONG = -2, COLUMNS_FIRST_ROOM = 64 };

/* -1 for a type whose values are in children, or not in buffers of one of the forms. */
static int columns_grow_as(ColumnsGrown *grown, WriteFormat given) {
    const char first = given.letters[0];
    if (given.dictionary) return -1;
    grown->stride = given.decimal ? 16 : given.width;
    grown->form = grown->stride ? WRITE_FIXED : first == 'b' ? WRITE_BITS : WRITE_RAGGED;
    if (grown->form == WRITE_RAGGED && ((first != 'u' && first != 'z') || given.letters[1])) return -1;
    grown->array.n_buffers = grown->form == WRITE_RAGGED ? 3 : 2;
    grown->array.buffers = grown->buffers;
    return 0;
}

static int columns_room(const void **buffer, int64_t size) {
    void *larger = realloc((void *)*buffer, (size_t)size + 16); /* bits are stored eight bytes at a time */
    if (!larger) return -1;
    *buffer = larger;
    return 0;
}

static int columns_row_room(ColumnsGrown *grown, int64_t rows) {
    if (rows <= grown->room) return 0;
    int64_t room = grown->room ? 2 * grown->room : COLUMNS_FIRST_ROOM;
    if (room < rows) room = rows;
    const int64_t size = grown->form == WRITE_BITS    ? (room + 7) >> 3
                         : grown->form == WRITE_FIXED ? room * grown->stride
                                                      : 4 * (room + 1);
    if (columns_room(&grown->buffers[0], (room + 7) >> 3) || columns_room(&grown->buffers[1], size)) return -1;
    if (grown->form == WRITE_RAGGED && !grown->room) *(int32_t *)grown->buffers[1] = 0;
    grown->room = room;
    return 0;
}

static void columns_copy_bits(const void *to, int64_t at, const uint8_t *from, int64_t bit, int64_t n) {
    for (int64_t done = 0; done < n; done += 64) {
        const int64_t count = n - done < 64 ? n - done : 64;
        const uint64_t word = from ? write_bits(from, bit + done, count) : write_ones(count);
        const int shift = (int)((at + done) & 7);
        uint8_t *p = (uint8_t *)to + ((at + done) >> 3);
        const uint64_t low = word << shift | (shift ? *p & ((1u << shift) - 1) : 0);
        memcpy(p, &low, 8);
        if (shift + count > 64) p[8] = (uint8_t)(word >> (64 - shift));
    }
}

static int columns_copy_bytes(ColumnsGrown *grown, const struct ArrowArray *array) {
    const uint8_t *given = array->buffers[1];
    const int32_t first = write_offset(given, array->offset);
    const int64_t added = (int64_t)write_offset(given, array->offset + array->length) - first;
    int32_t *offsets = (int32_t *)grown->buffers[1] + grown->array.length;
    const int64_t size = offsets[0], needed = size + added;
    if (needed > INT32_MAX) return COLUMNS_TOO_LONG;
    if (needed > grown->bytes_room || !grown->buffers[2]) {
        const int64_t room = needed < 2 * grown->bytes_room ? 2 * grown->bytes_room : needed + COLUMNS_FIRST_ROOM;
        if (columns_room(&grown->buffers[2], room)) return -1;
        grown->bytes_room = room;
    }
    if (added) memcpy((uint8_t *)grown->buffers[2] + size, (const uint8_t *)array->buffers[2] + first, (size_t)added);
    for (int64_t i = 1; i <= array->length; i++)
        offsets[i] = (int32_t)(size + write_offset(given, array->offset + i) - first);
    return 0;
}

/* Copies an array after what is there; 0, -1 without memory, or COLUMNS_TOO_LONG. Nothing has changed after an error. */
static int columns_grow(ColumnsGrown *grown, const struct ArrowArray *array) {
    const int64_t at = grown->array.length, n = array->length;
    if (n == 0) return 0;
    if (columns_row_room(grown, at + n)) return -1;
    if (grown->form == WRITE_RAGGED) {
        const int failed = columns_copy_bytes(grown, array);
        if (failed) return failed;
    } else if (grown->form == WRITE_BITS) {
        columns_copy_bits(grown->buffers[1], at, array->buffers[1], array->offset, n);
    } else {
        const uint8_t *values = (const uint8_t *)array->buffers[1] + array->offset * grown->stride;
        memcpy((uint8_t *)grown->buffers[1] + at * grown->stride, values, (size_t)(n * grown->stride));
    }
    WriteChunk chunk = {.valid = array->null_count ? array->buffers[0] : NULL, .offset = array->offset, .length = n};
    columns_copy_bits(grown->buffers[0], at, chunk.valid, chunk.offset, n);
    grown->array.null_count += chunk.valid ? write_count_nulls(&chunk) : 0;
    grown->array.length = at + n;
    return 0;
}

static void columns_grown_free(ColumnsGrown *grown) {
    for (int i = 0; i < 3; i++) free((void *)grown->buffers[i]);
}
