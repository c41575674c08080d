/* Columnar decoding: lowering a Program to nodes, and turning what was read into buffers. */
#include "compact_columns.h"

static const char *const leaf_kinds[LEAF_KIND_COUNT] = {"int", "bool", "double", "binary", "string", "join", "ints"};

/* ---- nodes ---- */

static Node *
new_node(Table *table, const Codec *codec, int level)
{
    Node **nodes = realloc(table->nodes, (size_t)(table->node_count + 1) * sizeof(Node *));
    if (nodes == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    table->nodes = nodes;
    Node *node = calloc(1, sizeof(Node));
    if (node == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    node->codec = codec;
    node->level = level;
    node->is_union = codec->kind == CODEC_UNION;
    nodes[table->node_count++] = node;
    return node;
}

/* The node's action for a field, made when there is none; the pointer holds until the next call for the node. */
static Action *
action_for(Node *node, PyObject *name)
{
    const Codec *codec = node->codec;
    const Field *field = NULL;
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "program: field names must be str");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < codec->field_count && field == NULL; i++) {
        if (PyUnicode_Compare(codec->fields[i].name, name) == 0) {
            field = &codec->fields[i];
        }
    }
    if (field == NULL || !field->chosen) {
        PyErr_Format(PyExc_KeyError, "program: %U has no field %R", codec->name, name);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        if (node->actions[i].field == field) {
            return &node->actions[i];
        }
    }
    Action *actions = realloc(node->actions, (size_t)(node->action_count + 1) * sizeof(Action));
    if (actions == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    node->actions = actions;
    Action *action = &actions[node->action_count++];
    *action = (Action){.field = field, .wire = field->type.wire};
    return action;
}

/* The node below a field: of the struct in it, or with rows set, of the structs in the list in it. */
static Node *
enter(Table *table, Node *node, PyObject *name, int rows)
{
    Action *action = action_for(node, name);
    if (action == NULL) {
        return NULL;
    }
    const Type *type = &action->field->type;
    if (rows) {
        type = type->kind == KIND_LIST ? type->value : type;
    }
    if (type->kind != KIND_STRUCT || (rows && type == &action->field->type) ||
        (type->codec->kind != CODEC_STRUCT && type->codec->kind != CODEC_UNION)) {
        PyErr_Format(PyExc_ValueError, "program: %U.%U is no %s", node->codec->name, name, rows ? "list of structs" : "struct");
        return NULL;
    }
    if (action->node == NULL) {
        Node *below = new_node(table, type->codec, node->level + rows);
        if (below == NULL) {
            return NULL;
        }
        action->node = below;
        action->rows = (uint8_t)rows;
    }
    return action->node;
}

static int
by_field(const void *left, const void *right)
{
    const Field *a = ((const Action *)left)->field, *b = ((const Action *)right)->field;
    return a < b ? -1 : a > b;
}

/* Puts the actions in the order of declaration, in which missing fields are reported, and makes them findable. */
static int
index_actions(Node *node)
{
    if (node->action_count > 1) {
        qsort(node->actions, (size_t)node->action_count, sizeof(Action), by_field);
    }
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        int id = node->actions[i].field->id;
        if (id >= 0 && id < DIRECT_ACTIONS) {
            node->direct[id] = &node->actions[i];
        }
    }
    node->required = calloc((size_t)node->action_count + 1, sizeof(Action *));
    if (node->required == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < node->action_count; i++) {
        if (node->actions[i].field->required) {
            node->required[node->required_count++] = &node->actions[i];
        }
    }
    return 0;
}

/* ---- leaves ---- */

static int
leaf_fits(int kind, const Type *type)
{
    switch (kind) {
    case LEAF_INT:
        return type->kind == KIND_I8 || is_integer(type->kind);
    case LEAF_BOOL:
        return type->kind == KIND_BOOL;
    case LEAF_DOUBLE:
        return type->kind == KIND_DOUBLE;
    case LEAF_BINARY: case LEAF_STRING:
        return type->wire == WIRE_BINARY;
    case LEAF_JOIN:
        return type->kind == KIND_LIST && type->value->wire == WIRE_BINARY;
    default:
        return type->kind == KIND_LIST && (type->value->kind == KIND_I8 || is_integer(type->value->kind));
    }
}

