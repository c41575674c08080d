/* The functions of expressions. */
#include "struct_of_arrays.h"
#include "unread.h"

/* Whether texts, which stand in the slot of each element or are the elements themselves, ascend. */
static int elements_ascend(PyObject *list, PyTypeObject *type, Py_ssize_t slot) {
    PyObject *before = NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *element = PyList_GET_ITEM(list, i), *text = element;
        if (slot) text = Py_IS_TYPE(element, type) ? *(PyObject **)((char *)element + slot) : NULL;
        if (text == NULL || !PyUnicode_CheckExact(text) || (before != NULL && PyUnicode_Compare(before, text) >= 0)) return 0;
        before = text;
    }
    return 1;
}

/* Whether an attribute of each element is a text that is larger than the one before, and so unlike all others; 0 where
 * that is not so, or must be found out in another way. */
static int texts_ascend(const Node *each, const Frame *frame) {
    const Node *operand = each->operands[0];
    PyObject *list = operand->op == OP_VARIABLE ? frame->variables[operand->number].object : NULL;
    if (list == NULL) return 0;
    PyObject *field = field_of_arrays(list, each->constant.object);
    if (field != NULL) return is_texts(field) ? texts_are_ascending(field) : elements_ascend(field, NULL, 0);
    if (!PyList_CheckExact(list) || !PyList_GET_SIZE(list)) return 0;
    PyTypeObject *type = Py_TYPE(PyList_GET_ITEM(list, 0));
    const Py_ssize_t slot = slot_of(type, each->constant.object);
    return slot && elements_ascend(list, type, slot);
}

static int is_unique(PyObject *list) {
    PyObject *set = PySet_New(list);
    if (set == NULL) return -1;
    Py_ssize_t count = PyObject_Size(list);
    int unique = count < 0 ? -1 : PySet_GET_SIZE(set) == count;
    Py_DECREF(set);
    return unique;
}

static int is_ascending(PyObject *list) {
    PyObject *fast = PySequence_Fast(list, "a list is needed");
    int ascending = fast == NULL ? -1 : 1;
    for (Py_ssize_t i = 1; ascending == 1 && i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *before = PySequence_Fast_GET_ITEM(fast, i - 1), *after = PySequence_Fast_GET_ITEM(fast, i);
        if (PyUnicode_CheckExact(before) && PyUnicode_CheckExact(after)) {
            ascending = PyUnicode_Compare(before, after) <= 0;
        } else {
            Value left = value_of_object(before, 0), right = value_of_object(after, 0);
            ascending = compared(OP_LE, &left, &right);
        }
    }
    Py_XDECREF(fast);
    return ascending;
}

static int is_permutation(PyObject *list) {
    Numbers numbers;
    if (numbers_begin(&numbers, list)) return -1;
    char *seen = PyMem_Calloc((size_t)numbers.count + 1, 1);
    int permutation = seen == NULL ? -1 : 1;
    for (Py_ssize_t i = 0; permutation == 1 && i < numbers.count; i++) {
        const Py_ssize_t number = numbers_at(&numbers, i);
        permutation = number >= 0 && number < numbers.count && !seen[number];
        if (permutation)
            seen[number] = 1;
        else
            PyErr_Clear();
    }
    PyMem_Free(seen);
    numbers_end(&numbers);
    return permutation;
}

static int bit_length(const Value *value, Value *out) {
    if (!value->is_number) return -1;
    uint64_t size = value->number < 0 ? 0 - (uint64_t)value->number : (uint64_t)value->number;
    return give(out, value_of_number(size == 0 ? 0 : 64 - __builtin_clzll(size)));
}

/* What is the largest or smallest of several, which stays in its place. */
static int choose(const Node *node, Value *values, Value *out) {
    int chosen = 0;
    for (int i = 1; i < node->count; i++) {
        int better = compared(node->op == OP_MAX ? OP_GT : OP_LT, &values[i], &values[chosen]);
        if (better < 0) return -1;
        chosen = better ? i : chosen;
    }
    *out = values[chosen];
    values[chosen] = (Value){0};
    return 0;
}

static int in_range(Value *values, Value *out) {
    if (compared(OP_LE, &values[1], &values[0]) != 1 || compared(OP_LE, &values[0], &values[2]) != 1) return -1;
    *out = values[0];
    values[0] = (Value){0};
    return 0;
}

static int call_python(const Node *node, Value *values, Value *out) {
    PyObject *arguments[MAX_OPERANDS];
    for (int i = 0; i < node->count; i++) {
        arguments[i] = value_object(&values[i]);
        if (arguments[i] == NULL) return -1;
    }
    PyObject *found;
    if (node->op == OP_LIST) {
        found = PyList_New(node->count);
        for (int i = 0; found != NULL && i < node->count; i++) PyList_SET_ITEM(found, i, Py_NewRef(arguments[i]));
    } else {
        found = PyObject_Vectorcall(node->constant.object, arguments, (size_t)node->count, NULL);
    }
    return give_object(out, found);
}

/* A property of values; packed numbers of no bits are all 0, however many there are. */
static int has_property(int op, PyObject *values) {
    if (bits_are_zeros(values)) return op == OP_ASCENDING || bits_count(values) <= 1;
    return op == OP_UNIQUE ? is_unique(values) : op == OP_ASCENDING ? is_ascending(values) : is_permutation(values);
}

static int truth_of(int truth, Value *out) {
    if (truth < 0) return -1;
    return give(out, value_of_truth(truth));
}

static int of_bits(const Node *node, PyObject *bits, Frame *frame, Value *out) {
    int64_t number;
    if (node->op == OP_SUM ? bits_total(bits, frame->span, &number) : bits_largest(bits, frame->span, &number)) return -1;
    return give(out, value_of_number(number));
}

