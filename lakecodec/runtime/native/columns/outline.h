/* Where the parts of a record lie, found without an object: a small machine of numbers, and the steps it runs.
 *
 * Whatever it refuses is refused without a reason: who wants one reads the record itself.
 */
#ifndef LAKECODEC_COLUMNS_OUTLINE_H
#define LAKECODEC_COLUMNS_OUTLINE_H

#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "place.h"
#include "prefixed.h"

/* As `Op` of outline_code.py numbers them. Operands are scalars unless the comment says otherwise. */
enum {
    OUTLINE_END,
    OUTLINE_MOVE,     /* a = b */
    OUTLINE_LOAD,     /* a = array b [c] */
    OUTLINE_STORE,    /* array a [c] = b */
    OUTLINE_ADD,      /* a = b + c, and so on */
    OUTLINE_SUBTRACT,
    OUTLINE_EQ,
    OUTLINE_NE,
    OUTLINE_LT,
    OUTLINE_LE,
    OUTLINE_GT,
    OUTLINE_GE,
    OUTLINE_NOT,      /* a = not b */
    OUTLINE_BITS,     /* a = bits that b takes */
    OUTLINE_POS,      /* a = the position */
    OUTLINE_JUMP,     /* to step a */
    OUTLINE_UNLESS,   /* to step a unless b */
    OUTLINE_CHECK,    /* b holds */
    OUTLINE_UVARINT,  /* a = a varint of 32 bits */
    OUTLINE_PACKED,   /* a = where b numbers of c bits begin */
    OUTLINE_VALUES,   /* a, a + 1 = where b values of type number c begin and end */
    OUTLINE_NUMBER,   /* a = the packed number c of those at b, b + 1 and b + 2: start, count and width */
    OUTLINE_TOTAL,    /* a = the sum of those at b */
    OUTLINE_LARGEST,  /* a = the largest of those at b */
    OUTLINE_UNLESS_EQ, /* to step a unless b == c */
    OUTLINE_UNLESS_LT,
    OUTLINE_CHECK_EQ, /* b == c */
    OUTLINE_CHECK_LT,
    OUTLINE_NEXT,     /* counts b, and to step a unless it is c */
    OUTLINE_MULTIPLY,
    OUTLINE_LEAST,    /* a = the smaller of b and c */
    OUTLINE_MOST,
    OUTLINE_FIXED,    /* a = a number of b itself bytes, signed where b is negative; c itself: big-endian */
    OUTLINE_ROOM,     /* a = the first index of c more elements of list b itself */
    OUTLINE_UNIQUE,   /* a = no two of c itself, an array, are equal, b of them from b + 1 on */
};

typedef struct OutlineStep {
    int32_t op, a, b, c;
} OutlineStep;

/* A variable of each element of a list. */
typedef struct OutlineArray {
    int64_t *at;
    int64_t used, room;
} OutlineArray;

/* A list: the numbers of its arrays, and its elements so far. */
typedef struct OutlineList {
    const int32_t *arrays;
    int64_t count, used;
} OutlineList;

/* The bytes, the layouts of the list of types, and the variables. */
typedef struct Outline {
    const uint8_t *data;
    int64_t size, pos;
    const ColumnPlan *layouts;
    int64_t types;
    int64_t *scalars;
    OutlineArray *arrays;
    OutlineList *lists;
} Outline;

static inline int outline_uvarint(Outline *o, int64_t *out) {
    uint64_t number = 0;
    for (int shift = 0; shift < 35 && o->pos < o->size; shift += 7) {
        const uint8_t byte = o->data[o->pos++];
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = (int64_t)number;
            return number >> 32 ? -1 : 0;
        }
    }
    return -1;
}

static inline int outline_fixed(Outline *o, int32_t width, int big, int64_t *out) {
    const int is_signed = width < 0, nbytes = is_signed ? -width : width, unused = 64 - 8 * nbytes;
    if (nbytes > o->size - o->pos) return -1;
    uint64_t number = 0;
    for (int i = 0; i < nbytes; i++) number |= (uint64_t)o->data[o->pos + (big ? nbytes - 1 - i : i)] << (8 * i);
    o->pos += nbytes;
    *out = is_signed ? (int64_t)(number << unused) >> unused : (int64_t)number;
    return !is_signed && *out < 0 ? -1 : 0;
}

