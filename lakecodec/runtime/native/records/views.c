/* What a walk keeps of fields that expressions only measure: where numbers, records and elements are, instead of objects. */
#include "unread.h"

/* ---- which fields ---- */

static int
is_variable(const Node *node, int variable)
{
    return node->op == OP_VARIABLE && node->number == variable;
}

static int
is_none(const Node *node)
{
    return node->op == OP_CONSTANT && node->constant.object == Py_None;
}

/* The number at the same place in all instances of a record that a name stands for, or NULL. */
static const Step *
number_at(const Program *program, PyObject *name)
{
    const Py_ssize_t slot = program->is_codec || program->is_choice || program->order != NULL ? 0 : slot_of(program->cls, name);
    for (int i = 0; i < program->step_count && slot; i++) {
        const Step *step = &program->steps[i];
        if (step->slot == slot) {
            return step->is_plain && step->offset >= 0 && step->kind <= KIND_OF_I64 ? step : NULL;
        }
    }
    return NULL;
}

/* Whether an operation needs no object of its operand, which is the variable of a list of numbers. */
static int
measures_numbers(const Node *node, int variable)
{
    switch (node->op) {
    case OP_COUNT:
    case OP_SUM:
    case OP_LARGEST:
    case OP_ASCENDING:
        return node->count == 1 && is_variable(node->operands[0], variable);
    case OP_ITEM:
        return is_variable(node->operands[0], variable) && !is_variable(node->operands[1], variable);
    case OP_IS:
        return is_variable(node->operands[0], variable) && is_none(node->operands[1]);
    }
    return 0;
}

/* The same where it is that of a record, or of a list of them. */
static int
measures_records(Node *node, const Step *step)
{
    const int is_list = step->dimension != DIMENSION_NONE;
    const Node *item = node->count ? node->operands[0] : NULL;
    if (is_list && item != NULL && item->op == OP_ITEM && is_variable(item->operands[0], step->variable) &&
        !is_variable(item->operands[1], step->variable)) {
        item = item->operands[0];
    }
    else if (is_list && node->op != OP_COUNT && node->op != OP_IS) {
        return 0;
    }
    if (item == NULL || !is_variable(item, step->variable)) {
        return 0;
    }
    if (node->op == OP_GET) {
        node->at = number_at((const Program *)step->target, node->constant.object);
        return node->at != NULL;
    }
    return node->op == OP_IS ? is_none(node->operands[1]) : node->op == OP_COUNT && item == node->operands[0] && is_list;
}

static int
view_of(const Program *program, const Step *step)
{
    const int is_record = step->kind == KIND_OF_RECORD && !step->coded && !step->coding_count;
    const int is_counted = step->dimension == DIMENSION_COUNT || step->dimension == DIMENSION_INDEX;
    const int is_numbers = step->is_number && step->kind <= KIND_OF_I64 && step->dimension == DIMENSION_COUNT;
    int used = 0, measured = 0;
    if (step->has_captures || (is_record && is_counted && step->smallest < 0) || step->state != STATE_NONE || !(is_numbers || (is_record && (is_counted || step->dimension == DIMENSION_NONE)))) {
        return VIEW_NONE;
    }
    for (Node *node = program->reader_nodes; node != NULL; node = node->next) {
        used += (node->op == OP_VARIABLE || node->op == OP_EVERY) && node->number == step->variable;
        measured += is_numbers ? measures_numbers(node, step->variable) : measures_records(node, step);
    }
    return used != measured ? VIEW_NONE : is_numbers ? VIEW_NUMBERS : is_counted ? VIEW_PLACES : VIEW_RECORD;
}

void
find_views(Program *program)
{
    for (int i = 0; i < program->step_count; i++) {
        Step *step = &program->steps[i];
        step->view = step->is_wanted ? view_of(program, step) : VIEW_NONE;
    }
}

/* ---- making them ---- */

/* Room for the places of as many elements, each of which takes a byte or more but for few. */
static int
begin_places(Step *step, Frame *frame, Value *out)
{
    int64_t count;
    if (evaluate_number(step->count, frame, &count) || room_for(count, step->smallest, frame->span, frame->pos) < 0) {
        return -1;
    }
    PyObject *places = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * (int64_t)sizeof(int64_t)));
    *out = (Value){.object = places, .owned = 1, .view = VIEW_PLACES};
    return places == NULL ? -1 : 0;
}

