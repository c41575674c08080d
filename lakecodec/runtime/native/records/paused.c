/* Records of which bytes have not arrived yet: what was read of them is kept, and reading goes on where it stood.
 *
 * A record that can wait is only walked over; its entries on the tape are kept, and an instance is made once it is whole. Where such a walk
 * cannot stop, the record is read anew, and then what was made of it is kept.
 *
 * A reader that lacks bytes returns through all its frames. Each of them that reads a record keeps its variables and the step at
 * which it stopped, and a list keeps its elements, so that a further call finds its way back by doing the same steps again. */
#include "unread.h"

static void drop_states(State *states, int count) {
    for (int i = 0; states != NULL && i < count; i++) {
        value_clear(&states[i].value);
        Py_CLEAR(states[i].decode);
        Py_CLEAR(states[i].arguments);
    }
    PyMem_Free(states);
}

void drop_paused(Paused *paused) {
    while (paused != NULL) {
        Paused *inner = paused->inner;
        if (paused->variables != NULL) values_clear(paused->variables, paused->program->variable_count);
        PyMem_Free(paused->variables);
        drop_states(paused->siblings, paused->sibling_count);
        drop_states(paused->states, paused->program == NULL ? 0 : paused->program->state_count);
        Py_XDECREF(paused->made);
        Py_XDECREF(paused->stored);
        Py_XDECREF((PyObject *)paused->program);
        PyMem_Free(paused->tape);
        PyMem_Free(paused);
        paused = inner;
    }
}

static int give_up_pausing(Reader *reader) {
    drop_paused(reader->paused);
    reader->paused = NULL;
    if (reader->pauses == PAUSES_WALK) reader->pauses = 0;
    return -1;
}

/* Whether bytes are all that is missing. */
static int can_pause(const Frame *frame) {
    const int64_t *missing = frame->span->missing;
    return frame->reader->pauses == PAUSES_READING && missing != NULL && *missing > 0 && !frame->program->is_codec && !PyErr_Occurred();
}

static void *moved(void *items, size_t size) {
    void *made = PyMem_Malloc(size ? size : 1);
    if (made != NULL) {
        memcpy(made, items, size);
        memset(items, 0, size);
    }
    return made;
}

/* What a frame keeps of the step at which it stopped; the innermost one knows how far a terminator has been sought. */
static Paused *pause_new(Frame *frame) {
    Paused *made = PyMem_Calloc(1, sizeof(Paused));
    if (made == NULL) return NULL;
    made->sought = frame->reader->paused == NULL ? frame->reader->sought : 0;
    frame->reader->sought = 0;
    return made;
}

/* Puts what a frame keeps around what those inside of it keep; they may not have been found again, where a list lacks room at once. */
static int pause_around(Reader *reader, Paused *made) {
    Paused **inside = reader->paused != NULL ? &reader->paused : &reader->resuming;
    made->inner = *inside;
    *inside = NULL;
    reader->paused = made;
    return -1;
}

/* Keeps the elements of a list that were read, and what siblings share. */
void pause_list(const Step *step, Frame *frame, PyObject *list, State *states, int count) {
    Paused *made = can_pause(frame) ? pause_new(frame) : NULL;
    State *siblings = made == NULL ? NULL : moved(states, (size_t)count * sizeof(State));
    if (siblings == NULL) {
        PyMem_Free(made);
        give_up_pausing(frame->reader);
        return;
    }
    made->is_list = 1;
    made->siblings = siblings;
    made->sibling_count = count;
    made->pos = frame->pos;
    made->has_tracked_elements = frame->has_tracked_elements;
    for (int i = CAPTURE_SIZES; i < CAPTURE_COUNT; i++) {
        /* The start of the element that will be read again. */
        PyObject *notes = step->captures[i] < 0 ? NULL : frame->variables[step->captures[i]].object;
        if (notes != NULL && PyList_SetSlice(notes, PyList_GET_SIZE(list), PyList_GET_SIZE(notes), NULL)) PyErr_Clear();
    }
    frame->paused = made;
}

/* Finds the elements of a list that were read before: the number of the next one, of which the states are set. */
int64_t resume_list(Frame *frame, PyObject *list, State *states) {
    Paused *paused = frame->paused;
    frame->paused = NULL;
    memcpy(states, paused->siblings, (size_t)paused->sibling_count * sizeof(State));
    paused->sibling_count = 0;
    frame->pos = paused->pos;
    frame->has_tracked_elements = paused->has_tracked_elements;
    drop_paused(paused);
    return PyList_GET_SIZE(list);
}

