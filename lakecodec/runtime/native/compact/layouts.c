/* Comparing structs with layouts, and choosing among layouts. */
#include "layouts.h"

#include <stdlib.h>

/* ---- one layout ---- */

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Nonzero where eight bytes disagree with the layout; the lowest byte that is not zero is the first one that does. */
static inline uint64_t
differences(const Layout *layout, Py_ssize_t i, const uint8_t *data)
{
    const uint64_t word = load64(data), forced = word | load64(layout->nonzero + i);
    return ((word ^ load64(layout->bytes + i)) & load64(layout->mask + i)) | ((forced - ONES) & ~forced & HIGHS);
}

/* The first block from `from` on in which data, which stands where the layout's first byte would, disagrees; or a number from the
 * layout's size on. */
static inline Py_ssize_t
pass_equal(const Layout *layout, const uint8_t *p, Py_ssize_t shift, Py_ssize_t from)
{
    Py_ssize_t i = from;
    for (; i < layout->size; i += BLOCK) {
        const uint8_t *data = p + (i + shift);
        if (unlikely(differences(layout, i, data) | differences(layout, i + 8, data + 8) | differences(layout, i + 16, data + 16) |
                     differences(layout, i + 24, data + 24))) {
            break;
        }
    }
    return i;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx2"))) static inline Py_ssize_t
pass_equal_avx2(const Layout *layout, const uint8_t *p, Py_ssize_t shift, Py_ssize_t from)
{
    const Py_ssize_t size = layout->size;
    Py_ssize_t i = from;
    for (; i < size; i += BLOCK) {
        const __m256i data = _mm256_loadu_si256((const __m256i *)(p + (i + shift)));
        const __m256i other = _mm256_xor_si256(data, _mm256_loadu_si256((const __m256i *)(layout->bytes + i)));
        const __m256i wrong = _mm256_and_si256(other, _mm256_loadu_si256((const __m256i *)(layout->mask + i)));
        const __m256i forced = _mm256_or_si256(data, _mm256_loadu_si256((const __m256i *)(layout->nonzero + i)));
        const __m256i all = _mm256_or_si256(wrong, _mm256_cmpeq_epi8(forced, _mm256_setzero_si256()));
        if (unlikely(!_mm256_testz_si256(all, all))) {
            break;
        }
    }
    return i;
}

/* As run_words; a struct is looked at as a whole, as most are alike. */
__attribute__((target("avx2"))) static const uint8_t *
run_avx2(const Layout *layout, const uint8_t *p, const uint8_t *end, Py_ssize_t most, Py_ssize_t *passed)
{
    const Py_ssize_t size = layout->size;
    Py_ssize_t count = 0;
    for (; count < most && end - p >= size + BLOCK; count++, p += size) {
        __m256i all = _mm256_setzero_si256();
        for (Py_ssize_t i = 0; i < size; i += BLOCK) {
            const __m256i data = _mm256_loadu_si256((const __m256i *)(p + i));
            const __m256i other = _mm256_xor_si256(data, _mm256_loadu_si256((const __m256i *)(layout->bytes + i)));
            all = _mm256_or_si256(all, _mm256_and_si256(other, _mm256_loadu_si256((const __m256i *)(layout->mask + i))));
            if (layout->typed) {
                const __m256i forced = _mm256_or_si256(data, _mm256_loadu_si256((const __m256i *)(layout->nonzero + i)));
                all = _mm256_or_si256(all, _mm256_cmpeq_epi8(forced, _mm256_setzero_si256()));
            }
        }
        if (unlikely(!_mm256_testz_si256(all, all))) {
            break;
        }
    }
    *passed = count;
    return p;
}

#endif

/* Passes structs that have the layout and no values of other lengths, one behind the other; tells how many of at most so many. */
static const uint8_t *
run_words(const Layout *layout, const uint8_t *p, const uint8_t *end, Py_ssize_t most, Py_ssize_t *passed)
{
    Py_ssize_t count = 0;
    while (count < most && end - p >= layout->size + BLOCK && pass_equal(layout, p, 0, 0) >= layout->size) {
        p += layout->size;
        count++;
    }
    *passed = count;
    return p;
}

static int
is_ascii(const uint8_t *p, Py_ssize_t size)
{
    uint8_t all = 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        all |= p[i];
    }
    return all < 128;
}

