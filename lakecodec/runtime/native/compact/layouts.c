/* Comparing structs with layouts, and choosing among layouts. */
#include "layouts.h"

#include "common/utf8.h"

/* ---- one layout ---- */

#define ONES 0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Nonzero where eight bytes disagree with the layout; the lowest byte that is not zero is the first one that does. */
static inline uint64_t differences(const Layout *layout, Py_ssize_t i, const uint8_t *data) {
    const Pattern *pattern = layout->pattern;
    const uint64_t word = load64(data), forced = word | load64(pattern->nonzero + i);
    return ((word ^ load64(pattern->bytes + i)) & load64(pattern->mask + i)) | ((forced - ONES) & ~forced & HIGHS);
}

/* The first block from `from` on in which data, which stands where the layout's first byte would, disagrees; or a number from the
 * layout's size on. */
static inline Py_ssize_t pass_equal(const Layout *layout, const uint8_t *p, Py_ssize_t shift, Py_ssize_t from) {
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

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i load256(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

/* A block of a layout. */
typedef struct Block {
    __m256i bytes, mask, nonzero;
} Block;

AVX2 static inline Block load_block(const Pattern *pattern, Py_ssize_t i) {
    return (Block){load256(pattern->bytes + i), load256(pattern->mask + i), load256(pattern->nonzero + i)};
}

/* Nonzero where data disagrees with a block; without `typed` no byte must be other than 0. */
AVX2 static inline __m256i differences_avx2(Block block, __m256i data, const int typed) {
    const __m256i wrong = _mm256_and_si256(_mm256_xor_si256(data, block.bytes), block.mask);
    if (!typed) return wrong;
    return _mm256_or_si256(wrong, _mm256_cmpeq_epi8(_mm256_or_si256(data, block.nonzero), _mm256_setzero_si256()));
}

AVX2 static inline Py_ssize_t pass_equal_avx2(const Layout *layout, const uint8_t *p, Py_ssize_t shift, Py_ssize_t from) {
    const Py_ssize_t size = layout->size;
    Py_ssize_t i = from;
    for (; i < size; i += BLOCK) {
        const __m256i all = differences_avx2(load_block(layout->pattern, i), load256(p + (i + shift)), 1);
        if (unlikely(!_mm256_testz_si256(all, all))) break;
    }
    return i;
}

/* As run_words; a struct is looked at as a whole, as most are alike. */
AVX2 static inline __attribute__((always_inline)) const uint8_t *run_blocks(const Layout *layout, const uint8_t *p, const uint8_t *end,
                                                                           Py_ssize_t most, Py_ssize_t *passed, const int typed) {
    const Pattern *pattern = layout->pattern;
    const Py_ssize_t size = layout->size;
    const Block first = load_block(pattern, 0);
    Py_ssize_t count = 0;
    for (; count < most && end - p >= size + BLOCK; count++, p += size) {
        __m256i all = differences_avx2(first, load256(p), typed);
        for (Py_ssize_t i = BLOCK; i < size; i += BLOCK) {
            all = _mm256_or_si256(all, differences_avx2(load_block(pattern, i), load256(p + i), typed));
        }
        if (unlikely(!_mm256_testz_si256(all, all))) break;
    }
    *passed = count;
    return p;
}

AVX2 static const uint8_t *run_avx2(const Layout *layout, const uint8_t *p, const uint8_t *end, Py_ssize_t most, Py_ssize_t *passed) {
    return layout->codec != NULL ? run_blocks(layout, p, end, most, passed, 1) : run_blocks(layout, p, end, most, passed, 0);
}

#endif

/* Passes structs that have the layout and no values of other lengths, one after the other; tells how many of at most so many. */
static const uint8_t *run_words(const Layout *layout, const uint8_t *p, const uint8_t *end, Py_ssize_t most, Py_ssize_t *passed) {
    Py_ssize_t count = 0;
    while (count < most && end - p >= layout->size + BLOCK && pass_equal(layout, p, 0, 0) >= layout->size) {
        p += layout->size;
        count++;
    }
    *passed = count;
    return p;
}

/* The end of a value that differs from the layout's, if it is one that could stand in its place. */
static COLD const uint8_t *pass_value(const Layout *layout, Py_ssize_t start, const uint8_t *p, const uint8_t *end) {
    Input probe = {.begin = p, .end = end};
    const int token = layout->pattern->token[start];
    uint64_t value;
    const uint8_t *after;
    Py_ssize_t length;
    switch (token) {
    case TOKEN_FLAG: return (*p ^ layout->pattern->bytes[start]) == (WIRE_TRUE ^ WIRE_FALSE) ? p + 1 : NULL;
    case TOKEN_I16:
    case TOKEN_I32:
    case TOKEN_I64:
        after = read_varint(&probe, p, &value);
        if (after == NULL || (token == TOKEN_I32 && value >> 32) || (token == TOKEN_I16 && value >> 16)) return NULL;
        return layout->codec != NULL && after - p > 1 && after[-1] == 0 ? NULL : after;
    case TOKEN_BYTES:
    case TOKEN_TEXT:
        after = read_length(&probe, p, &length);
        if (after == NULL || (layout->codec != NULL && after - p > 1 && after[-1] == 0)) return NULL;
        return token == TOKEN_TEXT && !is_ascii(after, length) ? NULL : after + length;
    default: return NULL;
    }
}

typedef Py_ssize_t (*PassEqual)(const Layout *layout, const uint8_t *p, Py_ssize_t shift, Py_ssize_t from);

/* The end of the struct at p, which has the layout but for the lengths of as many values as repairs tells; or NULL. */
static inline __attribute__((always_inline)) const uint8_t *match_by(PassEqual pass, const Layout *layout, const uint8_t *p,
                                                                     const uint8_t *end, int *repairs, Shifts *shifts) {
    const Py_ssize_t size = layout->size;
    /* Byte i of the layout is compared with p[i + shift]. */
    Py_ssize_t from = 0, shift = 0;
    for (;;) {
        if (end - p < size + shift + BLOCK) return NULL;
        Py_ssize_t i = pass(layout, p, shift, from);
        if (likely(i >= size)) return p + size + shift;
        uint64_t found;
        while ((found = differences(layout, i, p + (i + shift))) == 0) {
            i += 8;
            /* Bytes that differed do not any more: somebody else writes to them. */
            if (unlikely(i >= size)) return NULL;
        }
        const Py_ssize_t start = layout->pattern->start[i + (__builtin_ctzll(found) >> 3)];
        const uint8_t *after = pass_value(layout, start, p + (start + shift), end);
        if (after == NULL) return NULL;
        ++*repairs;
        from = layout->pattern->after[start];
        shift = after - p - from;
        if (shifts != NULL && shifts->count++ < MOST_SHIFTS) {
            shifts->items[shifts->count - 1].from = from;
            shifts->items[shifts->count - 1].shift = shift;
        }
    }
}

static const uint8_t *match_words(const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts) {
    return match_by(pass_equal, layout, p, end, repairs, shifts);
}

#if defined(__x86_64__) && defined(__GNUC__)
AVX2 static const uint8_t *match_avx2(const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts) {
    return match_by(pass_equal_avx2, layout, p, end, repairs, shifts);
}

#define BY_CPU(name) (__builtin_cpu_supports("avx2") ? name##_avx2 : name##_words)
#else
#define BY_CPU(name) name##_words
#endif

static inline const uint8_t *layout_run(const Layout *layout, const uint8_t *p, const uint8_t *end, Py_ssize_t most, Py_ssize_t *passed) {
    return BY_CPU(run)(layout, p, end, most, passed);
}

/* ---- choosing ---- */

#define FIRST_CREDIT 128
#define MOST_CREDIT 1024
/* The cost of learning, in recognised structs. */
#define LEARNING 8

Layouts *layouts_new(const Codec *codec, struct Tape *tape) {
    Layouts *layouts = calloc(1, sizeof(Layouts));
    if (layouts != NULL) {
        layouts->codec = codec;
        layouts->tape = tape;
        layouts->credit = FIRST_CREDIT;
    }
    return layouts;
}

/* A layout that is no longer used. */
static void discard(Layout *layout) {
    if (!layout->kept) {
        layout_free(layout);
        return;
    }
    free(layout->pattern);
    layout->pattern = NULL;
}

void layouts_free(Layouts *layouts) {
    if (layouts == NULL) return;
    for (int i = 0; i < layouts->count; i++) discard(layouts->items[i]);
    free(layouts->guesses.by_place);
    free(layouts);
}

void layouts_begin(Layouts *layouts, Py_ssize_t places) { guesses_grow(&layouts->guesses, places); }

static inline const uint8_t *pass_to(Layouts *layouts, Py_ssize_t place, int number, Py_ssize_t count, const uint8_t *p,
                                     const uint8_t *after, Passed *passed) {
    layouts->credit = layouts->credit + count < MOST_CREDIT ? layouts->credit + (int)count : MOST_CREDIT;
    layouts->compared += after - p;
    remember(&layouts->guesses, place, count, number);
    passed->layout = layouts->items[number];
    passed->count = count;
    return after;
}

/* Values whose lengths have changed for good, as offsets grow, become part of the layout: whether they did. */
static COLD int follow(Layouts *layouts, int number, const uint8_t *p, const uint8_t *end) {
    Layout *layout = layouts->items[number];
    const int repairs = ++layout->repairs;
    Layout *changed = repairs == 8 || repairs == 64 || repairs % 1024 == 512 ? layout_new(p, end, layouts->codec, layouts->tape) : NULL;
    if (changed == NULL) return 0;
    changed->repairs = repairs;
    layouts->items[number] = changed;
    discard(layout);
    return 1;
}

/* An element that the guess did not fit. Where layouts are strict, one whose values have other lengths is likely to come again, and
 * they are many: all are tried as they are first. */
static COLD const uint8_t *pass_other(Layouts *layouts, Py_ssize_t place, int guessed, const uint8_t *p, const uint8_t *end, int room,
                                      Passed *passed) {
    const uint8_t *after;
    Py_ssize_t count;
    for (int i = 0; layouts->strict && layouts->credit >= LEARNING && i < layouts->count; i++) {
        if (room >= layouts->items[i]->depth && (after = layout_run(layouts->items[i], p, end, 1, &count), count == 1)) {
            layouts->credit -= 2;
            return pass_to(layouts, place, i, 1, p, after, passed);
        }
    }
    for (int i = 0; i < layouts->count && i < MOST_TRIED; i++) {
        /* Tries the guessed layout, then the others. */
        const int number = i == 0 ? guessed : i <= guessed ? i - 1 : i;
        Layout *layout = layouts->items[number];
        int repairs = 0;
        passed->shifts.count = 0;
        if (unlikely(room < layout->depth) ||
            (after = BY_CPU(match)(layout, p, end, &repairs, layouts->strict ? &passed->shifts : NULL)) == NULL ||
            passed->shifts.count > MOST_SHIFTS) {
            continue;
        }
        passed->exact = repairs == 0;
        if (layouts->strict) {
            layouts->credit -= layouts->credit > 0;
            Layout *learnt = repairs ? layouts_learn(layouts, place, p, after) : NULL;
            passed->exact |= learnt != NULL;
            return pass_to(layouts, place, learnt != NULL ? layouts->guesses.last : number, 1, p, after, passed);
        }
        if (likely(repairs == 0))
            layout->repairs = 0;
        else
            passed->exact = follow(layouts, number, p, after);
        return pass_to(layouts, place, number, 1, p, after, passed);
    }
    return NULL;
}

const uint8_t *layouts_pass(Layouts *layouts, Py_ssize_t place, Py_ssize_t most, const uint8_t *p, const uint8_t *end, int room,
                            Passed *passed) {
    const Guesses *guesses = &layouts->guesses;
    if (unlikely(layouts->count == 0)) return NULL;
    passed->exact = 1;
    const int guessed = guess(guesses, place, guesses->last, layouts->count);
    const Layout *layout = layouts->items[guessed];
    Py_ssize_t count = 0;
    if (likely(layout->repairs == 0 && room >= layout->depth)) {
        if (most > 1 && guess(guesses, place + 1, guessed, layouts->count) != guessed) most = 1;
        const uint8_t *after = layout_run(layout, p, end, most, &count);
        if (likely(count > 0)) return pass_to(layouts, place, guessed, count, p, after, passed);
    }
    return pass_other(layouts, place, guessed, p, end, room, passed);
}

Layout *layouts_learn(Layouts *layouts, Py_ssize_t place, const uint8_t *p, const uint8_t *end) {
    if (layouts->credit < LEARNING || end - p > LAYOUT_BYTES) return NULL;
    layouts->credit -= LEARNING;
    Layout *layout = layout_new(p, end, layouts->codec, layouts->tape);
    if (layout == NULL) return NULL;
    int number = layouts->count;
    if (number < (layouts->strict ? MOST_GUESSED : MOST_TRIED))
        layouts->count++;
    else
        discard(layouts->items[number = layouts->replaced++ % number]);
    layouts->items[number] = layout;
    layouts->elements = layout->elements > layouts->elements ? layout->elements : layouts->elements;
    remember(&layouts->guesses, place, 1, number);
    return layout;
}
