/* Kinds of what a field holds, and the numbers among them as bytes: for records and for offset scans. */
#ifndef LAKECODEC_RECORD_NUMBER_KINDS_H
#define LAKECODEC_RECORD_NUMBER_KINDS_H

#include <stdint.h>
#include <string.h>

#define RECORD_KINDS(KIND)                                                                                                                 \
    KIND(U8, "u8")                                                                                                                         \
    KIND(I8, "i8") KIND(U16, "u16") KIND(I16, "i16") KIND(U24, "u24") KIND(I24, "i24") KIND(U32, "u32") KIND(I32, "i32") KIND(U40, "u40")  \
        KIND(I40, "i40") KIND(U48, "u48") KIND(I48, "i48") KIND(U64, "u64") KIND(I64, "i64") KIND(F16, "f16") KIND(F32, "f32")             \
            KIND(F64, "f64") KIND(VLQ32, "vlq32") KIND(VLQ64, "vlq64") KIND(VLQ9, "vlq9") KIND(IVLQ9, "ivlq9")                             \
                KIND(UVARINT16, "uvarint16") KIND(UVARINT32, "uvarint32") KIND(UVARINT64, "uvarint64") KIND(SVARINT16, "svarint16")        \
                    KIND(SVARINT32, "svarint32") KIND(SVARINT64, "svarint64") KIND(IVARINT16, "ivarint16") KIND(IVARINT32, "ivarint32") KIND(IVARINT64, "ivarint64") KIND(BOOL8, "bool8") KIND(BYTES, "bytes") KIND(UTF8, "utf8") \
                        KIND(RECORD, "record") KIND(STRUCT, "struct") KIND(BITS, "bits") KIND(VALUES, "values") KIND(PART, "part")

enum {
#define KIND(name, text) KIND_OF_##name,
    RECORD_KINDS(KIND)
#undef KIND
        KIND_OF_ALL
};

/* Bytes and signs of the numbers of fixed width, by their kinds. */
static const struct {
    uint8_t size, is_signed, is_float;
} fixed_kinds[] = {
    [KIND_OF_U8] = {1, 0, 0},  [KIND_OF_I8] = {1, 1, 0},  [KIND_OF_U16] = {2, 0, 0}, [KIND_OF_I16] = {2, 1, 0}, [KIND_OF_U24] = {3, 0, 0},
    [KIND_OF_I24] = {3, 1, 0}, [KIND_OF_U32] = {4, 0, 0}, [KIND_OF_I32] = {4, 1, 0}, [KIND_OF_U40] = {5, 0, 0}, [KIND_OF_I40] = {5, 1, 0},
    [KIND_OF_U48] = {6, 0, 0}, [KIND_OF_I48] = {6, 1, 0}, [KIND_OF_U64] = {8, 0, 0}, [KIND_OF_I64] = {8, 1, 0}, [KIND_OF_F16] = {2, 0, 1},
    [KIND_OF_F32] = {4, 0, 1}, [KIND_OF_F64] = {8, 0, 1},
};

static const uint8_t varint_bits[] = {
    [KIND_OF_VLQ32] = 32,     [KIND_OF_VLQ64] = 64,     [KIND_OF_VLQ9] = 64,      [KIND_OF_IVLQ9] = 64,     [KIND_OF_UVARINT16] = 16,
    [KIND_OF_UVARINT32] = 32, [KIND_OF_UVARINT64] = 64, [KIND_OF_SVARINT16] = 16, [KIND_OF_SVARINT32] = 32, [KIND_OF_SVARINT64] = 64,
    [KIND_OF_IVARINT16] = 16, [KIND_OF_IVARINT32] = 32, [KIND_OF_IVARINT64] = 64,
};

/* How the bytes of a number are read: of fixed width the highest first, of varying width also where fewer would do. */
enum { NUMBER_BIG = 1, NUMBER_LOOSE = 2 };

/* A number of fixed width, whose bytes are there: 64 bits, of a signed one with its sign, of a float as they stand. */
static inline uint64_t fixed_number(int kind, int big, const uint8_t *p) {
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

/* A varint at `*pos`, which is moved behind it, before `end`: 0, or -1 where it needs more bits or bytes, or fewer bytes. */
static inline int varint_number(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    const int bits = varint_bits[kind];
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
    *out = kind >= KIND_OF_SVARINT16 ? (number >> 1) ^ -(number & 1) : number;
    return 0;
}

/* The same of a number in two's complement. */
static inline int signed_varint_number(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    const int bits = varint_bits[kind];
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
    const int bits = varint_bits[kind], has_whole_ninth = kind >= KIND_OF_VLQ9;
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

/* The bits of a number of any kind at `*pos`, which is moved behind it: 0, or -1 where the bytes are wrong. */
static inline int number_bits(int kind, int form, const uint8_t **pos, const uint8_t *end, uint64_t *out) {
    if (kind <= KIND_OF_F64) {
        if (fixed_kinds[kind].size > end - *pos) return -1;
        *out = fixed_number(kind, form, *pos);
        *pos += fixed_kinds[kind].size;
        return 0;
    }
    if (kind < KIND_OF_UVARINT16) return vlq_number(kind, form, pos, end, out);
    if (kind < KIND_OF_IVARINT16) return varint_number(kind, form, pos, end, out);
    if (kind < KIND_OF_BOOL8) return signed_varint_number(kind, form, pos, end, out);
    if (*pos >= end || **pos > 1) return -1;
    *out = *(*pos)++;
    return 0;
}

/* Whether the 64 bits of a kind are those of a number without a sign. */
static inline int is_unsigned(int kind) {
    return kind <= KIND_OF_F64 ? !fixed_kinds[kind].is_signed : kind < KIND_OF_SVARINT16 && kind != KIND_OF_IVLQ9;
}

#endif
