/* Columnar decoding of one buffer, without any Python API, so that the GIL can be released. */
#include "columns.h"
#include "gather.h"

static const uint8_t *read_node(Table *table, const uint8_t *p, Node *node, int depth);

/* ---- leaves ---- */

static inline int add_data(Table *table, Leaf *leaf, const void *data, Py_ssize_t size) {
    if (unlikely(leaf->data_room - leaf->data_size < size) && grow_data(table, leaf, size)) return -1;
    if (likely(size > 0)) { /* without data there may be no memory */
        memcpy(leaf->data + leaf->data_size, data, (size_t)size);
        leaf->data_size += size;
    }
    return 0;
}

/* As add_data, for data in the input: short ones are copied with what follows them, which is cheaper than exactly. */
static inline int add_input(Table *table, Leaf *leaf, const uint8_t *data, Py_ssize_t size) {
    if (likely(size <= 16 && table->in.end - data >= 16 && leaf->data_room - leaf->data_size >= 16)) {
        memcpy(leaf->data + leaf->data_size, data, 16);
        leaf->data_size += size;
        return 0;
    }
    return add_data(table, leaf, data, size);
}

static inline const uint8_t *read_number(Table *table, const uint8_t *p, int kind, int64_t *out) {
    uint64_t value;
    if (kind == KIND_I8) {
        if (p >= table->in.end) return truncated(&table->in);
        *out = (int8_t)*p;
        return p + 1;
    }
    const uint8_t *end = read_varint(&table->in, p, &value);
    if (unlikely(end == NULL)) return NULL;
    if (kind != KIND_I64) {
        if (unlikely(kind == KIND_I16 && value >> 16)) return fail(&table->in, RULE_I16, p);
        if (unlikely(value >> 32)) return fail(&table->in, RULE_I32, p);
    }
    *out = unzigzag(value);
    return end;
}

static inline const uint8_t *read_block(Table *table, const uint8_t *p, Leaf *leaf) {
    Py_ssize_t length;
    const uint8_t *start = read_length(&table->in, p, &length);
    if (unlikely(start == NULL)) return NULL;
    return add_input(table, leaf, start, length) ? NULL : start + length;
}

/* The header of a list of a known field, with all of its checks. */
static const uint8_t *read_elements(Table *table, const uint8_t *p, const Type *type, int depth, Py_ssize_t *count) {
    const uint8_t *start = p;
    int wire;
    if (depth > table->in.max_depth) return fail(&table->in, RULE_DEPTH, p);
    p = read_list_header(&table->in, p, count, &wire);
    if (unlikely(p == NULL)) return NULL;
    if (unlikely(*count && !element_fits(type->value, wire))) return fail(&table->in, RULE_ELEMENT, start);
    if (unlikely(*count > table->in.elements)) return fail(&table->in, RULE_ELEMENTS, start);
    table->in.elements -= *count;
    return p;
}

static COLD const uint8_t *read_list_leaf(Table *table, const uint8_t *p, const Type *type, Leaf *leaf, int depth) {
    Py_ssize_t count;
    p = read_elements(table, p, type, depth, &count);
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        if (leaf->kind == LEAF_JOIN) {
            if (i > 0 && add_data(table, leaf, leaf->separator, leaf->separator_size)) return NULL;
            p = read_block(table, p, leaf);
        } else {
            int64_t number;
            const uint8_t *start = p;
            p = read_number(table, p, leaf->type, &number);
            if (p != NULL && number != (int32_t)number) p = fail(&table->in, RULE_I32, start);
            int32_t element = p == NULL ? 0 : (int32_t)number;
            if (p != NULL && add_data(table, leaf, &element, sizeof element)) p = NULL;
        }
        if (p == NULL) trace_index(&table->trace, i);
    }
    return p;
}

/* A field's value into a row of one leaf. */
static inline const uint8_t *read_leaf(Table *table, const uint8_t *p, const Action *action, Leaf *leaf, Py_ssize_t row, int wire,
                                       int depth) {
    leaf->valid[row] = 1;
    if (leaf->kind == LEAF_INT) return read_number(table, p, leaf->type, (int64_t *)leaf->values + row);
    if (leaf->kind >= LEAF_BINARY) {
        leaf->data_size = leaf->offsets[row];
        return leaf->kind <= LEAF_STRING ? read_block(table, p, leaf) : read_list_leaf(table, p, &action->field->type, leaf, depth + 1);
    }
    if (leaf->kind == LEAF_BOOL) {
        ((uint8_t *)leaf->values)[row] = wire == WIRE_TRUE;
        return p;
    }
    if (unlikely(table->in.end - p < 8)) return truncated(&table->in);
    uint64_t bits = load64(p);
    memcpy((double *)leaf->values + row, &bits, 8);
    return p + 8;
}