static inline int outline_packed(Outline *o, int64_t count, int64_t width, int64_t *start) {
    if (width < 0 || width > 32 || count < 0 || count > (int64_t)1 << 40) return -1;
    const int64_t nbytes = (count * width + 7) >> 3;
    if (nbytes > o->size - o->pos) return -1;
    *start = o->pos;
    o->pos += nbytes;
    return 0;
}

static inline int outline_values(Outline *o, int64_t count, int64_t type, int64_t *span) {
    const int64_t left = o->size - o->pos;
    if (type < 0 || type >= o->types || count < 0 || count > left) return -1;
    const ColumnPlan *plan = &o->layouts[type];
    int64_t stop = o->pos;
    if (plan->width) {
        if (count > left / plan->width) return -1;
        stop += count * plan->width;
    } else if (count) {
        int64_t content;
        int rule;
        const uint8_t *at;
        const uint8_t *after = columns_walk(plan, o->data + o->pos, o->data + o->size, count, &content, &rule, &at);
        if (after == NULL) return -1;
        stop = after - o->data;
    }
    span[0] = o->pos;
    span[1] = o->pos = stop;
    return 0;
}

/* Packed numbers as three scalars. */
typedef struct OutlineNumbers {
    int64_t start, count, width;
} OutlineNumbers;

static inline int outline_number(const Outline *o, const int64_t *scalars, int64_t index, int64_t *out) {
    const OutlineNumbers *n = (const OutlineNumbers *)scalars;
    if (index < 0 || index >= n->count) return -1;
    const int64_t bit = index * n->width, nbytes = (n->count * n->width + 7) >> 3;
    const uint64_t window = columns_window(o->data + n->start, nbytes, bit >> 3) >> (bit & 7);
    *out = (int64_t)(window & (((uint64_t)1 << n->width) - 1));
    return 0;
}

static inline int64_t outline_total(const Outline *o, const int64_t *scalars) {
    const OutlineNumbers *n = (const OutlineNumbers *)scalars;
    if (n->width == 1) return columns_ones(o->data + n->start, n->count);
    return (int64_t)columns_total(o->data + n->start, (n->count * n->width + 7) >> 3, n->count, (int)n->width);
}

static inline int64_t outline_largest(const Outline *o, const int64_t *scalars) {
    const OutlineNumbers *n = (const OutlineNumbers *)scalars;
    return columns_maximum(o->data + n->start, (n->count * n->width + 7) >> 3, n->count, (int)n->width);
}

/* The element of an array; NULL where there is none. */
static inline int64_t *outline_element(const Outline *o, int32_t array, int64_t index) {
    const OutlineArray *of = &o->arrays[array];
    return index < 0 || index >= of->used ? NULL : &of->at[index];
}

/* Variables of `count` more elements of a list, all 0. */
static int outline_room(Outline *o, int32_t number, int64_t count, int64_t *first) {
    OutlineList *list = &o->lists[number];
    int64_t used;
    if (count < 0 || __builtin_add_overflow(list->used, count, &used)) return -1;
    *first = list->used;
    list->used = used;
    for (int64_t i = 0; i < list->count; i++) {
        OutlineArray *array = &o->arrays[list->arrays[i]];
        if (used > array->room) {
            const int64_t room = used > 2 * array->room ? used : 2 * array->room;
            int64_t *grown = room > INT64_MAX / 16 ? NULL : (int64_t *)realloc(array->at, room * sizeof(int64_t));
            if (grown == NULL) return -1;
            array->at = grown;
            array->room = room;
        }
        memset(array->at + array->used, 0, count * sizeof(int64_t));
        array->used = used;
    }
    return 0;
}

