# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Values put into split block Bloom filters; see ``lakecodec.runtime.split_blocks``."""

cimport cython
from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef extern from "split_blocks.h" nogil:
    enum: BLOCK_WORDS
    ctypedef struct BlockFilter:
        uint8_t *words
        uint64_t blocks
        uint32_t salt[BLOCK_WORDS]
        int waiting
    void filter_flush(BlockFilter *filter)
    void filter_put(BlockFilter *filter, const uint8_t *value, int64_t size)


@cython.internal
cdef class Bytes:
    """The bytes of an object, which keeps them until they are released. Views of Cython would triple this module."""

    cdef Py_buffer view
    cdef uint8_t *begin
    cdef int64_t size

    def __cinit__(self, data, int flags=PyBUF_SIMPLE):
        PyObject_GetBuffer(data, &self.view, flags)
        self.begin, self.size = <uint8_t *>self.view.buf, self.view.len

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


cdef int begin_filter(BlockFilter *made, Bytes words, Bytes salt) except -1:
    """Fills in the filter with these words.

    Raises:
        ValueError: there is no block, or a part of one.
    """
    cdef int64_t size = BLOCK_WORDS * sizeof(uint32_t)
    if salt.size != size:
        raise ValueError("salt: a number per word of a block is needed")
    if words.size == 0 or words.size % size:
        raise ValueError("words: whole blocks are needed")
    made.words, made.blocks = words.begin, words.size // size
    memcpy(made.salt, salt.begin, size)
    made.waiting = 0
    return 0


def put_fixed(words, salt, data, int64_t width):
    """Puts values of one width."""
    cdef Bytes target = Bytes(words, PyBUF_WRITABLE), values = Bytes(data)
    cdef BlockFilter made
    cdef int64_t size = values.size, at
    begin_filter(&made, target, Bytes(salt))
    if width < 1 or size % width:
        raise ValueError("data: whole values are needed")
    with nogil:
        # A width that is known becomes code without loops.
        if width == 8:
            for at from 0 <= at < size by 8:
                filter_put(&made, values.begin + at, 8)
        elif width == 4:
            for at from 0 <= at < size by 4:
                filter_put(&made, values.begin + at, 4)
        else:
            for at from 0 <= at < size by width:
                filter_put(&made, values.begin + at, width)
        filter_flush(&made)


def put_texts(words, salt, data, offsets):
    """Puts the values between consecutive offsets."""
    cdef Bytes target = Bytes(words, PyBUF_WRITABLE), values = Bytes(data), places = Bytes(offsets)
    cdef BlockFilter made
    cdef int64_t size = values.size, count = places.size // <int64_t>sizeof(int64_t), start, stop, i
    cdef bint is_outside = False
    begin_filter(&made, target, Bytes(salt))
    if count < 1 or places.size % sizeof(int64_t):
        raise ValueError("offsets: one more than there are values is needed")
    with nogil:
        memcpy(&start, places.begin, sizeof(int64_t))
        for i in range(1, count):
            memcpy(&stop, places.begin + i * sizeof(int64_t), sizeof(int64_t))
            is_outside = start < 0 or stop < start or stop > size
            if is_outside:
                break
            filter_put(&made, values.begin + start, stop - start)
            start = stop
        filter_flush(&made)
    if is_outside:
        raise ValueError("offsets: a value lies outside the data")


def put_prefixed(words, salt, data):
    """Puts values with their size in the four bytes before each."""
    cdef Bytes target = Bytes(words, PyBUF_WRITABLE), values = Bytes(data)
    cdef BlockFilter made
    cdef int64_t size = values.size, at = 0
    cdef uint32_t length
    begin_filter(&made, target, Bytes(salt))
    with nogil:
        while size - at >= 4:
            memcpy(&length, values.begin + at, 4)
            if length > size - at - 4:
                break
            filter_put(&made, values.begin + at + 4, length)
            at += 4 + <int64_t>length
        filter_flush(&made)
    if at != size:
        raise ValueError("data: a value lies outside")