/* row: (level, path, kind, separator). */
static int
leaf_init(Table *table, Leaf *leaf, Node **starts, PyObject *row)
{
    PyObject *path, *kind, *separator;
    int level;
    if (!PyTuple_Check(row) || !PyArg_ParseTuple(row, "iO!US", &level, &PyTuple_Type, &path, &kind, &separator)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "program: a leaf must be a tuple");
        }
        return -1;
    }
    while (leaf->kind < LEAF_KIND_COUNT && PyUnicode_CompareWithASCIIString(kind, leaf_kinds[leaf->kind]) != 0) {
        leaf->kind++;
    }
    Py_ssize_t steps = PyTuple_GET_SIZE(path);
    if (leaf->kind == LEAF_KIND_COUNT || level < 0 || level >= table->level_count || steps == 0) {
        PyErr_Format(PyExc_ValueError, "program: the leaf %R has an unknown kind or level, or no path", path);
        return -1;
    }
    leaf->separator = PyBytes_AS_STRING(separator);
    leaf->separator_size = PyBytes_GET_SIZE(separator);
    Node *node = starts[level];
    for (Py_ssize_t i = 0; i + 1 < steps; i++) {
        node = enter(table, node, PyTuple_GET_ITEM(path, i), 0);
        if (node == NULL) {
            return -1;
        }
    }
    Action *action = action_for(node, PyTuple_GET_ITEM(path, steps - 1));
    if (action == NULL) {
        return -1;
    }
    if (!leaf_fits(leaf->kind, &action->field->type)) {
        PyErr_Format(PyExc_ValueError, "program: %U.%U is no leaf of kind %R", node->codec->name, action->field->name, kind);
        return -1;
    }
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

/* ---- wanted values ---- */

size_t
hash_number(int64_t number)
{
    uint64_t hash = (uint64_t)number * 0x9e3779b97f4a7c15u;
    return (size_t)(hash ^ hash >> 32);
}

size_t
hash_bytes(const char *data, Py_ssize_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (Py_ssize_t i = 0; i < size; i++) {
        hash = (hash ^ (uint8_t)data[i]) * 0x100000001b3u;
    }
    return (size_t)(hash ^ hash >> 32);
}

