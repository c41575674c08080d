/* Lists of elements, which are their field's variable while they grow: conditions may look at what was read so far. */
#include "struct_of_arrays.h"
#include "unread.h"

/* `count` where the bytes left can hold as many elements, else -1. */
int64_t room_for(int64_t count, int64_t smallest, const Span *span, int64_t pos) {
    const int64_t left = span->end - pos;
    const int64_t most = smallest ? left / smallest : left + MAX_EMPTY;
    return count >= 0 && count <= most ? count : smallest > 0 ? run_out(span, pos, bytes_of_all(count, smallest)) : -1;
}

/* Adds to a count, whose bound the span has in an attribute: 0, or -1 where it is too high. */
static int count_more(const Reader *reader, int64_t more, int64_t *count, int64_t *most, const char *bound) {
    if (reader->whole == NULL || more <= 0) return 0;
    if (*count == 0) {
        PyObject *found = PyObject_GetAttrString(reader->whole, bound);
        *most = found == NULL ? -1 : PyLong_AsLongLong(found);
        Py_XDECREF(found);
    }
    *count += more;
    return *count > *most ? -1 : 0;
}

int took_nothing(Reader *reader, int64_t cost) { return count_more(reader, cost, &reader->empty, &reader->spare, "spare"); }

int repeats(Reader *reader, int64_t count) { return count_more(reader, count, &reader->repeated, &reader->unrepeated, "unrepeated"); }

int tell_counts(const Reader *reader, int64_t pos) {
    PyObject *empty = Py_None, *repeated = Py_None;
    if (reader->empty) {
        empty = PyObject_CallMethod(reader->whole, "took_nothing", "LL", (long long)pos, (long long)reader->empty);
        Py_XDECREF(empty);
    }
    if (empty != NULL && reader->repeated) {
        repeated = PyObject_CallMethod(reader->whole, "repeats", "LL", (long long)reader->repeated, (long long)pos);
        Py_XDECREF(repeated);
    }
    return empty == NULL || repeated == NULL ? -1 : 0;
}

int append_measure(Frame *frame, int variable, int64_t number) {
    if (variable < 0) return 0;
    PyObject *made = PyLong_FromLongLong(number);
    int failed = made == NULL ? -1 : PyList_Append(frame->variables[variable].object, made);
    Py_XDECREF(made);
    return failed;
}

static int begin_notes(const Step *step, Frame *frame) {
    for (int i = CAPTURE_SIZES; i < CAPTURE_COUNT; i++) {
        if (step->captures[i] >= 0) {
            PyObject *made = PyList_New(0);
            if (made == NULL) return -1;
            value_clear(&frame->variables[step->captures[i]]);
            frame->variables[step->captures[i]] = (Value){.object = made, .owned = 1};
        }
    }
    return 0;
}

/* The number of elements that bytes left can hold, where a list has a number; 0 where that is not known. */
static int64_t room_needed(Step *step, Frame *frame) {
    int64_t count;
    if (step->dimension != DIMENSION_COUNT || step->smallest <= 0 || evaluate_number(step->count, frame, &count)) return 0;
    return room_for(count, step->smallest, frame->span, frame->pos) < 0 ? 0 : count;
}

int note_raw_size(const Step *step, Frame *frame, int64_t size) {
    if (step->captures[CAPTURE_RAW_SIZE] >= 0) {
        value_clear(&frame->variables[step->captures[CAPTURE_RAW_SIZE]]);
        frame->variables[step->captures[CAPTURE_RAW_SIZE]] = value_of_number(size);
    }
    return append_measure(frame, step->captures[CAPTURE_RAW_SIZES], size);
}

