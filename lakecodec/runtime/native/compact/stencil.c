/* Making the stencil of an instance: the same bytes as encoding gives, and the nodes that are gone through to find what differs. */
#include "stencil.h"
#include "tape.h"

typedef struct Maker {
    Stencil *stencil;
    int run; /* bytes since the last hole */
} Maker;

static int make_instance(Maker *m, const Codec *codec, PyObject *self, int from, int level);
static int make_list(Maker *m, const Type *type, PyObject *list, int from, int level);

/* Whether a value is the same in all elements of a shape: None, a truth value or, unless the stencil is loose, a member of an enum. */
static inline int is_common(const Stencil *s, const Type *type, PyObject *value) {
    return value == Py_None || type->kind == KIND_BOOL || (type->kind == KIND_ENUM && !s->loose && !PyLong_CheckExact(value));
}

/* Bytes of the memory that a value of the type is read from, as far as that is in one place; 0 where stencils have no holes for it. */
static Py_ssize_t looked_at(const Type *type, PyObject *value) {
    switch (type->kind) {
    case KIND_STRUCT: return type->codec->kind == CODEC_STRUCT && Py_IS_TYPE(value, type->codec->cls) ? type->codec->cls->tp_basicsize : 0;
    case KIND_LIST: return PyList_CheckExact(value) ? (Py_ssize_t)sizeof(PyListObject) : 0;
    case KIND_ENUM: return PyLong_Check(value) && !PyBool_Check(value) ? (Py_ssize_t)sizeof(PyLongObject) : 0;
    case KIND_I8:
    case KIND_I16:
    case KIND_I32:
    case KIND_I64: return PyLong_CheckExact(value) ? (Py_ssize_t)sizeof(PyLongObject) : 0;
    case KIND_DOUBLE: return PyFloat_CheckExact(value) ? (Py_ssize_t)sizeof(PyFloatObject) : 0;
    case KIND_BINARY: return PyBytes_CheckExact(value) ? (Py_ssize_t)sizeof(PyBytesObject) + 8 : 0;
    case KIND_STRING: return PyUnicode_CheckExact(value) ? (Py_ssize_t)sizeof(PyASCIIObject) + 16 : 0;
    default: return 0;
    }
}

/* Describes what is in a slot, or an item, of a node; 0 or -1. */
static int add_slot(Stencil *s, Holder *node, const Type *type, Py_ssize_t number, PyObject *value) {
    if (value == NULL) return -1;
    if (is_common(s, type, value)) {
        if (value != Py_None && PyBool_Check(value) != (type->kind == KIND_BOOL)) return -1;
        s->same[node->first_slot + number] = (uintptr_t)Py_NewRef(value);
        s->mask[node->first_slot + number] = UINTPTR_MAX;
        return 0;
    }
    const Py_ssize_t size = looked_at(type, value);
    if (size == 0 || size > UINT16_MAX || s->take_count == MOST_FOUND || s->found == MOST_FOUND) return -1;
    s->takes[s->take_count++] = (Take){(uint16_t)number, (uint16_t)size, (uint8_t)s->found++};
    node->takes++;
    return 0;
}

/* Describes an instance, a list, or with no class a list's items; NULL where there is no room. */
static Holder *add_node(Stencil *s, PyTypeObject *cls, Py_ssize_t count, int from, int level) {
    const Py_ssize_t slots = cls == &PyList_Type ? 0 : count;
    if (s->node_count == MOST_NODES || level == MOST_LEVELS || count > MOST_SLOTS - s->slot_count) return NULL;
    Holder *node = &s->nodes[s->node_count++];
    *node = (Holder){cls, count, (uint16_t)s->slot_count, (uint8_t)s->take_count, 0, (uint8_t)from, 0, (uint8_t)level};
    s->slot_count += (int)slots;
    s->levels = level >= s->levels ? level + 1 : s->levels;
    return node;
}

/* Where bytes are put that all elements have. */
static inline uint8_t *bytes_end(const Maker *m) { return m->stencil->bytes + m->stencil->size; }

/* Keeps what was put at the end; 0 or -1. */
static int add_bytes(Maker *m, const uint8_t *end) {
    const int size = (int)(end - bytes_end(m));
    m->stencil->size += size;
    m->run += size;
    return m->stencil->size > MOST_BYTES - SMALL ? -1 : 0;
}

