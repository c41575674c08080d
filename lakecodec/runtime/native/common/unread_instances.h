/* Instances whose fields are read when they are first asked for, for two extensions.
 *
 * Their class stays a plain class with slots: an unread instance is one of it whose slots are empty, with a note of where its bytes
 * are behind them. The bytes were found to be valid before. What was read, or set, is in the slot from then on.
 */
#ifndef LAKECODEC_UNREAD_INSTANCES_H
#define LAKECODEC_UNREAD_INSTANCES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <structmember.h>

/* Untracked by the collector, and marked in what the collector then leaves alone. */
#define UNREAD_MARK ((uintptr_t)4)

static inline uintptr_t *
unread_head(PyObject *self)
{
    return (uintptr_t *)self - 2;
}

static inline int
is_unread(PyObject *self)
{
    const uintptr_t *head = unread_head(self);
    return head[0] == 0 && (head[1] & UNREAD_MARK) != 0;
}

/* As PyObject_Init, which is two calls. */
static inline PyObject *
unread_object(PyObject *self, PyTypeObject *cls)
{
#if defined(Py_REF_DEBUG) || defined(Py_TRACE_REFS) || defined(Py_GIL_DISABLED)
    return PyObject_Init(self, cls);
#else
    Py_SET_TYPE(self, cls);
    Py_INCREF(cls);
    /* Py_SET_REFCNT leaves what looks immortal, as memory that was used before may. */
    self->ob_refcnt = 1;
    return self;
#endif
}

/* An instance with empty slots and a note of `size` bytes, which the caller fills: as PyObject_GC_New, with more behind the slots. */
static inline PyObject *
unread_instance(PyTypeObject *cls, size_t size)
{
    /* Slots are emptied by four, which is no call; up to three places behind them are, too. */
    enum { BY = 4 * sizeof(PyObject *), BEHIND = 3 * sizeof(PyObject *) };
    uintptr_t *head = PyObject_Malloc(2 * sizeof(uintptr_t) + (size_t)cls->tp_basicsize + (size < BEHIND ? BEHIND : size));
    if (head == NULL) {
        return PyErr_NoMemory();
    }
    head[0] = 0;
    head[1] = UNREAD_MARK;
    PyObject *self = unread_object((PyObject *)(head + 2), cls);
    for (char *slot = (char *)(self + 1), *last = (char *)self + cls->tp_basicsize; slot < last; slot += BY) {
        memset(slot, 0, BY);
    }
    return self;
}

/* Where the slots of names are: as the interpreter's own cache, entries hold while the class keeps its version. */
static struct {
    const PyTypeObject *cls;
    PyObject *name;
    unsigned int version;
    Py_ssize_t offset;
} attribute_slots[1024];

static inline size_t
attribute_place(const PyTypeObject *cls, const PyObject *name)
{
    return ((uintptr_t)cls >> 4 ^ (uintptr_t)name >> 4 ^ (uintptr_t)name >> 14) & 1023;
}

/* The class's slot under the name, or -1. */
static Py_ssize_t
attribute_offset(PyTypeObject *cls, PyObject *name)
{
    PyObject *descriptor = _PyType_Lookup(cls, name);
    if (descriptor == NULL || !Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
        return -1;
    }
    const PyMemberDef *definition = ((PyMemberDescrObject *)descriptor)->d_member;
    PyObject *own = ((PyDescrObject *)descriptor)->d_name;
    if (definition->type != T_OBJECT_EX || !PyType_IsSubtype(cls, ((PyDescrObject *)descriptor)->d_type)) {
        return -1;
    }
    if (name == own && PyType_HasFeature(cls, Py_TPFLAGS_VALID_VERSION_TAG)) {
        const size_t place = attribute_place(cls, name);
        attribute_slots[place].cls = cls;
        attribute_slots[place].name = name;
        attribute_slots[place].version = cls->tp_version_tag;
        attribute_slots[place].offset = definition->offset;
    }
    return definition->offset;
}

typedef PyObject *(*AskSlot)(PyObject *self, PyObject *name, Py_ssize_t offset);

/* The attribute of a name that was not looked for before. */
static __attribute__((noinline, cold)) PyObject *
new_attribute(PyObject *self, PyObject *name, AskSlot ask)
{
    Py_ssize_t offset;
    if (!PyUnicode_Check(name) || (offset = attribute_offset(Py_TYPE(self), name)) < 0) {
        return PyObject_GenericGetAttr(self, name);
    }
    PyObject *value = *(PyObject **)((char *)self + offset);
    return value != NULL ? Py_NewRef(value) : ask(self, name, offset);
}

/* What a class's `tp_getattro` does: `ask` gives what an empty slot stands for, and is best not inlined. */
static inline PyObject *
asked_attribute(PyObject *self, PyObject *name, AskSlot ask)
{
    PyTypeObject *cls = Py_TYPE(self);
    const size_t place = attribute_place(cls, name);
    if (__builtin_expect(attribute_slots[place].cls != cls || attribute_slots[place].name != name ||
                             attribute_slots[place].version != cls->tp_version_tag, 0)) {
        return new_attribute(self, name, ask);
    }
    const Py_ssize_t offset = attribute_slots[place].offset;
    PyObject *value = *(PyObject **)((char *)self + offset);
    return __builtin_expect(value != NULL, 1) ? Py_NewRef(value) : ask(self, name, offset);
}

/* Gives a class of plain slots the `tp_getattro`: 1, or 0 where its instances must be read at once. */
static inline int
let_wait(PyTypeObject *cls, getattrofunc get)
{
#ifdef Py_GIL_DISABLED
    (void)cls, (void)get;
    return 0;
#else
    unsigned long other = 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
    other |= Py_TPFLAGS_MANAGED_DICT;
#endif
#ifdef Py_TPFLAGS_MANAGED_WEAKREF
    other |= Py_TPFLAGS_MANAGED_WEAKREF;
#endif
    if ((cls->tp_getattro != PyObject_GenericGetAttr && cls->tp_getattro != get) || cls->tp_flags & other) {
        return 0;
    }
    cls->tp_getattro = get;
    PyType_Modified(cls);
    return 1;
#endif
}

#endif
