/* Walking over records: every rule is checked, and no object made but for what expressions ask for. */
#include "unread.h"

#include "common/utf8.h"

/* ---- what is known before ---- */

void
find_wanted(Program *program)
{
    program->reader_nodes = program->nodes;
    for (int i = 0; i < program->step_count; i++) {
        Step *step = &program->steps[i];
        const int *captures = step->captures;
        step->is_wanted = step->state != STATE_NONE || captures[CAPTURE_SIZES] >= 0 || captures[CAPTURE_STARTS] >= 0 || captures[CAPTURE_RAW_SIZES] >= 0;
        step->is_scalar = step->dimension == DIMENSION_NONE && step->kind != KIND_OF_RECORD && !step->coded;
        for (const Node *node = program->nodes; node != NULL && !step->is_wanted; node = node->next) {
            step->is_wanted = (node->op == OP_VARIABLE || node->op == OP_EVERY) && node->number == step->variable;
        }
    }
}

/* Calls a function with each program that one refers to, until it gives 0. */
static int
all_targets(Program *program, int (*holds)(Program *))
{
    PyObject *value;
    Py_ssize_t place = 0;
    int all = 1;
    for (int i = 0; i < program->step_count && all; i++) {
        const Step *step = &program->steps[i];
        all = step->coded || step->kind == KIND_OF_RECORD ? holds((Program *)step->target) : 1;
    }
    while (all && program->table != NULL && PyDict_Next(program->table, &place, NULL, &value)) {
        all = holds((Program *)value);
    }
    for (int i = 0; i < program->chain_count && all; i++) {
        all = holds(program->chain[i].program);
    }
    return all && program->otherwise != NULL ? holds(program->otherwise) : all;
}

static int64_t marks;

/* Whether a program and all below it can be read from their bytes and parameters as often as anyone likes, natively. */
static int
can_be_walked(Program *program)
{
    if (program->mark == marks) {
        return 1;
    }
    program->mark = marks;
    if (!program->filled || program->places || program->state_count) {
        return 0;
    }
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        if (step->coding_count || step->siblings || step->kind == KIND_OF_STRUCT || step->kind == KIND_OF_BITS ||
            step->kind == KIND_OF_VALUES) {
            return 0;
        }
    }
    return all_targets(program, can_be_walked);
}

/* The bytes that a single element takes whatever they are, or -1. */
static int64_t
fixed_size_of(const Step *step)
{
    if (!step->is_direct || step->coded || step->coding_count) {
        return -1;
    }
    if (step->kind <= KIND_OF_F64) {
        return fixed_kinds[step->kind].size;
    }
    if (step->kind == KIND_OF_BYTES && step->terminator == NULL && step->length != NULL && step->length->op == OP_CONSTANT &&
        step->length->constant.is_number) {
        return step->length->constant.number;
    }
    return step->kind == KIND_OF_RECORD ? ((const Program *)step->target)->fixed_size : -1;
}

/* Neighbours of which nobody asks anything are stepped over as one. */
static void
find_runs(Program *program)
{
    int64_t size = 0;
    int is_fixed = !program->is_choice && !program->checks.count;
    for (int i = program->step_count - 1; i >= 0; i--) {
        Step *step = &program->steps[i];
        const Step *next = i + 1 < program->step_count ? step + 1 : NULL;
        size = step->is_wanted || step->has_captures || step->checks.count ? -1 : fixed_size_of(step);
        step->run_size = size;
        step->run_count = 1;
        step->is_unseen = step->is_direct && !step->is_wanted && !step->has_captures && !step->checks.count;
        if (size < 0 || size > INT32_MAX) {
            step->run_size = -1;
            is_fixed = 0;
        }
        else if (next != NULL && next->run_size >= 0) {
            step->run_size += next->run_size;
            step->run_count += next->run_count;
        }
    }
    program->fixed_size = !is_fixed ? -1 : program->step_count ? program->steps[0].run_size : 0;
}

static void
find_places(Program *program)
{
    int64_t offset = 0;
    for (int i = 0; i < program->step_count; i++) {
        Step *step = &program->steps[i];
        step->offset = offset;
        const int64_t size = offset < 0 ? -1 : fixed_size_of(step);
        offset = size < 0 ? -1 : offset + size;
    }
}

