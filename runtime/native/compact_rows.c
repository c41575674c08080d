/* Columnar decoding: rows that come and go. */
#include "compact_columns.h"

static int
grow_array(void *array, Py_ssize_t old, Py_ssize_t room, size_t width)
{
    char *grown = realloc(*(void **)array, (size_t)room * width);
    if (grown == NULL) {
        return -1;
    }
    memset(grown + (size_t)old * width, 0, (size_t)(room - old) * width);
    *(void **)array = grown;
    return 0;
}

int
grow_level(Level *level)
{
    Py_ssize_t old = level->room, room = old ? 2 * old : 64;
    if (grow_array(&level->parents, old, room, 8) || grow_array(&level->ordinals, old, room, 8)) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < level->leaf_count; i++) {
        Leaf *leaf = level->leaves[i];
        if (grow_array(&leaf->valid, old, room, 1)) {
            return -1;
        }
        if (leaf->kind >= LEAF_BINARY) {
            if (grow_array(&leaf->offsets, old ? old + 1 : 0, room + 1, 8)) {
                return -1;
            }
        }
        else if (grow_array(&leaf->values, old, room, leaf->kind == LEAF_BOOL ? 1 : 8)) {
            return -1;
        }
    }
    level->room = room;
    return 0;
}

/* Makes a leaf null again in rows from first on, up to the level's last, which may be unfinished. */
static void
clear_leaf(Leaf *leaf, Py_ssize_t first, Py_ssize_t rows)
{
    size_t count = (size_t)(rows - first);
    if (likely(count == 1)) {
        leaf->valid[first] = 0;
        if (leaf->kind >= LEAF_BINARY) {
            leaf->data_size = leaf->offsets[first];
        }
        else if (leaf->kind == LEAF_BOOL) {
            ((uint8_t *)leaf->values)[first] = 0;
        }
        else {
            ((int64_t *)leaf->values)[first] = 0;
        }
        return;
    }
    memset(leaf->valid + first, 0, count);
    if (leaf->kind >= LEAF_BINARY) {
        leaf->data_size = leaf->offsets[first];
    }
    else if (leaf->kind == LEAF_BOOL) {
        memset((uint8_t *)leaf->values + first, 0, count);
    }
    else {
        memset((int64_t *)leaf->values + first, 0, 8 * count);
    }
}

/* Takes the rows from first on away, and those of deeper levels that belong to them. */
void
truncate_rows(Table *table, Py_ssize_t number, Py_ssize_t first)
{
    for (; number < table->level_count; number++) {
        Level *level = &table->levels[number];
        if (first < level->rows) {
            for (Py_ssize_t i = 0; i < level->leaf_count; i++) {
                clear_leaf(level->leaves[i], first, level->rows);
            }
            level->rows = first;
        }
        if (number + 1 < table->level_count) {
            const Level *below = &table->levels[number + 1];
            Py_ssize_t rows = below->rows;
            while (rows > 0 && below->parents[rows - 1] >= first) {
                rows--;
            }
            first = rows;
        }
    }
}

/* Undoes what an earlier occurrence of a field brought, since the last one counts. */
void
reset_action(Table *table, const Action *action)
{
    for (Leaf *leaf = action->leaf; leaf != NULL; leaf = leaf->next) {
        clear_leaf(leaf, leaf->level->rows - 1, leaf->level->rows);
    }
    if (action->rows) {
        const Level *level = &table->levels[action->node->level];
        Py_ssize_t rows = level->rows, parent = table->levels[action->node->level - 1].rows - 1;
        while (rows > 0 && level->parents[rows - 1] >= parent) {
            rows--;
        }
        truncate_rows(table, action->node->level, rows);
    }
    else if (action->node != NULL) {
        for (Py_ssize_t i = 0; i < action->node->action_count; i++) {
            reset_action(table, &action->node->actions[i]);
        }
    }
}
