# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Reads of local files, many by one call without the interpreter's lock, and space for files that are written."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.errno cimport EINTR, EISDIR, errno
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc
from posix.fcntl cimport O_CLOEXEC, O_RDONLY, open
from posix.stat cimport S_ISDIR, fstat, stat, struct_stat
from posix.types cimport off_t
from posix.unistd cimport close, pread


cdef extern from "Python.h":
    const Py_ssize_t PY_SSIZE_T_MAX
    bytes PyUnicode_EncodeFSDefault(object text)


cdef extern from *:
    """
    #include <sys/stat.h>
    #ifdef __APPLE__
    #define lakecodec_time(found, which) ((found)->st_##which##timespec)
    #else
    #define lakecodec_time(found, which) ((found)->st_##which##tim)
    #endif
    /* Nanoseconds since 1970 of the last change of a file's content, and of its inode. */
    static int64_t lakecodec_modified(const struct stat *found)
    {
        return (int64_t)((uint64_t)lakecodec_time(found, m).tv_sec * 1000000000u + lakecodec_time(found, m).tv_nsec);
    }
    static int64_t lakecodec_changed(const struct stat *found)
    {
        return (int64_t)((uint64_t)lakecodec_time(found, c).tv_sec * 1000000000u + lakecodec_time(found, c).tv_nsec);
    }
    #ifdef __linux__
    #include <errno.h>
    #include <fcntl.h>
    static void lakecodec_reserve(int fd, int64_t offset, int64_t length)
    {
        while (fallocate(fd, FALLOC_FL_KEEP_SIZE, offset, length) && errno == EINTR) {
        }
    }
    #else
    static void lakecodec_reserve(int fd, int64_t offset, int64_t length) {}
    #endif
    """
    void lakecodec_reserve(int fd, int64_t offset, int64_t length) nogil
    int64_t lakecodec_modified(const struct_stat *found) nogil
    int64_t lakecodec_changed(const struct_stat *found) nogil


cdef list encoded(list paths):
    """The paths as the system takes them."""
    cdef list made = []
    cdef bytes path
    for each in paths:
        path = PyUnicode_EncodeFSDefault(each)
        if b"\0" in path:
            raise ValueError("embedded null byte")
        made.append(path)
    return made


cdef int read_at(int fd, int64_t offset, uint8_t *room, int64_t length, int64_t *filled) noexcept nogil:
    """0, or the number of an error; fewer bytes than the length are there where the file ends."""
    cdef ssize_t more
    filled[0] = 0
    while filled[0] < length:
        more = pread(fd, room + filled[0], length - filled[0], <off_t>(offset + filled[0]))
        if more == 0:
            break
        if more > 0:
            filled[0] += more
        elif errno != EINTR:
            return errno
    return 0


cdef int fill_open(int fd, int64_t *found, uint8_t *room, int64_t length, uint8_t *head, int64_t head_length) noexcept nogil:
    """0, or the number of an error."""
    cdef struct_stat status
    cdef int64_t ignored
    if fstat(fd, &status):
        return errno
    if S_ISDIR(status.st_mode):
        return EISDIR
    found[0] = status.st_size
    length = min(length, found[0])
    return read_at(fd, found[0] - length, room, length, &found[1]) or read_at(fd, 0, head, head_length, &ignored)


cdef void fill_one(const char *path, int64_t *found, uint8_t *room, int64_t length, uint8_t *head, int64_t head_length) noexcept nogil:
    """Fills the size, the bytes held and the error number of a file."""
    cdef int fd = open(path, O_RDONLY | O_CLOEXEC)
    found[0] = found[1] = 0
    while fd < 0 and errno == EINTR:
        fd = open(path, O_RDONLY | O_CLOEXEC)
    if fd < 0:
        found[2] = errno
        return
    found[2] = fill_open(fd, found, room, length, head, head_length)
    close(fd)


def fill(list paths not None, uint8_t[::1] room not None, int64_t length, uint8_t[::1] heads not None, int64_t[::1] found not None):
    """Fills the end of file ``i`` into ``room[i * length:]``; ``heads`` takes as many bytes of the beginning of each, and
    ``found`` the size, the bytes held and the error number. Compiled twin of ``lakecodec.runtime.file_tails.pure_fill``.
    """
    cdef Py_ssize_t count = len(paths), i
    cdef int64_t head_length = heads.shape[0] // count if count else 0
    cdef list names = encoded(paths)
    cdef const char **starts
    if length < 1 or count > room.shape[0] // length:
        raise ValueError("room: too small for so many files")
    if count == 0:
        return
    if head_length < 1:
        raise ValueError("heads: too small for so many files")
    if found.shape[0] != 3 * count:
        raise ValueError("found: three numbers for each file are needed")
    starts = <const char **>malloc(count * sizeof(char *))
    if starts is NULL:
        raise MemoryError
    for i in range(count):
        starts[i] = PyBytes_AS_STRING(names[i])
    with nogil:
        for i in range(count):
            fill_one(starts[i], &found[3 * i], &room[i * length], length, &heads[i * head_length], head_length)
    free(starts)


def states(list paths not None, int64_t[:, ::1] room not None):
    """Fills a row of ``room`` for each file: size, time of change, inode and the file's own time, -1 if it cannot be asked for.

    Compiled twin of ``lakecodec.runtime.file_tails.pure_states``.
    """
    cdef struct_stat found
    cdef Py_ssize_t i
    cdef int64_t modified
    cdef bytes path
    if room.shape[0] != len(paths) or room.shape[1] != 4:
        raise ValueError("room: four numbers per file are needed")
    for i in range(len(paths)):
        path = paths[i]
        room[i, 0] = room[i, 1] = room[i, 2] = room[i, 3] = -1
        if b"\0" in path or stat(<const char *>path, &found):
            continue
        modified = lakecodec_modified(&found)
        room[i, 0] = found.st_size
        room[i, 1] = max(modified, lakecodec_changed(&found))
        room[i, 2] = <int64_t>(found.st_ino & 0x7FFFFFFFFFFFFFFF)
        room[i, 3] = modified


def gather(int fd, const int64_t[::1] starts not None, const int64_t[::1] sizes not None):
    """The bytes of an open file at some offsets, one range after the other; None where one cannot be read whole."""
    cdef Py_ssize_t count = starts.shape[0], i
    cdef int64_t total = 0, filled
    cdef uint8_t *room
    cdef bytes made
    cdef bint whole = True
    if sizes.shape[0] != count:
        raise ValueError("starts, sizes: one of each range is needed")
    for i in range(count):
        if starts[i] < 0 or sizes[i] < 0 or sizes[i] > PY_SSIZE_T_MAX - total:
            raise ValueError("starts, sizes: a range is none")
        total += sizes[i]
    made = PyBytes_FromStringAndSize(NULL, total)
    room = <uint8_t *>PyBytes_AS_STRING(made)
    with nogil:
        for i in range(count):
            if read_at(fd, starts[i], room, sizes[i], &filled) or filled < sizes[i]:
                whole = False
                break
            room += filled
    return made if whole else None


def reserve(int fd, int64_t offset, int64_t length):
    """Has the system allocate space that will be written, whose size stays as it is; does nothing where it cannot."""
    if offset >= 0 and length > 0:
        with nogil:
            lakecodec_reserve(fd, offset, length)
