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

/* A measure as far as it is known: 1, or 0 where the field has no place. */
static int measure(const Layout *layout, const Place *place, int64_t index, int is_size, int64_t *out) {
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
    *out = 0;
    if (first >= layout->known_count || spot->place != place || spot->index != index) return 0;
    *out = is_size ? spot->size : spot->at + (place->is_far ? 0 : layout->base);
    return 1;
}

int find_spot(const Layout *layout, const Place *place, int64_t index, int64_t *at, int64_t *size) {
    int64_t number;
    if (place >= layout->current || !measure(layout, place, index, 1, size) || !measure(layout, place, index, 0, &number)) return 0;
    *at = number - (place->is_far ? 0 : layout->base);
    return 1;
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
    int64_t index = 0, number;
    while (place < behind && place->step->variable != node->number) place++;
    if (layout == NULL || layout->base < 0 || place == behind || (node->count && evaluate_number(node->operands[0], frame, &index))) return -1;
    if (!has_element(place, frame, index)) return -1;
    const int is_size = node->op == OP_PLACED_SIZE, is_known = measure(layout, place, index, is_size, &number);
    if (place >= layout->current) {
        if (!is_known) number = expected(layout, place, frame, index, is_size);
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
        int64_t number;
        measure(layout, answer->place, answer->index, answer->is_size, &number);
        if (number != answer->number) return 0;
    }
    return 1;
}
