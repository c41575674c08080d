/* Structs that repeat a layout are recognised by comparing bytes, instead of being read field by field.
 *
 * A layout is what one valid struct looked like: which bytes are headers and lengths, which are continuation bits of varints,
 * and which may be anything. A struct that agrees with it in all of these is as valid as that one was. Where a varint or a
 * byte string has another length than in the layout, it is read by itself and the comparison goes on behind it. */
#ifndef LAKECODEC_COMPACT_LAYOUTS_H
#define LAKECODEC_COMPACT_LAYOUTS_H

#include "compact.h"

#pragma GCC visibility push(hidden)

/* The longest struct that has a layout, and what is compared at once. */
#define LAYOUT_BYTES 960
#define BLOCK 32
/* Layouts that are tried for the elements of a list. */
#define MOST_LAYOUTS 16

enum Token { TOKEN_EXACT, TOKEN_FLAG, TOKEN_FREE, TOKEN_I16, TOKEN_I32, TOKEN_I64, TOKEN_BYTES, TOKEN_TEXT };

typedef struct Layout {
    Py_ssize_t size;
    Py_ssize_t elements; /* of its lists together, of those that are decoded */
    int depth;           /* levels of nesting below the struct */
    uint8_t typed;       /* made for a class: values fit the types of its fields */
    uint8_t clean;       /* encoding the decoded struct gives the same bytes */
    int repairs;         /* structs in a row that had values of other lengths */
    int serial;          /* no other layout of the same set has had it */
    Shape *shape;        /* of the instances that were made by it, for the decoder; NULL before the first */
    /* In the same block, of the size; the first three with a block of no meaning behind them. */
    uint8_t *bytes, *mask;    /* the bits that must agree */
    uint8_t *nonzero;         /* 0 where the byte must not be 0: the last one of a long varint; else 255 */
    uint8_t *token;
    uint16_t *start, *after;  /* of the token that a byte belongs to; the end of the token that starts there */
} Layout;

typedef struct Layouts {
    const Codec *codec; /* of the structs, NULL where any are skipped */
    Layout *items[MOST_LAYOUTS];
    int count, last, serial;
    Py_ssize_t compared; /* bytes of structs that agreed with a layout */
    int exact; /* the struct that was matched last has the lengths of its layout */
    int credit; /* what may be spent on learning: structs that are all different are not worth it */
    uint8_t *guesses; /* by ordinal, the layout of the element there in the list before */
    Py_ssize_t guess_count;
} Layouts;

/* Where values of other lengths move the places behind them: a place of the layout from `from` on is so much further. */
enum { MOST_SHIFTS = 8 };
typedef struct Shifts {
    int count; /* more than there is room for are not told */
    struct { Py_ssize_t from, shift; } items[MOST_SHIFTS];
} Shifts;

/* These need no GIL. A new set, or NULL without memory, which is no error: everything can be read without. */
Layouts *layouts_new(const Codec *codec);
void layouts_free(Layouts *layouts);
/* A list of count elements begins. */
void layouts_begin(Layouts *layouts, Py_ssize_t count);
/* The end of the struct at p if it has one of the layouts, which is stored in found, else NULL; room is how many levels may nest
 * below the struct. */
const uint8_t *layouts_match(Layouts *layouts, Py_ssize_t ordinal, const uint8_t *p, const uint8_t *end, int room, const Layout **found);
/* The end of as many elements as agree with the layout that was found last, from *ordinal on, which is counted up: often none. */
const uint8_t *layouts_run(Layouts *layouts, Py_ssize_t *ordinal, Py_ssize_t count, const uint8_t *p, const uint8_t *end, int room);
/* Remembers the layout of a valid struct. */
void layouts_learn(Layouts *layouts, Py_ssize_t ordinal, const uint8_t *p, const uint8_t *end);

/* One layout, which free() frees, of the valid struct from p to end; NULL where it cannot have one. */
Layout *layout_new(const uint8_t *p, const uint8_t *end, const Codec *codec);
/* The end of the struct at p if it has the layout and no values of other lengths, else NULL. */
const uint8_t *layout_equal(const Layout *layout, const uint8_t *p, const uint8_t *end);
/* The end of the struct at p, which has the layout but for the lengths of as many values as repairs is raised by, or NULL; shifts
 * may be NULL. */
const uint8_t *layout_match(const Layout *layout, const uint8_t *p, const uint8_t *end, int *repairs, Shifts *shifts);

/* Places of a list whose elements are guessed by those of the list before. */
#define MOST_GUESSES ((Py_ssize_t)1 << 17)

/* Makes room for the guesses of so many places; new ones are `none`. 0, or -1 without memory, and those that were there stay. */
static inline int
guesses_grow(uint8_t **guesses, Py_ssize_t *count, Py_ssize_t places, int none)
{
    if (places <= *count) {
        return 0;
    }
    uint8_t *grown = realloc(*guesses, (size_t)places);
    if (grown == NULL) {
        return -1;
    }
    memset(grown + *count, none, (size_t)(places - *count));
    *guesses = grown;
    *count = places;
    return 0;
}

#pragma GCC visibility pop

#endif
