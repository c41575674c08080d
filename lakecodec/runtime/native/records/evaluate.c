/* Evaluates expressions. */
#include "unread.h"

static int holds_every(Node *node, Frame *frame) {
    PyObject *list = frame->variables[node->number].object;
    Py_ssize_t count = list == NULL ? -1 : is_bits(list) ? (Py_ssize_t)bits_count(list) : PyObject_Size(list);
    if (count < 0 || (list != NULL && is_bits(list) && !bits_are_bounded(list, frame))) return -1;
    int truth = 1;
    for (frame->index = 0; frame->index < count && truth == 1; frame->index++) truth = holds(node->operands[0], frame);
    return truth;
}

static int bind(Node *node, Frame *frame);

int holds(Node *node, Frame *frame) {
    int truth;
    while (node->op == OP_NOT && node->operands[0]->op == OP_NOT) node = node->operands[0]->operands[0];
    switch (node->op) {
    case OP_IS:
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return holds_comparison(node, frame);
    case OP_AND:
    case OP_OR:
        for (int i = 0; i < node->count; i++) {
            truth = holds(node->operands[i], frame);
            if (truth != (node->op == OP_AND)) return truth;
        }
        return node->op == OP_AND;
    case OP_NOT: truth = holds(node->operands[0], frame); return truth < 0 ? -1 : !truth;
    case OP_EVERY: return holds_every(node, frame);
    case OP_LET: return bind(node, frame) ? -1 : holds(node->operands[node->count - 1], frame);
    }
    Value value;
    if (evaluate(node, frame, &value)) return -1;
    truth = value_truth(&value);
    value_clear(&value);
    return truth;
}

int checks_hold(const Nodes *checks, Frame *frame) {
    for (int i = 0; i < checks->count; i++) {
        Node *node = checks->items[i];
        int64_t a, b;
        /* The commonest check, without the calls. */
        if (node->op == OP_LE && known_number(node->operands[0], frame, &a) && known_number(node->operands[1], frame, &b)) {
            if (a > b) return -1;
        } else if (holds(node, frame) != 1) {
            return -1;
        }
    }
    return 0;
}

static int evaluate_truth(Node *node, Frame *frame, Value *out) {
    int truth = holds(node, frame);
    if (truth < 0) return -1;
    return give(out, value_of_truth(truth));
}

/* As Python does: the operand that decided. */
static int evaluate_boolean(Node *node, Frame *frame, Value *out) {
    for (int i = 0;; i++) {
        if (evaluate(node->operands[i], frame, out)) return -1;
        int truth = i + 1 == node->count ? 2 : value_truth(out);
        if (truth != (node->op == OP_AND)) {
            if (truth < 0) value_clear(out);
            return truth < 0 ? -1 : 0;
        }
        value_clear(out);
    }
}

/* Sets the variables that the body of a function sees. */
static int bind(Node *node, Frame *frame) {
    Value values[MAX_OPERANDS];
    int count = node->count - 1;
    for (int i = 0; i < count; i++) {
        if (evaluate(node->operands[i], frame, &values[i])) {
            while (i > 0) value_clear(&values[--i]);
            return -1;
        }
    }
    for (int i = 0; i < count; i++) {
        value_clear(&frame->variables[node->number + i]);
        frame->variables[node->number + i] = values[i];
    }
    return 0;
}

/* The value of an element, where the condition holds for it; 0 where it does not. */
static int evaluate_element(Node *node, Frame *frame, PyObject *item, Value *out) {
    Value *variable = &frame->variables[node->number];
    value_clear(variable);
    *variable = value_of_object(Py_NewRef(item), 1);
    const int truth = holds(node->operands[1], frame);
    return truth <= 0 ? truth : evaluate(node->operands[2], frame, out) ? -1 : 1;
}

/* A list of what elements give, or the last of the numbers that they make of each other. */
static int evaluate_loop(Node *node, Frame *frame, Value *out) {
    Value values, *total = &frame->variables[node->number + 1];
    const int is_fold = node->count == 4;
    if (evaluate(node->operands[0], frame, &values)) return -1;
    PyObject *items = value_object(&values) == NULL ? NULL : PySequence_Fast(values.object, "a list is needed");
    PyObject *found = is_fold ? NULL : PyList_New(0);
    int64_t number = 0;
    int failed = items == NULL || (is_fold ? evaluate_number(node->operands[3], frame, &number) : found == NULL);
    for (Py_ssize_t i = 0; !failed && i < PySequence_Fast_GET_SIZE(items); i++) {
        Value value;
        if (is_fold) {
            value_clear(total);
            *total = value_of_number(number);
        }
        const int is_there = evaluate_element(node, frame, PySequence_Fast_GET_ITEM(items, i), &value);
        failed = is_there < 0;
        if (is_there == 1) {
            failed = is_fold ? value_number(&value, &number) : PyList_Append(found, value_object(&value));
            value_clear(&value);
        }
    }
    value_clear(&values);
    Py_XDECREF(items);
    if (failed) return give_up(found);
    *out = is_fold ? value_of_number(number) : value_of_object(found, 1);
    return 0;
}

static int evaluate_if(Node *node, Frame *frame, Value *out) {
    int truth = holds(node->operands[0], frame);
    return truth < 0 ? -1 : evaluate(node->operands[truth ? 1 : 2], frame, out);
}

