# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Stable sort of row keys: compiled twin of ``lakecodec.row.order.pure_sort``."""

from libc.stdint cimport UINT32_MAX, int64_t, uint8_t, uint64_t

import numpy as np


cdef extern from "sort.h" nogil:
    void row_argsort(const uint8_t *data, const int64_t *offsets, int64_t n, uint64_t *keys, uint64_t *spare,
                     uint64_t *out)


def argsort(const uint8_t[::1] data not None, const int64_t[::1] offsets not None):
    """Row numbers in the order of the rows' bytes, equal rows in their own order.

    Args:
        data, offsets: row i is ``data[offsets[i]:offsets[i + 1]]``.
    """
    cdef int64_t n = offsets.shape[0] - 1, i, bad = 0
    cdef uint64_t[::1] target, keys, spare
    if n < 0:
        raise ValueError("offsets: one more than there are rows is needed")
    order = np.empty(n, np.uint64)
    if n == 0:
        return order
    target = order
    for i in range(n):
        bad |= offsets[i] | (offsets[i + 1] - offsets[i])
    if bad < 0 or offsets[n] > data.shape[0]:
        raise ValueError("offsets: a row lies outside the data")
    if n > UINT32_MAX:
        raise ValueError("offsets: more rows than 2**32 - 1 are not sorted at once")
    keys, spare = np.empty(n, np.uint64), np.empty(n, np.uint64)
    with nogil:
        row_argsort(&data[0] if data.shape[0] else NULL, &offsets[0], n, &keys[0], &spare[0], &target[0])
    return order
