/* Columnar decoding: the function, and turning what was read into buffers. */
#include "columns.h"

#include "common/utf8.h"

/* A bitmap of bytes that are 0 or 1, least significant bit first. */
static PyObject *bitmap(const uint8_t *bytes, Py_ssize_t count, Py_ssize_t *zeros) {
    PyObject *result = PyBytes_FromStringAndSize(NULL, (count + 7) / 8);
    if (result == NULL) return NULL;
    uint8_t *out = (uint8_t *)PyBytes_AS_STRING(result);
    Py_ssize_t ones = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        /* The product brings the lowest bit of byte n to bit 56 + n. */
        const uint64_t word = load64(bytes + i);
        uint8_t bits = (uint8_t)(word * 0x0102040810204080u >> 56);
        ones += (Py_ssize_t)(word * 0x0101010101010101u >> 56);
        *out++ = bits;
    }
    if (i < count) *out = 0;
    for (; i < count; i++) {
        *out |= (uint8_t)(bytes[i] << (i & 7));
        ones += bytes[i];
    }
    *zeros = count - ones;
    return result;
}

/* The array, which it takes away, as a buffer. */
static PyObject *array_buffer(const Table *table, void *array, Py_ssize_t size) {
    void *data = *(void **)array;
    *(void **)array = NULL;
    return buffer_own(data, size, table->arena);
}

/* (validity, values, offsets, nulls, whether all is ASCII) */
static PyObject *leaf_result(const Table *table, Leaf *leaf, Py_ssize_t rows) {
    static const int32_t zero = 0;
    Py_ssize_t nulls = 0, ignored;
    int ascii = 0;
    PyObject *validity = bitmap(leaf->valid, rows, &nulls), *values, *offsets;
    if (validity != NULL && nulls == 0) Py_SETREF(validity, Py_NewRef(Py_None));
    if (leaf->kind >= LEAF_BINARY) {
        ascii = (leaf->kind == LEAF_STRING || leaf->kind == LEAF_JOIN) && is_ascii(leaf->data, leaf->data_size);
        values = array_buffer(table, &leaf->data, leaf->data_size);
        int32_t *ends = leaf->offsets;
        if (leaf->kind == LEAF_INTS)
            for (Py_ssize_t i = 0; i <= rows && ends != NULL; i++) ends[i] /= (int32_t)sizeof(int32_t);
        offsets = ends == NULL ? PyBytes_FromStringAndSize((const char *)&zero, sizeof zero)
                               : array_buffer(table, &leaf->offsets, (Py_ssize_t)sizeof(int32_t) * (rows + 1));
    } else {
        values = leaf->kind == LEAF_BOOL ? bitmap(leaf->values, rows, &ignored) : array_buffer(table, &leaf->values, 8 * rows);
        offsets = Py_NewRef(Py_None);
    }
    if (validity == NULL || values == NULL || offsets == NULL) {
        Py_XDECREF(validity);
        Py_XDECREF(values);
        Py_XDECREF(offsets);
        return NULL;
    }
    return Py_BuildValue("(NNNnO)", validity, values, offsets, nulls, ascii ? Py_True : Py_False);
}

static PyObject *failure_result(const Table *table, const Failure *failure) {
    PyObject *error = decode_error(failure->rule, table->codec->format, &failure->trace, failure->offset);
    return error == NULL ? NULL : Py_BuildValue("(nN)", failure->buffer, error);
}

