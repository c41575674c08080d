/* Distinct values in the order in which they come, as long as there are few. */
#pragma once

#include <stdlib.h>

#include "put.h"

enum { WRITE_FEWEST_SLOTS = 16, WRITE_FIRST_SLOTS = 1024 };

/* A slot holds the entry's number + 1 and the upper half of its hash, whose top bits are the slot's place. */
typedef struct { uint32_t number, tag; } WriteSlot;

/* Up to 16 bytes as numbers, which are the same for equal bytes only; of more, their hash. */
typedef struct { uint64_t low, high; } WriteKey;

/* One table serves many columns, one after another. `nbytes` is the encoded size of the entries, which are numbers or have
 * `keys`. */
typedef struct {
    WriteSlot *slots;
    WriteCell *entries;
    WriteKey *keys;
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
    uint64_t seed = n * WRITE_ODD1;
    const uint8_t *last = p + n - 8;
    for (; last - p > 8; p += 16) seed = write_fold(write_load64(p) ^ WRITE_ODD2, write_load64(p + 8) ^ seed);
    return write_fold(write_load64(p <= last ? p : last) ^ WRITE_ODD2, write_load64(last) ^ seed ^ WRITE_ODD1);
}

/* Masks of n bytes begin at 16 - n: lengths are taken at random. */
static const uint8_t write_kept[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

/* `stop` ends the memory after shorter values than 16 bytes. */
COLUMNS_INLINE WriteKey write_key(const WriteCell *cell, const uint8_t *stop) {
    const uint8_t *p = cell->word.bytes;
    const uint64_t n = cell->length;
    WriteKey key = {0, 0};
    if (n > 16) return (WriteKey){write_hash_bytes(p, n), 0};
    if (n < 16 && stop - p < 16) {
        memcpy(&key, p, n);
        return key;
    }
    const uint8_t *kept = write_kept + 16 - n;
    return (WriteKey){write_load64(p) & write_load64(kept), write_load64(p + 8) & write_load64(kept + 8)};
}

COLUMNS_INLINE uint32_t write_tag(const WriteKey *key, uint64_t length) {
    return (uint32_t)(write_fold(key->low ^ WRITE_ODD2, key->high ^ length ^ WRITE_ODD1) >> 32);
}

COLUMNS_INLINE int write_same(const WriteTable *table, uint32_t number, const WriteCell *cell, const WriteKey *key,
                              const int ragged) {
    const WriteCell *entry = table->entries + number;
    if (!ragged) return entry->word.number == cell->word.number;
    return table->keys[number].low == key->low && table->keys[number].high == key->high &&
           entry->length == cell->length &&
           (cell->length <= 16 || memcmp(entry->word.bytes, cell->word.bytes, cell->length) == 0);
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

static int write_table_add(WriteTable *table, const WriteColumn *column, const WriteCell *cell, const WriteKey *key,
                           uint32_t tag, int64_t at) {
    if (table->size == table->room) {
        const int64_t room = table->room ? table->room * 2 : WRITE_FIRST_SLOTS / 2;
        WriteCell *entries = realloc(table->entries, room * sizeof(WriteCell));
        if (!entries) return WRITE_NO_MEMORY;
        table->entries = entries;
        WriteKey *keys = realloc(table->keys, room * sizeof(WriteKey));
        if (!keys) return WRITE_NO_MEMORY;
        table->keys = keys;
        table->room = room;
    }
    table->keys[table->size] = *key;
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
                                    const uint8_t *stop, uint32_t *numbers, const int ragged) {
    for (int64_t i = 0; i < n; i++) {
        const WriteKey key = ragged ? write_key(cells + i, stop) : (WriteKey){cells[i].word.number, 0};
        const uint32_t tag = write_tag(&key, ragged ? cells[i].length : 0);
        int64_t at = write_place(tag, table->slot_count);
        WriteSlot slot;
        while ((slot = table->slots[at]).number &&
               !(slot.tag == tag && write_same(table, slot.number - 1, cells + i, &key, ragged)))
            at = (at + 1) & (table->slot_count - 1);
        if (slot.number) { numbers[i] = slot.number - 1; continue; }
        numbers[i] = (uint32_t)table->size;
        if (write_table_add(table, column, cells + i, &key, tag, at)) return WRITE_NO_MEMORY;
        if (table->size > 1 && write_over(table)) return WRITE_OVER;
    }
    return WRITE_DONE;
}

/* Looks up n cells of a chunk and writes their numbers; WRITE_OVER, with the rest left, once a limit is passed. */
static int write_look_up(WriteTable *table, const WriteColumn *column, const WriteChunk *chunk, const WriteCell *cells,
                         int64_t n, uint32_t *numbers) {
    if (column->form >= WRITE_LARGE) return write_look_up_as(table, column, cells, n, chunk->stop, numbers, 1);
    return write_look_up_as(table, column, cells, n, NULL, numbers, 0);
}
