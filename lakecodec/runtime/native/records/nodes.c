/* Expressions from the rows that Python lowers: (operation, number, object, operands). */
#include "record.h"

int nodes_make(Program *program, PyObject *rows, Nodes *made) {
    if (!PyTuple_Check(rows)) return raise_error(PyExc_TypeError, "rows: expressions must be a tuple");
    Py_ssize_t count = PyTuple_GET_SIZE(rows);
    made->items = program_allocate(program, (size_t)count, sizeof(Node *));
    if (made->items == NULL) return -1;
    made->count = (int)count;
    for (Py_ssize_t i = 0; i < count; i++)
        if (node_make(program, PyTuple_GET_ITEM(rows, i), &made->items[i])) return -1;
    return 0;
}

/* The node of a row, NULL for None. */
int node_make(Program *program, PyObject *row, Node **made) {
    int op;
    long long number;
    PyObject *object, *operands;
    *made = NULL;
    if (row == Py_None) return 0;
    if (!PyTuple_Check(row)) return raise_error(PyExc_TypeError, "rows: an expression must be a tuple");
    if (!PyArg_ParseTuple(row, "iLOO!", &op, &number, &object, &PyTuple_Type, &operands)) return -1;
    Node *node = program_allocate(program, 1, sizeof(Node));
    Nodes inside;
    if (node == NULL || nodes_make(program, operands, &inside)) return -1;
    const long long last = number + (op == OP_LET ? inside.count - 2 : op == OP_LOOP);
    if (op < 0 || op >= OP_COUNT_OF_ALL || number < 0 || last > program->variable_count || inside.count > MAX_OPERANDS)
        return raise_error(PyExc_ValueError, "rows: not an operation");
    if (program_keep(program, Py_NewRef(object)) == NULL) return -1;
    node->op = op;
    node->number = number;
    node->constant = value_of_object(object, 0);
    node->operands = inside.items;
    node->count = inside.count;
    if (op == OP_GET || op == OP_EACH) {
        node->known = program_allocate(program, KNOWN_TYPES, sizeof(Known));
        if (node->known == NULL || !PyUnicode_Check(object)) return -1;
    }
    node->next = program->nodes;
    program->nodes = node;
    *made = node;
    return 0;
}
