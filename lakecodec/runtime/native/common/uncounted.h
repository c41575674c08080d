/* Instances that the cyclic collector neither tracks nor counts, for two extensions.
 *
 * They are allocated and freed beside the collector, so that its counts know of neither: a count that only one of the two changes would
 * start collections for nothing, or never again. Reading a file full of them is no reason to look for cycles, which none of them is in.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#include "common/anchors.h"

/* Marks in what the collector keeps before an object, and leaves alone while it does not track it: an instance that has a note of unread
 * fields after its slots, and one without that was allocated, or is to be freed, beside the counts. */
#define UNREAD_MARK ((uintptr_t)4)
#define UNCOUNTED_MARK ((uintptr_t)8)

static inline uintptr_t *collector_head(PyObject *self) { return (uintptr_t *)self - 2; }

static inline int is_unread(PyObject *self) {
    const uintptr_t *head = collector_head(self);
    return head[0] == 0 && (head[1] & UNREAD_MARK) != 0;
}

/* What is allocated for an instance without a note. */
static inline size_t instance_size(const PyTypeObject *cls) { return 2 * sizeof(uintptr_t) + (size_t)cls->tp_basicsize; }

/* As PyObject_Init, which is two calls. */
static inline PyObject *unread_object(PyObject *self, PyTypeObject *cls) {
#if defined(Py_REF_DEBUG) || defined(Py_TRACE_REFS)
    return PyObject_Init(self, cls);
#else
    Py_SET_TYPE(self, cls);
    Py_INCREF(cls);
    /* Py_SET_REFCNT leaves what looks immortal, as memory that was used before may. */
    self->ob_refcnt = 1;
    return self;
#endif
}

/* An instance with empty slots and a note of `size` bytes after them, which the caller fills. */
static inline PyObject *unread_instance(PyTypeObject *cls, size_t size, Anchors *anchors) {
    /* Slots are emptied by four, which is no call; up to three places after them are, too. */
    enum { BY = 4 * sizeof(PyObject *), BEHIND = 3 * sizeof(PyObject *) };
    const size_t whole = instance_size(cls) + (size < BEHIND ? BEHIND : size);
    uintptr_t *head = PyObject_Malloc(whole);
    if (head == NULL) return PyErr_NoMemory();
    anchor(anchors, head, whole);
    head[0] = 0;
    head[1] = UNREAD_MARK;
    PyObject *self = unread_object((PyObject *)(head + 2), cls);
    for (char *slot = (char *)(self + 1), *last = (char *)self + cls->tp_basicsize; slot < last; slot += BY) memset(slot, 0, BY);
    return self;
}

/* Lets the collector track an instance, which is counted from then on in the place of a new one that is about to be freed. */
static inline void count_instead(PyObject *self, PyObject *other) {
    PyObject_GC_UnTrack(other);
    collector_head(other)[1] |= UNCOUNTED_MARK;
    collector_head(self)[1] = 0;
    PyObject_GC_Track(self);
}

/* Gives back the memory of an instance that the collector does not track. */
static inline void release_instance(PyObject *self) {
    uintptr_t *head = collector_head(self);
    if (head[1] & (UNREAD_MARK | UNCOUNTED_MARK))
        PyObject_Free(head);
    else
        Py_TYPE(self)->tp_free(self);
}
