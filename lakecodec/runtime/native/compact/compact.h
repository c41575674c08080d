/* Shared declarations of the native codec for the Thrift compact protocol, and for protobuf's wire format.
 *
 * A Codec is the lowered description of one generated class. Decoding and encoding are interpreters of that description; a
 * position in the input is a pointer that every reader takes and returns, NULL meaning that an error was recorded. */
#ifndef LAKECODEC_COMPACT_H
#define LAKECODEC_COMPACT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Calls between the files need no symbol table. */
#pragma GCC visibility push(hidden)

enum Wire {
    WIRE_STOP, WIRE_TRUE, WIRE_FALSE, WIRE_I8, WIRE_I16, WIRE_I32, WIRE_I64, WIRE_DOUBLE, WIRE_BINARY, WIRE_LIST, WIRE_SET,
    WIRE_MAP, WIRE_STRUCT, WIRE_UUID
};

/* The kinds whose values are varints stand side by side: see is_integer. */
enum Kind {
    KIND_BOOL, KIND_I8, KIND_I16, KIND_I32, KIND_I64, KIND_ENUM, KIND_DOUBLE, KIND_BINARY, KIND_STRING, KIND_UUID,
    KIND_STRUCT, KIND_LIST, KIND_SET, KIND_MAP,
    /* of protobuf's messages alone */
    KIND_UINT32, KIND_UINT64, KIND_SINT32, KIND_SINT64, KIND_FIXED32, KIND_FIXED64, KIND_SFIXED32, KIND_SFIXED64, KIND_FLOAT,
    KIND_COUNT
};

/* Broken rules, in the order of rule_keys; RULE_NONE with an error means that a Python exception is set. */
typedef enum Rule {
    RULE_NONE, RULE_TRUNCATED, RULE_VARINT, RULE_I16, RULE_I32, RULE_LENGTH, RULE_COUNT, RULE_SIZE, RULE_ELEMENTS, RULE_DEPTH,
    RULE_WIRE, RULE_ELEMENT, RULE_BOOL, RULE_FIELD_ID, RULE_REQUIRED, RULE_NO_MEMBER, RULE_MEMBERS, RULE_UTF8, RULE_MEMORY,
    RULE_NUMBER, RULE_GROUP, RULE_PACKED, RULE_TAG /* protobuf's */
} Rule;

enum Text { TEXT_STRICT, TEXT_REPLACE, TEXT_SURROGATEESCAPE, TEXT_BYTES };

/* Levels of nesting that the C stack is trusted with, whatever limit the caller gives. */
#define MAX_NESTING 2000
/* Objects nest deeper than this only when they contain themselves. */
#define MAX_ENCODE_DEPTH 1000
#define MAX_SIZE 0x7fffffffu

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline))

/* ---- errors ---- */

/* One step of an error's path: a field's name, or an element's number when name is NULL. */
typedef struct Step {
    PyObject *name; /* borrowed from the codec */
    Py_ssize_t index;
} Step;

/* The path of an error, collected from the inside out while readers return. */
typedef struct Trace {
    Step *steps;
    Py_ssize_t count, room;
} Trace;

void trace_name(Trace *trace, PyObject *name);
void trace_index(Trace *trace, Py_ssize_t index);
void trace_free(Trace *trace);
/* The path as a new str; tail (may be NULL) is what comes after the collected steps. */
PyObject *trace_path(const Trace *trace, PyObject *tail);
/* Puts the path so far in front of that of an error that a hand-written codec raised, and names the format if it did not. */
void place_error(PyObject *error, const Trace *trace, PyObject *format);
/* A new DecodeError. */
PyObject *decode_error(Rule rule, PyObject *format, const Trace *trace, Py_ssize_t offset);
/* The rule with this key, or RULE_NONE. */
Rule rule_by_key(PyObject *key);
/* An object of a module of the runtime, imported at the time of the error. */
PyObject *runtime_object(const char *module, const char *name);

/* ---- input ---- */

typedef struct Input {
    const uint8_t *begin, *end;
    const uint8_t *at; /* where the rule is broken */
    Rule rule;
    int max_depth;
    Py_ssize_t elements; /* what is left of max_elements */
    struct Layouts *skipped; /* of structs in lists that are skipped; see layouts.h */
} Input;