/* Whether an instance is large enough to be worth waiting for. */
static int
is_worth_it(const Program *program)
{
    int large = 0;
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        large |= step->kind > KIND_OF_BOOL8 || step->dimension != DIMENSION_NONE;
    }
    return program->step_count > (large ? 1 : 5);
}

static int
prepare_each(Program *program)
{
    if (program->is_prepared || !program->filled) {
        return 1;
    }
    program->is_prepared = 1;
    program->fixed_size = -1; /* of what holds itself */
    all_targets(program, prepare_each);
    marks++;
    program->is_walkable = can_be_walked(program);
    find_runs(program);
    find_places(program);
    find_views(program);
    program->is_lazy = program->is_walkable && program->is_slotted && !program->is_codec && !program->is_choice && !program->is_bare &&
                       !program->is_repeatable && is_worth_it(program) && let_wait(program->cls, get_waiting, read_waiting);
    return 1;
}

void
prepare(Program *program)
{
    prepare_each(program);
}

/* ---- elements ---- */

static inline int
step_over(Frame *frame, int64_t size)
{
    if (size < 0 || size > frame->span->end - frame->pos) {
        return -1;
    }
    frame->pos += size;
    return 0;
}

static int
walk_record(Step *step, Frame *frame)
{
    Program *program = (Program *)step->target;
    if (program->fixed_size >= 0) {
        return step_over(frame, program->fixed_size);
    }
    Value arguments[MAX_OPERANDS], none;
    const int count = evaluate_all(&step->arguments, frame, arguments);
    if (count < 0) {
        return -1;
    }
    while (program != NULL && program->is_choice && program->param_count == count) {
        program = choose_alternative(program, frame->reader, frame->span, frame->pos, arguments);
    }
    int failed;
    if (program == NULL) {
        failed = -1;
    }
    else if (program->fixed_size >= 0) {
        failed = step_over(frame, program->fixed_size);
    }
    else if (program->param_count == count && !program->is_choice && !program->is_bare && frame->reader->depth > 0) {
        failed = walk_program(frame->reader, program, frame->span, &frame->pos, arguments);
    }
    else {
        failed = read_program(frame->reader, program, frame->span, &frame->pos, arguments, count, NULL, &none);
    }
    values_clear(arguments, count);
    return failed;
}

static int
walk_text(Step *step, Frame *frame)
{
    const int64_t start = frame->pos;
    int64_t size, behind;
    if (text_size(step, frame, &size, &behind) || step_over(frame, size + behind)) {
        return -1;
    }
    return step->kind == KIND_OF_BYTES || row_utf8_valid(frame->span->start + start, size) ? 0 : -1;
}

int
walk_element(Step *step, Frame *frame, State *list_states)
{
    if (step->coded) {
        Value value;
        frame->reader->walks = 0;
        int failed = read_coded(step, frame, list_states, &value);
        frame->reader->walks = 1;
        if (!failed) {
            value_clear(&value);
        }
        return failed;
    }
    if (step->kind == KIND_OF_RECORD) {
        return walk_record(step, frame);
    }
    if (step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8) {
        return walk_text(step, frame);
    }
    if (step->kind == KIND_OF_PART) {
        return 0;
    }
    if (step->kind <= KIND_OF_F64) {
        return step_over(frame, fixed_kinds[step->kind].size);
    }
    const uint8_t *p = frame->span->start + frame->pos;
    uint64_t bits;
    if (number_bits(step->kind, 0, &p, frame->span->start + frame->span->end, &bits)) {
        return -1;
    }
    frame->pos = p - frame->span->start;
    return 0;
}

/* ---- lists ---- */

static int
walk_item(Step *step, Frame *frame, int64_t index)
{
    Value none, *places = step->view == VIEW_PLACES ? &frame->variables[step->variable] : NULL;
    frame->index = index;
    const int truth = step->dimension != DIMENSION_INDEX || step->present == NULL ? 1 : holds(step->present, frame);
    if (places != NULL && truth >= 0) {
        add_place(places, truth ? frame->pos : -1);
    }
    if (truth <= 0) {
        return truth || took_nothing(frame->reader, 1) ? -1 : 0;
    }
    const int64_t start = frame->pos;
    const int failed = step->dimension != DIMENSION_INDEX ? walk_element(step, frame, NULL) : read_sized(step, frame, NULL, &none);
    return failed || (frame->pos == start && took_nothing(frame->reader, 8)) ? -1 : 0;
}

