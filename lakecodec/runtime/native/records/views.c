/* What a walk keeps of fields that expressions only measure: where numbers, records and elements are, instead of objects. */
#include "unread.h"

int find_viewed(Program *program, const Step *step, PyObject *numbers) {
    const Program *target = (const Program *)step->target;
    for (Node *node = program->reader_nodes; node != NULL && PyDict_GET_SIZE(numbers); node = node->next) {
        const Node *of = node->op == OP_GET ? node->operands[0] : node;
        of = of->op == OP_ITEM ? of->operands[0] : of;
        if (node->op != OP_GET || of->op != OP_VARIABLE || of->number != step->variable) continue;
        PyObject *number = PyDict_GetItemWithError(numbers, node->constant.object);
        const Py_ssize_t place = number == NULL ? -1 : PyLong_AsSsize_t(number);
        if (step->kind != KIND_OF_RECORD || place < 0 || place >= target->step_count)
            return raise_error(PyExc_ValueError, "facts: not a number of a record");
        node->at = &target->steps[place];
    }
    return 0;
}

/* ---- making them ---- */

/* Room for the places of as many elements, each of which takes a byte or more but for few. */
static int begin_places(Step *step, Frame *frame, Value *out) {
    int64_t count;
    if (evaluate_number(step->count, frame, &count) || room_for(count, step->smallest, frame->span, frame->pos) < 0) return -1;
    PyObject *places = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * (int64_t)sizeof(int64_t)));
    *out = (Value){.object = places, .owned = 1, .view = VIEW_PLACES};
    return places == NULL ? -1 : 0;
}

void add_place(Value *places, int64_t place) { ((int64_t *)PyBytes_AS_STRING(places->object))[places->number++] = place; }

int walk_view(Step *step, Frame *frame) {
    Value *variable = &frame->variables[step->variable];
    const int64_t start = frame->pos;
    if (step->view == VIEW_PLACES && begin_places(step, frame, variable)) return -1;
    Value none;
    if (step->dimension == DIMENSION_INDEX ? read_list(step, frame)
                                           : read_sized(step, frame, NULL, step->view == VIEW_RECORD ? &none : NULL)) {
        return -1;
    }
    if (step->view != VIEW_PLACES) {
        const int64_t size = step->view == VIEW_NUMBERS ? fixed_kinds[step->kind].size : 1;
        *variable = (Value){
            .bytes = (const char *)frame->span->start + start,
            .number = (frame->pos - start) / size,
            .view = (uint8_t)step->view,
            .kind = (uint8_t)step->kind,
            .big = step->big | frame->big,
        };
    }
    return 0;
}

/* ---- asking them ---- */

static int number_in(int kind, int big, const uint8_t *p, int64_t *out) {
    const uint64_t bits = fixed_number(kind, big, p);
    *out = (int64_t)bits;
    return kind == KIND_OF_U64 && bits > INT64_MAX ? -1 : 0;
}

static int view_number(const Value *view, int64_t index, int64_t *out) {
    return number_in(view->kind, view->big, (const uint8_t *)view->bytes + index * fixed_kinds[view->kind].size, out);
}

int view_measure(int op, const Value *view, Value *out) {
    int64_t found = 0, number, before = INT64_MIN;
    for (int64_t i = 0; i < view->number; i++) {
        if (view_number(view, i, &number)) return -1;
        if (op == OP_SUM) {
            if (__builtin_add_overflow(found, number, &found)) return -1;
        } else if (op == OP_LARGEST) {
            found = i == 0 || number > found ? number : found;
        } else if (number < before)
            return give(out, value_of_truth(0));
        before = number;
    }
    *out = op == OP_ASCENDING ? (Value){.object = Py_True, .number = 1, .is_number = 1} : value_of_number(found);
    return 0;
}

/* The place of an element, or -1 where it is none; -2 where there is no such element. */
static int64_t place_of(const Value *places, Node *index, Frame *frame) {
    int64_t number;
    if (evaluate_number(index, frame, &number) || number < 0 || number >= places->number) return -2;
    return ((const int64_t *)PyBytes_AS_STRING(places->object))[number];
}

int view_attribute(const Node *node, Frame *frame, Value *out) {
    const Node *of = node->operands[0];
    const Value *view = viewed(of->op == OP_ITEM ? of->operands[0] : of, frame);
    const int64_t begin = view->view == VIEW_PLACES ? place_of(view, of->operands[1], frame) : 0;
    const uint8_t *start = view->view == VIEW_PLACES ? frame->span->start + begin : (const uint8_t *)view->bytes;
    int64_t number;
    if (begin < 0 || number_in(node->at->kind, node->at->big, start + node->at->offset, &number)) return -1;
    return give(out, value_of_number(number));
}

int view_item(const Value *view, Node *index, Frame *frame, Value *out) {
    int64_t number;
    if (view->view != VIEW_NUMBERS || evaluate_number(index, frame, &number) || number < 0 || number >= view->number ||
        view_number(view, number, &number)) {
        return -1;
    }
    return give(out, value_of_number(number));
}

int view_is_none(const Node *of, Frame *frame) {
    const Value *view = viewed_item(of, frame);
    if (of->op != OP_ITEM || view->view != VIEW_PLACES) return 0;
    const int64_t place = place_of(view, of->operands[1], frame);
    return place == -2 ? -1 : place == -1;
}
