/* Records read by programs: what a call of the reader keeps, frames, and the functions that work on them.
 *
 * Functions that return int give 0, or -1 where the bytes are wrong or something failed; an exception may be set or
 * not, since the generated reader finds out what to say.
 */
#pragma once

#include "program.h"

/* Bytes that records are read from, between begin and end; positions count from the start of the buffer, whose other
 * bytes belong to other fields. */
struct Span {
    PyObject *owner;
    const uint8_t *start;
    int64_t begin, end, size; /* the end is -1 where it is not known */
    int64_t *missing;         /* where more bytes may come: how many a reader lacks at least; or NULL */
};

/* Tells that bytes from a position on reach after the end of a span. */
static inline int run_out(const Span *span, int64_t pos, int64_t needed) {
    if (span->missing != NULL && needed > span->end - pos) *span->missing = needed - (span->end - pos);
    return -1;
}
/* The bytes of the longest number. */
enum { LONGEST_NUMBER = 10 };
/* The same of a number that could not be read. */
static inline int run_out_of_number(const Span *span, int64_t pos) {
    return span->end - pos < LONGEST_NUMBER ? run_out(span, pos, span->end - pos + 1) : -1;
}
/* The bytes of so many elements, or more than there can be. */
enum { MOST_BYTES_BITS = 60 };
static inline int64_t bytes_of_all(int64_t count, int64_t size) {
    int64_t all;
    const int64_t most = (int64_t)1 << MOST_BYTES_BITS;
    return count < 0 || __builtin_mul_overflow(count, size, &all) || all > most ? most : all;
}

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

/* Of records that wait: the bytes, an entry of their tape, and what neighbours have in common. */
typedef struct Source Source;
typedef struct Entry Entry;
typedef struct Kept Kept;
enum { KEPT = 8 };

typedef struct Output Output;

/* Bytes with offsets, of a writer. */
typedef struct Pieces {
    struct Piece *items;
    int64_t count, room;
} Pieces;

/* What was read of a record of which bytes have not arrived yet; see paused.c. */
typedef struct Paused Paused;

/* What a call of the reader keeps. */
typedef struct Reader {
    int pauses;        /* bytes may arrive later: what stops then, */
    Paused *paused;    /* the record of which some are missing, with those inside, */
    Paused *resuming;  /* those of the call before that have not been found again, */
    int64_t sought;    /* how many bytes of a field were searched for its terminator, */
    int64_t seen;      /* and how many were looked at: of records that begin there none waits, since looking may be in vain again */
    int64_t first;     /* where the record begins that is read, */
    int64_t begun;     /* and what `bodies` was then; -1 where a walk over it cannot stop */
    int walks;      /* nothing is made of what is read */
    int waits;      /* records may be read later, */
    int is_trusted; /* as this one was, whose bytes are known to be valid */
    Source *kept_source;
    int64_t next_entry; /* of what is read again in the tape of the source */
    Kept *kept[KEPT];
    int numbers_made;
    KeptNumber *numbers; /* by a hash of them; NULL before */
    int64_t depth;
    int64_t bodies;               /* how many records with fields were begun */
    int64_t others;               /* how many of them, and choices, depend on more than their bytes */
    PyObject *whole;              /* the `Span` that counts elements without bytes; NULL for bytes that are known to be valid */
    int64_t empty, spare;         /* what they cost in this call, and may cost: known once there is one */
    int64_t repeated, unrepeated; /* bytes that values have in common with those before them, and may have */
    PyObject *base;               /* of a writer NULL where it is not known */
    PyObject *source;             /* what places count in; NULL for the bytes that are read */
    PyObject *codecs;             /* factories that take the place of codecs, or NULL */
    PyObject *root, *outermost;   /* of a writer: the object whose places are not its own to write, or NULL; the whole, */
    Pieces pins, covered;         /* what stands elsewhere in the source, and the whole's own bytes where it has gaps, */
    int reads;                    /* how often it read what was not read before, */
    int takes_pins;               /* whether anything may stand elsewhere, */
    int changes_parameters;       /* whether an object got another parameter than it had, */
    int changes_derived;          /* or another value that is derived, */
    const Output *content;        /* what codecs will be given, or NULL, */
    PyObject *original;           /* and the source that records were compared with last, */
    Py_buffer original_bytes;     /* with its bytes */
    const Step *struct_of_arrays; /* the field whose elements are read apart, or NULL */
    PyObject *names;              /* of the elements' fields */
    int borrows;                  /* long bytes are slices of the buffer, not copies */
    int shares;                   /* short records that are equal are one object */
    Prototype *prototypes;        /* NULL before the first */
} Reader;

