/* Columns whose values have one width in Arrow. */
#pragma once

#include "memory.h"
#include "prefixed.h"
#include "rows.h"

/* `n` values from `*p` as Arrow lays them out; booleans as bytes. */
static inline int column_values(Column *c, const uint8_t **p, int64_t n, void *out) {
    const ColumnPlan *plan = c->plan;
    int64_t bad = -1;
    int rule = RULE_BOOLEAN, beyond = 0;
    switch (plan->kind) {
    case KIND_INTEGER: return columns_integers(c, p, n, out);
    case KIND_BOOLEAN: bad = columns_booleans(*p, n, out); break;
    case KIND_PAIR:
        bad = columns_pairs(*p, n, plan->big, plan->unit, out, &beyond);
        rule = beyond ? RULE_OVERFLOW : RULE_BOUNDS;
        break;
    default:
        if (plan->out_width == plan->width) columns_numbers(*p, n, plan->width, plan->big, out);
        else columns_widen(*p, n, plan->big, out);
    }
    if (bad >= 0) return column_fail(c, rule, *p + bad * plan->width);
    *p += n * plan->width;
    return 0;
}

/* Whether the span has the size of its values, as far as that shows without a look at them. */
static inline int column_check_span(Column *c) {
    const ColumnValues *v = &c->values;
    const int64_t width = c->plan->width, size = v->end - v->start;
    if (v->count > (width ? size / width : size)) return column_fail(c, RULE_TRUNCATED, v->start);
    return !width || v->count * width == size ? 0 : column_fail(c, RULE_LEFTOVER, v->start + v->count * width);
}

static inline int column_check_end(Column *c, const uint8_t *p) {
    return p == c->values.end ? 0 : column_fail(c, RULE_LEFTOVER, p);
}

/* The dictionary or the constant, and a zero for rows that are null. */
static inline int column_table(Column *c, int64_t width, uint8_t **table) {
    const uint8_t *p = c->values.start;
    const int64_t size = c->values.count * width;
    *table = malloc((size_t)(size + width));
    if (*table == NULL) return column_fail(c, COLUMNS_NO_MEMORY, NULL);
    memset(*table + size, 0, (size_t)width);
    return column_values(c, &p, c->values.count, *table) || column_check_end(c, p);
}

static inline int column_fixed_rows(Column *c, ColumnBlock *b, int64_t width, const uint8_t *table) {
    const uint8_t *p = c->values.start;
    const int bits = c->plan->form == FORM_BITS;
    for (int64_t base = 0, from = 0; base < c->rows; base += COLUMNS_BLOCK) {
        const int64_t m = c->rows - base < COLUMNS_BLOCK ? c->rows - base : COLUMNS_BLOCK;
        const int64_t k = column_block_live(c, base, m);
        uint8_t *out = bits ? b->bytes : c->data + base * width;
        /* A constant's rows are those of the first block. */
        if (base && c->constant && c->validity == NULL && !bits) memcpy(out, c->data, (size_t)(m * width));
        else if (table) {
            const uint32_t *codes = column_row_codes(c, b, base, m, from, k);
            if (codes == NULL) return -1;
            columns_gather(codes, m, (int)width, table, out);
        }
        else if (k == m) {
            if (column_values(c, &p, m, out)) return -1;
        }
        else {
            if (column_values(c, &p, k, b->values)) return -1;
            memset((uint8_t *)b->values + k * width, 0, (size_t)width);
            columns_spread(c->validity + (base >> 6), m, (int)width, b->values, out);
        }
        if (bits) columns_to_bits(out, m, c->data + (base >> 3));
        from += k;
    }
    return table ? 0 : column_check_end(c, p);
}

static inline int column_fixed(Column *c, int64_t *left, ColumnBlock *b) {
    const int bits = c->plan->form == FORM_BITS, plain = column_is_plain(c);
    const int64_t width = bits ? 1 : c->plan->out_width, implied = c->rows - (plain ? c->live : 0);
    const int64_t size = bits ? (c->rows + 7) >> 3 : c->rows * width;
    uint8_t *table = NULL;
    if (column_charge(c, left, bits ? (implied + 7) >> 3 : implied, width)) return -1;
    if (c->has_values && column_check_span(c)) return -1;
    if (column_allocate(c, size) || column_validity(c)) return -1;
    if (!c->has_values) {
        memset(c->data, 0, (size_t)size);
        return 0;
    }
    const int failed = (!plain && column_table(c, width, &table)) || column_fixed_rows(c, b, width, table);
    free(table);
    return failed ? -1 : 0;
}