static inline const uint8_t *leaves_of(Table *table, const uint8_t *p, const Action *action, Py_ssize_t row, int wire, int depth) {
    const uint8_t *end;
    Leaf *leaf = action->leaf;
    do {
        end = read_leaf(table, p, action, leaf, row, wire, depth);
        if (unlikely(leaf == table->wanted.leaf) && end != NULL) table->dropped = !is_wanted(&table->wanted, leaf, row);
        leaf = leaf->next;
    } while (unlikely(leaf != NULL) && end != NULL);
    return end;
}

const uint8_t *read_leaves(Table *table, const uint8_t *p, const Action *action, Py_ssize_t row, int wire, int depth) {
    return leaves_of(table, p, action, row, wire, depth);
}

/* ---- structs ---- */

static inline int is_dropped(const Table *table, Py_ssize_t row) {
    return table->dropped || (!table->wanted.null && !table->wanted.leaf->valid[row]);
}

/* So many rows of a level tell how much room the rest of the bytes needs. */
#define MANY_ROWS 4096
/* The fewest rows of a list for which layouts pay, in the first buffer and in others; and the most that are gathered at once. */
#define LEAST_ROWS 16
#define LEAST_LATER 2
#define MOST_GATHERED 256

/* Whether the layouts of the rows of a list that begins are known. A row is compared with the one at the same place in the buffer before, so
 * that what is written alike into file after file needs one comparison, however much neighbours differ. */
static int are_known(const Table *table, Node *node, Py_ssize_t count) {
    const Py_ssize_t buffer = table->levels[0].rows;
    if (count < (buffer > 1 ? LEAST_LATER : LEAST_ROWS)) return 0;
    if (!node->looked) {
        node->looked = 1;
        node->leaf_count = count_leaves(node);
        node->layouts = node->leaf_count < 0 ? NULL : layouts_new(NULL, NULL);
        if (node->layouts != NULL) node->layouts->strict = 1;
    }
    if (node->layouts == NULL) return 0;
    node->place = buffer == node->buffer ? node->place : 0;
    node->buffer = buffer;
    layouts_begin(node->layouts, node->place + count);
    return 1;
}

/* Reads rows that have a layout; how many, 0 where the first has none, or -1 where it must be read all the same. */
static inline Py_ssize_t read_alike(Table *table, const uint8_t **p, Node *node, Py_ssize_t ordinal, Py_ssize_t most, int depth) {
    Level *level = &table->levels[node->level];
    const Py_ssize_t row = level->rows, elements = table->in.elements;
    Passed passed;
    const uint8_t *after = layouts_pass(node->layouts, node->place, most, *p, table->in.end, table->in.max_depth - depth, &passed);
    if (after == NULL) return 0;
    if (unlikely(!passed.layout->looked))
        look_for_gather(passed.layout, node->leaf_count, table, node, *p);
    else if (likely(passed.layout->gather != NULL)) {
        int failed = 0;
        for (Py_ssize_t i = 0; i < passed.count && !failed; i++) {
            failed = begin_row(table, node->level, ordinal + i);
            if (passed.count > 1 && !failed) finish_row(level);
        }
        if (!failed) failed = passed.exact ? gather_rows(table, &passed, *p, row, depth) : gather_shifted(table, &passed, *p, row, depth);
        if (likely(!failed)) {
            *p = after;
            return passed.count;
        }
        /* The rows begin again, and are read with an error that tells where. */
        table->in.elements = elements;
        table->trace.count = 0;
        truncate_rows(table, node->level, row);
    }
    return -1;
}

/* Reads a row field by field, and remembers its layout if it is new. */
static const uint8_t *read_row(Table *table, const uint8_t *p, Node *node, Py_ssize_t ordinal, int is_new, int depth) {
    if (begin_row(table, node->level, ordinal)) return NULL;
    const uint8_t *end = read_node(table, p, node, depth);
    if (unlikely(end == NULL)) {
        trace_index(&table->trace, ordinal);
    } else if (is_new && !table->dropped) {
        Layout *layout = layouts_learn(node->layouts, node->place, p, end);
        if (layout != NULL) look_for_gather(layout, node->leaf_count, table, node, p);
    }
    return end;
}

