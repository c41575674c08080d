/* Encoding of elements that have the shape of one before: their bytes are those of a stencil, with values in its holes.
 *
 * Objects are spread over memory, and each has to be there before it says where the next one is. Some elements are therefore on their way
 * at any time: between two that are written, each of them is looked at one reference further, and what is after it is asked for. No code
 * of others is called meanwhile, so that what was found stays there. */
#include "guesses.h"
#include "stencil.h"

/* Stencils of one codec at most: numbers of them have one byte. */
#define MOST_STENCILS 32
/* Further ones are loose: so many combinations of enums' members are likely to have more. */
#define MOST_STRICT 8
/* Elements without a stencil after which there are no more tries, unless others have one. */
#define MOST_MISSES 4
/* The same for elements that another stencil fits than the one that was guessed. */
#define MOST_REFITS 4096

/* Those of the lists of one codec, while a value is written. */
struct Stencils {
    struct Stencils *next;
    const Codec *codec;
    Stencil *all[MOST_STENCILS];
    int count;
    int levels; /* of the deepest */
    Py_ssize_t hits, misses, refits;
    Guesses guesses;
};

void stencils_free(Stencils *stencils) {
    while (stencils != NULL) {
        Stencils *next = stencils->next;
        for (int i = 0; i < stencils->count; i++) stencil_free(stencils->all[i]);
        free(stencils->guesses.by_place);
        free(stencils);
        stencils = next;
    }
}

static Stencils *stencils_for(Writer *w, const Codec *codec, Py_ssize_t count) {
    Stencils *found = w->stencils;
    while (found != NULL && found->codec != codec) found = found->next;
    if (found == NULL) {
        found = calloc(1, sizeof(Stencils));
        if (found == NULL) return NULL;
        *found = (Stencils){.next = w->stencils, .codec = codec};
        w->stencils = found;
    }
    guesses_grow(&found->guesses, count);
    return found;
}

/* Makes a stencil by an element; 0 or -1. */
static int add_stencil(Stencils *stencils, PyObject *item, Py_ssize_t place) {
    Stencil *made = stencils->count == MOST_STENCILS ? NULL : stencil_of(stencils->codec, item, stencils->count >= MOST_STRICT);
    if (made == NULL) return -1;
    remember(&stencils->guesses, place, 1, stencils->count);
    stencils->all[stencils->count++] = made;
    stencils->levels = made->levels > stencils->levels ? made->levels : stencils->levels;
    return 0;
}

typedef uintptr_t Two __attribute__((vector_size(2 * sizeof(uintptr_t)), aligned(sizeof(uintptr_t))));

/* Nonzero where slots hold other objects. */
static inline uintptr_t differences(const uintptr_t *slots, const uintptr_t *same, const uintptr_t *mask, Py_ssize_t count) {
    Two all = {0, 0};
    Py_ssize_t i = 0;
    for (; i + 1 < count; i += 2) all |= (*(const Two *)(slots + i) ^ *(const Two *)(same + i)) & *(const Two *)(mask + i);
    return all[0] | all[1] | (i < count ? (slots[i] ^ same[i]) & mask[i] : 0);
}

/* Goes one reference further in an element; 0 where it is not what the stencil says. */
static inline int find(const Stencil *s, int level, PyObject **found) {
    const Holder *node = s->nodes + (level ? s->level_ends[level - 1] : 0);
    for (const Holder *end = s->nodes + s->level_ends[level]; node < end; node++) {
        PyObject *object = found[node->from];
        if (node->cls != NULL && !Py_IS_TYPE(object, node->cls)) return 0;
        if (node->cls == &PyList_Type) {
            if (PyList_GET_SIZE(object) != node->count) return 0;
            if (node->count == 0) continue; /* it has no place for items: that of the element itself stays */
            found[node->items] = (PyObject *)((PyListObject *)object)->ob_item;
            ask(found[node->items], node->count * (Py_ssize_t)sizeof(PyObject *));
            continue;
        }
        PyObject **slots = node->cls == NULL ? (PyObject **)object : (PyObject **)(object + 1);
        uintptr_t differs = differences((const uintptr_t *)slots, s->same + node->first_slot, s->mask + node->first_slot, node->count);
        const Take *take = s->takes + node->first_take;
        for (const Take *last = take + node->takes; take < last; take++) {
            PyObject *value = slots[take->at];
            found[take->to] = value;
            differs |= value == NULL;
            ask(value, take->size);
        }
        if (differs) return 0;
    }
    return 1;
}

/* Whether elements differ too much to be worth more tries. */
static inline int is_hopeless(const Stencils *stencils) {
    return stencils->misses > MOST_MISSES + stencils->hits / 8 || stencils->refits > MOST_REFITS + stencils->hits / 2;
}

/* The stencil that fits an element, all of which is then found, or NULL. */
static const Stencil *refit(Stencils *stencils, PyObject **found, Py_ssize_t place) {
    stencils->refits++;
    for (int i = stencils->count - 1; i >= 0 && !is_hopeless(stencils); i--) {
        const Stencil *s = stencils->all[i];
        int level = 0;
        while (level < s->levels && find(s, level, found)) level++;
        if (level == s->levels) {
            remember(&stencils->guesses, place, 1, i);
            return s;
        }
    }
    return NULL;
}

