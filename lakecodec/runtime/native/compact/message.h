/* Protobuf's wire types and tags. */
#pragma once

#include "decode.h"

enum ProtobufWire { PB_VARINT, PB_FIXED64, PB_BYTES, PB_START_GROUP, PB_END_GROUP, PB_FIXED32 };

#define PB_HIGHEST ((1u << 29) - 1)
/* Bytes of a tag, at most. */
#define PB_TAG_BYTES 5

/* Whether a value of a wire type is one occurrence of a field: of a list, one element or several packed ones. */
static inline int field_fits(const Type *type, int wire) {
    return likely(wire == type->wire) || (wire == PB_BYTES && type->kind == KIND_LIST && !type->group);
}

static inline const uint8_t *read_number(Reader *r, const uint8_t *p, uint64_t *out) {
    if (likely(p < r->in.end && *p < 128)) {
        *out = *p;
        return p + 1;
    }
    if (likely(r->in.end - p >= 2 && p[1] < 128)) {
        *out = (uint64_t)(p[0] & 127) | (uint64_t)p[1] << 7;
        return p + 2;
    }
    return read_varint(&r->in, p, out);
}

static inline const uint8_t *read_tag(Reader *r, const uint8_t *p, int *number, int *wire) {
    uint64_t tag;
    const uint8_t *after = read_number(r, p, &tag);
    if (unlikely(after == NULL)) return NULL;
    if (unlikely(tag < 8 || tag >> 3 > PB_HIGHEST || after - p > PB_TAG_BYTES)) return fail(&r->in, RULE_NUMBER, p);
    *number = (int)(tag >> 3);
    *wire = (int)(tag & 7);
    return after;
}

/* The value of a field that is not known; start is that of its tag. */
const uint8_t *skip_unknown(Reader *r, const uint8_t *p, int wire, const uint8_t *start);

/* One value, which the input's end may cut off: of a varint, of eight or four bytes, of any kind. */
PyObject *of_varint(const Type *type, uint64_t value);
PyObject *of_fixed(const Type *type, const uint8_t *p);
const uint8_t *read_one(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **out);
PyObject *new_elements(const Type *type);
/* An element of a list, or packed ones; an entry of a map, `*known` being 0 where it has more than a key and a value. */
const uint8_t *read_elements(Reader *r, const uint8_t *p, const Field *field, int wire, int depth, PyObject **slot);
const uint8_t *read_entry(Reader *r, const uint8_t *p, const Type *type, int depth, PyObject **slot, int *known);
