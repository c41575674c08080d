/* Reading the fields of lazy instances on access. */
#include "tape.h"

/* Stores the value, if no code that ran meanwhile has set the slot. */
static void fill(PyObject *self, Unread *unread, const Field *field, PyObject *value) {
    unread->asked |= field->bit;
    if (SLOT(self, field->offset) == NULL)
        SLOT(self, field->offset) = value;
    else
        Py_DECREF(value);
}

/* Sets the error for bytes that others have changed; -1. */
static COLD int no_longer_valid(void) {
    set_changed_error();
    return -1;
}

static int fill_absent(PyObject *self, Unread *unread, const Field *field) {
    PyObject *value = field->factory != NULL ? PyObject_CallNoArgs(field->factory) : Py_XNewRef(field->absent);
    if (value == NULL) return no_longer_valid(); /* a required field is there in valid bytes */
    fill(self, unread, field, value);
    return 0;
}

static inline int is_missing(PyObject *self, const Unread *unread, const Field *field) {
    return SLOT(self, field->offset) == NULL && !(unread->asked & field->bit);
}

/* Whether a value of the kind can be made again without anybody seeing it. */
static inline int is_constant(int kind) {
    return is_integer(kind) || kind == KIND_BINARY || kind == KIND_STRING || kind == KIND_BOOL || kind == KIND_DOUBLE || kind == KIND_I8;
}

/* A value of a kind that needs more than the bytes. */
static COLD PyObject *read_other(const Unread *unread, const uint8_t *p, const Type *type) {
    PyObject *value = NULL;
    Reader r;
    read_again(&r, unread);
    if (read_value(&r, p, type, 2, &value) == NULL) Py_CLEAR(value);
    end_reading(&r);
    return value;
}

/* memcmp's result for bounds of 4 and 8 bytes, which most are, is a comparison of two words. */
static inline int is_same(const void *one, const void *other, Py_ssize_t length) {
    return length == 4 ? memcmp(one, other, 4) == 0 : length == 8 ? memcmp(one, other, 8) == 0 : memcmp(one, other, (size_t)length) == 0;
}

/* Bytes that are those in a place, or take it, unless they are long. */
static inline PyObject *shared_bytes(PyObject **place, const uint8_t *p, Py_ssize_t length) {
    PyObject *bytes = *place;
    if (bytes != NULL && PyBytes_GET_SIZE(bytes) == length && is_same(PyBytes_AS_STRING(bytes), p, length)) return Py_NewRef(bytes);
    bytes = PyBytes_FromStringAndSize((const char *)p, length);
    if (bytes != NULL && length <= SHARED_BYTES) Py_XSETREF(*place, Py_NewRef(bytes));
    return bytes;
}

static inline PyObject *read_valid(const Unread *unread, Input *in, const uint8_t *p, const Type *type, int wire, size_t slot) {
    uint64_t number;
    Py_ssize_t length;
    if (is_integer(type->kind)) {
        if (read_varint(in, p, &number) == NULL) return NULL;
        return type->kind == KIND_ENUM ? enum_member(type, unzigzag(number)) : new_int(unzigzag(number));
    }
    if (type->kind == KIND_BINARY) {
        p = read_length(in, p, &length);
        return p == NULL ? NULL : shared_bytes(&unread->tape->shared[slot % MOST_SHARED], p, length);
    }
    if (type->kind == KIND_BOOL) return Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
    return read_other(unread, p, type);
}

/* The value of a slot after it was filled. */
static PyObject *filled(PyObject *self, Unread *unread, const Field *field, PyObject *value) {
    if (unlikely(value == NULL)) {
        no_longer_valid();
        return NULL;
    }
    if (unread->live != NULL) {
        unread->asked |= field->bit;
        return value;
    }
    fill(self, unread, field, value);
    return Py_XNewRef(SLOT(self, field->offset));
}

/* The value at p, which its slot keeps, unless this instance, or the one that is the value, lives only as long as it is used; inner is
 * the layout of a struct. */
