/* Operations with two operands: numbers of 64 bits directly, everything else as Python does. */
#include "unread.h"

static PyObject *(*const number_functions[])(PyObject *, PyObject *) = {
    [OP_ADD] = PyNumber_Add,
    [OP_SUBTRACT] = PyNumber_Subtract,
    [OP_MULTIPLY] = PyNumber_Multiply,
    [OP_DIVIDE] = PyNumber_FloorDivide,
    [OP_MODULO] = PyNumber_Remainder,
    [OP_SHIFT_LEFT] = PyNumber_Lshift,
    [OP_SHIFT_RIGHT] = PyNumber_Rshift,
    [OP_BIT_AND] = PyNumber_And,
    [OP_BIT_OR] = PyNumber_Or,
    [OP_BIT_XOR] = PyNumber_Xor,
};

static const int comparisons[] = {
    [OP_EQ] = Py_EQ, [OP_NE] = Py_NE, [OP_LT] = Py_LT, [OP_LE] = Py_LE, [OP_GT] = Py_GT, [OP_GE] = Py_GE,
};

/* 1 where the result is in `*out`; 0 where Python must compute it. */
static inline int compute(int op, int64_t a, int64_t b, int64_t *out) {
    switch (op) {
    case OP_ADD: return !__builtin_add_overflow(a, b, out);
    case OP_SUBTRACT: return !__builtin_sub_overflow(a, b, out);
    case OP_MULTIPLY: return !__builtin_mul_overflow(a, b, out);
    case OP_BIT_AND: *out = a & b; return 1;
    case OP_BIT_OR: *out = a | b; return 1;
    case OP_BIT_XOR: *out = a ^ b; return 1;
    case OP_SHIFT_RIGHT: *out = a >> (b < 63 ? b : 63); return b >= 0;
    case OP_SHIFT_LEFT: return b >= 0 && b < 62 && a >= 0 && !__builtin_mul_overflow(a, (int64_t)1 << b, out);
    case OP_DIVIDE:
    case OP_MODULO: {
        if (b == 0 || b == -1) return 0;
        /* C rounds toward zero, Python down. */
        const int is_above = a % b != 0 && (a < 0) != (b < 0);
        *out = op == OP_DIVIDE ? a / b - is_above : a % b + (is_above ? b : 0);
        return 1;
    }
    }
    return 0;
}

/* The bound of a slice, which stays as it is where there is none: 1, or 0 where it must be evaluated. */
static int known_bound(const Node *node, const Frame *frame, int64_t *bound) {
    int64_t number;
    if (known_number(node, frame, &number)) {
        *bound = number;
        return 1;
    }
    return node->op == OP_CONSTANT && node->constant.object == Py_None;
}

int known_bytes(const Node *node, const Frame *frame, const char **start, int64_t *size) {
    if (node->op == OP_VARIABLE || node->op == OP_CONSTANT) {
        const Value *value = node->op == OP_VARIABLE ? &frame->variables[node->number] : &node->constant;
        if (value->object != NULL && PyBytes_CheckExact(value->object)) {
            *start = PyBytes_AS_STRING(value->object);
            *size = PyBytes_GET_SIZE(value->object);
            return 1;
        }
        *start = value->bytes;
        *size = value->number;
        return value->object == NULL && value->bytes != NULL;
    }
    int64_t low = 0, high = INT64_MAX;
    if (node->op != OP_SLICE || !known_bytes(node->operands[0], frame, start, size) || !known_bound(node->operands[1], frame, &low) ||
        !known_bound(node->operands[2], frame, &high) || low < 0 || high < low) {
        return 0;
    }
    const int64_t first = low < *size ? low : *size;
    *start += first;
    *size = (high < *size ? high : *size) - first;
    return 1;
}

/* Two parts as one object, without objects for the parts: 1, 0 where they must be evaluated, -1. */
static int join(const Node *node, const Frame *frame, Value *out) {
    const char *left, *right;
    int64_t size, more;
    if (!known_bytes(node->operands[0], frame, &left, &size) || !known_bytes(node->operands[1], frame, &right, &more)) return 0;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(size + more));
    if (made == NULL) return -1;
    memcpy(PyBytes_AS_STRING(made), left, (size_t)size);
    memcpy(PyBytes_AS_STRING(made) + size, right, (size_t)more);
    *out = (Value){.object = made, .owned = 1};
    return 1;
}

