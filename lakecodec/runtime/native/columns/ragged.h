/* Columns of bytes and text: 32-bit offsets, and the bytes end to end. */
#pragma once

#include "fixed.h"

/* Distinct values end to end, with slack after them, and after them an empty one for rows that are null. */
typedef struct ColumnTable {
    uint8_t *bytes;
    int32_t *ends;
} ColumnTable;

/* Whether 32-bit offsets hold the values' bytes. */
static inline int column_check_content(Column *c) {
    const ColumnValues *v = &c->values;
    int64_t content = v->end - v->start - v->count;
    if (content <= COLUMNS_MAX_OFFSET) return 0;
    if (columns_walk(c->plan, v->start, v->end, v->count, &content, &c->rule, &c->at) == NULL) return -1;
    return content <= COLUMNS_MAX_OFFSET ? 0 : column_fail(c, RULE_OFFSETS, NULL);
}

static inline int column_plain_strings(Column *c, ColumnBlock *b) {
    const uint8_t *p = c->values.start;
    if (column_allocate(c, c->values.end - p - c->values.count) || column_validity(c)) return -1;
    c->offsets[0] = 0;
    for (int64_t base = 0; base < c->rows; base += COLUMNS_BLOCK) {
        const int64_t m = c->rows - base < COLUMNS_BLOCK ? c->rows - base : COLUMNS_BLOCK;
        const int64_t k = column_block_live(c, base, m);
        if (k == m) {
            if (columns_strings(c, &p, m, c->data, c->offsets + base)) return -1;
            continue;
        }
        b->ends[0] = c->offsets[base];
        if (columns_strings(c, &p, k, c->data, b->ends)) return -1;
        columns_spread_ends(c->validity + (base >> 6), m, b->ends, c->offsets + base + 1);
    }
    return column_check_end(c, p);
}

static inline int column_string_table(Column *c, ColumnTable *t) {
    const uint8_t *p = c->values.start;
    const int64_t count = c->values.count, content = c->values.end - p - count;
    t->bytes = malloc((size_t)(content + 2 * COLUMNS_SLACK));
    t->ends = malloc((size_t)(count + 2) * sizeof *t->ends);
    if (t->bytes == NULL || t->ends == NULL) return column_fail(c, COLUMNS_NO_MEMORY, NULL);
    t->ends[0] = 0;
    if (columns_strings(c, &p, count, t->bytes, t->ends)) return -1;
    t->ends[count + 1] = t->ends[count];
    return column_check_end(c, p);
}

/* Bytes of all rows; checks the codes. */
static inline int column_string_size(Column *c, ColumnBlock *b, const ColumnTable *t, int64_t *left, int64_t *size) {
    *size = 0;
    if (!c->has_codes) {
        const int64_t length = t->ends[1];
        if (length && column_charge(c, left, c->live, length)) return -1;
        *size = c->live * length;
    }
    for (int64_t from = 0; from < c->codes_count && c->has_codes; from += COLUMNS_BLOCK) {
        const int64_t k = c->codes_count - from < COLUMNS_BLOCK ? c->codes_count - from : COLUMNS_BLOCK;
        const uint32_t *codes = column_codes(c, b, from, k);
        if (codes == NULL) return -1;
        int64_t sum = 0;
        for (int64_t i = 0; i < k; i++) sum += t->ends[codes[i] + 1] - t->ends[codes[i]];
        if (column_charge(c, left, sum, 1)) return -1;
        *size += sum;
    }
    return *size <= COLUMNS_MAX_OFFSET ? 0 : column_fail(c, RULE_OFFSETS, NULL);
}

/* Copies the entry of each row to the column's memory, which has room for `size` bytes: out of cells of one size where
 * `is_short`. Their bytes, or -1. Codes may have changed since they were counted, if the caller's memory has. */
COLUMNS_INLINE int64_t column_copy_entries(Column *c, ColumnBlock *b, const ColumnTable *t, int64_t size, const int is_short) {
    const uint8_t *limit = t->bytes + t->ends[c->values.count] + 2 * COLUMNS_SLACK;
    if (column_validity(c)) return -1;
    int32_t place = c->offsets[0] = 0;
    for (int64_t base = 0, from = 0; base < c->rows; base += COLUMNS_BLOCK) {
        const int64_t m = c->rows - base < COLUMNS_BLOCK ? c->rows - base : COLUMNS_BLOCK;
        const int64_t k = column_block_live(c, base, m);
        const uint32_t *codes = column_row_codes(c, b, base, m, from, k);
        int32_t *ends = c->offsets + base + 1;
        if (codes == NULL) return -1;
        for (int64_t i = 0; i < m; i++) {
            if (is_short) {
                memcpy(c->data + place, b->cells[codes[i]], COLUMNS_CELL);
                ends[i] = place += b->sizes[codes[i]];
            } else {
                const int32_t first = t->ends[codes[i]], length = t->ends[codes[i] + 1] - first;
                if (__builtin_expect(length > size - place, 0)) return column_fail(c, RULE_CODE, c->codes);
                columns_copy(c->data + place, t->bytes + first, length, limit);
                ends[i] = place += length;
            }
        }
        from += k;
    }
    return place;
}

