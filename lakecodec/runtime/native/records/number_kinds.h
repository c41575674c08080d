/* Numbers by their kinds, for reading and for writing. */
#ifndef LAKECODEC_RECORD_NUMBER_KINDS_H
#define LAKECODEC_RECORD_NUMBER_KINDS_H

#include "record.h"

/* Bytes and signs of the numbers of fixed width, by their kinds. */
static const struct { uint8_t size, is_signed, is_float; } fixed[] = {
    [KIND_OF_U8] = {1, 0, 0}, [KIND_OF_I8] = {1, 1, 0}, [KIND_OF_U16] = {2, 0, 0}, [KIND_OF_I16] = {2, 1, 0},
    [KIND_OF_U24] = {3, 0, 0}, [KIND_OF_I24] = {3, 1, 0}, [KIND_OF_U32] = {4, 0, 0}, [KIND_OF_I32] = {4, 1, 0},
    [KIND_OF_U40] = {5, 0, 0}, [KIND_OF_I40] = {5, 1, 0}, [KIND_OF_U48] = {6, 0, 0}, [KIND_OF_I48] = {6, 1, 0},
    [KIND_OF_U64] = {8, 0, 0}, [KIND_OF_I64] = {8, 1, 0}, [KIND_OF_F16] = {2, 0, 1}, [KIND_OF_F32] = {4, 0, 1},
    [KIND_OF_F64] = {8, 0, 1},
};

static const uint8_t varint_bits[] = {
    [KIND_OF_VLQ32] = 32, [KIND_OF_VLQ64] = 64, [KIND_OF_VLQ9] = 64, [KIND_OF_IVLQ9] = 64,
    [KIND_OF_UVARINT16] = 16, [KIND_OF_UVARINT32] = 32, [KIND_OF_UVARINT64] = 64,
    [KIND_OF_SVARINT16] = 16, [KIND_OF_SVARINT32] = 32, [KIND_OF_SVARINT64] = 64,
};

#endif
