/* The steps of a writer: computes what is derived, encodes fields before their place and at it, and checks. */
#include "output.h"
#include "unread.h"

int slot_set(PyObject *object, Py_ssize_t slot, Value *value) {
    PyObject *item = value_object(value);
    if (item == NULL) return -1;
    if (SLOT(object, slot) != item) {
        Py_XSETREF(SLOT(object, slot), Py_NewRef(item));
        if (is_tracked(item) && PyObject_IS_GC(object) && !PyObject_GC_IsTracked(object)) return instance_see(object);
    }
    return 0;
}

void set_measure(Frame *frame, int variable, int64_t number) {
    if (variable >= 0) {
        value_clear(&frame->variables[variable]);
        frame->variables[variable] = value_of_number(number);
    }
}

/* ---- values ---- */

static int derive_list(Step *step, Frame *frame, Value *out) {
    const Writing *writing = &step->writing;
    int64_t count;
    if (evaluate_number(writing->count, frame, &count) || count > MOST_COMPUTED) return -1;
    PyObject *list = PyList_New(0);
    for (frame->index = 0; list != NULL && frame->index < count; frame->index++) {
        Value value = {.object = Py_None};
        int present = writing->present == NULL ? 1 : holds(writing->present, frame);
        int failed = present < 0 || (present && evaluate(writing->derived, frame, &value)) ? -1 : 0;
        PyObject *item = failed ? NULL : value_object(&value);
        failed = item == NULL ? -1 : PyList_Append(list, item);
        value_clear(&value);
        if (failed) Py_CLEAR(list);
    }
    return give_made(out, list);
}

/* The value that a field has: the first guess of what is computed from all bytes of the record. */
static int guess(const Step *step, Frame *frame, PyObject *object) {
    PyObject *known = SLOT(object, step->slot);
    if (known == NULL || known == Py_None || may_lie(known)) return 0;
    value_clear(&frame->variables[step->variable]);
    frame->variables[step->variable] = value_of_object(Py_NewRef(known), 1);
    return 1;
}

static int derive(Step *step, Frame *frame, PyObject *object) {
    const Writing *writing = &step->writing;
    Value value;
    int failed = 0;
    if (writing->is_laid_out && object != NULL && !has_image(frame) && guess(step, frame, object)) return 0;
    if (writing->by_index) {
        failed = step->kind == KIND_OF_BITS ? derive_bits(step, frame, &value) : derive_list(step, frame, &value);
    } else {
        const int present = writing->present == NULL ? 1 : holds(writing->present, frame);
        if (!present && !writing->is_derived) return 0;
        value = (Value){.object = Py_None};
        failed = present < 0 || (present && evaluate(writing->derived, frame, &value)) ? -1 : 0;
    }
    if (failed) return -1;
    value_own(&value);
    value_clear(&frame->variables[step->variable]);
    frame->variables[step->variable] = value;
    if (object == NULL) return 0;
    PyObject *before = Py_XNewRef(SLOT(object, step->slot));
    failed = slot_set(object, step->slot, &frame->variables[step->variable]);
    if (!failed) frame->reader->changes_derived |= !is_kept(before, SLOT(object, step->slot));
    Py_XDECREF(before);
    return failed;
}

/* ---- fields ---- */

int write_field(Step *step, Frame *frame, PyObject *object) {
    const Writing *writing = &step->writing;
    Value *value = &frame->variables[step->variable];
    const int64_t start = frame->out->size;
    set_measure(frame, writing->measures[MEASURE_START], start);
    if (step->is_plain) {
        if (UNLIKELY(write_scalar(step->kind, step->big | frame->big, frame->out, value))) return -1;
        set_measure(frame, writing->measures[MEASURE_SIZE], frame->out->size - start);
        return 0;
    }
    const int is_text = (step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8) && !step->coded;
    int present = 1;
    if (step->dimension != DIMENSION_INDEX)
        present = writing->by_value ? value->object != Py_None : writing->present == NULL ? 1 : holds(writing->present, frame);
    if (present < 0 || (!present && value->object != Py_None)) return -1;
    int failed = 0, packed = 0;
    if (present && step->kind == KIND_OF_BITS) {
        failed = write_bits(step, frame, value, &packed);
        if (packed && !failed && object != NULL) failed = slot_set(object, step->slot, value);
    } else if (present && step->dimension == DIMENSION_INDEX) {
        failed = write_list(step, frame, value);
    } else if (present) {
        Part *part = frame->parts == NULL ? NULL : &frame->parts[step - frame->program->steps];
        failed = part != NULL && part->has_raw ? append_encoded(step, frame, &part->raw) : write_sized(step, frame, NULL, value);
    }
    int64_t size;
    if (!failed && present && writing->length != NULL && is_text && step->dimension == DIMENSION_NONE)
        failed = evaluate_number(writing->length, frame, &size) || size != frame->out->size - start;
    if (!failed && present && writing->size != NULL && step->dimension != DIMENSION_INDEX)
        failed = evaluate_number(writing->size, frame, &size) || size != frame->out->size - start;
    set_measure(frame, writing->measures[MEASURE_SIZE], frame->out->size - start);
    return failed ? -1 : 0;
}

