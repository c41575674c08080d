/* The Codec type: making plans from the rows that Python lowers, and their life cycle. */
#include "compact.h"
#include <structmember.h>

const char *const kind_names[KIND_COUNT] = {
    "bool", "i8", "i16", "i32", "i64", "double", "binary", "string", "uuid", "enum", "struct", "list", "set", "map",
};

const uint8_t kind_wires[KIND_COUNT] = {
    WIRE_TRUE, WIRE_I8, WIRE_I16, WIRE_I32, WIRE_I64, WIRE_DOUBLE, WIRE_BINARY, WIRE_BINARY, WIRE_UUID, WIRE_I32,
    WIRE_STRUCT, WIRE_LIST, WIRE_SET, WIRE_MAP,
};

/* ---- types ---- */

static void
type_clear(Type *type)
{
    if (type == NULL) {
        return;
    }
    Py_CLEAR(type->members);
    Py_CLEAR(type->cls);
    Py_CLEAR(type->codec);
    type_clear(type->key);
    type_clear(type->value);
    PyMem_Free(type->key);
    PyMem_Free(type->value);
    PyMem_Free(type->indices);
    type->key = type->value = NULL;
    type->indices = NULL;
}

static int
type_visit(const Type *type, visitproc visit, void *arg)
{
    if (type == NULL) {
        return 0;
    }
    Py_VISIT(type->members);
    Py_VISIT(type->cls);
    Py_VISIT(type->codec);
    int stop = type_visit(type->key, visit, arg);
    return stop ? stop : type_visit(type->value, visit, arg);
}

/* An independent copy without the choice of elements; 0 or -1. */
static int
type_copy(Type *to, const Type *from)
{
    *to = *from;
    to->indices = NULL;
    to->index_count = 0;
    to->key = to->value = NULL;
    Py_XINCREF(to->members);
    Py_XINCREF(to->cls);
    Py_XINCREF(to->codec);
    const Type *parts[2] = {from->key, from->value};
    Type **copies[2] = {&to->key, &to->value};
    for (int i = 0; i < 2; i++) {
        if (parts[i] == NULL) {
            continue;
        }
        *copies[i] = PyMem_Calloc(1, sizeof(Type));
        if (*copies[i] == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        if (type_copy(*copies[i], parts[i])) {
            return -1;
        }
    }
    return 0;
}

static int
kind_by_name(PyObject *name)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (PyUnicode_CompareWithASCIIString(name, kind_names[kind]) == 0) {
            return kind;
        }
    }
    PyErr_Format(PyExc_ValueError, "rows: unknown kind %R", name);
    return -1;
}

static int type_init(Type *type, PyObject *row, PyObject *codecs);

static Type *
part_init(PyObject *row, PyObject *codecs)
{
    Type *part = PyMem_Calloc(1, sizeof(Type));
    if (part == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (type_init(part, row, codecs)) {
        type_clear(part);
        PyMem_Free(part);
        return NULL;
    }
    return part;
}

/* row: (kind, reference, key row or None, value row or None, hashed). The reference is a struct's Codec or its number among
 * the rows, an enum's (lowest number, members) or dict, or uuid.UUID. */
static int
type_init(Type *type, PyObject *row, PyObject *codecs)
{
    PyObject *name, *reference, *key, *value;
    int hashed;
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "rows: a type must be a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(row, "UOOOp", &name, &reference, &key, &value, &hashed)) {
        return -1;
    }
    int kind = kind_by_name(name);
    if (kind < 0) {
        return -1;
    }
    type->kind = (uint8_t)kind;
    type->wire = kind_wires[kind];
    type->hashed = (uint8_t)hashed;
    if (kind == KIND_STRUCT) {
        if (PyLong_Check(reference)) {
            Py_ssize_t number = PyLong_AsSsize_t(reference);
            if (number < 0 || number >= PyList_GET_SIZE(codecs)) {
                PyErr_SetString(PyExc_ValueError, "rows: a struct refers to no row");
                return -1;
            }
            reference = PyList_GET_ITEM(codecs, number);
        }
        if (!Py_IS_TYPE(reference, &Codec_Type)) {
            PyErr_Format(PyExc_TypeError, "rows: a struct refers to %R, which is no native codec", reference);
            return -1;
        }
        type->codec = (Codec *)Py_NewRef(reference);
    }
    else if (kind == KIND_ENUM) {
        long long low = 0;
        if (PyTuple_Check(reference) && !PyArg_ParseTuple(reference, "LO!", &low, &PyTuple_Type, &reference)) {
            return -1;
        }
        if (!PyTuple_Check(reference) && !PyDict_Check(reference)) {
            PyErr_SetString(PyExc_TypeError, "rows: an enum needs a tuple or dict of members");
            return -1;
        }
        type->low = low;
        type->members = Py_NewRef(reference);
        type->dense = PyTuple_Check(reference) ? PyTuple_GET_SIZE(reference) : 0;
    }
    else if (kind == KIND_UUID) {
        type->cls = Py_NewRef(reference);
    }
    if ((kind == KIND_MAP && (key == Py_None || value == Py_None)) || ((kind == KIND_LIST || kind == KIND_SET) && value == Py_None)) {
        PyErr_SetString(PyExc_TypeError, "rows: a container without its parts");
        return -1;
    }
    if (key != Py_None && (type->key = part_init(key, codecs)) == NULL) {
        return -1;
    }
    if (value != Py_None && (type->value = part_init(value, codecs)) == NULL) {
        return -1;
    }
    if (hashed) {
        Type *element = type->key != NULL ? type->key : type->value;
        if (element == NULL) {
            PyErr_SetString(PyExc_TypeError, "rows: only containers are hashed");
            return -1;
        }
        element->element = 1;
    }
    return 0;
}

