/* What the rows of a column have: counts, validity, and the codes of a block of rows. */
#pragma once

#include "column.h"
#include "spread.h"

/* Entries, and bytes of each, that are copied without a look at how many they are. */
enum { COLUMNS_FEW = 256, COLUMNS_CELL = 16 };

/* What one block of rows needs on its way. */
typedef struct ColumnBlock {
    uint32_t codes[COLUMNS_BLOCK + 8], row_codes[COLUMNS_BLOCK];
    int32_t ends[COLUMNS_BLOCK + 1];
    ColumnWide values[COLUMNS_BLOCK + 1];
    uint8_t bytes[COLUMNS_BLOCK];
    /* Few short entries of a dictionary, and an empty one for rows that are null. */
    uint8_t cells[COLUMNS_FEW + 1][COLUMNS_CELL];
    uint8_t sizes[COLUMNS_FEW + 1];
} ColumnBlock;

static inline int column_is_plain(const Column *c) { return c->has_values && !c->has_codes && !c->constant; }

/* Takes the memory of `items` off what is left. */
static inline int column_charge(Column *c, int64_t *left, int64_t items, int64_t width) {
    if (items > *left / width) return column_fail(c, RULE_LIMIT, NULL);
    *left -= items * width;
    return 0;
}

/* Counts the rows that are not null, and compares all counts. */
static inline int column_count(Column *c) {
    c->live = c->has_values ? c->rows : 0;
    if (c->has_values && c->has_nulls) {
        if (c->nulls_count != c->rows || c->nulls_width != 1) return column_fail(c, RULE_NULLS, c->nulls);
        c->live -= columns_ones(c->nulls, c->rows);
    }
    if (c->has_codes) return c->codes_count == c->live ? 0 : column_fail(c, RULE_CODES, c->codes);
    if (c->has_values && c->values.count != (c->constant ? 1 : c->live))
        return column_fail(c, RULE_COUNT, c->values.start);
    return 0;
}

/* Set bits for rows that are not null, and 0 after the last row; -1 where they are not as many as were counted: the
 * caller's memory has changed, and what follows goes by the count. */
static inline int column_validity(Column *c) {
    const int64_t nbytes = (c->rows + 7) >> 3;
    if (c->validity == NULL) return 0;
    for (int64_t i = 0; i < c->rows; i += 64) {
        const uint64_t used = c->rows - i < 64 ? ((uint64_t)1 << (c->rows - i)) - 1 : ~(uint64_t)0;
        c->validity[i >> 6] = c->has_values ? ~columns_window(c->nulls, nbytes, i >> 3) & used : 0;
    }
    const int64_t live = columns_ones((const uint8_t *)c->validity, (c->rows + 63) & ~(int64_t)63);
    return live == c->live ? 0 : column_fail(c, RULE_NULLS, c->nulls);
}

/* Words of the validity bitmap are numbers while it is worked with; Arrow wants its bytes. */
static inline void column_seal(Column *c) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int64_t i = 0; c->validity && i < (c->rows + 63) >> 6; i++) c->validity[i] = __builtin_bswap64(c->validity[i]);
#else
    (void)c;
#endif
}

/* Rows of a block that are not null. */
static inline int64_t column_block_live(const Column *c, int64_t base, int64_t m) {
    if (c->validity == NULL) return m;
    /* Bits after the last row are 0. */
    return columns_ones((const uint8_t *)(c->validity + (base >> 6)), (m + 63) & ~(int64_t)63);
}

/* `k` codes from number `from`: zeros of a constant. NULL where one is outside the table. */
static inline uint32_t *column_codes(Column *c, ColumnBlock *b, int64_t from, int64_t k) {
    const int64_t packed = (c->codes_count * c->codes_width + 7) >> 3;
    if (c->has_codes) columns_unpack(c->codes, packed, from, k, c->codes_width, b->codes);
    else memset(b->codes, 0, (size_t)k * sizeof *b->codes);
    if (k && columns_largest(b->codes, k) >= c->values.count) {
        column_fail(c, RULE_CODE, c->codes);
        return NULL;
    }
    return b->codes;
}

/* A code for each of the block's rows; those that are null have the one after the table's last. NULL as above. */
static inline uint32_t *column_row_codes(Column *c, ColumnBlock *b, int64_t base, int64_t m, int64_t from, int64_t k) {
    uint32_t *codes = column_codes(c, b, from, k);
    if (codes == NULL || k == m) return codes;
    codes[k] = 0;
    columns_spread_codes(c->validity + (base >> 6), m, codes, (uint32_t)c->values.count, b->row_codes);
    return b->row_codes;
}
