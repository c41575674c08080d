/* Making a layout of a struct that was found to be valid. */
#include "layouts.h"

typedef struct Recorder {
    Input in; /* first: readers take it */
    Layout *layout;
} Recorder;

/* These return the position after what they record, or NULL when there can be no layout. */
static const uint8_t *record_fields(Recorder *c, const uint8_t *p, const Codec *codec, int level);
static const uint8_t *record_value(Recorder *c, const uint8_t *p, const Type *type, int wire, int level);

static void put(Recorder *c, const uint8_t *from, const uint8_t *to, int token, int mask) {
    const Pattern *pattern = c->layout->pattern;
    const Py_ssize_t start = from - c->in.begin, after = to - c->in.begin;
    for (Py_ssize_t i = start; i < after; i++) {
        pattern->bytes[i] = c->in.begin[i];
        pattern->mask[i] = (uint8_t)mask;
        pattern->nonzero[i] = 255;
        pattern->start[i] = (uint16_t)start;
        pattern->after[i] = (uint16_t)after;
        pattern->token[i] = (uint8_t)token;
    }
}

static void go_down(Recorder *c, int level) {
    if (level > c->layout->depth) c->layout->depth = level;
}

/* A varint that is longer than need be is not written that way. */
static void check_minimal(Recorder *c, const uint8_t *p, const uint8_t *after) {
    if (after - p > 1 && after[-1] == 0) c->layout->clean = 0;
}

static const uint8_t *record_varint(Recorder *c, const uint8_t *p, int token) {
    uint64_t value;
    const uint8_t *after = read_varint(&c->in, p, &value);
    if (after == NULL) return NULL;
    put(c, p, after, token, 0x80);
    check_minimal(c, p, after);
    const Py_ssize_t size = after - p, last = after - c->in.begin - 1;
    /* The bits that would not fit are 0 in the layout's value. */
    const int over = token == TOKEN_I16 && size == 3 ? 0xfc : token == TOKEN_I32 && size == 5 ? 0xf0 : size == 10 ? 0xfe : 0x80;
    if ((token == TOKEN_I16 && size > 3) || (token == TOKEN_I32 && size > 5)) return NULL;
    c->layout->pattern->mask[last] = (uint8_t)over;
    if (c->layout->codec != NULL && size > 1) {
        if (after[-1] == 0) return NULL;
        c->layout->pattern->nonzero[last] = 0;
    }
    return after;
}

static const uint8_t *record_bytes(Recorder *c, const uint8_t *p, int token) {
    Py_ssize_t length;
    const uint8_t *start = read_length(&c->in, p, &length);
    if (start == NULL) return NULL;
    check_minimal(c, p, start);
    put(c, p, start + length, token, token == TOKEN_TEXT ? 0x80 : 0);
    memset(c->layout->pattern->mask + (p - c->in.begin), 255, (size_t)(start - p));
    for (Py_ssize_t i = 0; token == TOKEN_TEXT && i < length; i++)
        if (start[i] > 127) return NULL;
    return start + length;
}

static const uint8_t *record_fixed(Recorder *c, const uint8_t *p, Py_ssize_t size) {
    if (c->in.end - p < size) return NULL;
    put(c, p, p + size, TOKEN_FREE, 0);
    return p + size;
}

static const uint8_t *record_list(Recorder *c, const uint8_t *p, const Type *type, int level) {
    Py_ssize_t count;
    int wire;
    const uint8_t *start = p;
    p = read_list_header(&c->in, p, &count, &wire);
    if (p == NULL) return NULL;
    put(c, start, p, TOKEN_EXACT, 255);
    go_down(c, level);
    const Type *value = type == NULL ? NULL : type->value;
    if (value != NULL) {
        c->layout->elements += count;
        if (wire != value->wire || (*start >> 4 == 15) != (count >= 15) || (p - start > 2 && p[-1] == 0)) c->layout->clean = 0;
    }
    for (Py_ssize_t i = 0; p != NULL && i < count; i++) {
        if (wire == WIRE_TRUE || wire == WIRE_FALSE) {
            put(c, p, p + 1, TOKEN_EXACT, 255);
            c->layout->clean &= *p == 1 || *p == 2;
            p++;
        } else {
            p = record_value(c, p, value, wire, level);
        }
    }
    return p;
}

static int varint_token(const Type *type) {
    if (type == NULL || type->kind == KIND_I64) return TOKEN_I64;
    return type->kind == KIND_I16 ? TOKEN_I16 : TOKEN_I32;
}

