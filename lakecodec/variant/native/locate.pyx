# cython: wraparound=False, boundscheck=False, initializedcheck=False, cdivision=True, binding=False
"""Positions of parts of variants: compiled twin of ``lakecodec.variant.pure_locate``."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp


cdef enum:
    OBJECT = 2
    ARRAY = 3
    # What a step gives beside a place.
    MISSING = -1
    UNSOUND = -2


cdef struct Step:
    const char *name
    int64_t size
    # The number of an element; -1 where the step is a name.
    int64_t index
    # Which field of the object before had the name: columns often hold objects of one shape.
    int64_t guess


cdef struct Names:
    const uint8_t *offsets
    const uint8_t *text
    int64_t count, text_size
    int width


cdef inline int64_t number(const uint8_t *at, int width) noexcept nogil:
    cdef int64_t value = at[0]
    if width > 1:
        value |= <int64_t>at[1] << 8
        if width > 2:
            value |= <int64_t>at[2] << 16
            if width > 3:
                value |= <int64_t>at[3] << 24
    return value


cdef bint names_of(const uint8_t *data, int64_t size, Names *names) noexcept nogil:
    """Returns True if metadata is sound, but for the names in it."""
    if size < 3 or data[0] & 15 != 1:
        return False
    names.width = (data[0] >> 6) + 1
    if size < 1 + names.width:
        return False
    names.count = number(data + 1, names.width)
    cdef int64_t head = 1 + names.width * (names.count + 2)
    if head > size:
        return False
    names.offsets = data + 1 + names.width
    names.text = data + head
    names.text_size = size - head
    return number(names.offsets, names.width) == 0


cdef inline int is_name(const Names *names, int64_t at, const Step *step) noexcept nogil:
    """Returns 1 if a name is that of a step, -1 if there is no such name."""
    if at >= names.count:
        return -1
    cdef int64_t begin = number(names.offsets + at * names.width, names.width)
    cdef int64_t end = number(names.offsets + (at + 1) * names.width, names.width)
    if begin > end or end > names.text_size:
        return -1
    return end - begin == step.size and memcmp(names.text + begin, step.name, step.size) == 0


cdef int64_t part(const uint8_t *data, int64_t at, int64_t size, const Names *names, Step *step) noexcept nogil:
    """Returns where a field or an element of the value at a place begins."""
    cdef int basic = data[at] & 3
    cdef int header = data[at] >> 2
    if basic != (ARRAY if step.index >= 0 else OBJECT):
        return MISSING
    cdef int large = (header >> (2 if basic == ARRAY else 4)) & 1
    cdef int width = (header & 3) + 1
    cdef int id_width = ((header >> 2) & 3) + 1 if basic == OBJECT else 0
    cdef int64_t begin = at + (5 if large else 2)
    if begin > size:
        return UNSOUND
    cdef int64_t count = number(data + at + 1, 4 if large else 1)
    cdef int64_t offsets = begin + count * id_width
    cdef int64_t values = offsets + (count + 1) * width
    if values > size or values + number(data + offsets + count * width, width) > size:
        return UNSOUND
    cdef int64_t i = step.index
    cdef int same
    if i < 0:
        i = step.guess
        if i < count:
            same = is_name(names, number(data + begin + i * id_width, id_width), step)
            if same < 0:
                return UNSOUND
        else:
            same = 0
        if not same:
            for i in range(count):
                same = is_name(names, number(data + begin + i * id_width, id_width), step)
                if same:
                    break
            else:
                return MISSING
            if same < 0:
                return UNSOUND
            step.guess = i
    elif i >= count:
        return MISSING
    at = values + number(data + offsets + i * width, width)
    return at if at < size else UNSOUND


cdef int64_t walk(Step *steps, int64_t n, const int64_t[::1] m, const uint8_t *metadata, const int64_t[::1] v,
                  const uint8_t *value, int64_t[::1] places) noexcept nogil:
    cdef int64_t row, step, at
    cdef Names names
    for row in range(places.shape[0]):
        if places[row] < 0:
            continue
        if v[row + 1] <= v[row] or not names_of(metadata + m[row], m[row + 1] - m[row], &names):
            return row
        at = 0
        for step in range(n):
            at = part(value + v[row], at, v[row + 1] - v[row], &names, &steps[step])
            if at < 0:
                break
        if at == UNSOUND:
            return row
        places[row] = v[row] + at if at >= 0 else MISSING
    return -1


def locate(list steps, const int64_t[::1] metadata_offsets, const uint8_t[::1] metadata,
           const int64_t[::1] value_offsets, const uint8_t[::1] value, int64_t[::1] places):
    """Replaces the places of rows by those of a part, -1 where there is none; returns the row that is not a variant, or -1."""
    cdef int64_t rows = places.shape[0], count = len(steps), bad
    cdef const uint8_t *m = &metadata[0] if metadata.shape[0] else NULL
    cdef const uint8_t *v = &value[0] if value.shape[0] else NULL
    check(metadata_offsets, rows, metadata.shape[0])
    check(value_offsets, rows, value.shape[0])
    names = [step.encode() if isinstance(step, str) else None for step in steps]
    cdef Step *held = <Step *>malloc(max(len(steps), 1) * sizeof(Step))
    if held == NULL:
        raise MemoryError
    try:
        for i, step in enumerate(steps):
            if names[i] is None:
                held[i].index = step
            else:
                held[i].index = -1
                held[i].name = names[i]
                held[i].size = len(names[i])
            held[i].guess = 0
        with nogil:
            bad = walk(held, count, metadata_offsets, m, value_offsets, v, places)
    finally:
        free(held)
    return bad


cdef check(const int64_t[::1] offsets, int64_t rows, int64_t size):
    cdef int64_t row
    if offsets.shape[0] != rows + 1 or offsets[0] < 0 or offsets[rows] > size:
        raise ValueError("offsets: those of other rows")
    for row in range(rows):
        if offsets[row] > offsets[row + 1]:
            raise ValueError("offsets: they must not go down")