/* Appends the next element; 0, or -1. */
static int append_element(Step *step, Frame *frame, PyObject *list, State *states) {
    const int64_t start = frame->pos;
    Value item;
    if (step->dimension == DIMENSION_INDEX && step->present != NULL) {
        int truth = holds(step->present, frame);
        if (truth != 1) {
            return truth || took_nothing(frame->reader, 1) || PyList_Append(list, Py_None) ||
                           append_measure(frame, step->captures[CAPTURE_SIZES], 0) ||
                           append_measure(frame, step->captures[CAPTURE_RAW_SIZES], 0) ||
                           append_measure(frame, step->captures[CAPTURE_STARTS], start)
                       ? -1
                       : 0;
        }
    }
    if (append_measure(frame, step->captures[CAPTURE_STARTS], start)) return -1;
    if (step->dimension == DIMENSION_INDEX ? read_sized(step, frame, states, &item) : read_element(step, frame, states, &item)) return -1;
    if (item.object == NULL && item.is_number)
        item = (Value){.object = number_object(frame->reader, item.number), .owned = 1};
    else
        value_own(&item);
    PyObject *object = value_object(&item);
    frame->has_tracked_elements |= object != NULL && is_tracked(object);
    if (object == NULL || list_push(list, object) || (frame->pos == start && took_nothing(frame->reader, 8))) return -1;
    return append_measure(frame, step->captures[CAPTURE_SIZES], frame->pos - start);
}

/* Numbers as they stand, one after the other. */
static int read_numbers(const Step *step, Frame *frame, PyObject *list, int64_t count) {
    const int big = step->big | frame->big;
    for (int64_t i = 0; i < count; i++) {
        Value item;
        if (read_scalar(step->kind, big, frame->span, &frame->pos, &item)) return -1;
        PyObject *object = item.object;
        if (object == NULL)
            object = number_object(frame->reader, item.number);
        else if (!item.owned)
            Py_INCREF(object);
        if (object == NULL || list_push(list, object)) return -1;
    }
    return 0;
}

/* Numbers that are differences from the one before. */
static int read_differences(const Step *step, Frame *frame, PyObject *list, int64_t count, Value *before) {
    int64_t numbers[SOME_NUMBERS], last = before->number;
    for (int64_t i = 0, some; i < count; i += some) {
        some = count - i < SOME_NUMBERS ? count - i : SOME_NUMBERS;
        const int64_t start = frame->pos, first = last;
        if (sum_differences(step, frame->span, &frame->pos, &last, some, numbers)) {
            value_clear(before);
            *before = value_of_number(first);
            frame->pos = start;
            return -1;
        }
        for (int64_t k = 0; k < some; k++) {
            PyObject *object = number_object(frame->reader, numbers[k]);
            if (object == NULL || list_push(list, object)) return -1;
        }
    }
    return 0;
}

static int read_counted(Step *step, Frame *frame, PyObject *list, State *states, int64_t first) {
    int64_t count;
    if (evaluate_number(step->count, frame, &count)) return -1;
    count -= first;
    if (step->smallest >= 0 && room_for(count, step->smallest, frame->span, frame->pos) < 0) return -1;
    const int64_t size = list == NULL ? size_of_each(step) : 0;
    if (size > 0)
        return count > (frame->span->end - frame->pos) / size ? run_out(frame->span, frame->pos, bytes_of_all(count, size))
                                                              : step_over(frame, count <= 0 ? 0 : count * size);
    if (list != NULL && step->is_number && step->dimension == DIMENSION_COUNT) return read_numbers(step, frame, list, count);
    if (list != NULL && has_differences(step) && states != NULL && states[0].value.is_number)
        return read_differences(step, frame, list, count, &states[0].value);
    if (list != NULL && frame->reader->struct_of_arrays == step) return read_struct_of_arrays(step, frame, count, states);
    for (int64_t i = 0; i < count; i++) {
        const int64_t start = frame->pos;
        frame->index = first + i;
        if (list == NULL ? walk_item(step, frame) : append_element(step, frame, list, states)) {
            int64_t *missing = step->dimension == DIMENSION_COUNT && step->smallest > 0 ? frame->span->missing : NULL;
            if (missing != NULL && *missing > 0 && *missing < (int64_t)1 << MOST_BYTES_BITS)
                *missing += bytes_of_all(count - i - 1, step->smallest);
            frame->pos = start;
            return -1;
        }
    }
    return 0;
}

