/* The module itself, argument checks, and how errors become exceptions. */
#include "columns.h"
#include "decode.h"

static const char *const rule_keys[] = {
    [RULE_NONE] = "",
    [RULE_TRUNCATED] = "truncated",
    [RULE_VARINT] = "varint",
    [RULE_I16] = "i16",
    [RULE_I32] = "i32",
    [RULE_LENGTH] = "length",
    [RULE_COUNT] = "count",
    [RULE_SIZE] = "size",
    [RULE_ELEMENTS] = "elements",
    [RULE_DEPTH] = "depth",
    [RULE_WIRE] = "wire",
    [RULE_ELEMENT] = "element",
    [RULE_BOOL] = "bool",
    [RULE_FIELD_ID] = "field id",
    [RULE_REQUIRED] = "required",
    [RULE_NO_MEMBER] = "no member",
    [RULE_MEMBERS] = "members",
    [RULE_UTF8] = "utf-8",
    [RULE_NUMBER] = "number",
    [RULE_GROUP] = "group",
    [RULE_PACKED] = "packed",
    [RULE_TAG] = "tag",
};

Rule rule_by_key(PyObject *key) {
    for (int rule = RULE_TRUNCATED; rule <= RULE_UTF8; rule++)
        if (PyUnicode_Check(key) && PyUnicode_CompareWithASCIIString(key, rule_keys[rule]) == 0) return (Rule)rule;
    return RULE_NONE;
}

/* ---- paths ---- */

static void trace_add(Trace *trace, PyObject *name, Py_ssize_t index) {
    if (trace->count == trace->room) {
        Py_ssize_t room = trace->room ? 2 * trace->room : 16;
        /* Not PyMem: columns are decoded without the GIL. Out of memory costs the outer part of the path, not the error. */
        PathPart *steps = realloc(trace->steps, (size_t)room * sizeof(PathPart));
        if (steps == NULL) return;
        trace->steps = steps;
        trace->room = room;
    }
    trace->steps[trace->count++] = (PathPart){name, index};
}

void trace_name(Trace *trace, PyObject *name) { trace_add(trace, name, -1); }

void trace_index(Trace *trace, Py_ssize_t index) { trace_add(trace, NULL, index); }

void trace_free(Trace *trace) {
    free(trace->steps);
    *trace = (Trace){0};
}

PyObject *trace_path(const Trace *trace, PyObject *tail) {
    PyObject *parts = PyList_New(0), *path = NULL;
    for (Py_ssize_t i = trace->count; parts != NULL && i-- > 0;) {
        const PathPart *step = &trace->steps[i];
        PyObject *part = step->name == NULL           ? PyUnicode_FromFormat("[%zd]", step->index)
                         : PyList_GET_SIZE(parts) > 0 ? PyUnicode_FromFormat(".%U", step->name)
                                                      : Py_NewRef(step->name);
        if (part == NULL || PyList_Append(parts, part)) Py_CLEAR(parts);
        Py_XDECREF(part);
    }
    if (parts == NULL) return NULL;
    if (tail != NULL && PyUnicode_GET_LENGTH(tail) > 0) {
        int joined = PyList_GET_SIZE(parts) > 0 && PyUnicode_READ_CHAR(tail, 0) != '[';
        PyObject *part = PyUnicode_FromFormat("%s%U", joined ? "." : "", tail);
        if (part == NULL || PyList_Append(parts, part)) Py_CLEAR(parts);
        Py_XDECREF(part);
    }
    PyObject *empty = parts == NULL ? NULL : PyUnicode_FromString("");
    if (empty != NULL) path = PyUnicode_Join(empty, parts);
    Py_XDECREF(empty);
    Py_XDECREF(parts);
    return path;
}

void place_error(PyObject *error, const Trace *trace, PyObject *format) {
    PyObject *tail = PyObject_GetAttrString(error, "path");
    PyObject *path = tail == NULL || !PyUnicode_Check(tail) ? NULL : trace_path(trace, tail);
    if (path != NULL) PyObject_SetAttrString(error, "path", path);
    PyObject *named = PyObject_GetAttrString(error, "format");
    if (named != NULL && PyUnicode_Check(named) && PyUnicode_GET_LENGTH(named) == 0) PyObject_SetAttrString(error, "format", format);
    Py_XDECREF(named);
    Py_XDECREF(path);
    Py_XDECREF(tail);
    PyErr_Clear();
}

/* ---- exceptions ---- */

PyObject *runtime_object(const char *module, const char *name) {
    PyObject *imported = PyImport_ImportModule(module);
    if (imported == NULL) return NULL;
    PyObject *object = PyObject_GetAttrString(imported, name);
    Py_DECREF(imported);
    return object;
}

