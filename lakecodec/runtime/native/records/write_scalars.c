/* Numbers as bytes. */
#include "output.h"

/* The same as scalars.c reads. */
static const struct { uint8_t size, is_signed, is_float; } fixed[] = {
    [KIND_OF_U8] = {1, 0, 0}, [KIND_OF_I8] = {1, 1, 0}, [KIND_OF_U16] = {2, 0, 0}, [KIND_OF_I16] = {2, 1, 0},
    [KIND_OF_U24] = {3, 0, 0}, [KIND_OF_I24] = {3, 1, 0}, [KIND_OF_U32] = {4, 0, 0}, [KIND_OF_I32] = {4, 1, 0},
    [KIND_OF_U64] = {8, 0, 0}, [KIND_OF_I64] = {8, 1, 0}, [KIND_OF_F16] = {2, 0, 1}, [KIND_OF_F32] = {4, 0, 1},
    [KIND_OF_F64] = {8, 0, 1},
};

static const uint8_t varint_bits[] = {
    [KIND_OF_UVARINT16] = 16, [KIND_OF_UVARINT32] = 32, [KIND_OF_UVARINT64] = 64,
    [KIND_OF_SVARINT16] = 16, [KIND_OF_SVARINT32] = 32, [KIND_OF_SVARINT64] = 64,
};

static int
write_float(int size, int big, Output *out, const Value *value)
{
    if (value->object == NULL && !value->is_number) {
        return -1;
    }
    const double number = value->object == NULL ? (double)value->number : PyFloat_AsDouble(value->object);
    if (number == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    char *p = (char *)output_take(out, size);
    if (p == NULL) {
        return -1;
    }
    return size == 2   ? PyFloat_Pack2(number, p, !big)
           : size == 4 ? PyFloat_Pack4(number, p, !big)
                       : PyFloat_Pack8(number, p, !big);
}

/* The bits of a whole number of up to 64: as unsigned where it is not negative. */
static int
whole_number(const Value *value, int *is_negative, uint64_t *bits)
{
    if (LIKELY(value->is_number)) {
        *is_negative = value->number < 0;
        *bits = (uint64_t)value->number;
        return 0;
    }
    if (value->object == NULL || PyFloat_Check(value->object)) {
        return -1;
    }
    PyObject *number = PyNumber_Index(value->object);
    if (number == NULL) {
        return -1;
    }
    int overflow;
    const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    *is_negative = overflow < 0 || (!overflow && small < 0);
    *bits = overflow > 0 ? PyLong_AsUnsignedLongLong(number) : (uint64_t)small;
    Py_DECREF(number);
    return overflow < 0 || PyErr_Occurred() ? -1 : 0;
}

static int
write_fixed(int kind, int big, Output *out, const Value *value)
{
    const int size = fixed[kind].size, bits = 8 * size;
    uint64_t number;
    int is_negative;
    if (fixed[kind].is_float) {
        return write_float(size, big, out, value);
    }
    /* Of three bytes as `int.to_bytes` writes them, which other kinds of numbers have not. */
    if ((size == 3 && value->object != NULL && !PyLong_Check(value->object)) ||
        whole_number(value, &is_negative, &number)) {
        return -1;
    }
    if (fixed[kind].is_signed) {
        const int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
        if (is_negative ? (int64_t)number < -most - 1 : number > (uint64_t)most) {
            return -1;
        }
    }
    else if (is_negative || (bits < 64 && number >> bits)) {
        return -1;
    }
    uint8_t *p = output_take(out, size);
    if (p == NULL) {
        return -1;
    }
    for (int i = 0; i < size; i++) {
        p[big ? size - 1 - i : i] = (uint8_t)(number >> (8 * i));
    }
    return 0;
}

static int
write_varint(int kind, Output *out, const Value *value)
{
    uint64_t number;
    int is_negative;
    if ((value->object != NULL && PyBool_Check(value->object)) || whole_number(value, &is_negative, &number)) {
        return -1;
    }
    if (kind >= KIND_OF_SVARINT16) {
        if (!is_negative && number > INT64_MAX) {
            return -1;
        }
        number = number << 1 ^ (is_negative ? UINT64_MAX : 0);
    }
    else if (is_negative) {
        return -1;
    }
    const int bits = varint_bits[kind];
    uint8_t *p = output_take(out, 10);
    if (p == NULL || (bits < 64 && number >> bits)) {
        return -1;
    }
    int count = 0;
    for (; number > 127; number >>= 7) {
        p[count++] = (uint8_t)(number | 128);
    }
    p[count++] = (uint8_t)number;
    out->size -= 10 - count;
    return 0;
}

int
write_scalar(int kind, int big, Output *out, const Value *value)
{
    if (kind <= KIND_OF_F64) {
        return write_fixed(kind, big, out, value);
    }
    if (kind < KIND_OF_BOOL8) {
        return write_varint(kind, out, value);
    }
    if (value->object != Py_True && value->object != Py_False) {
        return -1;
    }
    const uint8_t byte = value->object == Py_True;
    return output_append(out, &byte, 1);
}
