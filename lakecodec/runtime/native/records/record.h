/* Records read by tables: programs, the values of their variables, and the functions that work on both.
 *
 * Functions that return int give 0, or -1 where the bytes are wrong or something failed; an exception may be set or
 * not, since the generated reader finds out what to say.
 */
#ifndef LAKECODEC_RECORD_H
#define LAKECODEC_RECORD_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#include "number_kinds.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* What the files of the extension share is nobody else's, and so can be called directly. */
#pragma GCC visibility push(hidden)

/* ---- values ---- */

/* A number, an object, an object that is a number, or bytes of which no object has been needed yet; an unset value is
 * none of these. */
typedef struct Value {
    PyObject *object;
    int64_t number; /* or of how many bytes */
    const char *bytes;
    uint8_t is_number;
    uint8_t view, kind, big; /* of a walk: what there is instead of an object, and of numbers their kind */
    uint8_t owned; /* whether the object is this value's own reference */
} Value;

/* The places of elements, the place of a record, numbers one behind the other. */
enum { VIEW_NONE, VIEW_PLACES, VIEW_RECORD, VIEW_NUMBERS };

static inline void
value_clear(Value *value)
{
    if (value->owned) {
        Py_DECREF(value->object);
    }
    *value = (Value){0};
}

static inline void
values_clear(Value *values, int count)
{
    while (count > 0) {
        value_clear(&values[--count]);
    }
}

static inline Value
value_of_number(int64_t number)
{
    return (Value){.number = number, .is_number = 1};
}

/* The same value without a reference of its own. */
static inline Value
value_borrowed(const Value *value)
{
    Value found = *value;
    found.owned = 0;
    return found;
}

static inline void
value_own(Value *value)
{
    if (value->object != NULL && !value->owned) {
        Py_INCREF(value->object);
        value->owned = 1;
    }
}

static inline Value
value_of_object(PyObject *object, int owned)
{
    Value value = {.object = object, .owned = (uint8_t)owned};
    if (PyLong_Check(object)) {
        int overflow;
        value.number = PyLong_AsLongLongAndOverflow(object, &overflow);
        value.is_number = !overflow;
    }
    return value;
}

/* The value as an object, borrowed from it; made where there is none yet. NULL with an exception. */
static inline PyObject *
value_object(Value *value)
{
    if (value->object == NULL) {
        value->object = value->bytes != NULL ? PyBytes_FromStringAndSize(value->bytes, (Py_ssize_t)value->number)
                                             : PyLong_FromLongLong(value->number);
        value->owned = value->object != NULL;
    }
    return value->object;
}

static inline int
value_truth(const Value *value)
{
    return value->is_number ? value->number != 0 : PyObject_IsTrue(value->object);
}

/* The number; -1 where the value is none of 64 bits. */
static inline int
value_number(const Value *value, int64_t *number)
{
    *number = value->number;
    return value->is_number ? 0 : -1;
}

/* ---- expressions ---- */

#define RECORD_OPERATIONS(OP)                                                                                          \
    OP(CONSTANT, "constant") OP(VARIABLE, "variable") OP(INDEX, "index") OP(POS, "pos") OP(END, "end")                 \
    OP(BEGIN, "begin") OP(BASE, "base") OP(GET, "get") OP(EACH, "each") OP(ITEM, "item") OP(LAST, "last")              \
    OP(SLICE, "slice") OP(IF, "if")                                                                                    \
    OP(AND, "and") OP(OR, "or") OP(NOT, "not") OP(IS, "is") OP(EQ, "==") OP(NE, "!=") OP(LT, "<") OP(LE, "<=")         \
    OP(GT, ">") OP(GE, ">=") OP(ADD, "+") OP(SUBTRACT, "-") OP(MULTIPLY, "*") OP(DIVIDE, "//") OP(MODULO, "%")         \
    OP(SHIFT_LEFT, "<<") OP(SHIFT_RIGHT, ">>") OP(BIT_AND, "&") OP(BIT_OR, "|") OP(BIT_XOR, "^") OP(COUNT, "count")    \
    OP(SUM, "sum") OP(LARGEST, "largest") OP(MAX, "max") OP(MIN, "min") OP(BIT_LENGTH, "bit_length")                   \
    OP(UNIQUE, "unique") OP(ASCENDING, "ascending") OP(IS_PERMUTATION, "is_permutation") OP(INT, "int")                \
    OP(IN_RANGE, "in_range") OP(CALL, "call") OP(LIST, "list") OP(LET, "let") OP(EVERY, "every") OP(BYTES, "bytes")    \
    OP(FILL, "fill") OP(LOOP, "loop")

