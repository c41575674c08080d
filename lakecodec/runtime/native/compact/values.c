/* Decoding of text, bytes, rare enum members, doubles and UUIDs, and of structs that have hand-written codecs. */
#include "decode.h"

#include "common/utf8.h"

#define CACHED_LENGTH 48

static inline uint64_t load_up_to_8(const uint8_t *p, Py_ssize_t length) {
    uint64_t word = 0;
    if (length >= 8) {
        memcpy(&word, p, 8);
    } else if (length >= 4) {
        uint32_t low, high;
        memcpy(&low, p, 4);
        memcpy(&high, p + length - 4, 4);
        word = (uint64_t)high << 32 | low;
    } else if (length > 0) {
        word = (uint64_t)p[0] << 16 | (uint64_t)p[length >> 1] << 8 | p[length - 1];
    }
    return word;
}

/* The cache's place for a value: the first and last 8 bytes and the length decide. */
static inline size_t cache_slot(const Reader *r, const uint8_t *p, Py_ssize_t length) {
    uint64_t hash = load_up_to_8(p, length) ^ (uint64_t)length << 56;
    if (length > 8) {
        uint64_t last = load_up_to_8(p + length - 8, 8);
        hash ^= last << 29 | last >> 35;
    }
    hash *= 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 32) * 0xbf58476d1ce4e5b9u;
    return (size_t)(hash >> 48) & r->mask;
}

#define FIRST_CACHED 64
#define MOST_CACHED 4096

/* Caches are made when first needed; without memory for them decoding goes on uncached. Those of one call begin small, as most values are
 * not read; those that a tape keeps are sized to the input. */
static PyObject **new_cache(Reader *r) {
    if (r->mask == 0) {
        size_t wanted = r->trusted ? (size_t)(r->in.end - r->in.begin) / 64 : FIRST_CACHED, size = 16;
        while (size < wanted && size < MOST_CACHED) size *= 2;
        r->mask = size - 1;
    }
    return PyMem_Calloc(r->mask + 1, sizeof(PyObject *));
}

void free_caches(Reader *r) {
    PyObject **caches[2] = {r->texts, r->blobs};
    for (int which = 0; which < 2; which++) {
        for (size_t i = 0; caches[which] != NULL && i <= r->mask; i++) Py_XDECREF(caches[which][i]);
        PyMem_Free(caches[which]);
    }
    r->texts = r->blobs = NULL;
}

/* Puts a new value in its place. Caches of one call that more values were new to than they have places become larger, and are filled anew. */
static inline void put_cached(Reader *r, PyObject **place, PyObject *value) {
    Py_XSETREF(*place, Py_NewRef(value));
    if (!r->trusted && unlikely(++r->uncached > r->mask) && r->mask + 1 < MOST_CACHED) {
        free_caches(r);
        r->mask = r->mask * 8 + 7;
        r->uncached = 0;
    }
}

static PyObject *new_text(Reader *r, const uint8_t *p, Py_ssize_t length, const uint8_t *start) {
    static const char *const policies[] = {"strict", "replace", "surrogateescape"};
    PyObject *text = PyUnicode_DecodeUTF8((const char *)p, length, policies[r->text]);
    if (text == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        PyErr_Clear();
        fail(&r->in, RULE_UTF8, start);
    }
    return text;
}

static PyObject *cached_text(Reader *r, const uint8_t *p, Py_ssize_t length, const uint8_t *start) {
    if (length > CACHED_LENGTH || length < 2 || !is_ascii(p, length)) return new_text(r, p, length, start);
    if (r->texts == NULL && (r->texts = new_cache(r)) == NULL) return new_text(r, p, length, start);
    PyObject **place = &r->texts[cache_slot(r, p, length)], *text = *place;
    if (text != NULL && PyUnicode_GET_LENGTH(text) == length && memcmp(PyUnicode_1BYTE_DATA(text), p, (size_t)length) == 0)
        return Py_NewRef(text);
    text = PyUnicode_New(length, 127);
    if (text != NULL) {
        memcpy(PyUnicode_1BYTE_DATA(text), p, (size_t)length);
        put_cached(r, place, text);
    }
    return text;
}

static PyObject *cached_bytes(Reader *r, const uint8_t *p, Py_ssize_t length) {
    if (length > CACHED_LENGTH || length < 2 || r->trusted || (r->blobs == NULL && (r->blobs = new_cache(r)) == NULL))
        return PyBytes_FromStringAndSize((const char *)p, length);
    PyObject **place = &r->blobs[cache_slot(r, p, length)], *bytes = *place;
    if (bytes != NULL && PyBytes_GET_SIZE(bytes) == length && memcmp(PyBytes_AS_STRING(bytes), p, (size_t)length) == 0)
        return Py_NewRef(bytes);
    bytes = PyBytes_FromStringAndSize((const char *)p, length);
    if (bytes != NULL) put_cached(r, place, bytes);
    return bytes;
}

PyObject *whole_view(Reader *r) {
    if (r->view == NULL) {
        PyObject *view = PyMemoryView_FromObject(r->data);
        if (view != NULL) {
            const Py_buffer *buffer = PyMemoryView_GET_BUFFER(view);
            if (buffer->ndim != 1 || buffer->itemsize != 1 || buffer->format == NULL || strcmp(buffer->format, "B") != 0) {
                PyObject *flat = PyObject_CallMethod(view, "cast", "s", "B");
                Py_SETREF(view, flat);
            }
        }
        r->view = view;
    }
    return r->view;
}

