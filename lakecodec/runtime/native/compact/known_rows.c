/* Columnar decoding of rows that repeat a layout: leaves are read at the places that the layout gives them, and nothing between
 * is looked at but by the comparison. */
#include "columns.h"
#include "layouts.h"

typedef struct PlannedLeaf {
    const Action *action;
    int at;    /* of the value in the layout; of a boolean, of the header that is its value */
    int depth; /* of the struct that has it */
} PlannedLeaf;

/* What is read of a row of a layout. */
typedef struct Plan {
    int serial; /* of the layout that it was made of */
    int count;  /* of the leaves, -1 where there can be no plan */
    PlannedLeaf *leaves;
} Plan;

/* More leaves cost as much by their places as by the headers before them. */
enum { MOST_LEAVES = 8 };

struct KnownRows {
    Layouts *layouts;
    Plan plans[MOST_LAYOUTS];
    Py_ssize_t most; /* leaves of a plan */
};

/* Leaf fields of a node and the structs in it; -1 where there are rows inside. */
static Py_ssize_t
count_leaves(const Node *node)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        const Action *action = &node->actions[i];
        const Py_ssize_t below = action->leaf != NULL ? 1 : action->rows ? -1 : count_leaves(action->node);
        if (below < 0) {
            return -1;
        }
        count += below;
    }
    return count;
}

KnownRows *
known_rows_new(const Node *node)
{
    const Py_ssize_t most = count_leaves(node);
    KnownRows *known = most < 0 || most > MOST_LEAVES ? NULL : calloc(1, sizeof(KnownRows));
    if (known == NULL || (known->layouts = layouts_new(NULL)) == NULL) {
        free(known);
        return NULL;
    }
    known->most = most;
    return known;
}

void
known_rows_free(KnownRows *known)
{
    if (known == NULL) {
        return;
    }
    for (int i = 0; i < MOST_LAYOUTS; i++) {
        free(known->plans[i].leaves);
    }
    layouts_free(known->layouts);
    free(known);
}

void
known_rows_begin(KnownRows *known, Py_ssize_t count)
{
    layouts_begin(known->layouts, count);
}

/* Adds the leaves of the struct at p; its end, or NULL where a field comes twice or out of order. */
static const uint8_t *
plan_struct(Plan *plan, Py_ssize_t most, Input *in, const uint8_t *p, Node *node, int depth)
{
    int last = 0;
    for (;;) {
        const uint8_t *start = p;
        const int before = last;
        int wire;
        p = read_field_header(in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP) {
            return p;
        }
        if (last <= before) {
            return NULL;
        }
        const Action *action = find_action(node, last);
        if (action == NULL || !action_takes(action, wire)) {
            p = skip_field(in, p, wire, in->max_depth, start);
        }
        else if (action->leaf == NULL) {
            p = plan_struct(plan, most, in, p, action->node, depth + 1);
        }
        else {
            if (plan->count >= most) {
                return NULL;
            }
            const uint8_t *value = action->wire == WIRE_TRUE ? start : p;
            plan->leaves[plan->count++] = (PlannedLeaf){action, (int)(value - in->begin), depth};
            p = skip_field(in, p, wire, in->max_depth, start);
        }
        if (p == NULL) {
            return NULL;
        }
    }
}

static void
plan_make(Plan *plan, const KnownRows *known, const Layout *layout, Node *node)
{
    Input in = {.begin = layout->bytes, .end = layout->bytes + layout->size, .max_depth = MAX_NESTING};
    plan->serial = layout->serial;
    plan->count = 0;
    if (plan->leaves == NULL) {
        plan->leaves = malloc((size_t)(known->most + 1) * sizeof(PlannedLeaf));
    }
    if (plan->leaves == NULL || plan_struct(plan, known->most, &in, layout->bytes, node, 0) != in.end) {
        plan->count = -1;
    }
    layouts_free(in.skipped);
}

const uint8_t *
known_row(Table *table, KnownRows *known, Py_ssize_t ordinal, const uint8_t *p, Node *node, int depth)
{
    Layouts *layouts = known->layouts;
    Shifts shifts;
    const Layout *layout;
    const uint8_t *end = layouts_match(layouts, ordinal, p, table->in.end, table->in.max_depth - depth, &layout, &shifts);
    if (end == NULL || shifts.count > MOST_SHIFTS) {
        return NULL;
    }
    Plan *plan = &known->plans[layouts->last];
    if (unlikely(plan->serial != layout->serial)) {
        plan_make(plan, known, layout, node);
    }
    if (unlikely(plan->count < 0)) {
        return NULL;
    }
    const Py_ssize_t row = table->levels[node->level].rows - 1, elements = table->in.elements;
    Py_ssize_t shift = 0;
    int passed = 0;
    for (int i = 0; i < plan->count; i++) {
        const PlannedLeaf *planned = &plan->leaves[i];
        while (unlikely(passed < shifts.count) && planned->at >= shifts.items[passed].from) {
            shift = shifts.items[passed++].shift;
        }
        const uint8_t *value = p + planned->at + shift;
        if (unlikely(read_leaves(table, value, planned->action, row, *value & 15, depth + planned->depth) == NULL)) {
            /* The row begins again, and is read with an error that tells where. */
            const int64_t number = table->levels[node->level].ordinals[row];
            table->in.elements = elements;
            truncate_rows(table, node->level, row);
            (void)begin_row(table, node->level, number);
            return NULL;
        }
        if (unlikely(table->dropped)) {
            return end;
        }
    }
    return end;
}

void
known_rows_learn(KnownRows *known, Py_ssize_t ordinal, const uint8_t *p, const uint8_t *end)
{
    layouts_learn(known->layouts, ordinal, p, end);
}