/* Encodes a field before its codecs. */
static int write_raw(Step *step, Frame *frame) {
    Part *part = &frame->parts[step - frame->program->steps];
    Value *value = &frame->variables[step->variable];
    const int is_text = step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8;
    if (is_text && !step->coded) {
        const int64_t size = plain_text_size(step, value);
        if (size >= 0) {
            /* It is written where it stands: nothing needs to be kept. */
            set_measure(frame, step->writing.measures[MEASURE_RAW_SIZE], size);
            return 0;
        }
        part->has_raw = 1;
        if (PyErr_Occurred() || write_uncoded_text(step, value, &part->raw)) return -1;
        set_measure(frame, step->writing.measures[MEASURE_RAW_SIZE], part->raw.size);
        return 0;
    }
    PyObject *zero = step->coding_count ? PyLong_FromLong(0) : NULL;
    int failed = PyErr_Occurred() || write_apart(step, frame, NULL, value, 0, &part->raw, zero) ? -1 : 0;
    Py_XDECREF(zero);
    part->has_raw = 1;
    set_measure(frame, step->writing.measures[MEASURE_RAW_SIZE], part->raw.size);
    return failed;
}

/* Encodes a field whose size must be known before its place is reached. */
static int write_aside(Step *step, Frame *frame, PyObject *object) {
    Part *part = &frame->parts[step - frame->program->steps];
    Output *outer = frame->out;
    PyObject *outer_base = frame->reader->base;
    frame->out = &part->whole;
    frame->reader->base = NULL;
    int failed = write_field(step, frame, object);
    const int start = step->writing.measures[MEASURE_START];
    if (start >= 0) value_clear(&frame->variables[start]);
    frame->out = outer;
    frame->reader->base = outer_base;
    part->has_whole = 1;
    return failed;
}

static int put(Step *step, Frame *frame, PyObject *object) {
    Part *part = frame->parts == NULL ? NULL : &frame->parts[step - frame->program->steps];
    const int64_t start = frame->out->size;
    frame->pos = start;
    if (part == NULL) return write_field(step, frame, object);
    if (part->has_whole) set_measure(frame, step->writing.measures[MEASURE_START], start);
    if (part->has_whole ? output_append(frame->out, part->whole.data, part->whole.size) : write_field(step, frame, object)) return -1;
    part->start = start;
    part->stop = frame->out->size;
    part->is_put = 1;
    return 0;
}

/* The bytes of fields that follow each other, encoded aside or where they stand. */
int evaluate_encoded(const Node *node, const Frame *frame, Value *out) {
    const int64_t first = node->number - frame->program->param_count, last = first + node->constant.number;
    if (frame->parts == NULL || first < 0 || last > frame->program->step_count) return -1;
    Output joined = {0};
    int failed = 0;
    for (int64_t i = first; i < last && !failed; i++) {
        const Part *part = &frame->parts[i];
        if (frame->program->steps[i].kind == KIND_OF_PART) continue;
        failed = part->has_whole ? output_append(&joined, part->whole.data, part->whole.size)
                 : part->is_put  ? output_append(&joined, frame->own->data + part->start, part->stop - part->start)
                                 : -1;
    }
    PyObject *made = failed ? NULL : output_taken(&joined);
    output_release(&joined);
    return give_made(out, made);
}

/* Invariants know all bytes of the record: their `rest` is what was written after the field. */
static int check(const WriteStep *write, Frame *frame) {
    Span *span = frame->span;
    span->start = frame->own->data;
    span->end = frame->own->size;
    frame->pos = frame->parts != NULL && write->field < frame->program->step_count ? frame->parts[write->field].stop : span->end;
    return holds(write->check, frame) == 1 ? 0 : -1;
}

int write_steps(const Program *program, Frame *frame, PyObject *object) {
    int failed = 0;
    for (int i = 0; i < program->write_count && !failed; i++) {
        const WriteStep *write = &program->writes[i];
        switch (write->kind) {
        case WRITE_DERIVE:
            frame->pos = frame->own->size;
            failed = derive(&program->steps[write->field], frame, object);
            break;
        case WRITE_RAW: failed = write_raw(&program->steps[write->field], frame); break;
        case WRITE_ASIDE: failed = write_aside(&program->steps[write->field], frame, object); break;
        case WRITE_PUT: failed = put(&program->steps[write->field], frame, object); break;
        default: failed = check(write, frame);
        }
    }
    return failed ? -1 : 0;
}