static inline uint8_t *put_run(uint8_t *p, const uint8_t *from, int size) {
    memcpy(p, from, RUN);
    if (unlikely(size > RUN)) memcpy(p + RUN, from + RUN, (size_t)(size - RUN));
    return p + size;
}

/* Whether a value is written without calling code of others. */
static inline int is_plain(const Type *type, PyObject *value) {
    return type->kind == KIND_BINARY   ? PyBytes_CheckExact(value)
           : type->kind == KIND_STRING ? PyUnicode_CheckExact(value)
           : type->kind == KIND_DOUBLE ? PyFloat_CheckExact(value)
                                       : PyLong_CheckExact(value);
}

/* Writes an element; NULL where a value does not fit its hole. */
static uint8_t *fill(Writer *w, uint8_t *p, const Stencil *s, PyObject **found) {
    p = ensure(w, p, s->room);
    if (unlikely(p == NULL)) return NULL;
    const uint8_t *from = s->bytes;
    for (const Hole *hole = s->holes, *end = hole + s->hole_count; hole < end; hole++) {
        p = put_run(p, from, hole->before);
        from += hole->before;
        PyObject *value = found[hole->found];
        uint8_t *after = put_short(p, hole->kind, value);
        if (after == p && hole->kind == KIND_I64 && PyLong_CheckExact(value)) {
            int overflow;
            const int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
            after = overflow ? p : put_zigzag(p, number);
        }
        if (unlikely(after == p)) {
            after = is_plain(hole->type, value) ? write_value(w, p, hole->type, value, 0) : NULL;
            after = after == NULL ? NULL : ensure(w, after, s->room);
            if (after == NULL) return NULL;
        }
        p = after;
    }
    return put_run(p, from, (int)(s->bytes + s->size - from));
}

/* An element on its way: its stencil, or NULL, and what was found in it. */
typedef struct Element {
    const Stencil *stencil;
    PyObject *found[MOST_FOUND];
} Element;

/* More than there are between the first pass and writing. */
#define ON_THE_WAY 16

/* Goes one reference further in each of the elements from `first` on that are on their way when the one at `place` is written next. */
static inline void go_on(Stencils *stencils, PyObject **items, Py_ssize_t count, Py_ssize_t first, Py_ssize_t place, Element *elements) {
    const Py_ssize_t next = place + stencils->levels + 1;
    if (next < count) ask(items[next], stencils->codec->cls->tp_basicsize);
    for (int level = 0; level < stencils->levels; level++) {
        const Py_ssize_t i = place + stencils->levels - level;
        if (i < first || i >= count) continue;
        Element *element = &elements[i % ON_THE_WAY];
        if (level == 0) {
            element->stencil = stencils->all[guess(&stencils->guesses, i, stencils->guesses.last, stencils->count)];
            element->found[0] = items[i];
        }
        const Stencil *s = element->stencil;
        if (s != NULL && level < s->levels && unlikely(!find(s, level, element->found)))
            element->stencil = refit(stencils, element->found, i);
    }
}

/* Puts elements on their way from the one at `place` on, which a stencil is made of if none fits it; 0 or -1. */
static int set_out(Stencils *stencils, PyObject **items, Py_ssize_t count, Py_ssize_t place, Element *elements) {
    Element *first = &elements[place % ON_THE_WAY];
    first->found[0] = items[place];
    if (refit(stencils, first->found, place) == NULL && add_stencil(stencils, items[place], place)) {
        stencils->misses++;
        return -1;
    }
    for (Py_ssize_t before = place - stencils->levels; before < place; before++) go_on(stencils, items, count, place, before, elements);
    return first->stencil == NULL ? -1 : 0;
}

uint8_t *write_alike(Writer *w, uint8_t *p, const Codec *codec, PyObject *list, Py_ssize_t *place) {
    PyObject **items = PySequence_Fast_ITEMS(list);
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    Stencils *stencils = stencils_for(w, codec, count);
    if (stencils == NULL || is_hopeless(stencils)) return p;
    Element elements[ON_THE_WAY];
    elements[*place % ON_THE_WAY].stencil = NULL;
    for (; *place < count; ++*place) {
        Element *element = &elements[*place % ON_THE_WAY];
        if (unlikely(element->stencil == NULL) && set_out(stencils, items, count, *place, elements)) return p;
        go_on(stencils, items, count, *place, *place, elements);
        const Py_ssize_t written = p - (uint8_t *)PyBytes_AS_STRING(w->bytes);
        p = fill(w, p, element->stencil, element->found);
        if (unlikely(p == NULL)) {
            if (w->bytes == NULL) return NULL;
            /* The element is written field by field, and the error, if there is one, found again with its path. */
            PyErr_Clear();
            w->key = NULL;
            Py_CLEAR(w->detail);
            stencils->misses++;
            return (uint8_t *)PyBytes_AS_STRING(w->bytes) + written;
        }
        stencils->hits++;
    }
    return p;
}
