/* Where the parts of a record lie, found without an object: a small machine of numbers, and the steps it runs.
 *
 * It refuses without a reason; to get the reason, read the record itself.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "numbers.h"
#include "place.h"
#include "prefixed.h"
#include "records/number_kinds.h"

/* As `Op` of scan_code.py numbers them. Operands are scalars unless the comment says otherwise. */
enum {
    SCAN_END,
    SCAN_MOVE,     /* a = b */
    SCAN_LOAD,     /* a = array b [c] */
    SCAN_STORE,    /* array a [c] = b */
    SCAN_ADD,      /* a = b + c, and so on */
    SCAN_SUBTRACT,
    SCAN_EQ,
    SCAN_NE,
    SCAN_LT,
    SCAN_LE,
    SCAN_GT,
    SCAN_GE,
    SCAN_NOT,      /* a = not b */
    SCAN_BITS,     /* a = bits that b takes */
    SCAN_POS,      /* a = the position */
    SCAN_JUMP,     /* to step a */
    SCAN_UNLESS,   /* to step a unless b */
    SCAN_CHECK,    /* b holds */
    SCAN_READ,     /* a = a number of kind b itself, in the form c itself */
    SCAN_PACKED,   /* a = where b numbers of c bits begin */
    SCAN_VALUES,   /* a, a + 1 = where b values of type number c begin and end */
    SCAN_NUMBER,   /* a = the packed number c of those at b, b + 1 and b + 2: start, count and width */
    SCAN_TOTAL,    /* a = the sum of those at b */
    SCAN_LARGEST,  /* a = the largest of those at b */
    SCAN_UNLESS_EQ, /* to step a unless b == c */
    SCAN_UNLESS_LT,
    SCAN_CHECK_EQ, /* b == c */
    SCAN_CHECK_LT,
    SCAN_NEXT,     /* counts b, and to step a unless it is c */
    SCAN_MULTIPLY,
    SCAN_LEAST,    /* a = the smaller of b and c */
    SCAN_MOST,
    SCAN_RAW,      /* a = b itself bytes as one number, the first the highest */
    SCAN_RESERVE,  /* a = the first index of c more elements of list b itself */
    SCAN_UNIQUE,   /* a = no two of c itself, an array, are equal, b of them from b + 1 on */
    SCAN_BYTES,    /* a = where b bytes begin; c itself: they are UTF-8 */
    SCAN_READ_TO,  /* array a [c] = a number of kind b >> 2 itself, in the form b & 3 */
};

typedef struct ScanStep {
    int32_t op, a, b, c;
} ScanStep;

/* A variable of each element of a list. */
typedef struct ScanArray {
    int64_t *at;
    int64_t used, room;
} ScanArray;

/* A list: the numbers of its arrays, and its elements so far. */
typedef struct ScanList {
    const int32_t *arrays;
    int64_t count, used;
} ScanList;

/* The bytes, the layouts of the list of types, and the variables. */
typedef struct Scan {
    const uint8_t *data;
    int64_t size;
    const ColumnPlan *layouts;
    int64_t types;
    int64_t *scalars;
    ScanArray *arrays;
    ScanList *lists;
} Scan;

/* The bytes that are left; the two ends stay in registers, since no address of theirs is given to a function that is called. */
typedef struct ScanSpan {
    const uint8_t *pos, *end;
} ScanSpan;

/* Numbers that 64 bits with a sign do not hold are refused; floats are their bits. Called at two places: a call takes as long as the
 * work. */
static inline __attribute__((always_inline)) int scan_read(ScanSpan *left, int kind, int form, int64_t *out) {
    uint64_t bits;
    if (number_bits_here(kind, form, &left->pos, left->end, &bits)) return -1;
    *out = (int64_t)bits;
    return bits > INT64_MAX && is_unsigned(kind) && kind != KIND_OF_F64 ? -1 : 0;
}

/* Where `nbytes` bytes begin, which are passed; NULL where fewer are left. */
static inline __attribute__((always_inline)) const uint8_t *scan_pass(ScanSpan *left, int64_t nbytes) {
    const uint8_t *start = left->pos;
    if (nbytes < 0 || nbytes > left->end - start) return NULL;
    left->pos += nbytes;
    return start;
}

static inline __attribute__((always_inline)) int scan_raw(ScanSpan *left, int32_t nbytes, int64_t *out) {
    const uint8_t *start = scan_pass(left, nbytes);
    if (start == NULL) return -1;
    int64_t number = 0;
    for (int i = 0; i < nbytes; i++) number = number << 8 | start[i];
    *out = number;
    return 0;
}