int
is_wanted(const Wanted *wanted, const Leaf *leaf, Py_ssize_t row)
{
    if (leaf->kind == LEAF_INT) {
        int64_t number = ((const int64_t *)leaf->values)[row];
        for (size_t i = hash_number(number) & wanted->mask; wanted->places[i].used; i = (i + 1) & wanted->mask) {
            if (wanted->places[i].number == number) {
                return 1;
            }
        }
        return 0;
    }
    Py_ssize_t size = leaf->data_size - (Py_ssize_t)leaf->offsets[row];
    const char *data = size ? (const char *)leaf->data + leaf->offsets[row] : "";
    for (size_t i = hash_bytes(data, size) & wanted->mask; wanted->places[i].used; i = (i + 1) & wanted->mask) {
        if (wanted->places[i].size == size && memcmp(wanted->places[i].text, data, (size_t)size) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Values that the leaf's kind cannot have are left out: no row has them. */
static int
add_wanted(Wanted *wanted, PyObject *value)
{
    Place place = {.used = 1};
    size_t hash;
    if (value == Py_None) {
        wanted->null = 1;
        return 0;
    }
    if (wanted->leaf->kind == LEAF_INT) {
        int overflow;
        if (!PyLong_Check(value)) {
            return 0;
        }
        place.number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) {
            return 0;
        }
        hash = hash_number(place.number);
    }
    else {
        if (!PyBytes_Check(value)) {
            return 0;
        }
        place.text = PyBytes_AS_STRING(value);
        place.size = PyBytes_GET_SIZE(value);
        hash = hash_bytes(place.text, place.size);
    }
    size_t i = hash & wanted->mask;
    while (wanted->places[i].used) {
        i = (i + 1) & wanted->mask;
    }
    wanted->places[i] = place;
    return 0;
}

static int
wanted_init(Table *table, PyObject *keep)
{
    Wanted *wanted = &table->wanted;
    Py_ssize_t number;
    PyObject *values;
    if (keep == Py_None) {
        return 0;
    }
    if (!PyTuple_Check(keep) || !PyArg_ParseTuple(keep, "nO", &number, &values)) {
        PyErr_SetString(PyExc_TypeError, "keep: None or (leaf number, values) is needed");
        return -1;
    }
    const Leaf *leaf = number >= 0 && number < table->leaf_count ? &table->leaves[number] : NULL;
    if (leaf == NULL || leaf->level->number != table->level_count - 1 || leaf->kind == LEAF_BOOL || leaf->kind == LEAF_DOUBLE ||
        leaf->kind == LEAF_INTS) {
        PyErr_Format(PyExc_ValueError, "keep: %zd is no join, string, binary or int leaf of the innermost level", number);
        return -1;
    }
    wanted->held = PySequence_List(values);
    if (wanted->held == NULL) {
        return -1;
    }
    size_t size = 16;
    while (size < 2 * (size_t)PyList_GET_SIZE(wanted->held)) {
        size *= 2;
    }
    wanted->places = calloc(size, sizeof(Place));
    if (wanted->places == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    wanted->mask = size - 1;
    wanted->leaf = leaf;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(wanted->held); i++) {
        if (add_wanted(wanted, PyList_GET_ITEM(wanted->held, i))) {
            return -1;
        }
    }
    return 0;
}

/* ---- the table ---- */

int
table_init(Table *table, PyObject *codec, PyObject *program, PyObject *keep)
{
    PyObject *levels, *leaves;
    if (!Py_IS_TYPE(codec, &Codec_Type) || ((Codec *)codec)->kind != CODEC_STRUCT) {
        PyErr_SetString(PyExc_TypeError, "codec: the native codec of a struct is needed");
        return -1;
    }
    if (!PyTuple_Check(program) || !PyArg_ParseTuple(program, "O!O!", &PyTuple_Type, &levels, &PyTuple_Type, &leaves)) {
        PyErr_SetString(PyExc_TypeError, "program: (levels, leaves) is needed");
        return -1;
    }
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
    if ((starts[0] = new_node(table, table->codec, 0)) == NULL) {
        goto fail;
    }
    for (Py_ssize_t i = 0; i + 1 < table->level_count; i++) {
        PyObject *path = PyTuple_GET_ITEM(levels, i);
        Py_ssize_t steps = PyTuple_Check(path) ? PyTuple_GET_SIZE(path) : 0;
        if (steps == 0) {
            PyErr_SetString(PyExc_ValueError, "program: a level needs a path");
            goto fail;
        }
        Node *node = starts[i];
        for (Py_ssize_t j = 0; j < steps && node != NULL; j++) {
            node = enter(table, node, PyTuple_GET_ITEM(path, j), j + 1 == steps);
        }
        if ((starts[i + 1] = node) == NULL) {
            goto fail;
        }
    }
    for (Py_ssize_t i = 0; i < table->leaf_count; i++) {
        if (leaf_init(table, &table->leaves[i], starts, PyTuple_GET_ITEM(leaves, i))) {
            goto fail;
        }
    }
    for (Py_ssize_t i = 0; i < table->node_count; i++) {
        if (index_actions(table->nodes[i])) {
            goto fail;
        }
    }
    free(starts);
    return wanted_init(table, keep);
fail:
    free(starts);
    return -1;
}

void
table_free(Table *table)
{
    for (Py_ssize_t i = 0; i < table->node_count; i++) {
        free(table->nodes[i]->actions);
        free(table->nodes[i]->required);
        free(table->nodes[i]);
    }
    for (Py_ssize_t i = 0; i < table->leaf_count; i++) {
        Leaf *leaf = &table->leaves[i];
        free(leaf->valid);
        free(leaf->values);
        free(leaf->offsets);
        free(leaf->data);
    }
    for (Py_ssize_t i = 0; i < table->level_count; i++) {
        free(table->levels[i].parents);
        free(table->levels[i].ordinals);
        free(table->levels[i].leaves);
    }
    for (Py_ssize_t i = 0; i < table->failure_count; i++) {
        trace_free(&table->failures[i].trace);
    }
    free(table->failures);
    free(table->nodes);
    free(table->leaves);
    free(table->levels);
    free(table->wanted.places);
    Py_XDECREF(table->wanted.held);
    trace_free(&table->trace);
}

/* ---- results ---- */

/* A bitmap of bytes that are 0 or 1, least significant bit first. */
static PyObject *
bitmap(const uint8_t *bytes, Py_ssize_t count, Py_ssize_t *zeros)
{
    PyObject *result = PyBytes_FromStringAndSize(NULL, (count + 7) / 8);
    if (result == NULL) {
        return NULL;
    }
    uint8_t *out = (uint8_t *)PyBytes_AS_STRING(result);
    Py_ssize_t ones = 0;
    for (Py_ssize_t i = 0; i < count; i += 8) {
        unsigned bits = 0;
        for (Py_ssize_t j = 0; j < 8 && i + j < count; j++) {
            bits |= (unsigned)bytes[i + j] << j;
            ones += bytes[i + j];
        }
        *out++ = (uint8_t)bits;
    }
    *zeros = count - ones;
    return result;
}

/* The array, which it takes away, as a buffer. */
static PyObject *
array_buffer(void *array, Py_ssize_t size)
{
    void *data = *(void **)array;
    *(void **)array = NULL;
    return buffer_own(data, size);
}

static PyObject *
leaf_result(Leaf *leaf, Py_ssize_t rows)
{
    static const int64_t zero = 0;
    Py_ssize_t nulls = 0, ignored;
    PyObject *validity = bitmap(leaf->valid, rows, &nulls), *values, *offsets;
    if (validity != NULL && nulls == 0) {
        Py_SETREF(validity, Py_NewRef(Py_None));
    }
    if (leaf->kind >= LEAF_BINARY) {
        values = array_buffer(&leaf->data, leaf->data_size);
        int64_t *ends = leaf->offsets;
        if (leaf->kind == LEAF_INTS) {
            for (Py_ssize_t i = 0; i <= rows && ends != NULL; i++) {
                ends[i] /= (int64_t)sizeof(int32_t);
            }
        }
        offsets = ends == NULL ? PyBytes_FromStringAndSize((const char *)&zero, 8) : array_buffer(&leaf->offsets, 8 * (rows + 1));
    }
    else {
        values = leaf->kind == LEAF_BOOL ? bitmap(leaf->values, rows, &ignored) : array_buffer(&leaf->values, 8 * rows);
        offsets = Py_NewRef(Py_None);
    }
    if (validity == NULL || values == NULL || offsets == NULL) {
        Py_XDECREF(validity);
        Py_XDECREF(values);
        Py_XDECREF(offsets);
        return NULL;
    }
    return Py_BuildValue("(NNNn)", validity, values, offsets, nulls);
}

static PyObject *
failure_result(const Table *table, const Failure *failure)
{
    PyObject *error = decode_error(failure->rule, table->codec->format, &failure->trace, failure->offset);
    return error == NULL ? NULL : Py_BuildValue("(nN)", failure->buffer, error);
}

PyObject *
table_result(Table *table)
{
    PyObject *levels = PyList_New(0), *leaves = PyList_New(0), *errors = PyList_New(0);
    int failed = levels == NULL || leaves == NULL || errors == NULL;
    for (Py_ssize_t i = 0; !failed && i < table->level_count; i++) {
        Level *level = &table->levels[i];
        PyObject *parents = array_buffer(&level->parents, 8 * level->rows);
        PyObject *ordinals = array_buffer(&level->ordinals, 8 * level->rows);
        PyObject *item = parents == NULL || ordinals == NULL ? NULL : Py_BuildValue("(nOO)", level->rows, parents, ordinals);
        failed = item == NULL || PyList_Append(levels, item);
        Py_XDECREF(item);
        Py_XDECREF(parents);
        Py_XDECREF(ordinals);
    }
    for (Py_ssize_t i = 0; !failed && i < table->leaf_count; i++) {
        PyObject *item = leaf_result(&table->leaves[i], table->leaves[i].level->rows);
        failed = item == NULL || PyList_Append(leaves, item);
        Py_XDECREF(item);
    }
    for (Py_ssize_t i = 0; !failed && i < table->failure_count; i++) {
        PyObject *item = failure_result(table, &table->failures[i]);
        failed = item == NULL || PyList_Append(errors, item);
        Py_XDECREF(item);
    }
    PyObject *result = failed ? NULL : PyTuple_Pack(3, levels, leaves, errors);
    Py_XDECREF(levels);
    Py_XDECREF(leaves);
    Py_XDECREF(errors);
    return result;
}

/* ---- the function ---- */

/* Remembers why a buffer failed; its trace moves into the failure. */
static int
add_failure(Table *table, Py_ssize_t buffer)
{
    if (table->failure_count == table->failure_room) {
        Py_ssize_t room = table->failure_room ? 2 * table->failure_room : 8;
        Failure *failures = realloc(table->failures, (size_t)room * sizeof(Failure));
        if (failures == NULL) {
            table->in.rule = RULE_MEMORY;
            return -1;
        }
        table->failures = failures;
        table->failure_room = room;
    }
    Failure *failure = &table->failures[table->failure_count++];
    *failure = (Failure){buffer, table->in.at - table->in.begin, table->in.rule, table->trace};
    table->trace = (Trace){0};
    return 0;
}

/* Reads all buffers; -1 when one failed that must not, which is then the last failure, or when memory ran out. */
static int
read_buffers(Table *table, const Py_buffer *views, Py_ssize_t count, int max_depth, Py_ssize_t max_elements, int collect)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        const uint8_t *begin = views[i].len ? views[i].buf : (const uint8_t *)"";
        if (table_read(table, begin, begin + views[i].len, i, max_depth, max_elements) == 0) {
            continue;
        }
        if (table->in.rule == RULE_MEMORY || add_failure(table, i) || !collect) {
            return -1;
        }
    }
    return 0;
}