void
add_place(Value *places, int64_t place)
{
    ((int64_t *)PyBytes_AS_STRING(places->object))[places->number++] = place;
}

int
walk_view(Step *step, Frame *frame)
{
    Value *variable = &frame->variables[step->variable];
    const int64_t start = frame->pos;
    if (step->view == VIEW_PLACES && begin_places(step, frame, variable)) {
        return -1;
    }
    Value none;
    if (step->dimension == DIMENSION_INDEX ? walk_list(step, frame)
                                           : read_sized(step, frame, NULL, step->view == VIEW_RECORD ? &none : NULL)) {
        return -1;
    }
    if (step->view != VIEW_PLACES) {
        const int64_t size = step->view == VIEW_NUMBERS ? fixed_kinds[step->kind].size : 1;
        *variable = (Value){
            .bytes = (const char *)frame->span->start + start, .number = (frame->pos - start) / size, .view = (uint8_t)step->view,
            .kind = (uint8_t)step->kind, .big = step->big | frame->big,
        };
    }
    return 0;
}

/* ---- asking them ---- */

static int
number_in(int kind, int big, const uint8_t *p, int64_t *out)
{
    const uint64_t bits = fixed_number(kind, big, p);
    *out = (int64_t)bits;
    return kind == KIND_OF_U64 && bits > INT64_MAX ? -1 : 0;
}

static int
view_number(const Value *view, int64_t index, int64_t *out)
{
    return number_in(view->kind, view->big, (const uint8_t *)view->bytes + index * fixed_kinds[view->kind].size, out);
}

int
view_measure(int op, const Value *view, Value *out)
{
    int64_t found = 0, number, before = INT64_MIN;
    for (int64_t i = 0; i < view->number; i++) {
        if (view_number(view, i, &number)) {
            return -1;
        }
        if (op == OP_SUM) {
            if (__builtin_add_overflow(found, number, &found)) {
                return -1;
            }
        }
        else if (op == OP_LARGEST) {
            found = i == 0 || number > found ? number : found;
        }
        else if (number < before) {
            *out = (Value){.object = Py_False, .number = 0, .is_number = 1};
            return 0;
        }
        before = number;
    }
    *out = op == OP_ASCENDING ? (Value){.object = Py_True, .number = 1, .is_number = 1} : value_of_number(found);
    return 0;
}

/* The place of an element, or -1 where it is none; -2 where there is no such element. */
static int64_t
place_of(const Value *places, Node *index, Frame *frame)
{
    int64_t number;
    if (evaluate_number(index, frame, &number) || number < 0 || number >= places->number) {
        return -2;
    }
    return ((const int64_t *)PyBytes_AS_STRING(places->object))[number];
}

int
view_attribute(const Node *node, Frame *frame, Value *out)
{
    const Node *of = node->operands[0];
    const Value *view = viewed(of->op == OP_ITEM ? of->operands[0] : of, frame);
    const int64_t begin = view->view == VIEW_PLACES ? place_of(view, of->operands[1], frame) : 0;
    const uint8_t *start = view->view == VIEW_PLACES ? frame->span->start + begin : (const uint8_t *)view->bytes;
    int64_t number;
    if (begin < 0 || number_in(node->at->kind, node->at->big, start + node->at->offset, &number)) {
        return -1;
    }
    *out = value_of_number(number);
    return 0;
}

int
view_item(const Value *view, Node *index, Frame *frame, Value *out)
{
    int64_t number;
    if (view->view != VIEW_NUMBERS || evaluate_number(index, frame, &number) || number < 0 || number >= view->number ||
        view_number(view, number, &number)) {
        return -1;
    }
    *out = value_of_number(number);
    return 0;
}

int
view_is_none(const Node *of, Frame *frame)
{
    const Value *view = viewed_item(of, frame);
    if (of->op != OP_ITEM || view->view != VIEW_PLACES) {
        return 0;
    }
    const int64_t place = place_of(view, of->operands[1], frame);
    return place == -2 ? -1 : place == -1;
}