enum { PAUSES_READING = 1, PAUSES_WALK };

/* What siblings share. */
typedef struct State {
    Value value;
    PyObject *decode, *arguments;
} State;

struct Paused {
    Paused *inner; /* of the record inside */
    Program *program;
    PyObject *made, *stored;
    Value *variables;
    int step, is_tracked, big; /* as of the frame, and the step at which it stopped, */
    int64_t start, sought;     /* where that begins, and how much of it was searched */
    int is_list, has_tracked_elements;
    int64_t pos; /* of a list: of the next element */
    int is_walk; /* nothing was made: positions count from the beginning of the outermost record, */
    int64_t entry, index; /* of its own on the tape, and of the next element, */
    Entry *tape;          /* which the outermost one has */
    int64_t used, room;
    State *siblings, *states;
    int sibling_count;
};

typedef struct Part Part;
typedef struct Layout Layout;

/* The bytes that a record stands in, while a field of it stands in those that a codec takes: its measures count here. */
typedef struct Around {
    Span *span;
    PyObject *base; /* as that of the reader */
} Around;

typedef struct Frame {
    /* What is set where one begins stands first: the rest is cleared at once. */
    const Program *program;
    Reader *reader;
    Span *span;
    int64_t pos, start; /* `start` is of a reader: where the record begins */
    Value *variables;
    const Around *around; /* NULL where the field stands in the same bytes as the record */
    int64_t index;
    bool big;                  /* what the program's order says */
    bool skips;                /* nobody needs the value that is read next */
    bool is_tracked;           /* what is made holds an object that the garbage collector sees */
    bool has_tracked_elements; /* so does the list that is being read */
    PyObject *made;            /* where fields go in the place of a new instance, or NULL */
    State *states;
    Paused *paused;    /* what was read of a list, or NULL */
    PyObject *stored;  /* what codecs were given, by field and element: owned by who reads; NULL for nothing */
    Output *out, *own; /* of a writer: where bytes go now, and those of the record */
    Part *parts;
    Layout *layout; /* of a record with places, or NULL */
} Frame;

int evaluate_operation(Node *node, Frame *frame, Value *out);

PyObject *kept_number(Reader *reader, int64_t number);
void release_numbers(Reader *reader);

/* A number as an object that others may have; a new reference, or NULL. */
static inline PyObject *number_object(Reader *reader, int64_t number) {
    return (uint64_t)number <= 256 || reader == NULL ? PyLong_FromLongLong(number) : kept_number(reader, number);
}

/* Appends an object, whose reference it takes over. */
static inline int list_push(PyObject *list, PyObject *object) {
    PyListObject *known = (PyListObject *)list;
    const Py_ssize_t size = Py_SIZE(known);
    if (LIKELY(size < known->allocated)) {
        known->ob_item[size] = object;
        Py_SET_SIZE(known, size + 1);
        return 0;
    }
    const int failed = PyList_Append(list, object);
    Py_DECREF(object);
    return failed;
}

/* An empty list with room for as many elements. */
static inline PyObject *list_with_room(int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    if (list != NULL) Py_SET_SIZE((PyListObject *)list, 0);
    return list;
}

