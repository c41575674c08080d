/* Columnar decoding of rows with a known layout: leaves are read at the places that the layout gives them, and nothing between is
 * looked at but by the comparison. Rows that follow each other are read leaf by leaf. */
#include "gather.h"

/* How a leaf is read from a row that has exactly the layout; others are read by their headers and lengths. */
enum Reading { READ_ANY, READ_NUMBER, READ_TEXT, READ_NUMBERS };

typedef struct GatheredLeaf {
    const Action *action;
    Leaf *leaf;          /* the first of the action */
    uint64_t bits;       /* of a number: those of its bytes that count */
    uint16_t at;         /* of the value in the layout; of a boolean, of the header that is its value */
    uint16_t data, size; /* of a text, or of numbers of a byte each */
    uint8_t reading;
    int depth; /* of the struct that has it */
} GatheredLeaf;

/* What is read of a row that has the layout. */
typedef struct Gather {
    Py_ssize_t elements; /* of the lists that are not READ_ANY */
    int count;
    GatheredLeaf leaves[];
} Gather;

Py_ssize_t count_leaves(const Node *node) {
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        const Action *action = &node->actions[i];
        const Py_ssize_t below = action->leaf != NULL ? 1 : action->rows ? -1 : count_leaves(action->node);
        if (below < 0) return -1;
        count += below;
    }
    return count;
}

/* A varint of 64 bits, or one in which the layout leaves no bits over that its type has not. */
static void gather_number(Layout *layout, GatheredLeaf *gathered, const uint8_t *p, const uint8_t *end) {
    const int type = gathered->leaf->type;
    const Py_ssize_t size = end - p;
    const uint8_t over = type == KIND_I64 ? 0 : type == KIND_I16 ? 0xfc : 0xf0;
    const Py_ssize_t most = type == KIND_I64 ? 8 : type == KIND_I16 ? 3 : 5;
    if (type == KIND_I8 || size > most || (size == most && end[-1] & over)) return;
    gathered->reading = READ_NUMBER;
    gathered->bits = ~CONTINUATIONS >> (64 - 8 * size);
    if (size == most) layout->pattern->mask[gathered->at + size - 1] |= over;
}

/* The value at p, which ends at end, as one whose place and size are those of all rows with the layout. */
static void gather_value(Layout *layout, Gather *gather, GatheredLeaf *gathered, Input *in, const uint8_t *p, const uint8_t *end) {
    const Leaf *leaf = gathered->leaf;
    if (leaf->next != NULL) return;
    Py_ssize_t count = 0;
    int wire;
    if (leaf->kind == LEAF_INT) {
        gather_number(layout, gathered, p, end);
        return;
    }
    if (leaf->kind == LEAF_JOIN || leaf->kind == LEAF_INTS) p = read_list_header(in, p, &count, &wire);
    if (leaf->kind == LEAF_INTS && leaf->type != KIND_I8 && end - p == count) {
        gathered->reading = READ_NUMBERS;
    } else if (leaf->kind == LEAF_BINARY || leaf->kind == LEAF_STRING || (leaf->kind == LEAF_JOIN && count == 1)) {
        Py_ssize_t length;
        p = read_length(in, p, &length);
        gathered->reading = READ_TEXT;
    }
    gather->elements += gathered->reading == READ_ANY ? 0 : count;
    gathered->data = (uint16_t)(p - in->begin);
    gathered->size = (uint16_t)(end - p);
}

/* Adds the leaves of the struct at p; its end, or NULL where a field comes twice or out of order. */
static const uint8_t *gather_struct(Layout *layout, Gather *gather, Py_ssize_t most, const Table *table, Input *in, const uint8_t *p,
                                    Node *node, int depth) {
    int last = 0;
    for (;;) {
        const uint8_t *start = p;
        const int before = last;
        int wire;
        p = read_field_header(in, p, &last, &wire);
        if (p == NULL || wire == WIRE_STOP) return p;
        if (last <= before) return NULL;
        const uint8_t *value = p;
        const Action *action = find_action(node, last);
        if (action == NULL || !action_takes(action, wire)) {
            p = skip_field(in, p, wire, in->max_depth, start);
        } else if (action->leaf == NULL) {
            p = gather_struct(layout, gather, most, table, in, p, action->node, depth + 1);
        } else {
            p = skip_field(in, p, wire, in->max_depth, start);
            if (p == NULL || gather->count >= most) return NULL;
            GatheredLeaf *gathered = &gather->leaves[gather->count++];
            value = action->wire == WIRE_TRUE ? start : value;
            *gathered = (GatheredLeaf){.action = action, .leaf = action->leaf, .at = (uint16_t)(value - in->begin), .depth = depth};
            /* What decides about the row is read in its turn. */
            if (table->wanted.leaf == NULL) gather_value(layout, gather, gathered, in, value, p);
        }
        if (p == NULL) return NULL;
    }
}

