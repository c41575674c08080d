/* Kinds of what a field holds, and the numbers among them as bytes: for records and for offset scans. */
#pragma once

#include <stdint.h>
#include <string.h>

// clang-format off
/* Numbers of fixed width: bytes, whether they have a sign, whether they are floats. */
#define FIXED_KINDS(KIND) \
    KIND(U8, "u8", 1, 0, 0) \
    KIND(I8, "i8", 1, 1, 0) \
    KIND(U16, "u16", 2, 0, 0) \
    KIND(I16, "i16", 2, 1, 0) \
    KIND(U24, "u24", 3, 0, 0) \
    KIND(I24, "i24", 3, 1, 0) \
    KIND(U32, "u32", 4, 0, 0) \
    KIND(I32, "i32", 4, 1, 0) \
    KIND(U40, "u40", 5, 0, 0) \
    KIND(I40, "i40", 5, 1, 0) \
    KIND(U48, "u48", 6, 0, 0) \
    KIND(I48, "i48", 6, 1, 0) \
    KIND(U64, "u64", 8, 0, 0) \
    KIND(I64, "i64", 8, 1, 0) \
    KIND(F16, "f16", 2, 0, 1) \
    KIND(F32, "f32", 4, 0, 1) \
    KIND(F64, "f64", 8, 0, 1)

/* Numbers of variable length: bits, whether they have a sign, the form of their bytes. */
#define VARINT_KINDS(KIND) \
    KIND(VLQ32, "vlq32", 32, 0, VLQ) \
    KIND(VLQ64, "vlq64", 64, 0, VLQ) \
    KIND(VLQ9, "vlq9", 64, 0, VLQ9) \
    KIND(IVLQ9, "ivlq9", 64, 1, VLQ9) \
    KIND(UVARINT16, "uvarint16", 16, 0, LEB128) \
    KIND(UVARINT32, "uvarint32", 32, 0, LEB128) \
    KIND(UVARINT64, "uvarint64", 64, 0, LEB128) \
    KIND(SVARINT16, "svarint16", 16, 1, ZIGZAG) \
    KIND(SVARINT32, "svarint32", 32, 1, ZIGZAG) \
    KIND(SVARINT64, "svarint64", 64, 1, ZIGZAG) \
    KIND(IVARINT16, "ivarint16", 16, 1, SIGNED_LEB128) \
    KIND(IVARINT32, "ivarint32", 32, 1, SIGNED_LEB128) \
    KIND(IVARINT64, "ivarint64", 64, 1, SIGNED_LEB128)

#define OTHER_KINDS(KIND) \
    KIND(BOOL8, "bool8", ) KIND(BYTES, "bytes", ) KIND(UTF8, "utf8", ) KIND(RECORD, "record", ) \
    KIND(STRUCT, "struct", ) KIND(BITS, "bits", ) KIND(VALUES, "values", ) KIND(PART, "part", )
// clang-format on
#define RECORD_KINDS(KIND) FIXED_KINDS(KIND) VARINT_KINDS(KIND) OTHER_KINDS(KIND)

enum {
#define KIND(name, ...) KIND_OF_##name,
    RECORD_KINDS(KIND)
#undef KIND
        KIND_OF_ALL
};

static const struct {
    uint8_t size, is_signed, is_float;
} fixed_kinds[] = {
#define KIND(name, text, ...) [KIND_OF_##name] = {__VA_ARGS__},
    FIXED_KINDS(KIND)
#undef KIND
};

enum { LEB128, ZIGZAG, SIGNED_LEB128, VLQ, VLQ9 };

static const struct {
    uint8_t bits, is_signed, form;
} varint_kinds[] = {
#define KIND(name, text, ...) [KIND_OF_##name] = {__VA_ARGS__},
    VARINT_KINDS(KIND)
#undef KIND
};

/* How the bytes of a number are read: of fixed width the highest first, of varying width also where fewer would do;
   packed ones without bits behind the last. */
enum { NUMBER_BIG = 1, NUMBER_LOOSE = 2, NUMBER_EXACT = 4 };

