/* Unread instances: making, reading and asking them. */
#include "unread.h"
#include "layouts.h"

#include <structmember.h>

/* ---- instances ---- */

#define HEAD (2 * sizeof(uintptr_t))

PyObject *
new_unread(Source *source, Py_ssize_t start, Py_ssize_t size, int clean, const Codec *codec)
{
    PyTypeObject *cls = codec->cls;
    const Py_ssize_t basic = cls->tp_basicsize;
    /* As PyObject_GC_New, with more behind the slots. */
    uintptr_t *head = PyObject_Malloc(HEAD + (size_t)basic + sizeof(Unread));
    if (unlikely(head == NULL)) {
        return PyErr_NoMemory();
    }
    head[0] = 0;
    head[1] = UNREAD_MARK;
    PyObject *self = PyObject_Init((PyObject *)(head + 2), cls);
    PyObject **slot = (PyObject **)(self + 1), **last = slot + codec->slot_count;
    while (slot < last) {
        *slot++ = NULL;
    }
    *unread_of(self, cls) = (Unread){source, codec, (uint32_t)start, (uint32_t)size & 0x7fffffffu, clean != 0, 0};
    source->references++;
    return self;
}

PyObject *
unread_at(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, const Codec *codec)
{
    const Py_ssize_t start = p - r->in.begin + r->source->origin;
    if (r->source->data == NULL && start < r->first_unread) {
        r->first_unread = start;
    }
    return new_unread(r->source, start, size, clean, codec);
}

/* Only what readers of valid bytes use is set. */
void
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

void
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

static COLD int
no_longer_valid(void)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_SystemError, "bytes that were valid are not");
    }
    return -1;
}

static inline const uint8_t *
first_field(const Unread *unread)
{
    return unread->source->begin + ((Py_ssize_t)unread->start - unread->source->origin);
}

/* A value of a kind that needs more than the bytes. */
static COLD PyObject *
read_other(const Unread *unread, const uint8_t *p, const Type *type)
{
    PyObject *value = NULL;
    Reader r;
    read_again(&r, unread);
    if (read_value(&r, p, type, 2, &value) == NULL) {
        Py_CLEAR(value);
    }
    end_reading(&r);
    return value;
}

static inline PyObject *
read_valid(const Unread *unread, Input *in, const uint8_t *p, const Type *type, int wire)
{
    uint64_t number;
    Py_ssize_t length;
    if (type->kind == KIND_STRUCT && type->codec->lazy) {
        return new_unread(unread->source, p - in->begin + unread->source->origin, 0, unread->clean, type->codec);
    }
    if (is_integer(type->kind)) {
        if (read_varint(in, p, &number) == NULL) {
            return NULL;
        }
        return type->kind == KIND_ENUM ? enum_member(type, unzigzag(number)) : new_int(unzigzag(number));
    }
    if (type->kind == KIND_BINARY) {
        p = read_length(in, p, &length);
        return p == NULL ? NULL : PyBytes_FromStringAndSize((const char *)p, length);
    }
    if (type->kind == KIND_BOOL) {
        return Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
    }
    return read_other(unread, p, type);
}

/* Reads one field; they stand in the order of their ids. */
static int
read_one(PyObject *self, Unread *unread, const Field *field)
{
    Input in = {.begin = unread->source->begin, .end = unread->source->end, .max_depth = MAX_NESTING};
    const uint8_t *p = first_field(unread);
    int last = 0, wire;
    while (field->chosen) {
        const uint8_t *start = p;
        p = read_field_header(&in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP || last > field->id) {
            break;
        }
        if (last == field->id && wire_fits(&field->type, wire)) {
            PyObject *value = read_valid(unread, &in, p, &field->type, wire);
            layouts_free(in.skipped);
            if (value == NULL) {
                return no_longer_valid();
            }
            fill(self, unread, field, value);
            return 0;
        }
        p = skip_field(&in, p, wire, in.max_depth, start);
        if (p == NULL) {
            break;
        }
    }
    layouts_free(in.skipped);
    return p == NULL ? no_longer_valid() : fill_absent(self, unread, field);
}

static int
read_missing(PyObject *self, Unread *unread)
{
    const Codec *codec = unread->codec;
    if (codec->kind == CODEC_MESSAGE) {
        return read_whole(self, codec);
    }
    Reader r;
    read_again(&r, unread);
    const uint8_t *p = first_field(unread);
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
            if (field->type.kind == KIND_BOOL) {
                value = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
            }
            else {
                p = read_value(&r, p, &field->type, 2, &value);
            }
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
kept_size(Unread *unread, const uint8_t *kept, Input *in)
{
    if (unread->size == 0) {
        const uint8_t *end = skip_struct(in, kept, MAX_NESTING);
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
        if (unread->codec->kind == CODEC_MESSAGE && unread->asked == 0) {
            return read_whole(self, unread->codec) ? NULL : PyObject_GenericGetAttr(self, name);
        }
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

/* Whether a message, or one that it holds, has required fields, as what makes up for one that is absent may follow later; or is
 * of a type that holds itself. */
static int
needs_fields(Codec *codec)
{
    if (codec->needs == NEEDS_UNKNOWN) {
        codec->needs = codec->required || codec->track ? NEEDS : NEEDS_NOTHING;
        for (Py_ssize_t i = 0; i < codec->field_count && codec->needs == NEEDS_NOTHING; i++) {
            const Type *type = &codec->fields[i].type, *inner = type->value != NULL ? type->value : type;
            if (inner->codec != NULL && needs_fields(inner->codec)) {
                codec->needs = NEEDS;
            }
        }
    }
    return codec->needs == NEEDS;
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
    const int is_struct = codec->kind == CODEC_STRUCT || (codec->kind == CODEC_MESSAGE && !needs_fields(codec));
    if (!is_struct || !codec->plain || codec->track || codec->blank == NULL || (codec->field_count > 64 && codec->kind == CODEC_STRUCT) ||
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
