/* What is asked of packed numbers as a whole. */
#pragma once

#include "column.h"
#include "spread.h"

static inline uint64_t columns_total(const uint8_t *data, int64_t nbytes, int64_t count, int width) {
    uint32_t block[COLUMNS_BLOCK];
    uint64_t total = 0;
    for (int64_t from = 0; from < count && width; from += COLUMNS_BLOCK) {
        const int64_t n = count - from < COLUMNS_BLOCK ? count - from : COLUMNS_BLOCK;
        columns_unpack(data, nbytes, from, n, width, block);
        for (int64_t i = 0; i < n; i++) total += block[i];
    }
    return total;
}

/* The largest number, 0 where there are none. Stops at the largest possible number. */
static inline uint32_t columns_maximum(const uint8_t *data, int64_t nbytes, int64_t count, int width) {
    uint32_t block[COLUMNS_BLOCK], most = 0;
    const uint32_t bound = (uint32_t)(((uint64_t)1 << width) - 1);
    for (int64_t from = 0; from < count && most < bound; from += COLUMNS_BLOCK) {
        const int64_t n = count - from < COLUMNS_BLOCK ? count - from : COLUMNS_BLOCK;
        columns_unpack(data, nbytes, from, n, width, block);
        const uint32_t largest = columns_largest(block, n);
        most = largest > most ? largest : most;
    }
    return most;
}