static PyObject *read_at(PyObject *self, Unread *unread, const Field *field, Input *in, const uint8_t *p, int wire, Layout *inner) {
    const Type *type = &field->type;
    if (type->kind == KIND_STRUCT && type->codec->lazy) {
        PyObject *value = inner == NULL ? NULL : new_unread(inner, (Py_ssize_t)((uintptr_t)p - inner->tape->zero), 0, unread->clean);
        if (unlikely(value == NULL)) return NULL;
        struct Live *entry = live_room(self, unread);
        if (entry != NULL) {
            make_live(entry, unread, self, value, field, type->codec->cls);
            return value;
        }
        if (unread->live != NULL) keep_live(unread);
        return filled(self, unread, field, value);
    }
    if (unread->live != NULL && (unread->asked & field->bit || !is_constant(type->kind))) keep_live(unread);
    return filled(self, unread, field, read_valid(unread, in, p, type, wire, slot_number(field->offset)));
}

static COLD PyObject *read_absent(PyObject *self, Unread *unread, const Field *field) {
    if (unread->live != NULL && field->factory != NULL) keep_live(unread);
    PyObject *value = field->factory != NULL ? PyObject_CallNoArgs(field->factory) : Py_XNewRef(field->absent);
    return filled(self, unread, field, value);
}

/* A value that its slot keeps if the instance is kept. */
static inline PyObject *given(PyObject *self, Unread *unread, const FieldPlace *place, PyObject *value) {
    if (unlikely(value == NULL)) {
        no_longer_valid();
        return NULL;
    }
    unread->asked |= place->bit;
    if (unread->live == NULL) {
        /* No code that could have set it has run meanwhile. */
        SLOT(self, place->field->offset) = Py_NewRef(value);
    }
    return value;
}

/* Reads the field at a place of the instance's layout that has not been read and is not known as live. */
static inline PyObject *read_quick(PyObject *self, Unread *unread, const FieldPlace *place) {
    Tape *tape = unread->tape;
    Input in = {.begin = tape->begin, .end = tape->end};
    const uint8_t *p = first_field(unread) + place->at;
    uint64_t number;
    Py_ssize_t length;
    if (place->quick == QUICK_INT)
        return given(self, unread, place, read_varint(&in, p, &number) == NULL ? NULL : new_int(unzigzag(number)));
    if (place->quick == QUICK_BYTES) {
        PyObject **shared = &tape->shared[slot_number(place->field->offset) % MOST_SHARED];
        p = read_length(&in, p, &length);
        return given(self, unread, place, p == NULL ? NULL : shared_bytes(shared, p, length));
    }
    struct Live *entry = live_at(self);
    if (unlikely(place->quick != QUICK_STRUCT || entry->parent == self || entry[1].parent == self ||
                 (entry = live_room(self, unread)) == NULL)) {
        return NULL;
    }
    PyObject *value = new_unread(place->inner, (Py_ssize_t)unread->start + place->at, 0, unread->clean);
    if (likely(value != NULL)) make_live(entry, unread, self, value, place->field, place->inner->codec->cls);
    return value;
}

/* Reads the field at a place of the instance's layout. */
static PyObject *read_placed(PyObject *self, Unread *unread, const FieldPlace *place) {
    const Field *field = place->field;
    if (place->at == 0) return read_absent(self, unread, field);
    const Tape *tape = unread->tape;
    Input in = {.begin = tape->begin, .end = tape->end};
    return read_at(self, unread, field, &in, first_field(unread) + place->at, place->wire, place->inner);
}

/* Reads a field that is looked for among the others; they stand in the order of their ids. */
static COLD PyObject *read_found(PyObject *self, Unread *unread, const Field *field) {
    Tape *tape = unread->tape;
    Input in = {.begin = tape->begin, .end = tape->end, .max_depth = nesting_room(MAX_NESTING)};
    const uint8_t *p = first_field(unread);
    int last = 0, wire = WIRE_STOP;
    while (field->chosen) {
        const uint8_t *start = p;
        p = read_field_header(&in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP || last > field->id || (last == field->id && wire_fits(&field->type, wire))) break;
        p = skip_field(&in, p, wire, in.max_depth, start);
        if (p == NULL) break;
    }
    layouts_free(in.skipped);
    if (p == NULL) {
        no_longer_valid();
        return NULL;
    }
    if (last != field->id || wire == WIRE_STOP || !wire_fits(&field->type, wire) || !field->chosen) return read_absent(self, unread, field);
    const int lazy = field->type.kind == KIND_STRUCT && field->type.codec->lazy;
    return read_at(self, unread, field, &in, p, wire, lazy ? tape_any(tape, field->type.codec) : NULL);
}

