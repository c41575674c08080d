/* Operations with two operands: numbers of 64 bits directly, everything else as Python does. */
#include "record.h"

static PyObject *(*const number_functions[])(PyObject *, PyObject *) = {
    [OP_ADD] = PyNumber_Add, [OP_SUBTRACT] = PyNumber_Subtract, [OP_MULTIPLY] = PyNumber_Multiply,
    [OP_DIVIDE] = PyNumber_FloorDivide, [OP_MODULO] = PyNumber_Remainder, [OP_SHIFT_LEFT] = PyNumber_Lshift,
    [OP_SHIFT_RIGHT] = PyNumber_Rshift, [OP_BIT_AND] = PyNumber_And, [OP_BIT_OR] = PyNumber_Or,
    [OP_BIT_XOR] = PyNumber_Xor,
};

static const int comparisons[] = {
    [OP_EQ] = Py_EQ, [OP_NE] = Py_NE, [OP_LT] = Py_LT, [OP_LE] = Py_LE, [OP_GT] = Py_GT, [OP_GE] = Py_GE,
};

/* 1 where the result is in `*out`; 0 where Python must compute it. */
static inline int
compute(int op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, out);
    case OP_SUBTRACT:
        return !__builtin_sub_overflow(a, b, out);
    case OP_MULTIPLY:
        return !__builtin_mul_overflow(a, b, out);
    case OP_BIT_AND:
        *out = a & b;
        return 1;
    case OP_BIT_OR:
        *out = a | b;
        return 1;
    case OP_BIT_XOR:
        *out = a ^ b;
        return 1;
    case OP_SHIFT_RIGHT:
        *out = a >> (b < 63 ? b : 63);
        return b >= 0;
    case OP_SHIFT_LEFT:
        return b >= 0 && b < 62 && a >= 0 && !__builtin_mul_overflow(a, (int64_t)1 << b, out);
    case OP_DIVIDE:
    case OP_MODULO: {
        if (b == 0 || b == -1) {
            return 0;
        }
        /* C rounds toward zero, Python down. */
        const int is_above = a % b != 0 && (a < 0) != (b < 0);
        *out = op == OP_DIVIDE ? a / b - is_above : a % b + (is_above ? b : 0);
        return 1;
    }
    }
    return 0;
}

/* The number of an operand that is there already: 1, or 0 where it must be evaluated. */
static inline int
known_number(const Node *node, const Frame *frame, int64_t *out)
{
    const Value *value = node->op == OP_VARIABLE ? &frame->variables[node->number] : &node->constant;
    *out = value->number;
    return node->op <= OP_VARIABLE && value->is_number;
}

static PyObject *
joined(PyObject *left, PyObject *right)
{
    const Py_ssize_t size = PyBytes_GET_SIZE(left);
    PyObject *made = PyBytes_FromStringAndSize(NULL, size + PyBytes_GET_SIZE(right));
    if (made != NULL) {
        memcpy(PyBytes_AS_STRING(made), PyBytes_AS_STRING(left), (size_t)size);
        memcpy(PyBytes_AS_STRING(made) + size, PyBytes_AS_STRING(right), (size_t)PyBytes_GET_SIZE(right));
    }
    return made;
}

static PyObject *
compute_objects(int op, PyObject *left, PyObject *right)
{
    if (op == OP_ADD && PyBytes_CheckExact(left) && PyBytes_CheckExact(right)) {
        return joined(left, right);
    }
    return number_functions[op](left, right);
}

int
evaluate_binary(Node *node, Frame *frame, Value *out)
{
    Value left, right;
    int64_t a_number, b_number, number;
    if (known_number(node->operands[0], frame, &a_number) && known_number(node->operands[1], frame, &b_number) &&
        compute(node->op, a_number, b_number, &number)) {
        *out = value_of_number(number);
        return 0;
    }
    if (evaluate(node->operands[0], frame, &left)) {
        return -1;
    }
    if (evaluate(node->operands[1], frame, &right)) {
        value_clear(&left);
        return -1;
    }
    int failed = 0;
    if (LIKELY(left.is_number && right.is_number) && compute(node->op, left.number, right.number, &number)) {
        *out = value_of_number(number);
    }
    else {
        PyObject *a = value_object(&left), *b = value_object(&right);
        PyObject *found = a == NULL || b == NULL ? NULL : compute_objects(node->op, a, b);
        failed = found == NULL ? -1 : 0;
        if (found != NULL) {
            *out = value_of_object(found, 1);
        }
    }
    value_clear(&left);
    value_clear(&right);
    return failed;
}

static inline int
compare(int op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    }
    return a >= b;
}

int
compared(int op, Value *left, Value *right)
{
    if (LIKELY(left->is_number && right->is_number)) {
        return compare(op, left->number, right->number);
    }
    PyObject *a = value_object(left), *b = value_object(right);
    PyObject *found = a == NULL || b == NULL ? NULL : PyObject_RichCompare(a, b, comparisons[op]);
    if (found == NULL) {
        return -1;
    }
    int truth = PyObject_IsTrue(found);
    Py_DECREF(found);
    return truth;
}

int
holds_comparison(Node *node, Frame *frame)
{
    Value left, right;
    int64_t a, b;
    if (node->op != OP_IS && known_number(node->operands[0], frame, &a) && known_number(node->operands[1], frame, &b)) {
        return compare(node->op, a, b);
    }
    if (evaluate(node->operands[0], frame, &left)) {
        return -1;
    }
    if (evaluate(node->operands[1], frame, &right)) {
        value_clear(&left);
        return -1;
    }
    int truth;
    if (node->op == OP_IS) {
        /* A bare number is no object yet, and so no other one. */
        truth = left.object != NULL && left.object == right.object;
    }
    else {
        truth = compared(node->op, &left, &right);
    }
    value_clear(&left);
    value_clear(&right);
    return truth;
}
