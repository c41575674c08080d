/* Programs: what the tables of records say, as steps that read and write, with the nodes of their expressions. */
#pragma once

#include "value.h"

#include "number_kinds.h"

/* What the files of the extension share is nobody else's, and so can be called directly. */
/* ---- expressions ---- */

#define RECORD_OPERATIONS(OP)                                                                                                              \
    OP(CONSTANT, "constant")                                                                                                               \
    OP(VARIABLE, "variable")                                                                                                               \
    OP(INDEX, "index")                                                                                                                     \
    OP(POS, "pos") OP(END, "end") OP(BEGIN, "begin") OP(BASE, "base") OP(GET, "get") OP(EACH, "each") OP(ITEM, "item") OP(LAST, "last")    \
        OP(SLICE, "slice") OP(IF, "if") OP(AND, "and") OP(OR, "or") OP(NOT, "not") OP(IS, "is") OP(EQ, "==") OP(NE, "!=") OP(LT, "<")      \
            OP(LE, "<=") OP(GT, ">") OP(GE, ">=") OP(ADD, "+") OP(SUBTRACT, "-") OP(MULTIPLY, "*") OP(DIVIDE, "//") OP(MODULO, "%")        \
                OP(SHIFT_LEFT, "<<") OP(SHIFT_RIGHT, ">>") OP(BIT_AND, "&") OP(BIT_OR, "|") OP(BIT_XOR, "^") OP(COUNT, "count")            \
                    OP(SUM, "sum") OP(LARGEST, "largest") OP(MAX, "max") OP(MIN, "min") OP(BIT_LENGTH, "bit_length") OP(UNIQUE, "unique")  \
                        OP(ASCENDING, "ascending") OP(IS_PERMUTATION, "is_permutation") OP(INT, "int") OP(IN_RANGE, "in_range")            \
                            OP(CALL, "call") OP(LIST, "list") OP(LET, "let") OP(EVERY, "every") OP(BYTES, "bytes") OP(FILL, "fill")        \
                                OP(LOOP, "loop") OP(ENCODED, "encoded") OP(ALL_BUT, "all_but")                                              \
                                    OP(PLACED_OFFSET, "placed_offset") OP(PLACED_SIZE, "placed_size") OP(DIGITS_OF, "digits_of") OP(NUMBER_OF, "number_of")              \
                                    OP(PADDED_NUMBER, "padded_number") OP(BITS_OF, "bits_of") OP(CROSSED_SUMS, "crossed_sums")             \
                                        OP(POSITION, "position") OP(BIG_BYTES, "big_bytes") OP(LITTLE_BYTES, "little_bytes")               \
                                            OP(BIG_NUMBER, "big_number") OP(LITTLE_NUMBER, "little_number") OP(CONTAINS, "contains")

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
    int count;      /* of operands */
    int64_t number; /* of a variable */
    Value constant; /* or the attribute, or the function */
    struct Node **operands;
    Known *known;          /* of an attribute */
    const struct Step *at; /* the number that it is, where a walk has no object */
    struct Node *next;     /* of the same program */
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

enum { CAPTURE_SIZE, CAPTURE_RAW_SIZE, CAPTURE_START, CAPTURE_SIZES, CAPTURE_STARTS, CAPTURE_RAW_SIZES, CAPTURE_COUNT };

/* What a writer needs of a field beside what a reader does: expressions are NULL where nothing need be checked. */
enum { MEASURE_SIZE, MEASURE_RAW_SIZE, MEASURE_SIZES, MEASURE_START, MEASURE_COUNT };
typedef struct Writing {
    Node *derived, *count, *length, *present, *size;
    int is_derived, by_value, by_index; /* its value tells whether it is there; it is derived number by number */
    int is_laid_out;                    /* it is derived from all of the record's bytes */
    int is_inside;                      /* its arguments are about the span that its size gives */
    int measures[MEASURE_COUNT];        /* variables, or -1 */
} Writing;

/* Steps of a writer: a value is computed, a field encoded before its codecs, or before its place, put there; a check,
 * which counts from after a field or, without one, from the end. */
enum { WRITE_DERIVE, WRITE_RAW, WRITE_ASIDE, WRITE_PUT, WRITE_CHECK };
typedef struct WriteStep {
    int kind, field;
    Node *check;
} WriteStep;

enum { STATE_NONE = -2, STATE_OF_LIST = -1 };

typedef struct Step {
    int kind, dimension, big, coded, siblings;
    int is_plain;                         /* a number that is there, as it stands */
    int is_number;                        /* an element is a number, as it stands */
    int is_small;                         /* and is its first byte, where that is below 128 */
    int is_direct;                        /* an element that is there, of as many bytes as it takes */
    int has_span_codecs, has_text_codecs; /* codecs make the span that it is read in, or each of its texts */
    int is_wanted;                        /* expressions ask for it, */
    int view;                             /* and no more than this */
    int is_sized, is_permuted;            /* or no more than its size; whether it is a permutation */
    int is_scalar;                        /* it is neither a list nor a record */
    int is_unseen;                        /* a single element that is there, and no more is to be known */
    int run_count;                        /* steps from here on that are stepped over as one, */
    int64_t run_size;                     /* their bytes, or -1 */
    int64_t offset;                       /* from the beginning of the record, or -1 */
    int variable;
    Py_ssize_t slot;  /* 0 where no object is made */
    PyObject *target; /* a Program, the class of a struct, or what finds the layout of values */
    PyObject *shapes; /* layouts that were found */
    Nodes arguments;
    Node *count, *length, *width, *present, *size;
    int64_t smallest; /* -1 where the list is as long as one in memory */
    Coding *codings;
    int coding_count;
    int state;
    PyObject *initial;
    PyObject *members;    /* of an enum, by number */
    PyObject *terminator; /* bytes, or NULL */
    int captures[CAPTURE_COUNT], has_captures;
    int keeps; /* what its codecs are given is kept, and written for the same value */
    Nodes checks;
    Writing writing;
} Step;