static PyObject *view_slice(Reader *r, const uint8_t *p, Py_ssize_t length) {
    PyObject *view = whole_view(r);
    if (view == NULL) return NULL;
    PyObject *start = PyLong_FromSsize_t(p - r->in.begin), *stop = PyLong_FromSsize_t(p - r->in.begin + length);
    PyObject *slice = start == NULL || stop == NULL ? NULL : PySlice_New(start, stop, NULL);
    PyObject *part = slice == NULL ? NULL : PyObject_GetItem(view, slice);
    Py_XDECREF(slice);
    Py_XDECREF(start);
    Py_XDECREF(stop);
    return part;
}

const uint8_t *read_text(Reader *r, const uint8_t *p, PyObject **out) {
    Py_ssize_t length;
    const uint8_t *start = read_length(&r->in, p, &length);
    if (unlikely(start == NULL)) return NULL;
    *out = r->text == TEXT_BYTES ? cached_bytes(r, start, length) : cached_text(r, start, length, p);
    return *out == NULL ? NULL : start + length;
}

const uint8_t *read_binary(Reader *r, const uint8_t *p, const Type *type, PyObject **out) {
    Py_ssize_t length;
    const uint8_t *start = read_length(&r->in, p, &length);
    if (unlikely(start == NULL)) return NULL;
    *out = r->views && !type->element ? view_slice(r, start, length) : cached_bytes(r, start, length);
    return *out == NULL ? NULL : start + length;
}

PyObject *rare_member(const Type *type, int64_t number) {
    if (PyTuple_CheckExact(type->members)) return PyLong_FromLongLong(number);
    PyObject *value = PyLong_FromLongLong(number);
    PyObject *member = value == NULL ? NULL : PyDict_GetItemWithError(type->members, value);
    if (member == NULL) {
        if (PyErr_Occurred()) Py_CLEAR(value);
        return value;
    }
    Py_INCREF(member);
    Py_DECREF(value);
    return member;
}

const uint8_t *read_double(Reader *r, const uint8_t *p, PyObject **out) {
    if (r->in.end - p < 8) return truncated(&r->in);
    double number = PyFloat_Unpack8((const char *)p, 1);
    *out = number == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(number);
    return *out == NULL ? NULL : p + 8;
}

const uint8_t *read_uuid(Reader *r, const uint8_t *p, const Type *type, PyObject **out) {
    if (r->in.end - p < 16) return truncated(&r->in);
    PyObject *none = PyTuple_New(0), *named = Py_BuildValue("{s:y#}", "bytes", (const char *)p, (Py_ssize_t)16);
    *out = none == NULL || named == NULL ? NULL : PyObject_Call(type->cls, none, named);
    Py_XDECREF(none);
    Py_XDECREF(named);
    return *out == NULL ? NULL : p + 16;
}

/* A hand-written codec may use the pure readers, whose errors mean what the native ones mean. */
static void translate_custom_error(Reader *r) {
    if (PyErr_ExceptionMatches(PyExc_IndexError)) {
        PyErr_Clear();
        truncated(&r->in);
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *malformed = runtime_object("lakecodec.runtime.compact.wire", "Malformed");
    if (malformed != NULL && value != NULL && PyObject_TypeCheck(value, (PyTypeObject *)malformed)) {
        PyObject *key = PyObject_GetAttrString(value, "key"), *offset = PyObject_GetAttrString(value, "offset");
        Py_ssize_t at = offset == NULL ? -1 : PyNumber_AsSsize_t(offset, NULL);
        Rule rule = key == NULL ? RULE_NONE : rule_by_key(key);
        Py_XDECREF(key);
        Py_XDECREF(offset);
        if (rule != RULE_NONE && at >= 0 && at <= r->in.end - r->in.begin) fail(&r->in, rule, r->in.begin + at);
    }
    Py_XDECREF(malformed);
    PyErr_Clear();
    if (r->in.rule != RULE_NONE) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        return;
    }
    PyErr_Restore(type, value, traceback);
}

const uint8_t *read_custom(Reader *r, const uint8_t *p, const Codec *codec, PyObject **out) {
    /* It cannot go on where it stood: it gets bytes that are all there. */
    if (r->pauses && pass_value(r, p, WIRE_STRUCT, r->in.max_depth) == NULL) return NULL;
    PyObject *view = whole_view(r);
    const uint8_t *first = view == NULL ? NULL : PyMemoryView_GET_BUFFER(view)->buf;
    PyObject *pair = view == NULL ? NULL : PyObject_CallMethod(codec->custom, "read", "On", view, p - first);
    if (pair == NULL) {
        translate_custom_error(r);
        r->in.lacking = 0;
        return NULL;
    }
    PyObject *value;
    Py_ssize_t end;
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "On", &value, &end)) {
        PyErr_Format(PyExc_TypeError, "%U.__custom__.read must return (value, end)", codec->name);
        Py_DECREF(pair);
        return NULL;
    }
    if (end < p - first || end > r->in.end - first) {
        PyErr_Format(PyExc_ValueError, "%U.__custom__.read returned the position %zd, outside the data", codec->name, end);
        Py_DECREF(pair);
        return NULL;
    }
    *out = Py_NewRef(value);
    Py_DECREF(pair);
    return first + end;
}
