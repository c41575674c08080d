/* One column: what is read, where it goes, and what went wrong. */
#pragma once

#include <stdint.h>

/* As `Kind` of layout.py, `Form` of results.py and `Rule` of rules.py number them. */
enum { KIND_NUMBER, KIND_BOOLEAN, KIND_PAIR, KIND_BYTES, KIND_TEXT, KIND_INTEGER };
enum { FORM_BITS, FORM_FIXED, FORM_RAGGED };
enum {
    RULE_NULLS = 1, RULE_COUNT, RULE_CODES, RULE_TRUNCATED, RULE_LEFTOVER, RULE_PREFIX, RULE_BOUNDS, RULE_TEXT,
    RULE_BOOLEAN, RULE_OVERFLOW, RULE_CODE, RULE_LIMIT, RULE_OFFSETS,
};
/* What may also come back: 0, or no memory. */
enum { COLUMNS_NO_MEMORY = -1 };

/* Rows that are handled together; a multiple of 64. */
enum { COLUMNS_BLOCK = 512 };
/* Bytes that may be written past a value, or read where the buffer has them. */
enum { COLUMNS_SLACK = 32 };
/* The largest of 32-bit offsets. */
enum { COLUMNS_MAX_OFFSET = 0x7FFFFFFF };

/* `Result` of results.py, with its layout. */
typedef struct ColumnPlan {
    int kind, width, big, form, out_width, text;
    int64_t unit, least, most;
} ColumnPlan;

/* `count` values at `start`; the buffer goes on after them until `limit`. */
typedef struct ColumnValues {
    const uint8_t *start, *end, *limit;
    int64_t count;
} ColumnValues;

typedef struct Column {
    const ColumnPlan *plan;
    int64_t rows, live; /* all rows, and those that are not null */
    ColumnValues values;
    const uint8_t *nulls, *codes;
    int64_t nulls_count, codes_count;
    int nulls_width, codes_width;
    int has_values, has_nulls, has_codes, constant;

    /* The result: one block of memory that has its buffers, and the first of them at its head. */
    void *block;
    struct ColumnArena *arena; /* that the block is a part of; NULL for memory of its own */
    struct ColumnRoom *room; /* where it is to be; NULL as above */
    uint64_t *validity;
    int32_t *offsets;
    uint8_t *data;

    int rule;          /* 0, a rule, or COLUMNS_NO_MEMORY */
    const uint8_t *at; /* where it was broken; NULL where no byte is concerned */
} Column;

/* Memory of several columns, freed with the last of them; they follow it. */
typedef struct ColumnArena {
    int64_t owners;
} ColumnArena;

/* The arena that gives room, of which it is an owner, `left` free bytes of it, and all bytes that are still to be asked
 * for, as far as that can be told. Much memory is shared in large arenas, which serve again. */
typedef struct ColumnRoom {
    ColumnArena *arena;
    uint8_t *free;
    int64_t left, expected;
    int is_large;
} ColumnRoom;

static inline int column_fail(Column *c, int rule, const uint8_t *at) {
    c->rule = rule;
    c->at = at;
    return -1;
}