/* Keeps a record that stopped at a step, which begins at `start`; -1. */
int pause_record(Frame *frame, PyObject *made, int step, int64_t start) {
    Reader *reader = frame->reader;
    Paused *paused = frame->paused;
    frame->paused = NULL;
    const size_t size = (size_t)frame->program->variable_count * sizeof(Value);
    if (paused == NULL && can_pause(frame)) paused = pause_new(frame);
    Value *variables = paused == NULL ? NULL : moved(frame->variables, size);
    if (variables == NULL) {
        drop_paused(paused);
        return give_up_pausing(reader);
    }
    paused->program = (Program *)Py_NewRef((PyObject *)frame->program);
    paused->variables = variables;
    paused->made = Py_NewRef(made);
    paused->stored = frame->stored;
    frame->stored = NULL;
    paused->step = step;
    paused->start = start;
    paused->big = frame->big;
    paused->is_tracked = frame->is_tracked;
    return pause_around(reader, paused);
}

/* Keeps what siblings share in a record that stopped. */
void pause_states(Reader *reader, const Program *program, State *states) {
    Paused *paused = reader->paused;
    if (paused == NULL || paused->program != program) return;
    paused->states = moved(states, (size_t)program->state_count * sizeof(State));
    if (paused->states == NULL) give_up_pausing(reader);
}

/* Finds them again: 1, or 0 where there are none. */
int resume_states(Reader *reader, const Program *program, State *states) {
    Paused *paused = reader->resuming;
    if (paused == NULL || paused->program != program || paused->states == NULL) return 0;
    memcpy(states, paused->states, (size_t)program->state_count * sizeof(State));
    PyMem_Free(paused->states);
    paused->states = NULL;
    return 1;
}

/* Sets a frame as it was where it stopped, and frees what was kept of it unless a list goes on by that. */
static void resume_frame(Frame *frame, const Value *arguments, int *step) {
    Reader *reader = frame->reader;
    Paused *paused = reader->resuming;
    reader->resuming = paused->inner;
    paused->inner = NULL;
    memcpy(frame->variables, paused->variables, (size_t)frame->program->variable_count * sizeof(Value));
    PyMem_Free(paused->variables);
    paused->variables = NULL;
    for (int i = 0; i < frame->program->param_count; i++)
        if (!frame->variables[i].owned) frame->variables[i] = value_borrowed(&arguments[i]);
    *step = paused->step;
    frame->pos = paused->start;
    frame->big = paused->big;
    if (reader->resuming == NULL) reader->sought = paused->sought;
    if (paused->is_list)
        frame->paused = paused;
    else
        drop_paused(paused);
}

/* What was made of the record before, a new reference, and the step at which it stopped; NULL for a record that is begun. */
PyObject *resume_record(Frame *frame, const Value *arguments, int *step) {
    Reader *reader = frame->reader;
    Paused *paused = reader->resuming;
    if (paused->program != frame->program || paused->is_walk) {
        drop_paused(paused);
        reader->resuming = NULL;
        return NULL;
    }
    PyObject *made = paused->made;
    frame->stored = paused->stored;
    paused->made = paused->stored = NULL;
    frame->is_tracked = paused->is_tracked;
    resume_frame(frame, arguments, step);
    return made;
}

/* ---- walks ---- */

/* Whether a step is done again from its beginning, or its list from an element, without looking at bytes that it has passed. */
static int can_go_on(const Step *step, const Frame *frame) {
    if (step->run_size >= 0) return 1;
    if (step->coded || step->view || !(step->kind <= KIND_OF_BOOL8 || step->kind == KIND_OF_PART ||
        step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8 || step->kind == KIND_OF_RECORD)) {
        return 0;
    }
    for (int i = CAPTURE_SIZES; i < CAPTURE_COUNT; i++)
        if (step->captures[i] >= 0) return 0;
    return frame->skips || step->is_scalar;
}

/* Whether the values of a frame do not depend on where the bytes are. */
static int can_move(const Frame *frame) {
    const Program *program = frame->program;
    for (int i = 0; i < program->step_count && frame->reader->first > 0; i++)
        if (program->steps[i].captures[CAPTURE_START] >= 0) return 0;
    for (int i = program->param_count; i < program->variable_count; i++) {
        Value *value = &frame->variables[i];
        if (value->view || (value->bytes != NULL && value_object(value) == NULL)) return 0;
        value->bytes = NULL;
        /* It may be of an argument that does not outlive the call. */
        value_own(value);
    }
    return 1;
}

