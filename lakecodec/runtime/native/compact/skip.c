/* Skipping: values are passed, with all that keeps memory and time bounded checked. */
#include "layouts.h"

const uint8_t *skip_long_varint(Input *in, const uint8_t *p) {
    if (likely(in->end - p >= 8)) {
        uint64_t stops = ~load64(p) & CONTINUATIONS;
        if (likely(stops != 0)) return p + (__builtin_ctzll(stops) >> 3) + 1;
    }
    uint64_t ignored;
    return read_rare_varint(in, p, &ignored);
}

static inline const uint8_t *skip_bytes(Input *in, const uint8_t *p, int64_t size) {
    return likely(in->end - p >= size) ? p + size : truncated(in);
}

static inline const uint8_t *skip_binary(Input *in, const uint8_t *p) {
    Py_ssize_t length;
    const uint8_t *start = read_length(in, p, &length);
    return unlikely(start == NULL) ? NULL : start + length;
}

static const uint8_t *skip_map(Input *in, const uint8_t *p, int room);

static inline const uint8_t *skip_nested(Input *in, const uint8_t *p, int wire, int room) {
    if (unlikely(room < 1)) return fail(in, RULE_DEPTH, p);
    if (wire == WIRE_STRUCT) return skip_struct(in, p, room - 1);
    return wire == WIRE_MAP ? skip_map(in, p, room - 1) : skip_list(in, p, room - 1);
}

const uint8_t *skip_value(Input *in, const uint8_t *p, int wire, int room) {
    switch (wire) {
    case WIRE_TRUE:
    case WIRE_FALSE: return p;
    case WIRE_I8: return skip_bytes(in, p, 1);
    case WIRE_I16:
    case WIRE_I32:
    case WIRE_I64: return skip_varint(in, p);
    case WIRE_DOUBLE: return skip_bytes(in, p, 8);
    case WIRE_BINARY: return skip_binary(in, p);
    case WIRE_UUID: return skip_bytes(in, p, 16);
    case WIRE_LIST:
    case WIRE_SET:
    case WIRE_MAP:
    case WIRE_STRUCT: return skip_nested(in, p, wire, room);
    default: return fail(in, RULE_WIRE, p);
    }
}

/* The fewest structs for which layouts pay. */
#define LEAST_ALIKE 8

Layouts *skipped_layouts(Input *in, Py_ssize_t count) {
    if (count < LEAST_ALIKE) return NULL;
    if (in->skipped == NULL) in->skipped = layouts_new(NULL, NULL);
    if (in->skipped != NULL) layouts_begin(in->skipped, count);
    return in->skipped;
}

const uint8_t *skip_struct_elements(Input *in, const uint8_t *p, Layouts *layouts, Py_ssize_t *i, Py_ssize_t last, int room) {
    if (room < 1 && *i < last) return fail(in, RULE_DEPTH, p);
    while (*i < last) {
        Passed passed;
        const uint8_t *after = layouts == NULL ? NULL : layouts_pass(layouts, *i, last - *i, p, in->end, room - 1, &passed);
        if (likely(after != NULL)) {
            *i += passed.count;
        } else {
            after = skip_struct(in, p, room - 1);
            if (after == NULL) return NULL;
            if (layouts != NULL) layouts_learn(layouts, *i, p, after);
            ++*i;
        }
        p = after;
    }
    return p;
}

const uint8_t *skip_list(Input *in, const uint8_t *p, int room) {
    Py_ssize_t count;
    int wire;
    p = read_list_header(in, p, &count, &wire);
    if (unlikely(p == NULL) || count == 0) return p;
    switch (wire) {
    case WIRE_TRUE:
    case WIRE_FALSE:
    case WIRE_I8: return p + count; /* the header's check covers them */
    case WIRE_DOUBLE: return skip_bytes(in, p, 8 * (int64_t)count);
    case WIRE_UUID: return skip_bytes(in, p, 16 * (int64_t)count);
    case WIRE_I16:
    case WIRE_I32:
    case WIRE_I64:
        while (count-- > 0 && p != NULL) p = skip_varint(in, p);
        return p;
    case WIRE_BINARY:
        while (count-- > 0 && p != NULL) p = skip_binary(in, p);
        return p;
    case WIRE_STRUCT:
        if (count >= LEAST_ALIKE) return skip_struct_elements(in, p, skipped_layouts(in, count), &(Py_ssize_t){0}, count, room);
        /* fall through */
    default:
        while (count-- > 0 && p != NULL) p = skip_value(in, p, wire, room);
        return p;
    }
}

static const uint8_t *skip_map(Input *in, const uint8_t *p, int room) {
    Py_ssize_t count;
    int key, value;
    p = read_map_header(in, p, &count, &key, &value);
    while (p != NULL && count-- > 0) {
        p = skip_element(in, p, key, room);
        if (p != NULL) p = skip_element(in, p, value, room);
    }
    return p;
}

const uint8_t *skip_fields(Input *in, const uint8_t *p, int room, int last) {
    for (;;) {
        const uint8_t *start = p;
        int wire;
        p = read_field_header(in, p, &last, &wire);
        if (unlikely(p == NULL) || wire == WIRE_STOP) return p;
        p = skip_field(in, p, wire, room, start);
        if (unlikely(p == NULL)) return NULL;
    }
}

PyObject *compact_skip(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    Py_buffer view;
    Py_ssize_t pos, depth;
    if (check_count("skip", count, 4) || take_buffer(args[0], &view)) return NULL;
    PyObject *result = NULL;
    long wire = PyLong_AsLong(args[2]);
    if ((wire == -1 && PyErr_Occurred()) || take_position(args[1], view.len, &pos) || take_limit(args[3], "max_depth", &depth)) goto done;
    const uint8_t *begin = view.buf;
    Input in = {.begin = begin, .end = begin + view.len};
    in.max_depth = nesting_room(depth < MAX_NESTING ? (int)depth : MAX_NESTING);
    const uint8_t *end = skip_value(&in, begin + pos, wire < 0 || wire > 255 ? 255 : (int)wire, in.max_depth);
    layouts_free(in.skipped);
    if (end != NULL) {
        result = PyLong_FromSsize_t(end - begin);
        goto done;
    }
    PyObject *error = decode_error(in.rule, NULL, NULL, in.at - begin);
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
done:
    PyBuffer_Release(&view);
    return result;
}
