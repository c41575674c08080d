/* Records with places are laid out: what follows each other, then each field at its place, until everything agrees.
 *
 * Where a field would have to move, generated code finds its new place.
 */
#include "layout.h"

/* As `_MOST_PASSES` of placing.py; the largest alignment, as `_MOST_ALIGNED` of lazy.py. */
enum { MOST_PASSES = 8, MOST_ALIGNED = 1 << 30 };

static int is_present(const Place *place, Frame *frame, PyObject *item) {
    const int present = place->step->present == NULL ? 1 : holds(place->step->present, frame);
    return may_lie(item) || present != (item != Py_None) ? -1 : present;
}

/* ---- all of the bytes ---- */

int evaluate_all_but(const Node *node, const Frame *frame, Value *out) {
    const uint8_t *start = NULL;
    int64_t size = 0;
    PyObject *ranges = node->constant.object;
    if (frame->layout != NULL && frame->layout->image != NULL) {
        start = (const uint8_t *)PyBytes_AS_STRING(frame->layout->image);
        size = PyBytes_GET_SIZE(frame->layout->image);
    } else if (frame->layout == NULL) {
        if (frame->out != NULL || frame->reader->pauses) return -1;
        start = frame->span->start + frame->start;
        size = frame->span->end - frame->start;
    }
    if (size < 0 || !PyTuple_Check(ranges)) return -1;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (made == NULL) return -1;
    char *to = PyBytes_AS_STRING(made);
    int64_t from = 0, left = 0;
    /* The ranges that begin first are left out first. */
    for (int64_t next = 0; from < size; from = next) {
        int64_t stop = from;
        next = size;
        for (Py_ssize_t i = 0; i + 1 < PyTuple_GET_SIZE(ranges); i += 2) {
            int64_t first = PyLong_AsLongLong(PyTuple_GET_ITEM(ranges, i));
            const int64_t behind = (first = first < 0 ? (first + size < 0 ? 0 : first + size) : first) +
                                   PyLong_AsLongLong(PyTuple_GET_ITEM(ranges, i + 1));
            if (first <= from && behind > stop) stop = behind;
            if (first > from && first < next) next = first;
        }
        if (stop > from) {
            next = stop < size ? stop : size;
            continue;
        }
        memcpy(to + left, start + from, (size_t)(next - from));
        left += next - from;
    }
    if (left < size) _PyBytes_Resize(&made, (Py_ssize_t)left);
    return give_made(out, made);
}

/* What is laid out so far; nothing where parts contradict each other. */
static PyObject *make_image(const Program *program, const Frame *frame, PyObject *object) {
    const Layout *layout = frame->layout;
    const Reader *reader = frame->reader;
    Output image = {0}, own = {0};
    int failed = output_append(&image, frame->out->data + layout->begin, frame->out->size - layout->begin);
    if (!failed && object == reader->outermost && reader->pins.count) {
        Piece whole = {0};
        const Pieces alone = {.items = &whole, .count = 1};
        failed = output_append(&own, image.data, image.size);
        whole.bytes = own;
        if (!failed && assemble(&image, program->gaps ? &layout->pieces : &alone, &reader->pins, 1, program->overlaps)) {
            failed = PyErr_Occurred() != NULL;
            image.size = 0;
        }
    }
    PyObject *made = failed ? NULL : output_taken(&image);
    output_release(&image);
    output_release(&own);
    return made;
}

/* Whether what is computed from all bytes is what was written: 1, 0, -1. */
static int is_stable(const Program *program, Frame *frame, PyObject *object) {
    Layout *layout = frame->layout;
    if (!program->has_laid_out) return 1;
    PyObject *image = make_image(program, frame, object);
    if (image == NULL) return -1;
    Py_XSETREF(layout->image, image);
    int stable = 1;
    for (int i = 0; i < program->step_count && stable >= 0; i++) {
        const Step *step = &program->steps[i];
        Value *known = &frame->variables[step->variable], value;
        if (!step->writing.is_laid_out || known->object == Py_None) continue;
        if (evaluate(step->writing.derived, frame, &value)) return -1;
        const int same = compared(OP_EQ, known, &value);
        value_clear(&value);
        stable = same < 0 ? -1 : stable & same;
    }
    for (int i = 0; i < program->placed_count && stable >= 0; i++) {
        const int changed = apply_settings(&program->placed[i], frame, 1);
        stable = changed < 0 ? -1 : stable & !changed;
    }
    return stable;
}

/* ---- places ---- */

static int alignment_of(const Place *place, Frame *frame, int64_t *multiple) {
    *multiple = 1;
    if (place->align == NULL) return 0;
    return evaluate_number(place->align, frame, multiple) || *multiple < 1 || *multiple > MOST_ALIGNED ? -1 : 0;
}

