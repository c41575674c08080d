/* Reads a program: its fields one after the other. */
#include "unread.h"

static void set_capture(Frame *frame, int variable, int64_t number) {
    if (variable >= 0) {
        value_clear(&frame->variables[variable]);
        frame->variables[variable] = value_of_number(number);
    }
}

/* Continues after a field's variable is set. */
static inline int end_field(Step *step, Frame *frame, PyObject *made, int64_t start) {
    if (made != NULL) {
        Value *value = &frame->variables[step->variable];
        if (value->object == NULL && value->is_number) {
            value->object = number_object(frame->reader, value->number);
            value->owned = value->object != NULL;
        }
        PyObject *object = slot_fill(made, step->slot, value);
        if (object == NULL) return -1;
        frame->is_tracked |= is_tracked(object);
    }
    if (step->has_captures) {
        set_capture(frame, step->captures[CAPTURE_SIZE], frame->pos - start);
        set_capture(frame, step->captures[CAPTURE_START], start);
    }
    return step->checks.count && !frame->reader->is_trusted ? checks_hold(&step->checks, frame) : 0;
}

int read_field(Step *step, Frame *frame, PyObject *made) {
    Value *variable = &frame->variables[step->variable];
    const int64_t start = frame->pos;
    if (step->is_small && start < frame->span->end && frame->span->start[start] < 128) {
        *variable = value_of_number(frame->span->start[start]);
        frame->pos++;
        return end_field(step, frame, made, start);
    }
    if (step->is_plain) {
        if (read_scalar(step->kind, step->big | frame->big, frame->span, &frame->pos, variable)) {
            *variable = (Value){0};
            return -1;
        }
        return end_field(step, frame, made, start);
    }
    if (step->is_direct && !(frame->skips && step->view)) {
        if (read_element(step, frame, NULL, variable)) {
            *variable = (Value){0};
            return -1;
        }
        return end_field(step, frame, made, start);
    }
    int present = step->present == NULL || step->dimension == DIMENSION_INDEX ? 1 : holds(step->present, frame);
    if (present < 0) return -1;
    if (!present) {
        *variable = (Value){.object = Py_None};
    } else if (frame->skips && step->view) {
        if (walk_view(step, frame)) return -1;
    } else if (step->dimension == DIMENSION_NONE) {
        if (read_sized(step, frame, NULL, variable)) {
            *variable = (Value){0};
            return -1;
        }
    } else if (step->dimension == DIMENSION_INDEX ? read_list(step, frame) : read_sized(step, frame, NULL, NULL)) {
        return -1;
    }
    return end_field(step, frame, made, start);
}

static int read_fields(const Program *program, Frame *frame, PyObject *made, int first) {
    for (int i = first; i < program->step_count; i++) {
        const int64_t start = frame->pos;
        if (read_field(&program->steps[i], frame, made)) return frame->reader->pauses ? pause_record(frame, made, i, start) : -1;
    }
    return program->checks.count && !frame->reader->is_trusted ? checks_hold(&program->checks, frame) : 0;
}

int set_params(const Program *program, const Value *arguments, Frame *frame, PyObject *made) {
    for (int i = 0; i < program->param_count; i++) {
        Value *variable = &frame->variables[i];
        *variable = value_borrowed(&arguments[i]);
        if (made != NULL) {
            PyObject *object = slot_fill(made, program->param_slots[i], variable);
            if (object == NULL) return -1;
            frame->is_tracked |= is_tracked(object);
        }
    }
    if (program->tag != NULL) {
        Value tag;
        PyObject *object = evaluate(program->tag, frame, &tag) ? NULL : value_object(&tag);
        if (object == NULL) return -1;
        SLOT(made, program->tag_slot) = Py_NewRef(object);
        frame->is_tracked |= is_tracked(object);
        value_clear(&tag);
    }
    return 0;
}

int set_order(const Program *program, Frame *frame) {
    int64_t number;
    const int big = known_number(program->order, frame, &number) ? number != 0 : holds(program->order, frame);
    frame->big = big > 0;
    return big < 0 ? -1 : 0;
}

static int read_body(const Program *program, Frame *frame, const Value *arguments, Value *out) {
    int failed = 0, first = 0;
    PyObject *made = UNLIKELY(frame->reader->resuming != NULL) && !program->is_codec ? resume_record(frame, arguments, &first) : NULL;
    if (made == NULL) {
        made = program->is_codec ? NULL : frame->made != NULL ? frame->made : instance_new(program);
        if (made == NULL && !program->is_codec) return -1;
        if (program->param_count || program->tag != NULL) failed = set_params(program, arguments, frame, made);
        if (!failed && program->order != NULL) failed = set_order(program, frame);
    }
    if (!failed) failed = read_fields(program, frame, made, first);
    if (!failed && program->is_codec) {
        failed = evaluate(program->value, frame, out);
        if (!failed) value_own(out);
    }
    if (program->is_codec) return failed;
    if (!failed && frame->stored != NULL) {
        frame->is_tracked |= is_tracked(frame->stored);
        Py_XSETREF(SLOT(made, program->stored_slot), Py_NewRef(frame->stored));
    }
    if (frame->made != NULL) {
        *out = (Value){.number = frame->is_tracked};
        return failed;
    }
    if (failed) return give_up(made);
    /* What a record finds at its places is not known yet. */
    if (frame->is_tracked || program->places) instance_track(made);
    return give(out, (Value){.object = made, .owned = 1});
}

