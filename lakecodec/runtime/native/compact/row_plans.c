/* Columnar decoding of rows with a known layout: leaves are read at the places that the layout gives them, and nothing between is
 * looked at but by the comparison. */
#include "row_plans.h"

Py_ssize_t
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

void
plan_free(Plan *plan)
{
    if (plan != NULL) {
        free(plan->layout);
        free(plan);
    }
}

/* A varint of 64 bits, or one in which the layout leaves no bits over that its type has not. */
static void
plan_number(Plan *plan, PlannedLeaf *planned, const uint8_t *p, const uint8_t *end)
{
    const int type = planned->leaf->type;
    const Py_ssize_t size = end - p;
    const uint8_t over = type == KIND_I64 ? 0 : type == KIND_I16 ? 0xfc : 0xf0;
    const Py_ssize_t most = type == KIND_I64 ? 8 : type == KIND_I16 ? 3 : 5;
    if (type == KIND_I8 || size > most || (size == most && end[-1] & over)) {
        return;
    }
    planned->reading = READ_NUMBER;
    planned->bits = ~CONTINUATIONS >> (64 - 8 * size);
    if (size == most) {
        plan->layout->mask[planned->at + size - 1] |= over;
    }
}

/* The value at p, which ends at end, as one whose place and size are those of all rows with the layout. */
static void
plan_value(Plan *plan, PlannedLeaf *planned, Input *in, const uint8_t *p, const uint8_t *end)
{
    const Leaf *leaf = planned->leaf;
    if (leaf->next != NULL) {
        return;
    }
    Py_ssize_t count = 0;
    int wire;
    if (leaf->kind == LEAF_INT) {
        plan_number(plan, planned, p, end);
        return;
    }
    if (leaf->kind == LEAF_JOIN || leaf->kind == LEAF_INTS) {
        p = read_list_header(in, p, &count, &wire);
    }
    if (leaf->kind == LEAF_INTS && leaf->type != KIND_I8 && end - p == count) {
        planned->reading = READ_NUMBERS;
    }
    else if (leaf->kind == LEAF_BINARY || leaf->kind == LEAF_STRING || (leaf->kind == LEAF_JOIN && count == 1)) {
        Py_ssize_t length;
        p = read_length(in, p, &length);
        planned->reading = READ_TEXT;
    }
    plan->elements += planned->reading == READ_ANY ? 0 : count;
    planned->data = (uint16_t)(p - in->begin);
    planned->size = (uint16_t)(end - p);
}

/* Adds the leaves of the struct at p; its end, or NULL where a field comes twice or out of order. */
static const uint8_t *
plan_struct(Plan *plan, Py_ssize_t most, const Table *table, Input *in, const uint8_t *p, Node *node, int depth)
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
        const uint8_t *value = p;
        const Action *action = find_action(node, last);
        if (action == NULL || !action_takes(action, wire)) {
            p = skip_field(in, p, wire, in->max_depth, start);
        }
        else if (action->leaf == NULL) {
            p = plan_struct(plan, most, table, in, p, action->node, depth + 1);
        }
        else {
            p = skip_field(in, p, wire, in->max_depth, start);
            if (p == NULL || plan->count >= most) {
                return NULL;
            }
            PlannedLeaf *planned = &plan->leaves[plan->count++];
            value = action->wire == WIRE_TRUE ? start : value;
            *planned = (PlannedLeaf){.action = action, .leaf = action->leaf, .at = (uint16_t)(value - in->begin), .depth = depth};
            /* What decides about the row is read in its turn. */
            if (table->wanted.leaf == NULL) {
                plan_value(plan, planned, in, value, p);
            }
        }
        if (p == NULL) {
            return NULL;
        }
    }
}

