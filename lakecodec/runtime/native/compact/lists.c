/* Decoding of lists and sets. */
#include "layouts.h"
#include "unread.h"

/* A count is only a claim, so that a list starts with room for no more items than this and grows as they come. */
#define FIRST_ITEMS 4096

static COLD int
grow_list(PyListObject *list, Py_ssize_t count)
{
    Py_ssize_t room = list->allocated * 2 < count ? list->allocated * 2 : count;
    PyObject **items = PyMem_Realloc(list->ob_item, (size_t)room * sizeof(PyObject *));
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    list->ob_item = items;
    list->allocated = room;
    return 0;
}

/* A list without items that is going to have count, not yet seen by the garbage collector. */
static inline PyObject *
new_list(Py_ssize_t count)
{
    PyListObject *list = PyObject_GC_New(PyListObject, &PyList_Type);
    if (unlikely(list == NULL)) {
        return NULL;
    }
    Py_SET_SIZE(list, 0);
    list->ob_item = NULL;
    list->allocated = 0;
    if (count > 0) {
        list->allocated = count < FIRST_ITEMS ? count : FIRST_ITEMS;
        list->ob_item = PyMem_New(PyObject *, list->allocated);
        if (unlikely(list->ob_item == NULL)) {
            list->allocated = 0;
            Py_DECREF(list);
            return PyErr_NoMemory();
        }
    }
    return (PyObject *)list;
}

#define LEAST_ALIKE 8

/* An element that is not wanted; known are the layouts of such, NULL where there are few. */
static inline const uint8_t *
skip_unchosen(Reader *r, const uint8_t *p, const Type *type, int wire, int depth, struct Layouts *known, Py_ssize_t i)
{
    const int room = r->in.max_depth - depth;
    if (type->value->kind == KIND_BOOL) {
        return p + 1;
    }
    if (known == NULL) {
        return skip_value(&r->in, p, wire, room);
    }
    const Layout *found;
    const uint8_t *after = layouts_match(known, i, p, r->in.end, room - 1, &found);
    if (unlikely(after == NULL)) {
        after = skip_value(&r->in, p, wire, room);
        if (after != NULL) {
            layouts_learn(known, i, p, after);
        }
    }
    return after;
}

/* Only the chosen elements of a list, in file order. */
static const uint8_t *
read_chosen(Reader *r, const uint8_t *p, const Type *type, Py_ssize_t count, int wire, int depth, PyObject **out)
{
    const Py_ssize_t *next = type->indices, *last = next + type->index_count;
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    struct Layouts *known = NULL;
    if (type->value->kind == KIND_STRUCT && count > LEAST_ALIKE) {
        known = r->in.skipped = r->in.skipped == NULL ? layouts_new(NULL) : r->in.skipped;
        if (known != NULL) {
            layouts_begin(known, count);
        }
    }
    while (next < last && *next < 0) {
        next++;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (next == last || *next != i) {
            if (known != NULL) {
                const Py_ssize_t before = next < last && *next < count ? *next : count;
                p = layouts_run(known, &i, before, p, r->in.end, r->in.max_depth - depth - 1);
                if (i == before) {
                    i--;
                    continue;
                }
            }
            p = skip_unchosen(r, p, type, wire, depth, known, i);
        }
        else {
            PyObject *item = NULL;
            while (next < last && *next == i) {
                next++;
            }
            p = read_value(r, p, type->value, depth + 1, &item);
            if (p != NULL && PyList_Append(list, item)) {
                p = NULL;
            }
            Py_XDECREF(item);
        }
        if (unlikely(p == NULL)) {
            trace_index(&r->trace, i);
            Py_DECREF(list);
            return NULL;
        }
    }
    *out = list;
    return p;
}

/* ---- structs ---- */

/* The fewest elements for which layouts are made. */
#define FEWEST 4

