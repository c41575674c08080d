# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""The least and the greatest of consecutive texts; see ``lakecodec.runtime.text_ends``."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy


cdef extern from *:
    """
    /* The first bytes of a text as a number that is ordered as they are, zeros behind a short one. */
    static inline uint64_t lakecodec_head(const unsigned char *text, int64_t size, int64_t room)
    {
        uint64_t head = 0;
        if (room >= 8) {
            memcpy(&head, text, 8);
            head = __builtin_bswap64(head);
            return size >= 8 ? head : size == 0 ? 0 : head & ~(UINT64_MAX >> (8 * size));
        }
        for (int64_t at = 0; at < size && at < 8; at++) head |= (uint64_t)text[at] << (56 - 8 * at);
        return head;
    }
    """
    uint64_t lakecodec_head(const uint8_t *text, int64_t size, int64_t room) nogil


cdef inline bint is_below(const uint8_t *text, int64_t size, const uint8_t *other, int64_t other_size) noexcept nogil:
    cdef int order = memcmp(text, other, size if size < other_size else other_size)
    return order < 0 or (order == 0 and size < other_size)


def ends(const uint8_t[::1] data not None, int64_t count):
    """Places and sizes of the least and the greatest of some texts, and the bytes of all.

    Raises:
        ValueError: data: it does not have this number of texts.
    """
    cdef int64_t all = data.shape[0], at = 0, i, total = 0, low = 0, high = 0, low_size = 0, high_size = 0
    cdef const uint8_t *begin = &data[0] if all else NULL
    cdef uint32_t size
    cdef uint64_t head, low_head = 0, high_head = 0
    if count < 1:
        raise ValueError("count: a text is needed")
    with nogil:
        for i in range(count):
            if all - at < 4:
                break
            memcpy(&size, begin + at, 4)
            at += 4
            if size > all - at:
                at = -1
                break
            head = lakecodec_head(begin + at, size, all - at)
            if i == 0 or head < low_head or (head == low_head and is_below(begin + at, size, begin + low, low_size)):
                low, low_size, low_head = at, size, head
            if i == 0 or head > high_head or (head == high_head and is_below(begin + high, high_size, begin + at, size)):
                high, high_size, high_head = at, size, head
            total += size
            at += size
        else:
            i = count
    if i < count or at != all:
        raise ValueError("data: it does not have this number of texts")
    return low, low_size, high, high_size, total
