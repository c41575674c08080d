/* Numbers as bytes. */
#include "output.h"

/* Appends the lowest bytes of a number. */
static int put_number(Output *out, uint64_t number, int size, int big) {
    uint8_t *p = output_take(out, sizeof number);
    if (p == NULL) return -1;
    if (big) number <<= 64 - 8 * size;
    if (!big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)) number = __builtin_bswap64(number);
    memcpy(p, &number, sizeof number);
    out->size -= (int64_t)sizeof number - size;
    return 0;
}

/* Appends the bytes of what is not a number, as `nan_of` read it. */
static int put_nan(Output *out, uint64_t bits, int size, int big) {
    const int fraction = size == 2 ? 10 : 23, width = 8 * size;
    uint64_t kept = bits >> (52 - fraction) & ((UINT64_C(1) << fraction) - 1);
    if (kept == 0) kept = UINT64_C(1) << (fraction - 1);
    kept |= bits >> 63 << (width - 1) | ((UINT64_C(1) << (width - 1 - fraction)) - 1) << fraction;
    return put_number(out, kept, size, big);
}

/* Whether a float of that size holds an integer as it is. */
static int is_held(int size, const Value *value, double number) {
    const int bits = size == 8 ? 53 : size == 4 ? 24 : 11;
    if (value->is_number) {
        const uint64_t whole = value->number < 0 ? 0 - (uint64_t)value->number : (uint64_t)value->number;
        return whole >> bits == 0 || 64 - __builtin_clzll(whole) - __builtin_ctzll(whole) <= bits;
    }
    PyObject *stored = PyFloat_FromDouble(size == 4 ? (double)(float)number : number);
    const int is_same = stored == NULL ? 0 : PyObject_RichCompareBool(value->object, stored, Py_EQ);
    Py_XDECREF(stored);
    return is_same == 1;
}

static int write_float(int size, int big, Output *out, const Value *value) {
    const int is_integer = value->is_number || (value->object != NULL && PyLong_Check(value->object));
    if (!is_integer && (value->object == NULL || !PyFloat_Check(value->object))) return -1;
    const double number = value->is_number ? (double)value->number : PyFloat_AsDouble(value->object);
    if (number == -1.0 && PyErr_Occurred()) return -1;
    if (is_integer && !is_held(size, value, number)) return -1;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (size == 8) return put_number(out, bits, size, big);
    if (UNLIKELY(number != number)) return put_nan(out, bits, size, big);
    char *p = (char *)output_take(out, size);
    if (p == NULL) return -1;
    return size == 2 ? PyFloat_Pack2(number, p, !big) : PyFloat_Pack4(number, p, !big);
}

/* The bits of a whole number of up to 64: as unsigned where it is not negative. */
static int whole_number(const Value *value, int *is_negative, uint64_t *bits) {
    if (LIKELY(value->is_number)) {
        *is_negative = value->number < 0;
        *bits = (uint64_t)value->number;
        return 0;
    }
    if (value->object == NULL || PyFloat_Check(value->object)) return -1;
    PyObject *number = PyNumber_Index(value->object);
    if (number == NULL) return -1;
    int overflow;
    const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    *is_negative = overflow < 0 || (!overflow && small < 0);
    *bits = overflow > 0 ? PyLong_AsUnsignedLongLong(number) : (uint64_t)small;
    Py_DECREF(number);
    return overflow < 0 || PyErr_Occurred() ? -1 : 0;
}

static int write_fixed(int kind, int big, Output *out, const Value *value) {
    const int size = fixed_kinds[kind].size, bits = 8 * size;
    uint64_t number;
    int is_negative;
    if (fixed_kinds[kind].is_float) return write_float(size, big, out, value);
    if (whole_number(value, &is_negative, &number)) return -1;
    if (fixed_kinds[kind].is_signed) {
        const int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
        if (is_negative ? (int64_t)number < -most - 1 : number > (uint64_t)most) return -1;
    } else if (is_negative || (bits < 64 && number >> bits)) {
        return -1;
    }
    return put_number(out, number, size, big);
}

static int write_vlq(int kind, Output *out, const Value *value) {
    uint64_t number;
    int is_negative;
    if ((value->object != NULL && PyBool_Check(value->object)) || whole_number(value, &is_negative, &number)) return -1;
    const int bits = varint_kinds[kind].bits;
    if (varint_kinds[kind].is_signed ? !is_negative && number > INT64_MAX : is_negative || (bits < 64 && number >> bits)) return -1;
    const int is_whole_ninth = varint_kinds[kind].form == VLQ9 && number >> 56;
    int count = 1;
    for (uint64_t left = number >> (is_whole_ninth ? 8 : 7); is_whole_ninth ? count < 9 : left; left >>= 7) count++;
    uint8_t *p = output_take(out, count);
    if (p == NULL) return -1;
    if (is_whole_ninth) {
        p[--count] = (uint8_t)number;
        for (number >>= 8; count > 0; number >>= 7) p[--count] = (uint8_t)(number | 128);
        return 0;
    }
    p[--count] = number & 127;
    while (count > 0) {
        number >>= 7;
        p[--count] = (uint8_t)(number | 128);
    }
    return 0;
}

static int write_varint(int kind, Output *out, const Value *value) {
    uint64_t number;
    int is_negative;
    if ((value->object != NULL && PyBool_Check(value->object)) || whole_number(value, &is_negative, &number)) return -1;
    if (varint_kinds[kind].form == ZIGZAG) {
        if (!is_negative && number > INT64_MAX) return -1;
        number = number << 1 ^ (is_negative ? UINT64_MAX : 0);
    } else if (is_negative) {
        return -1;
    }
    const int bits = varint_kinds[kind].bits;
    uint8_t *p = output_take(out, 10);
    if (p == NULL || (bits < 64 && number >> bits)) return -1;
    int count = 0;
    for (; number > 127; number >>= 7) p[count++] = (uint8_t)(number | 128);
    p[count++] = (uint8_t)number;
    out->size -= 10 - count;
    return 0;
}

static int write_signed_varint(int kind, Output *out, const Value *value) {
    uint64_t bits;
    int is_negative;
    if ((value->object != NULL && PyBool_Check(value->object)) || whole_number(value, &is_negative, &bits)) return -1;
    int64_t number = (int64_t)bits;
    if (number < 0 && !is_negative) return -1;
    const int64_t beyond = number >> (varint_kinds[kind].bits - 1);
    uint8_t *p = beyond == 0 || beyond == -1 ? output_take(out, 10) : NULL;
    if (p == NULL) return -1;
    int count = 0;
    for (; number < -64 || number >= 64; number >>= 7) p[count++] = (uint8_t)(number | 128);
    p[count++] = number & 127;
    out->size -= 10 - count;
    return 0;
}

int write_scalar(int kind, int big, Output *out, const Value *value) {
    if (kind <= KIND_OF_F64) return write_fixed(kind, big, out, value);
    if (kind < KIND_OF_BOOL8) {
        switch (varint_kinds[kind].form) {
        case LEB128:
        case ZIGZAG: return write_varint(kind, out, value);
        case SIGNED_LEB128: return write_signed_varint(kind, out, value);
        default: return write_vlq(kind, out, value);
        }
    }
    if (value->object != Py_True && value->object != Py_False) return -1;
    const uint8_t byte = value->object == Py_True;
    return output_append(out, &byte, 1);
}
