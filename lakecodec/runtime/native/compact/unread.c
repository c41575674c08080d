/* Unread instances: making, reading and asking them. */
#include "unread.h"
#include "layouts.h"

#include <structmember.h>

/* ---- instances ---- */

#define HEAD (2 * sizeof(uintptr_t))

PyObject *
new_unread(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, const Codec *codec)
{
    Source *source = r->source;
    PyTypeObject *cls = codec->cls;
    const Py_ssize_t start = p - r->in.begin + source->origin, basic = cls->tp_basicsize;
    /* As PyObject_GC_New, with more behind the slots. */
    uintptr_t *head = PyObject_Malloc(HEAD + (size_t)basic + sizeof(Unread));
    if (unlikely(head == NULL)) {
        return PyErr_NoMemory();
    }
    head[0] = 0;
    head[1] = UNREAD_MARK;
    PyObject *self = PyObject_Init((PyObject *)(head + 2), cls);
    memset(self + 1, 0, (size_t)basic - sizeof(PyObject));
    *unread_of(self, cls) = (Unread){source, codec, (uint32_t)start, (uint32_t)size & 0x7fffffffu, clean != 0, 0};
    source->references++;
    if (source->data == NULL && start < r->first_unread) {
        r->first_unread = start;
    }
    return self;
}

/* Only what readers of valid bytes use is set. */
static inline void
read_again(Reader *r, const Unread *unread)
{
    Source *source = unread->source;
    r->in = (Input){.begin = source->begin, .end = source->end, .max_depth = MAX_NESTING, .elements = PY_SSIZE_T_MAX};
    r->trace = (Trace){0};
    r->text = TEXT_STRICT;
    r->views = 0;
    r->data = source->data;
    r->view = NULL;
    r->texts = source->texts;
    r->blobs = NULL;
    r->mask = source->mask;
    r->source = source;
    r->trusted = 1;
    r->clean = unread->clean;
    source->references++;
}

static inline void
end_reading(Reader *r)
{
    Source *source = r->source;
    source->texts = r->texts;
    source->mask = r->mask;
    if (unlikely(r->trace.steps != NULL || r->in.skipped != NULL)) {
        trace_free(&r->trace);
        layouts_free(r->in.skipped);
    }
    source_drop(source);
}

/* Stores the value, if no code that ran meanwhile has set the slot. */
static void
fill(PyObject *self, Unread *unread, const Field *field, PyObject *value)
{
    unread->asked |= field->bit;
    if (SLOT(self, field->offset) == NULL) {
        SLOT(self, field->offset) = value;
    }
    else {
        Py_DECREF(value);
    }
}

static int
fill_absent(PyObject *self, Unread *unread, const Field *field)
{
    PyObject *value = field->factory != NULL ? PyObject_CallNoArgs(field->factory) : Py_XNewRef(field->absent);
    if (value == NULL) {
        return -1;
    }
    fill(self, unread, field, value);
    return 0;
}

static inline int
is_missing(PyObject *self, const Unread *unread, const Field *field)
{
    return SLOT(self, field->offset) == NULL && !(unread->asked & field->bit);
}

/* The value of a known field; alone, when nothing is read behind it. */
static inline const uint8_t *
read_field(Reader *r, const uint8_t *p, const Field *field, int wire, int alone, PyObject **out)
{
    const Type *type = &field->type;
    if (type->kind == KIND_STRUCT && alone && type->codec->lazy) {
        *out = new_unread(r, p, 0, r->clean, type->codec);
        return p;
    }
    if (is_integer(type->kind)) {
        return read_integer(r, p, type, out);
    }
    if (type->kind == KIND_BINARY) {
        return read_binary(r, p, type, out);
    }
    if (type->kind == KIND_BOOL) {
        *out = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
        return p;
    }
    return read_value(r, p, type, 2, out);
}

static COLD int
no_longer_valid(void)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_SystemError, "bytes that were valid are not");
    }
    return -1;
}

static inline const uint8_t *
first_field(const Reader *r, const Unread *unread)
{
    return r->in.begin + ((Py_ssize_t)unread->start - r->source->origin);
}

/* Reads one field; they stand in the order of their ids. */
static int
read_one(PyObject *self, Unread *unread, const Field *field)
{
    Reader r;
    read_again(&r, unread);
    const uint8_t *p = first_field(&r, unread);
    PyObject *value = NULL;
    int last = 0, wire, found = 0;
    while (!found && field->chosen) {
        const uint8_t *start = p;
        p = read_field_header(&r.in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP || last > field->id) {
            break;
        }
        found = last == field->id && wire_fits(&field->type, wire);
        p = found ? read_field(&r, p, field, wire, 1, &value) : skip_field(&r.in, p, wire, r.in.max_depth, start);
        if (p == NULL) {
            break;
        }
    }
    int failed = p == NULL || (found && value == NULL) ? no_longer_valid() : 0;
    end_reading(&r);
    if (value != NULL) {
        fill(self, unread, field, value);
    }
    else if (!failed) {
        failed = fill_absent(self, unread, field);
    }
    return failed;
}