static struct Layouts *
layouts_for(Reader *r, const Codec *codec, Py_ssize_t count)
{
    if (!codec->lazy || r->trusted || count == 0) {
        return NULL;
    }
    for (int i = 0; i < MOST_TYPES; i++) {
        if (r->types[i] == NULL && count >= FEWEST) {
            r->types[i] = layouts_new(codec);
        }
        if (r->types[i] != NULL && r->types[i]->codec == codec) {
            layouts_begin(r->types[i], count);
            return r->types[i];
        }
    }
    return NULL;
}

/* The shape of an instance that has a layout but perhaps for the lengths of some values. */
static inline Shape *
shape_of(Reader *r, Layout *found, const Codec *codec, int exact)
{
    if (unlikely(!exact)) {
        return any_shape(codec);
    }
    return likely(found->shape != NULL) ? found->shape : (found->shape = new_shape(r->source, codec));
}

/* Reads elements of a list that is deferred from *ordinal on, which is counted up; out is set to one that cannot be. */
static const uint8_t *
defer_unread(Reader *r, const uint8_t *p, const Codec *codec, int depth, struct Layouts *layouts, Py_ssize_t *ordinal, Py_ssize_t count,
             Deferred *deferred, PyObject **out)
{
    const int room = r->in.max_depth - depth;
    const Py_ssize_t first = *ordinal;
    Layout *found = layouts->count == 0 ? NULL : layouts->items[layouts->last];
    if (found != NULL && (found->elements == 0 || r->in.elements / found->elements >= count)) {
        const uint8_t *end = layouts_run(layouts, ordinal, count, p, r->in.end, room);
        if (*ordinal > first) {
            r->in.elements -= found->elements * (*ordinal - first);
            return deferred_add(deferred, r, p, found->size, *ordinal - first, found->clean, shape_of(r, found, codec, 1)) ? NULL : end;
        }
    }
    int exact = 1;
    const uint8_t *end = layouts_match(layouts, first, p, r->in.end, room, (const Layout **)&found);
    if (likely(end != NULL && found->elements <= r->in.elements)) {
        r->in.elements -= found->elements;
        exact = layouts->exact;
    }
    else {
        const int serial = layouts->serial;
        end = read_struct(r, p, codec, depth, out);
        if (end == NULL) {
            return NULL;
        }
        layouts_learn(layouts, first, p, end);
        if (layouts->serial == serial) {
            return end;
        }
        /* It has a layout now, and can be made again. */
        Py_CLEAR(*out);
        found = layouts->items[layouts->last];
    }
    ++*ordinal;
    return deferred_add(deferred, r, p, end - p, 1, found->clean, shape_of(r, found, codec, exact)) ? NULL : end;
}

static const uint8_t *
read_unread(Reader *r, const uint8_t *p, const Codec *codec, int depth, struct Layouts *layouts, Py_ssize_t ordinal, PyObject **out)
{
    const Layout *found;
    const uint8_t *end = layouts_match(layouts, ordinal, p, r->in.end, r->in.max_depth - depth, &found);
    if (likely(end != NULL && found->elements <= r->in.elements)) {
        r->in.elements -= found->elements;
        Shape *shape = shape_of(r, (Layout *)found, codec, layouts->exact);
        *out = unread_at(r, p, end - p, found->clean, shape);
        return *out == NULL ? NULL : end;
    }
    end = read_struct(r, p, codec, depth, out);
    if (end != NULL) {
        layouts_learn(layouts, ordinal, p, end);
    }
    return end;
}

/* ---- lists ---- */

/* The fewest elements for which it is worth remembering where they begin. */
#define LEAST_DEFERRED 32

/* Reads elements without making objects while each of them agrees with a layout. Else the first one that does not is in *odd, and those
 * before it are in the list. */
