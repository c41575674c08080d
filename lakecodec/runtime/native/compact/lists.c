/* Decoding of lists and sets. */
#include "layouts.h"
#include "tape.h"

/* A count is not trusted: a list starts with room for at most this many items and grows. */
#define FIRST_ITEMS 4096

static COLD int grow_list(PyListObject *list, Py_ssize_t count) {
    Py_ssize_t room = list->allocated * 2 < count ? list->allocated * 2 : count;
    PyObject **items = PyMem_Realloc(list->ob_item, (size_t)room * sizeof(PyObject *));
    if (items == NULL) return no_memory();
    list->ob_item = items;
    list->allocated = room;
    return 0;
}

/* A list without items that is going to have count, not yet seen by the garbage collector. */
static inline PyObject *new_list(Py_ssize_t count) {
    PyListObject *list = PyObject_GC_New(PyListObject, &PyList_Type);
    if (unlikely(list == NULL)) return NULL;
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

/* Only the chosen elements of a list, in file order. */
static const uint8_t *read_chosen(Reader *r, const uint8_t *p, const Type *type, Py_ssize_t count, int wire, int depth, PyObject **out) {
    const Py_ssize_t *next = type->indices, *last = next + type->index_count;
    PyObject *list = PyList_New(0);
    if (list == NULL) return NULL;
    Layouts *known = wire == WIRE_STRUCT ? skipped_layouts(&r->in, count) : NULL;
    Py_ssize_t i = 0;
    while (p != NULL && i < count) {
        while (next < last && *next < i) next++;
        if (next == last || *next != i) {
            const Py_ssize_t before = next < last && *next < count ? *next : count;
            if (wire == WIRE_STRUCT)
                p = skip_struct_elements(&r->in, p, known, &i, before, r->in.max_depth - depth);
            else
                while (p != NULL && i < before && (p = skip_element(&r->in, p, wire, r->in.max_depth - depth)) != NULL) i++;
        } else {
            PyObject *item = NULL;
            p = read_value(r, p, type->value, depth + 1, &item);
            if (p != NULL && PyList_Append(list, item)) p = NULL;
            Py_XDECREF(item);
            i += p != NULL;
        }
    }
    if (unlikely(p == NULL)) {
        trace_index(&r->trace, i);
        Py_DECREF(list);
        return NULL;
    }
    *out = list;
    return p;
}

/* ---- structs ---- */

/* The fewest elements for which layouts are made. */
#define FEWEST 4

static Layouts *layouts_for(Reader *r, const Codec *codec, Py_ssize_t count) {
    if (!codec->lazy || r->trusted || r->keeps || count == 0) return NULL;
    for (int i = 0; i < MOST_TYPES; i++) {
        if (r->types[i] == NULL && count >= FEWEST) r->types[i] = layouts_new(codec, r->tape);
        if (r->types[i] != NULL && r->types[i]->codec == codec) {
            layouts_begin(r->types[i], count);
            return r->types[i];
        }
    }
    return NULL;
}

/* Whether the end of the bytes cuts an element of which nothing is kept. */
static int is_cut(const Reader *r, const uint8_t *start) { return r->pauses && r->paused == NULL && start < r->in.end; }

/* Whether a short whole element has one of the layouts: compared in a copy, where the bytes end behind it. */
static int has_layout(const Reader *r, const uint8_t *p, const uint8_t *end, Layouts *layouts, Py_ssize_t i, int depth, Passed *passed) {
    uint8_t copy[LAYOUT_BYTES + BLOCK];
    const Py_ssize_t size = end - p;
    if (size > LAYOUT_BYTES) return 0;
    memcpy(copy, p, (size_t)size);
    return layouts_pass(layouts, i, 1, copy, copy + size + BLOCK, r->in.max_depth - depth, passed) == copy + size;
}

/* As pass_elements, of one element that the end of the bytes may cut. A short one is read when it is whole: it likely has a layout. If more
 * bytes do not make it whole, it and those in it are read as far as they go, as their bytes were looked at before. */
static COLD const uint8_t *pass_cut(Reader *r, const uint8_t *p, Layouts *layouts, Py_ssize_t i, int depth, int is_looked_at,
                                    Passed *passed, PyObject **odd) {
    const int may_wait = r->pauses == PAUSES && !is_looked_at && r->resuming == NULL, pauses = r->pauses;
    if (may_wait && layouts->count > 0 && r->in.end - p <= LAYOUT_BYTES) {
        const uint8_t *end = skip_struct(&r->in, p, r->in.max_depth - depth);
        if (end == NULL && r->in.lacking > 0) return NULL;
        if (end != NULL && has_layout(r, p, end, layouts, i, depth, passed) && passed->layout->elements <= r->in.elements) {
            r->in.elements -= passed->layout->elements;
            return end;
        }
    }
    if (is_looked_at) r->pauses = PAUSES_AT_ONCE;
    const uint8_t *end = read_struct(r, p, layouts->codec, depth, odd);
    r->pauses = pauses;
    if (end != NULL && !has_layout(r, p, end, layouts, i, depth, passed))
        *passed = (Passed){.layout = layouts_learn(layouts, i, p, end), .count = 1, .exact = 1};
    return end;
}

/* Passes elements of a list that have layouts from place *i on, which is moved after them, and tells what they have in common. Else reads
 * one, which is in *odd unless it has a layout now, and can be made again. */
static inline const uint8_t *pass_elements(Reader *r, const uint8_t *p, Layouts *layouts, Py_ssize_t *i, Py_ssize_t most, int depth,
                                           Passed *passed, PyObject **odd) {
    /* Elements of lists in them are counted at once. */
    most = layouts->elements * most <= r->in.elements ? most : 1;
    const int is_looked_at = r->is_looked_at;
    const uint8_t *end = NULL;
    r->is_looked_at = 0;
    if (likely(r->resuming == NULL)) end = layouts_pass(layouts, *i, most, p, r->in.end, r->in.max_depth - depth, passed);
    if (likely(end != NULL && passed->layout->elements * passed->count <= r->in.elements)) {
        r->in.elements -= passed->layout->elements * passed->count;
        *i += passed->count;
        return end;
    }
    if (unlikely(r->pauses)) {
        end = pass_cut(r, p, layouts, *i, depth, is_looked_at, passed, odd);
        *i += end != NULL;
        return end;
    }
    end = read_struct(r, p, layouts->codec, depth, odd);
    if (end != NULL) {
        *passed = (Passed){.layout = layouts_learn(layouts, *i, p, end), .count = 1, .exact = 1};
        ++*i;
    }
    return end;
}

/* An element as an instance that is read when it is asked, where it has a layout. */
static const uint8_t *read_unread(Reader *r, const uint8_t *p, Layouts *layouts, Py_ssize_t i, int depth, PyObject **out) {
    Passed passed;
    const uint8_t *end = pass_elements(r, p, layouts, &i, 1, depth, &passed, out);
    if (end != NULL && *out == NULL)
        *out = unread_at(r, p, end - p, passed.layout->clean, tape_layout(r->tape, passed.layout, passed.exact));
    return *out == NULL ? NULL : end;
}

/* ---- lists ---- */

/* Fewest elements for which their positions are remembered. */
#define LEAST_DEFERRED 32

/* Reads elements without making objects while each of them agrees with a layout, after those that are deferred. Else the first one that
 * does not is in *odd, and those before it are in the list. */
static const uint8_t *defer_elements(Reader *r, const uint8_t *p, Deferred *deferred, Py_ssize_t count, int depth, Layouts *layouts,
                                     int clean, PyListObject **list, PyObject **odd) {
    if (deferred == NULL) return NULL;
    Py_ssize_t i = deferred_count(deferred);
    const uint8_t *start = p;
    while (i < count && p != NULL && *odd == NULL) {
        start = p;
        Passed passed;
        p = pass_elements(r, p, layouts, &i, count - i, depth, &passed, odd);
        if (p != NULL && likely(passed.layout != NULL)) {
            Py_CLEAR(*odd);
            Layout *layout = tape_layout(r->tape, passed.layout, passed.exact);
            if (deferred_add(deferred, r, start, (p - start) / passed.count, passed.count, passed.layout->clean, layout)) p = NULL;
        }
    }
    if (unlikely(p == NULL)) {
        const Paused part = {.deferred = deferred, .at = start - r->in.begin, .count = count, .tidy = clean, .is_looked_at = is_cut(r, start)};
        if (pause_part(r, &part, count - i - 1)) return NULL;
        trace_index(&r->trace, i);
    } else if (*odd == NULL) {
        r->deferred = deferred_end(deferred, r, p, clean);
        return p;
    } else {
        const Py_ssize_t made = deferred_count(deferred);
        *list = (PyListObject *)new_list(count);
        while (*list != NULL && (*list)->allocated < made)
            if (grow_list(*list, count)) Py_CLEAR(*list);
        if (*list == NULL || deferred_instances(deferred, (*list)->ob_item)) {
            Py_CLEAR(*list);
            Py_CLEAR(*odd);
            p = NULL;
        } else {
            Py_SET_SIZE(*list, made);
        }
    }
    deferred_free(deferred);
    return p;
}

/* Whether a list's header with so many elements is as short as it can be. */
static inline int is_short_header(const uint8_t *start, const uint8_t *p) {
    return p - start == 1 ? *start >> 4 < 15 : p - start == 2 ? p[-1] > 14 : p[-1] != 0;
}

/* Keeps a list whose element at a position cannot be read, or lets it go; NULL. */
static COLD const uint8_t *end_list(Reader *r, PyObject *list, Py_ssize_t count, const uint8_t *at) {
    const Py_ssize_t i = PyList_GET_SIZE(list);
    const Paused part = {.made = list, .count = count, .at = at - r->in.begin, .is_looked_at = is_cut(r, at)};
    if (pause_part(r, &part, count - i - 1)) return NULL;
    trace_index(&r->trace, i);
    Py_DECREF(list);
    return NULL;
}

/* Reads a list after its header, or after the elements that a part has. */
static const uint8_t *read_elements(Reader *r, const uint8_t *p, const Type *type, const Paused *part, int may_defer, int depth,
                                    PyObject **out) {
    const Type *value = type->value;
    const Py_ssize_t count = part->count;
    Layouts *layouts = value->kind == KIND_STRUCT && r->tape != NULL ? layouts_for(r, value->codec, count) : NULL;
    PyObject *list = part->made, *odd = NULL;
    r->is_looked_at = (uint8_t)(part->is_looked_at && layouts != NULL);
    if (may_defer && layouts != NULL && count >= LEAST_DEFERRED && type->kind == KIND_LIST && list == NULL) {
        Deferred *deferred = part->deferred != NULL ? part->deferred : deferred_new();
        p = defer_elements(r, p, deferred, count, depth + 1, layouts, part->tidy, (PyListObject **)&list, &odd);
        if (p == NULL || list == NULL) return p;
    } else if (list == NULL && unlikely((list = new_list(count)) == NULL)) {
        return NULL;
    }
    for (Py_ssize_t i = PyList_GET_SIZE(list); i < count; i++) {
        const uint8_t *start = p;
        PyObject *item = odd;
        if (odd != NULL)
            odd = NULL;
        else if (layouts != NULL)
            p = read_unread(r, p, layouts, i, depth + 1, &item);
        else if (value->kind == KIND_STRUCT)
            p = read_struct(r, p, value->codec, depth + 1, &item);
        else if (is_integer(value->kind))
            p = read_integer(r, p, value, &item);
        else if (value->kind == KIND_STRING)
            p = read_text(r, p, &item);
        else
            p = read_value(r, p, value, depth + 1, &item);
        if (unlikely(p == NULL)) return end_list(r, list, count, start);
        if (unlikely(i == ((PyListObject *)list)->allocated) && grow_list((PyListObject *)list, count)) {
            Py_DECREF(item);
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, i, item);
        Py_SET_SIZE(list, i + 1);
    }
    if (type->track || type->hashed) PyObject_GC_Track(list);
    if (type->hashed) {
        *out = PySet_New(list);
        Py_DECREF(list);
        return *out == NULL ? NULL : p;
    }
    *out = list;
    return p;
}

const uint8_t *read_list(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out) {
    const int may_defer = r->may_defer;
    r->may_defer = 0;
    if (unlikely(depth > r->in.max_depth)) return fail(&r->in, RULE_DEPTH, p);
    if (unlikely(r->resuming != NULL)) {
        const Paused part = resume_part(r);
        return read_elements(r, r->in.begin + part.at, type, &part, may_defer, depth, out);
    }
    const uint8_t *start = p;
    Paused part = {.made = NULL};
    int wire;
    p = read_list_header(&r->in, p, &part.count, &wire);
    if (unlikely(p == NULL)) return NULL;
    if (unlikely(part.count && !element_fits(type->value, wire))) return fail(&r->in, RULE_ELEMENT, start);
    if (take_elements(r, part.count, start)) return NULL;
    if (type->indices != NULL) return read_chosen(r, p, type, part.count, wire, depth, out);
    part.tidy = is_short_header(start, p);
    return read_elements(r, p, type, &part, may_defer, depth, out);
}
