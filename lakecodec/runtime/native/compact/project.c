/* Codecs that decode a choice of the fields of another. */
#include "tape.h"

static int by_number(const void *left, const void *right) {
    Py_ssize_t a = *(const Py_ssize_t *)left, b = *(const Py_ssize_t *)right;
    return a < b ? -1 : a > b;
}

static int choose_elements(Type *type, PyObject *indices) {
    if (type->kind != KIND_LIST) return raise_error(PyExc_ValueError, "tree: element numbers are for lists");
    PyObject *numbers = PySequence_List(indices);
    if (numbers == NULL) return -1;
    Py_ssize_t count = PyList_GET_SIZE(numbers);
    type->indices = PyMem_Calloc((size_t)count + 1, sizeof(Py_ssize_t));
    int failed = type->indices == NULL;
    if (failed) PyErr_NoMemory();
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        /* Numbers beyond what a Py_ssize_t holds are clipped: no list is so long. */
        type->indices[i] = PyNumber_AsSsize_t(PyList_GET_ITEM(numbers, i), NULL);
        failed = type->indices[i] == -1 && PyErr_Occurred();
    }
    Py_DECREF(numbers);
    if (failed) return -1;
    qsort(type->indices, (size_t)count, sizeof(Py_ssize_t), by_number);
    type->index_count = count;
    return 0;
}

/* Narrows a copied field to what the tree chooses below it: True, or (element numbers or None, subtree or True). */
static int choose_below(Field *field, PyObject *choice) {
    PyObject *indices, *subtree;
    if (choice == Py_True) return 0;
    if (!PyTuple_Check(choice) || PyTuple_GET_SIZE(choice) != 2)
        return raise_error(PyExc_TypeError, "tree: %U: True or a pair is needed", field->name);
    indices = PyTuple_GET_ITEM(choice, 0);
    subtree = PyTuple_GET_ITEM(choice, 1);
    Type *below = field->type.kind == KIND_LIST ? field->type.value : &field->type;
    if (indices != Py_None && choose_elements(&field->type, indices)) return -1;
    if (subtree == Py_True || below->kind != KIND_STRUCT || below->codec->kind == CODEC_UNION) return 0;
    PyObject *projected = codec_project((PyObject *)below->codec, subtree);
    if (projected == NULL) return -1;
    Py_SETREF(below->codec, (Codec *)projected);
    return 0;
}

static int project_field(Field *to, const Field *from, PyObject *choice) {
    to->offset = from->offset;
    to->id = from->id;
    to->required = from->required;
    to->name = Py_NewRef(from->name);
    to->number = Py_XNewRef(from->number);
    to->single = Py_XNewRef(from->single);
    if (type_copy(&to->type, &from->type)) return -1;
    if (choice == NULL) {
        to->absent = Py_NewRef(Py_None);
        return 0;
    }
    to->chosen = 1;
    to->absent = Py_XNewRef(from->absent);
    to->factory = Py_XNewRef(from->factory);
    return choose_below(to, choice);
}

PyObject *codec_project(PyObject *self, PyObject *tree) {
    Codec *whole = (Codec *)self;
    if (whole->whole != NULL) whole = whole->whole;
    if (tree == Py_True || whole->kind != CODEC_STRUCT) return Py_NewRef(whole);
    if (!PyDict_Check(tree)) return PyErr_Format(PyExc_TypeError, "tree: a dict of field names is needed");
    Codec *codec = codec_new();
    if (codec == NULL) return NULL;
    codec->kind = whole->kind;
    codec->plain = whole->plain;
    codec->track = whole->track;
    codec->lazy = whole->lazy;
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
        if ((choice == NULL && PyErr_Occurred()) || project_field(&codec->fields[i], &whole->fields[i], choice)) goto fail;
        found += choice != NULL;
    }
    if (found != PyDict_GET_SIZE(tree)) {
        PyErr_Format(PyExc_KeyError, "tree: %U has not all of %R", whole->name, tree);
        goto fail;
    }
    if (index_fields(codec)) goto fail;
    return (PyObject *)codec;
fail:
    Py_DECREF(codec);
    return NULL;
}