/* A number of fixed width, whose bytes are there: 64 bits, of a signed one with its sign, of a float as they stand. */
static inline __attribute__((always_inline)) uint64_t fixed_number(int kind, int big, const uint8_t *p) {
    uint64_t bits = 0;
    const int size = fixed_kinds[kind].size, swaps = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
    switch (size) {
    case 1: bits = p[0]; break;
    case 2: {
        uint16_t two;
        memcpy(&two, p, 2);
        bits = swaps ? __builtin_bswap16(two) : two;
        break;
    }
    case 4: {
        uint32_t four;
        memcpy(&four, p, 4);
        bits = swaps ? __builtin_bswap32(four) : four;
        break;
    }
    case 8:
        memcpy(&bits, p, 8);
        bits = swaps ? __builtin_bswap64(bits) : bits;
        break;
    default:
        for (int i = 0; i < size; i++) bits |= (uint64_t)p[big ? size - 1 - i : i] << (8 * i);
    }
    const int unused = 64 - 8 * size;
    return fixed_kinds[kind].is_signed ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

/* A varint at `*pos`, which is moved after it, before `end`: 0, or -1 where it needs more bits or bytes, or fewer bytes. */
static inline __attribute__((always_inline)) int varint_number(int kind, int form, const uint8_t **pos, const uint8_t *end,
                                                               uint64_t *out) {
    const int bits = varint_kinds[kind].bits;
    const uint8_t *p = *pos;
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        /* A byte more than the bits need is refused before it is read. */
        if (shift >= bits || p >= end) return -1;
        const uint8_t byte = *p++;
        if (shift == 63 && byte > 1) return -1;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            if (byte == 0 && shift && !(form & NUMBER_LOOSE)) return -1;
            break;
        }
    }
    if (bits < 64 && number >> bits) return -1;
    *pos = p;
    *out = varint_kinds[kind].form == ZIGZAG ? (number >> 1) ^ -(number & 1) : number;
    return 0;
}

/* The same of a number in two's complement. */
static inline int signed_varint_number(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    const int bits = varint_kinds[kind].bits;
    const uint8_t *p = *pos;
    uint64_t number = 0;
    uint8_t before = 0;
    for (int shift = 0;; shift += 7) {
        if (shift >= bits || p >= end) return -1;
        const uint8_t byte = *p++;
        /* Of the tenth byte one bit counts, which the others repeat. */
        if (shift == 63 && byte != 0 && byte != 127) return -1;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            if (shift < 57 && byte & 64) number |= UINT64_MAX << (shift + 7);
            if (shift && byte == (before & 64 ? 127 : 0) && !(form & NUMBER_LOOSE)) return -1;
            break;
        }
        before = byte;
    }
    const int64_t found = (int64_t)number;
    if (found >> (bits - 1) != 0 && found >> (bits - 1) != -1) return -1;
    *pos = p;
    *out = number;
    return 0;
}

/* The same of groups of seven bits, the highest first; those of SQLite have a ninth byte of eight bits. */
static inline int vlq_number(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    const int bits = varint_kinds[kind].bits, has_whole_ninth = varint_kinds[kind].form == VLQ9;
    const uint8_t *p = *pos;
    uint64_t number = 0;
    for (int count = 1;; count++) {
        if (p >= end || count > (bits + 6) / 7 || (!has_whole_ninth && number >> 57)) return -1;
        const uint8_t byte = *p++;
        if (has_whole_ninth && count == 9) {
            number = number << 8 | byte;
            if (!(number >> 56 || form & NUMBER_LOOSE)) return -1;
            break;
        }
        number = number << 7 | (byte & 127);
        if (byte < 128) {
            if (count > 1 && **pos == 128 && !(form & NUMBER_LOOSE)) return -1;
            break;
        }
    }
    if (bits < 64 && number >> bits) return -1;
    *pos = p;
    *out = number;
    return 0;
}

static __attribute__((noinline, unused)) int rare_number(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    return varint_kinds[kind].form == SIGNED_LEB128 ? signed_varint_number(kind, form, pos, end, out)
                                                    : vlq_number(kind, form, pos, end, out);
}

/* The bits of a number of any kind at `*pos`, which is moved after it: 0, or -1 where the bytes are wrong. */
static inline __attribute__((always_inline)) int number_bits_here(int kind, int form, const uint8_t **pos, const uint8_t *end,
                                                                  uint64_t *out) {
    if (kind <= KIND_OF_F64) {
        if (fixed_kinds[kind].size > end - *pos) return -1;
        *out = fixed_number(kind, form, *pos);
        *pos += fixed_kinds[kind].size;
        return 0;
    }
    if (kind < KIND_OF_BOOL8) {
        if (varint_kinds[kind].form <= ZIGZAG) return varint_number(kind, form, pos, end, out);
        /* Which is called, so that it gets places of its own: the caller's stay in registers. */
        const uint8_t *p = *pos;
        uint64_t number;
        if (rare_number(kind, form, &p, end, &number)) return -1;
        *pos = p;
        *out = number;
        return 0;
    }
    if (*pos >= end || **pos > 1) return -1;
    *out = *(*pos)++;
    return 0;
}

/* The same, called: for loops that mostly do something else. */
static __attribute__((noinline, unused)) int number_bits(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    return number_bits_here(kind, form, pos, end, out);
}

/* Whether the 64 bits of a kind are those of a number without a sign. */
static inline int is_unsigned(int kind) {
    return kind <= KIND_OF_F64 ? !fixed_kinds[kind].is_signed : kind < KIND_OF_BOOL8 && !varint_kinds[kind].is_signed;
}
