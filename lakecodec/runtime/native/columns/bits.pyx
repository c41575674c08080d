# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Packed numbers: compiled twin of ``lakecodec.runtime.columns.pure_bits``."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

import numpy as np


cdef extern from "numbers.h" nogil:
    void columns_unpack_as(const uint8_t *data, int64_t nbytes, int64_t count, int width, int out_width, void *out)
    int64_t columns_ones(const uint8_t *data, int64_t count)
    uint64_t columns_total(const uint8_t *data, int64_t nbytes, int64_t count, int width)
    uint32_t columns_maximum(const uint8_t *data, int64_t nbytes, int64_t count, int width)
    void columns_pack(const uint32_t *values, int64_t count, int width, uint8_t *out)


# Numbers whose bits can be counted.
cdef int64_t MOST = <int64_t>1 << 57


cdef struct Span:
    const uint8_t *start
    int64_t nbytes


cdef Span span(const uint8_t[::1] data, int64_t start, int64_t count, int width) except *:
    cdef Span found
    if not 0 <= width <= 32 or not 0 <= count <= MOST:
        raise ValueError(f"count, width: {count} numbers of {width} bits are not possible")
    found.nbytes = (count * width + 7) >> 3
    if not 0 <= start <= data.shape[0] - found.nbytes:
        raise ValueError("data: the numbers lie outside")
    found.start = &data[start] if found.nbytes else NULL
    return found


def unpack(const uint8_t[::1] data not None, int64_t start, int64_t count, int width):
    """Numbers in the smallest of uint8, uint16 and uint32 that holds them."""
    cdef Span s = span(data, start, count, width)
    cdef int out_width = 1 if width <= 8 else 2 if width <= 16 else 4
    cdef uint8_t[::1] out
    array = np.empty(count * out_width, np.uint8)
    if count:
        out = array
        columns_unpack_as(s.start, s.nbytes, count, width, out_width, &out[0])
    return array.view(np.uint8 if out_width == 1 else np.uint16 if out_width == 2 else np.uint32)


def pack(const uint32_t[::1] numbers not None, int width):
    """Numbers that fit ``width`` bits, packed; the bits after the last one are 0."""
    if not 0 <= width <= 32:
        raise ValueError(f"width: numbers of {width} bits are not possible")
    cdef bytes packed = bytes((numbers.shape[0] * width + 7) >> 3)
    cdef char *out = packed
    if len(packed):
        columns_pack(&numbers[0], numbers.shape[0], width, <uint8_t *>out)
    return packed


def total(const uint8_t[::1] data not None, int64_t start, int64_t count, int width):
    cdef Span s = span(data, start, count, width)
    return columns_ones(s.start, count) if width == 1 else columns_total(s.start, s.nbytes, count, width)


def largest(const uint8_t[::1] data not None, int64_t start, int64_t count, int width):
    """The largest number, 0 where there are none."""
    cdef Span s = span(data, start, count, width)
    return columns_maximum(s.start, s.nbytes, count, width)