/* ---- slots ---- */

/* The offset of the slot that a class or one of its bases declares under the name, or -1 with an exception. */
static Py_ssize_t
slot_offset(PyTypeObject *cls, PyObject *name)
{
    PyObject *order = cls->tp_mro;
    for (Py_ssize_t i = 0; order != NULL && i < PyTuple_GET_SIZE(order); i++) {
        PyObject *base = PyTuple_GET_ITEM(order, i);
        PyObject *dict = PyObject_GetAttrString(base, "__dict__");
        if (dict == NULL) {
            return -1;
        }
        PyObject *member = PyObject_GetItem(dict, name);
        Py_DECREF(dict);
        if (member == NULL) {
            PyErr_Clear();
            continue;
        }
        Py_ssize_t offset = -1;
        if (Py_IS_TYPE(member, &PyMemberDescr_Type)) {
            const PyMemberDef *definition = ((PyMemberDescrObject *)member)->d_member;
            if (definition->type == T_OBJECT_EX) {
                offset = definition->offset;
            }
        }
        Py_DECREF(member);
        if (offset >= (Py_ssize_t)sizeof(PyObject)) {
            return offset;
        }
    }
    PyErr_Format(PyExc_TypeError, "rows: %s has no slot %U", cls->tp_name, name);
    return -1;
}

static Py_ssize_t
named_slot(PyTypeObject *cls, const char *text)
{
    PyObject *name = PyUnicode_FromString(text);
    if (name == NULL) {
        return -1;
    }
    Py_ssize_t offset = slot_offset(cls, name);
    Py_DECREF(name);
    return offset;
}

/* ---- fields ---- */

static int
by_id(const void *left, const void *right)
{
    return (*(Field *const *)left)->id - (*(Field *const *)right)->id;
}

#define DIRECT_IDS 128

/* Builds the lookup tables of the chosen fields. */
static int
index_fields(Codec *codec)
{
    codec->sorted = PyMem_Calloc((size_t)codec->field_count + 1, sizeof(Field *));
    codec->direct = PyMem_Calloc(DIRECT_IDS, sizeof(Field *));
    if (codec->sorted == NULL || codec->direct == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        Field *field = &codec->fields[i];
        field->bit = i < 64 ? (uint64_t)1 << i : 0;
        codec->bits |= field->bit;
        if (!field->chosen) {
            continue;
        }
        codec->sorted[codec->sorted_count++] = field;
        if (field->id >= 0 && field->id < DIRECT_IDS) {
            codec->direct[field->id] = field;
            codec->direct_size = field->id >= codec->direct_size ? field->id + 1 : codec->direct_size;
        }
    }
    qsort(codec->sorted, (size_t)codec->sorted_count, sizeof(Field *), by_id);
    for (Py_ssize_t i = 1; i < codec->sorted_count; i++) {
        if (codec->sorted[i - 1]->id == codec->sorted[i]->id) {
            PyErr_Format(PyExc_ValueError, "rows: %U has the field id %d twice", codec->name, codec->sorted[i]->id);
            return -1;
        }
    }
    return 0;
}

Field *
find_field(const Codec *codec, int id)
{
    Py_ssize_t low = 0, high = codec->sorted_count;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        Field *field = codec->sorted[middle];
        if (field->id == id) {
            return field;
        }
        if (field->id < id) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    return NULL;
}

