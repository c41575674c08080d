/* Structs that repeat a layout are recognised by comparing bytes, instead of being read field by field.
 *
 * A layout is what one valid struct looked like: which bytes are headers and lengths, which are continuation bits of varints, and
 * which may be anything. A struct that agrees with it in all of these is as valid as that one was, and its fields are at the same
 * places. Where a varint or a byte string has another length than in the layout, it is read by itself and the comparison goes on after
 * it. */
#pragma once

#include "compact.h"
#include "guesses.h"

/* The longest struct that has a layout, and what is compared at once. */
#define LAYOUT_BYTES 960
#define BLOCK 32
/* Layouts that are tried for an element that the guess did not fit. */
#define MOST_TRIED 16

enum Token { TOKEN_EXACT, TOKEN_FLAG, TOKEN_FREE, TOKEN_I16, TOKEN_I32, TOKEN_I64, TOKEN_BYTES, TOKEN_TEXT };

/* What the bytes of a struct are compared with. */
typedef struct Pattern {
    uint8_t *bytes, *mask; /* the bits that must agree; these three have a block of no meaning after them */
    uint8_t *nonzero;      /* 0 where the byte must not be 0: the last one of a long varint; else 255 */
    uint8_t *token;
    uint16_t *start, *after; /* of the token that a byte belongs to; the end of the token that starts there */
} Pattern;

/* Where the value of a slot's field stands after the first byte of its struct: 0 where there is none. */
typedef struct FieldPlace {
    const Field *field;   /* NULL for slots that are no field */
    struct Layout *inner; /* of a struct that may be unread */
    uint64_t bit;         /* the field's */
    uint16_t at;
    uint8_t wire;
    enum { QUICK_NOTHING, QUICK_INT, QUICK_BYTES, QUICK_STRUCT } quick : 8; /* values that are read without a look at the field */
} FieldPlace;

/* What structs that are alike have in common. Instances have one, too: where they differ it has neither pattern nor places. */
typedef struct Layout {
    const Codec *codec;        /* of the class that values fit; NULL where structs are skipped */
    struct Tape *tape;         /* of the instances, or NULL */
    struct Layout *next;       /* of the same tape */
    FieldPlace *places;        /* by slot, NULL until the first instance is asked */
    struct Deferred *deferred; /* lists and texts of the one instance that has this layout */
    struct Gather *gather;     /* how columns read a row that has it; NULL where that is not known */
    Pattern *pattern;          /* while structs are compared */
    Py_ssize_t size;
    Py_ssize_t elements; /* of its lists together, of those that are decoded */
    int depth;           /* levels of nesting below the struct */
    int repairs;         /* structs in a row that had values of other lengths */
    uint8_t same;        /* its fields are at the same places in all structs */
    uint8_t clean;       /* encoding the decoded struct gives the same bytes */
    uint8_t kept;        /* by the tape, for the instances that have it */
    uint8_t looked;      /* columns looked for a way to gather */
} Layout;

/* A layout without a pattern; NULL without memory, and no exception. */
Layout *layout_alloc(const Codec *codec, struct Tape *tape, int same);
void layout_free(Layout *layout);
void free_places(Layout *layout);
/* The layout of the valid struct from p to end; NULL where it cannot have one. */
Layout *layout_new(const uint8_t *p, const uint8_t *end, const Codec *codec, struct Tape *tape);

/* Where values of other lengths move the places after them: a place of the layout from `from` on is so much further. */
enum { MOST_SHIFTS = 8 };
typedef struct Shifts {
    int count; /* more than there is room for are not told */
    struct {
        Py_ssize_t from, shift;
    } items[MOST_SHIFTS];
} Shifts;

/* The layouts of the elements of lists. These need no GIL. */
typedef struct Layouts {
    const Codec *codec; /* of the structs, NULL where any are skipped */
    struct Tape *tape;  /* of their instances, or NULL */
    int strict;         /* another length makes another layout */
    int count, replaced;
    int credit;          /* what may be spent on searching and learning: structs that are all different are not worth it */
    Py_ssize_t elements; /* the most that one of them has */
    Py_ssize_t compared; /* bytes of structs that agreed with a layout */
    Guesses guesses;
    Layout *items[MOST_GUESSED];
} Layouts;

/* Elements that were passed, and what they have in common. */
typedef struct Passed {
    Layout *layout;
    Py_ssize_t count;
    int exact;     /* they have the lengths of the layout */
    Shifts shifts; /* where they have not, for strict layouts */
} Passed;

/* A new set, or NULL without memory, which is no error: everything can be read without. */
Layouts *layouts_new(const Codec *codec, struct Tape *tape);
void layouts_free(Layouts *layouts);
/* A list begins whose last place is before `places`. */
void layouts_begin(Layouts *layouts, Py_ssize_t places);
/* The end of at most so many elements that have one of the layouts, from p and the place on; NULL where the first has none. room is
 * how many levels may nest below the struct. */
const uint8_t *layouts_pass(Layouts *layouts, Py_ssize_t place, Py_ssize_t most, const uint8_t *p, const uint8_t *end, int room,
                            Passed *passed);
/* Remembers the layout of a valid struct; it, or NULL. */
Layout *layouts_learn(Layouts *layouts, Py_ssize_t place, const uint8_t *p, const uint8_t *end);

/* Those of the structs in lists that are skipped; NULL where they are few. */
Layouts *skipped_layouts(Input *in, Py_ssize_t count);
/* Skips elements from place *i on, which is moved, up to the last. */
const uint8_t *skip_struct_elements(Input *in, const uint8_t *p, Layouts *layouts, Py_ssize_t *i, Py_ssize_t last, int room);