static COLD const uint8_t *read_rows(Table *table, const uint8_t *p, const Action *action, int depth) {
    Py_ssize_t count;
    Node *node = action->node;
    Level *level = &table->levels[node->level];
    const int decides = table->wanted.leaf != NULL && level == table->wanted.leaf->level;
    p = read_elements(table, p, &action->field->type, depth, &count);
    if (p == NULL) return NULL;
    const int known = are_known(table, node, count);
    const uint8_t *first = p;
    for (Py_ssize_t i = 0, rows; i < count; i += rows) {
        const Py_ssize_t most = decides ? 1 : count - i < MOST_GATHERED ? count - i : MOST_GATHERED;
        if (unlikely(level->rows + most > level->room && level->rows >= MANY_ROWS && i > 0 && table->arena == NULL)) {
            /* As many bytes as all rows so far would have taken, were they like those of this list. */
            const Py_ssize_t read = (Py_ssize_t)((double)(p - first) * (double)level->rows / (double)i);
            make_room(table, read + (table->in.end - p) + table->later, read);
        }
        rows = known ? read_alike(table, &p, node, i, most, depth + 1) : -1;
        if (unlikely(rows <= 0)) {
            p = read_row(table, p, node, i, rows == 0, depth + 1);
            if (p == NULL) return NULL;
            rows = 1;
        }
        node->place += rows;
        if (decides && is_dropped(table, level->rows - 1)) {
            truncate_rows(table, node->level, level->rows - 1);
            table->dropped = 0;
        } else {
            finish_row(level);
        }
    }
    return p;
}

/* The value of a field of the struct that the last row of the action's level is read from. */
static inline const uint8_t *read_action(Table *table, const uint8_t *p, Action *action, Py_ssize_t row, int wire, int depth) {
    Leaf *leaf = action->leaf;
    if (leaf == NULL) return action->rows ? read_rows(table, p, action, depth + 1) : read_node(table, p, action->node, depth + 1);
    return leaves_of(table, p, action, row, wire, depth);
}

/* Reports the first required field that a struct lacks. */
static COLD const uint8_t *lacks_required(Table *table, const Node *node, const uint8_t *stop) {
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        const Action *action = &node->actions[i];
        if (action->field->required && action->seen != node->visit) {
            fail(&table->in, RULE_REQUIRED, stop);
            trace_name(&table->trace, action->field->name);
            break;
        }
    }
    return NULL;
}

/* Skips a list of the root: one of the same bytes as that of the buffer before is as valid. */
static COLD const uint8_t *skip_again(Table *table, const uint8_t *p, int id, int room) {
    Skipped *skipped = table->skipped;
    while (skipped < table->skipped + MOST_SKIPPED && skipped->size != 0 && skipped->id != id) skipped++;
    if (skipped == table->skipped + MOST_SKIPPED) return skip_list(&table->in, p, room);
    if (skipped->size != 0 && skipped->size <= table->in.end - p && memcmp(p, skipped->begin, (size_t)skipped->size) == 0)
        return p + skipped->size;
    const uint8_t *end = skip_list(&table->in, p, room);
    if (end != NULL) *skipped = (Skipped){id, p, end - p};
    return end;
}

static const uint8_t *read_node(Table *table, const uint8_t *p, Node *node, int depth) {
    Input *in = &table->in;
    const Py_ssize_t row = table->levels[node->level].rows - 1;
    Py_ssize_t missing = node->required_count;
    int last = 0, members = 0;
    if (unlikely(depth > in->max_depth)) return fail(in, RULE_DEPTH, p);
    node->visit++;
    for (;;) {
        const uint8_t *start = p;
        int wire;
        p = read_field_header(in, p, &last, &wire);
        if (unlikely(p == NULL)) return NULL;
        if (unlikely(node->is_union) && (wire == WIRE_STOP) != members) return fail(in, members ? RULE_MEMBERS : RULE_NO_MEMBER, start);
        if (wire == WIRE_STOP) return unlikely(missing) ? lacks_required(table, node, start) : p;
        members = 1;
        Action *action = find_action(node, last);
        if (action == NULL || unlikely(!action_takes(action, wire))) {
            const int room = in->max_depth - depth;
            p = wire == WIRE_LIST && depth == 1 && room > 0 ? skip_again(table, p, last, room - 1) : skip_field(in, p, wire, room, start);
            if (unlikely(p == NULL)) return NULL;
            continue;
        }
        if (unlikely(action->seen == node->visit)) {
            reset_action(table, action);
        } else {
            action->seen = node->visit;
            missing -= action->field->required;
        }
        p = read_action(table, p, action, row, wire, depth);
        if (unlikely(p == NULL)) {
            trace_name(&table->trace, action->field->name);
            return NULL;
        }
        if (unlikely(table->dropped)) return skip_fields(in, p, in->max_depth - depth, last);
    }
}

int table_read(Table *table, const uint8_t *begin, const uint8_t *end, Py_ssize_t number, int max_depth, Py_ssize_t max_elements) {
    Level *level = &table->levels[0];
    Py_ssize_t before = level->rows;
    table->in = (Input){.begin = begin, .end = end, .max_depth = max_depth, .elements = max_elements, .skipped = table->in.skipped};
    table->trace.count = 0;
    table->dropped = 0;
    int failed = begin_row(table, 0, number) || read_node(table, begin, table->nodes[0], 1) == NULL;
    int decides = table->wanted.leaf != NULL && table->wanted.leaf->level == level;
    if (failed || (decides && is_dropped(table, before)))
        truncate_rows(table, 0, before);
    else
        finish_row(level);
    return failed ? -1 : 0;
}