static int encode(const Place *place, Frame *frame, PyObject *object, Value *element) {
    Reader *reader = frame->reader;
    if (reader->depth <= 0) return -1;
    reader->depth -= 1;
    const int failed = element == NULL ? write_field(place->step, frame, object) : write_sized(place->step, frame, NULL, element);
    reader->depth += 1;
    return failed;
}

/* Behind what was written before. */
static int write_behind(const Place *place, Frame *frame, PyObject *object, Value *element) {
    Output *out = frame->out;
    Layout *layout = frame->layout;
    int64_t multiple;
    if (alignment_of(place, frame, &multiple)) return -1;
    const int64_t offset = out->size - layout->begin, padding = (multiple - offset % multiple) % multiple, index = frame->index;
    if (padding) {
        uint8_t *zeros = output_take(out, padding);
        if (zeros == NULL) return -1;
        memset(zeros, 0, (size_t)padding);
    }
    const int64_t start = out->size;
    return encode(place, frame, object, element) || note_spot(layout, place, index, start - layout->begin, out->size - start);
}

/* At the offset that its declaration gives. */
static int write_at(const Program *program, const Place *place, Frame *frame, PyObject *object, Value *element) {
    Reader *reader = frame->reader;
    Layout *layout = frame->layout;
    Output *outer = frame->out, apart = {0};
    PyObject *outer_base = reader->base, *base = NULL;
    const Step *step = place->step;
    const int64_t index = frame->index;
    int64_t at;
    if (evaluate_number(place->at, frame, &at) || at < 0) return -1;
    /* Records that leave gaps and have no size of their own claim less than they take. */
    if (step->kind == KIND_OF_RECORD && step->size == NULL && ((Program *)step->target)->gaps && ((Program *)step->target)->has_near)
        return -1;
    if (place->is_far ? !reader->takes_pins : 0) return -1;
    if (place->is_far)
        base = PyLong_FromLongLong(at);
    else if (outer_base != NULL)
        base = PyLong_FromLongLong(PyLong_AsLongLong(outer_base) + layout->begin + at);
    if (PyErr_Occurred()) {
        Py_XDECREF(base);
        return -1;
    }
    frame->out = &apart;
    reader->base = base;
    int failed = encode(place, frame, object, element);
    frame->out = outer;
    reader->base = outer_base;
    Py_XDECREF(base);
    const int64_t size = apart.size;
    failed = failed || pieces_add(place->is_far ? &reader->pins : &layout->pieces, at, &apart) || note_spot(layout, place, index, at, size);
    output_release(&apart);
    return failed ? -1 : 0;
}

static int write_one(const Program *program, const Place *place, Frame *frame, PyObject *object, Value *element) {
    return program->gaps || place->is_far ? write_at(program, place, frame, object, element) : write_behind(place, frame, object, element);
}

static int write_each(const Program *program, const Place *place, Frame *frame, PyObject *object) {
    PyObject *items = frame->variables[place->step->variable].object;
    int64_t count;
    if (items == NULL || !(PyList_CheckExact(items) || PyTuple_CheckExact(items)) || evaluate_number(place->step->count, frame, &count) ||
        count != PySequence_Fast_GET_SIZE(items))
        return -1;
    int failed = 0;
    for (int64_t i = 0; i < count && !failed; i++) {
        if (i >= PySequence_Fast_GET_SIZE(items)) return -1;
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
        Value value = value_of_object(item, 0);
        frame->index = i;
        const int present = is_present(place, frame, item);
        failed = present < 0 || (present && write_one(program, place, frame, object, &value)) ? -1 : 0;
        Py_DECREF(item);
    }
    return failed;
}

static int write_place(const Program *program, const Place *place, Frame *frame, PyObject *object) {
    frame->layout->current = place;
    if (place->step->dimension == DIMENSION_INDEX) return write_each(program, place, frame, object);
    frame->index = 0;
    const int changed = apply_settings(place, frame, 0);
    frame->index = 0;
    /* What was written with the former values would be another. */
    const int present = changed < 0 || (changed && program->uses_set) ? -1 : is_present(place, frame, frame->variables[place->step->variable].object);
    return present < 0 || (present && write_one(program, place, frame, object, NULL)) ? -1 : 0;
}

/* Whether a field stands where its declaration says. */
static int is_placed(const Spot *spot, Frame *frame) {
    int64_t at, size = spot->size, multiple;
    frame->index = spot->index;
    if (evaluate_number(spot->place->at, frame, &at) ||
        (spot->place->step->size != NULL && evaluate_number(spot->place->step->size, frame, &size)) ||
        alignment_of(spot->place, frame, &multiple))
        return 0;
    /* The offset of a field without bytes stays. */
    if (size == 0 && spot->size == 0 && at >= 0 && at <= frame->layout->size) return 1;
    return at == spot->at && size == spot->size && (size == 0 || at % multiple == 0);
}