/* The end of a value that differs from the layout's, if it is one that could stand in its place. */
static COLD const uint8_t *
pass_value(const Layout *layout, Py_ssize_t start, const uint8_t *p, const uint8_t *end)
{
    Input probe = {.begin = p, .end = end};
    const int token = layout->token[start];
    uint64_t value;
    const uint8_t *after;
    Py_ssize_t length;
    switch (token) {
    case TOKEN_FLAG:
        return (*p ^ layout->bytes[start]) == (WIRE_TRUE ^ WIRE_FALSE) ? p + 1 : NULL;
    case TOKEN_I16: case TOKEN_I32: case TOKEN_I64:
        after = read_varint(&probe, p, &value);
        if (after == NULL || (token == TOKEN_I32 && value >> 32) || (token == TOKEN_I16 && value >> 16)) {
            return NULL;
        }
        return layout->typed && after - p > 1 && after[-1] == 0 ? NULL : after;
    case TOKEN_BYTES: case TOKEN_TEXT:
        after = read_length(&probe, p, &length);
        if (after == NULL || (layout->typed && after - p > 1 && after[-1] == 0)) {
            return NULL;
        }
        return token == TOKEN_TEXT && !is_ascii(after, length) ? NULL : after + length;
    default:
        return NULL;
    }
}

typedef Py_ssize_t (*PassEqual)(const Layout *layout, const uint8_t *p, Py_ssize_t shift, Py_ssize_t from);

/* The end of the struct at p, which has the layout but for the lengths of as many values as repairs tells; or NULL. */
static inline __attribute__((always_inline)) const uint8_t *
match_by(PassEqual pass, const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts)
{
    const Py_ssize_t size = layout->size;
    /* Byte i of the layout is compared with p[i + shift]. */
    Py_ssize_t from = 0, shift = 0;
    for (;;) {
        if (end - p < size + shift + BLOCK) {
            return NULL;
        }
        Py_ssize_t i = pass(layout, p, shift, from);
        if (likely(i >= size)) {
            return p + size + shift;
        }
        uint64_t found;
        while ((found = differences(layout, i, p + (i + shift))) == 0) {
            i += 8;
            /* Bytes that differed do not any more: somebody else writes to them. */
            if (unlikely(i >= size)) {
                return NULL;
            }
        }
        const Py_ssize_t start = layout->start[i + (__builtin_ctzll(found) >> 3)];
        const uint8_t *after = pass_value(layout, start, p + (start + shift), end);
        if (after == NULL) {
            return NULL;
        }
        ++*repairs;
        from = layout->after[start];
        shift = after - p - from;
        if (shifts != NULL && shifts->count++ < MOST_SHIFTS) {
            shifts->items[shifts->count - 1].from = from;
            shifts->items[shifts->count - 1].shift = shift;
        }
    }
}

