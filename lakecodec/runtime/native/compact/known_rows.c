/* Columnar decoding of rows that repeat a layout.
 *
 * A row is compared with the layout of the row at the same place in the buffer before, so that what is written alike into file
 * after file needs one comparison, however much neighbours differ. */
#include "row_plans.h"

/* Layouts of rows, which differ in the lengths of values, too. */
enum { MOST_KNOWN = 128 };

struct KnownRows {
    Plan *plans[MOST_KNOWN];
    uint8_t next[MOST_KNOWN]; /* the plan of the row after the one that had the plan last */
    int count, last, replaced;
    int credit; /* what may be spent on searching and learning: rows that are all different are not worth it */
    Py_ssize_t most; /* leaves of a plan */
    Py_ssize_t buffer, place; /* of the next row */
    uint8_t *guesses; /* by place, the plan of the row there in the buffer before */
    Py_ssize_t guess_count;
};

#define FIRST_CREDIT 128
#define MOST_CREDIT 1024
/* What learning costs, in rows that are recognised. */
#define LEARNING 8

KnownRows *
known_rows_new(const Node *node)
{
    const Py_ssize_t most = count_leaves(node);
    KnownRows *known = most < 0 ? NULL : calloc(1, sizeof(KnownRows));
    if (known != NULL) {
        known->most = most;
        known->credit = FIRST_CREDIT;
        known->buffer = -1;
    }
    return known;
}

void
known_rows_free(KnownRows *known)
{
    if (known == NULL) {
        return;
    }
    for (int i = 0; i < known->count; i++) {
        plan_free(known->plans[i]);
    }
    free(known->guesses);
    free(known);
}

void
known_rows_begin(KnownRows *known, Py_ssize_t buffer, Py_ssize_t count)
{
    known->place = buffer == known->buffer ? known->place : 0;
    known->buffer = buffer;
    const Py_ssize_t places = known->place < MOST_GUESSES - count ? known->place + count : MOST_GUESSES;
    if (places > known->guess_count) {
        const Py_ssize_t room = places < 2 * known->guess_count ? 2 * known->guess_count : places;
        (void)guesses_grow(&known->guesses, &known->guess_count, room, MOST_KNOWN);
    }
}

/* ---- rows ---- */

static inline void
remember(KnownRows *known, Py_ssize_t place, int number)
{
    known->next[known->last] = (uint8_t)number;
    known->last = number;
    if (likely(place < known->guess_count)) {
        known->guesses[place] = (uint8_t)number;
    }
}

/* Remembers the layout of a row; its number, or -1. */
static int
learn(KnownRows *known, const Table *table, Node *node, Py_ssize_t place, const uint8_t *p, const uint8_t *end)
{
    Plan *plan = known->credit < LEARNING ? NULL : plan_new(known->most, table, node, p, end);
    if (plan == NULL) {
        return -1;
    }
    known->credit -= LEARNING;
    int number = known->count;
    if (number < MOST_KNOWN) {
        known->count++;
    }
    else {
        number = known->replaced++ % MOST_KNOWN;
        plan_free(known->plans[number]);
    }
    known->plans[number] = plan;
    remember(known, place, number);
    return number;
}

void
known_rows_learn(KnownRows *known, const Table *table, Node *node, const uint8_t *p, const uint8_t *end)
{
    (void)learn(known, table, node, known->place - 1, p, end);
}

/* The plan of a row that is not the one at its place in the buffer before, and where its values are. */
static COLD const Plan *
find_plan(KnownRows *known, const Table *table, Node *node, Py_ssize_t place, int guess, const uint8_t *p, int room,
          const uint8_t **after, Shifts *shifts)
{
    const int searched = known->credit >= LEARNING;
    for (int i = 0; searched && i < known->count; i++) {
        if (room >= known->plans[i]->layout->depth && (*after = layout_equal(known->plans[i]->layout, p, table->in.end)) != NULL) {
            known->credit -= 1;
            remember(known, place, i);
            return known->plans[i];
        }
    }
    for (int i = 0; i < known->count && i < MOST_LAYOUTS; i++) {
        /* The guess, then others. */
        int number = i == 0 ? guess : i <= guess ? i - 1 : i, repairs = 0;
        if (room < known->plans[number]->layout->depth) {
            continue;
        }
        shifts->count = 0;
        if ((*after = layout_match(known->plans[number]->layout, p, table->in.end, &repairs, shifts)) == NULL ||
            shifts->count > MOST_SHIFTS) {
            continue;
        }
        const int learnt = repairs > 0 ? learn(known, table, node, place, p, *after) : -1;
        if (learnt >= 0) {
            shifts->count = 0;
            number = learnt;
        }
        else {
            remember(known, place, number);
        }
        return known->plans[number];
    }
    return NULL;
}

const uint8_t *
known_row(Table *table, KnownRows *known, const uint8_t *p, Node *node, int depth)
{
    const Py_ssize_t row = table->levels[node->level].rows - 1, elements = table->in.elements, place = known->place++;
    const int room = table->in.max_depth - depth;
    int guess = place < known->guess_count ? known->guesses[place] : MOST_KNOWN;
    if (known->count == 0) {
        return NULL;
    }
    if (unlikely(guess >= known->count)) {
        guess = known->next[known->last] < known->count ? known->next[known->last] : known->last;
    }
    const Plan *plan = known->plans[guess];
    const uint8_t *end = unlikely(room < plan->layout->depth) ? NULL : layout_equal(plan->layout, p, table->in.end);
    int failed;
    if (likely(end != NULL)) {
        known->credit += known->credit < MOST_CREDIT;
        remember(known, place, guess);
        failed = plan_read(table, plan, p, row, depth);
    }
    else {
        Shifts shifts = {0};
        plan = find_plan(known, table, node, place, guess, p, room, &end, &shifts);
        if (plan == NULL) {
            return NULL;
        }
        failed = shifts.count == 0 ? plan_read(table, plan, p, row, depth) : plan_read_shifted(table, plan, &shifts, p, row, depth);
    }
    if (unlikely(failed)) {
        /* The row begins again, and is read with an error that tells where. */
        const Py_ssize_t number = table->levels[node->level].ordinals[row];
        table->in.elements = elements;
        truncate_rows(table, node->level, row);
        (void)begin_row(table, node->level, number);
        return NULL;
    }
    return end;
}