static int is_laid_out(const Program *program, Frame *frame) {
    const Layout *layout = frame->layout;
    for (int64_t i = 0; i < layout->spot_count; i++)
        if (!is_placed(&layout->spots[i], frame)) return 0;
    for (int i = 0; i < program->placed_count; i++)
        if (checks_hold(&program->placed[i].step->checks, frame)) return 0;
    return checks_hold(&program->end_checks, frame) == 0;
}

/* ---- passes ---- */

static int begin_pass(const Program *program, Frame *frame, PyObject *object) {
    Layout *layout = frame->layout;
    values_clear(frame->variables, program->variable_count);
    frame->out->size = layout->begin;
    frame->span->begin = layout->begin;
    frame->span->end = layout->begin + layout->size;
    pieces_cut(&layout->pieces, 0);
    pieces_cut(&frame->reader->pins, layout->pins);
    layout->spot_count = layout->answer_count = 0;
    layout->current = NULL;
    for (int i = 0; i < program->placed_count; i++) {
        PyObject *value = placed_value(frame->reader, program, object, &program->placed[i]);
        if (value == NULL || may_lie(value)) return give_up(value);
        frame->variables[program->placed[i].step->variable] = value_of_object(value, 1);
    }
    return 0;
}

/* The fields that follow each other become a piece as the others. */
static int take_sequential(Frame *frame) {
    Layout *layout = frame->layout;
    Output first = {0}, *out = frame->out;
    int failed = output_append(&first, out->data + layout->begin, out->size - layout->begin) || pieces_add(&layout->pieces, 0, &first);
    output_release(&first);
    out->size = layout->begin;
    return failed ? -1 : 0;
}

/* Puts the pieces on top of the bytes that the record was read from. */
static int put_over_original(const Program *program, Frame *frame, PyObject *object) {
    const uint8_t *start = NULL;
    int64_t size = 0;
    Output image = {0};
    const Pieces none = {0};
    /* A record that places fields only in the source, and is a part of it, has no bytes but its fields in order. */
    const int is_over = object == frame->reader->outermost || program->has_near;
    if (is_over && original_of(frame->reader, object, &start, &size)) return -1;
    int failed = output_append(&image, start, size) || assemble(&image, &frame->layout->pieces, &none, 1, program->overlaps) ||
                 output_append(frame->out, image.data, image.size);
    output_release(&image);
    return failed ? -1 : 0;
}

/* Lays everything out once: 1 where that is all, 0 where not, or -1. */
static int run_pass(const Program *program, Frame *frame, PyObject *object, const Value *arguments) {
    Layout *layout = frame->layout;
    if (begin_pass(program, frame, object) || write_body(program, frame, object, arguments)) return -1;
    frame->span->end = layout->begin + layout->size;
    if (program->gaps && program->step_count && take_sequential(frame)) return -1;
    for (int i = 0; i < program->placed_count; i++)
        if (write_place(program, &program->placed[i], frame, object)) return -1;
    if (program->gaps && put_over_original(program, frame, object)) return -1;
    const int64_t before = layout->size;
    layout->size = frame->out->size - layout->begin;
    frame->span->end = frame->out->size;
    layout->known_count = layout->spot_count;
    layout->current = program->placed + program->placed_count;
    if ((before != layout->size && program->uses_end) || !answers_hold(layout)) return 0;
    if (!is_laid_out(program, frame)) return -1;
    return is_stable(program, frame, object);
}

int write_laid_out(const Program *program, Frame *frame, PyObject *object, const Value *arguments) {
    Reader *reader = frame->reader;
    Layout layout = {.begin = frame->span->begin, .size = placed_size(object), .pins = reader->pins.count};
    if (!program->has_places) return -1;
    layout.base = reader->base == NULL ? -1 : PyLong_AsLongLong(reader->base) + layout.begin;
    frame->layout = &layout;
    int done = layout.size < 0 ? -1 : 0;
    for (int pass = 0; pass < MOST_PASSES && done == 0; pass++) {
        if (object == reader->outermost) reader->changes_parameters = reader->changes_derived = 0;
        done = run_pass(program, frame, object, arguments);
        /* What was computed before it was derived is right where it is derived again. */
        if (done == 1 && pass == 0 && object == reader->outermost && program->uses_set && reader->changes_derived) done = 0;
    }
    if (done == 1 && refuse_losses(reader, program, object, frame->out, layout.begin)) done = -1;
    if (done == 1 && object == reader->outermost && program->gaps) {
        reader->covered = layout.pieces;
        layout.pieces = (Pieces){0};
    }
    pieces_release(&layout.pieces);
    PyMem_Free(layout.spots);
    PyMem_Free(layout.answers);
    Py_XDECREF(layout.image);
    frame->layout = NULL;
    return done == 1 ? 0 : -1;
}
