/* Lazy instances, whose fields are read on first access, for two extensions.
 *
 * They are instances of the plain class with slots: the slots of an unread instance are empty, and the position of its bytes is stored
 * after them. The bytes were validated before. A value that was read or set is in its slot from then on. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include "common/uncounted.h"

/* Cache of the slots of names; like in the interpreter's cache, entries are valid while the class keeps its version. */
static struct {
    const PyTypeObject *cls;
    PyObject *name;
    unsigned int version;
    Py_ssize_t offset;
} attribute_slots[1024];

static inline size_t attribute_place(const PyTypeObject *cls, const PyObject *name) {
    return ((uintptr_t)cls >> 4 ^ (uintptr_t)name >> 4 ^ (uintptr_t)name >> 14) & 1023;
}

/* An attribute of a property that lives as long as the property, borrowed; NULL without one. */
static PyObject *of_property(PyObject *property, const char *attribute) {
    PyObject *found = PyObject_GetAttrString(property, attribute);
    if (found == NULL) PyErr_Clear();
    Py_XDECREF(found);
    return found;
}

/* The slot's descriptor that an attribute of a class is or, if it is the property of a derived field, has; borrowed, NULL without one. */
static PyObject *slot_behind(PyObject *attribute) {
    const int is_derived = !Py_IS_TYPE(attribute, &PyProperty_Type) && PyObject_TypeCheck(attribute, &PyProperty_Type);
    PyObject *found = is_derived ? of_property(attribute, "member") : attribute;
    return found != NULL && Py_IS_TYPE(found, &PyMemberDescr_Type) ? found : NULL;
}

/* The class's slot under the name, or -1; a property without a name of its own is asked for the value. */
static Py_ssize_t attribute_offset(PyTypeObject *cls, PyObject *name) {
    PyObject *found = _PyType_Lookup(cls, name), *descriptor = found == NULL ? NULL : slot_behind(found);
    if (descriptor == NULL) return -1;
    const PyMemberDef *definition = ((PyMemberDescrObject *)descriptor)->d_member;
    PyObject *own = descriptor == found ? ((PyDescrObject *)descriptor)->d_name : of_property(found, "attribute");
    if (own == Py_None || definition->type != T_OBJECT_EX || !PyType_IsSubtype(cls, ((PyDescrObject *)descriptor)->d_type)) return -1;
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

/* The attribute of a name that is not in the cache. */
static __attribute__((noinline, cold)) PyObject *new_attribute(PyObject *self, PyObject *name, AskSlot ask) {
    Py_ssize_t offset;
    if (!PyUnicode_Check(name) || (offset = attribute_offset(Py_TYPE(self), name)) < 0) return PyObject_GenericGetAttr(self, name);
    PyObject *value = *(PyObject **)((char *)self + offset);
    return value != NULL ? Py_NewRef(value) : ask(self, name, offset);
}

/* What a class's `tp_getattro` does: `ask` gives what an empty slot stands for, and is best not inlined. */
static inline PyObject *asked_attribute(PyObject *self, PyObject *name, AskSlot ask) {
    PyTypeObject *cls = Py_TYPE(self);
    const size_t place = attribute_place(cls, name);
    if (__builtin_expect(attribute_slots[place].cls != cls || attribute_slots[place].name != name ||
                             attribute_slots[place].version != cls->tp_version_tag,
                         0)) {
        return new_attribute(self, name, ask);
    }
    const Py_ssize_t offset = attribute_slots[place].offset;
    PyObject *value = *(PyObject **)((char *)self + offset);
    return __builtin_expect(value != NULL, 1) ? Py_NewRef(value) : ask(self, name, offset);
}

/* The error for validated bytes that are invalid when they are read again, because others changed the shared memory. */
static __attribute__((noinline, cold, unused)) void set_changed_error(void) {
    if (PyErr_Occurred()) return;
    PyObject *errors = PyImport_ImportModule("lakecodec.runtime.errors");
    PyObject *cls = errors == NULL ? NULL : PyObject_GetAttrString(errors, "DecodeError");
    if (cls != NULL)
        PyErr_SetString(cls, "the bytes changed after they were checked, or nest deeper than the stack of this thread has room for");
    Py_XDECREF(errors);
    Py_XDECREF(cls);
}

static PyObject *class_of(PyObject *self, void *Py_UNUSED(end)) { return Py_NewRef(Py_TYPE(self)); }

/* The interpreter's destructors of other classes track the instance, which takes the mark away: it is read before it gets one. */
static int set_class(PyObject *self, PyObject *cls, void *end) {
    if (is_unread(self) && ((int (*)(PyObject *))end)(self)) return -1;
    PyObject *name = PyUnicode_InternFromString("__class__");
    PyObject *own = name == NULL ? NULL : _PyType_Lookup(&PyBaseObject_Type, name);
    Py_XDECREF(name);
    return own == NULL ? -1 : Py_TYPE(own)->tp_descr_set(own, self, cls);
}

/* Gives a class of plain slots the `tp_getattro`: 1, or 0 where its instances must be read at once. `end` makes a plain instance of an
 * unread one: 0 or -1; its definition lives as long as the module. */
static inline int let_wait(PyTypeObject *cls, getattrofunc get, int (*end)(PyObject *)) {
    unsigned long other = 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
    other |= Py_TPFLAGS_MANAGED_DICT;
#endif
#ifdef Py_TPFLAGS_MANAGED_WEAKREF
    other |= Py_TPFLAGS_MANAGED_WEAKREF;
#endif
    if ((cls->tp_getattro != PyObject_GenericGetAttr && cls->tp_getattro != get) || cls->tp_flags & other) return 0;
    static PyGetSetDef definition = {"__class__", class_of, set_class, NULL, NULL};
    definition.closure = (void *)end;
    PyObject *descriptor = PyDescr_NewGetSet(cls, &definition);
    if (descriptor == NULL || PyDict_SetItemString(cls->tp_dict, "__class__", descriptor)) {
        PyErr_Clear();
        Py_XDECREF(descriptor);
        return 0;
    }
    Py_DECREF(descriptor);
    cls->tp_getattro = get;
    PyType_Modified(cls);
    return 1;
}