/* A value inside a struct or list that is at the level; type is NULL where it is skipped. */
static const uint8_t *record_value(Recorder *c, const uint8_t *p, const Type *type, int wire, int level) {
    switch (wire) {
    case WIRE_TRUE:
    case WIRE_FALSE: return p;
    case WIRE_I8: return record_fixed(c, p, 1);
    case WIRE_DOUBLE: return record_fixed(c, p, 8);
    case WIRE_UUID: return record_fixed(c, p, 16);
    case WIRE_I16:
    case WIRE_I32:
    case WIRE_I64: return record_varint(c, p, varint_token(type));
    case WIRE_BINARY: return record_bytes(c, p, type != NULL && type->kind == KIND_STRING ? TOKEN_TEXT : TOKEN_BYTES);
    case WIRE_STRUCT: return record_fields(c, p, type == NULL ? NULL : type->codec, level + 1);
    case WIRE_LIST: return record_list(c, p, type, level + 1);
    case WIRE_SET: return type == NULL ? record_list(c, p, NULL, level + 1) : NULL;
    default: /* maps have no layout */ return NULL;
    }
}

static const uint8_t *record_fields(Recorder *c, const uint8_t *p, const Codec *codec, int level) {
    Layout *layout = c->layout;
    int last = 0, defaults = 0;
    if (level > MAX_ENCODE_DEPTH / 2 || (codec != NULL && codec->kind == CODEC_CUSTOM)) return NULL;
    go_down(c, level);
    layout->clean &= codec != NULL && codec->whole == NULL && codec->in_order;
    for (;;) {
        const uint8_t *start = p;
        const int before = last;
        int wire;
        p = read_field_header(&c->in, p, &last, &wire);
        if (p == NULL) return NULL;
        const int flag = wire == WIRE_TRUE || wire == WIRE_FALSE;
        put(c, start, p, flag && p - start == 1 ? TOKEN_FLAG : TOKEN_EXACT, 255);
        if (wire == WIRE_STOP) {
            /* A default that takes the place of an absent value is written. */
            layout->clean &= *start == 0 && (codec == NULL || defaults == codec->defaults);
            return p;
        }
        /* The long form of a header is only written where the short one cannot be. */
        layout->clean &= *start >= 16;
        const Field *field = codec == NULL ? NULL : field_by_id(codec, last);
        if (codec != NULL && last <= before) return NULL; /* the last one of several would count */
        if (field == NULL || !wire_fits(&field->type, wire)) {
            /* Unions keep members that they do not know. */
            const int kept = codec != NULL && codec->kind == CODEC_UNION && layout->clean;
            p = record_value(c, p, NULL, wire, level);
            layout->clean = (uint8_t)kept;
        } else {
            defaults += is_default(field);
            p = record_value(c, p, &field->type, wire, level);
        }
        if (p == NULL) return NULL;
    }
}

Layout *layout_alloc(const Codec *codec, struct Tape *tape, int same) {
    Layout *layout = calloc(1, sizeof(Layout));
    if (layout != NULL) *layout = (Layout){.codec = codec, .tape = tape, .same = (uint8_t)same};
    return layout;
}

void free_places(Layout *layout) {
    for (Py_ssize_t i = 0; layout->places != NULL && i < layout->codec->slot_count; i++)
        if (layout->places[i].inner != NULL) layout_free(layout->places[i].inner);
    free(layout->places);
    layout->places = NULL;
}

void layout_free(Layout *layout) {
    free_places(layout);
    free(layout->pattern);
    free(layout->gather);
    free(layout);
}

static Pattern *pattern_alloc(size_t size) {
    const size_t padded = size + BLOCK;
    Pattern *pattern = malloc(sizeof(Pattern) + 4 * size + 3 * padded + size);
    if (pattern == NULL) return NULL;
    pattern->start = (uint16_t *)(pattern + 1);
    pattern->after = pattern->start + size;
    pattern->bytes = (uint8_t *)(pattern->after + size);
    pattern->mask = pattern->bytes + padded;
    pattern->nonzero = pattern->mask + padded;
    pattern->token = pattern->nonzero + padded;
    memset(pattern->mask + size, 0, BLOCK);
    memset(pattern->bytes + size, 0, BLOCK);
    memset(pattern->nonzero + size, 255, BLOCK);
    return pattern;
}

Layout *layout_new(const uint8_t *p, const uint8_t *end, const Codec *codec, struct Tape *tape) {
    const size_t size = (size_t)(end - p);
    if (size == 0 || size > LAYOUT_BYTES) return NULL;
    Layout *layout = layout_alloc(codec, tape, 1);
    if (layout == NULL) return NULL;
    layout->size = end - p;
    layout->clean = codec != NULL;
    layout->pattern = pattern_alloc(size);
    Recorder c = {.in = {.begin = p, .end = end}, .layout = layout};
    if (layout->pattern == NULL || record_fields(&c, p, codec, 0) != end) {
        layout_free(layout);
        return NULL;
    }
    return layout;
}
