/* Long lists of structs and long texts that are created on first access; until then only their position is stored. */
#include "tape.h"

#include "common/utf8.h"

/* Elements after each other that have one layout and one size. */
typedef struct Run {
    Layout *layout;
    uint32_t start; /* in what was decoded */
    uint32_t size;  /* of each */
    uint32_t count : 31;
    uint32_t clean : 1;
} Run;

struct Deferred {
    Deferred *next; /* of the same instance */
    const Field *field;
    Run *runs; /* NULL for a text */
    Py_ssize_t run_count, room;
    Py_ssize_t count; /* of elements */
    uint32_t start;   /* of a text */
    uint32_t end;     /* after it, or after the last element */
    uint8_t clean;    /* encoding the list gives the same bytes */
};

#define FIRST_RUNS 16

Deferred *deferred_new(void) {
    Deferred *deferred = PyMem_Calloc(1, sizeof(Deferred));
    if (deferred == NULL || (deferred->runs = PyMem_New(Run, FIRST_RUNS)) == NULL) {
        PyMem_Free(deferred);
        PyErr_NoMemory();
        return NULL;
    }
    deferred->room = FIRST_RUNS;
    deferred->clean = 1;
    return deferred;
}

void deferred_free(Deferred *deferred) {
    while (deferred != NULL) {
        Deferred *next = deferred->next;
        PyMem_Free(deferred->runs);
        PyMem_Free(deferred);
        deferred = next;
    }
}

int deferred_add(Deferred *deferred, Reader *r, const uint8_t *p, Py_ssize_t size, Py_ssize_t count, int clean, Layout *layout) {
    const Py_ssize_t start = p - r->in.begin;
    if (layout == NULL) return -1;
    Run *last = deferred->runs + deferred->run_count - 1;
    deferred->count += count;
    deferred->clean &= clean != 0;
    if (deferred->run_count > 0 && last->layout == layout && last->size == size && last->clean == (clean != 0) &&
        last->count + (uint64_t)count <= INT32_MAX) {
        last->count += (uint32_t)count & INT32_MAX;
        return 0;
    }
    if (start < r->first_unread) r->first_unread = start;
    if (unlikely(deferred->run_count == deferred->room)) {
        Run *runs = PyMem_Realloc(deferred->runs, 2 * (size_t)deferred->room * sizeof(Run));
        if (runs == NULL) return no_memory();
        deferred->runs = runs;
        deferred->room *= 2;
    }
    deferred->runs[deferred->run_count++] = (Run){layout, (uint32_t)start, (uint32_t)size, (uint32_t)count & INT32_MAX, clean != 0};
    return 0;
}

int deferred_instances(const Deferred *deferred, PyObject **items) {
    PyObject **item = items;
    for (const Run *run = deferred->runs, *last = run + deferred->run_count; run < last; run++) {
        Py_ssize_t start = run->start;
        for (uint32_t i = 0; i < run->count; i++, start += run->size) {
            *item = new_unread(run->layout, start, run->size, run->clean);
            if (unlikely(*item == NULL)) {
                while (item > items) {
                    item--;
                    Py_CLEAR(*item);
                }
                return -1;
            }
            item++;
        }
    }
    return 0;
}

Py_ssize_t deferred_count(const Deferred *deferred) { return deferred->count; }

Deferred *deferred_end(Deferred *deferred, Reader *r, const uint8_t *p, int clean) {
    deferred->end = (uint32_t)(p - r->in.begin);
    deferred->clean &= clean != 0;
    return deferred;
}

Deferred *deferred_of(Deferred *deferred, const Field *field) {
    while (deferred != NULL && deferred->field != field) deferred = deferred->next;
    return deferred;
}

const uint8_t *deferred_list_end(const Deferred *deferred, const Tape *tape) { return (const uint8_t *)(tape->zero + deferred->end); }

/* Shorter texts are made at once: a note takes no less. */
#define LEAST_TEXT 4096

const uint8_t *defer_text(Reader *r, const uint8_t *p) {
    Input probe = {.begin = p, .end = r->in.end};
    Py_ssize_t length;
    if (p >= r->in.end || *p < 128 || (p = read_length(&probe, p, &length)) == NULL || length < LEAST_TEXT || !row_utf8_valid(p, length) ||
        (r->deferred = PyMem_Calloc(1, sizeof(Deferred))) == NULL) {
        return NULL;
    }
    r->deferred->start = (uint32_t)(p - r->in.begin);
    r->deferred->clean = p[-1] != 0;
    p += length;
    deferred_end(r->deferred, r, p, 1);
    return p;
}

