/* Reads a program: its fields one after the other. */
#include "record.h"

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

static void
set_note(Frame *frame, int variable, int64_t number)
{
    if (variable >= 0) {
        value_clear(&frame->variables[variable]);
        frame->variables[variable] = value_of_number(number);
    }
}

/* What follows when a field's variable is set. */
static inline int
end_field(Step *step, Frame *frame, PyObject *made, int64_t start)
{
    if (made != NULL) {
        PyObject *object = value_object(&frame->variables[step->variable]);
        if (object == NULL) {
            return -1;
        }
        SLOT(made, step->slot) = Py_NewRef(object);
    }
    if (step->has_notes) {
        set_note(frame, step->notes[NOTE_SIZE], frame->pos - start);
        set_note(frame, step->notes[NOTE_START], start);
    }
    return step->checks.count ? checks_hold(&step->checks, frame) : 0;
}

static int
read_field(Step *step, Frame *frame, PyObject *made)
{
    Value *variable = &frame->variables[step->variable];
    const int64_t start = frame->pos;
    if (step->is_plain) {
        if (read_scalar(step->kind, step->big, frame->span, &frame->pos, variable)) {
            *variable = (Value){0};
            return -1;
        }
        return end_field(step, frame, made, start);
    }
    int present = step->present == NULL || step->dimension == DIMENSION_INDEX ? 1 : holds(step->present, frame);
    if (present < 0) {
        return -1;
    }
    if (!present) {
        *variable = (Value){.object = Py_None};
    }
    else if (step->dimension == DIMENSION_NONE) {
        if (read_sized(step, frame, NULL, variable)) {
            *variable = (Value){0};
            return -1;
        }
    }
    else if (step->dimension == DIMENSION_INDEX ? read_list(step, frame) : read_sized(step, frame, NULL, NULL)) {
        return -1;
    }
    return end_field(step, frame, made, start);
}

static int
read_fields(const Program *program, Frame *frame, PyObject *made)
{
    for (int i = 0; i < program->step_count; i++) {
        if (read_field(&program->steps[i], frame, made)) {
            return -1;
        }
    }
    return checks_hold(&program->checks, frame);
}

static int
set_params(const Program *program, const Value *arguments, Frame *frame, PyObject *made)
{
    for (int i = 0; i < program->param_count; i++) {
        Value *variable = &frame->variables[i];
        *variable = value_borrowed(&arguments[i]);
        if (made != NULL) {
            PyObject *object = value_object(variable);
            if (object == NULL) {
                return -1;
            }
            SLOT(made, program->param_slots[i]) = Py_NewRef(object);
        }
    }
    if (program->tag != NULL) {
        Value tag;
        PyObject *object = evaluate(program->tag, frame, &tag) ? NULL : value_object(&tag);
        if (object == NULL) {
            return -1;
        }
        SLOT(made, program->tag_slot) = Py_NewRef(object);
        value_clear(&tag);
    }
    return 0;
}

static int
read_body(const Program *program, Frame *frame, const Value *arguments, Value *out)
{
    PyObject *made = program->is_codec ? NULL : program->cls->tp_alloc(program->cls, 0);
    if (made == NULL && !program->is_codec) {
        return -1;
    }
    State own[program->state_count + 1];
    State *given = frame->states;
    const int begins = given == NULL && program->state_count;
    if (begins) {
        states_begin(program, own);
        frame->states = own;
    }
    int failed = 0;
    if (program->param_count || program->tag != NULL) {
        failed = set_params(program, arguments, frame, made);
    }
    if (!failed) {
        failed = read_fields(program, frame, made);
    }
    if (!failed && program->is_codec) {
        failed = evaluate(program->value, frame, out);
        if (!failed) {
            value_own(out);
        }
    }
    if (begins) {
        states_end(program, own);
    }
    if (program->is_codec) {
        return failed;
    }
    if (failed) {
        Py_DECREF(made);
        return -1;
    }
    *out = (Value){.object = made, .owned = 1};
    return 0;
}

/* The alternative that a tag selects, borrowed. */
static Program *
choose(const Program *program, Frame *frame)
{
    Value tag;
    Program *found = program->otherwise;
    if (evaluate(program->tag, frame, &tag)) {
        return NULL;
    }
    if (program->table != NULL) {
        PyObject *key = value_object(&tag);
        PyObject *known = key == NULL ? NULL : PyDict_GetItemWithError(program->table, key);
        found = known != NULL ? (Program *)known : PyErr_Occurred() ? NULL : found;
    }
    for (int i = 0; i < program->chain_count; i++) {
        Value wanted;
        int same = -1;
        if (!evaluate(program->chain[i].tag, frame, &wanted)) {
            same = compared(OP_EQ, &tag, &wanted);
            value_clear(&wanted);
        }
        if (same) {
            found = same < 0 ? NULL : program->chain[i].program;
            break;
        }
    }
    value_clear(&tag);
    return found;
}

/* All arguments, the last ones being the defaults of their parameters. */
static int
add_defaults(const Program *program, const Value *arguments, int given, Value *all)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(program->defaults), first = program->param_count - count;
    if (given < first || given > program->param_count) {
        return -1;
    }
    for (int i = 0; i < program->param_count; i++) {
        all[i] = i < given ? value_borrowed(&arguments[i])
                           : value_of_object(PyTuple_GET_ITEM(program->defaults, i - first), 0);
    }
    return 0;
}

/* The value of a program at `*pos`, which is moved behind it; owned. `states` are those of siblings, or NULL. */
int
read_program(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, int given,
             State *states, Value *out)
{
    Value all[MAX_OPERANDS];
    if (UNLIKELY(given != program->param_count)) {
        if (add_defaults(program, arguments, given, all)) {
            return -1;
        }
        arguments = all;
        given = program->param_count;
    }
    if (!program->filled || (program->nests && --reader->depth < 0)) {
        return -1;
    }
    Value variables[program->variable_count + 1];
    memset(variables, 0, sizeof variables);
    Frame frame = {
        .program = program, .reader = reader, .span = span, .pos = *pos, .variables = variables, .states = states,
    };
    int failed = 0;
    if (program->is_choice) {
        for (int i = 0; i < program->param_count; i++) {
            variables[i] = value_borrowed(&arguments[i]);
        }
        Program *chosen = choose(program, &frame);
        failed = chosen == NULL ? -1 : read_program(reader, chosen, span, &frame.pos, arguments, given, NULL, out);
    }
    else {
        failed = read_body(program, &frame, arguments, out);
    }
    for (int i = 0; i < program->variable_count; i++) {
        value_clear(&variables[i]);
    }
    reader->depth += program->nests;
    *pos = frame.pos;
    return failed;
}