/* An owned or borrowed value: borrowed ones are the frame's, or constants. */
static inline int evaluate(Node *node, Frame *frame, Value *out) {
    if (node->op == OP_VARIABLE) {
        Value *variable = &frame->variables[node->number];
        if (UNLIKELY(variable->object == NULL && !variable->is_number)) {
            if (variable->bytes == NULL || value_object(variable) == NULL) return -1;
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
static inline int evaluate_all(const Nodes *nodes, Frame *frame, Value *out) {
    for (int i = 0; i < nodes->count; i++) {
        if (evaluate(nodes->items[i], frame, &out[i])) {
            values_clear(out, i);
            return -1;
        }
    }
    return nodes->count;
}

/* The number of an operand that is there already: 1, or 0 where it must be evaluated. */
static inline int known_number(const Node *node, const Frame *frame, int64_t *out) {
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
/* Takes the shape of a codec by its number, 0 for none; 0, or -1 with an exception. */
int set_shape(Program *program, int shape);
/* Whether a codec's values share a beginning with the value before, and that of a field through such a codec: how many bytes
 * of the value before, and how many that follow at `*pos`. */
int has_prefixes(const Program *program);
int read_prefix(const Step *step, const Span *span, int64_t *pos, int64_t before, int64_t *shared, int64_t *added);
/* Whether the elements of a list are differences from the one before, of which nothing else is kept; and the next of them,
 * where `last` is the one before. */
int has_differences(const Step *step);
enum { SOME_NUMBERS = 128 };
int sum_differences(const Step *step, const Span *span, int64_t *pos, int64_t *last, int64_t count, int64_t *out);
/* A copy of a record that was read from the same bytes: 1, 0 where there is none, -1. */
int copy_prototype(Reader *reader, const Program *program, const Span *span, int64_t *pos, Value *out);
/* What a reader had begun before a record. */
typedef struct Begun {
    int64_t bodies, others;
} Begun;
/* Keeps a record that was read from bytes at `start` as a prototype. */
void keep_prototype(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t end, Begun before, const Value *made);
void release_prototypes(Reader *reader);

/* 1, 0, or -1. */
int holds(Node *node, Frame *frame);
/* The bytes of the whole record but for some ranges. */
int evaluate_all_but(const Node *node, const Frame *frame, Value *out);
/* The offset or the size of a field with a place, as far as it is known; it is noted what is to be known better. */
int evaluate_placed(const Node *node, Frame *frame, Value *out);
/* The bytes of fields that a writer encoded. */
int evaluate_encoded(const Node *node, const Frame *frame, Value *out);
/* The byte, and how many there are of it. */
int filling(Node *node, Frame *frame, int64_t *byte, int64_t *count);
int evaluate_number(Node *node, Frame *frame, int64_t *out);
/* Objects of operands, owned; their number or -1. */
int evaluate_objects(const Nodes *nodes, Frame *frame, PyObject **out);
void release(PyObject **objects, int count);
int checks_hold(const Nodes *checks, Frame *frame);
int compared(int op, Value *left, Value *right);
int get_attribute(Node *node, PyObject *holder, Value *out);
/* Bytes of the span between two positions that were read. */
int evaluate_bytes(Node *node, Frame *frame, Value *out);
/* The bytes that a variable or a part of one holds: 1, or 0 where the operand must be evaluated. */
int known_bytes(const Node *node, const Frame *frame, const char **start, int64_t *size);
int evaluate_binary(Node *node, Frame *frame, Value *out);
int holds_comparison(Node *node, Frame *frame);
int get_count(PyObject *object, Value *out);
/* Numbers that a memoryview of int64 or a sequence holds, which the caller keeps. */
typedef struct Numbers {
    const int64_t *numbers; /* NULL for those of a sequence */
    Py_buffer view;         /* that keeps the numbers; its object is NULL for those of a sequence */
    PyObject *sequence;
    Py_ssize_t count;
} Numbers;
int numbers_begin(Numbers *numbers, PyObject *given);
void numbers_end(Numbers *numbers);
/* One of them; -1 with an exception, or for numbers below 0. */
Py_ssize_t numbers_at(const Numbers *numbers, Py_ssize_t i);
PyObject *attributes(PyObject *module, PyObject *arguments);
PyObject *by_structural_key(PyObject *module, PyObject *arguments);
int each_attribute(Node *node, PyObject *holders, Value *out);
int get_item(PyObject *list, const Value *place, Frame *frame, Value *out);
int get_last(PyObject *list, Value *out);
int get_slice(PyObject *list, const Value *low, const Value *high, Value *out);
int call_function(Node *node, Frame *frame, Value *out);
/* What such a function gives of its arguments: 1, 0 where Python must find out, -1. */
int run_kernel(const Node *node, const Value *values, Value *out);

int read_program(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, int given, State *states, Value *out);
/* The same of a record that is not to wait. Its fields go to the slots after `made`, unless that is NULL; the number of the value then
 * tells whether the collector must see it. */
int read_now(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments, State *states, PyObject *made,
             Value *out);
int read_field(Step *step, Frame *frame, PyObject *made);
int read_coded(Step *step, Frame *frame, State *list_state, Value *out);
/* The bytes of a text, and of what ends it. */
int text_size(const Step *step, Frame *frame, int64_t *size, int64_t *behind);
/* Tells a record that was read at a position where its other fields are to be found. */
int open_places(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t stop, PyObject *made);
PyObject *use_places(PyObject *module, PyObject *arguments);
PyObject *use_json_object(PyObject *module, PyObject *type);
PyObject *json_text(PyObject *module, PyObject *object);
/* As `PyObject_GetAttr`, without a call of an object of JSON. */
PyObject *attribute_of(PyObject *holder, PyObject *name);
PyObject *same(PyObject *module, PyObject *arguments);
PyObject *kept_parameters(PyObject *module, PyObject *object);
PyObject *is_settled(PyObject *module, PyObject *object);
PyObject *crc_register(PyObject *module, PyObject *arguments);
/* Sets the variables of a program's parameters, and its tag; those of a record too, unless that is NULL. */
int set_params(const Program *program, const Value *arguments, Frame *frame, PyObject *made);
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
/* Keeps the size that a field, or an element of it, has after its codecs. */
/* Keeps what codecs are given, for a writer; 0, or -1. */
int keep_coded(const Step *step, Frame *frame, PyObject *data);
/* What was kept of a field or an element, where its codecs make the data of it: a new reference; NULL with no exception where not. */
PyObject *kept_coded(const Step *step, Frame *frame, PyObject *data);
int note_raw_size(const Step *step, Frame *frame, int64_t size);
/* As `MAX_EMPTY` and `MAX_ZEROS` of limits.py. */
enum { MAX_EMPTY = 1 << 16, MAX_ZEROS = 1 << 20 };
int64_t room_for(int64_t count, int64_t smallest, const Span *span, int64_t pos);
/* Counts an element without bytes, as `took_nothing` of the span: 0, or -1 where there are too many. */
int took_nothing(Reader *reader, int64_t cost);
/* Counts the bytes of a value beyond those that it was read from, as `repeats` of the span: 0, or -1 where there are too many. */
int repeats(Reader *reader, int64_t count);
/* Tells the span of both; 0, or -1. */
int tell_counts(const Reader *reader, int64_t pos);
/* Appends a number to the list that a variable holds; nothing where there is no variable. */
int append_measure(Frame *frame, int variable, int64_t number);

/* ---- bytes that arrive later ---- */

void drop_paused(Paused *paused);
void pause_list(const Step *step, Frame *frame, PyObject *list, State *states, int count);
int64_t resume_list(Frame *frame, PyObject *list, State *states);
int pause_record(Frame *frame, PyObject *made, int step, int64_t start);
PyObject *resume_record(Frame *frame, const Value *arguments, int *step);
void pause_states(Reader *reader, const Program *program, State *states);
int resume_states(Reader *reader, const Program *program, State *states);
/* The same of a walk, whose frames have variables only; the step may be one of a list. */
int pause_walk(Frame *frame, int step, int64_t start, int64_t entry);
int resume_walk(Frame *frame, const Value *arguments, int *step, int64_t *entry);
int64_t resume_walked_list(Frame *frame);
/* Moves the tape of a walk that stopped from the bytes of this call, and to those of the next; 0, or -1. */
int keep_tape(Reader *reader);
int take_tape(Reader *reader, const Span *span);
PyObject *paused_object(Paused *paused, int64_t seen);
int paused_take(PyObject *object, Reader *reader);

void states_begin(const Program *program, State *states);
void states_end(const Program *program, State *states);
/* The method that reads or writes of the codec that a `Use` stands for, which is released; a new reference. */
typedef PyObject *MethodOf(const Reader *reader, PyObject *use, int text);
/* That of the codec of siblings, made anew where its arguments are others; borrowed. */
PyObject *shared_codec(const Coding *coding, Frame *frame, int text, MethodOf *method_of);
/* What the codecs of a step made of an object; a new reference. It may be a text already where that is wanted. */
PyObject *decode_through(Step *step, Frame *frame, PyObject *data, int text);
PyObject *span_slice(const Span *span, int64_t start, int64_t stop);
/* A span over all of an object, whose bytes `view` holds. */
int span_over(Span *span, Py_buffer *view, PyObject *data);

/* ---- packed numbers ---- */

int is_bits(PyObject *object);
/* Packed numbers of no bits. */
int bits_are_zeros(PyObject *object);
int64_t bits_count(PyObject *bits);
/* Whether packed numbers can be looked at one by one: those of no bits count as elements of no bytes. */
int bits_are_bounded(PyObject *bits, const Frame *frame);
int is_values(PyObject *object);
int64_t values_count(PyObject *values);
int bits_item(PyObject *bits, int64_t index, const Span *span, int64_t *out);
int bits_total(PyObject *bits, const Span *span, int64_t *out);
int bits_largest(PyObject *bits, const Span *span, int64_t *out);
PyObject *use_columns(PyObject *module, PyObject *arguments);
extern PyObject *flat;
