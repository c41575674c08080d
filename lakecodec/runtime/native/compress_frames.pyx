# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Frames of zstd (RFC 8878), as far as their headers tell."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t


cdef extern from "compress_frames.h" nogil:
    int frame_is_whole(const uint8_t *data, int64_t size, int64_t content, int64_t window)


def segments(const uint8_t[::1] data not None, const int64_t[::1] starts not None, const int64_t[::1] sizes not None,
             const int64_t[::1] contents not None, int64_t window):
    """Where frames are, as zstandard's segments; None unless each is one frame and nothing else, that tells how much
    it holds and needs no larger window.

    Args:
        data: has the frames.
        starts, sizes: where each is.
        contents: bytes that each holds.
        window: the largest.
    """
    cdef int64_t count = starts.shape[0], total = data.shape[0], i
    cdef bytes made
    cdef int64_t *segment
    cdef bint whole = True
    if sizes.shape[0] != count or contents.shape[0] != count:
        raise ValueError("starts, sizes, contents: one of each frame is needed")
    made = PyBytes_FromStringAndSize(NULL, count * 2 * sizeof(int64_t))
    segment = <int64_t *>PyBytes_AS_STRING(made)
    with nogil:
        for i in range(count):
            if starts[i] < 0 or sizes[i] <= 0 or starts[i] > total or sizes[i] > total - starts[i]:
                whole = False
            elif not frame_is_whole(&data[starts[i]], sizes[i], contents[i], window):
                whole = False
            if not whole:
                break
            segment[2 * i], segment[2 * i + 1] = starts[i], sizes[i]
    return made if whole else None
