/* Cyclic redundancy checks. */
#include "record.h"

enum { BYTE_VALUES = 256 };

/* crc(bytes, width, the check of each byte as 256 numbers of 64 bits, the register's first value, whether the lowest bit comes first): the
 * register's last value. */
PyObject *crc_register(PyObject *module, PyObject *arguments) {
    Py_buffer data, table;
    int width, is_reflected;
    unsigned long long value;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y*iy*Kp", &data, &width, &table, &value, &is_reflected)) return NULL;
    const uint8_t *at = data.buf, *end = at + data.len;
    const uint64_t *checks = table.buf;
    const int is_known = table.len == BYTE_VALUES * (Py_ssize_t)sizeof *checks && width >= 8 && width <= 64;
    uint64_t found = value;
    if (is_known && is_reflected)
        while (at < end) found = found >> 8 ^ checks[(found ^ *at++) & UINT8_MAX];
    else if (is_known)
        while (at < end) found = found << 8 ^ checks[(found >> (width - 8) ^ *at++) & UINT8_MAX];
    if (is_known && width < 64) found &= (UINT64_C(1) << width) - 1;
    PyBuffer_Release(&data);
    PyBuffer_Release(&table);
    if (!is_known) return PyErr_Format(PyExc_ValueError, "crc: not a table of %d numbers, or not a width", BYTE_VALUES);
    return PyLong_FromUnsignedLongLong(found);
}
