/* Encoding of scalars, and the errors of values that do not fit. */
#include "encode.h"

uint8_t *unfit(Writer *w, const char *key) {
    w->key = key;
    return NULL;
}

uint8_t *unfit_type(Writer *w, const char *words, PyObject *value) {
    PyObject *name = PyType_GetName(Py_TYPE(value));
    if (name == NULL) return NULL;
    w->detail = PyUnicode_FromFormat("%s, not %U", words, name);
    Py_DECREF(name);
    return w->detail == NULL ? NULL : unfit(w, "type");
}

uint8_t *unfit_range(Writer *w, const char *kind) {
    w->detail = PyUnicode_FromString(kind);
    return w->detail == NULL ? NULL : unfit(w, "range");
}

uint8_t *unfit_changed(Writer *w) { return unfit(w, "changed"); }

PyObject *iterated(PyObject *value) {
    PyObject *iterator = PyObject_GetIter(value), *items = iterator == NULL ? NULL : PySequence_List(iterator);
    Py_XDECREF(iterator);
    return items;
}

PyObject *plain_sequence(PyObject *value) {
    return PyList_CheckExact(value) || PyTuple_CheckExact(value) ? Py_NewRef(value) : iterated(value);
}

int output_room(Writer *w, Py_ssize_t room) {
    if (w->bytes == NULL ? (w->bytes = PyBytes_FromStringAndSize(NULL, room)) == NULL : _PyBytes_Resize(&w->bytes, room)) return -1;
    w->end = (uint8_t *)PyBytes_AS_STRING(w->bytes) + room;
    return 0;
}

uint8_t *grow(Writer *w, uint8_t *p, Py_ssize_t size) {
    uint8_t *begin = (uint8_t *)PyBytes_AS_STRING(w->bytes);
    Py_ssize_t used = p - begin, room = w->end - begin;
    if (size > PY_SSIZE_T_MAX / 4 - used) return (uint8_t *)PyErr_NoMemory();
    /* A large block that is copied is often nearly all. */
    const Py_ssize_t needed = used + size + (used + size) / 8;
    if (output_room(w, 2 * room > needed ? 2 * room : needed)) return NULL;
    return (uint8_t *)PyBytes_AS_STRING(w->bytes) + used;
}

uint8_t *write_buffer(Writer *w, uint8_t *p, PyObject *value, int counted) {
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_FULL_RO)) return NULL;
    const void *data = view.buf;
    PyObject *copy = NULL;
    int failed = 0;
    if (!PyBuffer_IsContiguous(&view, 'C')) {
        copy = PyBytes_FromStringAndSize(NULL, view.len);
        failed = copy == NULL || PyBuffer_ToContiguous(PyBytes_AS_STRING(copy), &view, view.len, 'C');
        data = failed ? NULL : PyBytes_AS_STRING(copy);
    }
    if (failed)
        p = NULL;
    else
        p = counted ? write_block(w, p, data, view.len) : write_bytes(w, p, data, view.len);
    Py_XDECREF(copy);
    PyBuffer_Release(&view);
    return p;
}

int large_int(Writer *w, const Type *type, PyObject *value, int64_t *number) {
    if (PyBool_Check(value)) {
        unfit_type(w, "an int", value);
        return -1;
    }
    PyObject *index = PyNumber_Index(value);
    if (index == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            unfit_type(w, "an int", value);
        }
        return -1;
    }
    int overflow;
    *number = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (*number == -1 && PyErr_Occurred()) return -1;
    if (overflow) {
        unfit_range(w, type->kind == KIND_ENUM ? "i32" : kind_names[type->kind]);
        return -1;
    }
    return 0;
}

uint8_t *write_double(Writer *w, uint8_t *p, PyObject *value) {
    if (!PyFloat_Check(value) && (!PyLong_Check(value) || PyBool_Check(value))) return unfit_type(w, "a float", value);
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
        PyErr_Clear();
        return unfit_range(w, "double");
    }
    p = ensure(w, p, SMALL);
    return p == NULL || PyFloat_Pack8(number, (char *)p, 1) ? NULL : p + 8;
}

uint8_t *write_binary(Writer *w, uint8_t *p, PyObject *value) {
    if (likely(PyBytes_Check(value))) return write_block(w, p, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value));
    if (PyUnicode_Check(value)) return unfit_type(w, "bytes", value);
    p = write_buffer(w, p, value, 1);
    if (p == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return unfit_type(w, "bytes", value);
    }
    return p;
}

uint8_t *write_text(Writer *w, uint8_t *p, PyObject *value) {
    if (unlikely(!PyUnicode_Check(value))) {
        if (w->text == TEXT_BYTES && (PyBytes_Check(value) || PyByteArray_Check(value) || PyMemoryView_Check(value)))
            return write_binary(w, p, value);
        return unfit_type(w, "a str", value);
    }
    if (likely(PyUnicode_IS_COMPACT_ASCII(value))) return write_block(w, p, PyUnicode_1BYTE_DATA(value), PyUnicode_GET_LENGTH(value));
    if (w->text == TEXT_SURROGATEESCAPE) {
        PyObject *encoded = PyUnicode_AsEncodedString(value, "utf-8", "surrogateescape");
        if (encoded != NULL) {
            p = write_block(w, p, PyBytes_AS_STRING(encoded), PyBytes_GET_SIZE(encoded));
            Py_DECREF(encoded);
            return p;
        }
    } else {
        Py_ssize_t length;
        const char *encoded = PyUnicode_AsUTF8AndSize(value, &length);
        if (encoded != NULL) return write_block(w, p, encoded, length);
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return NULL;
    PyErr_Clear();
    return unfit(w, "utf-8");
}

uint8_t *write_uuid(Writer *w, uint8_t *p, const Type *type, PyObject *value) {
    int is_uuid = PyObject_IsInstance(value, type->cls);
    if (is_uuid <= 0) return is_uuid < 0 ? NULL : unfit_type(w, "a uuid.UUID", value);
    PyObject *bytes = PyObject_GetAttrString(value, "bytes");
    if (bytes == NULL) return NULL;
    if (PyBytes_Check(bytes) && PyBytes_GET_SIZE(bytes) == 16) {
        p = write_bytes(w, p, PyBytes_AS_STRING(bytes), 16);
    } else {
        PyErr_SetString(PyExc_TypeError, "UUID.bytes must be 16 bytes");
        p = NULL;
    }
    Py_DECREF(bytes);
    return p;
}
