/* Columnar decoding: lowering a Program to nodes. */
#include "columns.h"
#include "layouts.h"

static const char *const leaf_kinds[LEAF_KIND_COUNT] = {"int", "bool", "double", "binary", "string", "join", "ints"};

/* ---- nodes ---- */

static Node *new_node(Table *table, const Codec *codec, int level) {
    Node **nodes = realloc(table->nodes, (size_t)(table->node_count + 1) * sizeof(Node *));
    if (nodes == NULL) return (Node *)PyErr_NoMemory();
    table->nodes = nodes;
    Node *node = calloc(1, sizeof(Node));
    if (node == NULL) return (Node *)PyErr_NoMemory();
    node->codec = codec;
    node->level = level;
    node->is_union = codec->kind == CODEC_UNION;
    nodes[table->node_count++] = node;
    return node;
}

/* The node's action for a field, made when there is none; the pointer holds until the next call for the node. */
static Action *action_for(Node *node, PyObject *name) {
    const Codec *codec = node->codec;
    const Field *field = NULL;
    if (!PyUnicode_Check(name)) return (Action *)PyErr_Format(PyExc_TypeError, "program: field names must be str");
    for (Py_ssize_t i = 0; i < codec->field_count && field == NULL; i++)
        if (PyUnicode_Compare(codec->fields[i].name, name) == 0) field = &codec->fields[i];
    if (field == NULL || !field->chosen) return (Action *)PyErr_Format(PyExc_KeyError, "program: %U has no field %R", codec->name, name);
    for (Py_ssize_t i = 0; i < node->action_count; i++)
        if (node->actions[i].field == field) return &node->actions[i];
    Action *actions = realloc(node->actions, (size_t)(node->action_count + 1) * sizeof(Action));
    if (actions == NULL) return (Action *)PyErr_NoMemory();
    node->actions = actions;
    Action *action = &actions[node->action_count++];
    *action = (Action){.field = field, .wire = field->type.wire};
    return action;
}

/* The node below a field: of the struct in it, or with rows set, of the structs in the list in it. */
static Node *enter(Table *table, Node *node, PyObject *name, int rows) {
    Action *action = action_for(node, name);
    if (action == NULL) return NULL;
    const Type *type = &action->field->type;
    if (rows) type = type->kind == KIND_LIST ? type->value : type;
    if (type->kind != KIND_STRUCT || (rows && type == &action->field->type) ||
        (type->codec->kind != CODEC_STRUCT && type->codec->kind != CODEC_UNION)) {
        PyErr_Format(PyExc_ValueError, "program: %U.%U is no %s", node->codec->name, name, rows ? "list of structs" : "struct");
        return NULL;
    }
    if (action->node == NULL) {
        Node *below = new_node(table, type->codec, node->level + rows);
        if (below == NULL) return NULL;
        action->node = below;
        action->rows = (uint8_t)rows;
    }
    return action->node;
}

static int by_field(const void *left, const void *right) {
    const Field *a = ((const Action *)left)->field, *b = ((const Action *)right)->field;
    return a < b ? -1 : a > b;
}

/* Puts the actions in the order of declaration, in which missing fields are reported, and makes them findable. */
static void index_actions(Node *node) {
    if (node->action_count > 1) qsort(node->actions, (size_t)node->action_count, sizeof(Action), by_field);
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        int id = node->actions[i].field->id;
        if (id >= 0 && id < DIRECT_ACTIONS) node->direct[id] = &node->actions[i];
        node->required_count += node->actions[i].field->required;
    }
}

/* ---- leaves ---- */

static int leaf_fits(int kind, const Type *type) {
    switch (kind) {
    case LEAF_INT: return type->kind == KIND_I8 || is_integer(type->kind);
    case LEAF_BOOL: return type->kind == KIND_BOOL;
    case LEAF_DOUBLE: return type->kind == KIND_DOUBLE;
    case LEAF_BINARY:
    case LEAF_STRING: return type->wire == WIRE_BINARY;
    case LEAF_JOIN: return type->kind == KIND_LIST && type->value->wire == WIRE_BINARY;
    default: return type->kind == KIND_LIST && (type->value->kind == KIND_I8 || is_integer(type->value->kind));
    }
}

