/* Encoding of scalars, and what is said about values that do not fit. */
#include "compact_encode.h"

int
unfit(Writer *w, const char *key)
{
    w->key = key;
    return -1;
}

/* The value has the wrong type; words says what is needed. */
int
unfit_type(Writer *w, const char *words, PyObject *value)
{
    PyObject *name = PyType_GetName(Py_TYPE(value));
    if (name == NULL) {
        return -1;
    }
    w->detail = PyUnicode_FromFormat("%s, not %U", words, name);
    Py_DECREF(name);
    return w->detail == NULL ? -1 : unfit(w, "type");
}

int
unfit_range(Writer *w, const char *kind)
{
    w->detail = PyUnicode_FromString(kind);
    return w->detail == NULL ? -1 : unfit(w, "range");
}

int
grow(Writer *w, Py_ssize_t size)
{
    uint8_t *begin = (uint8_t *)PyBytes_AS_STRING(w->bytes);
    Py_ssize_t used = w->p - begin, room = w->end - begin;
    if (size > PY_SSIZE_T_MAX / 4 - used) {
        PyErr_NoMemory();
        return -1;
    }
    while (room - used < size) {
        room *= 2;
    }
    if (_PyBytes_Resize(&w->bytes, room)) {
        w->p = w->end = NULL;
        return -1;
    }
    begin = (uint8_t *)PyBytes_AS_STRING(w->bytes);
    w->p = begin + used;
    w->end = begin + room;
    return 0;
}

int
write_buffer(Writer *w, PyObject *value, int counted)
{
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_FULL_RO)) {
        return -1;
    }
    int failed;
    if (PyBuffer_IsContiguous(&view, 'C')) {
        failed = counted ? write_block(w, view.buf, view.len) : write_bytes(w, view.buf, view.len);
    }
    else {
        PyObject *copy = PyBytes_FromStringAndSize(NULL, view.len);
        failed = copy == NULL || PyBuffer_ToContiguous(PyBytes_AS_STRING(copy), &view, view.len, 'C') ||
                 (counted ? write_block(w, PyBytes_AS_STRING(copy), view.len) : write_bytes(w, PyBytes_AS_STRING(copy), view.len));
        Py_XDECREF(copy);
    }
    PyBuffer_Release(&view);
    return failed ? -1 : 0;
}

int
large_int(Writer *w, const Type *type, PyObject *value, int64_t *number)
{
    if (PyBool_Check(value)) {
        return unfit_type(w, "an int", value);
    }
    PyObject *index = PyNumber_Index(value);
    if (index == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
        return unfit_type(w, "an int", value);
    }
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (*number == -1 && PyErr_Occurred()) {
        return -1;
    }
    return overflow ? unfit_range(w, type->kind == KIND_ENUM ? "i32" : kind_names[type->kind]) : 0;
}

int
write_double(Writer *w, PyObject *value)
{
    if (!PyFloat_Check(value) && (!PyLong_Check(value) || PyBool_Check(value))) {
        return unfit_type(w, "a float", value);
    }
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
            return -1;
        }
        PyErr_Clear();
        return unfit_range(w, "double");
    }
    if (ensure(w, SMALL) || PyFloat_Pack8(number, (char *)w->p, 1)) {
        return -1;
    }
    w->p += 8;
    return 0;
}

int
write_binary(Writer *w, PyObject *value)
{
    if (likely(PyBytes_Check(value))) {
        return write_block(w, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value));
    }
    if (PyUnicode_Check(value)) {
        return unfit_type(w, "bytes", value);
    }
    if (write_buffer(w, value, 1) == 0) {
        return 0;
    }
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return unfit_type(w, "bytes", value);
    }
    return -1;
}

int
write_text(Writer *w, PyObject *value)
{
    if (unlikely(!PyUnicode_Check(value))) {
        if (w->text == TEXT_BYTES && (PyBytes_Check(value) || PyByteArray_Check(value) || PyMemoryView_Check(value))) {
            return write_buffer(w, value, 1);
        }
        return unfit_type(w, "a str", value);
    }
    Py_ssize_t length;
    if (likely(PyUnicode_IS_COMPACT_ASCII(value))) {
        return write_block(w, PyUnicode_1BYTE_DATA(value), PyUnicode_GET_LENGTH(value));
    }
    if (w->text == TEXT_SURROGATEESCAPE) {
        PyObject *encoded = PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape");
        if (encoded != NULL) {
            int failed = write_block(w, PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded));
            Py_DECREF(encoded);
            return failed;
        }
    }
    else {
        const char *encoded = PyUnicode_AsUTF8AndSize(value, &length);
        if (encoded != NULL) {
            return write_block(w, encoded, length);
        }
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
        return -1;
    }
    PyErr_Clear();
    return unfit(w, "utf-8");
}

int
write_uuid(Writer *w, const Type *type, PyObject *value)
{
    int is_uuid = PyObject_IsInstance(value, type->cls);
    if (is_uuid <= 0) {
        return is_uuid < 0 ? -1 : unfit_type(w, "a uuid.UUID", value);
    }
    PyObject *bytes = PyObject_GetAttrString(value, "bytes");
    if (bytes == NULL) {
        return -1;
    }
    int failed = -1;
    if (PyBytes_Check(bytes) && PyBytes_GET_SIZE(bytes) == 16) {
        failed = write_bytes(w, PyBytes_AS_STRING(bytes), 16);
    }
    else {
        PyErr_SetString(PyExc_TypeError, "UUID.bytes must be 16 bytes");
    }
    Py_DECREF(bytes);
    return failed;
}
