/* One pass over a column: sizes, whether all values are equal, and the dictionary with each value's number in it. */
#pragma once

#include "dictionary.h"

/* What the pass has found. `size` entries are kept unless a limit was passed; `codes`, the number of each value's entry
 * in `code_size` bytes, where there is more than one entry; `first` is the first value in any case. */
typedef struct {
    int64_t rows, live, nbytes, size, entries_nbytes;
    int constant, kept, code_size;
    void *codes;
    WriteCell *entries;
    WriteCell first;
} WriteFound;

/* ---- codes ---- */

static void write_keep_codes(void *codes, int size, int64_t place, const uint32_t *numbers, int64_t n) {
    if (size == 1) for (int64_t i = 0; i < n; i++) ((uint8_t *)codes)[place + i] = (uint8_t)numbers[i];
    else if (size == 2) for (int64_t i = 0; i < n; i++) ((uint16_t *)codes)[place + i] = (uint16_t)numbers[i];
    else memcpy((uint32_t *)codes + place, numbers, n * sizeof(uint32_t));
}

/* Codes of `width` bits, the lowest bit first; a block fills whole bytes. */
static void write_pack(const void *codes, int size, int64_t n, int width, uint8_t *out) {
    uint32_t numbers[WRITE_BLOCK];
    for (int64_t place = 0; place < n; place += WRITE_BLOCK, out += WRITE_BLOCK / 8 * width) {
        const int64_t m = n - place < WRITE_BLOCK ? n - place : WRITE_BLOCK;
        if (size == 1) for (int64_t i = 0; i < m; i++) numbers[i] = ((const uint8_t *)codes)[place + i];
        else if (size == 2) for (int64_t i = 0; i < m; i++) numbers[i] = ((const uint16_t *)codes)[place + i];
        else memcpy(numbers, (const uint32_t *)codes + place, m * sizeof(uint32_t));
        columns_pack(numbers, m, width, out);
    }
}

/* ---- columns ---- */

/* Encodes cells of any chunk; `out` has room for exactly those. */
static void write_entries(const WriteColumn *column, const WriteCell *cells, int64_t n, uint8_t *out,
                          const uint8_t *end) {
    /* Nothing is known of the memory after their bytes. */
    for (int64_t i = 0; i < n; i++) out = write_cells(column, cells + i, 1, out, end, cells[i].word.bytes);
}

/* Whether 128-bit integers that are stored as 64-bit ones fit. */
static int write_fits(const WriteChunk *chunk) {
    uint64_t lost = 0;
    for (int64_t row = 0; row < chunk->length; row += 64) {
        const int64_t n = chunk->length - row < 64 ? chunk->length - row : 64;
        for (uint64_t word = write_valid(chunk, row, n); word; word &= word - 1) {
            const uint8_t *value = chunk->data + 16 * (chunk->offset + row + __builtin_ctzll(word));
            lost |= write_load64(value + 8) ^ (uint64_t)((int64_t)write_load64(value) >> 63);
        }
    }
    return lost == 0;
}

/* Fills the table and the codes, as far as the limits allow. */
static int write_index(const WriteColumn *column, WriteTable *table, WriteFound *found) {
    WriteCell cells[WRITE_BLOCK];
    uint32_t numbers[WRITE_BLOCK];
    int64_t place = 0;
    for (int64_t k = 0; k < column->count; k++) {
        const WriteChunk *chunk = column->chunks + k;
        for (int64_t row = 0; row < chunk->length; row += WRITE_BLOCK) {
            const int64_t n = chunk->length - row < WRITE_BLOCK ? chunk->length - row : WRITE_BLOCK;
            const int64_t live = write_read(column, chunk, row, n, cells);
            if (!live) continue;
            if (!place) found->first = cells[0];
            const int status = write_look_up(table, column, chunk, cells, live, numbers);
            if (status) return status;
            write_keep_codes(found->codes, found->code_size, place, numbers, live);
            place += live;
        }
    }
    return WRITE_DONE;
}

/* One pass over a column. */
static int write_profile(const WriteColumn *column, WriteTable *table, int64_t max_size, int64_t max_nbytes,
                         WriteFound *found) {
    for (int64_t k = 0; k < column->count; k++) {
        const WriteChunk *chunk = column->chunks + k;
        found->rows += chunk->length;
        found->live += chunk->length - chunk->nulls;
        found->nbytes += write_chunk_size(column, chunk);
        if (column->form == WRITE_FIXED && column->stride == 16 && !write_fits(chunk)) return WRITE_TOO_LARGE;
    }
    found->kept = 1;
    if (!found->live) return WRITE_DONE;
    table->max_size = max_size < found->live ? max_size : found->live;
    table->max_nbytes = column->form <= WRITE_FIXED && column->width <= 8 ? INT64_MAX : max_nbytes;
    found->code_size = table->max_size <= 1 << 8 ? 1 : table->max_size <= 1 << 16 ? 2 : 4;
    found->codes = malloc(found->live * found->code_size);
    if (!found->codes || write_table_reset(table, found->live)) return WRITE_NO_MEMORY;
    if (write_index(column, table, found) == WRITE_NO_MEMORY) return WRITE_NO_MEMORY;
    found->kept = !write_over(table);
    found->constant = table->size == 1;
    if (found->kept) {
        found->size = table->size;
        found->entries_nbytes = table->nbytes;
        found->entries = malloc(table->size * sizeof(WriteCell));
        if (!found->entries) return WRITE_NO_MEMORY;
        memcpy(found->entries, table->entries, table->size * sizeof(WriteCell));
    }
    if (!found->kept || found->constant) {
        free(found->codes);
        found->codes = NULL;
    }
    return WRITE_DONE;
}