/* row: (name, attribute, id, required, default, factory or None, type row). */
static int
field_init(Codec *codec, Field *field, PyObject *row, PyObject *codecs, PyObject *singletons)
{
    PyObject *name, *attribute, *absent, *factory, *type;
    int required;
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "rows: a field must be a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(row, "UUipOOO", &name, &attribute, &field->id, &required, &absent, &factory, &type)) {
        return -1;
    }
    if (field->id < -32768 || field->id > 32767) {
        PyErr_Format(PyExc_ValueError, "rows: the field id %d is outside -32768 to 32767", field->id);
        return -1;
    }
    field->chosen = 1;
    field->required = (uint8_t)required;
    field->name = Py_NewRef(name);
    if (codec->kind == CODEC_UNION) {
        field->number = PyLong_FromLong(field->id);
        if (field->number == NULL) {
            return -1;
        }
        PyObject *single = PyDict_GetItemWithError(singletons, field->number);
        if (single == NULL && PyErr_Occurred()) {
            return -1;
        }
        field->single = Py_XNewRef(single);
    }
    else {
        field->offset = slot_offset(codec->cls, attribute);
        if (field->offset < 0) {
            return -1;
        }
        if (factory != Py_None) {
            field->factory = Py_NewRef(factory);
        }
        else if (!required) {
            field->absent = Py_NewRef(absent);
        }
    }
    return type_init(&field->type, type, codecs);
}

static int
fields_init(Codec *codec, PyObject *rows, PyObject *codecs, PyObject *singletons)
{
    Py_ssize_t count = PyTuple_GET_SIZE(rows);
    codec->fields = PyMem_Calloc((size_t)count + 1, sizeof(Field));
    if (codec->fields == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    codec->field_count = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        Field *field = &codec->fields[i];
        if (field_init(codec, field, PyTuple_GET_ITEM(rows, i), codecs, singletons)) {
            return -1;
        }
        codec->track |= field->type.kind >= KIND_STRUCT && field->single == NULL;
    }
    return index_fields(codec);
}

/* row: (class, kind, name, format, extra, field rows); extra is a union's dict of shared instances, the shared instance of a
 * struct without fields, or a custom codec. */
static int
codec_init(Codec *codec, PyObject *row, PyObject *codecs)
{
    PyObject *cls, *kind, *name, *format, *extra, *fields;
    if (!PyArg_ParseTuple(row, "O!UUUOO!", &PyType_Type, &cls, &kind, &name, &format, &extra, &PyTuple_Type, &fields)) {
        return -1;
    }
    codec->cls = (PyTypeObject *)Py_NewRef(cls);
    codec->name = Py_NewRef(name);
    codec->format = Py_NewRef(format);
    if (PyUnicode_CompareWithASCIIString(kind, "custom") == 0) {
        codec->kind = CODEC_CUSTOM;
        codec->custom = Py_NewRef(extra);
        return index_fields(codec);
    }
    if (PyUnicode_CompareWithASCIIString(kind, "empty") == 0) {
        codec->kind = CODEC_EMPTY;
        codec->single = Py_NewRef(extra);
        return index_fields(codec);
    }
    if (PyUnicode_CompareWithASCIIString(kind, "union") == 0) {
        codec->kind = CODEC_UNION;
        if (!PyDict_Check(extra)) {
            PyErr_SetString(PyExc_TypeError, "rows: a union needs the dict of its shared instances");
            return -1;
        }
        if ((codec->kind_at = named_slot(codec->cls, "kind")) < 0 || (codec->value_at = named_slot(codec->cls, "value")) < 0 ||
            (codec->id_at = named_slot(codec->cls, "id")) < 0 || (codec->raw_at = named_slot(codec->cls, "raw")) < 0 ||
            (codec->wire_at = named_slot(codec->cls, "wire")) < 0) {
            return -1;
        }
    }
    else if (PyUnicode_CompareWithASCIIString(kind, "struct") != 0) {
        PyErr_Format(PyExc_ValueError, "rows: unknown kind %R", kind);
        return -1;
    }
    PyTypeObject *type = codec->cls;
    codec->plain = type->tp_alloc == PyType_GenericAlloc && type->tp_itemsize == 0 && type->tp_dictoffset == 0 &&
                   type->tp_weaklistoffset == 0 && PyType_IS_GC(type);
    codec->slot_count = (type->tp_basicsize - (Py_ssize_t)sizeof(PyObject)) / (Py_ssize_t)sizeof(PyObject *);
    return fields_init(codec, fields, codecs, extra);
}

/* ---- the Python type ---- */

static void
field_clear(Field *field)
{
    type_clear(&field->type);
    Py_CLEAR(field->absent);
    Py_CLEAR(field->factory);
    Py_CLEAR(field->name);
    Py_CLEAR(field->number);
    Py_CLEAR(field->single);
}

