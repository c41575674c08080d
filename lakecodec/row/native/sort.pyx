# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Stable sort of row keys: compiled twin of ``lakecodec.row.order.pure_sort``."""

from libc.stdint cimport UINT32_MAX, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np


cdef extern from "order.h" nogil:
    void row_argsort(const uint8_t *data, const int64_t *offsets, int64_t n, uint64_t *keys, uint64_t *spare,
                     uint64_t *out)


cdef extern from "common/pool.h":
    int pool_share() except -1

pool_share()


cdef extern from "common/pool.h" nogil:
    void *pool_take(int64_t *size)
    void pool_give(void *start, int64_t size)


def argsort(const uint8_t[::1] data not None, const int64_t[::1] offsets not None):
    """Row numbers in the order of the rows' bytes, equal rows in their own order.

    Args:
        data, offsets: row i is ``data[offsets[i]:offsets[i + 1]]``.
    """
    cdef int64_t n = offsets.shape[0] - 1, i, bad = 0, room
    cdef const int64_t *places
    cdef uint64_t[::1] target
    cdef uint64_t *keys
    if n < 0:
        raise ValueError("offsets: one more than there are rows is needed")
    order = np.empty(n, np.uint64)
    if n == 0:
        return order
    target = order
    places = &offsets[0]
    for i in range(n):
        bad |= places[i] | (places[i + 1] - places[i])
    if bad < 0 or offsets[n] > data.shape[0]:
        raise ValueError("offsets: a row lies outside the data")
    if n > UINT32_MAX:
        raise ValueError("offsets: more rows than 2**32 - 1 are not sorted at once")
    room = 2 * n * <int64_t>sizeof(uint64_t)
    keys = <uint64_t *>pool_take(&room)
    if keys is NULL:
        raise MemoryError
    with nogil:
        row_argsort(&data[0] if data.shape[0] else NULL, &offsets[0], n, keys, keys + n, &target[0])
        pool_give(keys, room)
    return order


ctypedef fused Number:
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t


cdef enum:
    #: Numbers that are counted have at most so many values.
    VALUES = 4096
    #: Stretches of the numbers that are counted side by side: one number does not wait for the one before.
    PARTS = 4


cdef void place(
    const Number *numbers, int64_t n, uint64_t low, uint64_t values, bint descending, uint16_t *kept, uint64_t *out
) noexcept nogil:
    """Another thread may change the numbers meanwhile: they are read once, and what was read is counted and placed unless it is
    none of the values."""
    cdef uint32_t places[PARTS][VALUES]
    cdef int64_t part = n // PARTS, i, k, value
    cdef uint16_t first = <uint16_t>low
    cdef uint32_t total = 0, count
    for k in range(PARTS):
        memset(places[k], 0, values * sizeof(uint32_t))
    for i in range(n):
        kept[i] = <uint16_t>(<uint16_t>numbers[i] - first) & (VALUES - 1)
    for i in range(part):
        for k in range(PARTS):
            places[k][kept[k * part + i]] += 1
    for i in range(PARTS * part, n):
        places[PARTS - 1][kept[i]] += 1
    for i in range(<int64_t>values):
        value = <int64_t>values - 1 - i if descending else i
        for k in range(PARTS):
            count = places[k][value]
            places[k][value] = total
            total += count
    if total != n:
        for i in range(n):
            out[i] = i
        return
    for i in range(part):
        for k in range(PARTS):
            value = kept[k * part + i]
            out[places[k][value]] = k * part + i
            places[k][value] += 1
    for i in range(PARTS * part, n):
        value = kept[i]
        out[places[PARTS - 1][value]] = i
        places[PARTS - 1][value] += 1


def argsort_few(const Number[::1] numbers not None, Number low, Number high, bint descending):
    """Row numbers in the order of whole numbers from ``low`` to ``high``, equal ones in their own order.

    Raises:
        ValueError: there are none, more than 2**32 - 1, or more than 4,096 values.
    """
    cdef int64_t n = numbers.shape[0], room = n * <int64_t>sizeof(uint16_t)
    cdef uint16_t *kept
    cdef uint64_t spread = <uint64_t>high - <uint64_t>low
    cdef uint64_t[::1] target
    if n == 0 or n > UINT32_MAX or low > high or spread >= VALUES:
        raise ValueError("numbers: 1 to 2**32 - 1 of at most 4,096 values are needed")
    target = order = np.empty(n, np.uint64)
    kept = <uint16_t *>pool_take(&room)
    if kept is NULL:
        raise MemoryError
    with nogil:
        place(&numbers[0], n, <uint64_t>low, spread + 1, descending, kept, &target[0])
        pool_give(kept, room)
    return order