enum {
#define OP(name, text) OP_##name,
    RECORD_OPERATIONS(OP)
#undef OP
        OP_COUNT_OF_ALL
};

/* An operand of a call or a function of the IDL is one of no more than this. */
#define MAX_OPERANDS 16

/* Classes whose attribute a node got, and where it is: in a slot, or the same for all instances; neither for what must
 * be asked. */
enum { KNOWN_TYPES = 8 };
typedef struct Known {
    PyTypeObject *type;
    Py_ssize_t slot;
    Value constant;
} Known;

typedef struct Node {
    int op;
    int count;            /* of operands */
    int64_t number;       /* of a variable */
    Value constant;       /* or the attribute, or the function */
    struct Node **operands;
    Known *known;         /* of an attribute */
    const struct Step *at; /* the number that it is, where a walk has no object */
    struct Node *next;    /* of the same program */
} Node;

/* ---- programs ---- */

enum { DIMENSION_NONE, DIMENSION_COUNT, DIMENSION_REST, DIMENSION_UNTIL, DIMENSION_INDEX };

typedef struct Program Program;
typedef struct Span Span;

/* Reads the value of a codec at `*pos`, which is moved; owned. */
typedef int Shaped(const Program *program, const Span *span, int64_t *pos, const Value *arguments, Value *out);

typedef struct Nodes {
    Node **items;
    int count;
} Nodes;

/* A codec that is made: of a `Use` that an expression gives, or once for siblings. */
typedef struct Coding {
    int state; /* -1 where it is not kept */
    PyObject *declared;
    Nodes arguments;
} Coding;

enum { NOTE_SIZE, NOTE_RAW_SIZE, NOTE_START, NOTE_SIZES, NOTE_STARTS, NOTE_RAW_SIZES, NOTE_COUNT };

/* What a writer needs of a field beside what a reader does: expressions are NULL where nothing need be checked. */
enum { MEASURE_SIZE, MEASURE_RAW_SIZE, MEASURE_SIZES, MEASURE_COUNT };
typedef struct Writing {
    Node *derived, *count, *length, *width, *present, *size;
    Nodes arguments;
    int is_derived, by_value, by_index; /* its value tells whether it is there; it is derived number by number */
    int measures[MEASURE_COUNT];        /* variables, or -1 */
} Writing;

/* Steps of a writer: a value is computed, a field encoded before its place, put there, or checked. */
enum { WRITE_DERIVE, WRITE_RAW, WRITE_ASIDE, WRITE_PUT, WRITE_CHECK };
typedef struct WriteStep {
    int kind, field;
    Node *check;
} WriteStep;

enum { STATE_NONE = -2, STATE_OF_LIST = -1 };

typedef struct Step {
    int kind, dimension, big, coded, siblings;
    int is_plain;  /* a number that is there, as it stands */
    int is_number; /* an element is a number, as it stands */
    int is_small;  /* and is its first byte, where that is below 128 */
    int is_direct; /* an element that is there, of as many bytes as it takes */
    int has_span_codecs, has_text_codecs; /* codecs make the span that it is read in, or each of its texts */
    int is_wanted; /* expressions ask for it, */
    int view;      /* and no more than this */
    int is_scalar; /* it is neither a list nor a record */
    int is_unseen; /* a single element that is there, and no more is to be known */
    int run_count; /* steps from here on that are stepped over as one, */
    int64_t run_size; /* their bytes, or -1 */
    int64_t offset; /* from the beginning of the record, or -1 */
    int variable;
    Py_ssize_t slot; /* 0 where no object is made */
    PyObject *target; /* a Program, the class of a struct, or what finds the layout of values */
    PyObject *shapes; /* layouts that were found */
    Nodes arguments;
    Node *count, *length, *width, *present, *size;
    int64_t smallest; /* -1 where the list is as long as one in memory */
    Coding *codings;
    int coding_count;
    int state;
    PyObject *initial;
    PyObject *members;  /* of an enum, by number */
    PyObject *terminator; /* bytes, or NULL */
    int notes[NOTE_COUNT], has_notes;
    Nodes checks;
    Writing writing;
} Step;

