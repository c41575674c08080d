/* A layout of rows, and how the leaves are read from a row that has it. */
#ifndef LAKECODEC_COMPACT_ROW_PLANS_H
#define LAKECODEC_COMPACT_ROW_PLANS_H

#include "columns.h"
#include "layouts.h"

#pragma GCC visibility push(hidden)

/* How a leaf is read from a row that has exactly the layout; others are read by their headers and lengths. */
enum Reading { READ_ANY, READ_NUMBER, READ_TEXT, READ_NUMBERS };

typedef struct PlannedLeaf {
    const Action *action;
    Leaf *leaf;    /* the first of the action */
    uint64_t bits; /* of a number: those of its bytes that count */
    uint16_t at;         /* of the value in the layout; of a boolean, of the header that is its value */
    uint16_t data, size; /* of a text, or of numbers of a byte each */
    uint8_t reading;
    int depth; /* of the struct that has it */
} PlannedLeaf;

/* A layout, and what is read of a row that has it. */
typedef struct Plan {
    Layout *layout;
    Py_ssize_t elements; /* of the lists that are not READ_ANY */
    int count;
    PlannedLeaf leaves[];
} Plan;

/* Leaf fields of a node and the structs in it; -1 where there are rows inside. */
Py_ssize_t count_leaves(const Node *node);
/* A plan of at most so many leaves for rows like the valid one from p to end; NULL where there can be none. */
Plan *plan_new(Py_ssize_t most, const Table *table, Node *node, const uint8_t *p, const uint8_t *end);
void plan_free(Plan *plan);
/* The leaves of a row that has exactly the plan's layout; -1 where read_node must read it. */
int plan_read(Table *table, const Plan *plan, const uint8_t *p, Py_ssize_t row, int depth);
/* The leaves of a row with values of other lengths than in the layout; -1 where read_node must read it. */
int plan_read_shifted(Table *table, const Plan *plan, const Shifts *shifts, const uint8_t *p, Py_ssize_t row, int depth);

#pragma GCC visibility pop

#endif