/* The sum or the largest of bytes. */
static int of_bytes(const Node *node, const char *bytes, int64_t size, Value *out) {
    const uint8_t *start = (const uint8_t *)bytes;
    int64_t total = 0;
    uint8_t largest = 0;
    if (node->op == OP_SUM) {
        for (int64_t i = 0; i < size; i++) total += start[i];
    } else {
        for (int64_t i = 0; i < size; i++) largest = start[i] > largest ? start[i] : largest;
    }
    return give(out, value_of_number(node->op == OP_SUM ? total : largest));
}

/* The sum or the largest of a list of numbers: 1, or 0 where Python must compute it. */
static int of_numbers(const Node *node, PyObject *list, Value *out) {
    int64_t found = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        const Value value = PyLong_CheckExact(item) ? value_of_object(item, 0) : (Value){0};
        if (!value.is_number) return 0;
        if (node->op == OP_LARGEST)
            found = i == 0 || value.number > found ? value.number : found;
        else if (__builtin_add_overflow(found, value.number, &found))
            return 0;
    }
    *out = value_of_number(found);
    return 1;
}

static int call_with(Node *node, Frame *frame, Value *values, Value *out) {
    PyObject *first = values[0].object;
    switch (node->op) {
    case OP_LAST: return get_last(first, out);
    case OP_SLICE: return get_slice(first, &values[1], &values[2], out);
    case OP_EACH: return first == NULL ? -1 : each_attribute(node, first, out);
    case OP_UNIQUE:
    case OP_ASCENDING:
    case OP_IS_PERMUTATION: return first == NULL ? -1 : truth_of(has_property(node->op, first), out);
    case OP_BIT_LENGTH: return bit_length(&values[0], out);
    case OP_INT: *out = value_of_number(values[0].number); return values[0].is_number ? 0 : -1;
    case OP_MAX:
    case OP_MIN: return choose(node, values, out);
    case OP_IN_RANGE: return in_range(values, out);
    case OP_CONTAINS:
        if (first == NULL || !PyList_CheckExact(first)) break;
        return value_object(&values[1]) == NULL ? -1 : truth_of(PySequence_Contains(first, values[1].object), out);
    case OP_SUM:
    case OP_LARGEST:
        if (first != NULL && is_bits(first)) return of_bits(node, first, frame, out);
        if (first != NULL && PyBytes_CheckExact(first)) return of_bytes(node, PyBytes_AS_STRING(first), PyBytes_GET_SIZE(first), out);
        if (first != NULL && PyList_CheckExact(first) && of_numbers(node, first, out)) return 0;
    }
    const int found = node->op < FIRST_KERNEL ? 0 : run_kernel(node, values, out);
    return found ? (found < 0 ? -1 : 0) : call_python(node, values, out);
}

/* The sum of the last bytes of others, without an object for them: 1, 0 where they must be evaluated, or -1. */
static int sum_of_rest(const Node *node, Frame *frame, Value *out) {
    const Node *slice = node->operands[0];
    const char *start;
    int64_t size, low;
    if (slice->op != OP_SLICE || slice->operands[2]->op != OP_CONSTANT || slice->operands[2]->constant.object != Py_None ||
        !known_bytes(slice->operands[0], frame, &start, &size))
        return 0;
    if (evaluate_number(slice->operands[1], frame, &low)) return -1;
    low = low < 0 ? (low + size < 0 ? 0 : low + size) : low < size ? low : size;
    return of_bytes(node, start + low, size - low, out) ? -1 : 1;
}

/* Where a byte stands in two parts that are joined, without an object for both: 1, 0 where they must be evaluated. */
static int position_in_joined(const Node *node, Frame *frame, Value *out) {
    const Node *joined = node->operands[0];
    const char *left, *right;
    int64_t size, more, byte;
    if (joined->op != OP_ADD || node->count != 2 || !known_bytes(joined->operands[0], frame, &left, &size) ||
        !known_bytes(joined->operands[1], frame, &right, &more) || !known_number(node->operands[1], frame, &byte) || byte < 0 || byte > UINT8_MAX)
        return 0;
    const char *found = memchr(left, (int)byte, (size_t)size);
    const char *behind = found == NULL ? memchr(right, (int)byte, (size_t)more) : NULL;
    if (found == NULL && behind == NULL) return 0;
    *out = value_of_number(found != NULL ? found - left : size + (behind - right));
    return 1;
}

int call_function(Node *node, Frame *frame, Value *out) {
    Value values[MAX_OPERANDS];
    int failed = 0, made = 0;
    if (node->op == OP_POSITION && position_in_joined(node, frame, out)) return 0;
    if (node->op == OP_SUM) {
        const int summed = sum_of_rest(node, frame, out);
        if (summed) return summed < 0 ? -1 : 0;
    }
    if ((node->op == OP_UNIQUE || node->op == OP_ASCENDING) && node->operands[0]->op == OP_EACH && texts_ascend(node->operands[0], frame))
        return truth_of(1, out);
    if (node->op == OP_ASCENDING || node->op == OP_SUM || node->op == OP_LARGEST) {
        const Value *view = viewed(node->operands[0], frame);
        if (view != NULL) return view_measure(node->op, view, out);
    }
    values[0] = values[1] = (Value){0};
    while (made < node->count && !failed) {
        failed = evaluate(node->operands[made], frame, &values[made]);
        made += !failed;
    }
    if (!failed) {
        failed = call_with(node, frame, values, out);
        if (!failed) {
            /* It may be one of the operands. */
            value_own(out);
        }
    }
    while (made > 0) value_clear(&values[--made]);
    return failed;
}
