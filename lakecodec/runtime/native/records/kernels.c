/* Functions of lakecodec's own that expressions call on numbers and bytes: what these do not decide, Python does. */
#include "record.h"

enum { MOST_DIGITS = 64, LEAST_BASE = 2, MOST_BASE = 36, MOST_NUMBER_BYTES = 1024 };

/* The bytes of a `bytes`, or of a text of ASCII alone: 1, or 0. */
static int plain_bytes(const Value *value, const uint8_t **start, int64_t *size) {
    PyObject *object = value->object;
    if (object == NULL) {
        *start = (const uint8_t *)value->bytes;
        *size = value->number;
        return value->bytes != NULL;
    }
    if (PyBytes_CheckExact(object)) {
        *start = (const uint8_t *)PyBytes_AS_STRING(object);
        *size = PyBytes_GET_SIZE(object);
        return 1;
    }
    if (!PyUnicode_CheckExact(object) || !PyUnicode_IS_ASCII(object)) return 0;
    *start = PyUnicode_DATA(object);
    *size = PyUnicode_GET_LENGTH(object);
    return 1;
}

static int made(Value *out, PyObject *object) { return give_made(out, object) ? -1 : 1; }
static int made_number(Value *out, uint64_t number) { return give_object(out, PyLong_FromUnsignedLongLong(number)) ? -1 : 1; }

/* digits_of(number, base, count) */
static int digits_of(const Value *values, Value *out) {
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const int64_t base = values[1].number, count = values[2].number;
    int64_t left = values[0].number;
    if (!values[0].is_number || !values[1].is_number || !values[2].is_number || left < 0 || base < LEAST_BASE || base > MOST_BASE ||
        count < 0 || count > MOST_DIGITS) {
        return 0;
    }
    char text[MOST_DIGITS];
    int64_t at = MOST_DIGITS;
    do {
        text[--at] = digits[left % base];
        left /= base;
    } while (count ? at > MOST_DIGITS - count : left);
    return left ? 0 : made(out, PyUnicode_FromStringAndSize(text + at, (Py_ssize_t)(MOST_DIGITS - at)));
}

static int digit_of(uint8_t byte) {
    const int letter = byte | 32;
    return byte >= '0' && byte <= '9' ? byte - '0' : letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : MOST_BASE;
}

/* number_of(digits, base), padded_number(digits, base) */
static int number_of(const Value *values, int is_padded, Value *out) {
    const uint8_t *at;
    int64_t size, number = 0;
    const int64_t base = values[1].number;
    if (!values[1].is_number || base < LEAST_BASE || base > MOST_BASE || !plain_bytes(&values[0], &at, &size) || size > MOST_DIGITS) return 0;
    const uint8_t *end = at + size;
    while (is_padded && at < end && (*at == ' ' || *at == 0)) at++;
    while (is_padded && at < end && (end[-1] == ' ' || end[-1] == 0)) end--;
    if (!is_padded && at == end) return 0;
    for (; at < end; at++) {
        const int64_t digit = digit_of(*at);
        if (digit >= base || __builtin_mul_overflow(number, base, &number) || __builtin_add_overflow(number, digit, &number)) return 0;
    }
    *out = value_of_number(number);
    return 1;
}

static uint64_t word_at(const uint8_t *p, int bytes, int is_big) {
    uint64_t word = 0;
    for (int i = 0; i < bytes; i++) word = word << 8 | p[is_big ? i : bytes - 1 - i];
    return word;
}

/* bits_of(bytes, width, whether the highest bits come first), for words of whole bytes */
static int bits_of(const Value *values, Value *out) {
    const uint8_t *at;
    int64_t size;
    const int64_t width = values[1].number;
    if (!values[1].is_number || !values[2].is_number || width < 8 || width > 64 || width % 8 || !plain_bytes(&values[0], &at, &size))
        return 0;
    const int bytes = (int)width / 8;
    PyObject *words = PyList_New((Py_ssize_t)(size / bytes));
    for (Py_ssize_t i = 0; words != NULL && i < PyList_GET_SIZE(words); i++) {
        PyObject *word = PyLong_FromUnsignedLongLong(word_at(at + i * bytes, bytes, values[2].number != 0));
        if (word == NULL) {
            Py_CLEAR(words);
            break;
        }
        PyList_SET_ITEM(words, i, word);
    }
    return made(out, words);
}