PyObject *table_result(Table *table) {
    PyObject *levels = PyList_New(0), *leaves = PyList_New(0), *errors = PyList_New(0);
    int failed = levels == NULL || leaves == NULL || errors == NULL;
    for (Py_ssize_t i = 0; !failed && i < table->level_count; i++) {
        Level *level = &table->levels[i];
        const Py_ssize_t size = (Py_ssize_t)sizeof(int32_t) * level->rows;
        PyObject *parents = array_buffer(table, &level->parents, size);
        PyObject *ordinals = parents == NULL ? NULL : array_buffer(table, &level->ordinals, size);
        PyObject *item = parents == NULL || ordinals == NULL ? NULL : Py_BuildValue("(nOO)", level->rows, parents, ordinals);
        failed = item == NULL || PyList_Append(levels, item);
        Py_XDECREF(item);
        Py_XDECREF(parents);
        Py_XDECREF(ordinals);
    }
    for (Py_ssize_t i = 0; !failed && i < table->leaf_count; i++) {
        PyObject *item = leaf_result(table, &table->leaves[i], table->leaves[i].level->rows);
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
static int add_failure(Table *table, Py_ssize_t buffer) {
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
static int read_buffers(Table *table, const Py_buffer *views, Py_ssize_t count, int max_depth, Py_ssize_t max_elements, int collect) {
    Py_ssize_t bytes = 0, read = 0;
    for (Py_ssize_t i = 0; i < count; i++) bytes += views[i].len;
    for (Py_ssize_t i = 0; i < count; read += views[i++].len) {
        const uint8_t *begin = views[i].len ? views[i].buf : (const uint8_t *)"";
        if (i == 1 && read > 0) make_room(table, bytes, read);
        table->later = bytes - read - views[i].len;
        if (table_read(table, begin, begin + views[i].len, i, max_depth, max_elements) == 0) continue;
        if (table->in.rule == RULE_MEMORY || add_failure(table, i) || !collect) return -1;
    }
    return 0;
}

static void raise_first_failure(const Table *table) {
    if (table->in.rule == RULE_MEMORY) {
        if (table->is_long)
            PyErr_SetString(PyExc_ValueError, MOST_BYTES);
        else
            PyErr_NoMemory();
        return;
    }
    const Failure *failure = &table->failures[table->failure_count - 1];
    PyObject *error = decode_error(failure->rule, table->codec->format, &failure->trace, failure->offset);
    if (error == NULL) return;
    PyObject *number = PyLong_FromSsize_t(failure->buffer);
    PyObject *note = number == NULL || PyObject_SetAttrString(error, "buffer", number)
                         ? NULL
                         : PyObject_CallMethod(error, "add_note", "N", PyUnicode_FromFormat("in buffer %S", number));
    if (note != NULL) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(note);
    Py_XDECREF(number);
    Py_DECREF(error);
}

static int take_on_error(PyObject *on_error, int *collect) {
    *collect = PyUnicode_Check(on_error) && PyUnicode_CompareWithASCIIString(on_error, "collect") == 0;
    if (*collect || (PyUnicode_Check(on_error) && PyUnicode_CompareWithASCIIString(on_error, "raise") == 0)) return 0;
    PyErr_Format(PyExc_ValueError, "on_error: \"raise\" or \"collect\", not %R", on_error);
    return -1;
}

/* A view of bytes that nobody changes while they are read, more than once: of a copy unless they never change. */
static int take_fixed(PyObject *data, Py_buffer *view) {
    if (take_buffer(data, view)) return -1;
    if (owner_of(data) != NULL) return 0;
    PyObject *copy = PyBytes_FromStringAndSize(view->buf, view->len);
    PyBuffer_Release(view);
    if (copy == NULL) return -1;
    const int failed = PyObject_GetBuffer(copy, view, PyBUF_SIMPLE);
    Py_DECREF(copy);
    return failed;
}

PyObject *compact_columns(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    Table table = {.codec = NULL};
    Py_ssize_t depth, elements, taken = 0;
    int collect, failed;
    if (check_count("columns", count, 7) || take_limit(args[3], "max_depth", &depth) || take_limit(args[4], "max_elements", &elements) ||
        take_on_error(args[6], &collect)) {
        return NULL;
    }
    PyObject *result = NULL, *buffers = PySequence_List(args[2]);
    if (buffers == NULL) return NULL;
    Py_ssize_t buffer_count = PyList_GET_SIZE(buffers);
    Py_buffer *views = PyMem_Calloc((size_t)buffer_count + 1, sizeof(Py_buffer));
    if (views == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (table_init(&table, args[0], args[1], args[5])) goto done;
    for (; taken < buffer_count; taken++)
        if (take_fixed(PyList_GET_ITEM(buffers, taken), &views[taken])) goto done;
    Py_BEGIN_ALLOW_THREADS failed =
        read_buffers(&table, views, buffer_count, nesting_room(depth < MAX_NESTING ? (int)depth : MAX_NESTING), elements, collect);
    Py_END_ALLOW_THREADS if (failed) { raise_first_failure(&table); }
    else {
        result = table_result(&table);
    }
done:
    while (taken > 0) PyBuffer_Release(&views[--taken]);
    PyMem_Free(views);
    Py_DECREF(buffers);
    table_free(&table);
    return result;
}