static inline __attribute__((always_inline)) int scan_bytes(ScanSpan *left, const uint8_t *data, int64_t nbytes, int is_text, int64_t *out) {
    const uint8_t *start = scan_pass(left, nbytes);
    if (start == NULL || (is_text && !row_utf8_valid(start, nbytes))) return -1;
    *out = start - data;
    return 0;
}

static inline __attribute__((always_inline)) int scan_packed(ScanSpan *left, const uint8_t *data, int64_t count, int64_t width,
                                                             int64_t *out) {
    if (width < 0 || width > 32 || count < 0 || count > (int64_t)1 << 40) return -1;
    const uint8_t *start = scan_pass(left, (count * width + 7) >> 3);
    if (start == NULL) return -1;
    *out = start - data;
    return 0;
}

/* The end of values that begin at p; NULL where they are wrong. */
static const uint8_t *scan_values(const Scan *scan, const uint8_t *p, int64_t count, int64_t type) {
    const uint8_t *end = scan->data + scan->size, *at;
    if (type < 0 || type >= scan->types || count < 0 || count > end - p) return NULL;
    const ColumnPlan *plan = &scan->layouts[type];
    int64_t content;
    int rule;
    if (plan->width) return count > (end - p) / plan->width ? NULL : p + count * plan->width;
    return count ? columns_walk(plan, p, end, count, &content, &rule, &at) : p;
}

/* Packed numbers as three scalars. */
typedef struct ScanNumbers {
    int64_t start, count, width;
} ScanNumbers;

static inline int scan_number(const Scan *scan, const int64_t *scalars, int64_t index, int64_t *out) {
    const ScanNumbers *n = (const ScanNumbers *)scalars;
    if (index < 0 || index >= n->count) return -1;
    const int64_t bit = index * n->width, nbytes = (n->count * n->width + 7) >> 3;
    const uint64_t window = columns_window(scan->data + n->start, nbytes, bit >> 3) >> (bit & 7);
    *out = (int64_t)(window & (((uint64_t)1 << n->width) - 1));
    return 0;
}

static inline int64_t scan_total(const Scan *scan, const int64_t *scalars) {
    const ScanNumbers *n = (const ScanNumbers *)scalars;
    if (n->width == 1) return columns_ones(scan->data + n->start, n->count);
    return (int64_t)columns_total(scan->data + n->start, (n->count * n->width + 7) >> 3, n->count, (int)n->width);
}

static inline int64_t scan_largest(const Scan *scan, const int64_t *scalars) {
    const ScanNumbers *n = (const ScanNumbers *)scalars;
    return columns_maximum(scan->data + n->start, (n->count * n->width + 7) >> 3, n->count, (int)n->width);
}

/* The element of an array; NULL where there is none. */
static inline int64_t *scan_element(const Scan *scan, int32_t array, int64_t index) {
    const ScanArray *of = &scan->arrays[array];
    return index < 0 || index >= of->used ? NULL : &of->at[index];
}

/* Variables of `count` more elements of a list, all 0. */
static int scan_reserve(Scan *scan, int32_t number, int64_t count, int64_t *first) {
    ScanList *list = &scan->lists[number];
    int64_t used;
    if (count < 0 || __builtin_add_overflow(list->used, count, &used)) return -1;
    *first = list->used;
    list->used = used;
    for (int64_t i = 0; i < list->count; i++) {
        ScanArray *array = &scan->arrays[list->arrays[i]];
        const int is_new = array->at == NULL;
        if (used > array->room) {
            const int64_t room = used > 2 * array->room ? used : 2 * array->room;
            /* Fresh memory of the system is 0, and is not touched before it is used. */
            int64_t *grown = room > INT64_MAX / 16 ? NULL
                             : is_new              ? (int64_t *)calloc(room, sizeof(int64_t))
                                                   : (int64_t *)realloc(array->at, room * sizeof(int64_t));
            if (grown == NULL) return -1;
            array->at = grown;
            array->room = room;
        }
        if (!is_new) memset(array->at + array->used, 0, count * sizeof(int64_t));
        array->used = used;
    }
    return 0;
}