static int
read_missing(PyObject *self, Unread *unread)
{
    const Codec *codec = unread->codec;
    Reader r;
    read_again(&r, unread);
    const uint8_t *p = first_field(&r, unread);
    int last = 0, wire;
    for (;;) {
        const uint8_t *start = p;
        p = read_field_header(&r.in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP) {
            break;
        }
        const Field *field = field_by_id(codec, last);
        if (field == NULL || !wire_fits(&field->type, wire) || !is_missing(self, unread, field)) {
            p = skip_field(&r.in, p, wire, r.in.max_depth, start);
        }
        else {
            PyObject *value = NULL;
            p = read_field(&r, p, field, wire, 0, &value);
            if (p != NULL && value != NULL) {
                fill(self, unread, field, value);
            }
        }
        if (p == NULL) {
            break;
        }
    }
    int failed = p == NULL ? no_longer_valid() : 0;
    end_reading(&r);
    for (Py_ssize_t i = 0; !failed && i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        if (is_missing(self, unread, field)) {
            failed = fill_absent(self, unread, field);
        }
    }
    return failed;
}

int
read_all(PyObject *self, PyTypeObject *cls)
{
    return read_missing(self, unread_of(self, cls));
}

const uint8_t *
kept_bytes(PyObject *self, const Codec *codec, Input *in)
{
    const Unread *unread = unread_of(self, codec->cls);
    const Source *source = unread->source;
    if (!unread->clean || unread->codec != codec) {
        return NULL;
    }
    *in = (Input){.begin = source->begin, .end = source->end, .max_depth = MAX_NESTING};
    return source->begin + ((Py_ssize_t)unread->start - source->origin);
}

Py_ssize_t
untouched_size(PyObject *self, const Codec *codec, const uint8_t *kept, Input *in)
{
    Unread *unread = unread_of(self, codec->cls);
    if (unread->asked != 0) {
        return 0;
    }
    PyObject **slot = (PyObject **)(self + 1);
    for (Py_ssize_t i = 0; i < codec->slot_count; i++) {
        if (slot[i] != NULL) {
            return 0;
        }
    }
    if (unread->size == 0) {
        const uint8_t *end = skip_struct(in, kept, MAX_NESTING);
        layouts_free(in->skipped);
        in->skipped = NULL;
        unread->size = end == NULL ? 0 : (uint32_t)(end - kept) & 0x7fffffffu;
    }
    return unread->size;
}

/* ---- attributes ---- */

/* Four fields are read one by one; with the fifth the rest is read. */
static inline int
is_single(uint64_t asked)
{
    asked &= asked - 1;
    asked &= asked - 1;
    asked &= asked - 1;
    return asked == 0;
}

/* Where the slots of names are: as the interpreter's own cache, entries hold while the class keeps its version. */
static struct {
    const PyTypeObject *cls;
    PyObject *name;
    unsigned int version;
    Py_ssize_t offset;
} slots[1024];

static inline size_t
slot_place(const PyTypeObject *cls, const PyObject *name)
{
    return ((uintptr_t)cls >> 4 ^ (uintptr_t)name >> 4 ^ (uintptr_t)name >> 14) & 1023;
}

/* The class's slot under the name, or -1. */
static Py_ssize_t
find_slot(PyTypeObject *cls, PyObject *name)
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
        const size_t place = slot_place(cls, name);
        slots[place].cls = cls;
        slots[place].name = name;
        slots[place].version = cls->tp_version_tag;
        slots[place].offset = definition->offset;
    }
    return definition->offset;
}

static COLD PyObject *
ask(PyObject *self, PyObject *name, Py_ssize_t offset)
{
    if (is_unread(self)) {
        PyTypeObject *cls = Py_TYPE(self);
        while (cls->tp_dealloc != instance_dealloc) {
            cls = cls->tp_base;
        }
        Unread *unread = unread_of(self, cls);
        const Field **fields = unread->codec->by_slot;
        const Field *field = fields == NULL ? NULL : fields[(offset - (Py_ssize_t)sizeof(PyObject)) / (Py_ssize_t)sizeof(PyObject *)];
        if (field != NULL && !(unread->asked & field->bit)) {
            if (is_single(unread->asked) ? read_one(self, unread, field) : read_missing(self, unread)) {
                return NULL;
            }
            return Py_XNewRef(SLOT(self, offset));
        }
    }
    return PyObject_GenericGetAttr(self, name); /* raises, as of any empty slot */
}

static PyObject *
get_attribute(PyObject *self, PyObject *name)
{
    PyTypeObject *cls = Py_TYPE(self);
    const size_t place = slot_place(cls, name);
    Py_ssize_t offset;
    if (likely(slots[place].cls == cls && slots[place].name == name && slots[place].version == cls->tp_version_tag)) {
        offset = slots[place].offset;
    }
    else if (!PyUnicode_Check(name) || (offset = find_slot(cls, name)) < 0) {
        return PyObject_GenericGetAttr(self, name);
    }
    PyObject *value = SLOT(self, offset);
    return likely(value != NULL) ? Py_NewRef(value) : ask(self, name, offset);
}

void
read_when_asked(Codec *codec)
{
#ifndef Py_GIL_DISABLED
    PyTypeObject *cls = codec->cls;
    unsigned long other = 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
    other |= Py_TPFLAGS_MANAGED_DICT;
#endif
#ifdef Py_TPFLAGS_MANAGED_WEAKREF
    other |= Py_TPFLAGS_MANAGED_WEAKREF;
#endif
    if (codec->kind != CODEC_STRUCT || !codec->plain || codec->track || codec->blank == NULL || codec->field_count > 64 ||
        cls->tp_dealloc != instance_dealloc || cls->tp_getattro != PyObject_GenericGetAttr || cls->tp_flags & other) {
        return;
    }
    cls->tp_getattro = get_attribute;
    PyType_Modified(cls);
    codec->lazy = 1;
#else
    (void)codec;
#endif
}