/* The value of a slot or an item, whose header was written; what differs was found as the number `found`. */
static int add_value(Maker *m, const Type *type, PyObject *value, int found, int level) {
    Stencil *s = m->stencil;
    if (is_common(s, type, value)) {
        int64_t number;
        return !PyLong_Check(value) || !small_int(value, &number) ? -1 : add_bytes(m, put_zigzag(bytes_end(m), number));
    }
    if (type->kind == KIND_STRUCT) return make_instance(m, type->codec, value, found, level + 1);
    if (type->kind == KIND_LIST) return make_list(m, type, value, found, level + 1);
    s->holes[s->hole_count++] = (Hole){type, (uint16_t)m->run, type->kind, (uint8_t)found};
    s->room += SMALL + (type->wire == WIRE_BINARY ? 128 : 0);
    m->run = 0;
    return 0;
}

static int make_instance(Maker *m, const Codec *codec, PyObject *self, int from, int level) {
    Stencil *s = m->stencil;
    Holder *node = add_node(s, codec->cls, codec->slot_count, from, level);
    if (node == NULL) return -1;
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        PyObject *value = SLOT(self, field->offset);
        if ((value == Py_None && field->required) || add_slot(s, node, &field->type, slot_number(field->offset), value)) return -1;
    }
    const Take *take = &s->takes[node->first_take];
    int last = 0;
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        PyObject *value = SLOT(self, field->offset);
        if (value == Py_None) continue;
        const int truth = field->type.kind == KIND_BOOL;
        const int wire = !truth ? field->type.wire : value == Py_True ? WIRE_TRUE : WIRE_FALSE;
        if (add_bytes(m, put_field_header(bytes_end(m), last, field->id, wire))) return -1;
        last = field->id;
        if (!truth && add_value(m, &field->type, value, is_common(s, &field->type, value) ? 0 : (take++)->to, level)) return -1;
    }
    *bytes_end(m) = 0;
    return add_bytes(m, bytes_end(m) + 1);
}

static int make_list(Maker *m, const Type *type, PyObject *list, int from, int level) {
    Stencil *s = m->stencil;
    const Py_ssize_t count = PyList_GET_SIZE(list);
    Holder *node = add_node(s, &PyList_Type, count, from, level);
    if (node == NULL || s->found == MOST_FOUND || add_bytes(m, put_list_header(bytes_end(m), count, type->value->wire))) return -1;
    if (count == 0) return 0;
    const int items = node->items = (uint8_t)s->found++;
    node = add_node(s, NULL, count, items, level + 1);
    for (Py_ssize_t i = 0; node != NULL && i < count; i++) {
        PyObject *value = PyList_GET_ITEM(list, i);
        if (value == Py_None || type->value->kind == KIND_BOOL || add_slot(s, node, type->value, i, value)) return -1;
    }
    const Take *take = node == NULL ? NULL : &s->takes[node->first_take];
    for (Py_ssize_t i = 0; node != NULL && i < count; i++) {
        PyObject *value = PyList_GET_ITEM(list, i);
        if (add_value(m, type->value, value, is_common(s, type->value, value) ? 0 : (take++)->to, level + 1)) return -1;
    }
    return node == NULL ? -1 : 0;
}

/* Puts the nodes in the order of their levels. */
static void order_nodes(Stencil *s) {
    Holder nodes[MOST_NODES];
    int count = 0;
    for (int level = 0; level < s->levels; level++) {
        for (int i = 0; i < s->node_count; i++)
            if (s->nodes[i].level == level) nodes[count++] = s->nodes[i];
        s->level_ends[level] = count;
    }
    memcpy(s->nodes, nodes, (size_t)count * sizeof(Holder));
}

Stencil *stencil_of(const Codec *codec, PyObject *self, int loose) {
    Stencil *s = calloc(1, sizeof(Stencil));
    if (s == NULL) return NULL;
    Maker m = {s, 0};
    s->found = 1;
    s->loose = loose;
    if (!Py_IS_TYPE(self, codec->cls) || make_instance(&m, codec, self, 0, 0)) {
        stencil_free(s);
        return NULL;
    }
    s->room += s->size + RUN;
    order_nodes(s);
    return s;
}

void stencil_free(Stencil *s) {
    for (int i = 0; i < s->slot_count; i++) Py_XDECREF((PyObject *)s->same[i]);
    free(s);
}
