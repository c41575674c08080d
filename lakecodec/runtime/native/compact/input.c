/* Reading of varints and headers: the parts that are rare, or too long to be inlined. */
#include "compact.h"

const uint8_t *read_rare_varint(Input *in, const uint8_t *p, uint64_t *out) {
    const uint8_t *start = p;
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (p >= in->end) return truncated(in);
        uint64_t byte = *p++;
        if (byte < 128) {
            if (shift == 63 && byte > 1) break;
            *out = value | byte << shift;
            return p;
        }
        value |= (byte & 127) << shift;
    }
    return fail(in, RULE_VARINT, start);
}

const uint8_t *read_field_id(Input *in, const uint8_t *p, const uint8_t *start, int *id) {
    uint64_t value;
    p = read_varint(in, p, &value);
    if (p == NULL) return NULL;
    int64_t number = unzigzag(value);
    if (number < -32768 || number > 32767) return fail(in, RULE_FIELD_ID, start);
    *id = (int)number;
    return p;
}

const uint8_t *read_list_header(Input *in, const uint8_t *p, Py_ssize_t *count, int *wire) {
    const uint8_t *start = p;
    if (unlikely(p >= in->end)) return truncated(in);
    uint64_t size = *p >> 4;
    *wire = *p++ & 15;
    if (size == 15) {
        p = read_varint(in, p, &size);
        if (p == NULL) return NULL;
        if (size > MAX_SIZE) return fail(in, RULE_SIZE, start);
    }
    if (unlikely(size > (uint64_t)(in->end - p))) return fail_short(in, RULE_COUNT, start, (int64_t)size - (in->end - p));
    *count = (Py_ssize_t)size;
    return p;
}

const uint8_t *read_map_header(Input *in, const uint8_t *p, Py_ssize_t *count, int *key, int *value) {
    const uint8_t *start = p;
    uint64_t size;
    p = read_varint(in, p, &size);
    if (p == NULL) return NULL;
    *count = (Py_ssize_t)size;
    *key = *value = WIRE_STOP;
    if (size == 0) return p;
    if (size > MAX_SIZE) return fail(in, RULE_SIZE, start);
    if (p >= in->end) return truncated(in);
    *key = *p >> 4;
    *value = *p++ & 15;
    if (2 * size > (uint64_t)(in->end - p)) return fail_short(in, RULE_COUNT, start, 2 * (int64_t)size - (in->end - p));
    return p;
}