/* row: (level, path, kind, separator). */
static int leaf_init(Table *table, Leaf *leaf, Node **starts, PyObject *row) {
    PyObject *path, *kind, *separator;
    int level;
    if (!PyTuple_Check(row) || !PyArg_ParseTuple(row, "iO!US", &level, &PyTuple_Type, &path, &kind, &separator)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "program: a leaf must be a tuple");
        return -1;
    }
    while (leaf->kind < LEAF_KIND_COUNT && PyUnicode_CompareWithASCIIString(kind, leaf_kinds[leaf->kind]) != 0) leaf->kind++;
    Py_ssize_t steps = PyTuple_GET_SIZE(path);
    if (leaf->kind == LEAF_KIND_COUNT || level < 0 || level >= table->level_count || steps == 0)
        return raise_error(PyExc_ValueError, "program: the leaf %R has an unknown kind or level, or no path", path);
    leaf->separator = PyBytes_AS_STRING(separator);
    leaf->separator_size = PyBytes_GET_SIZE(separator);
    Node *node = starts[level];
    for (Py_ssize_t i = 0; i + 1 < steps; i++) {
        node = enter(table, node, PyTuple_GET_ITEM(path, i), 0);
        if (node == NULL) return -1;
    }
    Action *action = action_for(node, PyTuple_GET_ITEM(path, steps - 1));
    if (action == NULL) return -1;
    if (!leaf_fits(leaf->kind, &action->field->type))
        return raise_error(PyExc_ValueError, "program: %U.%U is no leaf of kind %R", node->codec->name, action->field->name, kind);
    const Type *type = &action->field->type;
    leaf->type = leaf->kind >= LEAF_JOIN ? type->value->kind : type->kind;
    leaf->next = action->leaf;
    action->leaf = leaf;
    leaf->level = &table->levels[level];
    Leaf **place = &leaf->level->leaves[leaf->level->leaf_count++];
    if (leaf->kind >= LEAF_BINARY) {
        Leaf **wide = &leaf->level->leaves[leaf->level->wide_count++];
        *place = *wide;
        place = wide;
    }
    *place = leaf;
    return 0;
}

/* ---- the table ---- */

int table_init(Table *table, PyObject *codec, PyObject *program, PyObject *keep) {
    PyObject *levels, *leaves;
    if (!Py_IS_TYPE(codec, &Codec_Type) || ((Codec *)codec)->kind != CODEC_STRUCT)
        return raise_error(PyExc_TypeError, "codec: the native codec of a struct is needed");
    if (!PyTuple_Check(program) || !PyArg_ParseTuple(program, "O!O!", &PyTuple_Type, &levels, &PyTuple_Type, &leaves))
        return raise_error(PyExc_TypeError, "program: (levels, leaves) is needed");
    table->codec = (Codec *)codec;
    Py_ssize_t leaf_count = PyTuple_GET_SIZE(leaves);
    table->leaves = calloc((size_t)leaf_count + 1, sizeof(Leaf));
    table->levels = calloc((size_t)PyTuple_GET_SIZE(levels) + 1, sizeof(Level));
    Node **starts = calloc((size_t)PyTuple_GET_SIZE(levels) + 1, sizeof(Node *));
    if (table->leaves == NULL || table->levels == NULL || starts == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    table->leaf_count = leaf_count;
    table->level_count = PyTuple_GET_SIZE(levels) + 1;
    for (Py_ssize_t i = 0; i < table->level_count; i++) {
        table->levels[i].number = (int)i;
        table->levels[i].leaves = calloc((size_t)table->leaf_count + 1, sizeof(Leaf *));
        if (table->levels[i].leaves == NULL) {
            PyErr_NoMemory();
            goto fail;
        }
    }
    if ((starts[0] = new_node(table, table->codec, 0)) == NULL) goto fail;
    for (Py_ssize_t i = 0; i + 1 < table->level_count; i++) {
        PyObject *path = PyTuple_GET_ITEM(levels, i);
        Py_ssize_t steps = PyTuple_Check(path) ? PyTuple_GET_SIZE(path) : 0;
        if (steps == 0) {
            PyErr_SetString(PyExc_ValueError, "program: a level needs a path");
            goto fail;
        }
        Node *node = starts[i];
        for (Py_ssize_t j = 0; j < steps && node != NULL; j++) node = enter(table, node, PyTuple_GET_ITEM(path, j), j + 1 == steps);
        if ((starts[i + 1] = node) == NULL) goto fail;
    }
    for (Py_ssize_t i = 0; i < table->leaf_count; i++)
        if (leaf_init(table, &table->leaves[i], starts, PyTuple_GET_ITEM(leaves, i))) goto fail;
    for (Py_ssize_t i = 0; i < table->node_count; i++) index_actions(table->nodes[i]);
    free(starts);
    return wanted_init(table, keep);
fail:
    free(starts);
    return -1;
}

void table_free(Table *table) {
    for (Py_ssize_t i = 0; i < table->node_count; i++) {
        free(table->nodes[i]->actions);
        layouts_free(table->nodes[i]->layouts);
        free(table->nodes[i]);
    }
    for (Py_ssize_t i = 0; i < table->leaf_count; i++) {
        Leaf *leaf = &table->leaves[i];
        free_array(table, leaf->valid);
        free_array(table, leaf->values);
        free_array(table, leaf->offsets);
        free_array(table, leaf->data);
    }
    for (Py_ssize_t i = 0; i < table->level_count; i++) {
        free_array(table, table->levels[i].parents);
        free_array(table, table->levels[i].ordinals);
        free(table->levels[i].leaves);
    }
    for (Py_ssize_t i = 0; i < table->failure_count; i++) trace_free(&table->failures[i].trace);
    free(table->failures);
    free(table->nodes);
    free(table->leaves);
    free(table->levels);
    arena_drop(table->arena);
    layouts_free(table->in.skipped);
    free(table->wanted.places);
    Py_XDECREF(table->wanted.held);
    trace_free(&table->trace);
}
