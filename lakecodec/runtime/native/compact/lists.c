/* Decoding of lists and sets. */
#include "decode.h"
#include "layouts.h"

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

/* An element that is not wanted; alike are the layouts of such, NULL where there are few. */
static inline const uint8_t *
skip_unchosen(Reader *r, const uint8_t *p, const Type *type, int wire, int depth, struct Layouts *alike, Py_ssize_t i)
{
    const int room = r->in.max_depth - depth;
    if (type->value->kind == KIND_BOOL) {
        return p + 1;
    }
    if (alike == NULL) {
        return skip_value(&r->in, p, wire, room);
    }
    const Layout *found;
    const uint8_t *after = layouts_match(alike, i, p, r->in.end, room - 1, &found, NULL);
    if (unlikely(after == NULL)) {
        after = skip_value(&r->in, p, wire, room);
        if (after != NULL) {
            layouts_learn(alike, i, p, after);
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
    struct Layouts *alike = NULL;
    if (type->value->kind == KIND_STRUCT && count > LEAST_ALIKE) {
        alike = r->in.skipped = r->in.skipped == NULL ? layouts_new(NULL) : r->in.skipped;
        if (alike != NULL) {
            layouts_begin(alike, count);
        }
    }
    while (next < last && *next < 0) {
        next++;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (next == last || *next != i) {
            if (alike != NULL) {
                const Py_ssize_t before = next < last && *next < count ? *next : count;
                p = layouts_run(alike, &i, before, p, r->in.end, r->in.max_depth - depth - 1);
                if (i == before) {
                    i--;
                    continue;
                }
            }
            p = skip_unchosen(r, p, type, wire, depth, alike, i);
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

const uint8_t *
read_list(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out)
{
    const uint8_t *start = p;
    Py_ssize_t count;
    int wire;
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
    PyObject *list = new_list(count);
    if (unlikely(list == NULL)) {
        return NULL;
    }
    struct Layouts *layouts = value->kind == KIND_STRUCT && r->source != NULL ? layouts_for(r, value->codec, count) : NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = NULL;
        if (layouts != NULL) {
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
