/* The compact protocol's wire, which protobuf's messages share in part: types, broken rules and their errors, and the reading of
 * varints, lengths and headers. A position in the input is a pointer that every reader takes and returns, NULL meaning that an
 * error was recorded. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#ifdef Py_GIL_DISABLED
#error "lakecodec needs a build of Python with the global interpreter lock"
#endif
#include <stdint.h>
#include <string.h>

#include "common/raise.h"
#include "common/stack.h"

enum Wire {
    WIRE_STOP,
    WIRE_TRUE,
    WIRE_FALSE,
    WIRE_I8,
    WIRE_I16,
    WIRE_I32,
    WIRE_I64,
    WIRE_DOUBLE,
    WIRE_BINARY,
    WIRE_LIST,
    WIRE_SET,
    WIRE_MAP,
    WIRE_STRUCT,
    WIRE_UUID
};

/* The kinds whose values are varints stand side by side: see is_integer. */
enum Kind {
    KIND_BOOL,
    KIND_I8,
    KIND_I16,
    KIND_I32,
    KIND_I64,
    KIND_ENUM,
    KIND_DOUBLE,
    KIND_BINARY,
    KIND_STRING,
    KIND_UUID,
    KIND_STRUCT,
    KIND_LIST,
    KIND_SET,
    KIND_MAP,
    /* of protobuf's messages alone */
    KIND_UINT32,
    KIND_UINT64,
    KIND_SINT32,
    KIND_SINT64,
    KIND_FIXED32,
    KIND_FIXED64,
    KIND_SFIXED32,
    KIND_SFIXED64,
    KIND_FLOAT,
    KIND_COUNT
};

/* Broken rules, in the order of rule_keys; RULE_NONE with an error means that a Python exception is set. */
typedef enum Rule {
    RULE_NONE,
    RULE_TRUNCATED,
    RULE_VARINT,
    RULE_I16,
    RULE_I32,
    RULE_LENGTH,
    RULE_COUNT,
    RULE_SIZE,
    RULE_ELEMENTS,
    RULE_DEPTH,
    RULE_WIRE,
    RULE_ELEMENT,
    RULE_BOOL,
    RULE_FIELD_ID,
    RULE_REQUIRED,
    RULE_NO_MEMBER,
    RULE_MEMBERS,
    RULE_UTF8,
    RULE_MEMORY,
    RULE_NUMBER,
    RULE_GROUP,
    RULE_PACKED,
    RULE_TAG /* protobuf's */
} Rule;

enum Text { TEXT_STRICT, TEXT_REPLACE, TEXT_SURROGATEESCAPE, TEXT_BYTES };

/* Levels of nesting that the C stack may use, whatever limit the caller gives. */
/* What validated bytes are read again with; a thread whose stack is small trusts it with less. */
#define MAX_NESTING 2000
/* Objects nest deeper than this only when they contain themselves. */
#define MAX_ENCODE_DEPTH 1000
#define MAX_SIZE 0x7fffffffu

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline))

/* ---- errors ---- */

/* One step of an error's path: a field's name, or an element's number when name is NULL. */
typedef struct PathPart {
    PyObject *name; /* borrowed from the codec */
    Py_ssize_t index;
} PathPart;

/* The path of an error, collected from the inside out while readers return. */
typedef struct Trace {
    PathPart *steps;
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
    int64_t lacking;         /* how many bytes are missing at least where the data ends early; 0 where more would not help */
    Py_ssize_t elements;     /* what is left of max_elements */
    struct Layouts *skipped; /* of structs in lists that are skipped; see layouts.h */
} Input;

static inline const uint8_t *fail(Input *in, Rule rule, const uint8_t *at) {
    in->rule = rule;
    in->at = at;
    return NULL;
}

/* Breaks a rule by the end of the data, of which so many bytes are missing at least. */
static inline const uint8_t *fail_short(Input *in, Rule rule, const uint8_t *at, int64_t lacking) {
    in->lacking = lacking;
    return fail(in, rule, at);
}

static inline const uint8_t *truncated(Input *in) { return fail_short(in, RULE_TRUNCATED, in->end, 1); }

#define CONTINUATIONS 0x8080808080808080u