/* The value that is deferred. */
static PyObject *made(const Deferred *deferred, const Tape *tape) {
    if (deferred->runs == NULL) {
        const char *text = (const char *)(tape->zero + deferred->start);
        return PyUnicode_DecodeUTF8(text, (Py_ssize_t)deferred->end - deferred->start, "strict");
    }
    PyObject *list = PyList_New(deferred->count);
    if (list == NULL || deferred_instances(deferred, ((PyListObject *)list)->ob_item)) {
        Py_XDECREF(list);
        return NULL;
    }
    PyObject_GC_UnTrack(list);
    return list;
}

/* ---- instances that have such fields ---- */

/* Takes the list of a field out of those of an instance. */
static void take_out(Deferred **place, const Deferred *deferred) {
    while (*place != deferred) place = &(*place)->next;
    *place = deferred->next;
}

Deferred *deferred_drop(Deferred *all, const Field *field) {
    Deferred *deferred = deferred_of(all, field);
    if (deferred != NULL) {
        take_out(&all, deferred);
        deferred->next = NULL;
        deferred_free(deferred);
    }
    return all;
}

Deferred *deferred_put(Deferred *all, Deferred *deferred, const Field *field) {
    deferred->field = field;
    deferred->next = all;
    return deferred;
}

PyObject *deferring_instance(Reader *r, const Codec *codec, PyObject *read, const uint8_t *start, const uint8_t *end, int clean,
                             Deferred *all) {
    uint64_t bits = 0;
    for (Deferred *deferred = all; deferred != NULL; deferred = deferred->next) {
        bits |= deferred->field->bit;
        clean &= deferred->clean;
        Py_CLEAR(SLOT(read, deferred->field->offset));
    }
    Layout *layout = layout_alloc(codec, r->tape, 0);
    PyObject *self = layout == NULL ? PyErr_NoMemory() : unread_at(r, start, end - start, clean && codec->in_order, layout);
    if (self == NULL) {
        free(layout);
        deferred_free(all);
    } else {
        layout->next = r->tape->layouts;
        r->tape->layouts = layout;
        layout->deferred = all;
        unread_of(self, codec->cls)->asked = ~(bits | FORGOT);
        PyObject **slot = (PyObject **)(read + 1), **to = (PyObject **)(self + 1);
        memcpy(to, slot, (size_t)codec->slot_count * sizeof(PyObject *));
        memset(slot, 0, (size_t)codec->slot_count * sizeof(PyObject *));
    }
    Py_DECREF(read);
    return self;
}

int read_deferred(PyObject *self, Unread *unread, Deferred *deferred) {
    const Field *field = deferred->field;
    /* A collection may run code that asks for the same list. */
    take_out(&unread->layout->deferred, deferred);
    deferred->next = NULL;
    PyObject *value = made(deferred, unread->tape);
    deferred_free(deferred);
    if (value == NULL) return -1;
    unread->asked |= field->bit;
    if (SLOT(self, field->offset) == NULL)
        SLOT(self, field->offset) = value;
    else
        Py_DECREF(value);
    return 0;
}

int read_all_deferred(PyObject *self, Unread *unread) {
    while (unread->layout->deferred != NULL)
        if (read_deferred(self, unread, unread->layout->deferred)) return -1;
    return 0;
}

/* ---- the function ---- */

PyObject *compact_list_length(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    if (check_count("list_length", count, 2)) return NULL;
    PyTypeObject *cls = Py_TYPE(args[0]);
    if (cls->tp_getattro == unread_getattro && cls->tp_dealloc == instance_dealloc && PyUnicode_Check(args[1]) && is_unread(args[0])) {
        const Deferred *deferred = unread_of(args[0], cls)->layout->deferred;
        for (; deferred != NULL; deferred = deferred->next) {
            if (deferred->runs != NULL && PyUnicode_Compare(deferred->field->name, args[1]) == 0 &&
                SLOT(args[0], deferred->field->offset) == NULL) {
                return PyLong_FromSsize_t(deferred->count);
            }
        }
    }
    Py_RETURN_NONE;
}