static int scan_compare(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int scan_unique(const Scan *scan, int32_t array, int64_t count, int64_t first, int64_t *out) {
    const ScanArray *of = &scan->arrays[array];
    if (first < 0 || count < 0 || count > of->used - first) return -1;
    const int64_t *numbers = of->at + first;
    int64_t i = 1;
    while (i < count && numbers[i - 1] < numbers[i]) i++;
    *out = i >= count;
    if (*out) return 0;
    int64_t *sorted = (int64_t *)malloc(count * sizeof(int64_t));
    if (sorted == NULL) return -1;
    memcpy(sorted, numbers, count * sizeof(int64_t));
    qsort(sorted, count, sizeof(int64_t), scan_compare);
    for (i = 1; i < count && sorted[i - 1] != sorted[i]; i++) {}
    *out = i >= count;
    free(sorted);
    return 0;
}

#define A s[step->a]
#define B s[step->b]
#define C s[step->c]
/* Runs the steps; 0, or -1 where anything is refused. */
static inline int scan_run(const ScanStep *steps, Scan *scan) {
    int64_t *s = scan->scalars, *element;
    const uint8_t *const data = scan->data, *after;
    ScanSpan left = {data, data + scan->size};
    for (const ScanStep *step = steps;; step++) {
        switch (step->op) {
        case SCAN_END: return 0;
        case SCAN_MOVE: A = B; break;
        case SCAN_LOAD:
            if ((element = scan_element(scan, step->b, C)) == NULL) return -1;
            A = *element;
            break;
        case SCAN_STORE:
            if ((element = scan_element(scan, step->a, C)) == NULL) return -1;
            *element = B;
            break;
        case SCAN_ADD: if (__builtin_add_overflow(B, C, &A)) return -1; break;
        case SCAN_SUBTRACT: if (__builtin_sub_overflow(B, C, &A)) return -1; break;
        case SCAN_EQ: A = B == C; break;
        case SCAN_NE: A = B != C; break;
        case SCAN_LT: A = B < C; break;
        case SCAN_LE: A = B <= C; break;
        case SCAN_GT: A = B > C; break;
        case SCAN_GE: A = B >= C; break;
        case SCAN_NOT: A = !B; break;
        case SCAN_BITS:
            if (B < 0) return -1;
            A = B ? 64 - __builtin_clzll((uint64_t)B) : 0;
            break;
        case SCAN_POS: A = left.pos - data; break;
        case SCAN_JUMP: step = steps + step->a - 1; break;
        case SCAN_UNLESS: if (!B) step = steps + step->a - 1; break;
        case SCAN_CHECK: if (!B) return -1; break;
        case SCAN_READ: if (scan_read(&left, step->b, step->c, &A)) return -1; break;
        case SCAN_PACKED: if (scan_packed(&left, data, B, C, &A)) return -1; break;
        case SCAN_VALUES:
            if ((after = scan_values(scan, left.pos, B, C)) == NULL) return -1;
            (&A)[0] = left.pos - data;
            (&A)[1] = after - data;
            left.pos = after;
            break;
        case SCAN_NUMBER: if (scan_number(scan, &B, C, &A)) return -1; break;
        case SCAN_TOTAL: A = scan_total(scan, &B); break;
        case SCAN_LARGEST: A = scan_largest(scan, &B); break;
        case SCAN_UNLESS_EQ: if (B != C) step = steps + step->a - 1; break;
        case SCAN_UNLESS_LT: if (B >= C) step = steps + step->a - 1; break;
        case SCAN_CHECK_EQ: if (B != C) return -1; break;
        case SCAN_CHECK_LT: if (B >= C) return -1; break;
        case SCAN_NEXT: if (++B < C) step = steps + step->a - 1; break;
        case SCAN_MULTIPLY: if (__builtin_mul_overflow(B, C, &A)) return -1; break;
        case SCAN_LEAST: A = B < C ? B : C; break;
        case SCAN_MOST: A = B > C ? B : C; break;
        case SCAN_RAW: if (scan_raw(&left, step->b, &A)) return -1; break;
        case SCAN_RESERVE: if (scan_reserve(scan, step->b, C, &A)) return -1; break;
        case SCAN_UNIQUE: if (scan_unique(scan, step->c, B, (&B)[1], &A)) return -1; break;
        case SCAN_BYTES: if (scan_bytes(&left, data, B, step->c, &A)) return -1; break;
        case SCAN_READ_TO:
            if ((element = scan_element(scan, step->a, C)) == NULL ||
                scan_read(&left, step->b >> 2, step->b & 3, element))
                return -1;
            break;
        default: return -1;
        }
    }
}
#undef A
#undef B
#undef C

/* Offsets of pieces of bytes that are put together, one more than there are; -1 where 32 bits do not hold them. */
static inline int64_t scan_offsets(const int64_t *sizes, int64_t count, int32_t *offsets) {
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++) {
        offsets[i] = (int32_t)total;
        total += sizes[i];
        if (total > INT32_MAX) return -1;
    }
    offsets[count] = (int32_t)total;
    return total;
}

/* Puts pieces together, which begin at starts. */
static inline void scan_gather(const uint8_t *data, const int64_t *starts, const int32_t *offsets, int64_t count, uint8_t *out) {
    for (int64_t i = 0; i < count; i++) memcpy(out + offsets[i], data + starts[i], offsets[i + 1] - offsets[i]);
}
