/* Objects of JSON, whose members are a dict: their attributes, and their text. */
#include "output.h"

/* As deep as Python encodes in any case; what is deeper, or of another type, is left to it. */
enum { MOST_DEEP = 100, MOST_DIGITS = 20 };

static struct {
    PyTypeObject *type;
    Py_ssize_t members;
} json;

/* use_json_object(the class of objects of JSON) */
PyObject *use_json_object(PyObject *module, PyObject *type) {
    (void)module;
    if (!PyType_Check(type)) return PyErr_Format(PyExc_TypeError, "a class is needed");
    if (find_slot((PyTypeObject *)type, "members", &json.members)) return NULL;
    Py_XSETREF(json.type, (PyTypeObject *)Py_NewRef(type));
    Py_RETURN_NONE;
}

static PyObject *members_of(PyObject *object) {
    PyObject *members = Py_IS_TYPE(object, json.type) ? SLOT(object, json.members) : NULL;
    return members != NULL && PyDict_CheckExact(members) ? members : NULL;
}

PyObject *attribute_of(PyObject *holder, PyObject *name) {
    PyObject *members = members_of(holder);
    /* Underscores stand for hyphens, or begin what is no member. */
    if (members == NULL || PyUnicode_FindChar(name, '_', 0, PyUnicode_GET_LENGTH(name), 1) != -1 || _PyType_Lookup(json.type, name) != NULL)
        return PyObject_GetAttr(holder, name);
    PyObject *found = PyDict_GetItemWithError(members, name);
    return found == NULL && PyErr_Occurred() ? NULL : Py_NewRef(found == NULL ? Py_None : found);
}

/* ---- text ---- */

static int put_value(Output *out, PyObject *value, int depth);

static int put_escaped(Output *out, uint8_t byte) {
    static const char named[] = "\bb\tt\nn\ff\rr\"\"\\\\", digits[] = "0123456789abcdef";
    for (const char *at = named; *at; at += 2)
        if (*at == (char)byte) return output_append(out, (const char[]){'\\', at[1]}, 2);
    return output_append(out, (const char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]}, 6);
}

static int put_text(Output *out, PyObject *text) {
    Py_ssize_t size, from = 0;
    const char *start = PyUnicode_AsUTF8AndSize(text, &size);
    if (start == NULL || output_append(out, "\"", 1)) return -1;
    for (Py_ssize_t i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)start[i];
        if (LIKELY(byte >= ' ' && byte != '"' && byte != '\\')) continue;
        if (output_append(out, start + from, i - from) || put_escaped(out, byte)) return -1;
        from = i + 1;
    }
    return output_append(out, start + from, size - from) || output_append(out, "\"", 1) ? -1 : 0;
}

static int put_repr(Output *out, PyObject *number) {
    PyObject *made = PyObject_Repr(number);
    Py_ssize_t size;
    const char *digits = made == NULL ? NULL : PyUnicode_AsUTF8AndSize(made, &size);
    const int failed = digits == NULL || output_append(out, digits, size);
    Py_XDECREF(made);
    return failed ? -1 : 0;
}

static int put_int(Output *out, PyObject *number) {
    int64_t left;
    char text[MOST_DIGITS], *at = text + MOST_DIGITS;
    if (!small_int(number, &left) || left < 0) return put_repr(out, number);
    do *--at = (char)('0' + left % 10);
    while (left /= 10);
    return output_append(out, at, text + MOST_DIGITS - at);
}

static int put_list(Output *out, PyObject *list, int depth) {
    int failed = output_append(out, "[", 1);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && !failed; i++)
        failed = (i && output_append(out, ",", 1)) || put_value(out, PyList_GET_ITEM(list, i), depth - 1);
    return failed || output_append(out, "]", 1) ? -1 : 0;
}

static int put_members(Output *out, PyObject *members, int depth) {
    PyObject *name, *value;
    Py_ssize_t place = 0;
    int failed = output_append(out, "{", 1), count = 0;
    while (!failed && PyDict_Next(members, &place, &name, &value))
        failed = !PyUnicode_CheckExact(name) || (count++ && output_append(out, ",", 1)) || put_text(out, name) ||
                 output_append(out, ":", 1) || put_value(out, value, depth - 1);
    return failed || output_append(out, "}", 1) ? -1 : 0;
}

/* -1 where Python must encode it. */
static int put_value(Output *out, PyObject *value, int depth) {
    PyObject *members = PyDict_CheckExact(value) ? value : members_of(value);
    if (depth <= 0) return -1;
    if (PyUnicode_CheckExact(value)) return put_text(out, value);
    if (PyLong_CheckExact(value)) return put_int(out, value);
    if (members != NULL) return put_members(out, members, depth);
    if (PyList_CheckExact(value)) return put_list(out, value, depth);
    if (value == Py_None) return output_append(out, "null", 4);
    if (value == Py_True) return output_append(out, "true", 4);
    if (value == Py_False) return output_append(out, "false", 5);
    if (PyFloat_CheckExact(value) && isfinite(PyFloat_AS_DOUBLE(value))) return put_repr(out, value);
    return -1;
}

/* json_text(object): its text in JSON, without blanks, or None where Python must encode it. */
PyObject *json_text(PyObject *module, PyObject *object) {
    Output out = {0};
    (void)module;
    PyObject *made = put_value(&out, object, MOST_DEEP) ? NULL : output_taken(&out);
    output_release(&out);
    if (made != NULL) return made;
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) return NULL;
    PyErr_Clear();
    Py_RETURN_NONE;
}
