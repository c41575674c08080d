/* Walking over records: every rule is checked, and no object made but for what expressions ask for. */
#include "unread.h"

#include "common/utf8.h"

/* ---- what is known before ---- */

void set_form(Step *step, int form) {
    int *const forms[] = {
        &step->has_span_codecs, &step->has_text_codecs, &step->is_direct, &step->is_number, &step->is_plain, &step->is_small,
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) *forms[i] = form >> i & 1;
}

static int prepare_step(Program *program, int number, PyObject *row) {
    Step *step = &program->steps[number];
    PyObject *numbers;
    long long size, offset;
    int form;
    if (!PyArg_ParseTuple(row, "piO!LiLppi", &step->is_wanted, &step->view, &PyDict_Type, &numbers, &size, &step->run_count, &offset,
                          &step->is_sized, &step->is_permuted, &form)) {
        return -1;
    }
    set_form(step, form);
    step->run_size = size;
    step->offset = offset;
    step->is_scalar = step->dimension == DIMENSION_NONE && step->kind != KIND_OF_RECORD && !step->coded;
    step->is_unseen = step->is_direct && !step->is_wanted && !step->has_captures && !step->checks.count;
    if (step->run_count < 1 || step->run_count > program->step_count - number)
        return raise_error(PyExc_ValueError, "facts: not a run of fields");
    return find_viewed(program, step, numbers);
}

/* prepare(facts, fields, fixed size or -1, is_local, is_repeatable) */
PyObject *program_prepare(PyObject *self, PyObject *arguments) {
    Program *program = (Program *)self;
    PyObject *facts, *rows;
    long long fixed_size;
    if (!PyArg_ParseTuple(arguments, "OO!Lpp:prepare", &facts, &PyTuple_Type, &rows, &fixed_size, &program->is_local,
                          &program->is_repeatable)) {
        return NULL;
    }
    if ((program->steps == NULL && !program->is_choice) || PyTuple_GET_SIZE(rows) != program->step_count)
        return PyErr_Format(PyExc_ValueError, "facts: not those of the program's fields");
    for (int i = 0; i < program->step_count; i++)
        if (prepare_step(program, i, PyTuple_GET_ITEM(rows, i))) return NULL;
    program->fixed_size = fixed_size;
    program->is_numbers = !program->is_choice && program->order == NULL && program->checks.count == 0;
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        program->is_numbers &= step->run_size >= 0 || (step->is_unseen && !step->coded && step->kind <= KIND_OF_BOOL8);
    }
    program->is_repeatable &= program->is_slotted;
    program->facts = program_keep(program, Py_NewRef(facts));
    program->filled = program->facts != NULL;
    return program->filled ? Py_NewRef(Py_None) : NULL;
}

/* finish(whether instances may wait) */
PyObject *program_finish(PyObject *self, PyObject *waits) {
    Program *program = (Program *)self;
    program->is_lazy = waits == Py_True && program->is_slotted && !program->is_codec && !program->is_choice && !program->is_bare &&
                       let_wait(program->cls, get_waiting, read_waiting);
    Py_RETURN_NONE;
}

/* ---- elements ---- */

/* Whether the values of nodes are there already, so that evaluating them cannot fail. */
static int are_known(const Nodes *nodes) {
    for (int i = 0; i < nodes->count; i++) {
        const int op = nodes->items[i]->op;
        if (op != OP_VARIABLE && op != OP_CONSTANT && op != OP_INDEX) return 0;
    }
    return 1;
}

static int walk_record(Step *step, Frame *frame) {
    Program *program = (Program *)step->target;
    if (program->fixed_size >= 0 && are_known(&step->arguments)) return step_over(frame, program->fixed_size);
    Value arguments[MAX_OPERANDS], none;
    const int count = evaluate_all(&step->arguments, frame, arguments);
    if (count < 0) return -1;
    while (program != NULL && program->is_choice && program->param_count == count)
        program = choose_alternative(program, frame->reader, frame->span, frame->pos, arguments);
    int failed;
    if (program == NULL)
        failed = -1;
    else if (program->fixed_size >= 0)
        failed = step_over(frame, program->fixed_size);
    else if (program->param_count == count && !program->is_choice && !program->is_bare && frame->reader->depth > 0)
        failed = walk_program(frame->reader, program, frame->span, &frame->pos, arguments);
    else
        failed = read_program(frame->reader, program, frame->span, &frame->pos, arguments, count, NULL, &none);
    values_clear(arguments, count);
    return failed;
}

static int walk_text(Step *step, Frame *frame) {
    const int64_t start = frame->pos;
    int64_t size, behind;
    if (text_size(step, frame, &size, &behind) || step_over(frame, size + behind)) return -1;
    return step->kind == KIND_OF_BYTES || row_utf8_valid(frame->span->start + start, size) ? 0 : -1;
}

static inline int walk_number(const Step *step, Frame *frame) {
    if (step->kind <= KIND_OF_F64) return step_over(frame, fixed_kinds[step->kind].size);
    const uint8_t *p = frame->span->start + frame->pos;
    uint64_t bits;
    if (number_bits(step->kind, step->big, &p, frame->span->start + frame->span->end, &bits))
        return run_out_of_number(frame->span, frame->pos);
    frame->pos = p - frame->span->start;
    return 0;
}

