/* Numbers and text. */
#include "record.h"
#include "number_kinds.h"

#include "columns/bits.h"

static int
read_float(const uint8_t *p, int size, int big, Value *out)
{
    double number = size == 2   ? PyFloat_Unpack2((const char *)p, !big)
                    : size == 4 ? PyFloat_Unpack4((const char *)p, !big)
                                : PyFloat_Unpack8((const char *)p, !big);
    PyObject *made = number == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(number);
    *out = (Value){.object = made, .owned = 1};
    return made == NULL ? -1 : 0;
}

static int
number_of_bits(uint64_t bits, Value *out)
{
    if (bits > INT64_MAX) {
        PyObject *made = PyLong_FromUnsignedLongLong(bits);
        *out = (Value){.object = made, .owned = 1};
        return made == NULL ? -1 : 0;
    }
    *out = value_of_number((int64_t)bits);
    return 0;
}

static int
read_fixed(int kind, int big, const Span *span, int64_t *pos, Value *out)
{
    const int size = fixed[kind].size;
    if (size > span->end - *pos) {
        return -1;
    }
    const uint8_t *p = span->start + *pos;
    *pos += size;
    if (fixed[kind].is_float) {
        return read_float(p, size, big, out);
    }
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) {
        bits |= (uint64_t)p[big ? size - 1 - i : i] << (8 * i);
    }
    if (!fixed[kind].is_signed) {
        return number_of_bits(bits, out);
    }
    const int unused = 64 - 8 * size;
    *out = value_of_number((int64_t)(bits << unused) >> unused);
    return 0;
}

/* Groups of seven bits, the highest first; those of SQLite have a ninth byte of eight bits. */
static int
read_vlq(int kind, const Span *span, int64_t *pos, Value *out)
{
    const int bits = varint_bits[kind], has_whole_ninth = kind >= KIND_OF_VLQ9;
    const uint8_t *p = span->start + *pos, *end = span->start + span->end;
    uint64_t number = 0;
    for (int count = 1;; count++) {
        if (p >= end || count > (bits + 6) / 7 || (!has_whole_ninth && number >> 57)) {
            return -1;
        }
        const uint8_t byte = *p++;
        if (has_whole_ninth && count == 9) {
            number = number << 8 | byte;
            break;
        }
        number = number << 7 | (byte & 127);
        if (byte < 128) {
            break;
        }
    }
    if (bits < 64 && number >> bits) {
        return -1;
    }
    *pos = p - span->start;
    if (kind == KIND_OF_IVLQ9) {
        *out = value_of_number((int64_t)number);
        return 0;
    }
    return number_of_bits(number, out);
}

static int
read_varint(int kind, const Span *span, int64_t *pos, Value *out)
{
    const int bits = varint_bits[kind];
    const uint8_t *p = span->start + *pos, *end = span->start + span->end;
    uint64_t number = 0;
    int shift = 0;
    for (;; shift += 7) {
        /* A byte more than the bits need is refused before it is read. */
        if (shift >= bits || p >= end) {
            return -1;
        }
        const uint8_t byte = *p++;
        if (shift == 63 && byte > 1) {
            return -1;
        }
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            break;
        }
    }
    if (bits < 64 && number >> bits) {
        return -1;
    }
    *pos = p - span->start;
    if (kind >= KIND_OF_SVARINT16) {
        *out = value_of_number((int64_t)(number >> 1) ^ -(int64_t)(number & 1));
        return 0;
    }
    return number_of_bits(number, out);
}

int
read_scalar(int kind, int big, const Span *span, int64_t *pos, Value *out)
{
    if (kind <= KIND_OF_F64) {
        return read_fixed(kind, big, span, pos, out);
    }
    if (kind < KIND_OF_UVARINT16) {
        return read_vlq(kind, span, pos, out);
    }
    if (kind < KIND_OF_BOOL8) {
        return read_varint(kind, span, pos, out);
    }
    if (*pos >= span->end || span->start[*pos] > 1) {
        return -1;
    }
    const int truth = span->start[(*pos)++];
    *out = (Value){.object = truth ? Py_True : Py_False, .number = truth, .is_number = 1};
    return 0;
}

/* `size` bytes at a position, which have been found to be there. */
int
read_text(int kind, const Span *span, int64_t pos, int64_t size, Value *out)
{
    const char *start = (const char *)span->start + pos;
    PyObject *made = kind == KIND_OF_UTF8 ? PyUnicode_DecodeUTF8(start, (Py_ssize_t)size, NULL)
                                          : PyBytes_FromStringAndSize(start, (Py_ssize_t)size);
    *out = (Value){.object = made, .owned = 1};
    return made == NULL ? -1 : 0;
}

int
as_text(PyObject *data, Value *out)
{
    PyObject *made;
    if (PyBytes_CheckExact(data)) {
        made = PyUnicode_DecodeUTF8(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), NULL);
    }
    else {
        Py_buffer view;
        if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)) {
            return -1;
        }
        made = PyUnicode_DecodeUTF8(view.buf, view.len, NULL);
        PyBuffer_Release(&view);
    }
    *out = (Value){.object = made, .owned = 1};
    return made == NULL ? -1 : 0;
}
