/* How the leaves are read from rows that have a layout. */
#pragma once

#include "columns.h"
#include "layouts.h"

/* Leaf fields of a node and the structs in it; -1 where there are rows inside. */
Py_ssize_t count_leaves(const Node *node);
/* Finds the at most so many leaves of rows like the valid one at p, which has the layout, where there is a way to gather them. */
void look_for_gather(Layout *layout, Py_ssize_t most, const Table *table, Node *node, const uint8_t *p);
/* The leaves of rows that have exactly the layout; -1 where read_node must read them. */
int gather_rows(Table *table, const Passed *passed, const uint8_t *p, Py_ssize_t row, int depth);
/* The leaves of a row with values of other lengths than in the layout; -1 where read_node must read it. */
int gather_shifted(Table *table, const Passed *passed, const uint8_t *p, Py_ssize_t row, int depth);
