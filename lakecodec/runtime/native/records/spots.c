/* Where fields with places were put, and what expressions ask about that: before a field is put, they get what is known of it, and it
 * is noted what they got. */
#include "layout.h"

int note_spot(Layout *layout, const Place *place, int64_t index, int64_t at, int64_t size) {
    Spot *spots = with_room(layout->spots, layout->spot_count, &layout->spot_room, sizeof(Spot));
    if (spots == NULL) return -1;
    layout->spots = spots;
    layout->spots[layout->spot_count++] = (Spot){place, index, at, size};
    if (layout->known_count < layout->spot_count) layout->known_count = layout->spot_count;
    return 0;
}

/* Where a field was put in this pass or, as long as it was not, in the one before; NULL where it has no place. */
static const Spot *known_spot(const Layout *layout, const Place *place, int64_t index) {
    int64_t first = 0, behind = layout->known_count;
    while (first < behind) {
        const int64_t middle = (first + behind) / 2;
        const Spot *spot = &layout->spots[middle];
        if (spot->place < place || (spot->place == place && spot->index < index))
            first = middle + 1;
        else
            behind = middle;
    }
    const Spot *spot = &layout->spots[first];
    return first < layout->known_count && spot->place == place && spot->index == index ? spot : NULL;
}

const Spot *find_spot(const Layout *layout, const Place *place, int64_t index) {
    return place < layout->current ? known_spot(layout, place, index) : NULL;
}

/* A measure as far as it is known; 0 where the field has no place. */
static int64_t measure(const Layout *layout, const Spot *spot, int is_size) {
    return spot == NULL ? 0 : is_size ? spot->size : spot->at + (spot->place->is_far ? 0 : layout->base);
}

/* What the declaration says of a field that was not put yet. */
static int64_t expected(const Layout *layout, const Place *place, Frame *frame, int64_t index, int is_size) {
    Node *node = is_size ? place->step->size : place->at;
    const int64_t outer = frame->index;
    int64_t found = 0;
    frame->index = index;
    if (node != NULL && evaluate_number(node, frame, &found)) {
        found = 0;
        PyErr_Clear();
    }
    frame->index = outer;
    return is_size || place->is_far ? found : found + layout->base;
}

/* Whether a field has an element of this number, absent or not; of a field without elements there is one. */
static int has_element(const Place *place, const Frame *frame, int64_t index) {
    PyObject *value = frame->variables[place->step->variable].object;
    if (place->step->dimension != DIMENSION_INDEX) return index == 0;
    return index >= 0 && value != NULL && (PyList_Check(value) || PyTuple_Check(value)) && index < PySequence_Fast_GET_SIZE(value);
}

int evaluate_placed(const Node *node, Frame *frame, Value *out) {
    Layout *layout = frame->layout;
    const Program *program = frame->program;
    const Place *place = program->placed, *behind = place + program->placed_count;
    int64_t index = 0;
    while (place < behind && place->step->variable != node->number) place++;
    if (layout == NULL || layout->base < 0 || place == behind || (node->count && evaluate_number(node->operands[0], frame, &index))) return -1;
    if (!has_element(place, frame, index)) return -1;
    const int is_size = node->op == OP_PLACED_SIZE;
    layout->asks_offsets |= !is_size;
    const Spot *spot = known_spot(layout, place, index);
    int64_t number = measure(layout, spot, is_size);
    if (place >= layout->current) {
        if (spot == NULL) number = expected(layout, place, frame, index, is_size);
        Answer *answers = with_room(layout->answers, layout->answer_count, &layout->answer_room, sizeof(Answer));
        if (answers == NULL) return -1;
        layout->answers = answers;
        layout->answers[layout->answer_count++] = (Answer){place, index, number, is_size};
    }
    return give(out, value_of_number(number));
}

int answers_hold(const Layout *layout) {
    for (int64_t i = 0; i < layout->answer_count; i++) {
        const Answer *answer = &layout->answers[i];
        if (measure(layout, known_spot(layout, answer->place, answer->index), answer->is_size) != answer->number) return 0;
    }
    return 1;
}
