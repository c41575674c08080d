/* Columnar decoding: rows that come and go. */
#include "columns.h"

void free_array(const Table *table, void *array) {
    if (!arena_owns(table->arena, array)) free(array);
}

/* Gives an array room for size bytes, zeroed after the old ones. */
typedef int (*Resize)(const Table *table, void *array, size_t old, size_t size);

static int resize_alone(const Table *table, void *array, size_t old, size_t size) {
    void *memory = *(void **)array;
    const int inside = arena_owns(table->arena, memory);
    char *grown = realloc(inside ? NULL : memory, size);
    if (grown == NULL) return -1;
    if (inside) memcpy(grown, memory, old);
    memset(grown + old, 0, size - old);
    *(void **)array = grown;
    return 0;
}

static int resize_in_arena(const Table *table, void *array, size_t old, size_t size) {
    void *memory = *(void **)array;
    char *moved = arena_take(table->arena, size);
    if (moved == NULL) return -1;
    if (memory != NULL) {
        memcpy(moved, memory, old);
        free(memory);
    }
    memset(moved + old, 0, size - old);
    *(void **)array = moved;
    return 0;
}

static int resize_level(const Table *table, Level *level, Py_ssize_t rows, Resize resize) {
    const size_t old = (size_t)level->room, room = (size_t)rows;
    if (resize(table, &level->parents, 4 * old, 4 * room) || resize(table, &level->ordinals, 4 * old, 4 * room)) return -1;
    for (Py_ssize_t i = 0; i < level->leaf_count; i++) {
        Leaf *leaf = level->leaves[i];
        const size_t width = leaf->kind == LEAF_BOOL ? 1 : 8;
        if (resize(table, &leaf->valid, old, room) ||
            (leaf->kind >= LEAF_BINARY ? resize(table, &leaf->offsets, old ? 4 * (old + 1) : 0, 4 * (room + 1))
                                       : resize(table, &leaf->values, width * old, width * room))) {
            return -1;
        }
    }
    level->room = rows;
    return 0;
}

int grow_level(Table *table, Level *level) {
    if (level->room > INT32_MAX / 2) {
        table->is_long = 1;
        return -1;
    }
    return resize_level(table, level, level->room ? 2 * level->room : 64, resize_alone);
}

int grow_data(Table *table, Leaf *leaf, Py_ssize_t size) {
    Py_ssize_t room = leaf->data_room ? leaf->data_room : 1024;
    while (room - leaf->data_size < size && room < INT32_MAX) room = room > INT32_MAX / 2 ? INT32_MAX : 2 * room;
    table->is_long = room - leaf->data_size < size;
    if (table->is_long || resize_alone(table, &leaf->data, (size_t)leaf->data_size, (size_t)room)) {
        fail(&table->in, RULE_MEMORY, table->in.begin);
        return -1;
    }
    leaf->data_room = room;
    return 0;
}

/* What the sizes of buffers differ by. */
#define MARGIN 1.0625
/* Bytes of columns for a byte of input that are common; more is believed when it is there. */
#define MOST_PER_BYTE 16

/* An upper bound of the bytes that a level's arrays take for so many rows. */
static double level_size(const Level *level, double rows) {
    return (double)(2 + 2 * level->leaf_count) * ARENA_ALIGNMENT + (8 + 9 * (double)level->leaf_count) * (rows + 1);
}

void make_room(Table *table, Py_ssize_t bytes, Py_ssize_t read) {
    const double factor = MARGIN * (double)bytes / (double)read, spare = 64;
    double size = 0;
    for (Py_ssize_t i = 0; i < table->level_count; i++)
        size += level_size(&table->levels[i], (double)table->levels[i].rows * factor + spare);
    for (Py_ssize_t i = 0; i < table->leaf_count; i++) size += (double)table->leaves[i].data_size * factor + spare + ARENA_ALIGNMENT;
    if (table->arena != NULL || size < (double)LEAST_ARENA || size > MOST_PER_BYTE * (double)bytes ||
        (table->arena = arena_new((size_t)size)) == NULL) {
        return;
    }
    for (Py_ssize_t i = 0; i < table->level_count; i++) {
        Level *level = &table->levels[i];
        Py_ssize_t rows = (Py_ssize_t)((double)level->rows * factor + spare);
        if (rows > level->room && rows < INT32_MAX && resize_level(table, level, rows, resize_in_arena)) return;
    }
    for (Py_ssize_t i = 0; i < table->leaf_count; i++) {
        Leaf *leaf = &table->leaves[i];
        Py_ssize_t room = (Py_ssize_t)((double)leaf->data_size * factor + spare);
        if (leaf->data_size > 0 && room > leaf->data_room && room < INT32_MAX &&
            resize_in_arena(table, &leaf->data, (size_t)leaf->data_size, (size_t)room) == 0) {
            leaf->data_room = room;
        }
    }
}

/* Makes a leaf null again in rows from first on, up to the level's last, which may be unfinished. */
static void clear_leaf(Leaf *leaf, Py_ssize_t first, Py_ssize_t rows) {
    size_t count = (size_t)(rows - first);
    if (likely(count == 1)) {
        leaf->valid[first] = 0;
        if (leaf->kind >= LEAF_BINARY)
            leaf->data_size = leaf->offsets[first];
        else if (leaf->kind == LEAF_BOOL)
            ((uint8_t *)leaf->values)[first] = 0;
        else
            ((int64_t *)leaf->values)[first] = 0;
        return;
    }
    memset(leaf->valid + first, 0, count);
    if (leaf->kind >= LEAF_BINARY)
        leaf->data_size = leaf->offsets[first];
    else if (leaf->kind == LEAF_BOOL)
        memset((uint8_t *)leaf->values + first, 0, count);
    else
        memset((int64_t *)leaf->values + first, 0, 8 * count);
}

/* Takes the rows from first on away, and those of deeper levels that belong to them. */
void truncate_rows(Table *table, Py_ssize_t number, Py_ssize_t first) {
    for (; number < table->level_count; number++) {
        Level *level = &table->levels[number];
        if (first < level->rows) {
            for (Py_ssize_t i = 0; i < level->leaf_count; i++) clear_leaf(level->leaves[i], first, level->rows);
            level->rows = first;
        }
        if (number + 1 < table->level_count) {
            const Level *below = &table->levels[number + 1];
            Py_ssize_t rows = below->rows;
            while (rows > 0 && below->parents[rows - 1] >= first) rows--;
            first = rows;
        }
    }
}

/* Undoes what an earlier occurrence of a field brought, since the last one counts. */
void reset_action(Table *table, const Action *action) {
    for (Leaf *leaf = action->leaf; leaf != NULL; leaf = leaf->next) clear_leaf(leaf, leaf->level->rows - 1, leaf->level->rows);
    if (action->rows) {
        const Level *level = &table->levels[action->node->level];
        Py_ssize_t rows = level->rows, parent = table->levels[action->node->level - 1].rows - 1;
        while (rows > 0 && level->parents[rows - 1] >= parent) rows--;
        truncate_rows(table, action->node->level, rows);
    } else if (action->node != NULL) {
        for (Py_ssize_t i = 0; i < action->node->action_count; i++) reset_action(table, &action->node->actions[i]);
    }
}