PyObject *decode_error(Rule rule, PyObject *format, const Trace *trace, Py_ssize_t offset) {
    static const Trace nowhere = {0};
    if (rule == RULE_MEMORY) return PyErr_NoMemory();
    PyObject *error = NULL, *path = NULL, *named = NULL, *none = NULL;
    const char *module = rule > RULE_MEMORY ? "lakecodec.runtime.protobuf.rules" : "lakecodec.runtime.compact.rules";
    PyObject *rules = runtime_object(module, "RULES");
    PyObject *class = runtime_object("lakecodec.runtime.errors", "DecodeError");
    PyObject *words = rules == NULL ? NULL : PyMapping_GetItemString(rules, rule_keys[rule]);
    if (class == NULL || words == NULL) goto done;
    path = trace_path(trace == NULL ? &nowhere : trace, NULL);
    named = path == NULL ? NULL : Py_BuildValue("{s:O,s:n}", "path", path, "offset", offset);
    if (named == NULL || (format != NULL && PyDict_SetItemString(named, "format", format))) goto done;
    none = PyTuple_Pack(1, words);
    error = none == NULL ? NULL : PyObject_Call(class, none, named);
done:
    Py_XDECREF(none);
    Py_XDECREF(named);
    Py_XDECREF(path);
    Py_XDECREF(words);
    Py_XDECREF(class);
    Py_XDECREF(rules);
    return error;
}

/* ---- arguments ---- */

int check_count(const char *name, Py_ssize_t count, Py_ssize_t expected) {
    if (count == expected) return 0;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", name, expected, count);
    return -1;
}

int take_buffer(PyObject *data, Py_buffer *view) {
    if (PyObject_GetBuffer(data, view, PyBUF_SIMPLE) == 0) return 0;
    if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_BufferError))
        PyErr_Format(PyExc_TypeError, "data: a C-contiguous bytes-like object is needed, not %s", Py_TYPE(data)->tp_name);
    return -1;
}

int take_position(PyObject *object, Py_ssize_t size, Py_ssize_t *pos) {
    *pos = PyNumber_AsSsize_t(object, NULL);
    if (*pos == -1 && PyErr_Occurred()) return -1;
    if (*pos < 0 || *pos > size) return raise_error(PyExc_ValueError, "pos: %zd is outside the data", *pos);
    return 0;
}

int take_limit(PyObject *object, const char *name, Py_ssize_t *limit) {
    *limit = PyNumber_AsSsize_t(object, NULL);
    if (*limit == -1 && PyErr_Occurred()) return -1;
    if (*limit < 1) return raise_error(PyExc_ValueError, "%s: a positive int is needed", name);
    return 0;
}

int take_text(PyObject *object, int *text) {
    static const char *const names[] = {"strict", "replace", "surrogateescape", "bytes"};
    for (int i = 0; PyUnicode_Check(object) && i < 4; i++) {
        if (PyUnicode_CompareWithASCIIString(object, names[i]) == 0) {
            *text = i;
            return 0;
        }
    }
    PyErr_Format(PyExc_ValueError, "text: one of strict, replace, surrogateescape, bytes, not %R", object);
    return -1;
}

/* ---- module ---- */

PyObject *small_ints[SMALL_INTS];

static PyMethodDef compact_methods[] = {
    {"define", codec_define, METH_O, "define($module, rows, /)\n--\n\nThe codecs of lowered classes, in the rows' order."},
    {"skip", (PyCFunction)(void (*)(void))compact_skip, METH_FASTCALL,
     "skip($module, data, pos, wire_type, max_depth, /)\n--\n\nThe position after a value of a field."},
    {"columns", (PyCFunction)(void (*)(void))compact_columns, METH_FASTCALL,
     "columns($module, codec, program, buffers, max_depth, max_elements, keep, on_error, /)\n--\n\n"
     "Decodes chosen leaves of many buffers to columns in Arrow's layout."},
    {"names", (PyCFunction)(void (*)(void))compact_names, METH_FASTCALL,
     "names($module, numbers, width, texts, /)\n--\n\nThe texts of numbers in Arrow's layout: offsets and data."},
    {"list_length", (PyCFunction)(void (*)(void))compact_list_length, METH_FASTCALL,
     "list_length($module, value, name, /)\n--\n\nThe length of the list in a field, 0 for None; None for anything else."},
    {"read", compact_read, METH_VARARGS,
     "read($module, fd, offset, length, /)\n--\n\nBytes of an open file, fewer where it ends, in memory that serves again."},
    {"touched", compact_touched, METH_NOARGS,
     "touched($module, /)\n--\n\nBytes that decoding has read field by field so far, and those of structs that it compared with a layout."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef compact_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_compact",
    .m_doc = "The native codec of the Thrift compact protocol and of protobuf's wire format.",
    .m_size = -1,
    .m_methods = compact_methods,
};

PyMODINIT_FUNC PyInit__compact(void) {
    if (PyType_Ready(&Codec_Type) || PyType_Ready(&Buffer_Type) || PyType_Ready(&Places_Type)) return NULL;
    for (long number = 0; number < SMALL_INTS; number++)
        if (small_ints[number] == NULL && (small_ints[number] = PyLong_FromLong(number)) == NULL) return NULL;
    PyObject *module = PyModule_Create(&compact_module);
    if (module != NULL && PyModule_AddObjectRef(module, "Codec", (PyObject *)&Codec_Type)) Py_CLEAR(module);
    if (module != NULL && PyModule_AddObjectRef(module, "Places", (PyObject *)&Places_Type)) Py_CLEAR(module);
    if (module != NULL && share_pool()) Py_CLEAR(module);
    return module;
}