/* What is computed inside of a placed record, or of each element of a list there: attributes that lead to the list, or NULL, those
 * that lead from there, and the value. */
typedef struct Setting {
    PyObject *list, *path;
    Node *value;
    int is_laid_out; /* from all bytes of the record around it */
} Setting;

/* Where the offset of a field with a place, or of each of its elements, is held: in a variable, or inside of it. */
typedef struct Pointer {
    PyObject *name; /* of what holds it */
    int variable;
    const struct Place *target;
    Setting held; /* without a value */
} Pointer;

/* A field with a place of its own. Its step stands behind those of the fields that follow each other. */
typedef struct Place {
    PyObject *name;
    Step *step;
    Node *at, *align; /* NULL for no alignment */
    int is_far;       /* the offset counts from the start of the source */
    Setting *settings;
    int setting_count;
} Place;

typedef struct Alternative {
    Node *tag;
    Program *program;
} Alternative;

struct Program {
    PyObject_HEAD PyTypeObject *cls;
    int is_choice, is_codec, is_bare, nests, filled;
    int places;         /* fields have places of their own: 1 in the source, 2 in the record */
    int is_slotted;     /* instances are slots and nothing else */
    int is_local;       /* fields depend on their bytes and the parameters alone */
    int is_repeatable;  /* so does a value with what it holds, unless that holds more than parameters */
    int is_numbers;     /* a walk looks at numbers alone */
    int is_lazy;        /* instances wait until they are asked */
    int64_t fixed_size; /* of any bytes that it can be read from, or -1 */
    int param_count, variable_count, step_count, state_count, chain_count;
    Py_ssize_t *param_slots;
    PyObject *defaults; /* of the last parameters */
    Step *steps;
    Nodes checks;
    PyObject **states; /* first values; NULL for codecs that are made once */
    Node *tag, *value;
    Node *order;                      /* whether numbers are big-endian, where a parameter says so */
    Shaped *shaped;                   /* of a codec that has a shape, or NULL */
    Py_ssize_t tag_slot, stored_slot; /* of what codecs were given, or 0 */
    Py_ssize_t edited_slot; /* of the names of settled fields that a caller has set, or 0 */
    /* of a writer */
    WriteStep *writes;
    int write_count, is_writable, has_parts;
    Place *placed; /* NULL where the generated writer alone knows the places */
    int placed_count, has_places;
    Pointer *pointers;
    int pointer_count;
    int uses_set;             /* fields are written with values that are set in others */
    int gaps, overlaps;       /* places may leave bytes between them, and share some */
    int has_near, uses_end;   /* some count from the start of the record; expressions use its size */
    int has_laid_out, from_end; /* values are computed from all of its bytes; places or rules depend on its size */
    Nodes end_checks;           /* the rules of readers about that size */
    int peeked;         /* bytes that decide about the tag of a choice, or -1 */
    int tag_is_known;   /* a writer can compute the tag, which the bytes around do not decide */
    PyObject *tags;     /* where it cannot: the tags of this alternative, or those of the others, a set, or NULL */
    int is_of_tags;     /* they are those of this alternative */
    int value_variable; /* of a codec */
    PyObject *by_class; /* alternatives */
    /* of a variant */
    PyObject *table;
    Program **by_number; /* of the table; NULL where it must be asked */
    int tag_param;       /* whose number selects from there */
    Alternative *chain;
    Program *otherwise;
    /* what the program refers to, and its memory */
    PyObject *kept, *facts;
    Node *nodes, *reader_nodes;
    void **blocks;
    int64_t block_count, block_room;
};

enum { SMALL_TAGS = 256 };

/* The first operation that is a function of lakecodec's own, as are all after it. */
enum { FIRST_KERNEL = OP_DIGITS_OF };

extern PyTypeObject Program_Type, Shape_Type;

/* The items with room for one more, which may stand elsewhere then; NULL with an exception. */
void *with_room(void *items, int64_t count, int64_t *room, size_t size);
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
PyObject *program_fill_places(PyObject *self, PyObject *arguments);
/* Sets what a field's clauses make of it, a bit each as in `Form` of facts.py. */
void set_form(Step *step, int form);
int step_make(Program *program, Step *step, PyObject *row, PyObject *attribute);
PyObject *program_prepare(PyObject *self, PyObject *arguments);
PyObject *program_finish(PyObject *self, PyObject *waits);
PyObject *program_write(Program *program, PyObject *const *arguments, Py_ssize_t count);
/* What a call answers: what it made, or None where generated code must find out what is wrong; NULL for what no caller
 * may swallow, such as an interrupt. */
PyObject *made_or_none(PyObject *made);
/* All arguments, the last ones being the defaults of their parameters. */
int add_defaults(const Program *program, const Value *arguments, int given, Value *all);
