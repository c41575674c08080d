/* Records with places are laid out: what follows each other, then each field at its place, until everything agrees.
 *
 * Offsets that other fields hold, and what is computed of places, are set as far as is known, and kept for the next pass.
 */
#include "layout.h"

/* As `_MOST_PASSES` of placing.py; the largest alignment, as `_MOST_ALIGNED` of lazy.py. */
enum { MOST_PASSES = 8, MOST_SETTLING = 3, MOST_ALIGNED = 1 << 30 };

/* What is there is written; conditions, which may depend on what is written later, are checked at the end. */
static int is_present(const Place *place, PyObject *item) {
    const int present = item != Py_None;
    return may_lie(item) || (!present && place->step->present == NULL) ? -1 : present;
}

static int agrees(const Place *place, Frame *frame, const PyObject *item) {
    return place->step->present == NULL || holds(place->step->present, frame) == (item != Py_None);
}

/* Whether conditions and counts agree with the values. */
static int are_all_there(const Place *place, Frame *frame) {
    PyObject *value = frame->variables[place->step->variable].object;
    int64_t count;
    frame->index = 0;
    if (value == NULL) return 0;
    if (place->step->dimension != DIMENSION_INDEX) return agrees(place, frame, value);
    if (evaluate_number(place->step->count, frame, &count) || count != PySequence_Fast_GET_SIZE(value)) return 0;
    for (; frame->index < count && frame->index < PySequence_Fast_GET_SIZE(value); frame->index++)
        if (!agrees(place, frame, PySequence_Fast_GET_ITEM(value, frame->index))) return 0;
    return 1;
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
    if (evaluate_number(place->at, frame, &at) || at < 0 || at > MOST_OFFSET) return -1;
    /* Records that leave gaps and have no size of their own claim less than they take. */
    if (step->kind == KIND_OF_RECORD && step->size == NULL && ((Program *)step->target)->gaps && ((Program *)step->target)->has_near)
        return -1;
    if (place->is_far && !reader->takes_pins) return -1;
    if (place->is_far || layout->base >= 0) {
        const int64_t start = place->is_far ? at : layout->base + at;
        base = start > MOST_OFFSET ? NULL : PyLong_FromLongLong(start);
        if (base == NULL) return -1;
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
    if (items == NULL || !(PyList_CheckExact(items) || PyTuple_CheckExact(items))) return -1;
    int failed = 0;
    for (int64_t i = 0; i < PySequence_Fast_GET_SIZE(items) && !failed; i++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(items, i));
        Value value = value_of_object(item, 0);
        frame->index = i;
        const int present = is_present(place, item);
        failed = present < 0 || (present && write_one(program, place, frame, object, &value)) ? -1 : 0;
        Py_DECREF(item);
    }
    return failed;
}

static int write_place(const Program *program, const Place *place, Frame *frame, PyObject *object) {
    frame->layout->current = place;
    if (place->step->dimension == DIMENSION_INDEX) return write_each(program, place, frame, object);
    frame->index = 0;
    int changed = apply_settings(place, frame, 0);
    if (changed >= 0) changed |= apply_pointers(program, frame, place->step->variable);
    frame->index = 0;
    /* What was written with the former values would be another. */
    frame->layout->changes |= changed && program->uses_set;
    const int present = changed < 0 ? -1 : is_present(place, frame->variables[place->step->variable].object);
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
    /* The offset of a field without bytes stays; what is derived from it was computed from its spot. */
    if (size == 0 && spot->size == 0 && at >= 0 && at <= frame->layout->size) return at == spot->at || !frame->layout->asks_offsets;
    return at == spot->at && size == spot->size && (size == 0 || at % multiple == 0);
}

static int is_laid_out(const Program *program, Frame *frame) {
    const Layout *layout = frame->layout;
    for (int i = 0; i < program->placed_count; i++)
        if (!are_all_there(&program->placed[i], frame) || checks_hold(&program->placed[i].step->checks, frame)) return 0;
    if (checks_hold(&program->end_checks, frame)) return 0;
    for (int64_t i = 0; i < layout->spot_count; i++)
        if (!is_placed(&layout->spots[i], frame)) return 0;
    return 1;
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
    layout->changes = layout->asks_offsets = 0;
    for (int i = 0; i < program->placed_count; i++) {
        if (take_carried(frame, program->placed[i].step->variable)) continue;
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
    layout->known_count = layout->spot_count;
    layout->current = program->placed + program->placed_count;
    const int is_known = answers_hold(layout);
    /* While sizes are not known, what counts from the end can stand behind it. */
    if (is_known || !program->gaps) layout->size = frame->out->size - layout->begin;
    frame->span->end = layout->begin + layout->size;
    const int moved = apply_pointers(program, frame, -1);
    if (moved < 0) return -1;
    if (moved || layout->changes || (before != layout->size && program->uses_end) || !is_known) return carry(program, frame);
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
        const int is_settled = !(reader->changes_derived || reader->changes_parameters);
        if (done == 1 && pass < MOST_SETTLING && object == reader->outermost && program->uses_set && !is_settled) done = 0;
    }
    if (done == 1 && (check_moved(program, frame, object) || refuse_losses(reader, program, object, frame->out, layout.begin) ||
                      keep_settings(program, frame, object)))
        done = -1;
    if (done == 1 && object == reader->outermost && program->gaps) {
        reader->covered = layout.pieces;
        layout.pieces = (Pieces){0};
    }
    pieces_release(&layout.pieces);
    if (layout.carried != NULL) values_clear(layout.carried, program->variable_count);
    PyMem_Free(layout.carried);
    PyMem_Free(layout.spots);
    PyMem_Free(layout.answers);
    Py_XDECREF(layout.image);
    frame->layout = NULL;
    return done == 1 ? 0 : -1;
}