static int outline_compare(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int outline_unique(const Outline *o, int32_t array, int64_t count, int64_t first, int64_t *out) {
    const OutlineArray *of = &o->arrays[array];
    if (first < 0 || count < 0 || count > of->used - first) return -1;
    const int64_t *numbers = of->at + first;
    int64_t i = 1;
    while (i < count && numbers[i - 1] < numbers[i]) i++;
    *out = i >= count;
    if (*out) return 0;
    int64_t *sorted = (int64_t *)malloc(count * sizeof(int64_t));
    if (sorted == NULL) return -1;
    memcpy(sorted, numbers, count * sizeof(int64_t));
    qsort(sorted, count, sizeof(int64_t), outline_compare);
    for (i = 1; i < count && sorted[i - 1] != sorted[i]; i++) {}
    *out = i >= count;
    free(sorted);
    return 0;
}

/* Runs the steps; 0, or -1 where anything is refused. */
static int outline_run(const OutlineStep *steps, Outline *o) {
    int64_t *s = o->scalars, *element;
#define A s[step->a]
#define B s[step->b]
#define C s[step->c]
    for (const OutlineStep *step = steps;; step++) {
        switch (step->op) {
        case OUTLINE_END: return 0;
        case OUTLINE_MOVE: A = B; break;
        case OUTLINE_LOAD:
            if ((element = outline_element(o, step->b, C)) == NULL) return -1;
            A = *element;
            break;
        case OUTLINE_STORE:
            if ((element = outline_element(o, step->a, C)) == NULL) return -1;
            *element = B;
            break;
        case OUTLINE_ADD: if (__builtin_add_overflow(B, C, &A)) return -1; break;
        case OUTLINE_SUBTRACT: if (__builtin_sub_overflow(B, C, &A)) return -1; break;
        case OUTLINE_EQ: A = B == C; break;
        case OUTLINE_NE: A = B != C; break;
        case OUTLINE_LT: A = B < C; break;
        case OUTLINE_LE: A = B <= C; break;
        case OUTLINE_GT: A = B > C; break;
        case OUTLINE_GE: A = B >= C; break;
        case OUTLINE_NOT: A = !B; break;
        case OUTLINE_BITS:
            if (B < 0) return -1;
            A = B ? 64 - __builtin_clzll((uint64_t)B) : 0;
            break;
        case OUTLINE_POS: A = o->pos; break;
        case OUTLINE_JUMP: step = steps + step->a - 1; break;
        case OUTLINE_UNLESS: if (!B) step = steps + step->a - 1; break;
        case OUTLINE_CHECK: if (!B) return -1; break;
        case OUTLINE_UVARINT: if (outline_uvarint(o, &A)) return -1; break;
        case OUTLINE_PACKED: if (outline_packed(o, B, C, &A)) return -1; break;
        case OUTLINE_VALUES: if (outline_values(o, B, C, &A)) return -1; break;
        case OUTLINE_NUMBER: if (outline_number(o, &B, C, &A)) return -1; break;
        case OUTLINE_TOTAL: A = outline_total(o, &B); break;
        case OUTLINE_LARGEST: A = outline_largest(o, &B); break;
        case OUTLINE_UNLESS_EQ: if (B != C) step = steps + step->a - 1; break;
        case OUTLINE_UNLESS_LT: if (B >= C) step = steps + step->a - 1; break;
        case OUTLINE_CHECK_EQ: if (B != C) return -1; break;
        case OUTLINE_CHECK_LT: if (B >= C) return -1; break;
        case OUTLINE_NEXT: if (++B < C) step = steps + step->a - 1; break;
        case OUTLINE_MULTIPLY: if (__builtin_mul_overflow(B, C, &A)) return -1; break;
        case OUTLINE_LEAST: A = B < C ? B : C; break;
        case OUTLINE_MOST: A = B > C ? B : C; break;
        case OUTLINE_FIXED: if (outline_fixed(o, step->b, step->c, &A)) return -1; break;
        case OUTLINE_ROOM: if (outline_room(o, step->b, C, &A)) return -1; break;
        case OUTLINE_UNIQUE: if (outline_unique(o, step->c, B, (&B)[1], &A)) return -1; break;
        default: return -1;
        }
    }
#undef A
#undef B
#undef C
}

#endif