static int
codec_traverse(PyObject *self, visitproc visit, void *arg)
{
    Codec *codec = (Codec *)self;
    Py_VISIT(codec->cls);
    Py_VISIT(codec->single);
    Py_VISIT(codec->custom);
    Py_VISIT(codec->whole);
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        int stop = type_visit(&field->type, visit, arg);
        if (stop) {
            return stop;
        }
        Py_VISIT(field->absent);
        Py_VISIT(field->factory);
        Py_VISIT(field->single);
    }
    return 0;
}

/* Afterwards the codec knows no field, so that one reached during the collection of its cycle follows no cleared pointer. */
static int
codec_tp_clear(PyObject *self)
{
    Codec *codec = (Codec *)self;
    Py_ssize_t count = codec->field_count;
    codec->field_count = codec->sorted_count = 0;
    codec->direct_size = 0;
    codec->bits = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        field_clear(&codec->fields[i]);
    }
    return 0;
}

static void
codec_dealloc(PyObject *self)
{
    Codec *codec = (Codec *)self;
    PyObject_GC_UnTrack(self);
    codec_tp_clear(self);
    Py_CLEAR(codec->cls);
    Py_CLEAR(codec->name);
    Py_CLEAR(codec->format);
    Py_CLEAR(codec->single);
    Py_CLEAR(codec->custom);
    Py_CLEAR(codec->whole);
    PyMem_Free(codec->fields);
    PyMem_Free(codec->direct);
    PyMem_Free(codec->sorted);
    PyObject_GC_Del(self);
}

static PyObject *
codec_repr(PyObject *self)
{
    Codec *codec = (Codec *)self;
    return PyUnicode_FromFormat("<%s of %U>", codec->whole == NULL ? "Codec" : "projected Codec", codec->format);
}

static Codec *
codec_new(void)
{
    Codec *codec = PyObject_GC_New(Codec, &Codec_Type);
    if (codec != NULL) {
        memset((char *)codec + sizeof(PyObject), 0, sizeof(Codec) - sizeof(PyObject));
        PyObject_GC_Track(codec);
    }
    return codec;
}

PyObject *
codec_define(PyObject *Py_UNUSED(module), PyObject *rows)
{
    if (!PyList_Check(rows)) {
        PyErr_SetString(PyExc_TypeError, "rows: a list is needed");
        return NULL;
    }
    Py_ssize_t count = PyList_GET_SIZE(rows);
    PyObject *codecs = PyList_New(0);
    for (Py_ssize_t i = 0; codecs != NULL && i < count; i++) {
        PyObject *codec = (PyObject *)codec_new();
        if (codec == NULL || PyList_Append(codecs, codec)) {
            Py_CLEAR(codecs);
        }
        Py_XDECREF(codec);
    }
    for (Py_ssize_t i = 0; codecs != NULL && i < count; i++) {
        PyObject *row = i < PyList_GET_SIZE(rows) ? PyList_GET_ITEM(rows, i) : NULL;
        if (row == NULL || !PyTuple_Check(row)) {
            PyErr_SetString(PyExc_TypeError, "rows: a list of tuples is needed");
            Py_CLEAR(codecs);
        }
        else if (codec_init((Codec *)PyList_GET_ITEM(codecs, i), row, codecs)) {
            Py_CLEAR(codecs);
        }
    }
    return codecs;
}

/* ---- projection ---- */

static int
by_number(const void *left, const void *right)
{
    Py_ssize_t a = *(const Py_ssize_t *)left, b = *(const Py_ssize_t *)right;
    return a < b ? -1 : a > b;
}

static int
choose_elements(Type *type, PyObject *indices)
{
    if (type->kind != KIND_LIST) {
        PyErr_SetString(PyExc_ValueError, "tree: element numbers are for lists");
        return -1;
    }
    PyObject *numbers = PySequence_List(indices);
    if (numbers == NULL) {
        return -1;
    }
    Py_ssize_t count = PyList_GET_SIZE(numbers);
    type->indices = PyMem_Calloc((size_t)count + 1, sizeof(Py_ssize_t));
    int failed = type->indices == NULL;
    if (failed) {
        PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        /* Numbers beyond what a Py_ssize_t holds are clipped: no list is so long. */
        type->indices[i] = PyNumber_AsSsize_t(PyList_GET_ITEM(numbers, i), NULL);
        failed = type->indices[i] == -1 && PyErr_Occurred();
    }
    Py_DECREF(numbers);
    if (failed) {
        return -1;
    }
    qsort(type->indices, (size_t)count, sizeof(Py_ssize_t), by_number);
    type->index_count = count;
    return 0;
}