int evaluate_binary(Node *node, Frame *frame, Value *out) {
    Value left, right;
    int64_t a_number, b_number, number;
    if (known_number(node->operands[0], frame, &a_number) && known_number(node->operands[1], frame, &b_number) &&
        compute(node->op, a_number, b_number, &number))
        return give(out, value_of_number(number));
    if (node->op == OP_ADD) {
        int found = join(node, frame, out);
        if (found) return found < 0 ? -1 : 0;
    }
    if (evaluate(node->operands[0], frame, &left)) return -1;
    if (evaluate(node->operands[1], frame, &right)) {
        value_clear(&left);
        return -1;
    }
    int failed = 0;
    if (LIKELY(left.is_number && right.is_number) && compute(node->op, left.number, right.number, &number)) {
        *out = value_of_number(number);
    } else {
        PyObject *a = value_object(&left), *b = value_object(&right);
        PyObject *found = a == NULL || b == NULL ? NULL : number_functions[node->op](a, b);
        failed = found == NULL ? -1 : 0;
        if (found != NULL) *out = value_of_object(found, 1);
    }
    value_clear(&left);
    value_clear(&right);
    return failed;
}

static inline int compare(int op, int64_t a, int64_t b) {
    switch (op) {
    case OP_EQ: return a == b;
    case OP_NE: return a != b;
    case OP_LT: return a < b;
    case OP_LE: return a <= b;
    case OP_GT: return a > b;
    }
    return a >= b;
}

static int is_plain_text(PyObject *object) { return PyUnicode_CheckExact(object) && PyUnicode_IS_COMPACT_ASCII(object); }

int compared(int op, Value *left, Value *right) {
    if (LIKELY(left->is_number && right->is_number)) return compare(op, left->number, right->number);
    PyObject *a = value_object(left), *b = value_object(right);
    if ((op == OP_EQ || op == OP_NE) && a != NULL && b != NULL && is_plain_text(a) && is_plain_text(b)) {
        const Py_ssize_t size = PyUnicode_GET_LENGTH(a);
        return (size == PyUnicode_GET_LENGTH(b) && !memcmp(PyUnicode_DATA(a), PyUnicode_DATA(b), (size_t)size)) == (op == OP_EQ);
    }
    PyObject *found = a == NULL || b == NULL ? NULL : PyObject_RichCompare(a, b, comparisons[op]);
    if (found == NULL) return -1;
    int truth = PyObject_IsTrue(found);
    Py_DECREF(found);
    return truth;
}

/* Whether bytes are equal ones: 1, 0, or -1. */
static int is_filled(Node *node, Frame *frame) {
    const char *start;
    int64_t byte, count, size;
    if (!known_bytes(node->operands[0], frame, &start, &size) || filling(node->operands[1], frame, &byte, &count)) return -1;
    return size == (count < 0 ? 0 : count) && (size == 0 || (start[0] == (char)byte && !memcmp(start, start + 1, (size_t)size - 1)));
}

int holds_comparison(Node *node, Frame *frame) {
    Value left, right;
    int64_t a, b;
    if (node->op == OP_IS && viewed_item(node->operands[0], frame) != NULL) return view_is_none(node->operands[0], frame);
    if (node->op == OP_EQ && node->operands[1]->op == OP_FILL) return is_filled(node, frame);
    if (node->op != OP_IS && known_number(node->operands[0], frame, &a) && known_number(node->operands[1], frame, &b))
        return compare(node->op, a, b);
    const char *first, *second;
    if ((node->op == OP_EQ || node->op == OP_NE) && known_bytes(node->operands[0], frame, &first, &a) &&
        known_bytes(node->operands[1], frame, &second, &b)) {
        return (a == b && !memcmp(first, second, (size_t)a)) == (node->op == OP_EQ);
    }
    if (evaluate(node->operands[0], frame, &left)) return -1;
    if (evaluate(node->operands[1], frame, &right)) {
        value_clear(&left);
        return -1;
    }
    int truth;
    if (node->op == OP_IS) {
        /* A bare number is no object yet, and so no other one. */
        truth = left.object != NULL && left.object == right.object;
    } else {
        truth = compared(node->op, &left, &right);
    }
    value_clear(&left);
    value_clear(&right);
    return truth;
}