int pause_walk(Frame *frame, int number, int64_t start, int64_t entry) {
    Reader *reader = frame->reader;
    const Step *step = &frame->program->steps[number];
    const int64_t *missing = frame->span->missing;
    const int can_stop = missing != NULL && *missing > 0 && can_go_on(step, frame) && !PyErr_Occurred() && can_move(frame);
    Paused *made = can_stop ? pause_new(frame) : NULL;
    Value *variables = made == NULL ? NULL : moved(frame->variables, (size_t)frame->program->variable_count * sizeof(Value));
    if (variables == NULL) {
        PyMem_Free(made);
        return give_up_pausing(reader);
    }
    made->is_walk = 1;
    made->program = (Program *)Py_NewRef((PyObject *)frame->program);
    made->variables = variables;
    made->step = number;
    /* A list with a size is there as a whole or not at all. */
    made->is_list = step->run_size < 0 && (step->dimension == DIMENSION_INDEX || (step->dimension != DIMENSION_NONE && step->size == NULL));
    made->start = start - reader->first;
    made->pos = frame->pos - reader->first;
    made->index = frame->index;
    made->big = frame->big;
    made->entry = entry;
    return pause_around(reader, made);
}

/* Sets a frame as it was: 0, or 1 for a record that is begun. */
int resume_walk(Frame *frame, const Value *arguments, int *step, int64_t *entry) {
    Paused *paused = frame->reader->resuming;
    if (!paused->is_walk || paused->program != frame->program) return 1;
    *entry = paused->entry;
    resume_frame(frame, arguments, step);
    return 0;
}

/* The number of the element with which a list goes on. */
int64_t resume_walked_list(Frame *frame) {
    Paused *paused = frame->paused;
    const int64_t index = paused->index;
    frame->paused = NULL;
    frame->pos = paused->pos;
    drop_paused(paused);
    return index;
}

int keep_tape(Reader *reader) {
    Source *source = reader->kept_source;
    Paused *outermost = reader->paused;
    if (source == NULL) return 0;
    const int64_t first = outermost->entry, count = source->used - first;
    if (source->references == 1 && first == 0) {
        outermost->tape = source->tape;
        outermost->room = source->room;
        source->tape = NULL;
        source->used = source->room = 0;
    } else {
        outermost->tape = moved(source->tape + first, (size_t)count * sizeof(Entry));
        outermost->room = count;
        if (outermost->tape == NULL) return give_up_pausing(reader);
    }
    outermost->used = count;
    for (Paused *each = outermost; first > 0 && each != NULL; each = each->inner) each->entry -= first;
    return 0;
}

int take_tape(Reader *reader, const Span *span) {
    Source *made = PyMem_Malloc(sizeof(Source));
    if (made == NULL) return -1;
    Paused *outermost = reader->resuming;
    *made = (Source){
        .references = 1,
        .data = Py_NewRef(span->owner),
        .base = Py_XNewRef(reader->base),
        .start = span->start,
        .size = span->size,
        .tape = outermost->tape,
        .used = outermost->used,
        .room = outermost->room,
    };
    outermost->tape = NULL;
    reader->kept_source = made;
    reader->seen = 0;
    return 0;
}

/* ---- between calls ---- */

#define PAUSED_NAME "lakecodec.paused"

/* The outermost record, NULL where all is read anew, and how many bytes of it were there. */
typedef struct Stopped {
    Paused *paused;
    int64_t seen;
} Stopped;

static void stopped_free(PyObject *capsule) {
    Stopped *stopped = PyCapsule_GetPointer(capsule, PAUSED_NAME);
    drop_paused(stopped->paused);
    PyMem_Free(stopped);
}

/* An object that holds what stopped, which it takes over; NULL with an exception. */
PyObject *paused_object(Paused *paused, int64_t seen) {
    Stopped *stopped = PyMem_Malloc(sizeof(Stopped));
    PyObject *made = stopped == NULL ? PyErr_NoMemory() : PyCapsule_New(stopped, PAUSED_NAME, stopped_free);
    if (made != NULL) {
        *stopped = (Stopped){paused, seen};
    } else {
        PyMem_Free(stopped);
        drop_paused(paused);
    }
    return made;
}

/* Lets a reader go on with what an object holds; 0, or -1 with an exception. */
int paused_take(PyObject *object, Reader *reader) {
    if (!PyCapsule_IsValid(object, PAUSED_NAME)) return raise_error(PyExc_TypeError, "paused: what a reader returned is needed");
    Stopped *stopped = PyCapsule_GetPointer(object, PAUSED_NAME);
    reader->resuming = stopped->paused;
    reader->seen = stopped->seen;
    stopped->paused = NULL;
    return 0;
}