/* Narrows a copied field to what the tree chooses below it: True, or (element numbers or None, subtree or True). */
static int
choose_below(Field *field, PyObject *choice)
{
    PyObject *indices, *subtree;
    if (choice == Py_True) {
        return 0;
    }
    if (!PyTuple_Check(choice) || PyTuple_GET_SIZE(choice) != 2) {
        PyErr_Format(PyExc_TypeError, "tree: %U: True or a pair is needed", field->name);
        return -1;
    }
    indices = PyTuple_GET_ITEM(choice, 0);
    subtree = PyTuple_GET_ITEM(choice, 1);
    Type *below = field->type.kind == KIND_LIST ? field->type.value : &field->type;
    if (indices != Py_None && choose_elements(&field->type, indices)) {
        return -1;
    }
    if (subtree == Py_True || below->kind != KIND_STRUCT || below->codec->kind == CODEC_UNION) {
        return 0;
    }
    PyObject *projected = codec_project((PyObject *)below->codec, subtree);
    if (projected == NULL) {
        return -1;
    }
    Py_SETREF(below->codec, (Codec *)projected);
    return 0;
}

static int
project_field(Field *to, const Field *from, PyObject *choice)
{
    to->offset = from->offset;
    to->id = from->id;
    to->required = from->required;
    to->name = Py_NewRef(from->name);
    to->number = Py_XNewRef(from->number);
    to->single = Py_XNewRef(from->single);
    if (type_copy(&to->type, &from->type)) {
        return -1;
    }
    if (choice == NULL) {
        to->absent = Py_NewRef(Py_None);
        return 0;
    }
    to->chosen = 1;
    to->absent = Py_XNewRef(from->absent);
    to->factory = Py_XNewRef(from->factory);
    return choose_below(to, choice);
}

PyObject *
codec_project(PyObject *self, PyObject *tree)
{
    Codec *whole = (Codec *)self;
    if (whole->whole != NULL) {
        whole = whole->whole;
    }
    if (tree == Py_True || whole->kind != CODEC_STRUCT) {
        return Py_NewRef(whole);
    }
    if (!PyDict_Check(tree)) {
        PyErr_SetString(PyExc_TypeError, "tree: a dict of field names is needed");
        return NULL;
    }
    Codec *codec = codec_new();
    if (codec == NULL) {
        return NULL;
    }
    codec->kind = whole->kind;
    codec->plain = whole->plain;
    codec->track = whole->track;
    codec->slot_count = whole->slot_count;
    codec->cls = (PyTypeObject *)Py_NewRef(whole->cls);
    codec->name = Py_NewRef(whole->name);
    codec->format = Py_NewRef(whole->format);
    codec->whole = (Codec *)Py_NewRef(whole);
    codec->fields = PyMem_Calloc((size_t)whole->field_count + 1, sizeof(Field));
    if (codec->fields == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    Py_ssize_t found = 0;
    codec->field_count = whole->field_count;
    for (Py_ssize_t i = 0; i < whole->field_count; i++) {
        PyObject *choice = PyDict_GetItemWithError(tree, whole->fields[i].name);
        if ((choice == NULL && PyErr_Occurred()) || project_field(&codec->fields[i], &whole->fields[i], choice)) {
            goto fail;
        }
        found += choice != NULL;
    }
    if (found != PyDict_GET_SIZE(tree)) {
        PyErr_Format(PyExc_KeyError, "tree: %U has not all of %R", whole->name, tree);
        goto fail;
    }
    if (index_fields(codec)) {
        goto fail;
    }
    return (PyObject *)codec;
fail:
    Py_DECREF(codec);
    return NULL;
}

static PyMethodDef codec_methods[] = {
    {"decode", (PyCFunction)(void (*)(void))codec_decode, METH_FASTCALL,
     "decode($self, data, pos, max_depth, max_elements, views, text, /)\n--\n\nThe value at pos and the position after it."},
    {"encode", (PyCFunction)(void (*)(void))codec_encode, METH_FASTCALL,
     "encode($self, value, text, /)\n--\n\nThe encoded value."},
    {"project", codec_project, METH_O,
     "project($self, tree, /)\n--\n\nThe codec that decodes only the fields in the tree; the others are skipped and None."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject Codec_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "lakecodec.runtime.native._compact.Codec",
    .tp_doc = "The lowered description of one generated class. Made by define; immutable.",
    .tp_basicsize = sizeof(Codec),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = codec_dealloc,
    .tp_traverse = codec_traverse,
    .tp_clear = codec_tp_clear,
    .tp_repr = codec_repr,
    .tp_methods = codec_methods,
};
