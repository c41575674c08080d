# cython: wraparound=False, initializedcheck=False, cdivision=True, nonecheck=True, binding=False
"""Byte pair encoding of names: compiled twin of ``lakecodec.runtime.pure_bpe``."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy

from ...runtime.errors import DecodeError


cdef extern from "kernels.h" nogil:
    enum: BPE_FIRST_RULE
    enum: BPE_MAX_RULES
    int bpe_train(uint8_t *tokens, int64_t n, int max_rules, uint32_t *counts, uint8_t *rules)
    int64_t bpe_decoded_size(const uint8_t *tokens, int64_t n, const int64_t *lengths, int used, int64_t limit)
    enum: BPE_CHUNK
    void bpe_expand(const uint8_t *rules, int count, const int64_t *lengths, uint8_t *chunks)
    void bpe_decode(const uint8_t *tokens, int64_t n, const uint8_t *rules, uint8_t *out)
    int64_t bpe_decode_short(const uint8_t *tokens, int64_t n, const int64_t *lengths, int used, const uint8_t *chunks,
                             uint8_t *out, int64_t room)
    int64_t bpe_encode(uint8_t *tokens, int64_t n, const uint8_t *numbers)


cdef enum:
    PAIRS = 65536
    # Names of up to this many bytes are built on the stack.
    SHORT = 512

# Expansions longer than any limit are as good as this one.
cdef int64_t ENDLESS = <int64_t>1 << 40


cdef class Coder:
    """Tokens of one list of rules.

    Args:
        rules: left and right token of each rule. ValueError: too many, or one refers to none that comes before it.
    """

    cdef int used
    cdef uint8_t rules[2 * BPE_MAX_RULES]
    cdef int64_t lengths[BPE_FIRST_RULE + BPE_MAX_RULES]
    cdef uint8_t chunks[(BPE_FIRST_RULE + BPE_MAX_RULES) * BPE_CHUNK]
    # Of each pair, for names that are encoded; NULL before the first one.
    cdef uint8_t *numbers

    def __init__(self, bytes rules not None):
        cdef int count = <int>(len(rules) // 2), i, left, right
        if len(rules) % 2 or count > BPE_MAX_RULES:
            raise ValueError("rules: at most 128 pairs are needed")
        for i in range(BPE_FIRST_RULE):
            self.lengths[i] = 1
        for i in range(count):
            left, right = rules[2 * i], rules[2 * i + 1]
            if max(left, right) >= BPE_FIRST_RULE + i:
                raise ValueError("rules: one refers to a rule that does not come before it")
            self.rules[2 * i] = left
            self.rules[2 * i + 1] = right
            self.lengths[BPE_FIRST_RULE + i] = min(ENDLESS, self.lengths[left] + self.lengths[right])
        self.used = BPE_FIRST_RULE + count
        bpe_expand(self.rules, count, self.lengths, self.chunks)

    def __dealloc__(self):
        free(self.numbers)

    cdef int number_rules(self) except -1:
        cdef int i, pair
        cdef uint8_t *numbers = <uint8_t *>calloc(PAIRS, 1)
        if numbers is NULL:
            raise MemoryError
        for i in range(self.used - BPE_FIRST_RULE):
            pair = self.rules[2 * i] << 8 | self.rules[2 * i + 1]
            if not numbers[pair]:
                numbers[pair] = i + 1
        self.numbers = numbers
        return 0

    def decode(self, tokens not None, int64_t limit):
        return self.name_of(tokens, limit)

    cdef bytes name_of(self, tokens, int64_t limit):
        cdef const uint8_t[::1] view
        # A view costs more than decoding a short name.
        if PyBytes_CheckExact(tokens):
            return self.expanded(<const uint8_t *>PyBytes_AS_STRING(tokens), PyBytes_GET_SIZE(tokens), limit)
        view = tokens
        return self.expanded(&view[0] if view.shape[0] else NULL, view.shape[0], limit)

    cdef bytes expanded(self, const uint8_t *tokens, int64_t n, int64_t limit):
        cdef uint8_t space[SHORT + BPE_CHUNK]
        cdef int64_t size
        if n > limit:
            raise ValueError(f"a name is longer than {limit} bytes")
        size = bpe_decode_short(tokens, n, self.lengths, self.used, self.chunks, space, min(SHORT, limit))
        if size >= 0:
            return PyBytes_FromStringAndSize(<char *>space, size)
        size = bpe_decoded_size(tokens, n, self.lengths, self.used, limit)
        if size < 0:
            raise ValueError(f"token {tokens[-1 - size]} is neither a character nor a pair rule")
        if size > limit:
            raise ValueError(f"a name is longer than {limit} bytes")
        name = PyBytes_FromStringAndSize(NULL, size)
        bpe_decode(tokens, n, self.rules, <uint8_t *>PyBytes_AS_STRING(name))
        return name

    def encode(self, const uint8_t[::1] name not None):
        cdef int64_t n = name.shape[0], i
        cdef uint8_t space[SHORT]
        cdef uint8_t *tokens = space
        cdef uint8_t bits = 0
        if n == 0:
            return b""
        for i in range(n):
            bits |= name[i]
        if bits >= BPE_FIRST_RULE:
            raise ValueError("a name that is not ASCII has no tokens")
        if self.numbers is NULL:
            self.number_rules()
        if n > SHORT:
            tokens = <uint8_t *>malloc(n)
            if tokens is NULL:
                raise MemoryError
        try:
            memcpy(tokens, &name[0], n)
            n = bpe_encode(tokens, n, self.numbers)
            return PyBytes_FromStringAndSize(<char *>tokens, n)
        finally:
            if tokens is not space:
                free(tokens)


cdef class Names:
    """Decodes the names of one list.

    Args:
        coder: of their tokens; None where names are stored as they are.
        problem: why no name can be decoded; empty where names can.
        longest: bytes of the longest name.
        total: bytes of all names together.
    """

    cdef Coder coder
    cdef str problem
    cdef int64_t longest, total, left

    def __init__(self, Coder coder, str problem not None, int64_t longest, int64_t total):
        self.coder, self.problem = coder, problem
        self.longest, self.total, self.left = longest, total, total

    cdef bytes decoded(self, data):
        cdef bytes name
        if self.problem:
            raise DecodeError(self.problem)
        if self.coder is None:
            name = bytes(data)
        else:
            try:
                name = self.coder.name_of(data, self.longest)
            except ValueError as error:
                raise DecodeError(str(error)) from None
        self.count(PyBytes_GET_SIZE(name))
        return name

    @cython.binding(False)
    @cython.always_allow_keywords(False)
    def decode(self, data):
        return self.decoded(data)

    @cython.binding(False)
    @cython.always_allow_keywords(False)
    def decode_text(self, data):
        cdef bytes name = self.decoded(data)
        return PyUnicode_DecodeUTF8(PyBytes_AS_STRING(name), PyBytes_GET_SIZE(name), NULL)

    def decode_all(self, bytes data not None, bytes ends not None):
        cdef int64_t i, start = 0, count = PyBytes_GET_SIZE(ends) // <int64_t>sizeof(int64_t)
        cdef const int64_t *given = <const int64_t *>PyBytes_AS_STRING(ends)
        for i in range(count):
            if not start <= given[i] <= PyBytes_GET_SIZE(data):
                raise ValueError("ends: they lie outside the data")
            start = given[i]
        start = 0
        if self.problem:
            raise DecodeError(self.problem)
        if self.coder is not None:
            return self.expanded(data, given, count)
        if not data.isascii():
            # Names that are text together need not be text one by one.
            for i in range(count):
                PyUnicode_DecodeUTF8(PyBytes_AS_STRING(data) + start, given[i] - start, NULL)
                start = given[i]
        self.count(PyBytes_GET_SIZE(data))
        return data, ends

    cdef tuple expanded(self, bytes data, const int64_t *given, int64_t count):
        """The names of tokens, which are ASCII, and where each ends."""
        cdef const uint8_t *tokens = <const uint8_t *>PyBytes_AS_STRING(data)
        cdef int64_t i, size, start = 0, made = 0, room = 0
        cdef uint8_t *out = NULL
        cdef uint8_t *more
        cdef Coder coder = self.coder
        cdef bytes name = b""
        cdef bytes ends = PyBytes_FromStringAndSize(NULL, count * <int64_t>sizeof(int64_t))
        cdef int64_t *place = <int64_t *>PyBytes_AS_STRING(ends)
        try:
            for i in range(count):
                size = -1
                if room - made >= SHORT + BPE_CHUNK:
                    size = bpe_decode_short(tokens + start, given[i] - start, coder.lengths, coder.used, coder.chunks,
                                            out + made, min(SHORT, self.longest))
                if size < 0:
                    name = coder.name_of(data[start:given[i]], self.longest)
                    size = PyBytes_GET_SIZE(name)
                    if room - made < size + SHORT + BPE_CHUNK:
                        room = 2 * (made + size) + 4 * PyBytes_GET_SIZE(data) + SHORT + BPE_CHUNK
                        more = <uint8_t *>realloc(out, room)
                        if more is NULL:
                            raise MemoryError
                        out = more
                    memcpy(out + made, PyBytes_AS_STRING(name), size)
                self.count(size)
                made += size
                start, place[i] = given[i], made
            return PyBytes_FromStringAndSize(<char *>out, made), ends
        except ValueError as error:
            raise DecodeError(str(error)) from None
        finally:
            free(out)

    cdef int count(self, int64_t size) except -1:
        self.left -= size
        if self.left < 0:
            raise DecodeError(f"the names are longer than {self.total} bytes together")
        return 0


def train(bytes joined not None, int max_rules):
    """The rules for names that are joined by byte 255."""
    cdef int64_t n = PyBytes_GET_SIZE(joined)
    cdef const uint8_t *names = <const uint8_t *>PyBytes_AS_STRING(joined)
    cdef uint8_t rules[2 * BPE_MAX_RULES]
    cdef int made, i
    cdef uint8_t *tokens = NULL
    cdef uint32_t *counts = NULL
    if not 0 <= max_rules <= BPE_MAX_RULES:
        raise ValueError("max_rules: 0 to 128 are possible")
    try:
        tokens, counts = <uint8_t *>malloc(n + 1), <uint32_t *>calloc(PAIRS, sizeof(uint32_t))
        if tokens is NULL or counts is NULL:
            raise MemoryError
        with nogil:
            memcpy(tokens, names, n)
            made = bpe_train(tokens, n, max_rules, counts, rules)
    finally:
        free(tokens)
        free(counts)
    return [(rules[2 * i], rules[2 * i + 1]) for i in range(made)]