/* The bytes of each element where all take as many and nothing else is to be known; 0 where not. */
static int64_t
size_of_each(const Step *step)
{
    if (step->dimension == DIMENSION_INDEX || step->coded) {
        return 0;
    }
    const int64_t size = step->kind <= KIND_OF_F64        ? fixed_kinds[step->kind].size
                         : step->kind == KIND_OF_RECORD ? ((const Program *)step->target)->fixed_size
                                                        : 0;
    return size < 0 ? 0 : size;
}

static int
walk_counted(Step *step, Frame *frame)
{
    int64_t count;
    if (evaluate_number(step->count, frame, &count) ||
        (step->smallest >= 0 && room_for(count, step->smallest, frame->span, frame->pos) < 0)) {
        return -1;
    }
    const int64_t size = step->view == VIEW_PLACES ? 0 : size_of_each(step);
    if (size > 0) {
        return count > (frame->span->end - frame->pos) / size ? -1 : step_over(frame, count <= 0 ? 0 : count * size);
    }
    for (int64_t i = 0; i < count; i++) {
        if (walk_item(step, frame, i)) {
            return -1;
        }
    }
    return 0;
}

int
walk_list(Step *step, Frame *frame)
{
    if (step->dimension == DIMENSION_COUNT || step->dimension == DIMENSION_INDEX) {
        return walk_counted(step, frame);
    }
    const int64_t size = step->dimension == DIMENSION_REST ? size_of_each(step) : 0;
    if (size > 0) {
        const int64_t left = frame->span->end - frame->pos;
        return left % size ? -1 : step_over(frame, left);
    }
    for (int64_t i = 0; step->dimension == DIMENSION_UNTIL || frame->pos < frame->span->end; i++) {
        const int64_t start = frame->pos;
        if (walk_item(step, frame, i) || frame->pos == start) {
            return -1;
        }
        if (step->dimension == DIMENSION_UNTIL) {
            const int truth = holds(step->count, frame);
            if (truth) {
                return truth < 0 ? -1 : 0;
            }
        }
    }
    return 0;
}

/* ---- records ---- */

static int
walk_fields(const Program *program, Frame *frame)
{
    Reader *reader = frame->reader;
    for (int i = 0; i < program->step_count;) {
        Step *step = &program->steps[i];
        if (step->run_size >= 0) {
            if (step_over(frame, step->run_size)) {
                return -1;
            }
            i += step->run_count;
            continue;
        }
        frame->skips = !step->is_wanted || step->view;
        reader->walks = frame->skips || step->is_scalar;
        const int failed = step->is_unseen ? walk_element(step, frame, NULL) : read_field(step, frame, NULL);
        reader->walks = 1;
        if (failed) {
            return -1;
        }
        i++;
    }
    return program->checks.count ? checks_hold(&program->checks, frame) : 0;
}

int
walk_program(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments)
{
    Value variables[program->variable_count + 1];
    for (int i = 0; i < program->param_count; i++) {
        variables[i] = value_borrowed(&arguments[i]);
    }
    for (int i = program->param_count; i < program->variable_count; i++) {
        variables[i] = (Value){0};
    }
    Frame frame = {.program = program, .reader = reader, .span = span, .pos = *pos, .variables = variables};
    const int64_t makes_entry = program->is_lazy && program->fixed_size < 0, entry = makes_entry ? begin_entry(reader, span) : 0;
    reader->depth -= program->nests;
    int failed = entry < 0 || (program->order != NULL && set_order(program, &frame)) || walk_fields(program, &frame);
    reader->depth += program->nests;
    for (int i = 0; i < program->variable_count; i++) {
        if (variables[i].owned) {
            Py_DECREF(variables[i].object);
        }
    }
    const int is_empty = program->nests && frame.pos == *pos;
    if (makes_entry && !failed) {
        end_entry(reader, entry, frame.pos - *pos);
    }
    *pos = frame.pos;
    return failed || (is_empty && took_nothing(reader, 8)) ? -1 : 0;
}
