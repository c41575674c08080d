/* The descriptions of types, from the rows that Python lowers, and the slots of classes. */
#include "compact.h"
#include <structmember.h>

const char *const kind_names[KIND_COUNT] = {
    [KIND_BOOL] = "bool",         [KIND_I8] = "i8",           [KIND_I16] = "i16",
    [KIND_I32] = "i32",           [KIND_I64] = "i64",         [KIND_ENUM] = "enum",
    [KIND_DOUBLE] = "double",     [KIND_BINARY] = "binary",   [KIND_STRING] = "string",
    [KIND_UUID] = "uuid",         [KIND_STRUCT] = "struct",   [KIND_LIST] = "list",
    [KIND_SET] = "set",           [KIND_MAP] = "map",         [KIND_UINT32] = "uint32",
    [KIND_UINT64] = "uint64",     [KIND_SINT32] = "sint32",   [KIND_SINT64] = "sint64",
    [KIND_FIXED32] = "fixed32",   [KIND_FIXED64] = "fixed64", [KIND_SFIXED32] = "sfixed32",
    [KIND_SFIXED64] = "sfixed64", [KIND_FLOAT] = "float",
};

const uint8_t kind_wires[KIND_COUNT] = {
    [KIND_BOOL] = WIRE_TRUE,     [KIND_I8] = WIRE_I8,     [KIND_I16] = WIRE_I16,       [KIND_I32] = WIRE_I32,
    [KIND_I64] = WIRE_I64,       [KIND_ENUM] = WIRE_I32,  [KIND_DOUBLE] = WIRE_DOUBLE, [KIND_BINARY] = WIRE_BINARY,
    [KIND_STRING] = WIRE_BINARY, [KIND_UUID] = WIRE_UUID, [KIND_STRUCT] = WIRE_STRUCT, [KIND_LIST] = WIRE_LIST,
    [KIND_SET] = WIRE_SET,       [KIND_MAP] = WIRE_MAP,
};

/* ---- types ---- */

void type_clear(Type *type) {
    if (type == NULL) return;
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

int type_visit(const Type *type, visitproc visit, void *arg) {
    if (type == NULL) return 0;
    Py_VISIT(type->members);
    Py_VISIT(type->cls);
    Py_VISIT(type->codec);
    int stop = type_visit(type->key, visit, arg);
    return stop ? stop : type_visit(type->value, visit, arg);
}

/* An independent copy without the choice of elements; 0 or -1. */
int type_copy(Type *to, const Type *from) {
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
        if (parts[i] == NULL) continue;
        *copies[i] = PyMem_Calloc(1, sizeof(Type));
        if (*copies[i] == NULL) return no_memory();
        if (type_copy(*copies[i], parts[i])) return -1;
    }
    return 0;
}

static int kind_by_name(PyObject *name) {
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (PyUnicode_CompareWithASCIIString(name, kind_names[kind]) == 0) return kind;
    PyErr_Format(PyExc_ValueError, "rows: unknown kind %R", name);
    return -1;
}

/* The codec that a row refers to, itself or by its number; borrowed. */
Codec *referred_codec(PyObject *reference, PyObject *codecs) {
    if (PyLong_Check(reference)) {
        Py_ssize_t number = PyLong_AsSsize_t(reference);
        if (number < 0 || number >= PyList_GET_SIZE(codecs))
            return (Codec *)PyErr_Format(PyExc_ValueError, "rows: a struct refers to no row");
        reference = PyList_GET_ITEM(codecs, number);
    }
    if (!Py_IS_TYPE(reference, &Codec_Type))
        return (Codec *)PyErr_Format(PyExc_TypeError, "rows: a struct refers to %R, which is no native codec", reference);
    return (Codec *)reference;
}

