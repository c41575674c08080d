/* Columnar decoding: what a Program is lowered to for one call. */
#pragma once

#include "compact.h"
#include <stdlib.h>

enum LeafKind { LEAF_INT, LEAF_BOOL, LEAF_DOUBLE, LEAF_BINARY, LEAF_STRING, LEAF_JOIN, LEAF_INTS, LEAF_KIND_COUNT };

/* One allocation that many arrays are parts of. */
typedef struct Arena Arena;

/* A column under construction. Fixed-width leaves rely on zeros beyond the rows that were set. */
typedef struct Level Level;

typedef struct Leaf {
    int kind;
    int type; /* Kind of the field, or of its elements */
    Level *level;
    struct Leaf *next;     /* another leaf of the same field */
    const char *separator; /* borrowed from the program */
    Py_ssize_t separator_size;
    uint8_t *valid;   /* one byte per row */
    void *values;     /* int64, double, or a byte for each bool */
    int32_t *offsets; /* rows + 1, in bytes, for the kinds of variable width */
    uint8_t *data;
    Py_ssize_t data_size, data_room; /* in bytes */
} Leaf;

struct Level {
    Py_ssize_t rows, room;
    int number;
    int32_t *parents, *ordinals;
    Leaf **leaves; /* those of variable width first */
    Py_ssize_t leaf_count, wide_count;
};

typedef struct Node Node;

/* What is done with a field: its leaves are read, the struct in it is entered, or its elements become rows. */
typedef struct Action {
    uint8_t wire;
    uint8_t rows; /* the elements become rows of node->level */
    Leaf *leaf;
    Node *node;    /* of the struct, or of the elements */
    uint64_t seen; /* the visit of the node that met the field last */
    const Field *field;
} Action;

#define DIRECT_ACTIONS 64

/* A struct that the program goes through: there is one node for each path, so it is never entered twice at once. */
struct Node {
    const Codec *codec;
    int level;
    int is_union;
    uint64_t visit;
    Action *actions;
    Py_ssize_t action_count, required_count;
    Action *direct[DIRECT_ACTIONS]; /* by small id */
    struct Layouts *layouts;        /* of rows; NULL where there are none yet, or cannot be */
    int looked;                     /* it was found out */
    Py_ssize_t leaf_count;          /* of a row */
    Py_ssize_t buffer, place;       /* of the next row */
};

typedef struct Place {
    int64_t number;
    const char *text;
    Py_ssize_t size;
    int used;
} Place;

/* The wanted values of the leaf that decides about rows: a table with open addressing. */
typedef struct Wanted {
    const Leaf *leaf; /* NULL when all rows are kept */
    PyObject *held;   /* owns the texts */
    Place *places;
    size_t mask;
    int null; /* rows without a value are wanted */
} Wanted;

/* A list of the root that was skipped, as the schema in each of many files. */
typedef struct Skipped {
    int id;
    const uint8_t *begin; /* in a buffer of the same call */
    Py_ssize_t size;
} Skipped;

#define MOST_SKIPPED 4

typedef struct Failure {
    Py_ssize_t buffer, offset;
    Rule rule;
    Trace trace;
} Failure;

typedef struct Table {
    Input in; /* first: a Table is an Input */
    Trace trace;
    const Codec *codec;
    Node **nodes;
    Py_ssize_t node_count;
    Leaf *leaves;
    Py_ssize_t leaf_count;
    Level *levels;
    Py_ssize_t level_count;
    Arena *arena;                  /* what most arrays are in, NULL when there is little to read */
    Py_ssize_t later;              /* bytes of the buffers after the one that is read */
    Skipped skipped[MOST_SKIPPED]; /* the last of each field, in the order of their first ones */
    Wanted wanted;
    int dropped; /* the current row is not wanted */
    int is_long; /* memory ran out where 32-bit offsets do */
    Failure *failures;
    Py_ssize_t failure_count, failure_room;
} Table;

extern PyTypeObject Buffer_Type;

/* Building and taking apart; these need the GIL. -1 means that an exception is set. */
int table_init(Table *table, PyObject *codec, PyObject *program, PyObject *keep);
PyObject *table_result(Table *table);
void table_free(Table *table);

/* Reads one buffer; without Python API. -1 means that the rule and position are in table->in, and that there are no rows of it. */
int table_read(Table *table, const uint8_t *begin, const uint8_t *end, Py_ssize_t number, int max_depth, Py_ssize_t max_elements);

/* A bytes-like object that owns data, cut to size, or its share in the arena that data is in. */
PyObject *buffer_own(void *data, Py_ssize_t size, Arena *arena);

/* The error where Arrow's 32-bit offsets are too small. */
#define MOST_BYTES "buffers: over 2 GiB of text or binary values in one column; decode fewer buffers at once"

#define ARENA_ALIGNMENT 64
/* An arena, or NULL when there is no memory for it. */
Arena *arena_new(size_t size);
/* The fewest bytes that an arena pays for. */
#define LEAST_ARENA ((size_t)1 << 18)
/* Its next part, or NULL when less is left; a part takes a multiple of the alignment. */
void *arena_take(Arena *arena, size_t size);
int arena_owns(const Arena *arena, const void *memory);
/* These need the GIL. */
Arena *arena_share(Arena *arena);
void arena_drop(Arena *arena);

/* A field's value, at p, into all of its leaves; the position after it, or NULL. `wire` is that of a boolean. */
const uint8_t *read_leaves(Table *table, const uint8_t *p, const Action *action, Py_ssize_t row, int wire, int depth);

int wanted_init(Table *table, PyObject *keep);
int is_wanted(const Wanted *wanted, const Leaf *leaf, Py_ssize_t row);

int grow_level(Table *table, Level *level);
int grow_data(Table *table, Leaf *leaf, Py_ssize_t size);
/* Makes room for the rows of all bytes, going by those found in the bytes read so far; once. */
void make_room(Table *table, Py_ssize_t bytes, Py_ssize_t read);
/* Gives up an array. */
void free_array(const Table *table, void *array);
/* Takes the rows from first on away, and those of deeper levels that belong to them. */
void truncate_rows(Table *table, Py_ssize_t number, Py_ssize_t first);
/* Undoes what an earlier occurrence of a field brought, since the last one counts. */
void reset_action(Table *table, const Action *action);

static inline int begin_row(Table *table, int number, Py_ssize_t ordinal) {
    Level *level = &table->levels[number];
    if (unlikely(level->rows == level->room) && grow_level(table, level)) {
        fail(&table->in, RULE_MEMORY, table->in.begin);
        return -1;
    }
    level->parents[level->rows] = (int32_t)(number ? table->levels[number - 1].rows - 1 : level->rows);
    level->ordinals[level->rows] = (int32_t)ordinal;
    level->rows++;
    return 0;
}

static inline Action *find_action(Node *node, int id) {
    if (likely((unsigned)id < DIRECT_ACTIONS)) return node->direct[id];
    for (Py_ssize_t i = 0; i < node->action_count; i++)
        if (node->actions[i].field->id == id) return &node->actions[i];
    return NULL;
}

static inline int action_takes(const Action *action, int wire) {
    return wire == action->wire || (action->wire == WIRE_TRUE && wire == WIRE_FALSE);
}

static inline void finish_row(Level *level) {
    for (Py_ssize_t i = 0; i < level->wide_count; i++) {
        Leaf *leaf = level->leaves[i];
        leaf->offsets[level->rows] = (int32_t)leaf->data_size;
    }
}
