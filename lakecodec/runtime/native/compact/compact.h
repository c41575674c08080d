/* Shared declarations of the native codec for the Thrift compact protocol, and for protobuf's wire format.
 *
 * A Codec is the lowered description of one generated class. Decoding and encoding are interpreters of that description. */
#pragma once

#include "wire.h"

typedef struct Codec Codec;

typedef struct Type {
    uint8_t kind;
    uint8_t wire;
    uint8_t hashed;  /* a set or dict, not a list */
    uint8_t element; /* inside a set or dict key, where views would not hash */
    uint32_t track : 1;  /* a list of it can be part of a reference cycle */
    uint32_t group : 29; /* the number of a field whose messages end with a tag of their own; 0 for all others */
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
    uint64_t bit;      /* the field's bit in the set of fields seen; 0 beyond the 64th */
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

/* The properties of every field that writing uses, side by side. */
typedef struct WriteStep {
    uint32_t offset;
    int16_t id;
    uint8_t kind, wire;
    const Field *field;
} WriteStep;

#define MOST_SPARES 4
/* Without kept memory, tools see each use of freed memory. */
#if defined(__SANITIZE_ADDRESS__)
#define SPARES_KEPT 0
#else
#define SPARES_KEPT MOST_SPARES
#endif

enum CodecKind { CODEC_STRUCT, CODEC_UNION, CODEC_EMPTY, CODEC_CUSTOM, CODEC_MESSAGE, CODEC_ONEOF };

struct Codec {
    PyObject_HEAD uint8_t kind;
    uint8_t plain; /* instances may be allocated without tp_alloc */
    uint8_t track; /* instances take part in garbage collection: they can be part of a reference cycle */
    uint8_t visited;
    uint8_t lazy;     /* instances may be unread: see tape.h */
    uint8_t in_order; /* fields are written in the order of their ids */
    int defaults;     /* fields that have a value other than None when absent */
    int direct_size;
    Field **direct; /* by id, for small ids */
    Field **sorted; /* by id, all that are chosen */
    Py_ssize_t sorted_count;
    Field *fields;
    Py_ssize_t field_count;
    WriteStep *steps;         /* of all fields */
    uint64_t bits;            /* of those among the first 64 fields that have no shared value when absent */
    PyObject **blank;         /* the slots of an instance before any field is read; borrowed, NULL for fields in bits */
    Py_ssize_t nones, others; /* how many of them are None, and how many are other values */
    Py_ssize_t slot_count;
    const Field **by_slot; /* of a struct that may be unread, NULL for slots that are no field */
    int spare_count;
    PyObject *spares[MOST_SPARES]; /* memory of unread instances with empty slots, for the next ones */
    Py_ssize_t last_size;          /* of the value encoded last: the next one is likely as large */
    PyTypeObject *cls;
    PyObject *name, *format;
    PyObject *single; /* the shared instance of a struct without fields */
    PyObject *custom;
    Codec *whole; /* what a projection was made from */
    Py_ssize_t kind_at, value_at, id_at, raw_at, wire_at;
    Py_ssize_t unknown_at;                              /* message: the slot of the fields that it does not know */
    int required;                                       /* message: how many fields are */
    enum { NEEDS_UNKNOWN, NEEDS_NOTHING, NEEDS } needs; /* message: whether required fields are looked for in it */
};

extern PyTypeObject Codec_Type;
extern PyTypeObject Places_Type;
extern const char *const kind_names[KIND_COUNT];
extern const uint8_t kind_wires[KIND_COUNT];

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

static inline size_t slot_number(Py_ssize_t offset) { return ((size_t)offset - sizeof(PyObject)) / sizeof(PyObject *); }

void type_clear(Type *type);
int type_visit(const Type *type, visitproc visit, void *arg);
/* An independent copy without the choice of elements; 0 or -1. */
int type_copy(Type *to, const Type *from);
/* Describes a type by its row; 0 or -1. */
int type_init(Type *type, PyObject *row, PyObject *codecs);
/* The offset of the slot that a class or one of its bases declares under the name, or -1 with an exception. */
Py_ssize_t slot_offset(PyTypeObject *cls, PyObject *name);
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
int message_field_init(Field *field, PyObject *packed, PyObject *implicit, int group, PyObject *oneof, PyObject *member,
                       PyObject *codecs);

PyObject *codec_define(PyObject *module, PyObject *rows);
PyObject *codec_project(PyObject *self, PyObject *tree);
Field *find_field(const Codec *codec, int id);

static inline Field *field_by_id(const Codec *codec, int id) {
    if (likely((unsigned)id < (unsigned)codec->direct_size)) return codec->direct[id];
    return find_field(codec, id);
}

static inline int is_default(const Field *field) { return field->factory != NULL || (field->absent != NULL && field->absent != Py_None); }

static inline int is_integer(int kind) { return kind >= KIND_I16 && kind <= KIND_ENUM; }

/* Whether a wire type is what values of the type have in fields. */
static inline int wire_fits(const Type *type, int wire) { return wire == type->wire || (type->wire == WIRE_TRUE && wire == WIRE_FALSE); }

/* Whether a wire type is accepted for elements: the integers share one encoding. */
static inline int element_fits(const Type *type, int wire) {
    if (type->wire >= WIRE_I16 && type->wire <= WIRE_I64) return wire >= WIRE_I16 && wire <= WIRE_I64;
    return wire_fits(type, wire);
}

/* ---- operations ---- */

/* Joins the pool of large blocks that all modules share; 0 or -1. */
int share_pool(void);
PyObject *codec_decode(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *codec_decode_kept(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *codec_decode_parts(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *codec_encode(PyObject *self, PyObject *const *args, Py_ssize_t count);
PyObject *compact_touched(PyObject *module, PyObject *ignored);
PyObject *compact_list_length(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_skip(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_columns(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_names(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *compact_read(PyObject *module, PyObject *args);

/* Whether an object is the memory of columns or of a file. */
int is_buffer(PyObject *object);

/* Argument helpers: 0, or -1 with an exception that names the argument. */
int take_buffer(PyObject *data, Py_buffer *view);
/* What never changes and has the bytes of a buffer, or NULL; borrowed. */
PyObject *owner_of(PyObject *data);
int take_position(PyObject *object, Py_ssize_t size, Py_ssize_t *pos);
int take_limit(PyObject *object, const char *name, Py_ssize_t *limit);
int take_text(PyObject *object, int *text);
int check_count(const char *name, Py_ssize_t count, Py_ssize_t expected);
