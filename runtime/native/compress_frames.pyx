# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Frames of zstd (RFC 8878), as far as their headers tell."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t


cdef extern from "compress_frames.h" nogil:
    int frame_is_whole(const uint8_t *data, int64_t size, int64_t content, int64_t window)


def are_whole(frames, contents, int64_t window):
    """Whether each buffer is one frame and nothing else, that tells how much it holds and needs no larger window."""
    cdef Py_buffer view
    cdef int whole
    for frame, content in zip(frames, contents, strict=True):
        PyObject_GetBuffer(frame, &view, PyBUF_SIMPLE)
        whole = frame_is_whole(<const uint8_t *>view.buf, view.len, content, window)
        PyBuffer_Release(&view)
        if not whole:
            return False
    return True
