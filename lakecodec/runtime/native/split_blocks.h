#ifndef LAKECODEC_SPLIT_BLOCKS_H
#define LAKECODEC_SPLIT_BLOCKS_H

#include <stdint.h>
#include <string.h>

#include "columns/bits.h"

/* XXH64 of seed 0 (xxhash_spec.md). Memory that changes meanwhile gives another number and nothing else. */

#define XXH_1 0x9E3779B185EBCA87u
#define XXH_2 0xC2B2AE3D27D4EB4Fu
#define XXH_3 0x165667B19E3779F9u
#define XXH_4 0x85EBCA77C2B2AE63u
#define XXH_5 0x27D4EB2F165667C5u

static inline uint64_t xxh_turned(uint64_t number, int bits) { return number << bits | number >> (64 - bits); }

static inline uint64_t xxh_8(const uint8_t *at) { uint64_t word; memcpy(&word, at, 8); return word; }

static inline uint64_t xxh_4(const uint8_t *at) { uint32_t word; memcpy(&word, at, 4); return word; }

static inline uint64_t xxh_round(uint64_t lane, uint64_t word) { return xxh_turned(lane + word * XXH_2, 31) * XXH_1; }

static inline uint64_t xxh_stripes(const uint8_t **at, const uint8_t *end)
{
    uint64_t lanes[4] = {XXH_1 + XXH_2, XXH_2, 0, 0 - XXH_1};
    for (; end - *at >= 32; *at += 32) {
        for (int i = 0; i < 4; i++) lanes[i] = xxh_round(lanes[i], xxh_8(*at + 8 * i));
    }
    uint64_t hash = xxh_turned(lanes[0], 1) + xxh_turned(lanes[1], 7) + xxh_turned(lanes[2], 12) + xxh_turned(lanes[3], 18);
    for (int i = 0; i < 4; i++) hash = (hash ^ xxh_round(0, lanes[i])) * XXH_1 + XXH_4;
    return hash;
}

static inline uint64_t xxh64(const uint8_t *at, int64_t size)
{
    const uint8_t *const end = at + size;
    uint64_t hash = (size >= 32 ? xxh_stripes(&at, end) : XXH_5) + (uint64_t)size;
    for (; end - at >= 8; at += 8) hash = xxh_turned(hash ^ xxh_round(0, xxh_8(at)), 27) * XXH_1 + XXH_4;
    if (end - at >= 4) {
        hash = xxh_turned(hash ^ xxh_4(at) * XXH_1, 23) * XXH_2 + XXH_3;
        at += 4;
    }
    for (; at < end; at++) hash = xxh_turned(hash ^ *at * XXH_5, 11) * XXH_1;
    hash = (hash ^ hash >> 33) * XXH_2;
    hash = (hash ^ hash >> 29) * XXH_3;
    return hash ^ hash >> 32;
}

enum { BLOCK_WORDS = 8, FILTER_WAITING = 64 };

typedef uint32_t BlockWords __attribute__((vector_size(4 * BLOCK_WORDS)));

typedef struct {
    uint8_t *words;
    uint64_t blocks;
    uint32_t salt[BLOCK_WORDS];
    int waiting;
    uint64_t hashes[FILTER_WAITING];
} BlockFilter;

/* Sets one bit of each word of a block: the upper half of a hash chooses the block, the lower half the bits. */
COLUMNS_VECTOR static void filter_flush(BlockFilter *filter)
{
    BlockWords salt, block;
    memcpy(&salt, filter->salt, sizeof(salt));
    for (int n = 0; n < filter->waiting; n++) {
        const uint64_t hash = filter->hashes[n];
        uint8_t *const at = filter->words + ((hash >> 32) * filter->blocks >> 32) * sizeof(block);
        memcpy(&block, at, sizeof(block));
        block |= (salt - salt + 1) << (salt * (uint32_t)hash >> 27);
        memcpy(at, &block, sizeof(block));
    }
    filter->waiting = 0;
}

static inline void filter_put(BlockFilter *filter, const uint8_t *value, int64_t size)
{
    filter->hashes[filter->waiting++] = xxh64(value, size);
    if (filter->waiting == FILTER_WAITING) filter_flush(filter);
}

#endif