void look_for_gather(Layout *layout, Py_ssize_t most, const Table *table, Node *node, const uint8_t *p) {
    Gather *gather = malloc(sizeof(Gather) + (size_t)most * sizeof(GatheredLeaf));
    layout->looked = 1;
    if (gather == NULL) return;
    *gather = (Gather){0};
    Input in = {.begin = p, .end = p + layout->size, .max_depth = nesting_room(MAX_NESTING)};
    if (gather_struct(layout, gather, most, table, &in, p, node, 0) == in.end)
        layout->gather = gather;
    else
        free(gather);
    layouts_free(in.skipped);
}

/* Room after a leaf's data; NULL without memory. */
static inline uint8_t *data_end(Table *table, Leaf *leaf, Py_ssize_t size) {
    return unlikely(leaf->data_room - leaf->data_size < size) && grow_data(table, leaf, size) ? NULL : leaf->data + leaf->data_size;
}

/* The values of a leaf in rows from p on, each `stride` bytes after the other; -1 where they must be read by read_node. */
static inline __attribute__((always_inline)) int gather_leaf(Table *table, const GatheredLeaf *gathered, const uint8_t *p,
                                                             Py_ssize_t stride, Py_ssize_t row, Py_ssize_t count, int depth) {
    Leaf *leaf = gathered->leaf;
    if (likely(gathered->reading == READ_NUMBER)) {
        int64_t *values = (int64_t *)leaf->values + row;
        const uint64_t bits = gathered->bits;
        p += gathered->at;
        if (count == 1)
            leaf->valid[row] = 1;
        else
            memset(leaf->valid + row, 1, (size_t)count);
        for (Py_ssize_t i = 0; i < count; i++, p += stride) {
            const uint64_t word = load64(p) & bits;
            values[i] = unzigzag(bits <= 0x7f7f ? (word & 0x7f) | word >> 8 << 7 : close_gaps(word));
        }
        return 0;
    }
    if (gathered->reading == READ_ANY) {
        for (Py_ssize_t i = 0; i < count && !table->dropped; i++, p += stride) {
            const uint8_t *value = p + gathered->at;
            if (unlikely(read_leaves(table, value, gathered->action, row + i, *value & 15, depth + gathered->depth) == NULL)) return -1;
            for (Leaf *each = leaf; count > 1 && each != NULL; each = each->next)
                if (each->kind >= LEAF_BINARY) each->offsets[row + i + 1] = (int32_t)each->data_size;
        }
        return 0;
    }
    const Py_ssize_t size = gathered->size, width = gathered->reading == READ_TEXT ? size : (Py_ssize_t)sizeof(int32_t) * size;
    uint8_t *to = data_end(table, leaf, width * count + BLOCK);
    if (unlikely(to == NULL)) return -1;
    for (Py_ssize_t i = 0; i < count; i++, p += stride, to += width) {
        const uint8_t *data = p + gathered->data;
        if (gathered->reading == READ_TEXT) {
            /* Short ones are copied with what follows them, which is cheaper than exactly. */
            memcpy(to, data, BLOCK);
            if (unlikely(size > BLOCK)) memcpy(to + BLOCK, data + BLOCK, (size_t)(size - BLOCK));
        } else {
            for (Py_ssize_t j = 0; j < size; j++) {
                const int32_t number = (int32_t)unzigzag(data[j]);
                memcpy(to + (Py_ssize_t)sizeof number * j, &number, sizeof number);
            }
        }
        leaf->data_size += width;
        if (count > 1) leaf->offsets[row + i + 1] = (int32_t)leaf->data_size;
        leaf->valid[row + i] = 1;
    }
    return 0;
}

int gather_rows(Table *table, const Passed *passed, const uint8_t *p, Py_ssize_t row, int depth) {
    const Gather *gather = passed->layout->gather;
    const Py_ssize_t count = passed->count;
    if (unlikely(gather->elements * count > table->in.elements)) return -1;
    table->in.elements -= gather->elements * count;
    for (int i = 0; i < gather->count && !table->dropped; i++) {
        const GatheredLeaf *gathered = &gather->leaves[i];
        if (unlikely(count == 1 ? gather_leaf(table, gathered, p, 0, row, 1, depth)
                                : gather_leaf(table, gathered, p, passed->layout->size, row, count, depth)))
            return -1;
    }
    return 0;
}

int gather_shifted(Table *table, const Passed *passed, const uint8_t *p, Py_ssize_t row, int depth) {
    const Gather *gather = passed->layout->gather;
    const Shifts *shifts = &passed->shifts;
    Py_ssize_t shift = 0;
    int before = 0;
    for (int i = 0; i < gather->count && !table->dropped; i++) {
        const GatheredLeaf *gathered = &gather->leaves[i];
        while (unlikely(before < shifts->count) && gathered->at >= shifts->items[before].from) shift = shifts->items[before++].shift;
        const uint8_t *value = p + gathered->at + shift;
        if (unlikely(read_leaves(table, value, gathered->action, row, *value & 15, depth + gathered->depth) == NULL)) return -1;
    }
    return 0;
}
