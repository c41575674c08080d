/* Columnar decoding: the values that decide which rows are made. */
#include "columns.h"

static inline size_t mixed(uint64_t hash) {
    hash *= 0x9e3779b97f4a7c15u;
    return (size_t)(hash ^ hash >> 32);
}

static inline size_t hash_bytes(const char *data, Py_ssize_t size) {
    uint64_t hash = (uint64_t)size;
    for (; size >= 8; data += 8, size -= 8) hash = mixed(hash ^ load64((const uint8_t *)data));
    for (; size > 0; size--) hash = hash << 8 ^ hash >> 56 ^ (uint8_t)*data++;
    return mixed(hash);
}

int is_wanted(const Wanted *wanted, const Leaf *leaf, Py_ssize_t row) {
    if (leaf->kind == LEAF_INT) {
        int64_t number = ((const int64_t *)leaf->values)[row];
        for (size_t i = mixed((uint64_t)number) & wanted->mask; wanted->places[i].used; i = (i + 1) & wanted->mask)
            if (wanted->places[i].number == number) return 1;
        return 0;
    }
    Py_ssize_t size = leaf->data_size - leaf->offsets[row];
    const char *data = size ? (const char *)leaf->data + leaf->offsets[row] : "";
    for (size_t i = hash_bytes(data, size) & wanted->mask; wanted->places[i].used; i = (i + 1) & wanted->mask)
        if (wanted->places[i].size == size && memcmp(wanted->places[i].text, data, (size_t)size) == 0) return 1;
    return 0;
}

/* Values that the leaf's kind cannot have are left out: no row has them. */
static int add_wanted(Wanted *wanted, PyObject *value) {
    Place place = {.used = 1};
    size_t hash;
    if (value == Py_None) {
        wanted->null = 1;
        return 0;
    }
    if (wanted->leaf->kind == LEAF_INT) {
        int overflow;
        if (!PyLong_Check(value)) return 0;
        place.number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) return 0;
        hash = mixed((uint64_t)place.number);
    } else {
        if (!PyBytes_Check(value)) return 0;
        place.text = PyBytes_AS_STRING(value);
        place.size = PyBytes_GET_SIZE(value);
        hash = hash_bytes(place.text, place.size);
    }
    size_t i = hash & wanted->mask;
    while (wanted->places[i].used) i = (i + 1) & wanted->mask;
    wanted->places[i] = place;
    return 0;
}

int wanted_init(Table *table, PyObject *keep) {
    Wanted *wanted = &table->wanted;
    Py_ssize_t number;
    PyObject *values;
    if (keep == Py_None) return 0;
    if (!PyTuple_Check(keep) || !PyArg_ParseTuple(keep, "nO", &number, &values))
        return raise_error(PyExc_TypeError, "keep: None or (leaf number, values) is needed");
    const Leaf *leaf = number >= 0 && number < table->leaf_count ? &table->leaves[number] : NULL;
    if (leaf == NULL || leaf->level->number != table->level_count - 1 || leaf->kind == LEAF_BOOL || leaf->kind == LEAF_DOUBLE ||
        leaf->kind == LEAF_INTS)
        return raise_error(PyExc_ValueError, "keep: %zd is no join, string, binary or int leaf of the innermost level", number);
    wanted->held = PySequence_List(values);
    if (wanted->held == NULL) return -1;
    size_t size = 16;
    while (size < 2 * (size_t)PyList_GET_SIZE(wanted->held)) size *= 2;
    wanted->places = calloc(size, sizeof(Place));
    if (wanted->places == NULL) return no_memory();
    wanted->mask = size - 1;
    wanted->leaf = leaf;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(wanted->held); i++)
        if (add_wanted(wanted, PyList_GET_ITEM(wanted->held, i))) return -1;
    return 0;
}
