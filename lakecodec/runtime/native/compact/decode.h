/* What the parts of the decoder share. */
#pragma once

#include "compact.h"

#include "common/uncounted.h"

#define MOST_TYPES 8

/* The rest of a value that nobody decodes: how many elements, and the wire types of the next one and of that behind it. */
typedef struct Open {
    int64_t left; /* -1 for a struct */
    int64_t wire, other;
} Open;

/* What is kept of a value whose bytes end early, by each reader from the outermost to the one that lacks them; see parts.c. */
typedef struct Paused {
    struct Paused *inner;
    PyObject *made, *key;      /* so far: an instance, a list or a dict; and the key whose value comes next */
    struct Deferred *deferred; /* of an instance; or what a list has instead of elements */
    Open *open;                /* of what is passed */
    Py_ssize_t begin, at;      /* where a struct begins, and where reading goes on */
    Py_ssize_t index, count;   /* of elements */
    uint64_t missing;
    int last, wire; /* of a field; wire is -1 before its header */
    int tidy, is_looked_at; /* of a list: the element that comes next was passed as far as its bytes went */
} Paused;

typedef struct Reader {
    Input in; /* first: a Reader is an Input */
    Trace trace;
    int text;
    int views;
    PyObject *data;
    PyObject *view;                    /* memoryview of data, made when first needed */
    PyObject **texts, **blobs;         /* direct-mapped caches of short values */
    size_t mask, uncached;             /* places less one; values that were new since they are so many */
    struct Tape *tape;                 /* of unread instances, NULL where there are none */
    Py_ssize_t first_unread;           /* where the first of them begins */
    uint8_t early;                     /* ends with the last of the chosen fields: what follows is not looked at */
    uint8_t trusted;                   /* the bytes were found to be valid before */
    uint8_t clean;                     /* and are what encoding would give */
    struct Layouts *types[MOST_TYPES]; /* layouts of the structs in lists */
    uint8_t keeps;                     /* instances keep fields that their classes do not know */
    uint8_t has_passed;                /* there was such a field */
    uint8_t lacking;                   /* a required field of a message was absent, so far */
    uint8_t may_defer;                 /* the list that is read next may be deferred */
    struct Deferred *deferred;         /* it, or a text, was: there is no object */
    enum { PAUSES_NOT, PAUSES, PAUSES_AT_ONCE } pauses : 8; /* what was read is kept where the bytes end early; also of short elements */
    uint8_t is_looked_at;              /* the element that is read next; see pass_cut */
    Paused *paused, *resuming;         /* this; and what was kept before and has not been found again */
} Reader;

/* Keeps a part of what was read; `behind` is how many bytes follow at least what the parts inside of it lack. 1 if it was kept, which takes
 * the references; 0 where more bytes would not help, or may not come. */
int pause_part(Reader *r, const Paused *part, int64_t behind);
/* Takes the outermost part that has not been found again. */
Paused resume_part(Reader *r);
void drop_parts(Paused *paused);
/* The end of a value that nobody decodes; where its bytes end early, they are not passed again. */
const uint8_t *pass_value(Reader *r, const uint8_t *p, int wire, int room);
/* As skip_field, with this of containers. */
static inline const uint8_t *pass_field(Reader *r, const uint8_t *p, int wire, int room, const uint8_t *start) {
    if (unlikely(r->pauses) && wire >= WIRE_LIST && wire <= WIRE_STRUCT) return pass_value(r, p, wire, room);
    return skip_field(&r->in, p, wire, room, start);
}
void end_decoding(Reader *r);
void count_bytes(const Reader *r, const uint8_t *start, const uint8_t *end);

#define SMALL_INTS 257
/* The ints that the interpreter shares anyway, up to 256. */
extern PyObject *small_ints[SMALL_INTS];

/* Readers store a new reference in out, which is NULL before, and return the position after the value. */
const uint8_t *read_text(Reader *r, const uint8_t *p, PyObject **out);
const uint8_t *read_binary(Reader *r, const uint8_t *p, const Type *type, PyObject **out);
const uint8_t *read_double(Reader *r, const uint8_t *p, PyObject **out);
const uint8_t *read_uuid(Reader *r, const uint8_t *p, const Type *type, PyObject **out);
const uint8_t *read_custom(Reader *r, const uint8_t *p, const Codec *codec, PyObject **out);
/* A flat memoryview of the input; borrowed. */
PyObject *whole_view(Reader *r);
void free_caches(Reader *r);

