/* The Codec type: made from the rows that Python lowers, and its life cycle. */
#include "tape.h"

/* row: (class, kind, name, format, extra, field rows); extra is a union's dict of shared instances, the shared instance of a
 * struct without fields, or a custom codec. */
static int codec_init(Codec *codec, PyObject *row, PyObject *codecs) {
    PyObject *cls, *kind, *name, *format, *extra, *fields;
    if (!PyArg_ParseTuple(row, "O!UUUOO!", &PyType_Type, &cls, &kind, &name, &format, &extra, &PyTuple_Type, &fields)) return -1;
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
    const int oneof = PyUnicode_CompareWithASCIIString(kind, "oneof") == 0;
    if (oneof || PyUnicode_CompareWithASCIIString(kind, "union") == 0) {
        codec->kind = oneof ? CODEC_ONEOF : CODEC_UNION;
        if (!PyDict_Check(extra)) return raise_error(PyExc_TypeError, "rows: a union needs the dict of its shared instances");
        if ((codec->kind_at = named_slot(codec->cls, "kind")) < 0 || (codec->value_at = named_slot(codec->cls, "value")) < 0 ||
            (codec->id_at = named_slot(codec->cls, "id")) < 0 || (codec->raw_at = named_slot(codec->cls, "raw")) < 0 ||
            (codec->wire_at = named_slot(codec->cls, "wire")) < 0) {
            return -1;
        }
    } else if (PyUnicode_CompareWithASCIIString(kind, "message") == 0) {
        codec->kind = CODEC_MESSAGE;
        codec->unknown_at = named_slot(codec->cls, "_unknown");
        if (codec->unknown_at < 0) return -1;
    } else if (PyUnicode_CompareWithASCIIString(kind, "struct") != 0) {
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

static void field_clear(Field *field) {
    type_clear(&field->type);
    Py_CLEAR(field->absent);
    Py_CLEAR(field->factory);
    Py_CLEAR(field->name);
    Py_CLEAR(field->number);
    Py_CLEAR(field->single);
    Py_CLEAR(field->oneof);
    Py_CLEAR(field->member);
}

static int codec_traverse(PyObject *self, visitproc visit, void *arg) {
    Codec *codec = (Codec *)self;
    Py_VISIT(codec->cls);
    Py_VISIT(codec->single);
    Py_VISIT(codec->custom);
    Py_VISIT(codec->whole);
    for (Py_ssize_t i = 0; i < codec->field_count; i++) {
        const Field *field = &codec->fields[i];
        int stop = type_visit(&field->type, visit, arg);
        if (stop) return stop;
        Py_VISIT(field->absent);
        Py_VISIT(field->factory);
        Py_VISIT(field->single);
        Py_VISIT(field->oneof);
    }
    return 0;
}

/* Afterwards the codec knows no field, so that one reached during the collection of its cycle follows no cleared pointer. */
static int codec_tp_clear(PyObject *self) {
    Codec *codec = (Codec *)self;
    Py_ssize_t count = codec->field_count;
    codec->field_count = codec->sorted_count = 0;
    codec->direct_size = 0;
    codec->bits = 0;
    PyMem_Free(codec->by_slot);
    codec->by_slot = NULL;
    PyMem_Free(codec->blank);
    codec->blank = NULL;
    for (Py_ssize_t i = 0; i < count; i++) field_clear(&codec->fields[i]);
    return 0;
}

static void codec_dealloc(PyObject *self) {
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
    PyMem_Free(codec->steps);
    while (codec->spare_count > 0) PyObject_Free(UNREAD_MEMORY(codec->spares[--codec->spare_count]));
    PyObject_GC_Del(self);
}

static PyObject *codec_repr(PyObject *self) {
    Codec *codec = (Codec *)self;
    return PyUnicode_FromFormat("<%s of %U>", codec->whole == NULL ? "Codec" : "projected Codec", codec->format);
}

Codec *codec_new(void) {
    Codec *codec = PyObject_GC_New(Codec, &Codec_Type);
    if (codec != NULL) {
        memset((char *)codec + sizeof(PyObject), 0, sizeof(Codec) - sizeof(PyObject));
        PyObject_GC_Track(codec);
    }
    return codec;
}

PyObject *codec_define(PyObject *Py_UNUSED(module), PyObject *rows) {
    if (!PyList_Check(rows)) return PyErr_Format(PyExc_TypeError, "rows: a list is needed");
    Py_ssize_t count = PyList_GET_SIZE(rows);
    PyObject *codecs = PyList_New(0);
    for (Py_ssize_t i = 0; codecs != NULL && i < count; i++) {
        PyObject *codec = (PyObject *)codec_new();
        if (codec == NULL || PyList_Append(codecs, codec)) Py_CLEAR(codecs);
        Py_XDECREF(codec);
    }
    for (Py_ssize_t i = 0; codecs != NULL && i < count; i++) {
        PyObject *row = i < PyList_GET_SIZE(rows) ? PyList_GET_ITEM(rows, i) : NULL;
        if (row == NULL || !PyTuple_Check(row)) {
            PyErr_SetString(PyExc_TypeError, "rows: a list of tuples is needed");
            Py_CLEAR(codecs);
        } else if (codec_init((Codec *)PyList_GET_ITEM(codecs, i), row, codecs)) {
            Py_CLEAR(codecs);
        }
    }
    if (codecs != NULL) find_cycles(codecs);
    return codecs;
}

static PyMethodDef codec_methods[] = {
    {"decode", (PyCFunction)(void (*)(void))codec_decode, METH_FASTCALL,
     "decode($self, data, pos, max_depth, max_elements, views, text, early=False, /)\n--\n\n"
     "The value at pos and the position after it, or after the last of the chosen fields."},
    {"decode_kept", (PyCFunction)(void (*)(void))codec_decode_kept, METH_FASTCALL,
     "decode_kept($self, data, pos, max_depth, max_elements, views, text, /)\n--\n\n"
     "The same, with structs that keep the fields that their classes do not know."},
    {"decode_parts", (PyCFunction)(void (*)(void))codec_decode_parts, METH_FASTCALL,
     "decode_parts($self, data, pos, state, max_depth, max_elements, /)\n--\n\n"
     "The values from pos on, the position after the last whole one, how many bytes the next one lacks at least, 0 where something else is "
     "wrong, and the state with which reading goes on, of bytes that begin with it."},
    {"encode", (PyCFunction)(void (*)(void))codec_encode, METH_FASTCALL,
     "encode($self, value, text, ending=None, /)\n--\n\nThe encoded value, and behind it what ending(size) returns."},
    {"project", codec_project, METH_O,
     "project($self, tree, /)\n--\n\nThe codec that decodes only the fields in the tree; the others are skipped and None."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject Codec_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lakecodec.runtime.native._compact.Codec",
    .tp_doc = "The lowered description of one generated class. Made by define; immutable.",
    .tp_basicsize = sizeof(Codec),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = codec_dealloc,
    .tp_traverse = codec_traverse,
    .tp_clear = codec_tp_clear,
    .tp_repr = codec_repr,
    .tp_methods = codec_methods,
};