static inline uint64_t load64(const uint8_t *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void store64(uint8_t *p, uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(p, &word, sizeof word);
}

/* A varint near the end of the data or of more than 8 bytes. */
const uint8_t *read_rare_varint(Input *in, const uint8_t *p, uint64_t *out);
const uint8_t *skip_long_varint(Input *in, const uint8_t *p);

/* The number that a varint of up to 8 bytes spells, of which seven bits each are left. */
static inline uint64_t close_gaps(uint64_t word) {
    word = (word & 0x007f007f007f007fu) | (word & 0x7f007f007f007f00u) >> 1;
    word = (word & 0x00003fff00003fffu) | (word & 0x3fff00003fff0000u) >> 2;
    return (word & 0x000000000fffffffu) | (word & 0x0fffffff00000000u) >> 4;
}

static inline const uint8_t *read_varint(Input *in, const uint8_t *p, uint64_t *out) {
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
            /* The bytes up to the first without a continuation bit. */
            *out = close_gaps(word & (stops ^ (stops - 1)) & ~CONTINUATIONS);
            return p + (__builtin_ctzll(stops) >> 3) + 1;
        }
    }
    return read_rare_varint(in, p, out);
}

static inline const uint8_t *skip_varint(Input *in, const uint8_t *p) {
    if (likely(in->end - p >= 8)) {
        /* Branches for short lengths let the processor predict where the next field begins. */
        if (p[0] < 128) return p + 1;
        if (p[1] < 128) return p + 2;
        if (p[2] < 128) return p + 3;
    }
    return skip_long_varint(in, p);
}

static inline int64_t unzigzag(uint64_t value) { return (int64_t)(value >> 1) ^ -(int64_t)(value & 1); }

/* A byte length, checked against the bytes left; the result is the position of the first byte. */
static inline const uint8_t *read_length(Input *in, const uint8_t *p, Py_ssize_t *length) {
    uint64_t value;
    const uint8_t *start = read_varint(in, p, &value);
    if (unlikely(start == NULL)) return NULL;
    if (unlikely(value > (uint64_t)(in->end - start)))
        return fail_short(in, RULE_LENGTH, p, value > MAX_SIZE ? 0 : (int64_t)value - (in->end - start));
    *length = (Py_ssize_t)value;
    return start;
}

/* The long form of a field header after its first byte; start is that byte. */
const uint8_t *read_field_id(Input *in, const uint8_t *p, const uint8_t *start, int *id);

/* The header of a field, or the stop byte; id is that of the field before and becomes this one's. */
static inline const uint8_t *read_field_header(Input *in, const uint8_t *p, int *id, int *wire) {
    const uint8_t *start = p;
    if (unlikely(p >= in->end)) return truncated(in);
    unsigned header = *p++;
    *wire = header & 15;
    if (*wire == WIRE_STOP) return p;
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

/* As skip_value, for an element of a container, where a boolean takes a byte. */
static inline const uint8_t *skip_element(Input *in, const uint8_t *p, int wire, int room) {
    return skip_value(in, p, wire == WIRE_TRUE || wire == WIRE_FALSE ? WIRE_I8 : wire, room);
}

/* The rest of a struct after a field with the id last. */
const uint8_t *skip_fields(Input *in, const uint8_t *p, int room, int last);

static inline const uint8_t *skip_struct(Input *in, const uint8_t *p, int room) { return skip_fields(in, p, room, 0); }

/* A field's value; start is its header. Tests in the order of likelihood are faster here than a switch. */
static inline const uint8_t *skip_field(Input *in, const uint8_t *p, int wire, int room, const uint8_t *start) {
    if (wire >= WIRE_I16 && wire <= WIRE_I64) return skip_varint(in, p);
    if (wire == WIRE_BINARY) {
        Py_ssize_t length;
        p = read_length(in, p, &length);
        return unlikely(p == NULL) ? NULL : p + length;
    }
    if (wire <= WIRE_FALSE) return p;
    if (wire == WIRE_STRUCT && likely(room > 0)) return skip_struct(in, p, room - 1);
    if (wire == WIRE_LIST && likely(room > 0)) return skip_list(in, p, room - 1);
    return unlikely(wire > WIRE_UUID) ? fail(in, RULE_WIRE, start) : skip_value(in, p, wire, room);
}