typedef struct Alternative {
    Node *tag;
    Program *program;
} Alternative;

struct Program {
    PyObject_HEAD
    PyTypeObject *cls;
    int is_choice, is_codec, is_bare, nests, filled;
    int places;        /* fields have places of their own: 1 in the source, 2 in the record */
    int is_slotted;    /* instances are slots and nothing else */
    int is_local;      /* fields depend on their bytes and the parameters alone */
    int is_repeatable; /* so does a value with what it holds, unless that holds more than parameters */
    int is_prepared, is_walkable;
    int is_lazy; /* instances wait until they are asked */
    int is_recursive;
    int64_t fixed_size; /* of any bytes that it can be read from, or -1 */
    int64_t mark;
    int param_count, variable_count, step_count, state_count, chain_count;
    Py_ssize_t *param_slots;
    PyObject *defaults; /* of the last parameters */
    Step *steps;
    Nodes checks;
    PyObject **states; /* first values; NULL for codecs that are made once */
    Node *tag, *value;
    Node *order; /* whether numbers are big-endian, where a parameter says so */
    Shaped *shaped; /* of a codec that has a shape, or NULL */
    Py_ssize_t tag_slot;
    /* of a writer */
    WriteStep *writes;
    int write_count, is_writable, has_parts;
    int tag_is_known; /* a writer can compute the tag, which the bytes around do not decide */
    int value_variable; /* of a codec */
    PyObject *by_class; /* alternatives */
    /* of a variant */
    PyObject *table;
    Program **by_number; /* of the table; NULL where it must be asked */
    int tag_param;       /* whose number selects from there */
    Alternative *chain;
    Program *otherwise;
    /* what the program refers to, and its memory */
    PyObject *kept;
    Node *nodes, *reader_nodes;
    void **blocks;
    Py_ssize_t block_count, block_room;
};

enum { SMALL_TAGS = 256 };

extern PyTypeObject Program_Type, Shape_Type;

void *program_allocate(Program *program, size_t count, size_t size);
/* A new reference that the program holds is a borrowed one to the caller. */
PyObject *program_keep(Program *program, PyObject *object);
/* The offset of the slot that a class or one of its bases declares under the name, or 0. */
Py_ssize_t slot_of(PyTypeObject *cls, PyObject *name);
/* The same; 0 with an exception. */
Py_ssize_t needed_slot(PyTypeObject *cls, PyObject *name);
/* The same by a name of C; 0, or -1 with an exception. */
int find_slot(PyTypeObject *cls, const char *text, Py_ssize_t *slot);
int defaults_make(Program *program, PyObject *defaults);
int node_make(Program *program, PyObject *row, Node **made);
int nodes_make(Program *program, PyObject *rows, Nodes *made);
PyObject *program_fill_body(PyObject *self, PyObject *arguments);
PyObject *program_fill_choice(PyObject *self, PyObject *arguments);
PyObject *program_fill_writer(PyObject *self, PyObject *arguments);
PyObject *program_write(Program *program, PyObject *const *arguments, Py_ssize_t count);
/* What a call answers: what it made, or None where generated code must find out what is wrong; NULL for what no caller
 * may swallow, such as an interrupt. */
PyObject *made_or_none(PyObject *made);
/* All arguments, the last ones being the defaults of their parameters. */
int add_defaults(const Program *program, const Value *arguments, int given, Value *all);

/* ---- reading ---- */

/* Bytes that records are read from, between begin and end; positions count from the start of the buffer, whose other
 * bytes belong to other fields. */
struct Span {
    PyObject *owner;
    const uint8_t *start;
    int64_t begin, end, size;
};

/* A short record, and the bytes that it was read from. */
enum { PROTOTYPES = 64, PROTOTYPE_SIZE = 16, PROTOTYPE_DEPTH = 64 };
typedef struct Prototype {
    const Program *program;
    PyObject *made;
    int size;
    int is_flat; /* it can be copied, not only shared */
    uint8_t bytes[PROTOTYPE_SIZE];
} Prototype;

/* Numbers that were made into objects last, which many records have in common; kept once so many have been made. */
enum { NUMBER_BITS = 8, NUMBERS = 1 << NUMBER_BITS, NUMBERS_BEFORE = 64 };
typedef struct KeptNumber {
    int64_t number;
    PyObject *object;
} KeptNumber;