static const uint8_t *
defer_elements(Reader *r, const uint8_t *p, const Codec *codec, Py_ssize_t count, int depth, struct Layouts *layouts, int clean,
               PyListObject **list, PyObject **odd)
{
    Deferred *deferred = deferred_new();
    if (deferred == NULL) {
        return NULL;
    }
    Py_ssize_t i = 0;
    while (i < count && p != NULL && *odd == NULL) {
        p = defer_unread(r, p, codec, depth, layouts, &i, count, deferred, odd);
    }
    if (unlikely(p == NULL)) {
        trace_index(&r->trace, i);
    }
    else if (*odd == NULL) {
        r->deferred = deferred_end(deferred, r, p, clean);
        return p;
    }
    else {
        const Py_ssize_t made = deferred_count(deferred);
        *list = (PyListObject *)new_list(count);
        while (*list != NULL && (*list)->allocated < made) {
            if (grow_list(*list, count)) {
                Py_CLEAR(*list);
            }
        }
        if (*list == NULL || deferred_instances(deferred, r->source, (*list)->ob_item)) {
            Py_CLEAR(*list);
            Py_CLEAR(*odd);
            p = NULL;
        }
        else {
            Py_SET_SIZE(*list, made);
        }
    }
    deferred_free(deferred);
    return p;
}

/* Whether a list's header with so many elements is as short as it can be. */
static inline int
is_short_header(const uint8_t *start, const uint8_t *p)
{
    return p - start == 1 ? *start >> 4 < 15 : p - start == 2 ? p[-1] > 14 : p[-1] != 0;
}

const uint8_t *
read_list(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out)
{
    const uint8_t *start = p;
    Py_ssize_t count;
    int wire;
    const int may_defer = r->may_defer;
    r->may_defer = 0;
    if (unlikely(depth > r->in.max_depth)) {
        return fail(&r->in, RULE_DEPTH, p);
    }
    p = read_list_header(&r->in, p, &count, &wire);
    if (unlikely(p == NULL)) {
        return NULL;
    }
    const Type *value = type->value;
    if (unlikely(count && !element_fits(value, wire))) {
        return fail(&r->in, RULE_ELEMENT, start);
    }
    if (take_elements(r, count, start)) {
        return NULL;
    }
    if (type->indices != NULL) {
        return read_chosen(r, p, type, count, wire, depth, out);
    }
    struct Layouts *layouts = value->kind == KIND_STRUCT && r->source != NULL ? layouts_for(r, value->codec, count) : NULL;
    PyObject *list = NULL, *odd = NULL;
    if (may_defer && layouts != NULL && count >= LEAST_DEFERRED && type->kind == KIND_LIST) {
        p = defer_elements(r, p, value->codec, count, depth + 1, layouts, is_short_header(start, p), (PyListObject **)&list, &odd);
        if (p == NULL || list == NULL) {
            return p;
        }
    }
    else if (unlikely((list = new_list(count)) == NULL)) {
        return NULL;
    }
    for (Py_ssize_t i = PyList_GET_SIZE(list); i < count; i++) {
        PyObject *item = odd;
        if (odd != NULL) {
            odd = NULL;
        }
        else if (layouts != NULL) {
            p = read_unread(r, p, value->codec, depth + 1, layouts, i, &item);
        }
        else if (value->kind == KIND_STRUCT) {
            p = read_struct(r, p, value->codec, depth + 1, &item);
        }
        else if (is_integer(value->kind)) {
            p = read_integer(r, p, value, &item);
        }
        else if (value->kind == KIND_STRING) {
            p = read_text(r, p, &item);
        }
        else {
            p = read_value(r, p, value, depth + 1, &item);
        }
        if (unlikely(p == NULL)) {
            trace_index(&r->trace, i);
            Py_DECREF(list);
            return NULL;
        }
        if (unlikely(i == ((PyListObject *)list)->allocated) && grow_list((PyListObject *)list, count)) {
            Py_DECREF(item);
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, i, item);
        Py_SET_SIZE(list, i + 1);
    }
    if (type->track || type->hashed) {
        PyObject_GC_Track(list);
    }
    if (type->hashed) {
        *out = PySet_New(list);
        Py_DECREF(list);
        return *out == NULL ? NULL : p;
    }
    *out = list;
    return p;
}