static void
raise_first_failure(const Table *table)
{
    if (table->in.rule == RULE_MEMORY) {
        PyErr_NoMemory();
        return;
    }
    const Failure *failure = &table->failures[table->failure_count - 1];
    PyObject *error = decode_error(failure->rule, table->codec->format, &failure->trace, failure->offset);
    if (error == NULL) {
        return;
    }
    PyObject *number = PyLong_FromSsize_t(failure->buffer);
    PyObject *note = number == NULL || PyObject_SetAttrString(error, "buffer", number)
                         ? NULL
                         : PyObject_CallMethod(error, "add_note", "N", PyUnicode_FromFormat("in buffer %S", number));
    if (note != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    Py_XDECREF(note);
    Py_XDECREF(number);
    Py_DECREF(error);
}

static int
take_on_error(PyObject *on_error, int *collect)
{
    *collect = PyUnicode_Check(on_error) && PyUnicode_CompareWithASCIIString(on_error, "collect") == 0;
    if (*collect || (PyUnicode_Check(on_error) && PyUnicode_CompareWithASCIIString(on_error, "raise") == 0)) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "on_error: \"raise\" or \"collect\", not %R", on_error);
    return -1;
}

PyObject *
compact_columns(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    Table table = {.codec = NULL};
    Py_ssize_t depth, elements, taken = 0;
    int collect, failed;
    if (check_count("columns", count, 7) || take_limit(args[3], "max_depth", &depth) ||
        take_limit(args[4], "max_elements", &elements) || take_on_error(args[6], &collect)) {
        return NULL;
    }
    PyObject *result = NULL, *buffers = PySequence_List(args[2]);
    if (buffers == NULL) {
        return NULL;
    }
    Py_ssize_t buffer_count = PyList_GET_SIZE(buffers);
    Py_buffer *views = PyMem_Calloc((size_t)buffer_count + 1, sizeof(Py_buffer));
    if (views == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (table_init(&table, args[0], args[1], args[5])) {
        goto done;
    }
    for (; taken < buffer_count; taken++) {
        if (take_buffer(PyList_GET_ITEM(buffers, taken), &views[taken])) {
            goto done;
        }
    }
    Py_BEGIN_ALLOW_THREADS
    failed = read_buffers(&table, views, buffer_count, depth < MAX_NESTING ? (int)depth : MAX_NESTING, elements, collect);
    Py_END_ALLOW_THREADS
    if (failed) {
        raise_first_failure(&table);
    }
    else {
        result = table_result(&table);
    }
done:
    while (taken > 0) {
        PyBuffer_Release(&views[--taken]);
    }
    PyMem_Free(views);
    Py_DECREF(buffers);
    table_free(&table);
    return result;
}
