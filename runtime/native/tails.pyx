# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Reads the ends of local files: compiled twin of ``lakecodec.runtime.tails.pure_fill``."""

from libc.errno cimport EINTR, EISDIR, errno
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc
from posix.fcntl cimport O_CLOEXEC, O_RDONLY, open
from posix.stat cimport S_ISDIR, fstat, struct_stat
from posix.types cimport off_t
from posix.unistd cimport close, pread


cdef struct Tail:
    const char *path
    # of the file, and bytes of its end that were read
    int64_t size, filled
    int error


cdef int fill_open(int fd, Tail *tail, uint8_t *room, int64_t length) noexcept nogil:
    """0, or the number of an error."""
    cdef struct_stat status
    cdef int64_t wanted
    cdef ssize_t more
    if fstat(fd, &status):
        return errno
    if S_ISDIR(status.st_mode):
        return EISDIR
    tail.size = status.st_size
    wanted = min(length, tail.size)
    while tail.filled < wanted:
        more = pread(fd, room + tail.filled, wanted - tail.filled, <off_t>(tail.size - wanted + tail.filled))
        if more == 0:
            break
        if more > 0:
            tail.filled += more
        elif errno != EINTR:
            return errno
    return 0


cdef void fill_one(Tail *tail, uint8_t *room, int64_t length) noexcept nogil:
    cdef int fd = open(tail.path, O_RDONLY | O_CLOEXEC)
    while fd < 0 and errno == EINTR:
        fd = open(tail.path, O_RDONLY | O_CLOEXEC)
    if fd < 0:
        tail.error = errno
        return
    tail.error = fill_open(fd, tail, room, length)
    close(fd)


def fill(list paths not None, uint8_t[::1] room not None, int64_t length):
    """``(size, bytes read, error number)`` of each file, the end of file ``i`` being at ``room[i * length:]``."""
    cdef Py_ssize_t count = len(paths), i
    cdef bytes path
    cdef Tail *tails
    if length < 1 or count > room.shape[0] // length:
        raise ValueError("room: too small for so many files")
    if count == 0:
        return []
    tails = <Tail *>malloc(count * sizeof(Tail))
    if tails is NULL:
        raise MemoryError
    try:
        for i in range(count):
            path = paths[i]
            if b"\0" in path:
                raise ValueError("embedded null byte")
            tails[i] = Tail(path=path, size=0, filled=0, error=0)
        with nogil:
            for i in range(count):
                fill_one(&tails[i], &room[i * length], length)
        return [(tails[i].size, tails[i].filled, tails[i].error) for i in range(count)]
    finally:
        free(tails)
