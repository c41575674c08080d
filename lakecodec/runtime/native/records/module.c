/* The module: programs, and the names by which rows call kinds and operations. */
#include "struct_of_arrays.h"

static const char *const operation_names[] = {
#define OP(name, text) text,
    RECORD_OPERATIONS(OP)
#undef OP
};

static const char *const kind_names[] = {
#define KIND(name, text, ...) text,
    RECORD_KINDS(KIND)
#undef KIND
};

static const char *const dimension_names[] = {"", "count", "rest", "until", "index"};

static int add_names(PyObject *module, const char *name, const char *const *texts, Py_ssize_t count) {
    PyObject *names = PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count && names != NULL; i++) {
        PyObject *text = PyUnicode_FromString(texts[i]);
        if (text == NULL) {
            Py_CLEAR(names);
            break;
        }
        PyTuple_SET_ITEM(names, i, text);
    }
    int failed = names == NULL ? -1 : PyModule_AddObjectRef(module, name, names);
    Py_XDECREF(names);
    return failed;
}

static PyMethodDef functions[] = {
    {"attributes", attributes, METH_VARARGS, "What a chain of attributes leads to, for each of a list of records."},
    {"by_structural_key", by_structural_key, METH_VARARGS,
     "What a dict has under the structural key of each record of a list, or a function finds."},
    {"crc", crc_register, METH_VARARGS, "The register of a cyclic redundancy check after some bytes."},
    {"json_text", json_text, METH_O, "A value's text in JSON without blanks; None where Python must encode it."},
    {"use_columns", use_columns, METH_VARARGS, "The classes of packed numbers and encoded values."},
    {"use_json_object", use_json_object, METH_O, "The class of objects of JSON."},
    {"use_places", use_places, METH_VARARGS, "The classes of records with places, and of sources over bytes."},
    {"use_struct_of_arrays", use_struct_of_arrays, METH_VARARGS, "The classes of lists of fields and of texts."},
    {"kept_parameters", kept_parameters, METH_O, "Whether a record was written last, with the parameters that were there before."},
    {"is_settled", is_settled, METH_O, "The same, and whether what is derived in it was there before, too."},
    {"same", same, METH_VARARGS, "Whether two records hold the same; False where Python must find out."},
    {"texts_at", texts_at, METH_VARARGS, "The texts at some positions, as a list."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "_record", .m_doc = "Reads records by tables.", .m_size = -1, .m_methods = functions,
};

PyMODINIT_FUNC PyInit__record(void) {
    if (PyType_Ready(&Program_Type) || PyType_Ready(&Shape_Type)) return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
    if (PyModule_AddObjectRef(module, "Program", (PyObject *)&Program_Type) ||
        add_names(module, "OPERATIONS", operation_names, OP_COUNT_OF_ALL) || add_names(module, "KINDS", kind_names, KIND_OF_ALL) ||
        add_names(module, "DIMENSIONS", dimension_names, sizeof dimension_names / sizeof *dimension_names)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