Plan *
plan_new(Py_ssize_t most, const Table *table, Node *node, const uint8_t *p, const uint8_t *end)
{
    Plan *plan = malloc(sizeof(Plan) + (size_t)most * sizeof(PlannedLeaf));
    if (plan == NULL) {
        return NULL;
    }
    *plan = (Plan){.layout = layout_new(p, end, NULL)};
    Input in = {.begin = p, .end = end, .max_depth = nesting_room(MAX_NESTING)};
    const int failed = plan->layout == NULL || plan_struct(plan, most, table, &in, p, node, 0) != end;
    layouts_free(in.skipped);
    if (failed) {
        plan_free(plan);
        return NULL;
    }
    return plan;
}

/* Room behind a leaf's data; NULL without memory. */
static inline uint8_t *
data_end(Table *table, Leaf *leaf, Py_ssize_t size)
{
    return unlikely(leaf->data_room - leaf->data_size < size) && grow_data(table, leaf, size) ? NULL : leaf->data + leaf->data_size;
}

int
plan_read(Table *table, const Plan *plan, const uint8_t *p, Py_ssize_t row, int depth)
{
    if (unlikely(plan->elements > table->in.elements)) {
        return -1;
    }
    table->in.elements -= plan->elements;
    for (int i = 0; i < plan->count; i++) {
        const PlannedLeaf *planned = &plan->leaves[i];
        Leaf *leaf = planned->leaf;
        if (likely(planned->reading == READ_NUMBER)) {
            const uint64_t word = load64(p + planned->at) & planned->bits;
            const uint64_t value = planned->bits <= 0x7f7f ? (word & 0x7f) | word >> 8 << 7 : close_gaps(word);
            ((int64_t *)leaf->values)[row] = unzigzag(value);
            leaf->valid[row] = 1;
            continue;
        }
        const Py_ssize_t size = planned->size;
        const uint8_t *data = p + planned->data;
        if (planned->reading == READ_TEXT) {
            /* Short ones are copied with what follows them, which is cheaper than exactly. */
            uint8_t *to = data_end(table, leaf, size < BLOCK ? BLOCK : size);
            if (unlikely(to == NULL)) {
                return -1;
            }
            memcpy(to, data, BLOCK);
            if (unlikely(size > BLOCK)) {
                memcpy(to + BLOCK, data + BLOCK, (size_t)(size - BLOCK));
            }
            leaf->data_size += size;
            leaf->valid[row] = 1;
        }
        else if (planned->reading == READ_NUMBERS) {
            uint8_t *to = data_end(table, leaf, (Py_ssize_t)sizeof(int32_t) * size);
            if (unlikely(to == NULL)) {
                return -1;
            }
            for (Py_ssize_t j = 0; j < size; j++) {
                const int32_t number = (int32_t)unzigzag(data[j]);
                memcpy(to + (Py_ssize_t)sizeof number * j, &number, sizeof number);
            }
            leaf->data_size += (Py_ssize_t)sizeof(int32_t) * size;
            leaf->valid[row] = 1;
        }
        else {
            const uint8_t *value = p + planned->at;
            if (unlikely(read_leaves(table, value, planned->action, row, *value & 15, depth + planned->depth) == NULL)) {
                return -1;
            }
            if (unlikely(table->dropped)) {
                return 0;
            }
        }
    }
    return 0;
}

int
plan_read_shifted(Table *table, const Plan *plan, const Shifts *shifts, const uint8_t *p, Py_ssize_t row, int depth)
{
    Py_ssize_t shift = 0;
    int passed = 0;
    for (int i = 0; i < plan->count && !table->dropped; i++) {
        const PlannedLeaf *planned = &plan->leaves[i];
        while (unlikely(passed < shifts->count) && planned->at >= shifts->items[passed].from) {
            shift = shifts->items[passed++].shift;
        }
        const uint8_t *value = p + planned->at + shift;
        if (unlikely(read_leaves(table, value, planned->action, row, *value & 15, depth + planned->depth) == NULL)) {
            return -1;
        }
    }
    return 0;
}