static int read_uncounted(Step *step, Frame *frame, PyObject *list, State *states, int64_t first) {
    const int64_t size = list == NULL && step->dimension == DIMENSION_REST ? size_of_each(step) : 0, left = frame->span->end - frame->pos;
    if (size > 0) return left % size ? -1 : step_over(frame, left);
    for (int64_t i = first; step->dimension == DIMENSION_UNTIL || frame->pos < frame->span->end; i++) {
        const int64_t start = frame->pos;
        frame->index = i;
        if (list == NULL ? walk_item(step, frame) : append_element(step, frame, list, states)) {
            frame->pos = start;
            return -1;
        }
        if (frame->pos == start) return -1;
        if (step->dimension == DIMENSION_UNTIL) {
            int truth = holds(step->count, frame);
            if (truth) return truth < 0 ? -1 : 0;
        }
    }
    return 0;
}

/* The same numbers as one buffer, a memoryview; no object is made for a number. */
static int read_number_array(Step *step, Frame *frame) {
    const Value initial = value_of_object(step->initial, 0);
    int64_t count, last = initial.number;
    if (!initial.is_number || evaluate_number(step->count, frame, &count) || step->smallest < 1 ||
        room_for(count, step->smallest, frame->span, frame->pos) < 0) {
        return -1;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)count * (Py_ssize_t)sizeof(int64_t));
    if (bytes == NULL || sum_differences(step, frame->span, &frame->pos, &last, count, (int64_t *)PyBytes_AS_STRING(bytes)))
        return give_up(bytes);
    PyObject *view = PyMemoryView_FromObject(bytes);
    PyObject *numbers = view == NULL ? NULL : PyObject_CallMethod(view, "cast", "s", "q");
    Py_XDECREF(view);
    Py_DECREF(bytes);
    value_clear(&frame->variables[step->variable]);
    frame->variables[step->variable] = (Value){.object = numbers, .owned = numbers != NULL};
    return numbers == NULL ? -1 : 0;
}

/* Those from the `first` on. */
static int read_elements(Step *step, Frame *frame, PyObject *list, State *states, int64_t first) {
    return step->dimension == DIMENSION_COUNT || step->dimension == DIMENSION_INDEX ? read_counted(step, frame, list, states, first)
                                                                                    : read_uncounted(step, frame, list, states, first);
}

/* Makes the list that is the step's variable, and what siblings share. */
static PyObject *list_begin(Step *step, Frame *frame, const Program *program, State *states) {
    const int is_apart = frame->reader->struct_of_arrays == step;
    PyObject *list = is_apart ? new_struct_of_arrays(step, frame->reader) : list_with_room(room_needed(step, frame));
    if (list == NULL) return NULL;
    value_clear(&frame->variables[step->variable]);
    frame->variables[step->variable] = (Value){.object = list, .owned = 1};
    if (begin_notes(step, frame)) return NULL;
    frame->has_tracked_elements = 0;
    states[0] = (State){0};
    if (program != NULL)
        states_begin(program, states);
    else if (step->state == STATE_OF_LIST)
        states[0].value = value_of_object(step->initial, 0);
    return list;
}

/* Fills the step's variable with a new list. */
int read_list(Step *step, Frame *frame) {
    if (frame->skips) {
        frame->index = UNLIKELY(frame->paused != NULL) ? resume_walked_list(frame) : 0;
        return read_elements(step, frame, NULL, NULL, frame->index);
    }
    if (can_be_number_array(step, frame)) return read_number_array(step, frame);
    const Program *program = step->siblings ? (Program *)step->target : NULL;
    const int shared = program != NULL ? program->state_count : 0;
    State states[shared + 1];
    PyObject *list = frame->paused != NULL ? frame->variables[step->variable].object : list_begin(step, frame, program, states);
    if (list == NULL) return -1;
    const int64_t first = frame->paused != NULL ? resume_list(frame, list, states) : 0;
    State *given = program != NULL || step->state == STATE_OF_LIST ? states : NULL;
    const int failed = read_elements(step, frame, list, given, first);
    if (failed && frame->reader->pauses) pause_list(step, frame, list, states, program != NULL ? shared : 1);
    if (program != NULL)
        states_end(program, states);
    else
        value_clear(&states[0].value);
    if (!frame->has_tracked_elements && frame->reader->struct_of_arrays != step && frame->paused == NULL) PyObject_GC_UnTrack(list);
    return failed;
}