/* Of records that wait: the bytes, and what neighbours have in common. */
typedef struct Source Source;
typedef struct Kept Kept;
enum { KEPT = 8 };

/* What a call of the reader keeps. */
typedef struct Reader {
    int walks;      /* nothing is made of what is read */
    int waits;      /* records may be read later, */
    int is_trusted; /* as this one was, whose bytes are known to be valid */
    Source *kept_source;
    Kept *kept[KEPT];
    int numbers_made;
    KeptNumber *numbers; /* by a hash of them; NULL before */
    int64_t depth;
    int64_t bodies; /* how many records with fields were begun */
    int64_t others; /* how many of them, and choices, depend on more than their bytes */
    PyObject *base;   /* of a writer NULL where it is not known */
    PyObject *source; /* what places count in; NULL for the bytes that are read */
    PyObject *codecs; /* factories that take the place of codecs, or NULL */
    const Step *struct_of_arrays; /* the field whose elements are read apart, or NULL */
    PyObject *names;        /* of the elements' fields */
    int borrows;            /* long bytes are slices of the buffer, not copies */
    int shares;             /* short records that are equal are one object */
    Prototype *prototypes;  /* NULL before the first */
} Reader;

/* What siblings share. */
typedef struct State {
    Value value;
    PyObject *decode, *arguments;
} State;

typedef struct Output Output;
typedef struct Part Part;

typedef struct Frame {
    const Program *program;
    Reader *reader;
    Span *span;
    int64_t pos, index;
    int big;                  /* what the program's order says */
    int skips;                /* nobody needs the value that is read next */
    int is_tracked;           /* what is made holds an object that the garbage collector sees */
    int has_tracked_elements; /* so does the list that is being read */
    Value *variables;
    State *states;
    Output *out; /* of a writer */
    Part *parts;
} Frame;

int evaluate_operation(Node *node, Frame *frame, Value *out);

PyObject *kept_number(Reader *reader, int64_t number);
void release_numbers(Reader *reader);

/* A number as an object that others may have; a new reference, or NULL. */
static inline PyObject *
number_object(Reader *reader, int64_t number)
{
    return (uint64_t)number <= 256 || reader == NULL ? PyLong_FromLongLong(number) : kept_number(reader, number);
}

/* An owned or borrowed value: borrowed ones are the frame's, or constants. */
static inline int
evaluate(Node *node, Frame *frame, Value *out)
{
    if (node->op == OP_VARIABLE) {
        Value *variable = &frame->variables[node->number];
        if (UNLIKELY(variable->object == NULL && !variable->is_number)) {
            if (variable->bytes == NULL || value_object(variable) == NULL) {
                return -1;
            }
        }
        *out = value_borrowed(variable);
        return 0;
    }
    if (node->op == OP_CONSTANT) {
        *out = node->constant;
        return 0;
    }
    return evaluate_operation(node, frame, out);
}

/* Values of operands, owned or borrowed; their number, or -1. */
static inline int
evaluate_all(const Nodes *nodes, Frame *frame, Value *out)
{
    for (int i = 0; i < nodes->count; i++) {
        if (evaluate(nodes->items[i], frame, &out[i])) {
            values_clear(out, i);
            return -1;
        }
    }
    return nodes->count;
}

/* The number of an operand that is there already: 1, or 0 where it must be evaluated. */
static inline int
known_number(const Node *node, const Frame *frame, int64_t *out)
{
    if (node->op == OP_INDEX) {
        *out = frame->index;
        return 1;
    }
    const Value *value = node->op == OP_VARIABLE ? &frame->variables[node->number] : &node->constant;
    *out = value->number;
    return node->op <= OP_VARIABLE && value->is_number;
}

/* The alternative that arguments select, borrowed. */
Program *choose_alternative(Program *program, Reader *reader, Span *span, int64_t pos, const Value *arguments);
/* Finds out whether a codec has a shape. */
void find_shape(Program *program);
/* Finds out what values of a program depend on. */
void find_prototypes(Program *program);
/* A copy of a record that was read from the same bytes: 1, 0 where there is none, -1. */
int copy_prototype(Reader *reader, const Program *program, const Span *span, int64_t *pos, Value *out);
/* What a reader had begun before a record. */
typedef struct Begun {
    int64_t bodies, others;
} Begun;
/* Keeps a record that was read from bytes at `start` as a prototype. */
void keep_prototype(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t end, Begun before,
                const Value *made);