/* crossed_sums(bytes, width, whether the highest byte comes first, sums before), for words of 8, 16 and 32 bits */
static int crossed_sums(const Value *values, int count, Value *out) {
    const uint8_t *at;
    int64_t size;
    const int64_t width = values[1].number;
    if (!values[1].is_number || !values[2].is_number || (width != 8 && width != 16 && width != 32) || !plain_bytes(&values[0], &at, &size))
        return 0;
    const int bytes = (int)width / 8, is_big = values[2].number != 0;
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    uint64_t before = 0;
    if (count > 3) {
        const Value *given = &values[3];
        before = given->is_number ? (uint64_t)given->number : given->object == NULL ? 0 : PyLong_AsUnsignedLongLongMask(given->object);
        if ((!given->is_number && (given->object == NULL || !PyLong_CheckExact(given->object))) || PyErr_Occurred() ||
            (given->is_number && given->number < 0) || (width < 32 && before >> 2 * width)) {
            PyErr_Clear();
            return 0;
        }
    }
    if (size % (2 * bytes)) return 0;
    uint64_t first = before >> width & mask, second = before & mask;
    for (const uint8_t *end = at + size; at < end; at += 2 * bytes) {
        first = (first + word_at(at, bytes, is_big) + second) & mask;
        second = (second + word_at(at + bytes, bytes, is_big) + first) & mask;
    }
    return made_number(out, first << width | second);
}

/* position(bytes, byte) */
static int position(const Value *values, Value *out) {
    const uint8_t *start;
    int64_t size;
    const int64_t byte = values[1].number;
    if (!values[1].is_number || byte < 0 || byte > UINT8_MAX || (values[0].object != NULL && !PyBytes_CheckExact(values[0].object)) ||
        !plain_bytes(&values[0], &start, &size)) {
        return 0;
    }
    const uint8_t *found = memchr(start, (int)byte, (size_t)size);
    if (found == NULL) return 0;
    *out = value_of_number(found - start);
    return 1;
}

/* big_bytes(number, size), little_bytes(number, size) */
static int bytes_of(const Value *values, int is_big, Value *out) {
    const int64_t number = values[0].number, size = values[1].number;
    if (!values[0].is_number || !values[1].is_number || size < 0 || size > MOST_NUMBER_BYTES) return 0;
    const int bits = (int)size * 8;
    if (size < 8 && (number < 0 ? bits == 0 || number >> (bits - 1) != -1 : number >> bits != 0)) return 0;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes == NULL) return -1;
    memset(PyBytes_AS_STRING(bytes), number < 0 ? UINT8_MAX : 0, (size_t)size);
    for (int64_t i = 0; i < size && i < 8; i++) PyBytes_AS_STRING(bytes)[is_big ? size - 1 - i : i] = (char)(number >> 8 * i);
    return made(out, bytes);
}

/* big_number(bytes), little_number(bytes) */
static int number_in(const Value *values, int is_big, Value *out) {
    const uint8_t *at;
    int64_t size;
    if (values[0].object == NULL || !PyBytes_CheckExact(values[0].object) || !plain_bytes(&values[0], &at, &size) || size > 8) return 0;
    return made_number(out, word_at(at, (int)size, is_big));
}

int run_kernel(const Node *node, const Value *values, Value *out) {
    switch (node->op) {
    case OP_DIGITS_OF: return node->count == 3 ? digits_of(values, out) : 0;
    case OP_NUMBER_OF:
    case OP_PADDED_NUMBER: return node->count == 2 ? number_of(values, node->op == OP_PADDED_NUMBER, out) : 0;
    case OP_BITS_OF: return node->count == 3 ? bits_of(values, out) : 0;
    case OP_CROSSED_SUMS: return node->count == 3 || node->count == 4 ? crossed_sums(values, node->count, out) : 0;
    case OP_POSITION: return node->count == 2 ? position(values, out) : 0;
    case OP_BIG_BYTES:
    case OP_LITTLE_BYTES: return node->count == 2 ? bytes_of(values, node->op == OP_BIG_BYTES, out) : 0;
    case OP_BIG_NUMBER:
    case OP_LITTLE_NUMBER: return node->count == 1 ? number_in(values, node->op == OP_BIG_NUMBER, out) : 0;
    }
    return 0;
}