static int read_missing(PyObject *self, Unread *unread) {
    const Codec *codec = unread->layout->codec;
    if (codec->kind == CODEC_MESSAGE) return read_whole(self, codec);
    if (unread->layout->deferred != NULL) return read_all_deferred(self, unread);
    settle();
    Reader r;
    read_again(&r, unread);
    const uint8_t *p = first_field(unread);
    int last = 0, wire;
    for (;;) {
        const uint8_t *start = p;
        p = read_field_header(&r.in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP) break;
        const Field *field = field_by_id(codec, last);
        if (field == NULL || !wire_fits(&field->type, wire) || !is_missing(self, unread, field)) {
            p = skip_field(&r.in, p, wire, r.in.max_depth, start);
        } else {
            PyObject *value = NULL;
            if (field->type.kind == KIND_BOOL)
                value = Py_NewRef(wire == WIRE_TRUE ? Py_True : Py_False);
            else
                p = read_value(&r, p, &field->type, 2, &value);
            if (p != NULL && value != NULL) fill(self, unread, field, value);
        }
        if (p == NULL) break;
    }
    int failed = p == NULL ? no_longer_valid() : 0;
    end_reading(&r);
    for (Py_ssize_t i = 0; !failed && i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        if (is_missing(self, unread, field)) failed = fill_absent(self, unread, field);
    }
    return failed;
}

int read_all(PyObject *self, PyTypeObject *cls) { return read_missing(self, unread_of(self, cls)); }

/* ---- attributes ---- */

/* Of instances whose layout is not known, four fields are read one by one; with the fifth the rest is read. */
static inline int is_single(uint64_t asked) {
    asked &= ~FORGOT;
    asked &= asked - 1;
    asked &= asked - 1;
    asked &= asked - 1;
    return asked == 0;
}

/* The value of a field that has not been read, or NULL without an exception where there is none such. */
static PyObject *read_asked(PyObject *self, Unread *unread, Py_ssize_t offset) {
    Layout *layout = unread->layout;
    const size_t number = slot_number(offset);
    const Field *field = layout->codec->by_slot[number];
    if (field == NULL || (unread->asked & field->bit && unread->live == NULL)) return NULL;
    for (struct Live *entry = live_at(self), *last = entry + 2; entry < last; entry++)
        if (entry->parent == self && entry->field == field) return Py_NewRef(entry->child);
    if (likely(layout->same)) {
        if (unlikely(layout->places == NULL && find_places(layout, unread))) {
            no_longer_valid();
            return NULL;
        }
        return read_placed(self, unread, &layout->places[number]);
    }
    if (layout->deferred != NULL) {
        Deferred *deferred = deferred_of(layout->deferred, field);
        return deferred == NULL || read_deferred(self, unread, deferred) ? NULL : Py_XNewRef(SLOT(self, offset));
    }
    if (unread->live != NULL || is_single(unread->asked)) return read_found(self, unread, field);
    return read_missing(self, unread) ? NULL : Py_XNewRef(SLOT(self, offset));
}

static __attribute__((noinline)) PyObject *ask(PyObject *self, PyObject *name, Py_ssize_t offset) {
    if (likely(is_unread(self))) {
        const PyTypeObject *cls = Py_TYPE(self);
        while (unlikely(cls->tp_dealloc != instance_dealloc)) cls = cls->tp_base;
        Unread *unread = unread_of(self, cls);
        const Layout *layout = unread->layout;
        const Codec *codec = layout->codec;
        if (likely(layout->places != NULL)) {
            const FieldPlace *place = &layout->places[slot_number(offset)];
            if (likely(place->quick != QUICK_NOTHING && !(unread->asked & place->bit))) {
                PyObject *value = read_quick(self, unread, place);
                if (likely(value != NULL) || PyErr_Occurred()) return value;
            }
        }
        if (unlikely(codec->by_slot == NULL)) return PyObject_GenericGetAttr(self, name);
        if (unlikely(codec->kind == CODEC_MESSAGE))
            return unread->asked == 0 && read_whole(self, codec) ? NULL : PyObject_GenericGetAttr(self, name);
        PyObject *value = read_asked(self, unread, offset);
        if (likely(value != NULL) || PyErr_Occurred()) return value;
    }
    return PyObject_GenericGetAttr(self, name); /* raises, as of any empty slot */
}

PyObject *unread_getattro(PyObject *self, PyObject *name) { return asked_attribute(self, name, ask); }
