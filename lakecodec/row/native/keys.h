/* Whole numbers of any width in Arrow's memory, and keys of dictionaries. */
#pragma once

#include "nodes.h"

/* Which of n values are not null: bits of a bitmap from `bit` on; all of them where `bits` is NULL. */
typedef struct RowAlive {
    const uint8_t *bits;
    int64_t bit;
} RowAlive;

static inline int row_is_alive(RowAlive alive, int64_t i) { return !alive.bits || row_bit(alive.bits, alive.bit + i); }

/* Whole numbers of 1, 2, 4 or 8 bytes. */
static inline int64_t row_integer(const void *numbers, int unit, int is_unsigned, int64_t i) {
    switch (unit) {
    case 1: return is_unsigned ? ((const uint8_t *)numbers)[i] : ((const int8_t *)numbers)[i];
    case 2: return is_unsigned ? ((const uint16_t *)numbers)[i] : ((const int16_t *)numbers)[i];
    case 4: return is_unsigned ? (int64_t)((const uint32_t *)numbers)[i] : ((const int32_t *)numbers)[i];
    default: return ((const int64_t *)numbers)[i];
    }
}

/* Keys as 64 bits, -1 for nulls and those that are not below `count`; the least and the greatest of the others. Without a branch,
   as nulls come by chance: -1 is no least key. */
ROW_INLINE void row_keys_of(const void *from, int64_t place, int64_t n, RowAlive alive, int64_t count, int64_t *keys,
                            int64_t *low, int64_t *high, const int unit, const int is_unsigned) {
    uint8_t flags[ROW_BLOCK + 8];
    int64_t least = INT64_MAX, most = -1;
    memset(flags, 0xFF, sizeof flags);
    for (int64_t base = 0; base < n; base += ROW_BLOCK) {
        const int64_t m = n - base < ROW_BLOCK ? n - base : ROW_BLOCK;
        if (alive.bits) row_spread_flags(alive.bits, alive.bit + base, m, flags, 0xFF);
        for (int64_t i = 0; i < m; i++) {
            const int64_t key = row_integer(from, unit, is_unsigned, place + base + i);
            const int64_t known = key | ~(int64_t)(int8_t)flags[i] | -(int64_t)((uint64_t)key >= (uint64_t)count);
            const int64_t other = known & INT64_MAX;
            keys[base + i] = known;
            least = other < least ? other : least;
            most = known > most ? known : most;
        }
    }
    *low = least;
    *high = most;
}

ROW_CLONES static void row_read_keys(const RowNode *node, const void *from, int64_t place, int64_t n, RowAlive alive,
                                     int64_t count, int64_t *keys, int64_t *low, int64_t *high) {
#define ROW_CASE(UNIT, UNSIGNED) \
    case 2 * (UNIT) + (UNSIGNED): row_keys_of(from, place, n, alive, count, keys, low, high, UNIT, UNSIGNED); return;
    switch (2 * node->unit + !!node->is_unsigned) {
        ROW_CASE(1, 0) ROW_CASE(1, 1) ROW_CASE(2, 0) ROW_CASE(2, 1) ROW_CASE(4, 0) ROW_CASE(4, 1)
    default: row_keys_of(from, place, n, alive, count, keys, low, high, 8, 0);
    }
#undef ROW_CASE
}
