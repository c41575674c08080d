/* Which of several kinds the element of a list has: most likely that of the one at the same place before, or what came next before. */
#pragma once

#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GUESSED 128
/* Places of a list that are remembered. */
#define MOST_PLACES ((Py_ssize_t)1 << 17)

typedef struct Guesses {
    int last;
    uint8_t next[MOST_GUESSED]; /* the kind of the element after the one that had the kind last */
    uint8_t *by_place;
    Py_ssize_t places;
} Guesses;

/* Makes room for so many places; without memory those that were there stay. */
static inline void guesses_grow(Guesses *guesses, Py_ssize_t places) {
    places = places < MOST_PLACES ? places : MOST_PLACES;
    if (places > guesses->places) {
        const Py_ssize_t twice = 2 * guesses->places < MOST_PLACES ? 2 * guesses->places : MOST_PLACES,
                         room = places > twice ? places : twice;
        uint8_t *grown = realloc(guesses->by_place, (size_t)room);
        if (grown != NULL) {
            memset(grown + guesses->places, UINT8_MAX, (size_t)(room - guesses->places));
            guesses->by_place = grown;
            guesses->places = room;
        }
    }
}

/* The kind at a place, after one that has the kind `last`, of so many. */
static inline int guess(const Guesses *guesses, Py_ssize_t place, int last, int count) {
    const int before = place < guesses->places ? guesses->by_place[place] : UINT8_MAX;
    return before < count ? before : guesses->next[last] < count ? guesses->next[last] : last;
}

/* Elements from a place on had the kind. */
static inline void remember(Guesses *guesses, Py_ssize_t place, Py_ssize_t count, int kind) {
    guesses->next[guesses->last] = (uint8_t)kind;
    guesses->last = kind;
    if (place + count <= guesses->places) {
        if (__builtin_expect(count == 1, 1)) {
            guesses->by_place[place] = (uint8_t)kind;
            return;
        }
        guesses->next[kind] = (uint8_t)kind;
        memset(guesses->by_place + place, kind, (size_t)count);
    }
}