int walk_element(Step *step, Frame *frame, State *list_states) {
    if (step->coded) {
        Value value;
        frame->reader->walks = 0;
        int failed = read_coded(step, frame, list_states, &value);
        frame->reader->walks = 1;
        if (!failed) value_clear(&value);
        return failed;
    }
    if (step->kind == KIND_OF_RECORD) return walk_record(step, frame);
    if (step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8) return walk_text(step, frame);
    if (step->kind == KIND_OF_PART) return 0;
    return walk_number(step, frame);
}

/* ---- lists ---- */

int walk_item(Step *step, Frame *frame) {
    Value none, *places = step->view == VIEW_PLACES ? &frame->variables[step->variable] : NULL;
    const int truth = step->dimension != DIMENSION_INDEX || step->present == NULL ? 1 : holds(step->present, frame);
    if (places != NULL && truth >= 0) add_place(places, truth ? frame->pos : -1);
    if (truth <= 0) return truth || took_nothing(frame->reader, 1) ? -1 : 0;
    const int64_t start = frame->pos;
    const int failed = step->dimension != DIMENSION_INDEX ? walk_element(step, frame, NULL) : read_sized(step, frame, NULL, &none);
    return failed || (frame->pos == start && took_nothing(frame->reader, 8)) ? -1 : 0;
}

int64_t size_of_each(const Step *step) {
    if (step->dimension == DIMENSION_INDEX || step->coded || step->view == VIEW_PLACES || !are_known(&step->arguments)) return 0;
    const int64_t size = step->kind <= KIND_OF_F64      ? fixed_kinds[step->kind].size
                         : step->kind == KIND_OF_RECORD ? ((const Program *)step->target)->fixed_size
                                                        : 0;
    return size < 0 ? 0 : size;
}

/* ---- records ---- */

static int walk_fields(const Program *program, Frame *frame, int first, int64_t entry) {
    Reader *reader = frame->reader;
    for (int i = first; i < program->step_count;) {
        Step *step = &program->steps[i];
        const int64_t start = frame->pos;
        if (step->run_size >= 0) {
            if (step_over(frame, step->run_size)) return reader->pauses ? pause_walk(frame, i, start, entry) : -1;
            i += step->run_count;
            continue;
        }
        frame->skips = !step->is_wanted || step->view;
        reader->walks = frame->skips || step->is_scalar;
        const int failed = step->is_unseen ? walk_element(step, frame, NULL) : read_field(step, frame, NULL);
        reader->walks = 1;
        if (failed) return reader->pauses ? pause_walk(frame, i, start, entry) : -1;
        i++;
    }
    return program->checks.count ? checks_hold(&program->checks, frame) : 0;
}

/* A record of numbers of which nothing else is to be known: no expression is evaluated. */
static int walk_numbers(Reader *reader, const Program *program, Span *span, int64_t *pos) {
    const int makes_entry = program->is_lazy && program->fixed_size < 0;
    const int64_t entry = makes_entry ? begin_entry(reader, span) : 0;
    Frame frame;
    frame.span = span;
    frame.pos = *pos;
    if (entry < 0) return -1;
    for (int i = 0; i < program->step_count;) {
        const Step *step = &program->steps[i];
        const int is_run = step->run_size >= 0;
        if (is_run ? step_over(&frame, step->run_size) : walk_number(step, &frame)) {
            /* It will be walked over again as a whole. */
            if (makes_entry) reader->kept_source->used = entry;
            return -1;
        }
        i += is_run ? step->run_count : 1;
    }
    if (makes_entry) end_entry(reader, entry, frame.pos - *pos);
    *pos = frame.pos;
    return 0;
}

int walk_program(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments) {
    if (program->is_numbers) return walk_numbers(reader, program, span, pos);
    Value variables[program->variable_count + 1];
    for (int i = 0; i < program->param_count; i++) variables[i] = value_borrowed(&arguments[i]);
    values_unset(variables + program->param_count, program->variable_count - program->param_count);
    Frame frame = {.program = program, .reader = reader, .span = span, .pos = *pos, .start = *pos, .variables = variables};
    const int makes_entry = program->is_lazy && program->fixed_size < 0;
    int64_t entry = 0;
    int first = 0, failed = 0;
    reader->depth -= program->nests;
    if (LIKELY(reader->resuming == NULL) || resume_walk(&frame, arguments, &first, &entry)) {
        entry = makes_entry ? begin_entry(reader, span) : 0;
        failed = entry < 0 || (program->order != NULL && set_order(program, &frame));
        if (UNLIKELY(failed)) reader->pauses = 0;
    }
    failed = failed || walk_fields(program, &frame, first, entry);
    reader->depth += program->nests;
    for (int i = 0; i < program->variable_count; i++)
        if (variables[i].owned) Py_DECREF(variables[i].object);
    if (UNLIKELY(frame.paused != NULL)) drop_paused(frame.paused);
    const int is_empty = program->nests && frame.pos == *pos;
    if (makes_entry && !failed) end_entry(reader, entry, frame.pos - *pos);
    *pos = frame.pos;
    return failed || (is_empty && took_nothing(reader, 8)) ? -1 : 0;
}