static Type *part_init(PyObject *row, PyObject *codecs) {
    Type *part = PyMem_Calloc(1, sizeof(Type));
    if (part == NULL) return (Type *)PyErr_NoMemory();
    if (type_init(part, row, codecs)) {
        type_clear(part);
        PyMem_Free(part);
        return NULL;
    }
    return part;
}

/* row: (kind, reference, key row or None, value row or None, hashed). The reference is a struct's Codec or its number among
 * the rows, an enum's (lowest number, members) or dict, or uuid.UUID. */
int type_init(Type *type, PyObject *row, PyObject *codecs) {
    PyObject *name, *reference, *key, *value;
    int hashed;
    if (!PyTuple_Check(row)) return raise_error(PyExc_TypeError, "rows: a type must be a tuple");
    if (!PyArg_ParseTuple(row, "UOOOp", &name, &reference, &key, &value, &hashed)) return -1;
    int kind = kind_by_name(name);
    if (kind < 0) return -1;
    type->kind = (uint8_t)kind;
    type->wire = kind_wires[kind];
    type->hashed = (uint8_t)hashed;
    if (kind == KIND_STRUCT) {
        Codec *found = referred_codec(reference, codecs);
        if (found == NULL) return -1;
        type->codec = (Codec *)Py_NewRef((PyObject *)found);
    } else if (kind == KIND_ENUM) {
        long long low = 0;
        if (PyTuple_Check(reference) && !PyArg_ParseTuple(reference, "LO!", &low, &PyTuple_Type, &reference)) return -1;
        if (!PyTuple_Check(reference) && !PyDict_Check(reference))
            return raise_error(PyExc_TypeError, "rows: an enum needs a tuple or dict of members");
        type->low = low;
        type->members = Py_NewRef(reference);
        type->dense = PyTuple_Check(reference) ? PyTuple_GET_SIZE(reference) : 0;
    } else if (kind == KIND_UUID) {
        type->cls = Py_NewRef(reference);
    }
    if ((kind == KIND_MAP && (key == Py_None || value == Py_None)) || ((kind == KIND_LIST || kind == KIND_SET) && value == Py_None))
        return raise_error(PyExc_TypeError, "rows: a container without its parts");
    if (key != Py_None && (type->key = part_init(key, codecs)) == NULL) return -1;
    if (value != Py_None && (type->value = part_init(value, codecs)) == NULL) return -1;
    if (hashed) {
        Type *element = type->key != NULL ? type->key : type->value;
        if (element == NULL) return raise_error(PyExc_TypeError, "rows: only containers are hashed");
        element->element = 1;
    }
    return 0;
}

/* ---- slots ---- */

Py_ssize_t slot_offset(PyTypeObject *cls, PyObject *name) {
    PyObject *order = cls->tp_mro;
    for (Py_ssize_t i = 0; order != NULL && i < PyTuple_GET_SIZE(order); i++) {
        PyObject *base = PyTuple_GET_ITEM(order, i);
        PyObject *dict = PyObject_GetAttrString(base, "__dict__");
        if (dict == NULL) return -1;
        PyObject *member = PyObject_GetItem(dict, name);
        Py_DECREF(dict);
        if (member == NULL) {
            PyErr_Clear();
            continue;
        }
        Py_ssize_t offset = -1;
        if (Py_IS_TYPE(member, &PyMemberDescr_Type)) {
            const PyMemberDef *definition = ((PyMemberDescrObject *)member)->d_member;
            if (definition->type == T_OBJECT_EX) offset = definition->offset;
        }
        Py_DECREF(member);
        if (offset >= (Py_ssize_t)sizeof(PyObject)) return offset;
    }
    PyErr_Format(PyExc_TypeError, "rows: %s has no slot %U", cls->tp_name, name);
    return -1;
}

Py_ssize_t named_slot(PyTypeObject *cls, const char *text) {
    PyObject *name = PyUnicode_FromString(text);
    if (name == NULL) return -1;
    Py_ssize_t offset = slot_offset(cls, name);
    Py_DECREF(name);
    return offset;
}
