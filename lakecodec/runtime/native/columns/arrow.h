/* What a writer reads of arrays that come by the Arrow C data interface. */
#pragma once

#include "common/arrow_c_data.h"
#include "source.h"

/* Size of a value by the first letters of its type's format; 0 for types whose values are not numbers of one size. */
static int write_format_width(const char *format) {
    switch (format[0]) {
    case 'c': case 'C': return 1;
    case 's': case 'S': case 'e': return 2;
    case 'i': case 'I': case 'f': return 4;
    case 'l': case 'L': case 'g': return 8;
    case 't': break;
    default: return 0;
    }
    switch (format[1]) {
    case 'd': return format[2] == 'D' ? 4 : 8;
    case 't': return format[2] == 's' || format[2] == 'm' ? 4 : 8;
    case 's': case 'D': return 8;
    case 'i': return format[2] == 'M' ? 4 : format[2] == 'D' ? 8 : 0;
    default: return 0;
    }
}

/* Decimals are "d:precision,scale", with a third number where they have other than 128 bits. */
static int write_is_decimal128(const char *format) {
    if (format[0] != 'd' || format[1] != ':') return 0;
    const char *comma = strchr(format, ',');
    return comma && !strchr(comma + 1, ',');
}

/* What a type's format says, in little memory: those of thousands of columns are looked at again and again. `width` is that of
 * numbers of one size, `letters` are the format's first two. */
typedef struct {
    char letters[2];
    uint8_t width, decimal, dictionary;
} WriteFormat;

static WriteFormat write_format(const struct ArrowSchema *schema) {
    const char *format = schema->format;
    return (WriteFormat){.letters = {format[0], format[0] ? format[1] : 0},
                         .width = (uint8_t)(schema->dictionary ? 0 : write_format_width(format)),
                         .decimal = (uint8_t)write_is_decimal128(format),
                         .dictionary = schema->dictionary != NULL};
}

/* Fills in how the column's values lie in Arrow; -1 when the type cannot hold them. */
static int write_set_form(WriteColumn *column, WriteFormat given) {
    const int width = given.width, decimal = given.decimal;
    const int wanted = column->kind == KIND_PAIR ? 8 : column->width;
    column->form = WRITE_FIXED;
    column->stride = decimal ? 16 : width;
    switch (column->kind) {
    case KIND_BOOLEAN:
        column->form = WRITE_BITS;
        return given.letters[0] == 'b' ? 0 : -1;
    case KIND_NUMBER:
        return width == wanted || (decimal && wanted == 8) ? 0 : -1;
    case KIND_PAIR:
        return width == wanted ? 0 : -1;
    case KIND_INTEGER:
        column->form = WRITE_LARGE;
        return decimal ? 0 : -1;
    default:
        column->form = WRITE_RAGGED;
        return given.letters[0] == 'u' || given.letters[0] == 'z' ? 0 : -1;
    }
}

/* Borrows an array's buffers, which outlive the structure that lends them. The bitmap is counted: a wrong number of
 * nulls would make room of the wrong size. */
static void write_set_chunk(const WriteColumn *column, WriteChunk *chunk, const struct ArrowArray *array) {
    const int ragged = column->form == WRITE_RAGGED;
    chunk->offset = array->offset;
    chunk->length = array->length;
    chunk->valid = array->null_count ? array->buffers[0] : NULL;
    chunk->nulls = chunk->valid ? write_count_nulls(chunk) : 0;
    if (!chunk->nulls) chunk->valid = NULL;
    chunk->offsets = ragged ? array->buffers[1] : NULL;
    chunk->data = array->buffers[ragged ? 2 : 1];
    chunk->stop = ragged ? chunk->data + write_offset(chunk->offsets, chunk->offset + chunk->length) : NULL;
}