/* Values of a codec at places of the same bytes, as a list. */
PyObject *decode_each(const Codec *codec, PyObject *data, const uint32_t *places, Py_ssize_t count, Py_ssize_t depth, Py_ssize_t elements);
const uint8_t *read_struct(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out);
const uint8_t *read_union(Reader *r, const uint8_t *p, const Codec *codec, int depth, PyObject **out);
/* A value at nesting level depth, its own when it is a struct or container. */
const uint8_t *read_value(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out);
const uint8_t *read_list(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out);
const uint8_t *read_map(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out);
/* Adds a field that a class does not know to a list, which is made for the first one; 0 or -1. */
int note_unknown(PyObject **fields, int id, int wire, const uint8_t *start, const uint8_t *end);
/* The instance that keeps such fields, in place of one without, which is released with the list. */
PyObject *keeping_instance(PyObject *self, PyObject *fields);
/* The instance of a class without fields that keeps those of the valid struct at p. */
PyObject *keep_all_fields(Reader *r, const uint8_t *p, const Codec *codec);
/* A new instance of a union's or oneof's class. */
PyObject *new_union(const Codec *codec, PyObject *kind, PyObject *value, PyObject *id, PyObject *raw, PyObject *wire);
/* The message up to the end of the input, or that of a group up to the tag that ends the group: a new one where *out is NULL, else
 * merged into that one; with the check of required fields, which ends the reading of the outermost one. */
const uint8_t *read_message(Reader *r, const uint8_t *p, const Codec *codec, int depth, int group, PyObject **out);
/* Fills the slots of a new message that are still empty; 0 or -1. */
int fill_message(Reader *r, const Codec *codec, PyObject *self);
const uint8_t *check_required(Reader *r, const Codec *codec, PyObject *self);
/* A member of an enum whose numbers are far apart, or the number that no member has. */
PyObject *rare_member(const Type *type, int64_t number);

static inline PyObject *new_int(int64_t number) {
    if (number >= 0 && number < SMALL_INTS) return Py_NewRef(small_ints[number]);
    return PyLong_FromLongLong(number);
}

static inline PyObject *enum_member(const Type *type, int64_t number) {
    int64_t index = number - type->low;
    if (likely(index >= 0 && index < type->dense)) {
        PyObject *member = PyTuple_GET_ITEM(type->members, index);
        if (likely(member != Py_None)) return Py_NewRef(member);
    }
    return rare_member(type, number);
}

static inline const uint8_t *read_integer(Reader *r, const uint8_t *p, const Type *type, PyObject **out) {
    uint64_t value;
    const uint8_t *end = read_varint(&r->in, p, &value);
    if (unlikely(end == NULL)) return NULL;
    if (type->kind != KIND_I64) {
        if (unlikely(type->kind == KIND_I16 && value >> 16)) return fail(&r->in, RULE_I16, p);
        if (unlikely(value >> 32)) return fail(&r->in, RULE_I32, p);
        if (type->kind == KIND_ENUM) {
            *out = enum_member(type, unzigzag(value));
            return *out == NULL ? NULL : end;
        }
    }
    *out = new_int(unzigzag(value));
    return unlikely(*out == NULL) ? NULL : end;
}

static inline int take_elements(Reader *r, Py_ssize_t count, const uint8_t *at) {
    if (unlikely(count > r->in.elements)) {
        fail(&r->in, RULE_ELEMENTS, at);
        return -1;
    }
    r->in.elements -= count;
    return 0;
}

extern Anchors anchors;

/* An instance with the values of absent fields in its slots, not yet seen by the garbage collector. */
static inline PyObject *new_instance(const Codec *codec) {
    if (likely(codec->plain)) {
        PyObject *self = PyObject_GC_New(PyObject, codec->cls);
        if (unlikely(self == NULL)) return NULL;
        anchor(&anchors, self, instance_size(codec->cls));
        PyObject **slot = (PyObject **)(self + 1), **last = slot + codec->slot_count, **blank = codec->blank;
        if (unlikely(blank == NULL)) {
            memset(slot, 0, (size_t)((char *)last - (char *)slot));
            return self;
        }
        /* None is by far the most frequent of them: its references are counted at once. */
        Py_SET_REFCNT(Py_None, Py_REFCNT(Py_None) + codec->nones);
        memcpy(slot, blank, (size_t)((char *)last - (char *)slot));
        for (; unlikely(codec->others) && slot < last; slot++)
            if (*slot != Py_None) Py_XINCREF(*slot);
        return self;
    }
    PyObject *self = codec->cls->tp_alloc(codec->cls, 0);
    if (self != NULL && PyObject_GC_IsTracked(self)) PyObject_GC_UnTrack(self);
    return self;
}

static inline PyObject *finish_instance(const Codec *codec, PyObject *self) {
    if (codec->track || !codec->plain) {
        if (PyType_IS_GC(codec->cls)) PyObject_GC_Track(self);
    }
    return self;
}