void release_prototypes(Reader *reader);

/* 1, 0, or -1. */
int holds(Node *node, Frame *frame);
/* The byte, and how many there are of it. */
int filling(Node *node, Frame *frame, int64_t *byte, int64_t *count);
int evaluate_number(Node *node, Frame *frame, int64_t *out);
/* Objects of operands, owned; their number or -1. */
int evaluate_objects(const Nodes *nodes, Frame *frame, PyObject **out);
void release(PyObject **objects, int count);
int checks_hold(const Nodes *checks, Frame *frame);
int compared(int op, Value *left, Value *right);
int get_attribute(Node *node, PyObject *holder, Value *out);
int evaluate_binary(Node *node, Frame *frame, Value *out);
int holds_comparison(Node *node, Frame *frame);
int get_count(PyObject *object, Value *out);
PyObject *copies(PyObject *module, PyObject *arguments);
PyObject *attributes(PyObject *module, PyObject *arguments);
PyObject *by_structural_key(PyObject *module, PyObject *arguments);
int each_attribute(Node *node, PyObject *holders, Value *out);
int get_item(PyObject *list, const Value *place, Frame *frame, Value *out);
int get_last(PyObject *list, Value *out);
int get_slice(PyObject *list, const Value *low, const Value *high, Value *out);
int call_function(Node *node, Frame *frame, Value *out);

int read_program(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, int given,
                 State *states, Value *out);
/* The same of a record that is not to wait. */
int read_now(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments, State *states, Value *out);
int read_field(Step *step, Frame *frame, PyObject *made);
int read_coded(Step *step, Frame *frame, State *list_state, Value *out);
/* The bytes of a text, and of what ends it. */
int text_size(const Step *step, Frame *frame, int64_t *size, int64_t *behind);
/* Reads the fields of a record at `*pos`, and appends each to the list at its place in `lists`. */
int read_apart(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments, State *states,
               PyObject *lists);
/* Tells a record that was read at a position where its other fields are to be found. */
int open_places(Reader *reader, const Program *program, const Span *span, int64_t start, PyObject *made);
PyObject *use_places(PyObject *module, PyObject *arguments);
/* Evaluates the byte order of a program that chooses it. */
int set_order(const Program *program, Frame *frame);
int read_element(Step *step, Frame *frame, State *list_states, Value *out);
int read_list(Step *step, Frame *frame);
int read_sized(Step *step, Frame *frame, State *list_states, Value *out);
int read_scalar(int kind, int big, const Span *span, int64_t *pos, Value *out);
int read_text(int kind, const Frame *frame, int64_t pos, int64_t size, Value *out);
int as_text(PyObject *data, Value *out);
int read_bits(Step *step, Frame *frame, Value *out);
int read_values(Step *step, Frame *frame, Value *out);
/* The layout of values of a type; a new reference. */
PyObject *layout_of_values(Step *step, PyObject *const *arguments, int count);
/* Keeps the size that a field, or an element of it, has behind its codecs. */
int note_raw_size(const Step *step, Frame *frame, int64_t size);
int64_t room_for(int64_t count, int64_t smallest, const Span *span, int64_t pos);
/* Appends a number to the list that a variable holds; nothing where there is no variable. */
int append_measure(Frame *frame, int variable, int64_t number);

void states_begin(const Program *program, State *states);
void states_end(const Program *program, State *states);
/* What the codecs of a step made of an object; a new reference. It may be a text already where that is wanted. */
PyObject *decode_through(Step *step, Frame *frame, PyObject *data, int text);
PyObject *span_slice(const Span *span, int64_t start, int64_t stop);
/* A span over all of an object, whose bytes `view` holds. */
int span_over(Span *span, Py_buffer *view, PyObject *data);

/* ---- packed numbers ---- */

int is_bits(PyObject *object);
int64_t bits_count(PyObject *bits);
int is_values(PyObject *object);
int64_t values_count(PyObject *values);
int bits_item(PyObject *bits, int64_t index, const Span *span, int64_t *out);
int bits_total(PyObject *bits, const Span *span, int64_t *out);
int bits_largest(PyObject *bits, const Span *span, int64_t *out);
PyObject *use_columns(PyObject *module, PyObject *arguments);
extern PyObject *flat;

#pragma GCC visibility pop

#endif