static inline const uint8_t *
fail(Input *in, Rule rule, const uint8_t *at)
{
    in->rule = rule;
    in->at = at;
    return NULL;
}

static inline const uint8_t *
truncated(Input *in)
{
    return fail(in, RULE_TRUNCATED, in->end);
}

#define CONTINUATIONS 0x8080808080808080u

static inline uint64_t
load64(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void
store64(uint8_t *p, uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(p, &word, sizeof word);
}

/* A varint near the end of the data or of more than 8 bytes. */
const uint8_t *read_rare_varint(Input *in, const uint8_t *p, uint64_t *out);
const uint8_t *skip_long_varint(Input *in, const uint8_t *p);

static inline const uint8_t *
read_varint(Input *in, const uint8_t *p, uint64_t *out)
{
    if (likely(in->end - p >= 8)) {
        if (p[0] < 128) {
            *out = p[0];
            return p + 1;
        }
        if (p[1] < 128) {
            *out = (uint64_t)(p[0] & 127) | (uint64_t)p[1] << 7;
            return p + 2;
        }
        uint64_t word = load64(p), stops = ~word & CONTINUATIONS;
        if (likely(stops != 0)) {
            /* Keep the bytes up to the first without a continuation bit, then close the gaps of one bit in each. */
            word &= (stops ^ (stops - 1)) & ~CONTINUATIONS;
            word = (word & 0x007f007f007f007fu) | (word & 0x7f007f007f007f00u) >> 1;
            word = (word & 0x00003fff00003fffu) | (word & 0x3fff00003fff0000u) >> 2;
            *out = (word & 0x000000000fffffffu) | (word & 0x0fffffff00000000u) >> 4;
            return p + (__builtin_ctzll(stops) >> 3) + 1;
        }
    }
    return read_rare_varint(in, p, out);
}

static inline const uint8_t *
skip_varint(Input *in, const uint8_t *p)
{
    if (likely(in->end - p >= 8)) {
        /* Branches for short ones let the processor guess where the next field begins. */
        if (p[0] < 128) {
            return p + 1;
        }
        if (p[1] < 128) {
            return p + 2;
        }
        if (p[2] < 128) {
            return p + 3;
        }
    }
    return skip_long_varint(in, p);
}

static inline int64_t
unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* A byte length, checked against the bytes left; the result is the position of the first byte. */
static inline const uint8_t *
read_length(Input *in, const uint8_t *p, Py_ssize_t *length)
{
    uint64_t value;
    const uint8_t *start = read_varint(in, p, &value);
    if (unlikely(start == NULL)) {
        return NULL;
    }
    if (unlikely(value > (uint64_t)(in->end - start))) {
        return fail(in, RULE_LENGTH, p);
    }
    *length = (Py_ssize_t)value;
    return start;
}

/* The long form of a field header after its first byte; start is that byte. */
const uint8_t *read_field_id(Input *in, const uint8_t *p, const uint8_t *start, int *id);

/* The header of a field, or the stop byte; id is that of the field before and becomes this one's. */
static inline const uint8_t *
read_field_header(Input *in, const uint8_t *p, int *id, int *wire)
{
    const uint8_t *start = p;
    if (unlikely(p >= in->end)) {
        return truncated(in);
    }
    unsigned header = *p++;
    *wire = header & 15;
    if (*wire == WIRE_STOP) {
        return p;
    }
    if (unlikely(header < 16)) {
        int number = 0;
        p = read_field_id(in, p, start, &number);
        *id = number;
        return p;
    }
    *id += header >> 4;
    return unlikely(*id > 32767) ? fail(in, RULE_FIELD_ID, start) : p;
}

const uint8_t *read_list_header(Input *in, const uint8_t *p, Py_ssize_t *count, int *wire);
const uint8_t *read_map_header(Input *in, const uint8_t *p, Py_ssize_t *count, int *key, int *value);

/* room is how many levels of nesting may still open. */
const uint8_t *skip_value(Input *in, const uint8_t *p, int wire, int room);
const uint8_t *skip_list(Input *in, const uint8_t *p, int room);
/* The rest of a struct after a field with the id last. */
const uint8_t *skip_fields(Input *in, const uint8_t *p, int room, int last);

static inline const uint8_t *
skip_struct(Input *in, const uint8_t *p, int room)
{
    return skip_fields(in, p, room, 0);
}

/* A field's value; start is its header. Tests in the order of likelihood are faster here than a switch. */
static inline const uint8_t *
skip_field(Input *in, const uint8_t *p, int wire, int room, const uint8_t *start)
{
    if (wire >= WIRE_I16 && wire <= WIRE_I64) {
        return skip_varint(in, p);
    }
    if (wire == WIRE_BINARY) {
        Py_ssize_t length;
        p = read_length(in, p, &length);
        return unlikely(p == NULL) ? NULL : p + length;
    }
    if (wire <= WIRE_FALSE) {
        return p;
    }
    if (wire == WIRE_STRUCT && likely(room > 0)) {
        return skip_struct(in, p, room - 1);
    }
    if (wire == WIRE_LIST && likely(room > 0)) {
        return skip_list(in, p, room - 1);
    }
    return unlikely(wire > WIRE_UUID) ? fail(in, RULE_WIRE, start) : skip_value(in, p, wire, room);
}

/* ---- plans ---- */

typedef struct Codec Codec;
typedef struct Shape Shape;

typedef struct Type {
    uint8_t kind;
    uint8_t wire;
    uint8_t hashed;  /* a set or dict, not a list */
    uint8_t element; /* inside a set or dict key, where views would not hash */
    uint8_t track;   /* a list of it can be part of a reference cycle */
    Codec *codec;
    struct Type *key, *value;
    PyObject *members; /* an enum's: tuple from low upwards with None in holes, or dict */
    int64_t low;       /* the number of the first of members */
    Py_ssize_t dense;  /* how many members a tuple holds, 0 for a dict */
    PyObject *cls;     /* uuid.UUID */
    /* projection: the elements to keep of a list, ascending; NULL for all */
    Py_ssize_t *indices;
    Py_ssize_t index_count;
} Type;

typedef struct Field {
    Type type;
    Py_ssize_t offset; /* of the slot in instances */
    uint64_t bit;      /* stands for the field in the set of those seen; 0 beyond the 64th */
    int id;
    uint8_t required;
    uint8_t chosen;
    PyObject *absent;  /* the value when absent, NULL when required or made by factory */
    PyObject *factory; /* makes a mutable default */
    PyObject *name;
    PyObject *number; /* union: the id as an int */
    PyObject *single; /* union: the shared instance of a member without content */
    /* message: */
    uint8_t packed;   /* a list is written so */
    uint8_t implicit; /* a zero is left out */
    Codec *oneof;     /* of which this is a member: the slot is the oneof's */
    PyObject *member; /* and its name there */
} Field;

/* What writing looks at of every field, side by side. */
typedef struct WriteStep {
    uint32_t offset;
    int16_t id;
    uint8_t kind, wire;
    const Field *field;
} WriteStep;

#define MOST_SPARES 4

enum CodecKind { CODEC_STRUCT, CODEC_UNION, CODEC_EMPTY, CODEC_CUSTOM, CODEC_MESSAGE, CODEC_ONEOF };

struct Codec {
    PyObject_HEAD
    uint8_t kind;
    uint8_t plain;  /* instances may be allocated without tp_alloc */
    uint8_t track;  /* instances take part in garbage collection: they can be part of a reference cycle */
    uint8_t visited;
    uint8_t lazy;     /* instances may be unread: see unread.h */
    uint8_t in_order; /* fields are written in the order of their ids */
    int defaults;     /* fields that have a value other than None when absent */
    int direct_size;
    Field **direct; /* by id, for small ids */
    Field **sorted; /* by id, all that are chosen */
    Py_ssize_t sorted_count;
    Field *fields;
    Py_ssize_t field_count;
    WriteStep *steps;      /* of all fields, and behind them once more those with structs or lists */
    Py_ssize_t deep_count; /* how many these are */
    uint64_t bits; /* of those among the first 64 fields that have no shared value when absent */
    PyObject **blank; /* the slots of an instance before any field is read; borrowed, NULL for fields in bits */
    Py_ssize_t nones, others; /* how many of them are None, and how many are other values */
    Py_ssize_t slot_count;
    const Field **by_slot; /* of a struct that may be unread, NULL for slots that are no field */
    Shape *any; /* of instances that may be unread and differ: see unread.h */
    int spare_count;
    PyObject *spares[MOST_SPARES]; /* memory of unread instances with empty slots, for the next ones */
    Py_ssize_t last_size; /* of the value encoded last: the next one is likely as large */
    PyTypeObject *cls;
    PyObject *name, *format;
    PyObject *single; /* the shared instance of a struct without fields */
    PyObject *custom;
    Codec *whole; /* what a projection was made from */
    Py_ssize_t kind_at, value_at, id_at, raw_at, wire_at;
    Py_ssize_t unknown_at; /* message: the slot of the fields that it does not know */
    int required;          /* message: how many fields are */
    enum { NEEDS_UNKNOWN, NEEDS_NOTHING, NEEDS } needs; /* message: whether required fields are looked for in it */
};

extern PyTypeObject Codec_Type;
extern const char *const kind_names[KIND_COUNT];
extern const uint8_t kind_wires[KIND_COUNT];

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

void type_clear(Type *type);
int type_visit(const Type *type, visitproc visit, void *arg);
/* An independent copy without the choice of elements; 0 or -1. */
int type_copy(Type *to, const Type *from);
Py_ssize_t named_slot(PyTypeObject *cls, const char *text);
int fields_init(Codec *codec, PyObject *rows, PyObject *codecs, PyObject *singletons);
int index_fields(Codec *codec);
/* The destructor of classes whose instances cannot be part of a reference cycle. */
void instance_dealloc(PyObject *self);
/* Lets instances of a class be unread, where that can be. */
void read_when_asked(Codec *codec);
/* Finds out which of a list of codecs make instances that can be part of a reference cycle. */
void find_cycles(PyObject *codecs);
/* Gives a class whose instances cannot be part of one its destructor. */
void free_without_cycles(Codec *codec);
Codec *codec_new(void);
/* The codec that a row refers to, itself or by its number; borrowed, or NULL with an exception. */
Codec *referred_codec(PyObject *reference, PyObject *codecs);
/* Gives the field of a message what it has beside that of a struct. */
int message_field_init(Field *field, PyObject *packed, PyObject *implicit, PyObject *oneof, PyObject *member, PyObject *codecs);

PyObject *codec_define(PyObject *module, PyObject *rows);
PyObject *codec_project(PyObject *self, PyObject *tree);
Field *find_field(const Codec *codec, int id);

static inline Field *
field_by_id(const Codec *codec, int id)
{
    if (likely((unsigned)id < (unsigned)codec->direct_size)) {
        return codec->direct[id];
    }
    return find_field(codec, id);
}

static inline int
is_default(const Field *field)
{
    return field->factory != NULL || (field->absent != NULL && field->absent != Py_None);
}

static inline int
is_integer(int kind)
{
    return kind >= KIND_I16 && kind <= KIND_ENUM;
}

/* Whether a wire type is what values of the type have in fields. */
static inline int
wire_fits(const Type *type, int wire)
{
    return wire == type->wire || (type->wire == WIRE_TRUE && wire == WIRE_FALSE);
}

/* Whether a wire type is accepted for elements: the integers share one encoding. */
static inline int
element_fits(const Type *type, int wire)
{
    if (type->wire >= WIRE_I16 && type->wire <= WIRE_I64) {
        return wire >= WIRE_I16 && wire <= WIRE_I64;
    }
    return wire_fits(type, wire);
}

/* ---- operations ---- */

/* Lets freed object arenas be used again; see arena.c. */
void keep_arenas(void);
PyObject *codec_decode(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *codec_encode(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *compact_touched(PyObject *module, PyObject *ignored);
PyObject *compact_list_length(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_skip(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_columns(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_names(PyObject *module, PyObject *const *args, Py_ssize_t count);

/* Argument helpers: 0, or -1 with an exception that names the argument. */
int take_buffer(PyObject *data, Py_buffer *view);
int take_position(PyObject *object, Py_ssize_t size, Py_ssize_t *pos);
int take_limit(PyObject *object, const char *name, Py_ssize_t *limit);
int take_text(PyObject *object, int *text);
int check_count(const char *name, Py_ssize_t count, Py_ssize_t expected);

#pragma GCC visibility pop

#endif