/* An instance that has nothing but its parameters. */
static int read_bare(const Program *program, const Value *arguments, Value *out) {
    PyObject *made = instance_new(program);
    int tracked = 0;
    for (int i = 0; i < program->param_count && made != NULL; i++) {
        Value argument = value_borrowed(&arguments[i]);
        PyObject *object = slot_fill(made, program->param_slots[i], &argument);
        if (object == NULL)
            Py_CLEAR(made);
        else
            tracked |= is_tracked(object);
    }
    if (made == NULL) return -1;
    if (tracked) instance_track(made);
    return give(out, (Value){.object = made, .owned = 1});
}

int add_defaults(const Program *program, const Value *arguments, int given, Value *all) {
    const Py_ssize_t count = PyTuple_GET_SIZE(program->defaults), first = program->param_count - count;
    if (given < first || given > program->param_count) return -1;
    for (int i = 0; i < program->param_count; i++)
        all[i] = i < given ? value_borrowed(&arguments[i]) : value_of_object(PyTuple_GET_ITEM(program->defaults, i - first), 0);
    return 0;
}

static __attribute__((noinline)) int read_defaulted(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments,
                                                    int given, State *states, Value *out) {
    Value all[MAX_OPERANDS];
    return add_defaults(program, arguments, given, all) ? -1
                                                        : read_program(reader, program, span, pos, all, program->param_count, states, out);
}

/* A record without siblings to share states with. */
static __attribute__((noinline)) int read_alone(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments,
                                                Value *out) {
    State states[program->state_count];
    if (!resume_states(reader, program, states)) states_begin(program, states);
    int failed = read_program(reader, program, span, pos, arguments, program->param_count, states, out);
    if (failed && reader->pauses) pause_states(reader, program, states);
    states_end(program, states);
    return failed;
}

int read_now(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments, State *states, PyObject *made,
             Value *out) {
    Value variables[program->variable_count + 1];
    values_unset(variables, program->variable_count);
    Frame frame = {
        .program = program,
        .reader = reader,
        .span = span,
        .pos = *pos,
        .start = *pos,
        .variables = variables,
        .states = states,
        .made = made,
    };
    reader->bodies++;
    reader->depth -= program->nests;
    int failed = read_body(program, &frame, arguments, out);
    Py_XDECREF(frame.stored);
    reader->depth += program->nests;
    for (int i = 0; i < program->variable_count; i++)
        if (variables[i].owned) Py_DECREF(variables[i].object);
    if (program->nests && !failed && frame.pos == *pos && took_nothing(reader, 8)) {
        value_clear(out);
        failed = -1;
    }
    *pos = frame.pos;
    return failed;
}

/* The value of a program at `*pos`, which is moved after it; owned. `states` are those of siblings, or NULL. */
int read_program(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, int given, State *states, Value *out) {
    if (UNLIKELY(given != program->param_count)) return read_defaulted(reader, program, span, pos, arguments, given, states, out);
    while (program->filled && program->is_choice) {
        reader->others += program->by_number == NULL;
        program = choose_alternative(program, reader, span, *pos, arguments);
        if (program == NULL || program->param_count != given) return -1;
        states = NULL;
    }
    if (!program->filled || (program->nests && reader->depth <= 0)) return -1;
    if (program->shaped != NULL) return program->shaped(program, span, pos, arguments, out);
    if (reader->walks && !program->is_codec) {
        *out = (Value){0};
        return program->is_bare ? 0 : walk_program(reader, program, span, pos, arguments);
    }
    if (program->is_bare) return read_bare(program, arguments, out);
    if (states == NULL && program->state_count) return read_alone(reader, program, span, pos, arguments, out);
    if (program->is_lazy && reader->waits && *pos >= reader->seen) return read_later(reader, program, span, pos, arguments, out);
    const int is_begun = reader->resuming != NULL;
    if (program->is_repeatable && !is_begun) {
        int found = copy_prototype(reader, program, span, pos, out);
        if (found) return found < 0 ? -1 : 0;
    }
    const int64_t start = *pos;
    const Begun before = {reader->bodies, reader->others += !program->is_local};
    int failed = read_now(reader, program, span, pos, arguments, states, NULL, out);
    if (program->places && !failed) {
        failed = open_places(reader, program, span, start, *pos, out->object);
        *pos = program->places == 2 ? span->end : *pos;
        if (failed) value_clear(out);
    }
    if (program->is_repeatable && !is_begun && !failed) keep_prototype(reader, program, span, start, *pos, before, out);
    return failed;
}
