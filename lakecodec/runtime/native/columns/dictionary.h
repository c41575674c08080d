/* Distinct values in the order in which they come, as long as there are few. */
#ifndef LAKECODEC_COLUMNS_DICTIONARY_H
#define LAKECODEC_COLUMNS_DICTIONARY_H

#include <stdlib.h>

#include "put.h"

enum { WRITE_FEWEST_SLOTS = 16, WRITE_FIRST_SLOTS = 1024 };

/* A slot holds the entry's number + 1 and the upper half of its hash, whose top bits are the slot's place. */
typedef struct { uint32_t number, tag; } WriteSlot;

/* One table serves many columns, one after another. `nbytes` is the encoded size of the entries. */
typedef struct {
    WriteSlot *slots;
    WriteCell *entries;
    int64_t slot_count, slot_room, room, size, nbytes, max_size, max_nbytes;
} WriteTable;

enum { WRITE_DONE, WRITE_NO_MEMORY, WRITE_OVER, WRITE_TOO_LARGE };

/* ---- hashing ---- */

COLUMNS_INLINE uint64_t write_fold(uint64_t a, uint64_t b) {
    const __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define WRITE_ODD1 0x9E3779B97F4A7C15u
#define WRITE_ODD2 0xD6E8FEB86659FD93u

COLUMNS_INLINE uint64_t write_hash_bytes(const uint8_t *p, uint64_t n) {
    uint64_t a, b, seed = n * WRITE_ODD1;
    if (n >= 8) {
        const uint8_t *last = p + n - 8;
        for (; last - p > 8; p += 16) seed = write_fold(write_load64(p) ^ WRITE_ODD2, write_load64(p + 8) ^ seed);
        a = write_load64(p <= last ? p : last);
        b = write_load64(last);
    } else if (n >= 4) {
        a = write_load32(p);
        b = write_load32(p + n - 4);
    } else {
        a = n ? (uint64_t)p[0] << 16 | (uint64_t)p[n >> 1] << 8 | p[n - 1] : 0;
        b = 0;
    }
    return write_fold(a ^ WRITE_ODD2, b ^ seed ^ WRITE_ODD1);
}

COLUMNS_INLINE uint32_t write_tag(const WriteCell *cell, const int ragged) {
    if (ragged) return (uint32_t)(write_hash_bytes(cell->word.bytes, cell->length) >> 32);
    return (uint32_t)(write_fold(cell->word.number ^ WRITE_ODD2, WRITE_ODD1) >> 32);
}

COLUMNS_INLINE int write_same(const WriteCell *a, const WriteCell *b, const int ragged) {
    if (!ragged) return a->word.number == b->word.number;
    return a->length == b->length && memcmp(a->word.bytes, b->word.bytes, a->length) == 0;
}

/* ---- the table ---- */

/* An empty table for at most `values` values. */
static int write_table_reset(WriteTable *table, int64_t values) {
    if (table->slot_room != WRITE_FIRST_SLOTS) {
        free(table->slots);
        table->slot_room = 0;
        table->slots = malloc(WRITE_FIRST_SLOTS * sizeof(WriteSlot));
        if (!table->slots) return WRITE_NO_MEMORY;
        table->slot_room = WRITE_FIRST_SLOTS;
    }
    /* Clearing all of them takes longer than looking up a few values. */
    table->slot_count = WRITE_FEWEST_SLOTS;
    while (table->slot_count < 4 * values && table->slot_count < WRITE_FIRST_SLOTS) table->slot_count *= 2;
    memset(table->slots, 0, (size_t)table->slot_count * sizeof(WriteSlot));
    table->size = table->nbytes = 0;
    return WRITE_DONE;
}

COLUMNS_INLINE int64_t write_place(uint32_t tag, int64_t slot_count) {
    return (int64_t)(((uint64_t)tag * (uint64_t)slot_count) >> 32);
}

static int write_table_grow(WriteTable *table) {
    const int64_t count = table->slot_count * 4;
    WriteSlot *slots = calloc(count, sizeof(WriteSlot));
    if (!slots) return WRITE_NO_MEMORY;
    for (int64_t i = 0; i < table->slot_count; i++) {
        if (!table->slots[i].number) continue;
        int64_t at = write_place(table->slots[i].tag, count);
        while (slots[at].number) at = (at + 1) & (count - 1);
        slots[at] = table->slots[i];
    }
    free(table->slots);
    table->slots = slots;
    table->slot_count = table->slot_room = count;
    return WRITE_DONE;
}

static int write_table_add(WriteTable *table, const WriteColumn *column, const WriteCell *cell, uint32_t tag,
                           int64_t at) {
    if (table->size == table->room) {
        const int64_t room = table->room ? table->room * 2 : WRITE_FIRST_SLOTS / 2;
        WriteCell *entries = realloc(table->entries, room * sizeof(WriteCell));
        if (!entries) return WRITE_NO_MEMORY;
        table->entries = entries;
        table->room = room;
    }
    table->entries[table->size++] = *cell;
    table->nbytes += write_cell_size(column, cell);
    table->slots[at] = (WriteSlot){(uint32_t)table->size, tag};
    return table->size * 2 > table->slot_count ? write_table_grow(table) : WRITE_DONE;
}

/* Whether there is more than the limits allow. */
COLUMNS_INLINE int write_over(const WriteTable *table) {
    return table->size > table->max_size || table->nbytes > table->max_nbytes;
}

/* The limits count from the second entry on: until then the table tells whether the column is constant. */
COLUMNS_INLINE int write_look_up_as(WriteTable *table, const WriteColumn *column, const WriteCell *cells, int64_t n,
                                    uint32_t *numbers, const int ragged) {
    for (int64_t i = 0; i < n; i++) {
        const uint32_t tag = write_tag(cells + i, ragged);
        int64_t at = write_place(tag, table->slot_count);
        WriteSlot slot;
        while ((slot = table->slots[at]).number &&
               !(slot.tag == tag && write_same(table->entries + slot.number - 1, cells + i, ragged)))
            at = (at + 1) & (table->slot_count - 1);
        if (slot.number) { numbers[i] = slot.number - 1; continue; }
        numbers[i] = (uint32_t)table->size;
        if (write_table_add(table, column, cells + i, tag, at)) return WRITE_NO_MEMORY;
        if (table->size > 1 && write_over(table)) return WRITE_OVER;
    }
    return WRITE_DONE;
}

/* Looks up n cells and writes their numbers; WRITE_OVER, with the rest left, once a limit is passed. */
static int write_look_up(WriteTable *table, const WriteColumn *column, const WriteCell *cells, int64_t n,
                         uint32_t *numbers) {
    if (column->form >= WRITE_LARGE) return write_look_up_as(table, column, cells, n, numbers, 1);
    return write_look_up_as(table, column, cells, n, numbers, 0);
}

#endif