static const uint8_t *
match_words(const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts)
{
    return match_by(pass_equal, layout, p, end, repairs, shifts);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static const uint8_t *
match_avx2(const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts)
{
    return match_by(pass_equal_avx2, layout, p, end, repairs, shifts);
}

#define BY_CPU(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name##_words)
#else
#define BY_CPU(name) name##_words
#endif

static inline const uint8_t *
layout_run(const Layout *layout, const uint8_t *p, const uint8_t *end, Py_ssize_t most, Py_ssize_t *passed)
{
    return BY_CPU(run)(layout, p, end, most, passed);
}

const uint8_t *
layout_match(const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts)
{
    return BY_CPU(match)(layout, p, end, repairs, shifts);
}

const uint8_t *
layout_equal(const Layout *layout, const uint8_t *p, const uint8_t *end)
{
    Py_ssize_t passed;
    end = layout_run(layout, p, end, 1, &passed);
    return passed ? end : NULL;
}

/* ---- choosing ---- */

#define FIRST_CREDIT 128
#define MOST_CREDIT 512
/* What learning costs, in structs that are recognised. */
#define LEARNING 8

Layouts *
layouts_new(const Codec *codec)
{
    Layouts *layouts = calloc(1, sizeof(Layouts));
    if (layouts != NULL) {
        layouts->codec = codec;
        layouts->credit = FIRST_CREDIT;
    }
    return layouts;
}

void
layouts_free(Layouts *layouts)
{
    if (layouts == NULL) {
        return;
    }
    for (int i = 0; i < layouts->count; i++) {
        free(layouts->items[i]);
    }
    free(layouts->guesses);
    free(layouts);
}

void
layouts_begin(Layouts *layouts, Py_ssize_t count)
{
    count = count < MOST_GUESSES ? count : MOST_GUESSES;
    (void)guesses_grow(&layouts->guesses, &layouts->guess_count, count, MOST_LAYOUTS);
}

static inline int
guess(const Layouts *layouts, Py_ssize_t ordinal)
{
    const int guessed = ordinal < layouts->guess_count ? layouts->guesses[ordinal] : MOST_LAYOUTS;
    return guessed < layouts->count ? guessed : layouts->last;
}

static inline void
remember(Layouts *layouts, Py_ssize_t ordinal, int number)
{
    layouts->last = number;
    if (ordinal < layouts->guess_count) {
        layouts->guesses[ordinal] = (uint8_t)number;
    }
}

/* Values whose lengths have changed for good, as offsets grow, become part of the layout. */
static COLD void
follow(Layouts *layouts, int number, const uint8_t *p, const uint8_t *end)
{
    Layout *layout = layouts->items[number];
    layout->repairs++;
    if (layout->repairs == 8 || layout->repairs == 64 || layout->repairs % 1024 == 512) {
        Layout *changed = layout_new(p, end, layouts->codec);
        if (changed != NULL) {
            changed->repairs = layout->repairs;
            changed->serial = ++layouts->serial;
            layouts->items[number] = changed;
            free(layout);
        }
    }
}

const uint8_t *
layouts_run(Layouts *layouts, Py_ssize_t *ordinal, Py_ssize_t count, const uint8_t *p, const uint8_t *end, int room)
{
    const int number = layouts->last;
    Py_ssize_t passed;
    if (layouts->count == 0 || layouts->items[number]->repairs > 0 || room < layouts->items[number]->depth ||
        guess(layouts, *ordinal) != number) {
        return p;
    }
    const uint8_t *start = p;
    p = layout_run(layouts->items[number], p, end, count - *ordinal, &passed);
    layouts->compared += p - start;
    if (passed > 0 && *ordinal < layouts->guess_count) {
        const Py_ssize_t guesses = layouts->guess_count - *ordinal;
        memset(layouts->guesses + *ordinal, number, (size_t)(passed < guesses ? passed : guesses));
    }
    layouts->credit = layouts->credit + passed < MOST_CREDIT ? layouts->credit + (int)passed : MOST_CREDIT;
    *ordinal += passed;
    return p;
}

const uint8_t *
layouts_match(Layouts *layouts, Py_ssize_t ordinal, const uint8_t *p, const uint8_t *end, int room, const Layout **found)
{
    const int first = guess(layouts, ordinal);
    if (likely(first < layouts->count && layouts->items[first]->repairs == 0 && room >= layouts->items[first]->depth)) {
        Py_ssize_t passed;
        const uint8_t *after = layout_run(layouts->items[first], p, end, 1, &passed);
        if (likely(passed)) {
            layouts->credit += layouts->credit < MOST_CREDIT;
            layouts->compared += after - p;
            layouts->exact = 1;
            remember(layouts, ordinal, first);
            *found = layouts->items[first];
            return after;
        }
    }
    for (int i = 0; i < layouts->count; i++) {
        /* The guess, then the others. */
        const int number = i == 0 ? first : i <= first ? i - 1 : i;
        Layout *layout = layouts->items[number];
        int repairs = 0;
        if (unlikely(room < layout->depth)) {
            continue;
        }
        const uint8_t *after = BY_CPU(match)(layout, p, end, &repairs, NULL);
        if (likely(after != NULL)) {
            layouts->credit += layouts->credit < MOST_CREDIT;
            layouts->compared += after - p;
            layouts->exact = repairs == 0;
            if (likely(repairs == 0)) {
                layout->repairs = 0;
            }
            else {
                const int serial = layouts->serial;
                follow(layouts, number, p, after);
                layouts->exact = layouts->serial != serial;
            }
            remember(layouts, ordinal, number);
            *found = layouts->items[number];
            return after;
        }
    }
    return NULL;
}

void
layouts_learn(Layouts *layouts, Py_ssize_t ordinal, const uint8_t *p, const uint8_t *end)
{
    if (layouts->credit < LEARNING || end - p > LAYOUT_BYTES) {
        return;
    }
    layouts->credit -= LEARNING;
    Layout *layout = layout_new(p, end, layouts->codec);
    if (layout == NULL) {
        return;
    }
    layout->serial = ++layouts->serial;
    int number = layouts->count;
    if (number < MOST_LAYOUTS) {
        layouts->count++;
    }
    else {
        number = (layouts->last + 1) % MOST_LAYOUTS;
        free(layouts->items[number]);
    }
    layouts->items[number] = layout;
    remember(layouts, ordinal, number);
}