static int evaluate_count(Node *node, Frame *frame, Value *out) {
    Value counted;
    const Value *view = viewed(node->operands[0], frame);
    if (view != NULL) return give(out, value_of_number(view->number));
    if (evaluate(node->operands[0], frame, &counted)) return -1;
    int failed = get_count(counted.object, out);
    value_clear(&counted);
    return failed;
}

static int evaluate_attribute(Node *node, Frame *frame, Value *out) {
    Value holder;
    if (node->at != NULL && viewed_item(node->operands[0], frame) != NULL) return view_attribute(node, frame, out);
    if (evaluate(node->operands[0], frame, &holder)) return -1;
    int failed = holder.object == NULL ? -1 : get_attribute(node, holder.object, out);
    value_clear(&holder);
    return failed;
}

/* A number between constants; of anything else Python compares. */
static int evaluate_in_range(Node *node, Frame *frame, Value *out) {
    int64_t low, high;
    if (!known_number(node->operands[1], frame, &low) || !known_number(node->operands[2], frame, &high))
        return call_function(node, frame, out);
    if (evaluate(node->operands[0], frame, out)) return -1;
    if (out->is_number && low <= out->number && out->number <= high) return 0;
    const int is_number = out->is_number;
    value_clear(out);
    return is_number ? -1 : call_function(node, frame, out);
}

static int evaluate_item(Node *node, Frame *frame, Value *out) {
    Value list, place;
    const Value *view = viewed(node->operands[0], frame);
    if (view != NULL) return view_item(view, node->operands[1], frame, out);
    if (evaluate(node->operands[0], frame, &list)) return -1;
    int failed = evaluate(node->operands[1], frame, &place);
    if (!failed) {
        failed = get_item(list.object, &place, frame, out);
        value_clear(&place);
    }
    value_clear(&list);
    return failed;
}

int filling(Node *node, Frame *frame, int64_t *byte, int64_t *count) {
    return evaluate_number(node->operands[0], frame, byte) || evaluate_number(node->operands[1], frame, count) || *byte < 0 || *byte > 255
               ? -1
               : 0;
}

/* Equal bytes, of which there are none where the number is negative. */
static int evaluate_fill(Node *node, Frame *frame, Value *out) {
    int64_t byte, count;
    if (filling(node, frame, &byte, &count)) return -1;
    PyObject *made = PyBytes_FromStringAndSize(NULL, count < 0 ? 0 : (Py_ssize_t)count);
    if (made != NULL) memset(PyBytes_AS_STRING(made), (int)byte, (size_t)PyBytes_GET_SIZE(made));
    return give_made(out, made);
}

int evaluate_operation(Node *node, Frame *frame, Value *out) {
    switch (node->op) {
    case OP_INDEX: return give(out, value_of_number(frame->index));
    case OP_POS: return give(out, value_of_number(frame->pos));
    case OP_END:
        if (frame->span->end < 0) return -1;
        return give(out, value_of_number(frame->span->end));
    case OP_BEGIN: return give(out, value_of_number(frame->span->begin));
    case OP_BASE: {
        PyObject *base = frame->around != NULL ? frame->around->base : frame->reader->base;
        if (base == NULL) return -1;
        return give(out, value_of_object(base, 0));
    }
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_MODULO:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT:
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR: return evaluate_binary(node, frame, out);
    case OP_IS:
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_NOT:
    case OP_EVERY: return evaluate_truth(node, frame, out);
    case OP_AND:
    case OP_OR: return evaluate_boolean(node, frame, out);
    case OP_LET: return bind(node, frame) ? -1 : evaluate(node->operands[node->count - 1], frame, out);
    case OP_LOOP: return evaluate_loop(node, frame, out);
    case OP_IF: return evaluate_if(node, frame, out);
    case OP_COUNT: return evaluate_count(node, frame, out);
    case OP_GET: return evaluate_attribute(node, frame, out);
    case OP_IN_RANGE: return evaluate_in_range(node, frame, out);
    case OP_BYTES: return evaluate_bytes(node, frame, out);
    case OP_ALL_BUT: return evaluate_all_but(node, frame, out);
    case OP_PLACED_OFFSET:
    case OP_PLACED_SIZE: return evaluate_placed(node, frame, out);
    case OP_ENCODED: return evaluate_encoded(node, frame, out);
    case OP_FILL: return evaluate_fill(node, frame, out);
    case OP_ITEM: return evaluate_item(node, frame, out);
    }
    return call_function(node, frame, out);
}

int evaluate_number(Node *node, Frame *frame, int64_t *out) {
    Value value;
    if (known_number(node, frame, out)) return 0;
    if (evaluate(node, frame, &value)) return -1;
    int failed = value_number(&value, out);
    value_clear(&value);
    return failed;
}

int evaluate_objects(const Nodes *nodes, Frame *frame, PyObject **out) {
    for (int i = 0; i < nodes->count; i++) {
        Value value;
        if (evaluate(nodes->items[i], frame, &value)) {
            release(out, i);
            return -1;
        }
        out[i] = Py_XNewRef(value_object(&value));
        value_clear(&value);
        if (out[i] == NULL) {
            release(out, i);
            return -1;
        }
    }
    return nodes->count;
}

void release(PyObject **objects, int count) {
    while (count > 0) Py_DECREF(objects[--count]);
}
