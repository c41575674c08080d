/* Numbers and text. */
#include "record.h"

#include "columns/bits.h"

/* A float of two or four bytes that is not a number, with all of its bits: a conversion would make a quiet one of it. */
static double nan_of(const uint8_t *p, int size, int big) {
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) bits = bits << 8 | p[big ? i : size - 1 - i];
    const int fraction = size == 2 ? 10 : 23;
    bits = bits >> (8 * size - 1) << 63 | UINT64_C(0x7FF) << 52 | (bits & ((UINT64_C(1) << fraction) - 1)) << (52 - fraction);
    double made;
    memcpy(&made, &bits, sizeof made);
    return made;
}

static int read_float(const uint8_t *p, int size, int big, Value *out) {
    double number = size == 2   ? PyFloat_Unpack2((const char *)p, !big)
                    : size == 4 ? PyFloat_Unpack4((const char *)p, !big)
                                : PyFloat_Unpack8((const char *)p, !big);
    if (UNLIKELY(number != number) && size < 8) number = nan_of(p, size, big);
    PyObject *made = number == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(number);
    return give_made(out, made);
}

static int number_of_bits(int kind, uint64_t bits, Value *out) {
    if (bits > INT64_MAX && is_unsigned(kind)) {
        PyObject *made = PyLong_FromUnsignedLongLong(bits);
        return give_made(out, made);
    }
    return give(out, value_of_number((int64_t)bits));
}

int read_scalar(int kind, int big, const Span *span, int64_t *pos, Value *out) {
    const uint8_t *start = span->start + *pos, *p = start;
    uint64_t bits;
    if (number_bits_here(kind, big, &p, span->start + span->end, &bits)) return run_out_of_number(span, *pos);
    *pos = p - span->start;
    if (kind <= KIND_OF_F64 && fixed_kinds[kind].is_float) return read_float(start, fixed_kinds[kind].size, big, out);
    if (kind == KIND_OF_BOOL8) return give(out, value_of_truth((int)bits));
    return number_of_bits(kind, bits, out);
}

PyObject *kept_number(Reader *reader, int64_t number) {
    if (reader->numbers == NULL) {
        if (reader->numbers_made++ >= NUMBERS_BEFORE) reader->numbers = PyMem_Calloc(NUMBERS, sizeof(KeptNumber));
        return PyLong_FromLongLong(number);
    }
    KeptNumber *kept = &reader->numbers[(uint64_t)number * 0x9E3779B97F4A7C15u >> (64 - NUMBER_BITS)];
    if (kept->object != NULL && kept->number == number) return Py_NewRef(kept->object);
    PyObject *made = PyLong_FromLongLong(number), *last = kept->object;
    if (made != NULL) {
        *kept = (KeptNumber){number, Py_NewRef(made)};
        Py_XDECREF(last);
    }
    return made;
}

void release_numbers(Reader *reader) {
    for (int i = 0; reader->numbers != NULL && i < NUMBERS; i++) Py_XDECREF(reader->numbers[i].object);
    PyMem_Free(reader->numbers);
}

/* Copies of fewer bytes cost no more than slices. */
enum { LEAST_BORROWED = 4096 };

/* `size` bytes at a position, which have been found to be there. */
int read_text(int kind, const Frame *frame, int64_t pos, int64_t size, Value *out) {
    const char *start = (const char *)frame->span->start + pos;
    PyObject *made = kind == KIND_OF_UTF8 ? PyUnicode_DecodeUTF8(start, (Py_ssize_t)size, NULL)
                     : size >= LEAST_BORROWED && frame->reader != NULL && frame->reader->borrows
                         ? span_slice(frame->span, pos, pos + size)
                         : PyBytes_FromStringAndSize(start, (Py_ssize_t)size);
    return give_made(out, made);
}

int evaluate_bytes(Node *node, Frame *frame, Value *out) {
    int64_t start, stop;
    Span *inner = frame->span, *span = frame->around != NULL ? frame->around->span : inner;
    if (evaluate_number(node->operands[0], frame, &start) || evaluate_number(node->operands[1], frame, &stop) || start < 0 ||
        stop < start || stop > span->end || span->start == NULL) {
        return -1;
    }
    frame->span = span;
    int failed = read_text(KIND_OF_BYTES, frame, start, stop - start, out);
    frame->span = inner;
    return failed;
}

int as_text(PyObject *data, Value *out) {
    PyObject *made;
    if (PyBytes_CheckExact(data)) {
        made = PyUnicode_DecodeUTF8(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), NULL);
    } else {
        Py_buffer view;
        if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)) return -1;
        made = PyUnicode_DecodeUTF8(view.buf, view.len, NULL);
        PyBuffer_Release(&view);
    }
    return give_made(out, made);
}