static inline int column_named_strings(Column *c, ColumnBlock *b, const ColumnTable *t, int64_t *left) {
    int64_t size;
    if (column_string_size(c, b, t, left, &size) || column_allocate(c, size)) return -1;
    return column_copy_entries(c, b, t, size, 0) < 0 ? -1 : 0;
}

/* Bytes of the longest of few entries, which are laid out for `column_short_strings`; -1 where one is longer or they are more. */
static inline int64_t column_short_entries(const Column *c, ColumnBlock *b, const ColumnTable *t) {
    const int64_t count = c->values.count;
    int32_t most = 0;
    if (count > COLUMNS_FEW) return -1;
    for (int64_t i = 0; i <= count; i++) {
        const int32_t size = t->ends[i + 1] - t->ends[i];
        if (size > COLUMNS_CELL) return -1;
        memcpy(b->cells[i], t->bytes + t->ends[i], COLUMNS_CELL);
        b->sizes[i] = (uint8_t)size;
        most = size > most ? size : most;
    }
    return most;
}

/* The same as `column_named_strings` in shared memory, where rows of the longest entry would fit, too: one look at the codes. */
static inline int column_short_strings(Column *c, ColumnBlock *b, const ColumnTable *t, int64_t most, int64_t *left) {
    if (column_allocate(c, c->live * most)) return -1;
    const int64_t size = column_copy_entries(c, b, t, c->live * most, 1);
    if (size < 0) return -1;
    column_trim(c, c->live * most, size);
    return column_charge(c, left, size, 1);
}

/* A dictionary or a constant to the rows. */
static inline int column_table_strings(Column *c, ColumnBlock *b, ColumnTable *t, int64_t *left) {
    if (column_string_table(c, t)) return -1;
    const int64_t most = c->room && c->has_codes ? column_short_entries(c, b, t) : -1;
    const int is_short = most >= 0 && c->live <= COLUMNS_ARENA / COLUMNS_CELL && c->live * most <= *left;
    return is_short ? column_short_strings(c, b, t, most, left) : column_named_strings(c, b, t, left);
}

static inline int column_ragged(Column *c, int64_t *left, ColumnBlock *b) {
    const int plain = column_is_plain(c);
    ColumnTable table = {NULL, NULL};
    if (column_charge(c, left, c->rows - (plain ? c->live : 0), sizeof *c->offsets)) return -1;
    if (!c->has_values) {
        if (column_allocate(c, 0) || column_validity(c)) return -1;
        memset(c->offsets, 0, (size_t)(c->rows + 1) * sizeof *c->offsets);
        return 0;
    }
    if (column_check_span(c) || column_check_content(c)) return -1;
    if (plain) return column_plain_strings(c, b);
    const int failed = column_table_strings(c, b, &table, left);
    free(table.bytes);
    free(table.ends);
    return failed ? -1 : 0;
}

/* Bytes of the results of some columns, as far as they can be told beforehand, up to what is shared at once. */
static inline int64_t columns_expected(const Column *columns, int64_t count) {
    int64_t all = 0;
    for (int64_t i = 0; i < count && all < COLUMNS_ARENA; i++) {
        const Column *c = &columns[i];
        const int64_t rows = c->rows < COLUMNS_ARENA ? c->rows : COLUMNS_ARENA;
        all += column_frame(rows);
        if (c->plan->form == FORM_FIXED) all += rows * c->plan->out_width;
        else if (c->plan->form == FORM_RAGGED)
            all += rows * 4 + (column_is_plain(c) ? c->values.end - c->values.start : 0);
    }
    return all;
}

/* Decodes columns until one fails: its number, or -1. `left` is the memory for rows without bytes of their own. With
 * `room` the columns share memory. */
static inline int64_t columns_decode(Column *columns, int64_t count, int64_t left, ColumnRoom *room) {
    ColumnBlock block;
    for (int64_t i = 0; i < count; i++) {
        Column *c = &columns[i];
        c->room = room;
        if (column_count(c)) return i;
        if (c->plan->form == FORM_RAGGED ? column_ragged(c, &left, &block) : column_fixed(c, &left, &block)) return i;
        column_seal(c);
    }
    return -1;
}
